"""Flags and the arbiter's word: what his clock says otherwise than Hector's, and times he sets to zero."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from played import Played, event, names

from assistant.laws.mate import CHEAP, can_mate

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
    assert (wrong["seconds"], game.status["black"], game.over) == (120, 620, False)


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


def both_set_to_zero(edition: str = "2023") -> Played:
    game = Played(edition, time_control="5400").moves("e2e4 e7e5")
    game.do("set-clock", white=0, black=0)
    return game


@pytest.mark.parametrize("set_again", [{"moves": 1}, {"white": 0}])
def test_of_two_flags_set_to_zero_none_is_the_first_while_both_are_down(set_again: dict[str, int]) -> None:
    game = both_set_to_zero()
    game.do("set-clock", **set_again)
    game.do("claim", "arbiter", of="flag")
    assert (game.last["about"], game.last["proposal"], game.over) == ("score", "1/2-1/2", False)


def test_of_two_flags_set_to_zero_the_one_that_got_time_since_has_fallen_last() -> None:
    game = Played("2023", **RAPID)
    game.do("set-clock", white=0, black=0)
    game.do("penalty", "black", kind="add-opponent", seconds=5)
    asked = event(game.do("claim", "arbiter", at=60, of="flag"), "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("score", "1-0")


def test_of_two_flags_set_to_zero_one_after_the_other_the_first_has_fallen_first() -> None:
    game = Played("2023", **RAPID).moves("e2e4 e7e5")
    game.do("set-clock", black=0)
    game.do("set-clock", white=0)
    asked = event(game.do("claim", "arbiter", of="flag"), "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("score", "1-0")


def test_a_flag_that_was_down_before_the_other_was_set_to_zero_has_fallen_first() -> None:
    """The arbiter is asked which move it was: White's flag fell before he had pressed for either."""
    game = Played("2023", time_control="60", white={"blind": True}, category="standard")
    game.do("place", "white", at=1, move="e2e4")
    game.do("announce", "white", at=1, move="e2e3")
    assert names(game.do("ask", "arbiter", at=70, about="times"))[:2] == ["flag-fallen", "arbiter-asked"]
    game.do("set-clock", black=0)
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("0-1", "flag")


