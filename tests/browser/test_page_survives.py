"""Closed pages, dead servers, cut lines: nothing is lost and nothing is done twice."""

from __future__ import annotations

import pytest
from people import PATIENCE, Club, fill, form, see, see_move, sign_in, sign_in_anew, start
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def reloaded_with_a_long_log(club: Club) -> Page:
    """Return the arbiter's page, loaded anew, in a game whose log is longer than what a page has at first."""
    game, arbiter, _ = club.after_e4()
    for _ in range(52):
        game.type("Zeit")
    see(arbiter, "#log-count", "of 55")
    arbiter.reload()
    return arbiter


def test_a_page_that_was_closed_comes_back_signed_in_with_the_whole_game(club: Club) -> None:
    game = club.serve("--press", "key")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    context = opponent.context
    opponent.close()
    game.type("e4", "")
    see_move(arbiter, 1, "e4")
    opponent = context.new_page()
    opponent.goto(club.url)
    see_move(opponent, 1, "e2-e4")
    expect(opponent.locator("#opponent")).to_be_visible()
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    opponent.click("#press")
    see_move(arbiter, 2, "e5")
    assert club.moves() == ["e2e4", "e7e5"]


def test_who_only_watches_reads_the_log_before_and_after_the_server_died(club: Club) -> None:
    game, arbiter, _ = club.after_e4()
    spectator = club.visitor()
    see(spectator, "#log li:first-child", "White pressed the clock after e2-e4.")
    see(spectator, "#log-count", "3")
    game.kill()
    expect(spectator.locator("#connection")).to_be_visible()
    club.serve_again()
    expect(spectator.locator("#connection")).to_be_hidden()
    form(arbiter, "penalty", side="black", kind="warning")
    see(spectator, "#log li:first-child", "Warning to Black.")
    expect(spectator.locator("#log li")).to_have_count(4)


def test_older_entries_that_are_asked_for_twice_are_shown_once(club: Club) -> None:
    arbiter = reloaded_with_a_long_log(club)
    arbiter.dblclick("#log-older")
    expect(arbiter.locator("#log-older")).to_be_hidden(timeout=PATIENCE)
    numbers = arbiter.locator("#log li").evaluate_all("all => all.map(each => each.value)")
    assert numbers == list(range(len(numbers), 0, -1))


def test_a_server_that_died_is_found_again_without_a_reload(club: Club) -> None:
    game, arbiter, opponent = club.after_e4()
    opponent.fill("#move-text", "d")
    opponent.evaluate("() => { window.never_reloaded = true; }")

    game.kill()
    expect(opponent.locator("#connection")).to_be_visible()
    see(opponent, "#result", "No connection.")
    # What is sent while nobody answers is sent until somebody does.
    opponent.fill("#move-text", "d5")
    opponent.click("#move-do")
    again = club.serve_again()
    expect(opponent.locator("#connection")).to_be_hidden()
    see_move(opponent, 2, "d7-d5")
    see(arbiter, "#result", "Connected again")
    assert opponent.evaluate("() => window.never_reloaded")
    opponent.click("#press")
    expect(arbiter.locator("#clock-white")).to_have_class("running")
    again.type("exd5", "")
    see_move(opponent, 3, "e4xd5")
    see_move(arbiter, 3, "exd5")
    assert club.moves() == ["e2e4", "d7d5", "e4d5"]


def test_who_signs_out_while_the_line_is_cut_keeps_his_page(club: Club) -> None:
    _, _, opponent = club.after_e4()
    opponent.context.set_offline(True)
    opponent.click("#signout")
    see(opponent, "#result", "The table does not answer.")
    opponent.context.set_offline(False)
    opponent.click("#signout")
    expect(opponent.locator("#signing")).to_be_visible()
    expect(opponent.locator("#opponent")).to_be_hidden()


def test_a_line_that_is_cut_in_mid_move_makes_the_move_once(club: Club) -> None:
    _, arbiter, opponent = club.after_e4()

    # The request arrives and its answer is lost: the worst moment there is.
    lost: list[str] = []

    def lose_the_answer(route: object) -> None:
        route.fetch()  # type: ignore[attr-defined]
        lost.append(route.request.post_data)  # type: ignore[attr-defined]
        route.abort()  # type: ignore[attr-defined]

    opponent.route("**/act?*", lose_the_answer, times=1)
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    expect(opponent.locator("#move-text")).to_have_value("")
    assert len(lost) == 1
    opponent.context.set_offline(True)
    opponent.click("#press")
    opponent.context.set_offline(False)
    expect(arbiter.locator("#clock-white")).to_have_class("running")
    see_move(opponent, 2, "e7-e5")
    verbs = [line.get("do") for line in club.journal]
    assert club.moves() == ["e2e4", "e7e5"]
    assert verbs.count("press") == 2


