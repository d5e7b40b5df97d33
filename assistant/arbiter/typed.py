"""The arbiter at the keyboard of the table: what he types does what his forms on the page do.

    arbiter                             what waits for him, and how the game stands
    arbiter ?                           everything that he can type, one line each
    arbiter rule accept
    arbiter penalty white add-opponent seconds=2:00 reason=his telephone rang
    arbiter y                           carries out what was asked back; arbiter n drops it

First come the values that have to be there, in the order of the form; then, as `name=value`, those that need
not. If only one need not be there its name may be left out. A text goes on to the end of the line.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from assistant.arbiter.actions import Actions
from assistant.arbiter.clockless import titles
from assistant.arbiter.forms import BY_VERB, Field, Form, FormError, out_of_place, read_form, time_text
from assistant.arbiter.inbox import Sent
from assistant.arbiter.offered import form_of, offered
from assistant.arbiter.pins import Role
from assistant.arbiter.scene import clocks_of, mark_of, scene_of
from assistant.arbiter.texts import filled, person, text
from assistant.arbiter.view import State, state
from assistant.speaking import Message, _, answer_of
from assistant.table import Table
from assistant.table.folder import Where
from assistant.table.secretary import answer_at_table

WORD: Final = "arbiter"
"""What each of the arbiter's lines begins with."""
_ELSEWHERE: Final = frozenset({"start", "adjourn", "open-envelope", "envelope-lost", "sign", "close"})
"""Verbs that the keyboard has words of its own for, or that belong to a page."""
_ASKED_BACK: Final = frozenset(
    {
        *("rule", "penalty", "result", "claim", "restore", "undo", "accept-draw", "resign", "set-clock"),
        *("announce", "place", "correct"),
    }
)
"""Verbs that may end the game, or change what stands."""
_HIS = re.compile(rf"\s*{WORD}(?!\w)[\s:]*", re.IGNORECASE)
_SHAPES: Final[Mapping[str, str]] = {"time": "M:SS", "count": "NUMBER", "lines": "MOVES"}
"""What a value looks like that is not one of a few."""
_NAME = re.compile(r"[a-z][a-z_-]*", re.IGNORECASE)
"""What the name of a value looks like, even of one that there is not."""
_LONG: Final = ("text", "lines")
"""Kinds of fields that may be several words."""
_MISREAD: Final = 400
"""The status of a reply to what could not be read."""

# Translators: to the arbiter at the keyboard; the word arbiter, y and ? stay.
_CONFIRM: Final = _("arbiter y and Enter: do it.")
# Translators: to the arbiter at the keyboard; the word arbiter and ? stay.
_HELP: Final = _("arbiter ? and Enter: everything that you can type.")
# Translators: to the arbiter at the keyboard; the English words stay.
_OTHERS: Final = _(
    "Without the word arbiter: adjourn, seal, close, here, resumption, open, lost, for an adjournment."
)
# Translators: to the arbiter at the keyboard; the word close stays.
_SEALING: Final = _("A move is to be sealed: close stops the clocks and closes the envelope.")
# Translators: to the arbiter at the keyboard, who has confirmed something too late.
_STALE: Final = _("The game has gone on meanwhile: nothing was done. Type it again if you still want it.")
# Translators: a y was typed, and the arbiter was asked something; arbiter y and y stay.
_WHOSE: Final = _("arbiter y: the arbiter's answer. y once more: a player's.")
# Translators: to the arbiter at the keyboard, who has typed a word that means nothing here.
_UNKNOWN: Final = _('"{word}" is nothing that the arbiter can type.')
# Translators: to the arbiter at the keyboard, who has typed more than is expected.
_EXTRA: Final = _('"{word}" is too much here.')
# Translators: to the arbiter at the keyboard, who has typed yes.
_NO_QUESTION: Final = _("Nothing was asked back.")
# Translators: to the arbiter at the keyboard, who has a page: {url} is where.
_PAGE: Final = _("The arbiter's actions are entered on the page: {url}")
# Translators: a player and his time, or what the arbiter can type and what it does; no sentence.
_BESIDE: Final = _("{what}: {more}")


