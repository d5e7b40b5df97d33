"""Writes the pages of this folder anew: python -m docs.braille.generate"""

from pathlib import Path

from assistant.scoresheet.reference import reference_pages

if __name__ == "__main__":
    for name, page in reference_pages().items():
        Path(__file__).with_name(name).write_text(page, encoding="utf-8")
