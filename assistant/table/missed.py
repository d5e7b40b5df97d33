"""What a dead voice did not say, when it speaks again: some of it is still news."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.speaking import Sentence
from assistant.table.voices import is_an_answer

_READ_BACK = "move:"
"""How the `stale_key` of a read-back begins; after it comes its ply."""


def still_news(missed: Iterable[Sentence], *, is_asked: bool) -> list[Sentence]:
    """Return what a player has to hear after all, in its order.

    Those are the last move, all rulings and news of devices, and the question if it is still open,
    `is_asked`, be it for the right move in place of one that was taken back. The moves before it stand
    on the board; an answer is no longer true.
    """
    wanted = [each for each in missed if not is_an_answer(each) or (is_asked and _asks(each))]
    last_move = next((each for each in reversed(wanted) if _tells_move(each)), None)
    return [each for each in wanted if each is last_move or not _tells_move(each)]


def _tells_move(sentence: Sentence) -> bool:
    return (sentence.stale_key or "").startswith(_READ_BACK)


def _asks(sentence: Sentence) -> bool:
    return sentence.stale_key == "question"
