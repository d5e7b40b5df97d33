"""Blitz: what counts as blitz, under full supervision and otherwise, and the Colombian rules."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from ledger_rows import editions, family
from played import Events, Played, article, names, refused

from assistant.scoresheet import from_pgn, new_game, render, to_pgn

TWENTY_PLIES = (
    "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6 a3a4 a6a5 b3b4 b6b5"
)
SHUTTLE = "g1f3 g8f6 f3g1 f6g8"
LONE_KING_AGAINST_ROOK = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"


def rapid(edition: str, fen: str | None = None, **game: Any) -> Played:
    """Rapid play without full supervision, fifteen minutes without an increment."""
    settings = {"time_control": "1500", "category": "rapid", "supervised": False, **game}
    return Played(edition, fen, **settings)


def blitz(edition: str, fen: str | None = None, **game: Any) -> Played:
    """Blitz without full supervision, five minutes without an increment."""
    settings = {"time_control": "300", "category": "blitz", "supervised": False, **game}
    return Played(edition, fen, **settings)


def claim(game: Played, side: str, of: str = "illegal-move", **keys: Any) -> Events:
    return game.do("claim", side, at=game.at, of=of, **keys)


def gain(game: Played, side: str, claimant: str, of: str = "illegal-move") -> float:
    """What a claim gives to a side's clock, in seconds."""
    before = float(game.status[side])
    claim(game, claimant, of)
    return float(game.status[side]) - before


def knight_offence(game: Played) -> Played:
    """White makes a move if it is his, then Black moves a knight like a rook and presses."""
    if game.turn == "white":
        game.move("g1h3" if game.board.piece_at(chess.G1) else "h3g1")
    game.move("b8b5" if game.board.piece_at(chess.B8) else "c6c5")
    return game


def knight_replaced(game: Played) -> None:
    game.move("b8c6" if game.board.piece_at(chess.B8) else "c6b8")


def white_flag_down(game: Played) -> Played:
    """Let White's clock run out; Black's has not been started."""
    game.do("ask", "black", at=float(game.status["white"]) + 5, about="law", article="6.1")
    assert (game.status["white"], game.over) == (0, False)
    return game


def both_flags_down(game: Played) -> Played:
    """White runs out, moves all the same, and Black runs out."""
    white_flag_down(game)
    game.move("a2a3")
    game.do("ask", "white", at=game.at + float(game.status["black"]) + 5, about="law", article="6.1")
    assert (game.status["white"], game.status["black"]) == (0, 0)
    return game


def category(edition: str, control: str) -> str:
    return str(Played(edition, time_control=control).status["category"])


# -- What is rapid, what is blitz -----------------------------------------------------------------------


@editions(*family("L14-B.1"))
def test_since_2014_ten_minutes_are_blitz_and_an_hour_is_standard(edition: str) -> None:
    assert [category(edition, each) for each in ("300+6", "601", "600", "3600", "3599")] == [
        "rapid",
        "rapid",
        "blitz",
        "standard",
        "rapid",
    ]
    assert [category(edition, each) for each in ("180+2", "480+2", "480+3")] == ["blitz", "blitz", "rapid"]


@editions(*family("L09-B.1"))
def test_before_2014_fifteen_minutes_are_rapid_and_less_is_blitz(edition: str) -> None:
    assert [category(edition, each) for each in ("900", "600+5", "840", "3600")] == [
        "rapid",
        "rapid",
        "blitz",
        "standard",
    ]
    assert [category(edition, each) for each in ("720+2", "720+3")] == ["blitz", "rapid"]


@editions("L97-C.1")
def test_in_1997_rapid_is_from_fifteen_minutes_to_an_hour_blitz_is_less(edition: str) -> None:
    assert [category(edition, each) for each in ("1800", "900", "840", "3600")] == [
        "rapid",
        "rapid",
        "blitz",
        "rapid",
    ]


