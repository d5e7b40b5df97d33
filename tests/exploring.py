"""How many examples a property is tried with: as many as its test says, and more by `explore`."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> int:
    """Return a test's own number of examples, multiplied by what the profile in force multiplies them by."""
    return count * settings.default.max_examples // settings.get_profile("hector").max_examples
