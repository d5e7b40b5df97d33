"""A sealed move in cipher: the script holds what hides it, and the text comes only when it is opened."""

from __future__ import annotations

from typing import Any

import chess
import pytest
from played import Played, event, names, refused

from assistant.laws import Referee, ScriptError
from assistant.moves import read_move

MATE_IN_ONE = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
BOX = "a sealed box"


def boxed(edition: str = "2023", fen: str | None = None, **game: Any) -> Played:
    """A game adjourned with White's move in a sealed box; both players are away."""
    played = Played(edition, fen, time_control="5400", **game)
    if fen is None:
        played.moves("e2e4 e7e5")
    played.do("adjourn", by="arbiter")
    assert names(played.do("seal", "white", envelope=BOX)) == ["sealed"]
    played.do("stop-clock", by="white")
    return played


def back(played: Played) -> Played:
    """Both players are at the board at the agreed hour."""
    played.do("arrive", "white")
    played.do("arrive", "black")
    played.do("resume", by="arbiter")
    return played


def test_the_label_names_the_box_and_not_the_move() -> None:
    assert event(boxed().events, "clock-stopped")["envelope"]["contents"] == BOX


def test_a_box_opens_only_with_what_is_in_it() -> None:
    game = back(boxed())
    assert refused(game.do("open-envelope"))
    assert names(game.do("open-envelope", text="Nf3")) == ["envelope-opened", "move-made", "move-completed"]
    assert game.status["moves"] == ["e4", "e5", "Nf3"]
    assert game.status["running"] == "black"


@pytest.mark.parametrize("edition", ["1997", "2005", "2009", "2014", "2018", "2023"])
def test_an_illegal_move_in_the_box_loses_in_every_edition(edition: str) -> None:
    game = back(boxed(edition))
    assert event(game.do("open-envelope", text="Ng1g3"), "game-over")["result"] == "0-1"


@pytest.mark.parametrize("text", ["2. Qh5xh8", "2... Ng3", "2.Ng1g3.", "Ng3 (=)"])
def test_an_illegal_move_as_it_stands_on_a_sheet_is_an_illegal_move(text: str) -> None:
    assert event(back(boxed()).do("open-envelope", text=text), "game-over")["result"] == "0-1"


def test_a_text_that_is_no_move_is_the_arbiters_to_read() -> None:
    """I.8.2: a sealed move whose true significance cannot be established loses."""
    game = back(boxed())
    asked = event(game.do("open-envelope", text="the good one"), "arbiter-asked")
    assert (asked["about"], asked["article"]) == ("which-move", "2023 I.8.2")
    assert event(game.do("rule", claim="accept"), "game-over")["result"] == "0-1"


def test_the_last_box_counts_and_a_plain_move_may_replace_it() -> None:
    game = Played("2023", time_control="5400")
    game.do("adjourn")
    for keys in ({"envelope": "first"}, {"move": "d2d4"}, {"envelope": "last"}):
        assert not refused(game.do("seal", "white", **keys))
    [stopped] = game.do("stop-clock", by="white")
    assert stopped["envelope"]["contents"] == "last"


def test_a_move_made_on_the_board_after_the_order_must_be_in_the_box() -> None:
    """I.1.1: whoever makes a move on the board after the order must seal that move."""
    game = Played("2023", time_control="5400")
    game.do("adjourn")
    game.announce("e2e4")
    game.do("seal", "white", envelope=BOX)
    game.do("stop-clock", by="white")
    back(game)
    asked = event(game.do("open-envelope", text="d2d4"), "arbiter-asked")
    assert (asked["proposal"], asked["article"]) == ("e2e4", "2023 I.1.1")
    game.do("rule", claim="accept")
    assert game.status["moves"] == ["e4"]


@pytest.mark.parametrize("edition", ["1997", "2009"])
def test_a_late_player_does_not_lose_unseen_while_the_box_is_closed(edition: str) -> None:
    """1997 A.10, 2009 Guidelines 10: more than an hour late loses, unless the sealed move has mated."""
    game = boxed(edition, MATE_IN_ONE)
    game.do("arrive", "black")
    game.do("resume", by="arbiter")
    late = game.do("arrive", "white", at=4000)
    assert event(late, "arbiter-asked")["about"] == "default"
    assert game.status["result"] == "*"
    assert event(game.do("open-envelope", text="Qg7"), "game-over")["result"] == "1-0"


def test_a_late_player_whose_box_was_looked_into_wins_by_the_mate_in_it() -> None:
    game = boxed("2009", MATE_IN_ONE)
    game.do("arrive", "black")
    game.do("resume", by="arbiter")
    over = event(game.do("arrive", "white", at=4000, text="Qg7"), "game-over")
    assert (over["result"], over["reason"]) == ("1-0", "checkmate")


