"""One voice, three priorities: what is said, cut, resumed and dropped."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from exploring import examples
from fake_voice import PATIENCE, NoVoice, Table
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.speaking import Priority, Sentence, Speaker


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.speaker.close()


def alarm(text: str, key: str | None = None) -> Sentence:
    return Sentence(text, "en", Priority.ALARM, stale_key=key)


def reply(text: str, key: str | None = None) -> Sentence:
    return Sentence(text, "en", Priority.REPLY, stale_key=key)


def chatter(text: str, key: str | None = None) -> Sentence:
    return Sentence(text, "en", Priority.CHATTER, stale_key=key)


def test_sentences_of_a_kind_are_said_in_their_order(table: Table) -> None:
    with table.voice.expecting("begin e4", "end e4", "begin e5", "end e5"):
        table.speaker.say(reply("e4"))
        table.speaker.say(reply("e5"))
        table.voice.finish(2)


def test_a_reply_cuts_chatter_which_is_not_said_again(table: Table) -> None:
    with table.voice.expecting("begin welcome"):
        table.speaker.say(chatter("welcome"))
    with table.voice.expecting("cut welcome", "begin e4", "end e4"):
        table.speaker.say(reply("e4"))
        table.voice.finish()
    assert table.speaker.wait_until_silent(PATIENCE)


def test_chatter_never_cuts_a_reply_and_waits_for_all_of_them(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
    with table.voice.expecting("end e4", "begin e5", "end e5", "begin welcome", "end welcome"):
        table.speaker.say(chatter("welcome"))
        table.speaker.say(reply("e5"))
        table.voice.finish(3)


def test_a_reply_cut_by_an_alarm_is_said_again_from_its_beginning(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
        table.speaker.say(reply("e5"))
    with table.voice.expecting(
        "cut e4", "begin mind!", "end mind!", "begin e4", "end e4", "begin e5", "end e5"
    ):
        table.speaker.say(alarm("mind!"))
        table.voice.finish(4)


def test_an_alarm_drops_all_chatter(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
        table.speaker.say(chatter("welcome"))
    with table.voice.expecting("cut e4", "begin mind!", "end mind!", "begin e4", "end e4"):
        table.speaker.say(alarm("mind!"))
        table.voice.finish(3)
        assert table.speaker.wait_until_silent(PATIENCE)


def test_alarms_wait_for_each_other(table: Table) -> None:
    with table.voice.expecting("begin one", "end one", "begin two", "end two"):
        table.speaker.say(alarm("one"))
        table.speaker.say(alarm("two"))
        table.voice.finish(2)


def test_cancelling_silences_at_once_and_nothing_comes_back(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
    with table.voice.expecting("cut e4"):
        table.speaker.say(reply("e5"))
        table.speaker.say(chatter("welcome"))
        table.speaker.cancel()
        assert table.speaker.wait_until_silent(PATIENCE)


def test_a_reply_cut_by_an_alarm_and_then_cancelled_stays_silent(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
    with table.voice.expecting("cut e4", "begin mind!"):
        table.speaker.say(alarm("mind!"))
    with table.voice.expecting("cut mind!"):
        table.speaker.cancel()
        assert table.speaker.wait_until_silent(PATIENCE)


def test_cancelling_silence_is_nothing(table: Table) -> None:
    table.speaker.cancel()
    with table.voice.expecting("begin e4", "end e4"):
        table.speaker.say(reply("e4"))
        table.voice.finish()


# Staleness


def test_a_new_read_back_cuts_the_old_one_of_the_same_move(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4", "move:1"))
    with table.voice.expecting("cut e4", "begin d4", "end d4"):
        table.speaker.say(reply("d4", "move:1"))
        table.voice.finish()
    assert table.speaker.wait_until_silent(PATIENCE)


def test_waiting_sentences_with_the_same_key_are_never_said(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
        for text in ("ten minutes", "nine minutes", "eight minutes"):
            table.speaker.say(reply(text, "times"))
    with table.voice.expecting("end e4", "begin eight minutes", "end eight minutes"):
        table.voice.finish(2)


def test_other_keys_are_left_alone(table: Table) -> None:
    with table.voice.expecting("begin e4", "end e4", "begin e5", "end e5"):
        table.speaker.say(reply("e4", "move:1"))
        table.speaker.say(reply("e5", "move:2"))
        table.voice.finish(2)


# What others can see


def test_the_speaker_speaks_from_the_moment_that_say_returns(table: Table) -> None:
    table.speaker.say(reply("e4"))
    assert table.speaker.speaking
    table.voice.finish()
    assert table.speaker.wait_until_silent(PATIENCE)
    assert not table.speaker.speaking


# A voice that fails


def test_a_dead_voice_is_told_once_and_the_game_goes_on(table: Table) -> None:
    table.voice.fails = True
    with table.voice.expecting("failed e4", "failed e5"):
        table.speaker.say(reply("e4"))
        table.speaker.say(reply("e5"))
        assert table.speaker.wait_until_silent(PATIENCE)
    assert table.troubles == ["The loudspeaker has gone."]


def test_a_voice_that_comes_back_is_told_once_and_may_fail_again(table: Table) -> None:
    for _round in range(2):
        table.voice.fails = True
        table.speaker.say(reply("e4"))
        assert table.speaker.wait_until_silent(PATIENCE)
        table.voice.fails = False
        table.voice.finish(2)
        table.speaker.say(reply("e5"))
        table.speaker.say(reply("Nf3"))
        assert table.speaker.wait_until_silent(PATIENCE)
    assert (len(table.troubles), table.recoveries) == (2, 2)


def test_a_fault_of_a_sound_library_does_not_end_the_voice() -> None:
    class Faulty(NoVoice):
        def say(self, sentence: Sentence, stop: threading.Event) -> bool:
            if sentence.text == "e4":
                raise ZeroDivisionError("no samples")
            return super().say(sentence, stop)

    troubles: list[str] = []
    voice = Faulty()
    speaker = Speaker(voice, on_trouble=troubles.append)
    speaker.say(reply("e4"))
    speaker.say(reply("e5"))
    speaker.close(finish=True)
    assert troubles == ["The voice has failed: no samples"]
    assert [sentence.text for sentence in voice.said] == ["e5"]


def test_a_hook_that_fails_does_not_end_the_voice(table: Table) -> None:
    """Standard error may be a closed pipe, and the trouble is told there."""

    def fails(*_reason: str) -> None:
        raise BrokenPipeError

    speaker = Speaker(table.voice, on_trouble=fails, on_recovered=fails)
    table.voice.fails = True
    speaker.say(reply("e4"))
    assert speaker.wait_until_silent(PATIENCE)
    table.voice.fails = False
    table.voice.finish(2)
    with table.voice.expecting("begin e5", "end e5", "begin Nf3", "end Nf3"):
        speaker.say(reply("e5"))
        speaker.say(reply("Nf3"))
        assert speaker.wait_until_silent(PATIENCE)
    speaker.close()


class Lost:
    """A table whose voice is dead for some sentences and then speaks again."""

    def __init__(self, table: Table, *sentences: Sentence) -> None:
        self._table = table
        table.voice.fails = True
        for sentence in sentences:
            table.speaker.say(sentence)
            assert table.speaker.wait_until_silent(PATIENCE)
        table.voice.fails = False

    def missed(self, *sentences: Sentence) -> list[str]:
        """Return what was missed, when these have been said."""
        return [sentence.text for sentence in self.owed(*sentences)]

    def owed(self, *sentences: Sentence) -> list[Sentence]:
        self._table.voice.finish(len(sentences))
        for sentence in sentences:
            self._table.speaker.say(sentence)
        assert self._table.speaker.wait_until_silent(PATIENCE)
        return self._table.speaker.take_missed()


def test_what_a_dead_voice_did_not_say_can_be_had_again_once_and_in_its_order(table: Table) -> None:
    lost = Lost(
        table, reply("e4"), alarm("illegal!"), chatter("welcome"), Sentence("Pardon?", "en", repeatable=False)
    )
    assert lost.missed(reply("times")) == ["e4", "illegal!"]
    assert lost.missed() == []


def test_what_has_become_stale_is_not_missed(table: Table) -> None:
    lost = Lost(table, alarm("illegal!"), reply("e4", "move:1"), alarm("voice lost", "device:voice"))
    assert lost.missed(reply("d4", "move:1"), reply("voice back", "device:voice")) == ["illegal!"]


def test_what_was_asked_for_again_is_not_missed(table: Table) -> None:
    assert Lost(table, reply("e4")).missed(reply("e4")) == []


def test_what_was_silenced_is_not_missed(table: Table) -> None:
    lost = Lost(table, reply("e4"))
    table.speaker.cancel()
    assert lost.missed(reply("times")) == []


def test_a_voice_that_fails_at_some_sentences_alone_does_not_bring_them_back_for_ever(table: Table) -> None:
    missed = Lost(table, reply("e4"), reply("e5")).owed(reply("Nf3"))
    assert len(missed) == 2
    assert Lost(table, *missed).missed(reply("times")) == []


def test_a_voice_that_is_lost_is_looked_for_though_nobody_says_anything(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.speaking.speaker._FIRST_LOOK", 0.01)
    Lost(table, reply("e4"))
    wait_until(lambda: table.recoveries == 1)
    assert [sentence.text for sentence in table.speaker.take_missed()] == ["e4"]


def test_a_voice_that_stays_lost_is_looked_for_more_and_more_rarely(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.speaking.speaker._FIRST_LOOK", 0.01)
    table.voice.fails = True
    table.speaker.say(reply("e4"))
    wait_until(lambda: len(table.voice.looks) == 5)
    pauses = [later - earlier for earlier, later in itertools.pairwise(table.voice.looks)]
    assert all(pause >= 0.01 * 2**number for number, pause in enumerate(pauses, 1))
    assert (len(table.troubles), table.recoveries) == (1, 0)


def test_a_voice_that_is_lost_anew_is_not_looked_for_at_the_time_of_the_last_loss(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.speaking.speaker._FIRST_LOOK", 0.05)
    assert Lost(table, reply("e4")).missed(reply("e5")) == ["e4"]
    time.sleep(0.06)
    # On a slow machine it was looked for in the first loss, too.
    table.voice.looks.clear()
    since = time.monotonic()
    Lost(table, reply("Nf3"))
    wait_until(lambda: bool(table.voice.looks))
    assert table.voice.looks[0] - since >= 0.05


def test_one_output_that_speaks_does_not_make_up_for_another_that_is_lost(table: Table) -> None:
    """Headphones are gone and the room goes on."""
    table.voice.deaf = {"white"}
    table.voice.finish()
    table.speaker.say(Sentence("ten minutes", "en", audience="white"))
    table.speaker.say(reply("e5"))
    assert table.speaker.wait_until_silent(PATIENCE)
    assert table.recoveries == 0
    assert table.speaker.take_missed() == []


def test_sentences_that_one_output_says_do_not_put_off_the_look_for_the_other(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.speaking.speaker._FIRST_LOOK", 0.2)
    table.voice.deaf = {"white"}
    table.voice.finish(10)
    table.speaker.say(Sentence("ten minutes", "en", audience="white"))
    for number in range(10):
        table.speaker.say(reply(str(number)))
    assert table.speaker.wait_until_silent(PATIENCE)
    table.voice.deaf = set()
    since = time.monotonic()
    wait_until(lambda: table.recoveries == 1)
    assert time.monotonic() < since + 1.0


def test_who_looks_for_a_lost_output_after_a_sentence_is_silent_meanwhile(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device that opens and does not play takes seconds, and the microphone is not deaf for so long."""
    monkeypatch.setattr("assistant.speaking.speaker._FIRST_LOOK", 60.0)
    is_looked_for, is_there = threading.Event(), threading.Event()

    def reach(_audience: str) -> None:
        is_looked_for.set()
        assert is_there.wait(PATIENCE)

    monkeypatch.setattr(table.voice, "reach", reach)
    table.voice.deaf = {"white"}
    table.voice.finish(2)
    table.speaker.say(Sentence("ten minutes", "en", audience="white"))
    assert table.speaker.wait_until_silent(PATIENCE)
    table.speaker.say(reply("e4"))
    assert is_looked_for.wait(PATIENCE)
    assert table.speaker.is_silent
    assert table.speaker.is_busy
    table.speaker.say(reply("e5"))
    assert not table.speaker.is_silent, "it is said as soon as the device has been looked for"
    is_there.set()
    assert table.speaker.wait_until_silent(PATIENCE)


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.005)


