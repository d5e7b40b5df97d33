"""A game by keyboard: the same table, the same referee, the same sheets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typed import VOCABULARY, Typed

from assistant.announcements import Thresholds
from assistant.journal import read
from assistant.laws import referee_stream
from assistant.moves import read_move
from assistant.scoresheet import read_sheet
from assistant.table import PaperVoice, Person, Table, reopen_record
from assistant.table.commands import KEYS


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    return Typed(tmp_path / "game")


def test_a_typed_move_is_read_back_in_german(typed: Typed) -> None:
    assert typed.type("Nf3") == "Hector: Springer Felix drei"


@pytest.mark.parametrize("text", ["e4", "e2e4", "Eva vier", "eva zwei eva vier", "e2-e4"])
def test_a_move_may_be_typed_in_any_notation(typed: Typed, text: str) -> None:
    typed.type(text, "")
    assert typed.moves == ["e2e4"]


@pytest.mark.parametrize("text", ["knight f6", "Caballo a f6", "Skoczek f6", "cavalier de g8 à f6"])
def test_the_opponent_may_write_the_name_of_his_man_out(tmp_path: Path, text: str) -> None:
    """It is his answer, as letters are: the words of the announcements are the blind player's."""
    in_words = Typed(tmp_path / "words", press="auto")
    in_letters = Typed(tmp_path / "letters", press="auto")
    in_words.type("e4", text, "d4", "")
    in_letters.type("e4", "Nf6", "d4", "")
    assert in_words.moves == in_letters.moves == ["e2e4", "g8f6", "d2d4"]
    assert in_words.said == in_letters.said
    assert [line["typed"] for line in read(in_words.folder).lines if "typed" in line][1] == text


@pytest.mark.parametrize("text", ["knight f6", "1... Caballo a f6"])
def test_an_answer_in_words_is_not_taken_for_the_blind_players(
    typed: Typed, tmp_path: Path, text: str
) -> None:
    """Letters would not be either: nobody can see whose they are, and he alone mends his move (D.2.7)."""
    letters = Typed(tmp_path / "letters")
    assert typed.type("e4", text) == letters.type("e4", "Nf6")
    assert typed.type("", text, "") == letters.type("", "Nf6", "")
    assert typed.moves == letters.moves == ["e2e4", "g8f6"]


@pytest.mark.parametrize("rights", ["kq", "-"])
@pytest.mark.parametrize(
    ("first", "text", "letters"),
    [("d4", "exd3 en passant", "exd3"), ("d4", "e takes d3 en passant", "exd3"), ("g4", "castles", "0-0")],
)
def test_what_other_players_write_out_too_is_not_taken_for_the_blind_players(
    tmp_path: Path, rights: str, first: str, text: str, letters: str
) -> None:
    game = {"language": "en", "fen": f"r3k2r/ppp2ppp/8/8/4p3/8/PPPPPPPP/4K3 w {rights} - 0 1"}
    in_words, in_letters = Typed(tmp_path / "words", **game), Typed(tmp_path / "letters", **game)
    told = in_letters.type(first, letters)
    assert told == "Hector: First Korrektur or the key, then the move."
    assert in_words.type(first, text) == told


@pytest.mark.parametrize("text", ["e5 (=)", "Eva fünf (=)", "e7-e5(=)"])
def test_an_offer_beside_a_move_is_not_dropped_unheard(typed: Typed, text: str) -> None:
    """9.1.2.1: it is made after the move and before the press, with `draw`."""
    typed.type("e4", "")
    assert typed.type(text) == "Hector: Nicht ausgeführt: Remis wird getrennt angeboten, nach dem Zug."
    assert typed.table.memory.pending is None
    typed.type("e5", "draw", "y")
    assert typed.table.course.referee.draw_offer == "black"


def test_a_move_counts_only_when_the_clock_is_pressed(typed: Typed) -> None:
    """D.2.3: a blind player's move is made when it is placed and announced; the press says both are done."""
    typed.type("e4")
    assert typed.moves == []
    typed.type("")
    assert typed.moves == ["e2e4"]
    assert typed.table.course.side_to_move == "black"


