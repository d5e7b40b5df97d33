"""The journal of a game: what was appended survives everything, and nothing else is in it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from full_disk import full_disk
from hypothesis import given
from hypothesis import strategies as st

from assistant import journal
from assistant.errors import HectorError, UsageError
from assistant.journal import FILE_NAME, Journal

GAME = {"game": {"laws": "2014", "white": {"name": "Zoë"}}}
LINES = [GAME, {"at": 0, "do": "start"}, {"at": 1.5, "do": "announce", "side": "white", "move": "Läufer"}]


def play(folder: Path, lines: list[dict[str, object]] = LINES) -> Path:
    with Journal.create(folder) as written:
        for line in lines:
            written.append(line)
    return folder / FILE_NAME


def test_what_was_appended_is_read_back(tmp_path: Path) -> None:
    play(tmp_path)
    assert list(journal.read(tmp_path).lines) == LINES


def test_a_journal_is_json_lines_that_a_person_can_read(tmp_path: Path) -> None:
    path = play(tmp_path)
    assert path.read_text(encoding="utf-8").splitlines()[2] == (
        '{"at": 1.5, "do": "announce", "side": "white", "move": "Läufer"}'
    )


def test_lines_appended_together_stay_together(tmp_path: Path) -> None:
    with Journal.create(tmp_path) as written:
        written.append(*LINES)
    assert list(journal.read(tmp_path).lines) == LINES


def test_every_line_is_on_the_disk_before_append_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    write, fsync = os.write, os.fsync
    monkeypatch.setattr(os, "write", lambda *given: (calls.append("write"), write(*given))[1])
    monkeypatch.setattr(os, "fsync", lambda *given: (calls.append("fsync"), fsync(*given))[1])
    with Journal.create(tmp_path) as written:
        calls.clear()
        written.append(GAME)
        assert calls == ["write", "fsync"]


def test_a_new_journal_does_not_touch_one_that_is_there(tmp_path: Path) -> None:
    before = play(tmp_path).read_bytes()
    with pytest.raises(HectorError, match="hector resume"):
        Journal.create(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_folder_with_a_blank_is_quoted_in_the_command_to_be_typed(tmp_path: Path) -> None:
    folder = tmp_path / "a game"
    play(folder)
    with pytest.raises(HectorError, match=f"hector resume '{folder}'$"):
        Journal.create(folder)


def test_a_folder_without_a_game_is_named(tmp_path: Path) -> None:
    with pytest.raises(HectorError, match="holds no game"):
        journal.read(tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"There is no folder {tmp_path / 'nothing'}"):
        journal.read(tmp_path / "nothing")


def test_a_file_in_the_place_of_the_folder_is_told_as_one(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.touch()
    with pytest.raises(UsageError, match=f"{file} is a file; name the folder of a game."):
        journal.read(file)


def test_the_folder_is_made_if_it_is_missing(tmp_path: Path) -> None:
    play(tmp_path / "club" / "evening")
    assert len(journal.read(tmp_path / "club" / "evening").lines) == 3


# Torn ends and damaged middles


@given(st.data())
def test_a_journal_cut_anywhere_keeps_every_line_before_the_cut(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("game")
    path = play(folder)
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    zeros = data.draw(st.sampled_from([b"", b"\0" * 7, b"\0" * 4096]))
    path.write_bytes(whole[:cut] + zeros)
    lines = list(journal.read(folder).lines)
    assert lines == LINES[: len(lines)]
    # A line without its newline is whole if its object is.
    complete = whole[:cut].count(b"\n")
    assert complete <= len(lines) <= complete + 1


@given(st.integers(0, 500))
def test_a_torn_journal_goes_on_after_its_last_whole_line(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    folder = tmp_path_factory.mktemp("game")
    path = play(folder)
    path.write_bytes(path.read_bytes()[:cut])
    reopened, record = Journal.reopen(folder)
    with reopened:
        reopened.append({"at": 9, "do": "resign", "side": "white"})
    assert journal.read(folder).lines == (*record.lines, {"at": 9, "do": "resign", "side": "white"})
    assert journal.read(folder).torn == b""


def test_a_journal_of_very_many_lines_is_read(tmp_path: Path) -> None:
    """Each takes as long as any other: nobody waits for a file that somebody has blown up."""
    lines = 300_000
    (tmp_path / FILE_NAME).write_bytes(b'{"do": "start"}\n' * lines + b" \n\n")
    assert len(journal.read(tmp_path).lines) == lines


def test_a_torn_end_is_shown_and_not_removed_by_reading(tmp_path: Path) -> None:
    path = play(tmp_path)
    path.write_bytes(path.read_bytes() + b'{"at": 2, "do": "pre')
    record = journal.read(tmp_path)
    assert (list(record.lines), record.torn) == (LINES, b'{"at": 2, "do": "pre')
    assert path.read_bytes().endswith(b'"pre')


@pytest.mark.parametrize(
    "damage",
    [b"rubbish\n", b"\0\0\0\0\n", b'{"at": 1, "do"\n', b"[1, 2]\n", b"\xff\xfe\n", b"\n"],
)
@pytest.mark.parametrize("line", [0, 1])
def test_a_damaged_middle_is_told_with_its_line_and_nothing_is_changed(
    tmp_path: Path, damage: bytes, line: int
) -> None:
    path = play(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line] = damage
    path.write_bytes(b"".join(lines))
    for attempt in (journal.read, Journal.reopen):
        with pytest.raises(HectorError, match=rf"damaged in line {line + 1};"):
            attempt(tmp_path)
    assert path.read_bytes() == b"".join(lines)


@pytest.mark.parametrize("end", [b"\n", b"\r\n\r\n", b"  \n", b" "])
def test_empty_lines_at_the_end_are_no_damage_and_the_game_goes_on_behind_them(
    tmp_path: Path, end: bytes
) -> None:
    path = play(tmp_path)
    whole = journal.read(tmp_path).lines
    path.write_bytes(path.read_bytes() + end)
    assert journal.read(tmp_path).lines == whole
    book, found = Journal.reopen(tmp_path)
    with book:
        book.append({"at": 99.0, "do": "press", "side": "white"})
    assert journal.read(tmp_path).lines == (*whole, {"at": 99.0, "do": "press", "side": "white"})
    assert found.lines == whole


def test_a_last_line_that_ends_properly_and_makes_no_sense_is_damage_not_a_tear(tmp_path: Path) -> None:
    path = play(tmp_path)
    path.write_bytes(path.read_bytes() + b"rubbish\n")
    with pytest.raises(HectorError, match="damaged in line 4"):
        journal.read(tmp_path)


def test_a_line_of_nothing_but_brackets_is_damage(tmp_path: Path) -> None:
    path = play(tmp_path)
    path.write_bytes(path.read_bytes() + b"[" * 200_000 + b"\n")
    with pytest.raises(HectorError, match="damaged in line 4"):
        journal.read(tmp_path)


@pytest.mark.parametrize("value", [r'"a\ud800b"', "NaN", "1e999"])
def test_a_line_that_no_journal_could_hold_again_is_damage(tmp_path: Path, value: str) -> None:
    path = play(tmp_path)
    path.write_text(path.read_text("utf-8") + f'{{"at": 2, "do": "note", "about": {value}}}\n', "utf-8")
    with pytest.raises(HectorError, match="is damaged in line 4"):
        journal.read(tmp_path)


def test_a_journal_that_its_reader_refuses_is_left_as_it_is_with_its_torn_end(tmp_path: Path) -> None:
    path = play(tmp_path)
    path.write_bytes(path.read_bytes() + b'{"at": 9, "d')
    before = path.read_bytes()

    def refuse(_record: journal.Record) -> None:
        raise HectorError("not this one")

    with pytest.raises(HectorError, match="not this one"):
        Journal.reopen(tmp_path, refuse)
    assert path.read_bytes() == before
    Journal.reopen(tmp_path)[0].close()


def test_a_script_written_by_hand_without_a_last_newline_is_whole(tmp_path: Path) -> None:
    path = play(tmp_path)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert list(journal.read(tmp_path).lines) == LINES


# A disk that refuses


def test_a_write_that_breaks_off_in_the_middle_leaves_nothing_behind(tmp_path: Path) -> None:
    with Journal.create(tmp_path) as written:
        written.append(GAME)
        before = written.path.read_bytes()
        with full_disk(len(before) + 10), pytest.raises(HectorError, match="cannot be recorded") as caught:
            written.append({"at": 1, "do": "announce", "side": "white", "move": "e2e4"})
        assert written.path.read_bytes() == before
        assert str(caught.value).count(". ") == 1
        written.append({"at": 2, "do": "press", "side": "white"})
    assert journal.read(tmp_path).lines[1:] == ({"at": 2, "do": "press", "side": "white"},)


@pytest.mark.parametrize("failing", ["write", "fsync"])
def test_a_full_disk_is_one_sentence_and_the_game_so_far_is_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    with Journal.create(tmp_path) as written:
        written.append(GAME)
        before = written.path.read_bytes()

        def full(*_given: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr(os, failing, full)
            with pytest.raises(HectorError, match="No space left on device"):
                written.append({"at": 1, "do": "start"})
        assert written.path.read_bytes() == before
        written.append({"at": 2, "do": "start"})
    assert list(journal.read(tmp_path).lines) == [GAME, {"at": 2, "do": "start"}]


def test_what_could_not_even_be_removed_is_removed_before_the_next_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.create(tmp_path) as written:
        written.append(GAME)

        def broken(*_given: object) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", broken)
            patch.setattr(os, "ftruncate", broken)
            with pytest.raises(HectorError, match="Input/output error"):
                written.append({"at": 1, "do": "start"})
        written.append({"at": 2, "do": "start"})
    assert list(journal.read(tmp_path).lines) == [GAME, {"at": 2, "do": "start"}]


def test_a_disk_that_refuses_only_to_close_the_journal_has_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a file server does that has gone meanwhile."""
    written, close = Journal.create(tmp_path), os.close
    written.append(GAME)

    def broken(descriptor: int) -> None:
        close(descriptor)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(os, "close", broken)
        written.close()
    assert list(journal.read(tmp_path).lines) == [GAME]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_folder_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def forbidden(*_given: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", forbidden)
    with pytest.raises(HectorError, match=f"{os.strerror(number)}.*--save"):
        Journal.create(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "game").write_text("a letter")
    with pytest.raises(HectorError, match="cannot be recorded"):
        Journal.create(tmp_path / "game" / "one")


def test_two_programs_cannot_play_the_same_game(tmp_path: Path) -> None:
    play(tmp_path)
    first, _record = Journal.reopen(tmp_path)
    with first, pytest.raises(HectorError, match="another Hector"):
        Journal.reopen(tmp_path)
    Journal.reopen(tmp_path)[0].close()


def test_nothing_is_appended_after_the_end(tmp_path: Path) -> None:
    written = Journal.create(tmp_path)
    written.close()
    written.close()
    with pytest.raises(HectorError, match="closed"):
        written.append(GAME)


_WRITER = """
import sys
from pathlib import Path
from assistant.journal import Journal
with Journal.create(Path(sys.argv[1])) as journal:
    for number in range(100000):
        journal.append({"n": number, "text": "x" * (number % 300)}, {"n": number, "event": True})
        sys.stdout.write(f"{number}\\n")
        sys.stdout.flush()
"""


@pytest.mark.parametrize("told", [1, 40, 173])
def test_a_program_killed_in_the_middle_loses_nothing_that_it_had_told(tmp_path: Path, told: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(tmp_path)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[1],
        text=True,
    ) as program:
        assert program.stdout is not None
        for _line in range(told):
            assert program.stdout.readline()
        program.send_signal(signal.SIGKILL)
        last_told = told - 1 + len(program.stdout.readlines())
    reopened, record = Journal.reopen(tmp_path)
    reopened.close()
    numbers = [line["n"] for line in record.lines if "event" not in line]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > last_told
    for line in (tmp_path / FILE_NAME).read_text().splitlines():
        json.loads(line)


@pytest.mark.parametrize("torn", [b"", b'{"game": {"laws"', b"\0" * 64])
def test_a_journal_that_never_began_is_begun_again(tmp_path: Path, torn: bytes) -> None:
    """The power failed before its first line was complete: nobody was told of a game."""
    (tmp_path / FILE_NAME).write_bytes(torn)
    assert not journal.holds_game(tmp_path)
    assert play(tmp_path, LINES).read_bytes().count(b"\n") == 3
    assert list(journal.read(tmp_path).lines) == LINES


def test_a_journal_that_waits_for_its_first_line_is_nobody_elses(tmp_path: Path) -> None:
    with Journal.create(tmp_path), pytest.raises(HectorError, match="another Hector"):
        Journal.create(tmp_path)


@pytest.mark.parametrize("content", [b'{"game": {}}\n', b"damaged\n{}\n"])
def test_a_journal_with_anything_in_it_is_never_begun_again(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(HectorError, match="holds a game already"):
        Journal.create(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == content


# A file that somebody moves, removes or replaces while the game is played


def replace(path: Path, content: bytes) -> None:
    """Put another file in the place of one, as a program does that synchronises folders."""
    other = path.with_name("other")
    other.write_bytes(content)
    other.replace(path)


def test_a_journal_whose_folder_is_removed_is_written_anew_with_all_that_was_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    with Journal.create(folder) as written:
        written.append(*LINES)
        shutil.rmtree(folder)
        written.append({"at": 2, "do": "press", "side": "white"})
        assert list(journal.read(folder).lines) == [*LINES, {"at": 2, "do": "press", "side": "white"}]


def test_nobody_else_plays_a_game_whose_journal_was_written_anew(tmp_path: Path) -> None:
    with Journal.create(tmp_path) as written:
        written.append(*LINES)
        written.path.unlink()
        written.look()
        with pytest.raises(HectorError, match="another Hector"):
            Journal.reopen(tmp_path)


@pytest.mark.parametrize("lines", [0, 2, 3])
def test_a_copy_in_the_journals_place_is_gone_on_with(tmp_path: Path, lines: int) -> None:
    """As far as it goes: a copy may be a little older than the journal."""
    with Journal.create(tmp_path) as written:
        written.append(*LINES)
        replace(written.path, b"".join(written.path.read_bytes().splitlines(keepends=True)[:lines]))
        written.append({"at": 2, "do": "press", "side": "white"})
        assert list(journal.read(tmp_path).lines) == [*LINES, {"at": 2, "do": "press", "side": "white"}]
        with pytest.raises(HectorError, match="another Hector"):
            Journal.reopen(tmp_path)


def test_a_journal_goes_on_when_its_disk_is_back_though_what_was_open_is_dead(tmp_path: Path) -> None:
    with Journal.create(tmp_path) as written:
        written.append(LINES[0])
        dead = os.open(tmp_path / FILE_NAME, os.O_PATH)
        os.dup2(dead, written._file._descriptor)
        os.close(dead)
        written.look()
        written.append(LINES[1])
        with pytest.raises(HectorError, match="played by another"):
            Journal.reopen(tmp_path)
    assert list(journal.read(tmp_path).lines) == LINES[:2]


def test_another_file_in_the_journals_place_is_neither_mixed_with_it_nor_written_over(tmp_path: Path) -> None:
    with Journal.create(tmp_path) as written:
        written.append(*LINES)
        replace(written.path, b'{"game": {}}\n')
        with pytest.raises(HectorError, match="another file lies there"):
            written.append({"at": 2, "do": "press", "side": "white"})
        assert written.path.read_bytes() == b'{"game": {}}\n'
        written.path.unlink()
        written.append({"at": 3, "do": "press", "side": "white"})
        assert list(journal.read(tmp_path).lines) == [*LINES, {"at": 3, "do": "press", "side": "white"}]


@pytest.mark.parametrize("size", [0, 1, 70, -60, -1])
def test_a_journal_of_which_somebody_saves_an_older_state_in_place_is_completed(
    tmp_path: Path, size: int
) -> None:
    """As an editor does that was opened before, or a program that cuts files off."""
    with Journal.create(tmp_path) as written:
        written.append(*LINES)
        written.path.write_bytes(written.path.read_bytes()[:size])
        written.append({"at": 2, "do": "press", "side": "white"})
        written.path.write_bytes(written.path.read_bytes()[:size])
        written.look()
        assert list(journal.read(tmp_path).lines) == [*LINES, {"at": 2, "do": "press", "side": "white"}]
        assert written.content() == journal.read(tmp_path)


@pytest.mark.parametrize("is_moved_alone", [False, True])
@pytest.mark.parametrize("change", [("2014", "2018"), ("\n", "\nhello\n"), ("Läufer", "Springer")])
def test_what_somebody_writes_into_a_journal_is_neither_mixed_with_the_game_nor_written_over(
    tmp_path: Path, change: tuple[str, str], is_moved_alone: bool
) -> None:
    folder = tmp_path / "game"
    with Journal.create(folder) as written:
        written.append(*LINES)
        changed = written.path.read_text("utf-8").replace(*change)
        written.path.write_text(changed, "utf-8")
        for attempt in (written.look, lambda: written.append({"at": 2, "do": "press", "side": "white"})):
            with pytest.raises(HectorError, match="another file lies there"):
                attempt()
        assert written.path.read_text("utf-8") == changed
        assert list(written.content().lines) == LINES
        # Put elsewhere as it says, under its own name or with all of its folder.
        put_away = tmp_path / "changed"
        if is_moved_alone:
            put_away.mkdir()
            written.path.rename(put_away / FILE_NAME)
        else:
            folder.rename(put_away)
        written.append({"at": 3, "do": "press", "side": "white"})
        assert (put_away / FILE_NAME).read_text("utf-8") == changed
    assert list(journal.read(folder).lines) == [*LINES, {"at": 3, "do": "press", "side": "white"}]


def test_a_copy_that_another_hector_goes_on_with_is_left_to_it(tmp_path: Path) -> None:
    with Journal.create(tmp_path) as written:
        written.append(*LINES)
        replace(written.path, written.path.read_bytes())
        with Journal.reopen(tmp_path)[0], pytest.raises(HectorError, match="another file lies there"):
            written.append({"at": 2, "do": "press", "side": "white"})


def test_a_journal_goes_on_in_its_folder_when_that_is_renamed(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "game") as written:
        written.append(*LINES)
        (tmp_path / "game").rename(tmp_path / "other")
        written.append({"at": 2, "do": "press", "side": "white"})
        assert written.path == tmp_path / "other" / FILE_NAME
    assert len(journal.read(tmp_path / "other").lines) == 4
    assert not (tmp_path / "game").exists()


def test_a_journal_that_is_renamed_alone_is_written_anew_under_its_own_name(tmp_path: Path) -> None:
    with Journal.create(tmp_path) as written:
        written.append(*LINES)
        written.path.rename(tmp_path / ".nfs0001")
        written.append({"at": 2, "do": "press", "side": "white"})
    assert len(journal.read(tmp_path).lines) == 4


def test_a_journal_that_cannot_be_written_anew_is_one_sentence_and_tried_again(tmp_path: Path) -> None:
    with Journal.create(tmp_path) as written:
        written.append(*LINES)
        written.path.unlink()
        with full_disk(10), pytest.raises(HectorError, match="cannot be recorded"):
            written.append({"at": 2, "do": "press", "side": "white"})
        assert not written.path.exists()
        written.append({"at": 3, "do": "press", "side": "white"})
    assert list(journal.read(tmp_path).lines) == [*LINES, {"at": 3, "do": "press", "side": "white"}]


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "zero"])
def test_what_is_no_file_in_the_journals_place_keeps_nobody_waiting(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / FILE_NAME)
    with pytest.raises(HectorError, match="cannot be read: Not a regular file"):
        journal.read(tmp_path)
    with pytest.raises(HectorError, match="cannot be read: Not a regular file"):
        Journal.reopen(tmp_path)
    with pytest.raises(HectorError, match="holds a game already"):
        Journal.create(tmp_path)


def test_a_file_that_would_fill_the_memory_is_no_journal(tmp_path: Path) -> None:
    """It takes no room on the disk: whoever made it wrote nothing into it."""
    path = play(tmp_path)
    os.truncate(path, 100_000_001)
    with pytest.raises(HectorError, match="cannot be read: File too large"):
        journal.read(tmp_path)
    assert path.stat().st_size == 100_000_001


def test_a_pipe_that_takes_the_journals_place_gets_nothing_of_the_game(tmp_path: Path) -> None:
    with Journal.create(tmp_path) as written:
        written.append(GAME)
        (tmp_path / FILE_NAME).unlink()
        os.mkfifo(tmp_path / FILE_NAME)
        with pytest.raises(HectorError, match="another file lies there"):
            written.append({"at": 0, "do": "start"})
        (tmp_path / FILE_NAME).unlink()
        written.append({"at": 0, "do": "start"})
    assert list(journal.read(tmp_path).lines) == LINES[:2]


def test_a_game_that_cannot_be_continued_where_it_is_names_no_option_that_there_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path)

    def forbidden(*_given: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "open", forbidden)
    with pytest.raises(HectorError, match=r"Read-only file system\. Copy its folder"):
        Journal.reopen(tmp_path)
