"""A game on the page: the opponent moves, presses, offers, claims and resigns there."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from page_game import Browser, Room

from assistant.arbiter.forms import BY_VERB, read_form
from assistant.arbiter.typed import usage
from assistant.sealing import Work, new_key, public_key
from assistant.speaking import LANGUAGES
from assistant.table.adjourning import keep_key
from assistant.table.setup import EventRules

SCHOLARS_MATE = [("e4", "e5"), ("Läufer Cesar vier", "Nc6"), ("Dh5", "Nf6")]
"""White types German at the table, Black English on the page."""


def test_a_whole_game_of_a_blind_player_and_an_opponent_on_the_page(room: Room) -> None:
    opponent = Browser(room, "opponent")
    for white, black in SCHOLARS_MATE:
        room.type(white, "")
        assert opponent.act("move", {"move": black})[0] == 200
        assert opponent.act("press")[0] == 200
    room.type("Dxf7", "")
    state = opponent.state()
    assert state["phase"] == "over"
    assert state["result"] == "1-0"
    assert [move["text"] for move in state["moves"]][:3] == ["e2-e4", "e7-e5", "Bf1-c4"]
    played = [line["move"] for line in room.journal() if line["do"] == "announce"]
    assert played == ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]


def test_a_rated_game_never_says_whether_the_opponents_move_is_legal(room: Room) -> None:
    opponent = Browser(room, "opponent")
    room.type("e4", "")
    legal = opponent.act("move", {"move": "g8f6"})
    assert opponent.act("press")[0] == 200
    room.type("d4", "")
    illegal = opponent.act("move", {"move": "b8b6"})
    assert [status for status, _ in (legal, illegal)] == [200, 200]
    assert illegal[1]["sentence"] == legal[1]["sentence"].replace("Ng8-f6", "Nb8-b6")
    assert opponent.act("press")[0] == 200
    state = opponent.state()
    assert [move["text"] for move in state["moves"]] == ["e2-e4", "Ng8-f6", "d2-d4", "Nb8-b6"]
    assert not any("illegal" in move for move in state["moves"])
    assert "llegal" not in " ".join(opponent.log())
    moves = Browser(room, "arbiter").state()["moves"]
    assert [move.get("illegal", False) for move in moves] == [False, False, False, True]


def test_a_club_game_refuses_an_illegal_move_at_once(rooms: Callable[..., Room]) -> None:
    room = rooms(mode="club")
    opponent = Browser(room, "opponent")
    room.type("e4", "")
    status, answer = opponent.act("move", {"move": "b8b6"})
    assert status == 409
    assert answer["sentence"].startswith("Not done.")
    assert len(opponent.state()["moves"]) == 1


def test_the_blind_player_hears_the_move_that_was_made_on_the_page(room: Room) -> None:
    room.type("e4", "")
    Browser(room, "opponent").act("move", {"move": "Nf6"})
    assert room.said[-1] == "Hector: Springer Felix sechs"


def test_nothing_that_the_page_refuses_is_said_aloud(room: Room) -> None:
    room.type("e4", "")
    said = list(room.said)
    opponent = Browser(room, "opponent")
    for verb in ("accept-draw", "decline-draw"):
        assert opponent.act(verb)[0] == 409
    assert opponent.act("move", {"move": "zzz"})[0] == 400
    assert room.said == said


def test_the_opponent_repeats_the_announcement_by_typing_it(room: Room) -> None:
    room.type("Sf3")
    status, answer = Browser(room, "opponent").act("move", {"move": "Nf3"})
    assert (status, answer["sentence"]) == (200, "Repeated: Ng1-f3.")
    assert room.journal()[-1]["do"] == "repeat"
    assert room.journal()[-1]["side"] == "black"


def test_a_draw_is_offered_on_the_page_and_accepted_at_the_table(room: Room) -> None:
    opponent = Browser(room, "opponent")
    room.type("e4", "")
    opponent.act("move", {"move": "e5"})
    assert opponent.act("offer-draw")[0] == 200
    assert opponent.state()["offer"] == "black"
    assert room.said[-1] == "Hector: Remisangebot von Schwarz."
    room.type("accept", "")
    # The sighted player's keys are his; the blind player answers in his own words.
    room.type("remis angenommen", "ja")
    assert opponent.state()["result"] == "1/2-1/2"


@pytest.mark.parametrize("written", ["e5 (=)", "e7-e5(=)", "e5 (=)."])
def test_a_draw_offer_beside_a_move_is_not_dropped_unheard(room: Room, written: str) -> None:
    opponent = Browser(room, "opponent")
    room.type("e4", "")
    status, answer = opponent.act("move", {"move": written})
    assert (status, answer["sentence"]) == (
        400,
        "The draw is offered apart: write the move without (=), then offer the draw.",
    )
    assert opponent.state()["pending"] is None


def test_accepting_a_draw_is_asked_back(room: Room) -> None:
    opponent = Browser(room, "opponent")
    _, answer = opponent.act("accept-draw", preview=True)
    assert answer["sentence"].startswith("Not done. No draw was offered.")
    room.type("e4", "remis", "ja", "", "e5", "")
    room.type("Sf3", "remis", "ja", "")
    status, answer = opponent.act("accept-draw", preview=True)
    asked = "You accept the draw, and the game ends. This cannot be taken back."
    assert (status, answer["sentence"]) == (200, asked)
    assert opponent.state()["phase"] == "playing"


def test_a_draw_is_offered_at_the_table_and_declined_on_the_page(room: Room) -> None:
    opponent = Browser(room, "opponent")
    room.type("e4", "remis", "ja")
    assert opponent.state()["offer"] == "white"
    assert opponent.act("decline-draw")[0] == 200
    assert opponent.state()["offer"] is None


def test_an_open_offer_is_put_to_whoever_may_answer_it(room: Room) -> None:
    opponent = Browser(room, "opponent")
    room.type("e4", "remis", "ja", "")
    assert opponent.state()["offered"] == "White has offered a draw."
    opponent.act("decline-draw")
    opponent.act("move", {"move": "e5"})
    opponent.act("offer-draw")
    assert (opponent.state()["offer"], opponent.state()["offered"]) == ("black", "")


def test_who_answers_a_draw_offer_with_a_move_is_told_of_both(room: Room) -> None:
    opponent = Browser(room, "opponent")
    room.type("e4", "Remis angeboten", "y", "")
    assert opponent.state()["offer"] == "white"
    _, answer = opponent.act("move", {"move": "e5"})
    assert answer["sentence"] == (
        "Announced: e7-e5. Press the clock when it stands on the board. Draw offer declined by Black."
    )


def test_resigning_is_asked_back(room: Room) -> None:
    opponent = Browser(room, "opponent")
    status, answer = opponent.act("resign", preview=True)
    assert (status, answer["sentence"]) == (200, "You resign this game. This cannot be taken back.")
    assert opponent.state()["phase"] == "playing"
    assert opponent.act("resign")[0] == 200
    assert opponent.state()["result"] == "1-0"


@pytest.mark.parametrize(
    ("claim", "asked"),
    [
        ({"of": "flag"}, "You claim: time exceeded. This cannot be taken back."),
        (
            {"of": "threefold", "move": "e5"},
            "You claim: threefold repetition, with the move e7-e5. This cannot be taken back.",
        ),
    ],
)
def test_a_claim_is_asked_back(room: Room, claim: dict[str, str], asked: str) -> None:
    """2023 9.5.3: one that is wrong gives the other player two minutes."""
    opponent = Browser(room, "opponent")
    room.type("e4", "")
    status, answer = opponent.act("claim", claim, preview=True)
    assert (status, answer["sentence"]) == (200, asked)
    assert opponent.state()["clocks"]["running"] == "black"


@pytest.mark.parametrize(("white", "black"), [("e2e4", "e7e5"), ("e2e5", "e7e4")])
def test_before_an_illegal_move_is_claimed_nobody_reads_whether_there_was_one(
    rooms: Callable[..., Room], white: str, black: str
) -> None:
    """Blitz-co 14: whoever has made an illegal move himself meanwhile may not claim the other one's."""
    room = rooms(laws="blitz-co", time_control="300")
    opponent = Browser(room, "opponent")
    room.type(white, "")
    opponent.act("move", {"move": black})
    opponent.act("press")
    status, answer = opponent.act("claim", {"of": "illegal-move"}, preview=True)
    assert (status, answer["sentence"]) == (200, "You claim: illegal move. This cannot be taken back.")


