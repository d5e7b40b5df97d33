"""Articles 11 and 12.9 (12 and 13.4 of 2009): conduct, devices, and the penalties with their score."""

from __future__ import annotations

import pytest
from ledger_rows import editions, family
from played import Played, article, names, refused

BARE_BLACK_KING = "8/8/4k3/8/8/3K3R/8/8 w - - 0 60"


def times(game: Played) -> tuple[float, float]:
    return float(game.status["white"]), float(game.status["black"])


def penalty(game: Played, side: str, kind: str, **keys: object) -> list[dict[str, object]]:
    """A penalty at the moment of the last line, so that no time passes."""
    return game.do("penalty", side, at=game.at, kind=kind, **keys)


def offered_list(game: Played) -> list[str]:
    """The penalties offered to the arbiter with his last question."""
    [asked] = [event for event in game.events if event["event"] == "arbiter-asked"]
    assert asked["about"] == "conduct"
    return list(asked["penalties"])


# -- No advice, no devices ------------------------------------------------------------------------------


@editions(*family("L14-11.3a"))
def test_no_advice_is_given(edition: str) -> None:
    game = Played(edition, white={"blind": True})
    for about in ("best-move", "legal-moves", "evaluation", "is-it-drawn", "threats"):
        for side in ("white", "black", "arbiter"):
            said = game.do("ask", side, about=about)
            assert refused(said) and said[-1]["article"].split()[1] in ("11.3.a", "11.3.1", "12.3.a")
    assert "answer" not in names(game.events)


