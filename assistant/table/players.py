"""A player's own settings: one folder for each name, with a file that a person can read and write."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from assistant.errors import HectorError, UsageError, marked
from assistant.hearing import has_voice
from assistant.resources import user_data
from assistant.scoresheet import profile, profile_names
from assistant.scoresheet.layout import MIN_CELLS, MIN_LINES
from assistant.sides import SIDES
from assistant.speaking import LANGUAGES, check_voice
from assistant.table.folder import replace_file
from assistant.table.setup import Person, Setup

SETTINGS: Final = "settings.toml"
LONGEST_NAME: Final = 60
NONE: Final = "none"
"""What is written on the command line for "no value of my own"."""

Value: TypeAlias = "str | int | tuple[int, ...] | None"


@dataclass(frozen=True, slots=True)
class Player:
    """What one player wants whenever he plays. `None`: nothing of his own, the program's default counts."""

    name: str
    """How he is called on the scoresheet. Case and blanks apart it is the name of his folder."""
    language: str | None = None
    """Language of Hector's sentences: one of `LANGUAGES`."""
    voice: str | None = None
    """A voice of espeak-ng ("de+f4", "mb-de6"), or a variant for all languages ("f4")."""
    rate: int | None = None
    """Words a minute, 80 to 450."""
    pitch: int | None = None
    """0 to 99."""
    volume: int | None = None
    """0 to 200; 100 is as the voice has it."""
    press: Literal["auto", "word", "key"] | None = None
    """Who presses the player's clock."""
    warnings: tuple[int, ...] = ()
    """Seconds left at which he wants to be warned, the most first."""
    headphones: str | None = None
    """Name of the device that only he hears."""
    room: str | None = None
    """Name of the device that the room hears."""
    duplex: Literal["half", "full"] = "half"
    """Whether the microphone is deaf while Hector speaks (half), or hears on, with headphones (full)."""
    engine: Literal["espeak", "speechd"] | None = None
    """Who speaks: espeak-ng, or speech-dispatcher, as the player's screen reader does."""
    notation: str | None = None
    """How moves stand on the sheet: short or long. An older file may say figurine, for which braille has no
    cells."""
    braille: str | None = None
    """A braille profile of the scoresheet."""
    cells: int | None = None
    """Cells of a line of the sheet."""
    lines: int | None = None
    """Lines of a page of the sheet."""
    grade: str | None = None
    """Braille of names and remarks: basic or full."""


def folder_of(name: str) -> Path:
    """Return a player's folder under the user's data directory; it need not exist.

    Names that differ only in case, in blanks or in how an accent is stored are the same player.

    :raises UsageError: if the name cannot be a folder's.
    """
    plain = _folded(name)
    if not plain or len(plain.encode(errors="surrogatepass")) > 4 * LONGEST_NAME or len(plain) > LONGEST_NAME:
        raise UsageError("A player's name has 1 to {longest_name} characters.", longest_name=LONGEST_NAME)
    if not plain[0].isalnum() or any(not (sign.isalnum() or _joins(sign)) for sign in plain):
        raise UsageError(
            "{name!r} cannot be a player's name here: use letters, digits, blanks, hyphens, "
            "apostrophes and full stops, a letter or digit first.",
            name=name,
        )
    return user_data("players", plain)


def _folded(name: str) -> str:
    """Return a name as its folder has it. Composed: typed on one keyboard it is found from another."""
    return unicodedata.normalize("NFC", " ".join(unicodedata.normalize("NFC", name).casefold().split()))


def _joins(sign: str) -> bool:
    """Return whether a sign may stand inside a name; marks belong to letters in some scripts."""
    return sign in " -'’._" or unicodedata.category(sign) in ("Mn", "Mc")


def known_players() -> tuple[str, ...]:
    """Return the names of the players who have settings or have taught their voice, in alphabetical order."""
    folder = user_data("players")
    if not folder.is_dir():
        return ()
    return tuple(
        sorted(each.name for each in folder.iterdir() if (each / SETTINGS).exists() or has_voice(each))
    )