def test_a_late_player_whose_box_holds_no_end_loses() -> None:
    """1997 A.10: the arbiter has nothing to decide once he has looked."""
    game = boxed("1997", MATE_IN_ONE)
    game.do("arrive", "black")
    game.do("resume", by="arbiter")
    assert event(game.do("arrive", "white", at=4000, text="Qg5"), "game-over")["result"] == "0-1"


def test_a_reply_in_a_second_box_waits_for_the_absent_player() -> None:
    """I.9.3: the reply is sealed, and the clock of the absent player is started."""
    game = boxed()
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope", text="Nf3")
    assert "clock-started" in names(game.do("seal", "black", envelope="the reply"))
    assert refused(game.do("open-envelope", text="Nc6"))
    game.do("arrive", "white")
    assert game.status["ply"] == 3
    assert refused(game.do("open-envelope"))
    game.do("open-envelope", text="Nc6")
    assert game.status["moves"] == ["e4", "e5", "Nf3", "Nc6"]
    assert game.status["running"] == "white"


@pytest.mark.parametrize("box", ["", 7, "x" * 30_000])
def test_what_can_be_no_box_is_no_line_of_a_script(box: object) -> None:
    referee = Referee({"laws": "2023"}, read_move)
    with pytest.raises(ScriptError, match="sealed box"):
        referee.apply({"at": 0, "do": "seal", "side": "white", "envelope": box})


def replied(edition: str = "2023") -> Played:
    """White's sealed Nf3 is made, White is absent, and Black's reply lies in a sealed box."""
    game = boxed(edition, default_time=None)
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope", text="Nf3")
    game.do("seal", "black", envelope=BOX)
    return game


def lost_reply() -> Played:
    """The box with Black's reply is lost, and White has come."""
    game = replied()
    game.do("arrive", "white")
    restored = event(game.do("envelope-lost"), "position-restored")
    assert (restored["ply"], restored["article"]) == (3, "2023 I.12.1")
    return game


@pytest.mark.ledger("L23-I.12.1")
def test_the_reply_in_a_second_envelope_that_is_lost_is_made_as_its_player_declares_it() -> None:
    game = lost_reply()
    assert game.status["running"] == "none"
    assert refused(game.do("open-envelope", text="Nc6")) and refused(game.do("envelope-lost"))
    assert refused(game.announce("d2d4", "white"))
    assert names(game.announce("b8c6", "black")) == ["move-made", "move-completed"]
    assert (game.status["moves"][-1], game.status["running"]) == ("Nc6", "white")


@pytest.mark.ledger("L23-I.8.3")
def test_an_illegal_reply_declared_for_a_lost_second_envelope_loses() -> None:
    over = event(lost_reply().announce("b8b6", "black"), "game-over")
    assert (over["result"], over["article"]) == ("1-0", "2023 I.8.3")


@pytest.mark.ledger("L23-I.9.3")
def test_the_absent_player_s_clock_runs_on_though_the_reply_to_him_is_lost() -> None:
    game = replied()
    game.do("envelope-lost")
    assert game.status["running"] == "white"
    assert names(game.do("arrive", "white")) == ["clock-stopped"]
    game.announce("b8c6", "black")
    assert game.status["running"] == "white"


# -- A reply that cannot be made -----------------------------------------------------------------------------


@pytest.mark.ledger("L14-E.8b", "L23-I.8.2")
def test_a_reply_that_nobody_can_read_is_the_arbiter_s_to_make_out() -> None:
    game = replied()
    game.do("arrive", "white")
    said = game.do("open-envelope", text="???")
    asked = event(said, "arbiter-asked")
    assert (asked["about"], asked["proposal"], asked["article"]) == ("which-move", "1-0", "2023 I.8.2")
    assert game.status["running"] == "none"
    assert refused(game.announce("b8c6", "black")), "it lies in the envelope still"
    game.do("rule", claim="reject")
    game.announce("b8c6", "black")
    assert (game.status["moves"][-1], game.status["running"]) == ("Nc6", "white")


@pytest.mark.ledger("L14-E.8b", "L23-I.8.2")
@pytest.mark.parametrize("edition", ["1997", "2009", "2014", "2023"])
def test_a_reply_that_is_ruled_unreadable_loses(edition: str) -> None:
    game = replied(edition)
    game.do("arrive", "white")
    game.do("open-envelope", text="???")
    over = event(game.do("rule", claim="accept"), "game-over")
    kinds = {"1997": "A.8(b)", "2009": "Guidelines 8.b", "2014": "E.8.b", "2023": "I.8.2"}
    assert (over["result"], over["article"]) == ("1-0", f"{edition} {kinds[edition]}")


