"""The sheet that goes on the envelope, with the seven items of Guideline I.2, in print and in braille."""

from __future__ import annotations

from html import escape

import chess

from assistant.errors import UsageError
from assistant.scoresheet import clock_text, render_diagram, render_prose
from assistant.sealing.envelope import Envelope
from assistant.speaking import SIDES, Message, _, _p, fill, translate

SHEET_FORMATS = ("html", "text", "unicode", "brf", "eurobraille", "pef")
RULE, _BRAILLE_RULE = "_" * 24, "---"
"""What is left to be filled in by hand; few languages have cells for the low line."""

# Translators: the title of the sheet on the envelope of a sealed move.
_TITLE = _("Envelope of a sealed move")
# Translators: on the envelope's sheet: the names of the players.
_PLAYERS = _("Players")
# Translators: on the envelope's sheet: the position on the board before the sealed move.
_POSITION = _("Position before the sealed move")
# Translators: on the envelope's sheet: the time that each player has used.
_USED = _("Time used")
# Translators: on the envelope's sheet: what the clocks show.
_CLOCKS = _("On the clocks")
# Translators: on the envelope's sheet: the player who has sealed his move.
_SEALER = _("Sealed by")
# Translators: on the envelope's sheet: which move of the game is sealed.
_NUMBER = _("Number of the sealed move")
# Translators: on the envelope's sheet: whether a draw offer is still open.
_OFFER = _("Draw offer")
# Translators: on the envelope's sheet: date, time and place at which the game goes on.
_RESUMPTION = _("Resumption: date, time, place")
# Translators: on the envelope's sheet: letters and squares that name the sealed contents.
_MARK = _("Mark of the seal")
# Translators: on the envelope's sheet: the edition of the Laws of Chess.
_LAWS = _("Laws")
# Translators: on the envelope's sheet: no draw offer is open.
_NO_OFFER = _p("draw offer", "none")
# Translators: on the envelope's sheet: the clocks were not used.
_NO_CLOCK = _("without a clock")
# Translators: on the envelope's sheet: {name} has offered a draw and waits for the answer.
_OFFERED = _("offered by {name}, not answered")
# Translators: on the envelope's sheet, beside a line to sign on (I.3).
_CHECKED = _("Checked and kept by the arbiter")
_PURPOSE = _(
    # Translators: on the envelope's sheet: what the seal is good for.
    "Events rated by FIDE ask for the move on paper in an envelope. "
    "Hector's seal is for games at home and in the club, and as a copy."
)
# Translators: on the envelope's sheet: {mark} are twelve squares.
_COMPARE = _("Before the envelope is opened, Hector names its mark. It must be the same.")


def envelope_sheet(envelope: Envelope, format: str = "html", language: str = "en") -> bytes:
    """Return the label of a closed envelope as a file of one of `SHEET_FORMATS`: it never tells the move.

    :raises UsageError: for a format or language that does not exist.
    :raises HectorError: if braille is asked for and liblouis is missing.
    """
    if format not in SHEET_FORMATS:
        raise UsageError(
            "There is no format {format!r}: choose {formats}.",
            format=format,
            formats=", ".join(SHEET_FORMATS),
        )
    if format == "html":
        return _html(envelope, language).encode()
    title = _words(_TITLE, language)
    lines = [title, ""]
    rule = RULE if format == "text" else _BRAILLE_RULE
    for number, (label, value) in enumerate(_items(envelope, language, rule, fen=format == "text"), 1):
        lines.append(f"{number}. {label}: {value}")
    lines += [f"{label}: {value}" for label, value in _further(envelope, language)]
    lines += ["", f"{_words(_CHECKED, language)}: {rule}", "", _words(_COMPARE, language)]
    lines.append(_words(_PURPOSE, language))
    return render_prose(lines, format, language, title=title)


def _items(envelope: Envelope, language: str, rule: str = RULE, *, fen: bool = True) -> list[tuple[str, str]]:
    """Return the seven items of I.2.1 to I.2.7; a FEN is no help to the fingers."""
    position = _men(envelope, language)
    white, black = (_words(SIDES[side], language) for side in ("white", "black"))
    sealer = _words(SIDES[envelope.sealer], language)
    offer = _words(_NO_OFFER, language)
    if envelope.draw_offer:
        offer = _words(_OFFERED, language, name=envelope.name(envelope.draw_offer))
    return [
        (_words(_PLAYERS, language), f"{white} {envelope.white}, {black} {envelope.black}"),
        (_words(_POSITION, language), f"{position} {envelope.fen}" if fen else position),
        (_words(_USED, language), _times(envelope.white_used, envelope.black_used, language)),
        (_words(_SEALER, language), f"{envelope.name(envelope.sealer)} ({sealer})"),
        (_words(_NUMBER, language), str(envelope.number)),
        (_words(_OFFER, language), offer),
        (_words(_RESUMPTION, language), envelope.resumption or rule),
    ]


