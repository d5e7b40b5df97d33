"""Article 7: illegal moves and other irregularities, and how each edition puts them right."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from ledger_rows import editions, family
from played import Played, article, event, names, refused

from assistant.laws import ScriptError

OPENED = "e2e4 e7e5"
ILLEGAL = "f1f3"  # a bishop's move that no bishop makes, possible on the board after 1.e4
PAWN = "8/4P1k1/8/8/8/8/8/4K2Q w - - 0 1"


def rated(edition: str, fen: str | None = None, control: str = "5400", **game: Any) -> Played:
    return Played(edition, fen, time_control=control, **game)


def after_illegal(edition: str, **game: Any) -> Played:
    """1.e4 e5 2.Bf1-f3, illegal, pressed; Black has the move."""
    return rated(edition, **game).moves(f"{OPENED} {ILLEGAL}")


# -- 7.1, 7.6: taking back ---------------------------------------------------------------------------------


@editions(*family("L14-7.1"))
def test_a_restored_position_leaves_the_times_to_the_arbiter(edition: str) -> None:
    game = rated(edition).moves("e2e4 e7e5 g1f3")
    before = game.status
    [restored] = game.do("restore", ply=0)
    assert (restored["event"], restored["ply"], restored["white"]) == ("position-restored", 0, 5400)
    assert game.board.board_fen().startswith("rnbqkbnr/pppppppp")
    assert game.status["running"] == "white"
    assert (game.status["black"], game.status["white"]) == (before["black"] - 1, before["white"])
    [clock] = game.do("set-clock", white=5390, black=5395, moves=0)
    assert (clock["event"], game.status["white"], game.status["black"]) == ("clock-set", 5390, 5395)


@editions(*family("L14-7.6"))
def test_a_displaced_position_is_taken_back_to_the_last_that_is_identifiable(edition: str) -> None:
    game = rated(edition).moves("e2e4 e7e5 g1f3 b8c6 f1b5")
    game.do("restore", ply=3)
    assert game.status["moves"] == ["e4", "e5", "Nf3"]
    assert not refused(game.announce("g8f6"))
    assert refused(game.do("restore", ply=9))


# -- 7.2, 7.3: a wrong start ---------------------------------------------------------------------------------

SWAPPED = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR w KQkq - 0 1"


@editions(*family("L14-7.2a"))
def test_a_game_begun_from_a_wrong_position_is_annulled(edition: str) -> None:
    game = rated(edition, SWAPPED).moves("e2e4 e7e5")
    events = game.do("claim", "white", of="initial-position")
    assert names(events) == ["claim-right", "game-over"]
    assert (game.result, game.reason) == ("annulled", "arbiter")


def test_a_right_start_is_no_claim_for_a_player_but_the_arbiter_has_seen_the_boards() -> None:
    game = rated("2023").moves(OPENED)
    assert names(game.do("claim", "white", of="initial-position")) == ["claim-wrong"]
    game.do("claim", "arbiter", of="initial-position")
    assert game.result == "annulled"


def test_a_claim_of_a_wrong_start_waits_for_who_saw_the_board() -> None:
    """7.2.1: the position on record tells what was agreed on, not what stood on the board."""
    for start in (SWAPPED, None):
        game = rated("2023", start).moves("e2e4 e7e5")
        assert names(game.do("claim", "white", of="initial-position", wait=True)) == [
            "claim-waits",
            "clock-stopped",
        ]
        assert names(game.do("rule", claim="reject")) == ["claim-wrong", "clock-resumed"]
        game.do("claim", "white", of="initial-position", wait=True)
        game.do("rule", claim="accept")
        assert game.result == "annulled"


@editions(*family("L14-7.2b", "L14-7.3"))
def test_a_board_turned_or_colours_reversed_leave_position_and_times(edition: str) -> None:
    game = rated(edition).moves(OPENED)
    before = game.status
    game.do("stop-clock", by="arbiter", reason="the board is turned", at=game.at)
    game.do("resume", by="arbiter", at=game.at)
    assert {k: game.status[k] for k in ("fen", "white", "black", "running")} == {
        k: before[k] for k in ("fen", "white", "black", "running")
    }


TEN_MOVES = (
    "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5 b3b4 b6b5"
)


@editions("L18-7.3", "L23-7.3")
def test_reversed_colours_are_a_new_game_until_both_have_made_ten_moves(edition: str) -> None:
    early = rated(edition).moves(TEN_MOVES.rsplit(" ", 1)[0])
    said = early.do("claim", "arbiter", of="colours-reversed")
    assert names(said) == ["claim-right", "game-over"] and article(said, "game-over") == "7.3"
    assert (early.result, early.reason) == ("annulled", "arbiter")
    late = rated(edition).moves(TEN_MOVES)
    said = late.do("claim", "arbiter", of="colours-reversed")
    assert refused(said) and article(said, "refused") == "7.3" and not late.over


@editions("L18-7.3", "L23-7.3")
def test_a_player_who_says_so_waits_for_the_arbiter_who_knows_the_pairing(edition: str) -> None:
    game = rated(edition).moves(OPENED)
    assert names(game.do("claim", "white", of="colours-reversed")) == ["claim-waits"]
    assert not game.over and game.status["running"] != "none"
    game.do("rule", claim="accept")
    assert game.result == "annulled"
    wrong = rated(edition).moves(OPENED)
    wrong.do("claim", "white", of="colours-reversed")
    assert names(wrong.do("rule", claim="reject")) == ["claim-wrong"] and not wrong.over


@editions("L18-7.3", "L23-7.3")
def test_reversed_colours_are_found_when_it_is_said_and_not_when_it_is_ruled_on(edition: str) -> None:
    *moves, white, black = TEN_MOVES.split()
    game = rated(edition).moves(" ".join(moves))
    game.do("claim", "white", of="colours-reversed")
    game.moves(f"{white} {black}")
    game.do("rule", claim="accept")
    assert game.result == "annulled"


@editions("L14-7.3", "L09-7.2")
def test_before_2018_reversed_colours_go_on_unless_the_arbiter_rules_otherwise(edition: str) -> None:
    for answer, result in (("accept", "*"), ("reject", "annulled")):
        game = rated(edition).moves(TEN_MOVES)
        asked = game.do("claim", "arbiter", of="colours-reversed")[-1]
        assert (asked["about"], asked["proposal"]) == ("colours", "continue")
        game.do("rule", claim=answer)
        assert game.result == result


# -- 7.4: displaced men --------------------------------------------------------------------------------------


@editions(*family("L14-7.4"))
def test_who_displaces_men_restores_them_in_his_own_time(edition: str) -> None:
    game = rated(edition).moves(OPENED)
    left = game.status["white"]
    game.do("adjust", "white", squares=["g1"])
    assert game.status["running"] == "white" and game.status["white"] == left - 1
    assert "penalty" in names(game.do("penalty", "white", kind="warning", reason="displaced men"))


@editions("L14-7.4k")
def test_only_the_arbiter_restarts_after_a_displacement(edition: str) -> None:
    game = rated(edition).moves(OPENED)
    assert names(game.do("stop-clock", by="white", reason="men displaced")) == ["clock-stopped"]
    assert refused(game.do("resume", by="white"))
    assert game.status["running"] == "none"
    assert names(game.do("resume", by="arbiter")) == ["clock-resumed"]


@editions("L14-6.3b1", "L23-6.3.2a", "L23-6.4")
def test_a_restored_move_that_reaches_the_control_brings_the_time_of_the_next_period(edition: str) -> None:
    game = rated(edition, control="2/60:100").moves("e2e4 e7e5")
    game.announce("g1f3")
    game.announce("b8c6")
    events = game.do("restore", ply=3)
    assert event(events, "period-reached") | {"side": "white", "moves": 2} == event(events, "period-reached")
    assert event(events, "position-restored")["white"] == game.status["white"] + 2
    assert game.status["white"] > 100
    game.move("g8f6")
    game.do("ask", "arbiter", about="times", at=game.at + 75)
    assert game.result == "*"


# -- 7.5: illegal moves --------------------------------------------------------------------------------------


@editions(*family("L14-7.5a1"), "L18-7.5.1")
def test_a_completed_illegal_move_is_taken_back_even_later(edition: str) -> None:
    game = after_illegal(edition).moves("b8c6 g1e2")
    events = game.do("claim", "black", of="illegal-move")
    assert names(events)[:3] == ["claim-right", "illegal-move", "position-restored"]
    assert article(events, "claim-right").startswith("7.5" if edition != "2009" else "7.4")
    assert event(events, "position-restored")["ply"] == 2
    assert event(events, "illegal-move")["remedy"] == "time-to-opponent"
    # The man touched for the illegal move is bound to move.
    assert refused(game.announce("g1f3", "white"))
    assert not refused(game.announce("f1c4", "white"))


def test_nothing_is_said_of_an_illegal_move_until_somebody_claims() -> None:
    game = rated("2023").moves(OPENED)
    events = game.move(ILLEGAL)
    assert names(events) == ["move-made", "move-completed"]
    assert events[0]["san"] == "Bf1-f3"


@editions("L09-7.4a")
def test_a_pawn_left_on_the_last_rank_goes_back_in_2009(edition: str) -> None:
    game = rated(edition, PAWN)
    game.move("e7e8")
    events = game.do("claim", "black", of="illegal-move")
    assert event(events, "illegal-move")["side"] == "white"
    assert game.board.piece_at(52) is not None and game.board.piece_at(60) is None
    assert refused(game.announce("h1h2", "white"))
    assert not refused(game.announce("e7e8n", "white"))


@editions(*family("L14-7.5a2"), "L18-7.5.2")
def test_a_pawn_left_on_the_last_rank_becomes_a_queen(edition: str) -> None:
    game = rated(edition, PAWN)
    game.move("e7e8")
    events = game.do("claim", "black", of="illegal-move")
    assert event(events, "illegal-move")["number"] == 1
    assert str(game.board.piece_at(60)) == "Q"
    assert (game.turn, game.status["running"]) == ("black", "black")
    assert game.status["moves"] == ["e8=Q"]


@pytest.mark.parametrize("edition", ["2014", "2018", "2023"])
def test_a_reply_that_the_queen_does_not_allow_goes_back_with_it(edition: str) -> None:
    """3.10: no illegal position may come of putting things right."""
    game = rated(edition, "4k3/p6P/8/8/8/8/8/4K3 w - - 0 1").moves("h7h8 a7a6")
    game.do("claim", "black", of="illegal-move")
    assert game.status["moves"] == ["h8=Q+"]
    assert (game.turn, game.board.status()) == ("black", chess.STATUS_VALID)


@pytest.mark.parametrize("edition", ["2014", "2018", "2023"])
def test_a_reply_that_the_queen_allows_stays(edition: str) -> None:
    game = rated(edition, "4k3/p6P/8/8/8/8/8/4K3 w - - 0 1").moves("h7h8 e8e7")
    game.do("claim", "black", of="illegal-move")
    assert game.status["moves"] == ["h8=Q+", "Ke7"]


@pytest.mark.parametrize("edition", ["2014", "2018", "2023"])
@pytest.mark.parametrize("reply", ["", "f7f5"])
def test_the_arbiter_scores_a_mate_by_the_queen_for_which_a_pawn_was_left(edition: str, reply: str) -> None:
    """5.1.1: a mating move complies with article 3, and that one did not (3.7.3.3)."""
    game = rated(edition, "6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1").moves(f"a7a8 {reply}")
    said = game.do("claim", "arbiter", of="illegal-move")
    asked = event(said, "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("score", "1-0")
    assert (game.result, game.status["moves"], game.status["running"]) == ("*", ["a8=Q#"], "none")
    assert names(game.do("rule", claim="accept")) == ["game-over"]
    assert (game.result, game.reason) == ("1-0", "checkmate")


def test_a_stalemate_by_such_a_queen_is_the_arbiters_too() -> None:
    game = rated("2023", "8/6P1/8/8/8/8/2K5/k7 w - - 0 1").moves("g7g8")
    asked = event(game.do("claim", "black", of="illegal-move"), "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("score", "1/2-1/2")


@pytest.mark.parametrize("waits", [True, False])
def test_where_he_does_not_let_the_mate_count_the_clocks_run_again(waits: bool) -> None:
    game = rated("2023", "6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1").moves("a7a8")
    game.do("claim", "black", of="illegal-move", wait=waits)
    if waits:
        assert "clock-resumed" not in names(game.do("rule", claim="accept"))
    assert names(game.do("rule", claim="reject")) == ["clock-resumed"]
    assert (game.result, game.status["running"]) == ("*", "black")


def test_a_lawful_mate_after_the_pawn_was_left_ends_the_game() -> None:
    game = rated("2023", "4N2k/P5pp/8/8/8/p7/8/K7 w - - 0 1").moves("a7a8 a3a2 e8f6")
    game.do("claim", "black", of="illegal-move")
    assert game.status["moves"] == ["a8=Q", "a2", "Nf6#"]
    assert (game.result, game.reason) == ("1-0", "checkmate")


@editions("L14-7.5b1", "L09-7.4b1", "L18-7.5.5a", "L23-7.5.5a")
def test_the_first_illegal_move_gives_the_opponent_two_minutes(edition: str) -> None:
    game = after_illegal(edition)
    left = game.status["black"]
    events = game.do("claim", "black", of="illegal-move", at=game.at)
    assert event(events, "claim-right")["seconds"] == 120
    assert event(events, "illegal-move") | {"side": "white", "number": 1, "seconds": 120} == event(
        events, "illegal-move"
    )
    assert game.status["black"] == left + 120
    assert (game.turn, game.status["running"]) == ("white", "white")


@editions("L14-7.5b2", "L18-7.5.5b", "L23-7.5.5b")
def test_the_second_illegal_move_loses(edition: str) -> None:
    game = after_illegal(edition)
    game.do("claim", "black", of="illegal-move")
    game.moves(ILLEGAL)
    events = game.do("claim", "black", of="illegal-move")
    assert event(events, "illegal-move") | {"number": 2, "remedy": "game-lost"} == event(
        events, "illegal-move"
    )
    assert (game.result, game.reason) == ("0-1", "illegal-moves")


@editions("L18-7.5.5b", "L23-7.5.5b")
def test_a_losing_pawn_that_would_mate_as_a_queen_does_not_win_first(edition: str) -> None:
    game = rated(edition, "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1").moves("a1b1 g8h8 b1d4")
    game.do("claim", "black", of="illegal-move")
    game.moves("b1a1 h8g8 a7a8")
    events = game.do("claim", "black", of="illegal-move")
    assert [each["result"] for each in events if each["event"] == "game-over"] == ["0-1"]
    assert (game.reason, str(game.board.piece_at(56))) == ("illegal-moves", "Q")


@editions("L23-7.5.1", "L23-7.5.5a", "L23-A.5.2a", "L23-A.5.2b")
@pytest.mark.parametrize("claimant", ["black", "arbiter"])
@pytest.mark.parametrize("supervised", [True, False])
def test_an_illegal_move_made_after_the_press_can_be_claimed(
    edition: str, claimant: str, supervised: bool
) -> None:
    game = rated(edition, control="900+10", supervised=supervised)
    game.do("press", "white")
    game.announce("e2e5", "white")
    events = game.do("claim", claimant, of="illegal-move")
    assert event(events, "illegal-move") | {"number": 1, "kind": "illegal", "seconds": 60} == event(
        events, "illegal-move"
    )
    assert event(events, "position-restored")["ply"] == 0


@editions("L23-7.5.2")
def test_a_pawn_left_after_the_press_is_one_fault(edition: str) -> None:
    game = rated(edition, PAWN)
    game.do("press", "white")
    game.announce("e7e8", "white")
    assert event(game.do("claim", "black", of="illegal-move"), "illegal-move")["kind"] == "pawn-left"
    assert names(game.do("claim", "black", of="illegal-move")) == ["claim-wrong"]


@editions("L09-7.4b2")
def test_in_2009_the_third_illegal_move_loses(edition: str) -> None:
    game = after_illegal(edition)
    for _ in range(2):
        assert event(game.do("claim", "black", of="illegal-move"), "illegal-move")["seconds"] == 120
        game.moves(ILLEGAL)
    events = game.do("claim", "black", of="illegal-move")
    assert event(events, "illegal-move")["number"] == 3
    assert game.result == "0-1"


@editions(*family("L14-7.5b3"), "L18-7.5.5c")
def test_the_losing_illegal_move_is_a_draw_against_a_bare_king(edition: str) -> None:
    game = rated(edition, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    game.moves("a1b3")
    game.do("claim", "black", of="illegal-move")
    game.moves("a1b3")
    events = game.do("claim", "black", of="illegal-move")
    assert event(events, "illegal-move")["remedy"] == "drawn"
    assert (game.result, game.reason) == ("1/2-1/2", "illegal-moves")


@editions("L09-7.4b3")
def test_in_2009_the_third_is_a_draw_if_the_opponent_cannot_mate(edition: str) -> None:
    game = rated(edition, "4kb2/8/8/8/8/8/8/B3K3 w - - 0 1")
    for _ in range(3):
        game.moves("a1a4")
        game.do("claim", "black", of="illegal-move")
    assert (game.result, game.reason) == ("1/2-1/2", "illegal-moves")


@editions("L18-7.5.3", "L23-7.5.3")
def test_pressing_without_a_move_counts_as_an_illegal_move(edition: str) -> None:
    game = rated(edition)
    assert not refused(game.do("press", "white"))
    assert game.status["running"] == "black"
    left = game.status["black"]
    events = game.do("claim", "black", of="illegal-move", at=game.at)
    assert event(events, "illegal-move") | {
        "side": "white",
        "number": 1,
        "remedy": "time-to-opponent",
    } == event(events, "illegal-move")
    assert article(events, "claim-right") == "7.5.3"
    assert (game.turn, game.status["running"], game.status["black"]) == ("white", "white", left + 120)


@pytest.mark.parametrize("edition", ["2018", "2023", "blitz-co"])
@pytest.mark.parametrize("ruling", ["reject", "resume"])
def test_who_gets_his_clock_back_after_a_press_without_a_move_presses_for_his_move(
    edition: str, ruling: str
) -> None:
    game = Played(edition, time_control="180+2").moves("e2e4")
    game.do("press", "black")
    if ruling == "reject":
        game.do("claim", "white", of="illegal-move", wait=True)
        game.do("rule", claim="reject")
    else:
        game.do("stop-clock", by="arbiter")
        game.do("resume")
    assert (game.turn, game.status["running"]) == ("black", "black")
    assert names(game.announce("e7e5")) == ["move-made"]
    left = game.status["black"]
    assert names(game.do("press", "black")) == ["move-completed"]
    assert (game.status["running"], game.status["black"]) == ("white", left - 1 + 2)
    assert names(game.move("d2d4")) == ["move-made", "move-completed"]


def test_a_press_without_a_move_on_which_the_arbiter_has_ruled_is_not_claimed_again() -> None:
    game = rated("2023").moves("e2e4")
    game.do("press", "black")
    game.do("claim", "white", of="illegal-move", wait=True)
    game.do("rule", claim="reject")
    assert names(game.do("claim", "white", of="illegal-move")) == ["claim-wrong"]


def test_a_press_without_a_move_is_claimed_until_the_move_although_the_clock_was_given_back() -> None:
    game = rated("2023").moves("e2e4")
    game.do("press", "black")
    game.do("stop-clock", by="arbiter")
    game.do("resume")
    said = game.do("claim", "white", of="illegal-move")
    assert event(said, "illegal-move")["kind"] == "press-without-move"


def test_the_four_kinds_of_offence_share_one_count() -> None:
    game = after_illegal("2023")
    game.do("claim", "black", of="illegal-move")
    game.do("press", "white")
    events = game.do("claim", "black", of="illegal-move")
    assert event(events, "illegal-move")["number"] == 2
    assert game.result == "0-1"


@editions("L18-7.5.4", "L23-7.5.4", "L18-4.1", "L23-4.1")
def test_two_hands_are_an_illegal_move_and_the_move_stands(edition: str) -> None:
    game = rated(edition, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").moves("e1g1")
    left = game.status["black"]
    events = game.do("claim", "black", of="two-hands", at=game.at)
    assert event(events, "illegal-move") | {"side": "white", "number": 1, "seconds": 120} == event(
        events, "illegal-move"
    )
    assert (game.status["moves"], game.turn, game.status["black"]) == (["O-O"], "black", left + 120)
    assert refused(game.do("claim", "black", of="two-hands")), "two faults in one move count once"


@pytest.mark.parametrize("claimant", ["black", "arbiter"])
def test_two_hands_are_claimed_of_a_completed_move_only(claimant: str) -> None:
    game = rated("2023")
    for announced in (False, True):
        if announced:
            game.announce("e2e4")
        said = game.do("claim", claimant, of="two-hands")
        assert refused(said)
        assert said[-1]["reason"] == "no move has been completed with two hands"


@pytest.mark.parametrize("earlier", ["", "h1h2 e8e7"])
def test_a_move_that_was_taken_back_is_not_claimed_once_more_for_two_hands(earlier: str) -> None:
    """7.5.4: two faults in one move count once; the claimant has touched nothing (4.8)."""
    game = rated("2023", "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1").moves(f"{earlier} e1g1")
    assert names(game.do("claim", "black", of="illegal-move"))[0] == "claim-right"
    for claimant in ("black", "arbiter"):
        [refusal] = game.do("claim", claimant, of="two-hands")
        assert refusal["reason"] == "two faults in one move count once"


def test_two_faults_count_once_while_the_replacement_waits_for_its_press() -> None:
    """7.5.4; nor are they the other player's, whose move stands before it. A correction changes nothing."""
    game = rated("2023").moves("e2e4 a8a5")
    game.do("claim", "arbiter", of="illegal-move")
    game.do("place", "black", move="a8a6")
    game.do("place", "black", move="a7a5")
    [refusal] = game.do("claim", "arbiter", of="two-hands")
    assert refusal["reason"] == "two faults in one move count once"
    assert game.referee.last_completed == 0
    game.do("press", "black")
    assert game.referee.last_completed == 2
    assert event(game.do("claim", "arbiter", of="two-hands"), "illegal-move")["side"] == "black"


