"""Who speaks in Debian's packages of spoken prompts, and how it is found what is said.

Italian and Dutch, and three Germans, are left out of every training: they measure.
"""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.training.lexicon import HERE, data_lines

SHARE = Path("/usr/share")
TELEPHONE = (".g722", ".gsm")
"""Kinds of recordings that ffmpeg reads."""
PROMPTS, COUNTED = "prompts", "counted"
_KINDS = (".ogg", ".opus", ".wav", ".gsm")
_SUBTITLE = re.compile(r'dialogId\("([^"]+)".*\n\s*dialogStr\("(.*)"\)')
_FISH, _OTHERS = ("m", "v"), "others"
"""The small and the big fish, who talk in every level of Fish Fillets, and all others."""
_NOTES = re.compile(r"[\[\](){}<>…]")
_GERMAN = {"ae": "ä", "oe": "ö", "ue": "ü", "sz": "ß"}


@dataclass(frozen=True)
class Speaker:
    """Who speaks espeak-ng's `language`, where below /usr/share, and how it is found what is said."""

    name: str
    language: str
    folder: str
    reads: Callable[[Speaker, Path], Iterator[tuple[Path, str]]]
    pool: str = PROMPTS

    def texts(self, share: Path) -> Iterator[tuple[Path, str]]:
        """Each recording with what is said in it; nothing where it is not installed."""
        return self.reads(self, share)


