"""What the referee decided, as sentences for those who may hear it.

What may be told follows the duties of an assistant (2014 D.2.9, 2009 E.2.9): moves and rulings at once and to
everybody, times and numbers of moves to the player who asks, who has or has not pressed to nobody. In a rated
game nothing is said about legality until somebody claims; a club game refuses at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeVar

from assistant.sides import Side, other
from assistant.speaking.durations import duration_in_words
from assistant.speaking.messages import Message, Segments, Value, _, fill, german, join
from assistant.speaking.refusals import refusal
from assistant.speaking.sentence import Audience, Priority, Sentence, compose, from_segments
from assistant.speaking.sentences import Sentences
from assistant.speaking.wording import (
    ARBITER_DECIDES,
    CLAIMS,
    ENDINGS,
    PENALTIES,
    REMEDIES,
    RESULTS,
    RULINGS,
    SIDES,
    THE_ARBITER,
    TIME_GIVEN,
    WATCHED,
    to_decide,
)


@dataclass(frozen=True, slots=True)
class Hearers:
    """In which language and in what kind of game something is told."""

    language: str = "de"
    mode: Literal["rated", "club"] = "rated"
    plies_before: int = 0
    """Half-moves before the first of the game, as its scoresheet counts: one where Black begins."""


SILENT: Final = frozenset(
    {"move-made", "slip-corrected", "move-completed", "repeated", "period-reached", "status"}
)
"""Events that are told to nobody unasked: who has pressed, a correct repetition, a time control reached. A
move is read back from its announcement, which comes before the move of a blind player is made."""


def event_sentences(
    event: Mapping[str, Any], hearers: Hearers, announcement: str | None = None
) -> tuple[Sentence, ...]:
    """Return what is to be said about one event of the referee, as its `as_dict` has it (times in seconds).

    `announcement` is the German announcement of the move that the event is about, where it is about one
    (`repeat-differs`, `refused`, an `answer` about the last move, a wrong claim after which one must be made;
    without it nothing can be said of it).

    :raises ValueError: if there is no such kind of event.
    """
    kind = event["event"]
    if kind in SILENT:
        return ()
    tell = _TELLERS.get(kind)
    if tell is None:
        raise ValueError(f"no event is called {kind!r}")
    return tell(event, hearers, announcement)


class _Ruled(Protocol):
    """An event of the referee."""

    @property
    def event(self) -> str: ...
    @property
    def keys(self) -> Mapping[str, Any]: ...


_Each = TypeVar("_Each", bound=_Ruled)


def without_echoes(events: Iterable[_Each]) -> list[_Each]:
    """Return what one ruling is told by: the claim of a flag is told by the ruling on it.

    That the opponent's flag has fallen is said by a claim that is right, the arbiter's apart.
    """
    events = list(events)
    rulings = [each for each in events if each.event in RULINGS and each.keys.get("of") == "flag"]
    right = {each.keys.get("side") for each in rulings if each.event == "claim-right"}
    echoes = {"flag-claim"} if rulings else set()
    if right & {*SIDES}:
        echoes.add("flag-fallen")
    return [each for each in events if each.event not in echoes]


def _room(
    hearers: Hearers, message: Message, priority: Priority = Priority.REPLY, /, **values: Value
) -> tuple[Sentence, ...]:
    language = hearers.language
    return (from_segments(fill(message, language, **values), language, priority=priority),)


def _side(event: Mapping[str, Any], key: str = "side") -> Message:
    """Return the player an event is about, or the arbiter."""
    return SIDES.get(event.get(key, ""), THE_ARBITER)


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def _words(seconds: float | None, language: str) -> str:
    return duration_in_words(_milliseconds(seconds) or 0, language)


def _with_time(
    event: Mapping[str, Any], hearers: Hearers, ruling: tuple[Sentence, ...], gainer: Message
) -> tuple[Sentence, ...]:
    """Add to a ruling how much time the opponent gets, if any, as part of the same sentence."""
    if not event.get("seconds"):
        return ruling
    language = hearers.language
    given = fill(TIME_GIVEN, language, side=gainer, time=_words(event["seconds"], language))
    return (from_segments((*ruling[0].segments, (language, " "), *given), language),)


def _clock_started(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    if "white" in event and event["white"] is None:
        # Translators: a game without a clock begins; {side} has the move.
        return _room(hearers, _("{side} to move."), Priority.CHATTER, side=_side(event))
    # Translators: the game begins; {side} has the move.
    return _room(hearers, _("{side:genitive} clock is running."), Priority.CHATTER, side=_side(event))


def _repeat_differs(_event: Mapping[str, Any], hearers: Hearers, text: str | None) -> tuple[Sentence, ...]:
    if text is None:
        return ()
    return (Sentences(hearers.language).repeat_differs(text),)


def _illegal_move(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    ruling = _room(
        hearers,
        REMEDIES.get(event.get("remedy", ""), REMEDIES["time-to-opponent"]),
        side=_side(event),
        number=event.get("number", 1),
    )
    return _with_time(event, hearers, ruling, SIDES[other(event["side"])])


def _refused(event: Mapping[str, Any], hearers: Hearers, text: str | None) -> tuple[Sentence, ...]:
    language = hearers.language
    return refusal(event, language, hearers.mode, text)


def _flag_fallen(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a player's time has run out.
    return _room(hearers, _("{side:genitive} flag has fallen."), side=_side(event))


def _flag_claim(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a player claims that the opponent's time has run out.
    return _room(hearers, _("{side} claims: time exceeded."), side=_side(event))


def _draw_offered(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a player offers a draw.
    return _room(hearers, _("Draw offer by {side}."), side=_side(event))


def _draw_declined(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a player declines a draw offer.
    return _room(hearers, _("Draw offer declined by {side}."), side=_side(event))


def _claim(event: Mapping[str, Any], hearers: Hearers, text: str | None) -> tuple[Sentence, ...]:
    if event.get("watched"):
        # Until the next move is completed he keeps it to himself (2014 A.4.d, 2023 A.5.4).
        return (compose(WATCHED, hearers.language, audience="arbiter"),)
    # Translators: a claim of a kind without a name of its own.
    claim = CLAIMS.get(event.get("of", ""), _("claim"))
    ruled = "postponed" if event.get("postponed") else event["event"]
    ruling = _room(hearers, RULINGS[ruled], side=_side(event), claim=claim)
    if event.get("both"):
        # Translators: the arbiter rules on a claim only if both players ask him to, as in rapid play of 1997.
        return ruling + _room(hearers, _("Both players must ask for it."))
    if event["event"] == "claim-right" and event.get("of") in ("illegal-move", "two-hands"):
        # It is the claimant who gets the time; the ruling on the illegal move, which follows, tells it.
        return ruling
    # Translators: the player who gets more time, when it was the arbiter who claimed.
    gainer = SIDES[other(event["side"])] if event.get("side") in SIDES else _("the opponent")
    told = _with_time(event, hearers, ruling, gainer)
    if "must" not in event or text is None:
        return told
    return (*told, due_move(text, hearers.language))


def _penalty(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    language = hearers.language
    # Translators: a penalty of a kind without a name of its own.
    message = PENALTIES.get(event.get("kind", ""), _("Penalty for {side}."))
    ruling = _room(hearers, message, side=_side(event), time=_words(event.get("seconds"), language))
    if event.get("kind") != "add-opponent":
        return ruling
    return _with_time(event, hearers, ruling, SIDES[other(event["side"])])


def _clock_set(_event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: the arbiter has set new times; the players may ask for them.
    return _room(hearers, _("The clocks have been set."))


def _clock_stopped(_event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: both clocks are stopped.
    return _room(hearers, _("The clocks are stopped."))


def _clock_resumed(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    running = event.get("running", event.get("side"))
    if running in SIDES:
        # Translators: the game goes on after a stop.
        return _room(hearers, _("{side:genitive} clock is running."), side=SIDES[running])
    if event.get("side") == "none":
        # Translators: the hour agreed for the resumption of an adjourned game; the clocks still stand.
        return _room(hearers, _("It is the agreed hour."))
    # Translators: the game goes on after a stop.
    return _room(hearers, _("The clock is running again."))


def _position_restored(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    if not event.get("ply"):
        # Translators: the game begins again.
        return _room(hearers, _("Back to the initial position."))
    move, side = _move_number(event["ply"], hearers)
    # Translators: the game goes back; {n} is the number of the move in words, {side} who made it.
    return _room(hearers, _("Back to the position after {side:genitive} move {n}."), n=move, side=side)


def _move_number(ply: int, hearers: Hearers) -> tuple[int, Message]:
    """Return the number of the move and who made it, as a scoresheet counts."""
    half_moves = hearers.plies_before + ply
    return (half_moves + 1) // 2, SIDES["white" if half_moves % 2 else "black"]


def _sheets_differ(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    move, side = _move_number(event["ply"], hearers)
    # Translators: the two scoresheets part at move {n} (in words) of {side}.
    return _room(hearers, _("The scoresheets differ from {side:genitive} move {n}."), n=move, side=side)


def _sheets_agree(_event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: the two scoresheets say the same.
    return _room(hearers, _("The scoresheets agree."))


def _adjourned(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    if event.get("fixed"):
        # Translators: after the order to seal {side} made a move on the board; it is the one to be sealed.
        return _room(hearers, _("Adjournment: {side} seals the move made on the board."), side=_side(event))
    if event.get("side") in SIDES:
        # Translators: the game is interrupted; {side} writes down his next move in secret.
        return _room(hearers, _("Adjournment: {side} seals a move."), side=_side(event))
    # Translators: the game is interrupted; the player to move writes down his next move in secret.
    return _room(hearers, _("Adjournment: a move is to be sealed."))


def _sealed(_event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: the secret move of an adjourned game is written down. It is never read out.
    return _room(hearers, _("The move is sealed."))


def _sealed_void(_event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a secret move was written down before the position, or the move on the board, changed.
    return _room(hearers, _("What was sealed before does not count."))


def _envelope_opened(_event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: the envelope with the sealed move has been opened; the move follows.
    return _room(hearers, _("The envelope is open."))


def declaration(side: Side, language: str) -> Sentence:
    """Tell everybody who now says which move he sealed, because its envelope is lost (I.12.1)."""
    # Translators: the envelope of an adjourned game is lost: {side}, who sealed a move, says which.
    return compose(_("{side} announces the move that was sealed."), language, side=SIDES[side])


def due_move(announcement: str, language: str) -> Sentence:
    """Tell everybody the move that was written for a wrong claim and has to be made (9.5.3)."""
    # Translators: a draw was claimed with a written move and the claim is incorrect; {move} is announced.
    return compose(_("{move} must be made."), language, move=german(announcement))


def another_move(side: Side, language: str) -> Sentence:
    """Tell everybody that an announced move counts no more, as another man was touched (4.3).

    Which man it was, the opponent is not told.
    """
    return compose(
        # Translators: a move was announced, and then another man touched, which must move; {side} announces.
        _("Another move by {side}: the announced one no longer counts."),
        language,
        side=SIDES[side],
    )


def _answer(event: Mapping[str, Any], hearers: Hearers, text: str | None) -> tuple[Sentence, ...]:
    asker: Audience = event["side"]
    sentences = Sentences(hearers.language, asker)
    match event["about"]:
        case "times":
            white, black = (_milliseconds(event.get(side)) for side in SIDES)
            return (sentences.times(white, black, "black" if asker == "black" else "white"),)
        case "moves-completed":
            return (sentences.moves_completed(event["moves"]),)
        case "moves-to-control":
            return (sentences.moves_to_control(event.get("moves")),)
        case "last-move":
            if event.get("move") and text is None:
                return ()
            return (sentences.last_move(text),)
        case "law":
            # English stands in where an article has not been written in the asker's language.
            language = event.get("language", sentences.language)
            pieces = _law(event["text"], language, event.get("german", ()))
            return (from_segments(pieces, sentences.language, audience=asker),)
    # A position is read out by whoever can put the men into words.
    return ()


def _law(text: str, language: str, words: Sequence[str]) -> Segments:
    """A text of the Laws, with what is German in it said by a German voice."""
    if not words:
        return ((language, text),)
    pieces = re.split("(" + "|".join(map(re.escape, words)) + ")", text)
    return join(("de" if piece in words else language, piece) for piece in pieces)


def _arbiter_asked(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    question = compose(
        to_decide(event.get("about", ""), event.get("side")),
        hearers.language,
        audience="arbiter",
        side=_side(event),
    )
    return (*_room(hearers, ARBITER_DECIDES), question)


def _game_over(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    reason = ENDINGS.get(event.get("reason", ""), ENDINGS["arbiter"])
    return _room(hearers, RESULTS[event["result"]], reason=reason)


_Teller = Callable[[Mapping[str, Any], Hearers, str | None], tuple[Sentence, ...]]

_TELLERS: Final[Mapping[str, _Teller]] = {
    "clock-started": _clock_started,
    "repeat-differs": _repeat_differs,
    "illegal-move": _illegal_move,
    "refused": _refused,
    "flag-fallen": _flag_fallen,
    "flag-claim": _flag_claim,
    "draw-offered": _draw_offered,
    "draw-declined": _draw_declined,
    "claim-right": _claim,
    "claim-wrong": _claim,
    "claim-waits": _claim,
    "penalty": _penalty,
    "clock-set": _clock_set,
    "clock-stopped": _clock_stopped,
    "clock-resumed": _clock_resumed,
    "position-restored": _position_restored,
    "sheets-differ": _sheets_differ,
    "sheets-agree": _sheets_agree,
    "adjourned": _adjourned,
    "sealed": _sealed,
    "sealed-void": _sealed_void,
    "envelope-opened": _envelope_opened,
    "answer": _answer,
    "arbiter-asked": _arbiter_asked,
    "game-over": _game_over,
}
