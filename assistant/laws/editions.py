"""The editions of the Laws as data: every number, switch and article that differs between them.

An edition is a file `editions/NAME.toml`:

- `borrows`: the edition whose text is used where this one's is not at hand;
- `[category]`: what counts as blitz and as rapid play (seconds of T = main time + 60 increments);
- `[rules]`: the switches, named by meaning; `[rules.CLASS]`: what differs in one class of play;
- `[articles]`: the article for each kind of ruling; `[articles.CLASS]` likewise, where the word `standard`
  instead of an article means: as in standard play, whatever a borrowed edition has for this class, and
  `EDITION:ARTICLE` is the article of another edition, where this one's text lacks the sentence;
- `knows_supervision`: the categories in which the text sets supervised play apart.

A class of play is `standard`, `rapid_supervised`, `rapid_otherwise`, `blitz_supervised` or
`blitz_otherwise`. No code that rules knows an edition by name.
"""

from __future__ import annotations

import dataclasses
import tomllib
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from assistant.errors import HectorError, marked
from assistant.laws.events import SECOND, Article, Microseconds, ScriptError, microseconds
from assistant.time_control import TimeControl

_FOLDER = Path(__file__).parent / "editions"
CLASSES = ("standard", "rapid_supervised", "rapid_otherwise", "blitz_supervised", "blitz_otherwise")
DEFAULT_EDITION = "2023"


@dataclass(frozen=True, slots=True)
class Rules:
    """The switches of an edition for one class of play; times are whole seconds.

    The values that a switch of text can take are in `CHOICES`.
    """

    # Illegal moves
    illegal_kinds: tuple[str, ...]
    illegal_moves_until_loss: int
    illegal_move_seconds: int
    illegal_move_seconds_notice: int
    illegal_claim_until: str
    arbiter_rules_on_illegal_move: str
    illegal_position_seen: str
    pawn_left_on_last_rank: str
    first_illegal_move_decides: bool
    own_illegal_move_bars_claim: bool
    king_capture_loses: bool
    touch_move: bool
    # Flags
    flag_seen_at_once: bool
    arbiter_may_claim_flag: bool
    flag_claimant_needs_time: bool
    both_flags: str
    flag_win_needs: str
    mate_after_flag_counts: bool
    # Draws and claims
    wrong_claim_seconds: int
    wrong_claim_seconds_notice: int
    fivefold: str
    seventy_five: str
    resignation_draw_if_no_mate: bool
    agreement_min_moves_each: int
    claims_that_are_offers: tuple[str, ...]
    mating_potential_claim: bool
    offers_that_annoy: int
    offers_that_annoy_within_moves: int
    # Quickplay finish
    quickplay_finish: bool
    quickplay_with_increment: bool
    quickplay_below_seconds: int
    quickplay_at_exactly: bool
    quickplay_needs_both: bool
    quickplay_rejected_seconds: int
    quickplay_five_seconds: int
    # Clock, start
    completed_by_next_move: bool
    carry_over_with_delay: bool
    adjust_needs_running_clock: bool
    press_without_move_is_conduct: bool
    press_before_move_is_illegal: bool
    player_stop_needs_reason: bool
    default_time_if_unstated: int
    set_up_claim_limit: int
    set_up_claim_counts: str
    colours_reversed_new_game_below: int
    # Penalties and scores
    penalties: tuple[str, ...]
    score_sum_capped: bool
    phone_opponent_without_mate: str
    # Blind players
    assistant_costs_time: bool
    hearing_impaired_needs_assistant: bool
    devices_need_approval: bool
    # Adjournment
    resumption_default: str
    resumption_seconds: int
    resumption_discretion: bool
    late_replier_must_stop: bool
    sealed_result_stands_for: str
    # Scoresheet
    recording_duty: bool
    recording_exempt_below: int
    recording_increment: int
    sheet_requests_max: int
    update_sheet_after_flag: bool


