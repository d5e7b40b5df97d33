"""Appendix C (1997: E), algebraic notation: what each edition writes and what a player may write."""

from __future__ import annotations

import chess
import pytest
from ledger_rows import editions, family
from played import Played, refused

from assistant.announcements import load_vocabulary, parse
from assistant.moves import read_move
from assistant.scoresheet import (
    Game,
    NotationError,
    Ply,
    Signs,
    Style,
    new_game,
    read,
    render,
    render_diagram,
    signs_of,
    write,
    write_moves,
)

TWO_ON_A_RANK = "4k3/8/8/8/8/8/8/4NKN1 w - - 0 1"
TWO_ON_A_FILE = "4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1"
SAMPLE = (
    "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4 Qxd4 d5 exd6 Nxd6 Bg5 Nc6 Qe3+ Be7 Nbd2 O-O O-O-O Re8 Kb1",
    "e4 e5 Cf3 Cf6 d4 ed4 e5 Ce4 Dd4 d5 ed6 Cd6 Ag5 Cc6 De3 Ae7 Cbd2 0-0 0-0-0 Te8 Rb1",
    "e4 e5 Nf3 Nf6 d4 ed4 e5 Ne4 Qd4 d5 ed6 Nd6 Bg5 Nc6 Qe3 Be7 Nbd2 0-0 0-0-0 Re8 Kb1",
)


def board(fen: str = chess.STARTING_FEN, *moves: str) -> chess.Board:
    position = chess.Board(fen)
    for move in moves:
        position.push_san(move)
    return position


def played(*moves: str) -> chess.Board:
    return board(chess.STARTING_FEN, *moves)


def meant(position: chess.Board, text: str, language: str) -> str:
    """The one legal move that a text means, as UCI."""
    [move] = read_move(position, text, language)
    assert position.is_legal(move)
    return move.uci()


def written(position: chess.Board, uci: str, edition: str, language: str = "es") -> str:
    return write(position, position.parse_uci(uci), Style(language, signs=signs_of(edition)))


def game_of(line: str, language: str) -> Game:
    position, plies = chess.Board(), []
    for token in line.split():
        [move] = read(token, position, language)
        plies.append(Ply(move))
        position.push(move)
    return new_game(plies=plies)


# -- Algebraic notation only ----------------------------------------------------------------------------


@editions(*family("L14-C.0", "L05-C.0"))
def test_descriptive_notation_is_no_move_on_the_sheet_nor_at_the_board(edition: str) -> None:
    position = chess.Board()
    for text in ("P-K4", "P4R", "PK4", "N-KB3"):
        for language in ("en", "es"):
            with pytest.raises(NotationError):
                read(text, position, language)
        game = Played(edition)
        said = game.announce(text)
        assert refused(said) and game.status["ply"] == 0
        differ = game.do("sheets", white=[text], black=["e4"])
        assert differ[-1]["event"] == "sheets-differ"


# -- The letters ----------------------------------------------------------------------------------------


@editions(*family("L14-C.2", but=("L23-C.2",)), "L05-C.2", "L97-E.1")
def test_spanish_players_write_rey_dama_torre_alfil_and_caballo(edition: str) -> None:
    assert meant(played("e4", "e5", "Nf3", "Nc6"), "Ab5", "es") == "f1b5"
    position = board("7k/8/8/8/8/2N5/8/R1BQK3 w - - 0 1")
    texts = {"e1e2": "Re2", "d1b3": "Db3", "a1b1": "Tb1", "c1g5": "Ag5", "c3e4": "Ce4"}
    for uci, text in texts.items():
        assert written(position, uci, edition).removesuffix("+") == text
        assert meant(position, text, "es") == uci


@editions("L23-C.2")
def test_the_english_text_takes_the_capital_first_letter_and_n_for_the_knight(edition: str) -> None:
    assert meant(played("e4", "e5", "Nf3", "Nc6"), "Bb5", "en") == "f1b5"
    assert written(played("e4", "e5"), "g1f3", edition, "en") == "Nf3"


@editions(*family("L14-C.3"), "L05-C.3", "L97-E.2")
def test_every_player_may_use_the_letters_of_his_country(edition: str) -> None:
    start, open_game = chess.Board(), played("e4", "e5")
    assert meant(start, "Sf3", "de") == "g1f3"
    assert written(start, "g1f3", edition, "de") == "Sf3"
    assert written(open_game, "f1c4", edition, "fr") == "Fc4"
    assert meant(open_game, "Fc4", "fr") == "f1c4"
    bishops = board("4k3/8/8/8/8/8/1B6/4K3 w - - 0 1")
    assert written(bishops, "b2e5", edition, "nl").removesuffix("+") == "Le5"
    assert meant(bishops, "Le5", "nl") == "b2e5"
    figurine = Style("de", "figurine", signs_of(edition))
    assert write(open_game, open_game.parse_san("Bc4"), figurine) == "♗c4"


