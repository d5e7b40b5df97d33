"""The arbiter's page: every verb has a form that first says what it will do, then does it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from page_game import Browser, Room, wait_for

from assistant.arbiter.forms import FORMS, read_time, time_text
from assistant.laws import Event, Referee, ScriptError
from assistant.laws.script import REQUIRED
from assistant.sealing import Work, new_key, public_key
from assistant.sides import SIDES
from assistant.speaking import LANGUAGES
from assistant.table.adjourning import keep_key
from assistant.table.setup import Opponent, Person


@pytest.fixture
def arbiter(room: Room) -> Browser:
    room.type("e4", "")
    return Browser(room, "arbiter")


def done(browser: Browser, do: str, **values: Any) -> str:
    """Let an action be done as on the page: first the sentence, then the action; return what it brought."""
    status, answer = browser.act(do, values, preview=True)
    assert status == 200, answer
    status, answer = browser.act(do, values)
    assert status == 200, answer
    return str(answer["sentence"])


def test_every_verb_of_the_game_script_has_a_form() -> None:
    sealed_by_its_player = {"seal"}
    assert {form.do for form in FORMS} - {"answer-call", "sign", "close"} == set(
        REQUIRED
    ) - sealed_by_its_player


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_is_there_in_every_language(room: Room, language: str) -> None:
    forms = Browser(room, "arbiter", language).session["forms"]
    assert len(forms) == len(FORMS)
    for form in forms:
        assert form["title"]
        assert all(field["label"] for field in form["fields"])


@pytest.mark.parametrize(("laws", "has_fine"), [("2009", False), ("2014", True), ("2023", True)])
def test_only_penalties_that_the_edition_knows_are_offered(
    rooms: Callable[..., Room], laws: str, has_fine: bool
) -> None:
    """13.4 of 2009 has no fine."""
    forms = {form["do"]: form for form in Browser(rooms(laws=laws), "arbiter").session["forms"]}
    kinds = [
        value
        for field in forms["penalty"]["fields"]
        if field["name"] == "kind"
        for value, _ in field["choices"]
    ]
    assert ("fine" in kinds, "expulsion" in kinds) == (has_fine, True)


def test_an_action_says_what_it_will_do_and_does_nothing_yet(room: Room, arbiter: Browser) -> None:
    lines = len(room.journal())
    values = {"side": "black", "kind": "add-opponent", "seconds": "2:00", "reason": "noise"}
    status, answer = arbiter.act("penalty", values, preview=True)
    assert (status, answer["sentence"]) == (
        200,
        "Black will be penalised: more time for the opponent. Time: 0:02:00. "
        "Points: not given. Reason: noise.",
    )
    assert len(room.journal()) == lines


def test_what_an_action_will_bring_is_judged_once(
    room: Room, arbiter: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of a game is judged again for it, in the thread of those who play."""
    assert Browser(room, "opponent").act("claim", {"of": "two-hands"})[0] == 200
    judged: list[str] = []
    foresee = Referee.foresee

    def count(referee: Referee, line: Mapping[str, Any]) -> list[Event]:
        judged.append(str(line["do"]))
        return foresee(referee, line)

    monkeypatch.setattr(Referee, "foresee", count)
    values = {"claim": "reject", "seconds": "1:00"}
    assert "Time for the opponent: 0:01:00." in arbiter.act("rule", values, preview=True)[1]["sentence"]
    assert judged == ["rule"]


def test_the_word_for_a_telephone_that_rang_is_shown_as_what_it_does(arbiter: Browser) -> None:
    """The Laws fix the score for this reason (2009 12.3.b): it is no text beside points that he chooses."""
    penalty = {"side": "black", "kind": "loss", "points": "1", "reason": "phone"}
    _, shown = arbiter.act("penalty", penalty, preview=True)
    assert "Points: as the Laws have it. Reason: His telephone made a sound." in shown["sentence"]


def test_a_telephone_that_rings_loses_with_the_score_that_the_laws_fix(rooms: Callable[..., Room]) -> None:
    """2009 12.3.b: the opponent scores a draw if he cannot win by any series of legal moves."""
    room = rooms(laws="2009", fen="4k3/8/8/8/8/8/3q4/K7 w - - 0 1")
    arbiter = Browser(room, "arbiter")
    rang = {"side": "black", "kind": "loss", "points": "1", "phone-rang": True, "reason": "in his bag"}
    _, shown = arbiter.act("penalty", rang, preview=True)
    assert "Points: as the Laws have it. Reason: His telephone made a sound; in his bag." in shown["sentence"]
    done(arbiter, "penalty", **rang)
    assert arbiter.state()["result"] == "1/2-0"
    line = room.journal()[-1]
    assert (line["reason"], line["remark"]) == ("phone", "in his bag")


