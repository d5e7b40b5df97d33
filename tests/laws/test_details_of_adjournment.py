"""Between the order to seal and the reply: who may do what, and what is told of it."""

from __future__ import annotations

from typing import Any

import pytest
from played import Played, names, refused


def ordered(**game: Any) -> Played:
    played = Played("2023", time_control="5400", **game).moves("e2e4 e7e5")
    played.do("adjourn")
    return played


def resumed(move: str, fen: str | None = None, *moves: str) -> Played:
    """White's move is sealed in plain letters; both are back at the agreed hour."""
    game = Played("2023", fen, time_control="5400", default_time=3600)
    game.do("adjourn")
    game.do("seal", "white", move=move)
    game.do("stop-clock", by="white")
    for side in ("white", "black"):
        game.do("arrive", side)
    game.do("resume")
    return game


def test_the_opponent_makes_no_move_after_the_order_to_seal() -> None:
    game = ordered()
    [refusal] = game.announce("Nf3", "black")
    assert refusal["reason"] == "it is the opponent who has the move"
    assert not refused(game.announce("Nf3", "white"))


@pytest.mark.parametrize("move", ["b8c6", "Nc6"])
def test_whoever_has_not_the_move_is_told_so_after_the_order_whatever_he_announces(move: str) -> None:
    """Without the order he is told "it is the opponent who has the move" for the same words."""
    game = ordered()
    for verb in ("announce", "place"):
        [refusal] = game.do(verb, "black", move=move)
        assert (refusal["reason"], refusal["article"]) == ("it is the opponent who has the move", "2023 1.3")


@pytest.mark.parametrize("move", ["e7e5", "e5"])
def test_the_replier_is_told_that_the_sealer_declares_first_whatever_he_announces(move: str) -> None:
    game = resumed("g1f3")
    game.do("envelope-lost")
    [refusal] = game.announce(move, "black")
    assert refusal["reason"] == "the player who sealed makes the move he sealed"


def test_the_replier_does_not_declare_the_lost_move() -> None:
    game = resumed("g1f3")
    game.do("envelope-lost")
    [refusal] = game.announce("g1f3", "black")
    assert refusal["reason"] == "the player who sealed makes the move he sealed"
    assert names(game.announce("g1f3", "white")) == ["move-made", "move-completed"]


def test_a_man_that_a_blind_player_released_before_the_order_stands_after_it() -> None:
    game = Played("2023", time_control="5400", white={"blind": True, "duties": ""})
    game.do("place", "white", move="g1f3")
    game.do("adjourn")
    [refusal] = game.announce("e2e4", "white")
    assert (refusal["reason"], refusal["due"]) == ("the man has been released and stands", ["g1f3"])


def test_who_has_moved_on_the_board_after_the_order_claims_no_draw() -> None:
    """9.4: a man has been touched."""
    game = Played("2023").moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8")
    game.do("adjourn")
    game.announce("e2e4")
    [refusal] = game.do("claim", "white", of="threefold")
    assert (refusal["reason"], refusal["article"]) == ("a man has been touched", "2023 9.4")


def test_who_has_moved_on_the_board_after_the_order_has_declined_the_draw() -> None:
    """9.1.2.1: not one that was offered after he had touched his man."""
    early, late = (Played("2023").moves("e2e4 e7e5") for _ in range(2))
    early.do("offer-draw", "black")
    for game in (early, late):
        game.do("adjourn")
    assert names(early.announce("g1f3")) == ["draw-declined", "adjourned"]
    assert refused(early.do("accept-draw", "white"))
    late.do("touch", "white", squares=["g1"])
    late.do("offer-draw", "black")
    assert names(late.announce("g1f3")) == ["adjourned"]
    late.do("accept-draw", "white")
    assert late.reason == "agreement"


def test_after_a_move_on_the_board_no_other_man_is_touched_and_that_move_is_sealed() -> None:
    game = ordered()
    game.announce("g1f3")
    for verb in ("touch", "adjust"):
        [refusal] = game.do(verb, "white", squares=["b1"])
        assert refusal["reason"] == "the move made on the board after the order must be the sealed one"
    assert names(game.do("seal", "white", move="g1f3")) == ["sealed"]
    assert names(game.do("stop-clock", by="white")) == ["clock-stopped"]


