"""The editions as data: every file whole, every number where the texts have it, a new edition no code."""

from __future__ import annotations

import ast
import copy
import dataclasses
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import assistant.laws
from assistant.errors import HectorError
from assistant.laws import ScriptError, edition_names, load_edition
from assistant.laws.editions import CLASSES, Rules, build_edition
from assistant.laws.ledger import by_article
from assistant.time_control import parse_time_control

FOLDER = Path(assistant.laws.__file__).parent / "editions"
FULL = ("2009", "2014", "2018", "2023")


def data(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


def test_the_seven_editions_are_there_and_load() -> None:
    assert edition_names() == ["1997", "2005", "2009", "2014", "2018", "2023", "blitz-co"]
    for name in edition_names():
        edition = load_edition(name)
        assert set(edition.rules) == set(edition.articles) == set(CLASSES)


def test_an_unknown_edition_is_one_sentence() -> None:
    with pytest.raises(ScriptError, match="no edition of the Laws called '2020'"):
        load_edition("2020")


S, RS, RO, BS, BO = CLASSES

OFFERS_OF_2009 = ("threefold", "fifty-moves", "quickplay-finish")
OFFERS = ("threefold", "fifty-moves", "five-seconds")

# switch, then its value in 2009, 2014, 2018, 2023
SWITCHES: list[tuple[str, str, tuple[Any, Any, Any, Any]]] = [
    ("illegal_moves_until_loss", S, (3, 2, 2, 2)),
    ("illegal_moves_until_loss", RS, (3, 2, 2, 2)),
    ("illegal_moves_until_loss", RO, (3, 1, 2, 2)),
    ("illegal_moves_until_loss", BS, (3, 2, 2, 2)),
    ("illegal_moves_until_loss", BO, (1, 1, 2, 2)),
    ("illegal_move_seconds", S, (120, 120, 120, 120)),
    ("illegal_move_seconds", RS, (120, 120, 120, 60)),
    ("illegal_move_seconds", RO, (120, None, 120, 60)),
    ("illegal_move_seconds", BS, (120, 60, 60, 120)),
    ("illegal_move_seconds", BO, (None, None, 60, 60)),
    ("wrong_claim_seconds", S, (180, 120, 120, 120)),
    ("wrong_claim_seconds", RS, (180, 120, 120, 60)),
    ("wrong_claim_seconds", RO, (180, 120, 120, 60)),
    ("wrong_claim_seconds", BS, (180, 60, 60, 120)),
    ("wrong_claim_seconds", BO, (180, 60, 60, 60)),
    ("wrong_claim_seconds_notice", BS, (0, 0, 0, 60)),
    ("colours_reversed_new_game_below", S, (-1, -1, 10, 10)),
    ("pawn_left_on_last_rank", S, ("restore", "queen", "queen", "queen")),
    ("illegal_claim_until", RO, ("own_next_move",) * 4),
    ("illegal_claim_until", S, ("any_time",) * 4),
    ("arbiter_rules_on_illegal_move", RO, ("both_kings_or_pawn", "any", "any", "any")),
    ("arbiter_rules_on_illegal_move", BO, ("none", "any", "any", "any")),
    ("illegal_position_seen", RO, ("rule", "wait_then_draw", "wait_then_draw", "wait_then_draw")),
    ("resignation_draw_if_no_mate", S, (False, False, False, True)),
    ("agreement_min_moves_each", S, (0, 0, 1, 1)),
    ("fivefold", S, ("off", "consecutive", "any", "any")),
    ("seventy_five", S, ("off", "made", "made", "made")),
    ("completed_by_next_move", S, (False, True, True, True)),
    ("arbiter_may_claim_flag", RO, (False, True, True, True)),
    ("flag_claimant_needs_time", RO, (True, True, False, False)),
    ("both_flags", S, ("draw_in_last_period", "draw_in_last_period", "ask", "ask")),
    ("default_time_if_unstated", S, (0, -1, 0, 0)),
    ("set_up_claim_limit", RO, (3, 10, 10, 10)),
    ("sheet_requests_max", S, (-1, -1, -1, -1)),
    ("sheet_requests_max", RS, (-1, -1, 5, 5)),
    ("sheet_requests_max", RO, (-1, -1, -1, -1)),
    ("sheet_requests_max", BS, (-1, -1, 5, 5)),
    ("sheet_requests_max", BO, (-1, -1, -1, -1)),
    ("hearing_impaired_needs_assistant", S, (False, False, True, True)),
    ("quickplay_five_seconds", S, (0, 5, 5, 5)),
    ("flag_seen_at_once", S, (True,) * 4),
    ("flag_seen_at_once", RS, (True,) * 4),
    ("flag_seen_at_once", RO, (False,) * 4),
    ("flag_seen_at_once", BO, (False,) * 4),
    ("carry_over_with_delay", S, (False, True, True, True)),
    ("illegal_move_seconds_notice", S, (0, 0, 0, 0)),
    ("illegal_move_seconds_notice", BS, (0, 0, 0, 60)),
    ("illegal_claim_until", BO, ("own_next_move",) * 4),
    ("arbiter_rules_on_illegal_move", S, ("any",) * 4),
    ("illegal_position_seen", S, ("rule",) * 4),
    ("illegal_position_seen", BO, ("rule", "wait_then_draw", "wait_then_draw", "wait_then_draw")),
    ("first_illegal_move_decides", BO, (False,) * 4),
    ("own_illegal_move_bars_claim", BO, (False,) * 4),
    ("king_capture_loses", BO, (False,) * 4),
    ("touch_move", BO, (True,) * 4),
    ("arbiter_may_claim_flag", S, (True,) * 4),
    ("arbiter_may_claim_flag", BO, (False, True, True, True)),
    ("flag_claimant_needs_time", BO, (True, True, False, False)),
    ("both_flags", RO, ("draw", "draw_in_last_period", "ask", "ask")),
    ("both_flags", BO, ("draw", "draw_in_last_period", "ask", "ask")),
    ("flag_win_needs", S, ("any_legal_series",) * 4),
    ("flag_win_needs", BO, ("any_legal_series",) * 4),
    ("mate_after_flag_counts", BO, (True,) * 4),
    ("wrong_claim_seconds_notice", S, (0, 0, 0, 0)),
    ("claims_that_are_offers", S, (OFFERS_OF_2009, OFFERS, OFFERS, OFFERS)),
    ("mating_potential_claim", BO, (False,) * 4),
    ("offers_that_annoy", S, (3,) * 4),
    ("offers_that_annoy_within_moves", S, (4,) * 4),
    ("quickplay_finish", S, (True,) * 4),
    ("quickplay_finish", RO, (True,) * 4),
    ("quickplay_finish", BS, (True, False, False, False)),
    ("quickplay_finish", BO, (False,) * 4),
    ("quickplay_with_increment", S, (True, False, False, False)),
    ("quickplay_below_seconds", S, (120,) * 4),
    ("quickplay_at_exactly", S, (False,) * 4),
    ("quickplay_needs_both", RO, (False,) * 4),
    ("quickplay_rejected_seconds", S, (120,) * 4),
    ("adjust_needs_running_clock", S, (False, True, True, True)),
    ("press_without_move_is_conduct", S, (False, True, False, False)),
    ("press_before_move_is_illegal", BO, (False,) * 4),
    ("player_stop_needs_reason", S, (True,) * 4),
    ("set_up_claim_limit", S, (-1,) * 4),
    ("set_up_claim_limit", BO, (3, 10, 10, 10)),
    ("set_up_claim_counts", RO, ("completed",) * 4),
    ("score_sum_capped", S, (False, False, True, True)),
    ("phone_opponent_without_mate", S, ("draw", "win", "win", "win")),
    ("assistant_costs_time", S, (True, False, False, False)),
    ("devices_need_approval", S, (False, False, True, True)),
    ("resumption_default", S, ("fixed", "default_time", "default_time", "default_time")),
    ("resumption_seconds", S, (3600, 0, 0, 0)),
    ("resumption_discretion", S, (True,) * 4),
    ("late_replier_must_stop", S, (False,) * 4),
    ("sealed_result_stands_for", S, ("sealer", "anyone", "anyone", "anyone")),
    ("recording_duty", S, (True,) * 4),
    ("recording_duty", RS, (False,) * 4),
    ("recording_duty", RO, (False,) * 4),
    ("recording_duty", BS, (False,) * 4),
    ("recording_duty", BO, (False,) * 4),
    ("recording_exempt_below", S, (300,) * 4),
    ("recording_increment", S, (30,) * 4),
    ("update_sheet_after_flag", S, (True,) * 4),
]


@pytest.mark.parametrize(("switch", "play_class", "values"), SWITCHES)
def test_a_switch_has_the_value_of_its_edition(switch: str, play_class: str, values: tuple[Any, ...]) -> None:
    for name, value in zip(FULL, values, strict=True):
        if value is not None:
            assert getattr(load_edition(name).rules[play_class], switch) == value, (name, switch, play_class)


# What the appendices of 1997 and the Colombian rules say otherwise than the edition that they borrow from.
OWN: list[tuple[str, str, str, Any]] = [
    ("1997", "resumption_discretion", S, False),
    ("1997", "late_replier_must_stop", S, True),
    ("1997", "quickplay_at_exactly", S, True),
    ("1997", "arbiter_rules_on_illegal_move", RO, "any"),
    ("1997", "illegal_claim_until", RO, "any_time"),
    ("1997", "set_up_claim_counts", RO, "made"),
    ("1997", "quickplay_needs_both", RO, True),
    ("1997", "set_up_claim_counts", BO, "made"),
    ("1997", "flag_win_needs", BO, "mating_potential"),
    ("1997", "mating_potential_claim", BO, True),
    ("1997", "illegal_claim_until", BO, "own_next_move"),
    ("blitz-co", "illegal_kinds", BO, ("illegal", "pawn-left", "press-without-move")),
    ("blitz-co", "illegal_moves_until_loss", BO, 1),
    ("blitz-co", "illegal_claim_until", BO, "own_next_move"),
    ("blitz-co", "arbiter_rules_on_illegal_move", BO, "none"),
    ("blitz-co", "first_illegal_move_decides", BO, True),
    ("blitz-co", "own_illegal_move_bars_claim", BO, True),
    ("blitz-co", "king_capture_loses", BO, True),
    ("blitz-co", "press_before_move_is_illegal", BO, True),
    ("blitz-co", "touch_move", BO, False),
    ("blitz-co", "flag_win_needs", BO, "material"),
    ("blitz-co", "mate_after_flag_counts", BO, False),
    ("blitz-co", "both_flags", BO, "draw"),
]


@pytest.mark.parametrize(("name", "switch", "play_class", "value"), OWN)
def test_a_switch_of_an_edition_that_borrows_has_its_own_value(
    name: str, switch: str, play_class: str, value: Any
) -> None:
    assert getattr(load_edition(name).rules[play_class], switch) == value


@pytest.mark.parametrize("name", edition_names())
def test_what_only_the_colombian_blitz_decides_by_is_in_force_nowhere_else(name: str) -> None:
    for play_class, rules in load_edition(name).rules.items():
        is_colombian_blitz = (name, play_class) == ("blitz-co", BO)
        found = (
            rules.first_illegal_move_decides,
            rules.own_illegal_move_bars_claim,
            rules.king_capture_loses,
            rules.press_before_move_is_illegal,
            not rules.touch_move,
            not rules.mate_after_flag_counts,
        )
        assert found == (is_colombian_blitz,) * 6, play_class


# The longest time (seconds a player) of blitz and of rapid play, then the shortest of what comes next.
BOUNDS = {
    "1997": ("899", "900", "3600", "3601"),
    "2005": ("899", "900", "3599", "3600"),
    "2009": ("899", "900", "3599", "3600"),
    "2014": ("600", "601", "3599", "3600"),
    "2018": ("600", "601", "3599", "3600"),
    "2023": ("600", "601", "3599", "3600"),
    "blitz-co": ("899", "900", "3599", "3600"),
}


@pytest.mark.parametrize("name", edition_names())
def test_blitz_and_rapid_play_end_where_their_edition_says(name: str) -> None:
    found = [load_edition(name).category(parse_time_control(text)) for text in BOUNDS[name]]
    assert found == ["blitz", "rapid", "rapid", "standard"]


def test_the_choices_of_an_event_are_those_that_its_edition_leaves() -> None:
    options = {name: set(load_edition(name).options) for name in FULL}
    of_2023 = {"fivefold", "illegal_move_seconds", "wrong_claim_seconds"}
    assert options == {"2009": set(), "2014": {"fivefold"}, "2018": {"fivefold"}, "2023": of_2023}


def test_illegal_kinds_are_four_since_2018() -> None:
    assert load_edition("2014").rules[S].illegal_kinds == ("illegal", "pawn-left")
    for name in ("2018", "2023"):
        kinds = load_edition(name).rules[S].illegal_kinds
        assert kinds == ("illegal", "pawn-left", "press-without-move", "two-hands")


def test_every_article_that_is_cited_is_one_of_the_ledger() -> None:
    unknown = set()
    for name in edition_names():
        for play_class in CLASSES:
            for kind, article in load_edition(name).articles[play_class].items():
                assert article.borrowed == (article.edition != name)
                found = by_article(article.edition, article.number)
                # The ledger of 2018 has only what was read anew; the rest is numbered as in 2023.
                if article.edition == "2018" and kind != "sheet-request":
                    found = found or by_article("2023", article.number)
                if not found:
                    unknown.add((article.edition, kind, article.number))
    assert {kind for _, kind, _ in unknown} <= {"sheet-request"}


@pytest.mark.parametrize("name", ["1997", "2005", "blitz-co"])
def test_what_an_edition_lacks_is_borrowed_and_what_it_has_is_not(name: str) -> None:
    edition = load_edition(name)
    assert edition.articles["standard"]["checkmate"].borrowed
    own = edition.articles["blitz_otherwise"]["illegal-move"]
    assert (own.edition, own.borrowed) == (name, False)


@pytest.mark.parametrize("name", ["2009", "2014", "2018", "2023"])
def test_a_full_edition_borrows_nothing(name: str) -> None:
    for articles in load_edition(name).articles.values():
        # The sentence on announcing the piece of a promotion is missing in 2009.
        borrowed = {"announce-promotion": "2005 E2.1"} if name == "2009" else {}
        assert {kind: str(each) for kind, each in articles.items() if each.borrowed} == borrowed


def test_a_new_edition_is_a_new_file() -> None:
    def read(name: str) -> Mapping[str, Any]:
        if name == "2027":
            return {
                "borrows": "2023",
                "rules": {"wrong_claim_seconds": 30},
                "articles": {"resignation": "5.9"},
            }
        return data(name)

    edition = build_edition("2027", read)
    assert edition.rules["standard"].wrong_claim_seconds == 30
    assert str(edition.articles["standard"]["resignation"]) == "2027 5.9"
    assert str(edition.articles["standard"]["checkmate"]) == "2023 5.1.1"
    assert edition.articles["standard"]["checkmate"].borrowed


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"rules": {"touch_moves": True}}, "unknown switch: touch_moves"),
        ({"rules": {"touch_move": "yes"}}, "touch_move cannot be 'yes'"),
        (
            {"rules": {"fivefold": "sometimes"}},
            "fivefold cannot be 'sometimes'; it must be any, consecutive, off",
        ),
        ({"rules": {"wrong_claim_seconds": -5}}, "wrong_claim_seconds cannot be -5"),
        ({"rules": {"bullet": {"touch_move": False}}}, "unknown class of play: bullet"),
        ({"colour": "red"}, "unknown entry: colour"),
        ({"category": {"blitz_below": 600}}, "must bound blitz and rapid"),
        ({"options": ["weather"]}, "option that is no switch: weather"),
        ({"borrows": "2023"}, "borrows from itself"),
        (
            {"articles": {"rapid_otherwise": {"weather": "standard"}}},
            "no article of standard play for weather",
        ),
    ],
)
def test_a_wrong_file_is_one_sentence(change: dict[str, Any], says: str) -> None:
    wrong = copy.deepcopy(data("2023"))
    for key, value in change.items():
        if isinstance(value, dict) and key in ("rules", "articles"):
            wrong[key].update(value)
        else:
            wrong[key] = value
    with pytest.raises(HectorError) as error:
        build_edition("2023", lambda name: wrong)
    assert says in str(error.value) and str(error.value).endswith(".")


