"""Draw offers, and the claims of threefold repetition and of fifty moves (articles 9.1 to 9.5)."""

from __future__ import annotations

import chess

from assistant.board import after
from assistant.errors import marked
from assistant.laws.endings import end_game
from assistant.laws.events import SECOND, Microseconds, seconds
from assistant.laws.penalties import ask_about_conduct, ask_for_less
from assistant.laws.position import key
from assistant.laws.script import Line
from assistant.laws.state import Game, Refused
from assistant.sides import Side, other


def offer_draw(game: Game, line: Line) -> None:
    """Offer a draw; at any moment it is valid, between making the move and pressing it is proper."""
    game.check_begun()
    if line.get("condition"):
        raise Refused(marked("no condition may be attached to an offer"), "offer")
    offer(game, line.player)


def offer(game: Game, side: Side) -> None:
    """Let a player offer a draw.

    :raises Refused: if his offer stands already, or the event forbids it.
    """
    if side in game.draw_offers:
        raise Refused(marked("the offer stands already"), "offer")
    last = game.last_ply_of(side)
    just_made = last is not None and not last.completed and game.plies[-1] is last
    number = _move_number(game, side)
    _check_agreement_allowed(game, number)
    game.draw_offers.append(side)
    if game.having_the_move != side and game.turn_state.has_begun:
        game.turn_state.offer_came_after = True
    if game.adjournment is not None and game.adjournment.sealer != side:
        game.adjournment.answers_offer = False
    keys = {} if just_made or game.adjournment is not None else {"improper": True}
    game.emit("draw-offered", "offer-timing" if keys else "offer", side=side, **keys)
    game.offer_plies.append((side, number))
    recent = [at for by, at in game.offer_plies if by == side and number - at < _within(game)]
    if len(recent) >= game.rules.offers_that_annoy:
        ask_about_conduct(game, side, "offer-conduct")


def _move_number(game: Game, side: Side) -> int:
    """Return the number of the move that the player thinks about, or has made last."""
    return game.moves_made(side) + (game.having_the_move == side)


def _check_agreement_allowed(game: Game, number: int) -> None:
    """Refuse what the event leaves to the arbiter's consent before a move or at all (9.1.1)."""
    restriction = game.setup.draw_offers
    if restriction == "forbidden":
        raise Refused(marked("the event forbids draw offers"), "offer-restricted")
    if isinstance(restriction, int) and number < restriction:
        raise Refused(marked("no draw may be offered before move {n}", n=restriction), "offer-restricted")


def _within(game: Game) -> int:
    return game.rules.offers_that_annoy_within_moves


def accept_draw(game: Game, line: Line) -> None:
    """Accept the opponent's offer: the game is drawn at once (5.2.3)."""
    side = line.player
    if other(side) not in game.draw_offers:
        raise Refused(marked("the opponent has not offered a draw"), "offer")
    check_flag_is_up(game, side)
    # A wrong claim is an offer too, and nobody looks at the event's rules then.
    _check_agreement_allowed(game, _move_number(game, other(side)))
    least = game.rules.agreement_min_moves_each
    if min(game.moves_made("white"), game.moves_made("black")) < least:
        raise Refused(marked("a draw can be agreed only after both players have moved"), "agreement")
    end_game(game, "1/2-1/2", "agreement", "agreement")


def decline_draw(game: Game, line: Line) -> None:
    side = line.player
    if other(side) not in game.draw_offers:
        raise Refused(marked("the opponent has not offered a draw"), "offer")
    game.draw_offers.remove(other(side))
    game.emit("draw-declined", "offer", side=side)


def decline_by_touching(game: Game, side: Side) -> None:
    """Touching a man to move or capture it rejects the opponent's offer (9.1.2.1)."""
    if other(side) in game.draw_offers:
        game.draw_offers.remove(other(side))
        game.emit("draw-declined", "offer", side=side)


def decline_by_moving(game: Game, side: Side) -> None:
    """Making a move rejects the opponent's offer, unless that came when the move had been begun already."""
    if not game.turn_state.offer_came_after:
        decline_by_touching(game, side)


def count_as_offer(game: Game, side: Side, claim: str) -> None:
    """A claim that counts as an offer stays one until it is declined (9.1.2.3)."""
    is_offer = claim in game.rules.claims_that_are_offers and game.result is None
    if is_offer and side not in game.draw_offers:
        game.draw_offers.append(side)


def check_draw_claim(game: Game, side: Side) -> None:
    """Refuse a claim that may not be made now; it is not examined then.

    :raises Refused: if the claimant has not the move, his flag has been seen to fall (6.8), or he has touched
        a man (9.4).
    """
    game.check_begun()
    if game.having_the_move != side:
        raise Refused(marked("a draw is claimed by the player having the move"), "threefold")
    check_flag_is_up(game, side)
    turn = game.turn_state
    has_moved = game.adjournment is not None and game.adjournment.fixed is not None
    if turn.touched or turn.placed is not None or has_moved:
        raise Refused(marked("a man has been touched"), "claim-touched")
    if turn.must is not None:
        raise Refused(marked("the move written for the last claim must be made first"), "claim-move-due")


def check_flag_is_up(game: Game, side: Side) -> None:
    """Refuse a move or a draw that would save a player whose flag has been seen to fall (6.8, 6.9)."""
    if game.is_flag_seen(side):
        raise Refused(marked("the flag has fallen"), "flag")


def judge_draw_claim(game: Game, of: str, move: chess.Move | None) -> bool:
    """Is the claim right, on the position on the board or on the one the written move would bring?"""
    board = game.board if move is None else after(game.board, move)
    if of == "fifty-moves":
        return board.halfmove_clock >= 100
    present = key(board)
    earlier = [ply.key for ply in game.plies] + [game.start_key]
    return earlier.count(present) + (move is not None) >= 3


def draw_claim_right(game: Game, side: Side, of: str, *, written: bool) -> None:
    kind = {"threefold": "threefold-written", "fifty-moves": "fifty-written"}[of] if written else of
    keys = {"plies": game.occurrences()} if of == "threefold" and not written else {}
    game.emit("claim-right", kind, side=side, of=of, seconds=0, **keys)
    end_game(game, "1/2-1/2", of, "claim-right")


def draw_claim_wrong(
    game: Game, side: Side, of: str, move: chess.Move | None, granted: Microseconds | None
) -> None:
    """A wrong claim gives the opponent time, and the written move must be made (9.5.3)."""
    wanted = game.rules.wrong_claim_seconds * SECOND if granted is None else granted
    time = game.compensate(other(side), wanted)
    must = {} if move is None else {"must": move.uci()}
    game.emit("claim-wrong", "claim-wrong", side=side, of=of, seconds=seconds(time), **must)
    if time and granted is None:
        ask_for_less(game, other(side), time, game.rules.wrong_claim_seconds_notice, "claim-wrong")
    if move is not None:
        game.turn_state.must = move
