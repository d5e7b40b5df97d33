"""The objective that sets what was said against everything else that could have been said."""

from __future__ import annotations

import itertools
import math

import pytest

torch = pytest.importorskip("torch", reason="training needs PyTorch")

from models.training.lexicon import IGNORE  # noqa: E402
from models.training.sequence import PhoneModel, loss  # noqa: E402

SAID = [[0, 1, 2, 0], [0, 2, 1, 0], [0, 1, 0]] * 20
FLAT = torch.full((3,), math.log(1 / 3))


@pytest.fixture
def model() -> PhoneModel:
    return PhoneModel.count(SAID, 3)


def scores(steps: int) -> torch.Tensor:
    return torch.randn(2, steps, 3, generator=torch.Generator().manual_seed(1))


def outputs(phones: list[int]) -> torch.Tensor:
    """What a network says that is sure of these phones."""
    return 12.0 * torch.nn.functional.one_hot(torch.tensor([phones]), 3).float()


def test_what_was_said_often_is_likely(model: PhoneModel) -> None:
    state = {(phone,): k for k, phone in enumerate(model.phones.tolist()[:3])}
    to_one = model.moves[state[(0,)]][model.phones == 1].sum()
    to_two = model.moves[state[(0,)]][model.phones == 2].sum()
    assert to_one > to_two > 0


def test_no_phone_follows_itself_but_by_staying(model: PhoneModel) -> None:
    for state, phone in enumerate(model.phones.tolist()):
        again = model.moves[state][model.phones == phone].sum()
        assert again == pytest.approx(0.5), "the self-loop of the exported model"


def test_the_total_is_the_sum_over_all_paths(model: PhoneModel) -> None:
    given = scores(4)
    states = range(len(model.phones))
    for utterance, total in zip(given, model.total(given), strict=True):
        paths = 0.0
        for path in itertools.product(states, repeat=4):
            chance = float(model.starts[path[0]])
            for before, after in itertools.pairwise(path):
                chance *= float(model.moves[before, after])
            said = sum(float(utterance[t, model.phones[state]]) for t, state in enumerate(path))
            paths += chance * math.exp(said)
        assert float(total) == pytest.approx(math.log(paths), rel=1e-4)


def test_the_gradient_is_the_slope_of_the_total(model: PhoneModel) -> None:
    given = scores(5).requires_grad_()
    (slope,) = torch.autograd.grad(model.total(given).sum(), given)
    step = 1e-2
    for place in itertools.product(range(2), range(5), range(3)):
        up, down = given.detach().clone(), given.detach().clone()
        up[place] += step
        down[place] -= step
        measured = float(model.total(up).sum() - model.total(down).sum()) / (2 * step)
        assert float(slope[place]) == pytest.approx(measured, abs=2e-3)


def test_a_network_that_is_right_has_nothing_to_learn(model: PhoneModel) -> None:
    said = [0, 0, 1, 1, 2, 2, 0, 0]
    assert float(loss(outputs(said), torch.tensor([said]), model, FLAT)) < 0.01


def test_a_network_that_heard_something_else_has(model: PhoneModel) -> None:
    said, heard = [0, 0, 1, 1, 2, 2, 0, 0], [0, 0, 2, 2, 1, 1, 0, 0]
    assert float(loss(outputs(heard), torch.tensor([said]), model, FLAT)) > 1.0


def test_a_boundary_may_lie_an_output_later(model: PhoneModel) -> None:
    said, heard = [0, 0, 1, 1, 2, 2, 0, 0], [0, 0, 0, 1, 1, 2, 2, 0]
    assert float(loss(outputs(heard), torch.tensor([said]), model, FLAT)) < 0.01


def test_what_is_to_be_ignored_may_be_anything(model: PhoneModel) -> None:
    heard = [0, 0, 2, 2, 1, 1, 0, 0]
    labels = torch.full((1, 8), IGNORE)
    assert float(loss(outputs(heard), labels, model, FLAT)) == pytest.approx(0.0, abs=1e-5)
