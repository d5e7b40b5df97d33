"""The vocabulary as data: what is accepted, what is printed, and what a faulty file is told."""

from __future__ import annotations

import re

import pytest

from assistant.announcements import load_vocabulary, parse_vocabulary
from assistant.errors import HectorError
from assistant.resources import data_path

DE = load_vocabulary("de")
FILE = data_path("locales", "de", "announcements.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("spellings", "token"),
    [
        ("Anna Ana ANNA anna a A", "anna"),
        ("Bella bella", "bella"),
        ("Cesar Cäsar Caesar César CÄSAR casar", "cesar"),
        ("David", "david"),
        ("Eva Ewa", "eva"),
        ("Felix Félix", "felix"),
        ("Gustav Gustaf Gustavo", "gustav"),
        ("Hector Hektor Héctor", "hector"),
        ("eins ein 1", "eins"),
        ("fuenf fünf funf 5 FÜNF", "fuenf"),
        ("zwo Zwo", "zwo"),
        ("Koenig König Konig KÖNIG", "koenig"),
        ("Laeufer Läufer Laufer Laeuffer Läuffer laeuffer", "laeufer"),
        ("schlaegt schlägt schlagt x", "schlaegt"),
        ("nimmt", "nimmt"),
        ("grosse große GROSSE groß", "grosse"),
    ],
)
def test_every_spelling_of_a_word_is_read_as_its_token(spellings: str, token: str) -> None:
    for spelling in spellings.split():
        assert DE.read(spelling) == ((token,), ()), spelling


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("0-0", "kurze rochade"),
        ("O-O", "kurze rochade"),
        ("o-o-o", "lange rochade"),
        ("0–0–0", "lange rochade"),
        ("0-0 Schach", "kurze rochade schach"),
        ("Rochade kurz", "kurze rochade"),
        ("Rochade lang, Schach", "lange rochade schach"),
        ("Schachmatt", "schach matt"),
        ("e5xd6 e.p.", "eva fuenf schlaegt david sechs enpassant"),
        ("en  passant", "enpassant"),
        ("J’adoube!", "jadoube"),
        ("e2-e4", "eva zwei eva vier"),
        ("e2e4", "eva zwei eva vier"),
        ("Eva4", "eva vier"),
        ("Eva2-Eva4", "eva zwei eva vier"),
        ("Gustav1Felix3", "gustav eins felix drei"),
        ("exd6ep", "eva schlaegt david sechs enpassant"),
        ("exd5+", "eva schlaegt david fuenf schach"),
        ("Eva 2 nach e4", "eva zwei nach eva vier"),
        ("e8=Dame#", "eva acht wird dame matt"),
        ("Äh, also bitte den Springer, f3.", "springer felix drei"),
        ("Cäsar", "cesar"),
        ("Ｅｖａ ４", "eva vier"),
        ("ich gebe auf", "ich gebe auf"),
        ("Reklamation: fünfzig Züge", "reklamation fuenfzig zuege"),
        ("", ""),
    ],
)
def test_a_text_is_read_as_tokens(text: str, tokens: str) -> None:
    assert DE.read(text) == (tuple(tokens.split()), ())


def test_unknown_words_are_named_as_they_were_folded() -> None:
    assert DE.read("Springer Xaver 9 drei e9 0-0-0-0") == (
        ("springer", "drei", "lange", "rochade"),
        ("xaver", "9", "e9", "0"),
    )


def test_a_letter_with_an_accent_is_no_file() -> None:
    assert DE.read("dame à e4") == (("dame", "eva", "vier"), ("à",))
    assert DE.read("é4 dá") == ((), ("é4", "dá"))


def test_tokens_are_printed_with_capitals_and_umlauts() -> None:
    assert (
        DE.written(("laeufer", "schlaegt", "hector", "fuenf", "enpassant"))
        == "Läufer schlägt Hector fünf en passant"
    )
    assert DE.written(("grosse", "rochade")) == "Große Rochade"
    assert DE.written(("unheard",)) == "unheard"


def test_every_word_of_the_acoustic_lexicon_is_a_token_and_no_other() -> None:
    words = """anna bella cesar david eva felix gustav hector eins zwei zwo drei vier fuenf sechs sieben acht
        koenig dame turm laeufer springer bauer kurze lange kleine grosse rochade schlaegt nimmt
        von nach auf wird umwandlungin schach matt enpassant remis angeboten angenommen nehmean abgelehnt
        lehne ab ich biete an aufgabe aufgegeben gebe
        korrektur wiederholen noch einmal zeit uhr zugzahl letzter zug stellung
        reklamation reklamiere stellungswiederholung fuenfzig zuege zeitueberschreitung regelwidriger
        gedrueckt ja nein stopp weiter hilfe schiedsrichter was wo steht jadoube ruecke zurecht"""
    assert set(words.split()) == DE.tokens


