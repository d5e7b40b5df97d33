"""Pools and checkpoints survive interruptions, and damage is named."""

from __future__ import annotations

import ctypes.util
import errno
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from full_disk import full_disk  # noqa: E402

from assistant.errors import HectorError  # noqa: E402
from assistant.hearing.features import frames_of  # noqa: E402
from models.training import CHECKPOINT, checkpoint, espeak, pools, trainer  # noqa: E402
from models.training import __main__ as command  # noqa: E402
from models.training.augment import Places, augment, noise_only  # noqa: E402
from models.training.batches import Batch, Batches, made_aside  # noqa: E402
from models.training.lexicon import load_lexicon  # noqa: E402
from models.training.network import Network, Shape, laced, widened  # noqa: E402
from models.training.owned import Outputs  # noqa: E402

SMALL = Shape(width=16, dilations=(1,), waists=(8,))
WHOLE = replace(SMALL, waists=())


def utterance(k: int = 0) -> pools.Utterance:
    rng = np.random.default_rng(k)
    wave = (rng.normal(size=16000 + 160 * k) * 1000).astype(np.int16)
    return pools.Utterance(
        wave, np.repeat(np.arange(10, dtype=np.uint8), 10 + k)[: 100 + k], ("anna", "eins"), "me"
    )


def test_a_shard_comes_back_as_it_was_written(tmp_path: Path) -> None:
    written = [utterance(k) for k in range(3)]
    shard = pools.load(pools.save(tmp_path, "stock", "0", written))
    assert shard.pool == "stock" and len(shard) == 3
    for k, one in enumerate(written):
        assert np.array_equal(shard[k].wave, one.wave) and np.array_equal(shard[k].labels, one.labels)
        assert shard[k].words == one.words and shard[k].voice == "me"


def test_a_cut_shard_is_named(tmp_path: Path) -> None:
    path = pools.save(tmp_path, "stock", "0", [utterance()])
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(HectorError, match="damaged"):
        pools.load(path)


def test_a_full_disk_leaves_no_half_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(HectorError, match="full"):
        pools.save(tmp_path, "stock", "0", [utterance()])
    assert list(tmp_path.iterdir()) == []


def test_labels_lie_where_the_sounds_are() -> None:
    labels = pools.frame_labels([(0.0, 0.5, 3), (0.5, 1.0, 7)], 16000)
    assert len(labels) == 100 and labels[20] == 3 and labels[70] == 7
    assert np.flatnonzero(labels == 7)[0] == 49


def state(seed: int = 1) -> checkpoint.State:
    return checkpoint.new_state(SMALL, np.ones((2, 41)), seed)


def test_a_checkpoint_comes_back_with_everything(tmp_path: Path) -> None:
    one = state()
    one.step, one.seconds = 7, 12.5
    checkpoint.save_checkpoint(tmp_path / "c.pt", one)
    two = checkpoint.load_checkpoint(tmp_path / "c.pt")
    assert (two.step, two.seconds, two.shape) == (7, 12.5, SMALL)
    for name, value in one.averaged.state_dict().items():
        assert torch.equal(value, two.averaged.state_dict()[name])


def test_a_damaged_shard_ends_the_training_in_one_sentence(tmp_path: Path) -> None:
    path = pools.save(tmp_path / "pools", "stock", "0", [utterance()])
    path.write_bytes(path.read_bytes()[:5000])
    checkpoint.save_checkpoint(tmp_path / CHECKPOINT, state())
    with pytest.raises(
        HectorError, match=r"^\S+stock@0.npz is damaged: delete it, and it will be made again.$"
    ):
        trainer.train(tmp_path / "pools", tmp_path, SMALL, trainer.Plan(steps=10), resume=True)


def test_what_stops_a_training_leaves_its_last_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def batches(_: object) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        for _step in range(7):
            yield torch.randn(2, 30, SMALL.inputs), torch.ones(2, 10, dtype=torch.int64)
        raise KeyboardInterrupt

    monkeypatch.setattr(trainer, "made_aside", batches)
    checkpoint.save_checkpoint(tmp_path / CHECKPOINT, replace(state(), step=1))
    with pytest.raises(KeyboardInterrupt):
        trainer.train(tmp_path, tmp_path, SMALL, trainer.Plan(steps=100), resume=True)
    assert checkpoint.load_checkpoint(tmp_path / CHECKPOINT).step == 8


def test_a_training_whose_other_process_is_killed_leaves_its_last_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools.save(tmp_path / "pools", "stock", "0", [utterance(k) for k in range(12)])

    def killed_later(batches: Batches) -> Iterator[Batch]:
        made = made_aside(batches)
        yield from (next(made) for _step in range(6))
        (process,) = active_children()
        process.kill()
        process.join()
        yield from made

    monkeypatch.setattr(trainer, "made_aside", killed_later)
    plan = trainer.Plan(steps=1000, batch=2, noise_seconds=1, counted=20, threads=1)
    said: list[str] = []
    with pytest.raises(ChildProcessError, match="was killed"):
        trainer.train(tmp_path / "pools", tmp_path, SMALL, plan, say=said.append)
    assert checkpoint.load_checkpoint(tmp_path / CHECKPOINT).step >= 2
    assert said == []


