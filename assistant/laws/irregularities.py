"""Illegal moves: which one a claim is about, and what is ruled on it (article 7.5 and the appendices)."""

from __future__ import annotations

from dataclasses import dataclass

import chess

from assistant.board import after, is_legal
from assistant.errors import marked
from assistant.laws.endings import ability, end_after_move, end_game, ending_of, lose
from assistant.laws.events import SECOND
from assistant.laws.penalties import ask_for_less
from assistant.laws.position import both_kings_in_check, key, notation, pawn_on_last_rank
from assistant.laws.restoring import restore
from assistant.laws.state import Game, IdlePress, Ply, Refused
from assistant.laws.touch import bind_replacement
from assistant.laws.voiding import void_what_is_sealed
from assistant.sides import Side, other


@dataclass(frozen=True, slots=True)
class Offence:
    """One of the four kinds of 7.5: whose, which, and after how many plies the position before it stood.

    `cause`: the move, or the press without one. `late`: it was claimed after the reply, where it may not be.
    """

    side: Side
    kind: str
    plies: int
    cause: Ply | IdlePress
    takes_king: bool = False
    late: bool = False

    def is_open(self, game: Game) -> bool:
        """Can it still be ruled on: does its move stand, or what was before its press, and has nobody?"""
        if isinstance(self.cause, Ply):
            stands = any(each is self.cause for each in game.plies)
        else:
            stands = self.plies <= len(game.plies)
        return stands and not self.cause.ruled


def find_offence(game: Game, claimant: Side | None) -> Offence | None:
    """Return the offence a claim of an illegal move is about; None if there is none.

    :raises Refused: if it is not completed yet, or this claimant may not claim it.
    """
    found = [(index, ply) for index, ply in enumerate(game.plies) if _is_open(ply) and ply.side != claimant]
    completed = [(index, ply) for index, ply in found if ply.completed]
    open_ones = [(index, ply) for index, ply in completed if not _is_late(game, index)]
    idle = game.idle_press
    if idle is not None and claimant != idle.side:
        if not idle.moved_afterwards:
            return Offence(idle.side, "press-without-move", idle.plies, idle)
        if len(game.plies) == idle.plies + 1:
            if game.rules.press_before_move_is_illegal:
                return Offence(idle.side, "press-without-move", idle.plies, idle)
            if not open_ones:
                raise PressedFirst(idle.side)
    if not completed:
        last = None if claimant is None else game.last_ply_of(other(claimant))
        # Of a move that can still be mended nobody learns by a claim whether it is legal.
        if found or (last is not None and not last.completed):
            raise Refused(marked("the move has not been completed"), "illegal-not-completed")
        return None
    index, ply = (open_ones or completed)[0]
    if game.rules.own_illegal_move_bars_claim and claimant is not None and not ply.takes_king:
        own = [each for each in game.plies[index:] if each.side == claimant and _is_open(each)]
        if own:
            raise Refused(marked("the claimant has made an illegal move himself meanwhile"), "illegal-late")
    if game.rules.first_illegal_move_decides and not ply.takes_king and open_ones:
        for earlier, each in enumerate(game.plies[:index]):
            if _is_open(each):
                return Offence(each.side, str(each.offence), earlier, each)
    return Offence(ply.side, str(ply.offence), index, ply, takes_king=ply.takes_king, late=not open_ones)


def _is_open(ply: Ply) -> bool:
    """Is there something wrong with this move that nobody has ruled on?"""
    return ply.offence is not None and not ply.ruled


class PressedFirst(Exception):  # noqa: N818 - a ruling, not an error
    """The clock was pressed first and the move made afterwards: bad handling, no illegal move."""

    def __init__(self, side: Side) -> None:
        super().__init__()
        self.side: Side = side


