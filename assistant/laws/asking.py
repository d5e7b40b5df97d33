"""What may be told to whoever asks, and the answers (12.6, D.2.10.4)."""

from __future__ import annotations

from typing import Any

from assistant.errors import marked
from assistant.laws.events import Article, Event
from assistant.laws.ledger import law_text
from assistant.laws.moves import AlreadyRefused
from assistant.laws.penalties import ask_about_conduct
from assistant.laws.position import fen
from assistant.laws.recording import duty
from assistant.laws.script import Line
from assistant.laws.state import Game, Refused
from assistant.sides import Side

_COUNTS = ("moves-completed", "moves-to-control")
"""What a player who sees is told of only after a flag has fallen (8.5, 12.6)."""
_KEPT_FROM_THE_SIGHTED = {"times": "clock-blind", "position": "advice"} | dict.fromkeys(
    _COUNTS, "moves-silence"
)
"""What a blind player is told on his request, and the other one not, with the ruling it rests on."""


def ask(game: Game, line: Line) -> None:
    """Answer a question, if the one who asks may be told."""
    about = str(line.get("about"))
    if about not in _ANSWERS:
        raise Refused(marked("no advice is given during the game"), "advice")
    side = line.side
    if side is not None:
        _check_asker(game, side, about)
    answer = _ANSWERS[about](game, side, line)
    article = answer.pop("article", None)
    keys = {"side": "arbiter" if side is None else side, "about": about, **answer}
    game.events.append(Event(game.now, "answer", keys, article))


def _check_asker(game: Game, side: Side, about: str) -> None:
    player = game.player(side)
    if player.blind:
        if about in ("times", *_COUNTS) and "d" not in player.duties:
            raise Refused(marked("this duty of the assistant is switched off"), "duty-d")
        return
    if game.setup.mode == "club" or about not in _KEPT_FROM_THE_SIGHTED:
        return
    if about in _COUNTS and game.clock.first_down() is not None:
        return
    raise Refused(marked("this is not told to the player"), _KEPT_FROM_THE_SIGHTED[about])


def _times(game: Game, side: Side | None, line: Line) -> dict[str, Any]:
    game.check_clock()
    return game.clock_times()


def _moves_completed(game: Game, side: Side | None, line: Line) -> dict[str, Any]:
    return {"moves": game.clock.display(side or game.having_the_move).completed}


def _moves_to_control(game: Game, side: Side | None, line: Line) -> dict[str, Any]:
    display = game.clock.display(side or game.having_the_move)
    control = game.clock.control
    if not control or control.is_last(display.period):
        return {"moves": None}
    return {"moves": control.moves_before(display.period + 1) - display.completed}


def _last_move(game: Game, side: Side | None, line: Line) -> dict[str, Any]:
    if not game.plies:
        raise Refused(marked("no move has been made"), "announce")
    return {"move": game.plies[-1].san, "uci": game.plies[-1].uci}


def _position(game: Game, side: Side | None, line: Line) -> dict[str, Any]:
    return {"fen": fen(game.board)}


def _law(game: Game, side: Side | None, line: Line) -> dict[str, Any]:
    number = str(line.get("article")).strip()
    found = law_text(game.edition.name, number, "en" if side is None else game.player(side).language)
    if found is None:
        raise Refused(
            marked("there is no article {article!r} of {edition}", article=number, edition=game.edition.name),
            "explanation",
        )
    article = Article(found.edition, found.article, found.borrowed)
    german = {"german": list(found.german)} if found.german else {}
    return {"text": found.text, "language": found.language, **german, "article": article}


def _recording(game: Game, side: Side | None, line: Line) -> dict[str, Any]:
    what, kind = duty(game, side or game.having_the_move)
    return {"duty": what, "article": game.article(kind)}


def _arbiters_sheet(game: Game, side: Side | None, line: Line) -> dict[str, Any]:
    """Show the arbiter's sheet to the player having the move, at most so many times a game (2023 A.4.3).

    Where the player keeps his own (8.1) he has no such right; the arbiter sees his at any time.
    """
    answer = {"moves": [ply.san for ply in game.plies]}
    if side is None:
        return answer
    if game.rules.sheet_requests_max < 0:
        raise Refused(marked("the arbiter's sheet is not shown in this kind of game"), "recording")
    if game.having_the_move != side:
        raise Refused(marked("the sheet is asked for by the player having the move"), "sheet-request")
    game.recording.requests[side] += 1
    if game.recording.requests[side] > game.rules.sheet_requests_max:
        game.emit("refused", "sheet-request", side=side, reason=marked("it has been asked for too often"))
        ask_about_conduct(game, side, "sheet-request")
        raise AlreadyRefused
    return {**answer, "article": game.article("sheet-request")}


_ANSWERS = {
    "times": _times,
    "moves-completed": _moves_completed,
    "moves-to-control": _moves_to_control,
    "last-move": _last_move,
    "position": _position,
    "law": _law,
    "recording": _recording,
    "arbiters-sheet": _arbiters_sheet,
}
