"""The words in answer to what somebody sent, by name; `texts` has them among all others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assistant.speaking import Message, _

ANSWERS: Final[Mapping[str, Message]] = {
    # Translators: told after signing in.
    "signed-in": _("You are signed in."),
    # Translators: told after signing out.
    "signed-out": _("You are signed out."),
    # Translators: a wrong PIN was given; {seconds} is a number in digits.
    "pin-wrong": _("The PIN is wrong. Seconds until the next try: {seconds}."),
    # Translators: too many wrong PINs; {seconds} is a number in digits.
    "pin-wait": _("After a wrong PIN nobody can sign in for a while. Seconds until the next try: {seconds}."),
    # Translators: somebody signs in as whom nobody is.
    "pin-none": _("There is no PIN for that in this game."),
    # Translators: told after an action was not carried out.
    "cancelled": _("Cancelled; nothing has happened."),
    "one-at-a-time": _(
        # Translators: told when a second action is asked for while the first waits for its confirmation.
        "Another action is still under way. Finish it first; this one was not carried out."
    ),
    "late": _(
        # Translators: told when something was sent and no answer comes; {button} is what stands on the button
        # with which one waits no longer.
        'There is no answer yet. It is sent again until there is one, and done once. "{button}" gives it up.'
    ),
    # Translators: button: whoever waits for an answer waits no longer.
    "give-up": _("Stop waiting"),
    # Translators: told when an action was carried out and nothing else is to say.
    "done": _("Done."),
    # Translators: the same request came a second time.
    "done-already": _("This was carried out already; it is not done twice."),
    # Translators: told to the opponent after his move was entered.
    "announced": _("Announced: {move}. Press the clock when it stands on the board."),
    # Translators: told after the clock was pressed.
    "pressed": _("Your clock is stopped."),
    # Translators: told after the opponent repeated the announcement.
    "repeated": _("Repeated: {move}."),
    "stale": _(
        # Translators: the page showed an older position than there is now.
        "The game has gone on since your page showed it. Look at the position and send it again "
        "if you still want it."
    ),
    "seal-unseen": _(
        # Translators: the opponent tried to move on the page's board while a move is to be sealed.
        "A move is to be sealed. Write it in the field for it: there nobody sees it."
    ),
    # Translators: told to the opponent, who is to seal his move: the arbiter has no key yet.
    "seal-no-key": _("No move can be sealed yet; call the arbiter."),
    "move-unclear": _(
        # Translators: the text of a move could not be read as one move.
        "That could not be read as one move. Write it from square to square, for example g1f3."
    ),
    # Translators: a move was written with the sign of a draw offer; (=) stays.
    "offer-apart": _("The draw is offered apart: write the move without (=), then offer the draw."),
    # Translators: told to the opponent whose move cannot be: nothing is told of why.
    "no-move": _("That cannot be recorded as a move."),
    # Translators: the text of a move fits several; {moves} is a list.
    "move-several": _("That fits several moves: {moves}. Write which one."),
    # Translators: somebody wants to do what is not his.
    "refused-role": _("You may not do that here. Sign in with the PIN for it."),
    # Translators: nobody may see anything without a PIN.
    "refused-pin": _("This page asks for a PIN. Sign in first."),
    # Translators: the page was asked for under a foreign name.
    "refused-host": _("This page answers only under its own address."),
    # Translators: a request came from another page.
    "refused-origin": _("The request came from another page and was not carried out."),
    # Translators: a request came without the token of the page.
    "refused-token": _("The request did not come from this page in its present state. Load the page again."),
    # Translators: a request was too long.
    "refused-large": _("The request is too long and was not read."),
    # Translators: a request could not be read.
    "refused-form": _("The request could not be read; nothing has happened."),
    # Translators: a field of a form is wrong; {field} is its label.
    "refused-field": _("{field}: this cannot be read."),
    # Translators: a field of a form is empty; {field} is its label.
    "refused-missing": _("{field}: please fill this in."),
    # Translators: all fields of a form are empty of which any one would do.
    "refused-all-empty": _("All fields are empty: please fill in at least one."),
    # Translators: what is wrong in a field of a form; {field} is its label, {fault} a sentence.
    "wrong-in": _("{field}: {fault}"),
    # Translators: too many pages are open.
    "refused-busy": _("Too many pages are open. Close one and try again."),
    # Translators: there is no such page.
    "refused-unknown": _("There is nothing at this address."),
    # Translators: the table did not answer a request in time.
    "no-answer": _("The table does not answer. Look at the page before you send it again."),
    # Translators: told when a request met with a fault of the program; perhaps it was carried out.
    "failed": _(
        "A fault in Hector got in the way; the game goes on. Look at the page before you send it again."
    ),
    # Translators: something could not be done; {reason} is a sentence.
    "ruled-refused": _("Not done. {reason}"),
    # Translators: told when something needs the clock to be started first.
    "not-started": _("The clock has not been started."),
    # Translators: told to the arbiter who would sign for a player who sees.
    "sign-own": _("{side} signs the result on his own page."),
    # Translators: answer to the arbiter: what the player having the move must write down.
    "recording-free": _("The player having the move need not record the moves."),
    # Translators: answer to the arbiter: what the player having the move must write down.
    "recording-own-move": _("The player having the move must have recorded his last move before the next."),
    # Translators: answer to the arbiter: what the player having the move must write down.
    "recording-complete": _("The player having the move completes his scoresheet before he moves."),
    # Translators: something is refused that is possible only after the end.
    "not-over": _("The game is not over."),
    # Translators: a passphrase was sent from another computer.
    "refused-passphrase": _("The passphrase is taken only on the computer itself, never over a network."),
}
"""What was done, what was not and why, what is to be mended before it is sent again."""