def test_what_a_signal_of_an_ended_process_did_it_does_again(tmp_path: Path) -> None:
    pools.save(tmp_path, "stock", "0", [utterance(k) for k in range(12)])
    before = signal.getsignal(signal.SIGCHLD)
    data = Batches(tmp_path, torch.zeros(SMALL.inputs), 2, 1, 1, Outputs.counting(load_lexicon(), 39))
    next(made_aside(data))
    assert signal.getsignal(signal.SIGCHLD) == before


@pytest.mark.parametrize(
    "other",
    [replace(SMALL, width=32, dilations=(1, 2)), replace(SMALL, width=8), replace(SMALL, waists=(4,))],
)
def test_a_checkpoint_of_other_layers_is_refused(tmp_path: Path, other: Shape) -> None:
    checkpoint.save_checkpoint(tmp_path / "c.pt", state())
    with pytest.raises(HectorError, match="other layers"):
        checkpoint.going_on(tmp_path / "c.pt", other)


@pytest.mark.parametrize("size", [0, 100, 5000])
def test_a_cut_checkpoint_is_one_sentence(tmp_path: Path, size: int) -> None:
    path = tmp_path / "c.pt"
    checkpoint.save_checkpoint(path, state())
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(HectorError, match="damaged"):
        checkpoint.load_checkpoint(path)


def test_a_checkpoint_that_finds_no_room_is_an_error_of_the_system_and_the_old_one_stays(
    tmp_path: Path,
) -> None:
    path = tmp_path / CHECKPOINT
    checkpoint.save_checkpoint(path, state())
    with full_disk(4000), pytest.raises(OSError, match="No space left on device"):
        checkpoint.save_checkpoint(path, replace(state(), step=5))
    assert checkpoint.load_checkpoint(path).step == 0
    assert list(tmp_path.iterdir()) == [path]


def test_training_goes_on_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pools.save(tmp_path / "pools", "stock", "0", [utterance(k) for k in range(12)])

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(torch, "save", full)
    said: list[str] = []
    plan = trainer.Plan(steps=4, batch=4, seed=3, noise_seconds=1, counted=20, threads=1)
    end = trainer.train(tmp_path / "pools", tmp_path, SMALL, plan, say=said.append)
    assert end.step == 4
    assert any("disk is full" in line for line in said)


def test_training_resumes_where_it_was_and_learns(tmp_path: Path) -> None:
    pools.save(tmp_path / "pools", "stock", "0", [utterance(k) for k in range(12)])
    plan = trainer.Plan(steps=12, batch=4, seed=3, noise_seconds=1, counted=20, threads=1)
    half = trainer.train(tmp_path / "pools", tmp_path, SMALL, plan, say=lambda _: None, stop_at=0.5)
    assert half.step == 6
    before = {name: value.clone() for name, value in half.network.state_dict().items()}
    end = trainer.train(tmp_path / "pools", tmp_path, SMALL, plan, resume=True, say=lambda _: None)
    assert end.step == 12 and end.labels.sum() > half.labels.sum()
    assert not torch.equal(before["output.weight"], end.network.state_dict()["output.weight"])
    assert np.isclose(end.priors.sum(), 1)


def test_a_checkpoint_goes_on_as_a_wider_network_that_says_the_same(tmp_path: Path) -> None:
    pools.save(tmp_path / "pools", "stock", "0", [utterance(k) for k in range(12)])
    plan = trainer.Plan(steps=12, batch=4, seed=3, noise_seconds=1, counted=20, threads=1)
    half = trainer.train(tmp_path / "pools", tmp_path, SMALL, plan, say=lambda _: None, stop_at=0.5)
    heard = torch.randn(2, 50, SMALL.inputs)
    wide = widened(half.averaged, 24).eval()
    assert torch.allclose(wide(heard), half.averaged.eval()(heard), atol=1e-5)
    larger = replace(SMALL, width=24)
    end = trainer.train(tmp_path / "pools", tmp_path, larger, plan, resume=True, say=lambda _: None)
    assert (end.step, end.shape, checkpoint.load_checkpoint(tmp_path / CHECKPOINT).shape) == (
        12,
        larger,
        larger,
    )
    assert end.network.output.weight[:, SMALL.width :].abs().sum() > 0


