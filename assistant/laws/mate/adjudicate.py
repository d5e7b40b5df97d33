"""A position as text in, a ruling as plain data out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import chess

from assistant.errors import Phrase, UsageError, marked
from assistant.fen import why_impossible, why_no_fen
from assistant.laws.mate.decide import can_mate
from assistant.laws.mate.forced import position_key
from assistant.laws.mate.verdict import FULL, Answer, Budget, Verdict

TRUTH = {Answer.YES: True, Answer.NO: False, Answer.UNKNOWN: None}

LONGEST = 100
"""No FEN is longer; what is gets no echo."""

_DEAD = {
    True: marked("The position is dead."),
    False: marked("The position is not dead."),
    None: marked("It could not be proved whether the position is dead."),
}
# In many languages a sentence goes differently for each side.
_HAS_MATED = {chess.WHITE: marked("White has checkmated."), chess.BLACK: marked("Black has checkmated.")}
_SIDES = {
    Answer.YES: {
        chess.WHITE: marked("White can checkmate: {line}."),
        chess.BLACK: marked("Black can checkmate: {line}."),
    },
    Answer.NO: {
        chess.WHITE: marked("White cannot checkmate: {reason}."),
        chess.BLACK: marked("Black cannot checkmate: {reason}."),
    },
    Answer.UNKNOWN: {
        chess.WHITE: marked("Whether White can checkmate is not proved: {reason}."),
        chess.BLACK: marked("Whether Black can checkmate is not proved: {reason}."),
    },
}


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
            data[f"{name}_reason"] = str(verdict.reason)
            data[f"{name}_proof"] = [move.uci() for move in verdict.line]
        return data

    def as_text(
        self, written: Callable[[chess.Board, Sequence[chess.Move]], str] = chess.Board.variation_san
    ) -> Iterator[Phrase]:
        """Yield the ruling, one fact a line; `written` writes a line that mates, else in English."""
        yield _DEAD[self.dead]
        board = read_position(self.fen)
        for side, verdict in ((chess.WHITE, self.white), (chess.BLACK, self.black)):
            if verdict.answer is Answer.YES and not verdict.line:
                yield _HAS_MATED[side]
            else:
                line = written(board, verdict.line)
                yield replace(_SIDES[verdict.answer][side], values={"line": line, "reason": verdict.reason})


def read_position(fen: str) -> chess.Board:
    """Return the position, in Chess960 where the castling rights are only possible there.

    :raises UsageError: if the text is no FEN or no position that can arise.
    """
    text = " ".join(fen.split())
    if not text:
        raise UsageError("There is no position: give a FEN.")
    try:
        board = chess.Board(text)
    except ValueError:
        if len(text) > LONGEST:
            raise UsageError("A line of {count} characters is not a FEN.", count=len(text)) from None
        raise UsageError("{fen!r} is not a FEN: {reason}.", fen=text, reason=why_no_fen(text)) from None
    status = board.status()
    if status == chess.STATUS_BAD_CASTLING_RIGHTS:
        board = chess.Board(text, chess960=True)
        status = board.status()
    problem = why_impossible(status)
    if problem is not None:
        raise UsageError("The position {fen!r} is impossible: {reason}.", fen=text, reason=problem)
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
            verdict = replace(verdict, line=shorten(board, verdict.line))
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
