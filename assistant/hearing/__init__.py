"""Sound to ranked transcripts."""

from assistant.hearing.archive import Archive
from assistant.hearing.fetching import fetch_model, fetched_models
from assistant.hearing.microphone import Block, Microphone, News, has_microphone, renew_portaudio, sounddevice
from assistant.hearing.models import AcousticModel, check_model, find_model, load_model
from assistant.hearing.recogniser import Recogniser
from assistant.hearing.sources import Recording

__all__ = [
    "AcousticModel",
    "Archive",
    "Block",
    "Microphone",
    "News",
    "Recogniser",
    "Recording",
    "check_model",
    "fetch_model",
    "fetched_models",
    "find_model",
    "has_microphone",
    "load_model",
    "renew_portaudio",
    "sounddevice",
]
