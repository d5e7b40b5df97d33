"""What is agreed before the first move: the game, the people, and how Hector serves them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from types import UnionType
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from assistant.errors import UsageError
from assistant.laws import DEFAULT_EDITION, ScriptError
from assistant.scoresheet import CONTROL, profile
from assistant.scoresheet.layout import MIN_CELLS, MIN_LINES, MOST
from assistant.scoresheet.profiles import GRADES
from assistant.sides import SIDES, Side
from assistant.speaking import LANGUAGES, told
from assistant.speaking import SIDES as SIDE_NAMES

Press: TypeAlias = Literal["auto", "word", "key"]


@dataclass(frozen=True, slots=True)
class Person:
    """One of the two players."""

    name: str = "?"
    blind: bool = False
    warnings: tuple[int, ...] = ()
    """Seconds left at which he wants to be warned, agreed before the game; the most first."""


@dataclass(frozen=True, slots=True)
class SheetStyle:
    """How the sheets of a game are written; the defaults are those of `assistant.scoresheet.render`."""

    notation: str = "short"
    profile: str = ""
    cells: int | None = None
    lines: int = 28
    grade: str = "basic"

    def writable(self, language: str) -> SheetStyle:
        """Return this style, or the next to it in which braille can be written: a game has its sheets.

        That of a game's journal may be of another Hector, which had other settings.
        """
        try:
            profile(self.profile).table_for(language)
            name = self.profile
        except UsageError:
            name = SheetStyle().profile
        return replace(
            self,
            notation=self.notation if self.notation in ("short", "long") else "short",
            profile=name,
            cells=None if self.cells is None else min(max(self.cells, MIN_CELLS), MOST),
            lines=min(max(self.lines, MIN_LINES), MOST),
            grade=self.grade if self.grade in GRADES else GRADES[0],
        )


@dataclass(frozen=True, slots=True)
class Opponent:
    """An engine that plays one side, and how strong it is to be. `None`: as the engine has it."""

    command: str
    """The program and its arguments, as a shell would read them."""
    side: Side = "black"
    elo: int | None = None
    """Its playing strength in Elo points."""
    skill: int | None = None
    """Its own level of skill, 0 to 20 for Stockfish."""
    seconds: float | None = None
    """Seconds for one move; `None`: it divides the time on its clock itself."""
    resigns: bool = False
    """Whether it gives up a game that is plainly lost."""


@dataclass(frozen=True, slots=True)
class EventRules:
    """What the Laws leave to the event. Source: the game-script format, "First line"."""

    category: str | None = None
    """Standard, rapid or blitz; `None`: the time control decides."""
    supervised: bool = True
    """Whether the competition rules apply in rapid and blitz (A.4, B.2), or those without an arbiter."""
    default_time: int | str = ""
    """Seconds that a player may be late; empty: as the Laws have it; "none": the event does not rule it."""
    draw_offers: int | str = "free"
    """Or "forbidden", or the number of the move from which they are allowed."""
    quickplay_finish: bool = False

    def keys(self) -> dict[str, Any]:
        """Return those keys of the script's first line that differ from its defaults."""
        usual, keys = EventRules(), asdict(self)
        chosen = {key: value for key, value in keys.items() if value != getattr(usual, key)}
        if chosen.get("default_time") == "none":
            chosen["default_time"] = None
        return chosen

    @classmethod
    def of(cls, game: Mapping[str, Any]) -> EventRules:
        """Return the rules of a script's first line."""
        found = {key: game[key] for key in asdict(cls()) if key in game}
        if found.get("default_time", "") is None:
            found["default_time"] = "none"
        return cls(**found)


