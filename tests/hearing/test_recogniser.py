"""What the recogniser makes of voices that its model was not trained on, and of what is no voice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import chess
import ears
import numpy as np
import pytest
from ears import RATE, book, in_room, quiet, say

from assistant import hearing
from assistant.announcements import (
    HEADS,
    Command,
    Meaning,
    build_phrasebook,
    decide,
    load_thresholds,
    load_vocabulary,
    open_grammar,
)
from assistant.ears import ears_of
from assistant.errors import HectorError
from assistant.hearing import Recogniser, load_model
from assistant.hearing.detector import SpeechDetector
from assistant.hearing.endpoint import Endpoint, settings_of
from assistant.hearing.engine import Decoder, levelled, played
from assistant.hearing.graph import Walker, prefix_tree
from assistant.hearing.kaldi import Stream
from assistant.hearing.listening import GraphEar, free, weighed
from assistant.hearing.workshop import Workshop
from assistant.table.caution import ALMOST
from assistant.utterance import Transcript, Utterance

ALONE = os.environ | {"PYTHONPATH": f"{Path(ears.__file__).parent}:{Path(__file__).parents[2]}"}


@pytest.fixture
def recogniser() -> Recogniser:
    return ears.fresh_recogniser()


@pytest.fixture
def model_copy(tmp_path: Path) -> Path:
    return ears.copy_of_model(tmp_path)


def best(utterances: list[Utterance]) -> list[str]:
    return [" ".join(utterance.legal[0].words) if utterance.legal else "" for utterance in utterances]


@pytest.mark.parametrize("voice", ["de+f4", "de+m3", "de+Annie"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Springer Felix drei", "springer felix drei"),
        ("Eva vier", "eva vier"),
        ("Bauer David zwei David vier", "bauer david zwei david vier"),
        ("Zeit", "zeit"),
    ],
)
def test_an_unknown_voice_is_understood(recogniser: Recogniser, voice: str, text: str, words: str) -> None:
    assert best(recogniser.accept(in_room(say(text, voice)))) == [words]


@pytest.mark.parametrize("voice", ["de+f4", "de+m3", "de+Annie"])
@pytest.mark.parametrize(
    ("text", "rights", "move"),
    [("Rochade kurz", "KQ", "e1g1"), ("Rochade lang", "KQ", "e1c1"), ("Rochade kurz", "Q", None)],
)
def test_the_side_of_castling_is_heard_behind_it_too(
    recogniser: Recogniser, voice: str, text: str, rights: str, move: str | None
) -> None:
    castling = book(f"4k3/8/8/8/8/8/8/R3K2R w {rights} - 0 1")
    recogniser.expect(castling.word_graph())
    (utterance,) = recogniser.accept(in_room(say(text, voice)))
    found = decide(utterance, castling, load_thresholds(ears.model().thresholds)).move
    assert found == (None if move is None else chess.Move.from_uci(move))


@pytest.mark.parametrize("voice", ["de+f4", "de+m3", "de+Annie"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ich biete Remis an", "ich biete remis an"),
        ("ich nehme an", "ich nehmean"),
        ("ich lehne ab", "ich lehne ab"),
        ("aufgegeben", "aufgegeben"),
        ("ich reklamiere Stellungswiederholung", "ich reklamiere stellungswiederholung"),
    ],
)
def test_what_a_player_would_say_in_german_is_not_taken_for_something_else(
    recogniser: Recogniser, voice: str, text: str, words: str
) -> None:
    (utterance,) = recogniser.accept(in_room(say(text, voice)))
    decision = decide(utterance, book(), load_thresholds(ears.model().thresholds))
    assert (decision.kind, decision.words) == ("accept", tuple(words.split()))


@pytest.mark.parametrize("voice", ["de+f4", "de+m3", "de+Annie"])
def test_what_a_pawn_becomes_is_heard_behind_umwandlung(recogniser: Recogniser, voice: str) -> None:
    promotion = book("8/4P1k1/8/8/8/8/6K1/8 w - - 0 1")
    recogniser.expect(promotion.word_graph())
    (utterance,) = recogniser.accept(in_room(say("Eva acht Umwandlung in Springer", voice)))
    decision = decide(utterance, promotion, load_thresholds(ears.model().thresholds))
    assert decision.move == chess.Move.from_uci("e7e8n")


def test_nothing_that_is_heard_needs_a_thread_to_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    recogniser = ears_of(ears.model(), load_vocabulary("de")).recogniser
    recogniser.expect(book().word_graph())

    def refused(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert best(recogniser.accept(in_room(say("Eva vier")))) == ["eva vier"]


def test_times_and_scores_describe_the_utterance(recogniser: Recogniser) -> None:
    speech = say("Springer Felix drei")
    (utterance,) = recogniser.accept(in_room(speech))
    assert utterance.start == pytest.approx(1.0, abs=0.12)
    assert utterance.end == pytest.approx(1.0 + len(speech) / RATE, abs=0.25)
    assert 0 < utterance.latency_ms < 1500
    assert utterance.frames * 0.03 == pytest.approx(len(speech) / RATE + 0.5, abs=0.4)
    assert abs(utterance.filler - utterance.legal[0].score) < 0.75 * utterance.frames
    assert all(a.score >= b.score for a, b in zip(utterance.legal, utterance.legal[1:], strict=False))


def test_an_utterance_can_be_heard_again_slower_and_faster(recogniser: Recogniser) -> None:
    (utterance,) = recogniser.accept(in_room(say("Springer Felix drei")))
    slower, faster = utterance.again()
    assert list(utterance.again()) == [slower, faster]
    assert best([slower, faster]) == 2 * best([utterance])
    assert slower.frames > utterance.frames > faster.frames
    assert (slower.start, slower.end) == (utterance.start, utterance.end)


def test_under_other_phrases_an_utterance_is_not_heard_again(recogniser: Recogniser) -> None:
    (utterance,) = recogniser.accept(in_room(say("Springer Felix drei")))
    recogniser.expect(book().word_graph())
    assert list(utterance.again()) == []


def test_what_is_played_slower_is_longer_and_lower() -> None:
    tone = (8000 * np.sin(np.arange(RATE) * 2 * np.pi * 500 / RATE)).astype(np.int16)
    slow = played(tone, 0.8)
    assert len(slow) == pytest.approx(RATE / 0.8, abs=2)
    peak = np.abs(np.fft.rfft(slow[:RATE])).argmax()
    assert peak == pytest.approx(400, abs=1)


def test_the_readings_do_not_depend_on_how_the_sound_is_cut_into_blocks(recogniser: Recogniser) -> None:
    sound = in_room(say("Gustav eins Felix drei"))
    (whole,) = recogniser.accept(sound)
    for size in (1, 7, 320, 1000, 4096):
        recogniser.restart()
        pieces = [sound[at : at + size].tobytes() for at in range(0, len(sound), size)]
        (found,) = [utterance for piece in pieces for utterance in recogniser.accept(piece)]
        assert (found.start, found.end, found.legal) == (whole.start, whole.end, whole.legal)


def test_an_illegal_announcement_is_heard_as_what_it_is(recogniser: Recogniser) -> None:
    (utterance,) = recogniser.accept(in_room(say("Dame Hector fünf")))
    assert utterance.grammatical[0].words == ("dame", "hector", "fuenf")
    assert utterance.grammatical[0].score > utterance.legal[0].score + 5


@pytest.mark.parametrize("voice", ["de+f4", "de+m3", "de+Annie"])
@pytest.mark.parametrize("pause", [0.0, 0.25])
def test_a_correction_and_the_right_move_are_heard_as_one(
    recogniser: Recogniser, voice: str, pause: float
) -> None:
    mending = build_phrasebook(chess.Board(), load_vocabulary("de"), heads=("correction",))
    recogniser.expect(mending.word_graph(), mending.open_grammar())
    sound = in_room(say("Korrektur", voice), pause, say("Springer Cäsar drei", voice))
    (utterance,) = recogniser.accept(sound)
    decision = decide(utterance, mending, load_thresholds(ears.model().thresholds))
    assert decision.kind == "accept"
    assert decision.meaning == Meaning(chess.Move.from_uci("b1c3"), Command("correction"))


@pytest.mark.parametrize("voice", ["de+f4", "de+m3", "de+Annie"])
@pytest.mark.parametrize("answer", ["Nein", "Ja"])
def test_a_move_behind_the_answer_to_a_question_is_heard(
    recogniser: Recogniser, voice: str, answer: str
) -> None:
    answering = build_phrasebook(chess.Board(), load_vocabulary("de"), heads=HEADS)
    recogniser.expect(answering.word_graph(), answering.open_grammar())
    sound = in_room(say(answer, voice), 0.1, say("Springer Cäsar drei", voice))
    (utterance,) = recogniser.accept(sound)
    decision = decide(utterance, answering, load_thresholds(ears.model().thresholds))
    assert (decision.kind, decision.move) == ("accept", chess.Move.from_uci("b1c3"))


@pytest.mark.parametrize("head", ["Nein", "Korrektur"])
def test_an_illegal_move_behind_a_no_or_a_correction_is_heard_as_what_it_is(
    recogniser: Recogniser, head: str
) -> None:
    either = build_phrasebook(chess.Board(), load_vocabulary("de"), heads=HEADS)
    recogniser.expect(either.word_graph(), either.open_grammar())
    (utterance,) = recogniser.accept(in_room(say(head), 0.1, say("Turm Anna vier")))
    decision = decide(utterance, either, load_thresholds(ears.model().thresholds))
    assert (decision.kind, decision.code) == ("ask", "illegal")
    assert decision.words[-3:] == ("turm", "anna", "vier")


def test_what_is_expected_later_without_it_is_heard_by_the_open_grammar_of_the_beginning(
    recogniser: Recogniser,
) -> None:
    answering = build_phrasebook(chess.Board(), load_vocabulary("de"), heads=HEADS)
    recogniser.expect(answering.word_graph(), answering.open_grammar())
    recogniser.expect(book().word_graph())
    (utterance,) = recogniser.accept(in_room(say("Nein"), 0.1, say("Turm Anna vier")))
    assert all(reading.words[0] != "nein" or len(reading.words) == 1 for reading in utterance.grammatical)


@pytest.mark.parametrize("text", ["Läufer Gustav fünf", "Turm Anna vier", "König David sieben"])
def test_some_phrase_of_the_position_comes_nearest_to_an_illegal_announcement(
    recogniser: Recogniser, text: str
) -> None:
    (utterance,) = recogniser.accept(in_room(say(text)))
    assert utterance.legal
    assert all(reading.words in book().phrases for reading in utterance.legal)


def _dear(words: tuple[str, ...]) -> float:
    return 1000.0 if "dame" in words else 0.0


def test_words_that_are_hardly_ever_said_are_believed_less() -> None:
    cheap = Recogniser(ears.model(), open_grammar=open_grammar(load_vocabulary("de")))
    dear = Recogniser(ears.model(), open_grammar=open_grammar(load_vocabulary("de")), price=_dear)
    for recogniser in (cheap, dear):
        recogniser.expect(book().word_graph())
    sound = in_room(say("Dame Hector fünf"))
    (plain,), (weighed,) = cheap.accept(sound), dear.accept(sound)
    assert plain.grammatical[0].words == ("dame", "hector", "fuenf")
    assert "dame" not in weighed.grammatical[0].words
    scores = {each.words: each.score for each in weighed.grammatical}
    assert weighed.grammatical[0].score == max(scores.values())
    for each in plain.grammatical:
        price = 0 if each.words in book().phrases else _dear(each.words)
        assert scores[each.words] == each.score - price


def test_a_phrase_that_is_likelier_goes_before_one_that_fits_a_little_better() -> None:
    fitting = Transcript(("dame", "hector", "fuenf"), 80.0)
    likely = Transcript(("bauer", "hector", "vier"), 75.0)
    position = Walker(book().word_graph())
    assert weighed([likely, fitting], free, position) == (fitting, likely)
    assert weighed([likely, fitting], _dear, position) == (likely, replace(fitting, score=-920.0))


def test_a_phrase_costs_nothing_where_it_is_one_of_the_position() -> None:
    fitting = Transcript(("dame", "hector", "fuenf"), 80.0)
    position = Walker(book("4k3/8/8/8/8/8/8/3QK3 w - - 0 1").word_graph())
    assert weighed([fitting], _dear, position) == (fitting,)


def test_a_phrase_of_the_position_is_believed_whatever_it_costs() -> None:
    recogniser = Recogniser(ears.model(), open_grammar=open_grammar(load_vocabulary("de")), price=_dear)
    recogniser.expect(book("4k3/8/8/8/8/8/8/3QK3 w - - 0 1").word_graph())
    (utterance,) = recogniser.accept(in_room(say("Dame Hector fünf")))
    assert utterance.legal[0] == utterance.grammatical[0]
    assert utterance.legal[0].words == ("dame", "hector", "fuenf")


def test_what_is_said_is_read_by_the_phrases_of_the_new_position(recogniser: Recogniser) -> None:
    sound = in_room(say("Dame Hector fünf"))
    recogniser.expect(book("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2").word_graph())
    assert best(recogniser.accept(sound)) == ["dame hector fuenf"]


def test_phrases_may_be_given_as_a_plain_list(recogniser: Recogniser) -> None:
    recogniser.expect([("springer", "felix", "drei"), ("ja",)])
    assert best(recogniser.accept(in_room(say("Springer Felix drei")))) == ["springer felix drei"]


@pytest.mark.parametrize("pause", [0.4, 0.7, 1.0, 1.7])
def test_a_pause_in_mid_announcement_does_not_cut_it(recogniser: Recogniser, pause: float) -> None:
    sound = in_room(say("Springer"), pause, say("Felix drei"))
    assert best(recogniser.accept(sound)) == ["springer felix drei"]


def test_a_slow_speaker_has_more_than_nine_seconds(recogniser: Recogniser) -> None:
    words = [
        part for word in ("Springer von Gustav", "eins", "nach", "Felix drei") for part in (say(word), 1.9)
    ]
    (utterance,) = recogniser.accept(in_room(*words))
    assert utterance.legal[0].words == ("springer", "von", "gustav", "eins", "nach", "felix", "drei")
    assert utterance.end - utterance.start > 9
    assert not utterance.is_cut


def test_what_is_cut_out_of_long_speech_is_known_as_a_part(recogniser: Recogniser) -> None:
    talk = "eins zwei drei vier fünf sechs sieben acht " * 3
    *parts, after = recogniser.accept(in_room(say(talk + "Springer Felix drei"), 4.0, say("Felix drei")))
    assert parts
    assert all(part.is_cut for part in parts)
    assert not after.is_cut


def test_what_comes_behind_a_cut_is_a_part_too(recogniser: Recogniser) -> None:
    talk = (
        "Wir gehen nachher noch in die Stadt und dann sehen wir mal weiter ob der Zug noch fährt "
        "sonst nehmen wir eben den Bus und kommen später an "
    )
    first, rest = recogniser.accept(in_room(say(talk + "Springer Felix drei")))
    assert rest.legal[0].words == ("felix", "drei")
    assert first.is_cut
    assert rest.is_cut


def test_a_voice_that_stands_out_of_long_talk_is_heard_as_a_whole(recogniser: Recogniser) -> None:
    talk = say("eins zwei drei vier fünf sechs sieben acht " * 4) // 20
    sound = in_room(talk)
    voice = say("Springer Felix drei")
    sound[5 * RATE : 5 * RATE + len(voice)] += voice
    assert ("springer", "felix", "drei") in [
        each.legal[0].words for each in recogniser.accept(sound) if each.legal and not each.is_cut
    ]


def test_the_end_of_a_recording_cuts_nothing(recogniser: Recogniser) -> None:
    recogniser.accept(in_room(say("Springer Felix drei"))[: -int(1.4 * RATE)])
    (utterance,) = recogniser.finish()
    assert not utterance.is_cut


def test_a_pause_in_an_illegal_announcement_does_not_cut_it_either(recogniser: Recogniser) -> None:
    (utterance,) = recogniser.accept(in_room(say("Dame"), 0.7, say("Hector fünf")))
    assert utterance.grammatical[0].words == ("dame", "hector", "fuenf")


def test_a_whole_phrase_that_may_go_on_is_waited_for_longer(recogniser: Recogniser) -> None:
    recogniser.expect([("turm", "eva", "acht"), ("turm", "eva", "acht", "schach")])
    sound = in_room(say("Turm Eva acht"), 0.3, say("Schach"))
    assert best(recogniser.accept(sound)) == ["turm eva acht schach"]


def test_two_announcements_with_a_pause_between_are_two(recogniser: Recogniser) -> None:
    sound = in_room(say("Springer Felix drei"), 1.0, say("Eva vier", "de+m3"))
    assert best(recogniser.accept(sound)) == ["springer felix drei", "eva vier"]


def test_an_announcement_that_breaks_off_is_a_fragment_and_no_legal_move(recogniser: Recogniser) -> None:
    (utterance,) = recogniser.accept(in_room(say("Springer"), 1.0))
    assert utterance.grammatical[0].words == ("springer",)
    assert ("springer",) not in {transcript.words for transcript in utterance.legal}


def test_a_whole_phrase_that_cannot_go_on_is_over_almost_at_once(recogniser: Recogniser) -> None:
    speech = say("Springer Felix drei")
    sound = in_room(speech)
    end = 1.0 + len(speech) / RATE
    for at in range(0, len(sound), 320):
        if recogniser.accept(sound[at : at + 320]):
            assert at / RATE - end < 0.35
            return
    pytest.fail("nothing was heard")


def test_the_first_word_is_not_taken_for_a_short_phrase_that_it_fits_badly() -> None:
    graph = prefix_tree([("zeit",), ("springer", "felix", "drei")])
    recogniser = Recogniser(ears.model(), open_grammar=graph)
    recogniser.expect(graph)
    strange, rest = say("Kreide"), say("Springer Felix drei")
    assert len(recogniser.accept(in_room(strange, 0.5, rest))) == 1
    assert len(recogniser.audio) > len(strange) + len(rest) + 0.5 * RATE
    recogniser.restart()
    assert best(recogniser.accept(in_room(say("Zeit"), 0.5, rest))) == ["zeit", "springer felix drei"]


def test_speech_right_after_hectors_own_is_heard_as_after_a_silence(recogniser: Recogniser) -> None:
    """Without a silence before it the network would not know where the word begins."""
    speech = say("Springer Felix drei")[len(say("Springer")) :]
    scores = []
    for deaf in (False, True):
        recogniser.restart()
        if deaf:
            recogniser.accept(quiet(2.0))
            recogniser.reset()
        else:
            recogniser.accept(quiet(0.6))
        utterances = recogniser.accept(np.concatenate([speech, quiet(1.0)])) + recogniser.finish()
        assert best(utterances) == ["felix drei"]
        first = utterances[0]
        scores.append((first.filler - first.legal[0].score) / first.frames)
    assert scores[1] == pytest.approx(scores[0], abs=0.1)


def test_speech_that_ends_with_the_stream_is_still_heard(recogniser: Recogniser) -> None:
    sound = np.concatenate([quiet(0.5), say("Eva vier")])
    assert best(recogniser.accept(sound) + recogniser.finish()) == ["eva vier"]


def test_speech_at_the_very_beginning_of_a_stream_is_heard(recogniser: Recogniser) -> None:
    sound = np.concatenate([say("Springer Felix drei"), quiet(1.0)])
    assert best(recogniser.accept(sound)) == ["springer felix drei"]


def test_another_stream_is_another_room(recogniser: Recogniser) -> None:
    noise = np.random.default_rng(5).standard_normal(3 * RATE) * 3000
    recogniser.accept(noise.astype(np.int16))
    recogniser.restart()
    soft = (say("Zeit") * 0.05).astype(np.int16)
    (utterance,) = recogniser.accept(np.concatenate([quiet(0.3), soft, quiet(1.5)]))
    assert best([utterance]) == ["zeit"]
    assert utterance.start == pytest.approx(0.3, abs=0.12)


def test_whoever_talks_without_a_pause_is_not_waited_for_without_end(recogniser: Recogniser) -> None:
    talk = np.concatenate([say("Springer Felix drei"), quiet(0.1)])
    first, *_ = recogniser.accept(np.concatenate([quiet(1.0), np.resize(talk, 12 * RATE)]))
    # Nine seconds, of which some lie before its beginning.
    assert first.end - first.start == pytest.approx(8.4, abs=0.3)


def test_a_noise_before_the_words_is_not_their_beginning(recogniser: Recogniser) -> None:
    chair = (np.random.default_rng(6).standard_normal(RATE // 2) * 600).astype(np.int16)
    (utterance,) = recogniser.accept(in_room(chair, say("Springer Felix drei")))
    assert best([utterance]) == ["springer felix drei"]
    assert utterance.start == pytest.approx(1.5, abs=0.15)


@pytest.mark.parametrize("level", [0.02, 0.1, 1.0, 2.5])
def test_the_level_does_not_matter(recogniser: Recogniser, level: float) -> None:
    speech = np.clip(say("Springer Felix drei") * level, -32768, 32767).astype(np.int16)
    assert best(recogniser.accept(in_room(speech))) == ["springer felix drei"]


def test_a_voice_is_understood_over_steady_noise(recogniser: Recogniser) -> None:
    sound = in_room(say("Springer Felix drei")).astype(float)
    noisy = sound + np.random.default_rng(1).standard_normal(len(sound)) * 400
    assert "springer felix drei" in best(recogniser.accept(noisy.astype(np.int16)) + recogniser.finish())


def test_a_word_stands_out_of_a_still_room_farther_than_of_other_voices(recogniser: Recogniser) -> None:
    sound = in_room(say("Zeit"))
    talk = say("Wir essen heute Abend Kartoffeln mit Salz und reden dabei lange ueber das Wetter.", "de+m3")
    (still,) = recogniser.accept(sound)
    recogniser.restart()
    mixed = sound + np.round(np.resize(talk, len(sound)) * 0.3).astype(np.int16)
    among = [each for each in recogniser.accept(mixed) + recogniser.finish() if each.legal]
    (zeit,) = [each for each in among if each.legal[0].words == ("zeit",)]
    assert still.stands_out > 30 > zeit.stands_out > 6


def silence() -> np.ndarray:
    return np.zeros(10 * RATE, np.int16)


def white() -> np.ndarray:
    return (np.random.default_rng(2).standard_normal(10 * RATE) * 2000).astype(np.int16)


def hum() -> np.ndarray:
    time = np.arange(10 * RATE) / RATE
    return (3000 * np.sin(2 * np.pi * 50 * time) + 1000 * np.sin(2 * np.pi * 150 * time)).astype(np.int16)


def clicks() -> np.ndarray:
    sound = quiet(10.0).copy()
    sound[:: RATE // 2][1:] = 20000
    return sound


@pytest.mark.parametrize("sound", [silence, white, hum, clicks, lambda: quiet(10.0)])
def test_what_is_no_voice_gives_nothing(recogniser: Recogniser, sound: object) -> None:
    samples = sound()  # type: ignore[operator]
    assert recogniser.accept(samples) + recogniser.finish() == []


def test_music_gives_nothing(recogniser: Recogniser) -> None:
    time = np.arange(4000) / RATE
    rng = np.random.default_rng(3)
    notes = []
    for _ in range(60):
        tone = 220 * 2 ** (rng.integers(0, 24) / 12)
        chord = sum(np.sin(2 * np.pi * tone * k * time) / k for k in (1, 2, 3, 1.5))
        notes.append(4000 * chord * np.exp(-6 * time))
    assert recogniser.accept(np.concatenate(notes).astype(np.int16)) + recogniser.finish() == []


def test_in_silence_nothing_is_under_way(recogniser: Recogniser) -> None:
    assert recogniser.accept(quiet(1.0)) == []
    assert not recogniser.hears_something


def test_whoever_expects_nothing_that_the_model_knows_hears_nothing(recogniser: Recogniser) -> None:
    with pytest.raises(HectorError):
        recogniser.expect([("no such word",)])
    recogniser.accept(np.concatenate([quiet(1.0), say("Springer")]))
    assert not recogniser.hears_something


def test_what_is_under_way_is_forgotten_when_hector_speaks_himself(recogniser: Recogniser) -> None:
    recogniser.accept(np.concatenate([quiet(1.0), say("Springer")]))
    assert recogniser.hears_something
    recogniser.reset()
    assert not recogniser.hears_something
    assert recogniser.accept(quiet(2.0)) == []


def test_the_sound_of_an_utterance_is_kept_for_the_archive(recogniser: Recogniser) -> None:
    speech = say("Springer Felix drei")
    recogniser.accept(in_room(speech))
    assert len(speech) <= len(recogniser.audio) <= len(speech) + RATE
    assert np.abs(recogniser.audio).max() == np.abs(speech).max()


def test_a_position_without_a_word_costs_no_decoder(
    recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = []
    load = Workshop.load

    def counted(workshop: Workshop, directory: Path, *, scale: float) -> Decoder:
        loaded.append(directory.name)
        return load(workshop, directory, scale=scale)

    monkeypatch.setattr(Workshop, "load", counted)
    recogniser.expect([("ja",)])
    recogniser.expect([("nein",)])
    assert not recogniser.accept(quiet(2.0))
    assert loaded == []
    (utterance,) = recogniser.accept(in_room(say("nein")))
    assert best([utterance]) == ["nein"]
    assert loaded == ["both"]


GROWTH = """
import gc, json, resource
from pathlib import Path

