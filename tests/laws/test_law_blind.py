"""Appendix D (2005 and 2009: E): announced, placed, made; the assistant's duties; two boards, two sheets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import chess
import pytest
from ledger_rows import editions, family
from played import Events, Played, article, event, names, refused

from assistant.announcements import announce, load_vocabulary, parse, parse_vocabulary
from assistant.resources import data_path
from assistant.scoresheet import read_sheet, render
from assistant.table import Person, Setup
from assistant.table.sheet import sheet_of
from tests.table.typed import Typed

BLIND = {"blind": True}
CAPTURE = "4k3/7p/5n2/8/8/2B5/8/4K3 w - - 0 1"


def blind(edition: str, fen: str | None = None, **game: Any) -> Played:
    """White is blind, Black sighted."""
    return Played(edition, fen, **{"white": BLIND, **game})


def spoken(fen: str, uci: str) -> str:
    vocabulary = load_vocabulary("de")
    return vocabulary.written(announce(chess.Board(fen), chess.Move.from_uci(uci), vocabulary))


def by_assistant(game: Played, verb: str, side: str, **keys: Any) -> Events:
    return game.do(verb, side, by="assistant", **keys)


# -- Announcing -----------------------------------------------------------------------------------------


@editions(*family("L14-D.2.1a"))
def test_a_move_is_announced_and_repeated_and_a_different_repeat_is_reported(edition: str) -> None:
    game = blind(edition)
    game.do("place", "white", move="Springer Felix drei")
    assert names(game.do("announce", "white", move="Springer Felix drei")) == ["move-made"]
    assert names(game.do("repeat", "black", move="Springer Felix drei")) == ["repeated"]
    other = blind(edition)
    other.do("place", "white", move="g1f3")
    other.do("announce", "white", move="Springer Felix drei")
    said = other.do("repeat", "black", move="Springer Hector drei")
    assert names(said) == ["repeat-differs"]
    assert other.status["moves"] == ["Nf3"]


@editions(*family("L14-D.2.1b"))
def test_without_the_named_piece_a_promotion_is_not_announced(edition: str) -> None:
    game = blind(edition, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    said = game.do("announce", "white", move="Eva acht")
    assert refused(said) and len(said[-1]["candidates"]) == 4
    game.do("place", "white", move="e7e8q")
    assert game.status["ply"] == 0
    assert names(game.do("announce", "white", move="Eva acht Dame")) == ["move-made"]


@editions(*family("L14-D.2.1c"))
def test_the_files_have_their_names(edition: str) -> None:
    names_of_files = ["Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"]
    for file, name in zip("abcdefgh", names_of_files, strict=True):
        assert spoken(chess.STARTING_FEN, f"{file}2{file}4") == f"{name} vier"
        assert not refused(Played(edition).announce(f"{name} vier"))


@editions(*family("L14-D.2.1d"), "L09-E.2.1c", "L05-E.2.1d")
def test_the_ranks_are_called_in_german(edition: str) -> None:
    ranks = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"]
    fen = "7k/8/8/8/8/8/8/R6K w - - 0 1"
    for number, word in enumerate(ranks[1:], 2):
        assert spoken(fen, f"a1a{number}").split()[:3] == ["Turm", "Anna", word]
    game = Played(edition, fen)
    assert not refused(game.announce("Turm Anna fuenf"))


@editions("L14-D.2.1d", "L23-D.2.1d")
def test_the_arbiter_may_have_the_ranks_called_in_another_language(edition: str) -> None:
    text = data_path("locales", "de", "announcements.toml").read_text("utf-8")
    spanish = parse_vocabulary(text.replace('vier = { written = "vier"', 'vier = { written = "cuatro"'))
    move = chess.Move.from_uci("e2e4")
    assert spanish.written(announce(chess.Board(), move, spanish)) == "Eva cuatro"
    assert parse(chess.Board(), "Eva cuatro", spanish).move == move
    assert spoken(chess.STARTING_FEN, "e2e4") == "Eva vier"
    assert not refused(Played(edition).announce("e2e4"))


@editions(*family("L14-D.2.1e"))
def test_castling_is_announced_as_a_whole(edition: str) -> None:
    fen = "4k3/7p/8/8/8/8/8/R3K2R w KQ - 0 1"
    for uci, words, san in (("e1c1", "Lange Rochade", "O-O-O"), ("e1g1", "Kurze Rochade", "O-O")):
        assert spoken(fen, uci).startswith(words)
        game = Played(edition, fen)
        game.announce(words)
        assert game.status["moves"] == [san]


@editions(*family("L14-D.2.1f", "L09-E.2.1e"))
def test_the_men_have_their_german_names_in_every_spelling(edition: str) -> None:
    fen = "7k/7p/8/8/8/2N5/4P3/R1BQK3 w - - 0 1"
    for texts, uci in (
        (("Läufer Gustav fünf", "Laeufer Gustav fuenf", "Laeuffer Gustav fuenf"), "c1g5"),
        (("König Felix eins", "Koenig Felix eins"), "e1f1"),
        (("Dame David drei",), "d1d3"),
        (("Turm Bella eins",), "a1b1"),
        (("Springer Eva vier",), "c3e4"),
        (("Bauer Eva vier", "Eva vier"), "e2e4"),
    ):
        for text in texts:
            game = Played(edition, fen)
            game.announce(text)
            assert game.referee.status().keys["ply"] == 1, text
            assert game.events[-1]["uci"] == uci, text
    assert spoken("7k/8/8/8/8/8/8/3QK3 w - - 0 1", "d1h5").startswith("Dame Hector fünf")


# -- Touched and made -----------------------------------------------------------------------------------


@editions(*family("L14-D.2.2"))
def test_a_man_is_touched_when_it_is_lifted_out_of_its_hole(edition: str) -> None:
    game = blind(edition)
    assert not refused(game.do("place", "white", move="e2e4"))
    lifted = blind(edition)
    lifted.do("touch", "white", squares=["g1"])
    said = lifted.do("place", "white", move="e2e4")
    assert refused(said) and said[-1]["due"] == ["g1h3", "g1f3"]
    assert not refused(lifted.do("place", "white", move="g1f3"))


@editions(*family("L14-D.2.3a"))
def test_a_capture_is_not_made_before_the_captured_man_is_off(edition: str) -> None:
    game = blind(edition, CAPTURE)
    game.do("announce", "white", move="Läufer schlägt Felix sechs")
    said = game.do("place", "white", move="c3f6", removed=False)
    assert refused(said) and article(said, "refused") in ("D.2.3.a", "D.2.3.1", "E.2.3.a", "E2.3.a")
    assert game.status["ply"] == 0
    assert names(game.do("place", "white", move="c3f6")) == ["move-made"]


def test_where_nothing_is_captured_no_man_is_to_be_taken_off() -> None:
    game = Played("2023", white={"blind": True})
    assert not refused(game.do("place", "white", move="g1f3", removed=False))


@editions(*family("L14-D.2.3b"))
def test_a_move_is_not_made_before_the_man_stands_in_another_hole(edition: str) -> None:
    game = blind(edition)
    game.do("touch", "white", squares=["e2"])
    assert game.do("announce", "white", move="Eva vier") == []
    assert game.status["ply"] == 0
    assert refused(game.do("press", "white"))
    assert names(game.do("place", "white", move="e2e4")) == ["move-made"]


@editions(*family("L14-D.2.3c"))
def test_a_move_is_not_made_before_it_is_announced(edition: str) -> None:
    game = blind(edition)
    game.do("place", "white", move="e2e4")
    assert game.status["ply"] == 0 and game.turn == "white"
    said = game.do("press", "white")
    assert refused(said) and "announced" in said[-1]["reason"]
    assert names(game.do("announce", "white", move="Eva vier")) == ["move-made"]


@editions(*family("L14-D.2.3d"))
def test_only_then_the_opponents_clock_is_started(edition: str) -> None:
    game = blind(edition)
    game.do("place", "white", move="e2e4")
    game.do("announce", "white", move="Eva vier")
    assert game.status["running"] == "white"
    assert names(game.do("press", "white")) == ["move-completed"]
    assert game.status["running"] == "black"


@editions(*family("L14-D.2.4"))
def test_the_sighted_player_is_bound_by_the_normal_rules(edition: str) -> None:
    game = blind(edition)
    game.do("place", "white", move="e2e4")
    game.do("announce", "white", move="e2e4")
    game.do("press", "white")
    game.do("touch", "black", squares=["g8"])
    said = game.do("place", "black", move="e7e5")
    assert refused(said) and article(said, "refused").startswith("4.3")
    assert names(game.do("place", "black", move="g8f6")) == ["move-made"]


@editions(*family("L14-D.2.7"))
def test_a_slip_of_the_tongue_is_corrected_before_the_press_only(edition: str) -> None:
    game = blind(edition)
    game.do("announce", "white", move="Eva vier")
    assert names(game.do("correct", "white", move="Eva drei")) == ["slip-corrected"]
    game.do("place", "white", move="e2e3")
    assert game.status["moves"] == ["e3"]
    late = blind(edition)
    late.do("place", "white", move="e2e3")
    late.do("announce", "white", move="Eva vier")
    late.do("press", "white")
    said = late.do("correct", "white", move="Eva drei")
    assert names(said) == ["refused", "arbiter-asked"]
    assert (said[-1]["about"], said[-1]["proposal"]) == ("which-move", "e2e3")


def test_a_man_touched_before_the_board_was_put_right_binds_nobody() -> None:
    game = blind("2023")
    game.do("place", "white", move="e2e3")
    game.do("announce", "white", move="Eva vier")
    game.do("press", "white")
    game.do("touch", "black", squares=["g8"])
    game.do("correct", "white", move="Eva drei")
    game.do("rule", claim="accept")
    assert game.status["moves"] == ["e3"]
    assert not refused(game.announce("e7e5", "black"))


UNSETTLED = "7k/p7/5KQ1/8/8/8/8/8 w - - 0 1"


def unsettled(edition: str, **game: Any) -> Played:
    """White has announced mate and placed another move when his minute is over."""
    played = blind(edition, UNSETTLED, **{"time_control": "60", "category": "standard", **game})
    played.do("place", "white", move="g6g5")
    assert names(played.do("announce", "white", move="g6g7")) == ["move-made"]
    played.do("note", at=61, about="time")
    return played


@editions(*family("L14-6.9a"))
@pytest.mark.parametrize(
    ("answer", "end"), [("accept", ("0-1", "flag")), ("reject", ("1-0", "checkmate")), (None, ("*", None))]
)
def test_at_a_fall_the_arbiter_says_which_move_it_was_where_it_was_placed_otherwise_than_announced(
    edition: str, answer: str | None, end: tuple[str, str | None]
) -> None:
    game = unsettled(edition)
    assert names(game.events)[-3:] == ["flag-fallen", "arbiter-asked", "clock-stopped"]
    asked = game.events[-2]
    assert (asked["about"], asked["side"], asked["proposal"]) == ("which-move", "white", "g6g5")
    if answer is not None:
        game.do("rule", claim=answer)
    assert (game.result, game.reason) == end


@pytest.mark.parametrize(("verb", "move"), [("press", {}), ("correct", {"move": "g6g5"})])
def test_until_the_arbiter_has_said_which_move_it_was_the_player_does_nothing_about_it(
    verb: str, move: dict[str, str]
) -> None:
    game = unsettled("2023")
    assert refused(game.do(verb, "white", **move))
    assert not game.over


def test_a_placed_mate_that_the_arbiter_takes_for_the_move_was_made_before_the_flag_fell() -> None:
    """Where the order is proven the mate counts only if it came first (Colombian rule 12)."""
    game = blind("blitz-co", UNSETTLED, time_control="60")
    game.do("place", "white", move="g6g7")
    game.do("announce", "white", move="g6g5")
    game.do("claim", "black", of="flag", at=61)
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("1-0", "checkmate")


def test_a_flag_that_is_claimed_twice_asks_once_which_move_it_was() -> None:
    game = unsettled("2023", category="rapid", supervised=False)
    for _ in range(2):
        assert event(game.do("claim", "black", of="flag"), "arbiter-asked")["about"] == "which-move"
    assert [each.what for each in game.referee.questions] == ["which-move"]


@pytest.mark.parametrize("before", [None, ("set-clock", {"black": 300}), ("restore", {"ply": 0})])
def test_no_clock_runs_until_the_arbiter_has_said_which_move_it_was(
    before: tuple[str, dict[str, int]] | None,
) -> None:
    game = unsettled("2023")
    if before is not None:
        assert not refused(game.do(before[0], **before[1]))
    assert refused(game.do("resume"))
    assert [each.what for each in game.referee.questions] == ["which-move"]
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("0-1", "flag")


def test_the_arbiter_who_gives_time_instead_lets_the_game_go_on() -> None:
    game = unsettled("2023")
    game.do("set-clock", white=60)
    assert names(game.do("resume")) == ["clock-resumed"]
    assert game.status["running"] == "white"
    assert names(game.do("correct", "white", move="g6g5")) == ["slip-corrected", "move-made"]


def test_who_got_time_as_a_penalty_for_his_opponent_has_not_lost_by_either_move() -> None:
    """12.9.2: his flag is up again before the arbiter says which move it was."""
    game = unsettled("2023")
    game.do("penalty", "black", kind="add-opponent", seconds=60)
    assert names(game.do("rule", claim="accept")) == ["clock-resumed"]
    assert (game.result, game.status["running"], game.status["white"]) == ("*", "white", 60)


def test_who_resigns_is_judged_by_neither_of_two_moves_that_differ() -> None:
    game = blind("2023", "7k/8/8/8/8/8/r5R1/7K w - - 0 1")
    game.do("place", "white", move="g2f2")
    game.do("announce", "white", move="g2a2")
    game.do("resign", "white")
    assert (game.result, game.reason) == ("0-1", "resignation")


# -- The clock that speaks, the record ------------------------------------------------------------------


@editions("L14-D.2.5c", "L23-D.2.6.1")
def test_the_clock_speaks_to_the_blind_player_alone(edition: str, tmp_path: Path) -> None:
    game = blind(edition)
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        side = game.turn
        game.do("place", side, move=move)
        if side == "white":
            game.do("announce", side, move=move)
        game.do("press", side)
    assert game.do("ask", "white", about="moves-completed")[-1]["moves"] == 2
    [answer] = game.do("ask", "white", about="times")
    assert (answer["white"], answer["black"]) == (game.status["white"], game.status["black"])
    assert refused(game.do("ask", "black", about="times"))
    assert refused(game.do("ask", "black", about="moves-completed"))
    table = Typed(tmp_path / "game", laws=edition)
    table.type("e4", "", "e5", "", "Zugzahl", "Zeit")
    spoken = [(each.audience, each.text.partition(":")[0]) for each in table.voice.sentences[-2:]]
    assert spoken == [("white", "Ein Zug abgeschlossen."), ("white", "Weiß")]


@editions(*family("L14-D.2.6"))
def test_the_braille_sheet_and_the_log_hold_the_same_moves(edition: str) -> None:
    pytest.importorskip("louis")
    game = Played(edition).moves("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6")
    agreed = Setup(white=Person("A", blind=True), black=Person("B"), laws=edition)
    record = sheet_of(game.raw, agreed, chess.Board())
    cells = render(record, "brf", "de")
    kept = read_sheet(cells, "de")
    logged = [event["uci"] for event in game.events if event["event"] == "move-made"]
    assert [ply.move.uci() for ply in kept.plies] == logged


# -- Two boards -----------------------------------------------------------------------------------------

AGREED = ["e4", "e5", "Nf3"]


@editions(*family("L14-D.2.8a"))
def test_when_the_boards_differ_the_clocks_stop_and_both_sheets_are_compared(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5 g1f3")
    assert names(game.do("stop-clock", by="black", reason="the boards differ")) == ["clock-stopped"]
    assert game.status["running"] == "none"
    said = game.do("sheets", white=AGREED, black=AGREED)
    assert names(said) == ["sheets-agree"]
    assert article(said, "sheets-agree") in ("D.2.8", "D.2.9", "E.2.7", "E2.7")


@editions(*family("L14-D.2.8b"))
def test_with_equal_sheets_the_board_is_corrected_to_what_was_written(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5 g1h3")
    fen = game.fen
    said = game.do("sheets", white=AGREED, black=AGREED)
    assert (said[-1]["event"], said[-1]["board"]) == ("sheets-agree", 3)
    assert game.fen == fen
    game.do("restore", ply=2)
    game.do("announce", "white", move="Nf3")
    assert game.status["moves"] == AGREED


@editions(*family("L14-D.2.8c"))
def test_with_different_sheets_play_goes_back_to_the_last_agreement(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5 g1f3 b8c6 f1b5")
    said = game.do("sheets", white=[*AGREED, "Nc6", "Bb5"], black=[*AGREED, "Nf6", "Bb5"])
    assert (said[-1]["event"], said[-1]["ply"]) == ("sheets-differ", 4)
    assert (said[-1]["white"], said[-1]["black"]) == ("Nc6", "Nf6")
    game.do("restore", ply=said[-1]["ply"] - 1)
    game.do("set-clock", white=5000, black=4900)
    assert (game.status["ply"], game.status["white"], game.status["black"]) == (3, 5000, 4900)
    assert not refused(game.announce("g8f6"))


# -- The assistant --------------------------------------------------------------------------------------


@editions(*family("L14-D.2.9"))
def test_the_duties_are_switched_on_one_by_one(edition: str) -> None:
    game = blind(edition, white={"blind": True, "duties": ["a", "d"]})
    assert not refused(by_assistant(game, "place", "white", move="e2e4"))
    said = by_assistant(game, "announce", "white", move="e2e4")
    assert refused(said)
    game.do("announce", "white", move="e2e4")
    assert refused(by_assistant(game, "press", "white"))
    assert not refused(game.do("press", "white"))
    assert not refused(by_assistant(game, "ask", "white", about="times"))
    for verb in ("resign", "offer-draw"):
        assert refused(by_assistant(game, verb, "white"))


@editions(*family("L14-4.9"))
def test_an_assistant_who_is_not_accepted_does_nothing(edition: str) -> None:
    game = blind(edition, white={"blind": True, "duties": []})
    for verb, keys in (("place", {"move": "e2e4"}), ("announce", {"move": "e2e4"}), ("press", {})):
        assert refused(by_assistant(game, verb, "white", **keys))
    assert game.status["ply"] == 0


@editions(*family("L14-D.2.9a"))
def test_the_assistant_makes_the_move_on_the_board(edition: str) -> None:
    game = blind(edition)
    game.do("announce", "white", move="Eva vier")
    assert names(by_assistant(game, "place", "white", move="e2e4")) == ["move-made"]
    assert game.board.piece_at(chess.E4) == chess.Piece.from_symbol("P")


@editions(*family("L14-D.2.9b"))
def test_the_assistant_announces_the_moves_of_both(edition: str, tmp_path: Path) -> None:
    game = blind(edition)
    game.do("place", "white", move="e2e4")
    assert names(by_assistant(game, "announce", "white", move="Eva vier")) == ["move-made"]
    game.do("press", "white")
    made = game.do("announce", "black", move="e7e5")
    assert spoken(Played(edition).moves("e2e4").fen, str(made[0]["uci"])) == "Eva fünf"
    table = Typed(tmp_path / "game", laws=edition)
    table.type("e4", "", "e5")
    announced = [(each.audience, each.text) for each in table.voice.sentences[-2:]]
    assert announced == [("room", "Eva vier"), ("room", "Eva fünf")]


@editions(*family("L14-D.2.9c"))
def test_the_assistant_starts_the_clock_only_after_the_announcement(edition: str) -> None:
    game = blind(edition)
    game.do("place", "white", move="e2e4")
    assert refused(by_assistant(game, "press", "white"))
    game.do("announce", "white", move="Eva vier")
    assert names(by_assistant(game, "press", "white")) == ["move-completed"]


def test_with_duty_d_switched_off_times_and_counts_are_not_told_and_the_rest_is() -> None:
    game = blind("2023", white={"blind": True, "duties": ["a", "b", "c", "e", "f"]})
    game.do("place", "white", move="e2e4")
    game.do("announce", "white", move="e2e4")
    for about in ("times", "moves-completed", "moves-to-control"):
        said = game.do("ask", "white", about=about)
        assert refused(said) and said[-1]["reason"] == "this duty of the assistant is switched off"
    assert names(game.do("ask", "white", about="last-move")) == ["answer"]


def test_with_duty_d_times_and_counts_are_told() -> None:
    game = blind("2023", white={"blind": True, "duties": ["d"]})
    for about in ("times", "moves-completed", "moves-to-control"):
        assert names(game.do("ask", "white", about=about)) == ["answer"]


@editions(*family("L14-D.2.9d"))
def test_moves_and_times_are_told_only_on_request(edition: str, tmp_path: Path) -> None:
    game = blind(edition)
    game.do("place", "white", at=1860, move="e2e4")
    game.do("announce", "white", at=1860, move="e2e4")
    game.do("press", "white", at=1860)
    assert "answer" not in names(game.events)
    [times] = game.do("ask", "white", at=1860, about="times")
    assert (times["white"], times["black"]) == (game.status["white"], game.status["black"])
    assert game.do("ask", "white", about="moves-completed")[-1]["moves"] == 1
    table = Typed(tmp_path / "game", laws=edition, time_control="5400")
    table.type("e4", "")
    said = table.said
    table.pass_time(1670, step=10)
    assert table.said == said
    table.type("Zeit", "Zugzahl")
    assert table.said[len(said) :] == [
        "Weiß: eine Stunde neunundzwanzig Minuten. Schwarz: eine Stunde zwei Minuten.",
        "Ein Zug abgeschlossen.",
    ]


@editions(*family("L14-D.2.9e"))
def test_the_assistant_claims_the_flag_and_reports_a_touched_man(edition: str) -> None:
    game = blind(edition, time_control="60", category="rapid", supervised=False)
    game.do("place", "white", move="e2e4")
    game.do("announce", "white", move="e2e4")
    game.do("press", "white")
    game.do("ask", "white", at=100, about="law", article="6.1")
    by_assistant(game, "claim", "white", of="flag")
    assert (game.result, game.reason) == ("1-0", "flag")
    report = blind(edition)
    report.do("place", "white", move="e2e4")
    report.do("announce", "white", move="e2e4")
    report.do("press", "white")
    said = by_assistant(report, "touch", "black", squares=["g8"])
    assert (said[-1]["event"], said[-1]["about"]) == ("arbiter-asked", "touched")
    report.do("rule", claim="accept")
    assert refused(report.announce("e7e5"))
    assert not refused(report.announce("g8f6"))
    other = blind(edition)
    assert refused(by_assistant(other, "claim", "white", of="threefold"))


@editions(*family("L14-D.2.9f"))
def test_the_assistant_carries_out_the_adjournment(edition: str) -> None:
    game = blind(edition, white={"blind": True, "name": "A"}, black={"name": "B"})
    game.do("adjourn", by="arbiter", resumption="Sunday 10:00")
    assert names(by_assistant(game, "seal", "white", move="e4")) == ["sealed"]
    [stopped] = game.do("stop-clock", by="arbiter")
    assert set(stopped["envelope"]) >= {
        *("names", "fen", "white", "black", "sealer", "move_number", "draw_offer", "resumption")
    }


@editions(*family("L14-D.2.10"))
def test_the_opponents_assistant_only_moves_and_announces(edition: str) -> None:
    game = blind(edition, white={"blind": True, "duties": []})
    game.do("place", "white", move="e2e4")
    game.do("announce", "white", move="e2e4")
    game.do("press", "white")
    assert refused(by_assistant(game, "ask", "black", about="times"))
    assert names(by_assistant(game, "place", "black", move="e7e5")) == ["move-made"]
    assert refused(by_assistant(game, "press", "black"))
    served = blind(edition)
    served.do("place", "white", move="e2e4")
    served.do("announce", "white", move="e2e4")
    served.do("press", "white")
    assert refused(by_assistant(served, "place", "black", move="e7e5"))


@editions("L23-D.2.11b")
def test_against_a_hearing_impaired_player_a_blind_one_must_have_an_assistant(edition: str) -> None:
    without = {"white": {"blind": True, "duties": []}, "black": {"hearing_impaired": True}}
    game = Played(edition, start=False, **without)
    said = game.do("start", at=0)
    assert refused(said) and article(said, "refused") == "D.2.11"
    with_one = Played(edition, start=False, white=BLIND, black={"hearing_impaired": True})
    assert not refused(with_one.do("start", at=0))


@editions(*family("L14-6.2e", "L14-8.1e"))
def test_a_disabled_players_assistant_costs_no_time(edition: str) -> None:
    game = blind(edition)
    assert game.events[0]["white"] == game.events[0]["black"]
    assert "arbiter-asked" not in names(game.events)
    sighted = Played(edition)
    sighted.do("set-clock", at=0, white=sighted.status["white"] - 600)
    assert sighted.status["black"] - sighted.status["white"] == 600


@editions("L09-6.7d", "L09-8.1e")
def test_in_2009_the_arbiter_is_asked_what_the_assistant_costs(edition: str) -> None:
    game = blind(edition)
    [asked] = [event for event in game.events if event["event"] == "arbiter-asked"]
    assert (asked["about"], asked["side"], asked["proposal"]) == ("assistant-time", "white", 0)
    game.do("rule", at=0, claim="accept")
    assert game.status["white"] == game.status["black"]


def placed(move: str) -> Played:
    """White, who sees, has put his man down and not announced it yet; his opponent is blind."""
    game = Played("2023", black={"blind": True})
    game.do("place", "white", move=move)
    return game


@pytest.mark.parametrize("move", ["e2e4", "e2e5"])
def test_who_sees_may_announce_what_he_has_placed_lawful_or_not(move: str) -> None:
    game = placed(move)
    assert game.announce(move, "white") == []
    assert names(game.do("press", "white"))[0] == "move-completed"


def test_who_sees_announces_what_he_has_placed_once() -> None:
    game = placed("e2e4")
    game.announce("e2e4", "white")
    assert refused(game.announce("e2e4", "white"))


def test_who_sees_announces_no_other_move_than_he_has_made() -> None:
    """4.7: the man has been released; the announcement moves it no more."""
    game = placed("e2e4")
    [refusal] = game.announce("d2d4", "white")
    assert refusal["reason"] == "the man has been released and stands"
