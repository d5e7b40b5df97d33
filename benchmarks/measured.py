"""One thing measured, and the limit it is held against."""

from __future__ import annotations

import argparse
import functools
import math
import os
import platform
import statistics
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from assistant.errors import HectorError
from models.training import extra

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Row:
    """One thing measured."""

    name: str
    unit: str
    value: float
    limit: float | None = None
    """The most that it may be."""
    percentile_95: float | None = None
    limit_95: float | None = None
    count: int = 1

    @property
    def is_met(self) -> bool:
        met = self.limit is None or self.value <= self.limit
        return met and (self.limit_95 is None or (self.percentile_95 or 0.0) <= self.limit_95)

    def __str__(self) -> str:
        text = f"{self.name}: {self.value:.3g} {self.unit}"
        if self.limit is not None:
            text += f" (limit {self.limit:g})"
        if self.percentile_95 is not None:
            text += f", 95 %: {self.percentile_95:.3g} {self.unit}"
        if self.limit_95 is not None:
            text += f" (limit {self.limit_95:g})"
        return text + (f", n {self.count}" if self.count > 1 else "") + ("" if self.is_met else " MISSED")


def spread(
    name: str, unit: str, values: Sequence[float], limit: float | None = None, limit_95: float | None = None
) -> Row:
    """Return the median and the 95th percentile of what was measured."""
    ordered = sorted(values)
    high = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return Row(name, unit, statistics.median(ordered), limit, high, limit_95, len(ordered))


def machine_line() -> str:
    """Describe the machine and how busy it is."""
    cpuinfo = Path("/proc/cpuinfo")
    model = platform.processor() or platform.machine()
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "?"
    return f"{model}, {os.cpu_count()} cores, load {load}, Python {platform.python_version()}"


def processor_seconds(process: int) -> float:
    """Return how long all threads of a process have computed."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(process: int | None = None) -> float:
    """Return the memory that a process takes, this one by default."""
    status = Path(f"/proc/{process or os.getpid()}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def test_extra() -> AbstractContextManager[None]:
    """Import inside what needs the tests' packages: without them the program ends with a sentence."""
    return extra("test", "pytest", "playwright")


def in_one_sentence(main: Callable[..., int]) -> Callable[..., int]:
    """Let a command tell what is wrong in the sentence of the error, and end with its status."""

    @functools.wraps(main)
    def told(*arguments: object) -> int:
        try:
            return main(*arguments)
        except HectorError as error:
            print(error, file=sys.stderr)
            return error.status

    return told


def above_zero(kind: Callable[[str], Number]) -> Callable[[str], Number]:
    """Return argparse's type of an option that makes no sense at zero: `kind` is int or float."""
    return _numbers(kind, lambda value: value > 0, "above 0")


def from_zero(kind: Callable[[str], Number]) -> Callable[[str], Number]:
    """Return the same of an option that may be zero."""
    return _numbers(kind, lambda value: value >= 0, "from 0 on")


def _numbers(
    kind: Callable[[str], Number], is_taken: Callable[[Number], bool], which: str
) -> Callable[[str], Number]:
    def number(text: str) -> Number:
        try:
            value = kind(text)
        except ValueError:
            value = kind("-1")
        if not (is_taken(value) and value < math.inf):
            raise argparse.ArgumentTypeError(f"{text!r} is no number {which}")
        return value

    return number
