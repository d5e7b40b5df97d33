"""The wording of results, claims, rulings, penalties and devices: tables of messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assistant.speaking.messages import Message, _, _p

RESULTS: Final[Mapping[str, Message]] = {
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
    # Translators: points that a penalty has raised; {reason} says why.
    "1-1/2": _("One point to White, half a point to Black: {reason}."),
    # Translators: points that a penalty has raised; {reason} says why.
    "1/2-1": _("One point to Black, half a point to White: {reason}."),
    # Translators: points that a penalty has raised; {reason} says why.
    "1-1": _("One point to each player: {reason}."),
    # Translators: a win without a game; {reason} says why.
    "+/-": _("White wins by default: {reason}."),
    # Translators: a win without a game; {reason} says why.
    "-/+": _("Black wins by default: {reason}."),
    # Translators: neither player came; {reason} says why.
    "-/-": _("Both players lose by default: {reason}."),
    # Translators: the game does not count; {reason} says why.
    "annulled": _("The game is annulled: {reason}."),
}

ENDINGS: Final[Mapping[str, Message]] = {
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
    "flag": _("time exceeded"),
    # Translators: why a game is over.
    "both-flags": _("both flags have fallen"),
    # Translators: why a game is over: one illegal move too many.
    "illegal-moves": _("illegal moves"),
    # Translators: why a game is over: a player came too late.
    "default": _("default time exceeded"),
    # Translators: why a game is over: the sealed move was illegal or unclear.
    "sealed-move": _("the sealed move does not count"),
    # Translators: why a game is over: the rules for the last minutes without increment.
    "quickplay-finish": _("quickplay finish"),
    # Translators: why a game is over.
    "penalty": _("penalty"),
    # Translators: why a game is over.
    "arbiter": _("decision of the arbiter"),
}

CLAIMS: Final[Mapping[str, Message]] = {
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
    # Translators: what is claimed: White should play Black.
    "colours-reversed": _("colours reversed"),
    # Translators: what is claimed: the rules for the last minutes without increment.
    "quickplay-finish": _("quickplay finish"),
    # Translators: what is claimed: five seconds more a move (2014 Guideline G.4).
    "five-seconds": _("five extra seconds a move"),
    # Translators: what is claimed: the opponent cannot mate.
    "mating-potential": _("no way to mate"),
    # Translators: what is claimed: the opponent used two hands for one move.
    "two-hands": _("two hands used"),
}

RULINGS: Final[Mapping[str, Message]] = {
    # Translators: a claim is correct; {claim} is what was claimed.
    "claim-right": _("{side:genitive} claim is correct: {claim}."),
    # Translators: a claim is incorrect; {claim} is what was claimed.
    "claim-wrong": _("{side:genitive} claim is incorrect: {claim}."),
    # Translators: the arbiter still has to rule on a claim.
    "claim-waits": _("{side:genitive} claim: {claim}. The arbiter decides."),
    # Translators: the arbiter rules on a claim later; both players are told to play on meanwhile.
    "postponed": _("Play on: the arbiter postpones the decision."),
}

# Translators: told to the arbiter alone, who has seen both kings in check or a pawn left on the last rank;
# nobody else may learn it before the next move is completed.
WATCHED: Final = _("The next move is waited for. If the position is illegal after it too, the game is drawn.")

REMEDIES: Final[Mapping[str, Message]] = {
    # Translators: the ruling on an illegal move; the game is lost. The result follows as its own sentence.
    "game-lost": _("Illegal move number {number} by {side}."),
    # Translators: the ruling on an illegal move; the opponent cannot mate. The result follows.
    "drawn": _("Illegal move number {number} by {side}."),
    # Translators: the ruling on an illegal move found too late.
    "stands": _("The illegal move by {side} stands."),
    # Translators: the ruling on an illegal move; the time given to the opponent may follow.
    "time-to-opponent": _("Illegal move number {number} by {side}."),
}

PENALTIES: Final[Mapping[str, Message]] = {
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

ARBITER: Final[Mapping[str, Message]] = {
    # Translators: what the arbiter has to decide; {side} is White or Black.
    "default": _("Arbiter: {side} is late. Is the game lost?"),
    # Translators: what the arbiter has to decide.
    "score": _("Arbiter: what is the score?"),
    # Translators: what the arbiter has to decide: the placed move or the announced one, or what was sealed.
    "which-move": _("Arbiter: which move counts?"),
    # Translators: what the arbiter has to decide.
    "times": _("Arbiter: which times shall be set?"),
    # Translators: what the arbiter has to decide at the start; he sets the clocks or leaves them. {side} is
    # White or Black.
    "assistant-time": _("Arbiter: {side} has an assistant. How much less time?"),
    # Translators: what the arbiter has to decide.
    "touched": _("Arbiter: a man was touched."),
    # Translators: what the arbiter has to decide: White should play Black.
    "colours": _("Arbiter: the colours are reversed. Does the game go on?"),
    # Translators: what the arbiter has to decide; {side} is White or Black.
    "conduct": _("Arbiter: please rule on the conduct of {side}."),
}

# Translators: what the arbiter has to decide: nobody has come in time.
_BOTH_LATE: Final = _("Arbiter: both players are late. Is the game lost?")


def to_decide(about: str, side: str | None) -> Message:
    """Return what the arbiter is asked, with {side} for the player whom it is about, if it names him."""
    if about == "default" and side is None:
        return _BOTH_LATE
    return ARBITER.get(about, ARBITER_DECIDES)


# Translators: added to a ruling; {side} gets {time} (in words) more.
TIME_GIVEN: Final = _("{side} gets {time} more.")
# Translators: somebody waits for the arbiter.
ARBITER_DECIDES: Final = _("The arbiter decides.")


SIDES: Final[Mapping[str, Message]] = {
    # Translators: the player of the white men, as the subject of a sentence.
    "white": _p("player", "White"),
    # Translators: the player of the black men, as the subject of a sentence.
    "black": _p("player", "Black"),
}

# Translators: the arbiter as the subject of a sentence.
THE_ARBITER: Final = _p("player", "Arbiter")

GENITIVES: Final = (
    # Translators: "of White", as a translation asks for it by {side:genitive}.
    _p("player, genitive", "White"),
    # Translators: "of Black", as a translation asks for it by {side:genitive}.
    _p("player, genitive", "Black"),
    # Translators: "of the arbiter", as a translation asks for it by {side:genitive}.
    _p("player, genitive", "Arbiter"),
)

OF_SIDE: Final[Mapping[str, Message]] = {
    # Translators: after a man's name: Springer, white.
    "white": _p("colour of a man", "white"),
    # Translators: after a man's name: Springer, black.
    "black": _p("colour of a man", "black"),
}

# Translators: the last two of several things to choose from.
OR: Final = _("{first} or {last}")

QUESTIONS: Final[Mapping[str, Message]] = {
    # Translators: asked back before a player resigns; {yes} and {no} are the German words he answers with.
    "resign": _("Resign? {yes} or {no}?"),
    # Translators: asked back before a draw is offered.
    "offer-draw": _("Offer a draw? {yes} or {no}?"),
    # Translators: asked back before a draw offer is accepted.
    "accept-draw": _("Accept the draw? {yes} or {no}?"),
    # Translators: asked back before a draw offer is declined.
    "decline-draw": _("Decline the draw? {yes} or {no}?"),
    # Translators: asked back before the arbiter is called.
    "arbiter": _("Call the arbiter? {yes} or {no}?"),
    # Translators: asked back before a claim is made.
    "claim threefold": _("Claim threefold repetition? {yes} or {no}?"),
    # Translators: asked back before a claim is made.
    "claim fifty-moves": _("Claim the fifty-move rule? {yes} or {no}?"),
    # Translators: asked back before a claim is made.
    "claim flag": _("Claim a win on time? {yes} or {no}?"),
    # Translators: asked back before a claim is made.
    "claim illegal-move": _("Claim an illegal move? {yes} or {no}?"),
}

CLAIMS_WITH_A_MOVE: Final[Mapping[str, Message]] = {
    # Translators: asked back before a claim is made with the move that was announced; {move} is German.
    "threefold": _("Claim threefold repetition with {move}? {yes} or {no}?"),
    # Translators: asked back before a claim is made with the move that was announced; {move} is German.
    "fifty-moves": _("Claim the fifty-move rule with {move}? {yes} or {no}?"),
}

LOST: Final[Mapping[str, Message]] = {
    # Translators: the device has gone; the game goes on by keyboard.
    "microphone": _("Microphone lost. Please type the moves."),
    # Translators: the loudspeaker or the synthesiser has gone; this is printed, not spoken.
    "voice": _("Voice lost. Everything is printed."),
    # Translators: said aloud in the room; what only the player may hear is printed until they are back.
    "headphones": _("Headphones lost. Private answers are printed."),
    # Translators: the chess program that played one side has failed.
    "engine": _("Engine lost. Please type its moves."),
    # Translators: nobody can type any more; the game goes on by voice.
    "keyboard": _("Keyboard lost."),
    # Translators: the braille display has gone.
    "braille display": _("Braille display lost."),
    # Translators: the microphone works, but the disk is too full for Hector to understand anything.
    "hearing": _("I cannot hear any more. Please type the moves."),
}

MISSING: Final[Mapping[str, Message]] = {
    # Translators: there has been no microphone yet; the game is played by keyboard.
    "microphone": _("There is no microphone. Please type the moves."),
    # Translators: there has been no loudspeaker yet; this is printed, not spoken.
    "voice": _("There is no voice. Everything is printed."),
}

BACK: Final[Mapping[str, Message]] = {
    # Translators: the device works again.
    "microphone": _("Microphone back."),
    # Translators: the loudspeaker or the synthesiser works again.
    "voice": _("Voice back."),
    # Translators: the headphones work again.
    "headphones": _("Headphones back."),
    # Translators: the device works again.
    "braille display": _("Braille display back."),
    # Translators: Hector understands announcements again.
    "hearing": _("I can hear again."),
}

REASONS: Final[Mapping[str, Message]] = {
    # Translators: why an announcement is refused: no words of chess were in it.
    "unknown-words": _("Not understood: {words}."),
    # Translators: the words are known, but together they are neither a move nor a command.
    "no-announcement": _("No move: {words}."),
    # Translators: a pawn reached the last rank and the player did not say what it becomes.
    "promotion-missing": _("The promotion is missing."),
    # Translators: a promotion was announced for a move that is none; {piece} and {target} are German.
    "promotion-not-due": _("No promotion on {target}."),
    # Translators: a pawn's move to the last rank was announced with "Koenig" or "Bauer", {piece}.
    "no-such-promotion": _("No pawn becomes {piece}."),
    # Translators: only a capture leads the pawn there.
    "capture-unnamed": _("Only by capture: {target}."),
    # Translators: castling is not possible.
    "castling": _("Castling is not possible."),
    # Translators: {square} is a German square name.
    "empty-square": _("{square} is empty."),
    # Translators: the man on the announced square belongs to the opponent.
    "opponents-man": _("{piece} {square} is the opponent's."),
    # Translators: another man stands there than was announced.
    "other-man": _("{piece} is on {square}."),
    # Translators: the move would leave the king in check.
    "king-in-check": _("In check: {piece} {target}."),
    # Translators: the man on the square cannot go there.
    "cannot-move-so": _("Not possible: {piece} from {square} to {target}."),
    # Translators: no such man stands where it was said to come from.
    "no-such-man": _("No {piece} there."),
    # Translators: no man of that kind can go there.
    "cannot-reach": _("No {piece} reaches {target}."),
    # Translators: a command that has no sense at this moment.
    "command-not-now": _("Not now: {words}."),
}