def asked_after_the_press() -> Played:
    """White has stalemated with his man and announced a check; Black's clock ran when he noticed it."""
    game = Played("2023", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", time_control="5400", white={"blind": True})
    game.do("place", "white", move="g6f7")
    game.do("announce", "white", move="g6h6")
    game.do("press", "white")
    game.do("correct", "white", move="g6f7")
    return game


@pytest.mark.ledger("L23-D.2.8", "L23-5.2.1")
def test_no_flag_falls_while_the_arbiter_is_asked_whether_the_placed_move_has_ended_the_game() -> None:
    game = asked_after_the_press()
    game.do("ask", "arbiter", at=9000, about="times")
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("1/2-1/2", "stalemate")


def test_the_clock_runs_again_when_the_announced_move_was_the_move() -> None:
    game = asked_after_the_press()
    assert game.status["running"] == "none"
    game.do("rule", claim="reject")
    assert (game.status["running"], game.status["moves"]) == ("black", ["Qh6+"])


def test_which_move_it_was_is_asked_once_however_often_it_is_corrected() -> None:
    game = asked_after_the_press()
    game.do("correct", "white", move="g6f7")
    assert [each.what for each in game.referee.questions] == ["which-move"]


@pytest.mark.ledger("L23-6.1")
@pytest.mark.parametrize(
    ("verb", "keys"),
    [
        ("set-clock", {"white": 0}),
        ("set-clock", {"white": 0, "black": 0}),
        ("penalty", {"side": "white", "kind": "reduce", "seconds": 900}),
    ],
)
def test_no_flag_falls_before_the_clock_has_been_started(verb: str, keys: dict[str, object]) -> None:
    game = Played("2023", start=False, time_control="900")
    [said] = game.do(verb, **keys)
    assert (said["event"], said["reason"]) == ("refused", "the clock has not been started")
    game.do("start")
    assert (game.status["running"], game.status["white"], game.over) == ("white", 900, False)


def test_a_press_after_the_time_is_over_brings_no_increment() -> None:
    """6.9: nobody has called the flag yet; what is left stays nothing."""
    game = Played("2023", time_control="60+5", supervised=False).moves("e2e4 e7e5")
    game.announce("g1f3", at=500)
    game.do("press", "white")
    assert game.status["white"] == 0
    game.do("claim", "black", of="flag")
    assert (game.result, game.reason) == ("0-1", "flag")


def test_who_is_given_no_time_keeps_his_flag_down() -> None:
    game = Played("2023", time_control="60", supervised=False).moves("e2e4 e7e5")
    game.announce("g1f3", at=500)
    game.do("press", "white")
    game.do("penalty", "black", kind="add-opponent", seconds=0)
    game.do("claim", "black", of="flag")
    assert (game.result, game.reason) == ("0-1", "flag")


@pytest.mark.parametrize(
    ("verb", "side", "keys"),
    [("penalty", "white", {"kind": "reduce", "seconds": 10}), ("set-clock", None, {"white": 0})],
)
def test_a_flag_that_is_down_does_not_fall_once_more(
    verb: str, side: str | None, keys: dict[str, Any]
) -> None:
    """Guideline III.3.1.2: White's fell first, whatever is taken from him afterwards."""
    game = Played("2023", time_control="60", supervised=False).moves("e2e4 e7e5")
    game.announce("g1f3", at=100)
    game.do("press", "white")
    game.announce("b8c6", at=300)
    assert "flag-fallen" not in names(game.do(verb, side, **keys))
    asked = event(game.do("claim", "arbiter", of="flag"), "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("score", "0-1")


@pytest.mark.parametrize("edition", ["2018", "2023"])
def test_since_2018_who_claims_with_both_flags_down_has_not_claimed_wrongly(edition: str) -> None:
    game = Played(edition, **RAPID).moves("e2e4 e7e5")
    game.do("set-clock", white=0, black=0)
    assert names(game.do("claim", "white", of="flag"))[:2] == ["flag-claim", "arbiter-asked"]


@pytest.mark.parametrize("control", ["300", "1500+10"])
def test_both_flags_are_no_draw_by_a_quickplay_finish_that_does_not_apply(control: str) -> None:
    """Guideline III.2.2: neither in blitz nor with an increment; what both flags bring, the arbiter says."""
    game = Played("2023", time_control=control, supervised=False, quickplay_finish=True).moves("e2e4 e7e5")
    game.do("set-clock", white=0, black=0)
    assert names(game.do("claim", "arbiter", of="flag"))[:2] == ["flag-claim", "arbiter-asked"]


def test_of_two_flags_a_period_apart_only_the_earlier_one_gets_time() -> None:
    """8.6, A.4.d.3: the other has no period left; no flag of his goes up."""
    game = Played("2014", time_control="2/60+5:60+5", category="rapid", supervised=False).moves("e2e4 e7e5")
    game.announce("g1f3")
    game.do("press", "white")
    game.do("set-clock", white=0, black=0)
    game.do("claim", "arbiter", of="flag")
    assert (game.status["white"], game.status["black"], game.over) == (0, 65, False)
    assert event(game.do("claim", "black", of="flag"), "flag-fallen")["side"] == "white"


def test_who_could_perhaps_still_mate_wins_on_time_and_the_arbiter_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """6.9: where the search finds neither a mate nor a proof that there is none, it is presumed."""
    monkeypatch.setattr("assistant.laws.mating.can_mate", partial(can_mate, budget=CHEAP))
    game = Played("2023", time_control="60", category="standard")
    said = game.do("ask", "arbiter", about="times", at=60)
    assert names(said)[:3] == ["flag-fallen", "arbiter-asked", "game-over"]
    asked, over = said[1], said[2]
    assert (asked["about"], asked["side"], asked["proposal"]) == ("score", "black", "0-1")
    assert asked["presumed"] and over["presumed"] and game.result == "0-1"
