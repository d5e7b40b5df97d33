"""An envelope that lies open while the arbiter is asked about what it held."""

from __future__ import annotations

import pytest
from played import Played, names


def opened(text: str, *before: tuple[str, dict[str, object]]) -> Played:
    """White's envelope is opened for Black, who came five seconds late and has not stopped his clock.

    `before`: what White did before, and after, he was ordered to seal.
    """
    game = Played("2023", time_control="60", default_time=6000).moves("e2e4 e7e5")
    for verb, keys in before:
        game.do(verb, **keys)
    game.do("seal", "white", envelope="a sealed box")
    game.do("stop-clock", at=20)
    game.do("resume", at=100)
    game.do("arrive", "black", at=105)
    game.do("open-envelope", text=text)
    return game


ORDER: tuple[str, dict[str, object]] = ("adjourn", {})
TOUCH: tuple[str, dict[str, object]] = ("touch", {"side": "white", "squares": ["g1"]})
MADE: tuple[str, dict[str, object]] = ("announce", {"side": "white", "move": "g1f3"})


@pytest.mark.ledger("L23-I.9.2", "L23-I.8.2")
@pytest.mark.parametrize(
    ("text", "before"),
    [
        pytest.param("scrawl", [ORDER], id="a scrawl"),
        pytest.param("d4", [TOUCH, ORDER], id="another man was touched"),
        pytest.param("d4", [ORDER, MADE], id="another move was made after the order"),
    ],
)
def test_the_replier_s_clock_stands_while_the_arbiter_rules_on_what_was_found(
    text: str, before: list[tuple[str, dict[str, object]]]
) -> None:
    game = opened(text, *before)
    asked, stopped = game.events[-2:]
    assert (asked["event"], asked["about"]) == ("arbiter-asked", "which-move")
    assert (stopped["event"], stopped["article"]) == ("clock-stopped", "2023 6.11.1")
    assert not game.referee.advance(500)
    assert game.status["running"] == "none"


@pytest.mark.ledger("L23-I.9.2")
def test_the_replier_s_clock_runs_again_when_the_move_that_was_made_out_is_entered() -> None:
    game = opened("scrawl", ORDER)
    left = game.status["black"]
    game.do("rule", claim="reject", at=300)
    game.announce("g1f3", "white")
    game.referee.advance(game.at + 1)
    assert (game.status["running"], game.status["black"]) == ("black", left - 1)


@pytest.mark.ledger("L23-I.1.1d")
def test_the_sealed_move_is_made_where_the_arbiter_says_that_another_was_not_made_on_the_board() -> None:
    game = opened("d4", ORDER, MADE)
    assert names(game.do("rule", claim="reject")) == ["move-made", "move-completed"]
    assert game.status["moves"][-1] == "d4"