@editions("L18-7.5.4", "L23-7.5.4")
def test_two_hands_that_the_arbiter_saw_are_claimed_after_the_reply_too(edition: str) -> None:
    game = rated(edition).moves("e2e4")
    game.announce("e7e5")
    said = event(game.do("claim", "arbiter", of="two-hands"), "illegal-move")
    assert (said["side"], said["remedy"]) == ("white", "time-to-opponent")


@editions("L18-7.5.4", "L23-7.5.4")
def test_the_arbiter_names_the_move_that_two_hands_were_used_for(edition: str) -> None:
    game = rated(edition).moves("e2e4 e7e5 g1f3")
    for ply, side in ((1, "white"), (2, "black")):
        assert event(game.do("claim", "arbiter", of="two-hands", ply=ply), "illegal-move")["side"] == side
        assert refused(game.do("claim", "arbiter", of="two-hands", ply=ply)), "once"
    for ply in (0, 4):
        assert refused(game.do("claim", "arbiter", of="two-hands", ply=ply))


@editions("L23-A.5.2a")
def test_two_hands_in_unsupervised_rapid_are_the_arbiter_s_to_claim_until_the_reply(edition: str) -> None:
    game = rated(edition, control="900", supervised=False).moves("e2e4")
    game.announce("e7e5")
    [refusal] = game.do("claim", "arbiter", of="two-hands")
    assert refusal["reason"] == "the opponent has replied"