def test_a_claim_is_ruled_on_and_told_with_its_article(room: Room) -> None:
    opponent = Browser(room, "opponent")
    room.type("e2e5", "")
    status, answer = opponent.act("claim", {"of": "illegal-move"})
    assert status == 200
    assert answer["sentence"] == (
        "Black's claim is correct: illegal move. Illegal move number one by White. "
        "Black gets two minutes more. Back to the initial position."
    )
    with opponent.events() as events:
        log = events.next("state")["log"]
    assert {"2023 7.5.5", "2023 7.5.1"} & {entry.get("article") for entry in log}
    assert log[-1]["by"] == "on the opponent's page"


def test_only_a_claim_that_may_rest_on_a_move_reads_one(room: Room) -> None:
    """9.2.1.1, 9.3.1: what was intended for another claim stands in nobody's way."""
    opponent = Browser(room, "opponent")
    assert opponent.session["claimsWithMove"] == ["threefold", "fifty-moves"]
    room.type("e2e5", "")
    status, answer = opponent.act("claim", {"of": "fifty-moves", "move": "x9"})
    assert (status, answer["field"]) == (400, "move")
    assert answer["sentence"] == (
        "With the move I intend, if the claim rests on it: That could not be read as one move. "
        "Write it from square to square, for example g1f3."
    )
    assert opponent.act("claim", {"of": "illegal-move", "move": "x9"})[0] == 200
    assert "move" not in room.journal()[-1]