@editions("L14-11.3b1", "L18-11.3.2.2", "L23-11.3.2.2")
def test_a_device_on_the_player_loses_the_game(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    said = penalty(game, "black", "loss", reason="phone")
    assert (game.result, game.reason) == ("1-0", "penalty")
    assert article(said, "game-over") in ("11.3.b", "11.3.2.2")
    bare = Played(edition, BARE_BLACK_KING)
    penalty(bare, "white", "loss", reason="phone")
    assert bare.result == "0-1"
    milder = Played(edition).moves("e2e4 e7e5")
    penalty(milder, "black", "add-opponent", seconds=300, reason="phone in the bag")
    assert not milder.over


@editions("L09-12.3b")
def test_in_2009_the_opponent_of_a_ringing_phone_draws_if_he_cannot_win(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    penalty(game, "black", "loss", reason="phone")
    assert game.result == "1-0"
    bare = Played(edition, BARE_BLACK_KING)
    penalty(bare, "white", "loss", reason="phone")
    assert bare.result == "0-1/2"


@editions("L23-11.3.2.1")
def test_the_start_waits_until_the_arbiter_has_approved_the_aid(edition: str) -> None:
    game = Played(edition, white={"blind": True}, approved=False, start=False)
    said = game.do("start", at=0)
    assert refused(said) and article(said, "refused") == "11.3.2.1"
    assert game.status["running"] == "none"
    assert not refused(Played(edition, white={"blind": True}).events)


def test_a_blind_blacks_aid_is_approved_too() -> None:
    game = Played("2023", black={"blind": True}, approved=False, start=False)
    assert refused(game.do("start", at=0))
    assert not refused(Played("2023", approved=False).events), "nobody is blind"


# -- Disturbing, refusing -------------------------------------------------------------------------------


@editions(*family("L14-11.5"))
def test_repeated_offers_are_brought_before_the_arbiter_not_the_players(edition: str) -> None:
    game = Played(edition)
    for move, reply in (("e2e4", "e7e5"), ("g1f3", "b8c6"), ("f1b5", "a7a6")):
        game.announce(move)
        said = game.do("offer-draw", "white")
        game.do("press", "white")
        game.move(reply)
    assert names(said) == ["draw-offered", "arbiter-asked"]
    assert said[-1]["side"] == "white" and said[-1]["about"] == "conduct"
    assert said[-1]["article"].split()[1] in ("11.5", "12.6")
    twice = Played(edition)
    for move, reply in (("e2e4", "e7e5"), ("g1f3", "b8c6")):
        twice.announce(move)
        twice.do("offer-draw", "white")
        twice.do("press", "white")
        twice.move(reply)
    assert "arbiter-asked" not in names(twice.events)
    twice.moves("f1b5 a7a6 b5a4 g8f6")
    twice.announce("b1c3")
    assert names(twice.do("offer-draw", "white")) == ["draw-offered"]


@editions(*family("L14-6.12d"), "L09-6.12d")
def test_stopping_the_clocks_without_a_reason_is_for_the_arbiter_to_punish(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    said = game.do("stop-clock", by="white")
    assert names(said) == ["clock-stopped", "arbiter-asked"]
    white, black = times(game)
    penalty(game, "white", "add-opponent", seconds=120)
    assert times(game) == (white, black + 120)
    penalty(game, "white", "reduce", seconds=60)
    assert times(game) == (white - 60, black + 120)
    with_reason = Played(edition).moves("e2e4 e7e5")
    assert names(with_reason.do("stop-clock", by="white", reason="queen missing")) == ["clock-stopped"]


LISTS = {
    "2009": ["warning", "add-opponent", "reduce", "loss", "points-offender", "points-opponent", "expulsion"],
    "2014": [
        *("warning", "add-opponent", "reduce", "points-opponent", "points-offender", "loss"),
        *("fine", "expulsion"),
    ],
}
LISTS["2023"] = LISTS["2014"]


@editions("L14-11.6", "L09-12.7", "L23-11.6")
def test_a_breach_opens_the_editions_list_of_penalties(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    game.do("stop-clock", by="white")
    assert offered_list(game) == LISTS[edition]
    assert refused(penalty(game, "white", "fine", seconds=0)) is (edition == "2009")


@editions("L09-6.7c")
def test_hitting_the_clock_is_punished_from_the_list(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    said = penalty(game, "black", "warning", reason="clock hit")
    assert (said[0]["event"], said[0]["reason"]) == ("penalty", "clock hit")
    game.do("stop-clock", by="black")
    assert offered_list(game) == LISTS["2009"]


@editions(*family("L14-11.7"))
def test_persistent_refusal_loses_and_the_arbiter_sets_the_opponents_score(edition: str) -> None:
    for points, result in ((1, "0-1"), (0.5, "0-1/2"), (0, "0-0")):
        game = Played(edition).moves("e2e4 e7e5")
        penalty(game, "white", "loss", points=points, reason="refuses to comply")
        assert (game.result, game.reason) == (result, "penalty")


@editions(*family("L14-11.8"))
def test_both_guilty_both_lose(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    game.do("result", white=0, black=0)
    assert game.result == "0-0"


# -- The list -------------------------------------------------------------------------------------------


@editions(*family("L14-12.9a"))
def test_a_warning_is_noted_and_changes_no_clock(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    before = times(game)
    [said] = penalty(game, "white", "warning", reason="noise")
    assert (said["event"], said["side"], said["kind"], said["reason"]) == (
        "penalty",
        "white",
        "warning",
        "noise",
    )
    assert times(game) == before
    assert str(said["article"]).split()[1] in ("12.9.a", "13.4.a", "12.9.1")


@editions(*family("L14-12.9b"))
def test_time_is_added_to_the_opponent(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    white, black = times(game)
    penalty(game, "black", "add-opponent", seconds=180)
    assert times(game) == (white + 180, black)


@editions(*family("L14-12.9c"))
def test_time_is_taken_from_the_offender(edition: str) -> None:
    game = Played(edition, time_control="720", category="standard").moves("e2e4 e7e5")
    white, black = times(game)
    penalty(game, "white", "reduce", seconds=300)
    assert times(game) == (white - 300, black)
    penalty(game, "white", "reduce", seconds=900)
    assert game.status["white"] == 0


def test_without_a_clock_a_player_is_warned_but_no_time_is_given_or_taken() -> None:
    game = Played("2023", time_control="-").moves("e2e4 e7e5")
    assert names(penalty(game, "white", "warning")) == ["penalty"]
    for kind in ("add-opponent", "reduce"):
        said = penalty(game, "white", kind, seconds=60)
        assert refused(said) and said[-1]["reason"] == "this game has no clock"


def test_without_a_clock_none_runs_again() -> None:
    said = Played("2023", time_control="-").moves("e2e4 e7e5").do("resume")
    assert refused(said) and said[-1]["reason"] == "this game has no clock"


def test_a_reduction_is_said_with_both_times() -> None:
    game = Played("2023").moves("e2e4 e7e5")
    white, black = times(game)
    [said] = penalty(game, "white", "reduce", seconds=300)
    assert (said["event"], said["side"], said["kind"]) == ("penalty", "white", "reduce")
    assert (said["seconds"], said["white"], said["black"]) == (300, white - 300, black)


def test_a_reduction_to_nothing_makes_the_flag_fall() -> None:
    game = Played("2023", time_control="720", category="standard").moves("e2e4 e7e5")
    said = penalty(game, "white", "reduce", seconds=900)
    assert names(said) == ["penalty", "flag-fallen", "game-over"]
    assert (said[0]["white"], said[1]["side"]) == (0, "white")
    assert (game.result, game.reason) == ("0-1", "flag")


@editions(*family("L14-12.9d"), "L09-13.4f")
def test_the_opponents_points_are_raised_to_the_maximum_at_most(edition: str) -> None:
    drawn = Played(edition).moves("e2e4 e7e5")
    penalty(drawn, "white", "points-offender", points=0.5)
    penalty(drawn, "white", "points-opponent", points=0.5)
    drawn.do("offer-draw", "white")
    drawn.do("accept-draw", "black")
    assert drawn.result == "0-1"
    won = Played(edition).moves("e2e4 e7e5")
    penalty(won, "white", "points-opponent", points=1)
    won.do("resign", "white")
    assert won.result == "0-1"


@pytest.mark.ledger("L14-12.9d", "L09-13.4f")
@pytest.mark.parametrize("edition", ["1997", "2005", "2009", "2014"])
@pytest.mark.parametrize(
    ("points", "ending", "result"), [(0.5, "draw", "1-1/2"), (0.5, "win", "1/2-1"), (1, "win", "1-1")]
)
def test_the_points_that_a_penalty_raises_leave_the_offender_his_until_2014(
    edition: str, points: float, ending: str, result: str
) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    penalty(game, "black", "points-opponent", points=points)
    if ending == "win":
        game.do("resign", "white")
    else:
        game.do("offer-draw", "white")
        game.do("accept-draw", "black")
    assert (game.result, names(game.events)[-1]) == (result, "game-over")


@editions(*family("L14-12.9e"))
def test_the_offenders_points_are_reduced(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    penalty(game, "white", "points-offender", points=0.5)
    game.do("offer-draw", "white")
    game.do("accept-draw", "black")
    assert game.result == "0-1/2"
    assert refused(penalty(Played(edition), "white", "points-offender", points=0.25))


@editions(*family("L14-12.9f"), "L09-13.4d")
def test_with_the_loss_the_arbiter_is_asked_for_the_opponents_score(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    said = penalty(game, "black", "loss")
    assert names(said) == ["penalty", "arbiter-asked"]
    assert (said[-1]["about"], said[-1]["proposal"], game.over) == ("score", 1, False)
    game.do("rule", claim="accept")
    assert (game.result, game.reason) == ("1-0", "penalty")


@editions(*family("L14-12.9h"), "L09-13.4g")
def test_expulsion_is_written_in_the_log(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    [said] = penalty(game, "black", "expulsion", reason="expelled from the event")
    assert (said["kind"], said["reason"]) == ("expulsion", "expelled from the event")
    assert str(said["article"]).split()[1] in ("12.9.h", "13.4.g", "12.9.9")


@editions("L18-12.9.8", "L23-12.9.8")
def test_exclusion_from_rounds_names_the_rounds(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    [said] = penalty(game, "black", "expulsion", reason="rounds 5 and 6")
    assert said["reason"] == "rounds 5 and 6"
    assert not game.over


@editions("L09-12.7")
def test_a_penalty_that_is_refused_answers_no_question(edition: str) -> None:
    game = Played(edition, white={"present": False}, black={"present": False})
    game.do("ask", "arbiter", about="times")
    before = game.referee.questions
    assert [each.what for each in before] == ["default"]
    assert refused(penalty(game, "black", "points-opponent", points=0))
    assert game.referee.questions == before
