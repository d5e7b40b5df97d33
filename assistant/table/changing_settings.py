"""Changing a player's settings: tried first, and kept in his file, in which everything else stays."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.errors import HectorError, UsageError
from assistant.files import replace_file
from assistant.scoresheet import profile, profile_names
from assistant.speaking import LANGUAGES, check_voice
from assistant.table.audible import voice_of
from assistant.table.players import SETTINGS, check_name, folder_of, load_player, settings_text
from assistant.table.settings import Player, Value, as_text, read_value


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
    check_name(name, values)
    if "language" in values or "braille" in values:
        _check_braille(values.get("braille", before.braille), values.get("language", before.language))
    if ("voice" in values or "engine" in values) and values.get("engine", before.engine) != "speechd":
        _check_voice(replace(before, voice=values.get("voice", before.voice)))  # type: ignore[arg-type]
    path = folder_of(name) / SETTINGS
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        old = settings_text(path) if path.exists() else ""
        # A link stays one.
        replace_file(path.resolve(), _edited(old, values).encode())
    except OSError as error:
        raise HectorError(
            "The settings cannot be kept in {path}: {reason}.", path=path, reason=error
        ) from error
    return load_player(name)


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
    if player.voice is None:
        return
    try:
        check_voice()
    except HectorError:
        return
    settings = voice_of(player)
    try:
        for voice in dict.fromkeys(map(settings.voice, LANGUAGES)):
            check_voice(voice)
    except HectorError as error:
        raise UsageError(
            "The setting voice cannot be {voice!r}: {reason}", voice=player.voice, reason=error
        ) from None


def _end_of_value(lines: Sequence[str], at: int) -> int:
    """Return the number of the line behind a value that begins in a line: it may go over several."""
    for end in range(at + 1, len(lines) + 1):
        if _is_toml("\n".join(lines[at:end])):
            return end
    return at + 1


def _commented(new: Sequence[str], old: Sequence[str]) -> list[str]:
    """Return the lines of a new value, with the comment behind the old one."""
    *begun, last = old
    ends = [at for at, sign in enumerate(last) if sign == "#"]
    comment = next((last[at:] for at in ends if _is_toml("\n".join((*begun, last[:at])))), "")
    return [f"{line} {comment}" for line in new] if new and comment else [comment] if comment else list(new)


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _edited(old: str, values: Mapping[str, Value]) -> str:
    """Return the text of a settings file with some values changed and everything else as it was."""
    wanted = {**tomllib.loads(old), **values}
    wanted = {key: value for key, value in wanted.items() if value not in (None, ())}
    # Only "\n" ends a line in TOML.
    lines = old.removesuffix("\n").split("\n") if old else []
    for key, value in values.items():
        at = next((n for n, line in enumerate(lines) if re.match(rf"""\s*(["']?){key}\1\s*=""", line)), None)
        new = [] if value in (None, ()) else [f"{key} = {_as_toml(value)}"]
        if at is None:
            lines += new
        else:
            end = _end_of_value(lines, at)
            lines[at:end] = _commented(new, lines[at:end])
    text = "".join(f"{line}\n" for line in lines)
    try:
        is_right = _same(tomllib.loads(text), wanted)
    except tomllib.TOMLDecodeError:
        is_right = False
    # What cannot be exchanged line by line is written anew.
    return text if is_right else "".join(f"{key} = {_as_toml(value)}\n" for key, value in wanted.items())


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return {key: as_text(value) for key, value in one.items()} == {
        key: as_text(value) for key, value in other.items()
    }


def _as_toml(value: Any) -> str:
    """Return a value as TOML has it: a JSON string of printable characters is one, a list of numbers too."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
