"""From one piece of audio to its readings by the position, by the open grammar and by the filler."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from assistant.errors import HectorError
from assistant.hearing.engine import SHORTEST, Decoder, Reading, Samples
from assistant.hearing.fst import to_bytes
from assistant.hearing.graph import SECOND, Walker
from assistant.hearing.models import FINAL, AcousticModel
from assistant.hearing.nnet3 import packed
from assistant.hearing.scoring import Scorer, scorer_of
from assistant.hearing.workshop import Workshop
from assistant.threads import begin_thread
from assistant.utterance import Transcript, WordGraph

ALTERNATIVES = 12
"""Readings asked of one decoding; those of the position and of the open grammar share them."""

_BATCH_OPTIONS = {
    # Whole utterances are decoded, so Kaldi's own endpoints must never come and large pieces are cheapest.
    **{f"endpoint.rule{rule}.min-trailing-silence": "1000" for rule in (1, 2, 3, 4)},
    "endpoint.rule5.min-utterance-length": "1000",
    # Larger is slower in loading, which happens in each position where somebody speaks, smaller in decoding.
    "frames-per-chunk": "120",
    # The lattice is put together once, when all is heard, and not over and over while it grows.
    "determinize-max-delay": "1000",
    "determinize-min-chunk-size": "900",
    # The readings are the same without this first of two passes over the lattice; in babble it takes longer
    # than all the rest.
    "phone-determinize": "false",
    # Kaldi thinks about how to compute as often as it loads, and what it finds saves less than that takes.
    "optimization.optimize": "false",
}
_FILLER_OPTIONS = "--lattice-beam=0.5\n"


@dataclass(frozen=True, slots=True)
class Readings:
    """What one piece of audio sounds like."""

    legal: tuple[Transcript, ...]
    """Whole phrases of the position, best first."""
    grammatical: tuple[Transcript, ...]
    """The same by the open grammar; beginnings of phrases too, at their price."""
    spoken_from: float
    """Seconds at which the first word of the best reading begins, in the audio that was decoded."""
    spoken_until: float
    """Seconds at which its last word ends; 0 where it has no words."""
    spoken_for: float
    """Seconds that its words take, without the pauses between them."""
    score: float = -math.inf
    """Of whatever fits best, without its price."""


def is_unfinished(readings: Readings, position: Walker, language: Walker, near: float) -> bool:
    """Return whether the speaker seems to pause inside a phrase.

    What would be whole elsewhere is a beginning here if the position only knows phrases that go on: "Eva
    zwei", where a pawn stands, is the square that it leaves. And where the beginning of a phrase of the
    position is as likely as what was heard, it is that: who thinks about the last word breathes, and a breath
    is heard as a word. (If what was heard is no phrase of the position, a whole one that is as likely goes
    before.)

    :param position: everything that may be said now.
    :param language: everything that may be said in any position.
    :param near: the difference of log scores up to which two readings are as likely.
    """
    if not readings.grammatical or not readings.grammatical[0].words:
        return False
    best = readings.grammatical[0]
    here, anywhere = position.standing(best.words), language.standing(best.words)
    if not here.complete:
        if here.known or (anywhere.known and not anywhere.complete):
            return True
        if readings.legal and readings.legal[0].score >= best.score - near:
            return False
    others = (position.standing(r.words) for r in readings.grammatical if r.score >= best.score - near)
    return any(other.known and not other.complete for other in others)


class Ear(Protocol):
    """One model with one set of phrases."""

    position: Walker
    """Everything that may be said now."""
    language: Walker
    """Everything that may be said in any position."""

    def expect(self, phrases: WordGraph, open_grammar: WordGraph | None = None) -> None:
        """Take the phrases of a new position.

        :param open_grammar: what may be said in any position, if it is another one than otherwise.
        :raises HectorError: if a phrase has a word that the model does not know, or there is no room.
        """

    def prepare(self) -> None:
        """Make ready to read at once, as whoever listens asks for when a sound begins.

        Most positions pass without a word, or with none before the next key is pressed, and a decoder for
        each takes long to load.

        :raises HectorError: if it cannot be loaded.
        """

    def read(self, samples: Samples) -> Readings:
        """Return the readings that come out quickest; phrases that fit badly may be missing."""

    def legal_after_all(self, samples: Samples) -> tuple[Transcript, ...]:
        """Return the best whole phrases of the position, however badly they fit."""

    def filler(self, samples: Samples) -> Callable[[], float]:
        """Return what tells the score of the free phone loop; it may be computed while something is read."""


Price = Callable[[tuple[str, ...]], float]
"""By how much words are to be believed less than others of the open grammar, as a log score."""


def free(_: tuple[str, ...]) -> float:
    """Believe all words alike."""
    return 0.0


def frames_in(samples: Samples) -> int:
    """Return the number of output frames of 30 ms that Kaldi scores."""
    return (1 + (samples.size - 400) // 160 + 2) // 3 if samples.size >= SHORTEST else 0


class GraphEar:
    """An ear on a project model: both grammars are one exact graph, decoded in one pass."""

    def __init__(
        self, model: AcousticModel, open_grammar: WordGraph, *, unfinished: float, price: Price = free
    ) -> None:
        """Compile the open grammar.

        :param unfinished: the price of stopping inside a phrase.
        :param price: of the open grammar's phrases; those of the position cost nothing.
        """
        if model.compiler is None or model.phones is None:
            raise ValueError("not a project model")
        self._model = model
        self._compiler = model.compiler
        self._open = self._language = open_grammar
        self.language = Walker(open_grammar)
        self._unfinished = unfinished
        self._price = price
        parts: dict[str, Path | Callable[[], bytes]] = {name: model.path / name for name in _shared(model)}
        parts[FINAL] = lambda: packed(model.final_mdl())
        self._workshop = Workshop(
            model.path,
            parts,
            configuration="".join(f"--{key}={value}\n" for key, value in _batch_options(model).items()),
            words=model.compiler.words_txt(),
            boundaries=model.phones.word_boundaries(),
        )
        self._scorer: Scorer | None
        try:
            self._scorer = scorer_of(model)
        except ValueError:
            # A network of another make: Vosk computes it.
            self._scorer = None
        self._loop: Decoder | None = None
        self._beside = ThreadPoolExecutor(1, "filler")
        # It begins its thread with its first task, and in the middle of a game there may be no room for one.
        begin_thread(lambda: self._beside.submit(int).result())
        self.expect(WordGraph((), frozenset()))
        # What Vosk refuses now it does not refuse in the middle of a game.
        self.prepare()

    def expect(self, phrases: WordGraph, open_grammar: WordGraph | None = None) -> None:
        """See `Ear.expect`."""
        language = open_grammar or self._open
        self._laid_out = self._lay_out("both", phrases, language, unfinished=self._unfinished)
        if language is not self._language:
            self._language, self.language = language, Walker(language)
        self._both: Decoder | None = None
        self._alone: Decoder | None = None
        self._phrases = phrases
        self.position = Walker(phrases)

    def prepare(self) -> None:
        """See `Ear.prepare`."""
        self._decoder()

    def _decoder(self) -> Decoder:
        if self._both is None:
            self._both = self._load(self._laid_out)
        return self._both

    def _load(self, laid_out: Path) -> Decoder:
        return self._workshop.load(laid_out, scale=self._model.scale)

    def _lay_out(self, name: str, *graphs: WordGraph, unfinished: float) -> Path:
        try:
            graph = self._compiler.compile(*graphs, unfinished=unfinished)
        except ValueError as error:
            words = ", ".join(map(str, error.args[1:]))
            raise HectorError(
                "The model {path} has no pronunciation of {words}: add it to its lexicon.txt.",
                path=self._model.path,
                words=words,
            ) from error
        return self._workshop.lay_out(name, to_bytes(graph))

    def read(self, samples: Samples) -> Readings:
        """See `Ear.read`."""
        readings = self._decoder().decode(samples, alternatives=ALTERNATIVES)
        grammatical = weighed(_transcripts(readings), self._price, self.position)
        best = next((each for each in readings if _plain(each) == grammatical[0].words), None)
        return Readings(
            self._whole(readings),
            grammatical,
            *spoken_times(best),
            max((each.score for each in readings), default=-math.inf),
        )

    def legal_after_all(self, samples: Samples) -> tuple[Transcript, ...]:
        """See `Ear.legal_after_all`."""
        if not self._phrases.arcs:
            return ()
        try:
            if self._alone is None:
                self._alone = self._load(self._lay_out("alone", self._phrases, unfinished=math.inf))
        except HectorError:
            # There is no room for its graph: what came out of both has to do.
            return ()
        return self._whole(self._alone.decode(samples, alternatives=ALTERNATIVES))

    def filler(self, samples: Samples) -> Callable[[], float]:
        """See `Ear.filler`."""
        if self._scorer is None:
            return cache(lambda: self._looped(samples))
        # Both Vosk and numpy let other threads run while they compute.
        return self._beside.submit(self._scorer.filler, samples).result

    def _looped(self, samples: Samples) -> float:
        if self._loop is None:
            loop = to_bytes(self._compiler.phone_loop())
            self._loop = self._load(self._workshop.lay_out("filler", loop, extra=_FILLER_OPTIONS))
        readings = self._loop.decode(samples)
        return readings[0].score if readings else 0.0

    def _whole(self, readings: Iterable[Reading]) -> tuple[Transcript, ...]:
        # Words of the open grammar carry its mark and stand nowhere in the position.
        return _transcripts(reading for reading in readings if self.position.standing(reading.text).complete)


def weighed(transcripts: Iterable[Transcript], price: Price, position: Walker) -> tuple[Transcript, ...]:
    """Return the transcripts, best first, each at its price unless it is a phrase of the position."""
    priced = (
        each
        if position.standing(each.words).complete
        else Transcript(each.words, each.score - price(each.words))
        for each in transcripts
    )
    return tuple(sorted(priced, key=lambda each: -each.score))


def spoken_times(reading: Reading | None) -> tuple[float, float, float]:
    """Return where the words of a reading begin and end and how long they are, in seconds."""
    words = reading.words if reading else ()
    if not words:
        return 0.0, 0.0, 0.0
    return words[0].start, words[-1].end, sum(word.end - word.start for word in words)


def _plain(reading: Reading) -> tuple[str, ...]:
    return tuple(word.removesuffix(SECOND) for word in reading.text)


def _transcripts(readings: Iterable[Reading]) -> tuple[Transcript, ...]:
    """Return the readings without their marks, each word sequence once with its best score."""
    best: dict[tuple[str, ...], float] = {}
    for reading in sorted(readings, key=lambda reading: -reading.score):
        best.setdefault(_plain(reading), reading.score)
    return tuple(Transcript(words, score) for words, score in best.items())


def _shared(model: AcousticModel) -> Sequence[str]:
    names = (FINAL, "am/global_cmvn.stats", "conf/mfcc.conf", "conf/fbank.conf")
    return [name for name in names if (model.path / name).exists()]


def _batch_options(model: AcousticModel) -> Mapping[str, str]:
    streaming = ("endpoint.rule", "determinize-")
    kept = {key: value for key, value in model.options.items() if not key.startswith(streaming)}
    return {**kept, **_BATCH_OPTIONS}
