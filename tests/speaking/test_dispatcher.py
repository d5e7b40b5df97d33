"""speech-dispatcher itself, with a server of its own on the virtual sound card."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest
from virtual_sound import Recording, VirtualSound

from assistant.errors import HectorError
from assistant.speaking import Sentence, Sentences, Speaker, SpeechDispatcherVoice

pytestmark = [
    pytest.mark.audio,
    # The client of python3-speechd ends its own thread by SystemExit, which threads take without a word.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
]

PATIENCE = 20.0
LONG = "Was steht auf Eva vier, wo steht der König, und noch viel mehr ist zu sagen"


@pytest.fixture
def server(virtual_sound: VirtualSound) -> Iterator[VirtualSound]:
    if importlib.util.find_spec("speechd") is None or shutil.which("speech-dispatcher") is None:
        pytest.skip("NO SPEECH-DISPATCHER: apt install speech-dispatcher python3-speechd")
    daemon = subprocess.Popen(
        ["speech-dispatcher", "-s", "-t", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield virtual_sound
    finally:
        daemon.terminate()
        daemon.wait()


@pytest.fixture
def ears(server: VirtualSound) -> Iterator[Recording]:
    with server.recording() as recording:
        yield recording


@pytest.fixture
def voice(server: VirtualSound) -> Iterator[SpeechDispatcherVoice]:
    """A voice, as soon as the server answers."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            connected = SpeechDispatcherVoice(rate=250)
            break
        except HectorError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    yield connected
    connected.close()


def test_a_sentence_ends_when_it_has_been_heard(ears: Recording, voice: SpeechDispatcherVoice) -> None:
    """So the microphone is not opened while the loudspeaker still speaks."""
    began = time.monotonic()
    assert voice.say(Sentences("en").not_legal(move="Dame Hector fünf"), threading.Event())
    ended = time.monotonic()
    assert voice.last_sample_time == pytest.approx(ended, abs=0.2)
    ears.wait_for_silence(0.5)
    sounding = ears.sounding(since=began)
    assert sounding is not None
    assert sounding[1] - sounding[0] > 0.8, "both languages of the sentence"
    assert sounding[1] < ended + 0.1


def test_a_sentence_is_cut_at_once_and_the_next_is_heard(
    ears: Recording, voice: SpeechDispatcherVoice
) -> None:
    speaker = Speaker(voice)
    speaker.say(Sentence(LONG, "de"))
    ears.wait_for_sound()
    cancelled = time.monotonic()
    speaker.cancel()
    assert speaker.wait_until_silent(PATIENCE)
    ears.wait_for_silence(0.4)
    sounding = ears.sounding()
    assert sounding is not None
    assert sounding[1] - cancelled < 0.5, "it would have gone on for seconds"
    again = time.monotonic()
    speaker.say(Sentence("eins", "de"))
    assert speaker.wait_until_silent(PATIENCE)
    ears.wait_for_sound(since=again)
    speaker.close()


def test_what_the_screen_readers_user_silences_is_known_to_be_cut(
    ears: Recording, voice: SpeechDispatcherVoice
) -> None:
    import speechd

    reader = speechd.SSIPClient("screen-reader")
    heard: list[bool] = []
    speaking = threading.Thread(
        target=lambda: heard.append(voice.say(Sentence(LONG, "de"), threading.Event()))
    )
    speaking.start()
    ears.wait_for_sound()
    reader.cancel(speechd.Scope.ALL)
    speaking.join(PATIENCE)
    reader.close()
    assert heard == [False]
