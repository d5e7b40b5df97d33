"""The game script: what is a line of one, what is not, and what comes out."""

from __future__ import annotations

import io
import json
import time
from typing import Any

import chess
import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.laws import Referee, ScriptError, referee_lines, referee_stream
from assistant.laws.script import CLAIMS, OPTIONAL, PENALTIES, REQUIRED
from assistant.moves import read_move
from assistant.scoresheet import languages
from assistant.speaking import told
from assistant.time_control import parse_time_control

START = {"at": 0, "do": "start"}


def lines(*script: Any) -> list[str]:
    return [each if isinstance(each, str) else json.dumps(each) for each in script]


def output(*script: Any) -> list[dict[str, Any]]:
    return [json.loads(each) for each in referee_stream(lines(*script), read_move)]


def test_a_script_gives_its_events_and_last_the_status() -> None:
    said = output(
        {"game": {"laws": "2014", "time_control": "60+1"}},
        START,
        {"at": 1.5, "do": "announce", "side": "white", "move": "e4"},
        {"at": 2, "do": "press", "side": "white"},
    )
    assert [each["event"] for each in said] == ["clock-started", "move-made", "move-completed", "status"]
    assert said[2] == {
        "at": 2,
        "event": "move-completed",
        "ply": 1,
        "side": "white",
        "uci": "e2e4",
        "san": "e4",
        "white": 60,
        "black": 61,
    }
    assert said[3] == {
        "at": 2,
        "event": "status",
        "fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "ply": 1,
        "turn": "black",
        "running": "black",
        "white": 60,
        "black": 61,
        "category": "blitz",
        "draw_offer": "none",
        "result": "*",
        "moves": ["e4"],
    }


def test_a_ruling_names_its_article_and_says_when_it_is_borrowed() -> None:
    resign = {"at": 1, "do": "resign", "side": "black"}
    own = output({"game": {"laws": "2014"}}, START, resign)[1]
    assert own["article"] == "2014 5.1.b" and "borrowed" not in own
    borrowed = output({"game": {"laws": "1997"}}, START, resign)[1]
    assert (borrowed["article"], borrowed["borrowed"]) == ("2009 5.1.b", True)
    assert "borrowed" not in output({"game": {"laws": "2018"}}, START, resign)[1]


@pytest.mark.parametrize(
    ("text", "number", "says"),
    [
        ("{", 2, "not JSON"),
        ("[1]", 2, "must be an object"),
        ('{"at": 1}', 2, "'do' is missing"),
        ('{"at": 1, "do": "dance"}', 2, "no verb 'dance'"),
        ('{"do": "start"}', 2, "'at' is missing"),
        ('{"at": -1, "do": "start"}', 2, "between 0"),
        ('{"at": "soon", "do": "start"}', 2, "number of seconds"),
        ('{"at": NaN, "do": "start"}', 2, "not JSON"),
        ('{"at": 1e999999, "do": "start"}', 2, "'at' must be a number of seconds, not 1E+999999"),
        ('{"at": 1e99999999999999999999, "do": "start"}', 2, "'at' must be a number of seconds"),
        (
            '{"at": 0, "do": "result", "white": 1e99999999999999999999, "black": 0}',
            2,
            "between 0 and 1 points",
        ),
        ('{"at": 1e999, "do": "start"}', 2, "seconds"),
        ('{"at": true, "do": "start"}', 2, "number of seconds"),
        ('{"at": 1, "do": "announce", "side": "white"}', 2, "'move' is missing"),
        ('{"at": 1, "do": "announce", "side": "green", "move": "e4"}', 2, "one of white, black"),
        ('{"at": 1, "do": "touch", "side": "white", "squares": ["z9"]}', 2, "no square"),
        ('{"at": 1, "do": "claim", "side": "white", "of": "rain"}', 2, "'of' must be one of"),
        ('{"at": 1, "do": "penalty", "side": "white", "kind": "reduce"}', 2, "'seconds'"),
        ('{"at": 1, "do": "set-clock"}', 2, "at least one of"),
        ('{"at": 1, "do": "ask", "side": "white", "about": "law"}', 2, "'article'"),
        ('{"at": 1, "do": "result", "white": 3, "black": 0}', 2, "between 0 and 1"),
        ('{"at": 1, "do": "restore", "ply": -1}', 2, "whole number"),
        ('{"at": 1, "do": "set-clock", "moves": 1.5}', 2, "from 0, not 1.5."),
        ('{"at": 1, "at": 2, "do": "start"}', 2, "The key 'at' stands there twice"),
        ('{"at": 1, "do": "ask", "x": {"a": 1, "a": 1}}', 2, "The key 'a' stands there twice"),
        ("[" * 100_000, 2, "not JSON"),
        ('{"at": 1' + "0" * 5000 + ', "do": "start"}', 2, "not JSON"),
        ('{"at": 1, "do": "' + "x" * 5000 + '"}', 2, "x..."),
    ],
)
def test_a_line_that_is_no_script_line_is_an_error_with_its_number(text: str, number: int, says: str) -> None:
    with pytest.raises(ScriptError, match=f"^Line {number}: ") as error:
        list(referee_stream(lines({"game": {}}, text), read_move))
    assert says in str(error.value)
    assert error.value.status == 2


