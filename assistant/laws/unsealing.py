"""Unsealing: the sealed move is made, ruled on where it cannot be, or declared (Guideline I.7 to 9, I.12)."""

from __future__ import annotations

import contextlib

import chess

from assistant.board import is_legal
from assistant.errors import marked
from assistant.laws.draws import offer
from assistant.laws.endings import ending_of, win_for
from assistant.laws.envelopes import Adjournment, Entered, Envelope, SecondEnvelope
from assistant.laws.events import Microseconds
from assistant.laws.flags import lose_by_flag, score_by_flag
from assistant.laws.moves import complete, lawful, make, may_move, read
from assistant.laws.plies import ply_of
from assistant.laws.position import why_illegal
from assistant.laws.script import Line
from assistant.laws.sealed import (
    bond_on,
    check_bonds,
    looks_like_a_move,
    lose_by_sealing,
    owner,
    plain_text,
    read_sealed,
    take_flag,
    waiting_flag,
    written,
)
from assistant.laws.state import Game, Refused, Waiting
from assistant.offers import offers_draw
from assistant.sides import Side, other

_IS_OPEN = marked("the envelope is open already")


def open_envelope(game: Game, line: Line) -> None:
    """Open the envelope when the replier is present: the sealed move is made and his clock runs.

    After a fall of his flag the arbiter may look without him: no reply is waited for.
    """
    pause = game.adjournment
    if pause is None and game.second_envelope is not None:
        _open_second(game, line)
        return
    last = pause or game.resumption
    if last is not None and last.void:
        raise Refused(marked("the position has changed since: what was sealed is void"), "restore")
    if pause is None or not pause.closed:
        raise Refused(marked("there is no envelope to open now"), "replier-absent")
    _check_is_kept(pause)
    flagged = waiting_flag(game)
    if flagged is None and pause.resumed_at is None:
        raise Refused(marked("it is not yet the agreed hour of the resumption"), "replier-absent")
    if flagged is None and not game.present[other(pause.sealer)]:
        raise Refused(marked("the player who must reply is absent"), "replier-absent")
    if pause.box and line.get("text") is None:
        raise Refused(marked("the envelope opens only with the arbiter's key"), "envelope-opened")
    text = written(line) if pause.box else pause.sealed or ""
    found = read_sealed(game, pause.sealer, text)
    if flagged is not None:
        _open_for_flag(game, pause, flagged, text)
        return
    game.forget_question(pause)
    if pause.box and pause.stands(game.board) and found != [pause.fixed]:
        fixed = pause.fixed
        assert fixed is not None
        game.emit("envelope-opened", "envelope-opened", side=pause.sealer, text=text)
        pause.asked = game.ask_arbiter(
            "which-move",
            fixed.uci(),
            "seal",
            lambda game, _: open_sealed(game, pause, fixed),
            side=pause.sealer,
            reject=lambda game, _: _rule_on_found(game, pause, text, found),
        )
    else:
        _rule_on_found(game, pause, text, found)
    _stop_while_asked(game, pause)


def rule_on_flag(game: Game, loser: Side) -> None:
    """Rule on a flag that is down while the sealed move is not made.

    It may have ended the game before (6.9): where it can be read it is made first, and otherwise the arbiter
    looks, or lets it be declared, before anybody has lost.
    """
    envelope = game.envelope
    assert envelope is not None
    # Who claims the flag again asks the same.
    take_flag(game, envelope)
    can_be_read = not envelope.box and not envelope.entered and envelope.asked is None
    text = plain_text(envelope)
    move = _plainly(game, envelope, text) if can_be_read else None
    if move is not None:
        _make_plain(game, envelope, move, text)
        if game.result is None:
            lose_by_flag(game, loser)
        return

    def accept(game: Game, _: Microseconds | None) -> None:
        if game.clock.display(loser).fallen is not None:  # Otherwise he has been given time since.
            lose_by_flag(game, loser)

    proposal = score_by_flag(game, loser)
    envelope.flagged = game.ask_arbiter(
        "score", proposal, "flag", accept, side=loser, stops=True, about_flag=True
    )


def _open_for_flag(game: Game, envelope: Envelope, flagged: Waiting, text: str) -> None:
    """Look whether the sealed move has ended the game; otherwise the flag does, if that move is plain."""
    move = _plainly(game, envelope, text)
    if move is not None:
        _make_plain(game, envelope, move, text)
        return
    # What a move that cannot simply be made is worth beside a flag, the arbiter alone can say.
    _tell_what_it_holds(game, envelope, text)
    envelope.asked = flagged


def _make_plain(game: Game, envelope: Envelope, move: chess.Move, text: str) -> None:
    if isinstance(envelope, SecondEnvelope):
        _tell_what_it_holds(game, envelope, text)
    envelope.offers = offers_draw(text)
    _make(game, envelope, move)


def _tell_what_it_holds(game: Game, envelope: Envelope, text: str) -> None:
    kind = "envelope-opened" if isinstance(envelope, Adjournment) else "sealer-absent"
    game.emit("envelope-opened", kind, side=owner(envelope), text=text)


