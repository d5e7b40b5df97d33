"""The sealed move of an adjourned game: the arbiter's key, the envelope, its sheets in print and braille.

The room does no input or output: it takes and gives text, bytes and plain records. It is made for games at
home and in the club, and as a copy: events rated by FIDE ask for a scoresheet of paper in an envelope
(Guideline I.1.1).
"""

from assistant.sealing.envelope import LONGEST_MOVE, Envelope, Occasion, SealError, for_box, open_, seal
from assistant.sealing.keys import PassphraseError, PublicKey, SecretKey, Work, new_key, public_key, unlock
from assistant.sealing.sheet import SHEET_FORMATS, envelope_sheet

__all__ = [
    "LONGEST_MOVE",
    "SHEET_FORMATS",
    "Envelope",
    "Occasion",
    "PassphraseError",
    "PublicKey",
    "SealError",
    "SecretKey",
    "Work",
    "envelope_sheet",
    "for_box",
    "new_key",
    "open_",
    "public_key",
    "seal",
    "unlock",
]