@editions("COL-C1")
def test_the_colombian_blitz_is_below_fifteen_minutes(edition: str) -> None:
    assert [category(edition, each) for each in ("600+4", "840", "900")] == ["blitz", "blitz", "rapid"]


@editions("L97-C.2")
def test_nobody_is_asked_to_record(edition: str) -> None:
    for game in (rapid(edition, supervised=True), blitz(edition)):
        game.moves(TWENTY_PLIES)
        assert set(names(game.events)) == {"clock-started", "move-made", "move-completed"}


@editions("L18-B.4", "L23-B.3")
def test_a_claim_that_rests_on_the_record_is_admissible(edition: str) -> None:
    for game in (rapid(edition), blitz(edition)):
        game.moves(f"{SHUTTLE} {SHUTTLE}")
        said = claim(game, "white", "threefold")
        assert (game.result, game.reason) == ("1/2-1/2", "threefold")
        assert said[0]["plies"] == [0, 4, 8]


@editions("L18-A.2b", "L23-A.2b")
def test_a_sheet_may_be_begun_in_the_middle_of_the_game(edition: str) -> None:
    game = rapid(edition).moves("e2e4 e7e5 g1f3")
    sheet = new_game({"White": "A"}, start_fen=game.fen, edition=edition)
    assert from_pgn(to_pgn(sheet)).start_fen == game.fen
    assert game.fen in " ".join(render(sheet, "text", "en").decode().split())


# -- Full supervision: the competition rules -----------------------------------------------------------


@editions("L14-B.3", "L09-B.2", "L05-B.2", "L18-B.3.1", "L23-B.2")
def test_under_full_supervision_blitz_is_played_by_the_competition_rules(edition: str) -> None:
    flag = blitz(edition, supervised=True, time_control="60")
    flag.do("ask", "black", at=70, about="law", article="6.1")
    assert (flag.result, flag.reason) == ("0-1", "flag")
    game = knight_offence(blitz(edition, supervised=True))
    assert gain(game, "white", "white") == (60 if edition in ("2014", "2018") else 120)
    knight_replaced(game)
    claim(knight_offence(game), "white")
    assert game.over == (edition not in ("2009", "2005"))


@editions(*family("L14-B.5"))
def test_the_game_says_for_the_whole_event_whether_it_is_supervised(edition: str) -> None:
    outcomes = {}
    for supervised in (True, False):
        game = blitz(edition, supervised=supervised, time_control="60")
        game.do("ask", "arbiter", at=61, about="times")
        outcomes[supervised] = game.result
    assert outcomes == {True: "0-1", False: "*"}


@editions("L14-B.2", "L18-B.2")
def test_in_blitz_the_penalties_are_one_minute(edition: str) -> None:
    game = blitz(edition, supervised=True).moves(SHUTTLE)
    assert gain(game, "black", "white", "threefold") == 60
    assert gain(knight_offence(game), "white", "white") == 60


@editions("L23-B.2x")
def test_the_gap_in_b2_is_shown_to_the_arbiter_who_may_grant_one_minute(edition: str) -> None:
    game = knight_offence(blitz(edition, supervised=True))
    before = float(game.status["white"])
    said = claim(game, "white")
    [asked] = [event for event in said if event["event"] == "arbiter-asked"]
    assert (asked["about"], asked["proposal"]) == ("times", 60)
    assert float(game.status["white"]) - before == 120
    game.do("rule", at=game.at, claim="accept")
    assert float(game.status["white"]) - before == 60
    chosen = blitz(edition, supervised=True, options={"illegal_move_seconds": 60})
    assert gain(knight_offence(chosen), "white", "white") == 60


@editions("L23-B.2x")
def test_the_flag_falls_of_a_player_who_has_spent_what_the_arbiter_does_not_leave_him(edition: str) -> None:
    game = Played(edition, time_control="180")
    game.announce("e2e4")
    game.do("press", "white", at=170)
    knight_offence(game)
    claim(game, "white")
    knight_replaced(game)
    game.announce("d2d4")
    game.do("press", "white", at=300)
    assert names(game.do("rule", claim="accept")) == ["clock-set", "flag-fallen", "game-over"]
    assert (game.result, game.reason) == ("0-1", "flag")