def test_every_token_and_every_printed_form_is_read_as_itself() -> None:
    for token in DE.tokens:
        assert DE.read(token) == ((token,), ())
        assert DE.read(DE.written([token])) == ((token,), ())


def test_every_locale_that_has_announcements_loads() -> None:
    found = sorted(path.parent.name for path in data_path("locales").glob("*/announcements.toml"))
    assert "de" in found
    for locale in found:
        assert load_vocabulary(locale).tokens


@pytest.mark.parametrize("locale", ["xx", "../de", "", "de_DE"])
def test_a_language_without_announcements_is_refused_in_one_sentence(locale: str) -> None:
    with pytest.raises(HectorError) as caught:
        load_vocabulary(locale)
    assert "\n" not in str(caught.value) and str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('written = "Anna"', 'written = "Anna', "not valid TOML"),
        ("fillers = [", "[fillings]\nnone = [", "has no 'fillers'"),
        ("fillers = [", "extra = 1\nfillers = [", "'extra', which means nothing"),
        ('written = "Anna"', "written = 7", "words.anna.written is not a text"),
        ('eva = { written = "Eva"', 'Eva = { written = "Eva"', "'Eva' is not written in the letters a to z"),
        ('eva = { written = "Eva"', 'eva = { writen = "Eva"', "has no 'written'"),
        (
            'written = "Anna", spellings = ["Ana", "a"]',
            'written = "Anna", spellings = "Ana"',
            "is not a list",
        ),
        ('["Ana", "a"]', '["Ana", "b"]', "the spelling 'b' stands for"),
        ('["Ana", "a"]', '["Ana", " "]', "spellings is not a text"),
        ('"äh", ', '"anna", ', "the filler 'anna' is also a spelling"),
        ('"äh", ', '"zwei worte", ', "is not one plain word"),
        (
            '"O-O" = "kurze rochade"',
            '"O-O" = "kurze rochaden"',
            "names 'rochaden', which is not among the words",
        ),
        ('files = ["anna", ', "files = [", "needs 8 words and has 7"),
        ('ranks = [["eins"], ', "ranks = [", "needs 8 lists of words and has 7"),
        ('["zwei", "zwo"]', '["zwei", "zwei"]', "names a word twice"),
        ('["zwei", "zwo"]', '["zwei", "drei"]', "the word 'drei' has two roles"),
        ('mate = "matt"', 'mate = "schach"', "the word 'schach' has two roles"),
        ('pawn = "bauer", ', "", "roles.pieces has no 'pawn'"),
        ('capture = ["schlaegt", "nimmt"]', "capture = []", "roles.capture is empty"),
        ('name = "times"', 'name = "time"', "there is no command 'time'"),
        ('[[commands]]\nname = "times"\nphrases = ["zeit"]\n', "", "the command 'times' has no phrase"),
        ('phrases = ["zeit"]', "phrases = []", "has no phrase"),
        ('phrases = ["zeit"]', 'phrases = ["ja"]', "the phrase 'ja' stands for two commands"),
        ('phrases = ["zeit"]', 'phrases = ["eva vier"]', "the command 'eva vier' could be a move"),
        ('phrases = ["zeit"]', 'phrases = ["lange rochade"]', "the command 'lange rochade' could be a move"),
        ('["was steht auf {square}"]', '["was steht"]', "has a phrase without {square}"),
        ('["wo steht {piece}"]', '["wo steht {square}"]', "names '{square}', which is not among the words"),
        ('of = "flag"', 'of = "time"', "the command 'claim' cannot be of 'time'"),
        ("confirm = true", 'confirm = "yes"', "is neither true nor false"),
    ],
)
def test_a_faulty_vocabulary_is_refused_in_one_sentence(old: str, new: str, complaint: str) -> None:
    assert old in FILE
    with pytest.raises(HectorError, match=re.escape(complaint)) as caught:
        parse_vocabulary(FILE.replace(old, new, 1), "test.toml")
    assert str(caught.value).startswith("The vocabulary test.toml ")
    assert "\n" not in str(caught.value) and str(caught.value).endswith(".")


def test_the_vocabulary_as_it_is_passes_the_same_check() -> None:
    assert parse_vocabulary(FILE).tokens == DE.tokens
