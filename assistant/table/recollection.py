"""What the dialogue keeps in mind of the moves, in step with what the referee has ruled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import chess

from assistant.announcements import Vocabulary
from assistant.board import after, is_legal, play
from assistant.laws import Event, OpenMove, Referee
from assistant.scoresheet import Game
from assistant.sides import side_of
from assistant.table.dialogue import Announced, Memory, Pending
from assistant.table.steps import TAKEN_BACK


class Recollection:
    """Keeps the memory of one game's dialogue: which move waits for its press, and which were announced."""

    def __init__(self, referee: Referee, memory: Memory, vocabulary: Vocabulary) -> None:
        self._referee = referee
        self._memory = memory
        self._mate = vocabulary.mate

    def announced(self, line: dict[str, Any], board: chess.Board, made: int) -> dict[str, Any]:
        """Keep a move in mind that is announced; `board` and `made` are from before it was carried out.

        Returns its line with the move as UCI: a script may have it in any notation.
        """
        memory, side, open_move = self._memory, line["side"], self._referee.announced
        memory.move_is_settled()
        memory.claim_is_dropped()
        memory.correcting = False
        pending = memory.pending if memory.pending is not None and memory.pending.side == side else None
        if open_move is None or open_move.side != side:
            # It has ended the game, or came after a lost envelope.
            before, ply = (board, made + 1) if pending is None else (pending.before, pending.ply)
            move = self._referee.read(side, line["move"], before)
            if move is None:
                return line
            open_move = OpenMove(ply, side, move, before)
        memory.pending = self._waiting(open_move)
        memory.pending = replace(memory.pending, is_mate=self._is_stated_mate(line, open_move))
        if pending is None:
            self._keep_in_mind(open_move)
        else:
            memory.last, memory.repeated = self._told(open_move), False
        return line | {"move": open_move.move.uci()}

    def repeated(self, line: Mapping[str, Any]) -> None:
        """Note whether a line repeats the last announcement as it was (D.2.1)."""
        last = self._memory.last
        if last is not None and last.side != line["side"]:
            self._memory.repeated = self._referee.read(line["side"], line["move"], last.before) == last.move

    def noted(self, line: Mapping[str, Any]) -> None:
        """Keep in mind that the move which waits was taken back, or stands after all, if a note says so."""
        if line["about"] == TAKEN_BACK and "desk" not in line:
            self._memory.correcting = self._memory.pending is not None and "stands" not in line

    def opened(self, events: Iterable[Event], board: chess.Board) -> None:
        """Keep in mind a move that came out of an envelope; `board` is from before it was made."""
        for event in events:
            if event.event == "move-made":
                keys = event.keys
                self._keep_in_mind(
                    OpenMove(keys["ply"], keys["side"], chess.Move.from_uci(keys["uci"]), board)
                )

    def gone_back(self, board: chess.Board, sheet: Game) -> None:
        """Keep the last moves of the position in mind that the game has gone back to; it began on `board`."""
        board, made = board.copy(stack=False), []
        for number, ply in enumerate(sheet.plies, 1):
            made.append(OpenMove(number, side_of(board.turn), ply.move, board.copy(stack=False)))
            play(board, ply.move)
        recalled = [self._told(each) for each in made[-2:]]
        self._memory.last = recalled[-1] if recalled else None
        self._memory.before_last = recalled[-2] if len(recalled) > 1 else None
        self._memory.repeated = False

    def still_waits(self) -> None:
        """Keep the move in mind that waits for its press after the game has gone back."""
        open_move = self._referee.announced
        if open_move is None:
            return
        self._memory.pending = self._waiting(open_move)
        if open_move.ply > self._referee.made:
            self._keep_in_mind(open_move)

    def is_completed_by(self, event: Event) -> bool:
        """Return whether an event completes the move that waits, and not the one which that move answers."""
        pending = self._memory.pending
        return event.event == "move-completed" and (pending is None or pending.ply <= event.keys["ply"])

    def _is_stated_mate(self, line: Mapping[str, Any], open_move: OpenMove) -> bool:
        """Return whether the words of an announcement say that it is mate, and it is."""
        words = f"{line.get('heard', '')} {line.get('confirmed', '')} {line.get('typed', '')}".lower()
        if not any(sign in words for sign in (self._mate, "#", "++")):
            return False
        before, move = open_move.before, open_move.move
        return is_legal(before, move) and after(before, move).is_checkmate()

    def _waiting(self, open_move: OpenMove) -> Pending:
        return Pending(open_move.side, open_move.move, open_move.before.copy(stack=False), open_move.ply)

    def _told(self, open_move: OpenMove) -> Announced:
        return Announced(open_move.side, open_move.move, open_move.before.copy(stack=False))

    def _keep_in_mind(self, open_move: OpenMove) -> None:
        self._memory.before_last, self._memory.last = self._memory.last, self._told(open_move)
        self._memory.repeated = False