def _rule_on_waiting_flag(game: Game, envelope: Envelope) -> None:
    """The sealed move has not ended the game: whose flag had fallen has lost."""
    flagged = take_flag(game, envelope)
    if flagged is not None:
        flagged.accept(game, None)


def _plainly(game: Game, envelope: Envelope, text: str) -> chess.Move | None:
    """Return the sealed move where nothing is to be ruled on: one lawful move, which he was free to seal."""
    legal = [move for move in read_sealed(game, owner(envelope), text) if is_legal(game.board, move)]
    if len(legal) != 1 or bond_on(game, legal[0]) is not None:
        return None
    if isinstance(envelope, Adjournment) and envelope.stands(game.board) and legal != [envelope.fixed]:
        return None
    return legal[0]


def _open_second(game: Game, line: Line) -> None:
    """Open the sealed reply when the player whom it waits for is back (I.9.3), or his flag is down."""
    assert game.second_envelope is not None
    reply = game.second_envelope
    _check_is_kept(reply)
    if waiting_flag(game) is None and not game.present[other(reply.replier)]:
        raise Refused(marked("the player for whom the reply is sealed is absent"), "sealer-absent")
    if reply.box and line.get("text") is None:
        raise Refused(marked("the envelope opens only with the arbiter's key"), "sealer-absent")
    open_reply(game, reply, written(line) if reply.box else reply.text)


def open_reply(game: Game, reply: SecondEnvelope, text: str) -> None:
    """The sealer is back: the reply in the second envelope is made; his clock runs on.

    After a fall of his flag the arbiter looks without him whether the reply has ended the game before.
    """
    flagged = waiting_flag(game)
    if flagged is not None:
        _open_for_flag(game, reply, flagged, text)
        return
    _tell_what_it_holds(game, reply, text)
    game.forget_question(reply)
    _rule_on_found(game, reply, text, read_sealed(game, reply.replier, text))
    _stop_while_asked(game, reply)


def _stop_while_asked(game: Game, envelope: Envelope) -> None:
    """Let no time run while the arbiter is asked about what was found: nobody can move (I.9.2)."""
    if envelope.asked is not None:
        game.let_clock_stand("arbiter-stops")


def _rule_on_found(game: Game, envelope: Envelope, text: str, found: list[chess.Move]) -> None:
    """Make the move that was found in an envelope, or rule on it where it cannot be made (I.8)."""
    side = owner(envelope)
    envelope.offers = offers_draw(text)
    legal = [move for move in found if is_legal(game.board, move)]
    bond = bond_on(game, legal[0]) if len(legal) == 1 else None
    if len(legal) == 1 and bond is None:
        _make(game, envelope, legal[0])
        return
    if isinstance(envelope, Adjournment) and envelope.asked is None:
        _tell_what_it_holds(game, envelope, text)
    if bond is not None:
        _ask_about_bond(game, envelope, legal[0], bond)
    elif len(legal) > 1:
        lose_by_sealing(game, side, "sealed-ambiguous", candidates=[move.uci() for move in legal])
    elif found or looks_like_a_move(text):
        lose_by_sealing(game, side, "sealed-illegal")
    else:
        envelope.asked = game.ask_arbiter(
            "which-move",
            win_for(other(side)),
            "sealed-unreadable",
            lambda game, _: lose_by_sealing(game, side, "sealed-unreadable"),
            side=side,
            # He has made out which move it is: it is entered as its player's.
            reject=lambda game, _: _to_be_entered(game, envelope, "read", "sealed-unreadable"),
        )


def _ask_about_bond(game: Game, envelope: Envelope, move: chess.Move, bond: Refused) -> None:
    """Ask the arbiter about a lawful move that its player was not free to seal.

    It is not illegal (3.10), so that it does not lose; the Laws do not say more. What is proposed is what
    the article he has broken demands: a move that is due. Where it binds him not, the sealed one is made.
    """
    due = [chess.Move.from_uci(each) for each in bond.keys["due"]]

    def enter_due(game: Game, _: Microseconds | None) -> None:
        if len(due) == 1:
            _make(game, envelope, due[0])
        else:
            _to_be_entered(game, envelope, "due", str(bond.kind))

    envelope.asked = game.ask_arbiter(
        "which-move",
        bond.keys["due"],
        str(bond.kind),
        enter_due,
        side=owner(envelope),
        reject=lambda game, _: _make(game, envelope, move),
    )


def _make(game: Game, envelope: Envelope, move: chess.Move) -> None:
    if isinstance(envelope, Adjournment):
        open_sealed(game, envelope, move)
    else:
        _make_reply(game, envelope, move)