def test_the_question_mark_shows_every_key(typed: Typed) -> None:
    typed.type("?")
    keys = {line.partition(":")[0] for line in typed.shown}
    assert keys >= {key for key in KEYS if len(key) == 1 and key.isalpha()}


def test_a_slip_is_mended_until_the_press(typed: Typed) -> None:
    """D.2.8: the slip of the tongue."""
    typed.type("Nf3", "korrektur", "Nc3", "")
    assert typed.moves == ["b1c3"]


def test_a_slip_is_mended_by_the_right_move_alone(typed: Typed) -> None:
    typed.type("Nf3")
    assert typed.type("Nc3") == "Hector: Korrektur: Springer Cesar drei."


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"do": "stop-clock"}, ["Die Uhr von Weiß läuft."]),
        ({"do": "adjourn"}, []),
        ({"do": "set-clock", "white": 60}, []),
    ],
)
def test_a_move_that_waits_for_its_press_outlives_a_line_that_is_withdrawn(
    typed: Typed, line: dict[str, object], told: list[str]
) -> None:
    typed.type("e4", "", "e5", "", "Nf3")
    typed.table.act(line, typed.at)
    said = len(typed.said)
    typed.table.act({"do": "undo"}, typed.at)
    assert typed.said[said:] == ["Der letzte Eintrag ist zurückgenommen.", *told]
    typed.type("")
    assert typed.moves == ["e2e4", "e7e5", "g1f3"]


@pytest.mark.parametrize("blind", [True, False])
def test_after_a_line_is_withdrawn_the_announcement_that_waits_is_the_last_one(
    tmp_path: Path, blind: bool
) -> None:
    """A blind player's move is made with the press, a sighted one's when it is announced."""
    typed = Typed(tmp_path / "game", white=Person("Ana", blind=blind), black=Person("Tom", blind=True))
    typed.type("e4", "", "e5", "", "Nf3")
    typed.table.act({"do": "stop-clock"}, typed.at)
    typed.table.act({"do": "undo"}, typed.at)
    memory = typed.table.memory
    assert memory.last is not None and memory.before_last is not None
    assert (memory.before_last.move.uci(), memory.last.move.uci()) == ("e7e5", "g1f3")
    typed.table.act({"do": "repeat", "side": "black", "move": "g1f3"}, typed.at)
    assert memory.repeated


def test_an_announcement_that_is_withdrawn_waits_for_no_press(typed: Typed) -> None:
    typed.type("Nf3")
    typed.table.act({"do": "undo"}, typed.at)
    typed.type("e4", "")
    assert typed.moves == ["e2e4"]


def test_a_correction_that_is_withdrawn_brings_the_announcement_back(typed: Typed) -> None:
    typed.type("Nf3", "korrektur", "Nc3")
    typed.table.act({"do": "undo"}, typed.at)
    typed.type("")
    assert typed.moves == ["g1f3"]


def test_after_the_press_nothing_is_corrected(typed: Typed) -> None:
    assert "zu spät" in typed.type("Nf3", "", "korrektur").lower()


def test_times_are_said_in_words(typed: Typed) -> None:
    said = typed.type("t")
    assert "Weiß: eine Stunde" in said
    assert not any(sign.isdigit() for sign in said)


def test_what_was_said_last_is_said_again_on_request(typed: Typed) -> None:
    assert typed.type("Nf3", "r") == "Hector: Springer Felix drei"


def test_the_opponent_repeats_the_announcement(typed: Typed) -> None:
    """D.2.1: the opponent repeats; the record says so and the position stays."""
    typed.type("e4", "", "Eva zwei Eva vier")
    lines = read(typed.folder).lines
    assert lines[-1]["do"] == "repeat"
    assert lines[-1]["side"] == "black"
    assert typed.moves == ["e2e4"]


def test_a_resignation_is_asked_back(typed: Typed) -> None:
    assert typed.type("resign").endswith("Ja oder nein?")
    assert not typed.table.over
    typed.type("n")
    assert not typed.table.over
    typed.type("resign", "y")
    assert typed.table.over


def test_a_typed_resignation_is_the_sighted_players(typed: Typed) -> None:
    typed.type("resign", "y")
    assert (typed.folder / "game.pgn").read_text().count("1-0") == 2