def test_two_reasons_are_set_apart_as_the_language_does(room: Room) -> None:
    arbiter = Browser(room, "arbiter", language="fr")
    rang = {"side": "black", "kind": "warning", "phone-rang": True, "reason": "fort"}
    assert "\N{NO-BREAK SPACE}; fort." in arbiter.act("penalty", rang, preview=True)[1]["sentence"]


@pytest.mark.parametrize(("language", "written"), [("en", "bxc4"), ("de", "bxc4"), ("fr", "bxc4")])
def test_a_sentence_that_begins_with_a_move_leaves_its_letters(
    rooms: Callable[..., Room], language: str, written: str
) -> None:
    """bxc4 is a pawn's move, Bxc4 a bishop's; in German and French the d and f of a pawn are pieces' too."""
    room = rooms(fen="4k3/8/8/1p6/2P5/8/8/4K3 b - - 0 1")
    for do in ("announce", "place"):
        arbiter = Browser(room, "arbiter", language)
        sentence = arbiter.act(do, {"side": "black", "move": "b5c4"}, preview=True)[1]["sentence"]
        assert sentence.startswith(f"{written} ")


def test_a_penalty_has_no_time_that_its_kind_does_not_have(room: Room, arbiter: Browser) -> None:
    values = {"side": "black", "kind": "warning", "seconds": "2:00", "points": "1"}
    sentence = arbiter.act("penalty", values, preview=True)[1]["sentence"]
    assert "Time: not given. Points: not given." in sentence
    done(arbiter, "penalty", **values)
    assert not {"seconds", "points"} & room.journal()[-1].keys()


def test_a_field_that_is_wrong_is_named(arbiter: Browser) -> None:
    wrong = {
        "seconds": arbiter.act("penalty", {"side": "black", "kind": "reduce"}, preview=True),
        "white": arbiter.act("set-clock", {"white": "1h30"}, preview=True),
        "move": arbiter.act("announce", {"side": "black", "move": "x9"}, preview=True),
        "article": arbiter.act("ask", {"about": "law"}, preview=True),
    }
    for field, (status, answer) in wrong.items():
        assert (status, answer["field"]) == (400, field)
    assert "field" not in arbiter.act("restore", {"ply": "99"}, preview=True)[1]


@pytest.mark.parametrize(
    ("do", "values"),
    [
        ("restore", {"ply": "99"}),
        ("resume", {}),
        ("rule", {"claim": "accept"}),
        ("accept-draw", {"side": "black"}),
        ("envelope-lost", {}),
    ],
)
def test_what_would_be_refused_is_not_told_as_what_will_happen(
    room: Room, arbiter: Browser, do: str, values: dict[str, str]
) -> None:
    lines = len(room.journal())
    status, shown = arbiter.act(do, values, preview=True)
    assert (status, shown["sentence"][:9]) == (409, "Not done.")
    assert len(room.journal()) == lines
    assert arbiter.act(do, values) == (status, shown)


def test_after_the_end_nothing_is_told_as_what_will_happen(room: Room, arbiter: Browser) -> None:
    done(arbiter, "result", result="1-0")
    for preview in (True, False):
        status, answer = arbiter.act("result", {"result": "0-1"}, preview=preview)
        assert (status, answer["sentence"]) == (409, "Not done. The game is over.")
    done(arbiter, "note", about="The result was contested.")


def test_a_penalty_is_in_the_journal_and_told_to_everybody(room: Room, arbiter: Browser) -> None:
    sentence = done(arbiter, "penalty", side="black", kind="add-opponent", seconds="2:00")
    assert sentence == "Penalty for Black. White gets two minutes more."
    line = room.journal()[-1]
    assert (line["do"], line["seconds"], line["desk"]) == ("penalty", 120, "arbiter")
    assert room.said[-1] == "Hector: Strafe für Schwarz. Weiß bekommt zwei Minuten dazu."
    assert "Penalty for Black. White gets two minutes more." in Browser(room).log()


def test_the_clocks_are_stopped_set_and_run_again(room: Room, arbiter: Browser) -> None:
    done(arbiter, "stop-clock", reason="disturbance")
    status, answer = arbiter.act("set-clock", {"white": "1:00:00", "black": "59:30"}, preview=True)
    assert (status, answer["sentence"]) == (
        200,
        "The clocks will be set: White 1:00:00, Black 0:59:30, move counter unchanged.",
    )
    done(arbiter, "set-clock", white="1:00:00", black="59:30")
    assert arbiter.state()["clocks"]["white"] == 3_600_000
    assert arbiter.state()["clocks"]["black"] == 3_570_000
    done(arbiter, "resume")
    assert arbiter.state()["clocks"]["running"] == "black"