@dataclass(frozen=True, slots=True)
class Setup:
    """One game as it was agreed, and how it is to be run at the table."""

    white: Person = field(default_factory=lambda: Person("White", blind=True))
    black: Person = field(default_factory=lambda: Person("Black"))
    laws: str = DEFAULT_EDITION
    time_control: str = "5400+30"
    mode: Literal["rated", "club"] = "rated"
    rules: EventRules = EventRules()
    fen: str | None = None
    chess960: int | bool | None = None
    press: Press = "word"
    language: str = "de"
    player: str = ""
    """Whose settings count (`assistant.table.players`); empty: nobody's."""
    model: str = ""
    """The acoustic model that was asked for, as `assistant.hearing.lasting_name` has it; empty: the usual."""
    reads_board: bool = False
    """Whether questions about the position are answered in a rated game too, as the event allows."""
    braille_display: bool = True
    """Whether a braille display is used wherever there is one."""
    microphone: bool = True
    """Whether there is one where one can be had; without, moves are typed."""
    sheet: SheetStyle = SheetStyle()
    engine: Opponent | None = None
    event: str = "?"
    site: str = "?"
    date: str = "????.??.??"
    round: str = "?"

    def person(self, side: Side) -> Person:
        return self.white if side == "white" else self.black

    def has_name(self, side: Side) -> bool:
        """Return whether a player is called otherwise than by his side."""
        return self.person(side).name != side.capitalize()

    def name_or_side(self, side: Side, language: str = "") -> str:
        """Return a player's name; of one who has none, his side in a language, else that of the messages."""
        return self.person(side).name if self.has_name(side) else told(SIDE_NAMES[side], language)

    def with_person(self, side: Side, person: Person) -> Setup:
        """Return the setup with somebody else at one side."""
        return replace(self, white=person) if side == "white" else replace(self, black=person)

    @property
    def served(self) -> Side:
        """The player whom Hector assists: the blind one, White where both are or none is."""
        return next((side for side in SIDES if self.person(side).blind), "white")

    @property
    def opponent(self) -> Side | None:
        """The sighted player, who may sit at a page of his own; White of two, nobody where both are blind.

        An engine sits at none.
        """
        engine = None if self.engine is None else self.engine.side
        return next((side for side in SIDES if not self.person(side).blind and side != engine), None)

    @property
    def is_chess960(self) -> bool:
        """Whether castling is that of Chess960; start position 0 is one of its too."""
        return self.chess960 is not None and self.chess960 is not False

    @property
    def tells_position(self) -> bool:
        """Whether questions about the position are answered."""
        return self.mode == "club" or self.reads_board

    @property
    def word_presses(self) -> bool:
        """Whether a clock is pressed by a spoken word too, and not by the key alone."""
        return self.press != "key"

    def game(self) -> dict[str, Any]:
        """Return the first line of the game script. Source: the game-script format, "First line"."""
        game: dict[str, Any] = {
            "laws": self.laws,
            "time_control": self.time_control,
            "mode": self.mode,
            "white": {"name": self.white.name, "blind": self.white.blind},
            "black": {"name": self.black.name, "blind": self.black.blind},
            **self.rules.keys(),
        }
        if self.fen is not None:
            game["fen"] = self.fen
        if self.chess960 is not None:
            game["chess960"] = self.chess960
        return game

    def table(self) -> dict[str, Any]:
        """Return what the journal keeps beside the game, so that a game resumes as it was run."""
        kept: dict[str, Any] = {key: getattr(self, key) for key in _PLAIN}
        kept["warnings"] = {side: list(self.person(side).warnings) for side in SIDES}
        kept["sheet"] = asdict(self.sheet)
        if self.engine is not None:
            kept["engine"] = asdict(self.engine)
        return kept

    @classmethod
    def from_journal(cls, game: Mapping[str, Any], table: Mapping[str, Any]) -> Setup:
        """Rebuild the setup from the first line of a journal; what an older one lacks is the default.

        A journal that somebody else has written may hold anything in its texts: none of it steers a terminal.

        :raises ScriptError: naming what `table` cannot have.
        :raises KeyError, TypeError, ValueError: if `game` describes no setup.
        """
        _check_table(table)
        warnings = table.get("warnings", {})
        people = {
            side: Person(
                _one_line(str(game[side]["name"])),
                bool(game[side].get("blind")),
                tuple(int(seconds) for seconds in warnings.get(side, ())),
            )
            for side in SIDES
        }
        engine = table.get("engine")
        return cls(
            white=people["white"],
            black=people["black"],
            laws=game["laws"],
            time_control=game["time_control"],
            mode=game["mode"],
            rules=EventRules.of(game),
            fen=game.get("fen"),
            chess960=game.get("chess960"),
            sheet=SheetStyle(**table.get("sheet", {})),
            engine=None if engine is None else Opponent(**engine),
            **{key: _one_line(table[key]) for key in _PLAIN if key in table},
        )


def _one_line(value: Any) -> Any:
    """Return a text without the characters that break a line or begin an escape sequence."""
    return CONTROL.sub(" ", value) if isinstance(value, str) else value


_PLAIN = (
    *("press", "language", "player", "model", "reads_board", "braille_display", "microphone"),
    *("event", "site", "date", "round"),
)
"""What the journal keeps as it stands."""


def _check_table(table: object) -> None:
    """:raises ScriptError: if a value of a journal's `table` is none that `Setup.table` returns."""
    _check("table", table, Mapping)
    assert isinstance(table, Mapping)
    kinds = get_type_hints(Setup)
    for key in table.keys() & {*_PLAIN}:
        _check(key, table[key], kinds[key])
    if "language" in table:
        _check("language", table["language"], Literal[LANGUAGES])
    for name, made in (("sheet", SheetStyle), ("engine", Opponent)):
        if name in table:
            _check(name, table[name], Mapping)
            kinds = get_type_hints(made)
            for key, value in table[name].items():
                _check(f"{name}.{key}", value, kinds.get(key))
    warnings = table.get("warnings", {})
    _check("warnings", warnings, Mapping)
    for side, seconds in warnings.items():
        _check(f"warnings.{side}", seconds, list)
        for each in seconds:
            _check(f"warnings.{side}", each, int)


def _check(key: str, value: object, kind: Any) -> None:
    if not _fits(value, kind):
        raise ScriptError("'{key}' cannot be {value!r}.", key=key, value=value)


def _fits(value: object, kind: Any) -> bool:
    """Return whether a value that was read from JSON is of a type as a field of a setup names it."""
    if get_origin(kind) is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if isinstance(kind, UnionType):
        return any(_fits(value, each) for each in get_args(kind))
    if kind is None or (isinstance(value, bool) and kind is not bool):
        return False
    return isinstance(value, int | float if kind is float else kind)