def test_a_corrected_announcement_is_answered_with_what_stands_now(room: Room) -> None:
    opponent = Browser(room, "opponent")
    room.type("e4", "")
    for move, stands in (("e5", "e7-e5"), ("d5", "d7-d5"), ("Nf6", "Ng8-f6")):
        status, answer = opponent.act("move", {"move": move})
        assert (status, answer["sentence"]) == (
            200,
            f"Announced: {stands}. Press the clock when it stands on the board.",
        )
    assert [line["do"] for line in room.journal()][-3:] == ["announce", "correct", "correct"]


@pytest.mark.parametrize("of", ["two-hands", "initial-position"])
@pytest.mark.parametrize("supervised", [True, False])
def test_a_claim_of_what_nothing_on_record_shows_waits_for_the_arbiter(
    rooms: Callable[..., Room], of: str, supervised: bool
) -> None:
    """7.5.4 and 7.2.1: only whoever saw the board knows whether it is true."""
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    room = rooms(fen=fen, time_control="900", rules=EventRules(supervised=supervised))
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    room.type("e4", "")
    before = opponent.state()["clocks"]["black"]
    status, answer = opponent.act("claim", {"of": of})
    assert status == 200 and answer["sentence"].endswith("The arbiter decides. The clocks are stopped.")
    state = arbiter.state()
    assert [question["id"] for question in state["questions"]] == [f"{of}:black"]
    assert state["phase"] == "stopped" and state["clocks"]["black"] <= before
    assert arbiter.act("rule", {"claim": "reject"})[0] == 200
    state = arbiter.state()
    assert (state["phase"], state["clocks"]["running"]) == ("playing", "black")
    assert state["clocks"]["black"] <= before


