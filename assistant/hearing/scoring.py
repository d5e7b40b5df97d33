"""A project model's scores of an utterance, computed here: how well each phone fits at each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from assistant.errors import HectorError
from assistant.hearing.engine import SHORTEST, Samples
from assistant.hearing.features import Floats, FrontEnd, normalised
from assistant.hearing.kaldi import Stream
from assistant.hearing.lexicon import Phone, Phones
from assistant.hearing.models import AcousticModel
from assistant.hearing.network import Network
from assistant.hearing.nnet3 import read_network

GRAPH_SHARE = 0.9
"""What Vosk multiplies the costs of a graph by before it tells a score."""

WORDS_SAY_MORE = 0.44
"""By how much outputs of words outscore their phones where it is one of these words, per output frame. With
it an announcement is as strange as by a model of phones alone, and the same limits hold."""


@dataclass(frozen=True)
class Scorer:
    """Front end and network of one model."""

    front_end: FrontEnd
    mean: NDArray[np.float64]
    """Mean of the features over the training data."""
    network: Network
    scale: float
    phones: Phones

    def features(self, samples: Samples) -> Floats:
        """Return what the network sees of an utterance, one row for each 10 ms."""
        return normalised(self.front_end.mfcc(samples), self.mean)

    def scores(self, samples: Samples) -> Floats:
        """Return the scores of the network's outputs before the acoustic scale, a row for each 30 ms."""
        return self.network.scores(self.features(samples))

    @cached_property
    def _families(self) -> Sequence[Sequence[Phone]]:
        return list(self.phones.families().values())

    def of_phones(self, scores: Floats) -> NDArray[np.float64]:
        """Return the scores of the phones, in the order of `Phones.families`, from those of the outputs.

        One that has outputs of its own in some words counts with all of them together.
        """
        exact = scores.astype(np.float64)
        return np.column_stack([self._together(exact, family) for family in self._families])

    def filler(self, samples: Samples) -> float:
        """Return the score of the best sequence of phones, as Vosk tells it of `GraphCompiler.phone_loop`.

        Where words have outputs of their own, phones are raised by what these say more of the words.
        """
        if samples.size < SHORTEST:
            return 0.0
        enter, stay = (
            np.array(costs) * (GRAPH_SHARE / self.scale)
            for costs in (
                [f[0].forward_cost for f in self._families],
                [f[0].loop_cost for f in self._families],
            )
        )
        emitted = self.of_phones(self.scores(samples))
        if any(len(family) > 1 for family in self._families):
            emitted[:, 1:] += WORDS_SAY_MORE
        best = emitted[0] - enter
        for row in emitted[1:]:
            best = np.maximum(best - stay, best.max() - enter) + row
        return float(best.max())

    def _together(self, scores: NDArray[np.float64], family: Sequence[Phone]) -> NDArray[np.float64]:
        """Return the score of a phone from those of its outputs: their probabilities added up."""
        outputs = [phone.output for phone in family]
        if len(outputs) == 1:
            return scores[:, outputs[0]]
        priors = self.network.log_priors[outputs].astype(float)
        whole = np.logaddexp.reduce(scores[:, outputs] + priors, axis=1)
        return np.asarray(whole - np.logaddexp.reduce(priors))


def scorer_of(model: AcousticModel) -> Scorer:
    """Return the scorer of a project model; from then on numpy multiplies on one core, in the whole process.

    The matrices are small: threads would take longer to wait for each other, and burn a second core waiting.

    :raises ValueError: if the model is of a kind that is not computed here; Vosk may know it all the same.
    :raises HectorError: if a file cannot be read.
    """
    if model.phones is None:
        raise ValueError("no model of the project")
    try:
        configuration = (model.path / "conf" / "mfcc.conf").read_text(encoding="utf-8")
        statistics = (model.path / "am" / "global_cmvn.stats").read_bytes()
    except FileNotFoundError as error:
        raise ValueError(f"no {Path(error.filename).name}") from None
    except OSError as error:
        raise HectorError("{path} cannot be read: {reason}.", path=error.filename, reason=error) from error
    front_end = FrontEnd.of(_options(configuration))
    sums = Stream(statistics, 2).matrix() if statistics.startswith(b"\0B") else np.zeros((0, 0))
    if sums.shape != (2, front_end.cepstra + 1) or sums[0, -1] <= 0:
        raise ValueError("other statistics of the features")
    known = None if model.adapted else model.network
    network = read_network(model.final_mdl()) if known is None else known
    threadpool_limits(1, user_api="blas")
    mean = np.asarray(sums[0, :-1] / sums[0, -1], np.float64)
    return Scorer(front_end, mean, network, model.scale, model.phones)


def _options(text: str) -> dict[str, str]:
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    pairs = (line.removeprefix("--").partition("=") for line in lines if line)
    return {key.strip(): value.strip() for key, _, value in pairs}