@editions("L23-B.2x")
@pytest.mark.parametrize("seconds", [30, 60, 120])
def test_the_event_s_own_seconds_close_the_gap_in_b2(edition: str, seconds: int) -> None:
    options = {"illegal_move_seconds": seconds, "wrong_claim_seconds": seconds}
    chosen = blitz(edition, supervised=True, options=options)
    assert "arbiter-asked" not in names(claim(knight_offence(chosen), "white"))
    chosen = blitz(edition, supervised=True, options=options).moves("e2e4")
    assert "arbiter-asked" not in names(claim(chosen, "black", "threefold"))


@editions("L23-B.2x")
@pytest.mark.parametrize(
    ("claimant", "of", "gains"), [("black", "two-hands", "black"), ("black", "threefold", "white")]
)
def test_the_gap_in_b2_is_shown_at_wrong_claims_and_two_hands_too(
    edition: str, claimant: str, of: str, gains: str
) -> None:
    game = blitz(edition, supervised=True).moves("e2e4")
    before = float(game.status[gains])
    asked = claim(game, claimant, of)[-1]
    assert (asked["about"], asked["proposal"], asked["side"]) == ("times", 60, gains)
    assert float(game.status[gains]) == before + 120
    game.do("rule", at=game.at, claim="accept")
    assert float(game.status[gains]) == before + 60


@editions("L14-B.4")
def test_in_2014_the_first_illegal_move_loses_seen_or_claimed(edition: str) -> None:
    for claimant in ("arbiter", "white"):
        for game in (rapid(edition), blitz(edition)):
            said = claim(knight_offence(game), claimant)
            assert (game.result, game.reason) == ("1-0", "illegal-moves")
            assert article(said, "game-over") == "A.4.b"


@editions("L18-B.4", "L23-B.3")
def test_since_2018_the_first_costs_time_and_the_second_loses(edition: str) -> None:
    for claimant in ("arbiter", "white"):
        for game, seconds in ((rapid(edition), 60 if edition == "2023" else 120), (blitz(edition), 60)):
            knight_offence(game)
            assert gain(game, "white", claimant) == seconds
            assert game.status["ply"] % 2 == 1 and game.turn == "black"
            knight_replaced(game)
            claim(knight_offence(game), claimant)
            assert (game.result, game.reason) == ("1-0", "illegal-moves")


@editions(*family("L09-B.3c1"), "L97-C.3a")
def test_in_blitz_the_opponent_claims_the_win_after_the_press(edition: str) -> None:
    game = blitz(edition).moves("e2e4")
    game.announce("b8b5")
    assert refused(claim(game, "white"))
    game.do("press", "black")
    assert refused(claim(game, "arbiter"))
    claim(game, "white")
    assert (game.result, game.reason) == ("1-0", "illegal-moves")


@editions(*family("L09-B.3c2"))
def test_in_blitz_a_bare_king_claims_only_a_draw(edition: str) -> None:
    game = blitz(edition, LONE_KING_AGAINST_ROOK).moves("a1b2")
    claim(game, "black")
    assert (game.result, game.reason) == ("1/2-1/2", "illegal-moves")


@editions(*family("L09-B.3c3"), "L97-C.3b")
def test_in_blitz_the_reply_makes_it_final(edition: str) -> None:
    game = knight_offence(blitz(edition))
    game.move("a2a3")
    fen = game.fen
    said = claim(game, "white")
    assert "claim-wrong" in names(said) or refused(said)
    assert (game.fen, game.over) == (fen, False)


@editions(*family("L09-B.3a"))
def test_in_blitz_flags_are_claimed_as_in_rapid(edition: str) -> None:
    game = white_flag_down(blitz(edition, time_control="60"))
    assert refused(claim(game, "arbiter", "flag"))
    claim(game, "black", "flag")
    assert (game.result, game.reason) == ("0-1", "flag")


