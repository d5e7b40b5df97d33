"""The keys of a terminal: every one known at once, edited as a terminal would, and given back at the end."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_game import type_only
from typed import HeardVoice

from assistant.announcements import Thresholds, load_vocabulary
from assistant.quiet import Printer
from assistant.speaking import EquipmentSentences, Sentences
from assistant.table import Guest, NoRecord, PaperVoice, Setup, Table
from assistant.table.agreed import Beforehand
from assistant.table.keyboard import Keyboard
from assistant.table.lineeditor import ESCAPE, HELP, LineEditor
from assistant.table.live import _wait_for_start
from assistant.table.voices import is_an_answer

PATIENCE = 20.0


def typed(*pieces: str) -> tuple[list[str], str]:
    editor, lines, shown = LineEditor(), list[str](), ""
    for piece in pieces:
        more, echo = editor.take(piece)
        lines += more
        shown += echo
    return lines, shown


def screen(shown: str) -> str:
    """Return what stands on a terminal that knows the backspace and nothing else."""
    line: list[str] = []
    at = 0
    for sign in shown:
        if sign == "\b":
            at -= 1
        else:
            line[at : at + 1] = [sign]
            at += 1
    return "".join(line)


def test_the_space_bar_at_the_beginning_of_a_line_is_a_line_of_its_own() -> None:
    assert typed(" ", "eva vier\r", " ") == (["", "eva vier", ""], "eva vier\n")


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("Sf4\x7f3\r", "Sf3"),
        ("läufer\b\b\b\b\b\bturm\r", "turm"),
        ("eva fünf\x17vier\n", "eva vier"),
        ("eva fünf \x17\x17\r", ""),
        ("xyzzy\x15e4\r", "e4"),
        ("\x7f\x7fe4\r", "e4"),
        ("\x1b[A\x1b[1;5C\x1bOHe4\x1b[3~\r", "e4"),
        ("e\x00\x014\t\r", "e4"),
        ("e\x044\r", "e4"),
    ],
)
def test_a_line_is_edited_as_in_a_terminal(keys: str, line: str) -> None:
    assert typed(keys)[0] == [line]
    # Each key may come by itself, but for what a key sends together.
    if "\x1b" not in keys:
        assert typed(*keys)[0] == [line]


@given(st.text(alphabet="eä4 \x7f\x15\x17", max_size=30))
def test_what_stands_on_the_terminal_is_what_was_typed(keys: str) -> None:
    lines, shown = typed("x", *keys)
    assert "\n" not in shown
    editor = LineEditor()
    editor.take("x" + keys)
    assert screen(shown).rstrip() == editor.rest().rstrip()
    assert set(lines) <= {""}


def test_what_is_hidden_is_not_shown_and_may_begin_with_a_blank() -> None:
    editor = LineEditor()
    editor.hidden = True
    assert editor.take(" pass phrasex\x7f\r") == ([" pass phrase"], "\n")


def test_escape_silences_and_drops_what_was_begun() -> None:
    assert typed("eva", "\x1b", "e4\r")[0] == [ESCAPE, "e4"]


SPECIAL_KEYS = {
    "Linux console, F1 to F5": "\x1b[[A \x1b[[B \x1b[[C \x1b[[D \x1b[[E",
    "Linux console, F6 to F12": "\x1b[17~ \x1b[18~ \x1b[19~ \x1b[20~ \x1b[21~ \x1b[23~ \x1b[24~",
    "xterm, F1 to F4": "\x1bOP \x1bOQ \x1bOR \x1bOS",
    "xterm, F1 to F5 with the shift key": "\x1b[1;2P \x1b[1;2Q \x1b[1;2R \x1b[1;2S \x1b[15;2~",
    "old xterm, F1 with control": "\x1bO5P",
    "rxvt, F1 to F5": "\x1b[11~ \x1b[12~ \x1b[13~ \x1b[14~ \x1b[15~",
    "rxvt, with shift, control, both": "\x1b[23$ \x1b[3$ \x1b[3^ \x1b[3@ \x1b[a \x1bOa",
    "rxvt, arrows with Alt": "\x1b\x1b[A \x1b\x1bOB",
    "Home and End": "\x1b[H \x1b[F \x1bOH \x1bOF \x1b[1~ \x1b[4~ \x1b[7~",
    "Insert, Delete, pages": "\x1b[2~ \x1b[3~ \x1b[5~",
    "arrows, the keypad's centre": "\x1b[A \x1bOB \x1b[1;5C \x1b[E \x1b[G",
    "the keypad as an application has it": "\x1bOp \x1bOM \x1bOk",
    "a sign with Alt": "\x1bx \x1b\x7f",
    "a mouse": "\x1b[M !! \x1b[<0;12;7M \x1b[<0;12;7m \x1b[32;12;7M",
    "the window is looked at, or not": "\x1b[I \x1b[O",
}


@pytest.mark.parametrize("terminal", SPECIAL_KEYS)
def test_a_key_that_is_no_sign_leaves_nothing_on_the_line(terminal: str) -> None:
    for key in re.findall(r"\x1b+[^\x1b]+?(?= \x1b|$)", SPECIAL_KEYS[terminal]):
        lines, shown = typed(key, "e4\r", key, " ")
        assert [line for line in lines if line != HELP] == ["e4", ""], repr(key)
        assert shown == "e4\n"


@pytest.mark.parametrize("key", ["\x1b[[A", "\x1b[1;2P", "\x1b[24~", "\x1b\x1b[A"])
def test_a_key_whose_signs_come_in_any_pieces_is_not_typed(key: str) -> None:
    for cut in range(1, len(key)):
        lines, _shown = typed(key[:cut], key[cut:], "e4\r")
        assert [line for line in lines if line not in (ESCAPE, HELP)] == ["e4"]
    assert typed(*key, "e4\r")[0][-1] == "e4"


def test_a_key_that_comes_behind_others_in_pieces_is_not_typed() -> None:
    assert typed("e4\r\x1b", "OP", "e5\r") == (["e4", ESCAPE, HELP, "e5"], "e4\ne5\n")
    assert typed("e4\x1bO", "Qd\r")[0] == ["e4d"]


def test_what_breaks_off_in_a_control_sequence_is_taken() -> None:
    assert typed("\x1b[1", "\r")[0] == [""]


@pytest.mark.parametrize("f1", ["\x1bOP", "\x1b[11~", "\x1b[[A"])
def test_f1_asks_for_the_keys_and_keeps_what_was_begun(f1: str) -> None:
    assert typed("e", f1, "4\r") == ([HELP, "e4"], "e4\n")
    editor = LineEditor()
    editor.hidden = True
    assert editor.take(f1) == ([], "")


def test_pasted_text_is_read_whole() -> None:
    assert typed("\x1b[200~eva vier\x1b[201~", "\r")[0] == ["eva vier"]
    assert typed("\x1b[200~e4\re5\r\x1b[201~")[0] == ["e4", "e5"]


@pytest.mark.parametrize(
    ("pasted", "lines"), [(" e4", []), ("\r\n", []), (" ", []), (" e4\r\r", ["e4"]), ("e4 e5", [])]
)
def test_a_paste_presses_no_clock(pasted: str, lines: list[str]) -> None:
    editor = LineEditor()
    assert editor.take(f"\x1b[200~{pasted}\x1b[201~")[0] == lines
    editor.take("\x15")
    assert editor.take(" ")[0] == [""]


def test_a_hidden_line_is_pasted_with_the_blank_that_it_begins_with() -> None:
    editor = LineEditor()
    editor.hidden = True
    assert editor.take("\x1b[200~ drei kleine Springer\x1b[201~\r")[0] == [" drei kleine Springer"]


@pytest.mark.parametrize(("term", "marks"), [("xterm", 2), ("dumb", 0)])
def test_a_terminal_marks_pastes_only_while_the_program_reads_it(
    monkeypatch: pytest.MonkeyPatch, term: str, marks: int
) -> None:
    monkeypatch.setenv("TERM", term)
    controller, end = pty.openpty()
    with Keyboard(end):
        pass
    os.write(end, b".")
    shown = ""
    while not shown.endswith("."):
        shown += os.read(controller, 100).decode()
    assert shown == "\x1b[?2004h\x1b[?2004l."[-1 - 8 * marks :]
    os.close(controller)
    os.close(end)


def test_escape_twice_at_once_is_escape() -> None:
    assert typed("eva\x1b\x1b", "e4\r")[0] == [ESCAPE, "e4"]


@pytest.mark.parametrize("line", ["O-O", "Oui", "OUI", "o"])
def test_what_is_typed_after_escape_is_typed(line: str) -> None:
    assert typed(ESCAPE, *line, "\r")[0] == [ESCAPE, line]
    assert typed(ESCAPE, f"{line}\r")[0] == [ESCAPE, line]


def test_an_arrow_that_comes_in_two_pieces_is_not_typed() -> None:
    assert typed("\x1b", "[A", "e4\r")[0] == [ESCAPE, "e4"]
    assert typed("\x1b", "e4\r")[0] == [ESCAPE, "e4"]


class Terminal:
    """A pseudo-terminal with the program's keyboard at it."""

    def __init__(self) -> None:
        self.controller, self.end = pty.openpty()
        self.before = termios.tcgetattr(self.end)
        self.touched = threading.Event()
        self.keyboard = Keyboard(self.end, on_key=self.touched.set).__enter__()
        self.lines: list[str] = []

    def press(self, keys: str) -> None:
        self.touched.clear()
        os.write(self.controller, keys.encode())

    def wait_for(self, *lines: str) -> None:
        done = threading.Event()
        for _ in range(round(PATIENCE / 0.01)):
            self.lines += self.keyboard.pending()
            if self.lines == list(lines) or self.keyboard.ended:
                break
            done.wait(0.01)
        assert self.lines == list(lines)

    def close(self) -> None:
        self.keyboard.close()
        os.close(self.controller)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setenv("TERM", "dumb")
    terminal = Terminal()
    yield terminal
    terminal.close()


