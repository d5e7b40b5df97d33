"""Why something was refused is a phrase: English in the output of a script, told in every language."""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import assistant.laws
from assistant.errors import Phrase
from assistant.laws import Referee
from assistant.moves import read_move
from assistant.speaking import LANGUAGES, told
from assistant.speaking.refusals import REFUSALS


@cache
def calls() -> tuple[ast.Call, ...]:
    return tuple(
        node
        for path in sorted(Path(assistant.laws.__file__).parent.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    )


def name(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def reasons() -> Iterator[ast.expr]:
    """Return what is given as the reason of every refusal in the laws."""
    for call in calls():
        if name(call) == "Refused":
            yield call.args[0]
        elif name(call) == "emit" and ast.unparse(call.args[0]) == "'refused'":
            yield from (each.value for each in call.keywords if each.arg == "reason")


def templates() -> list[str]:
    """Return every phrase of the laws that is no error, the reasons of the referee among them."""
    return sorted({ast.literal_eval(call.args[0]) for call in calls() if name(call) == "marked"})


def filled(template: str) -> Phrase:
    names = [name for _, name, _, _ in string.Formatter().parse(template) if name]
    return Phrase(template, dict.fromkeys(names, 7))


def test_no_reason_is_a_text_that_nobody_can_translate() -> None:
    given = list(reasons())
    assert len(given) > 100
    written = [each for each in given if isinstance(each, ast.Constant | ast.JoinedStr | ast.BinOp)]
    assert [ast.unparse(each) for each in written] == []
    assert [ast.unparse(call) for call in calls() if name(call) == "Phrase"] == []


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_every_reason_is_told_in_every_language(language: str) -> None:
    assert len(templates()) > 100
    phrases = [filled(each) for each in templates()]
    assert [str(each) for each in phrases if told(each, language) == str(each)] == []


def test_in_english_a_reason_is_told_as_it_is_written() -> None:
    phrases = [filled(each) for each in templates()]
    assert [told(each, "en") for each in phrases] == [str(each) for each in phrases]


def test_what_a_player_is_told_instead_belongs_to_reasons_that_there_are() -> None:
    assert set(REFUSALS) - set(templates()) == set()


def test_a_reason_brings_its_values_along() -> None:
    referee = Referee({"laws": "2023"}, read_move)
    referee.apply({"at": 0, "do": "start"})
    referee.apply({"at": 1, "do": "announce", "side": "white", "move": "e4"})
    [refused] = referee.apply({"at": 2, "do": "restore", "ply": 99})
    assert told(refused.keys["reason"], "de") == "der letzte Halbzug hat die Nummer 1"
    assert json.loads(refused.as_json())["reason"] == "the last half-move is number 1"
