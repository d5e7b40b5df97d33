"""Sound to ranked transcripts."""

from assistant.hearing.models import AcousticModel, check_model, find_model, load_model
from assistant.hearing.recogniser import Recogniser

__all__ = ["AcousticModel", "Recogniser", "check_model", "find_model", "load_model"]
