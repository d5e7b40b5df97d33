"""Articles 5 and 9.1, 9.6: how a game ends, and draws by agreement or by themselves."""

from __future__ import annotations

import pytest
from ledger_rows import editions, family
from played import Played, article, names, refused

SHUTTLE = "g1f3 g8f6 f3g1 f6g8"
FIVE_SCATTERED = (
    "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 b1c3 b8c6 g1f3 g8f6 c3b1 c6b8 f3g1 f6g8 g1f3 g8f6 f3g1"
)
BARE_BLACK_KING = "8/8/4k3/8/8/3K3R/8/8 w - - 0 60"


# -- Mate, stalemate, dead position ---------------------------------------------------------------------


@editions(*family("L14-1.2a"))
def test_checkmate_wins(edition: str) -> None:
    game = Played(edition).moves("f2f3 e7e5 g2g4 d8h4")
    assert (game.result, game.reason) == ("0-1", "checkmate")
    assert refused(game.announce("a2a3", "white"))


@editions(*family("L14-5.1a"))
def test_a_mating_move_ends_the_game_without_a_press(edition: str) -> None:
    game = Played(edition, time_control="60").moves("f2f3 e7e5 g2g4")
    game.announce("d8h4")
    assert (game.result, game.reason) == ("0-1", "checkmate")
    game.do("ask", "white", at=500, about="times")
    assert game.result == "0-1" and "flag-fallen" not in names(game.events)


