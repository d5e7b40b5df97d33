"""Reading a scoresheet back, line by line, whatever it is written in and whoever wrote it.

Sources: Laws of Chess 8.1 (what a sheet may hold), 8.7 (result and signatures), C.12 (the draw offer).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import chess

from assistant.board import play
from assistant.errors import Phrase, UsageError, marked
from assistant.scoresheet.clocks import ShortTime, decide
from assistant.scoresheet.move_reading import NotationError, means, read, read_squares
from assistant.scoresheet.notation import notation
from assistant.scoresheet.record import OFFER, TAG_NAME, Game, Ply, clock_ms, new_game, the_move
from assistant.scoresheet.results import result_of
from assistant.scoresheet.sheet import ILLEGAL, SIGNATURES, Code, labelled, value_of
from assistant.scoresheet.tokens import NUMBER, is_move_text, is_result, split, typed

Reading = tuple[Game, tuple[Phrase, ...]]
"""A game, and sentences that tell what was left out of it or may be missing."""
_CLOCK = re.compile(r"[\[(](?:(\d{1,9}):)?(\d{1,2}):(\d{2}(?:\.\d+)?)[\])]")
_PASSING = re.compile(r"\(?[eai]\.?\s?p\.?\)?")
_RULE = r"[-_.…–—\s]{3,}"
"""The line to sign on, as Hector draws it or a person types it."""
_LABEL_WORDS = 4
"""Words that a label may have: the longest has three, and its colon may stand apart."""


def read_paragraphs(
    paragraphs: Iterable[Sequence[str]], language: str, code: Code, beside: Game | None = None
) -> Reading:
    """Read a sheet from the words of its paragraphs and rows, and tell what somebody must know of it.

    `beside` is the other player's sheet of the game: an illegal move of it is known here in any form.
    :raises UsageError: naming the first thing that cannot be read.
    """
    reader = _Reader(language, code, beside)
    try:
        for words in paragraphs:
            reader.take(words)
        game = reader.game()
        return game, reader.notes()
    except UsageError as error:
        stopped = (reader.game(), reader.illegal) if reader.illegal else None
        raise UnreadSheetError(
            error.phrase, reader.depth, stopped, is_sheet=reader.is_sheet, language=language
        ) from error


def fitting(game: Game, language: str, code: Code) -> Reading:
    """Return the game with the tags that a sheet can hold, and a sentence for each other one.

    PGN allows more names than can be told from the rest of a sheet; and some are the label of another line.
    """
    labels = notation(language).labels
    fit: list[tuple[str, str]] = []
    notes: list[Phrase] = []
    for name, value in game.tags:
        # The arbiter's name may look like the line on which he signs.
        is_usual = name in labels and name not in (*SIGNATURES, "Arbiter")
        if is_usual or _comes_back(name, value, language, code):
            fit.append((name, value))
        else:
            notes.append(
                marked(
                    "The tag {name} is left out: {line!r} would not be read back from a sheet in {language}.",
                    name=name,
                    line=f"{name}: {value}".strip(),
                    language=language,
                )
            )
    return replace(game, tags=tuple(fit)), tuple(notes)


def _comes_back(name: str, value: str, language: str, code: Code) -> bool:
    reader = _Reader(language, code)
    try:
        reader.take(labelled(name, value, notation(language).labels, code))
    except UsageError:
        return False
    return reader.tag_names == (name,)


class UnreadSheetError(UsageError):
    """A sheet that cannot be read to its end.

    `depth` tells how far it was, in moves, and `is_sheet` whether it is surely one: a line of its header
    stood as Hector writes it. `stopped` is the game before a move that is not legal, and that move as it is
    written, where this is why; `languages` are those whose letters it may have.
    """

    def __init__(
        self,
        phrase: Phrase,
        depth: int,
        stopped: tuple[Game, str] | None = None,
        *,
        is_sheet: bool,
        language: str,
    ) -> None:
        super().__init__(phrase)
        self.depth = depth
        self.stopped = stopped
        self.is_sheet = is_sheet
        self.languages: tuple[str, ...] = (language,)


class _Reader:
    def __init__(self, language: str, code: Code, beside: Game | None = None) -> None:
        self._beside = beside
        self.illegal = ""
        """The move that is not legal and ends the reading."""
        self._language = language
        self._code = code
        self._tags: dict[str, str] = {}
        self._plies: list[Ply] = []
        self._board: chess.Board | None = None
        self._first_number = 0
        """The number of the first move, where the moves say it and the FEN does not; else 0."""
        self._remark = ""
        self._result = ""
        self._is_over = False
        """Whether the result stands after the moves: no move comes any more."""
        self._short_times: dict[int, ShortTime] = {}
        """Clock times by the half-moves that have them, of which the whole sheet must tell what they are."""
        self._undecided: dict[int, ShortTime] = {}
        """Those of which it does not."""
        self._signed: list[str] = []
        """Lines with signatures, which a game has no place for."""
        self._known = False
        """Whether a line of the header was understood."""
        self.is_sheet = False
        """Whether one was that stands as Hector writes it: what is read is surely this kind of sheet."""
        labels = notation(language).labels
        self._labels = {code.prose(label + ":"): name for name, label in labels.items()}
        self._typed_labels = {label.casefold(): name for name, label in labels.items()}

    @property
    def depth(self) -> int:
        """How many moves were begun."""
        return (len(self._plies) + 1) // 2

    @property
    def tag_names(self) -> tuple[str, ...]:
        """The names of the tags that were read."""
        return tuple(self._tags)

    def take(self, words: Sequence[str]) -> None:
        """Read one paragraph or row."""
        words = tuple(words)
        for label, name in self._labels.items():
            if words[: len(label)] == label:
                self._known = self.is_sheet = True
                self._value(name, words[len(label) :])
                return
        if words[0] == self._code.remark_mark():
            self._take_remark(self._code.read_prose(words[1:]))
            return
        tokens = tuple(typed(self._code.read_tokens(words)))
        if is_move_text(tokens, self._language):
            self._take_tokens(tokens)
            return
        if label_and_value := self._typed_label(words):
            self._known = True
            self._value(*label_and_value)
            return
        text = self._code.read_prose(words)
        match = re.fullmatch(r"(\w+):(?: (.*))?", text)
        if not match or self._board:
            raise UsageError("A line of the sheet cannot be read: {text!r}.", text=text)
        if not TAG_NAME.fullmatch(match[1]):
            raise UsageError(
                "The label of the line {text!r} is unknown on a sheet in {language} and is no tag of "
                "PGN: correct it, or write it with the letters A to Z, digits and _ alone.",
                text=text,
                language=self._language,
            )
        self._note(match[1], match[2] or "")

    def _typed_label(self, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]] | None:
        """Return the tag of a label that a person has written in other letters or blanks, and its value."""
        for end in range(1, min(len(words), _LABEL_WORDS) + 1):
            label, colon, glued = self._code.read_prose(words[:end]).partition(":")
            if colon:
                name = self._typed_labels.get(label.strip().casefold())
                rest = words[end:]
                return (name, (*self._code.prose(glued), *rest) if glued else rest) if name else None
        return None

    def _value(self, name: str, words: tuple[str, ...]) -> None:
        if name in (*SIGNATURES, "Arbiter"):
            self._sign(name, words)
            return
        value = value_of(name, words, self._code) if words else ""
        if name == "Result":
            self._end(value)
        else:
            self._note(name, value)

    def _sign(self, name: str, words: Sequence[str]) -> None:
        """Take what stands on a line to sign on, or the arbiter's name, which has the same label.

        Hector leaves the line empty; a person may have written on it.
        """
        in_header = not (self._plies or self._result)
        # A braille table may read the cells of the line as something else than what it writes with them. A
        # line at the end may be cut, but a name in the header may well be a dash.
        rule = self._code.rule
        is_line = words == (rule,) or (not in_header and set("".join(words)) <= set(rule))
        value = self._code.read_prose(words) if words and not is_line else ""
        is_arbiters = name in ("Arbiter", "sign_arbiter")
        if is_arbiters and in_header and not (is_line or re.fullmatch(_RULE, value)):
            self._note("Arbiter", value)
            return
        signed = re.sub(rf"\A{_RULE}|{_RULE}\Z", "", value).strip()
        if not any(map(str.isalnum, signed)) or (
            is_arbiters and self._tags.setdefault("Arbiter", signed) == signed
        ):
            return
        self._signed.append(f"{notation(self._language).labels[name]}: {signed}")

    def _note(self, name: str, value: str) -> None:
        if self._tags.get(name, value) != value:
            raise UsageError(
                "The sheet says {first!r} and then {second!r} in the same line of its header: leave one out.",
                first=self._tags[name],
                second=value,
            )
        self._tags[name] = value

    def _end(self, value: str) -> None:
        result = result_of(value)
        if result is None:
            raise UsageError("The sheet has a result that cannot be read: {value!r}.", value=value)
        if self._result not in ("", "*", result) and result != "*":
            raise UsageError(
                "The sheet has the results {first} and {second}: correct one of them.",
                first=self._result,
                second=result,
            )
        self._result = result if result != "*" else self._result or result
        self._is_over = self._is_over or (bool(self._plies) and result != "*")

    def _take_remark(self, text: str) -> None:
        if self._plies:
            ply = self._plies[-1]
            self._plies[-1] = Ply(ply.move, ply.clock_ms, ply.offer, f"{ply.remark} {text}".strip())
        else:
            self._remark = f"{self._remark} {text}".strip()

    def _take_tokens(self, tokens: Sequence[str]) -> None:
        queue = list(split(tokens))
        for index, token in enumerate(queue):
            following = queue[index + 1] if index + 1 < len(queue) else ""
            self._take_token(token, following == ILLEGAL)

    def _take_token(self, token: str, illegal: bool) -> None:
        board = self._position()
        if match := NUMBER.fullmatch(token):
            if self._counts_freely(board):
                board.fullmove_number = self._first_number = int(match[1]) or 1
            if int(match[1]) != board.fullmove_number or (match[2] and board.turn):
                raise UsageError(
                    "The sheet has the number {token} where {where} must come.",
                    token=token,
                    where=the_move(board.fullmove_number, white=board.turn),
                )
        elif token == OFFER:
            self._amend(offer=True)
        elif match := _CLOCK.fullmatch(token):
            self._take_time(match[1], match[2], match[3])
        elif token == ILLEGAL or (_PASSING.fullmatch(token) and self._plies):
            return
        elif is_result(token):
            self._end(token)
        else:
            self._plies.append(Ply(self._move(token, board, illegal)))
            play(board, self._plies[-1].move)

    def _counts_freely(self, board: chess.Board) -> bool:
        """Return whether the next number counts: a FEN of which nobody knows the move has the number 1."""
        is_first = not (self._plies or self._first_number)
        return is_first and "FEN" in self._tags and board.fullmove_number == 1

    def _move(self, token: str, board: chess.Board, illegal: bool) -> chess.Move:
        where = the_move(board.fullmove_number, white=board.turn)
        if self._is_over:
            raise UsageError(
                "The sheet goes on at {where} after its result {result}: {token!r}.",
                where=where,
                result=self._result,
                token=token,
            )
        if illegal:
            move = read_squares(token, board, self._language)
            move = self._stood(token, board) if move is None else move
            if move is None:
                self.illegal = token
                raise UsageError(
                    "At {where} the illegal move {token!r} cannot be read.", where=where, token=token
                )
            if move and board.piece_at(move.from_square) is None:
                square = chess.square_name(move.from_square)
                raise UsageError(
                    "At {where} the illegal move {token!r} begins on {square}, where no man stands.",
                    where=where,
                    token=token,
                    square=square,
                )
            return move
        try:
            moves = read(token, board, self._language)
        except NotationError as error:
            raise UsageError("At {where}: {reason}", where=where, reason=error) from error
        if len(moves) != 1:
            many = ", ".join(move.uci() for move in moves)
            if moves:
                raise UsageError(
                    "At {where} {token!r} fits several moves ({many}).", where=where, token=token, many=many
                )
            stood = self._stood(token, board)
            if stood is not None:
                return stood
            self.illegal = token
            raise UsageError("At {where} {token!r} is not legal there.", where=where, token=token)
        return moves[0]

    def _stood(self, token: str, board: chess.Board) -> chess.Move | None:
        """Return the illegal move that stands at this place of the other sheet, if a word may mean it."""
        done = len(self._plies)
        others = [ply.move for ply in self._beside.plies[: done + 1]] if self._beside else []
        if others[:done] != [ply.move for ply in self._plies] or len(others) <= done:
            return None
        return others[done] if means(token, others[done], board, self._language) else None

    def _take_time(self, hours: str | None, minutes: str, seconds: str) -> None:
        self._amend(clock=clock_ms(hours or "0", minutes, seconds))
        # A part of a second, or more than 59 of them, stand for no minutes; and none is none in any case.
        if hours is None and seconds.isdigit() and int(seconds) < 60 and int(minutes + seconds):
            self._short_times[len(self._plies) - 1] = ShortTime(int(minutes), int(seconds))

    def _amend(self, offer: bool = False, clock: int | None = None) -> None:
        if not self._plies:
            raise UsageError("The sheet has a clock time or a draw offer before the first move.")
        ply = self._plies[-1]
        if clock is not None and ply.clock_ms is not None:
            raise UsageError("At {where} there are two clock times: leave one out.", where=self._last())
        kept = ply.clock_ms if clock is None else clock
        self._plies[-1] = Ply(ply.move, kept, ply.offer or offer, ply.remark)

    def _last(self) -> Phrase:
        return self._place(len(self._plies) - 1)

    def _place(self, index: int) -> Phrase:
        """Return how a sentence names the half-move with an index."""
        number, is_black = divmod(self._first_half_move() + index, 2)
        return the_move(number, white=not is_black)

    def _first_half_move(self) -> int:
        """Return twice the number of the first move, and one more if Black makes it."""
        board = self._position()
        return 2 * board.fullmove_number + (not board.turn) - len(self._plies)

    def _decide_times(self) -> None:
        """Tell of each clock time of two numbers what it is, or leave it out."""
        first = self._first_half_move()
        # What a time control has given before a sheet begins cannot be known.
        control = self._tags.get("TimeControl", "") if first // 2 == 1 else ""
        for is_black in (0, 1) if self._short_times else ():
            times: dict[int, ShortTime | int] = {}
            for index, ply in enumerate(self._plies):
                time = self._short_times.get(index, ply.clock_ms)
                if time is not None and (first + index) % 2 == is_black:
                    times[(first + index) // 2] = time
            decided = decide(times, control)
            for number, time in times.items():
                if isinstance(time, ShortTime):
                    index = 2 * number + is_black - first
                    self._plies[index] = replace(self._plies[index], clock_ms=decided.get(number))
                    if number not in decided:
                        self._undecided[index] = time

    def _position(self) -> chess.Board:
        if self._board is None:
            fen = self._tags.get("FEN", chess.STARTING_FEN)
            try:
                self._board = chess.Board(fen, chess960=self._tags.get("Variant") == "Chess960")
            except ValueError as error:
                raise UsageError(
                    "The starting position of the sheet is not a position: {fen!r}.", fen=fen
                ) from error
        return self._board

    def _start_fen(self) -> str:
        fen = self._tags.get("FEN", chess.STARTING_FEN)
        if self._first_number < 2:
            return fen
        board = chess.Board(fen, chess960=self._tags.get("Variant") == "Chess960")
        board.fullmove_number = self._first_number
        return board.fen()

    def game(self) -> Game:
        """Return what was read."""
        if not (self._plies or self._known or self.illegal):
            raise UsageError("This is no scoresheet: it has neither a header nor moves.")
        self._position()
        self._decide_times()
        tags = {name: value for name, value in self._tags.items() if name not in ("FEN", "Variant", "Laws")}
        return new_game(
            tags,
            plies=tuple(self._plies),
            result=self._result or "*",
            start_fen=self._start_fen(),
            chess960=self._tags.get("Variant") == "Chess960",
            edition=self._tags.get("Laws", ""),
            remark=self._remark,
        )

    def notes(self) -> tuple[Phrase, ...]:
        """Return what was left out of the game that `game` has returned, and what may be missing.

        A sheet of Hector's has a line for its result, be that unknown.
        """
        notes = [
            marked("The line {text!r} is left out: a signature is no part of the game.", text=text)
            for text in self._signed
        ]
        if self._undecided:
            first = min(self._undecided)
            notes.append(
                marked(
                    "Clock times that may be hours and minutes or minutes and seconds are left out "
                    "({count}), the first {time} at {where}: write them as h:mm:ss, or the time control in "
                    "seconds, such as 5400+30.",
                    count=len(self._undecided),
                    time=str(self._undecided[first]),
                    where=self._place(first),
                )
            )
        if self.is_sheet and not self._result:
            notes.append(
                marked(
                    "The sheet has no result and ends after {where}: its end may be missing.",
                    where=self._last(),
                )
                if self._plies
                else marked("The sheet has neither moves nor a result: its end may be missing.")
            )
        return tuple(notes)
