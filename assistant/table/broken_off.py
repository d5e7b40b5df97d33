"""An announcement that broke off: what is said next may be the rest of it.

"Springer", a long look at the board, "Felix sechs": alone the rest is a pawn's move. Hearing holds an
announcement open for a while (`unfinished` in hearing/endpoint.toml); after that the words are put together
here, and the player is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import chess

from assistant.announcements import Decision, Phrasebook, Words, said_in

CONTINUES = 8.0
"""Seconds after a beginning within which what is said may be its rest."""


@dataclass(frozen=True, slots=True)
class _Beginning:
    words: Words
    board: chess.Board
    until: float
    is_none: bool
    """Whether it was no announcement of the position: it was not asked which one was meant."""


class BrokenOff:
    """The beginning that was heard last, as long as it may go on."""

    def __init__(self) -> None:
        self._begun: _Beginning | None = None

    def whole(
        self, decision: Decision, book: Phrasebook, start: float, end: float, *, is_talk: bool = False
    ) -> Decision:
        """Return the decision about what was heard now, with the beginning before it if there is one.

        Together they are asked about where they are a move of the position that is another one than without
        the beginning. Where they are none, what was heard now is asked about before it counts, unless it
        begins with the same word: nothing that is listened for begins in the middle, so a rest may be heard
        as a whole announcement, with a man or a file that nobody named. What is no move, as a question for
        the times, comes between them and changes nothing.

        :param start: when what was decided about began, in seconds of the game's time, and `end` when it was
            over.
        :param is_talk: it was most likely said to somebody else; it begins nothing and goes on with nothing.
        """
        begun = self._begun
        if begun is not None and (start > begun.until or book.board != begun.board):
            begun = self._begun = None
        if decision.kind == "reject" or decision.command is not None:
            return decision
        together = begun.words + decision.words if begun else ()
        moves = tuple(each for each in book.phrases.get(together, ()) if each.move is not None)
        if is_talk and not moves:
            return decision
        names_man = bool(decision.words) and decision.words[0] in book.vocabulary.piece_of
        starts_anew = names_man or _is_whole(decision.words, book)
        if together and not moves and _goes_on(decision, together, book, starts_anew=starts_anew):
            self._begin(decision, together, book, end)
            return decision
        self._begun = None
        if not moves and _goes_on(decision, decision.words, book):
            self._begin(decision, decision.words, book, end)
        if moves and decision.move not in [each.move for each in moves]:
            text = book.vocabulary.written(together)
            code = "ambiguous" if len(moves) > 1 else "doubtful"
            return replace(
                decision, kind="ask", words=together, text=text, candidates=moves, code=code, reading=None
            )
        if begun is None or moves or decision.move is None:
            return decision
        is_rest = begun.is_none and decision.words[:1] != begun.words[:1]
        if is_rest or said_in(together, book.vocabulary):
            return replace(decision, kind="ask", code="doubtful")
        return decision

    def _begin(self, decision: Decision, words: Words, book: Phrasebook, end: float) -> None:
        self._begun = _Beginning(words, book.board, end + CONTINUES, decision.code == "illegal")

    def begins_with(self, words: Words) -> bool:
        """Return whether these words were taken as a beginning, or as more of one."""
        return self._begun is not None and self._begun.words[-len(words) :] == words


def _goes_on(decision: Decision, words: Words, book: Phrasebook, *, starts_anew: bool = False) -> bool:
    """Return whether these words, which end in what was asked about, are the beginning of an announcement.

    :param starts_anew: a man was named, or a whole announcement was made, which goes on with what was said
        before only where the position has such a phrase, as of a promotion: "Springer", "Dame" is the
        beginning of the queen's announcement.
    """
    if decision.kind != "ask":
        return False
    if decision.code == "illegal" and not starts_anew and not _is_whole(words, book):
        return True
    length = len(words)
    return any(len(each) > length and each[:length] == words for each in book.phrases)


def _is_whole(words: Words, book: Phrasebook) -> bool:
    """Return whether these are a whole announcement, be it behind a word that one may follow."""
    return said_in(book.vocabulary.without_head(words), book.vocabulary) is not None