@pytest.mark.ledger("L14-E.8a", "L23-I.8.1")
def test_a_reply_that_two_moves_fit_loses_as_an_ambiguous_one() -> None:
    game = Played("2014", "4kn1n/8/8/8/8/8/8/4K2R w - - 0 1", time_control="5400", default_time=None)
    game.do("adjourn")
    game.do("seal", "white", move="h1h2")
    game.do("stop-clock", by="white")
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope")
    game.do("seal", "black", text="Ng6")
    over = event(game.do("arrive", "white"), "game-over")
    assert (over["result"], over["article"]) == ("1-0", "2014 E.8.a")
    assert sorted(over["candidates"]) == ["f8g6", "h8g6"]


# -- What lies sealed is the move ----------------------------------------------------------------------------


@pytest.mark.ledger("L14-E.9c", "L23-I.9.3")
@pytest.mark.parametrize("verb", ["announce", "place", "correct"])
def test_no_move_is_made_on_the_board_while_the_reply_lies_sealed(verb: str) -> None:
    game = replied()
    [refusal] = game.do(verb, "black", move="b8c6")
    assert (refusal["reason"], refusal["article"]) == (
        "the reply is sealed and waits for the opponent",
        "2023 I.9.3",
    )
    game.do("arrive", "white")
    assert "move-made" in names(game.do("open-envelope", text="Nc6"))


@pytest.mark.ledger("L23-I.9.3")
def test_no_other_move_is_sealed_instead_of_the_reply_by_another_order() -> None:
    game = replied()
    [refusal] = game.do("adjourn")
    assert (refusal["reason"], refusal["article"]) == (
        "the reply is sealed and waits for the opponent",
        "2023 I.9.3",
    )
    game.do("arrive", "white")
    assert "move-made" in names(game.do("open-envelope", text="Nc6"))
    assert names(game.do("adjourn")) == ["adjourned"]


@pytest.mark.ledger("L23-I.12.1")
def test_a_lost_reply_is_declared_before_a_move_is_ordered_to_be_sealed() -> None:
    game = replied()
    game.do("envelope-lost")
    assert refused(game.do("adjourn"))
    game.announce("b8c6", "black")
    assert event(game.do("adjourn"), "adjourned")["side"] == "white"


@pytest.mark.ledger("L23-9.2.1")
def test_no_draw_is_claimed_by_the_one_whose_reply_lies_sealed() -> None:
    assert refused(replied().do("claim", "black", of="threefold"))


@pytest.mark.parametrize("when", ["adjourned", "replied"])
def test_a_man_touched_while_the_move_lies_sealed_binds_nobody(when: str) -> None:
    game, side = (boxed(), "white") if when == "adjourned" else (replied(), "black")
    assert refused(game.do("touch", side, squares=["a2" if side == "white" else "a7"]))


# -- Lateness outlives the opening ---------------------------------------------------------------------------


@pytest.mark.ledger("L14-E.10", "L23-I.10")
@pytest.mark.parametrize("edition", ["2005", "2009", "2014", "2018", "2023"])
def test_whether_a_late_player_has_lost_is_asked_until_it_is_answered(edition: str) -> None:
    game = boxed(edition, default_time=3600)
    game.do("arrive", "white")
    game.do("resume")
    asked = event(game.do("arrive", "black", at=4000), "arbiter-asked")
    assert (asked["about"], asked["proposal"]) == ("default", "1-0")
    game.do("open-envelope", text="Nf3")
    assert [question.what for question in game.referee.questions] == ["default"]
    assert event(game.do("rule", claim="accept"), "game-over")["reason"] == "default"


@pytest.mark.ledger("L97-A.10")
def test_in_1997_a_late_replier_has_lost_whatever_lies_in_the_box() -> None:
    game = boxed("1997", default_time=3600)
    game.do("arrive", "white")
    game.do("resume")
    over = event(game.do("arrive", "black", at=4000), "game-over")
    assert (over["result"], over["article"]) == ("1-0", "1997 A.10")


@pytest.mark.ledger("L97-A.10")
def test_in_1997_a_late_sealer_has_lost_when_the_opened_move_does_not_end_the_game() -> None:
    game = boxed("1997", MATE_IN_ONE)
    game.do("arrive", "black")
    game.do("resume")
    game.do("arrive", "white", at=4000)
    over = event(game.do("open-envelope", text="Qg5"), "game-over")
    assert (over["result"], over["article"]) == ("0-1", "1997 A.10")


