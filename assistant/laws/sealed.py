"""What is sealed: how its text is read, what its player was free to seal, and the loss by a bad one (I.8)."""

from __future__ import annotations

import re

import chess

from assistant.errors import marked
from assistant.laws.endings import ability, end_game, judged_board, win_for
from assistant.laws.envelopes import Adjournment, Envelope
from assistant.laws.moves import read
from assistant.laws.script import Line
from assistant.laws.state import Game, Refused, Waiting
from assistant.laws.touch import check_duties, released
from assistant.sides import Side, other

_LOOKS_LIKE_A_MOVE = re.compile(
    r"(?:\d{1,3}\s*[.…][.…\s]*)?"
    r"([A-Z]?[a-h]?[1-8]?[-x:]?[a-h][1-8](=?[A-Za-z])?|[0O]-[0O](-[0O])?|[a-h][1-8][a-h][1-8][a-z]?)[+#!?]*"
    r"(?:\s*\(=\))?\.?"
)


def written(line: Line) -> str:
    """Return what is written in an envelope's line, or was found in its box."""
    return str(line.get("text", line.get("move", ""))).strip()


def looks_like_a_move(text: str) -> bool:
    """Is that a move as it stands on a sheet, though none that could be read on this board?"""
    return _LOOKS_LIKE_A_MOVE.fullmatch(text) is not None


def read_sealed(game: Game, side: Side, text: str) -> list[chess.Move]:
    """Return the moves a sealed text can mean: none, one, or several."""
    if not text:
        return []
    try:
        return [read(game, side, text, game.board)]
    except Refused as unclear:
        return [chess.Move.from_uci(each) for each in unclear.keys.get("candidates", ())]


def check_reply_is_open(game: Game, side: Side | None) -> None:
    """Refuse what only who has the move may do while his reply lies in the second envelope (I.9.3).

    :raises Refused: if he has sealed it and neither it nor he in its place has been heard.
    """
    reply = game.second_envelope
    if reply is not None and side == reply.replier and not reply.entered:
        raise Refused(marked("the reply is sealed and waits for the opponent"), "sealer-absent")


def check_what_was_found(game: Game) -> None:
    """Refuse to let play go on before it is ruled on what was found in an opened envelope (I.8).

    :raises Refused: if the arbiter is asked about it.
    """
    if game.asks_what_was_found:
        raise Refused(marked("the arbiter rules on the open question first"), "resume")


def owner(envelope: Envelope) -> Side:
    return envelope.sealer if isinstance(envelope, Adjournment) else envelope.replier


def plain_text(envelope: Envelope) -> str:
    """Return what was sealed in plain letters; nothing where a box hides it."""
    return (envelope.sealed or "") if isinstance(envelope, Adjournment) else envelope.text


def waiting_flag(game: Game) -> Waiting | None:
    """Return what the arbiter is being asked about a flag that is down while a sealed move is not made."""
    envelope = game.envelope
    if envelope is None or game.clock.first_down() is None:
        return None
    return next((each for each in game.waiting if each is envelope.flagged), None)


def take_flag(game: Game, envelope: Envelope) -> Waiting | None:
    """Ask the arbiter no longer about a flag that is down, and return what he was asked."""
    if all(each is not envelope.flagged for each in game.waiting):
        return None
    game.waiting = [each for each in game.waiting if each is not envelope.flagged]
    return envelope.flagged


def check_bonds(game: Game, move: chess.Move) -> None:
    """Refuse to seal, or to declare, against what its player has done before (4.3, 4.7, 7.5.1, 9.5.2).

    :raises Refused: with the moves that are due.
    """
    placed = released(game)
    if placed is not None and move != placed:
        raise Refused(marked("the man has been released and stands"), "released", due=[placed.uci()])
    check_duties(game, move)


def bond_on(game: Game, move: chess.Move) -> Refused | None:
    """Return what keeps a player from sealing a move, None if he is free to."""
    try:
        check_bonds(game, move)
    except Refused as bond:
        return bond
    return None


def lose_by_sealing(game: Game, sealer: Side, kind: str, **keys: object) -> None:
    """The sealer loses, or it is drawn if the opponent could not mate him (the exception of 6.9)."""
    winner = other(sealer)
    drawn = ability(game, winner, judged_board(game), on_time=False) == "no"
    end_game(game, "1/2-1/2" if drawn else win_for(winner), "sealed-move", kind, **keys)
