"""Listening with an official Vosk model, whose graph is put together at run time from phrases.

Such a grammar is a bigram of the phrases and not the phrases themselves, so of the readings only those are
passed on that are really in the word graph; and the words are the model's own, in their written forms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from assistant.errors import HectorError
from assistant.hearing.engine import Decoder, Reading, Samples, probe
from assistant.hearing.graph import Walker
from assistant.hearing.listening import Price, Readings, free, spoken_times, weighed
from assistant.hearing.models import AcousticModel
from assistant.utterance import Transcript, WordGraph

_ALTERNATIVES = 20
_UNKNOWN = "[unk]"


class GrammarEar:
    """An ear on a model with a run-time graph."""

    def __init__(
        self,
        model: AcousticModel,
        open_grammar: WordGraph,
        written: Mapping[str, Sequence[str]] | None = None,
        *,
        price: Price = free,
    ) -> None:
        """Load the model.

        :param written: other spellings of a token to look for in the model, such as "en passant".
        :param price: of the open grammar's phrases; those of the position cost nothing.
        :raises HectorError: if Vosk cannot use it, or it knows none of the words.
        """
        self._spelt: dict[str, str] = {}
        self._tokens: dict[tuple[str, ...], str] = {}
        for token in sorted({word for _, word, _ in open_grammar.arcs}):
            self._learn(model, token, (written or {}).get(token, ()))
        self._model = model
        self.language = Walker(open_grammar)
        self._grammatical = self._pairs(open_grammar)
        if not self._grammatical:
            raise HectorError(
                "The model {path} knows no announcement: its language is another.", path=model.path
            )
        probe(model.path, self._grammatical)
        self._decoder = Decoder(model.path, scale=model.scale, grammar=self._grammatical)
        self._written = written or {}
        self._price = price
        self.expect(WordGraph((), frozenset()))

    def _learn(self, model: AcousticModel, token: str, written: Iterable[str]) -> None:
        forms = model.spellings(token, written)
        if forms and token not in self._spelt:
            self._spelt[token] = forms[0]
            self._tokens[tuple(forms[0].split())] = token

    def expect(self, phrases: WordGraph, open_grammar: WordGraph | None = None) -> None:
        """See `Ear.expect`; phrases with words that the model lacks are left out.

        The open grammar stays the one of the beginning: Vosk makes its graph once.
        """
        for token in {word for _, word, _ in phrases.arcs}:
            self._learn(self._model, token, self._written.get(token, ()))
        self.position = Walker(phrases)
        self._legal = self._pairs(phrases)

    def prepare(self) -> None:
        """See `Ear.prepare`; the one decoder is there from the beginning."""

    def _pairs(self, graph: WordGraph) -> list[str]:
        """Return the pairs of words that follow one another, from which Vosk makes the same bigram."""
        following: dict[int, set[str]] = {}
        for source, word, _ in graph.arcs:
            if word in self._spelt:
                following.setdefault(source, set()).add(self._spelt[word])
        pairs = set(following.get(0, ()))
        for _, word, target in graph.arcs:
            if word in self._spelt:
                pairs |= {f"{self._spelt[word]} {after}" for after in following.get(target, ())}
        return sorted(pairs)

    def _decode(self, samples: Samples, grammar: Sequence[str]) -> list[Reading]:
        if not grammar:
            return []
        unknown = [_UNKNOWN] if _UNKNOWN in self._model.words else []
        self._decoder.set_grammar([*grammar, *unknown])
        return list(self._decoder.decode(samples, alternatives=_ALTERNATIVES))

    def _own(self, words: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return a reading in the vocabulary's tokens; None if a word is none of them."""
        tokens: list[str] = []
        at = 0
        while at < len(words):
            for length in (2, 1):
                token = self._tokens.get(words[at : at + length])
                if token is not None and at + length <= len(words):
                    tokens.append(token)
                    at += length
                    break
            else:
                return None
        return tuple(tokens)

    def _transcripts(self, readings: Iterable[Reading], graph: Walker) -> tuple[Transcript, ...]:
        found: dict[tuple[str, ...], float] = {}
        for reading in readings:
            words = self._own(reading.text)
            if words and graph.standing(words).complete:
                found.setdefault(words, reading.score)
        return tuple(Transcript(words, score) for words, score in found.items())

    def read(self, samples: Samples) -> Readings:
        """See `Ear.read`; a fragment is passed on where nothing whole was found."""
        readings = self._decode(samples, self._grammatical)
        grammatical = self._transcripts(readings, self.language)
        if not grammatical and readings:
            words = self._own(readings[0].text)
            grammatical = (Transcript(words, readings[0].score),) if words else ()
        best = readings[0] if readings else None
        return Readings(
            self.legal_after_all(samples),
            weighed(grammatical, self._price, self.position),
            *spoken_times(best),
            max((each.score for each in readings), default=-math.inf),
        )

    def legal_after_all(self, samples: Samples) -> tuple[Transcript, ...]:
        """See `Ear.legal_after_all`; empty where no reading is a phrase of the position."""
        return self._transcripts(self._decode(samples, self._legal), self.position)

    def filler(self, samples: Samples) -> Callable[[], float]:
        """See `Ear.filler`; computed when asked for, since the one decoder has one grammar at a time."""
        return cache(lambda: self._with_unknown(samples))

    def _with_unknown(self, samples: Samples) -> float:
        """Return the score of the best reading that may use the unknown word, else of the model itself."""
        grammar = [*self._grammatical, *([_UNKNOWN] * len(self._grammatical))]
        readings = self._decode(samples, grammar if _UNKNOWN in self._model.words else self._grammatical)
        return readings[0].score if readings else 0.0
