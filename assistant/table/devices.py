"""The devices of one live game: a voice, an ear that is deaf to it, and what happens when one goes."""

from __future__ import annotations

import contextlib
import math
import queue
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from assistant.announcements import load_vocabulary
from assistant.ears import Ears, deaf_ears, ears_of
from assistant.errors import HectorError, marked
from assistant.hearing import Block, Microphone, News, renew_portaudio
from assistant.quiet import quiet_stderr
from assistant.sides import SIDES
from assistant.speaking import (
    Audience,
    Backend,
    Both,
    EspeakVoice,
    Instead,
    Loss,
    Loudspeaker,
    Output,
    Sentence,
    Speaker,
    SpeechDispatcherVoice,
    WavFile,
    told,
)
from assistant.table.audible import Audible
from assistant.table.calibration import kept_hold
from assistant.table.gate import HOLD, Gate
from assistant.table.taught import ModelChoice, load_choice
from assistant.table.terminal import warn
from assistant.table.voices import LoudVoice, PaperVoice, Voice

RENEW_EVERY = 10.0
"""Seconds between two searches for a loudspeaker while the microphone works: each costs it a moment."""
_ONE_OUTPUT: Final = marked(
    "speech-dispatcher has a single output: espeak-ng speaks, into headphones and room as named."
)


def prepare_ears(model: ModelChoice, warn: Callable[[str], None] = warn, *, listens: bool = True) -> Ears:
    """Load the vocabulary and the model, which may have learnt a player's voice.

    :param listens: whether anything will be heard.

    :raises HectorError: if the model cannot be used.
    """
    prepare = ears_of if listens else deaf_ears
    return prepare(load_choice(model, warn), load_vocabulary("de"))


class _GatedVoice(LoudVoice):
    """A voice before which the microphone is shut, if it can hear it."""

    def __init__(self, speaker: Speaker, gate: Gate, audible: Audible) -> None:
        super().__init__(speaker, time.monotonic())
        self._gate = gate
        self._audible = audible

    def say(self, sentence: Sentence, now: float) -> None:
        if self._audible.opens_a_room(sentence.audience):
            self._gate.shut(time.monotonic())
        super().say(sentence, now)


def speech_dispatcher(audible: Audible) -> SpeechDispatcherVoice:
    """Return the voice of speech-dispatcher, with what the player has of his own.

    :raises HectorError: if speech-dispatcher is not installed or not running.
    """
    player = audible.player
    if player is None:
        return SpeechDispatcherVoice()
    return SpeechDispatcherVoice(rate=player.rate, pitch=player.pitch, volume=player.volume)


@dataclass(frozen=True, slots=True)
class Change:
    """Something has happened to a device."""

    device: Literal["microphone", "voice", "headphones"]
    what: Literal["missing", "lost", "back", "muted", "heard", "gap"]
    """`missing`: a microphone or a loudspeaker that has not been there yet; `gap`: see `News`."""


