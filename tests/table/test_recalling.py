"""What is said again when somebody asks for it."""

from __future__ import annotations

from assistant.speaking import Sentences
from assistant.table.recalling import Recall

SAY = Sentences("en", "white")
MOVE, OFFER, QUESTION = SAY.readback("Eva vier", 1), SAY.dropped(), SAY.confirm("resign")


def test_nothing_is_recalled_before_anything_was_said() -> None:
    assert Recall().again(None) == [] and Recall().last is None


def test_an_open_question_is_recalled_and_a_closed_one_is_not() -> None:
    recall = Recall()
    recall.note(MOVE)
    for _twice in range(2):
        recall.expect_answer(QUESTION)
        recall.note(QUESTION)
    assert recall.again(QUESTION) == [QUESTION]
    assert recall.again(None) == [MOVE]


def test_what_was_said_after_a_question_is_recalled_when_it_is_closed() -> None:
    recall = Recall()
    recall.expect_answer(QUESTION)
    recall.note(QUESTION)
    recall.note(OFFER)
    assert recall.again(None) == [OFFER]


def test_what_tells_one_thing_is_recalled_together() -> None:
    recall = Recall()
    with recall.together():
        recall.note(MOVE)
        recall.note(OFFER)
    assert recall.again(None) == [MOVE, OFFER]
    with recall.together():
        pass
    assert recall.again(None) == [MOVE, OFFER]


def test_one_thing_within_another_is_recalled_with_it() -> None:
    recall = Recall()
    with recall.together():
        recall.note(MOVE)
        with recall.together():
            recall.note(OFFER)
    assert recall.again(None) == [MOVE, OFFER]
