"""The walk of a move: placed, announced, made, repeated, corrected, completed (articles 1, 6.2, D.2)."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import chess

from assistant.board import is_legal
from assistant.errors import marked
from assistant.laws.draws import check_flag_is_up, decline_by_moving
from assistant.laws.endings import end_after_move
from assistant.laws.irregularities import check_watched_position
from assistant.laws.penalties import ask_about_conduct
from assistant.laws.plies import offence_of, ply_of
from assistant.laws.position import read_uci, standing_in_the_way, why_illegal
from assistant.laws.recording import must_update
from assistant.laws.script import Line
from assistant.laws.state import Game, IdlePress, Ply, Refused, Turn
from assistant.laws.touch import PAWN_IS_EXCHANGED_THERE, bind_replacement, captured, check_duties, released
from assistant.sides import Side, other

_UCI = re.compile(r"[a-h][1-8][a-h][1-8][a-z]?")


def read(game: Game, side: Side, text: str, board: chess.Board) -> chess.Move:
    """Read a move on a board, lawful or not.

    :raises Refused: if it cannot be read, fits no move, or fits two (then with `candidates`).
    """
    if _UCI.fullmatch(text):
        move = read_uci(board, text)
        if move is None:
            raise Refused(marked("{text!r} is no move", text=text), "illegal")
    else:
        try:
            found = list(dict.fromkeys(game.read_move(board, text, game.player(side).language)))
        except ValueError:
            raise Refused(marked("{text!r} cannot be read", text=text), "illegal") from None
        legal = [each for each in found if is_legal(board, each)]
        if len(legal) > 1:
            kind = "announce-promotion" if all(each.promotion for each in legal) else "announce"
            raise Refused(
                marked("more than one legal move fits"), kind, candidates=[each.uci() for each in legal]
            )
        if not legal and len(found) != 1:
            raise Refused(marked("no legal move fits"), "illegal")
        move = legal[0] if legal else found[0]
    _check_possible(board, move)
    return move


def _check_possible(board: chess.Board, move: chess.Move) -> None:
    """Refuse what cannot be done with the men at all, lawful or not."""
    piece = board.piece_at(move.from_square)
    exchanged = piece is not None and piece.piece_type == chess.PAWN
    exchanged = exchanged and chess.square_rank(move.to_square) in (0, 7)
    if (
        piece is None
        or piece.color != board.turn
        or standing_in_the_way(board, move)
        or (move.promotion is not None and not exchanged)
    ):
        raise Refused(why_illegal(board, move), "illegal")


def check_goes_on(game: Game) -> None:
    """Refuse to move or press while the clocks are stopped, or a claim waits where the game has none.

    :raises Refused: with the reason.
    """
    if game.halted and game.has_clock:
        raise Refused(marked("the clocks are stopped"), "resume")
    if game.halted:
        raise Refused(marked("a claim waits for the arbiter"), "claim-stands")


def may_move(game: Game, side: Side) -> None:
    """Refuse a move of a player who is not there, has not the move, or may not move now.

    :raises Refused: with the reason.
    """
    game.check_begun()
    game.check_present(side)
    check_goes_on(game)
    check_flag_is_up(game, side)
    if must_update(game, side):
        raise Refused(marked("a flag has fallen: the scoresheet is completed first"), "recording-update")
    if game.having_the_move != side:
        last = game.last_ply_of(side)
        if last is not None and not last.completed:
            raise Refused(marked("the move has been made and stands"), "released")
        raise Refused(
            marked("it is the opponent who has the move"), "turn" if not game.plies else "having-the-move"
        )


def lawful(game: Game, move: chess.Move) -> None:
    """In club mode an illegal move is refused at once; in both modes what touching obliges to is kept."""
    if game.setup.mode == "club" and not is_legal(game.board, move):
        raise Refused(why_illegal(game.board, move), "illegal")
    check_duties(game, move)


@contextlib.contextmanager
def taken_back(game: Game) -> Iterator[None]:
    """Take the last move back for another one; it stands as before if that is refused."""
    last, kept = game.plies.pop(), game.turn_state
    game.turn_state = last.turn.begun_again()
    try:
        yield
    except Refused:
        game.plies.append(last)
        game.turn_state = kept
        raise


@contextlib.contextmanager
def _put_right(game: Game, side: Side, text: str) -> Iterator[None]:
    """Take a move that is not lawful back for another one: it is no illegal move until the press (7.5.1).

    Only what was released by a lawful move stands (4.7); the men that were touched are moved or captured
    (4.3), and a pawn on the last rank is exchanged there.
    """
    last = game.plies[-1] if game.plies else None
    if last is None or last.side != side or last.completed or last.offence is None:
        yield
        return
    before = game.board_before(len(game.plies) - 1)
    move = read(game, side, text, before)
    check_put_right(before, last.move, move)
    with taken_back(game):
        bind_replacement(game, last.move, before, last.turn)
        game.emit_position("illegal-not-completed", game.clock_times())
        yield


def check_put_right(before: chess.Board, wrong: chess.Move, move: chess.Move) -> None:
    """Refuse what may not stand in the place of a move that has been put down already.

    :raises Refused: if that one was lawful or is the same (4.7), or the pawn is to be exchanged there.
    """
    offence = offence_of(before, wrong)
    if offence is None or move == wrong:
        raise Refused(marked("the man has been released and stands"), "released")
    if offence == "pawn-left" and _way(move) != _way(wrong):
        raise Refused(PAWN_IS_EXCHANGED_THERE, "released")


def _way(move: chess.Move) -> tuple[chess.Square, chess.Square]:
    return move.from_square, move.to_square


def place(game: Game, line: Line) -> None:
    """Execute a move on the board; for a sighted player it is made by that (D.2.5)."""
    side = line.player
    with _put_right(game, side, line.get("move")):
        _place(game, side, line)


def _place(game: Game, side: Side, line: Line) -> None:
    may_move(game, side)
    turn = game.turn_state
    move = read(game, side, line.get("move"), game.board)
    if line.get("removed") is False and captured(game.board, move) is not None:
        raise Refused(marked("the captured man is still on the board"), "made-removed")
    with _binding_what_was_placed(game):
        lawful(game, move)
    if released(game) is not None:
        raise Refused(marked("the man has been released and stands"), "released")
    if not game.player(side).blind:
        make(game, side, stands=move, announced=turn.announced, placed=move, by_line=True)
        return
    turn.placed = move
    decline_by_moving(game, side)
    if turn.announced is not None:
        make(game, side, stands=turn.announced, announced=turn.announced, placed=move, by_line=True)


@contextlib.contextmanager
def _binding_what_was_placed(game: Game) -> Iterator[None]:
    """Let the men of an illegal move that a blind player has placed bind the next one (4.3, D.2.2).

    It waits for its announcement, which may be a slip of the tongue all the same.
    """
    turn = game.turn_state
    kept = list(turn.touched)
    if turn.placed is not None and not is_legal(game.board, turn.placed):
        bind_replacement(game, turn.placed, game.board, turn)
    try:
        yield
    except Refused:
        turn.touched = kept
        raise


def announce(game: Game, line: Line) -> None:
    """Announce a move; a sighted player places it with that unless `placed` is false."""
    side = line.player
    last = game.plies[-1] if game.plies else None
    if last is not None and last.side == side and not last.completed and last.announced is None:
        announced = read(game, side, line.get("move"), game.board_before(len(game.plies) - 1))
        if announced == last.move:
            last.announced = announced
            return
        if last.offence is None:
            raise Refused(marked("the man has been released and stands"), "released")
    with _put_right(game, side, line.get("move")):
        _announce(game, side, line)


def check_not_announced(game: Game) -> None:
    """Refuse a second announcement of one move.

    :raises Refused: if a move has been announced.
    """
    if game.turn_state.announced is not None:
        raise Refused(
            marked("a move has been announced already; a slip of the tongue is corrected with 'correct'"),
            "slip",
        )


def is_placed_by(game: Game, side: Side, line: Line) -> bool:
    """Is the man put down by this line: by `place`, or by what a sighted player announces (D.2.5)?"""
    return line.do == "place" or bool(line.get("placed", not game.player(side).blind))


def _announce(game: Game, side: Side, line: Line) -> None:
    may_move(game, side)
    check_not_announced(game)
    turn = game.turn_state
    move = read(game, side, line.get("move"), game.board)
    lawful(game, move)
    if turn.placed is not None:
        make(game, side, stands=move, announced=move, placed=turn.placed, by_line=True)
    elif is_placed_by(game, side, line):
        make(game, side, stands=move, announced=move, placed=move, by_line=False)
    else:
        turn.announced = move


class AlreadyRefused(Exception):  # noqa: N818 - a ruling, not an error
    """The refusal has been said, followed by a question to the arbiter."""


def make(
    game: Game,
    side: Side,
    *,
    stands: chess.Move,
    announced: chess.Move | None,
    placed: chess.Move | None,
    by_line: bool,
) -> None:
    """Make a move: the opponent has the move now, and the game may be over (articles 1.3, 5)."""
    if game.rules.completed_by_next_move and (earlier := _uncompleted(game, side)):
        complete(game, side, earlier, pressed=False)
        if game.result is not None:
            return
    decline_by_moving(game, side)
    ply = ply_of(game, side, stands, announced, placed, by_line=by_line)
    game.plies.append(ply)
    game.turn_state = Turn()
    game.emit("move-made", ply=len(game.plies), side=side, uci=ply.uci, san=ply.san)
    if (not ply.differs or not game.player(side).blind) and end_after_move(game, ply):
        return
    idle = game.idle_press
    if idle is None or idle.side != side or idle.plies != len(game.plies) - 1:
        return
    if game.clock.running == side:
        # The arbiter has given him his clock back: this move is one like any other.
        game.idle_press = None
        return
    idle.moved_afterwards = True
    # The press came first: the opponent's clock runs already.
    complete(game, side, [ply], pressed=True, hands_over=False)


def _uncompleted(game: Game, side: Side) -> list[Ply]:
    """Return this side's moves that are made and not completed, oldest first."""
    found: list[Ply] = []
    for ply in reversed(game.plies):
        if ply.side == side:
            if ply.completed:
                break
            found.append(ply)
    return found[::-1]


