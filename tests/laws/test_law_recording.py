"""Articles 8.3 to 8.5, and the arbiter's sheet in rapid and blitz: who must write, and when not."""

from __future__ import annotations

from typing import Any

import pytest
from ledger_rows import editions, family
from played import Played, names, refused


def duty(game: Played, side: str = "white") -> str:
    [answer] = game.do("ask", side, at=game.at, about="recording")
    return str(answer["duty"])


def both_flags_down(edition: str, **game: Any) -> Played:
    """Both flags fall in the first of two periods, the order unknown, and play goes on."""
    played = Played(edition, time_control="40/300:900", category="standard", quickplay_finish=True, **game)
    return played.moves("e2e4 e7e5 g1f3 b8c6")


@editions(*family("L14-8.4", but=("L09-8.4",)), "L09-8.4")
def test_below_five_minutes_without_thirty_seconds_a_move_nobody_must_record(edition: str) -> None:
    game = Played(edition, time_control="3/400:900", category="standard")
    assert duty(game) == "own-move"
    game.do("ask", "arbiter", at=100, about="times")
    assert duty(game) == "own-move"
    game.do("ask", "arbiter", at=100.01, about="times")
    assert (duty(game), duty(game, "black")) == ("free", "own-move")
    game.do("set-clock", at=game.at, white=1000)
    assert duty(game) == "free"
    game.moves("e2e4 e7e5 g1f3 b8c6 f1b5")
    assert duty(game) == "own-move"
    with_increment = Played(edition, time_control="400+30", category="standard")
    with_increment.do("ask", "arbiter", at=200, about="times")
    assert duty(with_increment) == "own-move"
    rapid = Played(edition, time_control="1500", category="rapid")
    assert duty(rapid) == "free"


@editions(*family("L14-8.5b"), "L09-8.4")
def test_after_a_flag_has_fallen_the_sheet_is_completed_before_moving(edition: str) -> None:
    game = both_flags_down(edition)
    full = ["e4", "e5", "Nf3", "Nc6"]
    game.do("sheets", white=["e4", "e5", "", ""], black=full)
    assert not refused(game.announce("f1b5"))
    game.do("undo")
    game.do("set-clock", white=0, black=0)
    assert not game.over and duty(game) == "complete"
    said = game.announce("f1b5")
    assert refused(said) and said[-1]["article"].split()[1] in ("8.5.b", "8.5.2")
    game.do("sheets", white=full, black=full)
    assert not refused(game.announce("f1b5"))


@editions(*family("L14-8.5a"))
def test_when_nobody_recorded_both_copy_the_arbiters_sheet_with_the_clocks_stopped(edition: str) -> None:
    game = both_flags_down(edition)
    game.do("set-clock", white=0, black=0)
    assert (
        game.do("stop-clock", by="arbiter", reason="sheets brought up to date")[0]["event"] == "clock-stopped"
    )
    [answer] = game.do("ask", "arbiter", about="arbiters-sheet")
    assert answer["moves"] == ["e4", "e5", "Nf3", "Nc6"]
    said = game.do("sheets", white=answer["moves"], black=answer["moves"])
    assert said[-1]["event"] == "sheets-agree"
    times = (game.status["white"], game.status["black"])
    game.do("resume", at=game.at + 100)
    assert (game.status["white"], game.status["black"]) == times


@editions(*family("L14-8.5c"))
def test_before_a_reconstruction_everything_is_noted(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    game.announce("g1f3")
    stopped = game.do("stop-clock", by="arbiter", reason="no complete sheet")[0]
    assert {"white", "black", "reason"} <= set(stopped)
    noted = {
        about: game.do("ask", "arbiter", at=game.at + 50, about=about)[-1]
        for about in ("position", "times", "moves-completed")
    }
    assert noted["position"]["fen"] == game.fen
    assert (noted["times"]["white"], noted["times"]["black"]) == (stopped["white"], stopped["black"])
    assert noted["moves-completed"]["moves"] == 1
    [resumed] = game.do("resume")
    assert resumed["side"] == "white"


@editions("L23-8.3")
def test_a_sheet_that_is_replaced_holds_the_moves_so_far(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    stopped = game.do("stop-clock", by="arbiter", reason="electronic sheet replaced")[0]
    assert stopped["reason"] == "electronic sheet replaced" and stopped["white"] is not None
    [answer] = game.do("ask", "arbiter", about="arbiters-sheet")
    assert answer["moves"] == ["e4", "e5"]


@editions("L18-A.3.2", "L18-B.3.2", "L23-A.4.3", "L23-B.2.3")
def test_the_arbiters_sheet_is_shown_five_times_to_the_player_having_the_move(edition: str) -> None:
    numbers = {"2018": ("A.3.2", "B.3.2"), "2023": ("A.4.3", "B.2.3")}[edition]
    for category, control, number in zip(("rapid", "blitz"), ("1500", "300"), numbers, strict=True):
        game = Played(edition, time_control=control, category=category).moves("e2e4 e7e5")
        assert refused(game.do("ask", "black", about="arbiters-sheet"))
        for _ in range(5):
            [answer] = game.do("ask", "white", about="arbiters-sheet")
            assert answer["moves"] == ["e4", "e5"]
            assert answer["article"] == f"{edition} {number}"
        sixth = game.do("ask", "white", about="arbiters-sheet")
        assert names(sixth) == ["refused", "arbiter-asked"]
        assert sixth[-1]["about"] == "conduct"


@pytest.mark.ledger("L23-A.4.3", "L23-B.2.3")
@pytest.mark.parametrize("edition", ["2014", "2018", "2023"])
@pytest.mark.parametrize(
    "game", [{}, {"time_control": "1500", "supervised": False}, {"time_control": "300", "supervised": False}]
)
def test_the_arbiters_sheet_is_shown_to_no_player_but_in_supervised_rapid_and_blitz(
    edition: str, game: dict[str, Any]
) -> None:
    played = Played(edition, **game)
    for _ in range(6):
        assert names(played.do("ask", "white", about="arbiters-sheet")) == ["refused"]
    [answer] = played.do("ask", "arbiter", about="arbiters-sheet")
    assert "article" not in answer


def test_how_often_black_asks_is_counted_apart() -> None:
    game = Played("2023", time_control="1500", category="rapid")
    for _ in range(6):
        game.do("ask", "white", about="arbiters-sheet")
    assert refused(game.events[:-1])
    game.move("e2e4")
    for _ in range(5):
        [answer] = game.do("ask", "black", about="arbiters-sheet")
        assert answer["moves"] == ["e4"]
    assert names(game.do("ask", "black", about="arbiters-sheet")) == ["refused", "arbiter-asked"]


def test_thirty_seconds_of_delay_a_move_oblige_like_an_increment() -> None:
    """8.4 frees who has less than 30 seconds added to each move; a delay of as much is not less."""
    assert duty(Played("2023", time_control="240d30", category="standard")) == "own-move"
    assert duty(Played("2023", time_control="240d29", category="standard")) == "free"


def test_what_stands_below_the_last_move_fills_no_gap_above() -> None:
    game = both_flags_down("2023")
    game.do("sheets", white=["e4", "", "Nf3", "Nc6", "Bb5"], black=["e4", "e5", "Nf3", "Nc6"])
    game.do("set-clock", white=0, black=0)
    assert (duty(game), duty(game, "black")) == ("complete", "own-move")
