"""What the people at the table are told and asked in the course of a game, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed import VOCABULARY, HeardVoice, Typed

from assistant.announcements import Thresholds
from assistant.table import NoRecord, Person, Setup, Table
from assistant.table.setup import EventRules
from assistant.utterance import Transcript, Utterance

MATE = ("e4", "", "e5", "", "Dh5", "", "Sc6", "", "Lc4", "", "Sf6", "", "Dxf7", "")


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    return Typed(tmp_path / "game")


def table(tmp_path: Path, *lines: str, **setup: object) -> Typed:
    typed = Typed(tmp_path / "game", **setup)
    typed.type(*lines)
    return typed


# The end


def test_the_end_by_the_blind_players_own_move_is_told(typed: Typed) -> None:
    typed.type(*MATE)
    assert typed.table.over
    assert typed.said[-1] == "Weiß gewinnt: Schachmatt."


def test_the_end_is_told_where_hector_presses(tmp_path: Path) -> None:
    typed = table(tmp_path, *(line for line in MATE if line), press="auto")
    typed.pass_time(30)
    assert typed.said[-1] == "Weiß gewinnt: Schachmatt."


@pytest.mark.parametrize(("said", "is_over"), [("Dame schlägt Felix sieben matt", True), ("Dxf7", False)])
def test_a_mate_that_is_announced_as_one_needs_no_press(typed: Typed, said: str, is_over: bool) -> None:
    """5.1.1: mate ends the game at once; what was not called mate waits for the press as ever."""
    typed.type(*MATE[:-2], said)
    typed.pass_time(2.5)
    assert not typed.table.over, "a slip of the tongue can still be mended"
    typed.pass_time(60)
    assert typed.table.over == is_over


@pytest.mark.parametrize(
    "line",
    [
        {"do": "resign", "side": "black"},
        {"do": "result", "white": 1, "black": 0},
        {"do": "touch", "side": "white", "squares": ["b1"]},
    ],
)
def test_the_move_before_one_that_is_announced_in_vain_is_not_told_anew(
    typed: Typed, line: dict[str, object]
) -> None:
    """Nobody has made it now: by ear it would be the opponent's next move."""
    typed.type("e4", "", "e5", "", "Sf3")
    said = len(typed.said)
    typed.table.act(line, typed.at + 1)
    assert typed.table.memory.pending is None
    assert "Eva fünf" not in typed.said[said:]


def test_a_mate_that_is_taken_back_in_time_is_none(typed: Typed) -> None:
    typed.type(*MATE[:-2], "Dame schlägt Felix sieben matt")
    typed.table.type("Korrektur", typed.at + 1)
    typed.pass_time(60)
    assert not typed.table.over
    typed.type("Dame Hector vier", "")
    assert typed.moves[-1] == "h5h4"


def test_what_is_called_mate_and_is_none_waits_for_the_press(typed: Typed) -> None:
    typed.type("e4", "", "f6", "", "Dh5+ matt")
    typed.pass_time(60)
    assert not typed.table.over


def test_the_end_of_a_game_is_told_to_whoever_takes_it_up(typed: Typed) -> None:
    typed.type(*MATE)
    assert resumed(typed).said == ["Weiß gewinnt: Schachmatt."]


def test_a_move_that_was_announced_and_not_made_is_not_the_last_of_a_finished_game(tmp_path: Path) -> None:
    """1.1, D.2.3: it is on no scoresheet either."""
    typed = Typed(tmp_path / "game", time_control="60")
    typed.type("e4", "", "e5", "", "d4")
    typed.pass_time(80)
    assert typed.table.over and typed.moves == ["e2e4", "e7e5"]
    assert typed.type("l") == "Hector: Eva fünf"
    taken_up = resumed(typed)
    assert taken_up.type("l") == "Hector: Eva fünf"


def test_an_offer_that_the_blind_player_declines_by_moving_is_told(typed: Typed) -> None:
    typed.type("e4", "", "draw", "e5", "", "Nf3", "")
    assert any("Remis" in said and "abgelehnt" in said for said in typed.said), typed.said


# Typed replies


@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        (("e4", "", "e6", "", "d4", "", "d5", "", "e5", ""), "f5"),
        (("e4", "", "e6", "", "d4", "", "d5", ""), "e5"),
        (("d3", "", "d5", "", "e3", "", "e5", "", "e4", ""), "d4"),
    ],
)
def test_a_legal_move_is_no_repetition_that_differs(typed: Typed, lines: tuple[str, ...], reply: str) -> None:
    typed.type(*lines)
    made = len(typed.moves)
    typed.type(reply, "")
    assert len(typed.moves) == made + 1