def test_a_claim_that_the_arbiter_passes_on_waits_for_his_ruling_and_his_own_does_not(room: Room) -> None:
    arbiter = Browser(room, "arbiter")
    room.type("e4", "")
    passed_on = {"side": "black", "of": "two-hands"}
    _, answer = arbiter.act("claim", passed_on, preview=True)
    assert answer["sentence"].endswith("Stop the clocks: yes.")
    assert arbiter.act("claim", passed_on)[0] == 200
    assert [question["id"] for question in arbiter.state()["questions"]] == ["two-hands:black"]
    assert arbiter.act("rule", {"claim": "reject"})[0] == 200
    _, answer = arbiter.act("claim", {"side": "arbiter", "of": "two-hands"})
    assert "Illegal move number one by White." in answer["sentence"]


def test_two_hands_that_the_arbiter_has_seen_are_those_of_the_half_move_that_was_shown(room: Room) -> None:
    """7.5.4; the last half-move is meant that was completed when he was asked back."""
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    room.type("e4", "")
    opponent.act("move", {"move": "e5"})
    seen = {"side": "arbiter", "of": "two-hands"}
    _, shown = arbiter.act("claim", seen, preview=True)
    assert "White used two hands for half-move 1, 1. e4." in shown["sentence"]
    opponent.act("press")
    _, answer = arbiter.act("claim", {**seen, "ply": shown["ply"]})
    assert "Illegal move number one by White." in answer["sentence"]


def test_no_half_move_is_proposed_for_two_hands_where_the_last_was_taken_back(room: Room) -> None:
    """2023 7.5.4: not that of the other player before it; the page shows the number, and nothing for 0."""
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    room.type("e4", "")
    opponent.act("move", {"move": "a8a5"})
    opponent.act("press")
    assert arbiter.state()["completed"] == 2
    arbiter.act("claim", {"side": "arbiter", "of": "illegal-move"})
    assert arbiter.state()["completed"] == 0
    opponent.act("move", {"move": "a7a5"})
    assert arbiter.state()["completed"] == 0
    opponent.act("press")
    assert arbiter.state()["completed"] == 2


@pytest.mark.parametrize("claim", [{"side": "black", "of": "two-hands"}, {"side": "arbiter", "of": "flag"}])
def test_a_half_move_belongs_to_the_two_hands_that_the_arbiter_has_seen(claim: dict[str, str]) -> None:
    assert "ply" not in read_form(BY_VERB["claim"], {**claim, "ply": "1"}, "en")


@pytest.mark.parametrize(("do", "values"), [("stop-clock", {}), ("claim", {"of": "flag"})])
def test_a_call_and_a_flag_count_whatever_was_announced_meanwhile(
    room: Room, do: str, values: dict[str, str]
) -> None:
    opponent = Browser(room, "opponent")
    seen = opponent.mark
    room.type("e4")
    assert opponent.act(do, values, seen=seen)[0] == 200


def test_stopping_the_clocks_calls_the_arbiter_aloud(room: Room) -> None:
    opponent = Browser(room, "opponent")
    assert opponent.act("stop-clock")[0] == 200
    assert opponent.state()["phase"] == "stopped"
    assert room.said[-1] == "Hector: Schiedsrichter, bitte!"


def test_the_press_counts_from_when_it_came(room: Room) -> None:
    room.type("e4", "")
    opponent = Browser(room, "opponent")
    before = room.now
    opponent.act("move", {"move": "e5"})
    opponent.act("press")
    line = room.journal()[-1]
    assert line["do"] == "press"
    assert before <= line["at"] <= room.now
    assert line["desk"] == "opponent"


