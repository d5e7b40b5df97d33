"""Whole numbers in words, by the rules in locales/*/numbers.toml."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from functools import cache

from assistant.resources import data_path

LARGEST = 999_999

_PART = re.compile(r"\[(?P<if_rest>[^\]]*)\]|(?P<which>[<>])(?:\{(?P<rules>\w+)\})?|(?P<text>[^<>\[]+)")


@cache
def _rules(language: str) -> Mapping[str, Mapping[int, str]]:
    with data_path("locales", language, "numbers.toml").open("rb") as file:
        sets = {
            name: {int(base): words for base, words in rules.items()}
            for name, rules in tomllib.load(file).items()
        }
    counting = sets["counting"]
    return {name: dict(sorted((counting | rules).items())) for name, rules in sets.items()}


@cache
def number_in_words(number: int, language: str, rules: str = "counting") -> str:
    """Return a number from 0 to 999,999 in words.

    `rules` names the set: "counting", or the gender of the noun that follows ("feminine", "masculine").
    A language that makes no such difference counts.

    :raises ValueError: if the number is out of range.
    """
    if not 0 <= number <= LARGEST:
        raise ValueError(f"only numbers from 0 to {LARGEST} are spoken, not {number}")
    sets = _rules(language)
    chosen = sets.get(rules, sets["counting"])
    bases = list(chosen)
    base = bases[bisect_right(bases, number) - 1]
    divisor = 10 ** (len(str(base)) - 1)
    return _fill(chosen[base], number // divisor, number % divisor, language, rules)


def _fill(pattern: str, quotient: int, remainder: int, language: str, rules: str) -> str:
    words = ""
    for part in _PART.finditer(pattern):
        if part["if_rest"] is not None:
            words += _fill(part["if_rest"], quotient, remainder, language, rules) if remainder else ""
        elif part["which"]:
            value = quotient if part["which"] == "<" else remainder
            words += number_in_words(value, language, part["rules"] or rules)
        else:
            words += part["text"]
    return words