def test_two_hands_in_a_move_that_the_arbiter_took_back_are_not_claimed() -> None:
    game = rated("2023").moves("e2e4 e7e5 g1f3")
    game.do("restore", ply=2)
    [refusal] = game.do("claim", "black", of="two-hands")
    assert refusal["reason"] == "the move has been taken back since"
    game.moves("g1f3")
    assert names(game.do("claim", "black", of="two-hands"))[0] == "claim-right"


def test_two_hands_in_a_move_that_was_taken_back_are_not_ruled_on() -> None:
    game = rated("2023").moves("e2e4")
    game.do("claim", "black", of="two-hands", wait=True)
    game.do("restore", ply=0)
    said = game.do("rule", claim="accept")
    assert refused(said)
    assert said[-1]["reason"] == "the move has been taken back since"
    assert [each.what for each in game.referee.questions] == ["two-hands"]
    assert event(game.do("rule", claim="reject"), "claim-wrong")["side"] == "black"
    assert game.referee.questions == ()


def test_a_question_whose_ruling_fails_still_waits_in_its_turn() -> None:
    game = rated("2023").moves("e2e4")
    game.do("claim", "black", of="two-hands", wait=True)
    game.do("claim", "black", of="flag", wait=True)

    def fail(*_: object) -> None:
        raise ArithmeticError

    game.referee._game.waiting[0].accept = fail
    with pytest.raises(ArithmeticError):
        game.do("rule", claim="accept")
    assert [each.what for each in game.referee.questions] == ["two-hands", "flag"]


