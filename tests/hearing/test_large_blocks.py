"""What the recogniser's library asks of the C library."""

from __future__ import annotations

import subprocess
import sys

import pytest

_PROBE = """
import ctypes, sys
from assistant.hearing import engine
if sys.argv[1] == "with":
    engine._vosk()
c = ctypes.CDLL(None)
c.malloc.restype, c.malloc.argtypes, c.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in names.split()]
c.mallinfo2.restype = Info
c.free(c.malloc(16_000_000))
before = c.mallinfo2().hblks
block = c.malloc(4_000_000)
print(c.mallinfo2().hblks - before)
"""


@pytest.mark.parametrize(("library", "mapped"), [("with", 1), ("without", 0)])
def test_a_large_block_is_mapped_by_itself_after_a_larger_one(library: str, mapped: int) -> None:
    """Or the matrices of long utterances tear holes into the heap, and a long game grows and grows."""
    found = subprocess.run(
        [sys.executable, "-c", _PROBE, library], capture_output=True, text=True, check=True, timeout=120
    )
    assert int(found.stdout) == mapped
