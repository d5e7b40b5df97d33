"""Yes and no as people type them, in the languages that Hector speaks."""

from __future__ import annotations

from typing import Final

_YES: Final = frozenset({"y", "yes", "j", "ja", "s", "sí", "si", "o", "oui", "t", "tak"})
_NO: Final = frozenset({"n", "no", "nein", "non", "nie"})


def answer_of(text: str) -> bool | None:
    """Return what a typed answer says; None if it is neither yes nor no in any of the languages."""
    word = text.strip().lower()
    return True if word in _YES else False if word in _NO else None