@editions(*family("L14-C.4", "L05-C.4"))
def test_a_pawn_has_no_letter(edition: str) -> None:
    position = chess.Board()
    for text in ("d4", "Pd4"):
        assert meant(position, text, "es") == "d2d4"
    assert written(position, "d2d4", edition) == "d4"
    assert written(played("e4"), "a7a5", edition) == "a5"


@editions(*family("L14-C.7"))
def test_every_square_has_exactly_one_name(edition: str) -> None:
    vocabulary = load_vocabulary("de")
    names = {vocabulary.square(square) for square in chess.SQUARES}
    assert len(names) == 64
    queen = board("4k3/8/8/8/8/8/8/K5Q1 w - - 0 1")
    reading = parse(queen, "Dame Gustav fuenf", vocabulary)
    assert reading.move == chess.Move.from_uci("g1g5")
    assert written(queen, "g1g5", edition, "de").removesuffix("+") == "Dg5"


@editions(*family("L14-C.5"))
def test_the_files_run_from_a_to_h_for_white_and_from_h_to_a_for_black(edition: str) -> None:
    fen = Played(edition).fen
    white, black = (render_diagram(fen, from_black=side).decode().splitlines() for side in (False, True))
    assert white[8].split() == list("abcdefgh")
    assert black[8].split() == list("hgfedcba")


@editions(*family("L14-C.6"))
def test_the_ranks_run_from_one_to_eight_away_from_white(edition: str) -> None:
    fen = Played(edition).fen
    white, black = (render_diagram(fen, from_black=side).decode().splitlines() for side in (False, True))
    assert [line[0] for line in white[:8]] == list("87654321")
    assert [line[0] for line in black[:8]] == list("12345678")
    assert white[1].split() == ["7", *"pppppppp"]
    assert white[6].split() == ["2", *"PPPPPPPP"]


# -- Moves ----------------------------------------------------------------------------------------------


@editions(*family("L14-C.8", "L05-C.8"))
def test_a_move_is_the_letter_and_the_arrival_square_without_a_hyphen(edition: str) -> None:
    assert written(played("e4", "e5"), "g1f3", edition) == "Cf3"
    assert written(chess.Board(), "e2e4", edition) == "e4"
    assert written(board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), "a1d1", edition) == "Td1"


@editions("L18-C.8a", "L23-C.8a")
def test_a_hyphen_is_not_needed_but_understood(edition: str) -> None:
    position = board("4k3/8/8/8/8/8/1B6/4K3 w - - 0 1")
    assert meant(position, "A-e5", "es") == meant(position, "B-e5", "en") == "b2e5"
    assert written(position, "b2e5", edition) == "Ae5"
    assert written(position, "b2e5", edition, "en") == "Be5"


@editions("L18-C.8b", "L23-C.8b")
def test_the_long_form_with_the_departure_square_is_accepted(edition: str) -> None:
    position = chess.Board()
    assert meant(position, "Cg1f3", "es") == meant(position, "Ng1f3", "en") == "g1f3"
    assert meant(position, "d2d4", "es") == "d2d4"
    assert written(position, "g1f3", edition) == "Cf3"


@editions(*family("L14-C.9a"))
def test_the_capture_sign_may_be_left_out(edition: str) -> None:
    position = board("4k3/8/8/4p3/8/8/1B6/4K3 w - - 0 1")
    assert meant(position, "Ae5", "es") == meant(position, "Axe5", "es") == "b2e5"
    assert meant(position, "Be5", "en") == meant(position, "Bxe5", "en") == "b2e5"
    assert write(position, chess.Move.from_uci("b2e5"), Style("es", signs=Signs(capture=False))) == "Ae5"


@editions("L05-C.9a", "L97-E.8a")
def test_the_capture_sign_is_part_of_the_notation(edition: str) -> None:
    position = board("4k3/8/8/4p3/8/8/1B6/4K3 w - - 0 1")
    assert written(position, "b2e5", edition) == "Axe5"


@editions(*family("L14-C.9b"))
def test_a_pawn_capture_is_the_file_and_the_arrival_square(edition: str) -> None:
    position = played("e4", "d5")
    for text in ("ed5", "exd5"):
        assert meant(position, text, "es") == "e4d5"
    assert written(position, "e4d5", edition) == "exd5"