def test_a_position_is_restored(room: Room, arbiter: Browser) -> None:
    Browser(room, "opponent").act("move", {"move": "e5"})
    status, answer = arbiter.act("restore", {"ply": "1"}, preview=True)
    assert status == 200
    assert "after half-move 1 will be put back (1. e4)" in answer["sentence"]
    done(arbiter, "restore", ply="1")
    state = arbiter.state()
    assert len(state["moves"]) == 1
    assert "e5" not in state["board"]


def test_the_moves_of_a_game_that_black_began_are_numbered_as_on_its_sheet(
    rooms: Callable[..., Room],
) -> None:
    room = rooms(fen="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 20")
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    opponent.act("move", {"move": "e5"})
    opponent.act("press")
    room.type("Nf3", "")
    start = '[SetUp "1"]\n[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 20"]\n\n'
    sheets = {"white": f"{start}20... e5 21. Nc3 *", "black": f"{start}20... e5 21. Nf3 *"}
    assert arbiter.act("sheets", sheets)[1]["sentence"].startswith("First difference at 21.:")
    assert done(arbiter, "ask", about="arbiters-sheet") == "20... e5 21. Nf3"
    assert done(arbiter, "restore", ply="2") == "Back to the position after White's move twenty-one."
    assert "Back to the position after White's move twenty-one." in arbiter.log()


def test_open_questions_come_first_and_are_ruled_on(room: Room, arbiter: Browser) -> None:
    opponent = Browser(room, "opponent")
    opponent.act("move", {"move": "e5"})
    done(arbiter, "claim", side="black", of="flag", wait=True)
    questions = arbiter.state()["questions"]
    assert [question["text"] for question in questions] == ["Black claims: time exceeded."]
    assert "A claim waits for the arbiter." in opponent.state()["status"]
    assert "questions" not in opponent.state()
    stale, _ = arbiter.act("rule", {"claim": "reject", "question": "conduct:white"})
    assert stale == 409
    values = {"claim": "reject", "question": questions[0]["id"], "questionText": questions[0]["text"]}
    status, answer = arbiter.act("rule", values, preview=True)
    assert (status, answer["sentence"]) == (
        200,
        'The question "Black claims: time exceeded." will be answered: reject. '
        "Time for the opponent: not given.",
    )
    assert arbiter.act("rule", values)[0] == 200
    assert arbiter.state()["questions"] == []


def test_where_nothing_waits_nothing_is_ruled_on(arbiter: Browser) -> None:
    status, answer = arbiter.act("rule", {"claim": "accept"})
    assert status == 409
    assert answer["sentence"] == "Not done. Nothing waits for the arbiter. (2023 9.5.1)"


def test_a_ruling_on_a_position_that_has_changed_is_asked_for_again(room: Room, arbiter: Browser) -> None:
    seen = arbiter.mark
    assert Browser(room, "opponent").act("move", {"move": "e5"})[0] == 200
    status, answer = arbiter.act("restore", {"ply": "0"}, seen=seen)
    assert (status, answer["stale"]) == (409, True)
    assert room.table.plies == 2


def test_the_two_sheets_are_compared_and_the_first_difference_told(room: Room, arbiter: Browser) -> None:
    opponent = Browser(room, "opponent")
    opponent.act("move", {"move": "e5"})
    opponent.act("press")
    status, answer = arbiter.act("sheets", {"white": "1. e4 e5 2. Sf3 Sc6", "black": "1. e4 e5 2. Nf3 d6"})
    assert status == 200
    assert answer["sentence"].startswith(
        "First difference at 2...: White's sheet has Sc6, Black's sheet has d6."
    )
    assert answer["restore"] == 3
    status, answer = arbiter.act("sheets", {"white": "1. e4 e5", "black": '[Event "x"]\n\n1. e4 {good} e5 *'})
    assert (status, answer["sentence"]) == (200, "The two sheets agree.")


def test_what_the_arbiter_asks_is_told_to_him_alone(room: Room, arbiter: Browser) -> None:
    said = list(room.said)
    assert done(arbiter, "ask", about="times").startswith("White: one hour thirty minutes.")
    assert "same position" in done(arbiter, "ask", about="law", article="9.2.1")
    assert room.said == said
    assert not any("question:" in entry for entry in Browser(room, "opponent").log())
    assert "Arbiter, question: times." in arbiter.log()


def test_what_the_arbiter_asks_is_answered_in_his_language(room: Room) -> None:
    room.type("e4", "")
    Browser(room, "opponent").act("move", {"move": "Nf6"})
    arbiter = Browser(room, "arbiter", "de")
    law = done(arbiter, "ask", about="law", article="9.2")
    assert law.startswith("Wer am Zug ist, kann Remis reklamieren")
    assert law in arbiter.log()
    assert done(arbiter, "ask", about="arbiters-sheet") == "1. e4 Sf6"
    assert "seinen letzten Zug aufgezeichnet" in done(arbiter, "ask", about="recording")


