"""A position as text in, a ruling as plain data out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import chess

from assistant.errors import UsageError, marked
from assistant.laws.mate.decide import can_mate
from assistant.laws.mate.forced import position_key
from assistant.laws.mate.verdict import FULL, Answer, Budget, Verdict

TRUTH = {Answer.YES: True, Answer.NO: False, Answer.UNKNOWN: None}

LONGEST = 100
"""No FEN is longer; what is gets no echo."""
IMPOSSIBLE = (
    (chess.STATUS_EMPTY, marked("the board is empty")),
    (chess.STATUS_NO_WHITE_KING, marked("White has no king")),
    (chess.STATUS_NO_BLACK_KING, marked("Black has no king")),
    (chess.STATUS_TOO_MANY_KINGS, marked("a side has more than one king")),
    (chess.STATUS_PAWNS_ON_BACKRANK, marked("a pawn stands on the first or last rank")),
    (chess.STATUS_OPPOSITE_CHECK, marked("the side that is not to move is in check")),
    (chess.STATUS_TOO_MANY_WHITE_PAWNS, marked("White has more than eight pawns")),
    (chess.STATUS_TOO_MANY_BLACK_PAWNS, marked("Black has more than eight pawns")),
    (chess.STATUS_TOO_MANY_WHITE_PIECES, marked("White has more than sixteen men")),
    (chess.STATUS_TOO_MANY_BLACK_PIECES, marked("Black has more than sixteen men")),
    (chess.STATUS_BAD_CASTLING_RIGHTS, marked("castling rights are given without king and rook in place")),
    (chess.STATUS_INVALID_EP_SQUARE, marked("no pawn can just have passed the square given for en passant")),
    (chess.STATUS_TOO_MANY_CHECKERS, marked("more men give check than one move can bring about")),
    (chess.STATUS_IMPOSSIBLE_CHECK, marked("no last move can have led to this check")),
)
"""What makes a position impossible, worst first."""


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Whether a position is dead and who can still checkmate. None means that neither was proved.

    `dead` is True if neither side can checkmate by any series of legal moves (Laws of Chess 2023, 5.2.2). The
    verdicts hold the proofs; their lines are shortened, though not always to the shortest there is.
    """

    fen: str
    white: Verdict
    black: Verdict

    @property
    def dead(self) -> bool | None:
        answers = {self.white.answer, self.black.answer}
        if Answer.YES in answers:
            return False
        return None if Answer.UNKNOWN in answers else True

    def as_dict(self) -> dict[str, object]:
        """Plain data. `proof` is the shorter of the two sides' lines in UCI, empty when there is none."""
        lines = [verdict.line for verdict in (self.white, self.black) if verdict.answer is Answer.YES]
        data: dict[str, object] = {
            "fen": self.fen,
            "dead": self.dead,
            "white_can_mate": TRUTH[self.white.answer],
            "black_can_mate": TRUTH[self.black.answer],
            "proof": [move.uci() for move in min(lines, key=len, default=())],
        }
        for name, verdict in (("white", self.white), ("black", self.black)):
            data[f"{name}_reason"] = verdict.reason
            data[f"{name}_proof"] = [move.uci() for move in verdict.line]
        return data

    def as_text(self) -> Iterator[str]:
        """Yield the ruling in English, one fact a line."""
        if self.dead is None:
            yield "It could not be proved whether the position is dead."
        else:
            yield "The position is dead." if self.dead else "The position is not dead."
        board = read_position(self.fen)
        for name, verdict in (("White", self.white), ("Black", self.black)):
            if verdict.answer is Answer.YES:
                line = f": {board.variation_san(verdict.line)}" if verdict.line else ", and has done so"
                yield f"{name} can checkmate{line}."
            elif verdict.answer is Answer.NO:
                yield f"{name} cannot checkmate: {verdict.reason}."
            else:
                yield f"Whether {name} can checkmate is not proved: {verdict.reason}."


def read_position(fen: str) -> chess.Board:
    """Return the position, in Chess960 where the castling rights are only possible there.

    :raises UsageError: if the text is no FEN or no position that can arise.
    """
    text = " ".join(fen.split())
    if not text:
        raise UsageError("There is no position: give a FEN.")
    try:
        board = chess.Board(text)
    except ValueError as error:
        if len(text) > LONGEST:
            raise UsageError("A line of {count} characters is not a FEN.", count=len(text)) from None
        # What python-chess says ends with the text once more.
        why = re.split(r": ['\"]", str(error))[0]
        raise UsageError("{text!r} is not a FEN: {why}.", text=text, why=why) from None
    status = board.status()
    if status == chess.STATUS_BAD_CASTLING_RIGHTS:
        board = chess.Board(text, chess960=True)
        status = board.status()
    for flag, problem in IMPOSSIBLE:
        if status & flag:
            raise UsageError("The position {text!r} is impossible: {why}.", text=text, why=problem)
    return board


def adjudicate(fen: str, budget: Budget = FULL) -> Adjudication:
    """Decide for both sides whether they can still checkmate.

    Move counters and repetitions are ignored; without a proof within the budget the answer stays open.

    :raises UsageError: if the text is no FEN or no position that can arise.
    """
    board = read_position(fen)
    sides = []
    for side in (chess.WHITE, chess.BLACK):
        verdict = can_mate(board, side, budget)
        if verdict.answer is Answer.YES:
            line = shorten(board, verdict.line)
            verdict = Verdict(verdict.answer, line, verdict.reason, verdict.stage, verdict.nodes)
        sides.append(verdict)
    return Adjudication(board.fen(), *sides)


def adjudicate_lines(lines: Iterable[str], clock: Callable[[], float]) -> Iterator[dict[str, object]]:
    """Adjudicate one FEN a line; lines without text are passed over.

    Yields the plain data of `Adjudication`, with `ms`, or `{"line": number, "error": sentence}` for a line
    that cannot be read; the others go on. `clock` counts seconds.
    """
    for number, text in enumerate(lines, start=1):
        text = text.removeprefix("\ufeff")
        if not text.strip():
            continue
        start = clock()
        try:
            ruling = adjudicate(text).as_dict()
        except UsageError as error:
            yield {"line": number, "error": f"Line {number}: {error}"}
            continue
        yield {**ruling, "ms": round(1000 * (clock() - start), 1)}


def shorten(board: chess.Board, line: tuple[chess.Move, ...]) -> tuple[chess.Move, ...]:
    """Return a shorter way through the positions of `line` where one move leads from one to a later one."""
    here = board.copy(stack=False)
    keys = []
    for move in line:
        here.push(move)
        keys.append(position_key(here))
    latest = {key: index for index, key in enumerate(keys)}
    here = board.copy(stack=False)
    short: list[chess.Move] = []
    done = 0
    while done < len(line):
        best, chosen = done, line[done]
        for move in here.legal_moves:
            here.push(move)
            index = latest.get(position_key(here), -1)
            here.pop()
            if index > best:
                best, chosen = index, move
        short.append(chosen)
        here.push(chosen)
        done = best + 1
    return tuple(short)