def test_a_double_click_and_a_second_tab_move_once(club: Club) -> None:
    _, arbiter, opponent = club.after_e4()
    second = opponent.context.new_page()
    second.goto(club.url)
    see_move(second, 1, "e2-e4")
    for tab in (opponent, second):
        tab.fill("#move-text", "e5")
    opponent.dblclick("#move-do")
    second.dblclick("#move-do")
    see_move(second, 2, "e7-e5")
    opponent.dblclick("#press")
    expect(arbiter.locator("#clock-white")).to_have_class("running")
    verbs = [line.get("do") for line in club.journal]
    assert club.moves() == ["e2e4", "e7e5"]
    assert verbs.count("press") == 2


def test_a_page_goes_on_in_its_language_when_another_one_is_opened_in_another(club: Club) -> None:
    _, _, opponent = club.after_e4()
    second = opponent.context.new_page()
    second.goto(f"{club.url}?lang=de")
    see(second, "#status", "Schwarz am Zug.")
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    see(opponent, "#result", "Announced: e7-e5.")
    # A stream that is opened again, as after the line was cut.
    opponent.evaluate("() => { window.dispatchEvent(new PageTransitionEvent('pagehide')); }")
    opponent.evaluate(
        "() => { window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }"
    )
    opponent.click("#press")
    see(opponent, "#status", "White to move.")


def test_what_was_begun_in_one_position_is_not_done_in_another(club: Club) -> None:
    game = club.serve("--press", "key", "--fen", "4k3/3p4/8/1B6/8/8/8/4K3 w - - 0 1")
    arbiter, opponent = club.visitor("arbiter"), club.visitor("opponent")
    start(arbiter)
    fill(arbiter, "restore", ply="0")
    expect(arbiter.locator("#confirm")).to_be_visible()
    opponent.click("#sq-d7 button")
    see(opponent, "#result", "d7, black pawn: choose the square it goes to.")
    game.type("Lxd7", "")
    see_move(arbiter, 1, "Bxd7+")
    see_move(opponent, 1, "Bb5xd7")

    arbiter.click("#confirm-do")
    see(arbiter, "#result", "The game has gone on since your page showed it.")
    opponent.click("#sq-d5 button")
    see(opponent, "#result", "d5, empty")
    assert "restore" not in [line.get("do") for line in club.journal]
    assert club.moves() == ["b5d7"]


def test_a_page_whose_role_has_changed_in_another_tab_becomes_that_role(club: Club) -> None:
    _, arbiter, opponent = club.after_e4()
    errors: list[object] = []
    arbiter.on("pageerror", lambda error: errors.append(error))
    second = arbiter.context.new_page()
    second.goto(club.url)
    second.click("#signout")
    expect(arbiter.locator("#signin-form")).to_be_visible()
    expect(arbiter.locator("#arbiter-questions")).to_be_hidden()
    see(arbiter, "#role", "You are watching.")

    sign_in(second, "opponent")
    see(arbiter, "#role", "You play Black.")
    arbiter.fill("#move-text", "e5")
    arbiter.click("#move-do")
    see_move(opponent, 2, "e7-e5")
    assert errors == []


def test_a_page_whose_session_was_made_anew_in_another_tab_still_acts(club: Club) -> None:
    _, arbiter, opponent = club.after_e4()
    sign_in_anew(club, opponent)
    # Its line was cut twice, and is opened again after a second.
    opponent.wait_for_timeout(3000)
    expect(opponent.locator("#opponent")).to_be_visible()
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    see_move(arbiter, 2, "e5")


def test_a_page_whose_server_dies_while_it_is_loaded_comes_up_when_there_is_one_again(club: Club) -> None:
    game, _, _ = club.after_e4()
    page = club.stranger()
    page.route("**/session?*", lambda route: (game.kill(), route.continue_()), times=1)
    page.goto(club.url)
    see(page, "#result", "No connection.")
    expect(page.locator("#connection")).to_be_visible()
    club.serve_again()
    see_move(page, 1, "e2-e4")
    expect(page.locator("#connection")).to_be_hidden()


def test_who_asks_for_older_entries_on_a_dead_line_is_told_so_and_can_ask_again(club: Club) -> None:
    arbiter = reloaded_with_a_long_log(club)
    see(arbiter, "#log-count", "50 of 55")
    arbiter.route("**/log?*", lambda route: route.abort(), times=1)
    arbiter.click("#log-older")
    see(arbiter, "#result", "No connection.")
    arbiter.click("#log-older")
    see(arbiter, "#log-count", "55 of 55")