def test_a_game_that_goes_on_is_neither_signed_nor_closed(arbiter: Browser) -> None:
    for verb, values in (("close", {}), ("sign", {"side": "arbiter"})):
        assert arbiter.act(verb, values) == (409, {"ok": False, "sentence": "The game is not over."})


def test_why_something_was_refused_is_told_in_every_language(room: Room) -> None:
    room.type("e4", "")
    arbiter = Browser(room, "arbiter", "de")
    status, answer = arbiter.act("restore", {"ply": "99"})
    assert (status, answer["sentence"]) == (
        409,
        "Nicht ausgeführt. Der letzte Halbzug hat die Nummer 1. (2023 7.1)",
    )
    assert "Abgelehnt: Der letzte Halbzug hat die Nummer 1." in arbiter.log()
    opponent = Browser(room, "opponent", "es")
    _, answer = opponent.act("accept-draw")
    assert "No se han ofrecido tablas." in answer["sentence"]


def test_a_wrong_field_is_named(arbiter: Browser) -> None:
    for do, values, sentence in [
        ("set-clock", {"white": "1:75:00"}, "White's clock, h:mm:ss (empty: as it is): this cannot be read."),
        ("penalty", {"side": "black", "kind": "beheading"}, "Penalty: this cannot be read."),
        ("penalty", {"kind": "warning"}, "Player: please fill this in."),
        ("restore", {"ply": "-1"}, "After half-move number (0: initial position): this cannot be read."),
        ("touch", {"side": "white", "squares": "g1 z9"}, None),
        ("note", {"about": "x" * 600}, "Remark: this cannot be read."),
    ]:
        status, answer = arbiter.act(do, values)
        assert status == 400
        assert sentence is None or answer["sentence"] == sentence


def test_a_line_that_the_referee_cannot_read_changes_nothing(room: Room, arbiter: Browser) -> None:
    lines = len(room.journal())
    status, answer = arbiter.act("penalty", {"side": "black", "kind": "add-opponent"})
    assert status == 400
    assert answer["sentence"] == "Time, m:ss: please fill this in."
    assert len(room.journal()) == lines
    with pytest.raises(ScriptError):
        room.table.act({"do": "dance"}, room.now)


def test_what_is_withdrawn_is_what_was_shown(room: Room, arbiter: Browser) -> None:
    done(arbiter, "penalty", side="black", kind="warning")
    status, shown = arbiter.act("undo", {}, preview=True)
    assert (status, "Impose a penalty" in shown["sentence"]) == (200, True)
    done(arbiter, "penalty", side="white", kind="warning")
    status, answer = arbiter.act("undo", {"line": shown["line"]})
    assert (status, answer["stale"]) == (409, True)
    assert room.journal()[-1]["do"] == "penalty"


def test_the_arbiter_withdraws_his_own_line_and_no_question_after_it(room: Room, arbiter: Browser) -> None:
    done(arbiter, "penalty", side="black", kind="warning")
    room.type("t")
    status, shown = arbiter.act("undo", {}, preview=True)
    assert (status, "Impose a penalty (Black" in shown["sentence"]) == (200, True)
    room.type("l")
    assert arbiter.act("undo", {"line": shown["line"]})[0] == 200
    assert [line["do"] for line in room.table.course.referee.lines][-2:] == ["ask", "ask"]
    assert "penalty" not in [line["do"] for line in room.table.course.referee.lines]


@pytest.mark.parametrize(
    ("verb", "values", "ends"),
    [
        ("penalty", {"side": "white", "kind": "reduce", "seconds": "99:00:00"}, True),
        ("penalty", {"side": "white", "kind": "reduce", "seconds": "0:01"}, False),
        ("penalty", {"side": "white", "kind": "loss", "points": "1"}, True),
        ("set-clock", {"white": "0:00"}, True),
        ("set-clock", {"white": "1:00"}, False),
    ],
)
def test_the_arbiter_is_told_before_that_a_line_would_end_the_game(
    room: Room, arbiter: Browser, verb: str, values: dict[str, str], ends: bool
) -> None:
    status, shown = arbiter.act(verb, values, preview=True)
    assert (status, "Black wins: " in shown["sentence"]) == (200, ends)
    assert not room.table.over


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2"])
def test_a_result_is_declared(room: Room, arbiter: Browser, result: str) -> None:
    done(arbiter, "result", result=result)
    assert arbiter.state()["result"] == result
    assert arbiter.state()["status"][0].startswith(f"The game is over: {result}, decision of the arbiter.")