def test_everything_is_there_in_every_language(room: Room) -> None:
    room.type("Sf3")
    seen = {language: Browser(room, "opponent", language).state()["status"][0] for language in LANGUAGES}
    assert seen == {
        "de": "Weiß hat Sg1-f3 angesagt.",
        "en": "White has announced Ng1-f3.",
        "es": "Las blancas han anunciado Cg1-f3.",
        "fr": "Les Blancs ont annoncé Cg1-f3.",
        "pl": "Białe zapowiedziały Sg1-f3.",
    }
    for language in seen:
        status, page = Browser(room, language=language).get("/")
        assert status == 200
        assert f'<html lang="{language}">' in page
        assert "{{" not in page
        assert all(f'hreflang="{other}"' in page for other in LANGUAGES)


@pytest.mark.parametrize("role", ["arbiter", "opponent", "spectator"])
def test_nobody_is_told_that_the_clock_is_not_pressed(room: Room, role: str) -> None:
    """2023 12.6: neither that the opponent has moved nor that he has not pressed his clock."""
    room.type("Sf3")
    told = Browser(room, role).state()["status"]
    assert not any("clock" in sentence or "press" in sentence for sentence in told)


def test_castling_and_captured_men(room: Room) -> None:
    opponent = Browser(room, "opponent")
    for white, black in [("e4", "d5"), ("e4d5", "Qxd5"), ("Sf3", "Qxa2"), ("Le2", "Qxa1")]:
        room.type(white, "")
        assert opponent.act("move", {"move": black})[0] == 200
        assert opponent.act("press")[0] == 200
    room.type("kurze rochade", "")
    state = opponent.state()
    assert state["moves"][-1]["text"] == "0-0"
    assert (state["board"]["g1"], state["board"]["f1"]) == ("K", "R")
    assert state["captured"] == {"white": ["R", "P", "P"], "black": ["p"]}


def test_while_a_move_is_to_be_sealed_the_board_takes_none(room: Room) -> None:
    keep_key(room.folder, public_key(new_key("drei kleine Springer", Work(1, 8192))))
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    room.type("e4", "")
    assert arbiter.act("adjourn")[0] == 200
    said = len(room.said)
    for do, values in (("move", {"move": "b8c6"}), ("press", {})):
        status, answer = opponent.act(do, values)
        assert (status, answer["sentence"]) == (
            409,
            "A move is to be sealed. Write it in the field for it: there nobody sees it.",
        )
    assert room.said[said:] == [] and room.table.course.sealing
    assert opponent.act("seal", {"move": "Nc6"})[0] == 200


@pytest.mark.parametrize("written", ["Ng8-g6", "Bf8-b4", "e7-e4", "g8g6"])
def test_an_illegal_move_from_square_to_square_is_announced_like_any(room: Room, written: str) -> None:
    """3.10.2: in a rated game nobody is told by the form of his move that it is illegal."""
    opponent = Browser(room, "opponent")
    room.type("e4", "")
    assert opponent.act("move", {"move": written})[0] == 200


PINNED = "4k3/8/4n3/2n5/8/8/4K3/R3R3 w - - 0 30"


@pytest.mark.parametrize(
    ("before", "language", "written", "announced"),
    [
        ("Kd2", "en", "Nf4", "Ne6-f4"),
        ("Kd2", "en", "Nd3", "Nc5-d3"),
        ("Kd2", "de", "Sd4", "Se6-d4"),
        ("Tf1", "en", "Kf8", "Ke8-f8"),
    ],
)
def test_what_can_be_read_tells_nobody_in_a_rated_game_which_moves_are_legal(
    rooms: Callable[..., Room], before: str, language: str, written: str, announced: str
) -> None:
    """3.10.2: the knight on e6 is pinned, and f8 attacked."""
    room = rooms(fen=PINNED)
    opponent = Browser(room, "opponent", language)
    room.type(before, "")
    status, answer = opponent.act("move", {"move": written})
    assert (status, announced in answer["sentence"]) == (200, True), answer


