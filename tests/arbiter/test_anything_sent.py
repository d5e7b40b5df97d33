"""Whatever a page sends, of whatever JSON type: it is answered, and the journal could hold what follows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from page_game import VOCABULARY

from assistant.announcements import Thresholds
from assistant.arbiter.actions import Actions
from assistant.arbiter.forms import FORMS
from assistant.arbiter.inbox import Reply, Sent
from assistant.arbiter.pins import ROLES, Role
from assistant.arbiter.scene import mark_of
from assistant.sealing import Work, new_key, public_key
from assistant.table import NoRecord, PaperVoice, Person, Setup, Table
from assistant.table.adjourning import keep_key

OF_THE_OPPONENT: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("press", "offer-draw", "accept-draw", "decline-draw", "resign", "stop-clock", "sign", "x"), ()
    ),
    **{"move": ("move",), "seal": ("move",), "claim": ("of", "move")},
}
OF_THE_ARBITER = {form.do: tuple(field.name for field in form.fields) for form in FORMS} | {
    "rule": ("claim", "seconds", "question", "questionText"),
    "x": (),
}
SENSIBLE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("white", "black", "seconds", "session_end"), ("0:05", "1:00:00", "1. e4 e5")),
    **{field.name: field.choices for form in FORMS for field in form.fields if field.choices},
    "side": ("white", "black"),
    "move": ("e4", "e7e5", "Nf3", "Ke2"),
}
WORDS = st.text(st.characters()) | st.sampled_from(["\ud800", "e4\ud800", "\0", "²", "１", "9" * 5000])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)


@st.composite
def requests(draw: st.DrawFn) -> tuple[Role, str, dict[str, Any], bool]:
    """Make a request whose fields hold something sensible, each with some chance of anything instead."""
    role = draw(st.sampled_from(ROLES))
    fields = OF_THE_OPPONENT if role == "opponent" else OF_THE_ARBITER
    do = draw(st.sampled_from(sorted(fields)))
    values = {
        name: draw(st.sampled_from(SENSIBLE.get(name, ("1", "e2", "9.2"))) | ANYTHING) for name in fields[do]
    }
    return role, do, values, draw(st.booleans())


class Paper(NoRecord):
    """Keeps nothing, and fails on what the journal could not hold."""

    def line(self, line: dict[str, Any]) -> None:
        json.dumps(line, ensure_ascii=False, allow_nan=False).encode()


class Desk:
    """A game that has begun, and what is sent to it."""

    def __init__(self, folder: Path, **setup: object) -> None:
        agreed = Setup(white=Person("Ana", blind=False), black=Person("Bo", blind=True), **setup)  # type: ignore[arg-type]
        self.table = Table(agreed, VOCABULARY, Thresholds(), PaperVoice(), Paper(), show=lambda line: None)
        self.table.start()
        self._actions = Actions(self.table, lambda: folder)
        self._count = 0

    def send(self, role: Role, do: str, values: dict[str, Any], *, preview: bool = False) -> Reply:
        self._count += 1
        key, at = f"request-{self._count}", float(self._count)
        return self._actions.carry_out(Sent(role, "en", do, values, mark_of(self.table), key, at, preview))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sealing")
    keep_key(folder, public_key(new_key("a long passphrase", Work(1, 8192))))
    return folder


@settings(max_examples=examples(150))
@given(st.sampled_from(["rated", "club"]), st.lists(requests(), min_size=1, max_size=8))
def test_whatever_is_sent_is_answered(
    folder: Path, mode: str, sent: list[tuple[Role, str, dict[str, Any], bool]]
) -> None:
    desk = Desk(folder, mode=mode)
    for role, do, values, preview in sent:
        reply = desk.send(role, do, values, preview=preview)
        assert reply.status in (200, 400, 403, 409)
        json.dumps([reply.sentence, reply.more])


@pytest.mark.parametrize("do", sorted(OF_THE_OPPONENT | OF_THE_ARBITER))
def test_a_spectator_does_nothing(folder: Path, do: str) -> None:
    desk = Desk(folder)
    assert desk.send("spectator", do, {"side": "white", "result": "1-0", "move": "e4"}).status == 403
    assert len(desk.table.course.steps) == 1


@pytest.mark.parametrize("do", sorted(OF_THE_OPPONENT))
def test_what_is_only_asked_about_is_not_done(folder: Path, do: str) -> None:
    desk = Desk(folder)
    if do == "seal":
        desk.send("arbiter", "adjourn", {})
    elif do.endswith("-draw"):
        desk.send("opponent", "move", {"move": "e4"})
    made = len(desk.table.course.steps)
    desk.send("opponent", do, {"move": "e4", "of": "initial-position"}, preview=True)
    assert len(desk.table.course.steps) == made


@pytest.mark.parametrize("of", [["x"], {"a": 1}, 1, True, None])
def test_a_claim_that_is_no_text_is_refused(folder: Path, of: object) -> None:
    reply = Desk(folder).send("opponent", "claim", {"of": of})
    assert (reply.status, reply.sentence) == (400, "I claim: this cannot be read.")


@pytest.mark.parametrize("do", ["move", "seal", "claim"])
@pytest.mark.parametrize("move", [["e4"], {"e4": 1}, 4, "e4\ud800", "e" * 101])
def test_a_move_that_is_no_text_is_refused(folder: Path, do: str, move: object) -> None:
    desk = Desk(folder)
    if do == "seal":
        desk.send("arbiter", "adjourn", {})
    made = len(desk.table.course.steps)
    assert desk.send("opponent", do, {"of": "threefold", "move": move}).status == 400
    assert len(desk.table.course.steps) == made


@pytest.mark.parametrize(
    ("do", "values"),
    [
        ("note", {"about": "\ud800"}),
        ("penalty", {"side": "white", "kind": "warning", "reason": "\ud800"}),
        ("adjourn", {"resumption": "at ten \udfff"}),
        ("announce", {"side": "white", "move": "e4\ud800"}),
    ],
)
def test_text_that_the_journal_could_not_hold_is_refused(
    folder: Path, do: str, values: dict[str, Any]
) -> None:
    desk = Desk(folder)
    reply = desk.send("arbiter", do, values)
    assert reply.status == 400
    assert reply.sentence.endswith(": this cannot be read.")
    assert len(desk.table.course.steps) == 1
