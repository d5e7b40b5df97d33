"""`hector play` as a process of its own, with somebody who talks to it and listens to it."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.speaking import synthesise
from tests.virtual_sound import AUDIBLE, RATE, Recording, VirtualSound

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 60.0
"""Seconds for anything that may happen at once: only a test that fails waits for so long."""
ANSWER = 15.0
"""Seconds after which somebody who got no answer says it again."""
TORN = 0.05
"""Seconds of silence within a sentence that nobody would take for its own."""
WHITE, BLACK = "de+m3", "de+f4"
"""Voices that the model was never trained with."""


class LiveGame:
    """A process of the program: lines in, lines out."""

    def __init__(
        self,
        folder: Path,
        arguments: Sequence[str],
        environment: dict[str, str],
        start: Callable[..., Any] = subprocess.Popen,
    ) -> None:
        self.folder = folder
        self._errors = folder.parent / f"{folder.name}-stderr.txt"
        self._changed = threading.Condition()
        self.lines: list[str] = []
        self._ended = False
        with self._errors.open("ab") as errors:
            self.process: subprocess.Popen[str] = start(
                [sys.executable, "-m", "assistant", "--lang", "de", *arguments],
                cwd=folder.parent,
                env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                bufsize=1,
            )
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(f"{line}\n")
            self.process.stdin.flush()

    def wait_for(
        self, is_it: Callable[[str], object], since: int = 0, patience: float = PATIENCE
    ) -> str | None:
        """Return the first line from number `since` on that is it; `None` if none comes in time."""

        def found() -> str | None:
            return next((line for line in self.lines[since:] if is_it(line)), None)

        with self._changed:
            self._changed.wait_for(lambda: found() is not None or self._ended, patience)
            return found()

    def expect(self, pattern: str, since: int = 0) -> str:
        line = self.wait_for(lambda line: re.search(pattern, line), since)
        assert line is not None, f"{pattern!r} never came:\n{self.transcript}"
        return line

    @property
    def errors(self) -> str:
        return self._errors.read_text(encoding="utf-8")

    @property
    def transcript(self) -> str:
        return "\n".join([*self.lines, self.errors])

    def kill(self) -> None:
        """End it as a power failure would."""
        self.process.kill()
        self._done()

    def wait(self) -> int:
        """Wait until it ends and return its exit status."""
        status = self.process.wait(PATIENCE)
        self._done()
        return status

    def _done(self) -> None:
        self.process.wait(PATIENCE)
        self._thread.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def __enter__(self) -> LiveGame:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.kill()


class Talker:
    """Somebody at the table: he waits until it is quiet, speaks, and attends to what he is answered."""

    def __init__(self, game: LiveGame, sound: VirtualSound, ears: Recording) -> None:
        self._game = game
        self._sound = sound
        self.ears = ears
        self.answers: list[tuple[str, NDArray[np.int16]]] = []
        """What Hector was to say of each thing understood, and the sound of it."""
        self._spoke = 0.0
        """When he began his last words: what the loudspeaker says since then is the answer."""

    def say(self, words: str, voice: str) -> None:
        """Speak when the loudspeaker has been silent for a moment."""
        self.ears.wait_for_silence(0.8)
        sound = synthesise(words, voice, rate=150)
        self._spoke = time.monotonic()
        self._sound.speak(sound.samples // 2, sound.rate)

    def answer_to(self, words: str, voice: str) -> str:
        """Say it, again if need be, and return Hector's next sentence."""
        for _try in range(4):
            since = len(self._game.lines)
            self.say(words, voice)
            line = self._game.wait_for(lambda line: line.startswith("Hector: "), since, ANSWER)
            if line is not None:
                self.ears.wait_for_sound(since=self._spoke)
                if "Wie bitte" not in line:
                    return line.removeprefix("Hector: ")
        raise AssertionError(f"{words!r} brings no answer:\n{self._game.transcript}")

    def announce(self, words: str, voice: str) -> None:
        """Announce a move, answer what is asked about it, and attend to how it is read back."""
        answer = self.answer_to(words, voice)
        for _question in range(3):
            if answer == words:
                break
            answer = self.answer_to("ja" if words in answer else "nein", voice)
            if answer != words:
                answer = self.answer_to(words, voice)
        assert answer == words, self._game.transcript
        sound = self._listen_to(words)
        for _again in range(3):
            if not _is_torn(sound, words):
                break
            assert self.answer_to("wiederholen", voice) == words, self._game.transcript
            sound = self._listen_to(words)
        self.answers.append((words, sound))

    def _listen_to(self, words: str) -> NDArray[np.int16]:
        """Return what is heard since he began to speak, when the words have been said."""
        # A stall of the sound looks like the end of it: it is over only when enough was heard.
        self.ears.wait_for_sound(since=self._spoke, seconds=_seconds_of(words) / 2)
        self.ears.wait_for_silence(0.6)
        return self.ears.samples(since=self._spoke)


@cache
def _seconds_of(words: str) -> float:
    spoken = synthesise(words, "de")
    return len(spoken.samples) / spoken.rate


def _is_torn(sound: NDArray[np.int16], words: str) -> bool:
    """Return whether words took longer than they last: a computer with too much to do tears their sound."""
    loud = np.flatnonzero(np.abs(sound.astype(np.int32)) > AUDIBLE)
    return bool(loud[-1] - loud[0] > (_seconds_of(words) + TORN) * RATE)


def play(sound: VirtualSound, folder: Path, *options: str) -> LiveGame:
    """Start a live game with the microphone and the loudspeaker of the virtual sound card."""
    return LiveGame(folder, ["play", "--save", str(folder), *options], sound.environment)


def type_only(folder: Path, *arguments: str, start: Callable[..., Any] = subprocess.Popen) -> LiveGame:
    """Start a game by keyboard alone, without any sound server, and leave no temporary files elsewhere."""
    nowhere = {
        "PULSE_SERVER": "unix:/nonexistent",
        "XDG_RUNTIME_DIR": str(folder.parent),
        "TMPDIR": str(folder.parent),
    }
    return LiveGame(folder, [*arguments, "--keyboard", "--speak-to", os.devnull], nowhere, start)


@contextlib.contextmanager
def at_terminal(folder: Path, *options: str) -> Iterator[tuple[LiveGame, int, int]]:
    """A new game by keyboard at a pseudo-terminal, before its start; the typist's end and the program's."""
    controller, end = pty.openpty()

    def start(command: list[str], **options: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(command, **options | {"stdin": end})

    try:
        with type_only(folder, "play", "--save", str(folder), *options, start=start) as game:
            game.expect("^q ")
            yield game, controller, end
    finally:
        os.close(controller)
        os.close(end)