@editions("L05-C.9b", "L97-E.8b")
def test_a_pawn_capture_is_written_with_the_sign(edition: str) -> None:
    position = board("4k3/8/8/8/8/5p2/6P1/4K3 w - - 0 1")
    assert written(position, "g2f3", edition) == "gxf3"


@editions("L05-C.11", "L97-E.10")
def test_two_pawns_that_can_capture_the_same_man_are_told_apart_by_the_file(edition: str) -> None:
    position = board("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1")
    assert written(position, "c4d5", edition) == "cxd5"
    assert written(position, "e4d5", edition) == "exd5"
    assert meant(position, "cxd5", "es") == meant(position, "cd5", "es") == "c4d5"
    assert meant(position, "exd5", "es") == meant(position, "ed5", "es") == "e4d5"


@editions(*family("L14-C.9c"))
def test_en_passant_names_the_square_finally_occupied_and_may_be_marked(edition: str) -> None:
    position = played("e4", "Nf6", "e5", "d5")
    assert written(position, "e5d6", edition) == "exd6"
    marked = Signs(en_passant=True)
    assert write(position, chess.Move.from_uci("e5d6"), Style("es", signs=marked)) == "exd6 a.p."
    assert write(position, chess.Move.from_uci("e5d6"), Style("en", signs=marked)) == "exd6 e.p."
    assert meant(position, "exd6a.p.", "es") == meant(position, "exd6e.p.", "en") == "e5d6"


@editions("L05-C.9c", "L97-E.8c")
def test_the_older_editions_mark_en_passant(edition: str) -> None:
    assert written(played("d4", "a6", "d5", "e5"), "d5e6", edition) == "dxe6 a.p."
    assert written(played("b4", "a6", "b5", "c5"), "b5c6", edition) == "bxc6 a.p."


@editions(*family("L14-C.10a"), "L97-E.9a")
def test_two_men_on_one_rank_are_told_apart_by_the_file(edition: str) -> None:
    position = board(TWO_ON_A_RANK)
    assert written(position, "g1f3", edition) == "Cgf3"
    assert written(position, "e1f3", edition) == "Cef3"
    assert written(position, "g1f3", edition, "en") == "Ngf3"
    neither = board("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1")
    assert written(neither, "g1f3", edition) == "Cgf3"
    assert written(neither, "d2f3", edition) == "Cdf3"


@editions(*family("L14-C.10b"))
def test_two_men_on_one_file_are_told_apart_by_the_rank(edition: str) -> None:
    assert written(board(TWO_ON_A_FILE), "g5f3", edition) == "C5f3"
    assert written(board(TWO_ON_A_FILE), "g1f3", edition) == "C1f3"


@editions(*family("L14-C.10c"))
def test_men_on_different_ranks_and_files_are_told_apart_by_the_file(edition: str) -> None:
    position = board("4k3/8/8/8/3N4/8/7N/4K3 w - - 0 1")
    assert written(position, "d4f3", edition) == "Cdf3"
    assert written(position, "h2f3", edition) == "Chf3"


@editions(*family("L14-C.10d", "L05-C.10d"))
def test_the_capture_sign_stands_after_what_tells_the_men_apart(edition: str) -> None:
    rank = board("4k3/8/8/8/8/5p2/8/4NKN1 w - - 0 1")
    file = board("4k3/8/8/6N1/8/5p2/8/4K1N1 w - - 0 1")
    assert written(rank, "g1f3", edition) == "Cgxf3"
    assert written(file, "g5f3", edition) == "C5xf3"
    assert written(file, "g5f3", edition, "en") == "N5xf3"
    assert meant(rank, "Cgf3", "es") == meant(rank, "Cgxf3", "es") == "g1f3"


@editions(*family("L14-C.11", "L05-C.12"))
def test_a_promotion_names_the_new_piece_at_once(edition: str) -> None:
    position = board("5n1k/4P3/8/8/8/8/8/4K3 w - - 0 1")
    assert written(position, "e7f8n", edition) == "exf8C"
    assert written(position, "e7e8r", edition) == "e8T"
    assert written(position, "e7f8n", edition, "en") == "exf8N"
    assert meant(position, "exf8C", "es") == "e7f8n"
    black = board("4k3/8/8/8/8/8/6p1/K7 b - - 0 1")
    assert written(black, "g2g1r", edition).removesuffix("+") == "g1T"


# -- The signs ------------------------------------------------------------------------------------------


