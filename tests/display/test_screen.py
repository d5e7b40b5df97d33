"""What is under the fingers, without any display."""

from __future__ import annotations

import chess
import pytest
from exploring import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.display import Key, Screen, lines_of, move_line
from assistant.scoresheet import (
    BrailleCode,
    Game,
    Ply,
    braille_code,
    from_pgn,
    louis,
    profile,
    profile_names,
)
from assistant.scoresheet.profiles import literary_table

BLANK = "⠀"
CODE = braille_code(profile(), "de")
FOUR = from_pgn("1. e4 {[%clk 1:29:58]} e5 2. Nf3 Nc6 *")
LONG = from_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *")


def cells(*tokens: str) -> str:
    return BLANK.join(CODE.tokens(tokens))


def prose(text: str) -> str:
    return BLANK.join(CODE.prose(text))


def screen_of(game: Game = FOUR, width: int = 40) -> Screen:
    screen = Screen(CODE, width)
    screen.show_game(game)
    return screen


def shown(screen: Screen) -> str:
    assert len(screen.window) == screen.width
    return screen.window.rstrip(BLANK)


def test_the_last_move_is_shown_with_its_number() -> None:
    assert shown(screen_of()) == cells("2...", "Sc6")
    assert shown(screen_of(from_pgn("1. e4 e5 2. Nf3 *"))) == cells("2.", "Sf3")


