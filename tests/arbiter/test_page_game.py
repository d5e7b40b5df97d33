"""A game on the page: the opponent moves, presses, offers, claims and resigns there."""

from __future__ import annotations

from page_game import Browser, Room

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
