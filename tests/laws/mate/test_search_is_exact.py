"""The search knows neither more nor fewer moves than the Laws: compared with python-chess, move by move."""

from __future__ import annotations

import itertools

import chess
import pytest
from closure import closure, key_of
from samples import games, passing, soups, tight

from assistant.laws.mate import search
from assistant.laws.mate.layouts import quiet_moves, zeroing_moves
from assistant.laws.mate.men import men_of
from assistant.laws.mate.search import KING_STEPS, PairSearch, moves_of

Bare = tuple[tuple[int, ...], int, bool]


def bare(board: chess.Board) -> Bare:
    """A position without castling rights and en passant."""
    kings = board.king(chess.WHITE), board.king(chess.BLACK)
    assert kings[0] is not None and kings[1] is not None
    return men_of(board), 64 * kings[0] + kings[1], board.turn


def pairs_of(bits: int) -> list[int]:
    return [index for index in range(4096) if bits >> index & 1]


@pytest.fixture
def full_search(monkeypatch: pytest.MonkeyPatch) -> PairSearch:
    """A search that enters every layout, without leaving out those that lack material, and never stops."""
    monkeypatch.setattr(search, "lacks_material", lambda men, winner: False)
    monkeypatch.setattr(PairSearch, "is_hopeless", lambda *_: False)
    monkeypatch.setattr(PairSearch, "find_mate", lambda *_: False)
    return PairSearch(chess.WHITE)


def one_move(board: chess.Board) -> set[Bare]:
    """The positions one move away, from the parts the search is made of (without castling and en passant)."""
    exact = PairSearch(chess.WHITE)
    men, index, white = bare(board)
    pair = 1 << index
    layout = exact.layout(men)
    layout.prepare()
    assert layout.legal[white] & pair
    found = {(men, after, not white) for after in pairs_of(KING_STEPS[white](pair) & layout.legal[not white])}
    for here, after_capture in exact.king_captures(layout, white, pair):
        found |= {(after_capture.men, after, not white) for after in pairs_of(here)}
    for _, after_men, way, _ in itertools.chain(quiet_moves(men, white), zeroing_moves(men, white)):
        after_layout = exact.layout(after_men)
        if not after_layout.ready:
            after_layout.prepare()
        kings = 1 << (index >> 6) | 1 << (index & 63)
        if not way & kings and after_layout.legal[not white] & pair:
            found.add((after_men, index, not white))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_one_move_leads_where_the_rules_say(seed: int) -> None:
    for board in itertools.chain(soups(seed, 220), games(seed, 40, 120), tight(seed, 40)):
        expected = set()
        for move in board.legal_moves:
            if not board.is_castling(move) and not board.is_en_passant(move):
                board.push(move)
                expected.add(bare(board))
                board.pop()
        assert one_move(board) == expected, board.fen()


@pytest.mark.parametrize("seed", range(3))
def test_a_double_step_allows_the_captures_en_passant_that_the_rules_allow(seed: int) -> None:
    seen = 0
    for board in passing(seed, 150):
        expected = set()
        for step in board.legal_moves:
            board.push(step)
            for reply in board.generate_legal_ep():
                board.push(reply)
                expected.add((step, reply, bare(board)))
                board.pop()
            board.pop()
        exact = PairSearch(chess.WHITE)
        men, index, white = bare(board)
        layout = exact.layout(men)
        layout.prepare()
        exact.play(layout, white, 1 << index, exact.zeroing(layout, white))
        found = {
            (*moves_of(steps), (after.men, index, white))
            for after in exact.layouts.values()
            for _, pairs, _, steps in after.arrivals[white]
            if len(steps) == 2 and pairs >> index & 1 and not after.barren
        }
        expected = {found for found in expected if not exact.layout(found[2][0]).barren}
        assert found == expected, board.fen()
        seen += len(found)
    assert seen > 50


SMALL = [
    "1k6/b1p1p3/1pPpPp1p/pP1P1PpP/P1K3P1/8/8/8 b - - 0 1",
    "8/8/k7/8/p1p1p1p1/PpPpPpPp/1PKP1P1P/8 w - - 0 1",
    "1b5k/p1p2p1p/P1P2P1P/8/8/8/8/K7 w - - 0 1",
    "8/p3k3/Pp1p1p1p/1PpPpP1P/2P1P3/8/4K3/8 w - - 0 1",
    "7k/3p1p1p/5P1P/1p6/8/5p1p/1P3P1P/6BK w - - 0 1",
    "kr6/p1p4p/P1P5/8/3p4/5p1p/5P1P/6BK b - - 0 1",
    "6bk/5p1p/5PpP/8/8/p1p5/P1P2P2/KB6 w - - 0 1",
    "kb6/p1p5/P1P4p/5P2/8/5p1p/5P1P/7K w - - 0 1",
    "kb6/p1p5/P1P5/8/8/5p1p/5P1P/6RK w - - 0 1",
    "6bk/7p/7P/8/5n2/5p1p/5P1P/6BK b - - 0 1",
    "kb5n/p1p5/P1P5/8/8/5p1p/5P1P/6BK b - - 0 1",
]


@pytest.mark.parametrize("fen", SMALL)
def test_all_that_can_be_reached_is_reached_and_nothing_else(fen: str, full_search: PairSearch) -> None:
    board = chess.Board(fen)
    reached = closure(board, 20_000)
    assert reached is not None
    full_search.start(board)
    assert full_search.run(10**6, 10**6) is False
    found = {
        (layout.men, index, bool(white))
        for layout in full_search.layouts.values()
        for white in (0, 1)
        for index in pairs_of(layout.known[white])
    }
    assert found == {bare(position) for position in reached.values()}


@pytest.mark.parametrize("seed", range(3))
def test_a_mate_is_seen_exactly_where_python_chess_sees_one(seed: int) -> None:
    for board in soups(100 + seed, 400):
        exact = PairSearch(not board.turn)
        layout = exact.layout(men_of(board))
        layout.prepare()
        pair = 1 << bare(board)[1]
        if board.has_legal_en_passant():
            layout.ep_only[board.turn] |= pair
        layout.arrivals[board.turn].append((0, pair, None, ()))
        assert exact.find_mate(layout, board.turn, pair) == board.is_checkmate(), board.fen()


def test_keys_tell_positions_apart_by_the_right_to_take_en_passant() -> None:
    with_right = chess.Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    without = chess.Board("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1")
    assert key_of(with_right) != key_of(without)
