"""Measures how well a model knows the sounds of people: recordings of speakers whom no training hears.

    apt install ffmpeg klettres-data ktuberling-data tuxpaint-stamps-default kajongg \\
        asterisk-core-sounds-it asterisk-core-sounds-it-g722 fillets-ng-data fillets-ng-data-nl
    python -m benchmarks.people                   # two tables, about a minute
    python -m benchmarks.people --model DIR --share /usr/share

An Italian reads telephone announcements, an Italian and two Dutch speakers read letters, syllables and what
pictures show, two Dutch actors play, Germans say single words. espeak-ng tells the sounds of each text,
alignment where they are; counted is for how much of the time the sound that is said is the one that fits best
of all 38 and silence. Sounds that German does not have do not count.

Two of the Germans call tiles of Mah Jongg: "Bambus drei". The second table tells how often the number that
they say fits better than the seven others, with the first word known, also in noise (each recording in
several noises).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError
from assistant.hearing import load_model
from assistant.hearing.scoring import Scorer, scorer_of
from benchmarks.measured import above_zero, in_one_sentence, machine_line
from benchmarks.voices import recording
from models.training import training_extra

with training_extra():
    from models.training import prompts
    from models.training.align import Aligner
    from models.training.audio import level, read
    from models.training.lexicon import load_lexicon
    from models.training.owned import Outputs
    from models.training.phrases import RANKS
    from models.training.speakers import COUNTED, SHARE, STRANGERS, Speaker, installed

_EXACT = 1e-9
_CONDITIONS = {"clean": 1, "pink 10": 3, "babble 10": 3, "babble 5": 3}
"""How often each recording is heard, each time in another noise."""


@dataclass(frozen=True)
class ModelAligner(Aligner):
    """Aligns by a finished model, as the game computes it."""

    scorer: Scorer

    @classmethod
    def of(cls, model: Path | None) -> ModelAligner:
        """:raises HectorError: if it is no model of the project."""
        loaded = load_model(model)
        try:
            scorer = scorer_of(loaded)
        except ValueError as error:
            raise HectorError(f"The model {loaded.path} is not one of the project's: {error}.") from error
        return cls(load_lexicon(), scorer)

    def scores(self, wave: NDArray[np.float32]) -> NDArray[np.float64]:
        """See `Aligner.scores`."""
        return self.scorer.of_phones(self._outputs(wave))

    def _outputs(self, wave: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.scorer.scores(np.round(wave).astype(np.int16))


class WordAligner(ModelAligner):
    """The same, and words that the model has outputs for are told apart by these."""

    @classmethod
    def by(cls, aligner: ModelAligner) -> WordAligner:
        outputs = Outputs.counting(aligner.lexicon, len(aligner.scorer.network.log_priors))
        return cls(outputs.said, aligner.scorer)

    def scores(self, wave: NDArray[np.float32]) -> NDArray[np.float64]:
        """See `Aligner.scores`; a phone by itself is any of its outputs."""
        outputs = self._outputs(wave)
        phones = self.scorer.of_phones(outputs)
        return np.hstack([phones, outputs[:, phones.shape[1] :]])


def frames(aligner: ModelAligner, speaker: Speaker, count: int, share: Path) -> tuple[int, int, int]:
    """Return recordings, frames of 10 ms whose sounds count, and those of them where the sound fits best."""
    heard = total = best = 0
    said = list(speaker.texts(share))
    random.Random(1).shuffle(said)
    sounds = prompts.load_sounds(aligner.lexicon)
    for spoken, units in prompts.spoken(speaker, said, sounds):
        if heard == count:
            break
        trace = aligner.trace(spoken, [unit.forms for unit in units])
        counts = prompts.taught(trace, units)
        heard += 1
        total += int(counts.sum())
        best += int((trace.losses[counts] < _EXACT).sum())
    return heard, total, best


def numbers(aligner: ModelAligner, speaker: Speaker, condition: str, share: Path) -> tuple[int, int]:
    """Return how often the number fits best of the eight that is said after a known word, and of how many."""
    sounds = prompts.load_sounds(aligner.lexicon)
    endings = [aligner.lexicon.words[number] for number in RANKS]
    right = total = 0
    for k, (path, text) in enumerate(speaker.texts(share)):
        first, _, last = text.rpartition(" ")
        number = last.replace("ü", "ue")
        units = prompts.units(prompts.ipa(first, speaker.language), sounds) if number in RANKS else None
        if units is None:
            continue
        beginning = [unit.forms for unit in units]
        wave = level(read(path)).astype(float)
        for again in range(_CONDITIONS[condition]):
            rng = np.random.default_rng((k, again))
            heard = aligner.hear(recording(wave, condition, rng, after=0.3)[0])
            fits = [aligner.follow(heard, [*beginning, ending]).likelihood for ending in endings]
            right += RANKS[int(np.argmax(fits))] == number
            total += 1
    return right, total


@in_one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, help="model directory (default: the embedded one)")
    parser.add_argument("--count", type=above_zero(int), default=60, help="recordings of each speaker")
    parser.add_argument("--share", type=Path, default=SHARE, help="where the recordings lie")
    chosen = parser.parse_args(arguments)
    aligner = ModelAligner.of(chosen.model)
    of_words = WordAligner.by(aligner)
    speakers = installed(chosen.share, STRANGERS)
    if not speakers:
        raise HectorError("None of the recordings is installed: see the packages in --help.")
    print(machine_line())
    print(f"{'speaker':26} recordings  seconds  best")
    for speaker in speakers:
        heard, total, best = frames(aligner, speaker, chosen.count, chosen.share)
        print(f"{speaker.name:26} {heard:10} {total / 100:8.0f} {100 * best / max(1, total):4.1f} %")
    who = [speaker for speaker in speakers if speaker.pool == COUNTED]
    if who:
        print(
            f"\n{'number of eight, right':26} " + "  ".join(f"{condition:>10}" for condition in _CONDITIONS)
        )
    for speaker in who:
        scores = (numbers(of_words, speaker, condition, chosen.share) for condition in _CONDITIONS)
        print(f"{speaker.name:26} " + "  ".join(f"{right:4} of {total:3}" for right, total in scores))
    return 0


if __name__ == "__main__":
    sys.exit(main())
