"""Recordings that are kept for a training: every one once, and nothing that was there is lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from full_disk import full_disk

from assistant.errors import HectorError
from assistant.hearing import Corpus
from assistant.hearing.engine import Samples

EVA_VIER = ("eva", "vier")


def sound(seed: int) -> Samples:
    return np.random.default_rng(seed).integers(-999, 999, 1600).astype(np.int16)


def labels(folder: Path) -> list[list[str]]:
    return [line.split("\t") for line in (folder / "labels.tsv").read_text("utf-8").splitlines()]


def test_each_recording_has_its_words(tmp_path: Path) -> None:
    said = [(("springer", "felix", "drei"), sound(1)), (("dame", "fuenf"), sound(2))]
    assert Corpus(tmp_path / "new" / "people").add(said) == 2
    head, *rows = labels(tmp_path / "new" / "people")
    assert head == ["file", "text"]
    assert [text for _, text in rows] == ["springer felix drei", "dame fuenf"]
    assert sorted(path.name for path in (tmp_path / "new" / "people").glob("*.flac")) == sorted(
        name for name, _ in rows
    )


def test_the_same_sound_is_kept_once_and_the_same_words_again(tmp_path: Path) -> None:
    corpus = Corpus(tmp_path)
    assert corpus.add([(EVA_VIER, sound(1)), (EVA_VIER, sound(2)), (EVA_VIER, sound(1))]) == 2
    assert corpus.add([(EVA_VIER, sound(2))]) == 0
    assert Corpus(tmp_path).add([(EVA_VIER, sound(1)), (EVA_VIER, sound(3))]) == 1
    assert len({name for name, _ in labels(tmp_path)[1:]}) == 3


def test_a_recording_that_has_gone_is_kept_again_under_its_label(tmp_path: Path) -> None:
    Corpus(tmp_path).add([(EVA_VIER, sound(1))])
    before = labels(tmp_path)
    [recording] = tmp_path.glob("*.flac")
    recording.unlink()
    assert Corpus(tmp_path).add([(EVA_VIER, sound(1))]) == 1
    assert recording.exists() and labels(tmp_path) == before


def test_what_others_have_put_into_the_folder_stays(tmp_path: Path) -> None:
    """Also without a head, and where the last line was not ended."""
    (tmp_path / "labels.tsv").write_bytes("alt.wav\tTürm anna eins\r\nb.wav\tja".encode())
    Corpus(tmp_path).add([(EVA_VIER, sound(1))])
    kept = (tmp_path / "labels.tsv").read_bytes().decode()
    assert kept.startswith("alt.wav\tTürm anna eins\r\nb.wav\tja\neva-vier-")


def test_labels_that_are_no_text_are_left_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "labels.tsv").write_bytes(b"\xff\xfe")
    with pytest.raises(HectorError, match=r"labels.tsv is not UTF-8 text: name another folder"):
        Corpus(tmp_path)
    assert (tmp_path / "labels.tsv").read_bytes() == b"\xff\xfe"


def test_a_full_disk_leaves_the_labels_as_they_were(tmp_path: Path) -> None:
    corpus = Corpus(tmp_path)
    corpus.add([(EVA_VIER, sound(1))])
    before = (tmp_path / "labels.tsv").read_bytes()
    with full_disk(), pytest.raises(HectorError, match="The recordings cannot be kept in"):
        corpus.add([(("eva", "drei"), sound(2))])
    assert (tmp_path / "labels.tsv").read_bytes() == before
    assert corpus.add([(("eva", "drei"), sound(2))]) == 1


def test_a_file_in_the_place_of_the_folder_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "people").touch()
    with pytest.raises(HectorError, match="people"):
        Corpus(tmp_path / "people").add([(EVA_VIER, sound(1))])


def test_a_folder_that_cannot_be_made_any_more_is_told_of(tmp_path: Path) -> None:
    corpus = Corpus(tmp_path / "people")
    (tmp_path / "people").touch()
    with pytest.raises(HectorError, match="The recordings cannot be kept in"):
        corpus.add([(EVA_VIER, sound(1))])