# -- Blitz: what falls away -----------------------------------------------------------------------------


@editions(*family("L09-B.3b"), "L97-C.5", "COL-C2")
def test_there_is_no_quickplay_finish_in_blitz(edition: str) -> None:
    game = blitz(edition, time_control="60", quickplay_finish=True).moves("e2e4 e7e5")
    assert refused(claim(game, "white", "quickplay-finish"))


@editions("L97-C.4")
def test_in_1997_winning_on_time_needs_mating_potential(edition: str) -> None:
    two_knights = "8/8/8/4k3/8/3NK3/8/3N4 b - - 0 1"
    game = blitz(edition, two_knights, time_control="60")
    game.do("ask", "white", at=70, about="law", article="C.4")
    claim(game, "white", "flag")
    assert (game.result, game.reason) == ("1/2-1/2", "flag")
    later = blitz("2009", two_knights, time_control="60")
    later.do("ask", "white", at=70, about="law", article="6.9")
    claim(later, "white", "flag")
    assert later.result == "1-0"
    running = blitz(edition, two_knights)
    claim(running, "black", "mating-potential")
    assert (running.result, running.reason) == ("1/2-1/2", "dead-position")
    assert refused(claim(blitz("2009", two_knights), "black", "mating-potential"))
    rook = blitz(edition, "8/8/8/4k3/8/4K3/8/R6n b - - 0 1", time_control="60")
    rook.do("ask", "white", at=70, about="law", article="C.4")
    claim(rook, "white", "flag")
    assert rook.result == "1-0"


def test_a_claim_against_mating_potential_that_there_is_is_wrong_and_costs_nothing() -> None:
    game = blitz("1997", "8/8/8/4k3/8/4K3/8/R7 b - - 0 1")
    [wrong] = claim(game, "black", "mating-potential")
    assert (wrong["event"], wrong["side"], wrong["of"]) == ("claim-wrong", "black", "mating-potential")
    assert (wrong["seconds"], game.over) == (0, False)


# -- The Colombian blitz rules --------------------------------------------------------------------------


def colombian(fen: str | None = None, **game: Any) -> Played:
    return blitz("blitz-co", fen, **game)


IN_CHECK = "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1"


