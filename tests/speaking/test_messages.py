"""Every sentence exists in every language, says the same and can be filled."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from functools import cache
from pathlib import Path

import polib
import pytest

from assistant.errors import UsageError
from assistant.resources import data_path
from assistant.speaking import LANGUAGES, choose_language, fill, german
from assistant.speaking.messages import CASES, Message, _, _n, translate

PACKAGE = Path(__file__).parents[2] / "assistant"
MARKERS = ("_", "_n", "_p")
TOLD = ("marked", "_tell", "print_told")
"""Beside the errors, whose first argument is told."""


@cache
def errors() -> frozenset[str]:
    """Return the names of the errors that tell a person something."""
    found, before = {"HectorError"}, 0
    classes = [
        (node.name, [base.id for base in node.bases if isinstance(base, ast.Name)])
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]
    while len(found) > before:
        before = len(found)
        found |= {name for name, bases in classes if found & set(bases)}
    return frozenset(found)


@cache
def trees() -> tuple[ast.Module, ...]:
    return tuple(ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py")))


def called(node: ast.Call) -> str:
    """Return the name of what is called; of the base class, where an error's own `__init__` calls that."""
    if isinstance(node.func, ast.Name):
        return node.func.id
    if isinstance(node.func, ast.Attribute):
        return "HectorError" if ast.unparse(node.func) == "super().__init__" else node.func.attr
    return ""


@cache
def marked_messages() -> set[tuple[str | None, str, str]]:
    """Return (context, message, plural) of every message of the package: marked, or told by an error."""
    found = set()
    for node in (node for tree in trees() for node in ast.walk(tree) if isinstance(node, ast.Call)):
        name = called(node)
        if name in MARKERS and isinstance(node.func, ast.Name):
            texts = [ast.literal_eval(argument) for argument in node.args]
            if name == "_p":
                found.add((texts[0], texts[1], ""))
            elif name == "_n":
                found.add((None, texts[0], texts[1]))
            else:
                found.add((None, texts[0], ""))
        elif name in (*TOLD, *errors()) and node.args:
            told = node.args[0]
            if isinstance(told, ast.Constant) and isinstance(told.value, str):
                found.add((None, told.value, ""))
    return found


def test_no_error_is_told_in_a_text_that_nobody_can_translate() -> None:
    written = [
        ast.unparse(node)
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and called(node) in (*TOLD, *errors())
        and node.args
        and isinstance(node.args[0], ast.JoinedStr | ast.BinOp)
    ]
    assert written == []


def test_no_message_has_a_command_that_is_not_typed_as_the_program_was_called() -> None:
    assert [text for _context, text, _plural in marked_messages() if re.search(r"\bhector [a-z]", text)] == []


def catalogue_of(language: str) -> polib.POFile:
    return polib.pofile(str(data_path("locales", language, "messages.po")), encoding="utf-8")