@editions(*family("L14-C.12"))
def test_a_draw_offer_is_written_with_the_sign(edition: str) -> None:
    game = game_of(SAMPLE[0], "en")
    plies = (*game.plies[:-1], Ply(game.plies[-1].move, offer=True))
    offered = new_game(plies=plies, edition=edition)
    sheet = render(offered, "text", "en").decode()
    assert "Kb1(=)" in sheet.replace("Kb1 (=)", "Kb1(=)")
    assert "(=)" not in render(new_game(plies=game.plies, edition=edition), "text", "en").decode()


@editions(*family("L14-C.13a"))
def test_castling_is_written_with_noughts_and_read_with_noughts_or_letters(edition: str) -> None:
    position = board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert written(position, "e1g1", edition) == "0-0"
    assert written(position, "e1c1", edition) == "0-0-0"
    assert meant(position, "O-O", "es") == meant(position, "0-0", "es") == "e1g1"
    assert meant(position, "O-O-O", "es") == meant(position, "0-0-0", "es") == "e1c1"


@editions(*family("L14-C.13b"))
def test_the_signs_of_capture_check_mate_and_en_passant_are_optional(edition: str) -> None:
    position = board("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    mate = chess.Move.from_uci("g1g7")
    assert written(position, "g1g7", edition) == "Dg7#"
    assert write(position, mate, Style("es", signs=Signs(mate="++"))) == "Dg7++"
    assert write(position, mate, Style("es", signs=Signs(check=False))) == "Dg7"
    for text in ("Dg7", "Dg7#", "Dg7++"):
        assert meant(position, text, "es") == "g1g7"
    checked = board("4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1")
    assert meant(checked, "De3", "es") == meant(checked, "De3+", "es") == "d2e3"


@editions("L05-C.ab2")
def test_writing_check_mate_or_capture_is_not_compulsory(edition: str) -> None:
    position = board("6k1/5ppp/8/8/8/8/8/3QK3 w - - 0 1")
    assert meant(position, "Dd8", "es") == "d1d8"
    assert written(position, "d1d8", edition) == "Dd8#"


@editions("L97-E.ab2")
def test_the_oldest_edition_knows_only_the_double_plus_for_mate(edition: str) -> None:
    position = played("f3", "e5", "g4")
    assert written(position, "d8h4", edition) == "Dh4++"


# -- The sample games -----------------------------------------------------------------------------------


@editions("L14-C.14", "L18-C.14a", "L23-C.14")
def test_the_short_form_of_the_sample_is_the_same_game(edition: str) -> None:
    full, spanish, english = game_of(SAMPLE[0], "en"), game_of(SAMPLE[1], "es"), game_of(SAMPLE[2], "en")
    assert full.plies == spanish.plies == english.plies
    short = Style("es", signs=Signs(capture=False, check=False, en_passant=False))
    assert " ".join(write_moves(full, short)) == SAMPLE[1]


@editions("L97-E.ab3")
def test_the_sample_of_1997_is_read_though_a_capture_lacks_its_sign(edition: str) -> None:
    moves = "d4 Cf6 c4 e6 Cc3 Ab4 Ad2 0-0 e4 d5 exd5 exd5 cxd5 Axc3 Axc3 Cxd5 Cf3 b6 Db3 Cc3"
    game = game_of(moves, "es")
    assert write_moves(game, Style("es", signs=signs_of(edition)))[-1] == "Cxc3"


@pytest.mark.ledger("L14-C.7")
def test_every_square_name_is_read_back_as_that_square() -> None:
    vocabulary = load_vocabulary("de")
    for square in chess.SQUARES:
        position = chess.Board(None)
        position.set_piece_at(square, chess.Piece(chess.KNIGHT, chess.WHITE))
        target = next(iter(chess.SquareSet(chess.BB_KNIGHT_ATTACKS[square])))
        words = " ".join(("springer", *vocabulary.square(square), *vocabulary.square(target)))
        stated = parse(position, words, vocabulary).stated
        assert stated == chess.Move(square, target)


@editions("L18-C.14b", "L23-C.14b")
def test_the_long_form_of_the_sample_is_another_game_from_whites_eighth_move(edition: str) -> None:
    long_form = "e2e4 e7e5 Ng1f3 Ng8f6 d2d4 e5xd4 e4e5 Nf6e4 Qd1xd4 d7d5 e5xd6 Ne4xd6 Bc1g5 Nb8c6 Qd4d3 Bf8e7"
    said = Played(edition).do("sheets", white=SAMPLE[2].split()[:16], black=long_form.split())
    assert said[-1]["event"] == "sheets-differ"
    assert (said[-1]["ply"], said[-1]["white"], said[-1]["black"]) == (15, "Qe3", "Qd4d3")
