"""The stages in order, cheapest first, and the last check of every line."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import chess

from assistant.errors import marked
from assistant.laws.mate.forced import WIDTH, Forced
from assistant.laws.mate.men import lacks_material, men_of
from assistant.laws.mate.mobility import Mobility, mate_is_conceivable
from assistant.laws.mate.search import PairSearch, moves_of, start_castling, step_of
from assistant.laws.mate.simplify import may_strip, strip_loser
from assistant.laws.mate.verdict import CHEAP, FULL, Answer, Budget, Deadness, Verdict

PLAYOUT_SETS = 20
"""Layouts expanded at the end of a stripping line."""
BETWEEN_PLAYOUTS = (8, 32, 128, 512)
"""Layouts expanded from the position itself after each stripping line."""
CASTLING_POSITIONS = 400
"""Positions with castling rights followed one by one before a NO is given up."""
_SHOWN = marked("the line shows it")


def can_mate(board: chess.Board, side: chess.Color, budget: Budget = FULL) -> Verdict:
    """Return whether `side` can checkmate by any series of legal moves of both sides (6.9, 5.2.2).

    Move counters and repetitions are ignored: the question is about legal moves alone. `board` is not
    changed and must be a valid position. With `CHEAP` only what costs well under a millisecond is tried.
    """
    start = board.copy(stack=False)
    verdict = _decide(start, side, budget)
    if verdict.answer is Answer.YES and not proves_mate(start, side, verdict.line):
        raise AssertionError(f"a line that does not mate was found for {start.fen()}")
    return verdict


def is_dead(board: chess.Board, budget: Budget = CHEAP) -> Deadness:
    """Return whether neither side can checkmate by any series of legal moves (5.2.2).

    The second side is only looked at when the first provably cannot mate; with the default budget the
    answer for a living position is usually UNKNOWN: nothing forbids the game to go on.
    """
    first = _poorer_side(board)
    verdicts = {first: can_mate(board, first, budget)}
    if verdicts[first].answer is Answer.NO:
        verdicts[not first] = can_mate(board, not first, budget)
    else:
        verdicts[not first] = Verdict(
            Answer.UNKNOWN, (), marked("not looked at: the other side decides"), "none", 0
        )
    answers = {verdict.answer for verdict in verdicts.values()}
    if answers == {Answer.NO}:
        answer = Answer.YES
    elif Answer.YES in answers:
        answer = Answer.NO
    else:
        answer = Answer.UNKNOWN
    return Deadness(answer, verdicts[chess.WHITE], verdicts[chess.BLACK])


def proves_mate(board: chess.Board, side: chess.Color, line: tuple[chess.Move, ...]) -> bool:
    """Whether `line` consists of legal moves and leaves the opponent of `side` checkmated."""
    replay = board.copy(stack=False)
    for move in line:
        if not replay.is_legal(move):
            return False
        replay.push(move)
    return replay.turn != side and replay.is_checkmate()


def _poorer_side(board: chess.Board) -> chess.Color:
    def strength(colour: chess.Color) -> int:
        own = board.occupied_co[colour]
        heavy = own & (board.queens | board.rooks)
        return own.bit_count() + 8 * heavy.bit_count() + 2 * (own & board.pawns).bit_count()

    return strength(chess.WHITE) < strength(chess.BLACK)


def _hopeless(board: chess.Board, side: chess.Color) -> bool:
    return lacks_material(men_of(board), side) or not mate_is_conceivable(Mobility.of(board), side)


def _decide(board: chess.Board, side: chess.Color, budget: Budget) -> Verdict:
    if not any(board.generate_legal_moves()):
        if not board.is_check():
            return Verdict(Answer.NO, (), marked("stalemate: no move can follow"), "terminal", 1)
        if board.turn != side:
            return Verdict(Answer.YES, (), marked("mate is on the board"), "terminal", 1)
        return Verdict(Answer.NO, (), marked("mate is on the board"), "terminal", 1)
    if lacks_material(men_of(board), side):
        return Verdict(Answer.NO, (), marked("too few men to mate, with whatever help"), "material", 1)
    if not mate_is_conceivable(Mobility.of(board), side):
        reason = marked("no man can ever reach a square from which a mate would be possible")
        return Verdict(Answer.NO, (), reason, "mobility", 1)
    if not budget.sets and any(True for _ in islice(board.generate_legal_moves(), WIDTH, None)):
        return Verdict(Answer.UNKNOWN, (), marked("too many moves to follow them all"), "forced", 0)
    return _turned_decide(board, side, budget)


def _turned_decide(board: chess.Board, side: chess.Color, budget: Budget) -> Verdict:
    """Go on with White to win and the smaller of the two mirror images.

    So the same position with colours exchanged or sides mirrored takes the same way, to the same answer.
    """
    turned = 0
    view = board
    if side == chess.BLACK:
        view = view.mirror()
        turned ^= 56
    if not view.castling_rights:
        mirrored = view.transform(chess.flip_horizontal)
        if (men_of(mirrored), mirrored.kings) < (men_of(view), view.kings):
            view = mirrored
            turned ^= 7
    verdict = _follow_and_search(view, budget)
    line = tuple(
        chess.Move(move.from_square ^ turned, move.to_square ^ turned, move.promotion)
        for move in verdict.line
    )
    return replace(verdict, line=line)


def _follow_and_search(board: chess.Board, budget: Budget) -> Verdict:
    forced = Forced(chess.WHITE, budget.forced, _hopeless)
    answer = forced.explore(board)
    nodes = forced.nodes
    if answer is Answer.YES:
        return Verdict(answer, forced.line, _SHOWN, "forced", nodes)
    if answer is Answer.NO:
        reason = marked("all lines were followed to their ends (moves: {count})", count=nodes)
        return Verdict(answer, (), reason, "forced", nodes)
    if not budget.sets:
        reason = marked("the lines were not followed to their ends (moves: {count})", count=nodes)
        return Verdict(answer, (), reason, "forced", nodes)
    return _search_for_white(board, budget)


def _search_for_white(board: chess.Board, budget: Budget) -> Verdict:
    """Look for a mate from the position itself and, for a while in turn, from the ends of stripping lines."""
    whole = PairSearch(chess.WHITE)
    whole.start(board)
    spent = 0
    found: bool | None = None
    playouts = budget.playouts if may_strip(board, chess.WHITE) else 0
    for seed, layouts in enumerate(BETWEEN_PLAYOUTS[:playouts]):
        stripped, moves = strip_loser(board, chess.WHITE, seed)
        if stripped.is_checkmate() and stripped.turn == chess.BLACK:
            return Verdict(Answer.YES, tuple(moves), _SHOWN, "playout", spent + 1)
        search = PairSearch(chess.WHITE)
        search.start(stripped, tuple(map(step_of, moves)))
        if search.run(PLAYOUT_SETS, budget.sets):
            return Verdict(Answer.YES, moves_of(search.line), _SHOWN, "playout", spent + search.nodes)
        spent += search.nodes
        found = whole.run(layouts, budget.sets)
        if found is not None:
            break
    if found is None:
        found = whole.run(budget.sets, budget.sets)
    complete = True
    if found is False and board.castling_rights:
        complete = start_castling(whole, board, CASTLING_POSITIONS)
        found = whole.run(budget.sets, budget.sets)
    spent += whole.nodes
    if found:
        return Verdict(Answer.YES, moves_of(whole.line), _SHOWN, "search", spent)
    if found is False and complete:
        boards = len(whole.layouts)
        reason = marked(
            "all positions that can arise were examined, none is mate (boards without kings: {count})",
            count=boards,
        )
        return Verdict(Answer.NO, (), reason, "search", spent)
    reason = marked(
        "the search came to no end (boards without kings, with the kings wherever they can go: {count})",
        count=spent,
    )
    return Verdict(Answer.UNKNOWN, (), reason, "search", spent)
