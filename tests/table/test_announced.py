"""A voice that is learnt from games: what the player announced in them, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from learner import say

from assistant.announcements import load_vocabulary
from assistant.cli import main
from assistant.ears import Ears, ears_of
from assistant.errors import HectorError, UsageError
from assistant.hearing import Archive, Recording, Samples, load_model
from assistant.table.announced import Said, announced_in, moves_of, prove_enough

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
SAID = ("eva vier", "springer felix drei", "laeufer bella fuenf")
LONG = [
    *("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "d2d3", "d7d6", "c2c3", "f8e7"),
    *("a4c2", "e8g8", "h2h3", "h7h6", "b1d2", "f8e8", "d2f1", "e7f8", "f1g3", "g7g6", "e1g1", "f8g7"),
    *("d3d4", "c8d7", "c1e3", "d8e7", "d1d2", "g8h7", "a1d1", "a8d8"),
]
LONG_SAID = (
    "eva vier",
    "springer felix drei",
    "laeufer bella fuenf",
    "laeufer anna vier",
    "bauer david drei",
    "cesar drei",
    "laeufer cesar zwei",
    "hector drei",
    "springer bella david zwei",
    "springer david zwei felix eins",
    "springer felix eins gustav drei",
    "kurze rochade",
    "bauer david vier",
    "laeufer cesar eins eva drei",
    "dame david zwei",
    "turm anna david eins",
)


@pytest.fixture(scope="module")
def ears() -> Ears:
    return ears_of(load_model(), load_vocabulary("de"))


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def play(folder: Path, moves: Sequence[str], *, white: str = "Ana") -> Path:
    """A game whose white player is blind."""
    players = {"white": {"name": white, "blind": True}, "black": {"name": "Tom"}}
    lines: list[dict[str, Any]] = [
        {
            "game": {"laws": "2023", "time_control": "5400+30", "mode": "rated", **players},
            "table": {"press": "word"},
        },
        {"at": 0, "do": "start"},
    ]
    for ply, move in enumerate(moves, 1):
        side = "white" if ply % 2 else "black"
        deeds = ("announce", "place", "press") if side == "white" else ("announce", "press")
        for deed in deeds:
            move_of = {} if deed == "press" else {"move": move}
            lines.append({"at": len(lines), "do": deed, "side": side, **move_of})
    folder.mkdir()
    (folder / "journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def hear(folder: Path, heard: Iterable[tuple[int, str, str, str]]) -> None:
    """Keep what was said as a game keeps it: half-move, decision, what was understood, what was said."""
    for ply, kind, understood, spoken in heard:
        Archive(folder / "heard").keep(say(words(spoken)), ply, f"{kind}-{understood}")


def sounds(*folders: Path, ears: Ears, player: str = "Ana", most: int | None = None) -> list[Said]:
    warned: list[HectorError] = []
    found = announced_in(moves_of(player, folders), ears, warned.append, most)
    assert not warned
    return found


def found(*folders: Path, ears: Ears, most: int | None = None) -> list[str]:
    return [" ".join(said) for said, _ in sounds(*folders, ears=ears, most=most)]


def test_what_the_player_announced_is_found_with_its_sound(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    hear(game, [(2 * k + 1, "accept", text, text) for k, text in enumerate(SAID)])
    assert found(game, ears=ears) == list(SAID)
    (_, sound), *_ = sounds(game, ears=ears, player="ana ")
    assert abs(len(sound) - len(say(words(SAID[0])))) < 640
    assert np.abs(sound).max() == np.abs(say(words(SAID[0]))).max()


def test_what_was_not_understood_counts_by_the_move_that_stands(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    hear(game, [(2, "ask", "springer felix vier", "springer felix drei"), (3, "accept", "ja", "ja")])
    assert found(game, ears=ears) == ["springer felix drei"]


def test_a_slip_a_command_and_the_opponent_are_not_learnt_from(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    hear(
        game,
        [
            (1, "accept", "zeit", "zeit"),
            (1, "accept", "david vier", "david vier"),
            (1, "accept", "korrektur", "korrektur"),
            (1, "accept", "eva vier", "eva vier"),
            (2, "accept", "eva fuenf", "eva fuenf"),
        ],
    )
    assert found(game, ears=ears) == ["eva vier"]


def test_a_move_counts_once_however_often_it_was_said(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    hear(game, [(1, "accept", "eva vier", "eva vier"), (1, "accept", "eva vier", "bauer eva vier")])
    assert found(game, ears=ears) == ["eva vier"]


def test_only_the_last_ones_count_where_there_are_many(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    hear(game, [(2 * k + 1, "accept", text, text) for k, text in enumerate(SAID)])
    assert found(game, ears=ears, most=2) == list(SAID[1:])


def is_loud(sound: Samples) -> bool:
    """The player is near the microphone, the opponent is not."""
    return int(np.abs(sound).max()) > 6000


def hear_opponent(folder: Path, ply: int, kind: str, understood: str, spoken: str) -> None:
    Archive(folder / "heard").keep(say(words(spoken)) // 4, ply, f"{kind}-{understood}")


def test_the_opponent_who_repeats_it_in_other_words_is_not_the_player(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    hear(game, [(1, "accept", "eva vier", "eva vier")])
    hear_opponent(game, 1, "accept", "bauer eva vier", "bauer eva vier")
    hear(game, [(2, "ask", "springer felix vier", "springer felix drei"), (3, "accept", "ja", "ja")])
    hear_opponent(game, 3, "accept", "springer felix drei", "springer felix drei")
    assert [is_loud(sound) for _, sound in sounds(game, ears=ears)] == [True, True]


def test_the_opponent_who_has_taken_on_the_same_square_is_not_the_player(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d2", "d1d2"))
    hear_opponent(game, 6, "accept", "dame schlaegt david zwei", "dame schlaegt david zwei")
    hear(game, [(6, "ask", "dame schlaegt david drei", "dame schlaegt david zwei")])
    ((_, sound),) = sounds(game, ears=ears)
    assert is_loud(sound)


def test_an_illegal_move_that_stands_costs_no_other(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", ("e2e4", "b8d5", "g1f3", "b7b6", "f1b5"))
    hear(game, [(2 * k + 1, "accept", text, text) for k, text in enumerate(SAID)])
    assert found(game, ears=ears) == list(SAID)


def test_a_game_that_is_named_twice_is_learnt_from_once(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    hear(game, [(1, "accept", "eva vier", "eva vier")])
    assert found(game, game / ".." / "game", ears=ears) == ["eva vier"]


def test_a_copy_of_a_game_teaches_nothing_once_more(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    hear(game, [(2 * k + 1, "accept", text, text) for k, text in enumerate(SAID)])
    copy = shutil.copytree(game, tmp_path / "copy")
    assert found(game, copy, ears=ears) == list(SAID)


def test_a_damaged_recording_is_told_of_and_other_files_are_passed_over(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    hear(game, [(1, "accept", "eva vier", "eva vier")])
    for name in ("001-0-accept-eva-vier.flac", "notes.txt", "x-1-accept-eva-vier.flac"):
        (game / "heard" / name).write_bytes(b"no sound")
    warned: list[HectorError] = []
    moves = moves_of("Ana", [game])
    assert [said for said, _ in announced_in(moves, ears, warned.append)] == [("eva", "vier")]
    assert [str(error).startswith(f"{game / 'heard' / '001-0-acc'}") for error in warned] == [True]


def test_a_game_without_recordings_has_nothing_to_learn_from(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING)
    with pytest.raises(HectorError, match="Recorded moves of Ana that can be learnt from: 0 of 0"):
        prove_enough(sounds(game, ears=ears), moves_of("Ana", [game]), "Ana")


def test_a_game_of_other_players_is_refused(tmp_path: Path, ears: Ears) -> None:
    game = play(tmp_path / "game", OPENING, white="Eva")
    with pytest.raises(UsageError, match=r"Ana does not play in .*: the players are Eva and Tom"):
        sounds(game, ears=ears)
    with pytest.raises(UsageError, match="Tom is not the blind player in"):
        sounds(game, ears=ears, player="Tom")


def test_a_game_is_learnt_from_by_one_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    game = play(tmp_path / "game", LONG)
    hear(game, [(2 * k + 1, "accept", text, text) for k, text in enumerate(LONG_SAID)])
    command = ["--lang", "en", "practise", "--learn", "--player", "Ana", "--games", str(game)]
    assert main([*command, "--speak-to", os.devnull]) == 0
    told = capsys.readouterr().out
    assert "sixteen of your announcements found." in told.lower()
    assert "Voice learnt" in told
    assert (tmp_path / "hector" / "players" / "ana" / "voice.json").is_file()


def test_the_announcements_of_games_are_kept_for_a_training_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where there are too few of them to learn a voice from."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    game = play(tmp_path / "game", OPENING)
    hear(game, [(2 * k + 1, "accept", text, text) for k, text in enumerate(SAID)])
    command = ["--lang", "en", "practise", "--learn", "--player", "Ana", "--games", str(game)]
    command += ["--speak-to", os.devnull, "--recordings", str(tmp_path / "people")]
    assert main(command) == 1
    assert "New recordings kept: three." in capsys.readouterr().out
    assert main(command) == 1
    assert "New recordings kept: zero." in capsys.readouterr().out
    _, *labels = (tmp_path / "people" / "labels.tsv").read_text().splitlines()
    assert [label.split("\t")[1] for label in labels] == list(SAID)
    for label, said in zip(labels, SAID, strict=True):
        sound = say(words(said))
        with Recording(tmp_path / "people" / label.split("\t")[0]) as recording:
            assert np.array_equal(np.concatenate([*recording.blocks()])[: len(sound)], sound)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--games", "x"], "Learn from games with: hector practise --learn --player NAME --games DIR"),
        (
            ["--learn", "--player", "Ana", "--games", "x", "--listen", "x.wav"],
            "leave out --listen and --forget",
        ),
        (["--forget", "--player", "Ana", "--games", "x"], "leave out --listen and --forget"),
        (["--learn", "--player", "Ana", "--games", ""], "--games is empty"),
        (
            ["--recordings", "x"],
            "kept of what is learnt from: hector practise --learn --player NAME --recordings FOLDER",
        ),
        (["--learn", "--player", "Ana", "--recordings", ""], "--recordings is empty"),
    ],
)
def test_a_wrong_use_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["practise", *arguments]) == 2
    errors = capsys.readouterr().err
    assert sentence in errors and errors.count("\n") == 1


def test_a_folder_without_a_game_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["practise", "--learn", "--player", "Ana", "--games", str(tmp_path)]) == 1
    assert f"{tmp_path} holds no game: journal.jsonl is missing." in capsys.readouterr().err
