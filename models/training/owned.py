"""Outputs of their own for the phones of the words that tell moves apart.

"Drei" and "zwei" differ in their beginning only. So each phone of the squares and the pieces is heard apart
from the same phone of other speech: the "ai" of "drei" is an output beside that of "zwei" and beside "ai".
The pools know phones only; which word each of them belongs to is found by edit distance (Levenshtein 1966)
from what is said in an utterance.

Whether a word of the game differs from other speech cannot be learnt from people who say no such word: the
network would learn that people say none. So their sounds are "neutral": any output of the phone is as right
as it is frequent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.announcements import load_vocabulary
from assistant.hearing.lexicon import OF_WORD
from models.training.lexicon import IGNORE, Lexicon, Pronunciation, Sound
from models.training.phrases import FILES, PIECES
from models.training.pools import Shard
from models.training.speakers import COUNTED, PROMPTS

RANKS = tuple(word for words in load_vocabulary("de").ranks for word in words)
_PEOPLE = (f"{PROMPTS}@", f"{COUNTED}@", "recounted@", f"revoiced@{PROMPTS}-")
"""How the names of their shards begin."""
_OTHER_PHONE, _NOT_SAID, _NOT_MEANT = 1.0, 0.9, 0.9
"""What differences cost: another phone, one that is missing, one too many."""
_EXACT = 1e-6

Labels = NDArray[np.uint8]
Costs = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Outputs:
    """The phones and, behind them, the outputs that belong to a word; labels count them in this order.

    Behind all outputs the labels go on with a neutral one for each phone.
    """

    lexicon: Lexicon
    own: tuple[tuple[str, str], ...] = ()
    """(word, phone) of each output that belongs to a word."""

    @classmethod
    def of(cls, lexicon: Lexicon) -> Outputs:
        """With outputs for every phone of the squares and pieces, in whatever way they are pronounced."""
        words = (*FILES, *RANKS, *PIECES)
        own = ((word, sound.phone) for word in words for form in lexicon.words[word] for sound in form)
        return cls(lexicon, tuple(dict.fromkeys(own)))

    @classmethod
    def counting(cls, lexicon: Lexicon, outputs: int) -> Outputs:
        """With or without outputs for words, so that there are as many as a network has.

        :raises ValueError: if there are neither so many.
        """
        for one in (cls(lexicon), cls.of(lexicon)):
            if len(one) == outputs:
                return one
        raise ValueError(f"a network of {outputs} outputs")

    def __len__(self) -> int:
        return len(self.lexicon.phones) + len(self.own)

    @cached_property
    def by_phone(self) -> NDArray[np.int64]:
        """The phone's number of each label."""
        phones = np.arange(len(self.lexicon.phones))
        own = [self.lexicon.number(phone) for _, phone in self.own]
        return np.concatenate([phones, np.array(own, np.int64), phones])

    @cached_property
    def of_outputs(self) -> NDArray[np.int64]:
        """The phone's number of each output."""
        return self.by_phone[: len(self)]

    @cached_property
    def _number(self) -> Mapping[tuple[str, int], int]:
        first = len(self.lexicon.phones)
        return {
            (word, self.lexicon.number(phone)): k for k, (word, phone) in enumerate(self.own, start=first)
        }

    @cached_property
    def said(self) -> Lexicon:
        """The lexicon in which these words are spelt with their own phones, as a model carries it."""
        names = (*self.lexicon.phones, *(phone + OF_WORD + word for word, phone in self.own))
        words = {
            word: tuple(self._spelt(word, form) for form in forms)
            for word, forms in self.lexicon.words.items()
        }
        return Lexicon(names, self.lexicon.vowels, words)

    def _spelt(self, word: str, form: Pronunciation) -> Pronunciation:
        if not any(word == one for one, _ in self.own):
            return form
        return tuple(Sound(sound.phone + OF_WORD + word, sound.stressed) for sound in form)

    def wanted(self, priors: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each output should say where a label stands: (labels, outputs).

        :param priors: frequencies of the outputs, by which those of a phone share a neutral label.
        """
        of_phone = np.arange(len(self.lexicon.phones))[:, None] == self.of_outputs
        shares = of_phone * priors
        return np.concatenate([np.eye(len(self)), shares / shares.sum(1, keepdims=True)])

    def shard(self, shard: Shard, path: Path) -> Shard:
        """A shard whose labels are these outputs, from one with the labels of phones, read from `path`."""
        if not self.own:
            return shard
        said = map(shard.__getitem__, range(len(shard)))
        labels = [self.labelled(one.labels, one.words, path) for one in said]
        return replace(shard, labels=np.concatenate([shard.labels[:0], *labels]))

    def labelled(self, labels: Labels, words: Sequence[str], path: Path) -> Labels:
        """The labels of an utterance of the shard in `path`, from those of its phones."""
        if not self.own:
            return labels
        return self.heard(labels) if path.name.startswith(_PEOPLE) else self.relabelled(labels, words)

    def relabelled(self, labels: Labels, words: Sequence[str]) -> Labels:
        """The labels of an utterance, its phones given to the words that are said in it."""
        out = labels.copy()
        runs = list(_runs(labels))
        for word, first, end in self._owners(runs, words):
            out[first:end] = self._number.get((word, int(labels[first])), labels[first])
        return out

    def heard(self, labels: Labels) -> Labels:
        """Neutral labels, but for a rank at the end of what is counted, which is known by its phones."""
        out = labels.copy()
        known = (labels != 0) & (labels != IGNORE)
        out[known] += len(self)
        runs = list(_runs(labels))
        said = [phone for _, _, phone in runs]
        for word in RANKS:
            for form in self.lexicon.words[word]:
                numbers = [self.lexicon.number(sound.phone) for sound in form]
                if said[-len(numbers) :] == numbers:
                    for first, end, phone in runs[-len(numbers) :]:
                        out[first:end] = self._number[word, phone]
                    return out
        return out

    def _owners(
        self, runs: Sequence[tuple[int, int, int]], words: Sequence[str]
    ) -> Iterator[tuple[str, int, int]]:
        """Each piece of the utterance that is a phone of a word: the word, first frame and end."""
        if not runs or not words:
            return
        path = self._closest(np.array([phone for _, _, phone in runs]), words)
        # two words that meet in one phone share its run, of which the path gives them one
        shared: dict[int, list[int]] = {}
        for (before, phone, run), (owner, following, next_run) in pairwise([(-1, -1, None), *path]):
            if next_run is not None:
                shared[next_run] = [owner]
                if run is None and phone == following and before not in (-1, owner):
                    shared[next_run].insert(0, before)
            elif run is not None and phone == following and before != owner:
                shared[run].append(owner)
        for run, owners in shared.items():
            first, end, _ = runs[run]
            cuts = np.linspace(first, end, len(owners) + 1).round().astype(int).tolist()
            for owner, (begin, stop) in zip(owners, pairwise(cuts), strict=True):
                yield words[owner], begin, stop

    def _closest(self, runs: NDArray[np.int64], words: Sequence[str]) -> list[tuple[int, int, int | None]]:
        """(place of the word, phone, run of it or None) of the pronunciations that fit best, in order."""
        places = np.arange(len(runs) + 1)
        row: Costs = places * _NOT_MEANT
        tables: list[tuple[NDArray[np.int64], list[list[tuple[int, Costs]]]]] = []
        for word in words:
            every_form = []
            for form in self.lexicon.words[word]:
                rows = [(-1, row)]
                for sound in form:
                    phone = self.lexicon.number(sound.phone)
                    rows.append((phone, _next(rows[-1][1], phone, runs, places)))
                every_form.append(rows)
            costs = np.array([rows[-1][1] for rows in every_form])
            tables.append((costs.argmin(0), every_form))
            row = costs.min(0)
        at = len(runs)
        path: list[tuple[int, int, int | None]] = []
        for owner in range(len(words) - 1, -1, -1):
            best, every_form = tables[owner]
            rows = every_form[int(best[at])]
            for (_, before), (phone, here) in zip(rows[-2::-1], rows[:0:-1], strict=True):
                while at and not _same(here[at], _said(before, at, phone, runs)):
                    if _same(here[at], before[at] + _NOT_SAID):
                        break
                    # a run that nobody meant stands behind the phone before it
                    at -= 1
                if at and _same(here[at], _said(before, at, phone, runs)):
                    at -= 1
                    path.append((owner, phone, at))
                else:
                    path.append((owner, phone, None))
        return path[::-1]


def _next(before: Costs, phone: int, runs: NDArray[np.int64], places: NDArray[np.int64]) -> Costs:
    """The costs one phone later: it is the next run, or nothing; then runs that nobody meant."""
    here = before + _NOT_SAID
    here[1:] = np.minimum(here[1:], before[:-1] + _OTHER_PHONE * (runs != phone))
    return np.asarray(np.minimum.accumulate(here - places * _NOT_MEANT) + places * _NOT_MEANT)


def _said(before: Costs, at: int, phone: int, runs: NDArray[np.int64]) -> float:
    """The cost of the phone being the run before that place."""
    return float(before[at - 1]) + _OTHER_PHONE * bool(runs[at - 1] != phone)


def _same(cost: float, other: float) -> bool:
    return abs(cost - other) < _EXACT


def _runs(labels: Labels) -> Iterator[tuple[int, int, int]]:
    """First frame, end and phone of each sound that is known; silence is none."""
    starts = np.flatnonzero(np.diff(labels, prepend=IGNORE - 1 if len(labels) else 0))
    for first, end in zip(starts, [*starts[1:], len(labels)], strict=True):
        if labels[first] not in (0, IGNORE):
            yield int(first), int(end), int(labels[first])
