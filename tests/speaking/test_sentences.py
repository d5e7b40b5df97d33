"""What Hector says in a dialogue: the words, who hears them, how urgent they are."""

from __future__ import annotations

import re

import pytest

from assistant.speaking import (
    LANGUAGES,
    Device,
    EquipmentSentences,
    PracticeSentences,
    Priority,
    Sentence,
    Sentences,
    fill,
    german,
)
from assistant.speaking.wording import REASONS

MOVE = "Springer Felix drei"
OTHERS = tuple(language for language in LANGUAGES if language != "de")
CONSONANT = re.compile(r"\W*[^\W\d_aeiouyàáéíóúąęó]\W*", re.IGNORECASE)
DEVICES: tuple[Device, ...] = ("microphone", "voice", "headphones", "braille display")
"""Those that come back."""


def every_sentence(language: str) -> list[Sentence]:
    """Return one of everything that can be said in a dialogue."""
    say = Sentences(language, "white")
    return [
        say.readback(MOVE, 3),
        say.corrected(MOVE, 3),
        say.ask_for_correction(),
        say.nothing_to_correct(),
        say.mend_or_press_first("Korrektur", "gedrückt"),
        say.one_at_a_time(),
        say.repeat_differs(MOVE),
        say.pardon(),
        say.which(["von Bella", "von Gustav"], "Springer"),
        say.which(["Springer Felix drei", "Läufer Felix drei"]),
        say.did_you_mean(MOVE),
        say.not_legal(move=MOVE),
        say.not_legal("king-in-check", piece="König", target="Eva zwei"),
        say.not_legal("cannot-move-so", piece="Turm", square="Anna eins", target="Bella zwei"),
        say.not_legal("unknown-words", words="Waschmaschine"),
        *(say.confirm(command) for command in ("resign", "offer-draw", "accept-draw", "decline-draw")),
        *(say.confirm("claim", of) for of in ("threefold", "fifty-moves", "flag", "illegal-move")),
        say.confirm("arbiter"),
        say.confirm_offer("white"),
        say.confirm_acceptance("black"),
        say.which_claim(["Stellungswiederholung", "fünfzig Züge", "Zeitüberschreitung"]),
        say.dropped(),
        say.nothing_to_answer(),
        say.arbiter_called(),
        say.times(3_720_000, 750_000),
        say.times(None, None),
        say.moves_completed(21),
        say.moves_to_control(1),
        say.moves_to_control(None),
        say.last_move(MOVE),
        say.last_move(None),
        say.on_square("Felix drei", "Springer", "white"),
        say.on_square("Felix drei"),
        say.where_is("Springer", ["Felix drei"], ["Cesar sechs", "Felix sechs"]),
        say.where_is("Dame", [], []),
        say.position(["König Eva eins"], ["König Eva acht", "Bauer Anna sieben"]),
        say.nothing_to_repeat(),
        say.not_available(),
        say.help(["Korrektur", "Zeit"]),
        say.warning(300_000, "white"),
        say.warning(10_000, "black"),
        say.how_to_start(has_clock=True),
        say.how_to_start(has_clock=False),
        say.resumed("black"),
        *equipment_sentences(language),
        *practice_sentences(language),
    ]


def equipment_sentences(language: str) -> list[Sentence]:
    say = EquipmentSentences(language, "white")
    return [
        *(say.device_lost(device) for device in (*DEVICES, "keyboard")),
        say.device_missing("microphone"),
        say.device_missing("voice"),
        *(say.device_back(device) for device in DEVICES),
        say.not_recorded(),
        say.moved(),
        say.stood_still(12_000),
        say.not_recorded_any_more(is_full=True),
        say.not_recorded_any_more(is_full=False),
    ]


def practice_sentences(language: str) -> list[Sentence]:
    say = PracticeSentences(language)
    return [
        say.say_this("Anna eins"),
        say.heard("Anna eins"),
        say.heard_nothing(),
        say.heard_right(5, 6),
        say.lesson(30),
        say.learning(),
        say.voice_learnt(10, 7, 9, 12),
        say.voice_not_learnt(10, 7, 7),
        say.clicks(),
        say.no_echo(),
        say.holds(120),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pieces_joined_are_the_text(language: str) -> None:
    for sentence in every_sentence(language):
        assert "".join(text for _language, text in sentence.segments) == sentence.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_digits_placeholders_or_doubled_spaces(language: str) -> None:
    for sentence in every_sentence(language):
        assert not re.search(r"\d|[{}]|  ", sentence.text), sentence.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_begin_with_a_capital(language: str) -> None:
    for sentence in every_sentence(language):
        starts = re.findall(r"(?:^|[.?!] )[¿¡]*(\w)", sentence.text)
        assert all(letter.isupper() for letter in starts), sentence.text


@pytest.mark.parametrize("language", OTHERS)
def test_moves_are_spoken_by_a_german_voice(language: str) -> None:
    for sentence in every_sentence(language):
        if MOVE in sentence.text:
            assert [piece for piece, text in sentence.segments if MOVE in text] == ["de"]


@pytest.mark.parametrize("language", OTHERS)
def test_no_piece_is_a_single_consonant(language: str) -> None:
    """Alone before a German word, the Polish preposition "z" is spelt out: "zy"."""
    values = dict.fromkeys(("piece", "square", "target", "words", "choices"), german("Dame"))
    reasons = [fill(message, language, **values) for message in REASONS.values()]
    for segments in [*reasons, *(sentence.segments for sentence in every_sentence(language))]:
        alone = [text for piece, text in segments if piece != "de" and CONSONANT.fullmatch(text)]
        assert alone == [], segments


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_its_own_words(language: str) -> None:
    same = [
        own.text
        for own, german in zip(every_sentence(language), every_sentence("de"), strict=True)
        if own.text == german.text and any(piece != "de" for piece, _text in own.segments)
    ]
    assert same == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_short(language: str) -> None:
    for sentence in every_sentence(language):
        assert len(re.findall(r"[\w'’-]+", sentence.text)) <= 14, sentence.text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Springer von Bella oder von Gustav?"),
        ("en", "Springer von Bella or von Gustav?"),
        ("es", "¿Springer von Bella o von Gustav?"),
    ],
)
def test_a_question_names_only_what_differs(language: str, text: str) -> None:
    assert Sentences(language).which(["von Bella", "von Gustav"], "Springer").text == text


