"""A voice that begins while others talk farther away: what stands out of the talk is read by itself."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest

from assistant.announcements import build_phrasebook, load_vocabulary
from assistant.ears import ears_of
from assistant.hearing import Recogniser, load_model
from assistant.hearing.detector import louder_parts, stands_out_db
from assistant.sound import BLOCK
from assistant.utterance import Utterance
from benchmarks import voices
from benchmarks.bench import Bench, commands
from benchmarks.voices import Case, Samples

RATE = 16_000


def tone(seconds: float, decibels: float) -> np.ndarray:
    times = np.arange(int(seconds * RATE)) / RATE
    return np.round(10 ** (decibels / 20) * np.sin(2 * np.pi * 200 * times)).astype(np.int16)


def test_the_part_that_stands_out_begins_a_little_before_it_is_loud() -> None:
    [(begin, end), *_] = louder_parts(np.concatenate([tone(2, 40), tone(1, 60)]))
    assert 1.5 < begin / RATE < 1.9
    assert end == 3 * RATE


def test_it_ends_a_little_after_it_was_loud() -> None:
    [(begin, end), *_] = louder_parts(np.concatenate([tone(1, 60), tone(2, 40)]))
    assert begin == 0
    assert 1.1 < end / RATE < 1.5


def test_short_pauses_do_not_divide_a_voice() -> None:
    voice = [tone(0.4, 60), tone(0.3, 40), tone(0.4, 60)]
    parts = louder_parts(np.concatenate([tone(2, 40), *voice, tone(2, 40)]))
    assert parts
    assert all(1.5 < begin / RATE < 1.9 and 3.2 < end / RATE < 3.6 for begin, end in parts)


def test_a_slow_speaker_is_one_voice_too_and_his_words_are_tried_first_together() -> None:
    sound = np.concatenate([tone(2, 40), tone(0.4, 60), tone(1, 40), tone(0.4, 60), tone(2, 40)])
    (begin, end), *others = louder_parts(sound)
    assert 1.5 < begin / RATE < 1.9 and 3.9 < end / RATE < 4.3
    assert others and all(last - first < 1.2 * RATE for first, last in others)


def test_what_is_loud_after_a_long_pause_is_no_part_of_it() -> None:
    parts = louder_parts(np.concatenate([tone(1, 60), tone(2, 40), tone(1, 58), tone(1, 40)]))
    assert all(begin == 0 and end / RATE < 1.5 for begin, end in parts)


@pytest.mark.parametrize("seconds", [0.0, 0.1, 1.0, 4.0])
def test_nothing_stands_out_of_what_is_equally_loud(seconds: float) -> None:
    assert louder_parts(tone(seconds, 50)) == []
    assert louder_parts(np.zeros(int(seconds * RATE), np.int16)) == []
    assert louder_parts(np.zeros(BLOCK - 1, np.int16)) == []


def test_how_far_a_word_stands_out_of_what_is_around_it() -> None:
    sound = np.concatenate([tone(1, 40), tone(0.4, 60), tone(1, 40)])
    assert stands_out_db(sound, RATE, int(1.4 * RATE)) == pytest.approx(20, abs=1)
    assert stands_out_db(tone(2, 50), RATE, int(1.4 * RATE)) == pytest.approx(0, abs=1)


@pytest.mark.parametrize("constant", [150, 1500, -9000])
def test_the_constant_that_a_microphone_adds_is_no_sound(constant: int) -> None:
    sound = np.concatenate([tone(1, 40), tone(0.4, 60), tone(1, 40)])
    shifted = (sound + constant).astype(np.int16)
    assert stands_out_db(shifted, RATE, int(1.4 * RATE)) == pytest.approx(20, abs=1)
    assert louder_parts(shifted) == louder_parts(sound)


def test_a_word_with_nothing_around_it_stands_out() -> None:
    assert stands_out_db(tone(1, 40), 0, RATE) == math.inf
    assert stands_out_db(np.zeros(BLOCK, np.int16), 0, BLOCK) == math.inf


@pytest.fixture
def talk() -> None:
    """There is somebody who talks."""
    if not voices.available("de+m3"):
        pytest.skip("espeak-ng is not installed: nobody speaks")


def readings(recogniser: Recogniser, case: Case, sound: Samples) -> Iterator[tuple[Utterance, bool]]:
    """What is heard in the position of a case, and whether it is its move."""
    book = build_phrasebook(chess.Board(case.fen), load_vocabulary("de"))
    recogniser.restart()
    recogniser.expect(book.word_graph())
    for utterance in [*recogniser.accept(sound), *recogniser.finish()]:
        meanings = book.phrases.get(utterance.legal[0].words, ()) if utterance.legal else ()
        yield utterance, any(meaning.move == case.move for meaning in meanings)


@pytest.mark.slow
def test_a_command_is_understood_although_people_talk_on(talk: None) -> None:
    """Nobody waits until a hall falls silent."""
    vocabulary = load_vocabulary("de")
    bench = Bench(load_model(None), vocabulary)
    heard = commands(bench, voices.HELD_OUT, 12, [chess.STARTING_FEN], "babble 10")
    outcomes = [each.outcome(bench.thresholds) for each in heard]
    assert outcomes.count("right") >= 9
    assert "wrong" not in outcomes


ANNOUNCED = (
    ("1nk3r1/Bb4pp/2p5/1Nr1pn2/P3q1P1/5PRP/3pP3/1R1KbB2 b - - 0 40", "c5c1", "turm fuenf cesar eins schach"),
    ("rnbqkbnr/pppppp1p/8/6p1/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 2", "e2e3", "bauer zwo auf eva drei"),
    ("r1bk1r2/p1pp4/5n1p/2P1Pp1P/1p5P/N4P2/PBK3q1/1R4Q1 w - - 8 38", "c2b3", "koenig zwei nach bella drei"),
    (
        "rnb1k1nr/p6p/5q2/1p2P3/1P1p4/1NppQ1P1/PBPR2K1/2R4N b - - 4 40",
        "c3d2",
        "cesar drei schlaegt auf david zwo",
    ),
    (
        "r3n3/p3p2p/4P3/1kpr1p2/1P2P1P1/2p3PP/1PQ2N2/2RR2KB w - - 5 38",
        "g4g5",
        "gustav vier nach gustav fuenf",
    ),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "h2h4", "bauer hector zwei hector vier"),
    (
        "4k2r/1pqb3p/P1npppnb/Q1p1N1p1/2P1PP2/P4B1P/3P1KP1/RNBR4 b k - 4 21",
        "h8g8",
        "turm von hector acht auf gustav acht",
    ),
    (
        "4kN1r/6p1/npp5/2Pp1pbp/bR1P1P1P/4K1R1/r2B4/1Q3B2 w - - 4 35",
        "c5b6",
        "cesar fuenf schlaegt auf bella sechs",
    ),
    ("4rb2/2pk4/np1Ppppn/8/2P3bp/1K2PP1P/1B2N3/N4B1R w - - 0 31", "b3a2", "bella drei anna zwei"),
    (
        "4qbn1/5N2/bpk2p1p/p1p4p/PnPrp3/1P1p1N1P/5P2/1R2KB1R b K - 0 28",
        "d4c4",
        "david vier nimmt auf cesar vier",
    ),
)
"""Position, move and the words for it."""


@pytest.mark.slow
def test_announcements_are_understood_although_people_talk_before_them(talk: None) -> None:
    """Four talkers, 10 dB below the player, since three seconds."""
    vocabulary = load_vocabulary("de")
    recogniser = ears_of(load_model(None), vocabulary).recogniser
    understood = 0
    cases = [Case(fen, chess.Move.from_uci(move), tuple(said.split())) for fen, move, said in ANNOUNCED]
    for k, (_, case, wave) in enumerate(voices.spoken_cases(voices.HELD_OUT, {}, cases, 5)):
        samples, begin, _ = voices.recording(wave, "babble 10", np.random.default_rng(k), before=3.0)
        for utterance, is_right in readings(recogniser, case, samples):
            if is_right:
                assert abs(utterance.start - begin) < 0.7
                understood += 1
                break
    assert understood >= 8


@pytest.mark.slow
def test_who_speaks_slowly_among_talk_is_understood_as_a_whole(talk: None) -> None:
    """Two words, a pause, two words: each of them stands out of the talk, and fits better than all."""
    vocabulary = load_vocabulary("de")
    recogniser = ears_of(load_model(None), vocabulary).recogniser
    long = [case for case in voices.cases(vocabulary, 100, 5) if len(case.words) >= 5]
    understood = 0
    for k, case in list(enumerate(long))[1:10]:
        rng, voice = random.Random(k), voices.HELD_OUT[k % len(voices.HELD_OUT)]
        pieces = []
        for at in range(0, len(case.words), 2):
            pieces += [voices.say_words(voice, case.words[at : at + 2], rng), np.zeros(int(0.8 * RATE))]
        sound, _, _ = voices.recording(np.concatenate(pieces[:-1]), "babble 8", np.random.default_rng(k))
        understood += any(is_right for _, is_right in readings(recogniser, case, sound))
    assert understood >= 8