def _further(envelope: Envelope, language: str) -> list[tuple[str, str]]:
    clocks = (_words(_CLOCKS, language), _times(envelope.white_left, envelope.black_left, language))
    laws = (_words(_LAWS, language), f"{envelope.laws} {envelope.article}".strip())
    mark = [(_words(_MARK, language), envelope.mark)] if envelope.contents else []
    return [clocks, *mark, laws]


def _men(envelope: Envelope, language: str) -> str:
    """Return the men by name and who has the move, as one line."""
    lines = render_diagram(envelope.fen, "text", language).decode().splitlines()
    return " ".join(f"{line}." for line in lines[-3:])


def _times(white: float | None, black: float | None, language: str) -> str:
    if white is None or black is None:
        return _words(_NO_CLOCK, language)
    sides = (("white", white), ("black", black))
    # As a clock shows it: whole seconds, the one that is running down not counted.
    return ", ".join(
        f"{_words(SIDES[side], language)} {clock_text(int(time) * 1000)}" for side, time in sides
    )


def _words(message: Message, language: str, **values: str) -> str:
    # A name may hold what a template would take for a placeholder; `fill` never looks into values.
    return "".join(text for _language, text in fill(message, language, **values))


# -- Print ---------------------------------------------------------------------------------------------

_CSS = """
body { font: 1.1rem/1.5 sans-serif; max-width: 45rem; margin: 1.5rem auto; padding: 0 1rem; }
body { color: #000; background: #fff; }
li { margin-bottom: .4rem; }
b { font-weight: 600; }
table { border-collapse: collapse; margin: .6rem 0; }
td, th { width: 2.2rem; height: 2.2rem; padding: 0; text-align: center; }
td, th { font-size: 1.5rem; border: 1px solid #000; }
th { font-size: 1rem; font-weight: normal; border: 0; }
td.corner { border: 0; }
td.dark { background: #ddd; }
.sign { border-top: 1px solid #000; margin-top: 3.5rem; padding-top: .3rem; }
.cut { border: 2px solid #000; padding: 0 1.2rem; }
@page { size: A4; margin: 14mm; }
@media print {
  html { font-size: 10.5pt; }
  body { margin: 0; padding: 0; max-width: none; font-size: 1rem; line-height: 1.35; }
  h1 { font-size: 1.5rem; margin: .6rem 0; } p { margin: .5rem 0; } .cut { break-inside: avoid; }
  table { margin: .3rem 0; } td, th { width: 7.5mm; height: 7.5mm; line-height: 1; }
  .sign { margin-top: 16mm; }
}
"""


def _html(envelope: Envelope, language: str) -> str:
    """Return one page that prints on one sheet of A4; it loads nothing."""
    title = escape(_words(_TITLE, language))
    items = []
    for number, (label, value) in enumerate(_items(envelope, language), 1):
        board = _board(envelope, language) if number == 2 else ""
        items.append(f"<li><b>{escape(label)}:</b> <bdi>{escape(value)}</bdi>{board}</li>")
    further = "".join(
        f"<p><b>{escape(label)}:</b> <bdi>{escape(value)}</bdi></p>"
        for label, value in _further(envelope, language)
    )
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title>'
        f"<style>{_CSS}</style></head>\n"
        f'<body><main class="cut"><h1>{title}</h1>\n<ol>{"".join(items)}</ol>\n{further}\n'
        f"<p>{escape(_words(_COMPARE, language))}</p>\n<p>{escape(_words(_PURPOSE, language))}</p>\n"
        f'<p class="sign">{escape(_words(_CHECKED, language))}</p></main></body></html>\n'
    )


def _board(envelope: Envelope, language: str) -> str:
    board = chess.Board(envelope.fen)
    files = "".join(f'<th scope="col">{name}</th>' for name in chess.FILE_NAMES)
    rows = []
    for rank in range(7, -1, -1):
        cells = []
        for file in range(8):
            square = chess.square(file, rank)
            piece = board.piece_at(square)
            dark = ' class="dark"' if (file + rank) % 2 == 0 else ""
            cells.append(f"<td{dark}>{piece.unicode_symbol() if piece else ''}</td>")
        rows.append(f'<tr><th scope="row">{rank + 1}</th>{"".join(cells)}</tr>')
    caption = escape(translate(_POSITION, language))
    head = f'<tr><td class="corner"></td>{files}</tr>'
    return f"<table><caption>{caption}</caption>{head}{''.join(rows)}</table>"
