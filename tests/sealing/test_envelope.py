"""The envelope: what is sealed comes out as it was written, for the arbiter alone, in its own game alone."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import asdict, replace
from html.parser import HTMLParser
from typing import Any

import chess
import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl.public import PublicKey as Curve25519
from nacl.public import SealedBox

from assistant.errors import UsageError
from assistant.scoresheet import formats_of
from assistant.scoresheet.profiles import marks
from assistant.sealing import (
    SHEET_FORMATS,
    Envelope,
    Occasion,
    PublicKey,
    SealError,
    SecretKey,
    Work,
    envelope_sheet,
    new_key,
    open_,
    public_key,
    seal,
    unlock,
)
from assistant.sealing.envelope import LONGEST_MOVE
from assistant.speaking import LANGUAGES

PHRASE = "drei kleine Springer"
FILE = new_key(PHRASE, Work(passes=1, memory=8192))
SECRET: SecretKey = unlock(FILE, PHRASE)
PUBLIC: PublicKey = public_key(FILE)
OCCASION = Occasion("Ana", "Tom", chess.STARTING_FEN, "white", 1, 5400.0, 5390.5, 12.5)


def box_with(inside: str) -> str:
    """Return a box as another program would make it."""
    box = SealedBox(Curve25519(PUBLIC.raw)).encrypt(inside.encode())
    mark = re.sub("[, ]", "", PUBLIC.fingerprint).encode()[:16]
    return "hector-seal-1:" + base64.urlsafe_b64encode(mark + box).decode()


@settings(max_examples=examples(60))
@given(st.text(min_size=1, max_size=100).filter(lambda text: text.split()))
def test_what_was_written_comes_out_word_for_word(text: str) -> None:
    assert open_(seal(text, OCCASION, PUBLIC), OCCASION, SECRET) == " ".join(text.split())


def test_a_box_tells_nothing_about_the_move() -> None:
    """Neither its length nor a second sealing of the same move gives anything away."""
    boxes = [seal(move, OCCASION, PUBLIC) for move in ("e4", "e4", "Sb1xd2", "lange Rochade, Schach")]
    assert len({len(box) for box in boxes}) == 1
    assert len(set(boxes)) == len(boxes)


@pytest.mark.parametrize(
    "move",
    ["lange Rochade, Schach", "x" * LONGEST_MOVE, "\U0001f434" * LONGEST_MOVE],
    ids=["usual", "longest", "widest"],
)
def test_a_box_is_as_long_for_any_move_however_long_the_names_are(move: str) -> None:
    for length in range(1, 100):
        occasion = replace(OCCASION, white="Ж" * length, black="Ö" * length)
        assert len(seal(move, occasion, PUBLIC)) == len(seal("e4", occasion, PUBLIC))


def test_a_move_that_an_earlier_hector_sealed_opens() -> None:
    """A game may be adjourned for weeks, and its Hector may be a newer one then."""
    inside = {
        **{"move": "Dxh7#", "white": "Ana", "black": "Tom", "fen": chess.STARTING_FEN, "sealer": "white"},
        **{"number": 1, "white_left": 5400.0, "black_left": 5390.5, "at": 12.5},
    }
    assert open_(box_with(json.dumps(inside)), OCCASION, SECRET) == "Dxh7#"


@pytest.mark.parametrize(
    "inside",
    ["e4", "[]", "{}", "[" * 5000, json.dumps(asdict(OCCASION) | {"move": "e4", "white_left": "x"})],
    ids=["text", "list", "nothing", "nested", "clock"],
)
def test_a_box_that_somebody_has_filled_with_something_else_is_told_in_one_sentence(inside: str) -> None:
    """Whoever has the public key can make a box."""
    with pytest.raises(SealError, match="cannot be read"):
        open_(box_with(inside), OCCASION, SECRET)


@pytest.mark.parametrize("text", ["", "  \n", "x" * 101])
def test_nothing_and_too_much_are_not_sealed(text: str) -> None:
    with pytest.raises(UsageError):
        seal(text, OCCASION, PUBLIC)


def test_another_key_does_not_open_it() -> None:
    box = seal("e4", OCCASION, PUBLIC)
    other = unlock(new_key(PHRASE, Work(1, 8192)), PHRASE)
    with pytest.raises(SealError, match="another arbiter's key"):
        open_(box, OCCASION, other)


@pytest.mark.parametrize("place", [20, 40, 60, 300, 1000, -40])
def test_a_box_that_was_changed_anywhere_is_not_opened(place: int) -> None:
    box = seal("e4", OCCASION, PUBLIC)
    raw = bytearray(base64.urlsafe_b64decode(box.removeprefix("hector-seal-1:")))
    raw[place] ^= 1
    broken = "hector-seal-1:" + base64.urlsafe_b64encode(bytes(raw)).decode()
    with pytest.raises(SealError, match="changed"):
        open_(broken, OCCASION, SECRET)


@pytest.mark.parametrize(
    "box", ["", "hector-seal-1:", "hector-seal-1:%%%", "e4", "hector-seal-1:" + "A" * 40]
)
def test_what_is_no_box_is_told_in_one_sentence(box: str) -> None:
    with pytest.raises(SealError):
        open_(box, OCCASION, SECRET)


@pytest.mark.parametrize(
    "other",
    [
        {"white": "Eva"},
        {"black": "Tim"},
        {"fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
        {"sealer": "black"},
        {"number": 2},
        {"at": 12.501},
        {"white_left": 5300.0},
        {"black_left": None},
    ],
)
def test_a_box_opens_in_no_other_game_and_no_other_position(other: dict[str, Any]) -> None:
    box = seal("e4", OCCASION, PUBLIC)
    with pytest.raises(SealError, match="another game or another position"):
        open_(box, replace(OCCASION, **other), SECRET)


def test_a_box_opens_where_the_clock_is_read_anew_from_a_rounded_line() -> None:
    box = seal("e4", OCCASION, PUBLIC)
    assert open_(box, replace(OCCASION, white_left=5400.4, black_left=5390.1), SECRET) == "e4"


def test_a_public_key_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="public key"):
        seal("e4", OCCASION, PublicKey(bytes(32)))


# -- The sheet -----------------------------------------------------------------------------------------


def envelope(**items: Any) -> Envelope:
    usual = {
        "white": "Ana",
        "black": "Tom",
        "fen": "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "white_used": 754.9,
        "black_used": 3605.0,
        "white_left": 4645.1,
        "black_left": 1795.0,
        "sealer": "white",
        "number": 3,
        "laws": "2023",
        "draw_offer": "black",
        "resumption": "Sonntag, 10 Uhr, Raum 2",
        "contents": seal("Bb5", OCCASION, PUBLIC),
        "article": "I.2",
    }
    return Envelope(**usual | items)  # type: ignore[arg-type]


def test_the_sheet_has_the_seven_items_in_order() -> None:
    """I.2.1 to I.2.7."""
    lines = [
        line for line in envelope_sheet(envelope(), "text", "en").decode().splitlines() if line[:1].isdigit()
    ]
    assert [line[:2] for line in lines] == ["1.", "2.", "3.", "4.", "5.", "6.", "7."]
    assert lines[0] == "1. Players: White Ana, Black Tom"
    assert "Bc1" in lines[1] and "White to move." in lines[1] and envelope().fen in lines[1]
    assert lines[2] == "3. Time used: White 0:12:34, Black 1:00:05"
    assert lines[3] == "4. Sealed by: Ana (White)"
    assert lines[4] == "5. Number of the sealed move: 3"
    assert lines[5] == "6. Draw offer: offered by Tom, not answered"
    assert lines[6] == "7. Resumption: date, time, place: Sonntag, 10 Uhr, Raum 2"


def test_below_the_seven_items_stand_the_clocks_the_mark_and_the_laws() -> None:
    """The mark is compared with what Hector names before the envelope is opened."""
    closed = envelope()
    lines = envelope_sheet(closed, "text", "en").decode().splitlines()
    below = next(number for number, line in enumerate(lines) if line.startswith("7.")) + 1
    assert lines[below : below + 3] == [
        "On the clocks: White 1:17:25, Black 0:29:55",
        f"Mark of the seal: {closed.mark}",
        "Laws: 2023 I.2",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("format", SHEET_FORMATS)
def test_the_sheet_is_made_in_every_format_and_language(format: str, language: str) -> None:
    sheet = envelope_sheet(envelope(), format, language)
    if format in ("brf", "unicode", "pef"):
        assert format in formats_of(sheet)
    else:
        assert b"Ana" in sheet or format == "eurobraille"


def lines_in_another_braille(sheet: bytes) -> list[str]:
    lines = [line for page in sheet.decode().split("\f") for line in page.splitlines()[1:]]
    return [line for line in lines if line.startswith(marks().foreign)]


def test_a_german_sheet_is_in_german_braille_from_its_first_line_to_its_last() -> None:
    sheet = envelope_sheet(envelope(white="Müller", black="Weiß"), "unicode", "de")
    assert lines_in_another_braille(sheet) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_left_to_be_filled_in_has_cells_in_every_language(language: str) -> None:
    sheet = envelope_sheet(envelope(resumption=""), "unicode", language)
    assert lines_in_another_braille(sheet) == []
    assert sheet.decode().count("⠤⠤⠤") == 2


def test_a_braille_page_is_never_wider_than_the_embosser() -> None:
    sheet = envelope_sheet(envelope(resumption="x" * 90), "brf", "de").decode()
    assert max(map(len, sheet.replace("\f", "").splitlines())) <= 32


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheet_says_what_the_seal_is_good_for(language: str) -> None:
    for format in ("html", "text"):
        assert "FIDE" in envelope_sheet(envelope(), format, language).decode()


class Reader(HTMLParser):
    """Collects the elements of a page, and its text."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "{0} {x}", "שחור & 'q' \"d\"", "\u202eevil"])