def keys(catalogue: polib.POFile) -> set[tuple[str | None, str, str]]:
    return {(entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in catalogue if not entry.obsolete}


def placeholders(template: str) -> list[str]:
    return sorted(name for _text, name, _spec, _conversion in string.Formatter().parse(template) if name)


def test_the_template_holds_exactly_what_the_source_marks() -> None:
    assert keys(polib.pofile(str(data_path("locales", "messages.pot")))) == marked_messages()


def test_no_sentence_stands_twice_with_other_names_for_what_is_filled_in() -> None:
    by_words: dict[str, set[str]] = {}
    for _context, message, _plural in marked_messages():
        words = re.sub(r"\{\w*", "{", message)
        if re.search(r"[^\W\d_]", re.sub(r"\{[^}]*\}", "", message)):
            by_words.setdefault(words, set()).add(message)
    assert [same for same in by_words.values() if len(same) > 1] == []


def test_every_message_tells_the_translator_what_it_is_for() -> None:
    without = [entry.msgid for entry in polib.pofile(str(data_path("locales", "messages.pot")))
               if not entry.comment.startswith("Translators: ")]  # fmt: skip
    assert without == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_translates_everything_and_nothing_else(language: str) -> None:
    catalogue = catalogue_of(language)
    assert keys(catalogue) == marked_messages()
    assert [entry.msgid for entry in catalogue if not entry.translated() or entry.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_placeholders_of_its_message(language: str) -> None:
    for entry in catalogue_of(language):
        for translation in [entry.msgstr, *entry.msgstr_plural.values()]:
            if translation:
                assert placeholders(translation) == placeholders(entry.msgid), entry.msgid


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_names_only_sets_of_number_words_that_exist(language: str) -> None:
    with data_path("locales", language, "numbers.toml").open("rb") as file:
        sets = tomllib.load(file).keys()
    for entry in catalogue_of(language):
        for translation in [entry.msgstr, *entry.msgstr_plural.values()]:
            # How an error writes a number stands in the message itself.
            assert specs(translation) <= {*sets, *CASES, *specs(entry.msgid)}, entry.msgid


def specs(template: str) -> set[str]:
    return {spec for _text, _name, spec, _conversion in string.Formatter().parse(template) if spec}


def test_no_line_of_a_french_message_may_break_before_a_double_sign() -> None:
    said = [text for entry in catalogue_of("fr") for text in (entry.msgstr, *entry.msgstr_plural.values())]
    assert not [text for text in said if re.search(r"[^\s] [:;?!»]", text)]


def test_the_english_catalogue_says_what_the_source_says() -> None:
    """A case apart, which is found by the player's name: "the arbiter" in a sentence."""
    said = [entry for entry in catalogue_of("en") if not str(entry.msgctxt).endswith(CASES)]
    assert [entry.msgid for entry in said if entry.msgstr and entry.msgstr != entry.msgid] == []


def test_an_unknown_message_is_said_in_english_rather_than_not_at_all() -> None:
    assert translate(Message("Nobody translated this."), "de") == "Nobody translated this."


def test_german_words_in_another_language_are_pieces_of_their_own() -> None:
    segments = fill(_("Not possible: {move}."), "en", move=german("Dame Hector fünf"))
    assert segments == (("en", "Not possible: "), ("de", "Dame Hector fünf."))


def test_german_words_in_a_german_sentence_are_no_pieces_of_their_own() -> None:
    segments = fill(_("Not possible: {move}."), "de", move=german("Dame Hector fünf"))
    assert segments == (("de", "Nicht möglich: Dame Hector fünf."),)


def test_a_mark_without_letters_belongs_to_the_words_it_opens() -> None:
    assert fill(_("{choices}?"), "es", choices=german("von Bella")) == (("de", "¿von Bella?"),)


def test_the_number_chooses_the_plural() -> None:
    message = _n("{n} move completed.", "{n} moves completed.")
    assert [fill(message, "es", n=n)[0][1] for n in (1, 2, 21)] == [
        "una jugada completada.",
        "dos jugadas completadas.",
        "veintiuna jugadas completadas.",
    ]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_AT.UTF-8@euro"}, "de"),
        ({"LANG": "it_IT.UTF-8"}, "en"),
        ({"LANG": "pl_PL.UTF-8"}, "pl"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "es_ES.UTF-8"}, "es"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "it_IT.UTF-8", "LANGUAGE": "it:es:de"}, "es"),
        ({"LANG": "C", "LANGUAGE": "de"}, "en"),
    ],
)
def test_the_environment_chooses_the_language_as_gettext_does(
    environment: dict[str, str], language: str
) -> None:
    assert choose_language(None, environment) == language


def test_the_language_asked_for_comes_first() -> None:
    assert choose_language("es", {"LANG": "de_DE.UTF-8"}) == "es"
    assert choose_language("de-CH", {}) == "de"


def test_a_language_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"'tlh' .* de, en, es, fr, pl"):
        choose_language("tlh", {})
