"""What a penalty says and leaves, beside the plain cases of article 12.9, and the result that is declared."""

from __future__ import annotations

from typing import Any

import pytest
from played import Played, article, names, refused


def game_of(edition: str = "2023", **game: Any) -> Played:
    return Played(edition, time_control="5400", **game).moves("e2e4 e7e5")


@pytest.mark.parametrize(
    ("kind", "keys", "says"),
    [
        ("warning", {}, {}),
        ("fine", {"seconds": 0.5}, {"seconds": 0.5}),
        ("add-opponent", {"seconds": 60}, {"seconds": 60}),
        ("reduce", {"seconds": 60}, {"seconds": 60}),
        ("points-opponent", {"points": 0.5}, {"points": 0.5}),
        ("points-offender", {"points": 1}, {"points": 1}),
        ("loss", {"points": 1}, {"points": 1}),
    ],
)
def test_a_penalty_says_what_is_imposed_and_no_reason_where_none_was_given(
    kind: str, keys: dict[str, float], says: dict[str, float]
) -> None:
    game = game_of()
    said = game.do("penalty", "white", kind=kind, **keys)[0]
    times = {"white", "black"} if kind in ("add-opponent", "reduce") else set()
    assert said.keys() == {"at", "event", "side", "kind", "article"} | says.keys() | times
    assert {key: said[key] for key in says} == says


def test_a_device_is_lost_by_its_own_article_and_any_other_conduct_by_the_list() -> None:
    for reason, cited in (("phone", "11.3.2.2"), ("refuses to comply", "12.9.6")):
        said = game_of().do("penalty", "black", kind="loss", points=1, reason=reason)
        assert (article(said, "penalty"), article(said, "game-over")) == (cited, cited)


def test_points_that_nobody_can_be_given_lose_no_game() -> None:
    game = game_of()
    assert refused(game.do("penalty", "white", kind="loss", points=0.75))
    assert not game.over


def test_a_penalty_answers_what_the_arbiter_was_asked_about_conduct() -> None:
    game = game_of()
    game.do("stop-clock", by="white")
    game.do("penalty", "white", kind="reduce", seconds=60)
    [refusal] = game.do("rule", claim="accept")
    assert refusal["reason"] == "nothing waits for the arbiter"


def test_a_penalty_that_is_refused_leaves_the_question_open() -> None:
    game = game_of()
    game.do("stop-clock", by="white")
    game.do("penalty", "white", kind="points-offender", points=0.25)
    assert names(game.do("rule", claim="accept")) == ["penalty"]


def test_time_may_be_taken_before_the_clock_is_started_but_not_all_of_it() -> None:
    game = Played("2023", time_control="5400", start=False)
    assert refused(game.do("penalty", "white", kind="reduce", seconds=5400))
    assert names(game.do("penalty", "white", kind="reduce", seconds=5399)) == ["penalty"]
    assert game.status["white"] == 1


def test_nobody_resigns_before_the_clock_is_started() -> None:
    game = Played("2023", time_control="5400", start=False)
    assert game.do("resign", "white")[-1]["reason"] == "the clock has not been started"


def test_the_result_that_the_arbiter_declares_counts_points_of_penalties_no_more() -> None:
    """He has weighed them: what he declares is the score."""
    game = game_of()
    game.do("penalty", "white", kind="points-offender", points=0.5)
    game.do("penalty", "black", kind="points-offender", points=0.5)
    game.do("result", white=0.5, black=0.5)
    assert game.result == "1/2-1/2"


def test_once_the_game_is_over_nothing_waits_for_the_arbiter_and_both_clocks_stand() -> None:
    game = game_of()
    game.do("stop-clock", by="white")
    game.do("resume")
    game.do("stop-clock", by="white")
    assert game.referee.questions != ()
    game.do("result", white=1, black=0)
    assert (game.referee.questions, game.referee.is_halted, game.referee.running) == ((), True, None)


def test_points_of_penalties_change_no_game_that_was_not_played() -> None:
    """10.1: it is won or lost by forfeit, whatever was given or taken before."""
    game = Played("2023", black={"present": False}, default_time=900)
    game.do("penalty", "black", kind="points-offender", points=0.5)
    game.do("penalty", "black", kind="points-opponent", points=0.5)
    game.do("arrive", "black", at=901)
    game.do("rule", claim="accept")
    assert game.result == "+/-"