def test_a_key_is_known_before_its_line_is_complete(terminal: Terminal) -> None:
    terminal.press("S")
    assert terminal.touched.wait(PATIENCE)
    assert terminal.keyboard.pending() == []
    terminal.press("f3\r")
    terminal.wait_for("Sf3")
    terminal.press(" ")
    terminal.wait_for("Sf3", "")


def test_what_is_typed_is_shown_once(terminal: Terminal) -> None:
    terminal.press("Lä\x7fä\r")
    terminal.wait_for("Lä")
    shown = b""
    while not shown.endswith(b"\n"):
        shown += os.read(terminal.controller, 100)
    assert shown.decode() == "Lä\b \bä\r\n"


@pytest.mark.parametrize(
    ("encoding", "bytes_of"), [("iso8859-1", "iso8859-1"), ("iso8859-2", "iso8859-2"), ("ascii", "utf-8")]
)
def test_letters_are_read_and_shown_as_the_terminal_writes_them(
    monkeypatch: pytest.MonkeyPatch, encoding: str, bytes_of: str
) -> None:
    """A German in an old locale types "König", whatever bytes his terminal makes of it."""
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    terminal = Terminal()
    for sign in "König Eva zwei\r":
        os.write(terminal.controller, sign.encode(bytes_of))
    terminal.wait_for("König Eva zwei")
    shown = b""
    while not shown.endswith(b"\n"):
        shown += os.read(terminal.controller, 100)
    assert shown.decode(bytes_of) == "König Eva zwei\r\n"
    terminal.close()