def test_at_the_end_both_players_and_the_arbiter_sign(rooms: Callable[..., Room]) -> None:
    room = rooms()
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    assert opponent.act("sign")[0] == 409
    assert opponent.act("resign")[0] == 200
    status, answer = opponent.act("sign", preview=True)
    assert (status, answer["sentence"]) == (200, "You sign the result 1-0 (2023 8.7).")
    assert opponent.act("sign")[0] == 200
    status, answer = arbiter.act("sign", {"side": "arbiter"}, preview=True)
    assert status == 200 and "1-0" in answer["sentence"]
    assert arbiter.act("sign", {"side": "white"})[0] == 200
    assert arbiter.act("sign", {"side": "arbiter"})[0] == 200
    assert [each["signed"] for each in arbiter.state()["signatures"]] == [True, True, True]
    assert "White: result 1-0 confirmed before the arbiter." in opponent.log()
    assert [line["signed"] for line in room.journal() if line["do"] == "note"] == [
        "black",
        "white",
        "arbiter",
    ]
    assert room.page.stays
    assert arbiter.act("close")[0] == 200
    wait_for(lambda: not room.page.stays)
    port = room.port
    room.close()
    assert [each["signed"] for each in Browser(rooms(port=port), "arbiter").state()["signatures"]] == [
        True
    ] * 3


def test_the_arbiter_signs_for_himself_and_for_the_blind_player_alone(rooms: Callable[..., Room]) -> None:
    """8.7: the opponent, who sees, signs himself."""
    room = rooms()
    arbiter = Browser(room, "arbiter")
    sign = next(form for form in arbiter.session["forms"] if form["do"] == "sign")
    assert [choice for choice, _ in sign["fields"][0]["choices"]] == ["arbiter", "white"]
    before = arbiter.act("sign", {"side": "arbiter"}, preview=True)
    assert before == (409, {"ok": False, "sentence": "The game is not over."})
    assert Browser(room, "opponent").act("resign")[0] == 200
    _, answer = arbiter.act("sign", {"side": "arbiter"}, preview=True)
    assert answer["sentence"] == "You sign the result 1-0 as arbiter."
    _, answer = arbiter.act("sign", {"side": "white"}, preview=True)
    assert answer["sentence"] == "White confirms the result 1-0 before you; you sign as witness."
    for preview in (True, False):
        status, answer = arbiter.act("sign", {"side": "black"}, preview=preview)
        assert (status, answer["sentence"]) == (409, "Black signs the result on his own page.")
    assert arbiter.act("sign", {"side": "white"})[0] == 200
    assert [each["text"] for each in arbiter.state()["signatures"]] == [
        "White: result 1-0 confirmed before the arbiter.",
        "Black: not signed yet.",
        "Arbiter: not signed yet.",
    ]


def test_nobody_signs_twice(room: Room) -> None:
    """Two windows may show the button, or the question, that one of them has answered."""
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    assert opponent.act("resign")[0] == 200
    signing = [(opponent, {}), (arbiter, {"side": "arbiter"}), (arbiter, {"side": "white"})]
    for browser, who in signing:
        assert browser.act("sign", who)[0] == 200
        for preview in (True, False):
            status, answer = browser.act("sign", who, preview=preview)
            assert status == 409
            assert answer["sentence"] == "This was carried out already; it is not done twice."
    signed = [line["signed"] for line in room.journal() if line["do"] == "note"]
    assert signed == ["black", "arbiter", "white"]


def test_of_two_blind_players_the_arbiter_is_witness(rooms: Callable[..., Room]) -> None:
    blind = {side: Person(name=side, blind=True) for side in SIDES}
    arbiter = Browser(rooms(**blind), "arbiter")
    sign = next(form for form in arbiter.session["forms"] if form["do"] == "sign")
    assert [choice for choice, _ in sign["fields"][0]["choices"]] == ["arbiter", "white", "black"]


def test_for_an_engine_nobody_signs_in_as_the_opponent(rooms: Callable[..., Room]) -> None:
    """It moves by itself; whoever had its PIN could move and resign for it."""
    room = rooms(start=False, mode="club", engine=Opponent("stockfish", side="black"))
    visitor = Browser(room)
    assert "opponent" not in visitor.session["roles"]
    assert visitor.sign_in("opponent")[0] == 403
    assert not any("opponent" in line for line in room.shown)


def test_of_two_blind_players_none_signs_in_as_the_opponent(rooms: Callable[..., Room]) -> None:
    room = rooms(**{side: Person(name=side, blind=True) for side in SIDES}, start=False)
    visitor = Browser(room)
    assert "opponent" not in visitor.session["roles"]
    assert visitor.sign_in("opponent")[1]["sentence"] == "There is no PIN for that in this game."
    assert not any("opponent" in line for line in room.shown)


def test_no_press_is_foretold_where_there_is_none_to_be_made(room: Room) -> None:
    arbiter = Browser(room, "arbiter")
    room.type("e4")
    white, black = (arbiter.act("press", {"side": side}, preview=True)[1]["sentence"] for side in SIDES)
    assert white == "The clock of White will be pressed for him."
    assert black == "Not done. The player's clock is not running. (2023 6.2.1)"


