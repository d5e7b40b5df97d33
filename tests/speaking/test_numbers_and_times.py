"""Numbers and clock times in words: what is spoken can be understood as exactly one number."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.speaking import LANGUAGES, duration_in_words, number_in_words

# A reader of number words that knows nothing of the rules that wrote them.
_ATOMS = {
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
    "sechzehn siebzehn achtzehn neunzehn",
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro "
    "veinticinco veintiséis veintisiete veintiocho veintinueve",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "pl": "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście "
    "trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście",
}
_TENS = {
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "fr": "vingt trente quarante cinquante soixante",
    "pl": "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt "
    "dziewięćdziesiąt",
}
_HUNDREDS_ES = "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos "
_HUNDREDS_ES += "novecientos"
_HUNDREDS_PL = "sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset"


def understood(words: str, language: str) -> int:
    """Read a number in words back."""
    values = {word: number for number, word in enumerate(_ATOMS[language].split())}
    values |= {word: 20 + 10 * index for index, word in enumerate(_TENS[language].split())}
    if language == "de":
        return _understood_german(words, values | {"ein": 1, "eine": 1})
    if language == "es":
        values |= {word: 100 + 100 * index for index, word in enumerate(_HUNDREDS_ES.split())}
        values |= {word[:-2] + "as": value for word, value in values.items() if 200 <= value < 1000}
        values |= {"un": 1, "una": 1, "veintiún": 21, "veintiuna": 21, "cien": 100}
    if language == "fr":
        # four twenties is the only number that is a product
        words = re.sub("quatre-vingts?", "huitante", words)
        values |= {"huitante": 80, "une": 1}
    if language == "pl":
        values |= {word: 100 + 100 * index for index, word in enumerate(_HUNDREDS_PL.split())}
        values |= {"jedna": 1, "jedno": 1, "dwie": 2}
    total = part = 0
    for word in re.split(r"[ -]", words):
        if word in ("and", "y", "et"):
            continue
        if word in ("hundred", "cent", "cents"):
            part = (part or 1) * 100
        elif word in ("thousand", "mil", "mille", "tysiąc", "tysiące", "tysięcy"):
            total, part = 1000 * (part or 1), 0
        else:
            part += values[word]
    return total + part


def _understood_german(words: str, values: dict[str, int]) -> int:
    for word, factor in (("tausend", 1000), ("hundert", 100)):
        if word in words:
            before, after = words.split(word, 1)
            rest = _understood_german(after, values) if after else 0
            return _understood_german(before, values) * factor + rest
    if words in values:
        return values[words]
    one, ten = words.split("und", 1)
    return values[one] + values[ten]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", ["counting", "feminine", "masculine"])
def test_every_number_is_understood_as_itself(language: str, rules: str) -> None:
    for number in (*range(2200), *range(9_900, 10_100), *range(20_990, 21_130), 100_000, 121_121, 999_999):
        assert understood(number_in_words(number, language, rules), language) == number


@pytest.mark.parametrize(
    ("number", "language", "rules", "words"),
    [
        (1, "de", "feminine", "eine"),
        (1, "de", "masculine", "ein"),
        (21, "de", "feminine", "einundzwanzig"),
        (16, "de", "counting", "sechzehn"),
        (17, "de", "counting", "siebzehn"),
        (30, "de", "counting", "dreißig"),
        (101, "de", "counting", "einhunderteins"),
        (1, "es", "masculine", "un"),
        (21, "es", "masculine", "veintiún"),
        (21, "es", "feminine", "veintiuna"),
        (31, "es", "masculine", "treinta y un"),
        (31, "es", "feminine", "treinta y una"),
        (100, "es", "counting", "cien"),
        (200, "es", "feminine", "doscientas"),
        (21, "en", "feminine", "twenty-one"),
        (115, "en", "counting", "one hundred and fifteen"),
        (21, "fr", "masculine", "vingt et un"),
        (21, "fr", "feminine", "vingt et une"),
        (71, "fr", "feminine", "soixante et onze"),
        (80, "fr", "counting", "quatre-vingts"),
        (81, "fr", "feminine", "quatre-vingt-une"),
        (97, "fr", "counting", "quatre-vingt-dix-sept"),
        (200, "fr", "counting", "deux cents"),
        (1, "pl", "feminine", "jedna"),
        (21, "pl", "feminine", "dwadzieścia jeden"),
        (22, "pl", "feminine", "dwadzieścia dwie"),
        (102, "pl", "masculine", "sto dwa"),
        (1000, "pl", "counting", "tysiąc"),
        (22_005, "pl", "feminine", "dwadzieścia dwa tysiące pięć"),
        (112_000, "pl", "counting", "sto dwanaście tysięcy"),
    ],
)
def test_words_bend_as_their_language_wants(number: int, language: str, rules: str, words: str) -> None:
    assert number_in_words(number, language, rules) == words


@pytest.mark.parametrize("number", [-1, 1_000_000])
def test_numbers_out_of_range_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 999999"):
        number_in_words(number, "de")


_UNITS = {
    "de": {"Stunde": 3600, "Stunden": 3600, "Minute": 60, "Minuten": 60, "Sekunde": 1, "Sekunden": 1},
    "en": {"hour": 3600, "hours": 3600, "minute": 60, "minutes": 60, "second": 1, "seconds": 1},
    "es": {"hora": 3600, "horas": 3600, "minuto": 60, "minutos": 60, "segundo": 1, "segundos": 1},
    "fr": {"heure": 3600, "heures": 3600, "minute": 60, "minutes": 60, "seconde": 1, "secondes": 1},
    "pl": {"godzina": 3600, "godziny": 3600, "godzin": 3600, "minuta": 60, "minuty": 60, "minut": 60}
    | {"sekunda": 1, "sekundy": 1, "sekund": 1},
}


def seconds_understood(words: str, language: str) -> int:
    units, total, number = _UNITS[language], 0, []
    for word in words.split():
        if word in units:
            total += understood(" ".join(number), language) * units[word]
            number = []
        else:
            number.append(word)
    assert not number, f"a number without a unit in {words!r}"
    return total


@pytest.mark.parametrize("language", LANGUAGES)
@given(st.integers(min_value=1000, max_value=40 * 3_600_000))
def test_a_time_is_understood_as_itself_and_never_as_more(language: str, left: int) -> None:
    heard = seconds_understood(duration_in_words(left, language), language)
    exact = left // 1000
    assert heard == (exact if exact < 3600 else exact // 60 * 60)


@pytest.mark.parametrize("language", LANGUAGES)
@given(st.integers(min_value=-10_000, max_value=40 * 3_600_000))
def test_a_time_has_no_digits_and_no_colon(language: str, left: int) -> None:
    assert not re.search(r"[\d:]", duration_in_words(left, language))


@pytest.mark.parametrize(
    ("left", "german", "english", "spanish"),
    [
        (3_720_000, "eine Stunde zwei Minuten", "one hour two minutes", "una hora dos minutos"),
        (750_000, "zwölf Minuten dreißig Sekunden", "twelve minutes thirty seconds",
         "doce minutos treinta segundos"),
        (61_000, "eine Minute eine Sekunde", "one minute one second", "un minuto un segundo"),
        (1_260_000, "einundzwanzig Minuten", "twenty-one minutes", "veintiún minutos"),
        (7_200_000, "zwei Stunden", "two hours", "dos horas"),
        (999, "weniger als eine Sekunde", "less than one second", "menos de un segundo"),
        (0, "null Sekunden", "zero seconds", "cero segundos"),
        (-5, "null Sekunden", "zero seconds", "cero segundos"),
    ],
)  # fmt: skip
def test_times_as_they_are_said(left: int, german: str, english: str, spanish: str) -> None:
    assert [duration_in_words(left, language) for language in ("de", "en", "es")] == [
        german,
        english,
        spanish,
    ]
