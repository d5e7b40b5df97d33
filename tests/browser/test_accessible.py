"""Every state of the page for eyes, ears and fingers: WCAG 2.2 AA, as far as a machine can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from people import Club, do_it, faults, form, see, see_move, start
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_axe_finds_nothing_on_any_state_of_the_page(club: Club, screen: Callable[[Page, str], None]) -> None:
    game = club.serve("--press", "key", "--mode", "club", "--fen", "4k3/1P6/8/8/8/8/1p5P/4K3 w - - 0 1")
    arbiter, opponent, spectator = club.visitor("arbiter"), club.visitor("opponent"), club.visitor()
    found = {"before the game": faults(opponent) + faults(spectator)}
    screen(spectator, "page-signin")
    start(arbiter)

    arbiter.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true; })")
    found["every form of the arbiter"] = faults(arbiter)
    arbiter.click("#note-next")
    expect(arbiter.locator("#note-about")).to_have_attribute("aria-invalid", "true")
    found["a form that was refused"] = faults(arbiter)

    game.type("h4", "")
    see_move(opponent, 1, "h4")
    opponent.click("#sq-b2 button")
    opponent.click("#sq-b1 button")
    expect(opponent.locator("#promotion")).to_be_visible()
    found["a pawn is promoted"] = faults(opponent)
    opponent.keyboard.press("Escape")
    see(opponent, "#result", "Cancelled; nothing has happened.")
    opponent.click("#sq-b2 button")
    opponent.click("#sq-b1 button")
    opponent.click("#promote-n")
    see_move(opponent, 2, "b1N")
    opponent.click("#offer-draw")
    see(spectator, "#status", "draw")
    opponent.select_option("#own-claim-of", "illegal-move")
    opponent.click("#press")
    opponent.click("#claim-do")
    do_it(opponent)
    found["an offer and a claim"] = faults(opponent)
    screen(opponent, "page-opponent")
    arbiter.check("#claim-wait")
    form(arbiter, "claim", side="black", of="flag")
    see(arbiter, "#questions", "Black claims: time exceeded.")
    found["a question to the arbiter"] = faults(arbiter)
    arbiter.evaluate(
        "() => document.querySelectorAll('details').forEach("
        "each => { each.open = each.querySelector('form').id === 'form-rule'; })"
    )
    screen(arbiter, "page-arbiter")
    form(arbiter, "rule", claim="reject")

    form(arbiter, "adjourn", resumption="tomorrow")
    see(spectator, "#status", "seals a move.")
    found["a move is sealed"] = faults(spectator)
    club.game.kill()  # type: ignore[union-attr]
    expect(spectator.locator("#connection")).to_be_visible()
    found["without a connection"] = faults(spectator)
    assert {state: each for state, each in found.items() if each} == {}


NAMES = {"white": "<img src=x onerror=window.taken=1>", "black": "שחור \u202eevil {side}"}


@pytest.fixture(scope="module")
def waiting(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A game of people with strange names, whose clock nobody starts: it can be looked at again and again."""
    with Club(browser, tmp_path_factory.mktemp("waiting")) as evening:
        evening.serve("--press", "key", "--white", NAMES["white"], "--black", NAMES["black"])
        yield evening


SETTINGS = {
    "german-at-400-percent": {"locale": "de-DE", "viewport": {"width": 320, "height": 256}},
    "polish-at-400-percent": {"locale": "pl-PL", "viewport": {"width": 320, "height": 256}},
    "spanish-in-high-contrast": {"locale": "es-ES", "forced_colors": "active", "color_scheme": "dark"},
    "english-on-a-dark-telephone": {
        "locale": "en-GB", "color_scheme": "dark", "viewport": {"width": 360, "height": 740},
        "has_touch": True,
    },
}  # fmt: skip


def test_it_is_the_same_page_enlarged_in_contrast_and_on_a_telephone(
    club: Club, screen: Callable[[Page, str], None]
) -> None:
    """1.4.10: at 400 % nothing is scrolled sideways."""
    club.serve("--press", "key")
    found = {}
    for name, settings in SETTINGS.items():
        page = club.visitor("opponent", **settings)
        assert page.locator("html").get_attribute("lang") == str(settings["locale"])[:2]
        found[name] = faults(page)
        too_wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert too_wide <= 0, name
        man = "getComputedStyle(document.querySelector('#sq-e1 .square'), '::before').content"
        # On a dark ground a filled man is a white one.
        assert ("♚" if "contrast" in name else "♔") in page.evaluate(f"() => {man}"), name
        screen(page, f"page-{name}")
    arbiter = club.visitor("arbiter", **SETTINGS["german-at-400-percent"])
    assert arbiter.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    assert {name: each for name, each in found.items() if each} == {}


def test_a_screen_reader_walks_the_board_and_hears_no_clock_of_itself(waiting: Club) -> None:
    """The drawn men are for the eyes: what is read is the square and the man on it."""
    opponent, spectator = waiting.visitor("opponent"), waiting.visitor()
    board = opponent.locator("#board")
    expect(board.get_by_role("button", name="e2, white pawn", exact=True)).to_be_visible()
    expect(board.get_by_role("columnheader", name="File e", exact=True)).to_have_count(1)
    expect(board.get_by_role("rowheader", name="Rank 2", exact=True)).to_have_count(1)
    expect(spectator.get_by_role("cell", name="white king", exact=True)).to_have_count(1)
    live = opponent.eval_on_selector_all(
        "[aria-live], [role=status], [role=alert], [role=log], [role=timer]",
        "all => all.filter(each => each.checkVisibility()).map(each => each.id)",
    )
    assert live == ["result"]
    assert opponent.locator("#result #clocks, #clocks [aria-live]").count() == 0


def test_a_name_is_text_on_every_page(waiting: Club) -> None:
    arbiter = waiting.visitor("arbiter")
    for side, name in NAMES.items():
        expect(arbiter.locator(f"#name-{side}")).to_have_text(name)
    assert arbiter.evaluate("() => window.taken") is None
    assert arbiter.locator("img").count() == 0
    assert faults(arbiter) == []