def test_the_clock_is_started_once(rooms: Callable[..., Room]) -> None:
    room = rooms(start=False)
    arbiter = Browser(room, "arbiter")
    assert arbiter.state()["phase"] == "waiting"
    status, answer = arbiter.act("penalty", {"side": "white", "kind": "warning"})
    assert (status, answer["sentence"]) == (409, "The clock has not been started.")
    assert arbiter.act("start")[0] == 200
    wait_for(lambda: bool(room.table.course.steps))
    assert arbiter.act("start")[0] == 409
    assert [line["do"] for line in room.journal()] == ["start"]


def test_a_line_is_named_before_it_is_withdrawn(room: Room, arbiter: Browser) -> None:
    Browser(room, "opponent").act("move", {"move": "Nf6"})
    status, answer = arbiter.act("undo", preview=True)
    assert status == 200
    assert re.fullmatch(
        r"The last line of this record will be withdrawn: Announce a move \(Black, Nf6, 0:00:\d\d\)\.",
        answer["sentence"],
    )
    done(arbiter, "undo")
    done(arbiter, "stop-clock")
    assert ": Stop the clocks (0:00:" in arbiter.act("undo", preview=True)[1]["sentence"]


def test_a_sealed_move_is_not_named_before_it_is_withdrawn(room: Room, arbiter: Browser) -> None:
    keep_key(room.folder, public_key(new_key("drei kleine Springer", Work(1, 8192))))
    done(arbiter, "adjourn", resumption="Sunday")
    assert Browser(room, "opponent").act("seal", {"move": "c5"})[0] == 200
    sentence = arbiter.act("undo", preview=True)[1]["sentence"]
    assert ": Seal a move (Black, 0:00:" in sentence
    assert "c5" not in sentence


def test_the_start_of_the_clock_is_not_withdrawn(rooms: Callable[..., Room]) -> None:
    room = rooms()
    arbiter = Browser(room, "arbiter", "de")
    for preview in (True, False):
        status, answer = arbiter.act("undo", preview=preview)
        assert (status, answer["sentence"]) == (
            409,
            "Nicht ausgeführt. Der Start der Uhr kann nicht zurückgenommen werden.",
        )
    room.type("e4", "")
    assert [move["text"] for move in arbiter.state()["moves"]] == ["e4"]


def test_clocks_whose_stop_is_withdrawn_are_shown_as_running(room: Room, arbiter: Browser) -> None:
    done(arbiter, "stop-clock")
    assert arbiter.state()["phase"] == "stopped"
    done(arbiter, "undo")
    state = arbiter.state()
    assert (state["phase"], state["clocks"]["running"]) == ("playing", "black")
    assert "The clocks are stopped." not in state["status"]
    assert room.said[-2:] == [
        "Hector: Der letzte Eintrag ist zurückgenommen.",
        "Hector: Die Uhr von Schwarz läuft.",
    ]
    done(arbiter, "stop-clock")
    done(arbiter, "resume")
    done(arbiter, "undo")
    assert room.said[-1] == "Hector: Die Uhren stehen."


def test_a_game_whose_adjournment_is_withdrawn_goes_on(room: Room, arbiter: Browser) -> None:
    keep_key(room.folder, public_key(new_key("drei kleine Springer", Work(1, 8192))))
    done(arbiter, "adjourn", resumption="Sunday")
    assert arbiter.state()["phase"] == "sealing"
    done(arbiter, "undo")
    opponent = Browser(room, "opponent")
    state = opponent.state()
    assert (state["phase"], state["seals"]) == ("playing", False)
    assert opponent.act("move", {"move": "e5"})[0] == 200


def test_an_envelope_is_closed_for_good(room: Room, arbiter: Browser) -> None:
    keep_key(room.folder, public_key(new_key("drei kleine Springer", Work(1, 8192))))
    done(arbiter, "adjourn", resumption="Sunday")
    opponent = Browser(room, "opponent")
    opponent.act("seal", {"move": "c5"})
    assert opponent.state()["seals"] is True
    done(arbiter, "stop-clock")
    status, answer = arbiter.act("undo", {}, preview=True)
    assert status == 409 and "The envelope is closed" in str(answer["sentence"])
    assert opponent.state()["seals"] is False


def test_men_are_moved_and_clocks_pressed_on_behalf_of_the_blind_player(rooms: Callable[..., Room]) -> None:
    room = rooms()
    arbiter = Browser(room, "arbiter")
    done(arbiter, "announce", side="white", move="Nf3")
    done(arbiter, "correct", side="white", move="Nh3")
    done(arbiter, "press", side="white")
    assert [move["text"] for move in arbiter.state()["moves"]] == ["Nh3"]
    assert [line["do"] for line in room.journal()] == ["start", "announce", "correct", "place", "press"]
    done(arbiter, "touch", side="black", squares="g8 f6", order=True)
    assert room.journal()[-1]["order"] == "unknown"
    assert "Black touched g8, f6." in arbiter.log()
    assert "Black touched g8, f6." not in Browser(room).log()


