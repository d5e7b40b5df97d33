"""The guide for players says the same in every language, and what it lets people say is understood."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from assistant.announcements import load_vocabulary, open_grammar
from assistant.cli import build_parser

DOCS = Path(__file__).parents[1] / "docs"
GUIDE = "guide.md"
OTHERS = ("guide.de.md", "guide.es.md", "guide.fr.md", "guide.pl.md")
TO_SAY = (
    *("Zeit", "Zugzahl", "Letzter Zug", "Wiederholen", "noch einmal", "Stopp", "Weiter", "Hilfe"),
    *("Korrektur", "gedrückt", "Remis angeboten", "angenommen", "abgelehnt", "Aufgabe", "ich gebe auf"),
    *("Reklamation Stellungswiederholung", "Reklamation fünfzig Züge", "Reklamation Zeitüberschreitung"),
    *("Reklamation regelwidriger Zug", "Schiedsrichter", "J'adoube", "ich rücke zurecht"),
    *("Was steht auf Eva vier", "Wo steht Dame", "Springer Gustav eins Felix drei", "Kurze Rochade"),
)  # fmt: skip


def text_of(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def kinds_of_lines(name: str) -> list[str]:
    """Return the order of headings and lists, which every language has alike."""
    found = re.findall(r"^(#+ |- )", text_of(name), re.MULTILINE)
    return [kind.strip() for kind in found]


def typed(name: str) -> set[str]:
    """Return the commands and options that are to be typed."""
    return set(re.findall(r"\./hector [a-z]+|--[a-z-]+", text_of(name).replace("\n", " ")))


@pytest.mark.parametrize("name", OTHERS)
def test_a_guide_has_the_parts_of_the_first(name: str) -> None:
    assert kinds_of_lines(name) == kinds_of_lines(GUIDE)


@pytest.mark.parametrize("name", OTHERS)
def test_a_guide_lets_people_type_the_same(name: str) -> None:
    assert typed(name) == typed(GUIDE)


@pytest.mark.parametrize("name", [GUIDE, *OTHERS])
@pytest.mark.parametrize("phrase", TO_SAY)
def test_what_a_guide_lets_people_say_stands_in_it_and_is_in_the_grammar(name: str, phrase: str) -> None:
    assert phrase.lower() in text_of(name).replace("\n", " ").lower()
    vocabulary = load_vocabulary("de")
    tokens, unknown = vocabulary.read(phrase)
    assert not unknown
    graph = open_grammar(vocabulary)
    states = {0}
    for token in tokens:
        states = {end for begin, word, end in graph.arcs if begin in states and word == token}
    assert states & graph.finals


@pytest.mark.parametrize("command", ["sheet", "diagram"])
def test_the_language_of_a_sheet_is_told_where_its_options_are(command: str) -> None:
    [row] = [line for line in text_of("commands.md").splitlines() if line.startswith(f"| `hector {command} ")]
    assert "German letters" in row
    [commands] = [each for each in build_parser()._actions if isinstance(each, argparse._SubParsersAction)]
    [option] = [each for each in commands.choices[command]._actions if "--language" in each.option_strings]
    assert "default: de, whatever --lang says" in (option.help or "")


def test_every_command_and_every_option_is_in_the_list_of_commands() -> None:
    listed = set(re.findall(r"hector [a-z-]+|--[a-z0-9-]+", text_of("commands.md")))
    [commands] = [each for each in build_parser()._actions if isinstance(each, argparse._SubParsersAction)]
    there = {f"hector {name}" for name in commands.choices} | {
        option
        for command in commands.choices.values()
        for action in command._actions
        for option in action.option_strings
        if option.startswith("--")
    }
    assert there - listed <= {"--help", "--output"}