def test_of_two_men_who_could_go_there_one_is_asked_for_pinned_or_not(rooms: Callable[..., Room]) -> None:
    room = rooms(fen="4k3/8/4n3/8/8/5n2/8/R3R2K w - - 0 30")
    opponent = Browser(room, "opponent")
    room.type("Kg2", "")
    status, answer = opponent.act("move", {"move": "Nd4"})
    assert (status, answer["sentence"]) == (
        400,
        "That fits several moves: Ne6-d4, Nf3-d4. Write which one.",
    )


def test_in_a_club_game_a_short_form_means_the_legal_move(rooms: Callable[..., Room]) -> None:
    room = rooms(fen="4k3/8/4n3/8/8/5n2/8/R3R2K w - - 0 30", mode="club")
    opponent = Browser(room, "opponent")
    room.type("Kg2", "")
    assert opponent.act("move", {"move": "Nd4"})[0] == 200
    assert room.journal()[-1]["move"] == "f3d4"


@pytest.mark.parametrize("written", ["a1a2", "a7b6", "Ke8-e7"])
def test_why_an_announcement_is_refused_is_not_told_by_its_article(room: Room, written: str) -> None:
    room.type("e4", "")
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    _, answer = opponent.act("move", {"move": written})
    assert "3.10" not in answer["sentence"] and "2023" not in answer["sentence"]
    for browser, articles in ((opponent, [""]), (arbiter, ["2023 3.10.2", ""])):
        with browser.events() as events:
            last = events.next("state")["log"][-1]
        assert last.get("article", "") in articles
    _, answer = opponent.act("accept-draw")
    assert answer["sentence"].endswith("(2023 9.1.2.1)")


@pytest.mark.parametrize("written", ["e5", "e7e5", "Nf6", "xx"])
def test_who_moves_too_early_is_told_so_however_he_writes_it(
    rooms: Callable[..., Room], written: str
) -> None:
    room = rooms(start=False)
    opponent = Browser(room, "opponent")
    assert opponent.act("move", {"move": written})[1]["sentence"] == "The clock has not been started."
    room.start()
    told = opponent.act("move", {"move": written})[1]["sentence"]
    assert told == "Not done. The opponent has the move. (2023 1.2)"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("a3a4", "There is no man on a3."),
        ("a1a2", "The man on a1 is the opponent's."),
        ("h8f8", "A man of the same colour stands on f8."),
        ("0-0", "That cannot be recorded as a move."),
        ("e7e5q", "That cannot be recorded as a move."),
    ],
)
def test_of_a_move_that_cannot_be_the_opponent_is_told_what_stands_on_the_board(
    room: Room, written: str, told: str
) -> None:
    """In a rated game no more than that: nothing of which moves are legal."""
    room.type("e4", "")
    opponent = Browser(room, "opponent")
    assert opponent.act("move", {"move": written})[1]["sentence"] == f"Not done. {told}"
    assert opponent.log()[-1] == told


def test_who_presses_when_his_clock_stands_is_told_of_his_own_clock(room: Room) -> None:
    told = Browser(room, "opponent").act("press")[1]["sentence"]
    assert told == "Not done. Your clock is not running. (2023 6.2.1)"


def test_an_announcement_that_is_not_legal_is_repeated_like_any(rooms: Callable[..., Room]) -> None:
    """D.2.1."""
    room = rooms(fen="4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 30")
    opponent = Browser(room, "opponent")
    room.type("e3d5", "y")
    status, answer = opponent.act("move", {"move": "Nd5"})
    assert (status, answer["sentence"]) == (200, "Repeated: Ne3-d5.")


def test_the_arbiter_is_told_the_last_move(room: Room) -> None:
    arbiter = Browser(room, "arbiter")
    room.type("e4", "")
    assert arbiter.act("ask", {"about": "last-move"})[1]["sentence"] == "e4"