def test_a_name_is_only_ever_text(name: str) -> None:
    page = Reader(envelope_sheet(envelope(white=name), "html", "en"))
    assert name in page.text
    assert not any(tag == "script" for tag, _attributes in page.elements)


def test_the_printed_sheet_loads_nothing() -> None:
    page = Reader(envelope_sheet(envelope(), "html", "en"))
    assert not any({"src", "href"} & attributes.keys() or tag == "link" for tag, attributes in page.elements)


def test_the_printed_board_has_every_man_on_its_square() -> None:
    page = envelope_sheet(envelope(fen="6k1/8/8/8/8/8/P7/3QK3 w - - 0 1"), "html", "en").decode()
    rows = [re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", page)]
    assert rows[0] == ["", *"abcdefgh"]
    assert [row[0] for row in rows[1:]] == list("87654321")
    men = {
        file + row[0]: man for row in rows[1:] for file, man in zip("abcdefgh", row[1:], strict=True) if man
    }
    assert men == {"g8": "♚", "a2": "♙", "d1": "♕", "e1": "♔"}


def test_the_printed_board_stands_with_its_position_and_has_a_light_square_at_the_right() -> None:
    page = envelope_sheet(envelope(fen="8/8/8/8/8/8/8/8 w - - 0 1"), "html", "en").decode()
    boards = [item for item in page.split("<li>") if "<table>" in item]
    assert [item.startswith("<b>Position before") for item in boards] == [True]
    last = boards[0].rpartition("<tr>")[2]
    assert [square == "dark" for square in re.findall(r'<td(?: class="(dark)")?>', last)] == [True, False] * 4


def test_a_sheet_without_clock_offer_and_resumption_leaves_room_to_write() -> None:
    plain = envelope(white_used=None, black_used=None, white_left=None, black_left=None)
    text = envelope_sheet(replace(plain, draw_offer=None, resumption="", contents=""), "text", "en").decode()
    assert "3. Time used: without a clock" in text
    assert "6. Draw offer: none" in text
    assert "place: ____" in text
    assert "Mark of the seal" not in text


def test_a_format_that_there_is_not_is_refused() -> None:
    with pytest.raises(UsageError, match="html"):
        envelope_sheet(envelope(), "pdf")
