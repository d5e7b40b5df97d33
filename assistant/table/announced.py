"""What a player announced in his games, words and sound: from that his voice is learnt without a lesson.

The game itself says what was announced: the move that stands at a half-move is what the player meant, however
he was understood at first. A recording counts with the words for that move that fit it best, if they fit; a
slip of the tongue, a command and talk do not. One counts for each half-move, the first: whoever repeats an
announcement (Laws of Chess 2023, D.2.1) comes after it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import chess
import numpy as np

from assistant.board import is_legal, play
from assistant.ears import Ears
from assistant.errors import HectorError, UsageError
from assistant.hearing import FEWEST, Kept, Recording, Samples, kept_in
from assistant.journal import read
from assistant.sides import SIDES, Side, side_of
from assistant.sound import SAMPLE_RATE
from assistant.table.folder import HEARD
from assistant.table.learning import ways_to_say, which_was_said
from assistant.table.players import is_called
from assistant.table.record import check_lines, replayed, setup_in
from assistant.table.setup import Setup

Said = tuple[tuple[str, ...], Samples]
"""Words and sound of one announcement."""
MOST: Final = 120
"""Announcements from which more teach nothing new."""
_SILENCE: Final = np.zeros(SAMPLE_RATE, np.int16)
"""What a recording that was cut at its last word is heard with."""


@dataclass(frozen=True, slots=True)
class Announcing:
    """One move of the player, and the recordings in which he may announce it, the likeliest first."""

    board: chess.Board
    """The position before it."""
    move: chess.Move
    tries: tuple[Path, ...]


def moves_of(player: str, games: Sequence[Path]) -> list[Announcing]:
    """Return the recorded moves of a player in the order of the games, each folder once.

    :param games: folders of games, in the order in which they were played.
    :raises UsageError: if he is not the blind player of each of them.
    :raises HectorError: if a folder holds no game, or its journal is damaged.
    """
    folders = {folder.resolve(): folder for folder in games}
    return [each for folder in folders.values() for each in _moves_in(folder, player)]


def announced_in(
    moves: Sequence[Announcing], ears: Ears, tell: Callable[[HectorError], None], most: int | None = None
) -> list[Said]:
    """Return the announcements of a player, each once: a game and its copy hold the same sound.

    :param tell: takes the error of the first recording that cannot be read; the others are used.
    :param most: so many of the last ones at most; None for all.
    """
    unreadable: list[HectorError] = []
    found: list[Said] = []
    known: set[bytes] = set()
    for move in reversed(moves):
        said = _first_that_fits(move, ears, unreadable)
        # What is learnt must not be tried on the very sound that it was learnt from.
        if said is not None and (sound := said[1].tobytes()) not in known:
            known.add(sound)
            found.append(said)
        if len(found) == most:
            break
    for error in unreadable[:1]:
        tell(error)
    return found[::-1]


def prove_enough(said: Sequence[Said], moves: Sequence[Announcing], player: str) -> None:
    """Prove that a voice can be learnt from what a player announced.

    :raises HectorError: if it is too little.
    """
    if len(said) < FEWEST:
        raise HectorError(
            "Recorded moves of {player} that can be learnt from: {count} of {recorded}, and at least "
            "{fewest} are needed. Name more games.",
            player=player,
            count=len(said),
            recorded=len(moves),
            fewest=FEWEST,
        )


def _moves_in(folder: Path, player: str) -> Iterator[Announcing]:
    lines = read(folder).lines
    check_lines(folder, lines)
    sides = _sides_of(player, setup_in(folder, lines), folder)
    kept: defaultdict[int, list[Kept]] = defaultdict(list)
    for each in kept_in(folder / HEARD):
        kept[each.ply].append(each)
    board = replayed(lines[:1]).board
    for ply, move in enumerate(replayed(lines).moves, 1):
        # Words of the position are for lawful moves only, but an illegal one may stand.
        if side_of(board.turn) in sides and is_legal(board, move):
            asked = (each for each in kept[max(ply - 1, 1)] if not each.is_accepted)
            tries = (*asked, *(each for each in kept[ply] if each.is_accepted))
            if tries:
                yield Announcing(board.copy(stack=False), move, tuple(each.path for each in tries))
        play(board, move)


def _sides_of(player: str, setup: Setup, folder: Path) -> list[Side]:
    blind = [side for side in SIDES if setup.person(side).blind]
    named = [side for side in SIDES if is_called(setup.person(side).name, player)]
    if not named and is_called(setup.player, player):
        named = [setup.served]
    if not named:
        raise UsageError(
            "{player} does not play in {folder}: the players are {white} and {black}.",
            player=player,
            folder=folder,
            white=setup.white.name,
            black=setup.black.name,
        )
    if not set(named) & set(blind):
        raise UsageError(
            "{player} is not the blind player in {folder}: only a blind player's moves are learnt from.",
            player=player,
            folder=folder,
        )
    return [side for side in named if side in blind]


def _first_that_fits(announcing: Announcing, ears: Ears, unreadable: list[HectorError]) -> Said | None:
    ears.recogniser.expect(ways_to_say(announcing.move, announcing.board, ears.vocabulary))
    for path in announcing.tries:
        try:
            with Recording(path) as recording:
                samples = np.concatenate([*recording.blocks(), _SILENCE])
        except HectorError as error:
            # The others teach enough.
            unreadable.append(error)
            continue
        ears.recogniser.restart()
        for utterance in (*ears.recogniser.accept(samples), *ears.recogniser.finish()):
            words = which_was_said(utterance)
            if words is not None:
                return words, samples[: -len(_SILENCE)]
    return None
