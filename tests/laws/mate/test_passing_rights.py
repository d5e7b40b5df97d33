"""What is possible for one move or until a king has moved: en passant and castling in the search."""

from __future__ import annotations

import itertools

import chess
import pytest
from closure import castles
from samples import passing, soups, taken_only_in_passing, tight

from assistant.laws.mate import Answer, can_mate, decide
from assistant.laws.mate.men import men_of
from assistant.laws.mate.search import PairSearch, start_castling


def pair_of(board: chess.Board) -> int:
    white, black = board.king(chess.WHITE), board.king(chess.BLACK)
    assert white is not None and black is not None
    return 1 << 64 * white + black


def started(board: chess.Board, winner: chess.Color | None = None) -> PairSearch:
    search = PairSearch(not board.turn if winner is None else winner)
    search.start(board)
    for layout in [*search.layouts.values()]:
        if not layout.ready:
            layout.prepare()
    return search


@pytest.mark.parametrize("seed", range(2))
def test_a_check_that_only_a_capture_en_passant_answers_is_no_mate_but_without_the_right_it_is(
    seed: int,
) -> None:
    for board in taken_only_in_passing(seed, 60):
        search = started(board)
        layout = search.layouts[men_of(board)]
        assert not search.find_mate(layout, board.turn, pair_of(board)), board.fen()
        board.ep_square = None
        assert board.is_checkmate()
        later = started(board)
        assert later.find_mate(later.layouts[men_of(board)], board.turn, pair_of(board)), board.fen()


def test_the_captures_en_passant_from_the_first_position_are_those_of_the_rules() -> None:
    seen = 0
    for board in itertools.chain(taken_only_in_passing(7, 40), soups(7, 60)):
        expected = set()
        for move in board.generate_legal_ep():
            board.push(move)
            expected.add((men_of(board), pair_of(board)))
            board.pop()
        search = started(board, board.turn)
        found = {
            (layout.men, pair_of(board))
            for layout in search.layouts.values()
            if layout.known[not board.turn] & pair_of(board)
        }
        barren = {each for each in expected if search.layout(each[0]).barren}
        assert found == expected - barren, board.fen()
        seen += len(found)
    assert seen > 40


def test_a_position_met_again_without_the_right_is_looked_at_again() -> None:
    for board in taken_only_in_passing(3, 40):
        search = started(board)
        layout, pair, white = search.layouts[men_of(board)], pair_of(board), board.turn
        assert layout.ep_only[white] & pair
        search.expand(layout)
        assert not layout.pending[white] & pair
        search.add(layout, white, pair, layout, ())
        assert layout.pending[white] & pair and not layout.ep_only[white] & pair, board.fen()
        search.add(layout, white, pair, layout, (), pair)
        assert not layout.ep_only[white] & pair, "the right hides nothing that was reached without it"


def test_a_king_that_walks_back_to_such_a_position_has_no_right_either() -> None:
    """After e2-e4 Black may take; when the kings have walked away and back he may not."""
    board = chess.Board("8/8/3k4/8/3pP3/8/8/4K3 b - e3 0 1")
    search = started(board, chess.WHITE)
    layout = search.layouts[men_of(board)]
    pair = pair_of(board)
    assert layout.ep_only[0] & pair
    search.walk_kings(layout)
    assert not layout.ep_only[0] & pair


@pytest.mark.parametrize("seed", (0, 2))
def test_every_castling_leads_to_a_position_that_the_search_starts_from(seed: int) -> None:
    seen = 0
    for board in tight(seed, 60, (castles,)):
        search = started(board, board.turn)
        start_castling(search, board, 50)
        for move in [move for move in board.legal_moves if board.is_castling(move)]:
            after = board.copy(stack=False)
            after.push(move)
            layout = search.layouts.get(men_of(after))
            assert layout is not None
            assert layout.barren or layout.known[after.turn] & pair_of(after), (board.fen(), move)
            seen += 1
    assert seen > 5


ROOK_TO_CASTLE = "4k3/8/8/8/8/8/8/b3K2R b K - 0 1"


def test_where_not_every_position_with_castling_rights_was_followed_nothing_is_ruled_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = chess.Board(ROOK_TO_CASTLE)
    monkeypatch.setattr(decide, "lacks_material", lambda men, winner: False)
    monkeypatch.setattr(decide, "mate_is_conceivable", lambda mobility, winner: True)
    assert can_mate(board, chess.BLACK).answer is Answer.NO
    monkeypatch.setattr(decide, "CASTLING_POSITIONS", 3)
    assert can_mate(board, chess.BLACK).answer is Answer.UNKNOWN


def test_castling_is_followed_before_anything_is_ruled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def follow(search: PairSearch, board: chess.Board, limit: int) -> bool:
        asked.append(board.fen())
        return False

    monkeypatch.setattr(decide, "lacks_material", lambda men, winner: False)
    monkeypatch.setattr(decide, "mate_is_conceivable", lambda mobility, winner: True)
    monkeypatch.setattr(decide, "start_castling", follow)
    board = chess.Board(ROOK_TO_CASTLE)
    assert can_mate(board, chess.BLACK).answer is Answer.UNKNOWN and asked
    without = chess.Board(ROOK_TO_CASTLE.replace(" K ", " - "))
    asked.clear()
    assert can_mate(without, chess.BLACK).answer is Answer.NO and not asked


def test_double_steps_in_games_are_searched_with_their_captures() -> None:
    """Whatever the search finds after a double step is a line that the rules allow, to its end."""
    for board in passing(11, 20):
        for side in chess.COLORS:
            verdict = can_mate(board, side)
            if verdict.answer is Answer.YES:
                assert decide.proves_mate(board, side, verdict.line)