@pytest.mark.parametrize(
    ("given", "seconds"),
    [("1:30:00", 5400), ("2:00", 120), ("90", 90), ("0:00:07.5", 7.5), ("7,5", 7.5), ("1:60", None),
     ("x", None), ("", None), ("-5", None), ("1:2:3:4", None)],
)  # fmt: skip
def test_times_are_read_as_a_clock_shows_them(given: str, seconds: float | None) -> None:
    assert read_time(given) == seconds
    if seconds is not None:
        assert read_time(time_text(seconds, "de")) == seconds


@pytest.mark.parametrize(
    ("language", "time", "points"),
    [("en", "White 1:00:00.5", "Points: ½."), ("de", "Weiß 1:00:00,5", "Punkte: ½."),
     ("es", "blancas 1:00:00,5", "Puntos: ½."), ("fr", "Blancs 1:00:00,5", "Points\u00a0: ½."),
     ("pl", "białe 1:00:00,5", "Punkty: ½.")],
)  # fmt: skip
def test_numbers_are_written_as_the_language_writes_them(
    room: Room, language: str, time: str, points: str
) -> None:
    arbiter = Browser(room, "arbiter", language)
    times = arbiter.act("set-clock", {"white": "1:00:00.5"}, preview=True)[1]["sentence"]
    assert time in times
    values = {"side": "black", "kind": "points-offender", "points": "1/2"}
    assert points in arbiter.act("penalty", values, preview=True)[1]["sentence"]
    forms = {form["do"]: form["fields"] for form in arbiter.session["forms"]}
    choices = next(field["choices"] for field in forms["penalty"] if field["name"] == "points")
    assert choices == [["", ""], ["1/2", "½"], ["1", "1"]]


def test_where_any_of_several_fields_would_do_all_may_not_be_empty(arbiter: Browser) -> None:
    status, answer = arbiter.act("set-clock", {"setting": True}, preview=True)
    assert (status, answer["sentence"]) == (400, "All fields are empty: please fill in at least one.")
    assert answer["field"] == "white"


@pytest.mark.parametrize(
    ("language", "who"), [("de", "der Gegner"), ("fr", "l'adversaire"), ("es", "el rival")]
)
def test_who_signs_in_is_named_as_in_the_middle_of_a_sentence(room: Room, language: str, who: str) -> None:
    assert Browser(room, None, language).session["texts"]["as-opponent"] == who


def test_a_preview_says_what_an_action_does_in_an_adjournment(room: Room, arbiter: Browser) -> None:
    keep_key(room.folder, public_key(new_key("drei kleine Springer", Work(1, 8192))))

    def preview(do: str, **values: str) -> str:
        return str(arbiter.act(do, values, preview=True)[1]["sentence"])

    assert preview("stop-clock") == "Both clocks will be stopped."
    early = preview("adjourn", session_end="5:00:00", resumption="Sunday")
    assert "5:00:00" in early and "taken from his clock" in early
    done(arbiter, "adjourn", resumption="Sunday")
    assert Browser(room, "opponent").act("seal", {"move": "c5"})[0] == 200
    assert preview("stop-clock").startswith("The envelope will be closed")
    done(arbiter, "stop-clock")
    assert "agreed hour" in preview("resume")


def test_a_correction_after_the_press_is_read_where_the_move_was_announced(room: Room) -> None:
    """D.2.8 and D.2.9: it is too late, and the arbiter is asked which move counts."""
    arbiter = Browser(room, "arbiter")
    room.type("e4")
    done(arbiter, "place", side="white", move="d2d4")
    done(arbiter, "press", side="white")
    preview = arbiter.act("correct", {"side": "white", "move": "d4"}, preview=True)[1]["sentence"]
    assert "d2-d4" in preview or " d4" in preview
    status, answer = arbiter.act("correct", {"side": "white", "move": "d4"})
    assert status == 409
    assert "which move counts" in answer["sentence"]


def test_who_calls_the_arbiter_is_shown_until_the_clocks_run_again(room: Room, arbiter: Browser) -> None:
    opponent = Browser(room, "opponent")
    assert opponent.act("stop-clock")[0] == 200
    called = "Black has stopped the clocks and calls the arbiter."
    assert arbiter.state()["calls"] == [called]
    assert opponent.act("stop-clock")[0] == 200
    assert arbiter.state()["calls"] == [called]
    assert called in arbiter.log()
    assert "calls" not in opponent.state()
    done(arbiter, "resume")
    assert arbiter.state()["calls"] == []


