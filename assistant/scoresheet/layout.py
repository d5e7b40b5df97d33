"""Words into lines of a given width and lines back into words, for print and for cells alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from assistant.errors import UsageError

INDENT = 4
MIN_CELLS, MIN_LINES = 18, 6
MOST = 200
_NUMBERED = re.compile(r"\d{1,3}[.…]+(?!\d)")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words that run on; lines after the first are indented."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A move number and the words of each side; `black` is empty while Black has not replied."""

    number: str
    white: tuple[str, ...]
    black: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gap:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Together:
    """Paragraphs that stay on one page, such as the result and its signatures."""

    paragraphs: tuple[Paragraph, ...]


Item = Paragraph | MoveRow | Gap | Together


@dataclass(frozen=True, slots=True)
class Shape:
    """The width of a line, the columns, and what stands for a blank and for a broken word."""

    width: int
    blank: str = " "
    broken: str = ""
    """Last in a line whose word goes on in the next; empty where words are never broken."""
    two_columns: bool = True


def blocks_of(items: Iterable[Item], shape: Shape) -> list[list[str]]:
    """Arrange the items, each as the lines that belong together.

    No line is longer than the width, unless words may not be broken.
    """
    blocks: list[list[str]] = []
    running: list[str] = []
    for item in items:
        if isinstance(item, MoveRow) and not shape.two_columns:
            running += [item.number, *item.white, *item.black]
            continue
        if running:
            blocks.append(_wrap(running, shape))
            running = []
        match item:
            case Gap():
                blocks.append([""])
            case Paragraph(words):
                blocks.append(_wrap(words, shape))
            case Together(paragraphs):
                blocks.append([line for each in paragraphs for line in _wrap(each.words, shape)])
            case MoveRow():
                blocks.append(_row(item, shape))
    return [*blocks, _wrap(running, shape)] if running else blocks


def _row(row: MoveRow, shape: Shape) -> list[str]:
    """White at a fixed place, Black at a fixed place; Black on a line of his own if that is too narrow."""
    start = max(INDENT, len(row.number) + 1)
    middle = start + (shape.width - start) // 2
    white = shape.blank.join(row.white)
    black = shape.blank.join(row.black)
    head = row.number + shape.blank * (start - len(row.number)) + white
    if not black:
        return [head] if len(head) <= shape.width else _wrap([row.number, *row.white], shape)
    if len(head) < middle and middle + len(black) <= shape.width:
        return [head + shape.blank * (middle - len(head)) + black]
    if len(head) + 1 + len(black) <= shape.width:
        return [head + shape.blank + black]
    if len(head) <= shape.width:
        return [head, *_wrap(row.black, shape, first=shape.blank * INDENT)]
    return _wrap([row.number, *row.white, *row.black], shape)


def _wrap(words: Sequence[str], shape: Shape, first: str = "") -> list[str]:
    lines: list[str] = []
    line, margin = first, shape.blank * INDENT
    fresh = True
    for word in words:
        while True:
            room = shape.width - len(line) - (0 if fresh else 1)
            if len(word) <= room:
                line += word if fresh else shape.blank + word
                fresh = False
                break
            if not fresh:
                lines.append(line)
                line, fresh = margin, True
            elif shape.broken:
                cut = room - len(shape.broken)
                lines.append(line + word[:cut] + shape.broken)
                word, line = word[cut:], margin
            else:
                line += word
                fresh = False
                break
    return [*lines, line] if not fresh else lines


def words_of(lines: Iterable[str], shape: Shape) -> Iterator[tuple[str, ...]]:
    """Yield the words of each paragraph or row: a line that starts with a blank continues the one before.

    A margin that all lines have is none of them. What a person has written is taken as he sees it: an empty
    line ends a paragraph that does not go on as Hector's do. In print the number of a move begins a row below
    an empty line, however far it is indented, and elsewhere where it stands at the right of its column.
    """
    lines = list(lines)
    typed = not shape.broken
    margin = min((_indent(line, shape) for line in lines if line.strip(shape.blank)), default=0)
    words: list[str] = []
    glue = ended = False
    for line in (line[margin:] for line in lines):
        if not line.strip(shape.blank):
            ended = True
            continue
        indent = _indent(line, shape)
        is_row = typed and _NUMBERED.match(line, indent) is not None
        is_near = indent < INDENT
        begins = indent == 0 or (ended and (is_near or is_row)) or (is_near and is_row)
        ended = False
        if begins and words and not glue:
            yield tuple(words)
            words = []
        parts = [part for part in line.split(shape.blank) if part]
        if glue:
            words[-1] += parts.pop(0)
        words += parts
        glue = bool(shape.broken) and words[-1].endswith(shape.broken) and len(words[-1]) > len(shape.broken)
        if glue:
            words[-1] = words[-1][: -len(shape.broken)]
    if words:
        yield tuple(words)


def _indent(line: str, shape: Shape) -> int:
    return len(line) - len(line.lstrip(shape.blank))


# -- Pages ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PageSize:
    """Cells in a line and lines on a page."""

    cells: int = 32
    lines: int = 28

    def __post_init__(self) -> None:
        if self.cells > MOST or self.lines > MOST:
            raise UsageError(
                "A page of {cells} cells and {lines} lines is too large: a line has at most {most} cells, "
                "and a page as many lines.",
                cells=self.cells,
                lines=self.lines,
                most=MOST,
            )
        if self.cells < MIN_CELLS or self.lines < MIN_LINES:
            raise UsageError(
                "A page of {cells} cells and {lines} lines is too small: a scoresheet needs "
                "{min_cells} cells and {min_lines} lines or more.",
                cells=self.cells,
                lines=self.lines,
                min_cells=MIN_CELLS,
                min_lines=MIN_LINES,
            )


def pages_of(
    blocks: Sequence[Sequence[str]], size: PageSize, numbers: Iterable[str], blank: str
) -> list[list[str]]:
    """Cut blocks of lines into pages, each with its number at the right of its first line.

    A block stays whole where it takes at most a quarter of a page, or the six lines of an ending.
    """
    body = size.lines - 1
    whole = min(body, max(body // 4, 6))
    pages: list[list[str]] = [[]]
    for block in blocks:
        if len(block) <= whole and len(pages[-1]) + len(block) > body:
            pages.append([])
        for line in block:
            if len(pages[-1]) == body:
                pages.append([])
            if line or pages[-1]:  # A page does not begin with an empty line.
                pages[-1].append(line)
    return [
        [number.rjust(size.cells, blank), *page] for page, number in zip(pages, numbers, strict=False) if page
    ]
