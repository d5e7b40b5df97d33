"""BRF, PEF and Unicode braille as files: right for embossers, strict when read."""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoresheet_games import random_game

from assistant.errors import UsageError
from assistant.scoresheet import PageSize, files, from_pgn, read_sheet, render

SCHEMA = Path(__file__).with_name("pef-2008-1.rng")
PEF = "{http://www.daisy.org/ns/2008/pef}"
CELLS = [chr(0x2800 + index) for index in range(64)]
LIBLOUIS = Path("/usr/share/liblouis/tables")

LINES = st.lists(
    st.text(st.sampled_from(CELLS), max_size=32).map(lambda line: f"⠁{line}⠁"), min_size=1, max_size=8
)


@given(st.lists(LINES, min_size=1, max_size=4), st.sampled_from(["brf", "eurobraille"]))
def test_any_cells_survive_both_character_sets(pages, charset):
    assert files.from_brf(files.to_brf(pages, charset), charset) == pages


@given(st.lists(LINES, min_size=1, max_size=4))
def test_any_cells_survive_pef_and_unicode(pages):
    pef = files.to_pef(pages, PageSize(40, 25), files.Metadata("T", "de"))
    assert files.from_pef(pef) == pages
    assert files.from_unicode(files.to_unicode(pages).decode()) == pages


@pytest.mark.parametrize(("charset", "table"), [("brf", "en-us-brf.dis"), ("eurobraille", "de-eurobrl6.dis")])
def test_a_character_set_is_the_one_that_liblouis_has(charset, table):
    if not (LIBLOUIS / table).exists():
        pytest.skip("liblouis-data is not installed")
    expected: dict[int, str] = {}
    for line in (LIBLOUIS / table).read_text(encoding="utf-8").splitlines():
        parts = line.split()
        if (
            len(parts) >= 3
            and parts[0] == "display"
            and parts[2].isdigit()
            and not set(parts[2]) & set("789")
        ):
            cell = sum(1 << int(dot) - 1 for dot in parts[2] if dot != "0")
            char = {"\\s": " ", "\\\\": "\\"}.get(parts[1], parts[1])
            expected.setdefault(cell, char)
    assert len(expected) == 64
    assert {index: char.lower() for index, char in enumerate(files.CHARSETS[charset])} == {
        cell: char.lower() for cell, char in expected.items()
    }


def test_a_brf_of_another_program_is_read_in_small_letters_and_with_plain_line_ends():
    pages = [["⠁⠂⠄", "", "⠨⠎⠋⠒"]]
    assert files.from_brf(b"a1'\n\n.sf3\n") == pages
    assert files.from_brf(b"A1'\r\n\r\n.SF3\r\n\x0c\x1a") == pages
    assert files.from_brf(b"`{|}~") == [["⠈⠪⠳⠻⠘"]]


@pytest.mark.parametrize("data", [b"A1'\r\r.SF3\r", b"A1'\r\n\r\n.SF3\r\n\x0c\0\0\0"])
def test_a_brf_of_an_old_machine_is_read(data):
    """Its lines end in a carriage return alone, or its last sector is filled up."""
    assert files.from_brf(data) == [["⠁⠂⠄", "", "⠨⠎⠋⠒"]]


def test_unicode_braille_with_typed_blanks_and_windows_line_ends_is_read():
    assert files.from_unicode("⠁ ⠃\r\n⠉\r\n") == [["⠁⠀⠃", "⠉"]]


def test_a_page_of_nothing_but_blanks_is_no_page():
    assert files.from_unicode("⠁\n\f⠀⠀\n⠀\n\f⠃\n") == [["⠁"], ["⠃"]]


@pytest.mark.parametrize("data", ["Größe".encode(), b"a\vb", b"a\0b", b"\x89PNG"])
def test_what_is_no_ascii_braille_is_named_with_its_line(data):
    with pytest.raises(UsageError, match="Line 2 is not ASCII braille"):
        files.from_brf(b"E4\n" + data + b"E")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_brf_that_a_windows_editor_has_saved_is_read(encoding):
    game = random_game(20, seed=2)
    saved = render(game, "brf", "de").decode("ascii").encode(encoding)
    assert read_sheet(saved) == game
    assert read_sheet(saved, "de", format="brf") == game


def test_a_pef_that_a_windows_editor_has_saved_with_its_mark_is_read():
    game = random_game(20, seed=2)
    assert read_sheet(b"\xef\xbb\xbf" + render(game, "pef", "de")) == game


def test_a_brf_in_utf_16_that_is_damaged_is_named():
    with pytest.raises(UsageError, match="says it is utf-16 but is not"):
        files.from_brf(b"\xff\xfeA\0B")


@pytest.mark.parametrize("charset", ["brf", "eurobraille"])
def test_tabs_stand_for_the_blanks_up_to_the_next_eight(charset):
    assert files.from_brf(b"a\tb\n\tc\n", charset) == [["⠁" + "⠀" * 7 + "⠃", "⠀" * 8 + "⠉"]]


