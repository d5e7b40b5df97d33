"""Matrices of 16 bits a value are read back as they were written, to half a step of their range."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from assistant.hearing.kaldi import Stream
from models.training.kaldi import Writer

WEIGHTS = arrays(np.float32, array_shapes(min_dims=2, max_dims=2), elements=st.floats(-1e4, 1e4, width=32))


def written(values: object) -> bytes:
    stream = io.BytesIO()
    Writer(stream).short_matrix(values)  # type: ignore[arg-type]
    return stream.getvalue()


@given(WEIGHTS)
def test_a_short_matrix_comes_back_to_half_a_step_of_its_range(weights: NDArray[np.float32]) -> None:
    back = Stream(written(weights)).matrix()
    assert back.shape == weights.shape and back.dtype == np.float32
    # half a step, and what single precision rounds off the sum
    assert np.abs(back - weights).max() <= np.ptp(weights.astype(float)) / 65535 / 2 + 1e-3


def test_the_bytes_are_those_of_kaldis_compressed_matrix() -> None:
    assert written([[-1.0, 2.0]]) == b"CM2 " + struct.pack("<ffiiHH", -1.0, 3.0, 1, 2, 0, 65535)


def test_a_matrix_of_one_value_comes_back() -> None:
    assert np.array_equal(Stream(written(np.full((2, 3), 0.25))).matrix(), np.full((2, 3), 0.25, np.float32))


def test_a_weight_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="no number"):
        written([[1.0, float("nan")]])


@pytest.mark.parametrize("size", [3, 12, 21])
def test_a_short_matrix_that_is_cut_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=r"too early|no token"):
        Stream(written([[1.0, 2.0], [3.0, 4.0]])[:size]).matrix()


def test_a_short_matrix_of_impossible_size_is_refused() -> None:
    data = b"CM2 " + struct.pack("<ffii", 0.0, 1.0, -2, -2)
    with pytest.raises(ValueError, match="impossible count"):
        Stream(data).matrix()
