"""A training that goes on from a finished model: its network is read back whole, and teaches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from finished_models import SHAPE, written  # noqa: E402

from assistant.errors import HectorError  # noqa: E402
from models.training import CHECKPOINT, earlier, making, pipeline  # noqa: E402
from models.training.checkpoint import going_on  # noqa: E402
from models.training.lexicon import load_lexicon  # noqa: E402
from models.training.network import Network, summed  # noqa: E402
from models.training.owned import Outputs  # noqa: E402
from models.training.pools import Utterance, save  # noqa: E402
from models.training.trainer import Plan, train  # noqa: E402


@pytest.mark.parametrize("waists", [(), (8, 12, 16)])
def test_a_network_is_read_back_as_it_was(tmp_path: Path, waists: tuple[int, ...]) -> None:
    shape = replace(SHAPE, waists=waists)
    network = written(tmp_path, shape)
    again = earlier.network_of(tmp_path)
    x = torch.randn(2, 60, 40) * 15
    assert again.shape == shape
    with torch.no_grad():
        assert torch.allclose(network(x), again(x), atol=0.02)


def test_priors_and_statistics_are_those_of_the_model(tmp_path: Path) -> None:
    written(tmp_path)
    state = earlier.state_of(tmp_path)
    assert state.priors == pytest.approx(np.random.default_rng(1).dirichlet(np.ones(39)), abs=1e-5)
    assert state.stats[0, 40] == 1000
    assert state.stats[0, 0] == pytest.approx(90_000)


def test_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(HectorError):
        earlier.network_of(tmp_path / "none")


def test_a_model_that_is_missing_or_damaged_is_not_called_one_of_another_kind(tmp_path: Path) -> None:
    written(tmp_path / "cut")
    network = tmp_path / "cut" / "am" / "final.mdl"
    network.write_bytes(network.read_bytes()[:1000])
    for name, sentence in (("none", "does not exist"), ("cut", "is damaged: am/final.mdl is cut short")):
        with pytest.raises(HectorError, match=sentence):
            earlier.state_of(tmp_path / name)


def test_a_model_with_other_layers_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    written(tmp_path / "model", replace(SHAPE, dilations=(1, 1)))
    size = replace(pipeline.QUICK, shape=SHAPE)
    training = pipeline.Pipeline(
        tmp_path / "out", tmp_path / "work", 1, size, lambda line: None, tmp_path / "model"
    )
    with pytest.raises(HectorError, match="leave out --from"):
        training.run(None, resume=False)
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize("outputs", [39, 178])
def test_who_is_taught_says_more_of_what_the_teacher_says(tmp_path: Path, outputs: int) -> None:
    rng = np.random.default_rng(1)
    teacher = written(tmp_path / "model")
    waves = [(rng.standard_normal(16000) * 2000).astype(np.int16) for _ in range(4)]
    said = [Utterance(wave, np.full(100, 7, np.uint8), ("acht",), "x") for wave in waves]
    save(tmp_path / "pools", "stock", "0", said)
    plan = Plan(steps=40, batch=4, average=0.5, noise_seconds=2, counted=20, threads=1)

    def apart(who: Network | None, work: Path) -> float:
        work.mkdir()
        shape = replace(SHAPE, outputs=outputs)
        state = train(tmp_path / "pools", work, shape, plan, say=lambda line: None, teacher=who)
        x = state.averaged.mean + torch.randn(8, 90, 40) * state.averaged.deviation
        with torch.no_grad():
            wanted, own = teacher(x).log_softmax(-1), state.averaged.eval()(x).log_softmax(-1)
        own = summed(own, torch.from_numpy(Outputs.counting(load_lexicon(), outputs).of_outputs))
        return float((wanted.exp() * (wanted - own)).sum(-1).mean())

    assert apart(teacher, tmp_path / "taught") < apart(None, tmp_path / "alone")


def test_a_training_begins_where_the_model_ended_and_hears_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = written(tmp_path / "model")
    given = []

    class EnoughError(Exception):
        pass

    def see(*arguments: object, teacher: Network) -> None:
        given.append((*arguments, teacher))
        raise EnoughError

    monkeypatch.setattr(pipeline, "train", see)
    monkeypatch.setattr(making, "make", lambda *_: None)
    size = replace(pipeline.QUICK, shape=replace(SHAPE, waists=(8, 8, 8)))
    work = tmp_path / "work"
    work.mkdir()
    training = pipeline.Pipeline(tmp_path / "out", work, 1, size, lambda line: None, tmp_path / "model")
    with pytest.raises(EnoughError):
        training.run(None, resume=False)

    ((_, _, shape, plan, resume, _, teacher),) = given
    assert (shape, resume, plan.sequence_at) == (size.shape, True, 0.0)
    begun = going_on(work / CHECKPOINT, shape)
    for one in (begun.network, teacher):
        assert torch.allclose(one.output.weight, network.output.weight, atol=1e-2)
