"""The guide for players says the same in every language, and what it lets people say is understood."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest

from assistant.announcements import load_vocabulary, open_grammar
from assistant.arbiter.forms import BY_VERB
from assistant.cli import build_parser
from assistant.errors import UsageError
from assistant.hearing import FEWEST
from assistant.speaking import Message, Sentences, VoiceSettings, number_in_words, translate
from assistant.table.braille import LAST_READING
from assistant.table.commands import KEYS, UNASKED
from assistant.table.dialogue import PATIENCE
from assistant.table.learning import COUNT
from assistant.table.moving import MATE_STANDS
from assistant.table.settings import read_value

DOCS = Path(__file__).parents[1] / "docs"
GUIDE = "guide.md"
OTHERS = ("guide.de.md", "guide.es.md", "guide.fr.md", "guide.pl.md")
VOCABULARY = load_vocabulary("de")
EXAMPLES = {"{square}": "Eva vier", "{piece}": "Dame"}
TO_SAY = (
    *(
        " ".join(EXAMPLES.get(word, VOCABULARY.written([word])) for word in each.pattern)
        for each in VOCABULARY.commands
    ),
    *("Springer Gustav eins Felix drei", "Kurze Rochade"),
)
"""Everything that the guides have a place for: each wording of a command, and announcements."""

QUOTED = (
    "Pardon?", "Not recorded: {words}.", "Microphone muted? No sound comes from it.", "Microphone back.",
)  # fmt: skip
"""Sentences of Hector that the guides quote, up to the first colon or question mark."""


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
def test_every_phrase_that_can_be_said_has_its_place_in_a_guide(name: str) -> None:
    text, missing = " ".join(text_of(name).split()), []
    # What is only a part of a longer phrase has no place of its own.
    for phrase in sorted(TO_SAY, key=len, reverse=True):
        text, found = re.subn(rf"\b{re.escape(phrase)}\b", "|", text, flags=re.IGNORECASE)
        missing += [] if found else [phrase]
    assert missing == []


@pytest.mark.parametrize("name", [GUIDE, *OTHERS])
def test_every_word_that_hector_hears_has_its_place_in_a_guide(name: str) -> None:
    text = " ".join(text_of(name).split())
    written = (VOCABULARY.written([token]) for token in VOCABULARY.tokens)
    assert [word for word in written if not re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)] == []


@pytest.mark.parametrize("name", [GUIDE, *OTHERS])
def test_what_a_guide_lets_hector_say_is_what_he_says(name: str) -> None:
    language = name.split(".")[1].removesuffix("md") or "en"
    text = " ".join(text_of(name).replace("\u00a0", " ").split())
    asked = Sentences(language).which(["von Bella", "von Gustav"], "Springer").text
    said = [translate(Message(text), language) for text in QUOTED]
    quoted = [asked, *(re.split(r"[:{]|(?<=\?)\s(?!$)", each)[0] for each in said)]
    missing = [each for each in quoted if each.replace("\u00a0", " ").strip() not in text]
    assert missing == []


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (PATIENCE, "ends {} seconds after you have heard it"),
        (MATE_STANDS, "{} seconds of silence are enough"),
        (COUNT, "Hector says {} phrases"),
        (FEWEST, "with {} moves of yours or more"),
    ],
)
def test_the_numbers_of_the_guide_are_the_programs(number: float, told: str) -> None:
    assert number == int(number)
    assert told.format(number_in_words(int(number), "en")) in " ".join(text_of(GUIDE).split())


@pytest.mark.parametrize("name", [GUIDE, *OTHERS])
def test_how_fast_hector_speaks_is_told(name: str) -> None:
    assert f"{VoiceSettings().rate}" in text_of(name)
    assert read_value("rate", "450") == 450
    with pytest.raises(UsageError):
        read_value("rate", "451")


@pytest.mark.parametrize("name", [GUIDE, *OTHERS])
def test_the_documents_that_a_guide_names_are_there(name: str) -> None:
    named = re.findall(r"docs/[a-z-]+\.md", text_of(name))
    assert named
    assert [each for each in named if not (DOCS.parent / each).exists()] == []


def test_the_times_that_the_guide_has_in_words_are_the_programs() -> None:
    text = " ".join(text_of(GUIDE).split())
    assert ("after a minute it answers nothing" in text, UNASKED) == (True, 60)
    assert ("at most half a minute" in text, LAST_READING) == (True, 30)


@pytest.mark.parametrize("phrase", TO_SAY)
def test_what_the_guides_let_people_say_is_in_the_grammar(phrase: str) -> None:
    tokens, unknown = VOCABULARY.read(phrase)
    assert not unknown
    graph = open_grammar(VOCABULARY)
    states = {0}
    for token in tokens:
        states = {end for begin, word, end in graph.arcs if begin in states and word == token}
    assert states & graph.finals


@pytest.mark.parametrize("name", [GUIDE, *OTHERS])
def test_every_key_of_a_game_has_its_place_in_a_guide(name: str) -> None:
    text = text_of(name)
    listed = re.findall(r"^- ([a-z])\s?: ", text, re.MULTILINE)
    letters = {key for key in KEYS if len(key) == 1 and key.isalpha()}
    assert sorted(listed) == sorted({*letters, "q"})
    assert [key for key in KEYS if len(key) > 1 and not re.search(rf"\b{key}\b", text)] == []


def to_be_typed(name: str) -> list[str]:
    """Return the lines that are to be typed as they stand."""
    return [line[4:] for line in text_of(name).splitlines() if line.startswith("    ")]


@pytest.mark.parametrize("name", [GUIDE, *OTHERS])
def test_what_is_to_be_typed_stands_alone_in_its_line_and_is_understood(name: str) -> None:
    for line in to_be_typed(name):
        program, *words = line.split()
        if program == "./hector":
            args = build_parser().parse_args(words)
            for key, _equals, value in (each.partition("=") for each in getattr(args, "settings", ())):
                read_value(key, value)
        elif program == "arbiter":
            assert words[0] in (*BY_VERB, "y")
        else:
            assert program == line == "~/.local/share/hector/games"
    others = [line for line in text_of(name).splitlines() if not line.startswith("    ")]
    assert [line for line in others if re.search(r"\./hector|(?<![\w-])--", line)] == []


def commands_of(name: str) -> list[str]:
    """Return the commands of a document, whether in the text or on lines of their own."""
    text = (DOCS / name).read_text(encoding="utf-8")
    on_lines = re.findall(r"^    (\./hector .*?)(?: {2,}.*| > .*)?$", text, re.MULTILINE)
    return [*on_lines, *re.findall(r"`(\./hector [^`]*)`", text)]


@pytest.mark.parametrize("name", ["../README.md", "adjournment.md", "installing.md", "page.md"])
def test_the_commands_of_a_document_can_be_typed_as_they_stand(name: str) -> None:
    commands = commands_of(name)
    assert commands
    for each in commands:
        words = shlex.split(each)[1:]
        # The launcher's own, and what only prints.
        if words[0] != "test" and words[-1] != "--help":
            build_parser().parse_args(words)
    # Where the launcher has set Hector up, there is no program of the name alone.
    text = (DOCS / name).read_text(encoding="utf-8").split("## On another system")[0]
    assert re.findall(r"(?m)(?:`|^    )hector [a-z-]+", text) == []


def test_the_lines_of_the_arbiter_in_the_document_of_the_page_are_known() -> None:
    lines = re.findall(r"^    arbiter(?: (\S+))?", text_of("page.md"), re.MULTILINE)
    assert lines
    assert [verb for verb in lines if verb not in ("", "?", "y", *BY_VERB)] == []


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