def test_in_a_club_game_the_opponent_is_told_why_his_move_is_refused(rooms: Callable[..., Room]) -> None:
    room = rooms(mode="club")
    opponent = Browser(room, "opponent")
    room.type("e4", "")
    status, answer = opponent.act("move", {"move": "g8g6"})
    assert status == 409 and "Pardon" not in answer["sentence"]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Ke6", "Ke8-e6"),
        ("Ke7", "Ke8-e7"),
        ("Nd4", "Nf5-d4"),
        ("Knight d4", "Nf5-d4"),
        ("Nf6", "Nb8-f6"),
        ("a4", "a7-a4"),
        ("a1=Q", "a7a1q"),
    ],
)
def test_why_a_move_cannot_be_is_told_in_a_club_game_however_it_is_written(
    rooms: Callable[..., Room], short: str, long: str
) -> None:
    room = rooms(fen="1n2k3/p3b3/8/5n2/8/8/8/4R1KB w - - 0 30", mode="club")
    opponent = Browser(room, "opponent")
    room.type("Lc6", "")
    told = [opponent.act("move", {"move": written})[1]["sentence"] for written in (short, long)]
    assert told[0] == told[1] and told[0].startswith("Not done. ")


def test_what_changed_no_position_is_not_told_as_a_way_back(room: Room) -> None:
    arbiter, spectator = Browser(room, "arbiter"), Browser(room, "spectator")
    room.type("e4", "", "e5", "")
    arbiter.act("penalty", {"side": "white", "kind": "warning"})
    assert "Back to the position" not in arbiter.act("undo")[1]["sentence"]
    assert not any("Back to" in entry for entry in spectator.log())
    assert spectator.log()[-1] == "The last entry is withdrawn."
    arbiter.act("restore", {"ply": "1"})
    assert any("Back to" in entry for entry in spectator.log())


def test_a_game_without_a_clock_speaks_of_none(rooms: Callable[..., Room]) -> None:
    room = rooms(start=False, time_control="-")
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    assert opponent.state()["status"] == ["The game has not begun.", "White to move."]
    assert opponent.act("resign")[1]["sentence"] == "The game has not begun."
    _, page, _ = opponent.request("GET", "/?lang=en")
    for button in (b"Complete the move", b"Call the arbiter"):
        assert button in page
    titles = {form["do"]: form["title"] for form in arbiter.session["forms"]}
    assert (titles["start"], titles["press"]) == ("Begin the game", "Complete a player's move")
    assert arbiter.act("start", preview=True)[1]["sentence"] == "The game will begin."
    arbiter.start()
    room.type("e4")
    _, answer = arbiter.act("press", {"side": "white"}, preview=True)
    assert answer["sentence"] == "The move of White will be completed for him."
    assert arbiter.act("press", {"side": "white"})[0] == 200
    _, answer = opponent.act("move", {"move": "e5"})
    assert answer["sentence"] == "Announced: e7-e5. Complete the move when it stands on the board."
    assert opponent.act("press")[1]["sentence"] == "Your move is complete."


def test_no_form_for_a_clock_is_offered_where_there_is_none(rooms: Callable[..., Room]) -> None:
    room = rooms(time_control="-")
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    forms = {
        form["do"]: {field["name"]: field for field in form["fields"]} for form in arbiter.session["forms"]
    }
    of_clock = {"stop-clock", "resume", "set-clock", "adjourn", "open-envelope", "envelope-lost"}
    assert forms.keys().isdisjoint(of_clock)
    assert list(forms["rule"]) == ["claim"]
    assert "wait" not in forms["claim"]
    kinds = [value for value, _words in forms["penalty"]["kind"]["choices"]]
    assert "warning" in kinds and "reduce" not in kinds
    claims = [value for value, _words in opponent.session["claims"]]
    assert "threefold" in claims and "flag" not in claims
    lines = list(usage("en", has_clock=False))
    assert not any("set-clock" in line or "seconds=" in line for line in lines)
    assert "arbiter press white|black: Complete a player's move." in lines