def test_an_edition_that_is_silent_and_borrows_nothing_is_incomplete() -> None:
    wrong = copy.deepcopy(data("2023"))
    del wrong["rules"]["touch_move"]
    with pytest.raises(HectorError, match="does not say how touch_move is in standard play"):
        build_edition("2023", lambda name: wrong)


def test_no_code_knows_an_edition_by_name() -> None:
    for path in Path(assistant.laws.__file__).parent.glob("*.py"):
        if path.name == "ledger.py":
            continue
        code = [line.split("#")[0] for line in path.read_text("utf-8").splitlines()]
        for name in edition_names():
            tested = [line for line in code if f'== "{name}"' in line or f'in ("{name}"' in line]
            assert tested == [], path.name


def refusals() -> list[tuple[str, ast.Call]]:
    """Every `Refused(...)` in the laws, with where it stands."""
    found = []
    for path in Path(assistant.laws.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                found.append((f"{path.name}:{node.lineno}", node))
    return found


def test_every_article_is_one_that_somebody_asks_for() -> None:
    named = set()
    for path in Path(assistant.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named.add(node.value)
    for name in edition_names():
        for articles in load_edition(name).articles.values():
            # What is put together: "duty-a", "penalty-loss".
            assert {kind for kind in articles if not kind.startswith(("duty-", "penalty-"))} <= named, name


def test_every_refusal_names_the_ruling_it_rests_on_and_every_such_name_has_an_article() -> None:
    known = {
        kind for name in edition_names() for each in load_edition(name).articles.values() for kind in each
    }
    assert len(refusals()) > 100
    for where, call in refusals():
        assert len(call.args) >= 2, where
        kind = call.args[1]
        if isinstance(kind, ast.Constant):
            assert kind.value in known, (where, kind.value)


def test_every_switch_is_read_by_the_code() -> None:
    folder = Path(assistant.laws.__file__).parent
    code = "".join(path.read_text("utf-8") for path in folder.glob("*.py") if path.name != "editions.py")
    unread = [field.name for field in dataclasses.fields(Rules) if f".{field.name}" not in code]
    assert unread == []