def test_where_hector_presses_a_typed_reply_shows_that_the_move_is_made(tmp_path: Path) -> None:
    typed = table(tmp_path, "d3", press="auto", pace=0.1, fen="4k3/8/8/8/3p4/8/3P1P2/4K3 w - - 0 1")
    typed.type("Kd7")
    typed.pass_time(30)
    assert typed.moves == ["d2d3", "e8d7"]


# The press


@pytest.mark.parametrize(
    ("said", "afterwards"), [(["Korrektur"], "d4"), (["Reklamation Stellungswiederholung"], "ja")]
)
def test_a_reply_from_the_page_presses_for_nobody_who_mends_his_move_or_is_still_asked(
    tmp_path: Path, said: list[str], afterwards: str
) -> None:
    """D.2.8, 9.2.1: until the press a slip is mended, and a draw claimed with the move that is announced."""
    typed = table(tmp_path, "e4", *said, press="auto", pace=0.1)
    reply = {"do": "announce", "side": "black", "move": "e7e5", "desk": "opponent"}
    assert [event.event for event in typed.table.act(reply, typed.at)] == ["refused"]
    assert typed.moves == [] and typed.table.course.referee.running == "white"
    typed.type(afterwards)
    assert "refused" not in [event.event for event in typed.table.act(reply, typed.at)]
    assert typed.moves == ["d2d4" if afterwards == "d4" else "e2e4", "e7e5"]


def test_a_reply_from_the_page_while_the_clocks_stand_is_told_to_nobody_aloud(tmp_path: Path) -> None:
    typed = table(tmp_path, "e4", press="auto", pace=0.1)
    typed.table.act({"do": "stop-clock", "by": "arbiter"}, typed.at)
    said = list(typed.said)
    typed.table.act({"do": "announce", "side": "black", "move": "e7e5", "desk": "opponent"}, typed.at)
    assert typed.said == said


def test_a_correction_that_comes_too_late_is_no_reply(tmp_path: Path) -> None:
    """D.2.8: White's move waits, and Black mends nothing any more; nobody's clock is pressed by that."""
    typed = table(tmp_path, "e4", "", "e5", "", "d4", press="auto", pace=0.1)
    late = {"do": "correct", "side": "black", "move": "e7e6", "desk": "arbiter"}
    assert [event.event for event in typed.table.act(late, typed.at)] == ["refused"]
    assert typed.moves == ["e2e4", "e7e5"] and typed.table.course.referee.running == "white"


def test_a_second_press_is_not_the_opponents(typed: Typed) -> None:
    typed.type("e4", "")
    assert typed.table.course.referee.running == "black"
    assert typed.type("") == "Hector: Ihre Uhr läuft nicht."
    assert typed.table.course.referee.running == "black"
    before = typed.table.course.referee.status().keys["white"]
    typed.type("Reklamation regelwidriger Zug", "ja")
    assert typed.table.course.referee.status().keys["white"] == before, "nothing was won by it"


def test_nobody_is_told_that_the_opponent_pressed_without_a_move(typed: Typed) -> None:
    """12.6, 7.5.3: that his clock runs would tell the blind player what only he may claim."""
    typed.type("e4", "")
    said = typed.said
    typed.table.act({"do": "press", "side": "black"}, typed.at + 1)
    assert typed.table.course.referee.running == "white"
    assert typed.said == said


@pytest.mark.parametrize("moves", [(), ("e4", "")], ids=["own", "opponent's"])
def test_no_flag_is_told_that_only_a_claim_brings_to_light(tmp_path: Path, moves: tuple[str, ...]) -> None:
    """A.5 and B.3: without supervision the players watch the flags themselves."""
    typed = table(tmp_path, *moves, time_control="30", rules=EventRules("rapid", supervised=False))
    said = typed.said
    typed.pass_time(60)
    assert typed.said == said
    typed.table.act({"do": "claim", "side": "white" if moves else "black", "of": "flag"}, typed.at)
    assert "richtig: Zeitüberschreitung" in typed.said[len(said)]


