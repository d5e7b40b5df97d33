"""What `hector play` does with its options where there is no microphone."""

from __future__ import annotations

import pytest

from assistant.cli import main
from assistant.demonstration import show
from assistant.table import Setup, live


@pytest.fixture
def began(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was begun: the setup of a game, or the demonstration."""
    began: list[object] = []

    def play(setup: Setup, *_more: object, **_options: object) -> int:
        began.append(setup)
        return 0

    def demonstrate(*_more: object, **_options: object) -> int:
        began.append("demonstration")
        return 0

    monkeypatch.setattr(live, "has_microphone", lambda: False)
    monkeypatch.setattr(live, "play", play)
    monkeypatch.setattr(show, "run", demonstrate)
    return began


def test_without_a_microphone_and_without_options_it_shows_what_it_can(began: list[object]) -> None:
    assert main(["play"]) == 0
    assert began == ["demonstration"]


@pytest.mark.parametrize(
    "options",
    [
        ["--keyboard"],
        ["--white", "Ana"],
        ["--chess960", "0"],
        ["--laws", "2018"],
        ["--time-control", "300"],
        ["--press", "key"],
        ["--read-board"],
    ],
)
def test_who_names_a_game_gets_it(began: list[object], options: list[str]) -> None:
    assert main(["play", *options]) == 0
    [setup] = began
    assert isinstance(setup, Setup)


@pytest.mark.parametrize(
    "options", [["--time-control", "soon"], ["--laws", "1800"], ["--fen", "x"], ["--chess960", "960"]]
)
def test_what_is_wrong_is_refused_and_nothing_shown_instead(
    began: list[object], options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *options]) == 2
    assert began == []
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("command", ["play", "serve"])
@pytest.mark.parametrize("option", ["--white", "--black", "--player", "--engine", "--arbiter-pin"])
def test_what_is_no_text_is_refused_in_one_sentence(
    began: list[object], command: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A byte that is no UTF-8 reaches the program as half a surrogate pair, which no file can hold."""
    assert (
        main([command, "--page-port", "0", *(["--page"] if command == "play" else []), option, "\udcff" * 8])
        == 2
    )
    assert began == []
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert option == "--player" or said.startswith(f"hector: {option} ")


def test_serve_takes_an_engine_too(began: list[object]) -> None:
    assert main(["serve", "--engine", "stockfish"]) == 0
    [setup] = began
    assert isinstance(setup, Setup) and setup.engine is not None
    assert setup.engine.side == "black"


def test_what_is_not_said_is_the_usual_game(began: list[object]) -> None:
    main(["play", "--keyboard"])
    [setup] = began
    assert isinstance(setup, Setup)
    assert (setup.laws, setup.time_control, setup.press) == ("2023", "5400+30", "word")
