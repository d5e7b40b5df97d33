"""Errors are told in the language of the messages, with all that they hold."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.errors import HectorError, Phrase, UsageError, language_told, marked, told_in
from assistant.speaking import LANGUAGES, SIDES, told

MISSING = "There is no file {name}. Check the name."


def no_space() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_an_error_is_english_for_itself_and_told_in_another_language() -> None:
    error = UsageError(MISSING, name="a.pgn")
    assert str(error) == "There is no file a.pgn. Check the name."
    assert told(error, "es") == "No hay ningún archivo a.pgn. Compruebe el nombre."


def test_a_marked_message_is_told_too() -> None:
    assert told(SIDES["white"], "de") == "Weiß"


def test_an_error_within_an_error_and_the_systems_reason_are_told_too() -> None:
    inner = HectorError("{path} cannot be written: {reason}.", path="x", reason=no_space())
    outer = HectorError("{reason} Until then espeak-ng speaks.", reason=inner)
    assert str(outer) == "x cannot be written: No space left on device. Until then espeak-ng speaks."
    assert told(outer, "de") == (
        "x lässt sich nicht schreiben: Auf dem Gerät ist kein Speicherplatz mehr verfügbar. "
        "Bis dahin spricht espeak-ng."
    )


def test_a_phrase_in_a_value_error_is_told() -> None:
    reason = ValueError(marked("it is a whole number from {least} to {most}", least=1, most=9))
    assert told(reason, "en") == str(reason) == "it is a whole number from 1 to 9"
    assert told(reason, "de") != str(reason) and "1" in told(reason, "de")


@pytest.mark.parametrize(("language", "size"), [("en", "12.5 MB"), ("de", "12,5 MB"), ("fr", "12,5 Mo")])
def test_a_number_with_decimals_has_the_decimal_mark_of_the_language(language: str, size: str) -> None:
    assert size in told(Phrase("Size: {size:.1f} MB.", {"size": 12.5}), language)


def test_a_number_that_is_to_be_typed_keeps_its_point() -> None:
    reason = marked("it is a whole number from {least} to {most}", least=0.5, most=9)
    assert "0.5" in told(reason, "de")


def test_braces_of_a_persons_own_text_are_left_alone() -> None:
    assert str(HectorError("{what}", what="{x}")) == "{x}"
    assert str(HectorError("as {it} is")) == told(Phrase("as {it} is"), "de") == "as {it} is"


def test_what_somebody_wrote_on_and_on_is_cut_short_in_every_language() -> None:
    error = HectorError("{text!r} is no legal move in the position {fen}", text="x" * 3000, fen="8/8")
    for sentence in (str(error), told(error, "de")):
        assert sentence.startswith("'xxx") and len(sentence) < 200
        assert sentence.endswith("8/8")


def test_a_file_of_any_length_is_named_whole() -> None:
    assert str(HectorError("{path} is missing.", path="x" * 300)) == "x" * 300 + " is missing."


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\nb", r"a\nb"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\u202eno", r"\u202eno"),
        (Path("a\u2028b"), r"a\u2028b"),
        ("ą שלום", "ą שלום"),
    ],
)
def test_a_files_name_breaks_no_line_and_steers_no_terminal(name: object, shown: str) -> None:
    error = UsageError(MISSING, name=name)
    assert str(error) == f"There is no file {shown}. Check the name."
    assert told(error, "fr") == f"Pas de fichier {shown}. Vérifiez le nom."


def test_the_language_is_the_one_chosen_for_as_long_as_the_command_runs() -> None:
    with told_in("fr"):
        assert told(UsageError(MISSING, name="a")) == told(UsageError(MISSING, name="a"), "fr")
    assert language_told() == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_tells_its_errors_in_the_language_of_its_messages(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", language, "referee", "/nowhere/x.jsonl"]) == 2
    assert (
        capsys.readouterr().err == f"hector: {told(UsageError(MISSING, name='/nowhere/x.jsonl'), language)}\n"
    )
    assert language_told() == ""


def test_a_language_may_be_named_as_a_locale(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "de_DE", "referee", "/nowhere/x.jsonl"]) == 2
    assert capsys.readouterr().err.startswith("hector: Es gibt keine Datei")


def test_where_a_catalogue_is_missing_an_error_is_told_in_english() -> None:
    assert told(UsageError(MISSING, name="a"), "xx") == "There is no file a. Check the name."