def test_a_man_that_the_opponent_has_touched_is_not_told(typed: Typed) -> None:
    """4.3: whoever hears of it knows more than the move he is waiting for."""
    typed.type("e4", "")
    said = typed.said
    typed.table.act({"do": "touch", "side": "black", "squares": ["g8"]}, typed.at)
    assert typed.said == said


@pytest.mark.parametrize(
    ("touched", "told"), [("b1", ["Ein anderer Zug von Weiß: Der angesagte gilt nicht mehr."]), ("g1", [])]
)
def test_that_a_touch_has_undone_what_was_announced_is_told(
    typed: Typed, touched: str, told: list[str]
) -> None:
    """4.3: his clock runs, and without a word he would wait for his opponent."""
    typed.type("e4", "", "e5", "", "Sf3")
    said = len(typed.said)
    typed.table.act({"do": "touch", "side": "white", "squares": [touched]}, typed.at)
    assert typed.said[said:] == told


def test_an_announced_move_is_told_anew_where_the_touch_that_has_undone_it_is_withdrawn(typed: Typed) -> None:
    """Nobody had touched that man: it counts again, and could be pressed for unheard."""
    typed.type("e4", "", "e5", "", "Sf3")
    typed.table.act({"do": "touch", "side": "white", "squares": ["b1"]}, typed.at)
    said = len(typed.said)
    typed.table.act({"do": "undo"}, typed.at)
    assert typed.said[said:] == ["Zurück zur Stellung nach Zug eins von Schwarz.", "Springer Felix drei"]


def test_that_a_ruling_on_a_touch_has_undone_what_the_opponent_announced_is_told(tmp_path: Path) -> None:
    """Which man he touched is not."""
    typed = table(tmp_path, "e4", "", white=Person("Ana", blind=True))
    typed.table.act({"do": "announce", "side": "black", "move": "g8f6", "placed": False}, typed.at)
    typed.table.act({"do": "touch", "side": "black", "squares": ["b8"], "by": "assistant"}, typed.at)
    said = len(typed.said)
    typed.table.act({"do": "rule", "claim": "accept"}, typed.at)
    assert typed.said[said:] == ["Ein anderer Zug von Schwarz: Der angesagte gilt nicht mehr."]


def test_of_a_claim_with_a_written_move_the_claim_is_told_and_its_outcome(typed: Typed) -> None:
    """9.2.1: the move is written and not made; 9.5.3: it must be, where the claim was wrong."""
    typed.type("e4", "")
    before = len(typed.said)
    typed.table.act(
        {"do": "claim", "side": "black", "of": "threefold", "move": "e7e5", "wait": True}, typed.at
    )
    typed.table.act({"do": "rule", "claim": "reject"}, typed.at)
    assert typed.said[before:] == [
        "Reklamation von Schwarz: dreimalige Stellungswiederholung. Der Schiedsrichter entscheidet.",
        "Die Uhren stehen.",
        "Reklamation von Schwarz falsch: dreimalige Stellungswiederholung. Weiß bekommt zwei Minuten dazu.",
        "Eva fünf muss ausgeführt werden.",
        "Die Uhr von Schwarz läuft.",
    ]


def test_a_move_that_stands_as_placed_by_a_ruling_is_announced(typed: Typed) -> None:
    """D.2.9: the opponent hears which move it is."""
    for line in (
        {"do": "place", "move": "e2e3"},
        {"do": "announce", "move": "e2e4"},
        {"do": "press"},
        {"do": "correct", "move": "e2e3"},
    ):
        typed.table.act({"side": "white", **line}, typed.at)
    before = len(typed.said)
    typed.table.act({"do": "rule", "claim": "accept"}, typed.at)
    assert typed.said[before:][:1] == ["Eva drei"]


# What is refused


def test_a_touched_man_is_named_as_the_reason(typed: Typed) -> None:
    typed.type("e2e5", "")
    typed.table.act({"do": "claim", "side": "black", "of": "illegal-move"}, typed.at)
    assert "berührte" in typed.type("Springer Felix drei")


def test_an_offer_before_its_time_says_from_when_on(tmp_path: Path) -> None:
    typed = table(tmp_path, "e4", rules=EventRules(draw_offers=30))
    assert typed.type("Remis angeboten") == "Hector: Kein Remisangebot vor Zug dreißig."


# What is recalled


