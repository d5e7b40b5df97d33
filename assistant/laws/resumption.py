"""Resumption: from the closed envelope to the sealed move's being made (Guideline I, Appendix E, older)."""

from __future__ import annotations

import re

import chess

from assistant.board import after, is_legal
from assistant.errors import marked
from assistant.laws.arbiter import default_time, lateness_waits
from assistant.laws.arbiter import resume as resume_play
from assistant.laws.endings import ability, end_game, judged_board, win_for
from assistant.laws.events import SECOND, Microseconds
from assistant.laws.mating import is_dead
from assistant.laws.moves import complete, make, may_move, read
from assistant.laws.position import natural_end
from assistant.laws.script import Line
from assistant.laws.state import NO_MOVE_TO_SEAL, Adjournment, Game, Refused, SecondEnvelope, Turn
from assistant.laws.touch import check_duties
from assistant.sides import Side, other

_LOOKS_LIKE_A_MOVE = re.compile(
    r"(?:\d{1,3}\s*[.…][.…\s]*)?"
    r"([A-Z]?[a-h]?[1-8]?[-x:]?[a-h][1-8](=?[A-Za-z])?|[0O]-[0O](-[0O])?|[a-h][1-8][a-h][1-8][a-z]?)[+#!?]*"
    r"(?:\s*\(=\))?\.?"
)


def written(line: Line) -> str:
    """Return what is written in an envelope's line, or was found in its box."""
    return str(line.get("text", line.get("move", ""))).strip()


def seal_reply(game: Game, line: Line, side: Side) -> None:
    """While the sealer is absent his opponent may seal the reply and start the absentee's clock (I.9.3)."""
    absent = other(side)
    pause = game.resumption
    if pause is None or pause.void or game.present[absent] or pause.sealer != absent:
        raise Refused(NO_MOVE_TO_SEAL, "seal-order")
    if game.having_the_move != side or game.clock.running != side or game.second_envelope is not None:
        raise Refused(marked("it is not this player who has a move to seal"), "sealer-absent")
    game.second_envelope = SecondEnvelope(side, written(line), line.get("envelope", ""))
    game.run_clock(absent)
    game.emit("sealed", "sealer-absent", side=side, ply=len(game.plies) + 1)
    game.emit("clock-started", "sealer-absent", side=absent, **game.clock_times())


def resume(game: Game, line: Line) -> None:
    """Resume play; after an adjournment it is the agreed hour, and an absent replier's clock runs."""
    pause = game.adjournment
    if pause is None or not pause.closed:
        resume_play(game, line)
        return
    if pause.void:
        resume_play(game, line)
        pause.resumed_at = game.now
        game.adjournment, game.resumption = None, pause
        return
    if pause.resumed_at is not None and game.clock.running is not None:
        raise Refused(marked("the clock is running"), "resume")
    if pause.resumed_at is None:
        pause.resumed_at = game.now
    replier = other(pause.sealer)
    if not game.present[replier]:
        game.run_clock(replier)
    game.emit("clock-resumed", "replier-late", side=game.clock.running or "none", **game.clock_times())


def arrive(game: Game, line: Line) -> None:
    """A player comes back; too late loses unless the arbiter or the sealed move decides otherwise."""
    side = line.side
    pause = game.adjournment or game.resumption
    assert side is not None and pause is not None
    if game.present[side]:
        raise Refused(marked("the player is at the board already"), "default")
    game.present[side] = True
    if pause.resumed_at is None:
        return
    replier = other(pause.sealer)
    unopened = game.adjournment is not None
    if unopened and side == replier and game.rules.late_replier_must_stop and game.clock.running == replier:
        game.halt_clock()
        game.emit("clock-stopped", "replier-late", by=side, **game.clock_times())
    limit = _resumption_limit(game)
    if limit is not None and game.now - pause.resumed_at > limit:
        if unopened and pause.box and line.get("text") is not None:
            # The arbiter has looked: a sealed move that ends the game counts for more than being late.
            pause.sealed, pause.box = written(line), ""
        _rule_on_lateness(game, pause, side, unopened=unopened)
    reply = game.second_envelope
    if game.result is not None or reply is None or side == reply.replier:
        return
    if reply.lost:
        # While the reply is declared, nobody's time runs.
        game.clock.stop()
        game.emit("clock-stopped", "envelope-lost", by=side, **game.clock_times())
    elif not reply.box or line.get("text") is not None:
        _open_reply(game, reply.replier, written(line) if reply.box else reply.text)