@editions(*family("L14-5.2a"))
def test_stalemate_draws(edition: str) -> None:
    game = Played(edition, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    game.announce("f1f7")
    assert (game.result, game.reason) == ("1/2-1/2", "stalemate")


@editions(*family("L14-1.3", "L14-5.2b"), "L14-1.3k", "L18-5.2.2")
def test_a_position_in_which_nobody_can_mate_draws_at_once(edition: str) -> None:
    for fen, move in (
        ("4k3/8/8/8/8/8/4n3/4K3 w - - 0 1", "e1e2"),
        ("4k3/8/8/3b4/4B3/8/8/4K3 w - - 0 1", "e4d5"),
        ("8/8/4k3/8/3p4/3KB3/8/8 w - - 0 1", "e3d4"),
        ("8/8/4k3/8/3p4/3KN3/8/8 w - - 0 1", "d3d4"),
    ):
        game = Played(edition, fen)
        game.announce(move)
        assert (game.result, game.reason) == ("1/2-1/2", "dead-position"), fen


@editions(*family("L14-9.7"))
def test_a_position_that_only_looks_dead_goes_on(edition: str) -> None:
    alive = Played(edition, "8/8/8/8/8/2k5/1p6/1K6 w - - 0 1").moves("b1a2")
    assert not alive.over
    taken = Played(edition, "8/8/8/8/8/2k5/1p6/K7 w - - 0 1")
    assert not taken.over
    dead = Played(edition, "8/8/8/8/8/3k4/1p6/1K6 w - - 0 1")
    dead.announce("b1b2")
    assert (dead.result, dead.reason) == ("1/2-1/2", "dead-position")


@pytest.mark.ledger("L14-5k1")
def test_mate_and_a_fallen_flag_found_together_are_mate() -> None:
    game = Played(
        "2014", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", time_control="60", category="rapid", supervised=False
    )
    game.do("announce", "white", at=70, move="g1g7")
    assert (game.result, game.reason) == ("1-0", "checkmate")


# -- Resignation ----------------------------------------------------------------------------------------


@editions(*family("L14-5.1b"), "L18-5.1.2", "L23-5.1.2b")
def test_who_resigns_loses(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    said = game.do("resign", "black")
    assert (game.result, game.reason) == ("1-0", "resignation")
    assert game.status["running"] == "none"
    assert article(said, "game-over")[0] == "5"
    helped = Played(edition, "8/8/8/4k3/8/3NK3/5p2/8 b - - 0 60")
    helped.do("resign", "black")
    assert helped.result == "1-0"


@editions("L18-5.1.2", "L14-5.1b", "L09-5.1b")
def test_before_2023_it_does_not_matter_whether_the_opponent_could_mate(edition: str) -> None:
    game = Played(edition, BARE_BLACK_KING)
    game.do("resign", "white")
    assert game.result == "0-1"


@editions("L23-5.1.2a")
def test_resigning_against_a_side_that_cannot_mate_draws(edition: str) -> None:
    game = Played(edition, BARE_BLACK_KING)
    said = game.do("resign", "white")
    assert (game.result, game.reason) == ("1/2-1/2", "resignation")
    assert article(said, "game-over") == "5.1.2"


def test_who_resigns_with_an_illegal_capture_on_the_board_has_not_taken_the_last_rook() -> None:
    """5.1.2 asks for a series of legal moves: the capture is neither lawful nor completed."""
    game = Played("2023", "7k/8/8/8/8/8/1r6/R6K w - - 0 1")
    game.announce("a1b2")
    game.do("resign", "white")
    assert (game.result, game.reason) == ("0-1", "resignation")


# -- Agreement and offers -------------------------------------------------------------------------------


@editions(*family("L14-5.2c"))
def test_an_offer_accepted_draws(edition: str) -> None:
    game = Played(edition)
    game.announce("e2e4")
    game.do("offer-draw", "white")
    game.do("press", "white")
    game.do("accept-draw", "black")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


@editions("L18-5.2.3", "L23-5.2.3")
def test_a_draw_is_agreed_only_after_both_have_moved(edition: str) -> None:
    game = Played(edition)
    game.announce("e2e4")
    game.do("offer-draw", "white")
    game.do("press", "white")
    said = game.do("accept-draw", "black")
    assert refused(said) and said[-1]["article"].endswith("5.2.3")
    game.moves("e7e5")
    game.announce("g1f3")
    game.do("offer-draw", "white")
    game.do("press", "white")
    game.do("accept-draw", "black")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


@editions(*family("L14-9.1a"))
def test_the_event_may_forbid_draws_before_a_move_or_altogether(edition: str) -> None:
    early = Played(edition, draw_offers=3).moves("e2e4 e7e5")
    assert refused(early.do("offer-draw", "black"))
    early.moves("g1f3 g8f6")
    early.announce("d2d4")
    assert names(early.do("offer-draw", "white")) == ["draw-offered"]
    never = Played(edition, draw_offers="forbidden").moves("e2e4 e7e5")
    assert refused(never.do("offer-draw", "white"))
    never.do("result", white=0.5, black=0.5)
    assert never.result == "1/2-1/2"


@editions(*family("L14-9.1a"))
@pytest.mark.parametrize("restriction", ["forbidden", 30])
def test_a_wrong_claim_is_no_way_to_the_draw_that_the_event_forbids(
    edition: str, restriction: str | int
) -> None:
    game = Played(edition, draw_offers=restriction).moves("e2e4 e7e5")
    assert names(game.do("claim", "white", of="threefold"))[0] == "claim-wrong"
    said = game.do("accept-draw", "black")
    assert refused(said) and article(said, "refused").startswith("9.1")
    game.do("result", white=0.5, black=0.5)
    assert game.result == "1/2-1/2"


@editions(*family("L14-9.1b1c"))
@pytest.mark.parametrize("answer", ["offer-draw", "claim"])
def test_an_offer_in_return_leaves_the_first_one_open(edition: str, answer: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    game.announce("g1f3")
    game.do("offer-draw", "white")
    game.do("press", "white")
    assert not refused(game.do(answer, "black", **({"of": "threefold"} if answer == "claim" else {})))
    assert game.status["draw_offer"] == "black"
    assert refused(game.do("offer-draw", "white"))
    game.do("decline-draw", "white")
    assert game.status["draw_offer"] == "white"
    game.do("accept-draw", "black")
    assert (game.result, game.reason) == ("1/2-1/2", "agreement")


@editions(*family("L14-9.1b1a"))
def test_an_offer_at_another_moment_is_valid_but_noted(edition: str) -> None:
    proper = Played(edition)
    proper.announce("e2e4")
    assert "improper" not in proper.do("offer-draw", "white")[0]
    game = Played(edition).moves("e2e4 e7e5 g1f3")
    said = game.do("offer-draw", "white")
    assert said[0]["improper"] is True
    assert said[0]["article"].split()[1] in ("11.5", "12.6")
    game.do("accept-draw", "black")
    assert game.result == "1/2-1/2"


@editions(*family("L14-9.1b1b"))
def test_no_condition_may_be_attached(edition: str) -> None:
    game = Played(edition)
    game.announce("e2e4")
    assert refused(game.do("offer-draw", "white", condition="if you play c5"))
    assert game.status["draw_offer"] == "none"


@editions(*family("L14-9.1b1c"))
def test_an_offer_stands_until_it_is_answered_or_the_opponent_touches_a_man(edition: str) -> None:
    game = Played(edition, black={"blind": True})
    game.announce("e2e4")
    game.do("offer-draw", "white")
    game.do("press", "white")
    assert refused(game.do("decline-draw", "white"))
    assert game.status["draw_offer"] == "white"
    game.do("touch", "black", squares=["e7"])
    assert game.status["draw_offer"] == "none"
    assert refused(game.do("accept-draw", "black"))
    spoken = Played(edition)
    spoken.announce("e2e4")
    spoken.do("offer-draw", "white")
    assert names(spoken.do("decline-draw", "black")) == ["draw-declined"]


@editions(*family("L14-9.1b1c"))
@pytest.mark.parametrize("begun", ["announce", "place", "touch"])
def test_an_offer_that_came_after_a_move_was_begun_outlives_that_move(edition: str, begun: str) -> None:
    """The man was touched before, and has to be moved: that is no answer (9.1, and E.4 of a sealed move)."""
    game = Played(edition, white={"blind": True})
    if begun == "touch":
        game.do("touch", "white", squares=["g1"])
    else:
        game.do(begun, "white", move="g1f3")
    game.do("offer-draw", "black")
    for rest in ("place", "announce"):
        if rest != begun:
            assert "draw-declined" not in names(game.do(rest, "white", move="g1f3"))
    game.do("press", "white")
    assert game.status["draw_offer"] == "black"
    game.announce("b8c6", "black")
    game.do("press", "black")
    assert game.status["draw_offer"] == "black"
    assert "draw-declined" in names(game.do("touch", "white", squares=["f1"]))


@editions(*family("L14-9.1b1c"))
def test_touching_another_man_after_the_offer_rejects_it(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    game.do("touch", "white", squares=["g1"])
    game.do("offer-draw", "black")
    assert "draw-declined" in names(game.do("touch", "white", squares=["f1"]))


# -- Draws that only a claim or nothing brings ----------------------------------------------------------


@editions(*family("L14-5.2d", "L14-5.2e"), "L23-5.2x")
def test_a_third_occurrence_and_fifty_moves_change_nothing_unclaimed(edition: str) -> None:
    game = Played(edition).moves(f"{SHUTTLE} {SHUTTLE}")
    assert not game.over
    game.moves("e2e4")
    quiet = Played(edition, "8/8/8/4k3/8/3K4/7R/r7 w - - 99 100").moves("h2h3")
    assert not quiet.over
    quiet.moves("a1a2")
    assert not quiet.over


@editions("L14-9.6a")
def test_five_consecutive_occurrences_draw_by_themselves(edition: str) -> None:
    game = Played(edition).moves(f"{SHUTTLE} {SHUTTLE} {SHUTTLE} g1f3 g8f6 f3g1")
    assert not game.over
    game.announce("f6g8")
    assert (game.result, game.reason) == ("1/2-1/2", "fivefold")
    scattered = Played(edition).moves(f"{FIVE_SCATTERED} f6g8")
    assert not scattered.over


@editions("L18-9.6.1", "L23-9.6.1")
def test_any_five_occurrences_draw_by_themselves(edition: str) -> None:
    game = Played(edition).moves(FIVE_SCATTERED)
    assert not game.over
    said = game.announce("f6g8")
    assert (game.result, game.reason) == ("1/2-1/2", "fivefold")
    assert article(said, "game-over") == "9.6.1"
    assert said[-1]["plies"] == [0, 4, 8, 16, 20]


QUIET = "7k/8/5KQ1/8/8/8/8/8 w - - 149 120"


@editions("L14-9.6b", "L14-6.2a2", "L18-9.6.2", "L23-9.6.2")
def test_75_moves_made_draw_without_a_press(edition: str) -> None:
    """2014 counts completed moves (9.6.b), and one that ends the game so is completed unpressed (6.2.a)."""
    game = Played(edition, QUIET)
    game.announce("g6g5")
    assert (game.result, game.reason) == ("1/2-1/2", "seventy-five-moves")
    mate = Played(edition, QUIET)
    mate.announce("g6g7")
    assert (mate.result, mate.reason) == ("1-0", "checkmate")


@editions("L09-9.6")
def test_2009_knows_no_draw_by_itself_but_the_dead_position(edition: str) -> None:
    game = Played(edition).moves(f"{SHUTTLE} {SHUTTLE} {SHUTTLE} {SHUTTLE}")
    assert not game.over
    quiet = Played(edition, QUIET).moves("g6g5")
    assert not quiet.over
    dead = Played(edition, "8/8/8/8/8/3k4/1p6/1K6 w - - 0 1")
    dead.announce("b1b2")
    assert article(dead.events, "game-over") == "9.6" or dead.reason == "dead-position"


def test_in_2014_four_of_the_five_alternate_moves_draw_nothing() -> None:
    knights = "g1f3 g8f6 b1c3 b8c6 h1g1 h8g8"
    game = Played("2014", time_control="-").moves(" ".join([knights, *["g1h1 g8h8 h1g1 h8g8"] * 3]))
    assert not game.over
    game.moves("g1h1 g8h8 h1g1 h8g8")
    assert game.reason == "fivefold"
