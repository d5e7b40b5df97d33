"""The board for the fingers: men apart without dots 7 and 8, squares by colour, right physical sizes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import chess
import pytest

from assistant.errors import UsageError
from assistant.scoresheet import DIAGRAM_FORMATS, languages, literary, render_diagram
from assistant.scoresheet.diagram import man_cells
from assistant.scoresheet.files import from_brf, from_unicode

MIDDLEGAME = "r1bqk2r/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("language", languages())
def test_the_twelve_men_have_twelve_different_six_dot_cells(language):
    men = [
        man_cells(chess.Piece(kind, colour), language)
        for kind in chess.PIECE_TYPES
        for colour in chess.COLORS
    ]
    assert len(set(men)) == 12
    assert all(1 <= len(man) <= 2 for man in men)
    assert all("\u2801" <= cell <= "\u283f" for man in men for cell in man)


def test_a_white_man_has_the_sign_of_a_capital_before_its_letter():
    assert [man_cells(chess.Piece(chess.KING, colour), "de") for colour in (chess.WHITE, chess.BLACK)] == [
        "⠨⠅",
        "⠅",
    ]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("fen", [chess.STARTING_FEN, MIDDLEGAME, "8/8/8/8/8/8/8/8 w - - 0 1"])
def test_a_braille_board_reads_back_square_by_square(language, fen):
    board = chess.Board(fen)
    men = {
        man_cells(chess.Piece(kind, colour), language).rjust(2, "\u2800"): chess.Piece(kind, colour)
        for kind in chess.PIECE_TYPES
        for colour in chess.COLORS
    }
    lines = render_diagram(fen, "unicode", language).decode().splitlines()
    for row, line in enumerate(lines[:8]):
        for file in range(8):
            square = chess.square(file, 7 - row)
            cells = line[2 + 2 * file : 4 + 2 * file]
            empty = "⠀⠶" if (file + 7 - row) % 2 == 0 else "⠀⠄"
            assert men.get(cells) == board.piece_at(square)
            assert cells in men or cells == empty


def test_the_board_fits_a_line_of_eighteen_cells_and_names_ranks_and_files():
    lines = render_diagram(chess.STARTING_FEN, "unicode", "de").decode().splitlines()
    assert max(map(len, lines)) == 18
    assert "".join(line[0] for line in lines[:8]) == "⠦⠶⠖⠢⠲⠒⠆⠂"
    assert lines[8] == "⠀⠀⠀⠁⠀⠃⠀⠉⠀⠙⠀⠑⠀⠋⠀⠛⠀⠓"


def test_from_blacks_side_the_board_is_turned():
    lines = render_diagram(chess.STARTING_FEN, "text", "en", from_black=True).decode().splitlines()
    assert lines[0] == "1 R N B K Q B N R"
    assert lines[7] == "8 r n b k q b n r"
    assert lines[8] == "  h g f e d c b a"


def test_from_blacks_side_the_board_in_braille_is_turned_too():
    lines = (
        render_diagram("8/8/8/8/8/8/8/K6k w - - 0 1", "unicode", "de", from_black=True).decode().splitlines()
    )
    assert lines[0][:4] == "⠂⠀⠀⠅"
    assert lines[8] == "⠀⠀⠀⠓⠀⠛⠀⠋⠀⠑⠀⠙⠀⠉⠀⠃⠀⠁"


@pytest.mark.parametrize("format", ["brf", "eurobraille"])
def test_a_board_for_an_embosser_has_the_cells_of_the_one_in_unicode(format):
    shown, embossed = (render_diagram(MIDDLEGAME, each, "de") for each in ("unicode", format))
    assert from_brf(embossed, format) == from_unicode(shown.decode())


def test_the_text_names_every_man_and_whose_move_it_is():
    lines = render_diagram("8/8/4k3/8/8/2K5/4Q3/8 w - - 0 1", "text", "de").decode().splitlines()
    assert lines[6] == "2 . : . : D : . :"
    assert lines[-3:] == ["Weiß: Kc3, De2", "Schwarz: Ke6", "Weiß am Zug"]


def test_the_men_of_a_kind_are_named_from_the_a_file_on():
    lines = render_diagram("4k3/8/p7/8/7p/1p6/1p6/4K3 w - - 0 1", "text", "de").decode().splitlines()
    assert lines[-2] == "Schwarz: Ke8, a6, b2, b3, h4"


def test_who_has_no_man_is_said_to_have_none():
    lines = render_diagram("8/8/8/8/8/8/8/8 w - - 0 1", "text", "de").decode().splitlines()
    assert lines[-3:-1] == ["Weiß: keine", "Schwarz: keine"]


def test_the_drawing_has_the_sizes_of_standard_braille():
    root = ET.fromstring(render_diagram("8/8/8/8/8/8/8/K6k w - - 0 1", "svg", "de"))
    assert root.get("width", "").endswith("mm")
    assert float(root.get("width", "0mm")[:-2]) <= 200
    assert float(root.get("height", "0mm")[:-2]) <= 280
    circles = [(float(c.get("cx", 0)), float(c.get("cy", 0))) for c in root.iter(f"{SVG}circle")]
    nearest = min(
        round(((x - u) ** 2 + (y - v) ** 2) ** 0.5, 3)
        for x, y in circles
        for u, v in circles
        if (x, y) != (u, v)
    )
    assert nearest == 2.5
    assert {c.get("r") for c in root.iter(f"{SVG}circle")} == {"0.75"}


def test_the_drawing_says_what_it_shows():
    title = ET.fromstring(render_diagram(MIDDLEGAME, "svg", "de")).find(f"{SVG}title")
    assert title is not None and title.text is not None
    assert title.text.startswith("Schwarz am Zug") and MIDDLEGAME[:20] in title.text


def dots_of(cells: str) -> list[tuple[float, float]]:
    """Return where the dots of cells are in standard braille, in millimetres."""
    return [
        (6 * index + 2.5 * (dot // 3), 2.5 * (dot % 3))
        for index, cell in enumerate(cells)
        for dot in range(6)
        if (ord(cell) - 0x2800) >> dot & 1
    ]


def shape(dots: list[tuple[float, float]]) -> set[tuple[float, float]]:
    """Return the dots seen from the leftmost and the highest of them."""
    left, top = min((x for x, _ in dots), default=0), min((y for _, y in dots), default=0)
    return {(round(x - left, 2), round(y - top, 2)) for x, y in dots}


@pytest.mark.parametrize("from_black", [False, True])
def test_fingers_read_the_whole_drawing(from_black: bool) -> None:
    root = ET.fromstring(render_diagram(MIDDLEGAME, "svg", "de", from_black))
    board = chess.Board(MIDDLEGAME)
    paths = [path.get("d", "") for path in root.iter(f"{SVG}path")]
    grid = next(path for path in paths if "v" in path)
    xs = sorted(float(x) for x in re.findall(r"M([\d.]+) [\d.]+v", grid))
    ys = sorted(float(y) for y in re.findall(r"M[\d.]+ ([\d.]+)h", grid))
    assert len(xs) == len(ys) == 9
    assert set(re.findall(r"[hv]([\d.]+)", grid)) == {f"{xs[8] - xs[0]:g}"} == {f"{ys[8] - ys[0]:g}"}
    dots = [(float(c.get("cx", 0)), float(c.get("cy", 0))) for c in root.iter(f"{SVG}circle")]
    width, height = (float(root.get(name, "0mm")[:-2]) for name in ("width", "height"))
    assert all(1 < x < width - 1 and 1 < y < height - 1 for x, y in dots)

    def found(left: float, right: float, top: float, bottom: float) -> list[tuple[float, float]]:
        return [(x, y) for x, y in dots if left < x < right and top < y < bottom]

    corners = set()
    for row, rank in enumerate(range(8) if from_black else range(7, -1, -1)):
        digit = literary.to_cells(str(rank + 1), "de", "basic")
        assert shape(found(0, xs[0], ys[row], ys[row + 1])) == shape(dots_of(digit))
        for column, file in enumerate(range(7, -1, -1) if from_black else range(8)):
            square = chess.square(file, rank)
            man = board.piece_at(square)
            here = found(xs[column], xs[column + 1], ys[row], ys[row + 1])
            assert shape(here) == shape(dots_of(man_cells(man, "de") if man else ""))
            if chess.BB_SQUARES[square] & chess.BB_DARK_SQUARES:
                corners.add(f"M{xs[column]:g} {ys[row]:g}h5l-5 5z")
                assert all(x - xs[column] + y - ys[row] > 6 for x, y in here), "a dot lies in the corner"
            if row == 7:
                name = literary.to_cells(chess.FILE_NAMES[file], "de", "basic")
                assert shape(found(xs[column], xs[column + 1], ys[8], ys[8] + 13)) == shape(dots_of(name))
    assert set(paths) - {grid} == corners
    turn = literary.to_cells("Schwarz am Zug", "de", "basic")
    assert shape(found(0, width, ys[8] + 13, height)) == shape(dots_of(turn))


def test_the_drawing_keeps_the_right_to_castle_of_chess960():
    fen = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1"
    title = ET.fromstring(render_diagram(fen, "svg", "en")).find(f"{SVG}title")
    assert title is not None and title.text is not None
    shown = chess.Board(title.text.partition(": ")[2], chess960=True)
    assert shown == chess.Board(fen, chess960=True)


@pytest.mark.parametrize("format", DIAGRAM_FORMATS)
def test_an_impossible_fen_is_refused_in_every_format(format):
    with pytest.raises(UsageError, match="not a FEN"):
        render_diagram("8/8/8/9 w - - 0 1", format, "de")


def test_a_format_or_language_that_does_not_exist_is_named():
    with pytest.raises(UsageError, match="no diagram format 'gif'"):
        render_diagram(chess.STARTING_FEN, "gif")
    with pytest.raises(UsageError, match="no chess notation for 'xx'"):
        render_diagram(chess.STARTING_FEN, "text", "xx")