def _is_late(game: Game, index: int) -> bool:
    """Has the opponent already replied, where a claim must come before his own next move?"""
    if game.rules.illegal_claim_until != "own_next_move":
        return False
    offender = game.plies[index].side
    return any(ply.side != offender for ply in game.plies[index + 1 :])


def check_arbiter_may_rule(game: Game) -> None:
    """Refuse what the arbiter may not do by himself in this class of play.

    :raises Refused: where only a player may claim.
    """
    allowed = game.rules.arbiter_rules_on_illegal_move
    if allowed == "none" or (allowed == "both_kings_or_pawn" and not _is_seen(game)):
        raise Refused(marked("the arbiter does not rule here unless a player claims"), "arbiter-rules")


def must_wait_and_see(game: Game) -> bool:
    """Does the arbiter wait until the next move is completed (2014 A.4.d, 2023 A.5.4)?"""
    return game.rules.illegal_position_seen == "wait_then_draw" and _is_seen(game)


def _is_seen(game: Game) -> bool:
    """Are both kings in check, or is there a pawn on its last rank: illegal for whoever looks?"""
    return both_kings_in_check(game.board) or pawn_on_last_rank(game.board)


def watch_position(game: Game) -> None:
    game.watched_from = game.last_completed


def check_watched_position(game: Game) -> None:
    """A move has been completed: draw the game if the illegal position the arbiter watches is still there."""
    if game.watched_from is None or game.last_completed <= game.watched_from or game.result is not None:
        return
    game.watched_from = None
    if _is_seen(game):
        end_game(game, "1/2-1/2", "illegal-moves", "illegal-seen")


def rule_on_offence(game: Game, claimant: str, of: str, offence: Offence) -> None:
    """Count the offence, give the opponent time or decide the game, and put the position right (7.5.5)."""
    offence.cause.ruled = True
    if offence.late:
        game.emit("claim-wrong", "illegal-late", side=claimant, of=of, seconds=0)
        _say(game, offence, "stands", 0, "illegal-late")
        return
    if game.idle_press is not None and game.idle_press.plies == offence.plies:
        game.idle_press = None
    _sanction(game, claimant, of, offence)