@pytest.mark.parametrize(
    ("do", "values"),
    [
        ("penalty", {"side": "white", "kind": "warning"}),
        ("restore", {"ply": "1"}),
        ("claim", {"side": "white", "of": "threefold"}),
        ("claim", {"side": "arbiter", "of": "two-hands", "ply": "1"}),
    ],
)
def test_what_is_foretold_without_a_clock_speaks_of_none(
    rooms: Callable[..., Room], do: str, values: dict[str, str]
) -> None:
    room = rooms(time_control="-")
    room.type("e4", "", "e5", "")
    status, answer = Browser(room, "arbiter").act(do, values, preview=True)
    assert status == 200
    assert not re.search("clock|Time", answer["sentence"])


def test_a_claim_that_waits_stops_no_clock_where_there_is_none(rooms: Callable[..., Room]) -> None:
    room = rooms(time_control="-")
    room.type("e4", "")
    opponent = Browser(room, "opponent")
    assert opponent.act("claim", {"of": "two-hands"})[0] == 200
    assert opponent.state()["status"] == ["Black to move.", "A claim waits for the arbiter."]


def test_the_move_written_for_a_wrong_claim_is_named_to_both_when_it_is_ruled_on(room: Room) -> None:
    """9.5.3: it must be made now."""
    room.type("e4", "")
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    _, answer = opponent.act("claim", {"of": "threefold", "move": "Nf6"})
    ruling = "Black's claim is incorrect: threefold repetition. White gets two minutes more."
    assert answer["sentence"] == f"{ruling} Ng8-f6 must be made."
    for browser, move in ((arbiter, "Nf6"), (opponent, "Ng8-f6")):
        assert [ruling, f"{move} must be made."] == browser.log()[-2:]


def test_the_time_that_the_laws_give_is_foretold_where_none_was_filled_in(room: Room) -> None:
    """9.5.3: a wrong claim brings the opponent two minutes."""
    room.type("e4", "")
    arbiter = Browser(room, "arbiter")
    assert arbiter.act("claim", {"side": "black", "of": "threefold", "wait": True})[0] == 200
    values = {"claim": "reject", "questionText": "Three times?"}
    _, answer = arbiter.act("rule", values, preview=True)
    asked = 'The question "Three times?" will be answered: reject. Time for the opponent: 0:02:00.'
    assert answer["sentence"] == asked
    assert "two minutes" in arbiter.act("rule", values)[1]["sentence"]


@pytest.mark.parametrize(
    ("ruling", "time", "given"),
    [("accept", "as the Laws fix it", "two minutes"), ("reject", "0:05:00", "five minutes")],
)
def test_no_time_is_foretold_that_the_laws_do_not_leave_to_the_arbiter(
    room: Room, ruling: str, time: str, given: str
) -> None:
    room.type("e4", "")
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent")
    assert opponent.act("claim", {"of": "two-hands"})[0] == 200
    values = {"claim": ruling, "seconds": "5:00", "questionText": "Two hands?"}
    _, answer = arbiter.act("rule", values, preview=True)
    asked = f'The question "Two hands?" will be answered: {ruling}. Time for the opponent: {time}.'
    assert answer["sentence"] == asked
    assert given in arbiter.act("rule", values)[1]["sentence"]


def test_the_arbiter_alone_is_told_who_has_little_time(rooms: Callable[..., Room]) -> None:
    """2023 12.3, 8.4: five minutes in standard play, and no increment to write by."""
    room = rooms(rules=EventRules(category="standard"), time_control="301")
    arbiter = Browser(room, "arbiter")
    with arbiter.events() as events:
        seen = events.next("state", lambda data: bool(data["state"]["hurried"]))["state"]
    assert seen["hurried"] == ["White has less than five minutes."]
    assert seen["hurried"][0] in seen["status"]
    for role in ("opponent", "spectator"):
        told = Browser(room, role).state()
        assert "hurried" not in told
        assert not any("five" in sentence for sentence in told["status"])
    assert not any("five" in sentence or "fünf" in sentence for sentence in room.said)
