"""A whole game: a blind player speaks, his opponent and the arbiter are on their pages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from live_game import WHITE, Talker
from people import Club, faults, form, see, see_move, start
from playwright.sync_api import Page, expect
from virtual_sound import VirtualSound

pytestmark = [pytest.mark.browser, pytest.mark.audio, pytest.mark.slow]


def test_a_blind_player_speaks_and_his_opponent_mates_him_on_the_page(
    club: Club, sound_server: VirtualSound, screen: Callable[[Page, str], None]
) -> None:
    game = club.serve(
        "--press", "auto", "--time-control", "300+5", "--blind", "white", environment=sound_server.environment
    )
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    with sound_server.recording() as ears:
        start(arbiter)
        game.expect("Hector: Die Uhr von Weiß läuft")
        talker = Talker(game, sound_server, ears)
        ears.wait_for_sound()

        talker.announce("Felix drei", WHITE)
        see_move(opponent, 1, "f2-f3")
        expect(opponent.locator("#clock-black")).to_have_class("running")
        opponent.click("#sq-e7 button")
        opponent.click("#sq-e5 button")
        game.expect("Hector: Eva fünf")
        see_move(opponent, 2, "e7-e5")
        opponent.click("#press")
        expect(opponent.locator("#clock-white")).to_have_class("running")
        screen(opponent, "page-opponent")

        talker.announce("Gustav vier", WHITE)
        see_move(opponent, 3, "g2-g4")
        opponent.fill("#move-text", "Qh4")
        opponent.press("#move-text", "Enter")
        game.expect("Hector: Dame Hector vier")
    see(arbiter, "#status", "0-1")
    see(opponent, "#status", "checkmate")
    assert faults(opponent) == []

    opponent.click("#sign")
    see(opponent, "#confirm-text", "0-1")
    opponent.click("#confirm-do")
    form(arbiter, "sign", side="arbiter")
    form(arbiter, "sign", side="white")
    expect(opponent.locator("#sign")).to_be_hidden()
    assert faults(arbiter) == []
    screen(arbiter, "page-arbiter-signed")
    form(arbiter, "close")
    assert game.wait() == 0
    assert game.errors == ""

    assert club.moves() == ["f2f3", "e7e5", "g2g4", "d8h4"]
    heard = [
        line.get("heard") or line.get("confirmed") for line in club.journal if line.get("do") == "announce"
    ]
    assert heard[0] and heard[2]
    assert (club.folder / "game.pgn").read_text(encoding="utf-8").rstrip().endswith("0-1")