def test_a_move_on_the_board_after_the_order_that_leaves_nobody_to_mate_ends_the_game() -> None:
    """5.2.2: as mate and stalemate do."""
    game = Played("2023", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1")
    game.do("adjourn")
    assert names(game.announce("e1e2"))[-1] == "game-over"
    assert game.reason == "dead-position"


BEFORE_THE_FIFTH = "g1f3 g8f6 f3g1 f6g8 " * 3 + "g1f3 g8f6 f3g1"


@pytest.mark.parametrize(
    ("fen", "line", "move", "reason"),
    [
        (None, BEFORE_THE_FIFTH, "f6g8", "fivefold"),
        ("k7/8/8/8/8/8/1q6/7K b - - 149 100", "", "b2c3", "seventy-five-moves"),
    ],
)
def test_a_move_after_the_order_that_draws_by_repetition_or_by_75_moves_ends_the_game_at_once(
    fen: str | None, line: str, move: str, reason: str
) -> None:
    """9.6 draws the game as 5.2 does; what ends it is neither sealed nor waited for (6.2.1.1)."""
    game = Played("2023", fen).moves(line)
    game.do("adjourn")
    game.announce(move)
    assert (game.result, game.reason) == ("1/2-1/2", reason)


@pytest.mark.ledger("L14-E.10", "L23-I.10")
@pytest.mark.parametrize("edition", ["2014", "2023"])
def test_a_late_replier_has_not_lost_where_the_sealed_move_draws_by_75_moves(edition: str) -> None:
    game = Played(edition, "k7/8/8/8/8/8/1q6/7K b - - 149 100", default_time=60)
    game.do("adjourn")
    game.do("seal", "black", move="b2c3")
    game.do("stop-clock", by="black")
    game.do("resume", at=100)
    game.do("arrive", "white", at=1000)
    assert (game.result, game.reason) == ("1/2-1/2", "seventy-five-moves")


def test_before_it_is_closed_no_envelope_is_lost() -> None:
    game = ordered()
    game.do("seal", "white", move="g1f3")
    [refusal] = game.do("envelope-lost")
    assert refusal["reason"] == "there is no envelope"
    assert not refused(game.do("stop-clock", by="white"))


def test_who_has_not_sealed_yet_stops_the_clocks_for_a_reason() -> None:
    game = ordered()
    assert names(game.do("stop-clock", by="white", reason="a fire alarm")) == ["clock-stopped"]
    assert game.status["running"] == "none"
    game.do("resume")
    assert game.status["running"] == "white" and not refused(game.do("seal", "white", move="g1f3"))


@pytest.mark.parametrize("text", ["e2e5", "Nd2"])
def test_what_a_losing_envelope_holds_is_told_before_the_game_is_over(text: str) -> None:
    game = resumed(text)
    said = game.do("open-envelope")
    assert names(said) == ["envelope-opened", "game-over"]
    assert (said[0]["side"], said[0]["text"]) == ("white", text)


def test_the_order_to_seal_keeps_nobody_from_pressing_for_the_move_before() -> None:
    """White has moved and not pressed: Black has the move and seals, and White completes his own."""
    game = Played("2023", time_control="5400")
    game.announce("e2e4", "white")
    game.do("adjourn")
    game.do("seal", "black", move="e7e5")
    assert names(game.do("press", "white")) == ["move-completed"]


def test_a_reply_that_mates_is_the_last_thing_told() -> None:
    game = Played("2023", time_control="5400", default_time=None).moves("f2f3 e7e5")
    game.do("adjourn")
    game.do("seal", "white", move="g2g4")
    game.do("stop-clock", by="white")
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope")
    game.do("seal", "black", move="d8h4")
    said = game.do("arrive", "white")
    assert names(said) == ["envelope-opened", "move-made", "game-over"]
    assert game.result == "0-1"


def test_a_flag_does_not_make_the_sealed_move_of_an_envelope_that_is_lost() -> None:
    game = resumed("g1f3")
    game.do("envelope-lost")
    said = game.do("set-clock", black=0)
    assert "move-made" not in names(said) and not game.status["moves"]


def test_a_second_order_to_seal_leaves_what_was_sealed() -> None:
    game = ordered()
    [said] = game.do("seal", "white", move="g1f3")
    assert said["ply"] == 3
    [refusal] = game.do("adjourn")
    assert refusal["reason"] == "the game is adjourned already"
    assert names(game.do("stop-clock", by="white")) == ["clock-stopped"]


def test_no_move_is_sealed_while_both_clocks_stand() -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    game.do("stop-clock", by="arbiter")
    [refusal] = game.do("adjourn")
    assert refusal["reason"] == "no clock is running"


def test_the_opponent_closes_no_envelope_by_stopping_the_clocks() -> None:
    """I.1.1: until the sealer has stopped the clock himself he may change his move."""
    game = ordered()
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="black", reason="the arbiter")
    assert not game.referee.is_adjourned
    assert names(game.do("seal", "white", move="b1c3")) == ["sealed"]


def test_a_closed_envelope_is_not_closed_again() -> None:
    game = ordered()
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="white")
    assert refused(game.do("stop-clock", by="white"))