def _rule_on_lateness(game: Game, pause: Adjournment, side: Side, *, unopened: bool) -> None:
    """Late for the resumption: lost, unless the sealed move has ended the game (I.10)."""
    if unopened and (game.rules.sealed_result_stands_for == "anyone" or side == pause.sealer):
        found = read_sealed(game, pause.sealed or "")
        if len(found) == 1 and is_legal(game.board, found[0]) and _ends(game, found[0]):
            _open(game, found[0])
            return
    loss = "0-0" if lateness_waits(game, other(side)) else win_for(other(side))
    # While nobody has looked into the envelope, the arbiter alone can know whether it ends the game.
    hidden = unopened and bool(pause.box)
    if not game.rules.resumption_discretion and not hidden:
        end_game(game, loss, "default", "resumption-default")
        return
    game.ask_arbiter(
        "default",
        loss,
        "resumption-default",
        lambda game, _: end_game(game, loss, "default", "resumption-default"),
        side=side,
    )


def _open_reply(game: Game, replier: Side, text: str) -> None:
    """The sealer is back: the reply in the second envelope is made; his clock runs on."""
    try:
        move = read(game, replier, text, game.board)
    except Refused:
        move = None
    game.emit("envelope-opened", "sealer-absent", side=replier, text=text)
    _make_reply(game, replier, move)


def _make_reply(game: Game, replier: Side, move: chess.Move | None) -> None:
    game.second_envelope = None
    if move is None or not is_legal(game.board, move):
        _lost_by_sealing(game, replier, "sealed-illegal")
        return
    make(game, replier, stands=move, announced=move, placed=move, by_line=True)
    if game.result is None:
        complete(game, replier, [game.plies[-1]], pressed=True)


def _resumption_limit(game: Game) -> Microseconds | None:
    if game.rules.resumption_default == "fixed":
        return game.rules.resumption_seconds * SECOND
    return default_time(game)


def _ends(game: Game, move: chess.Move) -> bool:
    result = after(game.board, move)
    return natural_end(result) is not None or is_dead(result, thorough=True)


def open_envelope(game: Game, line: Line) -> None:
    """Open the envelope when the replier is present: the sealed move is made and his clock runs."""
    pause = game.adjournment
    if pause is None and game.second_envelope is not None:
        _open_second(game, line)
        return
    last = pause or game.resumption
    if last is not None and last.void:
        raise Refused(marked("the position has changed since: what was sealed is void"), "restore")
    if pause is None or not pause.closed:
        raise Refused(marked("there is no envelope to open now"), "replier-absent")
    if pause.resumed_at is None:
        raise Refused(marked("it is not yet the agreed hour of the resumption"), "replier-absent")
    replier = other(pause.sealer)
    if not game.present[replier]:
        raise Refused(marked("the player who must reply is absent"), "replier-absent")
    if pause.box and line.get("text") is None:
        raise Refused(marked("the envelope opens only with the arbiter's key"), "envelope-opened")
    text = written(line) if pause.box else pause.sealed or ""
    found = read_sealed(game, text)
    if pause.box:
        game.drop_questions()
        if pause.fixed is not None and found != [pause.fixed]:
            fixed = pause.fixed
            game.emit("envelope-opened", "envelope-opened", side=pause.sealer, text=text)
            game.ask_arbiter(
                "which-move", fixed.uci(), "seal", lambda game, _: _open(game, fixed), side=pause.sealer
            )
            return
    legal = [move for move in found if is_legal(game.board, move)]
    if len(legal) == 1:
        _open(game, legal[0])
        return
    game.emit("envelope-opened", "envelope-opened", side=pause.sealer, text=text)
    if len(legal) > 1:
        _lost_by_sealing(game, pause.sealer, "sealed-ambiguous", candidates=[move.uci() for move in legal])
    elif found or _LOOKS_LIKE_A_MOVE.fullmatch(text):
        _lost_by_sealing(game, pause.sealer, "sealed-illegal")
    else:
        sealer = pause.sealer
        game.ask_arbiter(
            "which-move",
            win_for(replier),
            "sealed-unreadable",
            lambda game, _: _lost_by_sealing(game, sealer, "sealed-unreadable"),
            side=sealer,
            # He has made out which move it is: it is entered as its player's.
            reject=lambda game, _: _to_be_entered(game, pause, "sealed-unreadable"),
        )