@pytest.mark.parametrize("keys", ["s\r", "S \r", "\x1b"])
def test_silence_waits_for_nobody(keys: str) -> None:
    controller, end = pty.openpty()
    silenced = threading.Event()
    with Keyboard(end, on_silence=silenced.set):
        os.write(controller, keys.encode())
        assert silenced.wait(PATIENCE)
    os.close(controller)


def test_control_and_d_end_nothing(terminal: Terminal) -> None:
    terminal.press("\x04")
    assert terminal.touched.wait(PATIENCE)
    terminal.press("e4\r")
    terminal.wait_for("e4")
    assert not terminal.keyboard.ended


def test_a_terminal_at_which_nobody_waits_is_still_a_keyboard() -> None:
    """O_NONBLOCK belongs to the open file, so that another program may leave it behind."""
    controller, end = pty.openpty()
    os.set_blocking(end, False)
    with Keyboard(end) as keyboard:
        # Whoever took it for the end of the input would be done with it by now.
        keyboard._thread.join(0.2)
        os.write(controller, b"e4\r")
        found: list[str] = []
        for _ in range(round(PATIENCE / 0.01)):
            found += keyboard.pending()
            if found or keyboard.ended:
                break
            threading.Event().wait(0.01)
        assert found == ["e4"]
        assert not keyboard.ended
    os.close(controller)


