"""What `hector play` does with its options where there is no microphone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.demonstration import show
from assistant.errors import HectorError
from assistant.journal import read
from assistant.table import Person, Setup, live
from assistant.table.setup import EventRules

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


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

    monkeypatch.setattr("assistant.hearing.has_microphone", lambda: False)
    monkeypatch.setattr(live, "play", play)
    monkeypatch.setattr(show, "run", demonstrate)
    return began


@pytest.mark.parametrize("options", [[], ["--silent"], ["--lang", "es"]])
def test_without_a_microphone_and_without_options_it_shows_what_it_can(
    began: list[object], options: list[str]
) -> None:
    assert main(["play", *options]) == 0
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
        ["--category", "blitz"],
        ["--unsupervised"],
        ["--default-time", "0"],
        ["--draw-offers", "0"],
        ["--quickplay-finish"],
        ["--save", "game"],
        ["--speak-to", "said.wav"],
        ["--page", "--page-port", "0"],
        ["--headphones", "hw:1"],
        ["--braille-display", "off"],
        ["--engine", "stockfish", "--engine-resigns"],
    ],
)
def test_who_names_a_game_gets_it(began: list[object], options: list[str]) -> None:
    assert main(["play", *options]) == 0
    [setup] = began
    assert isinstance(setup, Setup)


@pytest.mark.parametrize(
    ("fen", "chess960"),
    [("1k6/p7/8/8/8/8/P7/R5KR w HA - 0 1", True), ("1k6/p7/8/8/8/8/P7/R3K2R w KQ - 0 1", None)],
)
def test_a_position_in_which_only_chess960_castles_is_played_so(
    began: list[object], fen: str, chess960: bool | None
) -> None:
    assert main(["play", "--keyboard", "--fen", fen]) == 0
    [setup] = began
    assert isinstance(setup, Setup) and setup.chess960 == chess960


@pytest.mark.parametrize(("options", "told"), [(["--white", "Ana"], True), (["--keyboard"], False)])
def test_who_has_no_microphone_is_told_unless_he_has_said_so(
    began: list[object], options: list[str], told: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["play", *options])
    said = capsys.readouterr().err
    assert said.startswith("hector: There is no microphone: ") is told
    assert said.count("\n") == told


def test_who_asks_for_the_demonstration_may_keep_it(began: list[object]) -> None:
    options = ["--silent", "--save", "games", "--speak-to", "said.wav", "--lang", "de"]
    assert main(["play", "--demonstration", *options]) == 0
    assert began == ["demonstration"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--listen", "x.wav", "--keyboard"], "leave out --listen or --keyboard"),
        (["--listen", "x.wav", "--page"], "leave out --page"),
        (["--demonstration", "--listen", "x.wav"], "leave out --listen"),
        (["--demonstration", "--fen", START], "leave out --fen"),
        (["--demonstration", "--engine-elo", "1500"], "leave out --engine-elo"),
        (["--listen", "x.wav", "--headphones", "hw:1"], "leave out --listen or --headphones"),
        (["--listen", "x.wav", "--room", "hw:1"], "leave out --listen or --room"),
        (["--listen", "x.wav", "--duplex", "full"], "leave out --listen or --duplex"),
        (["--listen", "x.wav", "--voice-engine", "speechd"], "leave out --listen or --voice-engine"),
        (["--listen", "x.wav", "--braille-display", "off"], "leave out --listen or --braille-display"),
        (["--listen", "x.wav", "--press", "key"], "leave out --listen or --press key"),
        (["--arbiter-pin", "314159"], "--arbiter-pin is for the page: add --page"),
        (["--page-port", "0"], "--page-port is for the page: add --page"),
        (["--listen", "x.wav", "--page-address", "0.0.0.0"], "add --page"),
        (["--fen", START, "--chess960", "0"], "leave out --fen or --chess960"),
        (["--engine-elo", "1500"], "Name the engine too"),
        (["--engine-resigns"], "Name the engine too"),
        (["--silent", "--keyboard"], "add --demonstration"),
        (["--silent", "--white", "Ana"], "leave out --silent"),
        (["--silent", "--listen", "x.wav"], "leave out --silent"),
        (["--save", ""], "--save is empty"),
        (["--demonstration", "--save", ""], "--save is empty"),
    ],
)
def test_options_that_do_not_go_together_are_refused_in_one_sentence(
    began: list[object], options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", *options]) == 2
    assert began == []
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("command", ["play", "serve"])
@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("7k/8/6K1/8/8/8/8/8 w - - 0 1", "dead position"),
        ("8/4k3/8/8/3N4/3K4/8/8 w - - 0 1", "dead position"),
    ],
)
def test_a_position_in_which_the_game_is_over_is_not_played(
    began: list[object], command: str, fen: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--fen", fen]) == 2
    assert began == []
    said = capsys.readouterr().err
    assert said == f"hector: No game can begin in {fen!r}: the game is over there ({reason}).\n"


def test_with_a_microphone_a_silent_game_is_refused(
    began: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.hearing.has_microphone", lambda: True)
    assert main(["play", "--silent"]) == 2
    assert began == []


def test_serve_keeps_no_game_in_a_folder_without_a_name(
    began: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--save", ""]) == 2
    assert began == []


def test_a_pin_for_a_page_that_nobody_asked_for_is_refused_at_resuming_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["resume", "game", "--opponent-pin", "314159"]) == 2
    assert "add --page" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--time-control", "soon"],
        ["--laws", "1800"],
        ["--fen", "x"],
        ["--chess960", "960"],
        *([option, ""] for option in ("--time-control", "--laws", "--fen", "--draw-offers")),
    ],
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


@pytest.mark.parametrize(
    ("option", "sign"),
    [("--white", "\n"), ("--black", "\x1b"), ("--engine", "\t"), ("--arbiter-pin", "\x9b")],
)
def test_what_would_break_its_line_or_steer_a_terminal_is_refused(
    began: list[object], option: str, sign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--page-port", "0", option, f"Ana{sign}Maria"]) == 2
    assert began == []
    said = capsys.readouterr().err
    assert said.startswith(f"hector: {option} is not one line of text")
    assert len(said.splitlines()) == 1


def test_blanks_around_a_name_are_no_part_of_it(began: list[object]) -> None:
    assert main(["play", "--white", " Ana  Maria ", "--black", " "]) == 0
    [setup] = began
    assert isinstance(setup, Setup)
    assert (setup.white.name, setup.has_name("black")) == ("Ana Maria", False)


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


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ([], {}),
        (["--category", "rapid", "--unsupervised"], {"category": "rapid", "supervised": False}),
        (["--default-time", "1800"], {"default_time": 1800}),
        (["--default-time", "none"], {"default_time": None}),
        (["--draw-offers", "30"], {"draw_offers": 30}),
        (
            ["--draw-offers", "forbidden", "--quickplay-finish"],
            {"draw_offers": "forbidden", "quickplay_finish": True},
        ),
    ],
)
def test_what_the_event_rules_goes_into_the_script_and_comes_back_from_it(
    began: list[object], options: list[str], rules: dict[str, object]
) -> None:
    main(["play", "--keyboard", *options])
    [setup] = began
    assert isinstance(setup, Setup)
    game = setup.game()
    usual = Setup().game()
    assert {key: value for key, value in game.items() if key not in usual} == rules
    assert EventRules.of(game) == setup.rules


@pytest.mark.parametrize("option", ["--default-time", "--draw-offers"])
@pytest.mark.parametrize("value", ["soon", "-1", "1.5", "½", "1000000000"])
def test_a_rule_of_the_event_that_is_no_number_is_refused(
    began: list[object], option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", f"{option}={value}"]) == 2
    assert began == []
    assert option in capsys.readouterr().err


@pytest.mark.parametrize(
    ("blind", "opponent"),
    [(("white",), "black"), (("black",), "white"), (("white", "black"), None), ((), "white")],
)
def test_the_opponent_is_the_sighted_player(blind: tuple[str, ...], opponent: str | None) -> None:
    setup = Setup(white=Person("A", "white" in blind), black=Person("B", "black" in blind))
    assert setup.opponent == opponent


def test_a_game_by_keyboard_is_played_where_no_recogniser_can_be_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def missing() -> None:
        raise HectorError("The speech recogniser Vosk cannot be loaded.")

    (tmp_path / "typed").write_text("e4\n\nq\n", encoding="utf-8")
    monkeypatch.setattr("assistant.hearing.engine._vosk", missing)
    with (tmp_path / "typed").open(encoding="utf-8") as typed:
        monkeypatch.setattr("sys.stdin", typed)
        quietly = ["--keyboard", "--press", "key", "--speak-to", os.devnull]
        assert main(["play", *quietly, "--save", str(tmp_path / "game")]) == 0
    lines = read(tmp_path / "game").lines
    assert [line["move"] for line in lines if line.get("do") == "announce"] == ["e2e4"]
