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