def test_a_draw_is_offered_and_declined(typed: Typed) -> None:
    typed.type("e4", "", "e5", "draw", "y", "")
    typed.type("remis abgelehnt")
    assert "(=)" in (typed.folder / "game.pgn").read_text()


def test_mate_is_told_after_the_move(typed: Typed) -> None:
    typed.type("f3", "", "e5", "", "g4", "", "Dh4")
    assert [line for line in typed.shown if line.startswith("Hector")][-2:] == [
        "Hector: Dame Hector vier matt",
        "Hector: Schwarz gewinnt: Schachmatt.",
    ]


def test_a_rated_game_says_nothing_of_the_board(typed: Typed) -> None:
    assert typed.type("was steht auf eva vier") == "Hector: In dieser Partie nicht."


def test_a_club_game_tells_what_stands_where(tmp_path: Path) -> None:
    club = Typed(tmp_path / "club", mode="club")
    assert "Springer" in club.type("was steht auf gustav eins")


@pytest.mark.parametrize("text", ["Cc3", "Nc3", "Sc3", "Ce2c3", "e2c3", "Springer Cesar drei"])
def test_a_pinned_mans_move_is_recorded_however_it_is_typed(tmp_path: Path, text: str) -> None:
    """7.5: nothing tells unasked that it is illegal."""
    rated = Typed(tmp_path / "rated", language="es", fen="4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1")
    assert rated.type(text) == "Hector: Springer Cesar drei"
    rated.type("")
    assert rated.moves == ["e2c3"]


@pytest.mark.parametrize("text", ["b8", "Bella acht", "b7b8"])
def test_what_a_pinned_pawn_becomes_is_asked(tmp_path: Path, text: str) -> None:
    rated = Typed(tmp_path / "rated", fen="7k/rPK5/8/8/8/8/8/8 w - - 0 1")
    assert rated.type(text) == "Hector: Dame, Turm, Läufer oder Springer?"
    rated.type("Turm", "")
    assert rated.moves == ["b7b8r"]


@pytest.mark.parametrize("text", ["Cd4", "Nd4", "Sd4", "Springer David vier"])
def test_what_cannot_be_recorded_is_told_as_it_was_understood_in_letters_too(
    tmp_path: Path, text: str
) -> None:
    rated = Typed(tmp_path / "rated", language="es")
    assert rated.type(text) == "Hector: No anotado: Springer David vier."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Ab5", "Fuera del alcance de Läufer: Bella fünf."),
        ("Bb5", "Fuera del alcance de Läufer: Bella fünf."),
        ("Dh5", "Fuera del alcance de Dame: Hector fünf."),
        ("Re3", "Fuera del alcance de König: Eva drei."),
        ("Cb1-d4", "Imposible: Springer de Bella eins a David vier."),
        ("O-O", "Enroque imposible."),
    ],
)
def test_a_club_game_refuses_the_man_whose_letter_was_typed(tmp_path: Path, text: str, answer: str) -> None:
    club = Typed(tmp_path / "club", mode="club", language="es")
    assert club.type(text) == f"Hector: {answer}"


def test_a_club_game_refuses_an_illegal_move_and_says_why(tmp_path: Path) -> None:
    club = Typed(tmp_path / "club", mode="club")
    club.type("Springer Gustav eins Gustav drei")
    assert club.moves == []
    assert "nicht" in club.shown[-1].lower() or "kein" in club.shown[-1].lower()


def test_a_club_game_says_that_castling_is_not_possible_and_not_which_squares_it_would_be(
    tmp_path: Path,
) -> None:
    club = Typed(tmp_path / "club", mode="club")
    assert club.type("Kurze Rochade") == "Hector: Rochade nicht möglich."
    assert club.moves == []


def test_a_rated_game_announces_castling_that_is_not_possible(tmp_path: Path) -> None:
    """D.2.3: what is announced is announced; nothing is told about its legality."""
    rated = Typed(tmp_path / "rated", mode="rated", fen="4k2r/7p/8/8/2b5/8/7P/4K2R w K - 0 1")
    assert rated.type("Kurze Rochade") == "Hector: Kurze Rochade"
    rated.type("")
    assert rated.moves == ["e1g1"]