def test_three_rivals_are_joined_by_a_comma_and_or() -> None:
    choices = ["von Anna", "von David", "von Hector"]
    assert Sentences("de").which(choices, "Turm").text == "Turm von Anna, von David oder von Hector?"


def test_the_answers_to_a_question_are_the_german_words_that_hector_listens_for() -> None:
    question = Sentences("en").confirm("resign")
    assert question.text == "Resign? Ja or nein?"
    assert [text.strip(" ?") for language, text in question.segments if language == "de"] == ["Ja", "nein"]


def test_who_asks_for_the_times_hears_his_own_first() -> None:
    say = Sentences("de", "black")
    assert (
        say.times(60_000, 3_720_000, "black").text == "Schwarz: eine Stunde zwei Minuten. Weiß: eine Minute."
    )


@pytest.mark.parametrize(
    ("white", "black", "text"),
    [
        (["David eins"], [], "Dame. White: David eins."),
        ([], ["David acht"], "Dame. Black: David acht."),
        (["David eins"], ["David acht"], "Dame. White: David eins. Black: David acht."),
        ([], [], "No Dame on the board."),
    ],
)
def test_where_the_men_of_one_kind_stand_is_told_for_each_side_that_has_them(
    white: list[str], black: list[str], text: str
) -> None:
    assert Sentences("en", "white").where_is("Dame", white, black).text == text


def test_a_read_back_of_the_same_ply_replaces_the_last_one() -> None:
    say = Sentences("de")
    assert say.readback("Eva vier", 1).stale_key == say.corrected("Eva drei", 1).stale_key
    assert say.readback("Eva vier", 1).stale_key != say.readback("Eva fünf", 2).stale_key


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("de", "Korrektur"),
        ("en", "Correction"),
        ("es", "Corrección"),
        ("fr", "Correction\xa0"),
        ("pl", "Poprawka"),
    ],
)
def test_a_correction_is_announced_before_its_move(language: str, word: str) -> None:
    assert Sentences(language).corrected(MOVE, 5).text == f"{word}: {MOVE}."


def test_moves_are_for_the_room_and_answers_for_the_one_who_asked() -> None:
    say = Sentences("de", "white")
    assert say.readback("Eva vier", 1).audience == "room"
    assert {say.times(1, 1).audience, say.moves_completed(1).audience, say.pardon().audience} == {"white"}


@pytest.mark.parametrize("device", DEVICES)
def test_a_device_that_is_lost_or_works_again_is_named(device: Device) -> None:
    say = EquipmentSentences("en", "white")
    assert say.device_lost(device).text.startswith(f"{device.capitalize()} lost")
    assert say.device_back(device).text == f"{device.capitalize()} back."


def test_that_a_voice_is_lost_is_told_to_the_room_and_of_other_devices_to_whoever_uses_them() -> None:
    say = EquipmentSentences("en", "white")
    heard = {
        device: (say.device_lost(device).audience, say.device_back(device).audience) for device in DEVICES
    }
    room = {"voice": ("room", "room"), "headphones": ("room", "room")}
    assert heard == dict.fromkeys(DEVICES, ("white", "white")) | room


def test_only_what_cannot_wait_is_an_alarm() -> None:
    alarms = {sentence.text for sentence in every_sentence("en") if sentence.priority is Priority.ALARM}
    assert alarms == {
        "Springer Felix drei was announced.",
        "Arbiter, please!",
        "Microphone lost. Please type the moves.",
        "There is no microphone. Please type the moves.",
        "Voice lost. Everything is printed.",
        "There is no voice. Everything is printed.",
        "Headphones lost. Private answers are printed.",
        "Keyboard lost.",
        "Braille display lost.",
        "The game cannot be saved.",
    }


def test_a_reason_that_is_not_known_still_names_the_move() -> None:
    assert Sentences("de").not_legal("no-such-code", move=MOVE).text == "Nicht möglich: Springer Felix drei."


def test_a_command_that_is_never_asked_back_has_no_question() -> None:
    with pytest.raises(KeyError):
        Sentences("de").confirm("times")
