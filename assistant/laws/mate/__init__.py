"""Can a side still checkmate? Dead positions and flag falls, decided with a proof.

`can_mate` answers for one side, `is_dead` for both after every move, `adjudicate` for a position as text; see
`Verdict` for what an answer holds.
"""

from assistant.laws.mate.adjudicate import Adjudication, adjudicate, adjudicate_lines
from assistant.laws.mate.decide import can_mate, is_dead, proves_mate
from assistant.laws.mate.verdict import CHEAP, FULL, Answer, Budget, Deadness, Verdict

__all__ = [
    "CHEAP",
    "FULL",
    "Adjudication",
    "Answer",
    "Budget",
    "Deadness",
    "Verdict",
    "adjudicate",
    "adjudicate_lines",
    "can_mate",
    "is_dead",
    "proves_mate",
]