@pytest.mark.parametrize(
    "repeated", ["Springer Felix vier", "Springer Gustav eins Felix vier", "g1f4", "Sf4"]
)
def test_what_was_read_back_of_an_illegal_move_may_be_repeated(typed: Typed, repeated: str) -> None:
    """D.2.1: the opponent has to repeat it, and must not learn from Hector's ear that it is illegal."""
    typed.type("g1f4", "", repeated)
    last = read(typed.folder).lines[-1]
    assert (last["do"], last["side"], last["move"]) == ("repeat", "black", "g1f4")


def test_a_rated_game_records_an_illegal_move_as_announced(typed: Typed) -> None:
    """7.5: it is completed by the press and punished on a claim; unasked, nothing is said of it."""
    typed.type("g1g3", "")
    assert typed.moves == ["g1g3"]
    assert "nicht möglich" not in " ".join(typed.shown).lower()


def test_a_move_without_a_man_is_no_announcement(typed: Typed) -> None:
    assert typed.type("e4e5") == "Hector: Nicht notiert: Eva vier Eva fünf."
    assert typed.moves == []


def test_nonsense_is_asked_for_again(typed: Typed) -> None:
    assert typed.type("xyzzy") == "Hector: Wie bitte?"


def test_the_flag_falls_without_anybody_typing(tmp_path: Path) -> None:
    short = Typed(tmp_path / "short", time_control="60")
    short.table.tick(61.0)
    assert short.table.over
    assert any("Zeit" in line or "Klappe" in line or "Blättchen" in line for line in short.shown)


def test_every_sheet_is_there_after_every_move(typed: Typed) -> None:
    typed.type("e4", "")
    for name in ("game.pgn", "sheet.txt", "sheet.brf", "sheet.pef"):
        game = read_sheet((typed.folder / name).read_bytes(), "de" if name != "game.pgn" else "")
        assert [str(ply.move) for ply in game.plies] == ["e2e4"], name


def test_a_journal_is_a_game_script(typed: Typed) -> None:
    typed.type("e4", "", "e5", "", "Nf3", "")
    status = list(referee_stream((typed.folder / "journal.jsonl").read_text().splitlines(), read_move))[-1]
    assert '"moves": ["e4", "e5", "Nf3"]' in status


def test_a_game_is_resumed_with_the_same_position_times_and_sheet(typed: Typed) -> None:
    typed.type("e4", "", "e5", "", "Nf3")
    before = typed.table.course.referee.status().as_dict()
    sheet = (typed.folder / "sheet.brf").read_bytes()
    typed.record.close()
    record, setup, lines = reopen_record(typed.folder, print)
    table = Table(setup, VOCABULARY, Thresholds(), PaperVoice(), record)
    table.resume(lines, typed.at)
    assert table.course.referee.status().as_dict() == before
    table.type("", typed.at + 5)
    assert (typed.folder / "sheet.brf").read_bytes() != sheet
    assert [str(p.move) for p in table.sheet.plies] == [
        "e2e4",
        "e7e5",
        "g1f3",
    ]


def test_what_was_said_is_kept_with_its_time(typed: Typed) -> None:
    typed.type("e4")
    assert "0:00:05.000 room: Eva vier" in (typed.folder / "said.txt").read_text()


def test_a_pipe_in_the_place_of_said_txt_holds_nobody_up_and_is_told_once(typed: Typed) -> None:
    said = typed.folder / "said.txt"
    said.unlink()
    os.mkfifo(said)
    typed.type("e4", "", "e5", "")
    assert typed.moves == ["e2e4", "e7e5"]
    assert [line for line in typed.shown if line.startswith("said.txt could not be written")] == [
        "said.txt could not be written: No such device or address"
    ]


