"""Shards made in other processes: once each, and what goes wrong there is told here."""

from __future__ import annotations

import os
import shutil
import signal
import time
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest

# Not PyTorch: each process that makes a shard would load it.
pytest.importorskip("scipy", reason="the training extra is not installed: its tests are skipped")

from assistant.errors import HectorError
from models.training import making, pools


@dataclass(frozen=True)
class Beep(making.Shard):
    def speech(self) -> list[pools.Utterance]:
        if self.name == "broken":
            raise HectorError("The whistle is broken.")
        wave = np.full(1600, self.seed, np.int16)
        return [] if self.name == "mute" else [pools.Utterance(wave, np.zeros(10, np.uint8), (), "me")]


def beep(folder: Path, name: str, seed: int = 1) -> Beep:
    return Beep(folder, folder / "scratch", "stock", name, seed)


def test_each_shard_is_made_once(tmp_path: Path) -> None:
    told: list[str] = []
    making.make([beep(tmp_path, "0"), beep(tmp_path, "1"), beep(tmp_path, "mute")], told.append)
    assert sorted(told) == [
        "stock 0: 1 utterances, 0.00 h",
        "stock 1: 1 utterances, 0.00 h",
        "stock mute: nothing that can be used",
    ]
    making.make([beep(tmp_path, "0", seed=2), beep(tmp_path, "2")], told.append)
    assert pools.load(tmp_path / "stock@0.npz")[0].wave[0] == 1
    assert len(told) == 4


@dataclass(frozen=True)
class Beeps(Beep):
    """One beep, however many are wanted."""

    count: int

    @property
    def wanted(self) -> int:
        return self.count


def test_a_shard_of_a_smaller_training_is_made_again(tmp_path: Path) -> None:
    def beeps(count: int) -> Beeps:
        return Beeps(tmp_path, tmp_path / "scratch", "stock", "0", 1, count)

    assert not beeps(2).there
    beeps(2).make()
    assert beeps(1).there and beeps(2).there and not beeps(3).there


def test_data_that_are_corrected_after_speech_was_made_with_them_are_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for name in making._DATA:
        shutil.copy(making.HERE / name, data)
    folder = tmp_path / "pools"
    assert making.changed_data(folder, data) == []
    with (data / "accents.txt").open("a") as file:
        file.write("\n# a comment changes nothing\n")
    assert making.changed_data(folder, data) == []
    with (data / "lexicon.txt").open("a") as file:
        file.write("patt p 'a t\n")
    assert making.changed_data(folder, data) == ["lexicon.txt"]
    assert making.changed_data(folder, data) == ["lexicon.txt"]
    shutil.rmtree(folder)
    assert making.changed_data(folder, data) == []


def test_other_mouths_are_made_again_when_their_source_has_grown(tmp_path: Path) -> None:
    one = pools.Utterance(np.zeros(1600, np.int16), np.zeros(10, np.uint8), (), "me")
    pools.save(tmp_path, "festival", "0", [one])
    pools.save(tmp_path, "revoiced", "festival-0", [one])
    (mouths,) = making.revoiced(tmp_path, tmp_path / "scratch", 1)
    assert mouths.there
    pools.save(tmp_path, "festival", "0", [one, one])
    assert not mouths.there


def test_an_error_in_another_process_is_told_and_what_is_ready_stays(tmp_path: Path) -> None:
    with pytest.raises(HectorError, match="whistle"):
        making.make([beep(tmp_path, "0"), beep(tmp_path, "broken")], lambda _: None)
    making.make([beep(tmp_path, "0")], lambda _: None)
    assert (tmp_path / "stock@0.npz").exists()


@dataclass(frozen=True)
class Killed(Beep):
    """As the system does where the memory is full."""

    def speech(self) -> list[pools.Utterance]:
        os.kill(os.getpid(), signal.SIGKILL)
        return []


def test_a_process_that_is_killed_is_told_of_and_what_is_ready_stays(tmp_path: Path) -> None:
    making.make([beep(tmp_path, "0")], lambda _: None)
    with pytest.raises(ChildProcessError, match="one of its processes was killed"):
        making.make([Killed(tmp_path, tmp_path / "scratch", "stock", "1", 1)], lambda _: None)
    assert [path.name for path in tmp_path.iterdir()] == ["stock@0.npz"]
    assert not active_children()


def test_what_is_counted_in_german_gets_many_mouths_and_each_another(tmp_path: Path) -> None:
    one = [pools.Utterance(np.zeros(1600, np.int16), np.zeros(10, np.uint8), (), "me")]
    pools.save(tmp_path, "counted", "anna", one)
    mouths = making.revoiced(tmp_path, tmp_path / "scratch", 1)
    assert {mouth.pool for mouth in mouths} == {"recounted"}
    assert len({(mouth.name, mouth.seed) for mouth in mouths}) == len(mouths) > 5


def test_every_voice_of_people_gets_other_mouths(tmp_path: Path) -> None:
    one = [pools.Utterance(np.zeros(1600, np.int16), np.zeros(10, np.uint8), (), "me")]
    for pool in ("festival", "random", "rhvoice"):
        pools.save(tmp_path, pool, "0", one)
    names = [shard.name for shard in making.revoiced(tmp_path, tmp_path / "scratch", 1)]
    assert names == ["festival-0", "rhvoice-0"]


@dataclass(frozen=True)
class Signalled(Beep):
    """As when the terminal sends what was typed, or its end, to every process."""

    def speech(self) -> list[pools.Utterance]:
        for number in (signal.SIGINT, signal.SIGHUP):
            os.kill(os.getpid(), number)
        return super().speech()


def test_a_signal_from_the_terminal_is_left_to_the_one_that_waits(tmp_path: Path) -> None:
    told: list[str] = []
    # one more than there are processes: the last is begun by a thread
    count = (os.cpu_count() or 1) + 1
    wanted = [Signalled(tmp_path, tmp_path / "scratch", "stock", str(k), 1) for k in range(count)]
    making.make(wanted, told.append)
    assert len(told) == count


@dataclass(frozen=True)
class Endless(Beep):
    def speech(self) -> list[pools.Utterance]:
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(600)
        return []


@pytest.mark.usefixtures("heeded")
def test_who_is_interrupted_does_not_wait_for_what_is_being_made(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        making.make([Endless(tmp_path, tmp_path / "scratch", "stock", "0", 1)], print)
    assert not active_children()