def _sanction(game: Game, claimant: str, of: str, offence: Offence) -> None:
    rules = game.rules
    game.illegal_moves[offence.side] += 1
    if game.illegal_moves[offence.side] >= rules.illegal_moves_until_loss:
        game.emit("claim-right", _kind(game, offence), side=claimant, of=of, seconds=0)
        _decide(game, offence)
        return
    time = game.compensate(other(offence.side), rules.illegal_move_seconds * SECOND)
    game.emit("claim-right", _kind(game, offence), side=claimant, of=of, seconds=time // SECOND)
    _say(game, offence, "time-to-opponent", time // SECOND, "illegal-penalty")
    _put_right(game, offence)
    if game.result is None and time:
        ask_for_less(game, other(offence.side), time, rules.illegal_move_seconds_notice, "illegal-penalty")


def _kind(game: Game, offence: Offence) -> str:
    if _loss_kind(game, offence) == "king-taken":
        return "king-taken"
    return "illegal-move" if offence.kind == "illegal" else offence.kind


def _say(game: Game, offence: Offence, remedy: str, given: int, kind: str) -> None:
    game.emit(
        "illegal-move",
        kind,
        side=offence.side,
        number=game.illegal_moves[offence.side],
        kind=offence.kind,
        remedy=remedy,
        seconds=given,
    )


def _decide(game: Game, offence: Offence) -> None:
    """The game is lost, or drawn if the opponent could not mate from the position that counts."""
    counts = _position_that_counts(game, offence)
    drawn = ability(game, other(offence.side), counts, on_time=False) == "no"
    kind = "illegal-draw" if drawn else _loss_kind(game, offence)
    _say(game, offence, "drawn" if drawn else "game-lost", 0, kind)
    # The game ends by it: nobody is ordered to seal again, nor told that what he has sealed is void.
    game.adjournment = game.second_envelope = None
    if offence.kind == "illegal" or (
        offence.kind == "pawn-left" and game.rules.pawn_left_on_last_rank == "restore"
    ):
        restore(game, offence.plies, "illegal-move")
    elif offence.kind == "pawn-left":
        _queen(game, offence.plies, ends=False)
    lose(game, offence.side, "illegal-moves", (_loss_kind(game, offence), "illegal-draw"), counts)


def _position_that_counts(game: Game, offence: Offence) -> chess.Board:
    """Return the position in which the opponent can mate or cannot (7.5.5): the one that stands.

    An illegal move does not. Nor does a queen that the arbiter sets and after whom nobody can move: hers did
    not comply with article 3, as a move must that ends the game (5.1.1, 5.2.1).
    """
    if offence.kind == "two-hands":
        return game.board
    if offence.kind == "pawn-left" and game.rules.pawn_left_on_last_rank == "queen":
        _move, board = _with_queen(game, offence.plies)[-1]
        if any(board.legal_moves):
            return board
    return game.board_before(offence.plies)


def _loss_kind(game: Game, offence: Offence) -> str:
    return "king-taken" if offence.takes_king and game.rules.king_capture_loses else "illegal-loss"


def _put_right(game: Game, offence: Offence) -> None:
    if offence.kind == "two-hands":
        # The move itself is legal and stays.
        return
    if offence.kind == "press-without-move":
        if len(game.plies) == offence.plies and not game.halted:
            game.run_clock(game.having_the_move)
        return
    if offence.kind == "pawn-left" and game.rules.pawn_left_on_last_rank == "queen":
        # A reply that stands has still to be pressed for, so that no clock is handed over (6.2.1).
        _queen(game, offence.plies)
        return
    ply = game.plies[offence.plies]
    before = game.board_before(offence.plies)
    restore(game, offence.plies, _kind(game, offence))
    bind_replacement(game, ply.move, before, ply.turn)
    if offence.kind == "pawn-left":
        # Which pawn is exchanged where stands already; only for what it is exchanged does not (4.6).
        game.turn_state.exchanged_on = ply.move.to_square


def _queen(game: Game, index: int, *, ends: bool = True) -> None:
    """Replace a pawn that was left on the last rank by a queen, and replay what followed (7.5.2).

    `ends`: whether the position may end the game; it does not where the offence decides it (7.5.5).
    """
    replayed = _with_queen(game, index)
    before = game.board_before(index)
    for offset, (move, board) in enumerate(replayed):
        ply = game.plies[index + offset]
        ply.offence = ply.offence if is_legal(before, move) is False and offset else None
        ply.move, ply.uci, ply.san = move, move.uci(), notation(before, move)
        ply.board = before = board
        ply.key = key(board)
    if index + len(replayed) < len(game.plies):
        restore(game, index + len(replayed), "pawn-left", changed=index)
    else:
        game.emit_position("pawn-left", game.clock_times(), changed=index)
        void_what_is_sealed(game)
        if not _is_seen(game):
            # What the arbiter saw has been put right; a pawn that is left later he has not seen (A.5.4).
            game.watched_from = None
    if ends:
        _end_by_queen(game, index)


def _with_queen(game: Game, index: int) -> list[tuple[chess.Move, chess.Board]]:
    """Return the moves from a pawn left on the last rank on, now a queen, and the positions after them.

    A reply that the queen does not allow is not among them: nothing illegal may come of it (3.10).
    """
    replayed: list[tuple[chess.Move, chess.Board]] = []
    board = game.board_before(index)
    for offset, ply in enumerate(game.plies[index:]):
        move = ply.move if offset else chess.Move(ply.move.from_square, ply.move.to_square, chess.QUEEN)
        overtaken = offset and ply.offence is None and not is_legal(board, move)
        if overtaken or board.piece_at(move.from_square) is None:
            break
        board = after(board, move)
        replayed.append((move, board))
    return replayed


def _end_by_queen(game: Game, index: int) -> None:
    """End the game by a lawful move after the one that brought the queen; its own the arbiter scores.

    That one did not comply with article 3, as a move must that mates or stalemates (5.1.1, 5.2.1).
    """
    last = game.plies[-1]
    if len(game.plies) > index + 1:
        end_after_move(game, last)
        return
    end = ending_of(game, last)
    if end is not None:
        game.ask_arbiter(
            "score",
            end.result,
            end.kind,
            lambda game, _: end_game(game, end.result, end.reason, end.kind),
            side=last.side,
            stops=True,
        )


def find_two_hands(game: Game, claimant: Side) -> Ply:
    """Return the move that a player's claim of two hands is about (7.5.4).

    :raises Refused: if the edition does not know it, or it is too late.
    """
    offender = other(claimant)
    _check_not_replaced(game, (offender,))
    ply = game.last_ply_of(offender)
    replied = ply is not None and ply is not game.plies[-1]
    touched = game.having_the_move == claimant and game.turn_state.touched
    if replied or touched:
        raise Refused(marked("whoever has touched a man himself can no longer complain"), "waiver")
    return _with_two_hands(game, ply)


def find_two_hands_seen(game: Game, number: int | None) -> Ply:
    """Return the move that the arbiter has seen two hands used for: this half-move, or the last completed.

    :raises Refused: if the edition does not know it, or only until the reply.
    """
    if number is None:
        _check_not_replaced(game, ("white", "black"))
        number = game.last_completed
    if number > len(game.plies):
        raise Refused(marked("the last half-move is number {n}", n=len(game.plies)), "two-hands")
    ply = _with_two_hands(game, game.plies[number - 1] if number else None)
    if _is_late(game, number - 1):
        raise Refused(marked("the opponent has replied"), "illegal-late")
    return ply


def _check_not_replaced(game: Game, sides: tuple[Side, ...]) -> None:
    """Refuse a claim about a move that has been taken back, and for which another one is made now."""
    taken_back = replaced(game)
    if taken_back is None or taken_back.side not in sides:
        return
    _check_sanction(game)
    _check_not_ruled(taken_back)
    raise Refused(marked("the move has been taken back since"), "two-hands")


def replaced(game: Game) -> Ply | None:
    """Return the move that was taken back and in whose stead none is completed yet, None if there is none."""
    last = game.plies[-1] if game.plies else None
    return game.turn_state.replaces if last is None or last.completed else last.turn.replaces


def _with_two_hands(game: Game, ply: Ply | None) -> Ply:
    _check_sanction(game)
    if ply is None or not ply.completed:
        raise Refused(marked("no move has been completed with two hands"), "two-hands")
    _check_not_ruled(ply)
    return ply


def _check_not_ruled(ply: Ply) -> None:
    """Refuse to rule on a move once more, even if its pawn has become a queen and it is lawful now."""
    if ply.two_hands or ply.ruled:
        raise Refused(marked("two faults in one move count once"), "two-hands")


def _check_sanction(game: Game) -> None:
    if "two-hands" not in game.rules.illegal_kinds:
        raise Refused(marked("this edition has no sanction for using two hands"), "one-hand")


def rule_on_two_hands(game: Game, claimant: str, ply: Ply) -> None:
    """Rule on a move made with two hands as on an illegal move; a legal one stays on the board."""
    index = next((index for index, each in enumerate(game.plies) if each is ply), None)
    if index is None:
        raise Refused(marked("the move has been taken back since"), "two-hands")
    _check_not_ruled(ply)
    ply.two_hands = True
    if ply.offence is not None:
        rule_on_offence(game, claimant, "two-hands", Offence(ply.side, ply.offence, index, ply))
        return
    _sanction(game, claimant, "two-hands", Offence(ply.side, "two-hands", index, ply))