# The end


def test_closing_says_what_is_left_if_asked_to(table: Table) -> None:
    table.voice.finish(2)
    with table.voice.expecting("begin e4", "end e4", "begin e5", "end e5"):
        table.speaker.say(reply("e4"))
        table.speaker.say(reply("e5"))
        table.speaker.close(finish=True)
    assert table.voice.closed


def test_closing_falls_silent_at_once_otherwise(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
    with table.voice.expecting("cut e4"):
        table.speaker.say(reply("e5"))
        table.speaker.close()
        table.speaker.say(reply("Nf3"))
        assert table.speaker.wait_until_silent(PATIENCE)


def test_an_end_that_is_interrupted_lets_go_of_the_voice(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_timeout: float) -> None:
        raise KeyboardInterrupt

    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
    monkeypatch.setattr(table.speaker, "wait_until_silent", interrupted)
    with table.voice.expecting("cut e4"), pytest.raises(KeyboardInterrupt):
        table.speaker.close(finish=True)
    assert table.voice.closed


@settings(max_examples=examples(60))
@given(
    st.lists(
        st.tuples(
            st.sampled_from(Priority),
            st.sampled_from([None, "a", "b"]),
            st.sampled_from([False] * 9 + [True]),
        ),
        max_size=12,
    )
)
def test_no_sentence_is_said_to_its_end_twice_and_replies_are_lost_only_on_purpose(
    given: list[tuple[Priority, str | None, bool]],
) -> None:
    voice = NoVoice()
    speaker = Speaker(voice)
    cancelled = 0
    for number, (priority, key, cancels) in enumerate(given):
        speaker.say(Sentence(str(number), "en", priority, stale_key=key))
        if cancels:
            speaker.cancel()
            cancelled = number + 1
    speaker.close(finish=True)
    said = [sentence.text for sentence in voice.said]
    assert len(said) == len(set(said))
    for number, (priority, key, _cancels) in enumerate(given):
        is_replaced = key is not None and any(key == later for _priority, later, _ in given[number + 1 :])
        if number >= cancelled and not is_replaced and priority is not Priority.CHATTER:
            assert str(number) in said


def test_some_sentences_can_be_cancelled_and_the_others_go_on(table: Table) -> None:
    with table.voice.expecting("begin times"):
        table.speaker.say(reply("times", "times"))
        table.speaker.say(reply("e4"))
        table.speaker.say(reply("help", "help"))
    with table.voice.expecting("cut times", "begin e4", "end e4"):
        table.speaker.cancel(lambda sentence: sentence.stale_key is not None)
        table.voice.finish()
        assert table.speaker.wait_until_silent(PATIENCE)


def test_what_somebody_else_silenced_is_not_said_again() -> None:
    """The key that silences a screen reader cuts the sentence of its voice, too."""

    class Silenced(NoVoice):
        def say(self, sentence: Sentence, stop: threading.Event) -> bool:
            super().say(sentence, stop)
            return False

    voice = Silenced()
    speaker = Speaker(voice)
    speaker.say(reply("e4"))
    speaker.say(reply("e5"))
    assert speaker.wait_until_silent(PATIENCE)
    speaker.close()
    assert [sentence.text for sentence in voice.said] == ["e4", "e5"]
