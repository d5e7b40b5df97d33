"""Two games that Hector plays with itself: voices speak them at the table, through the same code as people.

The moves are those of two famous games, which belong to nobody. The voices are variants of espeak-ng that the
acoustic model was never trained with.
"""

from assistant.demonstration.games import Scene, games

__all__ = ["Scene", "games"]
