"""Speaking: events and requests become sentences, sentences become speech."""

from assistant.speaking.answers import answer_of
from assistant.speaking.durations import duration_in_words
from assistant.speaking.equipment import Device, EquipmentSentences
from assistant.speaking.espeak import Sound, check_voice, synthesise
from assistant.speaking.events import (
    Hearers,
    another_move,
    declaration,
    due_move,
    event_sentences,
    without_echoes,
)
from assistant.speaking.loudspeaker import Loudspeaker
from assistant.speaking.messages import (
    LANGUAGES,
    Message,
    _,
    _n,
    _p,
    choose_language,
    fill,
    german,
    translate,
)
from assistant.speaking.numbers import number_in_words
from assistant.speaking.outputs import Both, Instead, Nowhere, Output, WavFile, at_rate, check_new
from assistant.speaking.practice import PracticeSentences
from assistant.speaking.refusals import gives_reason
from assistant.speaking.sentence import Audience, Priority, Sentence, compose
from assistant.speaking.sentences import Sentences
from assistant.speaking.speaker import Loss, Speaker
from assistant.speaking.telling import told
from assistant.speaking.voice import (
    Backend,
    EspeakVoice,
    SpeechDispatcherVoice,
    VoiceSettings,
)
from assistant.speaking.wording import (
    CLAIMS,
    CLAIMS_WITH_A_MOVE,
    ENDINGS,
    SIDES,
    to_decide,
)

__all__ = [
    "CLAIMS",
    "CLAIMS_WITH_A_MOVE",
    "ENDINGS",
    "LANGUAGES",
    "SIDES",
    "Audience",
    "Backend",
    "Both",
    "Device",
    "EquipmentSentences",
    "EspeakVoice",
    "Hearers",
    "Instead",
    "Loss",
    "Loudspeaker",
    "Message",
    "Nowhere",
    "Output",
    "PracticeSentences",
    "Priority",
    "Sentence",
    "Sentences",
    "Sound",
    "Speaker",
    "SpeechDispatcherVoice",
    "VoiceSettings",
    "WavFile",
    "_",
    "_n",
    "_p",
    "another_move",
    "answer_of",
    "at_rate",
    "check_new",
    "check_voice",
    "choose_language",
    "compose",
    "declaration",
    "due_move",
    "duration_in_words",
    "event_sentences",
    "fill",
    "german",
    "gives_reason",
    "number_in_words",
    "synthesise",
    "to_decide",
    "told",
    "translate",
    "without_echoes",
]