def test_who_seals_after_the_end_of_the_session_is_charged_nothing_and_given_nothing() -> None:
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    game.do("adjourn", session_end=game.at + 2)
    game.do("seal", "white", at=game.at + 10, move="g1f3")
    left = game.status["white"]
    [closed] = game.do("stop-clock", by="white", at=game.at)
    assert (closed["white"], closed["used"]["white"]) == (left, 5400 - left)


def test_an_illegal_text_is_sealed_whatever_man_was_touched() -> None:
    """Whether it is legal he learns when it is opened (I.8.3), not from a refusal."""
    game = Played("2023", time_control="5400").moves("e2e4 e7e5")
    game.do("touch", "white", squares=["g1"])
    game.do("adjourn")
    assert names(game.do("seal", "white", move="f1f3")) == ["sealed"]


def test_an_illegal_move_after_the_order_ends_no_game_though_it_would_mate() -> None:
    """5.1.1: the mating move must be a legal one; this one is put right, or sealed and lost by."""
    game = Played("2023", "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", time_control="5400")
    game.do("adjourn")
    assert names(game.announce("b1h7", "white")) == ["adjourned"]
    assert not game.over


def agreed_hour() -> Played:
    """White has sealed, nobody is back at the agreed hour, Black's clock runs; he may miss a quarter."""
    game = Played("2023", time_control="5400", default_time=900)
    game.do("adjourn")
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="white")
    game.do("resume")
    return game


def test_a_game_that_is_resumed_is_not_resumed_again_while_a_clock_runs() -> None:
    [refusal] = agreed_hour().do("resume")
    assert refusal["reason"] == "the clock is running"


def test_the_agreed_hour_stays_though_the_arbiter_stops_the_clocks_after_it() -> None:
    """I.10: who comes after the default time is late for the resumption, not for the restart."""
    game = agreed_hour()
    game.do("stop-clock", by="arbiter", at=game.at + 600)
    game.do("resume", at=game.at + 1)
    said = game.do("arrive", "black", at=game.at + 600)
    assert names(said) == ["arbiter-asked"] and said[0]["about"] == "default"


def test_who_is_at_the_board_does_not_arrive_again() -> None:
    game = agreed_hour()
    game.do("arrive", "white")
    [refusal] = game.do("arrive", "white", at=game.at + 2000)
    assert refusal["reason"] == "the player is at the board already"


def test_who_comes_late_is_late_though_the_envelope_is_void() -> None:
    game = Played("2023", time_control="5400", default_time=900).moves("e2e4 e7e5")
    game.do("adjourn")
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="white")
    game.do("restore", ply=0)
    game.do("resume")
    said = game.do("arrive", "black", at=game.at + 901)
    assert [each["about"] for each in said if each["event"] == "arbiter-asked"] == ["default"]


def test_a_text_that_comes_with_a_late_player_replaces_nothing_that_was_sealed_in_plain_letters() -> None:
    game = Played("2023", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", time_control="5400", default_time=900)
    game.do("adjourn")
    game.do("seal", "white", move="g6g5")
    game.do("stop-clock", by="white")
    game.do("resume")
    said = game.do("arrive", "black", at=game.at + 901, text="g6g7")
    assert names(said) == ["arbiter-asked"] and not game.over


def test_a_reply_in_a_box_waits_for_the_arbiters_key_when_its_sealer_is_back() -> None:
    """I.9.3: without the key nobody can read it, and it is not unreadable for that."""
    game = agreed_hour()
    game.do("arrive", "black")
    game.do("open-envelope")
    game.do("seal", "black", envelope="a sealed box")
    assert game.do("arrive", "white") == []
    assert game.referee.reply_in_envelope == "black"
    game.do("open-envelope", text="Nc6")
    assert game.status["moves"] == ["Nf3", "Nc6"]


def test_a_draw_written_behind_a_sealed_reply_is_offered_when_it_is_made() -> None:
    """8.1.5, I.9.3: he who sealed it has offered it by that, as with a sealed move."""
    game = agreed_hour()
    game.do("arrive", "black")
    game.do("open-envelope")
    game.do("seal", "black", move="Nc6 (=)")
    game.do("arrive", "white")
    assert (game.status["moves"], game.status["draw_offer"]) == (["Nf3", "Nc6"], "black")


def test_who_had_released_his_man_before_the_order_declares_no_other_move() -> None:
    """4.7, I.12.1: a blind player's man stood in its hole already; the lost envelope held that move."""
    game = Played("2023", time_control="5400", white={"blind": True})
    game.do("place", "white", move="g1f3")
    game.do("adjourn")
    game.do("seal", "white", move="g1f3")
    game.do("stop-clock", by="white")
    for side in ("white", "black"):
        game.do("arrive", side)
    game.do("resume")
    game.do("envelope-lost")
    [refusal] = game.announce("b1c3", "white")
    assert refusal["reason"] == "the man has been released and stands"
    assert names(game.announce("g1f3", "white")) == ["move-made", "move-completed"]