import chess
import ears

from assistant.announcements import build_phrasebook, load_vocabulary

vocabulary = load_vocabulary("de")
board = chess.Board()
graphs = []
for san in ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"):
    graphs.append(build_phrasebook(board, vocabulary).word_graph())
    board.push_san(san)
speech = ears.say("Springer Felix drei")
recogniser = ears.fresh_recogniser()


def state():
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6, len(list(Path("/proc/self/fd").iterdir()))


def hear(times):
    for graph in graphs * times:
        recogniser.expect(graph)
        recogniser.accept(speech[:8000])
        assert recogniser.hears_something
        recogniser.reset()
    return state()


print(json.dumps([hear(2), hear(6)]))
"""


def test_memory_stays_flat_over_many_positions() -> None:
    # In a process of its own: what other tests leave behind would grow and shrink with it.
    say("Springer Felix drei")  # which skips where there is no voice
    run = subprocess.run([sys.executable, "-c", GROWTH], env=ALONE, stdout=subprocess.PIPE, check=True)
    (before, descriptors), (after, still) = json.loads(run.stdout)
    assert after - before < 15
    assert still == descriptors


@pytest.mark.parametrize("voice", ["de+f4", "de+m3"])
def test_what_is_hopelessly_foreign_is_decided_without_the_positions_own_graph(
    recogniser: Recogniser, voice: str, model_copy: Path
) -> None:
    # A pause for the longest wait: the end of it may fit a phrase that goes on.
    talk = in_room(say("Morgen früh wollen sie zusammen ins Schwimmbad gehen", voice), 1.0)
    (spared,) = recogniser.accept(talk)
    settings = Path(hearing.__file__).with_name("endpoint.toml").read_text(encoding="utf-8")
    settings = settings.replace("hopeless_foreign = 1.3", "hopeless_foreign = 1000.0")
    (model_copy / "endpoint.toml").write_text(settings, encoding="utf-8")
    patient = ears_of(load_model(model_copy), load_vocabulary("de"))
    patient.recogniser.expect(book().word_graph())
    (looked_for,) = patient.recogniser.accept(talk)
    assert looked_for.legal and not spared.legal
    decisions = [decide(each, book(), patient.thresholds) for each in (looked_for, spared)]
    assert [(each.kind, each.code) for each in decisions] == [("reject", "foreign")] * 2


def test_what_is_asked_for_again_is_not_hopelessly_foreign() -> None:
    endpoint = settings_of(Endpoint, ears.model().settings("endpoint"))
    thresholds = load_thresholds(ears.model().thresholds)
    asked_again = max(ALMOST * thresholds.announcement.foreign, thresholds.long_foreign)
    assert endpoint.hopeless_foreign > asked_again


def test_settings_beside_the_model_go_before_the_builtin_ones(model_copy: Path) -> None:
    (model_copy / "endpoint.toml").write_text("[detector]\nstart_db = 1.0\n[endpoint]\nlook = 1.0\n")
    with pytest.raises(HectorError, match="missing"):
        ears_of(load_model(model_copy), load_vocabulary("de"))


def test_settings_beside_the_model_that_no_program_can_read_are_told(model_copy: Path) -> None:
    (model_copy / "endpoint.toml").write_text(f"[endpoint]\nlook = {'9' * 5000}\n")
    with pytest.raises(HectorError, match="cannot be used"):
        ears_of(load_model(model_copy), load_vocabulary("de"))


def test_a_model_that_only_vosk_can_compute_hears_the_same(model_copy: Path) -> None:
    """One that has its statistics as text, for example: the filler is then a decoder as well."""
    statistics = model_copy / "am" / "global_cmvn.stats"
    rows = [" ".join(map(str, row)) for row in Stream(statistics.read_bytes(), 2).matrix().tolist()]
    statistics.write_text(" [\n" + "\n".join(rows) + " ]\n")
    samples = levelled(in_room(say("Springer Felix drei")))
    grammar = open_grammar(load_vocabulary("de"))
    ours, theirs = (
        GraphEar(each, grammar, unfinished=10.0) for each in (ears.model(), load_model(model_copy))
    )
    readings = theirs.read(samples)
    assert readings == ours.read(samples)
    assert 0 < theirs.filler(samples)() < readings.score


def test_no_word_of_the_c_library_reaches_the_screen_reader(capfd: pytest.CaptureFixture[str]) -> None:
    recogniser = ears_of(ears.model(), load_vocabulary("de")).recogniser
    recogniser.expect([("ja",)])
    recogniser.accept(in_room(say("Springer Felix drei")))
    assert capfd.readouterr().err == ""


def test_the_floor_follows_a_room_that_becomes_loud() -> None:
    detector = SpeechDetector()
    rng = np.random.default_rng(4)
    for amplitude in (5, 500, 50, 3000):
        heard = []
        for _ in range(200):
            heard.append(detector.accept((rng.standard_normal(320) * amplitude).astype(np.int16)))
        assert not any(heard[-80:]), amplitude


def test_murmur_after_a_loud_voice_is_neither_speech_nor_sound_at_once() -> None:
    """Some 4 dB above the room: with nothing loud before it, it would be both."""
    for before in (100, 3000):
        detector, rng = SpeechDetector(), np.random.default_rng(4)
        heard = []
        for amplitude, blocks in ((100, 200), (before, 30), (170, 25)):
            for _ in range(blocks):
                speech = detector.accept((rng.standard_normal(320) * amplitude).astype(np.int16))
                heard.append((speech, detector.sound))
        assert heard[-5:] == [(before == 100,) * 2] * 5


def test_a_soft_first_word_in_noise_belongs_to_the_announcement(recogniser: Recogniser) -> None:
    soft = (say("Springer") * 0.15).astype(np.int16)
    sound = in_room(1.0, soft, 0.05, say("Felix drei")).astype(float)
    noisy = sound + np.random.default_rng(3).standard_normal(len(sound)) * 250
    assert best(recogniser.accept(noisy.astype(np.int16))) == ["springer felix drei"]


def test_what_stands_out_a_little_is_a_sound_if_it_lasts() -> None:
    """3 dB: less than a beginning has to have, and the detector says since when it has been there."""
    detector = SpeechDetector()
    rng = np.random.default_rng(4)
    room = [detector.accept((rng.standard_normal(320) * 100).astype(np.int16)) for _ in range(200)]
    assert not any(room[100:])
    for block in range(1, 40):
        if detector.accept((rng.standard_normal(320) * 150).astype(np.int16)):
            assert 3 < block < 30
            assert detector.rising == pytest.approx(block, abs=5)
            return
    pytest.fail("nothing was noticed")
