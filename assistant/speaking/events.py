"""What the referee decided, as sentences for those who may hear it.

What may be told follows the duties of an assistant (2014 D.2.9, 2009 E.2.9): moves and rulings at once and to
everybody, times and numbers of moves to the player who asks, who has or has not pressed to nobody. In a rated
game nothing is said about legality until somebody claims; a club game refuses at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from assistant.speaking.durations import duration_in_words
from assistant.speaking.messages import Message, Value, _, fill
from assistant.speaking.sentence import Audience, Priority, Sentence, compose, from_segments
from assistant.speaking.sentences import SIDES, Sentences, Side


@dataclass(frozen=True, slots=True)
class Hearers:
    """Who sits at the board and what they agreed to be told."""

    language: str = "de"
    languages: Mapping[Audience, str] = field(default_factory=dict)
    """Where a player, the room or the arbiter hears another language."""
    blind: frozenset[Side] = frozenset({"white"})
    mode: Literal["rated", "club"] = "rated"
    speaks_move_numbers: bool = False
    """Whether a blind player's clock may speak the number of the move unasked (2014 D.2.5.c)."""

    def language_of(self, audience: Audience) -> str:
        return self.languages.get(audience, self.language)


_RESULTS: Final[Mapping[str, Message]] = {
    # Translators: the result of a game; {reason} says why.
    "1-0": _("White wins: {reason}."),
    # Translators: the result of a game; {reason} says why.
    "0-1": _("Black wins: {reason}."),
    # Translators: the result of a game; {reason} says why.
    "1/2-1/2": _("Draw: {reason}."),
    # Translators: both players lose; {reason} says why.
    "0-0": _("Both players lose: {reason}."),
    # Translators: White gets half a point, Black nothing; {reason} says why.
    "1/2-0": _("Half a point to White, none to Black: {reason}."),
    # Translators: Black gets half a point, White nothing; {reason} says why.
    "0-1/2": _("Half a point to Black, none to White: {reason}."),
    # Translators: a win without a game; {reason} says why.
    "+/-": _("White wins by default: {reason}."),
    # Translators: a win without a game; {reason} says why.
    "-/+": _("Black wins by default: {reason}."),
    # Translators: neither player came; {reason} says why.
    "-/-": _("Both players lose by default: {reason}."),
    # Translators: the game does not count; {reason} says why.
    "annulled": _("The game is annulled: {reason}."),
}

_ENDINGS: Final[Mapping[str, Message]] = {
    # Translators: why a game is over; the end of a sentence like "White wins: ..."
    "checkmate": _("checkmate"),
    # Translators: why a game is over.
    "stalemate": _("stalemate"),
    # Translators: why a game is over: nobody can mate any more.
    "dead-position": _("dead position"),
    # Translators: why a game is over: the other player resigned.
    "resignation": _("resignation"),
    # Translators: why a game is over: both agreed to a draw.
    "agreement": _("by agreement"),
    # Translators: why a game is over.
    "threefold": _("threefold repetition"),
    # Translators: why a game is over.
    "fivefold": _("fivefold repetition"),
    # Translators: why a game is over.
    "fifty-moves": _("fifty moves without capture or pawn move"),
    # Translators: why a game is over.
    "seventy-five-moves": _("seventy-five moves without capture or pawn move"),
    # Translators: why a game is over: the other player's time has run out.
    "flag": _("on time"),
    # Translators: why a game is over.
    "both-flags": _("both flags have fallen"),
    # Translators: why a game is over: one illegal move too many.
    "illegal-moves": _("illegal moves"),
    # Translators: why a game is over: a player came too late.
    "default": _("not at the board in time"),
    # Translators: why a game is over: the sealed move was illegal or unclear.
    "sealed-move": _("the sealed move does not count"),
    # Translators: why a game is over: the rules for the last minutes without increment.
    "quickplay-finish": _("quickplay finish"),
    # Translators: why a game is over.
    "penalty": _("penalty"),
    # Translators: why a game is over.
    "arbiter": _("decision of the arbiter"),
}

