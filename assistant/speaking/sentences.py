"""What Hector says of the game, of its own accord or when asked: read-backs, questions, answers.

Moves, squares, men and the words to be answered with come in as German text, as the rules for play by the
blind prescribe them, and stay German whatever the language of the sentence. The most important word comes
first: whoever has heard enough presses a key.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.sides import Side, other
from assistant.speaking.durations import duration_in_words
from assistant.speaking.messages import Message, Segments, Value, _, _n, german, listing
from assistant.speaking.sentence import Priority, Sentence, SentenceMaker, from_segments
from assistant.speaking.wording import CLAIMS_WITH_A_MOVE, OF_SIDE, OR, QUESTIONS, REASONS, SIDES


class Sentences(SentenceMaker):
    """Makes the sentences of a dialogue in one language, for one player by default.

    Texts named `move`, `square`, `piece` or `words` are German, as `Vocabulary.written` returns them.
    """

    # Moves

    def readback(self, move: str, ply: int) -> Sentence:
        """Say a move as it was understood. A later read-back of the same ply replaces this one."""
        return from_segments(german(move), self.language, stale_key=f"move:{ply}", audience="room")

    def corrected(self, move: str, ply: int) -> Sentence:
        """Say a move that replaces a slip of the tongue."""
        return self._say(
            # Translators: the player has corrected himself; {move} is the German announcement.
            _("Correction: {move}."),
            audience="room",
            stale_key=f"move:{ply}",
            move=german(move),
        )

    def ask_for_correction(self) -> Sentence:
        # Translators: the player said that he wants to correct his announcement, and not yet how.
        return self._say(_("Correction. Which move?"), stale_key="question")

    def mend_or_press_first(self, correction: str, press: str | None) -> Sentence:
        """Say how to go on with a typed move that mends the one which waits, or answers it too early.

        :param press: the word that presses; None where only the key does.
        """
        if press is None:
            # Translators: as the sentence after this one; the key is that of the clock.
            text = _("First {correction} or the key, then the move.")
        else:
            # Translators: a typed move may mend the announced one or answer it; the words are German.
            text = _("First {correction} or {press}, then the move.")
        return self._say(
            text,
            audience="room",
            stale_key="question",
            correction=german(correction),
            press=german(press or ""),
        )

    def nothing_announced(self) -> Sentence:
        # Translators: the player wanted to correct or repeat a move that nobody announced.
        return self._say(_("No move announced."))

    def not_a_move(self, words: str) -> Sentence:
        """Say that an announcement was heard and can be no move, without what the Laws have against it."""
        # Translators: what was announced is no move that can be recorded; {words} is German.
        return self._say(_("Not recorded: {words}."), words=german(words))

    def offer_apart(self) -> Sentence:
        """Say that a move was not made, as a draw was offered with it (9.1.2.1: first the move)."""
        # Translators: a move typed with the sign of a draw offer is not made. As short as possible.
        return self._say(_("Not made: the draw is offered apart, after the move."))

    def one_at_a_time(self) -> Sentence:
        # Translators: several moves were typed in one line. As short as possible.
        return self._say(_("Not made: one move at a time."))

    def nothing_to_correct(self) -> Sentence:
        # Translators: a correction is possible only until the clock is pressed.
        return self._say(_("Too late to correct."))

    def repeat_differs(self, move: str) -> Sentence:
        """Say at once that the opponent repeated something else than was announced."""
        return self._say(
            # Translators: the opponent repeated another move than the announced one; {move} is announced.
            _("{move} was announced."),
            priority=Priority.ALARM,
            audience="room",
            move=german(move),
        )

    def pardon(self) -> Sentence:
        """Ask for it to be said again."""
        return self._say(
            # Translators: nothing was understood. As short as possible.
            _("Pardon?"),
            stale_key="question",
            repeatable=False,
        )

    def which(self, choices: Sequence[str], common: str = "") -> Sentence:
        """Ask between rivals, naming only what differs: `which(["von Bella", "von Gustav"], "Springer")`."""
        options = listing([german(choice) for choice in choices], OR, self.language)
        if not common:
            # Translators: which of several moves was meant; {choices} are joined by "or".
            return self._say(_("{choices}?"), stale_key="question", choices=options)
        return self._say(
            # Translators: which of several moves was meant; {common} is the German name of the man.
            _("{common} {choices}?"),
            stale_key="question",
            common=german(common),
            choices=options,
        )

    def did_you_mean(self, move: str) -> Sentence:
        # Translators: asks back whether this move was meant; {yes} and {no} are German words.
        return self._ask(_("{move}? {yes} or {no}?"), move=german(move))

    def not_legal(
        self, code: str | None = None, *, move: str = "", square: str = "", target: str = "", piece: str = "",
        words: str = "", side: Side | None = None,
    ) -> Sentence:  # fmt: skip
        """Refuse an announcement and say why. Only for a club game: a rated one says nothing of legality.

        `code` is the code of an announcement's reason; without one that is known, the move is named. `side`:
        of whose move alone the reason is true, where the other player may have spoken.
        """
        message = REASONS.get(code or "")
        if message is None:
            if not move:
                return self.pardon()
            # Translators: the announced move is not legal (club games only); {move} is German.
            return self._say(_("Not possible: {move}."), move=german(move))
        facts = {"square": square, "target": target, "piece": piece, "words": words}
        named = {name: german(text) for name, text in facts.items()}
        reason = self._segments(message, **named)
        if side is not None:
            # Translators: {reason} why an announcement is refused as a move of {side}, White or Black.
            reason = self._segments(_("{side}: {reason}"), side=SIDES[side], reason=reason)
        return from_segments(reason, self.language, audience=self.audience)

    # Questions before something that cannot be taken back

    def confirm(self, command: str, of: str | None = None) -> Sentence:
        """Ask back before a command counts: "resign", "offer-draw", "accept-draw", "claim" with `of` ...

        :raises KeyError: if that command is never asked back.
        """
        return self._ask(QUESTIONS[command if of is None else f"{command} {of}"])

    def confirm_resignation(self, side: Side) -> Sentence:
        """Ask two players who share a microphone whether this one resigns."""
        # Translators: asked back before a player resigns; two may have said it, {side} is White or Black.
        return self._ask(_("{side} resigns? {yes} or {no}?"), side=SIDES[side])

    def confirm_offer(self, side: Side) -> Sentence:
        """Ask two players who share a microphone whether this one offers a draw."""
        # Translators: asked back before a draw is offered; two may have said it, {side} is White or Black.
        return self._ask(_("{side} offers a draw? {yes} or {no}?"), side=SIDES[side])

    def confirm_acceptance(self, side: Side) -> Sentence:
        """Ask the sighted player, who offered a draw while one was offered to him, whether he accepts it."""
        # Translators: asked back before a player who typed "draw" accepts one; {side} is White or Black.
        return self._ask(_("{side} accepts the draw? {yes} or {no}?"), side=SIDES[side])

    def confirm_claim_with(self, of: str, move: str) -> Sentence:
        """Ask back before a draw is claimed with a move that is not made yet (9.2.1, 9.3.1).

        :raises KeyError: if that is not claimed so.
        """
        return self._ask(CLAIMS_WITH_A_MOVE[of], move=german(move))

    def _ask(self, question: Message, **values: Value) -> Sentence:
        """Ask what is answered with yes or no, in the words that are listened for."""
        segments = self._segments(question, yes=german("ja"), no=german("nein"), **values)
        return from_segments(segments, self.language, audience=self.audience, stale_key="question")

    def which_claim(self, claims: Sequence[str]) -> Sentence:
        """Ask what is claimed; `claims` are the German phrases to answer with."""
        return self._say(
            # Translators: the player said only that he claims something; {choices} joined by "or".
            _("Claim what? {choices}?"),
            stale_key="question",
            choices=listing([german(claim) for claim in claims], OR, self.language),
        )

    def dropped(self) -> Sentence:
        # Translators: the player answered "no" to a question like "Resign?"; nothing happens.
        return self._say(_("Cancelled."), stale_key="question")

    def nothing_to_answer(self) -> Sentence:
        # Translators: the player said "yes" or "no", and nothing is asked, or not any more.
        return self._say(_("No question is open."), stale_key="question", repeatable=False)

    def how_to_answer_offer(self, accept: str, decline: str) -> Sentence:
        """Say what answers a draw offer, to one who has said yes or no to it."""
        return self._say(
            # Translators: a draw is offered, and the player said only yes or no; the words are German.
            _("{accept} or {decline}?"),
            stale_key="question",
            accept=german(accept),
            decline=german(decline),
        )

    def arbiter_called(self) -> Sentence:
        # Translators: said aloud in the room, so that the arbiter comes.
        return self._say(_("Arbiter, please!"), priority=Priority.ALARM, audience="room")

    # Answers

    def times(self, white_ms: int | None, black_ms: int | None, first: Side = "white") -> Sentence:
        """Say what both players have left, the asking one's first; `None` without a clock."""
        if white_ms is None or black_ms is None:
            # Translators: the game is played without a clock.
            return self._say(_("There is no clock."), stale_key=f"times:{first}")
        second = other(first)
        left = {"white": white_ms, "black": black_ms}
        return self._say(
            # Translators: times left; {first} and {second} are "White" and "Black", the times in words.
            _("{first}: {first_time}. {second}: {second_time}."),
            stale_key=f"times:{first}",
            first=SIDES[first],
            first_time=duration_in_words(left[first], self.language),
            second=SIDES[second],
            second_time=duration_in_words(left[second], self.language),
        )

    def moves_completed(self, moves: int) -> Sentence:
        return self._say(
            _n(
                # Translators: how many moves the player has completed; {n} in words.
                "{n} move completed.",
                "{n} moves completed.",
            ),
            stale_key="moves-completed",
            n=moves,
        )

    def moves_to_control(self, moves: int | None) -> Sentence:
        """Say how many moves are missing until the next time control; `None` where none is to come."""
        if moves is None:
            # Translators: the player asked how many moves there are to the next time control.
            return self._say(_("No further time control."), stale_key="moves-to-control")
        return self._say(
            _n(
                # Translators: how many moves are missing to the next time control; {n} in words.
                "{n} move to the time control.",
                "{n} moves to the time control.",
            ),
            stale_key="moves-to-control",
            n=moves,
        )

    def last_move(self, move: str | None) -> Sentence:
        if move is None:
            # Translators: no move has been made, so there is none to tell or to press the clock for.
            return self._say(_("No move yet."), stale_key="last-move")
        return from_segments(german(move), self.language, audience=self.audience, stale_key="last-move")

    def opponent_has_not_moved(self) -> Sentence:
        # Translators: the player asked for his opponent's last move, and only he himself has moved.
        return self._say(_("The opponent has not moved yet."), stale_key="last-move")

    def on_square(self, square: str, piece: str | None = None, side: Side | None = None) -> Sentence:
        """Say what stands on a square: a man of a side, or nothing."""
        if piece is None or side is None:
            # Translators: nothing stands on that square.
            return self._say(_("{square} is empty."), stale_key="square", square=german(square))
        return self._say(
            # Translators: which man stands on a square: "Springer, white, on Felix drei".
            _("{piece}, {colour}, on {square}."),
            stale_key="square",
            piece=german(piece),
            colour=OF_SIDE[side],
            square=german(square),
        )

    def where_is(self, piece: str, white: Sequence[str], black: Sequence[str]) -> Sentence:
        """Say on which squares the men of one kind stand."""
        if not white and not black:
            # Translators: no man of that kind is on the board.
            return self._say(_("No {piece} on the board."), stale_key="piece", piece=german(piece))
        return self._say(
            # Translators: {men} is like "White: Felix drei. Black: Cesar sechs."
            _("{piece}. {men}"),
            stale_key="piece",
            piece=german(piece),
            men=self._men(white, black),
        )

    def position(self, white: Sequence[str], black: Sequence[str]) -> Sentence:
        """Read out a position; each text is one man with its square, or a kind of man with all of them."""
        return from_segments(
            self._men(white, black), self.language, audience=self.audience, stale_key="position"
        )

    def _men(self, white: Sequence[str], black: Sequence[str]) -> Segments:
        segments: Segments = ()
        for side, men in (("white", white), ("black", black)):
            if men:
                space: Segments = ((self.language, " "),) if segments else ()
                segments += space + self._segments(
                    # Translators: the men of one player: "White: König Eva eins, Dame David eins."
                    _("{side}: {men}."),
                    side=SIDES[side],
                    men=german(", ".join(men)),
                )
        return segments

    def nothing_to_repeat(self) -> Sentence:
        # Translators: the player asked for the last sentence again, and there is none that is still true.
        return self._say(_("Nothing to repeat."), repeatable=False)

    def opponents_turn(self) -> Sentence:
        # Translators: the player announced a move while his opponent, a chess program, was thinking.
        return self._say(_("The opponent has the move."), stale_key="question")

    def not_available(self) -> Sentence:
        # Translators: the player asked for something that he may not be told in this game.
        return self._say(_("Not in this game."))

    def help(self, phrases: Sequence[str]) -> Sentence:
        """Name what can be said now; `phrases` are German."""
        return self._say(
            # Translators: a list of German phrases that are understood now.
            _("You can say: {phrases}."),
            stale_key="help",
            phrases=german(", ".join(phrases)),
        )

    def warning(self, left_ms: int, side: Side) -> Sentence:
        """Warn a player of his own time, if he asked for it before the game; it never cuts a read-back."""
        return self._say(
            # Translators: the player's own time is running out; {time} in words.
            _("{time} left."),
            audience=side,
            stale_key=f"warning:{side}",
            repeatable=False,
            time=duration_in_words(left_ms, self.language),
        )

    # The course of the evening

    def how_to_start(self, *, has_clock: bool) -> Sentence:
        """Tell before the game what starts it: until then nobody is heard. What happens takes its place."""
        return self._say(
            # Translators: said before the game: how it begins.
            _("Space bar or Enter: start the clock.")
            if has_clock
            # Translators: said before a game without a clock: how it begins. The keys stay.
            else _("Space bar or Enter: begin the game."),
            priority=Priority.CHATTER,
            stale_key="start",
        )

    def resumed(self, side: Side) -> Sentence:
        return self._say(
            # Translators: the game goes on after a break or a crash; {side} has the move.
            _("Game resumed. {side} to move."),
            audience="room",
            side=SIDES[side],
        )

    def resumed_with(self, side: Side, move: str) -> Sentence:
        return self._say(
            # Translators: the game goes on after a break; {side} had announced {move} and not pressed.
            _("Game resumed. {side} has announced {move}, not pressed yet."),
            audience="room",
            side=SIDES[side],
            move=german(move),
        )

    def press_or_announce(self) -> Sentence:
        """Say how a game goes on in which Hector presses, and a move waits from before a break."""
        # Translators: the game goes on after a break; Hector does not press for a move from before it.
        return self._say(_("Press, or announce it again."), audience="room")

    def resumed_with_reply(self, side: Side) -> Sentence:
        return self._say(
            # Translators: the game goes on; {side} has written down a move in secret, for an absent player.
            _("Game resumed. {side} has sealed the reply."),
            audience="room",
            side=SIDES[side],
        )

    def key_of_seal(self, squares: str) -> Sentence:
        # Translators: the arbiter's key, as twelve squares which the arbiter has read out to the players.
        return self._say(_("Key of the seal: {squares}."), audience="room", squares=german(squares))

    def adjourned(self) -> Sentence:
        # Translators: the answer to whoever takes up a game that is adjourned, or wants to move in it.
        return self._say(_("The game is adjourned."), audience="room")

    def arrived(self, side: Side) -> Sentence:
        # Translators: a player has come back to an adjourned game; {side} is White or Black.
        return self._say(_("{side} is here."), audience="room", side=SIDES[side])

    def withdrawn(self) -> Sentence:
        """Say that the arbiter has taken back something that was no move: a penalty, a stop of the clocks."""
        # Translators: the arbiter has withdrawn the last line of the record, which was no move.
        return self._say(_("The last entry is withdrawn."), audience="room")