def test_a_terminal_that_is_gone_ends_the_keyboard() -> None:
    """Its other end was closed: there is nothing more to read from it, and every attempt fails."""
    controller, end = pty.openpty()
    with Keyboard(controller) as keyboard:
        os.close(end)
        keyboard._thread.join(PATIENCE)
        assert keyboard.pending() == []
    assert keyboard.ended
    os.close(controller)


def test_a_line_has_the_time_at_which_it_was_complete(terminal: Terminal) -> None:
    before = time.monotonic()
    terminal.press("e4\r")
    assert terminal.touched.wait(PATIENCE)
    while not (lines := terminal.keyboard._lines.qsize()):
        assert time.monotonic() < before + PATIENCE
    after = time.monotonic()
    [(text, at)] = terminal.keyboard.lines()
    assert (lines, text) == (1, "e4")
    assert before < at < after


def test_the_terminal_is_left_as_it_was(terminal: Terminal) -> None:
    assert not termios.tcgetattr(terminal.end)[3] & termios.ECHO
    terminal.keyboard.close()
    assert termios.tcgetattr(terminal.end) == terminal.before


def test_a_keyboard_that_nobody_has_entered_has_taken_nothing() -> None:
    """A signal before that finds nobody who would give it back."""
    controller, end = pty.openpty()
    before = termios.tcgetattr(end)
    keyboard = Keyboard(end)
    assert termios.tcgetattr(end) == before
    with keyboard:
        assert termios.tcgetattr(end) != before
    os.close(controller)


def test_a_signal_as_soon_as_the_keys_are_taken_leaves_the_terminal_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    controller, end = pty.openpty()
    before = termios.tcgetattr(end)

    def interrupted(*given: Any) -> None:
        monkeypatch.undo()
        termios.tcsetattr(*given)
        assert termios.tcgetattr(end) != before
        raise KeyboardInterrupt

    monkeypatch.setattr(termios, "tcsetattr", interrupted)
    with pytest.raises(KeyboardInterrupt), Keyboard(end):
        pass
    assert termios.tcgetattr(end) == before
    os.close(controller)


def test_a_signal_as_soon_as_the_program_heeds_its_waking_leaves_that_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    controller, end = pty.openpty()
    usual = signal.getsignal(signal.SIGCONT)

    def interrupted(*given: Any) -> None:
        monkeypatch.undo()
        signal.signal(*given)
        assert signal.getsignal(signal.SIGCONT) != usual
        raise KeyboardInterrupt

    monkeypatch.setattr(signal, "signal", interrupted)
    with pytest.raises(KeyboardInterrupt), Keyboard(end):
        pass
    assert signal.getsignal(signal.SIGCONT) == usual
    os.close(controller)


