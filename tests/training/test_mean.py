"""The mean of models that began as one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from finished_models import SHAPE, written  # noqa: E402
from full_disk import full_disk  # noqa: E402

from models.training import earlier, export  # noqa: E402
from models.training.mean import main  # noqa: E402


def test_every_weight_is_the_mean_of_all_models(tmp_path: Path) -> None:
    networks = [written(tmp_path / str(seed), seed=seed) for seed in (1, 2, 3)]
    assert main(["--out", str(tmp_path / "mean"), *(str(tmp_path / str(seed)) for seed in (1, 2, 3))]) == 0
    values = [network.state_dict() for network in networks]
    mean = earlier.network_of(tmp_path / "mean").state_dict()
    for name, value in mean.items():
        if value.is_floating_point():
            assert torch.allclose(value, sum(each[name] for each in values) / 3, rtol=2e-3, atol=2e-3), name


def test_all_but_the_weights_is_the_first_ones(tmp_path: Path) -> None:
    for seed in (1, 2):
        written(tmp_path / str(seed), seed=seed)
    main(["--out", str(tmp_path / "mean"), str(tmp_path / "1"), str(tmp_path / "2")])
    first, mean = (earlier.state_of(tmp_path / name) for name in ("1", "mean"))
    assert mean.priors == pytest.approx(first.priors, abs=1e-6)
    statistics = [(tmp_path / name / export.STATISTICS).read_bytes() for name in ("1", "mean")]
    assert statistics[0] == statistics[1]


def test_another_network_has_no_mean_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path / "1")
    written(tmp_path / "2", replace(SHAPE, width=56))
    status = main(["--out", str(tmp_path / "mean"), str(tmp_path / "1"), str(tmp_path / "2")])
    told = f"The network of {tmp_path / '2'} is not made like that of {tmp_path / '1'}: leave it out.\n"
    assert (status, capsys.readouterr().err) == (2, told)
    assert not (tmp_path / "mean").exists()


def test_one_model_has_no_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--out", str(tmp_path / "mean"), str(tmp_path)])
    assert stopped.value.code == 2
    assert "a mean needs two models or more" in capsys.readouterr().err


def test_a_disk_without_room_for_the_network_leaves_the_model_that_was_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed, name in enumerate(("1", "2", "mean")):
        written(tmp_path / name, seed=seed)
    before = {path: path.read_bytes() for path in (tmp_path / "mean").rglob("*") if path.is_file()}
    with full_disk(room=max(map(len, before.values())) - 1):
        status = main(["--out", str(tmp_path / "mean"), str(tmp_path / "1"), str(tmp_path / "2")])
    assert status == 1
    assert capsys.readouterr().err.startswith(f"The model cannot be written to {tmp_path / 'mean'}: ")
    assert {path: path.read_bytes() for path in (tmp_path / "mean").rglob("*") if path.is_file()} == before
