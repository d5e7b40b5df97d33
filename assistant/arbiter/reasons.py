"""What the referee says in English, in the language of whoever reads it: why something was refused, a law."""

from __future__ import annotations

import re
from typing import Final

from assistant.arbiter.texts import filled
from assistant.laws import Event, law_text
from assistant.speaking import Message, _

# Translators: all of these are clauses that say why the referee has refused something: no capital letter at
# the beginning unless the language asks for it, no full stop. Words in braces stay.
REASONS: Final[tuple[Message, ...]] = (
    _("the game is adjourned already"),
    _("no clock is running"),
    _("the envelope is closed"),
    _("the player having the move seals"),
    _("the move made on the board after the order must be the sealed one"),
    _("no move is to be sealed"),
    _("it is not this player who has a move to seal"),
    _("the game is adjourned"),
    _("it is the opponent who has the move"),
    _("the move is sealed first, and only then the clock is stopped"),
    _("the clock is running"),
    _("the player is at the board already"),
    _("there is no envelope to open now"),
    _("the player who must reply is absent"),
    _("the envelope opens only with the arbiter's key"),
    _("the player for whom the reply is sealed is absent"),
    _("there is no envelope"),
    _("the player who sealed makes the move he sealed"),
    _("the clock has been started already"),
    _("the arbiter has not approved the electronic aid"),
    _("this game has no clock"),
    _("only the arbiter restarts the clocks"),
    _("the clock has not been started"),
    _("the clock setting is no longer changed"),
    _("this claim cannot be postponed"),
    _("nothing waits for the arbiter"),
    _("a blind player must have an assistant against a hearing-impaired one"),
    _("no advice is given during the game"),
    _("this is not told to the player"),
    _("no move has been made"),
    _("there is no article {article} of {edition}"),
    _("this edition has no rule for asking for the arbiter's sheet"),
    _("the sheet is asked for by the player having the move"),
    _("it has been asked for too often"),
    _("this duty of the assistant is switched off"),
    _("the arbiter does not claim; a player does"),
    _("this claim waits for the arbiter already"),
    _("no illegal move has been completed; restore the position by its ply"),
    _("this edition does not ask for mating potential"),
    _("a quickplay finish was not announced for this event"),
    _("the quickplay finish does not apply in this kind of game"),
    _("the claim is made by the player having the move"),
    _("the flag has fallen"),
    _("the player has more than {n} seconds left"),
    _("this is not the last period"),
    _("this edition does not know this request"),
    _("the move was made, only after the press"),
    _("no condition may be attached to an offer"),
    _("the offer stands already"),
    _("the event forbids draw offers"),
    _("no draw may be offered before move {n}"),
    _("the opponent has not offered a draw"),
    _("a draw can be agreed only after both players have moved"),
    _("a draw is claimed by the player having the move"),
    _("a man has been touched"),
    _("the move written for the last claim must be made first"),
    _("the arbiter rules on the quickplay finish first"),
    _("the arbiter does not call a flag here; a player must claim"),
    _("the move has not been completed"),
    _("the arbiter does not rule here unless a player claims"),
    _("there are only {n} plies"),
    _("who has touched a man himself can no longer complain"),
    _("this edition has no sanction for using two hands"),
    _("no move has been completed with two hands"),
    _("the move has been taken back since"),
    _("two faults in one move count once"),
    _("after {n} moves of each player the game goes on with the colours as they are"),
    _("after {n} moves of each player the set-up can no longer be claimed"),
    _("the claimant has made an illegal move himself meanwhile"),
    _("no move has been announced"),
    _("the clock has been pressed"),
    _("the player is not at the board"),
    _("the clocks are stopped"),
    _("a flag has fallen: the scoresheet is completed first"),
    _("the captured man is still on the board"),
    _("the man has been released and stands"),
    _("the pawn has been released on the last rank and is exchanged there"),
    _("a move has been announced already; a slip of the tongue is corrected with 'correct'"),
    _("the opponent has replied"),
    _("that is what was announced"),
    _("the opponent has replied meanwhile: restore the position first"),
    _("the player's clock is not running"),
    _("the opponent has the move; the arbiter can be called"),
    _("the move has not been placed"),
    _("the move has not been announced"),
    _("{text} is no move"),
    _("{text} cannot be read"),
    _("more than one legal move fits"),
    _("no legal move fits"),
    _("the move has been made and stands"),
    _("the man stands as it was announced; that is no slip of the tongue"),
    _("the man was placed otherwise; only speech is corrected"),
    _("this edition has no penalty of the kind {text}"),
    _("only scores that are normally given may result"),
    _("only scores that are normally given, and together no more than a win, may result"),
    _("that is not among the assistant's duties"),
    _("the game is over"),
    _("there is nothing to withdraw"),
    _("the start of the clock cannot be withdrawn"),
    _("after the press nothing is withdrawn"),
    _("the last line is somebody else's"),
    _("a claim cannot be withdrawn"),
    _("an offer cannot be withdrawn"),
    _("a man that was touched is moved or captured"),
    _("an offer that was declined is declined"),
    _("only a blind player's assistant reports a touched man"),
    _("the opponent's assistant only moves and announces"),
    _("a touched man must be moved or captured"),
    _("only the player whose clock is running may adjust"),
    _("the move that was written for the claim must be made"),
    _("there is no man on {square}"),
    _("the man on {square} is the opponent's"),
    _("castling is not legal now"),
    _("a man of the same colour stands on {square}"),
    _("a king is not captured"),
    _("the pawn must be exchanged for a piece"),
    _("the king would be left in check"),
    _("the king does not move like that"),
    _("the queen does not move like that"),
    _("the rook does not move like that"),
    _("the bishop does not move like that"),
    _("the knight does not move like that"),
    _("the pawn does not move like that"),
)

_PATTERNS: Final = tuple(
    (re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(each.singular))), each) for each in REASONS
)


def sentence_of(reason: str, language: str) -> str | None:
    """Return a refusal's `reason` as a sentence in a language; None if nobody has put it into words."""
    for pattern, message in _PATTERNS:
        match = pattern.fullmatch(reason)
        if match is not None:
            words = filled(message, language, **match.groupdict())
            return f"{words[:1].upper()}{words[1:]}."
    return None


def law_in(event: Event, language: str) -> str:
    """Return the text of the article that an `answer` is about, in a language if it is written in it."""
    article = event.article
    found = None if article is None else law_text(article.edition, article.number, language)
    return str(event.keys["text"]) if found is None else found.text
