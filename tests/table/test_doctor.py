"""What is said of a sound server that hangs, and of devices that are there and do not open."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant import hearing, portaudio
from assistant.errors import HectorError
from assistant.speaking import told
from assistant.table import doctor

ROOT = Path(__file__).resolve().parents[2]
CARDS = "00-00: ALC287 Analog : ALC287 Analog : {what} 1\n"
DEAD = "The sound server does not answer. Start it again."
QUICK = 25.0
"""Seconds, on a machine that does much else; PulseAudio gives up its server after thirty."""


def program(hung_server: dict[str, str], *argv: str) -> subprocess.CompletedProcess[str]:
    began = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-m", "assistant", *argv],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | hung_server,
        cwd=ROOT,
        check=False,
    )
    assert time.monotonic() - began < QUICK
    return ended


def test_the_doctor_names_a_sound_server_that_hangs_within_seconds(hung_server: dict[str, str]) -> None:
    lines = program(hung_server, "doctor").stdout.splitlines()
    assert f"microphone: {DEAD}" in lines
    assert f"loudspeaker: {DEAD}" in lines


LEAVES_A_LOCK = """
import ctypes, os, sys
database, environment = ctypes.CDLL("libdb-5.3.so"), ctypes.c_void_p()
assert database.db_env_create(ctypes.byref(environment), 0) == 0
# As libjack opens it: DB_CREATE, DB_INIT_LOCK, DB_INIT_MPOOL and DB_THREAD.
assert getattr(database, "__env_open_pp")(environment, sys.argv[1].encode(), 0x521, 0) == 0
assert getattr(database, "__mutex_lock_pp")(environment, 1) == 0
os._exit(0)
"""
WITH_A_DEAD_JACK = """
mount -t tmpfs none /dev/shm || exit 77
"$1" -c "import ctypes; ctypes.CDLL('libjack.so.0').jack_client_open(b'x', 1, None)" 2>/dev/null || exit 77
"$1" -c "$2" /dev/shm/jack_db-0 || exit 77
exec "$1" -m assistant doctor
"""


def test_the_doctor_knows_the_locks_of_a_program_that_was_killed() -> None:
    """JACK's library waits for them for ever: no sound server that is started again helps then."""
    apart = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", WITH_A_DEAD_JACK, "sh"]
    try:
        told = subprocess.run(
            [*apart, sys.executable, LEAVES_A_LOCK], capture_output=True, text=True, cwd=ROOT, check=False
        )
    except FileNotFoundError:
        pytest.skip("There is no unshare: apt install util-linux")
    if told.returncode == 77 or told.stderr.startswith("unshare:"):
        pytest.skip(f"No JACK can be tried here: {told.stderr}")
    sentence = (
        "The sound waits for a program of JACK that was killed. "
        "End what uses JACK, then type: rm -r /dev/shm/jack_db-0"
    )
    lines = told.stdout.splitlines()
    assert f"microphone: {sentence}" in lines
    assert f"loudspeaker: {sentence}" in lines


def test_practise_names_a_sound_server_that_hangs(hung_server: dict[str, str]) -> None:
    ended = program(hung_server, "practise")
    assert (ended.returncode, ended.stderr) == (1, f"hector: {DEAD}\n")


def test_a_game_goes_on_without_a_sound_server_that_hangs(
    hung_server: dict[str, str], tmp_path: Path
) -> None:
    ended = program(hung_server, "play", "--save", str(tmp_path / "game"))
    assert ended.returncode == 0
    assert ended.stderr.splitlines()[0] == f"hector: {DEAD}"
    assert (tmp_path / "game" / "journal.jsonl").exists()


@pytest.mark.parametrize(
    ("check", "what"), [(doctor._microphone, "capture"), (doctor._loudspeaker, "playback")]
)
def test_a_device_that_another_program_holds_is_not_missing(
    check: Callable[[], object], what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(hearing, "usual_device", lambda kind: None)
    monkeypatch.setattr(doctor, "CARDS", tmp_path / "pcm")
    with pytest.raises(HectorError, match="Plug one in"):
        check()
    doctor.CARDS.write_text(CARDS.format(what=what))
    with pytest.raises(HectorError, match="End the program that uses it"):
        check()


def test_a_disk_with_too_little_room_for_a_long_game_is_found_before_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HECTOR_GAMES", str(tmp_path))
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=500_000_000))
    assert "GB free" in told(doctor._games())
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=499_000_000))
    with pytest.raises(HectorError, match=r"^Only 499 MB are free in "):
        doctor._games()


def test_a_microphone_that_is_listed_and_does_not_open_is_not_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> bool:
        raise HectorError(hearing.MISSING)

    monkeypatch.setattr(hearing, "usual_device", lambda kind: "a device")
    monkeypatch.setattr(hearing, "delivers_sound", refuse)
    with pytest.raises(HectorError, match="End the program that uses it"):
        doctor._microphone()


def test_locks_of_jack_that_have_been_removed_are_not_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sound server may hang after that, and is to be started again."""
    locks = tmp_path / "jack_db-0"
    locks.mkdir()
    monkeypatch.setattr(portaudio, "_JACK", locks)
    monkeypatch.setattr(portaudio, "_jack_hangs", lambda: True)
    assert "JACK" in told(portaudio.why_it_hangs())
    locks.rmdir()
    assert told(portaudio.why_it_hangs()) == "The sound server does not answer. Start it again."
