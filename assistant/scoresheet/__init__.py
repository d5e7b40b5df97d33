"""The scoresheet: a game in notation, in print, in braille and in PGN, and back again.

The room does no input or output: it takes and gives text, bytes and plain records.
"""

from assistant.scoresheet.braille import BrailleCode, braille_code
from assistant.scoresheet.compare import Difference, compare_games, comparison_text
from assistant.scoresheet.diagram import DIAGRAM_FORMATS, render_diagram
from assistant.scoresheet.layout import MoveRow, PageSize, Paragraph
from assistant.scoresheet.move_reading import (
    NotationError,
    Written,
    may_be_one,
    read,
    read_squares,
    taken_apart,
)
from assistant.scoresheet.move_writing import FORMS, Signs, Style, signs_of, write, write_moves
from assistant.scoresheet.notation import languages
from assistant.scoresheet.pgn import from_pgn, parse_pgn
from assistant.scoresheet.pgn_writing import to_pgn
from assistant.scoresheet.profiles import profile, profile_names
from assistant.scoresheet.prose import render_prose
from assistant.scoresheet.reading import UnreadSheetError
from assistant.scoresheet.record import (
    CONTROL,
    Game,
    Ply,
    clock_text,
    move_number,
    new_game,
    numbered,
)
from assistant.scoresheet.render import (
    FORMATS,
    braille_pages,
    formats_of,
    left_out,
    parse_sheet,
    read_sheet,
    render,
)
from assistant.scoresheet.results import RESULTS
from assistant.scoresheet.sheet import ILLEGAL, items_of
from assistant.scoresheet.tokens import moves_in

__all__ = [
    "CONTROL",
    "DIAGRAM_FORMATS",
    "FORMATS",
    "FORMS",
    "ILLEGAL",
    "RESULTS",
    "BrailleCode",
    "Difference",
    "Game",
    "MoveRow",
    "NotationError",
    "PageSize",
    "Paragraph",
    "Ply",
    "Signs",
    "Style",
    "UnreadSheetError",
    "Written",
    "braille_code",
    "braille_pages",
    "clock_text",
    "compare_games",
    "comparison_text",
    "formats_of",
    "from_pgn",
    "items_of",
    "languages",
    "left_out",
    "may_be_one",
    "move_number",
    "moves_in",
    "new_game",
    "numbered",
    "parse_pgn",
    "parse_sheet",
    "profile",
    "profile_names",
    "read",
    "read_sheet",
    "read_squares",
    "render",
    "render_diagram",
    "render_prose",
    "signs_of",
    "taken_apart",
    "to_pgn",
    "write",
    "write_moves",
]
