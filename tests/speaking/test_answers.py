"""Yes and no as they are typed, in every language of the messages."""

from __future__ import annotations

import pytest

from assistant.speaking import answer_of


@pytest.mark.parametrize("text", ["y", "Yes", "j", "JA", "s", "sí", "si", "o", "oui", "Oui ", "t", " tak"])
def test_yes_is_understood(text: str) -> None:
    assert answer_of(text) is True


@pytest.mark.parametrize("text", ["n", "no", "nein", "Non", "nie"])
def test_no_is_understood(text: str) -> None:
    assert answer_of(text) is False


@pytest.mark.parametrize("text", ["", " ", "ye", "yes please", "0", "e4"])
def test_anything_else_is_no_answer(text: str) -> None:
    assert answer_of(text) is None
