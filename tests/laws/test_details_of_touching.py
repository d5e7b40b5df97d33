"""What touched men bind to, beside the plain cases of articles 4.3 to 4.5."""

from __future__ import annotations

from played import Played, article, refused

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
