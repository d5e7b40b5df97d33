"""Words and moves: the vocabulary of a locale, announcements, their parsing, and deciding what was said.

A pure room: nothing here hears, speaks or keeps time, and only `load_vocabulary` and `load_thresholds`
read a file.
"""

from assistant.announcements.deciding import decide
from assistant.announcements.decision import Decision, Margins, mended
from assistant.announcements.forms import announce, spoken_forms
from assistant.announcements.geometry import can_be, price_of
from assistant.announcements.grammar import open_grammar, sample
from assistant.announcements.loading import COMMANDS, load_vocabulary, parse_vocabulary
from assistant.announcements.phrasebook import Meaning, Phrasebook, behind, build_phrasebook
from assistant.announcements.questions import (
    Question,
    answer_phrasebook,
    can_be_asked,
    claim_answers,
    what_differs,
)
from assistant.announcements.reading import Reading, Said, parse, said_in
from assistant.announcements.reasons import Reason
from assistant.announcements.thresholds import Limits, Thresholds, load_thresholds
from assistant.announcements.vocabulary import ANSWERS, HEADS, Command, Vocabulary, Words, without_accents

__all__ = [
    "ANSWERS",
    "COMMANDS",
    "HEADS",
    "Command",
    "Decision",
    "Limits",
    "Margins",
    "Meaning",
    "Phrasebook",
    "Question",
    "Reading",
    "Reason",
    "Said",
    "Thresholds",
    "Vocabulary",
    "Words",
    "announce",
    "answer_phrasebook",
    "behind",
    "build_phrasebook",
    "can_be",
    "can_be_asked",
    "claim_answers",
    "decide",
    "load_thresholds",
    "load_vocabulary",
    "mended",
    "open_grammar",
    "parse",
    "parse_vocabulary",
    "price_of",
    "said_in",
    "sample",
    "spoken_forms",
    "what_differs",
    "without_accents",
]
