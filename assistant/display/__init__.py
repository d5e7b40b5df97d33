"""The live braille display: what is under the fingers, and the thin edge to BRLTTY that carries it there."""

from assistant.display.brltty import BrailleDisplay, check_display
from assistant.display.lines import lines_of, move_line
from assistant.display.screen import Key, Screen

__all__ = [
    "BrailleDisplay",
    "Key",
    "Screen",
    "check_display",
    "lines_of",
    "move_line",
]
