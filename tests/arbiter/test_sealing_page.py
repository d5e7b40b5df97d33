"""A move is sealed beside the page: who may stop what, what is told, and whose letters are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from page_game import Browser, Room

from assistant.journal import read
from assistant.sealing import Work, new_key, public_key, unlock
from assistant.table.adjourning import KEY_FILE, keep_key, read_box

PHRASE = "drei kleine Springer"
KEY = new_key(PHRASE, Work(1, 8192))


def adjourned(room: Room, language: str = "en") -> tuple[Browser, Browser]:
    """Let the arbiter order the player who has the move to seal it; return both browsers."""
    keep_key(room.folder, public_key(KEY))
    arbiter, opponent = Browser(room, "arbiter"), Browser(room, "opponent", language)
    assert arbiter.act("adjourn")[0] == 200
    return arbiter, opponent


def seal_and_close(room: Room, arbiter: Browser) -> None:
    """Let White, who has the move, seal it at the table, and the arbiter close the envelope."""
    room.do(lambda: room.table.act({"do": "seal", "side": "white", "move": "Nf3"}, room.now))
    assert arbiter.act("stop-clock")[0] == 200


def close_and_resume(arbiter: Browser) -> None:
    """Let the arbiter close the envelope, and take the game up with both players."""
    for do, values in (("stop-clock", {}), ("arrive", {"side": "white"}), ("arrive", {"side": "black"})):
        assert arbiter.act(do, values)[0] == 200
    assert arbiter.act("resume")[0] == 200


@pytest.mark.parametrize(
    ("language", "fen", "move"),
    [
        ("fr", "r3k3/8/8/8/8/8/4K3/8 b - - 0 1", "Rd8"),
        ("es", "r3k3/8/8/8/8/8/4K3/8 b - - 0 1", "Rd8"),
        ("fr", "r3k3/7p/8/8/8/8/4K3/R7 b - - 0 1", "Re7"),
    ],
)
def test_a_sealed_move_has_the_letters_of_whoever_wrote_it(
    rooms: Callable[..., Room], language: str, fen: str, move: str
) -> None:
    """R is Roi and Rey: read as a rook, another move would be made, or the game lost (I.8.3)."""
    room = rooms(fen=fen)
    _arbiter, opponent = adjourned(room, language)
    assert opponent.act("seal", {"move": move})[0] == 200
    written = read_box(read(room.folder).lines, unlock(KEY, PHRASE))
    assert written == f"e8{move[1:]}"


def test_without_a_key_to_seal_to_nobody_is_ordered_to_seal(room: Room) -> None:
    arbiter = Browser(room, "arbiter")
    for preview in (True, False):
        _, answer = arbiter.act("adjourn", preview=preview)
        assert answer["sentence"].startswith("Not done. There is no arbiter's key to seal to. Make one with:")
    assert arbiter.state()["phase"] == "playing"


def test_whose_key_is_gone_meanwhile_is_led_to_the_arbiter(room: Room) -> None:
    room.type("e4", "")
    _arbiter, opponent = adjourned(room)
    (room.folder / KEY_FILE).unlink()
    status, answer = opponent.act("seal", {"move": "e5"})
    assert (status, answer["sentence"]) == (409, "No move can be sealed yet; call the arbiter.")


def test_only_the_sealer_or_the_arbiter_closes_the_envelope(room: Room) -> None:
    """I.1.1: until the clock is stopped the player may change his sealed move."""
    room.type("e4", "")
    assert Browser(room, "opponent").act("move", {"move": "e5"})[0] == 200
    assert Browser(room, "opponent").act("press")[0] == 200
    arbiter, opponent = adjourned(room)
    box = {"do": "seal", "side": "white", "move": "Nf3"}
    room.do(lambda: room.table.act(box, room.now))
    assert opponent.act("stop-clock")[0] == 200
    assert room.table.course.sealing
    room.do(lambda: room.table.act(box | {"move": "Bc4"}, room.now))
    assert arbiter.act("stop-clock")[0] == 200
    assert not room.table.course.sealing
    assert (room.folder / "envelope.html").exists()


def test_who_seals_on_the_page_and_stops_the_clock_has_his_sheets(room: Room) -> None:
    room.type("e4", "")
    arbiter, opponent = adjourned(room)
    assert opponent.act("seal", {"move": "c5"})[0] == 200
    assert opponent.act("stop-clock")[0] == 200
    assert (room.folder / "envelope.html").exists()
    # He has closed the envelope, and called nobody.
    assert arbiter.state()["calls"] == []
    assert not any("calls the arbiter" in entry for entry in arbiter.log())


def test_the_sheets_of_a_game_that_was_moved_are_still_to_be_had_from_the_page(room: Room) -> None:
    room.type("e4", "")
    arbiter, opponent = adjourned(room)
    assert opponent.act("seal", {"move": "c5"})[0] == 200
    assert opponent.act("stop-clock")[0] == 200
    moved = room.folder.rename(room.folder.with_name("elsewhere"))
    assert arbiter.get("/envelope.html")[0] == 200
    moved.rename(room.folder)


def test_before_a_move_is_sealed_the_clocks_are_only_stopped(room: Room) -> None:
    arbiter, _opponent = adjourned(room)
    status, answer = arbiter.act("stop-clock", {"reason": "fire alarm"}, preview=True)
    assert (status, answer["sentence"]) == (200, "Both clocks will be stopped.")


def test_a_move_made_after_the_order_is_not_in_the_envelope_before_it_is_sealed(room: Room) -> None:
    """I.1.1: the move made on the board has still to be written."""
    arbiter, _opponent = adjourned(room)
    box = {"do": "seal", "side": "white", "move": "Nf3"}
    room.do(lambda: room.table.act(box | {"do": "place"}, room.now))
    said = [arbiter.act("stop-clock", {"reason": "fire alarm"}, preview=True)[1]["sentence"]]
    room.do(lambda: room.table.act(box, room.now))
    said += [arbiter.act("stop-clock", {"reason": "fire alarm"}, preview=True)[1]["sentence"]]
    assert said[0] == "Both clocks will be stopped."
    assert "envelope" in said[1]


def test_everybody_sees_that_a_move_is_being_sealed_and_whether_the_clocks_stand(room: Room) -> None:
    """I.1.1: the game is adjourned only when the envelope is closed; until then the sealer's clock runs."""
    arbiter, opponent = adjourned(room)
    for browser in (arbiter, opponent, Browser(room)):
        state = browser.state()
        assert (state["phase"], state["status"]) == ("sealing", ["White seals a move."])
    assert opponent.act("stop-clock")[0] == 200
    assert arbiter.state()["calls"] == ["Black has stopped the clocks and calls the arbiter."]
    assert opponent.state()["status"] == ["White seals a move.", "The clocks are stopped."]
    assert arbiter.act("resume")[0] == 200
    seal_and_close(room, arbiter)
    state = arbiter.state()
    assert (state["phase"], state["calls"]) == ("adjourned", [])
    assert state["status"][0] == "The game is adjourned."


