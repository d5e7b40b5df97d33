"""The arbiter at the keyboard of the table: what he types does what his forms on the page do.

    arbiter                             what waits for him, and how the game stands
    arbiter ?                           everything that he can type, one line each
    arbiter rule accept
    arbiter penalty white add-opponent seconds=2:00 reason=his telephone rang
    arbiter y                           carries out what was asked back

First come the values that have to be there, in the order of the form; then, as `name=value`, those that need
not. If only one need not be there its name may be left out.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from assistant.arbiter.actions import Actions
from assistant.arbiter.forms import BY_VERB, FORMS, Field, Form, FormError
from assistant.arbiter.inbox import Sent
from assistant.arbiter.scene import scene_of
from assistant.arbiter.texts import TITLES, filled, text
from assistant.arbiter.view import State, state
from assistant.speaking import Message, _
from assistant.table import Table
from assistant.table.secretary import YES

WORD: Final = "arbiter"
"""What each of the arbiter's lines begins with."""
_ELSEWHERE: Final = frozenset({"start", "adjourn", "open-envelope", "envelope-lost", "sign", "close"})
"""Verbs that the keyboard has words of its own for, or that belong to a page."""
_ASKED_BACK: Final = frozenset(
    {"rule", "penalty", "result", "claim", "restore", "undo", "accept-draw", "resign", "set-clock"}
)
"""Verbs that may end the game, or change what stands."""
_LONG: Final = ("text", "lines")
"""Kinds of fields that may be several words."""
_MISREAD: Final = 400
"""The status of a reply to what could not be read."""
_TYPED: Final = tuple(form for form in FORMS if form.do not in _ELSEWHERE)

# Translators: to the arbiter at the keyboard; the word arbiter, y and ? stay.
_CONFIRM: Final = _("arbiter y and Enter: do it.")
# Translators: to the arbiter at the keyboard; the word arbiter and ? stay.
_HELP: Final = _("arbiter ? and Enter: everything that you can type.")
# Translators: to the arbiter at the keyboard; the English words stay.
_OTHERS: Final = _("Without the word arbiter, for an adjournment: adjourn, here, open, lost.")
# Translators: to the arbiter at the keyboard, who has typed a word that means nothing here.
_UNKNOWN: Final = _('"{word}" is nothing that the arbiter can type.')
# Translators: to the arbiter at the keyboard, who has typed more than is expected.
_EXTRA: Final = _('"{word}" is too much here.')
# Translators: to the arbiter at the keyboard, who has typed yes.
_NO_QUESTION: Final = _("Nothing was asked back.")
# Translators: to the arbiter at the keyboard, who has a page: {url} is where.
_PAGE: Final = _("The arbiter's actions are entered on the page: {url}")


