"""Hector: the assistant that a blind or visually impaired chess player takes to the board."""

__version__ = "0.1.0"