def _open_second(game: Game, line: Line) -> None:
    """Open the reply that was sealed in cipher, when the player whom it waits for is back (I.9.3)."""
    assert game.second_envelope is not None
    reply = game.second_envelope
    if reply.lost:
        raise Refused(marked("there is no envelope"), "envelope-lost")
    if not game.present[other(reply.replier)]:
        raise Refused(marked("the player for whom the reply is sealed is absent"), "sealer-absent")
    if not reply.box or line.get("text") is None:
        raise Refused(marked("the envelope opens only with the arbiter's key"), "sealer-absent")
    _open_reply(game, reply.replier, written(line))


def _lost_by_sealing(game: Game, sealer: Side, kind: str, **keys: object) -> None:
    """The sealer loses, or it is drawn if the opponent could not mate him (the exception of 6.9)."""
    winner = other(sealer)
    drawn = ability(game, winner, judged_board(game), on_time=False) == "no"
    end_game(game, "1/2-1/2" if drawn else win_for(winner), "sealed-move", kind, **keys)


def read_sealed(game: Game, text: str) -> list[chess.Move]:
    """Return the moves a sealed text can mean: none, one, or several."""
    pause = game.adjournment
    assert pause is not None
    if not text:
        return []
    try:
        return [read(game, pause.sealer, text, game.board)]
    except Refused as unclear:
        return [chess.Move.from_uci(each) for each in unclear.keys.get("candidates", ())]


def _open(game: Game, move: chess.Move) -> None:
    """Make the sealed move; an envelope that was lost, or lies open already, is not opened by that."""
    pause = game.adjournment
    assert pause is not None
    sealer = pause.sealer
    game.adjournment, game.resumption = None, pause
    game.idle_press = None
    game.halted = False
    game.present[other(sealer)] = True
    if not pause.lost:
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
    complete(game, sealer, [game.plies[-1]], pressed=True)


def envelope_lost(game: Game, line: Line) -> None:
    """The envelope is lost: from the adjourned position the sealer makes the move he declares (I.12.1).

    So does the replier, where it is the second envelope.
    """
    pause, reply = game.adjournment, game.second_envelope
    if pause is None and reply is not None and not reply.lost:
        reply.lost = True
        if game.present[other(reply.replier)]:
            game.clock.stop()
        game.emit_position("envelope-lost", game.clock_times())
        return
    if pause is None or not pause.closed or pause.void:
        raise Refused(marked("there is no envelope"), "envelope-lost")
    _to_be_entered(game, pause, "envelope-lost")


def _to_be_entered(game: Game, pause: Adjournment, kind: str) -> None:
    """From the adjourned position the sealed move is made by the next announcement of the one who sealed."""
    pause.lost = True
    if pause.resumed_at is None:
        pause.resumed_at = game.now
    game.clock.stop()
    game.halted = False
    game.turn_state = Turn()
    game.emit_position(kind, game.clock_times())


def declare_sealed_move(game: Game, side: Side, move: chess.Move) -> None:
    """After the envelope was lost the sealer makes the move that he declares he sealed."""
    pause = game.adjournment
    assert pause is not None
    if side != pause.sealer:
        raise Refused(marked("the player who sealed makes the move he sealed"), "envelope-lost")
    _open(game, move)


def declare_reply(game: Game, side: Side, move: chess.Move) -> None:
    """After the second envelope was lost the replier makes the move that he declares he sealed."""
    may_move(game, side)
    check_duties(game, move)
    _make_reply(game, side, move)
