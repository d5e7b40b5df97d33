"""Plain lines of text as a file: print, or pages of literary braille in any of the braille formats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from assistant.errors import UsageError
from assistant.scoresheet import files
from assistant.scoresheet.braille import LossError, braille_code, braille_shape, comes_back
from assistant.scoresheet.layout import PageSize, Paragraph, blocks_of, pages_of, words_of
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.profiles import profile
from assistant.scoresheet.typography import plain

PROSE_FORMATS = ("text", "unicode", "brf", "eurobraille", "pef")


def render_prose(lines: Sequence[str], format: str, language: str, title: str = "Chess") -> bytes:
    """Return lines of text as a file of one of `PROSE_FORMATS`; an empty line stays empty.

    Braille is read back before it is returned; quotes, dashes and dots may come back in `plain` signs.
    :raises UsageError: for a format that does not exist.
    :raises HectorError: if liblouis is missing, or the braille would not read back as the same text.
    """
    if format not in PROSE_FORMATS:
        raise UsageError(
            "There is no format {format!r}: choose {formats}.",
            format=format,
            formats=", ".join(PROSE_FORMATS),
        )
    if format == "text":
        return "".join(f"{line}\n" for line in lines).encode()
    # Braille has one kind of space: not the no-break one that French sets before a colon.
    lines = [" ".join(line.split()) for line in lines]
    size = PageSize()
    code = braille_code(profile(), language, "basic")
    shape = braille_shape(size.cells)
    blocks = [blocks_of([Paragraph(code.prose(line))], shape)[0] if line else [""] for line in lines]
    numbers = (code.tokens([str(number)])[0] for number in count(1))
    pages = pages_of(blocks, size, numbers, BLANK)
    body = (line for page in pages for line in page[1:])
    back = [code.read_prose(words) for words in words_of(body, shape)]
    for line, other in zip(filter(None, lines), back, strict=False):
        if plain(line) != plain(other):
            raise LossError(profile().name, comes_back(line, other))
    if format == "unicode":
        return files.to_unicode(pages)
    if format == "pef":
        return files.to_pef(pages, size, files.Metadata(title, language, ""))
    return files.to_brf(pages, format)
