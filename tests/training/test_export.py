"""What vosk computes from our files is what PyTorch computed, read back through graphs of single paths."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")
vosk = pytest.importorskip("vosk")

from finished_models import SHAPE, priors_and_statistics, random_network  # noqa: E402

from assistant.hearing import load_model  # noqa: E402
from assistant.hearing.fst import NOT_FINAL, Fst, to_bytes  # noqa: E402
from assistant.hearing.lexicon import read_lexicon  # noqa: E402
from models.training import earlier, export, features  # noqa: E402
from models.training.kaldi import Transitions  # noqa: E402
from models.training.lexicon import load_lexicon  # noqa: E402
from models.training.network import Network, Shape  # noqa: E402
from models.training.owned import Outputs  # noqa: E402

LEXICON = load_lexicon()
TRANSITIONS = Transitions(LEXICON.phones)
WIDE_OPEN = {
    "beam": "1e6",
    "lattice-beam": "1e6",
    "max-active": "10000000",
    "acoustic-scale": "1.0",
    "max-mem": "2000000000",
    "determinize-max-delay": "100000",
    "determinize-min-chunk-size": "99999",
    **{f"endpoint.rule{k}.min-trailing-silence": "1000" for k in (1, 2, 3, 4)},
    "endpoint.rule5.min-utterance-length": "1000",
}


def single_paths(folder: Path, steps: int, places: list[tuple[int, int]]) -> int:
    """A graph whose only paths are: all silence, and all silence but for output p at step t."""
    transition = {output: 2 * phone for phone, output in enumerate(TRANSITIONS._output, 1)}
    rows, finals, words, states = [], [0], ["<eps>"], 1
    for number, (step, output) in enumerate([(-1, 0), *places], 1):
        words.append(f"t{step}p{output}")
        at = 0
        for k in range(steps):
            rows.append((at, transition[output if k == step else 0], number if k == 0 else 0, states))
            at, states = states, states + 1
        finals.append(at)
    cost = np.full(states, NOT_FINAL, np.float32)
    cost[finals[1:]] = 0
    source, into, out, target = np.array(rows, np.int32).T
    fst = Fst(0, cost, source, into, out, np.zeros(len(rows), np.float32), target)
    (folder / "graph" / "HCLG.fst").write_bytes(to_bytes(fst))
    (folder / "graph" / "words.txt").write_text("".join(f"{w} {k}\n" for k, w in enumerate(words)))
    return len(words) - 1


def speech_like(seconds: float, seed: int) -> np.ndarray:
    """Bursts of noise and near silence, so that the quiet-frame rule of the mean acts."""
    rng = np.random.default_rng(seed)
    samples = int(16000 * seconds)
    loud = np.repeat(rng.choice([1.5, 30, 800, 4000], samples // 1600 + 1), 1600)[:samples]
    return (rng.standard_normal(samples) * loud).clip(-32000, 32000).astype(np.int16)


@pytest.mark.parametrize(
    ("seconds", "chunk", "seed", "waists"),
    [(1.6, 320, 1, ()), (7.2, 10**6, 2, ()), (1.6, 320, 3, (8, 12, 16)), (7.2, 10**6, 4, (16, 8, 24))],
)
def test_vosk_scores_every_frame_as_pytorch_does(
    tmp_path: Path, seconds: float, chunk: int, seed: int, waists: tuple[int, ...]
) -> None:
    vosk.SetLogLevel(-2)
    network, wave = random_network(replace(SHAPE, waists=waists), seed), speech_like(seconds, seed)
    with torch.no_grad():
        network.output.weight.mul_(3)
    priors, stats = priors_and_statistics(seed)
    export.write_model(tmp_path, network, LEXICON, priors, stats, WIDE_OPEN)

    mean = torch.from_numpy(stats[0, :40] / stats[0, 40])
    with torch.no_grad():
        x = features.normalise(features.mfcc(wave.astype(np.float32))[None], mean)
        scores = torch.log_softmax(network(x)[0], -1).double().numpy()
    scores = np.maximum(scores + export.FLOOR, 0) - np.log(export.flatten(priors, np.arange(39)))

    steps = len(scores)
    places = [(t, p) for t in range(0, steps, 7) for p in (1, 5, 33)]
    count = single_paths(tmp_path, steps, places)
    recogniser = vosk.KaldiRecognizer(vosk.Model(str(tmp_path)), 16000)
    recogniser.SetMaxAlternatives(count)
    data = wave.tobytes()
    for start in range(0, len(data), 2 * chunk):
        recogniser.AcceptWaveform(data[start : start + 2 * chunk])
    found = {a["text"]: a["confidence"] for a in json.loads(recogniser.FinalResult())["alternatives"]}
    assert len(found) == count
    silent = scores[:, 0].sum()
    assert found["t-1p0"] == pytest.approx(silent, abs=2e-2)
    for t, p in places:
        expected = scores[t, p] - scores[t, 0]
        assert found[f"t{t}p{p}"] - found["t-1p0"] == pytest.approx(expected, abs=2e-3)


def test_a_phone_is_divided_by_less_than_its_frequency_and_an_output_by_all_of_its_share() -> None:
    phones = np.array([0, 1, 2, 1, 1])
    priors = np.array([0.4, 0.1, 0.2, 0.2, 0.1])
    flat = export.flatten(priors, phones)
    assert flat[0] == pytest.approx(0.4**0.6, rel=1e-3)
    assert flat[[1, 3, 4]].sum() == pytest.approx(0.4**0.6, rel=1e-2)
    assert flat[3] / flat[1] == pytest.approx(2, rel=1e-2)
    assert export.unflatten(flat, phones) == pytest.approx(priors, abs=1e-6)


def test_a_network_with_outputs_for_words_spells_them_so(tmp_path: Path) -> None:
    outputs = Outputs.of(LEXICON)
    torch.manual_seed(1)
    network = Network(Shape(width=16, dilations=(1,), waists=(), outputs=len(outputs))).eval()
    priors = np.full(len(outputs), 1 / len(outputs))
    stats = np.ones((2, 41))
    export.write_model(tmp_path, network, LEXICON, priors, stats)
    model = load_model(tmp_path)
    assert read_lexicon(tmp_path / "lexicon.txt")["drei"] == (("d.drei", "r.drei", "ai.drei"),)
    assert model.phones is not None
    families = model.phones.families()
    assert list(families) == list(LEXICON.phones)
    assert sorted(phone.output for family in families.values() for phone in family) == list(
        range(len(outputs))
    )
    assert earlier.network_of(tmp_path).shape == network.shape
    assert earlier.state_of(tmp_path).priors == pytest.approx(priors, abs=1e-5)
