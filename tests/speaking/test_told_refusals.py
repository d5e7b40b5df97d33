"""Why a claim, an answer to an offer or a press is refused: the player hears it as his opponent reads it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import laws
from assistant.errors import Phrase
from assistant.speaking import LANGUAGES, Hearers, event_sentences
from assistant.speaking.refusals import REFUSALS

HANDLERS = ("_check_claimant", "_claim_draw", "_claim_flag", "_claim_illegal_move", "press", "offer",
            "accept_draw", "decline_draw")  # fmt: skip
"""What carries out the lines of a player at the table, moves apart."""

OTHERS = frozenset(
    {"rule", "impose", "check_arbiter_may_rule", "_accept_illegal_move", "read", "why_illegal"}
)
"""What rules by the arbiter's word, or on a move: of that nothing is told here."""

NOT_THE_PLAYERS = frozenset(
    {
        "the arbiter does not claim; a player does",
        "the arbiter does not call a flag here; a player must claim",
    }
)


def functions() -> dict[str, list[ast.FunctionDef]]:
    found: dict[str, list[ast.FunctionDef]] = {}
    for path in Path(laws.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, []).append(node)
    return found


def called(function: ast.FunctionDef) -> Iterator[tuple[str, ast.Call]]:
    """What a function calls by its name, or as a method of the game."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).removeprefix("game."), node


def reasons() -> set[str]:
    """The reasons in everything that the handlers call, however far away."""
    known, found, seen, to_see = functions(), set[str](), set(OTHERS), [*HANDLERS]
    while to_see:
        name = to_see.pop()
        if name in seen:
            continue
        seen.add(name)
        for function in known.get(name, ()):
            for callee, call in called(function):
                to_see.append(callee)
                if callee == "marked" and isinstance(call.args[0], ast.Constant):
                    found.add(str(call.args[0].value))
    return found


def test_every_reason_against_a_claim_an_answer_or_a_press_has_words_for_the_player() -> None:
    found = reasons()
    assert len(found) > 20
    assert found - NOT_THE_PLAYERS - set(REFUSALS) == set()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", sorted(REFUSALS))
def test_why_something_is_refused_is_short(reason: str, language: str) -> None:
    refused = {"event": "refused", "side": "white", "do": "claim", "reason": Phrase(reason, {"n": 30})}
    (sentence,) = event_sentences(refused, Hearers(language))
    assert 2 < len(sentence.text) <= 65
    assert sentence.audience == "white"
