"""Why the referee refused something, for the player who wanted it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from assistant.errors import Phrase
from assistant.speaking.messages import Message, _, fill
from assistant.speaking.sentence import Audience, Sentence, from_segments
from assistant.speaking.sentences import Sentences

REFUSALS: Final[Mapping[str, Message]] = {
    # Translators: why something was refused.
    "the game is over": _("The game is over."),
    # Translators: why something was refused.
    "the clock has not been started": _("The clock has not been started."),
    # Translators: why something was refused.
    "the clocks are stopped": _("The clocks are stopped."),
    # Translators: the state of the game.
    "a claim waits for the arbiter": _("A claim waits for the arbiter."),
    # Translators: why something was refused.
    "no clock is running": _("The clocks are stopped."),
    # Translators: why something was refused.
    "this game has no clock": _("There is no clock."),
    # Translators: why something was refused.
    "it is the opponent who has the move": _("The opponent has the move."),
    # Translators: somebody pressed or moved for a player whose arrival nobody has noted.
    "the player is not at the board": _("You are noted as absent."),
    # Translators: the player pressed the clock although his opponent's runs.
    "the player's clock is not running": _("Your clock is not running."),
    # Translators: the player pressed his clock, which runs although his opponent has made no move.
    "the opponent has the move; the arbiter can be called": _(
        "The opponent has the move; the arbiter can be called."
    ),
    # Translators: the player pressed the clock before his move was sealed.
    "the move is sealed first, and only then is the clock stopped": _("The move is sealed first."),
    # Translators: the player pressed the clock before he announced a move.
    "no move has been made": _("No move yet."),
    # Translators: the player pressed the clock before he announced a move.
    "the move has not been announced": _("No move announced."),
    # Translators: the player pressed the clock before he executed a move.
    "the move has not been placed": _("No move on the board."),
    # Translators: the player wanted to correct or repeat a move that nobody announced.
    "no move has been announced": _("No move announced."),
    # Translators: a move is made and cannot be taken back.
    "the move has been made and stands": _("The move is made."),
    # Translators: a man was let go on a square and cannot be taken back.
    "the man has been released and stands": _("The move is made."),
    # Translators: the player wanted to correct his announcement.
    "the clock has been pressed": _("Too late to correct."),
    # Translators: the player wanted to correct his announcement.
    "the opponent has replied": _("Too late to correct."),
    # Translators: the player accepts or declines a draw that nobody offered.
    "the opponent has not offered a draw": _("No draw was offered."),
    # Translators: the player offers a draw again.
    "the offer stands already": _("The draw offer stands."),
    # Translators: why a draw offer was refused.
    "the event forbids draw offers": _("No draw offers in this event."),
    # Translators: why a draw offer was refused; {n} is the number of a move in words.
    "no draw may be offered before move {n}": _("No draw offers before move {n}."),
    # Translators: why a draw agreement was refused.
    "a draw can be agreed only after both players have moved": _("A draw only after both have moved."),
    # Translators: why a claim was refused.
    "a draw is claimed by the player having the move": _("The opponent has the move."),
    # Translators: the state of the game.
    "this claim waits for the arbiter already": _("A claim waits for the arbiter."),
    # Translators: the state of the game.
    "the arbiter rules on the quickplay finish first": _("A claim waits for the arbiter."),
    # Translators: why a player can neither claim a draw nor accept one.
    "the flag has fallen": _("Your flag has fallen."),
    # Translators: a draw was claimed with a move that was not made yet, and another one announced.
    "the move written for the last claim must be made first": _("The move of the claim must be made."),
    # Translators: why the opponent's move is not illegal: he pressed his clock first and then made it.
    "the move was made, only after the press": _("The move was made after the press."),
    # Translators: why the opponent's illegal move can be claimed no more.
    "the claimant has made an illegal move himself meanwhile": _("You have made an illegal move too."),
    # Translators: why a claim was refused: his move lies in an envelope.
    "the reply is sealed and waits for the opponent": _("The reply is sealed."),
    # Translators: why a claim was refused.
    "a man has been touched": _("A man has been touched."),
    # Translators: why a claim was refused.
    "the move has not been completed": _("The move is not completed yet."),
    # Translators: a man was touched, and another move announced.
    "a touched man must be moved or captured": _("The touched man must be moved or captured."),
    # Translators: a draw was claimed with a move that was not made yet, and another one announced.
    "the move that was written for the claim must be made": _("The move of the claim must be made."),
    # Translators: the answer to whoever takes up a game that is adjourned, or wants to move in it.
    "the game is adjourned": _("The game is adjourned."),
    # Translators: why a claim was refused.
    "the game is adjourned; who has the move claims when it is resumed": _("The game is adjourned."),
    # Translators: why an answer was refused.
    "this is not told to the player": _("Not in this game."),
    # Translators: why an answer was refused.
    "this duty of the assistant is switched off": _("Not in this game."),
}
"""What the player is told, by the template of the referee's reason."""

_ABOUT_MOVES: Final = frozenset({"announce", "place", "repeat", "correct"})

# Translators: what the player wanted is not possible at this moment.
_NOT_NOW: Final = _("That is not possible now.")


def gives_reason(event: Mapping[str, Any]) -> bool:
    """Return whether the refused player is told why: then he may know the article as well."""
    reason: Phrase = event["reason"]
    return reason.template in REFUSALS


def refusal(event: Mapping[str, Any], language: str, mode: str, move: str | None) -> tuple[Sentence, ...]:
    """Return what the refused person is told.

    Nothing, if several moves fit: whoever can put them into words asks which. In a rated game the legality of
    an announcement is no reason that may be told, only that it is not on record.
    """
    if event.get("candidates"):
        return ()
    audience: Audience = event.get("side", "arbiter")
    sentences = Sentences(language, audience)
    given: Phrase = event["reason"]
    reason = REFUSALS.get(given.template)
    if reason is None and event.get("do") in _ABOUT_MOVES:
        if not move:
            return (sentences.pardon(),)
        return (sentences.not_a_move(move) if mode == "rated" else sentences.not_legal(move=move),)
    numbers = {name: value for name, value in given.values.items() if isinstance(value, int)}
    segments = fill(reason or _NOT_NOW, language, **numbers)
    return (from_segments(segments, language, audience=audience, stale_key=f"refused:{audience}"),)
