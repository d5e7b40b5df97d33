"""The folders in which graphs are laid out for Vosk: one's own while one lives, nobody's afterwards."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from full_disk import full_disk

from assistant.errors import HectorError
from assistant.hearing.workshop import Workshop

_ANOTHER = """
import sys
from pathlib import Path
from assistant.hearing.workshop import Workshop
kept = Workshop(Path("/"), {}, configuration="", words="", boundaries="")
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


@pytest.fixture
def another(temporary: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-c", _ANOTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield process
        process.kill()


def workshop() -> Workshop:
    return Workshop(Path("/"), {}, configuration="", words="", boundaries="")


def test_what_a_killed_hector_left_goes_when_the_next_one_begins(
    temporary: Path, another: subprocess.Popen[bytes]
) -> None:
    (left,) = temporary.iterdir()
    another.send_signal(signal.SIGKILL)
    another.wait()
    mine = workshop()
    assert not left.exists()
    assert len(list(temporary.iterdir())) == 1
    del mine


def test_the_folder_of_a_hector_that_lives_stays(temporary: Path, another: subprocess.Popen[bytes]) -> None:
    (its,) = temporary.iterdir()
    mine = workshop()
    assert its.exists()
    del mine


def test_one_s_own_goes_with_the_workshop(temporary: Path) -> None:
    mine = workshop()
    assert list(temporary.iterdir())
    del mine
    assert not list(temporary.iterdir())


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(HectorError, match="cannot be written"):
        workshop()


def test_what_all_directories_share_is_written_once(temporary: Path) -> None:
    shared = Workshop(
        Path("/"), {"am/final.mdl": lambda: b"network"}, configuration="", words="", boundaries=""
    )
    one, other = (shared.lay_out(name, b"graph") / "am" / "final.mdl" for name in ("one", "other"))
    assert one.read_bytes() == b"network"
    assert one.samefile(other)


def emptied(folder: Path) -> None:
    for each in folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()


def test_a_pipe_in_the_place_of_a_lock_keeps_nobody_waiting(temporary: Path) -> None:
    """The folder for temporary files is everybody's, and so are the names of what Hector leaves there."""
    theirs = temporary / "hector-graphs-theirs"
    theirs.mkdir()
    os.mkfifo(theirs / "in-use")
    began = subprocess.run(
        [sys.executable, "-c", _ANOTHER], stdin=subprocess.DEVNULL, capture_output=True, timeout=30
    )
    assert (began.stdout, began.returncode) == (b"ready\n", 0)
    assert theirs.exists()


@pytest.mark.parametrize("is_root_left", [False, True])
def test_a_folder_that_somebody_emptied_is_made_anew(temporary: Path, is_root_left: bool) -> None:
    mine = Workshop(
        Path("/"), {"am/final.mdl": lambda: b"network"}, configuration="", words="", boundaries=""
    )
    before = mine.lay_out("one", b"graph")
    emptied(before.parent if is_root_left else temporary)
    with pytest.raises(HectorError, match="was emptied"):
        mine.load(before, scale=1)
    with full_disk(3), pytest.raises(HectorError, match="cannot be written"):
        mine.lay_out("one", b"graph")
    after = mine.lay_out("one", b"graph")
    assert (after / "am" / "final.mdl").read_bytes() == b"network"
    assert (after / "conf" / "model.conf").exists()
    del mine
    assert not [each for each in temporary.iterdir() if list(each.iterdir())]


def test_a_directory_that_there_was_no_room_for_is_not_taken_for_a_whole_one(temporary: Path) -> None:
    mine = Workshop(Path("/"), {}, configuration="--a=b\n", words="eva 1\n", boundaries="1 begin\n")
    with full_disk(3), pytest.raises(HectorError, match="cannot be written"):
        mine.lay_out("one", b"graph")
    made = mine.lay_out("one", b"graph")
    assert (made / "graph" / "words.txt").read_text() == "eva 1\n"
    assert (made / "conf" / "model.conf").read_text() == "--a=b\n"
