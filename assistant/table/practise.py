"""The check before the round: a phrase is said, repeated by the player, and what was heard is told.

And the lesson: from about thirty such phrases, or from his games, Hector learns the player's voice.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from assistant.announcements import Words, open_grammar, sample
from assistant.ears import Ears
from assistant.errors import HectorError, UsageError, marked
from assistant.files import prove_place
from assistant.hearing import (
    FEWEST,
    Corpus,
    Microphone,
    Samples,
    forget_voice,
    has_microphone,
    load_model,
    prove_learner,
    save_voice,
    sounddevice,
    teach,
)
from assistant.speaking import (
    EquipmentSentences,
    Loudspeaker,
    PracticeSentences,
    Sentence,
    choose_language,
    told,
)
from assistant.table.announced import MOST, Said, announced_in, moves_of, prove_enough
from assistant.table.audible import Audible
from assistant.table.calibration import hold_for, keep_hold, measure_echo
from assistant.table.devices import Change, Devices, opened
from assistant.table.hearing import utterances_of
from assistant.table.learning import TRIES, phrases_to_learn, was_said, which_was_said
from assistant.table.players import folder_of
from assistant.table.taught import ModelChoice
from assistant.table.terminal import warn
from assistant.utterance import Utterance, WordGraph

PATIENCE = 8.0
"""Seconds in which the player should begin to repeat a phrase."""
LONGEST = 15.0
"""Seconds after which nobody waits any more, although something is still heard: it may be the hall."""
RETURN = 120.0
"""Seconds in which a microphone that has gone may come back."""
_GONE: Final = marked("The microphone has gone. Plug it in and practise again.")


def practise(
    count: int,
    *,
    listen: Path | None = None,
    speak_to: Path | None = None,
    model: ModelChoice = None,
    seed: int | None = None,
    language: str | None = None,
    audible: Audible | None = None,
) -> int:
    """Say `count` announcements, hear them repeated, and tell what was heard; 1 if not all were right.

    A recording that is cut off is used as far as it goes; it is told of at the end, and the status is 1 too.

    With a microphone and a loudspeaker the room's echo is measured first, and kept for the games to come.

    :raises HectorError: if there is neither a microphone nor a recording.
    """
    if count < 1:
        raise UsageError("Practise at least one announcement: --count 1.")
    _need_microphone(listen)
    with opened(speak_to, model, listen is not None, audible or Audible()) as devices:
        say_in = PracticeSentences(choose_language(language))
        check = _Check(devices, say_in, listen)
        if devices.loudspeaker is not None and devices.microphone is not None:
            check.measure(devices.loudspeaker, devices.microphone)
        seed = random.randrange(2**31) if seed is None else seed
        phrases = list(sample(devices.ears.vocabulary, count, seed=seed))
        right = sum([check.is_heard(words) for words in phrases])
        check.say(say_in.heard_right(right, len(phrases)))
        is_whole = check.tell_cut()
    return 0 if right == len(phrases) and is_whole else 1


def learn_voice(
    player: str,
    *,
    games: Sequence[Path] = (),
    listen: Path | None = None,
    speak_to: Path | None = None,
    model: str | None = None,
    language: str | None = None,
    audible: Audible | None = None,
    recordings: Path | None = None,
) -> int:
    """Ask the player for phrases, learn his voice from them, and keep it if it helps; 1 if it does not.

    A phrase that was not said is asked for again, twice at most, and then left out. A recording that is cut
    off is learnt from as far as it goes; it is told of, and the status is 1 too.

    :param games: folders of games whose announcements are learnt from, instead of a lesson.
    :param recordings: a folder to which what is learnt from is added, all that the games hold: from it the
        ear itself can be trained. That it does not take them is told, and the status is 1.
    :raises UsageError: if the name cannot be a player's, or he did not play one of the games.
    :raises HectorError: if there is neither a microphone nor a recording nor a game, too few phrases were
        said, the model is not one that can learn, or what was learnt cannot be kept.
    """
    folder = folder_of(player)
    moves = moves_of(player, games)
    prove_place(folder)
    corpus = None
    if recordings is not None:
        prove_place(recordings)
        corpus = Corpus(recordings)
    acoustic = load_model(model)
    prove_learner(acoustic)
    if not games:
        _need_microphone(listen)
    with opened(speak_to, model, listen is not None or bool(games), audible or Audible()) as devices:
        say_in = PracticeSentences(choose_language(language))
        check = _Check(devices, say_in, None)
        vocabulary = devices.ears.vocabulary
        if games:
            check.say(say_in.searching())
            most = MOST if corpus is None else None
            said = announced_in(moves, devices.ears, lambda error: warn(told(error)), most)
            check.say(say_in.found(len(said)))
        else:
            said = check.give_lesson(listen, corpus)
        is_kept = corpus is None or check.keep_in(corpus, said)
        if games:
            prove_enough(said, moves, player)
            said = said[-MOST:]
        is_whole = check.tell_cut()
        if not games:
            check.say(say_in.learning())
        lesson = teach(acoustic, open_grammar(vocabulary), said)
        if lesson.is_better:
            save_voice(folder, acoustic, lesson)
            clearer = round(100 * (1 - lesson.loss_after / lesson.loss_before))
            check.say(say_in.voice_learnt(lesson.count, lesson.before, lesson.after, clearer))
        else:
            check.say(say_in.voice_not_learnt(lesson.count, lesson.before, lesson.after))
    return 0 if lesson.is_better and is_whole and is_kept else 1


def forget(player: str) -> int:
    """Drop what a player has taught; 1 if there was nothing.

    :raises HectorError: if it cannot be removed.
    """
    was_there = forget_voice(folder_of(player))
    if was_there:
        print(told(marked("The voice is forgotten.")))
    else:
        print(told(marked("{name} has not taught Hector his voice.", name=player)))
    return 0 if was_there else 1


def _need_microphone(listen: Path | None) -> None:
    if listen is not None:
        return
    # It tells of a sound server that hangs.
    sounddevice()
    if not has_microphone():
        raise HectorError("There is no microphone. Plug one in and practise again.")


class _Check:
    """One player's check before the round."""

    def __init__(self, devices: Devices, sentences: PracticeSentences, listen: Path | None) -> None:
        self._devices = devices
        self._ears = devices.ears
        self._say_in = sentences
        self._equipment = EquipmentSentences(sentences.language, sentences.audience)
        self._cut: HectorError | None = None
        self._recorded = None if listen is None else self._utterances_of(listen)

    def _utterances_of(self, file: Path) -> Iterator[Utterance]:
        def keep(error: HectorError) -> None:
            self._cut = error

        return utterances_of(self._ears.recogniser, file, keep)

    def tell_cut(self) -> bool:
        """Tell of a recording or lesson that was cut off; return whether it was whole, as far as it went."""
        if self._cut is not None:
            warn(told(self._cut))
        return self._cut is None

    def measure(self, loudspeaker: Loudspeaker, microphone: Microphone) -> None:
        """Measure the echo of the room, and tell what follows from it.

        A loudspeaker that is not there was told of when it should have said that clicks follow. Where it or
        the microphone goes meanwhile, that is told, and the practice goes on without the echo.
        """
        self.say(self._say_in.clicks())
        if not loudspeaker.plays:
            return
        try:
            echo = measure_echo(loudspeaker, microphone)
        except HectorError as error:
            warn(told(error))
            return
        if echo is None:
            self.say(self._say_in.no_echo())
            return
        self._devices.gate.hold = hold = hold_for(echo)
        try:
            keep_hold(hold)
        except HectorError as error:
            # The games to come will not know it; the player's voice can be tried all the same.
            warn(told(error))
        self.say(self._say_in.holds(round(hold * 1000)))

    def keep_in(self, corpus: Corpus, said: Sequence[Said]) -> bool:
        """Add what was said to a folder of recordings; return whether it took them.

        Where it did not, that is told, and the voice is learnt all the same: nobody says it twice for that.
        """
        try:
            count = corpus.add(said)
        except HectorError as error:
            warn(told(error))
            return False
        self.say(self._say_in.recorded(count))
        return True

    def is_heard(self, words: Words) -> bool:
        """Say a phrase, hear it repeated, and tell what was heard; return whether it was the same."""
        vocabulary = self._ears.vocabulary
        _expect_any(self._ears)
        self.say(self._say_in.say_this(vocabulary.written(words)))
        heard = next(self._recorded, None) if self._recorded is not None else self._spoken(words)
        return self._tell_heard(heard) == words

    def _tell_heard(self, heard: Utterance | None) -> Words:
        """Tell what was heard, if anything was, and return it."""
        best = heard.grammatical[0].words if heard is not None else ()
        written = self._ears.vocabulary.written(best)
        self.say(self._say_in.heard(written) if best else self._say_in.heard_nothing())
        return best

    def give_lesson(self, listen: Path | None, corpus: Corpus | None) -> list[Said]:
        """Have the phrases of a lesson said, or find them in a recording.

        :param corpus: takes what was said of a lesson that is broken off.
        """
        phrases = phrases_to_learn(self._ears.vocabulary)
        if listen is not None:
            return list(self.take_from(listen, phrases))
        self.say(self._say_in.lesson(len(phrases)))
        said: list[Said] = []
        try:
            for each in self.ask_all(phrases):
                said.append(each)
        except HectorError:
            if corpus is not None and said:
                self.keep_in(corpus, said)
            raise
        except KeyboardInterrupt:
            # Whoever ends it hears no more.
            if corpus is not None and said:
                with suppress(HectorError):
                    corpus.add(said)
            raise
        return said

    def take_from(self, file: Path, phrases: Sequence[Words]) -> Iterator[Said]:
        """Find phrases in a recording, in any order, with whatever else was said between them."""
        vocabulary, recogniser = self._ears.vocabulary, self._ears.recogniser
        left = list(phrases)
        recogniser.expect(left)
        for utterance in self._utterances_of(file):
            words = which_was_said(utterance)
            if words in left:
                left.remove(words)
                yield words, recogniser.audio
        for words in left:
            self.say(self._say_in.say_this(vocabulary.written(words)))
            self.say(self._say_in.heard_nothing())

    def ask_all(self, phrases: Sequence[Words]) -> Iterator[Said]:
        """Have phrases said one after the other; those that were not said are left out.

        When so many were not said that the rest would not be enough, nobody is asked any more.

        From enough of them is learnt although the microphone stays away; that is told, as of a recording.

        :raises HectorError: if the microphone goes before, and does not come back.
        """
        count = 0
        for left, words in zip(range(len(phrases), 0, -1), phrases, strict=True):
            if count + left < FEWEST:
                return
            try:
                sound = self.ask_for(words)
            except HectorError as error:
                if count < FEWEST:
                    raise
                self._cut = error
                return
            if sound is not None:
                count += 1
                yield words, sound

    def ask_for(self, words: Words) -> Samples | None:
        """Have the microphone hear a phrase and return its sound; None if it was not said in all tries."""
        vocabulary, recogniser = self._ears.vocabulary, self._ears.recogniser
        # Whoever is understood badly is taken at his word, unless something else was plainly said.
        recogniser.expect([words])
        for _ in range(TRIES):
            self.say(self._say_in.say_this(vocabulary.written(words)))
            heard = self._spoken(words)
            if heard is not None and was_said(heard, words):
                return recogniser.audio
            self._tell_heard(heard)
        return None

    def say(self, sentence: Sentence) -> None:
        """Show a sentence, and say it to its end."""
        print(f"Hector: {sentence.text}", flush=True)
        self._devices.voice.say(sentence, self._devices.now)
        if self._devices.speaker is not None:
            self._devices.speaker.wait_until_silent()

    def _spoken(self, words: Words) -> Utterance | None:
        """Return what the player says; the gate is deaf to what Hector has said.

        A microphone that has gone is waited for, and when it is back the phrase is asked for once more: what
        was said before it went is not lost.

        :raises HectorError: if it does not come back, or has never delivered anything.
        """
        recogniser = self._ears.recogniser
        recogniser.restart()
        asked, is_gone = time.monotonic(), False
        while time.monotonic() - asked < self._patience(is_gone=is_gone):
            for item in self._devices.read(0.1, busy=recogniser.hears_something):
                if isinstance(item, Change):
                    if item == Change("microphone", "missing"):
                        raise HectorError(_GONE)
                    if item.device == "microphone" and item.what in ("lost", "back"):
                        is_gone = item.what == "lost"
                        recogniser.restart()
                    if item == Change("microphone", "gap"):
                        # What is left of a phrase is no phrase to be judged, or learnt from.
                        recogniser.reset()
                    if self._tell_change(item, words):
                        asked = time.monotonic()
                elif self._devices.is_deaf_to(item):
                    recogniser.reset()
                else:
                    for utterance in recogniser.accept(item.samples):
                        return utterance
        if is_gone:
            raise HectorError(_GONE)
        return None

    def _tell_change(self, change: Change, words: Words) -> bool:
        """Tell of a device while a phrase is waited for; return whether anything was said."""
        sentences: list[Sentence] = []
        if change == Change("microphone", "lost"):
            sentences = [self._say_in.microphone_gone()]
        elif change == Change("microphone", "back"):
            sentences = [self._say_in.say_this(self._ears.vocabulary.written(words))]
        elif change == Change("microphone", "muted"):
            sentences = [self._equipment.microphone_muted()]
        elif change.what == "back":
            sentences = self._devices.take_missed()[-1:]
        for sentence in sentences:
            self.say(sentence)
        return bool(sentences)

    def _patience(self, *, is_gone: bool) -> float:
        """Return for how many seconds somebody is waited for."""
        if is_gone:
            return RETURN
        return LONGEST if self._ears.recogniser.hears_something else PATIENCE


def _expect_any(ears: Ears) -> None:
    """Listen to the open grammar alone: no position helps, so this is the hardest check."""
    ears.recogniser.expect(WordGraph((), frozenset()))