class Desk:
    """Takes the arbiter's lines at one table and shows what they bring; what the players hear is Hector's.

    Nobody signs in: whoever sits at this keyboard is at the board, and everything is on record. Where there
    is a page, whose arbiter has a PIN, his lines belong there.
    """

    def __init__(self, page: Callable[[], str] | None = None) -> None:
        """`page` returns where the page is, if there is one."""
        self._page = page
        self._asked: Sent | None = None
        self._reminded = False

    def open(self, table: Table, where: Where, show: Callable[[str], None]) -> None:
        """Come to the table; `show` gets each line that the arbiter is to read."""
        self._table, self._show = table, show
        self._actions = Actions(table, where)

    def is_his(self, line: str) -> bool:
        """Return whether a line is the arbiter's."""
        return _HIS.match(line) is not None

    def take(self, line: str, at: float) -> bool:
        """Act on a line if it is the arbiter's, and return whether it is. `at` is when it was typed."""
        begin = _HIS.match(line)
        if begin is None:
            return self._is_ambiguous(line)
        asked, self._asked, self._reminded = self._asked, None, False
        verb, rest = (*line[begin.end() :].split(None, 1), "", "")[:2]
        verb = verb.lower()
        if self._page is not None:
            self._say(_PAGE, url=self._page())
        elif not verb:
            self._show_what_waits()
        elif verb == "?":
            has_clock = self._table.course.referee.has_clock
            for each in usage(self._language, has_clock=has_clock):
                self._show(each)
            if has_clock:
                self._say(_OTHERS)
        elif (answer := answer_of(verb)) is not None and not rest:
            self._answer(asked, answer, at)
        elif verb in _ELSEWHERE:
            self._say(_OTHERS)
        elif verb not in BY_VERB:
            self._say(_UNKNOWN, word=verb)
            self._say(_HELP)
        elif verb == "stop-clock" and self._table.course.sealing:
            self._say(_SEALING)
        else:
            self._enter(self._form(verb), rest, at)
        return True

    def _is_ambiguous(self, line: str) -> bool:
        """Return whether a yes or no may be meant for the arbiter's question; then it is asked for again."""
        if self._asked is None or self._reminded or answer_at_table(line) is None:
            return False
        self._reminded = True
        self._say(_WHOSE)
        return True

    def _answer(self, asked: Sent | None, yes: bool, at: float) -> None:
        if asked is None:
            self._say(_NO_QUESTION)
        elif yes:
            self._carry_out(replace(asked, at=at, preview=False))
        else:
            self._show(text("cancelled", self._language))

    @property
    def _language(self) -> str:
        return self._table.setup.language

    def _form(self, verb: str) -> Form:
        return form_of(verb, has_clock=self._table.course.referee.has_clock)

    def _say(self, message: Message, **values: str) -> None:
        self._show(filled(message, self._language, **values))

    def _enter(self, form: Form, given: str, at: float) -> None:
        try:
            values = read_line(form, given, self._language)
            check_meant(form, values, self._language)
        except FormError as error:
            self._show_error(form, str(error))
            return
        if form.do == "rule":
            questions = self._seen()["questions"]
            if not questions:
                self._show(text("questions-none", self._language))
                return
            values |= {"question": questions[0]["id"], "questionText": _in_full(questions[0])}
        self._carry_out(
            Sent(
                "arbiter",
                self._language,
                form.do,
                values,
                mark_of(self._table),
                secrets.token_hex(8),
                at,
                preview=form.do in _ASKED_BACK,
                is_public=True,
            )
        )

    def _carry_out(self, sent: Sent) -> None:
        teller = self._table.course.teller
        before = teller.last_said
        reply = self._actions.carry_out(sent)
        is_news = teller.last_said is not before
        if reply.status == _MISREAD:
            self._show_error(self._form(sent.do), reply.sentence)
        elif "stale" in reply.more:
            self._say(_STALE)
        elif not is_news or teller.last_thing_said != reply.sentence:
            # What everybody has just been told stands there already.
            self._show(reply.sentence)
        if sent.preview and reply.is_done:
            self._asked = replace(sent, values={**sent.values, **reply.more})
            self._say(_CONFIRM)

    def _show_error(self, form: Form, sentence: str) -> None:
        self._show(sentence)
        has_clock = self._table.course.referee.has_clock
        self._show(usage_of(form, self._language, has_clock=has_clock))

    def _seen(self, role: Role = "arbiter") -> State:
        return state(scene_of(self._table, self._table.now), role, self._language)

    def _show_what_waits(self) -> None:
        seen = self._seen()
        calls, questions = seen["calls"], seen["questions"]
        for call in calls:
            self._show(call)
        for number, question in enumerate(questions):
            next_one = number == 0 and len(questions) > 1
            self._show(
                " ".join([_in_full(question), *([text("question-next", self._language)] if next_one else [])])
            )
        if not calls and not questions:
            self._show(text("questions-none", self._language))
        # The players can read it: nothing that an announcement's legality could be told by.
        for line in self._seen("spectator")["status"]:
            self._show(line)
        clocks = clocks_of(self._table, self._table.now)
        for side, left in (("white", clocks.white), ("black", clocks.black)):
            if left is not None:
                shown = time_text(left / 1000, self._language)
                name = person(side, self._language)
                self._show(filled(_BESIDE, self._language, what=f"{name[:1].upper()}{name[1:]}", more=shown))
        referee = self._table.course.referee
        if referee.is_adjourned or referee.reply_in_envelope is not None:
            self._say(_OTHERS)
        self._say(_HELP)


