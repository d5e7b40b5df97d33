"""Clock times in words: never "1:02", always "eine Stunde zwei Minuten"."""

from __future__ import annotations

from assistant.speaking.messages import _, _n, fill

HOURS = _n(
    # Translators: part of a clock time; {n} becomes a number in words.
    "{n} hour",
    "{n} hours",
)
MINUTES = _n(
    # Translators: part of a clock time; {n} becomes a number in words.
    "{n} minute",
    "{n} minutes",
)
SECONDS = _n(
    # Translators: part of a clock time; {n} becomes a number in words.
    "{n} second",
    "{n} seconds",
)
# Translators: a clock time below one second that has not run out.
LESS_THAN_A_SECOND = _("less than one second")


def duration_in_words(milliseconds: int, language: str) -> str:
    """Return a time left on a clock in words, never more than there is.

    From one hour upwards in hours and minutes, below in minutes and seconds. What is zero is left out, but a
    clock that has run out has "zero seconds". Times below zero count as zero.
    """
    seconds = max(milliseconds, 0) // 1000
    if milliseconds > 0 and not seconds:
        return "".join(text for _language, text in fill(LESS_THAN_A_SECOND, language))
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(HOURS, hours), (MINUTES, minutes)] if hours else [(MINUTES, minutes), (SECONDS, seconds)]
    spoken = [(unit, number) for unit, number in parts if number] or [(SECONDS, 0)]
    return " ".join(fill(unit, language, n=number)[0][1] for unit, number in spoken)