def test_a_broken_line_is_told_and_the_others_go_on() -> None:
    """Nothing is lost before a broken line, nor after it, and nothing happens by it."""
    whole = lines(
        {"game": {"time_control": "60"}},
        START,
        {"at": 1, "do": "announce", "side": "white", "move": "e4"},
        {"at": 2, "do": "press", "side": "white"},
    )
    broken = [
        whole[0],
        "nonsense",
        whole[1],
        "",
        '{"at": 0}',
        whole[2],
        '{"at": 0.5, "do": "start"}',
        whole[3],
    ]
    said = list(referee_lines(broken, read_move))
    errors = [str(each) for each in said if isinstance(each, ScriptError)]
    assert [error.split(":")[0] for error in errors] == ["Line 2", "Line 5", "Line 7"]
    assert [each for each in said if not isinstance(each, ScriptError)] == list(
        referee_stream(whole, read_move)
    )


def test_a_first_line_that_describes_no_game_is_the_end() -> None:
    [error] = referee_lines(['{"game": {"laws": "1066"}}', json.dumps(START)], read_move)
    assert isinstance(error, ScriptError) and str(error).startswith("Line 1: ")


def test_bytes_with_a_byte_order_mark_and_other_line_ends_are_a_script() -> None:
    script = [b'\xef\xbb\xbf{"game": {}}\r\n', b"\r\n", b"  \n", json.dumps(START).encode() + b"\r\n"]
    assert [json.loads(str(each))["event"] for each in referee_lines(script, read_move)] == [
        "clock-started",
        "status",
    ]
    [error, status] = referee_lines([b'{"game": {}}\n', b"\xff\xfe\n"], read_move)
    assert str(error) == "Line 2: This is not UTF-8 text." and isinstance(status, str)


def test_what_is_said_can_be_written_whatever_the_script_spells() -> None:
    script = lines(
        {"game": {"white": {"name": "\ud800"}, "time_control": "600"}},
        START,
        {"at": 1, "do": "adjourn"},
        {"at": 2, "do": "seal", "side": "white", "move": "e4"},
        {"at": 3, "do": "stop-clock", "by": "white"},
    )
    said = list(referee_stream(script, read_move))
    assert json.loads(said[3])["envelope"]["names"]["white"] == "\ud800"
    for each in said:
        each.encode()


@pytest.mark.parametrize("language", languages())
def test_every_language_of_moves_may_be_named_and_no_other(language: str) -> None:
    Referee({"white": {"language": language}}, read_move, languages())
    with pytest.raises(ScriptError, match="no language 'xx' to write moves in; there are de, en"):
        Referee({"white": {"language": language}, "black": {"language": "xx"}}, read_move, languages())


def test_time_never_goes_back() -> None:
    with pytest.raises(ScriptError, match="Line 3: Time cannot go back"):
        output({"game": {}}, {"at": 5, "do": "start"}, {"at": 4.99, "do": "press", "side": "white"})


def test_what_was_ruled_before_a_broken_line_is_still_said() -> None:
    said = []
    with pytest.raises(ScriptError):
        for each in referee_stream(lines({"game": {}}, START, "nonsense"), read_move):
            said.append(json.loads(each)["event"])
    assert said == ["clock-started"]


