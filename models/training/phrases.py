"""What the synthetic voices say: announcements of every form, commands, word strings, invented words."""

from __future__ import annotations

import random
from collections.abc import Iterable

import chess

from assistant.announcements import load_vocabulary
from models.training.lexicon import Lexicon, Pronunciation, Sound

_VOCABULARY = load_vocabulary("de")
FILES = _VOCABULARY.files
RANKS = tuple(words[0] for words in _VOCABULARY.ranks)
PIECES = tuple(_VOCABULARY.pieces[piece] for piece in reversed(chess.PIECE_TYPES))
PROMOTIONS = PIECES[1:5]
# Drawn below, with what they ask about.
_DRAWN_OTHERWISE = ("square", "piece")
COMMANDS = tuple(
    phrase.pattern for phrase in _VOCABULARY.commands if phrase.command.name not in _DRAWN_OTHERWISE
)

_ZWO = 0.12
"""Share of "zwei" spoken as "zwo", as careful speakers do to keep it apart from "drei"."""


def _square(rng: random.Random) -> list[str]:
    return [rng.choice(FILES), rng.choice(RANKS)]


def announcement(rng: random.Random) -> list[str]:
    """A random announcement or command in any of the forms that players use (legal or not)."""
    kind = rng.random()
    if kind < 0.06:
        check = rng.choice(([], [], ["schach"], ["matt"]))
        return [rng.choice(("kurze", "lange", "kleine", "grosse")), "rochade", *check]
    if kind < 0.24:
        command = list(rng.choice(COMMANDS))
        if rng.random() < 0.1:
            command = ["was", "steht", "auf", *_square(rng)]
        elif rng.random() < 0.1:
            command = ["wo", "steht", rng.choice(PIECES)]
        return command
    piece = [rng.choice(PIECES)] if rng.random() < 0.55 else []
    origin = rng.choice(
        ([], [], [rng.choice(FILES)], [rng.choice(RANKS)], _square(rng), _square(rng), _square(rng))
    )
    if not piece and rng.random() < 0.7:
        origin = _square(rng)
    von = ["von"] if origin and rng.random() < 0.12 else []
    verb = rng.choice(([], [], [], ["schlaegt"], ["nimmt"]))
    to = [rng.choice(("nach", "nach", "auf"))] if rng.random() < 0.15 else []
    end: list[str] = []
    if rng.random() < 0.14:
        becomes = [rng.choice(_VOCABULARY.promotion)] if rng.random() < 0.3 else []
        end += [*becomes, rng.choice(PROMOTIONS)]
    elif rng.random() < 0.05:
        end.append("enpassant")
    if rng.random() < 0.2:
        end += rng.choice((["schach"], ["schach"], ["matt"], ["schach", "matt"]))
    return [*piece, *von, *origin, *verb, *to, *_square(rng), *end]


def word_string(lexicon: Lexicon, rng: random.Random) -> list[str]:
    """Random words: half of them short, so that every word is also heard alone and beside every other."""
    words = tuple(lexicon.words)
    # the words of the squares decide moves and are confused most, so they come more often than others
    return [
        rng.choice(FILES + RANKS) if rng.random() < 0.35 else rng.choice(words)
        for _ in range(rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6)))
    ]


def utterance(lexicon: Lexicon, rng: random.Random, grammar: float = 0.57) -> list[str]:
    """One utterance as tokens: an announcement with probability `grammar`, else a word string."""
    words = announcement(rng) if rng.random() < grammar else word_string(lexicon, rng)
    return ["zwo" if word == "zwei" and rng.random() < _ZWO else word for word in words]


def without_zwo(words: Iterable[str]) -> tuple[str, ...]:
    """Return words with every "zwo" as the "zwei" that it means, so that they can be compared."""
    return tuple("zwei" if word == "zwo" else word for word in words)


_ONSETS = [
    "p",
    "b",
    "t",
    "d",
    "k",
    "g",
    "f",
    "v",
    "z",
    "S",
    "h",
    "m",
    "n",
    "l",
    "r",
    "j",
    "ts",
    "p-l",
    "b-l",
    "b-r",
    "d-r",
    "t-r",
    "k-r",
    "g-r",
    "f-l",
    "f-r",
    "S-l",
    "S-m",
    "S-n",
    "S-v",
    "S-p",
    "S-t",
    "k-v",
    "k-n",
    "ts-v",
]
_CODAS = [
    "n",
    "r",
    "l",
    "t",
    "s",
    "k",
    "m",
    "x",
    "C",
    "f",
    "p",
    "N",
    "n-t",
    "r-t",
    "l-t",
    "s-t",
    "x-t",
    "k-t",
    "n-s",
    "r-n",
    "m-t",
    "ts",
    "S",
    "f-t",
    "r-k",
    "r-ts",
    "l-s",
]
_SUFFIXES = (("ax",), ("ax", "n"), ("er",), ("ih", "C"), ("uh", "N"), ("ax", "l"), ("ax", "t"), ("ih", "S"))


def invented_word(lexicon: Lexicon, rng: random.Random) -> Pronunciation:
    """A word that does not exist but sounds German: other speech, to teach phones in every neighbourhood."""
    full = sorted(lexicon.vowels - {"ax", "er"})
    sounds: list[Sound] = []
    syllables = rng.choice((1, 1, 2, 2, 2, 3, 3, 4))
    stressed = rng.randrange(syllables)
    for k in range(syllables):
        if k and rng.random() < 0.45 and k == syllables - 1 and stressed != k:
            if rng.random() < 0.8:
                sounds += [Sound(p) for p in rng.choice(_ONSETS).split("-")[:1]]
            sounds += [Sound(p) for p in rng.choice(_SUFFIXES)]
            continue
        if rng.random() < 0.85:
            sounds += [Sound(p) for p in rng.choice(_ONSETS).split("-")]
        sounds.append(Sound(rng.choice(full), k == stressed))
        if rng.random() < 0.55:
            sounds += [Sound(p) for p in rng.choice(_CODAS).split("-")]
    return tuple(sounds)
