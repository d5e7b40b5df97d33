"""One voice, three priorities: what is said, cut, resumed, repeated and dropped."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from fake_voice import PATIENCE, Table
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.speaking import NoVoice, Outcome, Priority, Saying, Sentence, Speaker
from assistant.speaking.sentence import Audience


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.speaker.close()


def alarm(text: str, key: str | None = None) -> Sentence:
    return Sentence(text, "en", Priority.ALARM, stale_key=key)


def reply(text: str, key: str | None = None, audience: Audience = "room") -> Sentence:
    return Sentence(text, "en", Priority.REPLY, stale_key=key, audience=audience)


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
    assert "dropped welcome" in table.outcomes


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
        assert table.speaker.cancel()
        assert table.speaker.wait_until_silent(PATIENCE)
    assert sorted(table.outcomes) == ["cut e4", "dropped e5", "dropped welcome"]


def test_a_reply_cut_by_an_alarm_and_then_cancelled_stays_silent(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
    with table.voice.expecting("cut e4", "begin mind!"):
        table.speaker.say(alarm("mind!"))
    with table.voice.expecting("cut mind!"):
        table.speaker.cancel()
        assert table.speaker.wait_until_silent(PATIENCE)


def test_cancelling_silence_is_nothing(table: Table) -> None:
    assert not table.speaker.cancel()
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


def test_a_sentence_asks_whether_it_is_still_worth_saying_just_before_it_begins(table: Table) -> None:
    is_true = True
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
        table.speaker.say(reply("your move"), is_worth_saying=lambda: is_true)
        table.speaker.say(reply("e5"), is_worth_saying=lambda: True)
    is_true = False
    with table.voice.expecting("end e4", "begin e5", "end e5"):
        table.voice.finish(2)
    assert table.speaker.wait_until_silent(PATIENCE)
    assert "dropped your move" in table.outcomes


# Repeating


def test_the_last_message_is_said_again_even_if_it_was_cut(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
    with table.voice.expecting("cut e4", "begin e4", "end e4"):
        table.speaker.cancel()
        assert table.speaker.repeat()
        table.voice.finish()


def test_nothing_is_repeated_before_the_first_message(table: Table) -> None:
    assert not table.speaker.repeat()


def test_chatter_and_a_pardon_are_not_the_last_message(table: Table) -> None:
    with table.voice.expecting(
        "begin e4", "end e4", "begin pardon?", "end pardon?", "begin welcome", "end welcome"
    ):
        table.speaker.say(reply("e4"))
        table.speaker.say(Sentence("pardon?", "en", repeatable=False))
        table.speaker.say(chatter("welcome"))
        table.voice.finish(3)
    with table.voice.expecting("begin e4", "end e4"):
        table.speaker.repeat()
        table.voice.finish()


def test_a_player_is_not_told_again_what_only_the_other_heard(table: Table) -> None:
    with table.voice.expecting("begin e4", "end e4", "begin ten minutes", "end ten minutes"):
        table.speaker.say(reply("e4", audience="room"))
        table.speaker.say(reply("ten minutes", audience="white"))
        table.voice.finish(2)
    with table.voice.expecting("begin ten minutes", "end ten minutes"):
        table.speaker.repeat("white")
        table.voice.finish()
    with table.voice.expecting("begin e4", "end e4"):
        table.speaker.repeat("black")
        table.voice.finish()


# What others can see


def test_the_speaker_speaks_from_the_moment_that_say_returns(table: Table) -> None:
    table.speaker.say(reply("e4"))
    assert table.speaker.speaking
    table.voice.finish()
    assert table.speaker.wait_until_silent(PATIENCE)
    assert not table.speaker.speaking


def test_the_microphone_stays_deaf_until_the_echo_is_gone(table: Table) -> None:
    table.speaker.say(reply("e4"))
    assert not table.speaker.silent_for(0)
    table.voice.last_sample_time = time.monotonic() + 60
    table.voice.finish()
    assert table.speaker.wait_until_silent(PATIENCE)
    assert not table.speaker.silent_for(0)
    table.voice.last_sample_time = time.monotonic() - 0.5
    assert table.speaker.silent_for(0.3)
    assert not table.speaker.silent_for(30)


def test_every_sentence_is_reported_with_its_times_and_outcome() -> None:
    sayings: list[Saying] = []
    ticks = iter(range(100))
    speaker = Speaker(NoVoice(), on_said=sayings.append, clock=lambda: float(next(ticks)))
    speaker.say(reply("e4"), at=12.5)
    speaker.close(finish=True)
    assert sayings == [Saying(reply("e4"), Outcome.SAID, 0.0, 1.0, 12.5)]


def test_a_hook_may_look_at_the_speaker() -> None:
    states: list[bool] = []
    speaker = Speaker(NoVoice(), on_said=lambda _saying: states.append(speaker.speaking))
    speaker.say(reply("e4"))
    speaker.close(finish=True)
    assert states == [True]


# A voice that fails


def test_a_dead_voice_is_told_once_and_the_game_goes_on(table: Table) -> None:
    table.voice.fails = True
    with table.voice.expecting("failed e4", "failed e5"):
        table.speaker.say(reply("e4"))
        table.speaker.say(reply("e5"))
        assert table.speaker.wait_until_silent(PATIENCE)
    assert table.troubles == ["The loudspeaker has gone."]
    assert table.outcomes == ["unheard e4", "unheard e5"]


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
        def say(self, sentence: Sentence, stop: threading.Event, at: float | None = None) -> bool:
            if sentence.text == "e4":
                raise ZeroDivisionError("no samples")
            return super().say(sentence, stop, at)

    troubles: list[str] = []
    voice = Faulty()
    speaker = Speaker(voice, on_trouble=troubles.append)
    speaker.say(reply("e4"))
    speaker.say(reply("e5"))
    speaker.close(finish=True)
    assert troubles == ["The voice has failed: no samples"]
    assert [sentence.text for sentence in voice.said] == ["e5"]


# The end


def test_closing_says_what_is_left_if_asked_to(table: Table) -> None:
    table.voice.finish(2)
    table.speaker.say(reply("e4"))
    table.speaker.say(reply("e5"))
    table.speaker.close(finish=True)
    assert (table.outcomes, table.voice.closed) == (["said e4", "said e5"], True)


def test_closing_falls_silent_at_once_otherwise(table: Table) -> None:
    with table.voice.expecting("begin e4"):
        table.speaker.say(reply("e4"))
    with table.voice.expecting("cut e4"):
        table.speaker.say(reply("e5"))
        table.speaker.close()
    assert sorted(table.outcomes) == ["cut e4", "dropped e5"]
    table.speaker.say(reply("Nf3"))
    assert len(table.outcomes) == 2


@settings(max_examples=60, deadline=None)
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
def test_every_sentence_is_accounted_for_exactly_once_and_replies_are_lost_only_on_purpose(
    given: list[tuple[Priority, str | None, bool]],
) -> None:
    sayings: list[Saying] = []
    speaker = Speaker(NoVoice(), on_said=sayings.append)
    cancelled = 0
    for number, (priority, key, cancels) in enumerate(given):
        speaker.say(Sentence(str(number), "en", priority, stale_key=key))
        if cancels:
            speaker.cancel()
            cancelled = number + 1
    speaker.close(finish=True)
    final = {saying.sentence.text: saying.outcome for saying in sayings}
    assert final.keys() == {str(number) for number in range(len(given))}
    assert len([saying for saying in sayings if saying.outcome is not Outcome.CUT]) <= len(given)
    for number, (priority, key, _cancels) in enumerate(given):
        is_replaced = key is not None and any(key == later for _priority, later, _ in given[number + 1 :])
        if number >= cancelled and not is_replaced and priority is not Priority.CHATTER:
            assert final[str(number)] is Outcome.SAID


def test_some_sentences_can_be_cancelled_and_the_others_go_on(table: Table) -> None:
    with table.voice.expecting("begin times"):
        table.speaker.say(reply("times", "times"))
        table.speaker.say(reply("e4"))
        table.speaker.say(reply("help", "help"))
    with table.voice.expecting("cut times", "begin e4", "end e4"):
        assert table.speaker.cancel(lambda sentence: sentence.stale_key is not None)
        table.voice.finish()
    assert table.speaker.wait_until_silent(PATIENCE)
    assert "dropped help" in table.outcomes
    assert not table.speaker.cancel(lambda sentence: True)
