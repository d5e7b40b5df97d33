"""PGN read without loss; what a sheet has no room for is told in sentences."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import chess
import chess.pgn

from assistant.board import play
from assistant.errors import Phrase, UsageError, marked
from assistant.offers import OFFER
from assistant.scoresheet.encoding import cleaned, decode, guess_told
from assistant.scoresheet.leftout import LeftOut
from assistant.scoresheet.movetext import scan
from assistant.scoresheet.pgn_writing import MUTE, OFFERED
from assistant.scoresheet.pgntext import check_tags, in_form
from assistant.scoresheet.record import (
    DERIVED_TAGS,
    Game,
    Ply,
    clock_ms,
    new_game,
    the_move,
)
from assistant.scoresheet.results import result_of
from assistant.scoresheet.variant import Headers

_CLOCK = re.compile(r"(?!0*[1-9]\d*:[6-9]\d)(\d{1,9}):(\d{1,2}):([0-5]?\d(?:[.,]\d*)?)")
"""More than 59 minutes stand where no hours do: clocks that count in minutes alone."""
_BEYOND = re.compile(r"\[%beyond\s+([^\[\]]*)\]")
_COMMAND = re.compile(r"\[%([a-z]+)\s([^\[\]]*)\]")


def _unescaped(written: str) -> str:
    """Return the value of a tag; a quotation mark that its writer has not escaped is one all the same."""
    return re.sub(r'\\(["\\])', r"\1", written)


def _unmuted(text: str) -> str:
    return re.sub(rf"{MUTE}(.?)", r"\1", text)


class SeveralGamesError(UsageError):
    """A PGN of which somebody has to say which game is meant."""


def from_pgn(data: bytes | str, number: int | None = None) -> Game:
    """Read one game from PGN; comments become remarks, variations and evaluations are left out.

    `number` chooses a game, counted from 1, where the file holds several.
    :raises HectorError: if there is no game, more than one without `number`, or a move is illegal.
    """
    return parse_pgn(data, number)[0]


def parse_pgn(data: bytes | str, number: int | None = None) -> tuple[Game, tuple[Phrase, ...]]:
    """Read one game as `from_pgn` does, and tell in sentences what was left out of it."""
    text = in_form(decode(data) if isinstance(data, bytes) else cleaned(data))
    stream = io.StringIO(text)
    for _ in range(1, number or 1):
        if not chess.pgn.skip_game(stream):
            break
    begin = stream.tell()
    check_tags(text[begin:])
    builder = chess.pgn.read_game(stream, Visitor=_Builder)
    end = stream.tell()
    if builder is None or builder.is_empty():
        if number is not None:
            raise UsageError("The PGN has no game number {number}.", number=number)
        raise UsageError("There is no game in this file: it holds neither PGN tags nor moves.")
    if number is None and chess.pgn.skip_game(stream):
        raise SeveralGamesError("The PGN holds more than one game: choose one by its number (--game 1).")
    builder.compare(text[begin:end])
    if builder.problem:
        raise UsageError(builder.problem)
    guessed = guess_told(data) if isinstance(data, bytes) else ()
    return builder.record(), (*guessed, *builder.left_out.told())


_TWICE = re.compile("bb[1-8]")


class _Builder(chess.pgn.BaseVisitor["_Builder"]):
    """Collects the main line and notes the first thing in it that cannot be read."""

    def __init__(self) -> None:
        self.problem: Phrase | None = None
        self._error: Exception | None = None
        """What is wrong with the first move that is none, which ends the reading."""
        self._read = ""
        """The last word that was read as a move, up to that one: not every error of python-chess names it."""
        self._tags = Headers({})
        self._plies: list[Ply] = []
        self._remark = ""
        self._board = chess.Board()
        self._start: chess.Board | None = None
        self._first_number = 0
        """The number of the first move, where the moves say it and the FEN does not; else 0."""
        self.left_out = LeftOut()
        self._is_beyond = False
        """Whether moves of a comment have gone beyond what PGN can write."""

    def begin_headers(self) -> Headers:
        return self._tags

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        value = _unescaped(tagvalue)
        if self._tags.setdefault(tagname, value) != value:
            self.problem = self.problem or marked(
                "The PGN says {first!r} and then {second!r} in its tag {name}: leave one out.",
                first=self._tags[tagname],
                second=value,
                name=tagname,
            )

    def end_headers(self) -> None:
        try:
            self._tags.check_variant()
            self._board = self._tags.board()
        except UsageError as error:
            self.problem = error.phrase
        except ValueError:
            self.problem = marked(
                "The starting position of the PGN is not a position: {fen!r}", fen=self._tags["FEN"]
            )
        self._start = None if self.problem else self._board

    def begin_variation(self) -> chess.pgn.SkipType:
        self.left_out.variations += 1
        return chess.pgn.SKIP

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        if self._is_beyond:
            self.problem = self.problem or marked(
                "The PGN is wrong at {where}: after the illegal moves of a comment there is the move {move} "
                "outside it.",
                where=self._where(),
                move=move.uci(),
            )
        self._plies.append(Ply(move))

    def visit_board(self, board: chess.Board) -> None:
        self._board = board.copy(stack=False)

    def visit_comment(self, comment: str) -> None:
        beyond = _BEYOND.search(comment)
        if beyond:
            before, after = comment[: beyond.start()], comment[beyond.end() :]
            self._note(before)
            self._continue_beyond(beyond.group(1), after)
        else:
            self._note(comment)

    def _note(self, comment: str) -> None:
        clock = self._clock(comment)
        words = " ".join(_COMMAND.sub(" ", comment).split())
        if not self._plies:
            self._remark = f"{self._remark} {_unmuted(words)}".strip()
            return
        offer = OFFER in words
        words = " ".join(words.replace(OFFER, " ", 1).split())
        if self._is_offer(words):
            offer, words = True, ""
        ply = self._plies[-1]
        self._plies[-1] = replace(
            ply,
            clock_ms=clock,
            offer=ply.offer or offer,
            remark=f"{ply.remark} {_unmuted(words)}".strip(),
        )

    def _clock(self, comment: str) -> int | None:
        """Return the last clock time in a comment, and note what else programs have written there."""
        clock = self._plies[-1].clock_ms if self._plies else None
        for name, value in _COMMAND.findall(comment):
            time = _CLOCK.fullmatch(value.strip())
            if name == "clk" and time and not self._plies:
                # What a player begins with is in the time control; programs repeat it there.
                continue
            if name != "clk" or not self._plies:
                self.left_out.commands[name] += 1
            elif time is None:
                self.left_out.clocks.append(f"[%{name} {value}]")
            else:
                before, clock = clock, clock_ms(time[1], time[2], time[3].replace(",", "."))
                self.left_out.earlier_clocks += before not in (None, clock)
        return clock

    def _is_offer(self, words: str) -> bool:
        """Return whether words after a move say that whoever made it has offered a draw, and nothing else."""
        match = OFFERED.fullmatch(words)
        mover = "black" if self._board.turn else "white"
        return match is not None and (match[1] or mover).lower() == mover

    def _continue_beyond(self, words: str, remarks: str) -> None:
        start = len(self._plies)
        for word in words.split():
            match = re.fullmatch(r"(([a-h][1-8])(?!\2)[a-h][1-8][qrbn]?|0000)(?:@(\d{1,15}))?(\(=\))?", word)
            if not match:
                self.problem = self.problem or marked(
                    "The PGN has an illegal move that cannot be read: {word}.", word=word
                )
                return
            move = chess.Move.from_uci(match[1])
            if move and self._board.piece_at(move.from_square) is None:
                self.problem = self.problem or marked(
                    "The PGN is wrong at {where}: the illegal move {move} begins on {square}, "
                    "where no man stands.",
                    where=self._where(),
                    move=match[1],
                    square=match[2],
                )
                return
            self._plies.append(Ply(move, int(match[3]) if match[3] else None, bool(match[4])))
            play(self._board, move)
            self._is_beyond = True
        pieces = re.split(r"\((\d{1,6})\)\s*", remarks)
        for index, text in zip(pieces[1::2], pieces[2::2], strict=True):
            at = start + int(index)
            if at < len(self._plies):
                self._plies[at] = replace(self._plies[at], remark=_unmuted(" ".join(text.split())))

    def _where(self) -> Phrase:
        return the_move(self._board.fullmove_number, white=self._board.turn)

    def compare(self, text: str) -> None:
        """Hold what was read against what is written: nothing may have been passed over."""
        board = self._start or chess.Board()
        # A FEN of which nobody knows the move has the number 1.
        is_free = "FEN" in self._tags and board.fullmove_number == 1
        movetext = scan(text, board.fullmove_number, white=board.turn, is_free=is_free)
        self.left_out.signs = movetext.signs
        if is_free:
            self._first_number = movetext.number
        elif movetext.number != board.fullmove_number:
            self.left_out.first_number = board.fullmove_number
        if self._error and not self.problem:
            number = self._board.fullmove_number - board.fullmove_number + movetext.number
            self.problem = self._told(self._error, the_move(number, white=self._board.turn))
        if movetext.unread and self._start is not None and movetext.moves <= len(self._plies):
            white = board.turn == (movetext.moves % 2 == 0)
            number = movetext.number + (movetext.moves + (not board.turn)) // 2
            where = the_move(number, white=white)
            self.problem = {
                "": marked(
                    "The PGN is wrong at {where}: {token!r} cannot be read there. "
                    "The letters of PGN are the English K, Q, R, B and N.",
                    where=where,
                    token=movetext.unread,
                ),
                "number": marked(
                    "The PGN has the number {token!r} where {where} must come.",
                    where=where,
                    token=movetext.unread,
                ),
                "after the result": marked(
                    "The PGN goes on after the result {result}: {token!r}. "
                    "Two games are parted by an empty line.",
                    result=movetext.result,
                    token=movetext.unread,
                ),
                "not closed": marked(
                    "The PGN is wrong at {where}: {token!r} begins there and is never closed.",
                    where=where,
                    token=movetext.unread,
                ),
            }[movetext.misplaced]
        self._settle_result(movetext.result)

    def _settle_result(self, said: str) -> None:
        """Hold the tags that tell a result against each other and against what is `said` after the moves."""
        tag, score = self._result_in("Result"), self._result_in("FinalScore")
        # Hector writes a result that PGN does not know beside a "*".
        if "*" not in (tag, score) and tag != score:
            self.problem = self.problem or marked(
                "The PGN has the result {tag} in its tag Result and {score} in its tag FinalScore: "
                "correct one of them.",
                tag=tag,
                score=score,
            )
        told = tag if score == "*" else score
        if "*" not in (told, said or "*") and told != said:
            self.problem = self.problem or marked(
                "The PGN has the result {tag} in its tag and {said} after its moves: correct one of them.",
                tag=told,
                said=said,
            )
        self._tags["Result"] = said or "*" if told == "*" else told

    def _result_in(self, name: str) -> str:
        """Return the result that a tag tells, "*" for none; what else it says is noted as left out."""
        written = self._tags.get(name, "*")
        result = result_of(written)
        if result is None and written:
            self.left_out.results[name] = written
        return result or "*"

    def parse_san(self, board: chess.Board, san: str) -> chess.Move:
        """Read a move; a file that is written twice may be the bishop's small letter (as on a sheet)."""
        if self._error is None:
            self._read = san
        move = board.parse_san(san)
        if _TWICE.match(san) and any(
            board.generate_legal_moves(board.bishops, chess.BB_SQUARES[move.to_square])
        ):
            raise chess.AmbiguousMoveError(f"ambiguous san: {san!r} in {board.fen()}")
        return move

    def handle_error(self, error: Exception) -> None:
        # The numbers that are written are not known yet.
        self._error = self._error or error

    def _told(self, error: Exception, where: Phrase) -> Phrase:
        if isinstance(error, chess.AmbiguousMoveError):
            return marked(
                "The PGN is wrong at {where}: {token!r} fits more than one move there.",
                where=where,
                token=self._read,
            )
        if isinstance(error, chess.InvalidMoveError):
            return marked(
                "The PGN is wrong at {where}: {token!r} cannot be read there.", where=where, token=self._read
            )
        return marked(
            "The PGN is wrong at {where}: {token!r} is not legal there.", where=where, token=self._read
        )

    def is_empty(self) -> bool:
        """Return whether neither a tag nor a move was found."""
        return not (self._tags or self._plies or self._error or self.problem)

    def result(self) -> _Builder:
        return self

    def record(self) -> Game:
        """Return the game that was read."""
        tags = self._tags
        board = tags.board()
        board.fullmove_number = self._first_number or board.fullmove_number
        return new_game(
            {name: value for name, value in tags.items() if name not in DERIVED_TAGS},
            plies=tuple(self._plies),
            result=tags["Result"],
            start_fen=board.fen() if "FEN" in tags else chess.STARTING_FEN,
            chess960=board.chess960,
            edition=tags.get("Laws", ""),
            remark=self._remark,
        )
