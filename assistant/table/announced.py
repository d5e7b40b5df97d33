"""What a player announced in his games, words and sound: from that his voice is learnt without a lesson.

The game itself says what was announced: the move that stands at a half-move is what the player meant, however
he was understood at first. A recording counts with the words for that move that fit it best, if they fit; a
slip of the tongue, a command and talk do not. One counts for each half-move: whoever repeats the announcement
comes later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from assistant.announcements import Phrasebook, build_phrasebook
from assistant.ears import Ears
from assistant.errors import HectorError, UsageError
from assistant.hearing import FEWEST, Recording, kept_in
from assistant.journal import read
from assistant.laws import Referee
from assistant.moves import read_move
from assistant.sides import SIDES, Side, side_of
from assistant.sound import SAMPLE_RATE
from assistant.table.folder import HEARD
from assistant.table.learning import was_said
from assistant.table.players import is_called
from assistant.table.record import check_lines, setup_in
from assistant.table.running import Samples
from assistant.table.setup import Setup

Said = tuple[tuple[str, ...], Samples]
"""Words and sound of one announcement."""
MOST: Final = 120
"""Announcements from which more teach nothing new."""
_SILENCE: Final = np.zeros(SAMPLE_RATE, np.int16)
"""What a recording that was cut at its last word is heard with."""


def announced_in(games: Sequence[Path], player: str, ears: Ears) -> list[Said]:
    """Return the last announcements of a player in his games, `MOST` of them at most.

    :param games: folders of games, in the order in which they were played.
    :raises UsageError: if he played none of one of them.
    :raises HectorError: if a folder holds no game, its journal is damaged, or there is too little to learn
        from.
    """
    found = [said for folder in games for said in _announced(folder, player, ears)]
    if len(found) < FEWEST:
        raise HectorError(
            "Only {count} recorded announcements of {player} are in these games, and at least {fewest} are "
            "needed: name more games.",
            count=len(found),
            player=player,
            fewest=FEWEST,
        )
    return found[-MOST:]


def _announced(folder: Path, player: str, ears: Ears) -> Iterator[Said]:
    lines = read(folder).lines
    check_lines(folder, lines)
    sides = _sides_of(player, setup_in(folder, lines), folder)
    kept: defaultdict[int, list[Path]] = defaultdict(list)
    for each in kept_in(folder / HEARD):
        kept[each.ply].append(each.path)
    referee = Referee(lines[0]["game"], read_move=read_move)
    board = referee.board
    for line in lines[1:]:
        referee.apply(line)
    for ply, san in enumerate(referee.status().keys["moves"], 1):
        try:
            move = board.parse_san(san)
        except ValueError:
            # An illegal move that stands: no words of the position are for it.
            return
        if side_of(board.turn) in sides:
            # What was passed over or asked about bears the number of the half-move before.
            tries = (*kept[ply], *kept[ply - 1])
            said = _first_that_fits(tries, build_phrasebook(board, ears.vocabulary, moves=[move]), ears)
            if said is not None:
                yield said
        board.push(move)


def _sides_of(player: str, setup: Setup, folder: Path) -> list[Side]:
    blind = [side for side in SIDES if setup.person(side).blind]
    named = [side for side in blind if is_called(setup.person(side).name, player)]
    if named:
        return named
    if is_called(setup.player, player):
        return [setup.served]
    raise UsageError(
        "{player} announced no move in {folder}: its players are {white} and {black}.",
        player=player,
        folder=folder,
        white=setup.white.name,
        black=setup.black.name,
    )


def _first_that_fits(tries: Sequence[Path], book: Phrasebook, ears: Ears) -> Said | None:
    if not tries:
        return None
    phrases = [words for words, meanings in book.phrases.items() if any(each.move for each in meanings)]
    ears.recogniser.expect(phrases)
    for path in tries:
        try:
            with Recording(path) as recording:
                samples = np.concatenate([*recording.blocks(), _SILENCE])
        except UsageError:
            # Damaged, or of a disk that was full: the others teach enough.
            continue
        ears.recogniser.restart()
        for utterance in (*ears.recogniser.accept(samples), *ears.recogniser.finish()):
            words = utterance.legal[0].words if utterance.legal else ()
            if words and was_said(utterance, words):
                return words, samples[: -len(_SILENCE)]
    return None