@pytest.mark.parametrize("edition", ["2009", "2014"])
def test_older_editions_have_no_sanction_for_two_hands(edition: str) -> None:
    game = rated(edition).moves("e2e4")
    assert refused(game.do("claim", "black", of="two-hands"))


def test_an_illegal_move_that_is_not_pressed_is_not_completed() -> None:
    game = rated("2023").moves(OPENED)
    game.announce(ILLEGAL)
    assert refused(game.do("claim", "black", of="illegal-move"))


def test_the_arbiters_own_claim_is_told_as_his() -> None:
    game = after_illegal("2023")
    assert event(game.do("claim", "arbiter", of="illegal-move"), "claim-right")["side"] == "arbiter"


def test_a_claim_without_an_illegal_move_is_wrong_and_costs_nothing() -> None:
    game = rated("2023").moves(OPENED)
    [wrong] = game.do("claim", "black", of="illegal-move")
    assert (wrong["event"], wrong["seconds"]) == ("claim-wrong", 0)


def test_an_illegal_move_claimed_before_the_ruling_is_put_right_when_the_arbiter_agrees() -> None:
    game = after_illegal("2023")
    assert names(game.do("claim", "black", of="illegal-move", wait=True)) == ["claim-waits", "clock-stopped"]
    assert game.status["ply"] == 3
    said = game.do("rule", claim="accept")
    assert names(said) == ["claim-right", "illegal-move", "position-restored", "clock-resumed"]
    assert (said[0]["side"], game.status["ply"], game.status["running"]) == ("black", 2, "white")


