"""Sound to ranked transcripts."""

from assistant.hearing.archive import Archive, Kept, kept_in
from assistant.hearing.corpus import Corpus
from assistant.hearing.deaf import Deaf, Listener
from assistant.hearing.engine import Samples
from assistant.hearing.enrolment import (
    FEWEST,
    Lesson,
    forget_voice,
    has_voice,
    load_voice,
    prove_learner,
    save_voice,
    teach,
    with_voice,
)
from assistant.hearing.fetching import fetch_model, fetched_models
from assistant.hearing.finding import find_model, lasting_name
from assistant.hearing.microphone import (
    MISSING,
    Block,
    Microphone,
    News,
    delivers_sound,
    has_microphone,
    renew_portaudio,
    sounddevice,
    usual_device,
)
from assistant.hearing.models import AcousticModel, load_model
from assistant.hearing.recogniser import Recogniser
from assistant.hearing.sources import Recording

__all__ = [
    "FEWEST",
    "MISSING",
    "AcousticModel",
    "Archive",
    "Block",
    "Corpus",
    "Deaf",
    "Kept",
    "Lesson",
    "Listener",
    "Microphone",
    "News",
    "Recogniser",
    "Recording",
    "Samples",
    "delivers_sound",
    "fetch_model",
    "fetched_models",
    "find_model",
    "forget_voice",
    "has_microphone",
    "has_voice",
    "kept_in",
    "lasting_name",
    "load_model",
    "load_voice",
    "prove_learner",
    "renew_portaudio",
    "save_voice",
    "sounddevice",
    "teach",
    "usual_device",
    "with_voice",
]