_CLAIMS: Final[Mapping[str, Message]] = {
    # Translators: what is claimed; stands after a colon.
    "threefold": _("threefold repetition"),
    # Translators: what is claimed; stands after a colon.
    "fifty-moves": _("fifty-move rule"),
    # Translators: what is claimed; stands after a colon.
    "flag": _("time exceeded"),
    # Translators: what is claimed; stands after a colon.
    "illegal-move": _("illegal move"),
    # Translators: what is claimed: the game began from a wrong position.
    "initial-position": _("wrong initial position"),
    # Translators: what is claimed: the rules for the last minutes without increment.
    "quickplay-finish": _("quickplay finish"),
    # Translators: what is claimed: five seconds more a move (2014 Guideline G.4).
    "five-seconds": _("five extra seconds a move"),
    # Translators: what is claimed: the opponent cannot mate.
    "mating-potential": _("no way to mate"),
    # Translators: what is claimed: the opponent used two hands for one move.
    "two-hands": _("two hands used"),
}

_RULINGS: Final[Mapping[str, Message]] = {
    # Translators: a claim is correct; {claim} is what was claimed.
    "claim-right": _("Claim of {side} correct: {claim}."),
    # Translators: a claim is incorrect; {claim} is what was claimed.
    "claim-wrong": _("Claim of {side} incorrect: {claim}."),
    # Translators: the arbiter still has to rule on a claim.
    "claim-waits": _("{side} claims: {claim}. The arbiter decides."),
}

_REMEDIES: Final[Mapping[str, Message]] = {
    # Translators: the ruling on an illegal move; the game is lost. The result follows as its own sentence.
    "game-lost": _("Illegal move number {number} by {side}."),
    # Translators: the ruling on an illegal move; the opponent cannot mate. The result follows.
    "drawn": _("Illegal move number {number} by {side}."),
    # Translators: the ruling on an illegal move found too late.
    "stands": _("The illegal move by {side} stands."),
    # Translators: the ruling on an illegal move; the time given to the opponent may follow.
    "time-to-opponent": _("Illegal move number {number} by {side}."),
}

_PENALTIES: Final[Mapping[str, Message]] = {
    # Translators: the arbiter warns a player.
    "warning": _("Warning to {side}."),
    # Translators: the arbiter gives a penalty; the time given to the opponent may follow.
    "add-opponent": _("Penalty for {side}."),
    # Translators: the arbiter takes time from a player; {time} in words.
    "reduce": _("Penalty for {side}: {time} less."),
    # Translators: the arbiter changes the points of the game.
    "points-opponent": _("Penalty for {side}: more points for the opponent."),
    # Translators: the arbiter changes the points of the game.
    "points-offender": _("Penalty for {side}: fewer points."),
    # Translators: the arbiter declares the game lost for a player.
    "loss": _("Penalty for {side}: the game is lost."),
    # Translators: the arbiter fines a player.
    "fine": _("Penalty for {side}: a fine."),
    # Translators: the arbiter expels a player from the event.
    "expulsion": _("Penalty for {side}: expulsion."),
}

_ARBITER: Final[Mapping[str, Message]] = {
    # Translators: what the arbiter has to decide: a player is late.
    "default": _("Arbiter: a player is late. Is the game lost?"),
    # Translators: what the arbiter has to decide.
    "score": _("Arbiter: what is the score?"),
    # Translators: what the arbiter has to decide: the man placed and the move announced differ.
    "which-move": _("Arbiter: which move counts, the placed or the announced one?"),
    # Translators: what the arbiter has to decide.
    "times": _("Arbiter: which times shall be set?"),
    # Translators: what the arbiter has to decide.
    "promotion": _("Arbiter: what does the pawn become?"),
    # Translators: what the arbiter has to decide.
    "touched": _("Arbiter: a man was touched."),
    # Translators: what the arbiter has to decide.
    "conduct": _("Arbiter: please rule on the conduct of a player."),
}

# Translators: added to a ruling; {side} gets {time} (in words) more.
_TIME_GIVEN: Final = _("{side} gets {time} more.")
# Translators: somebody waits for the arbiter.
_ARBITER_DECIDES: Final = _("The arbiter decides.")

SILENT: Final = frozenset({"move-completed", "repeated", "period-reached", "status"})
"""Events that are told to nobody unasked: who has pressed, a correct repetition, a time control reached."""


def event_sentences(
    event: Mapping[str, Any], hearers: Hearers, announcement: str | None = None
) -> tuple[Sentence, ...]:
    """Return what is to be said about one event of the referee, a line of its output (times in seconds).

    `announcement` is the German announcement of the move that the event is about, where it is about one
    (`move-made`, `slip-corrected`, `repeat-differs`, an `answer` about the last move; without it nothing can
    be said of the move).

    :raises ValueError: if there is no such kind of event.
    """
    kind = event["event"]
    if kind == "move-completed":
        return _move_completed(event, hearers)
    if kind in SILENT:
        return ()
    tell = _TELLERS.get(kind)
    if tell is None:
        raise ValueError(f"no event is called {kind!r}")
    return tell(event, hearers, announcement)