@pytest.mark.ledger("L09-6.7d")
def test_opening_the_envelope_answers_no_question_about_something_else() -> None:
    game = boxed("2009", chess.STARTING_FEN, black={"blind": True})
    asked = [question.what for question in game.referee.questions]
    assert asked == ["assistant-time"]
    back(game).do("open-envelope", text="Nf3")
    assert [question.what for question in game.referee.questions] == asked


def test_an_envelope_opened_once_more_asks_anew_and_not_twice() -> None:
    game = back(boxed())
    for text in ("???", "!!!"):
        assert "arbiter-asked" in names(game.do("open-envelope", text=text))
    assert [question.what for question in game.referee.questions] == ["which-move"]


# -- What a player was bound to before he sealed -------------------------------------------------------------


def bound(move: str = "") -> Played:
    """White has touched his king's knight, which has three moves, and is ordered to seal."""
    game = Played("2023", time_control="5400", default_time=None).moves("e2e4 e7e5")
    game.do("touch", "white", squares=["g1"])
    game.do("adjourn")
    if move:
        game.do("seal", "white", envelope=BOX)
        game.do("stop-clock", by="white")
        back(game).do("open-envelope", text=move)
    return game


@pytest.mark.ledger("L14-4.3a", "L23-4.3.1")
def test_a_touched_man_is_moved_after_the_order_to_seal_too() -> None:
    game = bound()
    for said in (game.announce("d2d4"), game.do("seal", "white", move="d2d4")):
        assert sorted(said[-1]["due"]) == ["g1e2", "g1f3", "g1h3"]
    assert names(game.do("seal", "white", move="g1f3")) == ["sealed"]


@pytest.mark.ledger("L14-4.3a", "L23-4.3.1")
def test_about_a_box_against_a_touched_man_the_arbiter_is_asked_and_a_due_move_is_entered() -> None:
    game = bound("d4")
    asked = event(game.events, "arbiter-asked")
    assert (asked["about"], sorted(asked["proposal"])) == ("which-move", ["g1e2", "g1f3", "g1h3"])
    assert asked["article"] == "2023 4.3.1"
    game.do("rule", claim="accept")
    assert sorted(game.announce("d2d4", "white")[-1]["due"]) == ["g1e2", "g1f3", "g1h3"]
    assert refused(game.announce("g1g3", "white")) and not game.over
    game.announce("g1f3", "white")
    assert (game.status["moves"][-1], game.status["running"]) == ("Nf3", "black")


def test_a_box_against_a_touched_man_may_stand_if_the_arbiter_says_so() -> None:
    game = bound("d4")
    assert names(game.do("rule", claim="reject")) == ["move-made", "move-completed"]
    assert game.status["moves"][-1] == "d4"


@pytest.mark.ledger("L14-9.5b2", "L23-9.5.3b")
def test_the_move_written_for_a_wrong_claim_is_made_instead_of_the_sealed_one() -> None:
    game = Played("2023", time_control="5400", default_time=None).moves("e2e4 e7e5")
    game.do("claim", "white", of="threefold", move="g1f3")
    game.do("adjourn")
    game.do("seal", "white", envelope=BOX)
    game.do("stop-clock", by="white")
    back(game).do("open-envelope", text="Nc3")
    assert names(game.do("rule", claim="accept")) == ["move-made", "move-completed"]
    assert game.status["moves"][-1] == "Nf3"


@pytest.mark.ledger("L14-7.5a1", "L23-7.5.1")
def test_the_move_that_replaces_an_illegal_one_is_due_after_the_order_to_seal() -> None:
    game = Played("2023", time_control="5400", default_time=None).moves("e2e4 e7e5 d2d4 e8e6")
    game.do("claim", "white", of="illegal-move")
    game.do("adjourn")
    assert game.announce("g8f6", "black")[-1]["due"] == ["e8e7"]
    assert names(game.announce("e8e7", "black")) == ["adjourned"]


@pytest.mark.ledger("L23-4.3.1")
def test_about_a_reply_against_a_touched_man_the_arbiter_is_asked() -> None:
    game = boxed(default_time=None)
    game.do("arrive", "black")
    game.do("resume")
    game.do("open-envelope", text="Nf3")
    game.do("touch", "black", squares=["b8"])
    game.do("seal", "black", envelope=BOX)
    game.do("arrive", "white")
    assert "arbiter-asked" in names(game.do("open-envelope", text="d6"))
    game.do("rule", claim="accept")
    assert refused(game.announce("d7d6", "black"))
    game.announce("b8c6", "black")
    assert (game.status["moves"][-1], game.status["running"]) == ("Nc6", "white")