class Desk:
    """Takes the arbiter's lines at one table and shows what they bring; what the players hear is Hector's.

    Nobody signs in: whoever sits at this keyboard is at the board, and everything is on record. Where there
    is a page, whose arbiter has a PIN, his lines belong there.
    """

    def __init__(self, page: Callable[[], str] | None = None) -> None:
        """`page` returns where the page is, if there is one."""
        self._page = page
        self._asked: Sent | None = None

    def open(self, table: Table, folder: Path, show: Callable[[str], None]) -> None:
        """Come to the table; `show` gets each line that the arbiter is to read."""
        self._table, self._show = table, show
        self._actions = Actions(table, folder)

    def take(self, line: str, at: float) -> bool:
        """Act on a line if it is the arbiter's, and return whether it is. `at` is when it was typed."""
        word, _, rest = line.strip().partition(" ")
        if word.lower() != WORD:
            return False
        asked, self._asked = self._asked, None
        verb, _, rest = rest.strip().partition(" ")
        verb = verb.lower()
        if self._page is not None:
            self._say(_PAGE, url=self._page())
        elif not verb:
            self._show_what_waits()
        elif verb == "?":
            for each in usage(self._language):
                self._show(each)
            self._say(_OTHERS)
        elif verb in YES:
            if asked is None:
                self._say(_NO_QUESTION)
            else:
                self._carry_out(replace(asked, at=at, preview=False))
        elif (form := BY_VERB.get(verb)) is None or form not in _TYPED:
            self._say(_UNKNOWN, word=verb)
            self._say(_HELP)
        else:
            self._enter(form, rest, at)
        return True

    @property
    def _language(self) -> str:
        return self._table.setup.language

    def _say(self, message: Message, **values: str) -> None:
        self._show(filled(message, self._language, **values))

    def _enter(self, form: Form, given: str, at: float) -> None:
        try:
            values = read_line(form, given, self._language)
        except FormError as error:
            self._show_error(form, str(error))
            return
        if form.do == "rule":
            question = next(iter(self._seen()["questions"]), None)
            if question is None:
                self._show(text("questions-none", self._language))
                return
            values |= {"question": question["id"], "questionText": question["text"]}
        asks = form.do in _ASKED_BACK
        key = secrets.token_hex(8)
        self._carry_out(
            Sent("arbiter", self._language, form.do, values, self._table.plies, key, at, preview=asks)
        )

    def _carry_out(self, sent: Sent) -> None:
        reply = self._actions.carry_out(sent)
        if reply.status == _MISREAD:
            self._show_error(BY_VERB[sent.do], reply.sentence)
            return
        self._show(reply.sentence)
        if sent.preview and reply.is_done:
            self._asked = sent
            self._say(_CONFIRM)

    def _show_error(self, form: Form, sentence: str) -> None:
        self._show(sentence)
        self._show(usage_of(form, self._language))

    def _seen(self) -> State:
        return state(scene_of(self._table, self._table.now), "arbiter", self._language)

    def _show_what_waits(self) -> None:
        seen = self._seen()
        for question in seen["questions"]:
            about = (
                f"({question['article']})" if "article" in question else "",
                question.get("proposal", ""),
            )
            self._show(" ".join(filter(None, (question["text"], *about))))
        if not seen["questions"]:
            self._show(text("questions-none", self._language))
        for line in seen["status"]:
            self._show(line)
        self._say(_HELP)


def usage(language: str) -> Iterator[str]:
    """Yield a line for each thing that the arbiter can type."""
    for form in _TYPED:
        yield usage_of(form, language)


def usage_of(form: Form, language: str) -> str:
    """Return how one of the arbiter's lines is written, and what it does."""
    words = [WORD, form.do, *map(_shape, form.fields)]
    return f"{' '.join(words)}: {filled(TITLES[form.do], language)}."


def _shape(field: Field) -> str:
    value = "|".join(filter(None, field.choices)) or field.name.upper()
    if field.kind == "lines":
        return f"{field.name}=MOVES"
    if field.required:
        return value
    return f"[{field.name}]" if field.kind == "tick" else f"[{field.name}={value}]"


def read_line(form: Form, given: str, language: str) -> dict[str, str]:
    """Return the values of a line, by the names of the form's fields; what they mean is the form's to read.

    :raises FormError: if something stands there that belongs to no field.
    """
    fields = {field.name: field for field in form.fields}
    parts = re.split(rf"(?:^|\s)({'|'.join(fields)})=", given) if fields else [given]
    words = parts[0].split()
    values = {}
    for name, value in zip(parts[1::2], parts[2::2], strict=True):
        values[name] = value.strip()
        if fields[name].kind not in _LONG:
            values[name], *more = value.split() or [""]
            words += more
    ticks = [word for word in words if word in fields and fields[word].kind == "tick"]
    values |= dict.fromkeys(ticks, "on")
    words = [word for word in words if word not in ticks]
    places = [field for field in _places(form) if field.name not in values]
    for number, field in enumerate(places):
        if words:
            whole = field.kind in _LONG and number == len(places) - 1
            values[field.name] = " ".join(words) if whole else words[0]
            words = [] if whole else words[1:]
    if words:
        raise FormError(filled(_EXTRA, language, word=" ".join(words)))
    return values


def _places(form: Form) -> Sequence[Field]:
    """Return the fields that are known by their place."""
    required = [field for field in form.fields if field.required]
    others = [field for field in form.fields if not field.required and field.kind != "tick"]
    return [*required, *(others if len(others) == 1 else [])]