def test_no_envelope_is_lost_on_the_page_before_the_agreed_hour(room: Room) -> None:
    """It would count as the hour, by which whoever comes later may have lost (6.7.1)."""
    arbiter, _opponent = adjourned(room)
    seal_and_close(room, arbiter)
    for preview in (True, False):
        status, answer = arbiter.act("envelope-lost", preview=preview)
        assert status == 409
        assert answer["sentence"].startswith("Not done. It is not yet the agreed hour of the resumption")
    assert not room.table.course.referee.is_resumed


def test_everybody_sees_who_declares_the_move_of_a_lost_envelope(room: Room) -> None:
    """I.12.1."""
    arbiter, opponent = adjourned(room)
    seal_and_close(room, arbiter)
    assert arbiter.act("resume")[0] == 200
    assert arbiter.act("envelope-lost")[0] == 200
    for browser in (arbiter, opponent, Browser(room)):
        assert browser.state()["status"] == ["White announces the move that was sealed."]


def test_nobody_is_told_to_press_for_the_move_that_he_declares_he_sealed(room: Room) -> None:
    """I.12.1: it is complete with that, and the other clock runs."""
    room.type("e4", "")
    arbiter, opponent = adjourned(room)
    assert opponent.act("seal", {"move": "e5"})[0] == 200
    for verb, values in (
        ("stop-clock", {}),
        ("arrive", {"side": "white"}),
        ("arrive", {"side": "black"}),
        ("resume", {}),
        ("envelope-lost", {}),
    ):
        assert arbiter.act(verb, values)[0] == 200
    _, answer = opponent.act("move", {"move": "e5"})
    assert answer["sentence"] == "Black announced e7-e5. Your clock is stopped."
    assert opponent.state()["clocks"]["running"] == "white"


def test_who_closes_his_envelope_by_stopping_the_clock_calls_nobody(room: Room) -> None:
    room.type("e4", "")
    _, opponent = adjourned(room)
    assert opponent.act("seal", {"move": "e5"})[0] == 200
    assert opponent.act("stop-clock")[0] == 200
    assert room.said[-1] == "Hector: Die Uhren stehen."


def test_while_the_other_player_seals_the_opponent_stops_his_clock(room: Room) -> None:
    """6.2.1: a player must always be allowed to stop his clock."""
    room.type("e4", "")
    opponent = Browser(room, "opponent")
    assert opponent.act("move", {"move": "e5"})[0] == 200
    adjourned(room)
    assert room.table.course.sealing and room.table.course.referee.running == "black"
    assert opponent.act("press")[0] == 200
    assert room.table.course.referee.running == "white"


def test_what_was_announced_and_not_made_gives_way_to_the_sealed_move(room: Room) -> None:
    """I.2.2: the position on the envelope is the one before the sealed move."""
    room.type("e4")
    arbiter, _opponent = adjourned(room)
    seal_and_close(room, arbiter)
    state = arbiter.state()
    assert (state["ply"], state["pending"], state["board"].get("e2")) == (0, None, "P")
    assert room.table.memory.last is None
    assert room.table.board == chess.Board()


