"""Measures how well a model knows the sounds of people: recordings of speakers whom no training hears.

    apt install ffmpeg klettres-data ktuberling-data tuxpaint-stamps-default \\
        asterisk-core-sounds-it asterisk-core-sounds-it-g722
    python -m benchmarks.people                   # a table, about a minute
    python -m benchmarks.people --model DIR --share /usr/share

An Italian reads telephone announcements, an Italian and two Dutch speakers read letters, syllables and what
pictures show, a German says single words. espeak-ng tells the sounds of each text, alignment where they are;
counted is for how much of the time the sound that is said is the one that fits best of all 38 and silence.
Sounds that German does not have do not count.
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
from benchmarks.measured import above_zero, in_one_sentence, machine_line, training_extra

with training_extra():
    from models.training import prompts
    from models.training.align import Aligner
    from models.training.lexicon import load_lexicon

_EXACT = 1e-9


@dataclass(frozen=True)
class ModelAligner(Aligner):
    """Aligns by a finished model, as the game computes it."""

    scorer: Scorer

    @classmethod
    def of(cls, model: Path | None) -> ModelAligner:
        """:raises HectorError: if it is no model of the project."""
        loaded = load_model(model)
        lexicon = load_lexicon()
        try:
            scorer = scorer_of(loaded)
        except ValueError as error:
            raise HectorError(f"The model {loaded.path} is not one of the project's: {error}.") from error
        return cls(lexicon, scorer)

    def scores(self, wave: NDArray[np.float32]) -> NDArray[np.float64]:
        """See `Aligner.scores`."""
        return self.scorer.scores(np.round(wave).astype(np.int16)).astype(np.float64)


def frames(aligner: ModelAligner, speaker: prompts.Speaker, count: int, share: Path) -> tuple[int, int, int]:
    """Return recordings, frames of 10 ms whose sounds count, and those of them where the sound fits best."""
    heard = total = best = 0
    said = list(speaker.texts(share))
    random.Random(1).shuffle(said)
    sounds = prompts.load_sounds(aligner.lexicon)
    for recording, units in prompts.spoken(speaker, said, sounds):
        if heard == count:
            break
        trace = aligner.trace(recording, [unit.forms for unit in units])
        counts = prompts.taught(trace, units)
        heard += 1
        total += int(counts.sum())
        best += int((trace.losses[counts] < _EXACT).sum())
    return heard, total, best


@in_one_sentence
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, help="model directory (default: the embedded one)")
    parser.add_argument("--count", type=above_zero(int), default=60, help="recordings of each speaker")
    parser.add_argument("--share", type=Path, default=prompts.SHARE, help="where the recordings lie")
    chosen = parser.parse_args(arguments)
    aligner = ModelAligner.of(chosen.model)
    speakers = prompts.installed(chosen.share, prompts.STRANGERS)
    if not speakers:
        raise HectorError("None of the recordings is installed: see the packages in --help.")
    print(machine_line())
    print(f"{'speaker':26} recordings  seconds  best")
    for speaker in speakers:
        heard, total, best = frames(aligner, speaker, chosen.count, chosen.share)
        print(f"{speaker.name:26} {heard:10} {total / 100:8.0f} {100 * best / max(1, total):4.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