def test_a_call_is_shown_until_the_arbiter_answers_it(room: Room, arbiter: Browser) -> None:
    assert arbiter.act("answer-call", preview=True) == (409, {"ok": False, "sentence": "Nobody calls you."})
    room.type("Schiedsrichter")
    assert arbiter.state()["calls"] == ["White calls the arbiter."]
    done(arbiter, "answer-call")
    assert arbiter.state()["calls"] == []
    assert arbiter.log()[-1] == "The arbiter has come."
    assert "The arbiter has come." not in Browser(room, "opponent").log()


def test_who_rules_is_told_that_the_clocks_stand_all_the_same(room: Room, arbiter: Browser) -> None:
    done(arbiter, "stop-clock")
    done(arbiter, "claim", side="white", of="initial-position")
    [asked] = arbiter.state()["questions"]
    told = done(arbiter, "rule", claim="reject", question=asked["id"], questionText=asked["text"])
    assert told.endswith("The clocks are stopped.")


def test_a_ruling_on_a_claim_answers_no_call(room: Room, arbiter: Browser) -> None:
    opponent = Browser(room, "opponent")
    done(arbiter, "claim", side="white", of="initial-position")
    assert opponent.act("stop-clock")[0] == 200
    called = ["Black calls the arbiter."]
    assert arbiter.state()["calls"] == called
    [asked] = arbiter.state()["questions"]
    done(arbiter, "rule", claim="reject", question=asked["id"], questionText=asked["text"])
    assert arbiter.state()["calls"] == called


def test_the_opponent_calls_although_no_clock_runs(rooms: Callable[..., Room]) -> None:
    room = rooms(time_control="-")
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    assert opponent.act("stop-clock")[0] == 200
    assert room.said[-1] == "Hector: Schiedsrichter, bitte!"
    assert arbiter.state()["calls"] == ["Black calls the arbiter."]


def test_a_call_whose_stop_of_the_clocks_is_withdrawn_is_none(room: Room, arbiter: Browser) -> None:
    Browser(room, "opponent").act("stop-clock")
    assert arbiter.act("undo")[0] == 200
    assert arbiter.state()["calls"] == []
    done(arbiter, "stop-clock")
    assert arbiter.state()["calls"] == []


def test_what_an_assistant_costs_is_asked_in_words_of_its_own(rooms: Callable[..., Room]) -> None:
    """2009 6.7.d: the question is neither a time to be set nor the claim that waits beside it."""
    room = rooms(laws="2009")
    arbiter = Browser(room, "arbiter")
    [asked] = arbiter.state()["questions"]
    assert (asked["id"], asked["text"], asked["proposal"]) == (
        "assistant-time:white",
        "Arbiter: White has an assistant. How much less time?",
        "Proposal: the clocks stay as they are.",
    )
    room.type("e4", "")
    done(arbiter, "claim", side="black", of="flag", wait=True)
    done(arbiter, "rule", claim="reject", question="flag:black")
    assert arbiter.act("rule", {"claim": "reject", "question": "flag:black"})[1].get("stale")
    assert [question["id"] for question in arbiter.state()["questions"]] == ["assistant-time:white"]
    done(arbiter, "set-clock", white="1:20:00")
    assert arbiter.state()["questions"] == []


def test_squares_that_are_proposed_to_the_arbiter_are_named(room: Room) -> None:
    room.type("e4", "")
    touch = {"do": "touch", "side": "black", "squares": ["g8", "b8"], "by": "assistant"}
    room.do(lambda: room.table.act(touch, room.now))
    [asked] = Browser(room, "arbiter").state()["questions"]
    assert asked["proposal"] == "Proposal: g8, b8."


def test_a_penalty_that_was_to_end_nothing_does_not_end_the_game_when_the_clock_has_run_on(
    room: Room,
) -> None:
    """A game that is over cannot be brought back: what ends it is told before it is done."""
    arbiter = Browser(room, "arbiter")
    values = {"side": "black", "kind": "reduce", "seconds": "5:00"}
    _, shown = arbiter.act("penalty", values, preview=True)
    assert "flag" not in shown["sentence"]
    # What takes minutes at the board: less is left than he takes.
    assert arbiter.act("set-clock", {"black": "4:00"})[0] == 200
    status, answer = arbiter.act("penalty", {**values, "ends": shown["ends"]})
    assert (status, answer["sentence"][:20]) == (409, "The game has gone on")
    assert arbiter.state()["phase"] != "over"
    _, shown = arbiter.act("penalty", values, preview=True)
    assert "Black's flag has fallen." in shown["sentence"]
    assert arbiter.act("penalty", {**values, "ends": shown["ends"]})[0] == 200
    assert arbiter.state()["phase"] == "over"
