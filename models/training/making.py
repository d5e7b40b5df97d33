"""Makes the pools of speech: a process for each shard, as many at a time as there are processors."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context
from pathlib import Path

from assistant.files import replace_file
from models.training import festival, killed, revoice, synthesis
from models.training.espeak import Espeak
from models.training.lexicon import HERE, data_lines, load_accents, load_lexicon
from models.training.pools import Utterance, count_of, is_there, load, save, shard_path, shards
from models.training.speakers import COUNTED

VARIANTS = 150
"""Random espeak-ng voices of each shard."""

_MOUTHS = 20
"""Other mouths for each of the few recordings of people who say words of the game."""

_DATA = ("lexicon.txt", "phones.txt", "accents.txt", "ipa.txt", "said.txt")
"""What speech is made with, and may be corrected."""

Say = Callable[[str], None]


def keep(folder: Path, pool: str, shard: str, utterances: Iterable[Utterance], wanted: int = 0) -> str:
    """Write one shard, see `pools.save`, if there is anything for it; return a line about it."""
    made = list(utterances)
    if not made:
        return f"{pool} {shard}: nothing that can be used"
    save(folder, pool, shard, made, wanted)
    hours = sum(len(u.wave) for u in made) / 16000 / 3600
    return f"{pool} {shard}: {len(made)} utterances, {hours:.2f} h"


def changed_data(folder: Path, data: Path = HERE) -> list[str]:
    """The files of words and sounds that were others when the first of these pools were made."""
    now = {name: _digest(data / name) for name in _DATA}
    noted = folder / "made-with.json"
    try:
        before = json.loads(noted.read_text(encoding="utf-8"))
        return [name for name in _DATA if before[name] != now[name]]
    except (OSError, ValueError, KeyError, TypeError):
        # the first ones, or of a training from before it was noted
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(noted, json.dumps(now).encode())
        return []


def _digest(path: Path) -> str:
    return hashlib.sha256("\n".join(line for _, line in data_lines(path)).encode()).hexdigest()


@dataclass(frozen=True)
class Shard:
    """A shard to be made: `folder` of the pools, `scratch` for what is needed on the way, the seed."""

    folder: Path
    scratch: Path
    pool: str
    name: str
    seed: int

    @property
    def wanted(self) -> int:
        """How many utterances are asked for."""
        return 0

    @property
    def there(self) -> bool:
        return is_there(shard_path(self.folder, self.pool, self.name), self.wanted)

    def make(self) -> str:
        """Make it and write it, see `keep`. HectorError when that is not possible."""
        return keep(self.folder, self.pool, self.name, self.speech(), self.wanted)

    def speech(self) -> Iterable[Utterance]:
        raise NotImplementedError


@dataclass(frozen=True)
class Spoken(Shard):
    """By espeak-ng: a number of utterances of a recipe."""

    recipe: synthesis.Recipe
    count: int

    @property
    def wanted(self) -> int:
        return self.count

    def speech(self) -> Iterable[Utterance]:
        lexicon = load_lexicon()
        accents = load_accents(lexicon)
        languages = {accents[name].voice for name in self.recipe.accents}
        engine = Espeak(self.scratch / f"{self.pool}-{self.name}", languages, VARIANTS, self.seed)
        return synthesis.utterances(engine, lexicon, accents, self.recipe, self.count, self.seed)


@dataclass(frozen=True)
class Diphones(Shard):
    """By a voice of Festival."""

    voice: festival.Voice
    count: int

    @property
    def wanted(self) -> int:
        return self.count

    def speech(self) -> Iterable[Utterance]:
        lexicon = load_lexicon()
        scratch = self.scratch / self.voice.name
        return festival.utterances(lexicon, load_accents(lexicon), self.voice, self.count, self.seed, scratch)


@dataclass(frozen=True)
class OtherMouths(Shard):
    """A shard once more, each utterance from another mouth."""

    source: Path

    @property
    def wanted(self) -> int:
        return count_of(self.source)

    def speech(self) -> Iterable[Utterance]:
        return revoice.utterances(load(self.source), self.seed)


def revoiced(folder: Path, scratch: Path, seed: int) -> list[Shard]:
    """Once more every shard of people's voices in the folder, and several times what is counted in German."""
    out: list[Shard] = []
    for path in shards(folder):
        pool, _, shard = path.stem.partition("@")
        if pool in revoice.POOLS:
            out.append(OtherMouths(folder, scratch, "revoiced", f"{pool}-{shard}", seed, path))
        elif pool == COUNTED:
            for k in range(_MOUTHS):
                out.append(OtherMouths(folder, scratch, "recounted", f"{shard}-{k}", seed + k, path))
    return out


def _make(shard: Shard) -> str:
    return shard.make()


def make(wanted: Sequence[Shard], say: Say) -> None:
    """Make those that are not there yet, or with fewer utterances than are wanted now.

    :raises HectorError: what the first that failed says; those that are ready stay.
    :raises ChildProcessError: when a process is killed; the same holds.
    :raises KeyboardInterrupt: when it is interrupted; those that are not ready are given up.
    """
    missing = [shard for shard in wanted if not shard.there]
    if not missing:
        return
    with _deaf():
        # espeak-ng takes one folder of voices for the life of a process
        processes = ProcessPoolExecutor(
            min(len(missing), os.cpu_count() or 1), get_context("spawn"), max_tasks_per_child=1
        )
    with processes:
        # once more: Python's own helper process, begun just now, made this one listen again
        with _deaf():
            ready = [processes.submit(_make, shard) for shard in missing]
        try:
            for one in as_completed(ready):
                say(one.result())
        except KeyboardInterrupt:
            for process in active_children():
                process.terminate()
            raise
        except BrokenProcessPool as error:
            raise killed() from error
        except BaseException:
            processes.shutdown(cancel_futures=True)
            raise


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that begin meanwhile, and those that their threads begin later, leave signals to this one.

    A terminal sends them to every process, and each would print what it was doing.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