def _named(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """The name of a file is what is said, as klettres has it."""
    for path in sorted((share / speaker.folder).rglob("*.ogg")):
        text = path.stem.lstrip("0123456789-")
        if speaker.language == "de":
            for letters, letter in _GERMAN.items():
                text = text.replace(letters, letter)
        yield path, text


def _listed(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """Asterisk's packages have a list with lines `name: text`."""
    sounds = f"core-sounds-{speaker.language[:2]}"
    texts = share / "doc" / f"asterisk-{sounds}" / f"{sounds}.txt.gz"
    if not texts.is_file():
        return
    with gzip.open(texts, "rt", encoding="utf-8-sig", errors="replace") as stream:
        for line in stream:
            name, colon, text = line.partition(":")
            path = share / speaker.folder / f"{name.strip()}.g722"
            if colon and not line.startswith(";") and not _NOTES.search(text) and path.is_file():
                yield path, text.strip()


def _described(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """Beside each stamp of Tux Paint lies a text with lines `language.utf8=description`."""
    ending, start = f"_desc_{speaker.language}.ogg", f"{speaker.language}.utf8="
    for path in sorted((share / speaker.folder).rglob(f"*{ending}")):
        texts = path.with_name(path.name.removesuffix(ending) + ".txt")
        if texts.is_file():
            lines = texts.read_text(encoding="utf-8", errors="replace").splitlines()
            text = next((line.removeprefix(start) for line in lines if line.startswith(start)), "")
            if text and not _NOTES.search(text):
                yield path, text.strip()


def _written(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """What some packages say is not written in them: `said.txt` tells, under a heading for each."""
    of, heading = (speaker.folder.split("/")[0], speaker.language.split("-")[0]), ("", "")
    for _, line in data_lines(HERE / "said.txt"):
        name, equals, text = (part.strip() for part in line.partition("="))
        if not equals:
            package, language = line.strip("[]").split()
            heading = (package, language)
        elif heading == of:
            yield from ((path, text) for path in _sounds(share / speaker.folder, name))


def _sounds(folder: Path, name: str) -> Iterator[Path]:
    """The file of that name, if it is there; KTuberling's are of several kinds."""
    return (path for path in (folder / f"{name}{kind}" for kind in _KINDS) if path.is_file())


def _worded(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """The name of a file is what is said, as qABCs has it."""
    for path in sorted((share / speaker.folder).glob("*.ogg")):
        yield path, path.stem.replace("_", " ")


def _read_out(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """Sentences of which a voice of Festival was built: lines `( name "text" )`, "+" for the stress."""
    texts = share / speaker.folder / "etc/txt.done.data"
    if not texts.is_file():
        return
    for found in re.finditer(r'\( *(\S+) "(.*)" *\)', texts.read_text(encoding="utf-8", errors="replace")):
        path = share / speaker.folder / "wav" / f"{found[1]}.wav"
        if path.is_file():
            yield path, found[2].replace("+", "")


def _subtitled(speaker: Speaker, share: Path) -> Iterator[tuple[Path, str]]:
    """The lines of a role in Fish Fillets: a level's script has the subtitle of each by the recording's name.

    The role is the second part of that name, behind the level's mark: "vit-m-hlava".
    """
    game, role = share / speaker.folder, speaker.name.rpartition("-")[2]
    for script in sorted(game.glob(f"script/*/dialogs_{speaker.language}.lua")):
        folder = game / "sound" / script.parent.name / speaker.language
        for name, text in _SUBTITLE.findall(script.read_text(encoding="utf-8", errors="replace")):
            path = folder / f"{name}.ogg"
            spoken_by = next((fish for fish in _FISH if name.split("-")[1:2] == [fish]), _OTHERS)
            if spoken_by == role and "%" not in text and path.is_file():
                yield path, text.replace("\\", "")


def _asterisk(language: str, who: str) -> Speaker:
    return Speaker(f"asterisk-{who}", language, f"asterisk/sounds/{who}", _listed)


def _klettres(language: str, folder: str = "") -> Speaker:
    folder = folder or language
    return Speaker(f"klettres-{folder}", language, f"klettres/{folder}", _named)


def _tuxpaint(language: str) -> Speaker:
    return Speaker(f"tuxpaint-{language}", language, "tuxpaint/stamps", _described)


def _ktuberling(language: str, folder: str = "") -> Speaker:
    folder = folder or language
    return Speaker(f"ktuberling-{folder}", language, f"ktuberling/sounds/{folder}", _written)


def _kajongg(who: str) -> Speaker:
    """A German who calls the tiles of Mah Jongg by their numbers."""
    return Speaker(f"kajongg-de-{who}", "de", f"kajongg/voices/de/{who}", _written, COUNTED)


def _pforzheim(what: str = "", pool: str = PROMPTS) -> Speaker:
    """A German woman's announcements for telephones."""
    return Speaker(f"asterisk-de{what.replace('/', '-')}", "de", f"asterisk/sounds/de{what}", _written, pool)


def _fillets(language: str, role: str) -> Speaker:
    return Speaker(f"fillets-{language}-{role}", language, "games/fillets-ng", _subtitled)


def _kajongg_english(who: str) -> Speaker:
    return Speaker(f"kajongg-{who}", "en-us", f"kajongg/voices/{who}", _written)


SPEAKERS = (
    _asterisk("es-419", "es_MX_f_Allison"),
    _asterisk("en-us", "en_US_f_Allison"),
    _asterisk("fr", "fr_CA_f_June"),
    _asterisk("ru", "ru_RU_f_IvrvoiceRU"),
    *map(_klettres, ("de", "es", "fr", "cs", "da", "hu", "lt")),
    _klettres("en-us", "en"),
    _klettres("en", "en_GB"),
    _klettres("pt-br", "pt_BR"),
    *map(_tuxpaint, ("es", "fr", "ca", "ro", "ru", "bg", "el", "da")),
    _ktuberling("en-us", "en"),
    *map(_ktuberling, ("fr", "ca", "da", "lt", "ru", "sl", "el")),
    *map(_kajongg, ("female1", "male1")),
    *map(_kajongg_english, ("female1", "male1")),
    Speaker("qabcs-en", "en-us", "qabcs/abcs/en/sounds/words", _worded),
    Speaker("festvox-ru", "ru", "festival/voices/russian/msu_ru_nsh_clunits", _read_out),
    _pforzheim(),
    _pforzheim("/digits", COUNTED),
    *(_fillets("cs", role) for role in (*_FISH, _OTHERS)),
)
"""Asterisk's announcements (asterisk-core-sounds-*-g722), the letters and syllables of klettres-data, what
volunteers say to the pictures of tuxpaint-stamps-default (not in Belarusian: Debian's espeak-ng cannot) and
ktuberling-data (not in Norwegian: a synthesiser's, nor in Galician: noise), the calls of kajongg, the English
words of qabcs-data (its others are a synthesiser's), the sentences of festvox-ru, the numbers, letters and
words of asterisk-prompt-de, and the Czech actors of fillets-ng-data-cs (fillets-ng-data has their lines)."""


STRANGERS = (
    _asterisk("it", "it_IT_m_Carlo"),
    _klettres("it"),
    _klettres("nl"),
    _tuxpaint("nl"),
    *(_fillets("nl", role) for role in _FISH),
    _ktuberling("de"),
    *map(_kajongg, ("female2", "male2")),
)
"""Of these no training hears: they measure. Kajongg's English female2 is the German one, male2 a
synthesiser."""


def installed(share: Path = SHARE, speakers: Sequence[Speaker] = SPEAKERS) -> list[Speaker]:
    """Those whose recordings and texts are on this machine, with ffmpeg if the recordings need it."""
    found = []
    for speaker in speakers:
        first = next(speaker.texts(share), None)
        if first is not None and (first[0].suffix not in TELEPHONE or shutil.which("ffmpeg") is not None):
            found.append(speaker)
    return found