def test_a_full_disk_does_not_stop_the_game(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    from assistant.errors import HectorError

    def full(_line: object) -> None:
        raise HectorError("The game cannot be recorded: No space left on device.")

    monkeypatch.setattr(typed.record, "line", full)
    typed.type("e4", "")
    assert typed.table.course.side_to_move == "black"
    assert any("cannot be recorded" in line for line in typed.shown)


def test_names_and_sides_come_from_the_setup(tmp_path: Path) -> None:
    both = Typed(tmp_path / "both", white=Person("Ana", blind=True), black=Person("Tom", blind=True))
    both.type("e4", "", "resign", "y")
    assert '[White "Ana"]' in (both.folder / "game.pgn").read_text()
    assert '[Result "1-0"]' in (both.folder / "game.pgn").read_text()


def test_a_question_mark_shows_the_keys_one_a_line_and_says_what_can_be_said(typed: Typed) -> None:
    before = len(typed.shown)
    assert typed.type("?").startswith("Hector: Möglich ist: ")
    shown = typed.shown[before:-1]
    for key in "tmcloprkynq":
        assert sum(line.startswith(f"{key}: ") for line in shown) == 1, key
    assert all(len(line) < 80 for line in shown)


def test_a_king_that_was_taken_is_on_record_and_ends_no_program(typed: Typed) -> None:
    """Some rules know what to do about it; Hector has to write down what was announced."""
    typed.type("e4", "", "e8e1", "", "t", "?", "Sf3", "r")
    assert typed.moves[:2] == ["e2e4", "e8e1"]


def test_nobody_accepts_or_declines_his_own_offer(typed: Typed) -> None:
    """9.1: the answer is the opponent's, and an offer cannot be withdrawn (9.1.2.1)."""
    typed.type("e4", "", "e5", "", "draw")
    for key in ("accept", "decline"):
        assert typed.type(key) == "Hector: Kein Remis angeboten."
    typed.type("remis angenommen", "y")
    assert typed.table.over


KNIGHTS_AND_A_PAWN = "r5k1/1P4p1/2n5/4pP2/2b5/1N3N2/3Q4/R3K2R w KQ e6 0 1"


@pytest.mark.parametrize("answer", ["Bella", "von Bella", "Springer Bella drei David vier"])
def test_a_question_is_answered_by_the_word_that_differs(tmp_path: Path, answer: str) -> None:
    game = Typed(tmp_path / "game", fen=KNIGHTS_AND_A_PAWN)
    assert game.type("Springer David vier") == "Hector: Springer von Felix oder von Bella?"
    assert game.type(answer) == "Hector: Springer Bella drei David vier"


@pytest.mark.parametrize("answer", ["nicht Bella", "keine Dame sondern Turmm", "Bellaa Bella"])
def test_words_that_nobody_knows_answer_no_question(tmp_path: Path, answer: str) -> None:
    game = Typed(tmp_path / "game", fen=KNIGHTS_AND_A_PAWN)
    game.type("Springer David vier")
    assert "Springer Bella drei David vier" not in game.type(answer)
    assert game.moves == []


@pytest.mark.parametrize(("word", "told"), [("j", "Remisangebot von Weiß."), ("nie", "Abgebrochen.")])
def test_a_question_is_answered_by_yes_or_no_in_any_language(tmp_path: Path, word: str, told: str) -> None:
    typed = Typed(tmp_path / "game", white=Person("Ana", blind=True))
    typed.type("e4", "remis angeboten")
    assert typed.type(word) == f"Hector: {told}"


def test_a_press_instead_of_the_answer_puts_the_question_again(tmp_path: Path) -> None:
    """The pawn's move is not lost, and no press without a move (7.5.3) is made of it."""
    game = Typed(tmp_path / "game", fen=KNIGHTS_AND_A_PAWN)
    game.type("b7b8")
    assert game.type("") == "Hector: Dame, Turm, Läufer oder Springer?"
    game.type("Dame", "")
    assert game.moves == ["b7b8q"]


def test_every_man_that_a_pawn_may_become_is_asked_about(tmp_path: Path) -> None:
    game = Typed(tmp_path / "game", fen=KNIGHTS_AND_A_PAWN)
    assert game.type("Bella acht") == "Hector: Dame, Turm, Läufer oder Springer?"
    assert game.type("Springer") == "Hector: Bella acht Springer"


def test_no_man_that_may_be_meant_is_left_out_of_a_question(tmp_path: Path) -> None:
    game = Typed(tmp_path / "game", fen="7k/8/8/1Q1Q1Q2/8/1Q3Q2/8/K7 w - - 0 1")
    asked = game.type("Dame David drei")
    assert all(square in asked for square in ("Felix drei", "Felix fünf", "Bella drei", "Bella fünf"))
    assert game.type("Felix") == "Hector: Wie bitte?"
    assert game.type("Felix drei") == "Hector: Dame Felix drei David drei"


def test_a_promotion_typed_by_its_squares_asks_for_the_man(tmp_path: Path) -> None:
    game = Typed(tmp_path / "game", fen=KNIGHTS_AND_A_PAWN)
    assert game.type("b7b8") == "Hector: Dame, Turm, Läufer oder Springer?"
    assert game.type("Turm").startswith("Hector: Bella acht Turm")


def test_the_voice_does_not_wait_for_the_screen(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal far away may hang; whoever cannot see it hears what is said all the same."""
    heard_before: list[int] = []
    monkeypatch.setattr(
        typed.table.course.teller, "_show", lambda _line: heard_before.append(len(typed.said))
    )
    before = len(typed.said)
    typed.type("e4")
    assert heard_before == [before + 1]


@pytest.mark.parametrize("rights", ["KQ", "K", "Q", "-"])
def test_a_rated_game_does_not_tell_by_its_question_which_side_may_be_castled(
    tmp_path: Path, rights: str
) -> None:
    """The side belongs to the announcement (D.2.1), and a wrong one is recorded as any illegal move is."""
    rated = Typed(tmp_path / "rated", fen=f"4k3/8/8/8/8/8/8/R3K2R w {rights} - 0 1")
    assert rated.type("Rochade") == "Hector: Kurze oder Lange?"
    assert rated.type("lange") == "Hector: Lange Rochade"
    rated.type("")
    assert rated.moves == ["e1c1"]


def test_castling_is_to_the_one_side_where_there_is_a_rook(tmp_path: Path) -> None:
    rated = Typed(tmp_path / "rated", fen="4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    assert rated.type("Rochade") == "Hector: Kurze Rochade"


def test_a_club_game_asks_only_between_sides_that_may_be_castled(tmp_path: Path) -> None:
    club = Typed(tmp_path / "club", mode="club", fen="4k3/8/8/8/8/8/8/R3K2R w K - 0 1")
    assert club.type("Rochade") == "Hector: Kurze Rochade"


@pytest.mark.parametrize("mode", ["rated", "club"])
@pytest.mark.parametrize(
    "line",
    ["1. e4 e5", "e4 e5", "1.e4 e5 2.Sf3", "e2e4 e7e5", "Nf3, Nc6", "1. d4 d5 2. c4 e6", "e2-e4 e7-e5"],
)
def test_of_several_moves_in_one_line_none_is_made_and_that_is_told(
    tmp_path: Path, mode: str, line: str
) -> None:
    """ "e4 e5" would be a move from square to square, were there a man to make it."""
    typed = Typed(tmp_path / "game", mode=mode)
    assert typed.type(line) == "Hector: Nicht ausgeführt: immer nur ein Zug."
    assert typed.type("e4") == "Hector: Eva vier"


@pytest.mark.parametrize("line", ["e2 e4", "Sg1 f3", "1. e2 e4", "Bauer e2 e4", "Sg1 g3", "Dd1 h7", "e2 e5"])
def test_a_move_from_square_to_square_is_one(tmp_path: Path, line: str) -> None:
    """Legal or not: a rated game tells nobody which of the two it is."""
    typed = Typed(tmp_path / "game")
    typed.type(line)
    assert typed.table.memory.pending is not None


@pytest.mark.parametrize(
    ("language", "repeated"), [("de", "CXD5"), ("en", "CXD5"), ("es", "CXD5"), ("es", "cxd5")]
)
def test_an_announcement_may_be_repeated_with_caps_lock_on(
    tmp_path: Path, language: str, repeated: str
) -> None:
    """D.2.1: to a Spaniard a capital C is the knight's, which nobody has moved."""
    fen = "4k3/8/4p3/3p4/2P5/8/8/4K3 w - - 0 1"
    typed = Typed(tmp_path / "game", language=language, fen=fen)
    typed.type("cxd5", "", repeated)
    last = typed.table.course.steps[-1].line
    assert last is not None and (last["do"], last["move"]) == ("repeat", "c4d5")
