"""What the arbiter can do, by the verbs of the game script: its titles, and what it will do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assistant.speaking import Message, _

TITLES: Final[Mapping[str, Message]] = {
    # Translators: the title of one of the arbiter's forms.
    "start": _("Start the clock"),
    # Translators: the title of one of the arbiter's forms.
    "stop-clock": _("Stop the clocks"),
    # Translators: the title of one of the arbiter's forms.
    "resume": _("Let the clocks run again"),
    # Translators: the title of one of the arbiter's forms.
    "set-clock": _("Set the times and the move counter"),
    # Translators: the title of one of the arbiter's forms.
    "arrive": _("A player has come"),
    # Translators: the title of one of the arbiter's forms.
    "undo": _("Withdraw the last line"),
    # Translators: the title of one of the arbiter's forms.
    "rule": _("Rule on the open question"),
    # Translators: the title of one of the arbiter's forms.
    "penalty": _("Impose a penalty"),
    # Translators: the title of one of the arbiter's forms.
    "result": _("Declare the result"),
    # Translators: the title of one of the arbiter's forms.
    "restore": _("Restore a position"),
    # Translators: the title of one of the arbiter's forms.
    "sheets": _("Compare the two scoresheets"),
    # Translators: the title of one of the arbiter's forms.
    "announce": _("Announce a move"),
    # Translators: the title of one of the arbiter's forms.
    "place": _("Note a move placed on the board"),
    # Translators: the title of one of the arbiter's forms.
    "repeat": _("Note a repetition of the announcement"),
    # Translators: the title of one of the arbiter's forms.
    "correct": _("Correct a slip of the tongue"),
    # Translators: the title of one of the arbiter's forms.
    "press": _("Press a player's clock"),
    # Translators: the title of one of the arbiter's forms.
    "touch": _("Note touched men"),
    # Translators: the title of one of the arbiter's forms.
    "adjust": _("Note adjusted men"),
    # Translators: the title of one of the arbiter's forms.
    "offer-draw": _("Pass on a draw offer"),
    # Translators: the title of one of the arbiter's forms.
    "accept-draw": _("Pass on that a draw is accepted"),
    # Translators: the title of one of the arbiter's forms.
    "decline-draw": _("Pass on that a draw is declined"),
    # Translators: the title of one of the arbiter's forms.
    "resign": _("Pass on a resignation"),
    # Translators: the title of one of the arbiter's forms.
    "claim": _("Make or pass on a claim"),
    # Translators: the title of one of the arbiter's forms.
    "ask": _("Ask the program"),
    # Translators: the title of one of the arbiter's forms.
    "note": _("Write a remark into the journal"),
    # Translators: the title of one of the arbiter's forms.
    "adjourn": _("Adjourn: order to seal"),
    # Translators: what a line of the record does.
    "seal": _("Seal a move"),
    # Translators: the title of one of the arbiter's forms.
    "open-envelope": _("Open the envelope"),
    # Translators: the title of one of the arbiter's forms.
    "envelope-lost": _("The envelope is lost"),
    # Translators: the title of one of the arbiter's forms.
    "sign": _("Sign the result"),
    # Translators: the title of one of the arbiter's forms.
    "close": _("Close the page"),
}
"""What each of the arbiter's forms does, and the players' sealing, by the verb of the game script."""

SENTENCES: Final[Mapping[str, Message]] = {
    # Translators: what the arbiter's action will do, before he does it.
    "start": _("The clock of the player who has the move will be started."),
    # Translators: what the arbiter's action will do, before he does it.
    "stop-clock": _("Both clocks will be stopped."),
    # Translators: what the arbiter's action will do, before he does it.
    "resume": _("The clock will run again."),
    # Translators: what the arbiter's action will do, before he does it.
    "set-clock": _("The clocks will be set: White {white}, Black {black}, move counter {moves}."),
    # Translators: what the arbiter's action will do, before he does it.
    "arrive": _("{side} will be noted as being at the board."),
    # Translators: what the arbiter's action will do, before he does it; {line} is the title of a form, with
    # names and a time.
    "undo": _("The last line of this record will be withdrawn: {line}."),
    # Translators: what the arbiter's action will do, before he does it.
    "rule": _('The question "{question}" will be answered: {claim}. Time for the opponent: {seconds}.'),
    # Translators: what the arbiter's action will do, before he does it.
    "penalty": _("{side} will be penalised: {kind}. Time: {seconds}. Points: {points}. Reason: {reason}."),
    # Translators: what the arbiter's action will do, before he does it.
    "result": _("The game will end by your decision with the result {result}."),
    "restore": _(
        # Translators: what the arbiter's action will do, before he does it.
        "The position after half-move {ply} will be put back{after}. What came later is deleted; "
        "the clocks change only when you set them."
    ),
    # Translators: what the arbiter's action will do, before he does it.
    "sheets": _("The two scoresheets will be compared; nothing in the game changes."),
    # Translators: what the arbiter's action will do, before he does it.
    "announce": _("{move} will be recorded as announced by {side}."),
    # Translators: what the arbiter's action will do, before he does it.
    "place": _("{move} will be recorded as placed on the board by {side}."),
    # Translators: what the arbiter's action will do, before he does it.
    "repeat": _("It will be recorded that {side} repeated {move}."),
    # Translators: what the arbiter's action will do, before he does it.
    "correct": _("The announcement of {side} will be corrected to {move}."),
    # Translators: what the arbiter's action will do, before he does it.
    "press": _("The clock of {side} will be pressed for him."),
    # Translators: what the arbiter's action will do, before he does it.
    "touch": _("It will be recorded that {side} touched {squares}."),
    # Translators: what the arbiter's action will do, before he does it.
    "adjust": _("It will be recorded that {side} adjusted {squares}."),
    # Translators: what the arbiter's action will do, before he does it.
    "offer-draw": _("A draw offer by {side} will be recorded."),
    # Translators: what the arbiter's action will do, before he does it.
    "accept-draw": _("It will be recorded that {side} accepts the draw; the game ends."),
    # Translators: what the arbiter's action will do, before he does it.
    "decline-draw": _("It will be recorded that {side} declines the draw."),
    # Translators: what the arbiter's action will do, before he does it.
    "resign": _("{side} will resign; the game ends."),
    # Translators: what the arbiter's action will do, before he does it.
    "claim": _("A claim will be made by {side}: {of}. Move: {move}. Stop the clocks: {wait}."),
    # Translators: what the arbiter's action will do, before he does it.
    "ask": _("You will be told, and nobody else: {about}."),
    # Translators: what the arbiter's action will do, before he does it.
    "note": _("This remark will be written into the journal: {about}."),
    # Translators: what the arbiter's action will do, before he does it.
    "adjourn": _("The player who has the move will be told to seal it. Resumption: {resumption}."),
    "open-envelope": _(
        # Translators: what the arbiter's action will do, before he does it.
        "The envelope will be opened, in the presence of the player who must reply, and the sealed move made."
    ),
    "envelope-lost": _(
        # Translators: what the arbiter's action will do, before he does it.
        "The envelope will be recorded as lost: the adjourned position and times stand, and the "
        "player who sealed makes the move he sealed."
    ),
    # Translators: what the arbiter's action will do, before he does it.
    "sign": _("{side} signs the result {result}; a blind player confirms it before you as witness."),
    # Translators: what the arbiter's action will do, before he does it.
    "close": _("The game is over and the page will be closed for everybody."),
}
"""What the arbiter is told before he does it."""
