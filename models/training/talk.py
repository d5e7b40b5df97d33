"""Talk that is not for Hector: synthetic voices that read his own guides aloud, in five languages.

Whoever sits at the next board says whole sentences, and words of the game are made of the same sounds. What
is read leaves those words out: they are learnt where they are announced.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from assistant.errors import HectorError
from models.training.align import Aligner
from models.training.audio import level
from models.training.espeak import Espeak
from models.training.lexicon import Lexicon
from models.training.network import STRIDE
from models.training.owned import RANKS
from models.training.phrases import FILES, PIECES
from models.training.pools import Utterance
from models.training.prompts import ipa, load_sounds, pieces, units

GUIDES = Path(__file__).resolve().parents[2] / "docs"
LANGUAGES = {
    "de": ("guide.de.md", 7500),
    "en": ("guide.md", 400),
    "es": ("guide.es.md", 500),
    "fr": ("guide.fr.md", 400),
    "pl": ("guide.pl.md", 400),
}
"""What is read, by espeak-ng's language, and how many stretches of it."""

POOL = "talk"
VOICES = 150
"""Random espeak-ng voices for each language."""

_OF_THE_GAME = (*FILES, *RANKS, *PIECES)
_NOT_PROSE = re.compile(r"^(#|    |```|\||>)|[0-9/`<>_=|]|--")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+")
_WORD = re.compile(r"[^\W\d_]+")
_FEWEST, _MOST = 2, 9
"""Words read at a time: as many as announcements have."""


def phrases(text: str) -> list[list[str]]:
    """The stretches of sentences in which there is no word of the game, as words.

    Headings, commands and numbers are no sentences.
    """
    paragraphs = re.split(r"\n\s*\n", text)
    found: list[list[str]] = []
    for paragraph in paragraphs:
        if _NOT_PROSE.search(paragraph.split("\n")[0][:5]):
            continue
        for sentence in _SENTENCE.split(" ".join(paragraph.split())):
            stretch: list[str] = []
            for token in [*sentence.split(), ""]:
                if token and not _NOT_PROSE.search(token) and not _is_of_the_game(token):
                    stretch.append(token)
                    continue
                if len(stretch) >= _FEWEST:
                    found.append(stretch)
                stretch = []
    return found


def _is_of_the_game(token: str) -> bool:
    """Whether a word with outputs of its own is in it, however it is spelt: "Felix'", "Läufern"."""
    german = token.casefold().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    plain = unicodedata.normalize("NFKD", german)
    words = _WORD.findall("".join(sign for sign in plain if not unicodedata.combining(sign)))
    return any(word.startswith(one) for word in words for one in _OF_THE_GAME)


def utterances(
    lexicon: Lexicon, aligner: Aligner, language: str, count: int, seed: int, scratch: Path
) -> Iterator[Utterance]:
    """Up to `count` pieces of the guide, each read by a random voice; the same seed reads the same.

    :param scratch: where espeak-ng's data are put together with the random voices.
    :raises HectorError: without espeak-ng, or if the guide is not there.
    """
    path = GUIDES / LANGUAGES[language][0]
    try:
        stretches = phrases(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HectorError(
            f"{path} cannot be read ({error.strerror}); the training data is incomplete."
        ) from error
    engine = Espeak(scratch, [language], VOICES, seed)
    rng, sounds = random.Random(f"talk {language} {seed}"), load_sounds(lexicon)
    made = tried = 0
    while made < count and tried < 2 * count:
        tried += 1
        stretch = rng.choice(stretches)
        first = rng.randrange(max(1, len(stretch) - _FEWEST))
        said = " ".join(stretch[first : first + rng.randint(_FEWEST, _MOST)])
        found = units(ipa(said, language), sounds)
        if not found or not engine.voice(language, rng.choice(engine.stock + engine.random)):
            continue
        wave, _ = engine.say(
            said, rate=rng.uniform(130, 260), pitch=rng.uniform(15, 85), range=rng.uniform(10, 90)
        )
        if len(wave) < 160 * STRIDE * len(found) or float(np.abs(wave).max()) < 100:
            continue
        for piece in pieces(level(wave), found, aligner, f"talk-{language}"):
            made += 1
            yield piece
