"""What touched men bind to, beside the plain cases of articles 4.3 to 4.5."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played import Played, article, names, refused

# -- When a touch binds --------------------------------------------------------------------------------------


def test_a_man_touched_before_the_clock_is_started_binds_nobody() -> None:
    game = Played("2023", start=False)
    said = game.do("touch", "white", squares=["g1"])
    assert refused(said) and article(said, "refused") == "6.6"
    game.do("start")
    assert not refused(game.announce("e2e4"))


def test_without_a_clock_a_man_is_touched_from_the_beginning() -> None:
    game = Played("2023", start=False, time_control="-")
    game.do("touch", "white", squares=["g1"])
    assert refused(game.announce("e2e4"))


def test_a_touch_confirmed_after_the_move_made_on_the_board_to_be_sealed_binds_nothing() -> None:
    game = Played("2023", white={"blind": True})
    game.announce("e2e4", placed=True)
    game.do("press", "white")
    game.do("touch", "black", squares=["g8"], by="assistant")
    game.do("adjourn")
    game.announce("e7e5")
    game.do("rule", claim="accept")
    assert not refused(game.do("seal", "black", move="e7e5"))
    assert not refused(game.do("stop-clock", by="black"))


@pytest.mark.parametrize(
    ("fen", "move", "touched", "other"),
    [
        (None, "e2e4", "g1", "Springer Felix drei"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "h1", "Turm Hector zwei"),
    ],
)
def test_a_man_lifted_after_the_move_was_placed_binds_nothing(
    fen: str | None, move: str, touched: str, other: str
) -> None:
    game = Played("2023", fen, white={"blind": True})
    game.do("place", "white", move=move)
    game.do("touch", "white", squares=[touched])
    assert refused(game.do("place", "white", move=other))
    assert not refused(game.announce(move)) and not refused(game.do("press", "white"))


def test_a_man_lifted_after_an_illegal_move_was_placed_binds() -> None:
    game = Played("2023", white={"blind": True})
    game.do("place", "white", move="e2e5")
    game.do("touch", "white", squares=["g1"])
    assert refused(game.do("place", "white", move="d2d4"))


@pytest.mark.parametrize(
    ("fen", "illegal", "other", "due"),
    [
        (None, "e2e5", "d2d4", "e2e3"),
        # A rook who cannot go is bound to nothing, but the pawn that he has taken can be taken.
        ("4k3/8/8/3p4/4P3/P7/PP6/RK6 w - - 0 1", "a1d5", "b1c1", "e4d5"),
    ],
)
def test_an_illegal_move_that_was_placed_and_not_announced_binds_the_next_one_that_is_placed(
    fen: str | None, illegal: str, other: str, due: str
) -> None:
    """4.3 with D.2.2: its men have been out of their holes."""
    game = Played("2023", fen, white={"blind": True})
    game.do("place", "white", move=illegal)
    said = game.do("place", "white", move=other)
    assert refused(said) and due in said[-1]["due"]
    assert not refused(game.do("place", "white", move=due))
    assert refused(game.announce(other)) and not refused(game.announce(due))


def test_what_is_announced_of_an_illegal_move_that_was_placed_may_be_a_slip() -> None:
    game = Played("2023", white={"blind": True})
    game.do("place", "white", move="e2e5")
    assert refused(game.do("place", "white", move="d2d4"))
    assert not refused(game.announce("d2d4"))
    assert not refused(game.do("correct", "white", move="e2e5"))


@pytest.mark.parametrize("waits", [False, True])
def test_once_a_written_move_is_due_no_man_that_is_touched_later_binds(waits: bool) -> None:
    game = Played("2023")
    game.do("claim", "white", of="threefold", move="g1f3", wait=waits)
    game.do("touch", "white", squares=["e2"])
    if waits:
        game.do("rule", claim="reject")
    assert game.announce("e2e4")[-1]["due"] == ["g1f3"]
    assert not refused(game.announce("g1f3"))


def test_a_written_move_that_is_due_can_be_sealed_whatever_was_touched_later() -> None:
    game = Played("2023")
    game.do("claim", "white", of="threefold", move="g1f3")
    game.do("touch", "white", squares=["e2"])
    game.do("adjourn")
    assert refused(game.do("seal", "white", move="e2e4"))
    assert not refused(game.do("seal", "white", move="g1f3"))


@pytest.mark.parametrize("to_be_sealed", [False, True])
def test_a_written_move_is_forgone_once_another_has_been_put_down(to_be_sealed: bool) -> None:
    game = Played("2023", white={"blind": True})
    game.do("claim", "white", of="threefold", move="g1f3", wait=True)
    game.do("resume")
    if to_be_sealed:
        game.do("adjourn")
    game.do("place", "white", move="d2d4")
    game.do("rule", claim="reject")
    if to_be_sealed:
        assert not refused(game.do("seal", "white", move="d2d4"))
    else:
        assert not refused(game.announce("d2d4"))


# -- What a move that is taken back leaves behind ------------------------------------------------------------


def touched(game: Played) -> Played:
    game.do("touch", "white", squares=["g1"])
    return game


def claimed(game: Played) -> Played:
    game.do("claim", "white", of="threefold", move="g1f3")
    return game


def taken_back(game: Played) -> Played:
    game.move("g1g3")
    game.do("claim", "black", of="illegal-move")
    return game


@pytest.mark.parametrize("bound", [touched, claimed, taken_back])
def test_a_slip_of_the_tongue_is_corrected_to_nothing_but_what_is_due(
    bound: Callable[[Played], Played],
) -> None:
    game = bound(Played("2023"))
    game.announce("g1f3")
    assert refused(game.do("correct", "white", move="e2e4"))
    assert game.status["moves"] == ["Nf3"]


def test_a_pawn_that_was_put_back_is_not_taken_elsewhere_by_a_correction() -> None:
    game = Played("2009", "7k/P7/8/8/8/8/4K3/8 w - - 0 1")
    game.move("a7a8")
    game.do("claim", "black", of="illegal-move")
    game.announce("a7a8q")
    assert refused(game.do("correct", "white", move="e2d2"))
    assert not refused(game.do("correct", "white", move="a7a8r"))


PAWNS = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize("put_right", ["claim", "before the press", "before it is sealed"])
def test_a_man_touched_before_an_illegal_move_comes_first_when_it_is_replaced(put_right: str) -> None:
    game = Played("2023", PAWNS)
    game.do("touch", "white", squares=["d5"])
    if put_right == "before it is sealed":
        game.do("adjourn")
    game.announce("e4e6")
    if put_right == "claim":
        game.do("press", "white")
        game.do("claim", "black", of="illegal-move")
    said = game.announce("e4e5", "white")
    assert said[-1]["due"] == ["e4d5"] and article(said, "refused") == "4.3.3"
    assert not refused(game.announce("e4d5", "white"))


def test_men_touched_in_unknown_order_stay_so_when_an_illegal_move_is_replaced() -> None:
    game = Played("2023", "4k3/8/8/3p4/2P5/8/8/4K1N1 w - - 0 1")
    game.do("touch", "white", squares=["d5", "g1"], order="unknown")
    game.announce("g1g3")
    assert refused(game.announce("c4d5", "white"))
    assert not refused(game.announce("g1f3", "white"))


def test_who_touches_a_king_that_cannot_move_and_then_another_man_moves_that_one() -> None:
    """4.3.1: it is no castling, so that the first man that can move is due."""
    game = Played("2023")
    game.do("touch", "white", squares=["e1", "g1"])
    [refusal] = game.announce("e2e4")
    assert (article([refusal], "refused"), refusal["due"]) == ("4.3.1", ["g1h3", "g1f3"])


@pytest.mark.parametrize("blind", [False, True])
def test_no_man_is_placed_while_the_clocks_are_stopped(blind: bool) -> None:
    game = Played("2023", white={"blind": blind})
    game.do("stop-clock")
    [refusal] = game.do("place", "white", move="e2e4")
    assert refusal["reason"] == "the clocks are stopped"
    game.do("resume")
    assert game.status["moves"] == [] and not refused(game.do("place", "white", move="d2d4"))


def test_a_blind_player_who_places_a_man_declines_the_offer_before_he_has_announced() -> None:
    """9.1.2.1: he has touched a man to move it."""
    game = Played("2023", white={"blind": True})
    game.do("offer-draw", "black")
    assert names(game.do("place", "white", move="e2e4")) == ["draw-declined"]
