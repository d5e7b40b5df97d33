"""The words a model knows, and the network's outputs they are spelt with."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from assistant.errors import HectorError
from assistant.hearing.kaldi import Stream

Pronunciation = tuple[str, ...]
Lexicon: TypeAlias = Mapping[str, tuple[Pronunciation, ...]]
"""Every word's pronunciations, the canonical one first."""

SILENCE = "SIL"
OF_WORD = "."
"""Between a phone and the word whose own it is: "ai.drei" is the "ai" of "drei"."""
_SUFFIXES = {"B": "begin", "E": "end", "I": "internal", "S": "singleton"}


@dataclass(frozen=True, slots=True)
class Phone:
    """One position-dependent phone of a model with a single emitting state per phone."""

    loop: int
    """Transition-id of its self-loop."""
    forward: int
    """Transition-id of the arc that enters it."""
    loop_cost: float
    forward_cost: float
    output: int
    """Number of the network's output that scores it."""


@dataclass(frozen=True, slots=True)
class Phones:
    """The phones of a model by their names: "SIL", and "a_B", "a_I", "a_E", "a_S" for every other one."""

    ids: Mapping[str, int]
    phones: Mapping[str, Phone]
    transition_ids: int
    """The network's graph may carry 1 to this many; Kaldi reads beyond its tables for any other."""

    def word_boundaries(self) -> str:
        """Return Kaldi's word_boundary.int, from which word times are told."""
        lines = []
        for name, number in self.ids.items():
            kind = "nonword" if name == SILENCE else _SUFFIXES[name.rpartition("_")[2]]
            lines.append(f"{number} {kind}\n")
        return "".join(lines)

    def base_names(self) -> list[str]:
        """Return the phones without their positions, silence left out."""
        return [name[:-2] for name in self.ids if name.endswith("_S")]

    def families(self) -> dict[str, list[Phone]]:
        """Return each phone, silence first, with those that are the same one in words of their own."""
        found = {SILENCE: [self.phones[SILENCE]]}
        for name in self.base_names():
            found.setdefault(name.partition(OF_WORD)[0], []).append(self.phones[name + "_S"])
        return found


def position_dependent(pronunciation: Pronunciation) -> list[str]:
    """Return the phones with Kaldi's marks for their place in the word: begin, internal, end, singleton."""
    if len(pronunciation) == 1:
        return [pronunciation[0] + "_S"]
    first, *inner, last = pronunciation
    return [first + "_B", *(phone + "_I" for phone in inner), last + "_E"]


def read_lexicon(path: Path) -> Lexicon:
    """Read "word phone phone ..." lines, one per pronunciation, the canonical one of a word first.

    Stress marks before a phone are allowed and dropped; a line that starts with # is a comment.

    :raises HectorError: if a line has a word without a pronunciation, or the file names no word.
    """
    words: dict[str, list[Pronunciation]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        word, *phones = fields
        if not phones:
            raise HectorError(
                "Line {number} of {path} gives no pronunciation for “{word}”.",
                number=number,
                path=path,
                word=word,
            )
        pronunciation = tuple(phone.lstrip("'") for phone in phones)
        known = words.setdefault(word, [])
        if pronunciation not in known:
            known.append(pronunciation)
    if not words:
        raise HectorError("{path} names no word.", path=path)
    return {word: tuple(pronunciations) for word, pronunciations in words.items()}


def complete_lexicon(lexicon: Lexicon, other: Lexicon, phones: Phones) -> Lexicon:
    """Return a lexicon with the words that only another one has, as far as a model's phones can say them.

    So a model hears words that joined the vocabulary after it was made.
    """
    known = set(phones.base_names())
    later = {
        word: tuple(each for each in pronunciations if known.issuperset(each))
        for word, pronunciations in other.items()
        if word not in lexicon
    }
    return {**lexicon, **{word: forms for word, forms in later.items() if forms}}


def read_phones(path: Path, transitions: TransitionModel) -> Phones:
    """Read Kaldi's phones.txt ("name id" lines) and join it to the model's own transition-ids.

    :raises HectorError: if the file does not list exactly the phones of the model.
    """
    ids: dict[str, int] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split()
        if len(fields) != 2 or not re.fullmatch("[0-9]{1,9}", fields[1]):
            raise HectorError(
                "{path} must have a phone's name and its number on every line, not “{line}”.",
                path=path,
                line=line,
            )
        if fields[1] != "0" and not fields[0].startswith("#"):
            ids[fields[0]] = int(fields[1])
    if set(ids.values()) != set(transitions.phones) or len(ids) != len(transitions.phones):
        raise HectorError(
            "{path} names {count} phones, but the acoustic model beside it has {needed}: the two "
            "do not belong together.",
            path=path,
            count=len(ids),
            needed=len(transitions.phones),
        )
    strangers = [name for name in ids if name != SILENCE and name.rpartition("_")[2] not in _SUFFIXES]
    if SILENCE not in ids or strangers:
        raise HectorError(
            "{path} must name {silence}, and every other phone with _B, _E, _I and _S.",
            path=path,
            silence=SILENCE,
        )
    phones = {name: transitions.phones[number] for name, number in ids.items()}
    return Phones(ids, phones, transitions.transition_ids)


@dataclass(frozen=True, slots=True)
class TransitionModel:
    """What the head of am/final.mdl says about phones and transition-ids."""

    phones: Mapping[int, Phone]
    transition_ids: int
    outputs: int
    """Number of network outputs (pdfs) that the phones use."""


def read_transitions(data: bytes) -> TransitionModel:
    """Read the transition model at the head of a binary Kaldi final.mdl.

    Only phones with one emitting state, one output and two transitions (self-loop, forward) are understood:
    the graphs are written for those.

    :raises ValueError: if the bytes are not such a model.
    """
    if data[:2] != b"\0B":
        raise ValueError("not a binary Kaldi file")
    stream = Stream(data[2:])
    stream.token("<TransitionModel>")
    stream.token("<Topology>")
    numbers = stream.integers()
    stream.integers()
    if stream.integer() != 1 or stream.integer() != 2:
        raise ValueError("phones of more than one shape or of more than one emitting state")
    if stream.integer() != 0 or stream.integer() != 2:
        raise ValueError("an emitting state that has not two transitions")
    destinations = []
    for _ in range(2):
        destinations.append(stream.integer())
        stream.real()
    if destinations != [0, 1] or stream.integer() != -1 or stream.integer() != 0:
        raise ValueError("transitions other than self-loop and forward")
    stream.token("</Topology>")
    stream.token("<Triples>")
    triples = [(stream.integer(), stream.integer(), stream.integer()) for _ in range(stream.count())]
    stream.token("</Triples>")
    stream.token("<LogProbs>")
    log_probs = stream.reals()
    stream.token("</LogProbs>")
    stream.token("</TransitionModel>")
    if len(log_probs) != 1 + 2 * len(triples) or sorted(phone for phone, _, _ in triples) != sorted(numbers):
        raise ValueError("tables of different lengths")
    if not all(map(math.isfinite, log_probs)):
        raise ValueError("a probability that is no number")
    phones = {
        phone: Phone(2 * k + 1, 2 * k + 2, -log_probs[2 * k + 1], -log_probs[2 * k + 2], output)
        for k, (phone, _, output) in enumerate(triples)
    }
    return TransitionModel(phones, 2 * len(triples), 1 + max(pdf for _, _, pdf in triples))
