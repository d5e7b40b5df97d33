"""Games that voices speak: every room from the sound to the sheet, faster than the game itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import chess.pgn
import pytest
import soundfile

from assistant.demonstration import Scene, games
from assistant.demonstration.show import Left, Shown, play
from assistant.hearing import AcousticModel, load_model
from assistant.journal import read
from assistant.scoresheet import read_sheet
from assistant.speaking import Nowhere, WavFile

PLIES = 12


@pytest.fixture(scope="module")
def model() -> AcousticModel:
    return load_model()


def san_of(folder: Path) -> tuple[list[str], str]:
    with (folder / "game.pgn").open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    return [node.san() for node in game.mainline()], game.headers["Result"]


@pytest.fixture(scope="module")
def short_game(model: AcousticModel, tmp_path_factory: pytest.TempPathFactory) -> tuple[Shown, Path]:
    """The first moves of a game, with a slip of the tongue, a question for the times, and a resignation."""
    whole = games()[0]
    short = replace(
        whole.in_language("de"),
        moves=whole.moves[:PLIES],
        slips={8: "springer gustav eins felix drei"},
        scenes=(Scene(4, "zeit"), Scene(PLIES, "ich gebe auf")),
    )
    folder = tmp_path_factory.mktemp("spoken") / "game"
    output = WavFile(folder.parent / "said.wav")
    shown = play(short, model, folder, output)
    output.close()
    return shown, folder


def test_every_move_is_understood_and_none_wrongly(short_game: tuple[Shown, Path]) -> None:
    shown, folder = short_game
    assert not shown.tally.failed
    assert (shown.tally.announced, shown.tally.wrong) == (PLIES, 0)
    moves, result = san_of(folder)
    assert moves == ["e4", "d6", "d4", "Nf6", "Nc3", "g6", "Be3", "Bg7", "Qd2", "c6", "f3", "b5"]
    assert result == "0-1"


def test_a_spoken_slip_is_mended_before_the_press(short_game: tuple[Shown, Path]) -> None:
    """D.2.8: "Korrektur", and the move that was meant; the board never had the slip."""
    _shown, folder = short_game
    lines = read(folder).lines
    slip = next(index for index, line in enumerate(lines) if line.get("move") == "g1f3")
    assert lines[slip]["do"] == "announce"
    assert (lines[slip + 1]["do"], lines[slip + 1]["about"]) == ("note", "correction")
    assert (lines[slip + 2]["do"], lines[slip + 2]["move"]) == ("correct", "d1d2")
    assert "Korrektur: Dame David zwei" in (folder / "said.txt").read_text()


def test_times_are_told_when_asked_for_and_only_then(short_game: tuple[Shown, Path]) -> None:
    _shown, folder = short_game
    told = [line for line in (folder / "said.txt").read_text().splitlines() if "Stunde" in line]
    assert len(told) == 1
    assert "Weiß: eine Stunde neunundfünfzig Minuten" in told[0]


def test_a_spoken_resignation_is_asked_back(short_game: tuple[Shown, Path]) -> None:
    _shown, folder = short_game
    said = (folder / "said.txt").read_text()
    assert "Weiß gibt auf? Ja oder nein?" in said, "both are blind here"
    assert said.splitlines()[-1].endswith("Schwarz gewinnt: Aufgabe.")


def test_all_sheets_of_a_spoken_game_agree(short_game: tuple[Shown, Path]) -> None:
    _shown, folder = short_game
    games = [
        read_sheet((folder / name).read_bytes(), "de") for name in ("sheet.txt", "sheet.brf", "sheet.pef")
    ]
    pgn = read_sheet((folder / "game.pgn").read_bytes(), "")
    assert all([ply.move for ply in game.plies] == [ply.move for ply in pgn.plies] for game in games)
    assert all(ply.clock_ms is not None for ply in pgn.plies)


def test_the_demonstration_keeps_its_recordings_like_any_game(short_game: tuple[Shown, Path]) -> None:
    _shown, folder = short_game
    heard = sorted(path.name for path in (folder / "heard").glob("*.flac"))
    plies = len(read_sheet((folder / "game.pgn").read_bytes(), "").plies)
    assert {name[:3] for name in heard} >= {f"{ply:03}" for ply in range(1, plies + 1)}


def test_every_sentence_lies_at_its_time_in_the_file(short_game: tuple[Shown, Path]) -> None:
    shown, folder = short_game
    assert soundfile.info(str(folder.parent / "said.wav")).duration == pytest.approx(shown.sound, abs=5)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1])
def test_the_demonstration_is_understood_from_the_first_to_the_last_move(
    model: AcousticModel, tmp_path: Path, number: int
) -> None:
    game = games()[number]
    shown = play(game, model, tmp_path / "game", Nowhere())
    assert not shown.tally.failed
    assert shown.tally.wrong == 0
    assert shown.tally.announced == len(game.moves)
    made = read_sheet((tmp_path / "game" / "game.pgn").read_bytes(), "")
    assert [ply.move for ply in made.plies] == list(game.moves)
    assert made.result == ("1-0" if number == 0 else "0-1")


def test_who_leaves_the_demonstration_is_told_where_its_game_is(
    model: AcousticModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heard = 0

    def is_left() -> bool:
        nonlocal heard
        heard += 1
        return heard > 95

    game = games()[0].in_language("es")
    with pytest.raises(Left) as left:
        play(game, model, tmp_path / "game", Nowhere(), is_left)
    assert left.value.status == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith(str(tmp_path / "game"))
    # He was saying his first move.
    assert [line["do"] for line in read(tmp_path / "game").lines if "do" in line] == ["start"]
