"""The cells of every sign of a braille profile as a page to be checked by a braille reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import chess

from assistant.scoresheet import files
from assistant.scoresheet.braille import BrailleCode, braille_code
from assistant.scoresheet.diagram import man_cells
from assistant.scoresheet.layout import PageSize
from assistant.scoresheet.literary import spelled_cells
from assistant.scoresheet.louis import BLANK
from assistant.scoresheet.move_writing import Style, signs_of
from assistant.scoresheet.notation import notation
from assistant.scoresheet.pgn import from_pgn
from assistant.scoresheet.profiles import (
    Profile,
    diagram_cells,
    literary_table,
    literary_tables,
    marks,
    profile,
    profile_names,
)
from assistant.scoresheet.record import Game
from assistant.scoresheet.render import braille_pages

_SAMPLE = """[Event "Demo"]
[Date "2026.11.21"]
[White "A. Kempelen"]
[Black "B. Maelzel"]
[TimeControl "5400+30"]

1. e4 {[%clk 1:30:05]} d5 {[%clk 1:29:40] (=)} 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Be2 Nf6 5. Nf3 Qa5 6. O-O
1/2-1/2"""
_LACKING, _SPELLED = "Ő", r"\150;"
_GAME_SIGNS = (
    ("a move number", "12."),
    ("Black's move first", "12... e5"),
    ("castling short", "0-0"),
    ("castling long", "0-0-0"),
    ("draw offered", "(=)"),
    ("clock time", "[1:32:05]"),
    ("an illegal move that stood", "(!)"),
    ("White won", "1-0"),
    ("Black won", "0-1"),
    ("drawn", "1/2-1/2"),
    ("unfinished", "*"),
    ("won without play", "+/-"),
)


def reference_pages() -> dict[str, str]:
    """Return the pages for docs/braille: file name to Markdown.

    :raises HectorError: if liblouis is missing.
    """
    pages = {f"{name}.md": _profile_page(profile(name)) for name in profile_names()}
    return {"README.md": _overview(), **pages}


def _overview() -> str:
    lines = [
        "# Braille on a scoresheet",
        "",
        "Each page below shows the cells of every sign in one profile, made from the tables that the program",
        "itself uses. `hector sheet --profile NAME` chooses one.",
        "",
        *(f"- [{name}]({name}.md): {profile(name).title}" for name in profile_names()),
        "",
        "## What all profiles share",
        "",
        "Every sheet uses dots 1 to 6 only, and is read back before it is written: a sheet that would not",
        "give exactly the same game is refused.",
        "",
        "In names and remarks, quotes, apostrophes, dashes and dots of a printer (“ ” „ « » ’ – — …) may",
        "come back as those of a typewriter: where the line would need another language's braille for them,",
        "it is written with the plain ones. A plain one always comes back as it is.",
        "",
        "The header, names and remarks stand on lines of their own in the literary braille of the language.",
        "Where that would not read back exactly, or a letter would feel like one more digit of the number",
        "before it (`e4e5`, `12.e4`), a mark says in which code the line goes on:",
        "",
        *_table(
            ("Mark", "Cells", "Dots"),
            [
                ("text in the braille of another language, here Polish", f"{marks().foreign}⠏⠇"),
                ("computer braille, every sign as in print", marks().spelled),
                ("a remark", marks().remark),
                ("last in a line: the word goes on in the next", marks().broken),
            ],
        ),
        "",
        "Computer braille has most letters and signs of Western Europe. Any other one stands in it as its",
        "Unicode number in hexadecimal digits, between a backslash and a semicolon; so does the backslash",
        "itself, and every blank of a text that has several side by side. Whoever reads the sheet back has",
        "the letter again:",
        "",
        *_table(("Print", "Cells", "Dots"), [(f"`{_LACKING}`, as `{_SPELLED}`", spelled_cells(_LACKING))]),
        "",
        "Whoever writes a sheet by hand may rub out a wrong sign of the moves by filling its cell",
        f"({marks().erased}): what is filled is passed over when the sheet is read back.",
        "",
        "Literary tables (of liblouis):",
        "",
        "| Language | basic | full |",
        "| --- | --- | --- |",
        *(
            f"| {name} | {literary_table(name, 'basic')} | {literary_table(name, 'full')} |"
            for name in literary_tables()
        ),
        "",
        "## Diagrams",
        "",
        "Two cells for each square. A man is the letter that stands for it; a white man has the language's",
        "sign for a capital before it. Each line starts with the number of the rank.",
        "",
        *_table(
            ("Square", "Cells", "Dots"),
            [("empty, light", diagram_cells("en").light), ("empty, dark", diagram_cells("en").dark)],
        ),
        "",
        "White and black men:",
        "",
        "| Language | King | Queen | Rook | Bishop | Knight | Pawn |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(f"| {name} | {' | '.join(_men(name))} |" for name in literary_tables()),
        "",
    ]
    return "\n".join(lines)


def _men(language: str) -> Iterator[str]:
    for kind in (chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN):
        white = man_cells(chess.Piece(kind, chess.WHITE), language)
        yield f"{white} {man_cells(chess.Piece(kind, chess.BLACK), language)}"


def _profile_page(shown: Profile) -> str:
    first = braille_code(shown, shown.languages[0])
    lines = [f"# {shown.title} (`{shown.name}`)", "", shown.status, ""]
    lines += [f"Languages: {', '.join(shown.languages)}.", "", "## Signs of every language", ""]
    lines += _table(("Sign", "Cells", "Dots"), [*_squares(first), *_signs(first)])
    for language in shown.languages:
        lines += ["", f"## {notation(language).name}", ""]
        lines += _table(("Print", "Cells", "Dots"), _moves(braille_code(shown, language)))
    lines += ["", "## A sheet", "", f"On a page of 40 cells, {notation(first.language).name}:", "", "```text"]
    style = Style(first.language, signs=signs_of("2023"))
    pages = braille_pages(sample_game(), style, PageSize(40, 25), shown.name)
    return "\n".join([*lines, *(line for page in pages for line in page), "```", ""])


def sample_game() -> Game:
    """Return the game of the example sheets."""
    return from_pgn(_SAMPLE)


def _squares(code: BrailleCode) -> Iterator[tuple[str, str]]:
    for rank, file in enumerate("abcdefgh", 1):
        yield f"square {file}{rank}", _cells(code, f"{file}{rank}")


def _signs(code: BrailleCode) -> Iterator[tuple[str, str]]:
    for name, text in _GAME_SIGNS:
        yield f"{name} `{text}`", _cells(code, text)


def _moves(code: BrailleCode) -> Iterator[tuple[str, str]]:
    letters = notation(code.language).letters
    knight, queen = letters[chess.KNIGHT], letters[chess.QUEEN]
    texts = [f"{letter}e2" for letter in letters.values()]
    texts += [f"{knight}xf3", f"{knight}bd2", f"{knight}1f3", f"{queen}d8+", f"{queen}xd8+", f"{queen}d8#"]
    texts += ["exd5", f"e8{queen}", f"exd8{knight}+", f"{knight}g1-f3", "e2-e4"]
    for text in texts:
        yield f"`{text}`", _cells(code, text)


def _cells(code: BrailleCode, text: str) -> str:
    return BLANK.join(code.tokens(text.split()))


def _table(head: Iterable[str], rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return a Markdown table of print, cells, their dots and what a BRF file holds for them."""
    lines = [f"| {' | '.join(head)} | BRF |", "| --- | --- | --- | --- |"]
    for name, cells in rows:
        ascii_cells = files.to_brf([[cells]]).decode().strip("\r\n\f")
        lines.append(f"| {name} | {cells} | {'-'.join(map(_dots, cells))} | `` {_escaped(ascii_cells)} `` |")
    return lines


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _dots(cell: str) -> str:
    pattern = ord(cell) - ord(BLANK)
    return "".join(str(dot + 1) for dot in range(6) if pattern >> dot & 1) or "0"
