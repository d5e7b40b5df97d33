"""What was agreed, told before the game begins: afterwards it is too late to find that it is another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import chess

from assistant.announcements import Command
from assistant.sides import SIDES, side_of
from assistant.speaking import SIDES as NAMES
from assistant.speaking import Priority, Sentence, _, _n, compose, duration_in_words
from assistant.table.course import Course
from assistant.table.keeping import Record
from assistant.table.setup import Setup
from assistant.table.terminal import BEFORE, NOT_BEGUN, NOT_STARTED, show, show_all
from assistant.time_control import parse_time_control


def agreed(course: Course) -> tuple[Sentence, ...]:
    """Return what both players hear before the game: who plays which side, the time, another beginning.

    Each is one fact, and one line where it is shown. It is no help during play (11.3), and the opponent
    hears it too: who finds a slip in it stops before the clock runs.
    """
    facts = [*_people(course.setup), *_times(course.setup), *_position(course)]
    return tuple(
        replace(fact, priority=Priority.CHATTER, audience="room", stale_key=f"agreed:{number}")
        for number, fact in enumerate(facts)
    )


class Beforehand:
    """What Hector tells before the game begins; it is written down when it does, and else leaves nothing."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._teller = course.teller
        self._said: list[Sentence] = []

    def tell_agreed(self) -> None:
        """Tell what was agreed; it can be heard again until something happens in the game."""
        facts = [*agreed(self._course)]
        for fact in facts:
            show(fact.text)
        self._teller.say_after_all(facts)
        self._said += facts

    def tell_how_to_start(self) -> None:
        """Tell how the game begins, and show what else can be typed: it is no part of the game yet."""
        self._say(self._teller.sentences.how_to_start(has_clock=self._course.referee.has_clock))
        show_all(BEFORE, self._course.setup.language)

    def tell_not_started(self) -> None:
        """Tell that what was typed begins no game, and what does."""
        not_yet = NOT_STARTED if self._course.referee.has_clock else NOT_BEGUN
        language, served = self._course.setup.language, self._teller.sentences.audience
        self._say(
            compose(not_yet, language, priority=Priority.CHATTER, audience=served, stale_key="not-started")
        )
        self.tell_how_to_start()

    def write(self, record: Record) -> None:
        """Write down what was said, as the game begins."""
        for sentence in self._said:
            record.said(sentence, self._course.now)

    def _say(self, sentence: Sentence) -> None:
        show(sentence.text)
        self._teller.voice.say(sentence, self._course.now)
        self._said.append(sentence)


def _people(setup: Setup) -> Iterator[Sentence]:
    """Name the players; of one who has no name there is only to tell that he is the blind one."""
    for side in SIDES:
        person, white_or_black = setup.person(side), NAMES[side]
        has_name = setup.has_name(side)
        if person.blind and has_name:
            # Translators: before the game: {side} is "White" or "Black", {name} the player's name.
            blind = _("{side}: {name}, blind.")
            yield compose(blind, setup.language, side=white_or_black, name=person.name)
        elif has_name:
            # Translators: before the game: {side} is "White" or "Black", {name} the player's name.
            yield compose(_("{side}: {name}."), setup.language, side=white_or_black, name=person.name)
        elif person.blind:
            # Translators: before the game: {side} is "White" or "Black"; the player has no name.
            yield compose(_("{side}: blind."), setup.language, side=white_or_black)


def _times(setup: Setup) -> Iterator[Sentence]:
    """Tell the periods in turn, and once for all that have it in common what each move adds."""
    language, periods = setup.language, parse_time_control(setup.time_control).periods
    if not periods:
        # Translators: the game is played without a clock.
        yield compose(_("There is no clock."), language)
    for index, period in enumerate(periods):
        time = duration_in_words(period.time // 1000, language)
        if period.moves is None:
            # Translators: before the game: each player's time for all moves; {time} in words.
            whole = _("Time: {time}.")
            # Translators: before the game, after the line of the first moves: the time for all the others.
            rest = _("Then: {time}.")
            yield compose(rest if index else whole, language, time=time)
        else:
            # Translators: before the game: the time for the first moves; {n} and {time} in words.
            first = _n("{n} move: {time}.", "{n} moves: {time}.")
            # Translators: before the game, after the line of the first moves; {n} and {time} in words.
            later = _n("Then {n} move: {time}.", "Then {n} moves: {time}.")
            yield compose(later if index else first, language, n=period.moves, time=time)
            if period is periods[-1]:
                # Translators: before the game, after the line of the last moves that the control counts: it
                # begins anew.
                yield compose(_("And so on."), language)
        following = periods[min(index + 1, len(periods) - 1)]
        goes_on = (following.increment, following.delay) == (period.increment, period.delay)
        if following is not period and goes_on:
            continue
        if period.increment:
            # Translators: before the game: what each move adds to the time; {time} in words.
            added = _("Added for each move: {time}.")
            yield compose(added, language, time=duration_in_words(period.increment // 1000, language))
        if period.delay:
            # Translators: before the game: how long the clock waits at each move; {time} in words.
            delay = _("Delay at each move: {time}.")
            yield compose(delay, language, time=duration_in_words(period.delay // 1000, language))


def _position(course: Course) -> Iterator[Sentence]:
    """Tell a beginning that is not the usual one; of Chess960 its number and White's first rank."""
    setup, board = course.setup, course.start_board.copy()
    if setup.fen is not None:
        if board.chess960:
            # Translators: before the game, which begins from a position: the variant of castling.
            yield compose(_("Chess960."), setup.language)
        yield course.teller.wording.about_the_board(Command("position"), board)
        # Translators: the state of the game.
        yield compose(_("{side} to move."), setup.language, side=NAMES[side_of(board.turn)])
    elif setup.chess960 is not None:
        # Translators: before the game; {n} is the number of the start position, in words.
        yield compose(_("Chess960, position {n}."), setup.language, n=int(setup.chess960))
        for square in chess.SquareSet(board.occupied & ~chess.BB_RANK_1):
            board.remove_piece_at(square)
        yield course.teller.wording.about_the_board(Command("position"), board)
