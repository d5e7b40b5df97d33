"""What is said beside the board: sentences without the words of the game, read by many voices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from assistant.errors import HectorError
from assistant.resources import data_path
from models.training import earlier, talk
from models.training.align import NetworkAligner
from models.training.lexicon import load_lexicon
from models.training.owned import Outputs

LEXICON = load_lexicon()


@pytest.fixture(scope="module")
def aligner() -> NetworkAligner:
    return NetworkAligner.of(earlier.state_of(data_path("models", "de")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sie sagen Ihren Zug. Er wird\nwiederholt.", ["Sie sagen Ihren Zug.", "Er wird wiederholt."]),
        ("# Eine Partie beginnen\n\nGeben Sie ein:\n\n    ./hector play\n", ["Geben Sie ein:"]),
        ("Alle zogen mit den Läufern und Felix' Turm war weg.", ["Alle zogen mit den", "war weg."]),
        ("Zwei Männer warten schon.", ["Männer warten schon."]),
        ("Es dauert 5400+30 und mehr als eine Stunde.", ["Es dauert", "und mehr als eine Stunde."]),
        ("Auf David warten.", []),
    ],
)
def test_sentences_are_read_without_the_words_of_the_game(text: str, expected: list[str]) -> None:
    assert [" ".join(stretch) for stretch in talk.phrases(text)] == expected


@pytest.mark.parametrize("language", talk.LANGUAGES)
def test_each_guide_has_enough_to_read(language: str) -> None:
    text = (talk.GUIDES / talk.LANGUAGES[language][0]).read_text(encoding="utf-8")
    stretches = {" ".join(stretch) for stretch in talk.phrases(text)}
    assert len(stretches) > 200


@pytest.mark.parametrize("language", ["de", "pl"])
def test_what_is_read_has_labels_and_no_words(language: str, aligner: NetworkAligner, tmp_path: Path) -> None:
    made = list(talk.utterances(LEXICON, aligner, language, 8, 1, tmp_path))
    assert len(made) >= 8
    assert {(said.words, said.voice) for said in made} == {((), f"talk-{language}")}
    sounds = [np.isin(said.labels, range(1, len(LEXICON.phones))).mean() for said in made]
    assert np.median(sounds) > 0.5


def test_it_teaches_the_outputs_of_other_speech(aligner: NetworkAligner, tmp_path: Path) -> None:
    (said, *_) = talk.utterances(LEXICON, aligner, "de", 1, 1, tmp_path)
    outputs = Outputs.of(LEXICON)
    known = outputs.labelled(said.labels, said.words, Path(f"{talk.POOL}@de.npz"))
    assert np.array_equal(known, said.labels)


def test_a_guide_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, aligner: NetworkAligner, tmp_path: Path
) -> None:
    monkeypatch.setattr(talk, "GUIDES", tmp_path)
    with pytest.raises(HectorError, match=r"guide\.de\.md cannot be read"):
        next(talk.utterances(LEXICON, aligner, "de", 1, 1, tmp_path))
