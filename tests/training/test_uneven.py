"""Values of a layer that are uncertain while the network learns."""

from __future__ import annotations

from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from models.training import pipeline  # noqa: E402
from models.training.network import Network, Shape  # noqa: E402
from models.training.trainer import Plan  # noqa: E402


def network() -> Network:
    torch.manual_seed(1)
    one = Network(Shape(width=16, dilations=(1,), waists=(), outputs=5))
    one.uneven = 0.4
    return one


def test_only_a_network_that_learns_is_uncertain() -> None:
    one, x = network(), torch.randn(2, 60, 40)
    with torch.no_grad():
        assert not torch.equal(one.train()(x), one(x))
        assert torch.equal(one.eval()(x), one(x))


def test_a_value_is_as_uncertain_all_through_an_utterance() -> None:
    one, x = network(), torch.randn(2, 60, 40)
    certain = network()
    certain.uneven = 0.0
    with torch.no_grad():
        first, as_it_is = one.train().hidden(x)[0], certain.train().hidden(x)[0]
    factors = first / as_it_is
    assert torch.allclose(factors, factors[:, :, :1].expand_as(factors), atol=1e-4)
    assert 0.6 <= factors.min() < 0.7 and 1.3 < factors.max() <= 1.4
    assert not torch.allclose(factors[0], factors[1])


def test_at_the_end_of_the_time_nothing_is_uncertain() -> None:
    plan = Plan(minutes=1, uneven=0.4)
    at = [plan.uneven_at(share) for share in (0.0, 0.45, 0.7, 0.95, 1.0)]
    assert at == pytest.approx([0.4, 0.4, 0.2, 0.0, 0.0])


def test_a_training_of_any_size_can_be_uncertain() -> None:
    for size in (pipeline.QUICK, pipeline.full(10)):
        assert size.plan.uneven == 0
        assert pipeline.uneven(size) == replace(size, plan=replace(size.plan, uneven=0.4))