@pytest.mark.parametrize(
    ("game", "says"),
    [
        ({"laws": "2020"}, "no edition of the Laws called '2020'; there are 1997"),
        ({"laws": None}, "no edition"),
        ({"time_control": "soon"}, "cannot be read"),
        ({"time_control": "0"}, "cannot be played"),
        ({"time_control": "5400:1800"}, "only the last period"),
        ({"time_control": ""}, "cannot be read"),
        ({"fen": "nonsense"}, "is not a FEN"),
        ({"fen": "8/8/8/8/8/8/8/4K3 w - - 0 1"}, "Black has no king"),
        ({"fen": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}, "the game is over there (checkmate)"),
        ({"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, "the game is over there (stalemate)"),
        ({"fen": "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "chess960": True}, "the game is over there (checkmate)"),
        ({"chess960": 960}, "0 to 959"),
        ({"chess960": True}, "or a FEN"),
        ({"mode": "friendly"}, "'mode' must be one of"),
        ({"white": "Anna"}, "must be an object"),
        ({"white": {"blind": "yes"}}, "true or false"),
        ({"white": {"name": 5}}, "'name' and 'language' of white must be texts"),
        ({"black": {"language": 5}}, "'name' and 'language' of black must be texts"),
        ({"draw_offers": "never"}, "'draw_offers'"),
        ({"options": {"touch_move": False}}, "leaves no option 'touch_move'"),
        ({"options": {"illegal_move_seconds": "60"}}, "illegal_move_seconds cannot be"),
        ({"options": {"illegal_move_seconds": -1}}, "'illegal_move_seconds' must lie between 0 and"),
        ({"options": {"wrong_claim_seconds": 10**9}}, "'wrong_claim_seconds' must lie between 0 and"),
        ([], "key 'game'"),
    ],
)
def test_a_first_line_that_describes_no_game_is_one_sentence(game: Any, says: str) -> None:
    with pytest.raises(ScriptError, match=r"^Line 1: .*\.$") as error:
        output({"game": game})
    assert says in str(error.value)


def test_what_an_option_takes_is_told_in_every_language() -> None:
    with pytest.raises(ScriptError) as error:
        output({"game": {"options": {"illegal_move_seconds": "60"}}})
    assert told(error.value, "de").endswith("verlangt ist eine ganze Zahl ab -1.")


def test_no_period_asks_for_no_moves() -> None:
    with pytest.raises(ScriptError, match="cannot be played"):
        parse_time_control("0/5400")


@pytest.mark.parametrize("script", [[], ["", "  "], [START]])
def test_a_script_begins_with_its_game(script: list[Any]) -> None:
    with pytest.raises(ScriptError, match="'game'"):
        output(*script)


def test_decimals_are_exact_however_they_are_written() -> None:
    said = output(
        {"game": {"time_control": "10"}},
        START,
        '{"at": 0.1, "do": "announce", "side": "white", "move": "e4"}',
        '{"at": 0.30, "do": "press", "side": "white"}',
    )
    assert said[-1]["white"] == 9.7
    assert (
        '"white": 9.7,'
        in list(
            referee_stream(
                lines(
                    {"game": {"time_control": "10"}},
                    START,
                    '{"at": 0.3, "do": "ask", "side": "arbiter", "about": "times"}',
                ),
                read_move,
            )
        )[-1]
    )


def test_a_finished_game_refuses_every_line() -> None:
    referee = Referee({}, read_move)
    referee.apply(START)
    referee.apply({"at": 1, "do": "resign", "side": "white"})
    over = referee.status().as_dict()
    for line in (
        {"do": "announce", "side": "white", "move": "e4"},
        {"do": "undo"},
        {"do": "result", "white": 1, "black": 0},
        {"do": "set-clock", "white": 1},
        {"do": "start"},
    ):
        [refused] = referee.apply({"at": 2, **line})
        assert refused.as_dict()["event"] == "refused"
    assert {**referee.status().as_dict(), "at": 1} == over


def test_any_prefix_of_a_game_can_be_rebuilt() -> None:
    game = {"laws": "2023", "time_control": "600+5"}
    script = [START]
    for number, move in enumerate(["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]):
        side = ("white", "black")[number % 2]
        script += [
            {"at": number * 2 + 1, "do": "announce", "side": side, "move": move},
            {"at": number * 2 + 2, "do": "press", "side": side},
        ]
    played = Referee(game, read_move)
    for length, line in enumerate(script, 1):
        played.apply(line)
        rebuilt = Referee(game, read_move)
        for earlier in script[:length]:
            rebuilt.apply(earlier)
        assert rebuilt.status().as_json() == played.status().as_json()


def test_nobody_has_used_the_time_of_a_stop_that_is_withdrawn() -> None:
    referee = Referee({"laws": "2023", "time_control": "60"}, read_move)
    for at, verb in ((0, "start"), (10, "stop-clock"), (100, "undo")):
        events = referee.apply({"at": at, "do": verb})
    assert [event.event for event in events] == ["position-restored"]
    assert (referee.status().keys["white"], referee.running) == (50, "white")
    referee.apply({"at": 105, "do": "offer-draw", "side": "white"})
    referee.apply({"at": 110, "do": "decline-draw", "side": "black"})
    referee.apply({"at": 120, "do": "undo"})
    assert referee.status().keys["white"] == 30, "nor is it charged when another line is withdrawn"
    fallen = referee.advance(151)
    assert [(event.at, event.event) for event in fallen][:1] == [(150_000_000, "flag-fallen")]


def test_nobody_has_used_the_time_of_a_claim_that_is_withdrawn() -> None:
    referee = Referee({"laws": "2023", "time_control": "60", "mode": "club"}, read_move)
    claim = {"at": 10, "do": "claim", "side": "white", "of": "threefold", "wait": True}
    for line in ({"at": 0, "do": "start"}, claim, {"at": 100, "do": "undo"}):
        events = referee.apply(line)
    assert [event.event for event in events] == ["position-restored"]
    assert (referee.status().keys["white"], referee.running) == (50, "white")


def test_a_flag_that_has_fallen_because_of_a_withdrawal_is_told() -> None:
    referee = Referee({"laws": "2023", "time_control": "60", "mode": "club"}, read_move)
    for line in (
        START,
        {"at": 50, "do": "announce", "side": "white", "move": "e4"},
        {"at": 55, "do": "press", "side": "white"},
    ):
        referee.apply(line)
    told = referee.apply({"at": 100, "do": "undo"})
    assert [event.event for event in told] == ["position-restored", "flag-fallen", "game-over"]
    assert {event.at for event in told} == {100_000_000}
    assert referee.result == "0-1"


def test_nobody_is_charged_for_a_withdrawn_stop_though_a_question_was_asked_meanwhile() -> None:
    referee = Referee({"laws": "2023", "time_control": "60"}, read_move)
    for line in (
        START,
        {"at": 10, "do": "stop-clock", "by": "arbiter"},
        {"at": 50, "do": "ask", "side": "white", "about": "times"},
        {"at": 100, "do": "undo"},
        {"at": 105, "do": "ask", "side": "white", "about": "times"},
    ):
        referee.apply(line)
    assert (referee.time_left("white"), referee.running) == (45, "white")


def test_undo_takes_back_the_last_line_but_never_a_press_in_a_rated_game() -> None:
    for mode, pressed in (("rated", "refused"), ("club", "position-restored")):
        referee = Referee({"mode": mode, "time_control": "60"}, read_move)
        referee.apply(START)
        referee.apply({"at": 1, "do": "announce", "side": "white", "move": "e4"})
        [undone] = referee.apply({"at": 2, "do": "undo"})
        assert (undone.event, undone.keys["ply"]) == ("position-restored", 0)
        referee.apply({"at": 3, "do": "announce", "side": "white", "move": "d4"})
        referee.apply({"at": 4, "do": "press", "side": "white"})
        [answer] = referee.apply({"at": 5, "do": "undo"})
        assert answer.event == pressed
        status = referee.status().as_dict()
        assert (status["moves"], status["white"]) == (["d4"], 56 if mode == "rated" else 55)


def test_undo_takes_back_the_line_before_a_question() -> None:
    referee = Referee({"mode": "club", "time_control": "60"}, read_move)
    referee.apply(START)
    referee.apply({"at": 1, "do": "announce", "side": "white", "move": "e4"})
    referee.apply({"at": 2, "do": "ask", "side": "white", "about": "times"})
    assert [event.event for event in referee.apply({"at": 3, "do": "undo"})] == ["position-restored"]
    assert referee.status().keys["moves"] == []


def test_a_player_withdraws_no_line_of_his_opponents() -> None:
    referee = Referee({"mode": "club", "time_control": "60"}, read_move)
    referee.apply(START)
    referee.apply({"at": 1, "do": "announce", "side": "white", "move": "e4"})
    [answer] = referee.apply({"at": 2, "do": "undo", "side": "black"})
    assert (answer.event, str(answer.keys["reason"])) == ("refused", "the last line is somebody else's")
    [answer] = referee.apply({"at": 3, "do": "undo", "side": "white"})
    assert (answer.event, answer.keys["ply"]) == ("position-restored", 0)


@pytest.mark.parametrize(
    "line", [{"do": "touch", "side": "white", "squares": ["e2"]}, {"do": "decline-draw", "side": "white"}]
)
def test_what_binds_a_player_is_withdrawn_by_the_arbiter_alone(line: dict[str, Any]) -> None:
    for by, answer in (({"side": "white"}, "refused"), ({}, "position-restored")):
        referee = Referee({"mode": "rated", "time_control": "60"}, read_move)
        referee.apply(START)
        for at, move in ((1, ("white", "e4")), (2, ("black", "e5"))):
            referee.apply({"at": at, "do": "announce", "side": move[0], "move": move[1]})
            if move[0] == "black":
                referee.apply({"at": at, "do": "offer-draw", "side": "black"})
            referee.apply({"at": at, "do": "press", "side": move[0]})
        assert not any(event.event == "refused" for event in referee.apply({"at": 3, **line}))
        assert [event.event for event in referee.apply({"at": 4, "do": "undo", **by})] == [answer]


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_a_script_may_have_the_line_ends_of_any_system(end: str) -> None:
    note = {"at": 1, "do": "note", "about": "a\u2028b"}
    begun = [json.dumps(each, ensure_ascii=False) for each in ({"game": {}}, START, note)]
    script = end.join([begun[0], "", *begun[1:], "x", ""])
    for read in ([script], [script.encode()], io.StringIO(script, newline=""), io.BytesIO(script.encode())):
        said = list(referee_lines(read, read_move))
        assert [str(each) for each in said if isinstance(each, ScriptError)] == ["Line 5: This is not JSON."]
        assert len(said) == 3


BLIND: dict[str, Any] = {"white": {"blind": True}}


@pytest.mark.ledger("L14-4.7a", "L23-4.7", "L14-D.2.2", "L23-D.2.2")
@pytest.mark.parametrize(
    ("people", "lines"),
    [
        ({}, [{"do": "announce", "move": "g1f3"}]),
        ({}, [{"do": "place", "move": "g1f3"}]),
        ({}, [{"do": "announce", "move": "e1e3"}]),
        (BLIND, [{"do": "place", "move": "e2e4"}]),
        (BLIND, [{"do": "announce", "move": "e2e4", "placed": True}]),
        (BLIND, [{"do": "announce", "move": "e2e4"}, {"do": "place", "move": "e2e4"}]),
        ({}, [{"do": "adjourn", "side": None}, {"do": "announce", "move": "g1f3"}]),
    ],
)
def test_a_man_that_was_put_down_is_taken_back_by_the_arbiter_alone(
    people: dict[str, Any], lines: list[dict[str, Any]]
) -> None:
    for by, answer in (({"side": "white"}, "refused"), ({}, "position-restored")):
        referee = Referee({"time_control": "60", **people}, read_move)
        referee.apply(START)
        for line in lines:
            told = referee.apply({"at": 1, "side": "white", **line})
            assert not any(event.event == "refused" for event in told)
        assert [event.event for event in referee.apply({"at": 2, "do": "undo", **by})] == [answer]


@pytest.mark.ledger("L14-D.2.7", "L23-D.2.8")
def test_a_blind_player_takes_back_his_words_but_not_the_man() -> None:
    referee = Referee({"time_control": "60", **BLIND}, read_move)
    referee.apply(START)
    referee.apply({"at": 1, "do": "place", "side": "white", "move": "e2e4"})
    referee.apply({"at": 2, "do": "announce", "side": "white", "move": "d2d4"})
    [taken_back] = referee.apply({"at": 3, "do": "undo", "side": "white"})
    assert taken_back.event == "position-restored"
    [still] = referee.apply({"at": 4, "do": "undo", "side": "white"})
    assert (still.event, str(still.keys["reason"])) == ("refused", "the man has been released and stands")


@pytest.mark.ledger("L14-12.9b", "L14-12.9c", "L23-12.9.2", "L23-12.9.3")
@pytest.mark.parametrize("mode", ["rated", "club"])
@pytest.mark.parametrize("kind", ["reduce", "add-opponent"])
def test_a_penalty_is_withdrawn_by_the_arbiter_and_not_by_the_one_who_got_it(mode: str, kind: str) -> None:
    referee = Referee({"mode": mode, "time_control": "600"}, read_move)
    referee.apply(START)
    referee.apply({"at": 1, "do": "penalty", "side": "white", "kind": kind, "seconds": 60})
    for side in ("white", "black"):
        [answer] = referee.apply({"at": 2, "do": "undo", "side": side})
        assert str(answer.keys["reason"]) == "the last line is somebody else's"
    assert [event.event for event in referee.apply({"at": 3, "do": "undo"})] == ["position-restored"]


@pytest.mark.ledger("L14-D.2.9e")
@pytest.mark.parametrize(
    ("by", "sides"), [({"by": "assistant"}, ("black", "white")), ({}, ("white", "black"))]
)
def test_the_report_of_a_touch_is_withdrawn_by_the_one_whose_report_it_is(
    by: dict[str, str], sides: tuple[str, str]
) -> None:
    referee = Referee({"mode": "club", "time_control": "600", **BLIND}, read_move)
    referee.apply(START)
    referee.apply({"at": 1, "do": "announce", "side": "white", "move": "e2e4", "placed": True})
    referee.apply({"at": 1, "do": "press", "side": "white"})
    referee.apply({"at": 2, "do": "touch", "side": "black", "squares": ["b8"], **by})
    said = [referee.apply({"at": 3, "do": "undo", "side": side})[-1].event for side in sides]
    assert said == ["refused", "position-restored"]


@pytest.mark.ledger("L14-E.1a3", "L05-AA.1a3", "L23-I.1.1c")
@pytest.mark.parametrize("mode", ["rated", "club"])
def test_a_closed_envelope_is_reopened_by_nobody(mode: str) -> None:
    referee = Referee({"mode": mode, "time_control": "600"}, read_move)
    referee.apply(START)
    for line in ({"do": "adjourn"}, {"do": "seal", "side": "white", "move": "Nf3"}, {"do": "stop-clock"}):
        referee.apply({"at": 1, **line})
    [answer] = referee.apply({"at": 90_000, "do": "undo"})
    assert (answer.event, str(answer.article)) == ("refused", "2023 I.1.1")
    referee.apply({"at": 90_001, "do": "arrive", "side": "white"})
    assert [event.event for event in referee.apply({"at": 90_002, "do": "undo"})] == ["position-restored"]
    assert referee.apply({"at": 90_003, "do": "undo"})[-1].event == "refused"


@pytest.mark.parametrize("mode", ["rated", "club"])
def test_the_start_is_never_withdrawn(mode: str) -> None:
    referee = Referee({"mode": mode, "time_control": "60"}, read_move)
    referee.apply(START)
    [answer] = referee.apply({"at": 2, "do": "undo"})
    assert (answer.event, str(answer.keys["reason"])) == (
        "refused",
        "the start of the clock cannot be withdrawn",
    )
    referee.apply({"at": 3, "do": "announce", "side": "white", "move": "e4"})
    assert referee.status().keys["moves"] == ["e4"]


def test_the_lines_that_count_are_neither_refused_nor_withdrawn_and_no_notes() -> None:
    referee = Referee({}, read_move)
    announced = {"at": 1, "do": "announce", "side": "white", "move": "e4"}
    for line in (
        START,
        announced,
        {"at": 2, "do": "note", "about": "weather"},
        {"at": 3, "do": "announce", "side": "white", "move": "d4"},
        {"at": 4, "do": "stop-clock"},
        {"at": 5, "do": "undo"},
    ):
        referee.apply(line)
    assert referee.lines == (START, announced)


def test_the_move_that_is_announced_and_not_completed_is_known() -> None:
    referee = Referee({"white": {"blind": True}}, read_move)
    said = []
    for line in (
        START,
        {"at": 1, "do": "announce", "side": "white", "move": "e4"},
        {"at": 2, "do": "place", "side": "white", "move": "e4"},
        {"at": 3, "do": "press", "side": "white"},
        {"at": 4, "do": "announce", "side": "black", "move": "e5"},
        {"at": 5, "do": "resign", "side": "black"},
    ):
        referee.apply(line)
        known = referee.announced
        said.append(known and (known.ply, known.side, known.move.uci(), known.before.fullmove_number))
    white, black = (1, "white", "e2e4", 1), (2, "black", "e7e5", 1)
    assert said == [None, white, white, None, black, None]


def test_a_script_of_four_hundred_plies_is_quick() -> None:
    board = chess.Board()
    script: list[str] = lines({"game": {"laws": "2009", "time_control": "5400+30"}}, START)
    shuttle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    for number in range(400):
        move = shuttle[number % 4]
        board.push_uci(move)
        side = ("white", "black")[number % 2]
        script += lines(
            {"at": number, "do": "announce", "side": side, "move": move},
            {"at": number, "do": "press", "side": side},
        )
    began = time.process_time()
    said = list(referee_stream(script, read_move))
    assert time.process_time() - began < 0.5
    assert json.loads(said[-1])["ply"] == 400


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda x: st.lists(x) | st.dictionaries(st.text(), x),
)
RIGHT: dict[str, list[Any]] = {
    "side": ["white", "black", "arbiter"],
    "by": ["white", "black", "arbiter", "assistant"],
    "move": ["e2e4", "e7e5"],
    "squares": ["e2", ["e7", "d7"]],
    "of": list(CLAIMS),
    "kind": list(PENALTIES),
    "about": ["times", "law", "last-move"],
    "claim": ["accept", "reject", "postpone"],
    "white": [0, 0.5, 60, ["e4"]],
    "black": [1, 0.5, 60, ["e4"]],
    "ply": [0, 1],
}
"""What is right under a key, so that a line gets further than to its first check."""
GAME_KEYS = (
    *("laws", "white", "black", "time_control", "category", "supervised", "fen", "chess960", "default_time"),
    *("draw_offers", "quickplay_finish", "mode", "options", "approved"),
)


def keys_of(verb: str) -> list[str]:
    return [*REQUIRED[verb], *OPTIONAL.get(verb, {}), "by"]


@st.composite
def script_lines(draw: st.DrawFn) -> dict[str, Any]:
    """A line of a verb that there is, with something under one key or another that may not belong there."""
    verb = draw(st.sampled_from(sorted(REQUIRED)))
    line: dict[str, Any] = {"at": 0, "do": verb}
    for key in keys_of(verb):
        if key in REQUIRED[verb] or draw(st.booleans()):
            right = st.sampled_from(RIGHT.get(key, [True, 1, "text"]))
            line[key] = draw(st.one_of(right, right, right, JSON))
    return line


@given(JSON | st.dictionaries(st.sampled_from(GAME_KEYS), JSON))
def test_no_first_line_that_is_json_breaks_the_referee(value: Any) -> None:
    try:
        Referee(value, read_move)
    except ScriptError as error:
        assert str(error).endswith(".")


@settings(max_examples=examples(300))
@given(JSON | script_lines())
def test_no_line_that_is_json_breaks_the_referee(value: Any) -> None:
    referee = Referee({}, read_move)
    referee.apply(START)
    before = referee.status()
    try:
        referee.apply(value)
    except ScriptError as error:
        assert str(error).endswith(".")
        assert referee.status() == before