def test_cells_of_eight_dots_are_refused():
    with pytest.raises(UsageError, match="Line 1 is not six-dot braille"):
        files.from_unicode("⠁⢀")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<pef", "not well-formed"),
        (b"<html/>", "not PEF"),
        (b"<a>&x;</a>", "not well-formed"),
        (b'<?xml version="1.0" encoding="UTF-S"?><pef/>', "not well-formed"),
    ],
)
def test_what_is_no_pef_is_refused(data, reason):
    with pytest.raises(UsageError, match=reason):
        files.from_pef(data)


def test_an_unknown_character_set_is_named():
    with pytest.raises(UsageError, match="no braille character set 'morse'"):
        files.to_brf([["⠁"]], "morse")


@pytest.mark.parametrize("size", [(32, 28), (40, 25), (18, 6)])
def test_pef_obeys_the_rules_of_the_format(size):
    cells, lines = size
    root = ET.fromstring(render(random_game(126), "pef", "de", cells=cells, lines=lines))
    [volume] = root.iter(f"{PEF}volume")
    assert (volume.get("cols"), volume.get("rows"), volume.get("rowgap")) == (str(cells), str(lines), "0")
    for page in root.iter(f"{PEF}page"):
        rows = list(page.iter(f"{PEF}row"))
        assert 0 < len(rows) <= lines
        assert all(len(row.text or "") <= cells for row in rows)
    dublin = {
        element.tag.partition("}")[2]: element.text for element in root.iter() if "purl.org" in element.tag
    }
    assert dublin["format"] == "application/x-pef+xml"
    assert dublin["date"] == "2026-11-21"
    assert dublin["identifier"] and dublin["identifier"].startswith("urn:uuid:")


def test_a_pef_without_a_date_does_not_mention_one():
    pef = files.to_pef([["⠁"]], PageSize(40, 25), files.Metadata("T", "de"))
    assert b"dc:title" in pef and b"dc:date" not in pef


@pytest.mark.parametrize(
    ("tags", "title", "date"),
    [
        ('[White "Ana"]\n[Black "Tom"]\n[Date "2026.11.21"]\n', "Ana - Tom", "2026-11-21"),
        ('[White "Ana"]\n[Black "?"]\n[Date "2026.11.??"]\n', "Ana", "2026-11"),
        ('[White ""]\n[Black "Tom"]\n[Date "2026.??.??"]\n', "Tom", "2026"),
        ('[Date "????.??.??"]\n', "Chess", None),
    ],
)
def test_a_pef_says_of_a_game_what_is_known_of_it(tags, title, date):
    root = ET.fromstring(render(from_pgn(f"{tags}\n1. e4 *"), "pef", "de"))
    said = {
        name: root.findtext(f".//{{http://purl.org/dc/elements/1.1/}}{name}") for name in ("title", "date")
    }
    assert said == {"title": title, "date": date}


def test_the_same_pages_are_the_same_pef_whenever_it_is_written():
    """Its identifier is that of the sheet, not of the file."""
    one, same, other = (render(random_game(20, seed=seed), "pef", "de") for seed in (1, 1, 2))
    assert one == same
    uuids = [re.findall(rb"urn:uuid:[0-9a-f-]+", pef) for pef in (one, other)]
    assert uuids[0] != uuids[1] and all(uuids)


@pytest.mark.parametrize("sign", ["\ufffe", "\uffff", "\x01", "\x0b"])
def test_a_sign_that_xml_may_not_hold_is_a_blank_in_a_pef(sign):
    game = from_pgn(f'[White "Ana{sign}Ott"]\n[Black "Tom"]\n\n1. e4 {{x{sign}y}} *')
    read = read_sheet(render(game, "pef", "de"), "de")
    assert (read.tag("White"), read.plies[0].remark) == ("Ana Ott", "x y")
    pef = files.to_pef([["⠁"]], PageSize(40, 25), files.Metadata(f"A{sign}B", "de"))
    [title] = ET.fromstring(pef).iter("{http://purl.org/dc/elements/1.1/}title")
    assert title.text == "A B"


@pytest.fixture
def xmllint():
    path = shutil.which("xmllint")
    if path is None:
        pytest.skip("xmllint is not installed: apt-get install libxml2-utils")
    return path


def check(xmllint: str, path: Path) -> int:
    command = [xmllint, "--noout", "--relaxng", str(SCHEMA), str(path)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def test_xmllint_accepts_our_pef_and_rejects_a_broken_one(xmllint, tmp_path):
    pef = render(random_game(126), "pef", "ru")
    good = tmp_path / "good.pef"
    good.write_bytes(pef)
    assert check(xmllint, good) == 0
    for index, (old, new) in enumerate(
        [
            ("<row>", "<row>1."),
            ("<row>", "<row>⡀"),
            ('version="2008-1"', 'version="1"'),
            ("<row>", "<line/><row>"),
        ]
    ):
        bad = tmp_path / f"bad{index}.pef"
        bad.write_text(pef.decode().replace(old, new, 1), encoding="utf-8")
        assert check(xmllint, bad) != 0
