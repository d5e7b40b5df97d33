"""The words of the log, by name; `texts` has them among all others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assistant.speaking import Message, _

LOG: Final[Mapping[str, Message]] = {
    # Translators: log: an announcement; {move} in notation.
    "log-announced": _("{side} announced {move}."),
    # Translators: log: a slip was corrected.
    "log-corrected": _("{side} corrected the announcement: {move}."),
    # Translators: log, for the arbiter: what was heard.
    "log-heard": _("heard as: {words}"),
    # Translators: log: a player pressed the clock; times in digits.
    "log-completed": _("{side} pressed the clock after {move}. White {white}, Black {black}."),
    # Translators: log: a move was completed in a game without a clock.
    "log-completed-clockless": _("{side} completed {move}."),
    # Translators: log: the opponent repeated the announcement.
    "log-repeated": _("{side} repeated the announcement."),
    # Translators: log: the opponent repeated another move than the announced one; {move} was announced.
    "log-differs": _("{side} repeated another move than {move}."),
    # Translators: log: a time control was reached.
    "log-period": _("{side} reached the time control."),
    # Translators: log: men were touched.
    "log-touched": _("{side} touched {squares}."),
    # Translators: log: men were adjusted.
    "log-adjusted": _("{side} adjusted {squares}."),
    # Translators: log, for the arbiter: a man was put on its square; {move} in notation.
    "log-placed": _("{side} placed {move} on the board."),
    # Translators: log, for the arbiter, beside a ruling: what he has written of it.
    "log-reason": _("reason: {reason}"),
    # Translators: two remarks of the same thing, such as two reasons, one behind the other.
    "log-further": _("{remark}; {further}"),
    # Translators: log, for the arbiter, beside a penalty; {points} is a number.
    "log-points": _("points: {points}"),
    # Translators: log, for the arbiter, beside clocks that were set; {moves} in digits.
    "log-counter": _("move counter: {moves}"),
    # Translators: log: a player has come.
    "log-arrived": _("{side} is at the board."),
    # Translators: log, for the arbiter: a player has asked for him at the board.
    "called": _("{side} calls the arbiter."),
    # Translators: a player has stopped the clocks because he needs the arbiter.
    "called-and-stopped": _("{side} has stopped the clocks and calls the arbiter."),
    # Translators: log, for the arbiter: he has come to the player who called him.
    "log-came": _("The arbiter has come."),
    # Translators: told to the arbiter who answers a call that is none.
    "no-call": _("Nobody calls you."),
    # Translators: log, for the arbiter: the program or the computer had failed; {time} in digits.
    "log-interruption": _("Hector was interrupted: {time}. No clock ran."),
    # Translators: log, for the arbiter: the program or the computer had failed; nobody knows for how long.
    "log-interruption-unknown": _("Hector was interrupted. No clock ran."),
    # Translators: log, for the arbiter: somebody closed the lid in the middle of the game; {time} in digits.
    "log-sleep": _("The computer slept: {time}. No clock ran."),
    # Translators: log, for the arbiter: the program had been stopped, or could not go on; {time} in digits.
    "log-stopped": _("Hector stood still: {time}. The clock ran on."),
    "log-set-forward": _(
        # Translators: log, for the arbiter: somebody has set the computer's clock; {time} in digits.
        "The computer's time of day was set forward: {time}. The chess clocks are not affected."
    ),
    "log-set-back": _(
        # Translators: log, for the arbiter: somebody has set the computer's clock; {time} in digits.
        "The computer's time of day was set back: {time}. The chess clocks are not affected."
    ),
    # Translators: log, for the arbiter: a player has said j'adoube.
    "log-adjusts": _("{side} adjusts men."),
    # Translators: log, for the arbiter: a player has said "Korrektur", and not yet which move is right.
    "log-takes-back": _("{side} takes the announcement back."),
    # Translators: log, for the arbiter: a player has said "Korrektur", and then that it was no slip.
    "log-lets-stand": _("{side} lets the announcement stand after all."),
    # Translators: log, for the arbiter: Hector has warned a player; {time} is what he has left.
    "log-warning": _("{side} was warned of the time: {time}."),
    # Translators: log: a remark for the record.
    "log-note": _("Remark: {text}"),
    # Translators: log, for the arbiter: somebody asked something.
    "log-answer": _("{who}, question: {about}."),
    # Translators: log: who did it, on the page.
    "log-by-opponent": _("on the opponent's page"),
    # Translators: log: who did it, on the page.
    "log-by-arbiter": _("on the arbiter's page"),
    # Translators: log, for the arbiter: something was refused; {reason} is a sentence.
    "log-refused": _("Refused: {reason}"),
    # Translators: log: something happened that cannot be put into words.
    "log-fault": _("A fault in Hector: what happened here cannot be shown."),
}
"""What happened, and who called whom."""