def test_whoever_breaks_into_the_wait_for_a_terminal_that_shows_nothing_finds_it_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(_echo: Printer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(Printer, "close", interrupted)
    controller, end = pty.openpty()
    before = termios.tcgetattr(end)
    with pytest.raises(KeyboardInterrupt), Keyboard(end):
        pass
    assert termios.tcgetattr(end) == before
    os.close(controller)


def test_a_signal_while_the_terminal_is_given_back_does_not_keep_it(
    monkeypatch: pytest.MonkeyPatch, terminal: Terminal
) -> None:
    def interrupted(*given: Any) -> None:
        monkeypatch.undo()
        signal.signal(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(signal, "signal", interrupted)
    with pytest.raises(KeyboardInterrupt):
        terminal.keyboard.close()
    assert termios.tcgetattr(terminal.end) == terminal.before


def test_no_key_stops_the_program_or_its_screen(terminal: Terminal) -> None:
    """Control with Z, \\ and S: the clock would run on while nobody can press it."""
    terminal.press("\x1a\x1c\x13e4\r")
    terminal.wait_for("e4")
    modes, before = termios.tcgetattr(terminal.end), terminal.before
    assert modes[6][termios.VSUSP] == modes[6][termios.VQUIT] == b"\0"
    assert before[0] & termios.IXON and not modes[0] & termios.IXON


def test_a_program_that_goes_on_after_it_was_stopped_has_its_keys_again(terminal: Terminal) -> None:
    """A shell has set the terminal's modes as it likes them meanwhile."""
    taken = termios.tcgetattr(terminal.end)
    termios.tcsetattr(terminal.end, termios.TCSANOW, terminal.before)
    signal.raise_signal(signal.SIGCONT)
    assert termios.tcgetattr(terminal.end) == taken


def test_what_is_to_be_hidden_is_hidden_whatever_the_terminal_was_set_to(terminal: Terminal) -> None:
    termios.tcsetattr(terminal.end, termios.TCSANOW, terminal.before)
    terminal.keyboard.hide(True)
    assert not termios.tcgetattr(terminal.end)[3] & termios.ECHO


def test_a_keyboard_that_is_closed_leaves_the_signal_as_it_was() -> None:
    before = signal.getsignal(signal.SIGCONT)
    terminal = Terminal()
    assert signal.getsignal(signal.SIGCONT) != before
    terminal.close()
    assert signal.getsignal(signal.SIGCONT) == before


def test_lines_are_taken_where_their_terminal_shows_nothing_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, shows = Terminal(), threading.Event()
    write = os.write

    def hang(descriptor: int, data: bytes) -> int:
        return (
            len(data) if descriptor == terminal.end and shows.wait(2 * PATIENCE) else write(descriptor, data)
        )

    monkeypatch.setattr(os, "write", hang)
    terminal.press("e4\r")
    terminal.wait_for("e4")
    terminal.press(" ")
    terminal.wait_for("e4", "")
    shows.set()
    terminal.close()


def test_what_hangs_on_its_way_to_the_screen_holds_up_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    shows = threading.Event()
    screen = Printer(lambda line: shows.wait(PATIENCE) and print(line))
    screen.show("one")
    screen.show("two")
    assert not shows.is_set()
    shows.set()
    screen.close()
    assert capfd.readouterr().out == "one\ntwo\n"


def test_what_is_shown_slowly_is_waited_for_to_the_last_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line takes almost as long as would be waited for one that hangs."""
    monkeypatch.setattr(Printer, "PATIENCE", 0.2)
    slow = threading.Event()
    screen = Printer(lambda line: slow.wait(0.1) or print(line))
    for line in "12345":
        screen.show(line)
    screen.close()
    assert capfd.readouterr().out == "1\n2\n3\n4\n5\n"


def test_any_key_cuts_answers_and_nothing_that_has_happened() -> None:
    say = Sentences("de", "white")
    answers = [say.times(5_400_000, 5_400_000), say.help(["Zeit"]), say.dropped(), say.moves_completed(3)]
    told = [say.readback("Eva vier", 1), say.corrected("Eva drei", 1), say.repeat_differs("Eva vier")]
    equipment = EquipmentSentences("de", "white")
    lost = [equipment.device_lost("microphone"), equipment.slept(60_000)]
    assert all(map(is_an_answer, answers))
    assert not any(map(is_an_answer, [*told, *lost]))


class Starter:
    """A guest who starts the clock as soon as nobody else has."""

    starts = True
    stays = False

    def attend(self) -> None:
        pass


@pytest.mark.parametrize(
    ("typed", "started", "left"),
    [
        (b"\ne4\n", True, ["e4"]),
        (b"e4\n\n", True, ["e4", ""]),
        (b"?\n\nNf3\n", True, ["Nf3"]),
        (b"q\n", False, ["q"]),
        (b"\x1b\nq\n", False, ["q"]),
        (b"t\nhallo\nresign\nHilfe\nEva vier\nl\n", True, ["Eva vier", "l"]),
        (b"t\nm\nl\ndraw\nZeit\nq\n", False, ["q"]),
    ],
)
def test_nothing_that_is_typed_before_the_start_is_lost(typed: bytes, started: bool, left: list[str]) -> None:
    read, write = os.pipe()
    os.write(write, typed)
    os.close(write)
    table = Table(Setup(language="de"), load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord())
    with Keyboard(read) as keyboard:
        keyboard._thread.join(PATIENCE)
        assert (
            _wait_for_start(keyboard, cast(Guest, Starter()), None, table, Beforehand(table.course))
            is started
        )
        assert keyboard.pending() == left
    os.close(read)


def test_whoever_types_what_begins_no_game_is_told_that_the_clock_stands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    read, write = os.pipe()
    os.write(write, b"t\nq\n")
    os.close(write)
    table = Table(Setup(language="de"), load_vocabulary("de"), Thresholds(), PaperVoice(), NoRecord())
    with Keyboard(read) as keyboard:
        keyboard._thread.join(PATIENCE)
        _wait_for_start(keyboard, cast(Guest, Starter()), None, table, Beforehand(table.course))
    told = capsys.readouterr().out.split("\n")
    assert told[0] == "Die Uhr ist noch nicht in Gang."
    assert told[1].startswith("Leertaste oder Eingabetaste: ")
    os.close(read)


@pytest.mark.parametrize(
    ("time_control", "how", "not_yet", "time"),
    [
        (
            "300",
            "Leertaste oder Eingabetaste: die Uhr starten.",
            "Die Uhr ist noch nicht in Gang.",
            "Bedenkzeit: fünf Minuten.",
        ),
        (
            "-",
            "Leertaste oder Eingabetaste: die Partie beginnen.",
            "Die Partie hat noch nicht begonnen.",
            "Keine Uhr.",
        ),
    ],
)
def test_how_the_game_begins_is_said_before_it_and_whenever_something_else_was_typed(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    time_control: str,
    how: str,
    not_yet: str,
    time: str,
) -> None:
    controller, end = pty.openpty()
    voice = HeardVoice()
    with (
        os.fdopen(controller, "wb", buffering=0) as typist,
        os.fdopen(end) as terminal,
        Keyboard(terminal.fileno(), on_key=voice.hush) as keyboard,
    ):
        monkeypatch.setattr("sys.stdin", terminal)
        setup = Setup(language="de", time_control=time_control)
        table = Table(setup, load_vocabulary("de"), Thresholds(), voice, NoRecord())
        typist.write(b"m\r ")
        assert _wait_for_start(keyboard, None, None, table, Beforehand(table.course)) is True
    assert [sentence.text for sentence in voice.sentences][-3:] == [how, not_yet, how]
    assert all(is_an_answer(sentence) for sentence in voice.sentences)
    shown = capsys.readouterr().out
    assert shown.count(f"{how}\n") == 2
    assert ("Uhr starten" in shown) is (time_control != "-")
    assert voice.silent_since(0.0) <= 0.0
    table.start()
    assert table.course.teller.last_thing_said == f"Weiß: blind. {time}"


def test_what_is_typed_after_the_end_of_the_game_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    with type_only(folder, "play", "--save", str(folder)) as game:
        game.expect("^Hector: ")
        game.type("resign\ny\nq\ne4")
        assert game.wait() == 0
    assert game.lines[-1] == f"Die Partie liegt in {folder}"
    assert not any("resume" in line for line in game.lines)
