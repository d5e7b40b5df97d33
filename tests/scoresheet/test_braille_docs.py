"""docs/braille shows what the data say now."""

from __future__ import annotations

from pathlib import Path

from assistant.scoresheet.profiles import profile_names
from assistant.scoresheet.reference import reference_pages

DOCS = Path(__file__).resolve().parents[2] / "docs" / "braille"


def test_every_page_is_up_to_date():
    for name, page in reference_pages().items():
        assert (DOCS / name).read_text(encoding="utf-8") == page, (
            f"run: python docs/braille/generate.py ({name})"
        )


def test_there_is_a_page_for_every_profile_and_no_other():
    assert {path.stem for path in DOCS.glob("*.md")} == {"README", *profile_names()}