CHOICES: Mapping[str, frozenset[str]] = {
    "illegal_claim_until": frozenset({"any_time", "own_next_move"}),
    "arbiter_rules_on_illegal_move": frozenset({"any", "both_kings_or_pawn", "none"}),
    "illegal_position_seen": frozenset({"rule", "wait_then_draw"}),
    "pawn_left_on_last_rank": frozenset({"restore", "queen"}),
    "both_flags": frozenset({"draw", "draw_in_last_period", "ask"}),
    "flag_win_needs": frozenset({"any_legal_series", "mating_potential", "material"}),
    "fivefold": frozenset({"off", "consecutive", "any"}),
    "seventy_five": frozenset({"off", "made"}),
    "set_up_claim_counts": frozenset({"completed", "made"}),
    "phone_opponent_without_mate": frozenset({"win", "draw"}),
    "resumption_default": frozenset({"default_time", "fixed"}),
    "sealed_result_stands_for": frozenset({"sealer", "anyone"}),
}


@dataclass(frozen=True, slots=True)
class CategoryBounds:
    """Blitz and rapid play by T, main time and 60 increments, in seconds; `..._includes`: the bound too."""

    blitz_below: int
    blitz_includes: bool
    rapid_below: int
    rapid_includes: bool


@dataclass(frozen=True, slots=True)
class Edition:
    """One dated text of the Laws with what it borrows filled in."""

    name: str
    bounds: CategoryBounds
    knows_supervision: frozenset[str]
    options: frozenset[str]
    rules: Mapping[str, Rules]
    articles: Mapping[str, Mapping[str, Article]]

    def category(self, control: TimeControl) -> str:
        """Return `standard`, `rapid` or `blitz` by this edition's own thresholds."""
        if not control:
            return "standard"
        time: Microseconds = control.allotted()
        bounds = self.bounds
        if time < bounds.blitz_below * SECOND or (
            bounds.blitz_includes and time == bounds.blitz_below * SECOND
        ):
            return "blitz"
        if time < bounds.rapid_below * SECOND or (
            bounds.rapid_includes and time == bounds.rapid_below * SECOND
        ):
            return "rapid"
        return "standard"

    def play_class(self, category: str, *, supervised: bool) -> str:
        """Return the class of play whose rules and articles hold."""
        if category == "standard":
            return category
        return (
            f"{category}_{'supervised' if supervised and category in self.knows_supervision else 'otherwise'}"
        )