class Devices:
    """Microphone, voice and the clock that they share. One thread calls every method."""

    def __init__(
        self,
        speak_to: Path | None,
        model: ModelChoice,
        *,
        keyboard_only: bool,
        warn: Callable[[str], None],
        audible: Audible | None = None,
        listens: bool = True,
    ) -> None:
        """Open what is there. A device that is missing is told of, and looked for as long as the game lasts.

        :param listens: whether anything will be heard, from the microphone or from elsewhere.
        :raises HectorError: if the model cannot be used or the file of `speak_to` cannot be written.
        """
        self._warn = warn
        self.ears = prepare_ears(model, warn, listens=listens)
        self._audible = audible or Audible()
        self.gate = Gate(kept_hold() or HOLD)
        self.zero = time.monotonic()
        self._changes: queue.SimpleQueue[Change] = queue.SimpleQueue()
        self._loudspeakers: list[Loudspeaker] = []
        self._headphones: list[Loudspeaker] = []
        self._spare: Loudspeaker | None = None
        self._lost: frozenset[Loudspeaker | Literal["voice"]] = frozenset()
        """What is told to be lost: some headphones, the voice in the room."""
        self._seeks_loudspeaker = False
        self._sought_at = -math.inf
        self.microphone: Microphone | None = None
        self.speaker: Speaker | None = None
        self.voice: Voice = PaperVoice()
        try:
            self._prepare_voice(self._backend(speak_to))
            if not keyboard_only:
                self._open_microphone()
        except BaseException:
            # Nobody else has got them.
            self.close(finish=False)
            raise

    def _backend(self, speak_to: Path | None) -> Backend | None:
        """Return a voice that speaks, with the player's settings where they can be had."""
        audible = self._audible
        if audible.engine == "speechd" and speak_to is None and (audible.headphones or audible.is_split):
            # What a player asked for his ears alone must not come out of the usual loudspeaker.
            self._warn(told(_ONE_OUTPUT))
        elif audible.engine == "speechd" and speak_to is None:
            try:
                return speech_dispatcher(audible)
            except HectorError as error:
                self._warn(told(marked("{reason} Until then espeak-ng speaks.", reason=error)))
        outputs = self._outputs(speak_to)
        usual = {who: replace(each, variant="", voices={}) for who, each in audible.voices.items()}
        for voices in (audible.voices, usual):
            voice = EspeakVoice(outputs, voices)
            try:
                voice.prepare()
                return voice
            except HectorError as error:
                self._warn(told(error))
                if voices == usual:
                    break
        return None

    def _outputs(self, speak_to: Path | None) -> Output | dict[Audience, Output]:
        if speak_to is not None:
            return WavFile(speak_to)
        audible = self._audible
        heads = {name: self._open(name, private=True) for name in dict.fromkeys(audible.headphones.values())}
        self._headphones = list(heads.values())
        room = self._open(audible.room) if audible.is_split or not heads else None
        everybody = Both(*([] if room is None else [room]), *heads.values())
        outputs: dict[Audience, Output] = {"room": everybody}
        # Whoever has no headphones hears what is his from the usual device; with none, he shares the room's.
        usual: Output = self._open(None) if audible.is_split and not heads else everybody
        if usual is not everybody and room is not None:
            outputs["room"] = Both(room, usual)
        elif room is None:
            self._spare = self._open(None)
            outputs["room"] = Instead(everybody, self._spare, self._opens_room)
        for side in SIDES:
            outputs[side] = heads[audible.headphones[side]] if side in audible.headphones else usual
        return outputs

    def _opens_room(self) -> None:
        """Shut the microphone, as in place of headphones a loudspeaker is heard."""
        self.gate.shut(time.monotonic())

    def _open(self, device: str | None, *, private: bool = False) -> Loudspeaker:
        loudspeaker = Loudspeaker(device, refresh=self._look_for_loudspeaker, private=private)
        self._loudspeakers.append(loudspeaker)
        return loudspeaker

    def _prepare_voice(self, backend: Backend | None) -> None:
        if backend is None:
            return
        self.speaker = Speaker(backend, on_trouble=self._voice_lost, on_recovered=self._voice_back)
        self.voice = _GatedVoice(self.speaker, self.gate, self._audible)

    def _open_microphone(self) -> None:
        try:
            self.microphone = Microphone(release_others=self._released, wait_for_it=True)
        except HectorError as error:
            self._warn(told(error))

    @property
    def loudspeaker(self) -> Loudspeaker | None:
        """The loudspeaker of the room, if Hector has one of its own."""
        return self._loudspeakers[0] if self._loudspeakers else None

    @property
    def hears(self) -> bool:
        """Whether the microphone is there."""
        return self.microphone is not None and not self.microphone.is_lost

    # The clock

    def start_clock(self, at: float) -> None:
        """Let the game's time be `at` now."""
        self.zero = time.monotonic() - at
        if isinstance(self.voice, LoudVoice):
            self.voice.zero = self.zero

    @property
    def now(self) -> float:
        """Seconds of the game's clock."""
        return time.monotonic() - self.zero

    # What comes in

    def read(self, wait: float, *, busy: bool) -> list[Block | Change]:
        """Return the sounds and changes of the last moment; empty after `wait` seconds of nothing.

        `busy` tells that somebody is speaking now: then nothing is done that would interrupt the microphone.
        """
        found: list[Block | Change] = []
        if self.microphone is None:
            time.sleep(wait)
        else:
            if self._seeks_loudspeaker and not busy:
                # Not while one is being opened: then it is for the next time.
                self._seeks_loudspeaker = not self.microphone.renew()
            for item in self.microphone.read(wait):
                if isinstance(item, News):
                    is_missing = item.what == "lost" and not self.microphone.has_delivered
                    found.append(Change("microphone", "missing" if is_missing else item.what))
                else:
                    found.append(item)
        if self.speaker is not None and self.speaker.is_silent:
            self.gate.open(self.speaker.last_sample_time)
        with contextlib.suppress(queue.Empty):
            while True:
                found.append(self._changes.get_nowait())
        return found

    def take_missed(self) -> list[Sentence]:
        """Return what the voice did not say while it was lost, and forget it."""
        return [] if self.speaker is None else self.speaker.take_missed()

    def is_deaf_to(self, block: Block) -> bool:
        """Return whether a block may hold Hector's own voice."""
        return self.gate.is_deaf(block.end - block.seconds, block.end)

    # What goes and comes back; the voice's part of it is called by the speaking thread

    def _voice_lost(self, reason: str) -> None:
        assert self.speaker is not None
        lost = self._lost_now()
        if lost - self._lost and (not self._has_spoken or len(self._loudspeakers) > 1):
            # It never spoke, or it is one of several: the reason says what to mend.
            self._warn(reason)
        self._tell_changes(lost)

    @property
    def _has_spoken(self) -> bool:
        return self.speaker is not None and self.speaker.last_sample_time > 0

    def _voice_back(self) -> None:
        self._tell_changes(self._lost_now())

    def _lost_now(self) -> frozenset[Loudspeaker | Literal["voice"]]:
        """Return the headphones that are lost, and the voice if that is not all."""
        assert self.speaker is not None
        losses = self.speaker.losses
        if not losses:
            return frozenset()
        headphones = {each for each in self._headphones if each.has_failed}
        # Nobody needs the spare one while the headphones are there.
        others = {*self._loudspeakers} - {*self._headphones, self._spare}
        is_voice_lost = (
            any(each.has_failed for each in others)
            or losses.get("room") is Loss.WHOLE
            or (Loss.WHOLE in losses.values() and not headphones)
        )
        return frozenset((*headphones, "voice") if is_voice_lost else headphones)

    def _tell_changes(self, lost: frozenset[Loudspeaker | Literal["voice"]]) -> None:
        before, self._lost = self._lost, lost
        changes: tuple[tuple[Literal["back", "lost"], frozenset[object]], ...]
        changes = ("back", before - lost), ("lost", lost - before)
        for what, devices in changes:
            if "voice" in devices:
                is_missing = what == "lost" and bool(self._loudspeakers) and not self._has_spoken
                self._changes.put(Change("voice", "missing" if is_missing else what))
            if devices - {"voice"}:
                self._changes.put(Change("headphones", what))

    def _look_for_loudspeaker(self) -> None:
        if self.microphone is None:
            if all(loudspeaker.is_idle for loudspeaker in self._loudspeakers):
                for loudspeaker in self._loudspeakers:
                    loudspeaker.release()
                renew_portaudio()
        elif time.monotonic() - self._sought_at > RENEW_EVERY:
            self._sought_at = time.monotonic()
            self._seeks_loudspeaker = True

    @contextlib.contextmanager
    def _released(self) -> Iterator[bool]:
        """Close the loudspeaker's stream while the body runs, unless Hector is using it."""
        if self.speaker is not None and self.speaker.is_busy:
            yield False
            return
        with contextlib.ExitStack() as held:
            for loudspeaker in self._loudspeakers:
                held.enter_context(loudspeaker.given_back())
            yield True

    def finish_speaking(self) -> None:
        """Wait until all is said; nothing more is said then."""
        if self.speaker is not None:
            self.speaker.close(finish=True)

    def close(self, *, finish: bool = True) -> None:
        """Let go of everything; with `finish` what is being said is said to its end."""
        try:
            if self.microphone is not None:
                self.microphone.close()
        except BaseException:
            finish = False
            raise
        finally:
            if self.speaker is not None:
                self.speaker.close(finish=finish)


@contextlib.contextmanager
def opened(
    speak_to: Path | None,
    model: ModelChoice,
    keyboard_only: bool,
    audible: Audible,
    warn: Callable[[str], None] = warn,
    *,
    listens: bool = True,
) -> Iterator[Devices]:
    """Open the devices and let go of them at the end; what is being said then is said to its end."""
    devices = Devices(
        speak_to, model, keyboard_only=keyboard_only, warn=warn, audible=audible, listens=listens
    )
    finish = False
    # PortAudio prints from threads of its own when a device goes: that can be at any time.
    with quiet_stderr():
        try:
            yield devices
            finish = True
        finally:
            devices.close(finish=finish)