def load_player(name: str) -> Player:
    """Return a player's settings; the defaults where he has no file yet.

    :raises UsageError: if the name is none.
    :raises HectorError: if the file cannot be read, or holds a setting that there is not or that is wrong.
        The file stays as it is.
    """
    path = folder_of(name) / SETTINGS
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Player(" ".join(name.split()))
    except OSError as error:
        raise HectorError(
            "The settings in {path} cannot be read: {reason}.", path=path, reason=error
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise HectorError(
            "The settings in {path} cannot be read: {reason}. Mend that line.", path=path, reason=error
        ) from None
    values: dict[str, Value] = {"name": " ".join(name.split())}
    for key, value in written.items():
        try:
            values[key] = _checked(key, value, _KINDS | _KEPT)
            _check_name(name, values)
        except UsageError as error:
            raise HectorError("{reason} Mend it in {path}.", reason=error, path=path) from None
    return Player(**values)  # type: ignore[arg-type]


def change_player(name: str, changes: Mapping[str, str]) -> Player:
    """Change settings that were given as text ("none" takes one away), keep them, and return them all.

    Comments and the order of the file stay.

    :raises UsageError: if there is no such setting, or a value is wrong; nothing is changed then.
    :raises HectorError: if the file cannot be read or written.
    """
    before = load_player(name)
    values: dict[str, Value] = {"name": before.name}
    for key, text in changes.items():
        values[key] = read_value(key, text)
    _check_name(name, values)
    if "language" in values or "braille" in values:
        _check_braille(values.get("braille", before.braille), values.get("language", before.language))
    if ("voice" in values or "engine" in values) and values.get("engine", before.engine) != "speechd":
        _check_voice(replace(before, voice=values.get("voice", before.voice)))  # type: ignore[arg-type]
    path = folder_of(name) / SETTINGS
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        replace_file(path, _edited(old, values).encode())
    except OSError as error:
        raise HectorError(
            "The settings cannot be kept in {path}: {reason}.", path=path, reason=error
        ) from error
    return load_player(name)


def _check_name(name: str, values: Mapping[str, Value]) -> None:
    written = values["name"]
    if isinstance(written, str) and _folded(written) != _folded(name):
        raise UsageError(
            "The setting name cannot be {written!r}: settings are found by {name!r}.",
            written=written,
            name=name,
        )


def _check_braille(name: Value, language: Value) -> None:
    """Refuse a braille profile that has no table for the player's own language.

    :raises UsageError: naming the profiles that have one.
    """
    if not isinstance(name, str) or not isinstance(language, str):
        return
    try:
        profile(name).table_for(language)
    except UsageError as error:
        fitting = ", ".join(each for each in profile_names() if language in profile(each).languages)
        raise UsageError(
            "{reason} For {language} choose braille={fitting}.",
            reason=error,
            language=language,
            fitting=fitting,
        ) from None


def _check_voice(player: Player) -> None:
    """Refuse a voice that does not speak; where espeak-ng is missing nothing is known of it.

    :raises UsageError: naming the voice that espeak-ng does not know.
    """
    from assistant.table import audible  # which needs the players

    if player.voice is None:
        return
    try:
        check_voice()
    except HectorError:
        return
    settings = audible.settings_of(player)
    try:
        for voice in dict.fromkeys(map(settings.voice, LANGUAGES)):
            check_voice(voice)
    except HectorError as error:
        raise UsageError(
            "The setting voice cannot be {voice!r}: {reason}", voice=player.voice, reason=error
        ) from None


def settings_of(player: Player) -> tuple[tuple[str, str], ...]:
    """Return every setting with its value as it is written on the command line, the name first."""
    return tuple((key, _as_text(value)) for key, value in asdict(player).items())


def read_value(key: str, text: str) -> Value:
    """Return a setting's value from its text; "none" for none.

    :raises UsageError: if there is no such setting or the value is wrong.
    """
    text = text.strip()
    if key in _KINDS and text.casefold() in (NONE, ""):
        return () if key == "warnings" else None
    if key == "warnings":
        return _checked(key, [_whole(part) for part in re.split(r"[,\s]+", text) if part])
    return _checked(key, _whole(text) if _KINDS.get(key) in _NUMBERS else text)


def read_warnings(text: str) -> tuple[int, ...]:
    """Return the times of warnings from a text like "300,60,10", the most seconds first; "none" for none.

    :raises UsageError: if it is no list of seconds.
    """
    value = read_value("warnings", text)
    assert isinstance(value, tuple)
    return value


def known_player(name: str) -> Player:
    """Return the settings of a player who has any.

    :raises UsageError: if nobody of that name has settings: it may be a slip of the fingers.
    :raises HectorError: if they cannot be read.
    """
    if not folder_of(name).is_dir():
        raise UsageError(
            "There are no settings of {name!r}. Make them with: hector player {quoted} rate=200",
            name=name,
            quoted=shlex.quote(name),
        )
    return load_player(name)


def with_settings(setup: Setup, player: Player) -> Setup:
    """Return a setup in which a player's settings count wherever he has any.

    He is the one of that name at the board, else the one whom Hector assists.
    """
    side = next((side for side in SIDES if _is_called(setup.person(side), player.name)), setup.served)
    person = setup.person(side)
    style = {"notation": player.notation, "profile": player.braille, "grade": player.grade}
    sizes = {"cells": player.cells, "lines": player.lines}
    own = {key: value for key, value in {**style, **sizes}.items() if value is not None}
    language = player.language or setup.language
    return replace(
        setup.with_person(side, replace(person, warnings=player.warnings or person.warnings)),
        language=language,
        press=player.press or setup.press,
        sheet=replace(setup.sheet, **own).writable(language),  # type: ignore[arg-type]
        player=player.name,
    )


def _is_called(person: Person, name: str) -> bool:
    return _folded(person.name) == _folded(name)


def _whole(text: str) -> int | str:
    """Return a number where the text is one; the text where it is not, to be refused with its own words."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text.strip()) else text.strip()


def _checked(key: str, value: Any, kinds: Mapping[str, Callable[[Any], Value]] | None = None) -> Value:
    kinds = kinds or _KINDS
    if key not in kinds:
        raise UsageError("There is no setting {key!r}: there are {kinds}.", key=key, kinds=", ".join(kinds))
    try:
        return kinds[key](value)
    except ValueError as error:
        raise UsageError(
            "The setting {key} cannot be {value!r}: {reason}.", key=key, value=_as_text(value), reason=error
        ) from None


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(marked("it is a text of printable characters"))
    return value.strip()


def _one_of(*choices: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(marked("choose {choices}", choices=", ".join(choices)))
        return value

    return check


def _number(least: int, most: int) -> Callable[[Any], int]:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(marked("it is a whole number from {least} to {most}", least=least, most=most))
        return value

    return check


def _seconds(value: Any) -> tuple[int, ...]:
    """Return the times of the warnings, the most seconds first."""
    if not isinstance(value, list | tuple) or any(
        not isinstance(each, int) or isinstance(each, bool) or not 1 <= each <= 86_400 for each in value
    ):
        raise ValueError(marked("it is a list of seconds from 1 to 86400, as in 300,60,10"))
    return tuple(sorted(set(value), reverse=True))


def _notation(value: Any) -> str:
    if value == "figurine":
        raise ValueError(
            marked("a game's sheets are in braille, which has no cells for figurines; choose short, long")
        )
    return _one_of("short", "long")(value)


def _profile(value: Any) -> str:
    return _one_of(*profile_names())(value)


_NUMBERS: Final = (
    _number(80, 450),
    _number(0, 99),
    _number(0, 200),
    _number(MIN_CELLS, 80),
    _number(MIN_LINES, 100),
)
_RATE, _PITCH, _VOLUME, _CELLS, _LINES = _NUMBERS

_KINDS: Final[dict[str, Callable[[Any], Value]]] = {
    "name": _text,
    "language": _one_of(*LANGUAGES),
    "voice": _text,
    "rate": _RATE,
    "pitch": _PITCH,
    "volume": _VOLUME,
    "press": _one_of("auto", "word", "key"),
    "warnings": _seconds,
    "headphones": _text,
    "room": _text,
    "duplex": _one_of("half", "full"),
    "engine": _one_of("espeak", "speechd"),
    "notation": _notation,
    "braille": _profile,
    "cells": _CELLS,
    "lines": _LINES,
    "grade": _one_of("basic", "full"),
}
"""What each setting may be; the same names as the fields of `Player`."""
assert list(_KINDS) == [field.name for field in fields(Player)]
_KEPT: Final[dict[str, Callable[[Any], Value]]] = {
    "notation": _one_of("short", "long", "figurine"),
    "cells": _number(12, 80),
    "lines": _number(5, 100),
}
"""What a file may still hold from before its sheets were thought of; see `SheetStyle.writable`."""


def _as_text(value: Any) -> str:
    if value is None or value == ():
        return NONE
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)


def _edited(old: str, values: Mapping[str, Value]) -> str:
    """Return the text of a settings file with some values changed and everything else as it was."""
    wanted = {**tomllib.loads(old), **values}
    wanted = {key: value for key, value in wanted.items() if value not in (None, ())}
    lines = old.splitlines()
    for key, value in values.items():
        at = next((n for n, line in enumerate(lines) if re.match(rf"\s*{key}\s*=", line)), None)
        new = [] if value in (None, ()) else [f"{key} = {_as_toml(value)}"]
        if at is None:
            lines += new
        else:
            lines[at : at + 1] = new
    text = "".join(f"{line}\n" for line in lines)
    try:
        is_right = _same(tomllib.loads(text), wanted)
    except tomllib.TOMLDecodeError:
        is_right = False
    # A value that went over several lines cannot be exchanged line by line.
    return text if is_right else "".join(f"{key} = {_as_toml(value)}\n" for key, value in wanted.items())


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return {key: _as_text(value) for key, value in one.items()} == {
        key: _as_text(value) for key, value in other.items()
    }


def _as_toml(value: Any) -> str:
    """Return a value as TOML has it: a JSON string of printable characters is one, a list of numbers too."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
