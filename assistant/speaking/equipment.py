"""What Hector says of what it works with: the devices, the disk that keeps the game, the computer itself."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from assistant.speaking.durations import duration_in_words
from assistant.speaking.messages import Message, _
from assistant.speaking.sentence import Priority, Sentence, SentenceMaker
from assistant.speaking.wording import BACK, LOST, MISSING

Device: TypeAlias = Literal[
    "microphone", "voice", "headphones", "keyboard", "braille display", "engine", "hearing"
]
_SPEAK: Final = ("voice", "headphones")
"""The devices of which nobody needs to hear again that they are lost or back."""


class EquipmentSentences(SentenceMaker):
    """Makes the sentences about devices that go and come back, a disk that refuses, a computer that stops."""

    # Devices

    def device_lost(self, device: Device) -> Sentence:
        return self._of_device(LOST[device], device, Priority.ALARM)

    def device_missing(self, device: Literal["microphone", "voice"]) -> Sentence:
        """Tell that there has been none yet: whoever has none need not look for a cable."""
        return self._of_device(MISSING[device], device, Priority.ALARM)

    def device_back(self, device: Device) -> Sentence:
        return self._of_device(BACK[device], device)

    def _of_device(self, news: Message, device: Device, priority: Priority = Priority.REPLY) -> Sentence:
        return self._say(
            news,
            priority=priority,
            # What is lost may be what speaks to one player alone.
            audience="room" if device in _SPEAK else None,
            stale_key=f"device:{device}",
            repeatable=device not in _SPEAK,
        )

    def microphone_muted(self) -> Sentence:
        """Say that the microphone works and delivers nothing."""
        return self._say(
            # Translators: the microphone is there, but somebody has switched it off, perhaps at its cable.
            _("Microphone muted? No sound comes from it."),
            stale_key="device:microphone",
        )

    # The disk and the game's folder

    def not_recorded(self) -> Sentence:
        """Say that the disk refuses the game: nothing counts until it is mended."""
        return self._say(
            # Translators: the disk is full or read-only; the arbiter has to know at once.
            _("The game cannot be saved."),
            priority=Priority.ALARM,
            audience="room",
            stale_key="disk",
        )

    def saved_again(self) -> Sentence:
        # Translators: the disk takes the game again, with everything that happened meanwhile.
        return self._say(_("The game is saved again."), audience="room", stale_key="disk")

    def moved(self) -> Sentence:
        """Tell that somebody has renamed or moved the game's folder; the game is kept in it all the same."""
        return self._say(
            # Translators: somebody has renamed or moved the game's folder while the game is played.
            _("The game's folder was moved. Put it back where it was."),
            audience="room",
            stale_key="folder",
        )

    def back_in_place(self) -> Sentence:
        """Tell that the game's folder is where it was when the game was begun."""
        # Translators: the game's folder was renamed or moved while the game is played, and now put back.
        return self._say(_("The game's folder is in its place again."), audience="room", stale_key="folder")

    def little_room(self, megabytes: int, needed: int) -> Sentence:
        return self._say(
            # Translators: before a game; {n} megabytes are free, {needed} megabytes may be needed.
            _("Little room on the disk: {n} megabytes. A long game with recordings needs {needed}."),
            stale_key="room",
            n=megabytes,
            needed=needed,
        )

    def not_recorded_any_more(self, *, is_full: bool) -> Sentence:
        """Tell that the sound of the announcements is not kept, as the disk is full or for another reason."""
        # Translators: the disk is nearly full; the sound of the announcements is not kept, the game is.
        full = _("The disk is nearly full: announcements are no longer recorded.")
        # Translators: the sound of the announcements cannot be kept, the game is; why is on the screen.
        other = _("Announcements are no longer recorded; the game is.")
        return self._say(full if is_full else other, stale_key="room")

    # The computer

    def stood_still(self, ms: int) -> Sentence:
        """Tell that the program did nothing for a while, in which the clock ran on."""
        return self._say(
            # Translators: somebody has stopped the program, or the computer was too busy; {time} in words.
            _("Hector stood still: {time}. The clock ran on."),
            audience="room",
            time=duration_in_words(ms, self.language),
        )

    def failed(self) -> Sentence:
        """Tell that the program ends, through no one's fault who sits at the table."""
        return self._say(
            # Translators: an error ends the program in the middle of a game; the game is kept.
            _("Hector has failed. The game is interrupted."),
            priority=Priority.ALARM,
            audience="room",
        )

    def slept(self, ms: int) -> Sentence:
        """Tell that the computer was asleep, and how long."""
        return self._say(
            # Translators: somebody closed the lid in the middle of the game; {time} in words.
            _("The computer slept: {time}. No clock ran."),
            priority=Priority.ALARM,
            audience="room",
            time=duration_in_words(ms, self.language),
        )
