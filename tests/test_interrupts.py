"""Signals between two steps, and in what a C library calls."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from assistant import interrupts
from assistant.hearing import Recording
from assistant.hearing.headers import FilledIn
from assistant.interrupts import ENDING, Ending, signals_interrupt
from assistant.sound import SAMPLE_RATE
from assistant.speaking import synthesise


@pytest.fixture(autouse=True)
def interrupting() -> Iterator[None]:
    """Let every ending signal interrupt with its number."""

    def interrupt(number: int, _frame: object) -> None:
        raise KeyboardInterrupt(number)

    before = {number: signal.signal(number, interrupt) for number in ENDING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_waits_for_the_end_of_the_step(number: signal.Signals) -> None:
    done = False
    with pytest.raises(KeyboardInterrupt) as interrupt, Ending() as step:
        signal.raise_signal(number)
        done = True
        step.check()
    assert done and interrupt.value.args == (number,)


def test_what_was_there_before_is_there_again() -> None:
    before = [signal.getsignal(number) for number in ENDING]
    with Ending():
        assert [signal.getsignal(number) for number in ENDING] != before
    assert [signal.getsignal(number) for number in ENDING] == before


def test_a_signal_after_the_last_check_interrupts_at_the_end() -> None:
    done = False
    with pytest.raises(KeyboardInterrupt) as interrupt, Ending():
        signal.raise_signal(signal.SIGTERM)
        done = True
    assert done and interrupt.value.args == (signal.SIGTERM,)


def test_one_that_waits_within_another_is_taken_by_the_outer() -> None:
    done = False
    with pytest.raises(KeyboardInterrupt) as interrupt, Ending() as outer:
        with Ending():
            signal.raise_signal(signal.SIGINT)
        done = True
        outer.check()
    assert done and interrupt.value.args == (signal.SIGINT,)


def test_a_signal_while_espeak_ng_calls_us_is_not_lost() -> None:
    """An exception in a function that a C library calls ends nowhere."""

    class Pressed(threading.Event):
        def is_set(self) -> bool:
            signal.raise_signal(signal.SIGINT)
            return False

    with pytest.raises(KeyboardInterrupt):
        synthesise("eins", stop=Pressed())


@pytest.fixture
def unfilled(tmp_path: Path) -> Path:
    """A recording whose sizes were never filled in: libsndfile calls Python for its bytes."""
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros(SAMPLE_RATE, np.int16), SAMPLE_RATE)
    data = bytearray(path.read_bytes())
    data[4:8] = data[40:44] = bytes(4)
    path.write_bytes(data)
    return path


@contextlib.contextmanager
def signals_when_read() -> Iterator[None]:
    """Send a signal with each piece that libsndfile asks for in the body."""
    readinto = FilledIn.readinto

    def interrupted(self: FilledIn, buffer: Any) -> int:
        signal.raise_signal(signal.SIGINT)
        return readinto(self, buffer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FilledIn, "readinto", interrupted)
        yield


def test_a_signal_while_a_recording_is_opened_is_not_lost(unfilled: Path) -> None:
    with pytest.raises(KeyboardInterrupt), signals_when_read():
        Recording(unfilled)


def test_a_signal_while_a_recording_is_read_is_not_lost(unfilled: Path) -> None:
    with Recording(unfilled) as recording, pytest.raises(KeyboardInterrupt), signals_when_read():
        list(recording.blocks())


def test_a_second_signal_does_not_break_into_the_tidying_up() -> None:
    with signals_interrupt(), pytest.raises(KeyboardInterrupt) as stopped:
        try:
            signal.raise_signal(signal.SIGHUP)
        finally:
            signal.raise_signal(signal.SIGTERM)
    assert stopped.value.args == (128 + signal.SIGHUP,)


def test_a_signal_that_is_ignored_interrupts_nobody() -> None:
    """As nohup has it: the game goes on when its terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals_interrupt():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_another_signal_counts_where_the_first_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python loses an interruption while an object is given up."""
    monkeypatch.setattr(interrupts, "PATIENCE", 0.0)
    with signals_interrupt():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


def test_without_a_signal_nothing_is_interrupted() -> None:
    with Ending() as step:
        step.check()


def test_a_signal_that_is_ignored_stays_so() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with Ending() as step:
        signal.raise_signal(signal.SIGHUP)
        step.check()


def come_when_handled(
    monkeypatch: pytest.MonkeyPatch, is_handled: Callable[[Any], bool], *numbers: signal.Signals
) -> None:
    """Let signals come, once, as soon as SIGINT, the first of all, has such a handler."""
    exchange, due = signal.signal, [*numbers]

    def exchange_and_come(number: signal.Signals, handler: Any) -> Any:
        usual = exchange(number, handler)
        while due and number == signal.SIGINT and is_handled(handler):
            signal.raise_signal(due.pop(0))
        return usual

    monkeypatch.setattr(signal, "signal", exchange_and_come)


def waits(handler: Any) -> bool:
    return isinstance(getattr(handler, "__self__", None), Ending)


def test_a_signal_that_interrupts_while_others_wait_already_leaves_their_handlers_as_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = [signal.getsignal(number) for number in ENDING]
    come_when_handled(monkeypatch, waits, signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt) as interrupt, Ending():
        pass
    assert interrupt.value.args == (signal.SIGTERM,)
    assert [signal.getsignal(number) for number in ENDING] == before


def test_a_signal_that_interrupts_between_two_steps_counts_and_not_another_that_waits_already(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The step before it has let a signal through that interrupted nobody."""
    signal.signal(signal.SIGHUP, lambda *_: None)
    with pytest.raises(KeyboardInterrupt) as interrupt, Ending() as step:
        signal.raise_signal(signal.SIGHUP)
        come_when_handled(monkeypatch, waits, signal.SIGINT, signal.SIGTERM)
        step.check()
    assert interrupt.value.args == (signal.SIGTERM,)


def test_a_signal_that_interrupts_while_another_is_let_through_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(KeyboardInterrupt) as interrupt, Ending() as step:
        signal.raise_signal(signal.SIGTERM)
        come_when_handled(monkeypatch, lambda handler: not waits(handler), signal.SIGINT)
        step.check()
    assert interrupt.value.args == (signal.SIGINT,)


def test_two_signals_at_once_are_one() -> None:
    """Whoever closes a terminal may send both."""
    with pytest.raises(KeyboardInterrupt) as interrupt, Ending() as step:
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGTERM)
        step.check()
    assert interrupt.value.args == (signal.SIGHUP,)


def test_another_signal_breaks_into_a_step_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interrupts, "PATIENCE", -1.0)
    with pytest.raises(KeyboardInterrupt) as interrupt, Ending():
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
    assert interrupt.value.args == (signal.SIGINT,)


def test_a_handler_that_interrupts_nobody_is_called_once_for_every_signal() -> None:
    taken: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: taken.append(number))
    with Ending() as step:
        for times in (1, 2):
            signal.raise_signal(signal.SIGTERM)
            assert len(taken) == times - 1, "it waits for the next check"
            step.check()
            step.check()
            assert taken == [signal.SIGTERM] * times
