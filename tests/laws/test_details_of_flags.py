"""Flags and the arbiter's word: what his clock says otherwise than Hector's, and times he sets to zero."""

from __future__ import annotations

import pytest
from played import Played, event, names

RAPID = {"time_control": "900", "supervised": False}
BLITZ = {"time_control": "20", "supervised": False}


def unpressed(**game: object) -> Played:
    """White has made a move and not pressed: Black has the move, and White's clock runs."""
    game_of_white = Played("2023", **(RAPID | game))
    game_of_white.announce("e2e4")
    return game_of_white


@pytest.mark.ledger("L23-6.8", "L23-A.5.5")
def test_the_flag_that_only_the_arbiter_has_seen_is_that_of_the_clock_that_ran() -> None:
    game = unpressed()
    game.do("claim", "arbiter", of="flag", wait=True)
    said = game.do("rule", claim="accept")
    assert (event(said, "flag-fallen")["side"], game.result) == ("white", "0-1")


def test_the_flag_that_only_the_arbiter_has_seen_is_that_of_the_clock_that_he_has_stopped() -> None:
    game = unpressed()
    game.do("stop-clock")
    game.do("claim", "arbiter", of="flag", wait=True)
    assert event(game.do("rule", claim="accept"), "flag-fallen")["side"] == "white"


@pytest.mark.ledger("L14-6.11b")
@pytest.mark.parametrize("edition", ["2005", "2009", "2014"])
def test_who_claims_a_flag_that_only_the_arbiter_has_seen_does_not_win_with_his_own_down(
    edition: str,
) -> None:
    game = Played(edition, **BLITZ).moves("e2e4 e7e5")
    game.do("claim", "white", at=60, of="flag", wait=True)
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("1/2-1/2", "both-flags")


@pytest.mark.ledger("L23-III.5.3")
@pytest.mark.parametrize("edition", ["2009", "2014", "2018", "2023"])
def test_a_flag_that_nobody_has_called_keeps_no_minutes_of_a_rejected_claim_back(edition: str) -> None:
    game = claimed_with_the_flag_down(edition)
    wrong = event(game.do("rule", claim="reject"), "claim-wrong")
    assert (wrong["seconds"], game.status["black"]) == (120, 620)


@pytest.mark.ledger("L23-III.5.2")
@pytest.mark.parametrize("edition", ["2009", "2014", "2018", "2023"])
def test_what_the_arbiter_grants_when_he_postpones_is_on_the_clock(edition: str) -> None:
    game = claimed_with_the_flag_down(edition)
    waits = event(game.do("rule", claim="postpone", seconds=60), "claim-waits")
    assert (waits["seconds"], game.status["black"]) == (60, 560)


def claimed_with_the_flag_down(edition: str) -> Played:
    """White has claimed a quickplay finish; his flag has fallen since, and nobody calls it here."""
    game = Played(edition, quickplay_finish=True, **RAPID)
    game.do("set-clock", white=10, black=500)
    game.do("claim", "white", of="quickplay-finish")
    game.at = 60
    return game
