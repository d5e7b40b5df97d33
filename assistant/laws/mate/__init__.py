"""Can a side still checkmate? Dead positions and flag falls, decided with a proof.

`can_mate` answers for one side, `is_dead` for both; see `Verdict` for what an answer holds.
"""

from assistant.laws.mate.decide import can_mate, is_dead, proves_mate
from assistant.laws.mate.verdict import CHEAP, FULL, Answer, Budget, Deadness, Verdict

__all__ = ["CHEAP", "FULL", "Answer", "Budget", "Deadness", "Verdict", "can_mate", "is_dead", "proves_mate"]