@cache
def edition_names() -> list[str]:
    """Return the names of all editions, oldest first."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def load_edition(name: object) -> Edition:
    """Return an edition by name.

    :raises ScriptError: if there is none of that name.
    :raises HectorError: if its file is not as the description at the top of this module says.
    """
    names = edition_names()
    if not isinstance(name, str) or name not in names:
        raise ScriptError(
            "There is no edition of the Laws called {name!r}; there are {names}.",
            name=name,
            names=", ".join(names),
        )
    return _load(name)


def with_options(rules: Rules, options: Mapping[str, Any], edition: Edition) -> Rules:
    """Return the rules with an event's own choices, where this edition leaves one (`options` in its file).

    :raises ScriptError: if a choice is not one of the edition's options, not of the right type, or no time
        that can be given.
    """
    for key, value in options.items():
        if key not in edition.options:
            allowed = ", ".join(sorted(edition.options)) or "none"
            raise ScriptError(
                "The edition {name} leaves no option {key!r}; its options are: {allowed}.",
                name=edition.name,
                key=key,
                allowed=allowed,
            )
        try:
            chosen = {key: _value(key, value)}
        except HectorError as error:
            raise ScriptError(error.phrase) from None
        if hasattr(rules, f"{key}_notice"):
            # It is a time, and the event's own seconds are what an arbiter would be asked about.
            microseconds(value, key)
            chosen[f"{key}_notice"] = 0
        rules = dataclasses.replace(rules, **chosen)
    return rules


@cache
def _load(name: str) -> Edition:
    return build_edition(name, _read)


def _read(name: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise HectorError("The edition {name} cannot be read: {reason}.", name=name, reason=error) from None


def build_edition(name: str, read: typing.Callable[[str], Mapping[str, Any]]) -> Edition:
    """Build an edition from the data that `read` returns for a name, its own and what it borrows.

    :raises HectorError: with one sentence about what is wrong in the data.
    """
    chain: list[tuple[str, Mapping[str, Any]]] = []
    current: str | None = name
    while current:
        if any(current == seen for seen, _ in chain):
            raise HectorError("The edition {name} borrows from itself.", name=name)
        data = read(current)
        chain.append((current, data))
        current = data.get("borrows")
    own = chain[0][1]
    known = {"borrows", "knows_supervision", "options", "category", "rules", "articles"}
    if unknown := sorted(set(own) - known):
        raise HectorError(
            "The edition {name} has an unknown entry: {unknown}.", name=name, unknown=unknown[0]
        )
    bounds = _first(chain, "category", name)
    try:
        category = CategoryBounds(**bounds)
    except TypeError:
        raise HectorError(
            "The edition {name} must bound blitz and rapid play under [category].", name=name
        ) from None
    options = frozenset(_first(chain, "options", name))
    if unknown := sorted(options - {field.name for field in dataclasses.fields(Rules)}):
        raise HectorError(
            "The edition {name} leaves an option that is no switch: {unknown}.", name=name, unknown=unknown[0]
        )
    return Edition(
        name=name,
        bounds=category,
        knows_supervision=frozenset(_first(chain, "knows_supervision", name)),
        options=options,
        rules={each: _rules(name, chain, each) for each in CLASSES},
        articles={each: _articles(name, chain, each) for each in CLASSES},
    )


def _first(chain: list[tuple[str, Mapping[str, Any]]], key: str, name: str) -> Any:
    for _, data in chain:
        if key in data:
            return data[key]
    raise HectorError("The edition {name} lacks the entry {key}.", name=name, key=key)


def _rules(name: str, chain: list[tuple[str, Mapping[str, Any]]], play_class: str) -> Rules:
    merged: dict[str, Any] = {}
    for _, data in reversed(chain):
        table = data.get("rules", {})
        for key, value in table.items():
            if isinstance(value, dict):
                if key not in CLASSES:
                    raise HectorError(
                        "The edition {name} has rules for an unknown class of play: {key}.",
                        name=name,
                        key=key,
                    )
            else:
                merged[key] = value
        merged.update(table.get(play_class, {}))
    fields = {field.name for field in dataclasses.fields(Rules)}
    if unknown := sorted(set(merged) - fields):
        raise HectorError(
            "The edition {name} has an unknown switch: {unknown}.", name=name, unknown=unknown[0]
        )
    if missing := sorted(fields - set(merged)):
        raise HectorError(
            "The edition {name} does not say how {missing} is in {play_class} play.",
            name=name,
            missing=missing[0],
            play_class=play_class,
        )
    return Rules(**{key: _value(key, value) for key, value in merged.items()})


_TYPES = {field.name: str(field.type) for field in dataclasses.fields(Rules)}
_EXPECTED = {
    "bool": marked("true or false"),
    "int": marked("a whole number from -1"),
    "tuple[str, ...]": marked("a list of texts"),
}
"""What a switch of each type takes, where its values are not named."""


def _value(key: str, value: Any) -> Any:
    """Check one switch's value."""
    wanted = _TYPES[key]
    right = {
        "bool": isinstance(value, bool),
        "int": isinstance(value, int) and not isinstance(value, bool) and value >= -1,
        "str": isinstance(value, str) and value in CHOICES.get(key, ()),
        "tuple[str, ...]": isinstance(value, list | tuple) and all(isinstance(each, str) for each in value),
    }[wanted]
    if not right:
        expected = ", ".join(sorted(CHOICES[key])) if key in CHOICES else _EXPECTED[wanted]
        raise HectorError(
            "The switch {key} cannot be {value!r}; it must be {expected}.",
            key=key,
            value=value,
            expected=expected,
        )
    return tuple(value) if wanted.startswith("tuple") else value


def _articles(
    name: str, chain: list[tuple[str, Mapping[str, Any]]], play_class: str
) -> Mapping[str, Article]:
    standard = {} if play_class == "standard" else _articles(name, chain, "standard")
    merged: dict[str, Article] = {}
    for edition, data in reversed(chain):
        table = data.get("articles", {})
        tables = [{key: value for key, value in table.items() if isinstance(value, str)}]
        tables.append(table.get(play_class, {}))
        for each in tables:
            for kind, number in each.items():
                if number == "standard" and kind not in standard:
                    raise HectorError(
                        "The edition {name} has no article of standard play for {kind}.", name=name, kind=kind
                    )
                if number == "standard":
                    number, edition_of = standard[kind].number, standard[kind].edition
                else:
                    named, _, number = number.rpartition(":")
                    edition_of = named or edition
                merged[kind] = Article(edition_of, number, borrowed=edition_of != name)
    return merged
