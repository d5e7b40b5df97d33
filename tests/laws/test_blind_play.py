"""What the Laws leave open in blind play: slips of the tongue, and who may be told what."""

from __future__ import annotations

from typing import Any

import pytest
from played import Events, Played, names, refused


def blind(fen: str | None = None, **game: Any) -> Played:
    """White is blind, Black is not."""
    return Played("2023", fen, **{"time_control": "5400", "white": {"blind": True}, **game})


def made(game: Played, placed: str, announced: str | None = None) -> Events:
    return game.do("place", "white", move=placed) + game.do("announce", "white", move=announced or placed)


def test_a_slip_is_corrected_before_the_man_is_placed() -> None:
    game = blind()
    game.do("announce", "white", move="e2e4")
    assert names(game.do("correct", "white", move="e2e3")) == ["slip-corrected"]
    game.do("place", "white", move="e2e3")
    assert game.status["moves"] == ["e3"]


def test_a_sighted_players_announcement_alone_can_be_corrected_too() -> None:
    game = blind(white={})
    game.announce("e2e4")
    assert names(game.do("correct", "white", move="e2e3")) == ["slip-corrected", "move-made"]
    assert game.status["moves"] == ["e3"]


def test_a_man_that_was_placed_as_announced_is_no_slip() -> None:
    game = blind()
    made(game, "e2e4")
    assert refused(game.do("correct", "white", move="e2e3"))


def test_the_corrected_words_must_agree_with_the_man_as_placed() -> None:
    game = blind()
    made(game, "e2e3", "e2e4")
    assert refused(game.do("correct", "white", move="d2d4"))
    assert not refused(game.do("correct", "white", move="e2e3"))


def test_nothing_is_corrected_once_the_opponent_has_replied() -> None:
    game = blind()
    made(game, "e2e3", "e2e4")
    game.do("announce", "black", move="e7e5")
    assert refused(game.do("correct", "white", move="e2e3"))


def test_after_the_press_the_arbiter_is_asked_which_move_it_was() -> None:
    game = blind()
    made(game, "e2e3", "e2e4")
    game.do("press", "white")
    said = game.do("correct", "white", move="e2e3")
    assert names(said) == ["refused", "arbiter-asked"]
    assert (said[1]["about"], said[1]["proposal"]) == ("which-move", "e2e3")
    assert names(game.do("rule", claim="accept")) == ["position-restored"]
    assert (game.status["moves"], game.turn, game.status["running"]) == (["e3"], "black", "black")


def test_an_illegal_announcement_corrected_before_the_press_is_no_illegal_move() -> None:
    game = blind()
    made(game, "g1f3", "g1g3")
    game.do("correct", "white", move="g1f3")
    game.do("press", "white")
    assert names(game.do("claim", "black", of="illegal-move")) == ["claim-wrong"]


def test_a_mate_announced_but_placed_otherwise_does_not_end_the_game_before_the_press() -> None:
    game = blind("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    made(game, "a1a7", "a1a8")
    assert game.result == "*"
    pressed = blind("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    made(pressed, "a1a7", "a1a8")
    pressed.do("press", "white")
    assert (pressed.result, pressed.reason) == ("1-0", "checkmate")
    game.do("correct", "white", move="a1a7")
    assert (game.result, game.status["moves"]) == ("*", ["Ra7"])


def test_sheets_are_compared_by_the_move_not_by_the_letters() -> None:
    game = blind(black={"language": "de"}, white={}).moves("e2e4 e7e5 g1f3")
    same = game.do("sheets", white=["e2e4", "e5", "Nf3"], black=["e4", "e7e5", "Sf3"])
    assert names(same) == ["sheets-agree"]
    [missing] = game.do("sheets", white=["e4", "e5", "Nf3"], black=["e4", "e5"])
    assert (missing["event"], missing["ply"], missing["black"]) == ("sheets-differ", 3, "")


def test_after_an_entry_that_nobody_can_read_sheets_are_compared_by_the_letters() -> None:
    game = Played("2023")
    same = game.do("sheets", white=["e4", "blot", "Nf3"], black=["e4", "blot", "Nf3"])
    assert names(same) == ["sheets-agree"]
    [other] = game.do("sheets", white=["e4", "blot", "Nf3"], black=["e4", "blot", "Nc3"])
    assert (other["event"], other["ply"]) == ("sheets-differ", 3)


ANSWERED = {
    "last-move": "always",
    "times": "never",
    "moves-completed": "after a flag",
    "moves-to-control": "after a flag",
    "position": "never",
    "law": "always",
    "recording": "always",
}
"""When a player who sees is answered; a blind one and the arbiter always are."""


@pytest.mark.parametrize("about", ANSWERED)
@pytest.mark.parametrize("asker", ["white", "black", "arbiter"])
@pytest.mark.parametrize("flag", ["up", "down"])
@pytest.mark.parametrize("mode", ["rated", "club"])
def test_a_question_is_answered_to_whom_the_laws_let_it_be(
    about: str, asker: str, flag: str, mode: str
) -> None:
    """8.5, 11.3, 12.6, D.2.10.4; at home the one who sees keeps nothing from himself."""
    game = blind(time_control="40/60:1800", category="rapid", supervised=False, mode=mode)
    made(game, "e2e4")
    game.do("press", "white")
    if asker == "white":
        game.moves("e7e5")
    article = {"article": "6.1"} if about == "law" else {}
    [said] = game.do("ask", asker, at=10 if flag == "up" else 100, about=about, **article)
    when = ANSWERED[about] if asker == "black" and mode == "rated" else "always"
    if when == "always" or (when == "after a flag" and flag == "down"):
        assert (said["event"], said["about"], said["side"]) == ("answer", about, asker)
    else:
        assert (said["event"], said["reason"]) == ("refused", "this is not told to the player")


@pytest.mark.parametrize("about", ["best-move", "legal-moves", "threats", "is-it-drawn"])
@pytest.mark.parametrize("side", ["white", "black", "arbiter"])
def test_no_advice_is_given_to_anybody(about: str, side: str) -> None:
    [answer] = blind().do("ask", side, about=about)
    assert (answer["event"], answer["article"]) == ("refused", "2023 11.3.1")


def test_a_repetition_that_fits_other_moves_than_the_announced_one_differs() -> None:
    """D.2.1: a king is no pawn, however many moves it has."""
    game = blind("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1")
    made(game, "e3e4")
    [differs] = game.do("repeat", "black", move="K")
    assert (differs["event"], differs["uci"], differs["heard"]) == ("repeat-differs", "e3e4", "K")


def test_a_move_that_stands_as_placed_keeps_the_times_of_its_press() -> None:
    """7.1: while the arbiter was asked which move it was, the opponent's clock has gone on."""
    game = blind()
    made(game, "e2e3", "e2e4")
    game.do("press", "white", at=180)
    game.do("correct", "white", at=560, move="e2e3")
    game.do("rule", claim="accept", at=560)
    [restored] = game.do("restore", ply=1, at=570)
    assert (restored["white"], restored["black"]) == (5220, 5400)


def test_what_was_sealed_after_the_announced_move_is_void_after_the_placed_one() -> None:
    """I.1.1: Black has answered a position that never stood on the board; he seals anew."""
    game = blind()
    made(game, "e2e3", "e2e4")
    game.do("press", "white")
    game.do("adjourn")
    game.do("seal", "black", move="e7e5")
    game.do("correct", "white", move="e2e3")
    said = game.do("rule", claim="accept")
    assert names(said) == ["position-restored", "sealed-void", "adjourned"]
    assert names(game.do("seal", "black", move="d7d5")) == ["sealed"]
