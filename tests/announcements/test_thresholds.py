"""The limits that come with an acoustic model: read from its file, and refused where they are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.announcements import Limits, Thresholds, load_thresholds
from assistant.errors import HectorError

THRESHOLDS = """
[announcement]
illegal = 11
foreign = 0.7
rival = 3.5

[short_command]
illegal = 2.0
foreign = 0.4
rival = 9.0
"""


def test_thresholds_are_read_from_the_models_file(tmp_path: Path) -> None:
    path = tmp_path / "decision.toml"
    path.write_text(THRESHOLDS, encoding="utf-8")
    assert load_thresholds(path) == Thresholds(Limits(11.0, 0.7, 3.5), Limits(2.0, 0.4, 9.0))


def test_a_models_file_may_say_from_when_on_the_impossible_was_said(tmp_path: Path) -> None:
    path = tmp_path / "decision.toml"
    path.write_text(f"impossible = 33\n{THRESHOLDS}", encoding="utf-8")
    assert load_thresholds(path).impossible == 33.0


def test_a_models_file_may_say_how_strange_a_long_move_may_sound(tmp_path: Path) -> None:
    path = tmp_path / "decision.toml"
    path.write_text(f"long_foreign = 0.9\n{THRESHOLDS}", encoding="utf-8")
    assert load_thresholds(path).long_foreign == 0.9


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[short_command]", "[short_commands]", "'short_commands', which means nothing"),
        (THRESHOLDS, "announcement = 3", "no table 'announcement'"),
        ("rival = 9.0", "", "need a number above 0 for 'short_command.rival'"),
        ("rival = 9.0", "rival = 0", "need a number above 0 for 'short_command.rival'"),
        ("rival = 9.0", "rival = inf", "need a number above 0 for 'short_command.rival'"),
        ("rival = 9.0", 'rival = "9"', "need a number above 0 for 'short_command.rival'"),
        ("rival = 9.0", "rival = 9.0\nrivals = 1", "'rivals', which means nothing"),
        ("rival = 9.0", f"rival = 1{'0' * 400}", "need a number above 0 for 'short_command.rival'"),
        ("rival = 9.0", "rival = ", "cannot be read"),
        ("rival = 9.0", f"rival = {'9' * 5000}", "cannot be read"),
        ("rival = 9.0", f"rival = {'[' * 5000}", "cannot be read"),
        ("\n[announcement]", "impossible = 0\n[announcement]", "need a number above 0 for 'impossible'"),
    ],
)
def test_faulty_thresholds_are_refused_in_one_sentence(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    path = tmp_path / "decision.toml"
    assert old in THRESHOLDS
    path.write_text(THRESHOLDS.replace(old, new), encoding="utf-8")
    with pytest.raises(HectorError, match=complaint) as caught:
        load_thresholds(path)
    assert "\n" not in str(caught.value) and str(path) in str(caught.value)


def test_missing_thresholds_are_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(HectorError, match="is missing"):
        load_thresholds(tmp_path / "decision.toml")


def test_a_model_without_thresholds_is_decided_by_the_built_in_ones() -> None:
    assert load_thresholds(None) == Thresholds()
