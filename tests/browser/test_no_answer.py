"""No answer comes: it is sent on as long as whoever sent it waits, he is told so, and can give it up."""

from __future__ import annotations

import pytest
from people import Club, faults, see, see_move, start
from playwright.sync_api import Page, Route, expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OLD_LIMIT = 6
"""Tries after which a page once gave up by itself."""

LATE = 4500
"""Milliseconds after which it is told that there is no answer yet."""


class DeadLine:
    """What a page sends comes to nobody; its time goes as fast as the test wants."""

    def __init__(self, page: Page) -> None:
        self.tries = 0
        self._page = page
        page.clock.install()
        page.route("**/act?*", self._lose)

    def _lose(self, route: Route) -> None:
        self.tries += 1
        route.abort()

    def wait_for_tries(self, number: int) -> None:
        """Let the page's time pass until it has sent so often."""
        for _ in range(200):
            if self.tries >= number:
                return
            self._page.clock.run_for(500)
        raise AssertionError(f"sent {self.tries} times only")

    def mend(self) -> None:
        self._page.unroute("**/act?*")
        self._page.clock.run_for(5000)


def send_move(opponent: Page, move: str) -> DeadLine:
    line = DeadLine(opponent)
    opponent.fill("#move-text", move)
    opponent.click("#move-do")
    return line


def test_a_move_is_sent_as_long_as_he_waits_and_is_made_once(club: Club) -> None:
    _, arbiter, opponent = club.after_e4()
    line = send_move(opponent, "e5")
    opponent.clock.run_for(LATE)
    see(opponent, "#result", "There is no answer yet.")
    # From now on its time runs away from the server's, and the page takes the line for dead now and then.
    line.wait_for_tries(2 * OLD_LIMIT)
    see(opponent, "#waiting", "There is no answer yet.")
    expect(opponent.locator("#give-up")).to_be_in_viewport()
    assert faults(opponent) == []
    line.mend()
    expect(opponent.locator("#waiting")).to_be_hidden()
    expect(opponent.locator("#move-text")).to_have_value("")
    see_move(arbiter, 2, "e5")
    assert club.moves() == ["e2e4", "e7e5"]


def test_who_gives_up_is_told_and_nothing_more_is_sent(club: Club) -> None:
    _, _, opponent = club.after_e4()
    line = send_move(opponent, "e5")
    opponent.clock.run_for(LATE)
    opponent.focus("#give-up")
    opponent.keyboard.press("Enter")
    see(opponent, "#result", "The table does not answer. Look at the page before you send it again.")
    expect(opponent.locator("#move-text")).to_be_focused()
    expect(opponent.locator("#move-text")).to_have_value("e5")
    tries = line.tries
    line.mend()
    opponent.click("#decline-draw")
    see(opponent, "#result", "No draw was offered.")
    assert line.tries == tries
    assert club.moves() == ["e2e4"]


def test_an_answer_that_hangs_on_a_dead_line_is_asked_for_again(club: Club) -> None:
    """A telephone that changes its network may wait for minutes on a connection that nobody has ended."""
    _, arbiter, opponent = club.after_e4()
    opponent.clock.install()
    held: list[Route] = []
    opponent.route("**/act?*", lambda route: held.append(route), times=1)
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    opponent.clock.run_for(25_000)
    expect(opponent.locator("#move-text")).to_have_value("")
    see_move(arbiter, 2, "e5")
    assert len(held) == 1


def test_who_waits_when_the_page_is_closed_for_good_is_told_that(club: Club) -> None:
    _, arbiter, opponent = club.after_e4()
    opponent.click("#resign")
    opponent.click("#confirm-do")
    expect(opponent.locator("#sign")).to_be_visible()
    DeadLine(opponent)
    opponent.click("#sign")
    opponent.clock.run_for(LATE)
    arbiter.locator("details:has(#form-close) > summary").click()
    arbiter.click("#close-next")
    arbiter.click("#confirm-do")
    see(opponent, "#result", "The arbiter has closed the page.")
    expect(opponent.locator("#waiting")).to_be_hidden()
    see(opponent, "#result", "The arbiter has closed the page.")


def test_what_waited_while_the_telephone_slept_is_not_sent_when_it_wakes(club: Club) -> None:
    """The arbiter was called by hand long ago: nobody wants the clocks stopped now."""
    _, _, opponent = club.after_e4()
    line = DeadLine(opponent)
    opponent.click("#call-arbiter")
    opponent.clock.run_for(LATE)
    see(opponent, "#waiting", "There is no answer yet.")
    opponent.clock.fast_forward(600_000)
    expect(opponent.locator("#waiting")).to_be_hidden()
    line.mend()
    opponent.fill("#move-text", "e5")
    opponent.click("#move-do")
    see_move(opponent, 2, "e7-e5")
    assert "stop-clock" not in [line.get("do") for line in club.journal]


COVERED = """() => {
  const [at, bar] = [document.activeElement, document.getElementById("waiting")];
  const [a, b] = [at, bar].map(each => each.getBoundingClientRect());
  return {id: at.id || at.dataset.square || at.tagName,
          covered: !bar.contains(at) && a.height > 0 && a.top >= b.top && a.bottom <= b.bottom + 1};
}"""


def test_what_says_that_one_waits_hides_nothing_that_has_the_focus(club: Club) -> None:
    """2.4.11, on a small telephone, where it takes several lines."""
    club.serve("--press", "key")
    start(club.visitor("arbiter"))
    opponent = club.visitor("opponent", viewport={"width": 320, "height": 560}, locale="de-DE")
    DeadLine(opponent)
    opponent.click("#offer-draw")
    opponent.clock.run_for(LATE)
    expect(opponent.locator("#give-up")).to_be_in_viewport()
    found: list[dict[str, str | bool]] = []
    while not found or found[-1]["id"] not in ("skip", "BODY"):
        opponent.keyboard.press("Tab")
        found.append(opponent.evaluate(COVERED))
        assert len(found) < 60
    assert [each["id"] for each in found if each["covered"]] == []