def test_the_sentences_of_one_ruling_are_recalled_together(typed: Typed) -> None:
    typed.type("e2e5", "")
    typed.table.act({"do": "claim", "side": "black", "of": "illegal-move"}, typed.at)
    ruling = typed.said[-3:]
    typed.type("r")
    assert typed.said[-3:] == ruling and len(set(ruling)) == 3
    typed.type("t", "r")
    assert typed.said[-1] == typed.said[-2] != ruling[-1], "what came after it is recalled alone"


# Whose resignation it is


def test_whether_the_sighted_player_resigns_is_asked_by_his_colour_and_answered_by_himself() -> None:
    voice = HeardVoice()
    shown: list[str] = []
    game = Table(Setup(press="word"), VOCABULARY, Thresholds(), voice, NoRecord(), show=shown.append)
    game.start()
    game.type("e4", 1.0)
    game.type("", 2.0)
    game.type("resign", 3.0)
    assert voice.sentences[-1].text.startswith("Schwarz gibt auf?")
    game.hear(Utterance(3.2, 3.8, (yes := (Transcript(("ja",), -90.0),)), yes, -100.0, 50, 300.0))
    game.type("ja", 4.0)
    assert not game.over, "the blind player does not answer for his opponent"
    assert shown[-1] == "Tippen Sie y für ja, n für nein."
    game.type("nein", 5.0)
    assert voice.sentences[-1].text == "Abgebrochen."
    game.type("y", 6.0)
    assert not game.over, "what was cancelled is not asked any more"
    game.type("resign", 7.0)
    game.type("y", 8.0)
    assert game.over and game.course.referee.status().keys["result"] == "1-0"


# What is announced


def test_a_pawn_that_would_take_straight_ahead_is_named_with_its_square(typed: Typed) -> None:
    typed.type("e4", "")
    assert typed.type("e7e4") == "Hector: Eva sieben schlägt Eva vier"


# Taking a game up again


def resumed(typed: Typed) -> Typed:
    """The game as another Hector takes it up from the disk."""
    typed.record.close()
    from assistant.table.record import reopen_record

    record, setup, lines = reopen_record(typed.folder, typed.shown.append)
    typed.voice, typed.record = HeardVoice(), record
    typed.table = Table(setup, VOCABULARY, Thresholds(), typed.voice, record, show=typed.shown.append)
    typed.table.resume(lines, typed.at)
    return typed


def test_a_move_that_waits_for_its_press_is_told_when_the_game_is_resumed(typed: Typed) -> None:
    typed.type("e4")
    assert resumed(typed).said == ["Partie fortgesetzt. Weiß hat Eva vier angesagt, noch nicht gedrückt."]


def test_hector_presses_for_no_move_from_before_an_interruption_until_it_is_said_again(
    tmp_path: Path,
) -> None:
    """Nobody has heard what its player has said meanwhile."""
    for says_again in ("", "e4"):
        typed = resumed(table(tmp_path / says_again, "e4", press="auto", pace=0.1))
        assert typed.said == [
            "Partie fortgesetzt. Weiß hat Eva vier angesagt, noch nicht gedrückt.",
            "Drücken oder neu ansagen.",
        ]
        typed.pass_time(60)
        assert typed.table.course.referee.running == "white"
        typed.type(says_again)
        typed.pass_time(10)
        assert typed.table.course.referee.running == "black"
        typed.type("e5")
        typed.pass_time(10)
        assert typed.table.course.referee.running == "white"


@pytest.mark.parametrize("press", ["auto", "word"])
@pytest.mark.parametrize("lines", [MATE[:-2], ()])
def test_a_move_that_is_taken_back_is_not_made_after_an_interruption(
    tmp_path: Path, press: str, lines: tuple[str, ...]
) -> None:
    """D.2.8: neither where Hector presses, nor where a mate stands without a press."""
    said = "Dame schlägt Felix sieben matt" if lines else "Springer Felix drei"
    typed = resumed(table(tmp_path, *lines, said, "Korrektur", press=press, pace=0.1))
    assert typed.said[-1] == "Korrektur. Welcher Zug?"
    typed.pass_time(60)
    assert not typed.table.over and typed.table.course.referee.running == "white"
    typed.type("Dame Hector vier" if lines else "Springer Cesar drei", "")
    assert typed.moves[-1] == ("h5h4" if lines else "b1c3")
    assert not resumed(typed).table.memory.correcting


