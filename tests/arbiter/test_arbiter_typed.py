"""What the arbiter types at the keyboard of the table."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from live_game import at_terminal

from assistant.announcements import Thresholds, load_vocabulary
from assistant.arbiter import Desk
from assistant.arbiter.forms import BY_VERB, FORMS, FormError
from assistant.arbiter.typed import read_line, usage
from assistant.journal import read
from assistant.sealing import Work, new_key, public_key
from assistant.table import PaperVoice, Person, Setup, Table, open_record
from assistant.table.adjourning import keep_key
from assistant.table.secretary import Secretary
from assistant.table.setup import EventRules

VOCABULARY = load_vocabulary("de")


class Board:
    """A table without a page, at which each line is typed five seconds after the one before it."""

    def __init__(self, folder: Path, **setup: object) -> None:
        self.folder = folder
        self.shown: list[str] = []
        self.said: list[str] = []
        self.table = Table(
            Setup(**{"press": "key", "language": "en", **setup}),  # type: ignore[arg-type]
            VOCABULARY, Thresholds(), PaperVoice(), open_record(folder, self.shown.append),
            show=self.said.append,
        )  # fmt: skip
        self.desk = Desk()
        self.desk.open(self.table, lambda: folder, self.shown.append)
        self.at = 0.0
        self.table.start()

    def type(self, *lines: str) -> list[str]:
        """Type lines, and return what the arbiter is shown of the last."""
        before = 0
        for line in lines:
            self.at += 5
            self.table.tick(self.at)
            before = len(self.shown)
            if not self.desk.take(line, self.at):
                self.table.type(line, self.at)
        return self.shown[before:]

    @property
    def lines(self) -> list[dict[str, Any]]:
        return list(read(self.folder).lines[1:])

    @property
    def status(self) -> dict[str, Any]:
        return dict(self.table.course.referee.status().keys)


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path / "game")


def test_a_players_line_is_not_the_arbiters(board: Board) -> None:
    board.type("e4", "", "arbiters are here")
    assert [line["do"] for line in board.lines][:3] == ["start", "announce", "place"]
    assert not board.desk.take("e5", 20.0)


def test_a_clock_is_stopped_at_once_and_runs_again(board: Board) -> None:
    board.type("arbiter stop-clock a telephone rang")
    assert board.said[-1] == "Hector: The clocks are stopped."
    line = board.lines[-1]
    assert (line["do"], line["by"], line["reason"], line["desk"], line["at"]) == (
        "stop-clock", "arbiter", "a telephone rang", "arbiter", 5.0,
    )  # fmt: skip
    board.type("arbiter resume")
    assert board.status["running"] == "white"


def test_a_penalty_is_asked_back_and_then_imposed(board: Board) -> None:
    shown = board.type("arbiter penalty white add-opponent seconds=2:00 reason=his telephone rang")
    assert "Reason: his telephone rang" in shown[0]
    assert shown[1] == "arbiter y and Enter: do it."
    assert board.lines[-1]["do"] == "start"
    before = board.status["black"]
    board.type("arbiter y")
    assert board.lines[-1]["do"] == "penalty"
    assert board.status["black"] == before + 120


@pytest.mark.parametrize("line", ["arbiter", "arbiter n", "arbiter fly"])
def test_what_was_asked_back_is_dropped_by_any_other_line_of_his(board: Board, line: str) -> None:
    board.type("arbiter result 1-0", line)
    assert board.type("arbiter y") == ["Nothing was asked back."]
    assert board.status["result"] == "*"


def test_a_bare_yes_is_not_taken_for_an_answer_to_whoever_was_not_meant(board: Board) -> None:
    board.type("resign", "arbiter penalty white warning")
    assert board.type("y") == ["arbiter y: the arbiter's answer. y once more: a player's."]
    assert not board.table.over
    board.type("arbiter y")
    assert board.lines[-1]["do"] == "penalty"
    board.type("y")
    assert board.status["result"] == "1-0"


def test_the_second_bare_yes_is_a_players(board: Board) -> None:
    board.type("resign", "arbiter penalty white warning", "y", "y")
    assert board.status["result"] == "1-0"


@pytest.mark.parametrize("word", ["y", "ja", "sí", "oui", "tak"])
def test_the_arbiter_may_say_yes_in_any_language(board: Board, word: str) -> None:
    board.type("arbiter penalty white warning", f"arbiter {word}")
    assert board.lines[-1]["do"] == "penalty"


def test_a_key_of_the_table_is_no_answer_to_what_the_arbiter_was_asked(board: Board) -> None:
    board.type("arbiter penalty white warning")
    assert board.type("t") == []
    assert board.said[-1].startswith("Hector: White: ")


@pytest.mark.parametrize("line", ["arbiter?", "ARBITER ?", "arbiter: ?", "\tarbiter\u00a0?"])
def test_the_word_may_be_written_in_several_ways(board: Board, line: str) -> None:
    assert "arbiter resume: Let the clocks run again." in board.type(line)


def test_names_and_choices_may_be_in_capitals(board: Board) -> None:
    board.type("arbiter Penalty WHITE Add-Opponent SECONDS=0:30 Reason=Noise", "arbiter Y")
    line = board.lines[-1]
    assert (line["kind"], line["seconds"], line["reason"]) == ("add-opponent", 30, "Noise")


def test_a_text_goes_on_to_the_end_of_the_line(board: Board) -> None:
    board.type("arbiter penalty white warning reason=he said seconds=5 and points=1", "arbiter y")
    assert board.lines[-1]["reason"] == "he said seconds=5 and points=1"
    assert "seconds" not in board.lines[-1]


def test_a_tick_may_stand_behind_a_move(board: Board) -> None:
    shown = board.type("arbiter claim white threefold move=Nf3 wait")
    assert shown[0].endswith("Move: Ng1-f3. Stop the clocks: yes.")


def test_the_reply_to_a_move_that_waits_for_its_press_is_read_after_that_move(tmp_path: Path) -> None:
    board = Board(tmp_path / "game", white=Person("Ana"), black=Person("Tom", blind=True))
    board.type("e4", "arbiter announce black Nf6", "arbiter y")
    assert (board.lines[-1]["do"], board.lines[-1]["move"]) == ("announce", "g8f6")


def test_a_move_may_be_placed_that_nobody_has_announced_yet(board: Board) -> None:
    board.type("arbiter place white Nf3", "arbiter y")
    assert (board.lines[-1]["do"], board.lines[-1]["move"]) == ("place", "g1f3")


def test_what_is_withdrawn_is_what_was_shown(board: Board) -> None:
    board.type("arbiter penalty white warning", "arbiter y", "arbiter undo", "e4")
    shown = board.type("arbiter y")
    assert shown[0].startswith("The game has gone on meanwhile")
    assert board.lines[-1]["do"] == "announce"


def test_a_players_questions_come_between_the_arbiter_and_his_mistake_in_vain(board: Board) -> None:
    board.type("arbiter penalty white reduce seconds=40:00", "arbiter y", "t", "m", "l")
    assert board.type("arbiter undo")[0].startswith(
        "The last line of this record will be withdrawn: Impose a penalty (White,"
    )
    board.type("t", "arbiter y")
    assert board.status["white"] > 5000


def test_a_claim_of_another_position_is_not_made(board: Board) -> None:
    board.type("e4", "", "arbiter claim black illegal-move", "e5", "")
    assert board.type("arbiter y")[0].startswith("The game has gone on meanwhile")
    assert all(line["do"] != "claim" for line in board.lines)


def test_two_hands_are_ruled_on_for_the_half_move_that_is_named(board: Board) -> None:
    """7.5.4: two hands for one move are an illegal move of whoever made it."""
    shown = board.type("e4", "", "e5", "", "arbiter claim arbiter two-hands ply=1")
    assert shown[0] == "Your ruling: White used two hands for half-move 1, 1. e2-e4. Stop the clocks: no."
    board.type("arbiter y")
    assert any("Illegal move number one by White." in line for line in board.said)


@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("claim arbiter two-hands 1", "1"),
        ("claim arbiter illegal-move ply=1", "1"),
        ("claim black flag e2e4", "e2e4"),
        ("penalty white warning seconds=2:00", "2:00"),
        ("penalty white loss points=1/2 phone-rang", "1/2"),
    ],
)
def test_a_value_that_means_nothing_beside_the_others_is_refused(board: Board, line: str, extra: str) -> None:
    shown = board.type("e4", "", "e5", "", f"arbiter {line}")
    assert shown[0] == f'"{extra}" is too much here.'
    assert board.type("arbiter y") == ["Nothing was asked back."]


def test_a_flag_that_has_fallen_is_claimed_whatever_comes(tmp_path: Path) -> None:
    board = Board(tmp_path / "game", time_control="60", rules=EventRules(supervised=False))
    board.type(*["e4", "", "arbiter claim black flag", "e5", ""])
    board.type("arbiter y")
    assert board.lines[-1]["do"] == "claim"


@pytest.mark.parametrize("text", ["e2e4", "e2e5"])
def test_nobody_reads_from_the_arbiters_lines_whether_a_move_is_legal(board: Board, text: str) -> None:
    board.type(text)
    assert any(f"{text[:2]}-{text[2:]}" in line for line in board.type("arbiter"))
    assert text[:2] in board.type("arbiter undo")[0]


def test_nobody_reads_before_a_claim_is_made_whether_it_is_right(board: Board) -> None:
    """9.5: it is the claim that is ruled on, and a wrong one costs time."""
    board.type(*["Nf3", "", "Nf6", "", "Ng1", "", "Ng8", "", "Nf3", "", "Nf6", "", "Ng1", ""])
    asked = board.type("arbiter claim black threefold move=Ng8")
    assert asked[0].endswith("Move: Nf6-g8. Stop the clocks: no.")
    board.type("arbiter y")
    assert board.status["result"] == "1/2-1/2"


def test_both_times_are_shown(board: Board) -> None:
    assert board.type("arbiter")[2:4] == ["White: 1:30:25", "Black: 1:30:30"]


def test_a_line_with_a_time_begins_with_a_capital_letter(tmp_path: Path) -> None:
    board = Board(tmp_path / "game", language="pl")
    assert board.type("arbiter")[2:4] == ["Białe: 1:30:25", "Czarne: 1:30:30"]


def test_what_has_come_back_is_not_read_back_as_a_new_move(board: Board) -> None:
    board.type("e4", "", "e5", "")
    before = len(board.said)
    board.type("arbiter restore 1", "arbiter y")
    assert "Hector: Eva vier" not in board.said[before:]


def test_a_penalty_that_is_withdrawn_leads_back_to_no_position(board: Board) -> None:
    board.type("e4", "", "arbiter penalty white warning", "arbiter y")
    before = len(board.said)
    board.type("arbiter undo", "arbiter y")
    assert board.said[before:] == ["Hector: The last entry is withdrawn."]


def test_a_stop_of_the_clocks_that_is_withdrawn_is_told_with_the_clock_that_runs(board: Board) -> None:
    board.type("arbiter stop-clock")
    before = len(board.said)
    board.type("arbiter undo", "arbiter y")
    assert "Hector: The last entry is withdrawn." in board.said[before:]
    assert board.status["running"] == "white"


def test_what_hector_has_just_shown_is_not_shown_twice(board: Board) -> None:
    board.shown = board.said
    board.desk.open(board.table, lambda: board.folder, board.said.append)
    board.type("arbiter stop-clock")
    assert sum("stopped" in line for line in board.said) == 1


def test_a_ruling_of_several_sentences_is_not_shown_twice(board: Board) -> None:
    board.shown = board.said
    board.desk.open(board.table, lambda: board.folder, board.said.append)
    board.type("e4", "", "Ke8e6", "", "arbiter claim white illegal-move", "arbiter y")
    told = [line.removeprefix("Hector: ") for line in board.said]
    assert len(set(told)) > 1
    assert all(told.count(line) == 1 for line in told[-3:])
    assert not any(told[-2] in line and line != told[-2] for line in told)


def test_a_line_of_the_arbiter_is_no_move_to_be_sealed(tmp_path: Path) -> None:
    board = Board(tmp_path / "game")
    keep_key(board.folder, public_key(new_key("drei kleine Springer", Work(passes=1, memory=8192))))
    secretary = Secretary(board.table, lambda: board.folder, board.shown.append, is_others=board.desk.is_his)
    assert secretary.take("adjourn", 5.0)
    assert board.type("arbiter stop-clock")[0].startswith("A move is to be sealed: close ")
    assert secretary.take("seal", 15.0)
    assert secretary.take("arbiter stop-clock a telephone rang", 20.0)
    assert board.shown[-1].startswith("First the move")
    assert [line["do"] for line in board.lines][-1] == "adjourn"
    assert secretary.take("e4", 25.0)
    assert board.lines[-1]["do"] == "seal"


def test_a_players_move_lets_the_question_stand_but_not_a_ruling_about_another_position(board: Board) -> None:
    board.type("arbiter penalty white warning", "e4", "")
    board.type("arbiter y")
    assert board.lines[-1]["do"] == "penalty"
    board.type("arbiter restore 0", "e5", "")
    board.type("arbiter y")
    assert board.lines[-1]["do"] != "restore"


def test_a_claim_that_waits_is_shown_and_ruled_on(tmp_path: Path) -> None:
    rules = EventRules(quickplay_finish=True)
    board = Board(tmp_path / "game", laws="2014", time_control="5400", rules=rules)
    board.table.course.rule({"at": 0.0, "do": "set-clock", "white": 90, "black": 90})
    board.type("e4", "", "e5", "", "arbiter claim white quickplay-finish", "arbiter y")
    shown = board.type("arbiter")
    assert shown[0].startswith("White claims: ")
    board.type("arbiter rule reject 2:00", "arbiter y")
    assert (board.lines[-1]["do"], board.lines[-1]["claim"], board.lines[-1]["seconds"]) == (
        "rule", "reject", 120,
    )  # fmt: skip


def test_the_arbiter_is_shown_that_a_reply_is_sealed_and_with_which_words_it_goes_on(board: Board) -> None:
    """I.9.3."""
    for line in (
        {"do": "adjourn"},
        {"do": "seal", "side": "white", "move": "e2e4"},
        {"do": "stop-clock", "by": "white"},
    ):
        board.table.act(line, board.at)
    assert any(" resumption," in line for line in board.type("arbiter"))
    for line in (
        {"do": "arrive", "side": "black"},
        {"do": "resume"},
        {"do": "open-envelope"},
    ):
        board.table.act(line, board.at)
    assert not any(" open," in line for line in board.type("arbiter"))
    board.table.act({"do": "seal", "side": "black", "move": "e7e5"}, board.at)
    shown = board.type("arbiter")
    assert "Black has sealed the reply." in shown and "Black to move." not in shown
    assert any(" here," in line and " open, lost," in line for line in shown)


def test_who_calls_is_shown_first_until_the_arbiter_has_come(board: Board) -> None:
    board.type("Schiedsrichter")
    assert board.type("arbiter")[0] == "White calls the arbiter."
    board.type("arbiter answer-call")
    assert board.type("arbiter")[0] == "Nothing waits for you."


def test_a_ruling_without_a_question_rules_nothing(board: Board) -> None:
    assert board.type("arbiter rule accept") == ["Nothing waits for you."]
    assert board.lines[-1]["do"] == "start"


def test_a_result_ends_the_game(board: Board) -> None:
    board.type("arbiter result 1/2-0", "arbiter y")
    assert board.table.over
    assert board.status["result"] == "1/2-0"


def test_the_last_line_is_withdrawn(board: Board) -> None:
    board.type("e4", "arbiter undo", "arbiter y")
    assert board.lines[-1]["do"] == "undo"
    assert "not done" in " ".join(board.type("e4", "", "arbiter undo")).lower()


def test_times_are_set(board: Board) -> None:
    board.type("arbiter set-clock white=1:00:00 black=30:00 moves=12 setting", "arbiter y")
    line = board.lines[-1]
    assert (line["white"], line["black"], line["moves"], line["reason"]) == (3600, 1800, 12, "setting")


def test_two_sheets_are_compared(board: Board) -> None:
    board.type("e4", "", "e5", "")
    shown = board.type("arbiter sheets white=1. e4 e5 black=1. e4 e6")
    assert "1..." in shown[0]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("arbiter set-clock", "All fields are empty: please fill in at least one."),
        ("arbiter penalty white add-opponent", "Time, m:ss: please fill this in."),
        ("arbiter penalty white points-offender", "Points: please fill this in."),
        ("arbiter ask law", "please fill this in"),
        ("arbiter penalty white warning seconds=1 seconds=2", '"seconds=2" is too much here.'),
        ("arbiter y", "Nothing was asked back."),
        ("arbiter n", "Nothing was asked back."),
        ("arbiter yes please", '"yes" is nothing that the arbiter can type.'),
        ("arbiter fly", '"fly" is nothing that the arbiter can type.'),
        ("arbiter close", "Without the word arbiter: adjourn, seal, close, "),
        ("arbiter adjourn Sunday", "Without the word arbiter: adjourn, seal, close, "),
        ("arbiter press", "Player: please fill this in."),
        ("arbiter press white now", '"now" is too much here.'),
        ("arbiter resume the game", '"the game" is too much here.'),
        ("arbiter penalty white warning colour=red", '"colour=red" is too much here.'),
        ("arbiter stop-clock noise=loud", '"noise=loud" is too much here.'),
        ("arbiter note a bell\x1b[2J", "Remark: this cannot be read."),
    ],
)
def test_what_cannot_be_read_is_told_and_changes_nothing(board: Board, line: str, told: str) -> None:
    assert told in board.type(line)[0]
    assert [each["do"] for each in board.lines] == ["start"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("arbiter claim white threefold Nf3 wait", "That could not be read as one move."),
        ("arbiter penalty white warning seconds=2:00", '"seconds=2:00" is too much here.'),
        ("arbiter rule accept 2:00", '"2:00" is too much here.'),
    ],
)
def test_what_needs_a_clock_cannot_be_typed_where_there_is_none(tmp_path: Path, line: str, told: str) -> None:
    board = Board(tmp_path / "game", time_control="-")
    board.type("e4")
    shown = board.type(line)
    assert shown[0].startswith(told)
    assert not re.search("wait|seconds|SS", shown[-1])


def test_a_value_that_is_none_is_told_with_how_the_line_is_written(board: Board) -> None:
    shown = board.type("arbiter penalty white beheading")
    assert "Penalty" in shown[0]
    assert shown[1].startswith("arbiter penalty white|black warning|add-opponent|")


def test_before_the_start_nothing_is_ruled(tmp_path: Path) -> None:
    shown: list[str] = []
    record = open_record(tmp_path / "game", shown.append)
    table = Table(Setup(press="key", language="en"), VOCABULARY, Thresholds(), PaperVoice(), record)
    desk = Desk()
    desk.open(table, lambda: tmp_path / "game", shown.append)
    assert desk.take("arbiter stop-clock", 0.0)
    assert shown == ["The clock has not been started."]
    assert desk.take("arbiter", 0.0)
    assert not table.course.steps


def test_with_a_page_the_arbiter_is_sent_there(tmp_path: Path) -> None:
    board = Board(tmp_path / "game")
    board.desk = Desk(lambda: "http://127.0.0.1:8374/")
    board.desk.open(board.table, lambda: board.folder, board.shown.append)
    assert board.type("arbiter result 1-0") == [
        "The arbiter's actions are entered on the page: http://127.0.0.1:8374/"
    ]
    assert board.type("arbiter y") == board.shown[-1:]
    assert board.status["result"] == "*"


def test_every_line_that_can_be_typed_is_told_with_its_fields() -> None:
    lines = list(usage("en", has_clock=True))
    assert "arbiter rule accept|reject|postpone [seconds=M:SS]: Rule on the open question." in lines
    assert "arbiter restore NUMBER: Restore a position." in lines
    assert "arbiter sheets white=MOVES black=MOVES: Compare the two scoresheets." in lines
    assert len(lines) >= 24
    assert all(line.split()[1].rstrip(":") in BY_VERB for line in lines)


@pytest.mark.parametrize("form", [form for form in FORMS if form.fields], ids=lambda form: form.do)
def test_every_field_of_every_form_can_be_named(form: Any) -> None:
    written = {
        field.name: "on" if field.kind == "tick" else (field.choices or (f"some-{field.name}",))[-1]
        for field in form.fields
    }
    line = " ".join(f"{name}={value}" for name, value in written.items())
    assert read_line(form, line, "en") == written


def test_too_many_words_are_refused_not_dropped() -> None:
    with pytest.raises(FormError, match="twice"):
        read_line(BY_VERB["press"], "white twice", "en")


def test_at_a_game_by_keyboard_the_arbiter_types_before_and_after_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    with at_terminal(folder) as (game, controller, _end):
        os.write(controller, b"arbiter\n")
        game.expect("^Nichts wartet")
        os.write(controller, b"\n")
        game.expect("Die Uhr von Weiß läuft")
        os.write(controller, b"arbiter result 0-1\n")
        game.expect("^arbiter y")
        os.write(controller, b"arbiter y\n")
        assert game.wait() == 0
    assert read(folder).lines[-1]["do"] == "result"
    assert game.errors == ""


def test_where_there_is_no_page_no_web_server_is_loaded() -> None:
    program = (
        "import sys; sys.modules['aiohttp'] = None\n"
        "import assistant.table.live\n"
        "from assistant.cli.page import desk_of\n"
        "desk_of(None)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
