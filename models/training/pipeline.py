"""The steps of a training in order; each leaves files that the next run of the same command finds again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from assistant.errors import HectorError
from assistant.hearing import load_model
from models.training import (
    CHECKPOINT,
    earlier,
    espeak,
    export,
    festival,
    making,
    measure,
    prompts,
    recordings,
    speakers,
    spelled,
    synthesis,
    talk,
)
from models.training.align import NetworkAligner
from models.training.audio import is_audio
from models.training.checkpoint import State, becomes, going_on, save_checkpoint
from models.training.judging import Judge, certain
from models.training.lexicon import Lexicon, load_accents, load_lexicon
from models.training.network import Network, Shape
from models.training.owned import Outputs
from models.training.pools import Utterance, is_there, shard_path
from models.training.trainer import Plan, train

SHARD = 2000
RECORDINGS = "recordings"
LABELLED_TOGETHER = 500
"""Recordings that are labelled between two lines about it; an interruption loses no more: about a minute."""


@dataclass(frozen=True)
class Size:
    """How much: `share` of the espeak-ng pools, utterances per other voice, the network, the plan."""

    share: float
    festival: int
    spelled: int
    shape: Shape
    plan: Plan
    checks: int
    align_at: float
    """Share of the training after which voices and recordings without labels are aligned."""


QUICK = Size(
    share=0.04,
    festival=0,
    spelled=0,
    shape=Shape(width=128, dilations=(1, 2, 3), waists=()),
    plan=Plan(steps=450, batch=16, average=0.98, noise_seconds=5, threads=1),
    checks=30,
    align_at=0.6,
)


def full(minutes: float) -> Size:
    return Size(1.0, 600, 800, Shape(), Plan(minutes=minutes), 240, 0.15)


def with_words(size: Size) -> Size:
    """The same with outputs of their own for the squares and the pieces."""
    return replace(size, shape=replace(size.shape, outputs=len(Outputs.of(load_lexicon()))))


def whole(size: Size) -> Size:
    """The same with layers without waists: twice the weights."""
    return replace(size, shape=replace(size.shape, waists=()))


def uneven(size: Size) -> Size:
    """The same with layers whose values are uncertain while they learn."""
    return replace(size, plan=replace(size.plan, uneven=0.4))


def _parts_of(found: list[recordings.Recording]) -> list[tuple[str, list[recordings.Recording]]]:
    """The recordings that are labelled together, with the name of their shard."""
    if not found:
        return []
    name, size = recordings.fingerprint(found), LABELLED_TOGETHER
    if len(found) <= size:
        return [(name, found)]
    return [(f"{name}-{k // size}", found[k : k + size]) for k in range(0, len(found), size)]


@dataclass(frozen=True)
class Pipeline:
    """One training: where it writes, its seed and size."""

    out: Path
    work: Path
    seed: int
    size: Size
    say: Callable[[str], None]
    earlier: Path | None = None
    """A model to go on from and to learn from."""

    def run(self, people: Path | None, resume: bool) -> None:
        """From nothing, or from the last checkpoint, to a model in `out`. Raises HectorError."""
        lexicon = load_lexicon()
        # read before hours are spent
        found = self._found(people, lexicon) if people is not None else []
        plan, pools, teacher = self._plan(), self._pools, self._teacher()
        resume = self._goes_on(resume)
        if resume:
            state = going_on(self.work / CHECKPOINT, self.size.shape)
            if found:
                self._check_time_for(found, plan, state)
        self._forget_others(found, resume)
        self._synthesise()
        if self.earlier is not None and not resume:
            save_checkpoint(self.work / CHECKPOINT, earlier.state_of(self.earlier))
            resume = True
        if self.size.spelled or found:
            state = train(
                pools, self.work, self.size.shape, plan, resume, self.say, self.size.align_at, teacher
            )
            self._align(state, found)
            resume = True
        state = train(pools, self.work, self.size.shape, plan, resume, self.say, teacher=teacher)
        export.write_model(self.out, state.averaged.eval(), lexicon, state.priors, state.stats)
        self.say(
            f"Trained for {state.step} steps, {state.seconds / 60:.0f} minutes; the model is in {self.out}."
        )
        try:
            self._check()
        except HectorError as error:
            raise HectorError(f"The model could not be measured. {error}") from error
        except OSError as error:
            raise HectorError(f"The model could not be measured: {error.strerror or error}.") from error

    def _found(self, people: Path, lexicon: Lexicon) -> list[recordings.Recording]:
        found = recordings.find(people, lexicon, self.say)
        if not found:
            raise HectorError(f"None of the recordings in {people} can be used; see above.")
        if not any(is_audio(recording.path) for recording in found):
            # as of a telephone, of which each is called .m4a
            raise HectorError(
                f"None of the recordings in {people} can be read: make WAV, FLAC, Ogg, Opus or MP3 of them."
            )
        return found

    def _goes_on(self, resume: bool) -> bool:
        """Whether there is something to go on from and that is wished; what may be a slip is told of."""
        is_there = (self.work / CHECKPOINT).exists()
        if resume and not is_there:
            self.say(f"There is no checkpoint in {self.work}: the training begins anew.")
        elif is_there and not resume:
            self.say(
                f"The training begins anew, and what an earlier one reached in {self.work} is soon replaced: "
                "who wants to go on from it stops now and adds --resume."
            )
        return resume and is_there

    @property
    def _pools(self) -> Path:
        return self.work / "pools"

    def _plan(self) -> Plan:
        plan = replace(self.size.plan, seed=self.seed)
        # who has learnt already unlearns by larger steps, and frames alone have nothing left to teach
        return plan if self.earlier is None else replace(plan, rate=plan.rate / 2, sequence_at=0.0)

    def _teacher(self) -> Network | None:
        if self.earlier is None:
            return None
        network = earlier.network_of(self.earlier)
        if not becomes(network.shape, self.size.shape):
            raise HectorError(
                f"The network of the model in {self.earlier} is wider or has other layers than the one to be "
                "trained: leave out --from, or name another model."
            )
        return network

    def _pool(
        self, pool: str, shard: str, utterances: Callable[[], Iterable[Utterance]], wanted: int = 0
    ) -> None:
        if not is_there(shard_path(self._pools, pool, shard), wanted):
            self.say(making.keep(self._pools, pool, shard, utterances(), wanted))

    def _shards_of(self, found: list[recordings.Recording]) -> list[Path]:
        """What has been made of these recordings; nothing was made of those of which none can be used."""
        names = (name for name, _ in _parts_of(found))
        return [path for name in names if (path := shard_path(self._pools, RECORDINGS, name)).exists()]

    def _check_time_for(self, found: list[recordings.Recording], plan: Plan, state: State) -> None:
        """Refuse recordings that come after the end of the training."""
        if plan.share(state.step, state.seconds) < 1 or self._shards_of(found):
            return
        if plan.steps:
            how = "start without --resume"
        else:
            how = f"give it more time, as by --minutes {math.ceil(state.seconds / 60 * 1.25)}"
        raise HectorError(
            f"The training in {self.work} is at its end and would learn nothing from these recordings: {how}."
        )

    def _forget_others(self, found: list[recordings.Recording], resume: bool) -> None:
        """Remove what was made of other recordings, or of these before they were corrected."""
        others = set(self._pools.glob(f"{RECORDINGS}@*.npz")).difference(self._shards_of(found))
        for path in others:
            path.unlink()
        if others and resume:
            self.say("What was learnt from other recordings stays, but they are heard no longer.")
        elif others:
            self.say("Other recordings, of an earlier training in this work folder, take no part.")

    def _parts(self, size: int) -> Iterator[tuple[int, int, int]]:
        """The shards of a pool of espeak-ng's, of which the whole training has so many utterances.

        Each has its number, its utterances and its seed.
        """
        count = round(size * self.size.share)
        for k, start in enumerate(range(0, count, SHARD)):
            yield k, min(SHARD, count - start), self.seed * 1000 + k

    def _say_missing(self, kind: str, missing: Sequence[str]) -> None:
        if missing:
            self.say(f"Not installed, training goes on without these {kind}: {', '.join(missing)}.")

    def _synthesise(self) -> None:
        accents = load_accents(load_lexicon())
        espeak.library()
        if self.size.spelled:
            # what people say is turned into sounds by it, hours later
            espeak.program()
        changed = making.changed_data(self._pools)
        if changed:
            self.say(
                f"The speech in {self._pools} was made before {' and '.join(changed)} changed: "
                "delete that folder, and it is made anew."
            )
        wanted: list[making.Shard] = []
        for recipe in synthesis.recipes(list(accents.values())):
            for k, many, seed in self._parts(recipe.size):
                wanted.append(
                    making.Spoken(self._pools, self.work / "espeak", recipe.name, str(k), seed, recipe, many)
                )
        if self.size.festival:
            voices = festival.installed()
            missing = [voice.name for voice in festival.VOICES if voice not in voices]
            self._say_missing("voices of Festival", missing)
            wanted += [
                making.Diphones(
                    self._pools,
                    self.work / "scratch",
                    "festival",
                    voice.name,
                    self.seed,
                    voice,
                    self.size.festival,
                )
                for voice in voices
            ]
        making.make(wanted, self.say)
        self._revoice()

    def _revoice(self) -> None:
        """Once more as much of the voices that come from people, or several times."""
        if self.size.festival:
            others = making.revoiced(self._pools, self.work / "scratch", self.seed)
            making.make(others, self.say)

    def _align(self, state: State, found: list[recordings.Recording]) -> None:
        lexicon = load_lexicon()
        accents = load_accents(lexicon)
        aligner = NetworkAligner.of(state)
        self._label(found, aligner)
        if not self.size.spelled:
            return
        voices = spelled.installed()
        missing = [f"{voice.pool} {voice.name}" for voice in spelled.VOICES if voice not in voices]
        self._say_missing("voices", missing)
        for voice in voices:
            self._pool(
                voice.pool,
                voice.name,
                lambda v=voice: spelled.utterances(  # type: ignore[misc]
                    lexicon, accents, v, aligner, self.size.spelled, self.seed, self.work / "scratch"
                ),
                self.size.spelled,
            )
        people = speakers.installed()
        missing = [speaker.name for speaker in speakers.SPEAKERS if speaker not in people]
        self._say_missing("recordings of people", missing)
        for speaker in people:
            self._pool(
                speaker.pool,
                speaker.name,
                lambda s=speaker: prompts.utterances(lexicon, s, aligner),  # type: ignore[misc]
            )
        for language, (_, size) in talk.LANGUAGES.items():
            for k, many, seed in self._parts(size):
                self._pool(
                    talk.POOL,
                    f"{language}-{k}",
                    lambda code=language, many=many, seed=seed: talk.utterances(  # type: ignore[misc]
                        lexicon, aligner, code, many, seed, self.work / "espeak"
                    ),
                    many,
                )
        self._revoice()

    def _label(self, found: list[recordings.Recording], aligner: NetworkAligner) -> None:
        judge = cache(lambda: Judge(aligner).taught_by(certain(self._pools)))
        for name, part in _parts_of(found):
            self._pool(
                RECORDINGS,
                name,
                lambda part=part: recordings.utterances(part, judge(), self.say),  # type: ignore[misc]
            )
        if found and not self._shards_of(found):
            raise HectorError("None of the recordings can be used; see above.")

    def _check(self) -> None:
        model = load_model(self.out)
        for name in ("held-out", "accents"):
            samples = measure.samples_of(name, self.size.checks, self.seed, self.work / "measure")
            self.say(f"{name}, clean: {measure.score(model, samples).line()}")