@pytest.mark.parametrize(
    ("of", "articles"),
    [
        ("illegal-move", ("7.5.1", "6.11.2")),
        ("two-hands", ("7.5.4", "6.11.2")),
        ("initial-position", ("7.2.1", "6.11.2")),
        ("threefold", ("9.5.1", "9.5.1")),
    ],
)
def test_a_claim_waits_under_its_own_article_and_the_clock_is_stopped_to_call_the_arbiter(
    of: str, articles: tuple[str, str]
) -> None:
    """9.5.1 is about claims of a draw alone."""
    game = rated("2023").moves(f"{OPENED} {ILLEGAL}")
    said = game.do("claim", "black", of=of, wait=True)
    assert (article(said, "claim-waits"), article(said, "clock-stopped")) == articles
    [again] = game.do("claim", "black", of=of, wait=True)
    assert again.get("article") == ("2023 9.5.1" if of == "threefold" else None)


def test_an_illegal_move_whose_claim_is_rejected_stays_and_the_clock_runs_on() -> None:
    game = after_illegal("2023")
    game.do("claim", "black", of="illegal-move", wait=True)
    said = game.do("rule", claim="reject")
    assert names(said) == ["claim-wrong", "clock-resumed"]
    assert (said[0]["side"], game.status["ply"], game.status["running"]) == ("black", 3, "black")


