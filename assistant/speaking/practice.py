"""What Hector says in the check before the round, and while it learns a voice."""

from __future__ import annotations

from assistant.speaking.messages import Message, Value, _, german
from assistant.speaking.sentence import Sentence, SentenceMaker, from_segments


class PracticeSentences(SentenceMaker):
    """Makes the sentences of the check; each of them replaces the one before."""

    def _tell(self, message: Message, **values: Value) -> Sentence:
        segments = self._segments(message, **values)
        return from_segments(segments, self.language, audience=self.audience, stale_key="practice")

    def say_this(self, words: str) -> Sentence:
        # Translators: practice: the player shall say these German words.
        return self._tell(_("Please say: {words}."), words=german(words))

    def heard(self, words: str) -> Sentence:
        # Translators: practice: what was understood.
        return self._tell(_("I heard: {words}."), words=german(words))

    def heard_nothing(self) -> Sentence:
        # Translators: practice: no speech came from the microphone.
        return self._tell(_("I heard nothing."))

    def microphone_gone(self) -> Sentence:
        # Translators: practice: the microphone was unplugged; when it is back, the phrase is asked for again.
        return self._tell(_("Microphone lost. Plug it in, then it goes on."))

    def heard_right(self, right: int, count: int) -> Sentence:
        return self._tell(
            # Translators: practice: the result; so many of the {count} phrases were heard as they were said.
            _("Heard right: {right} of {count}."),
            right=right,
            count=count,
        )

    def lesson(self, count: int) -> Sentence:
        # Translators: practice: the player shall repeat {count} phrases, so that his voice can be learnt.
        return self._tell(_("A lesson of {count} phrases: repeat each."), count=count)

    def searching(self) -> Sentence:
        # Translators: practice: recordings of games are listened to, which may take a minute.
        return self._tell(_("I listen to your games and learn, please wait."))

    def found(self, count: int) -> Sentence:
        # Translators: practice: so many of the player's moves were recorded in games; his voice is learnt.
        return self._tell(_("{count} of your announcements found."), count=count)

    def recorded(self, count: int) -> Sentence:
        # Translators: practice: so many recordings are new in the folder that the player has named.
        return self._tell(_("New recordings kept: {count}."), count=count)

    def learning(self) -> Sentence:
        # Translators: practice: thirty phrases were said; now the program computes for some seconds.
        return self._tell(_("Thank you. I learn your voice now, please wait."))

    def voice_learnt(self, count: int, before: int, after: int, percent: int) -> Sentence:
        return self._tell(
            # Translators: practice: tried on phrases that were not learnt from; numbers in words.
            _(
                "Voice learnt: {after} of {count} phrases right, before {before}. "
                "Sounds {percent} percent clearer."
            ),
            count=count,
            before=before,
            after=after,
            percent=percent,
        )

    def voice_not_learnt(self, count: int, before: int, after: int) -> Sentence:
        return self._tell(
            # Translators: practice: learning did not help, so nothing is changed; numbers in words.
            _("Nothing changed, no help: {before} of {count} phrases right without, {after} with it."),
            count=count,
            before=before,
            after=after,
        )

    def clicks(self) -> Sentence:
        # Translators: practice: three clicks follow, by which the echo of the room is measured.
        return self._tell(_("Three clicks. Please be quiet."))

    def no_echo(self) -> Sentence:
        # Translators: practice: the clicks were not heard, as with headphones.
        return self._tell(_("The microphone does not hear me."))

    def holds(self, ms: int) -> Sentence:
        return self._tell(
            # Translators: practice: so long is the echo of the room; {n} in words.
            _("The microphone listens again {n} milliseconds after my voice."),
            n=ms,
        )