@pytest.mark.parametrize("again", ["Springer Felix drei", "nein"])
def test_a_move_that_stands_after_all_stands_after_an_interruption_too(tmp_path: Path, again: str) -> None:
    """D.2.8: it was no slip, and nothing is asked for that was said before the interruption."""
    typed = resumed(table(tmp_path, "Springer Felix drei", "Korrektur", again))
    assert not typed.table.memory.correcting
    assert typed.said == ["Partie fortgesetzt. Weiß hat Springer Felix drei angesagt, noch nicht gedrückt."]
    typed.type("Korrektur")
    assert resumed(typed).table.memory.correcting


def test_a_mate_that_waits_can_be_taken_back_after_a_power_failure_too(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the voice is silent, or there is none."""
    typed.type(*MATE[:-2], "Dame schlägt Felix sieben matt")
    monkeypatch.setattr(HeardVoice, "silent_since", lambda *_: 0.0)
    table = resumed(typed).table
    table.tick(table.now + 2.5)
    assert not table.over
    table.tick(table.now + 60)
    assert table.over


def test_who_is_to_seal_is_not_told_to_press_when_the_game_is_resumed(tmp_path: Path) -> None:
    """I.1.1: with the press he would say that his man is placed, and be bound to it."""
    typed = table(tmp_path, "e4", press="auto", pace=0.1)
    typed.table.act({"do": "adjourn", "by": "arbiter"}, typed.at)
    assert resumed(typed).said == [
        "Partie fortgesetzt. Weiß hat Eva vier angesagt, noch nicht gedrückt.",
        "Hängepartie: Weiß gibt einen Zug ab.",
    ]


def test_an_adjourned_game_is_told_to_be_one(typed: Typed) -> None:
    typed.type("e4", "")
    for line in (
        {"do": "adjourn", "by": "arbiter"},
        {"do": "seal", "side": "black", "text": "e5"},
        {"do": "stop-clock", "by": "arbiter"},
    ):
        typed.table.act(line, typed.at)
    assert resumed(typed).said == ["Die Partie ist vertagt."]
    for side in ("white", "black"):
        typed.table.act({"do": "arrive", "side": side}, typed.at)
    typed.table.act({"do": "resume", "by": "arbiter"}, typed.at)
    assert typed.said[-1] == "Die vereinbarte Stunde ist da."


# Without a clock


def test_a_game_without_a_clock_begins_with_who_has_the_move(tmp_path: Path) -> None:
    assert Typed(tmp_path / "game", time_control="-").said == ["Weiß am Zug."]
    fen = "4k3/4p3/8/8/8/8/8/4K1N1 b - - 0 1"
    assert Typed(tmp_path / "black", time_control="-", fen=fen).said == ["Schwarz am Zug."]


# Draw offers


def test_the_press_of_a_move_that_was_announced_before_the_offer_does_not_decline_it(typed: Typed) -> None:
    """9.1.2.1: a man that is touched after the offer rejects it; this one was in his hole before."""
    typed.type("Eva vier", "", "e5", "", "Springer Felix drei", "draw", "")
    assert typed.moves == ["e2e4", "e7e5", "g1f3"]
    assert not any("abgelehnt" in text for text in typed.said)
    typed.type("angenommen", "ja")
    assert typed.table.sheet.result == "1/2-1/2"


def test_a_move_that_is_announced_after_the_offer_declines_it(typed: Typed) -> None:
    typed.type("Eva vier", "", "e5", "draw", "", "Springer Felix drei", "")
    assert "Remisangebot abgelehnt von Weiß." in typed.said


# Where Hector presses


@pytest.mark.parametrize("reply", ["e5", "a6", "e7e5", "Eva fünf", "Sc6"])
def test_any_typed_reply_shows_that_the_move_is_made(tmp_path: Path, reply: str) -> None:
    typed = table(tmp_path, "e4", press="auto", pace=0.1)
    typed.type(reply)
    typed.pass_time(30)
    assert len(typed.moves) == 2


def test_a_typed_correction_is_no_reply(tmp_path: Path) -> None:
    fen = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1"
    typed = table(tmp_path, "h3", "k", "Sd5", press="auto", pace=0.1, fen=fen)
    typed.pass_time(30)
    assert typed.moves == ["c3d5"]


# Refusals


def test_a_refusal_is_told_once_and_hector_does_not_try_again(tmp_path: Path) -> None:
    typed = table(tmp_path, "e4", press="auto", pace=0.1)
    typed.table.act({"do": "stop-clock", "by": "arbiter"}, typed.at)
    typed.pass_time(60)
    before = len(typed.said)
    typed.type("")
    assert typed.said[before:] == ["Die Uhren stehen."]


def test_what_is_refused_to_the_page_is_told_to_nobody_aloud(typed: Typed) -> None:
    typed.type("e4")
    typed.table.act({"do": "stop-clock", "by": "arbiter"}, typed.at)
    said = len(typed.said)
    events = typed.table.act({"do": "press", "side": "white"}, typed.at)
    assert [event.event for event in events] == ["refused"]
    assert len(typed.said) == said


def test_a_typed_answer_to_nothing_is_answered(typed: Typed) -> None:
    assert typed.type("ja") == "Hector: Keine Frage offen."


# Rulings


def test_a_move_that_was_made_long_ago_is_not_announced_when_a_ruling_goes_back_to_it(typed: Typed) -> None:
    typed.type("e4", "", "e5", "", "g1g3", "")
    said = len(typed.said)
    typed.table.act({"do": "claim", "side": "black", "of": "illegal-move"}, typed.at)
    assert "Eva fünf" not in typed.said[said:]
    assert any("Zurück" in sentence for sentence in typed.said[said:])


def test_a_game_that_stands_or_seals_says_so_when_it_is_resumed(typed: Typed) -> None:
    typed.type("e4", "")
    typed.table.act({"do": "stop-clock", "by": "arbiter"}, typed.at)
    assert resumed(typed).said == ["Partie fortgesetzt. Schwarz am Zug.", "Die Uhren stehen."]


def test_an_offer_that_nobody_has_answered_is_told_when_the_game_is_resumed(typed: Typed) -> None:
    """9.1.2.1: it stands until the opponent accepts it, rejects it or makes a move."""
    typed.type("e4", "", "draw")
    assert resumed(typed).said == ["Partie fortgesetzt. Schwarz am Zug.", "Remisangebot von Schwarz."]
    typed.table.act({"do": "decline-draw", "side": "white"}, typed.at)
    assert resumed(typed).said == ["Partie fortgesetzt. Schwarz am Zug."]


def test_a_claim_that_waits_for_the_arbiter_is_told_when_the_game_is_resumed(typed: Typed) -> None:
    typed.type("e4", "")
    typed.table.act({"do": "claim", "side": "black", "of": "threefold", "wait": True}, typed.at)
    assert resumed(typed).said == [
        "Partie fortgesetzt. Schwarz am Zug.",
        "Die Uhren stehen.",
        "Reklamation von Schwarz: dreimalige Stellungswiederholung. Der Schiedsrichter entscheidet.",
    ]


def test_the_move_that_was_written_for_a_wrong_claim_is_named_when_it_is_ruled_on(typed: Typed) -> None:
    """9.5.3: it must be made now."""
    typed.type("e4", "")
    claim = {"do": "claim", "side": "black", "of": "threefold", "move": "g8f6", "wait": True}
    typed.table.act(claim, typed.at)
    said = len(typed.said)
    typed.table.act({"do": "rule", "claim": "reject"}, typed.at)
    assert typed.said[said : said + 2] == [
        "Reklamation von Schwarz falsch: dreimalige Stellungswiederholung. Weiß bekommt zwei Minuten dazu.",
        "Springer Felix sechs muss ausgeführt werden.",
    ]


def test_the_move_that_was_written_for_a_wrong_claim_is_named_when_the_game_is_resumed(typed: Typed) -> None:
    """9.5.3: it is due until it is announced, and then as due as any other that waits for its press."""
    typed.type("e4", "")
    typed.table.act({"do": "claim", "side": "black", "of": "threefold", "move": "g8f6"}, typed.at)
    assert resumed(typed).said == [
        "Partie fortgesetzt. Schwarz am Zug.",
        "Springer Felix sechs muss ausgeführt werden.",
    ]
    assert typed.type("Sf6") == "Hector: Springer Felix sechs"
    assert resumed(typed).said[-1].startswith("Partie fortgesetzt. Schwarz hat Springer Felix sechs angesagt")


# The scoresheet


def offers(typed: Typed) -> list[bool]:
    return [ply.offer for ply in typed.table.sheet.plies]


def test_an_offer_before_the_own_move_stands_beside_that_move(typed: Typed) -> None:
    typed.type("e4", "", "draw", "e5", "")
    assert offers(typed) == [False, True]
    typed.type("Nf3", "", "Nc6", "draw", "")
    assert offers(typed) == [False, True, False, True]