def test_an_illegal_move_that_there_is_not_is_refused_to_the_arbiter_and_waits_on() -> None:
    game = rated("2023").moves(OPENED)
    game.do("claim", "white", of="illegal-move", wait=True)
    said = game.do("rule", claim="accept")
    assert refused(said)
    assert said[-1]["reason"] == "no illegal move has been completed; restore the position by its ply"
    assert [each.what for each in game.referee.questions] == ["illegal-move"]
    assert names(game.do("rule", claim="reject")) == ["claim-wrong", "clock-resumed"]
    assert game.status["running"] == "white"


def test_a_claimant_who_has_moved_illegally_himself_meanwhile_may_claim_all_the_same() -> None:
    game = after_illegal("2023").moves("b8b5")
    said = game.do("claim", "black", of="illegal-move")
    assert names(said)[:3] == ["claim-right", "illegal-move", "position-restored"]
    assert (said[1]["side"], game.status["ply"]) == ("white", 2)


def test_illegal_castling_moves_both_men_and_binds_the_king() -> None:
    game = rated("2023", "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    game.move("e1g1")
    assert game.board.board_fen() == "4kr2/8/8/8/8/8/8/R4RK1"
    game.do("claim", "black", of="illegal-move")
    assert refused(game.announce("h1h2", "white"))
    assert not refused(game.announce("e1c1", "white"))


def test_a_pawn_taken_by_an_illegal_en_passant_is_touched() -> None:
    """4.3.2: the pawn that took is pinned, so that the other one takes what was touched."""
    game = rated("2023", "4k3/6b1/8/2PpP3/8/8/8/K6R w - d6 0 1").moves("e5d6")
    game.do("claim", "black", of="illegal-move")
    assert refused(game.announce("h1h2", "white"))
    assert not refused(game.announce("c5d6", "white"))


def test_a_captured_king_is_an_illegal_move_that_is_taken_back() -> None:
    game = rated("2023", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1").moves("e8e7 e2e7")
    assert "k" not in game.board.board_fen()
    assert game.result == "*"
    game.do("claim", "black", of="illegal-move")
    assert "k" in game.board.board_fen()


def test_mate_by_an_illegal_move_does_not_end_the_game() -> None:
    game = rated("2023", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    game.move("a1d8")
    assert game.result == "*"


def test_a_game_cannot_begin_from_an_illegal_position() -> None:
    with pytest.raises(ScriptError, match="No game can begin"):
        rated("2023", "8/8/8/8/4k3/4K3/8/8 w - - 0 1")
