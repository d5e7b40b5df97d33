"""A live game: microphone, keyboard and voice under a running clock, or a recording in their place."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.announcements import (
    Decision,
    Thresholds,
    Vocabulary,
    load_thresholds,
    load_vocabulary,
    open_grammar,
)
from assistant.errors import HectorError
from assistant.hearing import (
    AcousticModel,
    Archive,
    Microphone,
    News,
    Recogniser,
    Recording,
    has_microphone,
    load_model,
)
from assistant.speaking import EspeakVoice, Loudspeaker, Nowhere, Output, Speaker, WavFile
from assistant.table.folder import new_folder, prepare
from assistant.table.game import Table
from assistant.table.keyboard import Keyboard
from assistant.table.record import GameRecord, open_record, reopen_record
from assistant.table.running import Listening, RecogniserEar, Samples, play_stream
from assistant.table.setup import Setup
from assistant.table.voices import LoudVoice, PaperVoice, Voice, voice_without_device
from assistant.utterance import Utterance

__all__ = ["has_microphone", "play", "play_recording", "resume"]

HOLD = 0.3
"""Seconds after Hector's last audible sample in which the microphone stays deaf: the room's echo."""
WAIT = 0.05
"""Seconds that one look at the devices may take."""


@dataclass(frozen=True, slots=True)
class Ears:
    """What a table needs in order to understand."""

    vocabulary: Vocabulary
    thresholds: Thresholds
    recogniser: Recogniser


def prepare_ears(model: str | None) -> Ears:
    """Load the vocabulary and the model.

    :raises HectorError: if the model cannot be used.
    """
    vocabulary = load_vocabulary("de")
    acoustic: AcousticModel = load_model(model)
    recogniser = Recogniser(acoustic, open_grammar=open_grammar(vocabulary))
    thresholds = load_thresholds(acoustic.thresholds) if acoustic.thresholds else Thresholds()
    return Ears(vocabulary, thresholds, recogniser)


def play_recording(
    file: Path, setup: Setup, save: Path | None, speak_to: Path | None, model: str | None
) -> int:
    """Play a game from a recording, through the same code as a microphone's."""
    with Recording(file) as recording:
        ears = prepare_ears(model)
        folder = prepare(save or new_folder(setup))
        output: Output = Nowhere() if speak_to is None else WavFile(speak_to)
        record = open_record(folder, _warn)
        voice = voice_without_device(output)
        ear = RecogniserEar(ears.recogniser)
        table = Table(setup, ears.vocabulary, ears.thresholds, voice, record, ear, _show)
        with contextlib.closing(output), contextlib.closing(record):
            table.start()
            play_stream(table, ears.recogniser, recording.blocks(), _Keeper(table, folder))
        if recording.is_cut:
            _warn(f"{file} is cut off: it ends after {table.now:.1f} seconds.")
    _show(f"The game is in {folder}")
    return 0


def play(
    setup: Setup, save: Path | None, speak_to: Path | None, model: str | None, *, keyboard_only: bool
) -> int:
    """Play a live game."""
    folder = prepare(save or new_folder(setup))
    record = open_record(folder, _warn)
    with contextlib.closing(record), _devices(speak_to, model, keyboard_only) as devices:
        table = devices.table(setup, record)
        keyboard = Keyboard()
        if sys.stdin.isatty():
            _show("Press Enter to start the clock. A question mark and Enter: help. q and Enter: stop.")
            while not keyboard.pending() and not keyboard.ended:
                time.sleep(WAIT)
        devices.start_clock(0.0)
        table.start()
        return _run(table, devices, keyboard, folder)


def resume(folder: Path, speak_to: Path | None, model: str | None, *, keyboard_only: bool) -> int:
    """Continue a game from its folder, where its journal ends."""
    record, setup, lines = reopen_record(folder, _warn)
    with contextlib.closing(record), _devices(speak_to, model, keyboard_only) as devices:
        table = devices.table(setup, record)
        at = float(lines[-1]["at"]) if lines else 0.0
        devices.start_clock(at)
        if lines:
            table.resume(lines, at)
        else:
            table.start()
        if table.over:
            _show("The game is over.")
            return 0
        return _run(table, devices, Keyboard(), folder)


