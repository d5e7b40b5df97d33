"""Pages of cells as files: BRF, PEF and Unicode braille; and the pages of such a file.

Sources: PEF 2008-1 (Portable Embosser Format, daisy.org); BRF by the North American ASCII braille table as in
liblouis' en-us-brf.dis; Eurobraille by de-eurobrl6.dis.
"""

from __future__ import annotations

import uuid
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.errors import UsageError
from assistant.scoresheet.encoding import MARKS, decode
from assistant.scoresheet.layout import PageSize
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.record import CONTROL

Pages = Sequence[Sequence[str]]

_PEF = "http://www.daisy.org/ns/2008/pef"
_DC = "http://purl.org/dc/elements/1.1/"
# The character for each cell from U+2800 to U+283F.
CHARSETS = {
    "brf": " A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)=",
    "eurobraille": " a,b.k;l\"cif|msp!e:h*o+r>djg`ntq'1?2-u(v$3960x~&<5/8)z={_4w7#y}%",
}
_TAB = 8
"""Columns between the stops of a tab, as every system has them."""
_LOWER_SIX = str.maketrans("`{|}~", "@[\\]^")


def to_unicode(pages: Pages) -> bytes:
    """Return Unicode braille in UTF-8 with a form feed between pages."""
    return "\f".join("".join(f"{line}\n" for line in page) for page in pages).encode()


def to_brf(pages: Pages, charset: str = "brf") -> bytes:
    """Return ASCII braille: upper case, CR LF after each line, a form feed after each page."""
    table = {0x2800 + index: char for index, char in enumerate(_charset(charset))}
    return "".join(
        "".join(f"{line.translate(table).rstrip(' ')}\r\n" for line in page) + "\f" for page in pages
    ).encode("ascii")


def from_brf(data: bytes, charset: str = "brf") -> list[list[str]]:
    """Return the pages of a BRF file, from this program or another.

    Any line ends and tabs are understood, BRF in any case, and what Windows editors make of it: UTF-16, or a
    mark at the beginning. Eurobraille has no capitals: a line of nothing else is understood, but one that
    holds both is print.
    :raises UsageError: if it holds bytes that stand for no cell.
    """
    chars = _charset(charset)
    text = decode(data) if data.startswith(MARKS) else data.decode("latin-1")
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\x1a\0 \n\f").expandtabs(_TAB)
    if charset == "brf":
        text = text.translate(_LOWER_SIX).upper()
    else:
        text = "\n".join(line.lower() if line == line.upper() else line for line in text.split("\n"))
    table = {ord(char): 0x2800 + index for index, char in enumerate(chars)} | {10: 10, 12: 12}
    for number, line in enumerate(text.split("\n"), 1):
        if wrong := next((char for char in line if ord(char) not in table), ""):
            raise UsageError(
                "Line {number} is not ASCII braille: {wrong!r} stands for no cell.",
                number=number,
                wrong=wrong,
            )
    return _split_pages(text.translate(table))


def from_unicode(text: str) -> list[list[str]]:
    """Return the pages of a file of Unicode braille.

    :raises UsageError: if it holds anything but six-dot cells.
    """
    text = text.replace("\r\n", "\n").replace(" ", BLANK)
    for number, line in enumerate(text.split("\n"), 1):
        if wrong := next((char for char in line if not "\u2800" <= char <= "\u283f" and char != "\f"), ""):
            raise UsageError(
                "Line {number} is not six-dot braille: it holds {wrong!r}.", number=number, wrong=wrong
            )
    return _split_pages(text)


def _split_pages(text: str) -> list[list[str]]:
    pages = []
    for page in text.split("\f"):
        lines = [line.rstrip(BLANK) for line in page.split("\n")]
        # The number of a page is in its first line, whatever empty ones an editor has filled with blanks.
        inked = [index for index, line in enumerate(lines) if line]
        if inked:
            pages.append(lines[inked[0] : inked[-1] + 1])
    return pages


def _charset(name: str) -> str:
    if name not in CHARSETS:
        raise UsageError(
            "There is no braille character set {name!r}: choose {charsets}.",
            name=name,
            charsets=", ".join(CHARSETS),
        )
    return CHARSETS[name]


# -- PEF -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a PEF file says about itself, in Dublin Core."""

    title: str
    language: str
    date: str = ""
    """As YYYY, YYYY-MM or YYYY-MM-DD; empty if unknown."""


def to_pef(pages: Pages, size: PageSize, metadata: Metadata) -> bytes:
    """Return the pages as a PEF 2008-1 document with one volume and one section."""
    ET.register_namespace("", _PEF)
    ET.register_namespace("dc", _DC)
    root = ET.Element(f"{{{_PEF}}}pef", version="2008-1")
    meta = ET.SubElement(ET.SubElement(root, f"{{{_PEF}}}head"), f"{{{_PEF}}}meta")
    text = "\n".join("\n".join(page) for page in pages)
    entries = {
        "format": "application/x-pef+xml",
        "identifier": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, text)}",
        "title": CONTROL.sub(" ", metadata.title),
        "language": metadata.language,
        "date": metadata.date,
    }
    for name, value in entries.items():
        if value:
            ET.SubElement(meta, f"{{{_DC}}}{name}").text = value
    shape: Mapping[str, str] = {
        "cols": str(size.cells),
        "rows": str(size.lines),
        "rowgap": "0",
        "duplex": "false",
    }
    volume = ET.SubElement(ET.SubElement(root, f"{{{_PEF}}}body"), f"{{{_PEF}}}volume", dict(shape))
    section = ET.SubElement(volume, f"{{{_PEF}}}section")
    for page in pages:
        element = ET.SubElement(section, f"{{{_PEF}}}page")
        for line in page:
            ET.SubElement(element, f"{{{_PEF}}}row").text = line.rstrip(BLANK)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()


def from_pef(data: bytes) -> list[list[str]]:
    """Return the pages of a PEF document.

    :raises UsageError: if it is not well-formed or not PEF.
    """
    try:
        root = ET.fromstring(data)
    except (ET.ParseError, LookupError, ValueError) as error:
        raise UsageError("The PEF file is not well-formed XML: {reason}.", reason=error) from error
    if root.tag != f"{{{_PEF}}}pef":
        raise UsageError("The XML file is not PEF: its root is not pef of the year 2008.")
    pages = [[row.text or "" for row in page.iter(f"{{{_PEF}}}row")] for page in root.iter(f"{{{_PEF}}}page")]
    return from_unicode("\f".join("\n".join(page) for page in pages))
