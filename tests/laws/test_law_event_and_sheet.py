"""Lateness, scores, the arbiter's silence, and the scoresheet (Articles 6.7, 8, 10, 12)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chess
import pytest
from ledger_rows import editions, family
from played import Played, article, names, refused

from assistant.laws import ScriptError
from assistant.scoresheet import Game, from_pgn, new_game, render, to_pgn
from assistant.table import Person, Setup
from assistant.table.sheet import sheet_of
from tests.table.typed import Typed

QUIET = "4k3/7p/8/8/8/8/P7/4K3 w - - 0 1"


def sheet(game: Played, edition: str = "2023", **setup: Any) -> Game:
    """The scoresheet as the live game keeps it."""
    return sheet_of(
        game.raw, Setup(white=Person("A"), black=Person("B"), laws=edition, **setup), chess.Board()
    )


# -- Lateness -------------------------------------------------------------------------------------------


@editions("L14-6.7a")
def test_who_comes_after_the_default_time_loses_unless_the_arbiter_decides_otherwise(edition: str) -> None:
    game = Played(edition, black={"present": False}, default_time=900)
    said = game.do("arrive", "black", at=901)
    assert (said[-1]["about"], said[-1]["proposal"]) == ("default", "+/-")
    assert not game.over
    excused = Played(edition, black={"present": False}, default_time=900)
    excused.do("arrive", "black", at=901)
    excused.do("rule", claim="reject")
    assert not excused.over
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("+/-", "default")
    in_time = Played(edition, black={"present": False}, default_time=900)
    assert "arbiter-asked" not in names(in_time.do("arrive", "black", at=900))


@editions("L18-6.7.1", "L23-6.7.1", "L09-6.6a")
def test_where_no_default_time_is_stated_it_is_zero(edition: str) -> None:
    game = Played(edition, black={"present": False})
    said = game.do("arrive", "black", at=1)
    assert (said[-1]["about"], said[-1]["proposal"]) == ("default", "+/-")
    game.do("rule", claim="accept")
    assert game.result == "+/-"


@editions("L14-6.7a", "L18-6.7.1", "L23-6.7.1")
def test_who_comes_at_the_very_default_time_is_not_late_though_nobody_was_there(edition: str) -> None:
    away = {"present": False}
    game = Played(edition, white=away, black=away, default_time=900)
    assert "arbiter-asked" not in names(game.do("arrive", "white", at=900))
    assert game.do("arrive", "black", at=901)[-1]["proposal"] == "+/-"


@editions(*family("L14-6.7b"))
def test_with_nobody_present_white_loses_the_time(edition: str) -> None:
    away = {"present": False}
    game = Played(edition, white=away, black=away, default_time=3600, time_control="5400")
    game.do("arrive", "white", at=540)
    assert (game.status["white"], game.status["black"]) == (4860, 5400)


# -- Scores ---------------------------------------------------------------------------------------------


@editions(*family("L14-10.1"))
def test_a_win_is_one_point_a_draw_a_half_and_a_forfeit_counts_like_a_game(edition: str) -> None:
    for white, black, result in ((1, 0, "1-0"), (0, 1, "0-1"), (0.5, 0.5, "1/2-1/2")):
        game = Played(edition)
        game.do("result", white=white, black=black)
        assert game.result == result
    for impossible in ((1, 1), (1, 0.5), (0.75, 0.25)):
        assert refused(Played(edition).do("result", white=impossible[0], black=impossible[1]))
    absent = Played(edition, black={"present": False}, default_time=0)
    absent.do("arrive", "black", at=10)
    absent.do("rule", claim="accept")
    kept = from_pgn(to_pgn(new_game(result=absent.result)))
    assert kept.result == "+/-"


@editions("L18-10.2", "L23-10.2")
def test_the_scores_never_add_up_to_more_than_a_win(edition: str) -> None:
    said = Played(edition).do("result", white=0.5, black=1)
    assert refused(said) and article(said, "refused") == "10.2"
    assert refused(Played(edition).do("result", white=0.75, black=0.25))
    half = Played(edition)
    half.do("result", white=0.5, black=0)
    assert half.result == "1/2-0"


@editions(*family("L14-GL.6"))
def test_results_of_games_not_played_are_kept_apart(edition: str) -> None:
    away = {"present": False}
    game = Played(edition, white=away, black=away, default_time=900)
    game.do("rule", at=901, claim="accept")
    assert (game.result, game.reason) == ("-/-", "default")
    for result in ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"):
        assert from_pgn(to_pgn(new_game(result=result))).result == result


# -- The arbiter ----------------------------------------------------------------------------------------


@editions(*family("L14-12.3"))
def test_in_time_trouble_the_players_are_told_nothing_and_the_arbiter_what_he_asks(
    edition: str, tmp_path: Path
) -> None:
    game = Played(edition, time_control="301", category="standard")
    assert [game.referee.is_hurried("white", left) for left in (300, 299.9)] == [False, True]
    game.moves("e2e4 e7e5")
    assert set(names(game.events)) == {"clock-started", "move-made", "move-completed"}
    [answer] = game.do("ask", "arbiter", about="times")
    assert (answer["event"], answer["side"]) == ("answer", "arbiter")
    assert answer["white"] < 300
    assert game.referee.is_hurried("white", 301), "he need not begin to write again in this period (8.4)"
    assert refused(game.do("ask", "white", about="times"))
    table = Typed(tmp_path / "game", laws=edition, time_control="301")
    said = table.said
    table.pass_time(250, step=10)
    assert table.said == said


@editions(*family("L14-12.5"))
def test_the_arbiter_gives_extra_time_after_a_disturbance(edition: str) -> None:
    game = Played(edition, time_control="5400").moves("e2e4 e7e5")
    game.do("stop-clock", by="arbiter", reason="fire alarm")
    white, black = game.status["white"], game.status["black"]
    game.do("set-clock", white=white + 300, black=black + 300)
    game.do("resume", at=game.at)
    assert (game.status["white"], game.status["black"]) == (white + 300, black + 300)
    [event] = [event for event in game.events if event["event"] == "clock-stopped"]
    assert event["reason"] == "fire alarm"


@editions(*family("L14-12.6a"))
def test_a_sighted_player_is_not_told_the_number_of_moves_a_blind_one_is(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    said = game.do("ask", "white", about="moves-completed")
    assert refused(said) and said[-1]["article"].split()[1] in ("12.6", "13.6")
    blind = Played(edition, black={"blind": True})
    blind.moves("e2e4")
    assert blind.do("ask", "black", about="moves-completed")[-1]["event"] == "answer"
    fallen = Played(edition, time_control="60", category="rapid", supervised=False)
    fallen.announce("e2e4")
    assert fallen.do("ask", "black", at=100, about="moves-completed")[-1]["event"] == "answer"


@editions(*family("L14-12.6b"))
def test_nobody_is_told_that_the_clock_was_not_pressed(edition: str, tmp_path: Path) -> None:
    game = Played(edition)
    game.announce("e2e4")
    waited = game.do("ask", "black", at=600, about="last-move")
    assert names(game.events) == ["clock-started", "move-made", *names(waited)]
    assert not any("press" in str(event) for event in game.events)
    for side in ("white", "black", "arbiter"):
        assert refused(game.do("ask", side, about="clock-not-pressed"))
    table = Typed(tmp_path / "game", laws=edition)
    for moves in ("e4",), ("", "e5"):
        table.type(*moves)
        said = table.said
        table.pass_time(600, step=10)
        assert table.said == said


# -- The scoresheet -------------------------------------------------------------------------------------


@editions(*family("L14-8.1a1"), "L23-8.1.1.1")
def test_every_move_of_both_players_stands_on_the_sheet_in_order(edition: str) -> None:
    line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
    record = sheet(Played(edition).moves(" ".join(line)), edition)
    words = render(record, "text", "en").decode().replace(".", " ").split()
    moves = [word for word in words if word in ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "1", "2", "3")]
    assert moves[-9:] == ["1", "e4", "e5", "2", "Nf3", "Nc6", "3", "Bb5", "a6"]
    assert [ply.move.uci() for ply in from_pgn(to_pgn(record)).plies] == line


@editions(*family("L14-8.1a2"), "L09-8.1b")
def test_nothing_is_written_in_advance_but_a_claim_or_a_sealed_move(edition: str) -> None:
    game = Played(edition, white={"blind": True})
    game.do("announce", "white", move="e2e4")
    assert sheet(game, edition).plies == ()
    assert refused(game.do("seal", "white", move="Nf3"))
    game.do("place", "white", move="e2e4")
    game.do("press", "white")
    assert len(sheet(game, edition).plies) == 1
    game.moves("e7e5")
    game.do("claim", "white", of="threefold", move="g1f3")
    assert len(sheet(game, edition).plies) == 2
    sealed = Played(edition).moves("e2e4 e7e5")
    sealed.do("adjourn")
    assert not refused(sealed.do("seal", "white", move="Nf3"))
    assert len(sheet(sealed, edition).plies) == 2


@editions(*family("L14-8.1b"))
def test_the_sheet_takes_no_private_notes(edition: str) -> None:
    game = Played(edition)
    with pytest.raises(ScriptError):
        game.do("note", "white", text="Nf3 looks good")
    game.announce("e2e4", remark="Nf3 looks good", note="Nf3 looks good")
    record = sheet(game, edition)
    assert all(ply.remark == "" for ply in record.plies) and record.remark == ""
    assert "looks" not in render(record, "text", "en").decode()


@editions(*family("L14-8.1c"))
def test_the_own_move_is_on_the_sheet_before_the_next_is_made(edition: str) -> None:
    game = Played(edition)
    for count, move in enumerate(["e2e4", "e7e5", "g1f3", "b8c6"], 1):
        assert len(sheet(game, edition).plies) == count - 1
        game.announce(move)
        assert len(sheet(game, edition).plies) == count
        game.do("press", "white" if count % 2 else "black")


@editions(*family("L14-8.1d", "L14-9.1b2"))
def test_an_offer_stands_on_the_sheet_with_its_sign(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5 g1f3")
    game.announce("b8c6")
    game.do("offer-draw", "black")
    game.do("press", "black")
    record = sheet(game, edition)
    assert [ply.offer for ply in record.plies] == [False, False, False, True]
    assert "(=)" in render(record, "text", "en").decode()
    assert "(=)" in to_pgn(record)


@editions(*family("L14-8.7"), "L23-8.7")
def test_a_finished_result_is_changed_by_nobody_at_the_board(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    game.do("resign", "black")
    for verb, keys in (("resign", {}), ("accept-draw", {}), ("undo", {}), ("offer-draw", {})):
        assert refused(game.do(verb, "white", **keys))
    assert game.result == sheet(game, edition).result == "1-0"


@editions(*family("L14-GL.9"))
def test_the_electronic_sheet_can_be_opened_at_any_time(edition: str) -> None:
    game = Played(edition)
    for move in ["e2e4", "e7e5", "g1f3"]:
        game.move(move)
        for form in ("text", "pgn"):
            assert render(sheet(game, edition), form, "en")


@editions(*family("L14-8.6"))
def test_when_the_count_is_unknown_the_next_move_is_the_first_of_the_next_period(edition: str) -> None:
    game = Played(edition, time_control="2/60:600", category="rapid", supervised=False)
    game.announce("e2e4")
    game.do("set-clock", at=game.at, white=500, black=500, moves=2)
    assert game.do("ask", "arbiter", about="moves-completed")[-1]["moves"] == 2
    assert game.do("ask", "arbiter", about="moves-to-control")[-1]["moves"] is None
