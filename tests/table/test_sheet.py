"""The sheet of a live game shows the moves that stand, whatever the arbiter has ruled about them."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from assistant.arbiter.history import History
from assistant.board import after
from assistant.laws import Referee
from assistant.moves import read_move
from assistant.scoresheet import Game, read_sheet, render
from assistant.table.setup import Setup
from assistant.table.sheet import Standing, sheet_of

PAWN = "6k1/P4p1p/8/8/8/8/8/K7 w - - 0 1"
Line = dict[str, Any]


def line(at: float, do: str, side: str | None = None, **keys: Any) -> Line:
    return {"at": at, "do": do, **({"side": side} if side else {}), **keys}


def moves(text: str, at: float = 1) -> list[Line]:
    """Announce, place and press moves, White first, one a second."""
    said: list[Line] = []
    for number, move in enumerate(text.split()):
        side = "black" if number % 2 else "white"
        said += [line(at + number, "announce", side, move=move), line(at + number, "press", side)]
    return said


def ruled(game: dict[str, Any], *lines: Line) -> tuple[Referee, Game]:
    """Return the referee after these lines and the sheet that its events give."""
    referee = Referee({"time_control": "5400+30", **game}, read_move)
    board, standing = referee.board, Standing(referee)
    for each in (line(0, "start"), *lines):
        standing.apply(each)
    return referee, sheet_of(standing, Setup(), board)


def shown(sheet: Game) -> list[str]:
    return [ply.move.uci() for ply in sheet.plies]


@pytest.mark.parametrize(
    ("edition", "played", "standing"),
    [
        ("2023", "a7a8", "a7a8q"),
        ("2014", "a7a8", "a7a8q"),
        ("2014", "a7a8 g8g7 a1b1", "a7a8q g8g7 a1b1"),
    ],
)
def test_a_pawn_left_on_the_last_rank_is_a_queen_on_the_sheet(
    edition: str, played: str, standing: str
) -> None:
    """7.5.2: the pawn is replaced by a queen; the times and what followed remain."""
    made = moves(played)
    referee, before = ruled({"laws": edition, "fen": PAWN}, *made)
    assert shown(before) == played.split()
    claim = line(9, "claim", "black", of="illegal-move")
    referee, sheet = ruled({"laws": edition, "fen": PAWN}, *made, claim)
    assert "Q" in referee.position.split()[0]
    assert shown(sheet) == standing.split()
    assert [ply.clock_ms for ply in sheet.plies] == [ply.clock_ms for ply in before.plies]


def test_the_placed_move_that_stands_is_on_the_sheet() -> None:
    """D.2.9: the arbiter may rule that the move placed, not the one announced, was the move."""
    referee, sheet = ruled(
        {"white": {"blind": True}},
        line(1, "announce", "white", move="e2e4"),
        line(1, "place", "white", move="e2e3"),
        line(2, "press", "white"),
        line(3, "correct", "white", move="e2e3"),
        line(4, "rule", claim="accept"),
    )
    assert shown(sheet) == ["e2e3"]
    assert sheet.plies[0].clock_ms == 5458_000
    assert referee.position.startswith("rnbqkbnr/pppppppp/8/8/8/4P3/")


def test_what_a_withdrawn_line_changed_is_on_the_sheet_again() -> None:
    restored = (*moves("e2e4 e7e5"), line(5, "restore", ply=0), line(6, "undo"))
    assert shown(ruled({}, *restored)[1]) == ["e2e4", "e7e5"]
    assert [ply.clock_ms for ply in ruled({}, *restored)[1].plies] == [5459_000, 5459_000]
    corrected = (
        line(1, "announce", "white", move="e2e4"),
        line(2, "correct", "white", move="d2d4"),
        line(3, "undo"),
    )
    assert shown(ruled({}, *corrected)[1]) == ["e2e4"]


def test_a_draw_offer_is_on_the_sheet_again_when_the_ruling_that_erased_it_is_withdrawn() -> None:
    offered = (*moves("e2e4"), line(2, "announce", "black", move="e7e5"), line(2, "offer-draw", "black"))
    erased = (*offered, line(3, "press", "black"), line(5, "restore", ply=0))
    assert shown(ruled({}, *erased)[1]) == []
    assert [ply.offer for ply in ruled({}, *erased, line(6, "undo"))[1].plies] == [False, True]
    played_again = (line(6, "resume"), *moves("e2e4 e7e5", at=7))
    assert [ply.offer for ply in ruled({}, *erased, *played_again)[1].plies] == [False, False]


@pytest.mark.parametrize("answer", ["accept-draw", "decline-draw", None])
def test_an_offer_before_a_move_that_never_comes_is_noted_on_the_last_one(answer: str | None) -> None:
    """8.1.1 and 9.1.2.3: however it is answered, and whatever ends the game."""
    offered = (*moves("e2e4 e7e5"), line(4, "offer-draw", "white"))
    answered = (line(5, answer, "black"),) if answer else ()
    ended = () if answer == "accept-draw" else (line(6, "resign", "black"),)
    _, sheet = ruled({}, *offered, *answered, *ended)
    assert sheet.result == ("1/2-1/2" if answer == "accept-draw" else "1-0")
    assert [ply.offer for ply in sheet.plies] == [True, False]


def test_an_offer_while_the_game_goes_on_waits_for_the_move_that_it_is_made_before() -> None:
    offered = (*moves("e2e4 e7e5"), line(4, "offer-draw", "white"))
    assert [ply.offer for ply in ruled({}, *offered)[1].plies] == [False, False]
    went_on = (*offered, *moves("g1f3", at=5), line(6, "resign", "black"))
    assert [ply.offer for ply in ruled({}, *went_on)[1].plies] == [False, False, True]


def test_an_offer_of_black_before_white_has_moved_stands_behind_his_first_move() -> None:
    offered = (line(1, "offer-draw", "black"), *moves("e2e4 e7e5", at=2))
    assert [ply.offer for ply in ruled({}, *offered)[1].plies] == [False, True]


def test_an_offer_stays_with_a_move_whose_slip_of_the_tongue_is_mended() -> None:
    offered = (*moves("e2e4"), line(2, "announce", "black", move="e7e5"), line(2, "offer-draw", "black"))
    mended = (*offered, line(3, "correct", "black", move="e7e6"), line(4, "press", "black"))
    assert [ply.offer for ply in ruled({}, *mended)[1].plies] == [False, True]


def test_an_offer_waits_for_its_move_though_a_ruling_that_changed_no_move_is_withdrawn() -> None:
    offered = (*moves("e2e4"), line(2, "offer-draw", "black"))
    withdrawn = (*offered, line(3, "penalty", side="white", kind="warning"), line(4, "undo"))
    moved = (line(5, "announce", "black", move="e7e5"), line(5, "press", "black"))
    assert [ply.offer for ply in ruled({}, *withdrawn, *moved)[1].plies] == [False, True]


def test_an_offer_waits_for_its_move_though_the_moves_before_it_are_taken_back() -> None:
    """8.1.5, 9.1.2.1: it was not answered, and stands."""
    offered = (*moves("e2e4 e7e5"), line(4, "offer-draw", "white"), line(5, "restore", ply=0))
    moved = (line(6, "resume"), line(7, "place", "white", move="d2d4"), line(8, "press", "white"))
    referee, sheet = ruled({}, *offered, *moved)
    assert referee.draw_offer == "white"
    assert [(ply.move.uci(), ply.offer) for ply in sheet.plies] == [("d2d4", True)]


def test_an_offer_that_is_withdrawn_is_on_no_sheet() -> None:
    """The one on the move before it, and the one that waits for the next."""
    for side in ("white", "black"):
        offer = (line(3, "offer-draw", side), line(4, "undo"))
        reply = (line(5, "announce", "black", move="e7e5"), line(5, "press", "black"))
        referee, sheet = ruled({"mode": "club"}, *moves("e2e4"), *offer, *reply)
        assert referee.draw_offer is None
        assert [ply.offer for ply in sheet.plies] == [False, False]


def test_an_offer_is_on_the_sheet_though_the_move_that_came_after_it_is_withdrawn() -> None:
    """8.1.5: each offer is recorded; this one stands, and the move that it waits for is another."""
    _, sheet = ruled(
        {},
        line(1, "offer-draw", "white"),
        line(2, "place", "white", move="e2e4"),
        line(3, "undo"),
        line(4, "place", "white", move="d2d4"),
        line(5, "press", "white"),
    )
    assert [(ply.move.uci(), ply.offer) for ply in sheet.plies] == [("d2d4", True)]


def test_time_that_brings_nothing_leaves_nothing_behind() -> None:
    """A live game lets it pass many times a second, for hours, and writes its sheets after every move."""
    standing = Standing(Referee({"time_control": "5400+30"}, read_move))
    standing.apply(line(0, "start"))
    tracemalloc.start()
    try:
        for beat in range(1, 5000):
            standing.advance(beat / 10)
        left, _most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < 50_000


@pytest.mark.parametrize("offered_at", [1, 2.5])
def test_an_offer_stays_with_a_move_that_is_made_in_place_of_an_illegal_one(offered_at: float) -> None:
    """7.5.1, 8.1.5: put right before the press."""
    made = [
        line(offered_at, "offer-draw", "white"),
        line(2, "place", "white", move="e2e5"),
        line(3, "place", "white", move="e2e4"),
        line(4, "press", "white"),
    ]
    referee, sheet = ruled({}, *sorted(made, key=lambda each: each["at"]))
    assert referee.draw_offer == "white"
    assert [(ply.move.uci(), ply.offer) for ply in sheet.plies] == [("e2e4", True)]


@pytest.mark.parametrize(("side", "offers"), [("white", [True, False]), ("black", [False, True])])
def test_an_offer_stays_though_an_illegal_move_is_claimed_after_it(side: str, offers: list[bool]) -> None:
    """7.5.1, 8.1.5: of the player who made it with the move, and of him who found it on his turn."""
    begun = [line(1, "place", "white", move="e2e5"), line(3, "press", "white")]
    offer = line(2 if side == "white" else 4, "offer-draw", side)
    claimed = (line(5, "claim", "black", of="illegal-move"), line(6, "rule", claim="accept"))
    _, sheet = ruled(
        {}, *sorted([*begun, offer], key=lambda each: each["at"]), *claimed, *moves("e2e4 e7e5", 7)
    )
    assert [ply.offer for ply in sheet.plies] == offers


def test_the_time_of_a_press_that_is_withdrawn_is_on_no_sheet() -> None:
    _, sheet = ruled({"mode": "club"}, *moves("e2e4"), line(5, "undo"))
    assert [(ply.move.uci(), ply.clock_ms) for ply in sheet.plies] == [("e2e4", None)]


def test_an_offer_in_an_adjourned_game_that_never_goes_on_is_noted() -> None:
    offered = (*moves("e2e4 e7e5"), line(4, "offer-draw", "white"))
    sealed = (line(5, "adjourn"), line(6, "seal", "white", text="Nf3"), line(7, "stop-clock", by="white"))
    assert [ply.offer for ply in ruled({}, *offered, *sealed)[1].plies] == [False, False]
    _, sheet = ruled({}, *offered, *sealed, line(8, "accept-draw", "black"))
    assert sheet.result == "1/2-1/2"
    assert [ply.offer for ply in sheet.plies] == [True, False]


@pytest.mark.parametrize(
    ("played", "side", "remarks"), [("", "white", ["1. (=)"]), ("e2e4", "black", ["", "1... (=)"])]
)
def test_the_offer_of_a_player_without_a_move_is_a_remark(played: str, side: str, remarks: list[str]) -> None:
    _, sheet = ruled({}, *moves(played), line(4, "offer-draw", side), line(5, "resign", side))
    assert [sheet.remark, *(ply.remark for ply in sheet.plies)] == remarks
    assert not any(ply.offer for ply in sheet.plies)
    for format in ("text", "brf", "pgn"):
        assert read_sheet(render(sheet, format, language="en"), "en", format=format) == sheet


BLACK_FIRST = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 57"


def test_the_offer_of_a_player_without_a_move_has_the_number_of_the_move_that_was_due() -> None:
    moved = (line(1, "announce", "black", move="e7e5"), line(1, "press", "black"))
    ended = (line(4, "offer-draw", "white"), line(5, "resign", "white"))
    _, sheet = ruled({"fen": BLACK_FIRST}, *moved, *ended)
    assert [ply.remark for ply in sheet.plies] == ["58. (=)"]
    for format in ("text", "brf", "pgn"):
        assert read_sheet(render(sheet, format, language="en"), "en", format=format) == sheet


@pytest.mark.parametrize(
    ("fen", "played"),
    [
        ("4k3/8/8/8/4p3/8/3P4/4R1K1 w - - 0 1", "d2d4 e4d3 g1g2 d3d2"),
        ("6k1/p7/8/8/8/8/8/4K3 w - - 0 1", "e1g1 g8g7 g1f2"),
        ("6k1/8/8/8/8/8/r7/4K2R w - - 0 1", "e1g1 a2a1 f1a1"),
    ],
)
def test_sheet_and_referee_have_the_same_men_after_an_illegal_move(fen: str, played: str) -> None:
    """7.5: it stands until it is claimed."""
    referee, sheet = ruled({"fen": fen}, *moves(played))
    assert shown(sheet) == played.split()
    board = [after(board, ply.move) for board, ply in sheet.positions()][-1]
    assert board.fen() == referee.position
    assert read_sheet(render(sheet, "text", language="en"), format="text").plies == sheet.plies
    assert read_sheet(render(sheet, "pgn"), format="pgn").plies == sheet.plies
    history = History()
    history.follow(sheet)
    assert history.board.fen() == referee.position