def press(game: Game, line: Line) -> None:
    """Stop one's own clock and start the opponent's: that completes the move (6.2.1)."""
    side = line.player
    game.check_begun()
    game.check_present(side)
    check_goes_on(game)
    if game.has_clock and game.clock.running != side:
        raise Refused(marked("the player's clock is not running"), "press")
    pause = game.adjournment
    if pause is not None and side == pause.sealer and (pause.fixed or pause.sealed is not None):
        # He has made or written his move, so that 7.5.3 is not for him; it waits for no press (I.1.1).
        raise Refused(marked("the move is sealed first, and only then is the clock stopped"), "seal")
    plies = _uncompleted(game, side)
    # Where the opponent has replied to them and pressed, what this press is for is still to be made (7.5.3).
    answered = game.having_the_move == side and bool(game.plies) and game.plies[-1].completed
    if plies and not answered:
        complete(game, side, plies, pressed=True)
        return
    if game.having_the_move != side:
        raise Refused(marked("the opponent has the move; the arbiter can be called"), "press-before-move")
    if game.player(side).blind:
        if game.turn_state.announced is not None:
            raise Refused(marked("the move has not been placed"), "press-blind")
        raise Refused(marked("the move has not been announced"), "press-blind")
    if "press-without-move" in game.rules.illegal_kinds and game.setup.mode == "rated" and game.has_clock:
        if plies:
            complete(game, side, plies, pressed=False)
        game.idle_press = IdlePress(side, len(game.plies))
        game.run_clock(other(side))
        game.emit("clock-started", "press-without-move", side=other(side), **game.clock_times())
        return
    if game.rules.press_without_move_is_conduct and game.setup.mode == "rated":
        game.emit("refused", "press-before-move", side=side, reason=marked("no move has been made"))
        ask_about_conduct(game, side, "press-before-move")
        raise AlreadyRefused
    raise Refused(marked("no move has been made"), "press-before-move")


def complete(game: Game, side: Side, plies: list[Ply], *, pressed: bool, hands_over: bool = True) -> None:
    """Complete moves by the press or by the next move, with increment, period and the opponent's clock."""
    reached = game.clock.complete(
        side, len(plies), pressed=pressed, carry_over_with_delay=game.rules.carry_over_with_delay
    )
    if pressed and hands_over:
        game.run_clock(other(side))
    number = len(game.plies)
    numbers = {id(ply): number - back for back, ply in enumerate(reversed(game.plies))}
    for ply in plies:
        ply.completed = True
        ply.white, ply.black = game.clock.white.left, game.clock.black.left
        game.emit(
            "move-completed",
            None if pressed else "completed-by-next-move",
            ply=numbers[id(ply)],
            side=side,
            uci=ply.uci,
            san=ply.san,
            **game.clock_times(),
        )
    if reached:
        game.emit_period(side)
    last = plies[-1]
    if last is not game.plies[-1] or not (last.differs and end_after_move(game, last)):
        check_watched_position(game)