def test_an_announced_move_is_shown_without_check_until_it_is_completed() -> None:
    """11.3.1: whoever may mend it is not told which move gives check; nor by the key above it."""
    checks = Game(start_fen="4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    screen, rook = screen_of(checks), chess.Move.from_uci("a1a8")
    screen.show_game(checks, rook)
    assert shown(screen) == cells("1.", "Ta8")
    screen.press(Key.ROUTE, 4)
    assert shown(screen) == cells("1.", "Ta1-a8")
    screen.press(Key.ROUTE)
    screen.show_game(checks.with_ply(Ply(rook)))
    assert shown(screen) == cells("1.", "Ta8+")


def test_before_the_first_move_its_number_is_shown() -> None:
    assert shown(screen_of(Game())) == cells("1.")


def test_the_last_move_follows_the_game() -> None:
    screen = screen_of()
    screen.show_game(FOUR.with_ply(Ply(chess.Move.from_uci("f1b5"))))
    assert shown(screen) == cells("3.", "Lb5")


def test_an_announced_move_is_shown_before_it_is_made_and_is_not_on_the_sheet() -> None:
    screen = screen_of()
    screen.show_game(FOUR, chess.Move.from_uci("f1b5"))
    assert shown(screen) == cells("3.", "Lb5")
    screen.press(Key.LINE_UP)
    assert shown(screen) == cells("2.", "Sf3", "Sc6")


def test_the_result_stands_after_the_last_move() -> None:
    assert shown(screen_of(from_pgn("1. f3 e5 2. g4 Qh4# 0-1"))) == cells("2...", "Dh4#", "0-1")


def test_the_sheet_holds_no_clock_times() -> None:
    """D.2.9.d: a player is told the times when he asks."""
    assert [word.cells for word in lines_of(FOUR, CODE)[0]] == list(CODE.tokens(["1.", "e4", "e5"]))


def test_nothing_tells_that_a_move_is_illegal() -> None:
    """11.3.a, 7.5: nobody is told of it before it is claimed."""
    illegal = FOUR.with_ply(Ply(chess.Move.from_uci("f1b6")))
    assert shown(screen_of(illegal)) == cells("3.", "Lb6")
    words = [word.cells for word in lines_of(illegal, CODE)[-1]]
    assert words == list(CODE.tokens(["3.", "Lb6"]))


@pytest.mark.parametrize(
    ("fen", "uci", "short", "full"),
    [
        ("4k3/8/8/8/8/5N2/8/4K3 w - - 0 1", "f3g6", "Sg6", "Sf3-g6"),
        ("4k3/8/6p1/8/8/5N2/8/4K3 w - - 0 1", "f3g6", "Sxg6", "Sf3xg6"),
        ("6k1/8/8/8/8/5N2/8/4K3 w - - 0 1", "f3h6", "Sh6+", "Sf3-h6+"),
        # A legal move of another knight would be written so.
        ("4k3/8/8/8/7N/5N2/8/4K3 w - - 0 1", "f3g6", "Sfg6", "Sf3-g6"),
        ("4k3/8/8/8/5N2/5N2/8/4K3 w - - 0 1", "f3g6", "S3g6", "Sf3-g6"),
        # Either knight would leave his king in check.
        ("4r2k/8/8/8/8/8/8/1N2KN2 w - - 0 1", "f1d2", "Sfd2", "Sf1-d2"),
        ("4k3/8/8/8/5N1N/5N2/8/4K3 w - - 0 1", "f3g6", "S3g6", "Sf3-g6"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e6", "e6", "e4-e6"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4d5", "d5", "e4-d5"),
        ("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "e4e5", "exe5", "e4xe5"),
        ("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", "e4d5", "ed5", "e4-d5"),
        ("3rk3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7d8q", "axd8D+", "a7xd8D+"),
        ("4k3/5P2/8/8/8/8/8/4K3 w - - 0 1", "f7f8", "f8", "f7-f8"),
        # Castling out of check and without the right, and a king who leaps where no rook stands.
        ("k3r3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "0-0", "0-0"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1c1", "0-0-0", "0-0-0"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1", "Kg1", "Ke1-g1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "0000", "--", "--"),
    ],
)
def test_an_illegal_move_is_written_as_a_legal_one(fen: str, uci: str, short: str, full: str) -> None:
    """7.5: the form does not tell of it; the squares stand only in the long form, as those of any move."""
    game = Game(start_fen=fen).with_ply(Ply(chess.Move.from_uci(uci)))
    words = {form: [word.cells for word in move_line(game, 0, CODE, form)[1:]] for form in ("short", "long")}
    assert words == {"short": list(CODE.tokens([short])), "long": list(CODE.tokens([full]))}


def test_the_key_above_an_illegal_move_shows_its_squares() -> None:
    screen = screen_of(FOUR.with_ply(Ply(chess.Move.from_uci("f1b6"))))
    screen.press(Key.ROUTE, 4)
    assert shown(screen) == cells("3.", "Lf1-b6")


def test_an_illegal_capture_en_passant_is_written_as_a_legal_one() -> None:
    """The king is in check from e8 afterwards."""
    pinned = Game(start_fen="4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", edition="1997")
    illegal = pinned.with_ply(Ply(chess.Move.from_uci("e5d6")))
    words = list(CODE.tokens(["1.", "exd6", "e.p."]))
    assert [word.cells for word in move_line(illegal, 0, CODE)] == words
    assert [word.cells for word in lines_of(illegal, CODE)[-1]] == words


def test_a_draw_offer_is_shown_with_its_move() -> None:
    offered = FOUR.with_ply(Ply(chess.Move.from_uci("f1b5"), offer=True))
    assert shown(screen_of(offered)) == cells("3.", "Lb5", "(=)")


# Lines


def test_line_up_goes_through_the_sheet_and_line_down_comes_back() -> None:
    screen = screen_of()
    seen = []
    for key in (Key.LINE_UP, Key.LINE_UP, Key.LINE_UP, Key.LINE_DOWN, Key.LINE_DOWN, Key.LINE_DOWN):
        screen.press(key)
        seen.append(shown(screen))
    first, second, last = cells("1.", "e4", "e5"), cells("2.", "Sf3", "Sc6"), cells("2...", "Sc6")
    assert seen == [second, first, first, second, last, last]


def test_first_and_last_line_go_to_the_ends_of_the_sheet() -> None:
    screen = screen_of(LONG)
    screen.press(Key.FIRST_LINE)
    assert shown(screen) == cells("1.", "e4", "e5")
    screen.press(Key.LAST_LINE)
    assert shown(screen) == cells("8.", "c3", "0-0")


def test_lines_of_an_empty_sheet_lead_nowhere() -> None:
    for key in (Key.LINE_UP, Key.LINE_DOWN, Key.FIRST_LINE, Key.LAST_LINE, Key.PAN_LEFT, Key.PAN_RIGHT):
        screen = screen_of(Game())
        screen.press(key)
        assert shown(screen) == cells("1.")


def test_who_reads_in_the_sheet_stays_there_when_a_move_is_made() -> None:
    screen = screen_of()
    screen.press(Key.FIRST_LINE)
    screen.show_game(FOUR.with_ply(Ply(chess.Move.from_uci("f1b5"))))
    assert shown(screen) == cells("1.", "e4", "e5")
    screen.press(Key.ACKNOWLEDGE)
    assert shown(screen) == cells("3.", "Lb5")


def test_a_line_that_is_taken_back_leaves_the_last_move() -> None:
    screen = screen_of(LONG)
    screen.press(Key.LAST_LINE)
    screen.show_game(FOUR)
    assert shown(screen) == cells("2...", "Sc6")


# Panning


@pytest.mark.parametrize("width", [20, 32, 40, 80])
def test_a_long_message_is_read_by_panning_and_no_word_is_lost(width: int) -> None:
    text = "Reklamation Stellungswiederholung. Der Schiedsrichter entscheidet. Die Uhren sind angehalten."
    screen = screen_of(width=width)
    screen.tell(text)
    read = []
    while not read or read[-1] != shown(screen):
        read.append(shown(screen))
        screen.press(Key.PAN_RIGHT)
    together = "".join(read).replace(BLANK, "")
    assert together == prose(text).replace(BLANK, "")
    for window in reversed(read[:-1]):
        screen.press(Key.PAN_LEFT)
        assert shown(screen) == window


def test_words_are_not_broken_where_they_fit() -> None:
    screen = screen_of(width=20)
    screen.tell("eins zwei drei vier fünf sechs")
    words = set(CODE.prose("eins zwei drei vier fünf sechs"))
    for _ in range(3):
        assert set(shown(screen).split(BLANK)) <= words
        screen.press(Key.PAN_RIGHT)


# Messages


def test_a_message_stays_until_it_is_acknowledged_and_then_comes_what_is_next() -> None:
    screen = screen_of()
    screen.tell("Remis angeboten.")
    screen.tell("Matt.")
    screen.show_game(FOUR.with_ply(Ply(chess.Move.from_uci("f1b5"))))
    for key in (Key.LINE_UP, Key.LINE_DOWN, Key.PAN_RIGHT, Key.PAN_LEFT, Key.FIRST_LINE, Key.LAST_LINE):
        screen.press(key)
        assert shown(screen) == prose("Remis angeboten.")
    screen.press(Key.ACKNOWLEDGE)
    assert shown(screen) == prose("Matt.")
    screen.press(Key.ACKNOWLEDGE)
    assert not screen.has_message
    assert shown(screen) == cells("3.", "Lb5")


@pytest.mark.parametrize("text", ["¿Ofrecer tablas? ¿Sí o no?", "No hay altavoz 'Eva'.", "Dxf7+"])
def test_a_message_is_in_the_language_of_its_reader_though_it_might_not_read_back(text: str) -> None:
    screen = Screen(braille_code(profile(), "es"))
    screen.tell(text)
    assert shown(screen) == BLANK.join(louis.to_cells(literary_table("es"), word) for word in text.split())


def test_any_routing_key_acknowledges() -> None:
    screen = screen_of()
    screen.tell("Matt.")
    screen.press(Key.ROUTE, 33)
    assert shown(screen) == cells("2...", "Sc6")


def test_a_message_goes_back_to_where_the_reader_was() -> None:
    screen = screen_of()
    screen.press(Key.FIRST_LINE)
    screen.tell("Matt.")
    screen.press(Key.ACKNOWLEDGE)
    assert shown(screen) == cells("1.", "e4", "e5")


def test_a_message_with_the_same_key_replaces_the_one_before() -> None:
    screen = screen_of()
    screen.tell("Wie bitte?", "question")
    screen.tell("Ja oder nein?", "question")
    assert shown(screen) == prose("Ja oder nein?")
    screen.press(Key.ACKNOWLEDGE)
    assert not screen.has_message


def test_a_flood_of_messages_keeps_the_one_that_is_read_and_the_newest() -> None:
    screen = screen_of()
    for number in range(100):
        screen.tell(f"Nummer {number}.")
    assert shown(screen) == prose("Nummer 0.")
    read = []
    while screen.has_message:
        read.append(shown(screen))
        screen.press(Key.ACKNOWLEDGE)
    assert len(read) == 20 and read[-1] == prose("Nummer 99.")


# Clocks


def test_the_clocks_are_only_shown_when_they_are_asked_for() -> None:
    screen = screen_of()
    before = screen.window
    assert screen.press(Key.CLOCKS)
    assert screen.window == before
    screen.show_clocks((5_398_700, 59_000))
    assert shown(screen) == cells("1:29:58", "0:00:59")
    screen.press(Key.ACKNOWLEDGE)
    assert screen.window == before


@pytest.mark.parametrize("key", [key for key in Key if key is not Key.CLOCKS])
def test_no_other_key_asks_for_the_clocks(key: Key) -> None:
    assert not screen_of().press(key)


# Routing keys


@pytest.mark.parametrize(("cell", "full"), [(3, ("2.", "Sg1-f3")), (8, ("2...", "Sb8-c6"))])
def test_the_key_above_a_move_shows_it_in_full(cell: int, full: tuple[str, ...]) -> None:
    screen = screen_of()
    screen.press(Key.LINE_UP)
    screen.press(Key.ROUTE, cell)
    assert shown(screen) == cells(*full)
    screen.press(Key.ACKNOWLEDGE)
    assert shown(screen) == cells("2.", "Sf3", "Sc6")


@pytest.mark.parametrize("cell", [2, 7, 30, 39, 200])
def test_the_key_above_a_blank_does_nothing(cell: int) -> None:
    screen = screen_of()
    screen.press(Key.LINE_UP)
    screen.press(Key.ROUTE, cell)
    assert not screen.has_message


# For every display and every profile

KEYS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(list(Key)), st.integers(0, 90)),
        st.tuples(st.just("tell"), st.text(alphabet="abc ÄÖß?1", max_size=60)),
        st.tuples(st.just("game"), st.integers(0, 16)),
        st.tuples(st.just("width"), st.sampled_from([1, 12, 20, 32, 40, 80])),
    ),
    max_size=40,
)


@settings(max_examples=examples(60))
@given(KEYS)
def test_whatever_happens_the_window_is_full_and_has_six_dots(actions: list[tuple[object, object]]) -> None:
    screen = screen_of(LONG)
    for what, value in actions:
        if isinstance(what, Key):
            screen.press(what, int(str(value)))
        elif what == "tell":
            screen.tell(str(value))
        elif what == "game":
            screen.show_game(from_plies(int(str(value))))
        else:
            screen.width = int(str(value))
        assert len(screen.window) == screen.width
        assert all(0x2800 <= ord(cell) < 0x2840 for cell in screen.window)


def from_plies(count: int) -> Game:
    game = Game()
    for ply in LONG.plies[:count]:
        game = game.with_ply(ply)
    return game


@pytest.mark.parametrize("name", profile_names())
@pytest.mark.parametrize("form", ["short", "long"])
def test_every_profile_shows_every_move(name: str, form: str) -> None:
    code: BrailleCode = braille_code(profile(name), profile(name).languages[0])
    for ply in range(len(LONG.plies)):
        number, *words = (word.cells for word in move_line(LONG, ply, code, form))
        assert number and words
    assert len(lines_of(LONG, code)) == 8
