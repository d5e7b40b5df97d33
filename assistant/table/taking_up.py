"""What those who take up a game again are told: where it stands, and what nobody has answered yet."""

from __future__ import annotations

from assistant.laws import Event
from assistant.sides import Side
from assistant.table.course import Course


def tell_where_it_stands(course: Course) -> None:
    """Tell what the players have before them, of a game that has been brought up to its last line.

    All of it is recalled together.
    """
    with course.teller.together():
        _tell_where_it_stands(course)


def _tell_where_it_stands(course: Course) -> None:
    referee, teller, pending = course.referee, course.teller, course.memory.pending
    say_in = teller.sentences
    if course.over:
        _retell(course, "game-over")
        return
    if referee.is_adjourned:
        teller.say(say_in.adjourned())
    elif referee.reply_in_envelope is not None:
        teller.say(say_in.resumed_with_reply(referee.reply_in_envelope))
    elif pending is not None:
        teller.say(say_in.resumed_with(pending.side, teller.wording.move(pending.before, pending.move)))
        if course.memory.correcting:
            teller.say(say_in.ask_for_correction())
        elif _is_pressed_for(course, pending.side) and not course.sealing:
            teller.say(say_in.press_or_announce())
    else:
        teller.say(say_in.resumed(course.side_to_move))
    if not referee.is_adjourned:
        _tell_what_stands(course)
    _tell_questions(course)
    teller.tell_who_declares()


def _is_pressed_for(course: Course, side: Side) -> bool:
    """Return whether Hector usually presses for a side, as for no engine nor for who sits at the page."""
    engine = course.setup.engine
    is_engines = engine is not None and engine.side == side
    return course.setup.press == "auto" and not (course.mover_presses or is_engines)


def _tell_what_stands(course: Course) -> None:
    referee = course.referee
    if referee.is_sealing:
        _retell(course, "adjourned")
        if referee.has_sealed:
            _retell(course, "sealed")
    elif referee.is_halted and referee.has_clock:
        course.teller.tell_clocks()
    if referee.draw_offer is not None:
        # It stands until it is accepted or rejected, or the opponent moves (9.1.2.1).
        _retell(course, "draw-offered", side=referee.draw_offer)
    course.teller.tell_what_is_due()


def _tell_questions(course: Course) -> None:
    """Tell what waits for the arbiter, and the flag that he is asked about while an envelope is closed."""
    referee = course.referee
    if referee.has_flag_over_envelope:
        _retell(course, "flag-fallen")
    waiting: list[Event] = []
    for question in referee.questions:
        if question.is_claim:
            waiting += _last(course, "claim-waits", of=question.what, side=question.side or "arbiter")
        else:
            whose = {} if question.side is None else {"side": question.side}
            waiting += _last(course, "arbiter-asked", about=question.what, **whose)
    course.teller.tell(waiting, course.now)


def _retell(course: Course, name: str, **keys: str) -> None:
    """Tell the last event of a kind once more."""
    course.teller.tell(_last(course, name, **keys), course.now)


def _last(course: Course, name: str, **keys: str) -> list[Event]:
    """Return the last event of a kind, if there is one."""
    events = [event for event in course.events if event.event == name and keys.items() <= event.keys.items()]
    return events[-1:]
