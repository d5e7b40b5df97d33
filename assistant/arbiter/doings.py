"""What the arbiter can do, by the verbs of the game script: titles, what it will do, words of its forms."""

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
    # Translators: the title of one of the arbiter's forms: a player has called him, and he has come.
    "answer-call": _("Answer the call"),
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
    "answer-call": _("It will be noted that you have come; the call is answered."),
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
    "sign": _("You sign the result {result} as arbiter."),
    # Translators: what the arbiter's action will do, before he does it.
    "close": _("The game is over and the page will be closed for everybody."),
}
"""What the arbiter is told before he does it."""

ADJOURNING: Final[Mapping[str, Message]] = {
    "adjourn": _(
        # Translators: what the arbiter's action will do, before he does it; {session_end} is a time.
        "The player who has the move will be told to seal it, and when the envelope is closed, all time up "
        "to the end of the session, {session_end}, is taken from his clock. Resumption: {resumption}."
    ),
    "stop-clock": _(
        # Translators: what the arbiter's action will do, before he does it.
        "The envelope will be closed: what is sealed is not changed any more, and both clocks stop."
    ),
    "resume": _(
        # Translators: what the arbiter's action will do, before he does it.
        "It will be noted that the agreed hour has come: the clock of the player who must reply runs, if "
        "he is absent."
    ),
}
"""What he is told where it does something else: for a session that ends early, a sealing and an envelope."""

TWO_HANDS: Final = _(
    # Translators: what the arbiter's action will do, before he does it: {side} used two hands for one move;
    # {ply} in digits.
    "Your ruling: {side} used two hands for half-move {ply}, {move}. Stop the clocks: {wait}."
)
"""What he is told before he rules on what he has seen himself."""

# Translators: what the arbiter's action will do, before he does it.
WITNESSED: Final = _("{side} confirms the result {result} before you; you sign as witness.")
"""What he is told before he signs for a player who cannot."""

FIELDS: Final[Mapping[str, Message]] = {
    # Translators: what somebody asks for.
    "about-times": _("times"),
    # Translators: what somebody asks for.
    "about-moves-completed": _("moves completed"),
    # Translators: what somebody asks for.
    "about-moves-to-control": _("moves to the time control"),
    # Translators: what somebody asks for.
    "about-last-move": _("last move"),
    # Translators: what somebody asks for.
    "about-position": _("position"),
    # Translators: what somebody asks for.
    "about-law": _("text of an article"),
    # Translators: what somebody asks for.
    "about-recording": _("duty to record"),
    # Translators: what somebody asks for.
    "about-arbiters-sheet": _("arbiter's sheet"),
    # Translators: label of a field.
    "field-side": _("Player"),
    # Translators: label of a field.
    "field-move": _("Move"),
    # Translators: label of a field.
    "field-reason": _("Reason"),
    # Translators: label of a field: a time, empty if it stays.
    "field-white-time": _("White's clock, h:mm:ss (empty: as it is)"),
    # Translators: label of a field: a time, empty if it stays.
    "field-black-time": _("Black's clock, h:mm:ss (empty: as it is)"),
    # Translators: label of a field: the move counter, empty if it stays.
    "field-counter": _("Move counter: moves completed by the player who has the move (empty: as it is)"),
    # Translators: label of a tick.
    "field-setting": _("The clock was set wrongly"),
    # Translators: label of a field.
    "field-kind": _("Penalty"),
    # Translators: label of a field: a time.
    "field-time": _("Time, m:ss"),
    # Translators: label of a field: points.
    "field-points": _("Points"),
    # Translators: label of a tick, and the reason for a penalty.
    "field-phone-rang": _("His telephone made a sound"),
    # Translators: said of the points of a penalty, beside the reason.
    "points-fixed": _("as the Laws have it"),
    # Translators: said of the time that the opponent gets by a ruling, whatever the arbiter has filled in.
    "time-fixed": _("as the Laws fix it"),
    # Translators: label of a field.
    "field-ruling": _("Ruling"),
    # Translators: label of a field: a time, may be empty.
    "field-granted": _("Time for the opponent where the Laws leave it to you, m:ss"),
    # Translators: label of a field.
    "field-result": _("Result"),
    # Translators: label of a field: number of a half-move.
    "field-ply": _("After half-move number (0: initial position)"),
    # Translators: label of a field: number of a half-move; the arbiter has seen two hands used for it.
    "field-ply-seen": _("Half-move number, for two hands that you have seen"),
    # Translators: label of a field for the moves of a scoresheet.
    "field-sheet-white": _("White's scoresheet (moves or PGN)"),
    # Translators: label of a field for the moves of a scoresheet.
    "field-sheet-black": _("Black's scoresheet (moves or PGN)"),
    # Translators: label of a field.
    "field-squares": _("Squares in the order of touching, for example g1 f3"),
    # Translators: label of a tick.
    "field-order": _("Nobody saw which man was touched first"),
    # Translators: label of a field.
    "field-claim": _("Claim"),
    # Translators: label of a field.
    "field-claimant": _("Who claims"),
    # Translators: label of a tick.
    "field-wait": _("Stop the clocks; the ruling comes later"),
    # Translators: label of a field.
    "field-about": _("About"),
    # Translators: label of a field.
    "field-article": _("Article, for a text of the Laws"),
    # Translators: label of a field.
    "field-remark": _("Remark"),
    # Translators: label of a field.
    "field-session-end": _("End of the session on the game's clock, h:mm:ss (may be empty)"),
    # Translators: label of a field.
    "field-resumption": _("Day, time and place of resumption"),
    # Translators: label of a field: who signs.
    "field-who": _("Who signs"),
    # Translators: a ruling.
    "ruling-accept": _("accept"),
    # Translators: a ruling.
    "ruling-reject": _("reject"),
    # Translators: a ruling.
    "ruling-postpone": _("postpone"),
    # Translators: a penalty.
    "penalty-warning": _("warning"),
    # Translators: a penalty.
    "penalty-add-opponent": _("more time for the opponent"),
    # Translators: a penalty.
    "penalty-reduce": _("less time for the offender"),
    # Translators: a penalty.
    "penalty-points-opponent": _("more points for the opponent"),
    # Translators: a penalty.
    "penalty-points-offender": _("fewer points for the offender"),
    # Translators: a penalty.
    "penalty-loss": _("loss of the game"),
    # Translators: a penalty.
    "penalty-fine": _("a fine"),
    # Translators: a penalty.
    "penalty-expulsion": _("expulsion from the event"),
    # Translators: a tick in a summary.
    "yes-tick": _("yes"),
    # Translators: the answer to a tick that is not set.
    "no-tick": _("no"),
    # Translators: a time that stays as it is.
    "unchanged": _("unchanged"),
    # Translators: where two scoresheets part; both texts in notation.
    "sheet-first": _("First difference at {number}: White's sheet has {white}, Black's sheet has {black}."),
    # Translators: two scoresheets say the same.
    "sheet-agree": _("The two sheets agree."),
    # Translators: a further sentence: the record of the game differs from both sheets; {number} of the move.
    "sheet-record": _("At {number} Hector's record differs from both."),
    "sheet-restore": _(
        # Translators: after two scoresheets part: what the Laws say then.
        "The Laws go back to the position after half-move {ply}, the last on which both agree."
    ),
}
"""The words of the forms: fields, choices, and what two scoresheets bring to light."""
