"""A game into every kind of sheet, and every kind of sheet into a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache, partial
from itertools import zip_longest

from assistant.errors import Phrase, UsageError
from assistant.scoresheet import files
from assistant.scoresheet.braille import BrailleCode, LossError, braille_code, braille_shape, comes_back
from assistant.scoresheet.encoding import UTF16_MARKS, decode, guess_told
from assistant.scoresheet.layout import PageSize, blocks_of, pages_of, words_of
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.move_writing import Signs, Style, signs_of
from assistant.scoresheet.notation import languages, notation
from assistant.scoresheet.pgn import SeveralGamesError, parse_pgn
from assistant.scoresheet.pgn_writing import to_pgn
from assistant.scoresheet.profiles import GRADES, check_braille, literary_tables, profile, profile_names
from assistant.scoresheet.reading import Reading, UnreadSheetError, fitting, read_paragraphs
from assistant.scoresheet.record import UNKNOWN, Game
from assistant.scoresheet.sheet import items_of
from assistant.scoresheet.text import WIDTH, PrintCode, from_text, to_text
from assistant.scoresheet.tokens import parts_moves_by_semicolons
from assistant.scoresheet.typography import plain_game

FORMATS = ("text", "unicode", "brf", "eurobraille", "pef", "pgn")


def render(
    game: Game,
    format: str,
    language: str = "en",
    notation: str = "short",
    cells: int | None = None,
    lines: int = 28,
    profile: str = "",
    grade: str = "basic",
    layout: str = "columns",
    signs: Signs | None = None,
) -> bytes:
    """Return the game as a file of one of `FORMATS`.

    `cells` and `lines` are the page's; for text `cells` is the width of a line. `signs` are those of
    the game's edition of the Laws unless others are given. Braille is read back before it is returned; the
    quotes, dashes and dots of a printer may come back from it as those of a typewriter. Tags that a sheet
    cannot hold are left out, as `left_out` tells.
    :raises UsageError: for a format, language, profile, notation or size that does not exist.
    :raises HectorError: if liblouis is missing, or braille would not read back as the same game.
    """
    if format not in FORMATS:
        raise UsageError(
            "There is no sheet format {format!r}: choose {formats}.",
            format=format,
            formats=", ".join(FORMATS),
        )
    if layout not in ("columns", "running"):
        raise UsageError("There is no layout {layout!r}: choose columns or running.", layout=layout)
    check_braille(profile, grade)
    style = Style(language, notation, signs or signs_of(game.edition))
    usual = WIDTH if format == "text" else PageSize().cells
    size = PageSize(usual if cells is None else cells, lines)
    if format == "pgn":
        return to_pgn(game).encode()
    if format == "text":
        return to_text(game, style, size.cells, layout == "columns").encode()
    pages = braille_pages(game, style, size, profile, grade, layout == "columns")
    if format == "unicode":
        return files.to_unicode(pages)
    if format == "pef":
        return files.to_pef(pages, size, _metadata(game, language))
    return files.to_brf(pages, format)


def left_out(
    game: Game, format: str, language: str = "en", profile_name: str = "", grade: str = "basic"
) -> tuple[Phrase, ...]:
    """Return a sentence for each tag of the game that a sheet of this kind cannot hold.

    :raises HectorError: as `render` does for the same arguments.
    """
    if format == "pgn":
        return ()
    code = PrintCode() if format == "text" else braille_code(profile(profile_name), language, grade)
    return fitting(game, language, code)[1]


@lru_cache(maxsize=8)
def braille_pages(
    game: Game,
    style: Style,
    size: PageSize,
    profile_name: str = "",
    grade: str = "basic",
    two_columns: bool = True,
) -> tuple[tuple[str, ...], ...]:
    """Return the pages of a braille sheet as lines of cells, the page's number in its first line.

    Tags that a sheet cannot hold are left out.
    :raises LossError: if the pages would not read back as the same game.
    """
    if style.form == "figurine":
        raise UsageError("Figurines have no braille cells: choose the short or the long notation.")
    code = braille_code(profile(profile_name), style.language, grade)
    game, _notes = fitting(game, style.language, code)
    items = items_of(game, style, code)
    shape = braille_shape(size.cells, two_columns)
    pages = pages_of(blocks_of(items, shape), size, _page_numbers(code), BLANK)
    try:
        back, _notes = read_paragraphs(words_of(_body(pages, code), shape), style.language, code)
    except UsageError as error:
        raise LossError(profile(profile_name).name, error) from error
    if plain_game(back) != plain_game(game):
        raise LossError(profile(profile_name).name, _first_loss(game, back))
    return tuple(tuple(page) for page in pages)


def _first_loss(game: Game, back: Game) -> Phrase:
    game, back = plain_game(game), plain_game(back)
    for one, other in zip_longest(game.plies, back.plies):
        if one != other:
            return comes_back(str(one), str(other))
    return next(
        comes_back(field.name, str(getattr(back, field.name)))
        for field in fields(game)
        if getattr(game, field.name) != getattr(back, field.name)
    )


def _page_numbers(code: BrailleCode) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield code.tokens([str(number)])[0]


def _metadata(game: Game, language: str) -> files.Metadata:
    names = " - ".join(name for name in (game.tag("White"), game.tag("Black")) if name not in ("", "?"))
    date = re.match(r"\d{4}(\.\d{2}(\.\d{2})?)?", game.tag("Date"))
    return files.Metadata(names or "Chess", language, date[0].replace(".", "-") if date else "")


# -- Back ----------------------------------------------------------------------------------------------


def read_sheet(
    data: bytes,
    language: str = "",
    profile: str = "",
    grade: str = "",
    format: str = "",
    beside: Game | None = None,
) -> Game:
    """Read a sheet of any format back into a game; what stands on it beside that is left out.

    :raises UsageError: as `parse_sheet` does.
    """
    return parse_sheet(data, language, profile, grade, format, beside)[0]


def parse_sheet(
    data: bytes,
    language: str = "",
    profile: str = "",
    grade: str = "",
    format: str = "",
    beside: Game | None = None,
    *,
    number: int | None = None,
) -> Reading:
    """Read a sheet of any format back into a game, and tell in sentences what was left out or may be missing.

    What is left empty is found out: the format from the data, then every language, profile and grade in
    turn until one reads the whole sheet. `beside` is the other player's sheet: an illegal move of it is known
    however a player writes it. `number` is that of the game, from 1, where the data are a PGN of several.
    :raises UsageError: naming what cannot be read, in the language given or the first that comes closest;
        or if no language is given and the moves are others in one than in another.
    """
    if language:
        notation(language)
    check_braille(profile, grade)
    furthest = (-1, -1, False)
    failure: UsageError | None = None
    for each in (format,) if format else formats_of(data):
        read: dict[str, Reading] = {}
        for name, attempt in _attempts(data, each, language, profile, grade, beside, number):
            if name in read:
                continue
            try:
                read[name] = attempt()
            except UsageError as error:
                depth = _depth(error, named=bool(language))
                if depth > furthest:
                    furthest, failure = depth, error
                elif depth == furthest:
                    _join_languages(failure, error)
        if read:
            return _only_reading(read)
        if isinstance(failure, UnreadSheetError) and failure.is_sheet:
            break
    assert failure, "there is always something to attempt"
    raise failure


def _join_languages(failure: UsageError | None, error: UsageError) -> None:
    """Note that a sheet stops at the same move in another language, whose letters it may have as well."""
    if (
        isinstance(failure, UnreadSheetError)
        and isinstance(error, UnreadSheetError)
        and (failure.stopped and error.stopped)
        and failure.stopped[0].plies == error.stopped[0].plies
        and failure.stopped[1] == error.stopped[1]
    ):
        failure.languages = tuple(dict.fromkeys((*failure.languages, *error.languages)))


def _attempts(
    data: bytes,
    format: str,
    language: str,
    profile_name: str,
    grade: str,
    beside: Game | None,
    number: int | None,
) -> Iterator[tuple[str, Callable[[], Reading]]]:
    """Yield ways to read the data, each with the language that it takes."""
    names = (language,) if language else languages()
    if format == "pgn":
        yield "", partial(parse_pgn, data, number)
    elif format == "text":
        for name in names:
            yield name, partial(_read_text, data, name, beside)
    elif format in FORMATS:
        for name, candidate, each in _choices(names, profile_name, grade):
            yield name, partial(_read_braille, data, format, name, candidate, each, beside)
    else:
        raise UsageError(
            "There is no sheet format {format!r}: choose {formats}.",
            format=format,
            formats=", ".join(FORMATS),
        )


def _only_reading(read: Mapping[str, Reading]) -> Reading:
    """Return the game that a sheet is in the language that knows most of its header.

    :raises UsageError: if the moves are others in another language.
    """
    (first, reading), *others = sorted(read.items(), key=lambda item: _strange_tags(item[1][0]))
    for name, (other, _notes) in others:
        if other.plies != reading[0].plies:
            raise UsageError(
                "The sheet is one game with the letters of {first} and another with those of {name}: "
                "name the language whose letters it has (--language).",
                first=first,
                name=name,
            )
    return reading


def _depth(error: UsageError, *, named: bool) -> tuple[int, int, bool]:
    """Return how surely the data is in the format that was tried, and how far it was read, in moves.

    A move that is not legal was read further than a word that is no move in the language; this is the last
    value. What is surely a sheet is no PGN that cannot be read. `named`: somebody has said in which language
    it is.
    """
    if isinstance(error, UnreadSheetError):
        is_surely = error.is_sheet or (named and error.depth)
        return (2 if is_surely else 0), error.depth, error.stopped is not None
    if isinstance(error, SeveralGamesError):
        return 1, 0, False
    found = re.search(r"move (\d+) of (White|Black)", str(error))
    return 0, int(found[1]) - (found[2] == "White") if found else 0, False


def _strange_tags(game: Game) -> int:
    known = notation("en").labels
    return sum(name not in known and name not in UNKNOWN for name, _value in game.tags)


def formats_of(data: bytes) -> tuple[str, ...]:
    """Return the formats that a sheet may be in, the likeliest first.

    Only what is in plain ASCII, the letters of each line all small or all capitals, may be print as well as
    braille.
    """
    if data.lstrip().startswith(b"<"):
        # XML says itself which letters it has.
        return ("pef",)
    # Embossers' files end in what old systems filled up their sectors with.
    text = decode(data if data[:2] in UTF16_MARKS else data.rstrip(b"\x1a\0"))
    head = text[:4096].lstrip()
    if head.startswith("<"):
        return ("pef",)
    if head.startswith("["):
        return ("pgn",)
    print_formats = ("text",) if parts_moves_by_semicolons(text) else ("text", "pgn")
    cells = len(re.findall("[\u2800-\u28ff]", text))
    if cells:
        # A name in print may hold a cell; a sheet in braille holds nothing else.
        letters = len(re.findall("[A-Za-z0-9]", text))
        return ("unicode", *print_formats) if cells > letters else (*print_formats, "unicode")
    if not text.isascii():
        return print_formats
    # Of the two character sets of braille, one has no small letters and the other has no capitals. Print has
    # both, and braille read from it would not tell them apart: Cc3 would be a move of the c-pawn.
    if text == text.upper():
        braille: tuple[str, ...] = ("brf",)
    else:
        braille = ("eurobraille", "brf") if text == text.lower() else ()
    if not braille and all(line in (line.upper(), line.lower()) for line in text.splitlines()):
        # A line of braille that somebody has changed by hand may be in the other case; print comes first.
        return (*print_formats, "brf")
    if re.search(r"\b1\.\s*[A-Za-z]", text):
        return (*print_formats, *braille)
    if text == text.upper():
        return (*braille, *print_formats)
    return ("text", *braille, *print_formats[1:])


def _choices(names: Sequence[str], profile_name: str, grade: str) -> Iterator[tuple[str, str, str]]:
    for candidate in (profile_name,) if profile_name else profile_names():
        known = profile(candidate).languages
        for name in names:
            if name in known or profile_name:
                grades = (grade,) if grade else [g for g in GRADES if g in literary_tables()[name]]
                yield from ((name, candidate, each) for each in grades)


def _read_text(data: bytes, language: str, beside: Game | None) -> Reading:
    game, notes = from_text(decode(data), language, beside)
    return game, (*guess_told(data), *notes)


def _read_braille(
    data: bytes, format: str, language: str, profile_name: str, grade: str, beside: Game | None
) -> Reading:
    pages = _pages(data, format)
    code = braille_code(profile(profile_name), language, grade)
    width = max((len(line) for page in pages for line in page), default=0)
    return read_paragraphs(words_of(_body(pages, code), braille_shape(width)), language, code, beside)


@lru_cache(maxsize=2)
def _pages(data: bytes, format: str) -> list[list[str]]:
    if format == "unicode":
        return files.from_unicode(decode(data))
    if format == "pef":
        return files.from_pef(data)
    return files.from_brf(data, format)


def _body(pages: Sequence[Sequence[str]], code: BrailleCode) -> Iterator[str]:
    """Yield the lines of the pages without their numbers.

    Where a file has lost its form feeds, a page begins at the number that is due, below the one before it.
    """
    due = width = 0
    for page in pages:
        for index, line in enumerate(page):
            number = _page_number(line, code) if index == 0 or len(line) == width else None
            if number is None or (index and number != due):
                yield line
            else:
                due, width = number + 1, len(line)


def _page_number(line: str, code: BrailleCode) -> int | None:
    """Return the number that stands alone at the right of a line, if one does."""
    number = line.strip(BLANK)
    if not line.startswith(BLANK) or not number or BLANK in number:
        return None
    match = re.fullmatch(r"(\d{1,9})\.?", code.read_tokens([number])[0])
    return int(match[1]) if match else None
