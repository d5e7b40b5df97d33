"""The players: one folder for each name, with a file of settings that a person can read and write."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from assistant.called import command
from assistant.errors import HectorError, UsageError
from assistant.files import read_file
from assistant.hearing import has_voice
from assistant.resources import user_data
from assistant.scoresheet.encoding import decode
from assistant.sides import SIDES, Side
from assistant.table.settings import Player, Value, value_in_file
from assistant.table.setup import Setup

SETTINGS: Final = "settings.toml"
LONGEST_NAME: Final = 60


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


def known_players(tell: Callable[[HectorError], None]) -> tuple[str, ...]:
    """Return the names of the players who have settings or have taught their voice, in alphabetical order.

    :param tell: takes the error of each folder into which one may not look, and of settings that are
        damaged: their player is named as his folder is. The others are named as they are written.
    """
    folder = user_data("players")
    names = []
    for each in sorted(folder.iterdir()) if folder.is_dir() else ():
        try:
            if not ((each / SETTINGS).exists() or has_voice(each)):
                continue
        except OSError as error:
            tell(HectorError("{path} cannot be read: {reason}.", path=each, reason=error))
            continue
        try:
            names.append(load_player(each.name).name)
        except HectorError as error:
            names.append(each.name)
            tell(error)
    return tuple(names)


def load_player(name: str) -> Player:
    """Return a player's settings; the defaults where he has no file yet.

    :raises UsageError: if the name is none.
    :raises HectorError: if the file cannot be read, or holds a setting that there is not or that is wrong.
        The file stays as it is.
    """
    path = folder_of(name) / SETTINGS
    try:
        written = tomllib.loads(settings_text(path))
    except FileNotFoundError:
        return Player(" ".join(name.split()))
    except UsageError as error:
        raise HectorError("{reason} Mend it in {path}.", reason=error, path=path) from error
    except OSError as error:
        raise HectorError(
            "The settings in {path} cannot be read: {reason}.", path=path, reason=error
        ) from error
    except (ValueError, RecursionError) as error:
        # No TOML, or a number of thousands of digits.
        raise HectorError(
            "The settings in {path} cannot be read: {reason}. Mend that line.", path=path, reason=error
        ) from None
    values: dict[str, Value] = {"name": " ".join(name.split())}
    for key, value in written.items():
        try:
            values[key] = value_in_file(key, value)
            check_name(name, values)
        except UsageError as error:
            raise HectorError("{reason} Mend it in {path}.", reason=error, path=path) from None
    return Player(**values)  # type: ignore[arg-type]


def settings_text(path: Path) -> str:
    """Return the text of a settings file, in whichever encoding it was kept, its lines ended in one way.

    :raises OSError: if it cannot be read.
    :raises UsageError: as `decode` does.
    """
    data = read_file(path)
    try:
        # As it stands: a comment may hold what `decode` takes out.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = decode(data)
    return text.replace("\r\n", "\n")


def check_name(name: str, values: Mapping[str, Value]) -> None:
    """Refuse a name in the settings under which they would not be found.

    :raises UsageError: if it is not the name by which they were found, case and blanks apart.
    """
    written = values["name"]
    if isinstance(written, str) and _folded(written) != _folded(name):
        raise UsageError(
            "The setting name cannot be {written!r}: settings are found by {name!r}.",
            written=written,
            name=name,
        )


def known_player(name: str) -> Player:
    """Return the settings of a player who has any.

    :raises UsageError: if nobody of that name has settings: it may be a slip of the fingers.
    :raises HectorError: if they cannot be read.
    """
    if not folder_of(name).is_dir():
        raise UsageError(
            "There are no settings of {name!r}. Make them with: {command}",
            name=name,
            command=command("player", name, "rate=200"),
        )
    return load_player(name)


def with_settings(setup: Setup, player: Player) -> Setup:
    """Return a setup in which a player's settings count wherever he has any: he sits as `seat_of` says."""
    setup = replace(setup, player=player.name)
    side = seat_of(setup)
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
    )


def seat_of(setup: Setup) -> Side:
    """Return where the player sits whose settings count: as the blind one of his name, else in Hector's care.

    Where nobody's count it is the player whom Hector assists, too.
    """
    blind = (side for side in SIDES if setup.person(side).blind)
    return next((side for side in blind if is_called(setup.person(side).name, setup.player)), setup.served)


def is_called(name: str, other: str) -> bool:
    """Return whether two names are those of the same player: see `folder_of`."""
    return _folded(name) == _folded(other)
