"""What went wrong, told in the language of the messages."""

from __future__ import annotations

from typing import Final

from assistant.errors import HectorError, Phrase, filled, language_told
from assistant.speaking.messages import Message, _, choose_language, translate

_REASONS: Final = {
    message.singular: message
    for message in (
        _("No such file or directory"),
        _("Permission denied"),
        _("File exists"),
        _("Is a directory"),
        _("Not a directory"),
        _("Directory not empty"),
        _("No space left on device"),
        _("Disk quota exceeded"),
        _("Read-only file system"),
        _("Input/output error"),
        _("File name too long"),
        _("File too large"),
        _("Too many open files"),
        _("Address already in use"),
        _("Connection refused"),
        _("Network is unreachable"),
        _("No such device"),
        # Translators: somebody has put a pipe, or a device, in the place of a file.
        _("Not a regular file"),
    )
}
"""The system's reasons that people meet; other ones stay as the system tells them."""
_DECIMAL: Final = _("{whole}.{fraction}")


def told(error: Exception | Phrase | Message, language: str = "") -> str:
    """Return an error's sentence, or other words, in a language.

    What nobody translated stays English, and so does everything where the language's catalogue is missing.

    :param language: that of the command's messages where none is given, else the environment's.
    """
    try:
        return _told(error, language or language_told() or choose_language())
    except HectorError:
        return error.singular if isinstance(error, Message) else str(error)


def _told(error: Exception | Phrase | Message, language: str) -> str:
    if isinstance(error, Message):
        return translate(error, language)
    if isinstance(error, Phrase):
        return _filled(error, language)
    if isinstance(error, HectorError):
        return _filled(error.phrase, language)
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return translate(_REASONS[reason], language) if reason in _REASONS else reason
    first = error.args[0] if error.args else None
    return _filled(first, language) if isinstance(first, Phrase) else str(error)


def _filled(phrase: Phrase, language: str) -> str:
    template = translate(Message(phrase.template), language)
    if not phrase.values:
        return template
    return filled(template, {name: _value(value, language) for name, value in phrase.values.items()})


def _value(value: object, language: str) -> object:
    if isinstance(value, float):
        return _Number(value, language)
    return _told(value, language) if isinstance(value, Exception | Phrase) else value


class _Number(float):
    """A number that a message writes with so many decimals: behind the decimal mark of its language.

    One that stands as it is may be what somebody is to type, and keeps the point.
    """

    def __new__(cls, value: float, language: str) -> _Number:
        number = super().__new__(cls, value)
        number.language = language
        return number

    language: str

    def __format__(self, spec: str) -> str:
        whole, point, fraction = super().__format__(spec).partition(".")
        if not spec or not point:
            return whole + point + fraction
        return translate(_DECIMAL, self.language).format(whole=whole, fraction=fraction)
