"""The errors a person is told about."""

from __future__ import annotations


class HectorError(ValueError):
    """Something a person can mend: the message is one clear sentence that says what is wrong and how.

    `status` is the exit status of the command that ends with it: 1 when something failed, 2 when the
    command was used wrongly.
    """

    status = 1


class UsageError(HectorError):
    """The command, an argument or an input was wrong."""

    status = 2