class _Keeper:
    """Keeps what was heard, each utterance under the half-move that it is about."""

    def __init__(self, table: Table, folder: Path) -> None:
        self._table = table
        self._archive = Archive(folder / "heard")

    def __call__(self, utterance: Utterance, decision: Decision, samples: Samples) -> None:
        what = f"{decision.kind}-{' '.join(decision.words)}"
        trouble = self._archive.keep(samples, max(1, self._table.plies), what)
        if trouble:
            _warn(trouble)


class _Devices:
    """The devices of one live game, and the clock that they share."""

    def __init__(self, speak_to: Path | None, model: str | None, *, keyboard_only: bool) -> None:
        self.ears = prepare_ears(model)
        self._loudspeaker = Loudspeaker() if speak_to is None else None
        output: Output = self._loudspeaker if speak_to is None else WavFile(speak_to)  # type: ignore[assignment]
        self.zero = time.monotonic()
        self.speaker: Speaker | None = None
        self._voice: Voice = PaperVoice()
        try:
            espeak = EspeakVoice(output)
            espeak.prepare()
        except HectorError as error:
            _warn(str(error))
        else:
            self.speaker = Speaker(espeak, on_trouble=_warn)
            self._voice = LoudVoice(self.speaker, self.zero)
        self.microphone: Microphone | None = None
        if not keyboard_only:
            try:
                self.microphone = Microphone(release_others=self._release)
            except HectorError as error:
                _warn(str(error))

    def _release(self) -> None:
        if self._loudspeaker is not None:
            self._loudspeaker.release()

    def table(self, setup: Setup, record: GameRecord) -> Table:
        ears = self.ears
        ear = RecogniserEar(ears.recogniser)
        return Table(setup, ears.vocabulary, ears.thresholds, self._voice, record, ear, _show)

    def start_clock(self, at: float) -> None:
        """Let the game's time be `at` now."""
        self.zero = time.monotonic() - at
        if isinstance(self._voice, LoudVoice):
            self._voice.zero = self.zero

    @property
    def now(self) -> float:
        return time.monotonic() - self.zero

    @property
    def hears_itself(self) -> bool:
        """Whether what the microphone hears now may be Hector's own voice."""
        return self.speaker is not None and not self.speaker.silent_for(HOLD)

    def close(self) -> None:
        if self.microphone is not None:
            self.microphone.close()
        if self.speaker is not None:
            self.speaker.close(finish=True)


@contextlib.contextmanager
def _devices(speak_to: Path | None, model: str | None, keyboard_only: bool) -> Iterator[_Devices]:
    devices = _Devices(speak_to, model, keyboard_only=keyboard_only)
    try:
        yield devices
    finally:
        devices.close()


def _run(table: Table, devices: _Devices, keyboard: Keyboard, folder: Path) -> int:
    """Keep the game going until it is over, somebody stops it, or nobody is left who could say anything."""
    listening = Listening(table, devices.ears.recogniser, _Keeper(table, folder))
    while not table.over:
        for line in keyboard.pending():
            if line.strip().lower() == "q":
                _show(f"Stopped. The game goes on with: hector resume {folder}")
                return 0
            table.type(line, devices.now)
        if devices.microphone is None:
            if keyboard.ended:
                break
            time.sleep(WAIT)
            table.tick(devices.now)
            continue
        items = devices.microphone.read(WAIT)
        if not items:
            table.tick(devices.now)
        for item in items:
            if isinstance(item, News):
                table.device("microphone", lost=item.what == "lost")
            elif devices.hears_itself:
                listening.be_deaf(item.end - devices.zero)
            else:
                listening.take(item.samples, item.end - devices.zero)
            if table.over:
                break
    _show(f"The game is in {folder}")
    return 0


def _show(line: str) -> None:
    print(line, flush=True)


def _warn(line: str) -> None:
    print(f"hector: {line}", file=sys.stderr, flush=True)