def test_a_checkpoint_without_waists_goes_on_with_them(tmp_path: Path) -> None:
    pools.save(tmp_path / "pools", "stock", "0", [utterance(k) for k in range(12)])
    plan = trainer.Plan(steps=12, batch=4, seed=3, noise_seconds=1, counted=20, threads=1)
    trainer.train(tmp_path / "pools", tmp_path, WHOLE, plan, say=lambda _: None, stop_at=0.5)
    wider = replace(SMALL, width=24)
    end = trainer.train(tmp_path / "pools", tmp_path, wider, plan, resume=True, say=lambda _: None)
    assert (end.step, end.network.shape, end.averaged.shape) == (12, wider, wider)


def test_a_waist_keeps_most_of_what_a_layer_says_about_what_it_hears() -> None:
    torch.manual_seed(2)
    whole = Network(WHOLE).eval()
    heard = torch.randn(8, 60, 5) @ torch.randn(5, SMALL.inputs)
    something_else = torch.randn(8, 60, SMALL.inputs) * 20

    def loss(waist: int, example: torch.Tensor) -> float:
        with torch.no_grad():
            return float((laced(whole, (waist,), example).eval()(heard) - whole(heard)).square().mean())

    assert loss(SMALL.width, heard) < 1e-8 < loss(6, heard) < loss(3, heard) < loss(3, something_else)


def test_phones_are_told_of_every_utterance_or_of_some(tmp_path: Path) -> None:
    path = pools.save(tmp_path, "stock", "0", [utterance(k) for k in range(5)])
    said = [pools.phones_said(labels) for labels, _ in pools.labels_of(path)]
    assert len(said) == 5 and said[0] == list(range(10))
    assert [pools.phones_said(labels) for labels, _ in pools.labels_of(path, 2)] == said[::2]


def test_words_are_told_beside_the_labels(tmp_path: Path) -> None:
    written = [utterance(k) for k in range(3)]
    path = pools.save(tmp_path, "stock", "0", written)
    assert [words for _, words in pools.labels_of(path)] == [one.words for one in written]


def test_phones_are_told_in_order_less_what_teaches_nothing() -> None:
    labels = np.array([0, 0, 7, 7, 7, 255, 7, 3, 3, 0], np.uint8)
    assert pools.phones_said(labels) == [0, 7, 7, 3, 0]


def test_augmentation_keeps_labels_in_step_with_the_sound() -> None:
    places = Places.make(1, seconds=2, rounds=1, rooms=3)
    rng = np.random.default_rng(4)
    other = utterance(1).wave
    for k in range(40):
        one = utterance(k)
        wave, labels = augment(one.wave.astype(np.float32), one.labels, rng, places, lambda: other)
        assert 0 <= len(labels) - frames_of(len(wave)) <= 8
        assert np.abs(wave).max() <= 32768 and np.isfinite(wave).all()
        wave, labels = noise_only(rng, places, 1.0)
        assert not labels.any() and np.isfinite(wave).all()


def test_random_voices_are_the_same_for_the_same_seed(tmp_path: Path) -> None:
    source = tmp_path / "source" / "voices" / "!v"
    source.mkdir(parents=True)
    (tmp_path / "source" / "lang").mkdir()
    texts = []
    for name in ("a", "b"):
        own = espeak.own_data(tmp_path / "source", tmp_path / name, ["de"], 5, 9)
        texts.append([p.read_text() for p in sorted((own / "espeak-ng-data/voices/!v").iterdir())])
    assert texts[0] == texts[1] and len(set(texts[0])) == 5


def test_without_a_synthesiser_the_command_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ctypes.util.find_library", lambda _: None)
    assert command.main(["--out", str(tmp_path / "m"), "--quick"]) == 1
    assert "install espeak-ng" in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["torch", "scipy"])
def test_without_pytorch_or_scipy_the_command_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SystemExit, match=rf"^This needs {missing}\. Install it with: .*\[training\]'$"):
        command.main(["--out", str(tmp_path / "m"), "--quick"])
    assert not (tmp_path / "m").exists()


def test_a_cut_checkpoint_ends_the_command_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "w"
    work.mkdir()
    (work / CHECKPOINT).write_bytes(b"PK\x03\x04 cut")
    assert command.main(["--out", str(tmp_path / "m"), "--work", str(work), "--quick", "--resume"]) == 1
    assert "damaged" in capsys.readouterr().err
    assert not (work / "pools").exists()


@pytest.mark.skipif(ctypes.util.find_library("espeak-ng") is None, reason="espeak-ng is not installed")
def test_a_second_synthesiser_of_the_process_has_its_own_voices(tmp_path: Path) -> None:
    first = espeak.Espeak(tmp_path / "one", ["de"], 1, 1)
    assert first.voice("de", "f1") and not first.voice("it", "f1")
    second = espeak.Espeak(tmp_path / "two", ["de", "it"], 2, 1)
    assert second.voice("it", "f1") and second.voice("de", "hector001")
    wave, events = second.say("[[d'A:m@]]", rate=150, pitch=50, range=50, gap=0)
    assert len(wave) > 3000 and [symbol for _, symbol in events[:2]] == ["d", "A:"]