@pytest.mark.parametrize(
    ("do", "values"),
    [
        ("result", {"result": "1-0"}),
        ("resign", {"side": "white"}),
        ("adjourn", {}),
        ("touch", {"side": "white", "squares": "g1"}),
    ],
)
def test_what_is_about_the_position_does_nothing_once_the_game_has_gone_on(
    room: Room, do: str, values: dict[str, str]
) -> None:
    arbiter = Browser(room, "arbiter")
    seen = arbiter.mark
    room.type("e4")
    status, answer = arbiter.act(do, values, seen=seen)
    assert (status, answer.get("stale")) == (409, True)


def test_a_ruling_is_for_the_question_that_was_shown_and_for_no_later_one(room: Room) -> None:
    room.type("e4", "")
    arbiter = Browser(room, "arbiter")
    status, answer = arbiter.act("rule", {"claim": "accept", "question": ""}, preview=True)
    assert (status, answer["sentence"][:9]) == (409, "Not done.")
    assert arbiter.act("claim", {"side": "black", "of": "flag", "wait": True})[0] == 200
    assert room.table.course.referee.questions
    status, answer = arbiter.act("rule", {"claim": "accept", "question": ""})
    assert (status, answer.get("stale")) == (409, True)


def test_that_the_envelope_is_open_is_told_before_its_move(room: Room) -> None:
    room.type("e4", "")
    arbiter, opponent = adjourned(room)
    opponent.act("seal", {"move": "e5"})
    close_and_resume(arbiter)
    room.do(lambda: room.table.act({"do": "open-envelope", "text": "e5"}, room.now))
    told = [line for line in room.said if "Umschlag" in line or "Eva fünf" in line]
    assert told[-2:] == ["Hector: Der Umschlag ist geöffnet.", "Hector: Eva fünf"]


def test_what_the_envelope_holds_is_a_sentence_of_its_own(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I.8.2: what ends the game stands behind it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "hector").mkdir()
    (tmp_path / "hector" / "arbiter-key.json").write_bytes(KEY)
    room.type("e4", "")
    arbiter, opponent = adjourned(room)
    arbiter.language = "es"
    assert opponent.act("seal", {"move": "Te5"})[0] == 200
    close_and_resume(arbiter)
    status, answer = arbiter.act("open-envelope", {"passphrase": PHRASE})
    assert status == 200
    assert "En el sobre pone: Te5. " in answer["sentence"]


def test_no_opening_is_foretold_where_there_is_no_envelope(room: Room) -> None:
    room.type("e4", "")
    _, shown = Browser(room, "arbiter").act("open-envelope", preview=True)
    assert shown["sentence"] == "Not done. There is no envelope to open now. (2023 I.7)"


def test_an_opening_is_foretold_without_the_passphrase(room: Room) -> None:
    room.type("e4", "")
    arbiter, opponent = adjourned(room)
    opponent.act("seal", {"move": "e5"})
    for do, values in (("stop-clock", {}), ("arrive", {"side": "white"}), ("resume", {})):
        assert arbiter.act(do, values)[0] == 200
    status, shown = arbiter.act("open-envelope", preview=True)
    assert (status, shown["sentence"][:31]) == (200, "The envelope will be opened, in")


def test_a_sealed_move_that_is_sent_again_after_a_restart_is_sealed_once(rooms: Callable[..., Room]) -> None:
    """Its answer was lost; when it comes again the envelope is closed, and it is in it."""
    room = rooms()
    room.type("e4", "")
    arbiter, opponent = adjourned(room)
    seen, key = opponent.mark, "the-one-request"
    assert opponent.act("seal", {"move": "e5"}, seen=seen, key=key)[0] == 200
    assert arbiter.act("stop-clock")[0] == 200
    room.close()
    again = rooms()
    status, answer = Browser(again, "opponent").act("seal", {"move": "e5"}, seen=seen, key=key)
    assert (status, answer["sentence"]) == (200, "This was carried out already; it is not done twice.")
    assert [line["do"] for line in again.journal()].count("seal") == 1


def test_a_sealed_move_that_was_long_on_its_way_does_not_take_the_place_of_a_later_one(room: Room) -> None:
    """I.1.1: he has changed it on his other page meanwhile; what he wrote last is his sealed move."""
    room.type("e4", "")
    _arbiter, opponent = adjourned(room)
    seen = opponent.mark
    assert opponent.act("seal", {"move": "d5"}, seen=seen)[0] == 200
    status, answer = opponent.act("seal", {"move": "e5"}, seen=seen)
    assert (status, answer["stale"]) == (409, True)
    assert read_box(read(room.folder).lines, unlock(KEY, PHRASE)) == "d5"
    assert opponent.act("seal", {"move": "e5"})[0] == 200
    assert read_box(read(room.folder).lines, unlock(KEY, PHRASE)) == "e5"