def open_sealed(game: Game, pause: Adjournment, move: chess.Move) -> None:
    """Make the sealed move; an envelope that was lost, or lies open already, is not opened by that."""
    sealer = pause.sealer
    game.adjournment, game.resumption = None, pause
    game.second_envelope = None
    game.idle_press = None
    game.halted = False
    if not pause.entered and pause.asked is None:
        game.emit("envelope-opened", "envelope-opened", side=sealer, uci=move.uci())
    # An offer made after the sealing stays open: the sealed move is no answer to it (E.4 of 2014).
    stays = other(sealer) in game.draw_offers and not pause.answers_offer
    if stays:
        game.draw_offers.remove(other(sealer))
    make(game, sealer, stands=move, announced=move, placed=move, by_line=True)
    if game.result is not None:
        return
    if stays:
        game.draw_offers.append(other(sealer))
    _offer_as_sealed(game, pause)
    complete(game, sealer, [game.plies[-1]], pressed=True)
    if game.result is None:
        _rule_on_waiting_flag(game, pause)
    if game.result is None:
        _rule_on_waiting_lateness(game, pause)


def _make_reply(game: Game, reply: SecondEnvelope, move: chess.Move) -> None:
    replier = reply.replier
    game.second_envelope = None
    make(game, replier, stands=move, announced=move, placed=move, by_line=True)
    if game.result is None:
        _offer_as_sealed(game, reply)
        complete(game, replier, [game.plies[-1]], pressed=True)
    if game.result is None:
        _rule_on_waiting_flag(game, reply)


def _offer_as_sealed(game: Game, envelope: Envelope) -> None:
    """Offer the draw that was written behind the sealed move (8.1.5), where the event allows it."""
    if envelope.offers:
        with contextlib.suppress(Refused):
            offer(game, owner(envelope))


def _rule_on_waiting_lateness(game: Game, pause: Adjournment) -> None:
    """The move in the box has not ended the game: who came late has lost where nobody may excuse him."""
    waiting = [each for each in game.waiting if any(each is late for late in pause.late)]
    if waiting and not game.rules.resumption_discretion:
        waiting[-1].accept(game, None)


def ends_game(game: Game, move: chess.Move) -> bool:
    """Does the game end by this move of the player who has it, under any article (5, 9.6)?"""
    game.plies.append(ply_of(game, game.having_the_move, move, move, move, by_line=True))
    try:
        return ending_of(game, game.plies[-1]) is not None
    finally:
        game.plies.pop()


def envelope_lost(game: Game, line: Line) -> None:
    """The envelope is lost: from the adjourned position the sealer makes the move he declares (I.12.1).

    So does the replier, where it is the second envelope.
    """
    envelope = game.envelope
    if isinstance(envelope, Adjournment) and (envelope.void or not envelope.closed):
        envelope = None
    if envelope is None:
        raise Refused(marked("there is no envelope"), "envelope-lost")
    _check_is_kept(envelope)
    if envelope.asked is not None:
        raise Refused(_IS_OPEN, "envelope-opened")
    _to_be_entered(game, envelope, "lost", "envelope-lost")


def _check_is_kept(envelope: Envelope) -> None:
    """Refuse what is to be done with an envelope that is lost, or has been opened and ruled on."""
    if envelope.entered == "lost":
        raise Refused(marked("there is no envelope"), "envelope-lost")
    if envelope.entered:
        raise Refused(_IS_OPEN, "envelope-opened")


def _to_be_entered(game: Game, envelope: Envelope, what: Entered, kind: str) -> None:
    """From the position before it the move is made by the next announcement of the one who sealed.

    Meanwhile no clock runs but that of an opponent who has not come (I.9.2, I.9.3, I.11).
    """
    envelope.entered = what
    if isinstance(envelope, Adjournment):
        if envelope.resumed_at is None:
            envelope.resumed_at = game.now
        game.halted = False
    if game.present[other(owner(envelope))]:
        game.let_clock_stand(kind)
    if what == "lost":
        # As it was adjourned; beside an envelope that lies open it was never left.
        game.emit_position(kind, game.clock_times())


def declare_sealed_move(game: Game, line: Line, side: Side) -> None:
    """After the envelope was lost the sealer makes the move that he declares he sealed."""
    pause = game.adjournment
    assert pause is not None
    if side != pause.sealer:
        raise Refused(marked("the player who sealed makes the move he sealed"), "envelope-lost")
    if pause.entered == "lost" and not game.present[side]:
        raise Refused(marked("the player is not at the board"), "envelope-lost")
    _declare(game, pause, read(game, side, line.get("move"), game.board))


def declare_reply(game: Game, line: Line, side: Side) -> None:
    """After the second envelope was lost the replier makes the move that he declares he sealed."""
    reply = game.second_envelope
    assert reply is not None
    if waiting_flag(game) is None:
        # Beside a flag the clocks stand, and what he declares was sealed before it fell.
        may_move(game, side)
    _declare(game, reply, read(game, side, line.get("move"), game.board))


def _declare(game: Game, envelope: Envelope, move: chess.Move) -> None:
    """Make the move that a player declares; an illegal one loses as it does in an envelope (I.8.3)."""
    lawful(game, move)
    check_bonds(game, move)
    if is_legal(game.board, move):
        _make(game, envelope, move)
    elif envelope.entered == "due":
        raise Refused(why_illegal(game.board, move), "illegal")
    else:
        lose_by_sealing(game, owner(envelope), "sealed-illegal")
