"""What a PGN has that a sheet has no room for: counted as it is left out, told in one sentence a kind."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from assistant.errors import Phrase, marked


@dataclass(slots=True)
class LeftOut:
    """How much of each kind was left out of one game."""

    variations: int = 0
    signs: int = 0
    """Signs of annotators in the main line, such as "!", "$14" and "+-"."""
    commands: Counter[str] = field(default_factory=Counter)
    """The name of each command of another program in a comment, such as "eval" of "[%eval 0.3]"."""
    clocks: list[str] = field(default_factory=list)
    """Clock times that cannot be read, as they stand in the PGN."""
    earlier_clocks: int = 0
    """Clock times that another one of the same move has replaced."""
    results: dict[str, str] = field(default_factory=dict)
    """What a tag that tells the result says, by its name, where that is none."""
    first_number: int = 0
    """The number of the first move by the FEN, where the moves have others."""

    def told(self) -> tuple[Phrase, ...]:
        """Return a sentence for each kind of which there is something."""
        notes = []
        if self.variations:
            notes.append(
                marked(
                    "Variations of the PGN are left out ({count}): a sheet has none.", count=self.variations
                )
            )
        if self.signs:
            notes.append(
                marked(
                    "Annotators' signs such as ! and $14 are left out ({count}): a sheet has none.",
                    count=self.signs,
                )
            )
        if self.commands:
            notes.append(
                marked(
                    "What other programs noted in comments is left out ({count}): {commands}.",
                    count=self.commands.total(),
                    commands=", ".join(f"[%{name}]" for name in self.commands),
                )
            )
        if self.clocks:
            notes.append(
                marked(
                    "Clock times that cannot be read are left out ({count}), the first is {written!r}: they "
                    "are written [%clk 1:29:55].",
                    count=len(self.clocks),
                    written=self.clocks[0],
                )
            )
        if self.earlier_clocks:
            notes.append(
                marked(
                    "Where a move has two clock times in the PGN, the last one counts ({count}).",
                    count=self.earlier_clocks,
                )
            )
        if self.first_number:
            notes.append(
                marked(
                    "The PGN numbers its moves from 1, its FEN from {number}: the sheet has the "
                    "FEN's numbers.",
                    number=self.first_number,
                )
            )
        notes += [
            marked("The PGN's tag {name} says {said!r}, which is no result: left out.", name=name, said=said)
            for name, said in self.results.items()
        ]
        return tuple(notes)
