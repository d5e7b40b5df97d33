"""Chess960: Appendix F of 2005 to 2014, Guideline II of 2018 and 2023."""

from __future__ import annotations

import chess
import pytest
from ledger_rows import editions, family
from played import Played, refused

from assistant.announcements import announce, load_vocabulary, parse
from assistant.moves import read_move
from assistant.scoresheet import Ply, Style, from_pgn, new_game, signs_of, to_pgn, write

# Every pair of files on which the king and the rook he castles with can start.
GEOMETRIES = [(king, rook) for king in range(1, 7) for rook in range(8) if rook != king]


def fen_of(rank: str, rights: str) -> str:
    return f"8/7k/7p/8/8/8/8/{rank} w {rights} - 0 1"


def club(edition: str, fen: str) -> Played:
    return Played(edition, fen, chess960=True, mode="club")


def standing(game: Played) -> dict[str, str]:
    """The white men on the first rank."""
    board = chess.Board(game.fen, chess960=True)
    men = {square: board.piece_at(square) for square in range(8)}
    return {chess.square_name(s): man.symbol() for s, man in men.items() if man and man.color}


@editions(*family("L14-F.1"))
def test_the_lot_decides_the_start_and_is_recorded_with_it(edition: str) -> None:
    for lot in (0, 518, 959):
        game = Played(edition, chess960=lot)
        assert game.fen == chess.Board.from_chess960_pos(lot).fen()
        record = new_game(
            {"Lot": str(lot)},
            plies=(Ply(chess.Move.from_uci("a2a3")),),
            start_fen=game.fen,
            chess960=True,
            edition=edition,
        )
        kept = from_pgn(to_pgn(record))
        assert (kept.tag("Lot"), kept.start_fen, kept.chess960) == (str(lot), game.fen, True)
        assert not refused(game.announce("a2a3"))


@editions(*family("L14-F.2"))
def test_all_960_starts_keep_the_rules_of_the_draw(edition: str) -> None:
    starts = set()
    for lot in range(960):
        fen = Played(edition, chess960=lot, start=False).fen
        board = chess.Board(fen, chess960=True)
        white = [board.piece_at(square) for square in range(8)]
        assert all(white) and board.pawns == chess.BB_RANK_2 | chess.BB_RANK_7
        symbols = "".join(man.symbol() for man in white if man)
        assert sorted(symbols) == sorted("RNBQKBNR")
        assert symbols.index("R") < symbols.index("K") < symbols.rindex("R")
        assert symbols.index("B") % 2 != symbols.rindex("B") % 2
        assert fen.split("/")[0] == symbols.lower()
        starts.add(symbols)
    assert len(starts) == 960


@editions(*family("L14-F.3a"))
def test_each_player_castles_once(edition: str) -> None:
    game = club(edition, fen_of("R3K2R", "HA"))
    game.move("Kurze Rochade")
    game.move("h7g7")
    assert refused(game.announce("Lange Rochade"))
    assert refused(game.announce("Kurze Rochade"))


@editions(*family("L14-F.3b", "L14-F.3r2"))
def test_castling_ends_on_the_usual_squares_in_every_geometry(edition: str) -> None:
    seen = set()
    for king, rook in GEOMETRIES:
        short = rook > king
        board = chess.Board(fen_of("8", "-"))
        board.set_piece_at(king, chess.Piece.from_symbol("K"))
        board.set_piece_at(rook, chess.Piece.from_symbol("R"))
        rank = board.board_fen().split("/")[-1]
        game = club(edition, fen_of(rank, "ABCDEFGH"[rook]))
        game.announce("Kurze Rochade" if short else "Lange Rochade")
        assert standing(game) == ({"g1": "K", "f1": "R"} if short else {"c1": "K", "d1": "R"}), (king, rook)
        king_moves, rook_moves = king != (6 if short else 2), rook != (5 if short else 3)
        exchanged = (king, rook) == ((5, 6) if short else (3, 2))
        seen.add("exchange" if exchanged else (king_moves, rook_moves))
    assert {"exchange", (True, True), (True, False), (False, True)} <= seen


@editions(*family("L14-F.3c"))
def test_castling_is_written_with_noughts_and_spoken_as_in_ordinary_chess(edition: str) -> None:
    board = chess.Board(fen_of("1R3K1R", "HB"), chess960=True)
    vocabulary = load_vocabulary("de")
    for uci, sign, words in (("f1b1", "0-0-0", "Lange Rochade"), ("f1h1", "0-0", "Kurze Rochade")):
        move = chess.Move.from_uci(uci)
        assert write(board, move, Style("es", signs=signs_of(edition))).rstrip("+") == sign
        spoken = vocabulary.written(announce(board, move, vocabulary))
        assert spoken.startswith(words)
        for text in (sign, sign.replace("0", "O"), words):
            assert read_move(board, text) == [move]