def _other(side: Side) -> Side:
    return "black" if side == "white" else "white"


def _room(
    hearers: Hearers, message: Message, priority: Priority = Priority.REPLY, /, **values: Value
) -> tuple[Sentence, ...]:
    language = hearers.language_of("room")
    return (from_segments(fill(message, language, **values), language, priority=priority),)


def _side(event: Mapping[str, Any], key: str = "side") -> Message:
    """Return the player an event is about, or the arbiter."""
    # Translators: the arbiter as the subject of a sentence.
    return SIDES.get(event.get(key, ""), _("Arbiter"))


def _words(seconds: float | None, language: str) -> str:
    return duration_in_words(round((seconds or 0) * 1000), language)


def _with_time(
    event: Mapping[str, Any], hearers: Hearers, ruling: tuple[Sentence, ...], gainer: Message
) -> tuple[Sentence, ...]:
    """Add to a ruling how much time the opponent gets, if any, as part of the same sentence."""
    if not event.get("seconds"):
        return ruling
    language = hearers.language_of("room")
    given = fill(_TIME_GIVEN, language, side=gainer, time=_words(event["seconds"], language))
    return (from_segments((*ruling[0].segments, (language, " "), *given), language),)


def _clock_started(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: the game begins; {side} has the move.
    return _room(hearers, _("The clock of {side} is running."), Priority.CHATTER, side=_side(event))


def _move_made(event: Mapping[str, Any], hearers: Hearers, text: str | None) -> tuple[Sentence, ...]:
    if text is None:
        return ()
    return (Sentences(hearers.language_of("room")).readback(text, event.get("ply")),)


def _move_completed(event: Mapping[str, Any], hearers: Hearers) -> tuple[Sentence, ...]:
    side: Side = event["side"]
    if not (hearers.speaks_move_numbers and side in hearers.blind):
        return ()
    return (
        compose(
            # Translators: the number of the move just completed, spoken by the clock; {n} in words.
            _("Move {n}."),
            hearers.language_of(side),
            priority=Priority.CHATTER,
            audience=side,
            stale_key=f"move-number:{side}",
            n=(event["ply"] + 1) // 2,
        ),
    )


def _repeat_differs(_event: Mapping[str, Any], hearers: Hearers, text: str | None) -> tuple[Sentence, ...]:
    if text is None:
        return ()
    return (Sentences(hearers.language_of("room")).repeat_differs(text),)


def _slip_corrected(event: Mapping[str, Any], hearers: Hearers, text: str | None) -> tuple[Sentence, ...]:
    if text is None:
        return ()
    return (Sentences(hearers.language_of("room")).corrected(text, event.get("ply")),)


def _illegal_move(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    ruling = _room(
        hearers,
        _REMEDIES.get(event.get("remedy", ""), _REMEDIES["time-to-opponent"]),
        side=_side(event),
        number=event.get("number", 1),
    )
    return _with_time(event, hearers, ruling, SIDES[_other(event["side"])])


def _refused(event: Mapping[str, Any], hearers: Hearers, text: str | None) -> tuple[Sentence, ...]:
    audience: Audience = event.get("side", "room")
    sentences = Sentences(hearers.language_of(audience), audience)
    if event.get("candidates"):
        # Which of them is meant is asked by whoever can put the moves into words.
        return ()
    if hearers.mode == "club" and text is not None:
        return (sentences.not_legal(move=text),)
    return (
        compose(
            # Translators: what the player wanted is not possible at this moment.
            _("That is not possible now."),
            sentences.language,
            audience=audience,
            stale_key=f"refused:{audience}",
        ),
    )


def _flag_fallen(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a player's time has run out.
    return _room(hearers, _("The flag of {side} has fallen."), side=_side(event))


def _flag_claim(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a player claims that the opponent's time has run out.
    return _room(hearers, _("{side} claims: time exceeded."), side=_side(event))


def _draw_offered(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a player offers a draw.
    return _room(hearers, _("Draw offer by {side}."), side=_side(event))


def _draw_declined(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a player declines a draw offer.
    return _room(hearers, _("Draw offer declined by {side}."), side=_side(event))


def _claim(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: a claim of a kind without a name of its own.
    claim = _CLAIMS.get(event.get("of", ""), _("claim"))
    ruling = _room(hearers, _RULINGS[event["event"]], side=_side(event), claim=claim)
    # Translators: the player who gets more time, when it was the arbiter who claimed.
    gainer = SIDES[_other(event["side"])] if event.get("side") in SIDES else _("the opponent")
    return _with_time(event, hearers, ruling, gainer)


def _penalty(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    language = hearers.language_of("room")
    # Translators: a penalty of a kind without a name of its own.
    message = _PENALTIES.get(event.get("kind", ""), _("Penalty for {side}."))
    ruling = _room(hearers, message, side=_side(event), time=_words(event.get("seconds"), language))
    if event.get("kind") != "add-opponent":
        return ruling
    return _with_time(event, hearers, ruling, SIDES[_other(event["side"])])


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
        return _room(hearers, _("The clock of {side} is running."), side=SIDES[running])
    # Translators: the game goes on after a stop.
    return _room(hearers, _("The clock is running again."))


def _position_restored(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    if not event.get("ply"):
        # Translators: the game begins again.
        return _room(hearers, _("Back to the initial position."))
    move, side = _ply(event["ply"])
    # Translators: the game goes back; {n} is the number of the move in words, {side} who made it.
    return _room(hearers, _("Back to the position after move {n} of {side}."), n=move, side=side)


def _ply(ply: int) -> tuple[int, Message]:
    """Return the number of a move and who made it, in a game that White began."""
    return (ply + 1) // 2, SIDES["white" if ply % 2 else "black"]


def _sheets_differ(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    move, side = _ply(event["ply"])
    # Translators: the two scoresheets part at move {n} (in words) of {side}.
    return _room(hearers, _("The scoresheets differ from move {n} of {side}."), n=move, side=side)


def _sheets_agree(_event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: the two scoresheets say the same.
    return _room(hearers, _("The scoresheets agree."))


def _adjourned(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    if event.get("side") in SIDES:
        # Translators: the game is interrupted; {side} writes down his next move in secret.
        return _room(hearers, _("Adjournment: {side} seals a move."), side=_side(event))
    # Translators: the game is interrupted; the player to move writes down his next move in secret.
    return _room(hearers, _("Adjournment: a move is to be sealed."))


def _sealed(_event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: the secret move of an adjourned game is written down. It is never read out.
    return _room(hearers, _("The move is sealed."))


def _envelope_opened(_event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    # Translators: the envelope with the sealed move has been opened; the move follows.
    return _room(hearers, _("The envelope is open."))


def _answer(event: Mapping[str, Any], hearers: Hearers, text: str | None) -> tuple[Sentence, ...]:
    asker: Side = event["side"]
    sentences = Sentences(hearers.language_of(asker), asker)
    match event["about"]:
        case "times":
            white, black = event.get("white"), event.get("black")
            if white is None or black is None:
                return (sentences.times(None, None, asker),)
            return (sentences.times(round(white * 1000), round(black * 1000), asker),)
        case "moves-completed":
            return (sentences.moves_completed(event["moves"]),)
        case "moves-to-control":
            return (sentences.moves_to_control(event.get("moves")),)
        case "last-move":
            if event.get("move") and text is None:
                return ()
            return (sentences.last_move(text),)
        case "law":
            return (
                from_segments(((sentences.language, event["text"]),), sentences.language, audience=asker),
            )
    # A position is read out by whoever can put the men into words.
    return ()


def _arbiter_asked(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    question = compose(
        _ARBITER.get(event.get("about", ""), _ARBITER_DECIDES),
        hearers.language_of("arbiter"),
        audience="arbiter",
    )
    return (*_room(hearers, _ARBITER_DECIDES), question)


def _game_over(event: Mapping[str, Any], hearers: Hearers, _text: str | None) -> tuple[Sentence, ...]:
    reason = _ENDINGS.get(event.get("reason", ""), _ENDINGS["arbiter"])
    return _room(hearers, _RESULTS[event["result"]], reason=reason)


_Teller = Callable[[Mapping[str, Any], Hearers, str | None], tuple[Sentence, ...]]

_TELLERS: Final[Mapping[str, _Teller]] = {
    "clock-started": _clock_started,
    "move-made": _move_made,
    "repeat-differs": _repeat_differs,
    "slip-corrected": _slip_corrected,
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
    "envelope-opened": _envelope_opened,
    "answer": _answer,
    "arbiter-asked": _arbiter_asked,
    "game-over": _game_over,
}

KINDS: Final = frozenset(_TELLERS) | SILENT
"""Every kind of event that `event_sentences` knows."""
