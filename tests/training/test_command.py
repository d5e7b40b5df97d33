"""The whole command, small: synthesis, training, recordings, export, and a model that understands."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
import soundfile

pytest.importorskip("torch", reason="PyTorch is not installed: the training command is not tested")

from assistant.hearing import load_model
from models.training import __main__ as command
from models.training import measure, pools, synthesis
from models.training.espeak import Espeak
from models.training.lexicon import load_accents, load_lexicon


def people(folder: Path, scratch: Path) -> int:
    """Twenty "recordings" by voices of the synthesiser, labelled as a person would write them."""
    lexicon = load_lexicon()
    accents = load_accents(lexicon)
    engine = Espeak(scratch, {"de"}, 4, 1)
    recipe = synthesis.Recipe("people", ("german",), "random", 20)
    rows = []
    for k, spoken in enumerate(synthesis.utterances(engine, lexicon, accents, recipe, 20, 77)):
        soundfile.write(folder / f"{k}.wav", spoken.wave, 16000)
        rows.append(f"{k}.wav\t{' '.join(spoken.words).capitalize()}.")
    (folder / "labels.tsv").write_text("file\ttext\n" + "\n".join(rows) + "\nlost.wav\tAnna eins\n")
    return len(rows)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed: no synthesis")
def test_the_quick_command_makes_a_model_that_understands_strangers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recordings, work, out = tmp_path / "people", tmp_path / "work", tmp_path / "model"
    recordings.mkdir()
    count = people(recordings, tmp_path / "espeak")
    arguments = ["--out", str(out), "--work", str(work), "--quick", "--recordings", str(recordings)]
    assert command.main(arguments) == 0
    said = capsys.readouterr().out
    assert "1 recordings that the transcripts" in said

    (shard,) = (work / "pools").glob("recordings@*.npz")
    aligned = pools.load(shard)
    assert len(aligned) >= 0.7 * count

    assert {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()} == {
        "am/final.mdl",
        "am/global_cmvn.stats",
        "conf/mfcc.conf",
        "conf/model.conf",
        "graph/words.txt",
        "graph/phones/word_boundary.int",
        "lexicon.txt",
        "phones.txt",
    }
    samples = measure.samples_of("held-out", 30, random.Random(5).randrange(1000), tmp_path / "held-out")
    heard = measure.score(load_model(out), samples)
    assert heard.said == 30
    assert heard.legal >= 24