@pytest.mark.ledger("COL-B1")
def test_the_rules_of_chess_hold_in_speed_chess() -> None:
    game = colombian("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    game.announce("f1f7")
    assert (game.result, game.reason) == ("1/2-1/2", "stalemate")


@pytest.mark.ledger("COL-C3a", "COL-B2d", "COL-B18")
def test_an_illegal_move_loses_when_it_is_claimed_before_the_reply() -> None:
    game = knight_offence(colombian())
    claim(game, "white")
    assert (game.result, game.reason) == ("1-0", "illegal-moves")
    through_check = colombian("4kr2/8/8/8/8/8/8/4K2R w K - 0 1").moves("e1g1")
    claim(through_check, "black")
    assert through_check.result == "0-1"


@pytest.mark.ledger("COL-C3b")
def test_a_bare_king_can_claim_only_a_draw() -> None:
    game = colombian(LONE_KING_AGAINST_ROOK).moves("a1b2")
    claim(game, "black")
    assert game.result == "1/2-1/2"


@pytest.mark.ledger("COL-C3c")
def test_after_the_reply_the_move_can_no_longer_be_claimed() -> None:
    game = knight_offence(colombian()).moves("a2a3")
    said = claim(game, "white")
    assert "claim-wrong" in names(said) or refused(said)
    assert not game.over


@pytest.mark.ledger("COL-B2a", "COL-B10a")
def test_the_flag_that_falls_first_loses_when_the_opponent_claims_it() -> None:
    game = white_flag_down(colombian())
    game.do("stop-clock", by="black", reason="flag")
    claim(game, "black", "flag")
    assert (game.result, game.reason) == ("0-1", "flag")


@pytest.mark.ledger("COL-B2b", "COL-B12a", "COL-B6a")
def test_mate_with_the_flag_up_wins_and_is_not_undone_by_a_later_fall() -> None:
    game = colombian().moves("f2f3 e7e5 g2g4")
    game.announce("d8h4")
    assert (game.result, game.reason) == ("0-1", "checkmate")
    assert refused(game.do("claim", "white", at=1000, of="flag"))
    near = colombian("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    near.announce("g1g5")
    assert not near.over


@pytest.mark.ledger("COL-B12b")
def test_a_flag_proved_to_have_fallen_before_the_mate_makes_it_invalid() -> None:
    for fen, result in (
        ("7k/8/5K2/8/8/8/p7/6Q1 w - - 0 1", "0-1"),
        ("7k/8/5K2/8/8/8/b7/6Q1 w - - 0 1", "1/2-1/2"),
    ):
        game = white_flag_down(colombian(fen))
        game.announce("g1g7")
        assert not game.over
        claim(game, "black", "flag")
        assert (game.result, game.reason) == (result, "flag")


@pytest.mark.ledger("COL-B2c", "COL-B17")
def test_who_takes_the_king_loses_and_who_declares_it_wins() -> None:
    taken = colombian(IN_CHECK).moves("a1a2 e2e1")
    said = claim(taken, "white")
    assert (taken.result, taken.reason) == ("1-0", "illegal-moves")
    assert article(said, "claim-right") == article(said, "game-over") == "blitz rule 17"
    declared = colombian(IN_CHECK).moves("a1a2")
    claim(declared, "black")
    assert declared.result == "0-1"


@pytest.mark.ledger("COL-B3")
def test_a_move_is_finished_by_the_press() -> None:
    game = colombian()
    game.announce("b1b5")
    assert "move-completed" not in names(game.events)
    assert refused(claim(game, "black"))
    assert names(game.do("press", "white")) == ["move-completed"]
    claim(game, "black")
    assert game.result == "0-1"


@pytest.mark.ledger("COL-B6b")
def test_after_a_mate_that_is_none_play_goes_on_with_the_times_as_stopped() -> None:
    game = colombian("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    game.announce("g1g5")
    game.do("stop-clock", by="white", reason="mate")
    before = (game.status["white"], game.status["black"])
    game.do("resume", at=game.at + 60)
    assert (game.status["white"], game.status["black"], game.over) == (*before, False)


@pytest.mark.ledger("COL-B6c")
def test_a_win_accepted_without_mate_stands() -> None:
    game = colombian("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    game.announce("g1g5")
    game.do("resign", "black")
    assert (game.result, game.reason) == ("1-0", "resignation")


@pytest.mark.ledger("COL-B7", "COL-B10b", "COL-B13", "COL-B24")
def test_both_flags_down_draw_whatever_bystanders_say() -> None:
    for claimant in ("white", "black"):
        game = both_flags_down(colombian())
        claim(game, claimant, "flag")
        assert (game.result, game.reason) == ("1/2-1/2", "both-flags")


@pytest.mark.ledger("COL-B9")
def test_a_flag_nobody_declares_changes_nothing() -> None:
    game = white_flag_down(colombian())
    assert refused(claim(game, "arbiter", "flag"))
    game.moves("e2e4 e7e5")
    assert not game.over and "flag-fallen" not in names(game.events)


@pytest.mark.ledger("COL-B14a", "COL-B14b")
def test_the_first_illegal_move_decides_and_bars_the_other_player() -> None:
    game = colombian().moves("g1g3 b8b5")
    assert refused(claim(game, "black"))
    claim(game, "white")
    assert (game.result, game.reason) == ("0-1", "illegal-moves")
    late = colombian().moves("g1g3 b8b5 a2a3")
    assert "claim-wrong" in names(claim(late, "white"))
    assert not late.over


@pytest.mark.ledger("COL-B15")
def test_pressing_without_a_move_loses() -> None:
    game = colombian()
    game.do("press", "white")
    claim(game, "black")
    assert (game.result, game.reason) == ("0-1", "illegal-moves")


@pytest.mark.ledger("COL-B15")
def test_moving_after_the_press_does_not_mend_it() -> None:
    game = colombian()
    game.do("press", "white")
    game.announce("e2e4", "white")
    claim(game, "black")
    assert (game.result, game.reason) == ("0-1", "illegal-moves")


@pytest.mark.ledger("COL-B16")
def test_check_need_not_be_said() -> None:
    game = colombian().moves("e2e4 f7f6")
    assert names(game.announce("Dame Hector fuenf")) == ["move-made"]
    assert game.board.is_check()


@pytest.mark.ledger("COL-B19")
def test_after_a_king_was_taken_both_flags_down_draw() -> None:
    game = colombian(IN_CHECK, time_control="10")
    game.do("announce", "white", at=15, move="a1a2")
    game.do("press", "white", at=15)
    game.do("announce", "black", at=30, move="e2e1")
    claim(game, "white", "flag")
    assert (game.result, game.reason) == ("1/2-1/2", "both-flags")


@pytest.mark.ledger("COL-B20")
def test_the_arbiter_may_declare_a_perpetual_check_drawn() -> None:
    fen = "7k/8/8/8/8/8/q5PP/3Q3K w - - 0 1"
    checks = "d1d8 h8h7 d8d3 h7h8"
    game = colombian(fen).moves(checks)
    game.do("result", white=0.5, black=0.5)
    assert (game.result, game.reason) == ("1/2-1/2", "arbiter")
    claimed = colombian(fen).moves(f"{checks} d3d8 h8h7 d8d3 h7h8 d3d8 h8h7 d8d3 h7h8")
    claim(claimed, "white", "threefold")
    assert claimed.reason == "threefold"


@pytest.mark.ledger("COL-B21")
def test_touch_move_does_not_apply() -> None:
    game = colombian()
    game.do("touch", "white", squares=["g1"])
    assert not refused(game.announce("e2e4"))
    standard = rapid("2009")
    standard.do("touch", "white", squares=["g1"])
    assert refused(standard.announce("e2e4"))


@pytest.mark.ledger("COL-B23b")
def test_the_arbiter_sets_fair_times_on_a_new_clock() -> None:
    game = colombian().moves("e2e4")
    game.do("stop-clock", by="arbiter", reason="clock damaged")
    game.do("set-clock", white=70, black=85)
    assert (game.status["white"], game.status["black"]) == (70, 85)


PAWN = "3r2k1/2P5/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.ledger("COL-B25a", "COL-B26")
def test_a_pawn_left_on_the_last_rank_loses() -> None:
    said = colombian(PAWN).announce("Cesar acht")
    assert refused(said) and len(said[-1]["candidates"]) == 4
    game = colombian(PAWN).moves("c7c8")
    claim(game, "black")
    assert (game.result, game.reason) == ("0-1", "illegal-moves")


@pytest.mark.ledger("COL-B25b")
def test_the_arbiter_rules_on_an_upturned_rook() -> None:
    game = colombian(PAWN).moves("c7c8r")
    game.do("penalty", "white", kind="loss", points=1, reason="upturned rook called a queen")
    assert (game.result, game.reason) == ("0-1", "penalty")


@pytest.mark.ledger("COL-B25c", "COL-B28")
def test_the_clocks_are_stopped_for_a_missing_piece_only() -> None:
    missing = colombian(PAWN)
    assert names(missing.do("stop-clock", by="white", reason="queen missing")) == ["clock-stopped"]
    assert missing.status["running"] == "none"
    no_reason = colombian(PAWN)
    said = no_reason.do("stop-clock", by="white")
    assert [event.get("about") for event in said if event["event"] == "arbiter-asked"] == ["conduct"]


@pytest.mark.ledger("COL-B27")
def test_promotion_with_a_capture_is_one_action() -> None:
    game = colombian(PAWN)
    assert names(game.announce("Cesar sieben schlaegt David acht Dame")) == ["move-made"]
    assert game.status["moves"] == ["cxd8=Q+"]
