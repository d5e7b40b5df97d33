"""Games that were begun wrongly: another initial position, colours reversed (articles 7.2 and 7.3)."""

from __future__ import annotations

from assistant.errors import marked
from assistant.laws.endings import end_game
from assistant.laws.position import is_regular_start
from assistant.laws.state import Game, Refused
from assistant.sides import Side


def check_set_up_claim(game: Game) -> None:
    """Refuse to hear that the game began from a wrong position once it stands in any case (7.2.1).

    :raises Refused: after so many moves of both players.
    """
    if set_up_stands(game):
        raise Refused(
            marked(
                "after {n} moves of each player the set-up can no longer be claimed",
                n=game.rules.set_up_claim_limit,
            ),
            "set-up-late",
        )


def set_up_stands(game: Game) -> bool:
    """Have both players moved so often that placement, orientation and clock setting stand in any case?"""
    counted = [
        sum(
            ply.side == each and (ply.completed or game.rules.set_up_claim_counts == "made")
            for ply in game.plies
        )
        for each in ("white", "black")
    ]
    return 0 <= game.rules.set_up_claim_limit <= min(counted)


def claim_initial_position(game: Game, side: Side | None) -> None:
    """Judge a claim that the game began from a wrong position: a player's by the position on record."""
    if side is not None and is_regular_start(game.start_board):
        game.emit("claim-wrong", "initial-position", side=side, of="initial-position", seconds=0)
        return
    rule_on_initial_position(game, "arbiter" if side is None else side)


def rule_on_initial_position(game: Game, claimant: str) -> None:
    """A wrong start, found during the game: annulled, and a new game is played (7.2.1)."""
    game.emit("claim-right", "initial-position", side=claimant, of="initial-position", seconds=0)
    end_game(game, "annulled", "arbiter", "initial-position")


def check_colours_reversed(game: Game) -> None:
    """Refuse to hear that the colours are reversed once the game goes on with them in any case (7.3).

    :raises Refused: after so many moves of both players.
    """
    limit = game.rules.colours_reversed_new_game_below
    if 0 <= limit <= min(game.moves_made("white"), game.moves_made("black")):
        raise Refused(
            marked("after {n} moves of each player the game goes on with the colours as they are", n=limit),
            "colours-reversed",
        )


def rule_on_colours_reversed(game: Game, claimant: str) -> None:
    """A new game is played, or this one goes on unless the arbiter rules otherwise (7.3)."""
    kind = "colours-reversed"
    game.emit("claim-right", kind, side=claimant, of=kind, seconds=0)
    if game.rules.colours_reversed_new_game_below >= 0:
        end_game(game, "annulled", "arbiter", kind)
        return
    game.ask_arbiter(
        "colours",
        "continue",
        kind,
        lambda game, _: None,
        reject=lambda game, _: end_game(game, "annulled", "arbiter", kind),
    )
