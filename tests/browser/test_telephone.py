"""The opponent plays on his telephone: by two taps, in Chess960 too, and presses beside the board."""

from __future__ import annotations

import pytest
from people import Club, see, see_move, start
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_two_taps_castle_in_chess960_and_the_clock_is_pressed_beside_the_board(club: Club) -> None:
    """Start position 3: Black's king on f8 castles with the rook on g8."""
    game = club.serve("--press", "key", "--chess960", "3")
    arbiter = club.visitor("arbiter")
    opponent = club.visitor("opponent", viewport={"width": 360, "height": 740}, has_touch=True)
    start(arbiter)
    game.type("g3", "")
    see_move(opponent, 1, "g2-g3")
    opponent.tap("#sq-f8 button")
    see(opponent, "#result", "f8, black king: choose the square it goes to.")
    opponent.tap("#sq-g8 button")
    see(opponent, "#result", "Announced: 0-0.")
    opponent.tap("#press-here")
    see_move(arbiter, 2, "0-0")
    expect(arbiter.locator("#clock-white")).to_have_class("running")
    expect(
        opponent.get_by_role("button", name="f8, black rook, last move from here", exact=True)
    ).to_have_count(1)
    expect(
        opponent.get_by_role("button", name="g8, black king, last move to here", exact=True)
    ).to_have_count(1)


def test_a_second_tap_on_the_clock_has_the_answer_of_the_first(club: Club) -> None:
    game = club.serve("--press", "key")
    arbiter = club.visitor("arbiter")
    opponent = club.visitor("opponent", viewport={"width": 360, "height": 740}, has_touch=True)
    start(arbiter)
    game.type("e4", "")
    for ply, (move, button) in enumerate([("e5", "#press"), ("d6", "#press-here")], 1):
        see_move(opponent, 2 * ply - 1, "e2-e4" if ply == 1 else "d2-d4")
        expect(opponent.locator("#clock-black")).to_have_class("running")
        opponent.fill("#move-text", move)
        opponent.click("#move-do")
        see(opponent, "#result", "Announced")
        opponent.tap(button)
        see(opponent, "#result", "Your clock is stopped.")
        expect(opponent.locator("#clock-white")).to_have_class("running")
        opponent.tap(button)
        # What came of a tap that was sent would stand in the list before what comes of this one.
        opponent.click("#decline-draw")
        see(opponent, "#result", "No draw was offered.")
        game.type("d4", "")
    expect(arbiter.locator("#security-list li")).to_have_count(2)
    assert [line["do"] for line in club.journal if line.get("do") == "press" and line["side"] == "black"] == (
        ["press"] * 2
    )


def test_a_second_tap_on_a_clock_pressed_without_a_move_has_the_answer_of_the_first_too(club: Club) -> None:
    """The press is on record all the same, and the opponent's clock runs (6.2.1)."""
    game = club.serve("--press", "key")
    arbiter = club.visitor("arbiter")
    opponent = club.visitor("opponent", viewport={"width": 360, "height": 740}, has_touch=True)
    start(arbiter)
    game.type("e4", "")
    expect(opponent.locator("#clock-black")).to_have_class("running")
    opponent.tap("#press")
    see(opponent, "#result", "White's clock is running.")
    expect(opponent.locator("#clock-white")).to_have_class("running")
    opponent.tap("#press")
    # What came of a tap that was sent would be on record before what comes of this one.
    opponent.click("#decline-draw")
    see(opponent, "#result", "No draw was offered.")
    done = [line["do"] for line in club.journal if line.get("desk") == "opponent"]
    assert done == ["press", "decline-draw"]
