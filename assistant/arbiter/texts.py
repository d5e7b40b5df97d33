"""The words of the page, by name; the page asks for all of them in one language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from assistant.arbiter.answered import ANSWERS
from assistant.arbiter.doings import FIELDS
from assistant.arbiter.logged import LOG
from assistant.speaking import SIDES, Message, _, _p, fill, translate

_PERSON_FIRST = re.compile(r"\{(?:side|who)[:}]")
TEXTS: Final[Mapping[str, Message]] = {
    # Translators: the title of the page, after the names of the players.
    "app": _("Hector, the chess table"),
    # Translators: link to the main part of the page, for the keyboard.
    "skip": _("Skip to the game"),
    # Translators: label of the choice of a language.
    "language": _("Language"),
    # Translators: the heading of the page; names of the two players.
    "heading": _("{white} against {black}"),
    # Translators: what somebody is on this page.
    "role-spectator": _("You are watching."),
    # Translators: what somebody is on this page; {side} is White or Black.
    "role-opponent": _("You play {side}."),
    # Translators: what somebody is on this page.
    "role-arbiter": _("You are the arbiter."),
    # Translators: the mode of the game, always visible.
    "mode-rated": _("Rated game"),
    # Translators: the mode of the game, always visible.
    "mode-club": _("Club game"),
    "mode-rated-help": _(
        # Translators: what a rated game means on this page.
        "What is announced is recorded. Nothing is said about legality until somebody claims."
    ),
    # Translators: what a club game means on this page.
    "mode-club-help": _("An illegal announcement is refused at once."),
    # Translators: which edition of the Laws of Chess is played by.
    "laws": _("Laws of Chess: {edition}, {category}"),
    # Translators: a kind of game.
    "category-standard": _("standard play"),
    # Translators: a kind of game.
    "category-rapid": _("rapid"),
    # Translators: a kind of game.
    "category-blitz": _("blitz"),
    # Translators: shown while the page has no connection.
    "connection-lost": _("No connection. What you see may be old; the page catches up by itself."),
    # Translators: told when the page has caught up.
    "connection-back": _("Connected again; everything is up to date."),
    # Translators: told to everybody when the page is closed after the game.
    "closed": _("The arbiter has closed the page."),
    # Translators: heading of the form with the PIN.
    "signin": _("Sign in"),
    # Translators: label: as whom somebody signs in.
    "signin-role": _("I am"),
    # Translators: label of the field for the PIN.
    "signin-pin": _("PIN"),
    # Translators: button.
    "signin-do": _("Sign in"),
    # Translators: button.
    "signout": _("Sign out"),
    # Translators: a choice: as whom somebody signs in.
    "as-opponent": _p("choice at the sign-in", "the opponent"),
    # Translators: a choice: as whom somebody signs in.
    "as-arbiter": _("the arbiter"),
    # Translators: a choice: as whom somebody signs in.
    "as-spectator": _("a spectator"),
    # Translators: heading above the board.
    "board": _("Board"),
    # Translators: caption of the board for a screen reader.
    "board-caption": _("The position after half-move {ply}."),
    "board-help": _(
        # Translators: how to move on the board with the keyboard.
        "Arrow keys go from square to square. Enter or a click takes a man, Enter or a click on "
        "another square puts it there. Escape lets it go."
    ),
    # Translators: button: show the board from the other side.
    "board-flip": _("Turn the board"),
    # Translators: header of a row of the board.
    "rank": _("Rank {rank}"),
    # Translators: header of a column of the board.
    "file": _("File {file}"),
    # Translators: nothing stands on a square.
    "empty": _("empty"),
    # Translators: a man on the board.
    "piece-K": _("white king"),
    # Translators: a man on the board.
    "piece-Q": _("white queen"),
    # Translators: a man on the board.
    "piece-R": _("white rook"),
    # Translators: a man on the board.
    "piece-B": _("white bishop"),
    # Translators: a man on the board.
    "piece-N": _("white knight"),
    # Translators: a man on the board.
    "piece-P": _("white pawn"),
    # Translators: a man on the board.
    "piece-k": _("black king"),
    # Translators: a man on the board.
    "piece-q": _("black queen"),
    # Translators: a man on the board.
    "piece-r": _("black rook"),
    # Translators: a man on the board.
    "piece-b": _("black bishop"),
    # Translators: a man on the board.
    "piece-n": _("black knight"),
    # Translators: a man on the board.
    "piece-p": _("black pawn"),
    # Translators: said of a square whose man has been taken to move it.
    "taken": _("chosen"),
    # Translators: said of a square that the last move left.
    "last-from": _("last move from here"),
    # Translators: said of a square that the last move reached.
    "last-to": _("last move to here"),
    # Translators: told when a man on the board has been taken to move it.
    "man-chosen": _("{square}, {man}: choose the square it goes to."),
    # Translators: told when a man on the board is let go.
    "man-dropped": _("Nothing is chosen."),
    # Translators: heading above the captured men.
    "captured": _("Captured men"),
    # Translators: the white men that were captured; {men} is a list.
    "captured-white": _("White men: {men}"),
    # Translators: the black men that were captured; {men} is a list.
    "captured-black": _("Black men: {men}"),
    # Translators: nothing in a list.
    "none": _("none"),
    # Translators: a value that nobody has given: a time, a reason, a move.
    "not-given": _("not given"),
    # Translators: heading above the two clocks.
    "clocks": _("Clocks"),
    # Translators: the game is played without a clock.
    "clock-none": _("No clock"),
    # Translators: said of a clock.
    "clock-runs": _("running"),
    # Translators: said of a clock.
    "clock-stands": _("stopped"),
    # Translators: heading above the moves.
    "moves": _("Moves"),
    # Translators: head of a column.
    "moves-number": _("No."),
    # Translators: no move has been made.
    "moves-none": _("No move yet."),
    # Translators: said after a recorded illegal move, for the arbiter alone.
    "illegal-mark": _("illegal"),
    # Translators: said after a move with which a draw was offered.
    "offer-mark": _("draw offered"),
    # Translators: the state of the game.
    "waiting": _("The clock has not been started."),
    # Translators: the state of the game.
    "to-move": _("{side} to move."),
    # Translators: for the arbiter: {time} is in words, "five minutes".
    "hurried": _("{side} has less than {time}."),
    # Translators: the state of the game.
    "stopped": _("The clocks are stopped."),
    # Translators: the state of the game: {side} writes down his next move in secret, for an adjournment.
    "sealing-now": _("{side} seals a move."),
    # Translators: the state of the game: {side} has written down a move in secret, for an absent player.
    "reply-sealed": _("{side} has sealed the reply."),
    # Translators: the envelope of an adjourned game is lost: {side}, who sealed a move, says which.
    "declares-now": _("{side} announces the move that was sealed."),
    # Translators: the state of the game.
    "adjourned": _("The game is adjourned."),
    # Translators: the last move as far as it was announced; {move} in notation. Nothing of the clock (12.6).
    "pending": _("{side} has announced {move}."),
    # Translators: the state of the game; {result} such as 1-0 and {reason}.
    "over": _("The game is over: {result}, {reason}."),
    # Translators: a draw offer stands.
    "offer-open": _("{side} has offered a draw."),
    # Translators: a claim waits for the arbiter.
    "claim-open": _("A claim waits for the arbiter."),
    # Translators: heading above the state of the game.
    "status": _("State of the game"),
    # Translators: before the article that says what a screen may show.
    "screen-rule": _("What a screen may show"),
    # Translators: before the number of an article.
    "article": _("Article"),
    # Translators: said of an article whose text comes from another edition.
    "borrowed": _("borrowed from another edition"),
    # Translators: heading above the log of the game.
    "log": _("Log"),
    # Translators: button.
    "log-older": _("Show older entries"),
    # Translators: how many entries of the log are shown, both in digits.
    "log-count": _("Entries: {shown} of {total}, the newest first"),
    # Translators: heading above what the opponent can do.
    "your-move": _("Your move and your clock"),
    # Translators: label of a field for a move.
    "move-text": _("Move, in any notation"),
    # Translators: how a move may be written.
    "move-hint": _("For example Nf3, g1f3, e2-e4 or Springer Felix drei."),
    # Translators: button.
    "move-do": _("Announce the move"),
    # Translators: button.
    "press": _("Press the clock"),
    # Translators: button.
    "offer-draw": _("Offer a draw"),
    # Translators: button.
    "accept-draw": _("Accept the draw"),
    # Translators: asked back before the opponent accepts a draw.
    "accept-ask": _("You accept the draw, and the game ends. This cannot be taken back."),
    # Translators: button.
    "decline-draw": _("Decline the draw"),
    # Translators: button.
    "resign": _("Resign"),
    # Translators: asked back before the opponent resigns.
    "resign-ask": _("You resign this game. This cannot be taken back."),
    # Translators: button: stop the clocks and call the arbiter.
    "call-arbiter": _("Stop the clocks and call the arbiter"),
    # Translators: heading above draw offers and resignation.
    "draw-heading": _("Draw and resignation"),
    # Translators: heading above the form of a claim.
    "claim-heading": _("Claim"),
    # Translators: label: what is claimed.
    "claim-of": _("I claim"),
    # Translators: label of a field.
    "claim-move": _("With the move I intend, if the claim rests on it"),
    # Translators: button.
    "claim-do": _("Make the claim"),
    # Translators: asked back before the opponent claims; {claim} such as "time exceeded".
    "claim-ask": _("You claim: {claim}. This cannot be taken back."),
    # Translators: asked back before the opponent claims with a move that he intends; {move} in notation.
    "claim-ask-with": _("You claim: {claim}, with the move {move}. This cannot be taken back."),
    # Translators: asked when a pawn reaches the last rank.
    "promote": _("What does the pawn become?"),
    # Translators: a man that a pawn may become.
    "queen": _("Queen"),
    # Translators: a man that a pawn may become.
    "rook": _("Rook"),
    # Translators: a man that a pawn may become.
    "bishop": _("Bishop"),
    # Translators: a man that a pawn may become.
    "knight": _("Knight"),
    # Translators: heading above what waits for the arbiter.
    "questions": _("Open questions"),
    # Translators: nothing waits for the arbiter.
    "questions-none": _("Nothing waits for you."),
    # Translators: a claim that waits; {claim} is what is claimed.
    "question-claim": _("{side} claims: {claim}."),
    # Translators: a question to the arbiter is about a player.
    "question-side": _("About: {side}."),
    # Translators: what the Laws propose as the answer.
    "proposal": _("Proposal: {proposal}."),
    # Translators: your ruling answers this one first.
    "question-next": _("Your ruling answers this one."),
    # Translators: heading above the arbiter's forms.
    "ruling": _("Arbiter's actions"),
    # Translators: a group of the arbiter's forms.
    "group-now": _("Clock and course of the game"),
    # Translators: a group of the arbiter's forms.
    "group-rule": _("Rulings, penalties, result"),
    # Translators: a group of the arbiter's forms.
    "group-board": _("Position and scoresheets"),
    # Translators: a group of the arbiter's forms.
    "group-for": _("On behalf of a player"),
    # Translators: a group of the arbiter's forms.
    "group-adjourn": _("Adjournment"),
    # Translators: a group of the arbiter's forms.
    "group-end": _("End of the game"),
    # Translators: button that shows what an action would do.
    "next": _("Next"),
    # Translators: heading of the question before an action.
    "confirm": _("This will happen"),
    # Translators: button: carry the action out.
    "do-it": _("Do it"),
    # Translators: button: do not carry the action out.
    "cancel": _("Cancel"),
    "followed": _(
        # Translators: what the arbiter is told on a page that only shows a game; the word arbiter stays.
        "This page follows a game that another Hector plays; nothing is entered here. Moves are entered "
        "there, rulings on that Hector's own page or, if it has none, at its keyboard (arbiter and Enter)."
    ),
    "followed-silent": _(
        # Translators: the program that plays the game which this page shows has ended or is stuck.
        "The Hector that plays this game gives no sign of life. The clocks show what they showed last."
    ),
    # Translators: heading above what the page has refused, for the arbiter.
    "security": _("What this page has refused"),
    # Translators: how many requests were refused, in digits.
    "security-count": _("Requests refused: {n}."),
    # Translators: heading above the signatures.
    "signatures": _("Signatures"),
    # Translators: button: a player signs the result.
    "sign-mine": _("I sign the result {result}"),
    # Translators: asked back before a player signs.
    "sign-ask": _("You sign the result {result} ({article})."),
    # Translators: somebody has signed the result.
    "signed": _("{who}: result {result} signed."),
    # Translators: the blind player has confirmed the result before the arbiter.
    "signed-witness": _("{who}: result {result} confirmed before the arbiter."),
    # Translators: somebody has not signed the result yet.
    "unsigned": _("{who}: not signed yet."),
    # Translators: the arbiter as a person.
    "arbiter": _("Arbiter"),
    # Translators: what is proposed to the arbiter where the players have each other's colours.
    "proposal-continue": _("the game goes on as it is"),
    # Translators: what is proposed to the arbiter where a player has an assistant.
    "proposal-as-set": _("the clocks stay as they are"),
    # Translators: a scoresheet has no move there.
    "nothing-written": _("nothing"),
    # Translators: a number or a time with tenths, in digits, with the language's decimal mark.
    "decimal": _("{whole}.{fraction}"),
    "paper": _(
        # Translators: said beside the sealed move.
        "FIDE's rated events ask for a sealed move on paper in an envelope. Hector's seal is for "
        "home and club, and as a copy."
    ),
    # Translators: shown where the browser runs no scripts.
    "noscript": _("This page needs JavaScript from this computer; nothing is loaded from elsewhere."),
    # Translators: who plays White, after "You play".
    "side-white": _("White"),
    # Translators: who plays Black, after "You play".
    "side-black": _("Black"),
    # Translators: heading above the form for the sealed move.
    "sealing": _("Seal your move"),
    "sealing-help": _(
        # Translators: how a move is sealed on the page.
        "Write your move so that nobody sees it; it is hidden here. It may be changed until the "
        "arbiter stops the clock."
    ),
    # Translators: label of the hidden field for the sealed move.
    "sealing-move": _("The move to be sealed"),
    # Translators: button.
    "sealing-do": _("Seal it"),
    # Translators: label of a hidden field.
    "field-passphrase": _("Passphrase of the arbiter's key"),
    # Translators: link to the sheet of the envelope, to be printed.
    "envelope-print": _("The envelope's sheet, to be printed"),
    # Translators: link to the sheet of the envelope in braille.
    "envelope-braille": _("The envelope's sheet in braille (BRF)"),
    **ANSWERS,
    **FIELDS,
    **LOG,
}


def text(name: str, language: str, /, **values: str) -> str:
    """Return one of `TEXTS`, filled.

    :raises KeyError: if there is none of that name.
    """
    return filled(TEXTS[name], language, **values)


def filled(message: Message, language: str, /, **values: str | Message) -> str:
    """Return a message in a language as one text."""
    words = "".join(piece for _language, piece in fill(message, language, **values))
    # A sentence that begins with a person begins with a capital letter; bxc4 is another move than Bxc4.
    begins_with_person = _PERSON_FIRST.match(translate(message, language)) is not None
    return words[:1].upper() + words[1:] if begins_with_person else words


def person(who: str, language: str) -> str:
    """Return what a player, or the arbiter, is called."""
    return filled(SIDES[who], language) if who in SIDES else text("arbiter", language)


@cache
def words_of(language: str) -> Mapping[str, str]:
    """Return all of `TEXTS` in a language, their placeholders open."""
    return {name: translate(message, language) for name, message in TEXTS.items()}
