"""The steps of a training in order; each leaves files that the next run of the same command finds again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from assistant.errors import HectorError
from assistant.hearing import load_model
from models.training import export, festival, measure, recordings, revoice, spelled, synthesis
from models.training.align import Aligner
from models.training.espeak import Espeak
from models.training.lexicon import load_accents, load_lexicon
from models.training.network import Shape
from models.training.pools import Utterance, load, save, shards
from models.training.trainer import CHECKPOINT, Plan, State, load_checkpoint, train

SHARD = 2000
VARIANTS = 150


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
    shape=Shape(width=128, dilations=(1, 2, 3)),
    plan=Plan(steps=450, batch=16, average=0.98, noise_seconds=5),
    checks=30,
    align_at=0.6,
)


def full(minutes: float) -> Size:
    return Size(1.0, 600, 800, Shape(), Plan(minutes=minutes), 240, 0.15)


@dataclass(frozen=True)
class Pipeline:
    """One training: where it writes, its seed and size."""

    out: Path
    work: Path
    seed: int
    size: Size
    say: Callable[[str], None]

    def run(self, people: Path | None, resume: bool) -> None:
        """From nothing, or from the last checkpoint, to a model in `out`. Raises HectorError."""
        lexicon = load_lexicon()
        # read before hours are spent
        found = recordings.find(people, lexicon, self.say) if people is not None else []
        if people is not None and not found:
            raise HectorError(f"None of the recordings in {people} can be used; see above.")
        resume = resume and (self.work / CHECKPOINT).exists()
        if resume:
            load_checkpoint(self.work / CHECKPOINT)
        self._synthesise()
        plan, pools = self._plan(), self.work / "pools"
        if self.size.spelled or found:
            state = train(pools, self.work, self.size.shape, plan, resume, self.say, self.size.align_at)
            self._align(state, found)
            resume = True
        state = train(pools, self.work, self.size.shape, plan, resume, self.say)
        export.write_model(self.out, state.averaged.eval(), lexicon, state.priors, state.stats)
        self.say(
            f"Trained for {state.step} steps, {state.seconds / 60:.0f} minutes; the model is in {self.out}."
        )
        self._check()

    def _plan(self) -> Plan:
        plan = self.size.plan
        return Plan(**{**vars(plan), "seed": self.seed})

    def _pool(self, pool: str, shard: str, utterances: Callable[[], Iterable[Utterance]]) -> None:
        folder = self.work / "pools"
        if (folder / f"{pool}@{shard}.npz").exists():
            return
        made = list(utterances())
        if made:
            save(folder, pool, shard, made)
            hours = sum(len(u.wave) for u in made) / 16000 / 3600
            self.say(f"{pool} {shard}: {len(made)} utterances, {hours:.2f} h")

    def _synthesise(self) -> None:
        lexicon = load_lexicon()
        accents = load_accents(lexicon)
        languages = {a.voice for a in accents.values() if a.engine == "espeak"}
        engine = Espeak(self.work / "espeak", languages, VARIANTS, self.seed)
        for recipe in synthesis.recipes(list(accents.values())):
            count = round(recipe.size * self.size.share)
            for k, start in enumerate(range(0, count, SHARD)):
                many = min(SHARD, count - start)
                self._pool(
                    recipe.name,
                    str(k),
                    lambda r=recipe, n=many, k=k: synthesis.utterances(  # type: ignore[misc]
                        engine, lexicon, accents, r, n, self.seed * 1000 + k
                    ),
                )
        if not self.size.festival:
            return
        voices = festival.installed()
        if not voices:
            self.say("Festival's voices are not installed: training goes on without them.")
        for voice in voices:
            self._pool(
                "festival",
                voice.name,
                lambda v=voice: festival.utterances(  # type: ignore[misc]
                    lexicon, accents, v, self.size.festival, self.seed, self.work / "scratch"
                ),
            )
        self._revoice()

    def _revoice(self) -> None:
        """Once more as much of the voices that come from people, each utterance from another mouth."""
        for path in shards(self.work / "pools"):
            pool, _, shard = path.stem.partition("@")
            if pool in revoice.POOLS:
                self._pool(
                    "revoiced",
                    f"{pool}-{shard}",
                    lambda p=path: revoice.utterances(load(p), self.seed),  # type: ignore[misc]
                )

    def _align(self, state: State, found: list[recordings.Recording]) -> None:
        lexicon = load_lexicon()
        accents = load_accents(lexicon)
        mean = torch.from_numpy(state.stats[0, :-1] / state.stats[0, -1])
        aligner = Aligner(state.averaged.eval(), lexicon, mean, np.log(export.flatten(state.priors)))
        if found:
            self._pool("recordings", "0", lambda: recordings.utterances(found, lexicon, aligner, self.say))
            if not any(path.name.startswith("recordings@") for path in shards(self.work / "pools")):
                raise HectorError("None of the recordings sounds like its transcript; see above.")
        if not self.size.spelled:
            return
        for voice in spelled.installed():
            self._pool(
                voice.pool,
                voice.name,
                lambda v=voice: spelled.utterances(  # type: ignore[misc]
                    lexicon, accents, v, aligner, self.size.spelled, self.seed, self.work / "scratch"
                ),
            )
        self._revoice()

    def _check(self) -> None:
        model = load_model(self.out)
        for name in ("held-out", "accents"):
            samples = measure.samples_of(name, self.size.checks, self.seed, self.work / "measure")
            self.say(f"{name}, clean: {measure.score(model, samples, 'clean').line()}")