@editions(*family("L14-F.3n1"))
def test_the_announcement_says_first_that_it_is_castling(edition: str) -> None:
    """The king may go one square or none: only the word "Rochade" tells that the rook goes too."""
    game = club(edition, fen_of("R4KR1", "GA"))
    vocabulary = load_vocabulary("de")
    board = chess.Board(game.fen, chess960=True)
    words = announce(board, chess.Move.from_uci("f1g1"), vocabulary)
    assert words[:2] == ("kurze", "rochade")
    step = parse(chess.Board(fen_of("R4K1R", "HA"), chess960=True), "Koenig Gustav eins", vocabulary)
    assert step.move == chess.Move.from_uci("f1g1")
    game.announce(" ".join(words))
    assert standing(game) == {"a1": "R", "f1": "R", "g1": "K"}


@editions(*family("L14-F.3n2"))
def test_king_or_rook_may_stay_where_he_is(edition: str) -> None:
    rook_only = club(edition, fen_of("R5KR", "HA"))
    rook_only.announce("Kurze Rochade")
    assert standing(rook_only) == {"a1": "R", "f1": "R", "g1": "K"}
    king_only = club(edition, fen_of("3R1K2", "D"))
    king_only.announce("Lange Rochade")
    assert standing(king_only) == {"c1": "K", "d1": "R"}


@editions(*family("L14-F.3n3"))
def test_castling_may_be_possible_on_the_first_move(edition: str) -> None:
    blocked = club(edition, "rkrnbbqn/pppppppp/8/8/8/8/PPPPPPPP/RKRNBBQN w CAca - 0 1")
    assert refused(blocked.announce("Lange Rochade"))
    free = club(edition, "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1")
    assert not refused(free.announce("Kurze Rochade"))
    assert free.status["moves"] == ["O-O"]


@editions(*family("L14-F.3n4"))
def test_the_way_of_king_and_rook_must_be_empty(edition: str) -> None:
    assert refused(club(edition, fen_of("1RN2K2", "B")).announce("Lange Rochade"))
    assert refused(club(edition, fen_of("RN1K4", "A")).announce("Lange Rochade"))
    assert not refused(club(edition, fen_of("1R3K2", "B")).announce("Lange Rochade"))


@editions(*family("L14-F.3n5"))
def test_squares_off_that_way_may_stay_occupied(edition: str) -> None:
    for rank, rights, words in (
        ("N1RK4", "C", "Lange Rochade"),
        ("NR1K4", "B", "Lange Rochade"),
        ("1NRKN3", "C", "Lange Rochade"),
        ("4NKRN", "G", "Kurze Rochade"),
    ):
        assert not refused(club(edition, fen_of(rank, rights)).announce(words)), rank


@pytest.mark.parametrize(
    ("side", "king_goes", "stand"),
    [
        ("white", "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1"),
        ("white", "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R"),
        ("black", "e8g8", "r4rk1/8/8/8/8/8/8/R3K2R"),
        ("black", "e8c8", "2kr3r/8/8/8/8/8/8/R3K2R"),
    ],
)
def test_from_e1_castling_may_be_written_with_the_kings_two_squares(
    side: str, king_goes: str, stand: str
) -> None:
    game = club("2023", f"r3k2r/8/8/8/8/8/8/R3K2R {side[0]} KQkq - 0 1")
    assert not refused(game.announce(king_goes, side))
    assert game.fen.split()[0] == stand


@editions(*family("L14-F.3n2"))
def test_castling_in_which_the_king_stays_is_a_move_of_the_touched_rook(edition: str) -> None:
    game = club(edition, fen_of("R5KR", "HA"))
    game.do("touch", "white", squares=["h1"])
    assert refused(game.announce("Lange Rochade"))
    game.announce("Kurze Rochade")
    assert standing(game) == {"a1": "R", "f1": "R", "g1": "K"}


@editions(*family("L14-F.3n2"))
def test_a_touched_rook_is_not_moved_by_castling_where_the_king_moves_too(edition: str) -> None:
    game = club(edition, fen_of("R4K1R", "HA"))
    game.do("touch", "white", squares=["h1"])
    assert refused(game.announce("Kurze Rochade"))


@editions(*family("L14-F.3n2"))
def test_who_takes_the_rook_before_the_king_does_not_castle_though_the_king_would_stay(edition: str) -> None:
    game = club(edition, fen_of("R5KR", "HA"))
    game.do("touch", "white", squares=["h1", "g1"])
    assert refused(game.announce("Kurze Rochade"))


def test_a_touched_rook_that_would_castle_alone_frees_the_king_to_no_illegal_move() -> None:
    game = Played("2023", fen_of("R5KR", "HA"), chess960=True)
    game.do("touch", "white", squares=["h1"])
    assert refused(game.announce("g1g3"))