def _in_full(question: State) -> str:
    """Return an open question with its article and what the Laws propose."""
    article = f"({question['article']})" if "article" in question else ""
    return " ".join(filter(None, (question["text"], article, question.get("proposal", ""))))


def usage(language: str, *, has_clock: bool) -> Iterator[str]:
    """Yield a line for each thing that the arbiter can type in a game with or without a clock."""
    for form in offered(has_clock=has_clock):
        if form.do not in _ELSEWHERE:
            yield usage_of(form, language, has_clock=has_clock)


def usage_of(form: Form, language: str, *, has_clock: bool) -> str:
    """Return how one of the arbiter's lines is written, and what it does."""
    words = [WORD, form.do, *map(_shape, form.fields)]
    title = filled(titles(has_clock=has_clock)[form.do], language)
    return filled(_BESIDE, language, what=" ".join(words), more=f"{title}.")


def _shape(field: Field) -> str:
    value = "|".join(filter(None, field.choices)) or _SHAPES.get(field.kind) or field.name.upper()
    if field.kind == "lines":
        return f"{field.name}={value}"
    if field.required:
        return value
    return f"[{field.name}]" if field.kind == "tick" else f"[{field.name}={value}]"


def read_line(form: Form, given: str, language: str) -> dict[str, str]:
    """Return the values of a line, by the names of the form's fields; what they mean is the form's to read.

    :raises FormError: if something stands there that belongs to no field.
    """
    fields = {field.name: field for field in form.fields}
    ticks = {name for name, field in fields.items() if field.kind == "tick"}
    places = _places(form)
    values: dict[str, str] = {}
    words = given.split()
    while words:
        word, *words = words
        name, named, value = word.partition("=")
        field = fields.get(name.lower()) if named else None
        if field is None and word.lower() in ticks:
            field, value = fields[word.lower()], "on"
        elif field is None:
            field, value = next((each for each in places if each.name not in values), None), word
            if named and field is not None and not field.required and _NAME.fullmatch(name):
                # What has the name of another value is none of this one.
                field = None
        if field is None or field.name in values:
            raise FormError(filled(_EXTRA, language, word=" ".join([word, *words])))
        if field.kind in _LONG:
            long = _length(field, words, fields, ticks)
            value, words = " ".join(filter(None, [value, *words[:long]])), words[long:]
        values[field.name] = value.lower() if field.kind == "choice" else value
    return values


def check_meant(form: Form, values: Mapping[str, str], language: str) -> None:
    """Refuse a value that the form would leave out: on the page it may be an earlier one, here it was typed.

    :raises FormError: if there is one, or a field is wrong.
    """
    idle = out_of_place(form, read_form(form, values, language))
    for name, value in values.items():
        if value and name in idle:
            raise FormError(filled(_EXTRA, language, word=value))


def _length(field: Field, words: Sequence[str], fields: Collection[str], ticks: Collection[str]) -> int:
    """Return how many of the words are still a text that has begun: all, but for ticks at the end.

    The moves of a scoresheet end where another field begins.
    """
    if field.kind == "lines":
        starts = (k for k, word in enumerate(words) if word.partition("=")[0].lower() in fields)
        return next(starts, len(words))
    end = len(words)
    while end and words[end - 1].partition("=")[0].lower() in ticks:
        end -= 1
    return end


def _places(form: Form) -> Sequence[Field]:
    """Return the fields that are known by their place."""
    required = [field for field in form.fields if field.required]
    others = [
        field for field in form.fields if not (field.required or field.is_named or field.kind == "tick")
    ]
    return [*required, *(others if len(others) == 1 else [])]
