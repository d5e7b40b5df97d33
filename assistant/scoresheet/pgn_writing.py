"""A game written as PGN, so that reading it back gives the same game."""

from __future__ import annotations

import re
from collections.abc import Iterator

import chess
import chess.pgn

from assistant.offers import OFFER
from assistant.scoresheet.record import CONTROL, SEVEN_TAGS, UNKNOWN, Game, Ply, clock_text
from assistant.scoresheet.results import PGN_RESULTS

OFFERED = re.compile(r"(?:(White|Black)\s+)?(?:offer(?:s|ed)?\s+(?:a\s+)?draw|draw\s+offer(?:ed)?)\.?", re.I)
"""A comment that consists of this is a draw offer; within other words it may as well be a declined one."""
MUTE = "\u2060"
"""Before a character of a remark: it is no part of a sign. Invisible, and no program gives it a meaning."""
_LIKE_A_SIGN = re.compile(rf"{MUTE}|(?<=\[)%|(?<=\()=(?=\))")
_LIKE_A_NUMBER = re.compile(r"(?<=\()\d(?=\d*\))")


def to_pgn(game: Game) -> str:
    """Return the game as PGN text in export order, with `[%clk]` and `(=)` in the comments.

    PGN has no sign for an illegal move: the moves from the first one on stand in one comment, in UCI,
    as `[%beyond move@milliseconds(=) ...]`, and reading that back gives the same game.
    """
    end = min(game.illegal_plies(), default=len(game.plies))
    legal, beyond = game.plies[:end], game.plies[end:]
    node: chess.pgn.GameNode
    node = root = chess.pgn.Game()
    root.headers.clear()
    for name, value in _headers(game):
        root.headers[name] = _escaped(value)
    if game.start_fen != chess.STARTING_FEN or game.chess960:
        root.setup(game.board())
    root.comment = _remark(game.remark)
    for ply in legal:
        node = node.add_variation(ply.move)
        node.comment = _comment(ply)
    if beyond:
        tail = "[%beyond " + " ".join(map(_beyond_text, beyond)) + "]"
        remarks = " ".join(
            f"({index}) {_LIKE_A_NUMBER.sub(_muted, _remark(ply.remark))}"
            for index, ply in enumerate(beyond)
            if ply.remark
        )
        node.comment = f"{node.comment} {tail} {remarks}".strip()
    return f"{root.accept(chess.pgn.StringExporter(columns=None))}\n"


def _headers(game: Game) -> Iterator[tuple[str, str]]:
    shown = game.result if game.result in PGN_RESULTS else "*"
    tags = dict(game.tags)
    for name in SEVEN_TAGS:
        yield name, shown if name == "Result" else tags.pop(name, UNKNOWN[name])
    if game.chess960:
        yield "Variant", "Chess960"
    if game.edition:
        yield "Laws", game.edition
    if shown != game.result:
        yield "FinalScore", game.result
    yield from tags.items()


def _escaped(value: str) -> str:
    """Return a tag's value as it stands between its quotation marks (PGN standard, section 7)."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _clean(text: str) -> str:
    return " ".join(CONTROL.sub(" ", text).replace("}", ")").replace("{", "(").split())


def _remark(text: str) -> str:
    """Return a remark as it stands in a comment, where nothing in it is taken for a sign."""
    text = _LIKE_A_SIGN.sub(_muted, _clean(text))
    return f"{MUTE}{text}" if OFFERED.fullmatch(text) else text


def _muted(match: re.Match[str]) -> str:
    return MUTE + match[0]


def _comment(ply: Ply) -> str:
    clock = f"[%clk {clock_text(ply.clock_ms)}]" if ply.clock_ms is not None else ""
    return " ".join(part for part in (clock, OFFER if ply.offer else "", _remark(ply.remark)) if part)


def _beyond_text(ply: Ply) -> str:
    clock = f"@{ply.clock_ms}" if ply.clock_ms is not None else ""
    return f"{ply.move.uci()}{clock}{OFFER if ply.offer else ''}"
