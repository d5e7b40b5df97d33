"""Articles 1 to 4: how the men move, and what touching them obliges to, in every edition."""

from __future__ import annotations

import chess
import pytest
from ledger_rows import editions, family
from played import Played, names, refused

from assistant.announcements import announce, load_vocabulary
from assistant.laws import ScriptError

ROOKS_AND_KING = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"


def club(edition: str, fen: str | None = None, moves: str = "", **game: object) -> Played:
    """A game in which an illegal announcement is refused at once."""
    return Played(edition, fen, mode="club", **game).moves(moves)


def accepts(game: Played, move: str) -> bool:
    """Whether the move may be made; the position is left as it was."""
    if refused(game.announce(move)):
        return False
    game.do("undo")
    return True


def reach(edition: str, fen: str, square: str) -> set[str]:
    """The squares to which the man on `square` may go."""
    game = club(edition, fen)
    return {to for to in chess.SQUARE_NAMES if to != square and accepts(game, square + to)}


def all_accepted(game: Played) -> set[str]:
    froms = [chess.square_name(s) for s in chess.SquareSet(game.board.occupied_co[game.board.turn])]
    moves = (one + to for one in froms for to in chess.SQUARE_NAMES if one != to)
    return {move for move in moves if accepts(game, move)}


# -- Article 1 ------------------------------------------------------------------------------------------


@editions(*family("L14-1.1a", but=("L23-1.1",)))
def test_white_begins_and_the_players_move_alternately(edition: str) -> None:
    game = Played(edition)
    assert refused(game.announce("Eva sieben Eva fuenf", "black"))
    assert game.status["ply"] == 0
    game.move("e2e4")
    assert refused(game.announce("d2d4", "white"))
    assert not refused(game.announce("Eva fuenf", "black"))


@editions(*family("L14-1.1b"))
def test_a_player_has_the_move_as_soon_as_the_opponents_move_is_made(edition: str) -> None:
    game = Played(edition)
    game.announce("e2e4")
    assert (game.status["turn"], game.status["running"]) == ("black", "white")
    assert not refused(game.announce("e7e5", "black"))


@editions(*family("L14-1.2b"))
def test_a_king_is_neither_left_under_attack_nor_captured(edition: str) -> None:
    fen = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"
    assert refused(club(edition, fen).announce("Koenig Eva eins Felix zwei"))
    assert accepts(club(edition, "4k3/8/8/8/8/8/4r3/4KR2 w - - 0 1"), "Koenig schlaegt Eva zwei")
    game = Played(edition, "4k3/8/8/8/8/8/4r3/4K2R w - - 0 1")
    game.move("h1h2")
    game.announce("e2e1")
    game.do("press", "black")
    ruled = game.do("claim", "white", of="illegal-move")
    assert "illegal-move" in names(ruled)


def test_a_move_by_its_squares_from_an_empty_square_is_refused() -> None:
    game = Played("2023")
    assert refused(game.announce("e4e5"))
    assert game.events[-1]["reason"] == "there is no man on e4"


def test_only_a_pawn_is_exchanged_on_the_last_rank() -> None:
    game = Played("2023", ROOKS_AND_KING)
    assert refused(game.announce("h1h8q"))
    assert not refused(game.announce("h1h8"))


# -- Article 2 ------------------------------------------------------------------------------------------


@editions(*family("L14-2.2"))
def test_each_side_has_sixteen_men(edition: str) -> None:
    board = Played(edition).board
    for color in chess.COLORS:
        count = [len(board.pieces(kind, color)) for kind in chess.PIECE_TYPES]
        assert count == [8, 2, 2, 2, 1, 1]


@editions(*family("L14-2.3"))
def test_the_men_stand_as_the_laws_place_them(edition: str) -> None:
    assert Played(edition).fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


# -- Article 3: where the men go ------------------------------------------------------------------------


@editions(*family("L14-3.1a"))
def test_no_man_goes_to_a_square_held_by_its_own_side(edition: str) -> None:
    for mode in ("club", "rated"):
        said = Played(edition, mode=mode).announce("Turm Anna eins Anna zwei")
        assert refused(said) and "same colour" in said[-1]["reason"]


@editions(*family("L14-3.1b"))
def test_moving_onto_an_enemy_man_captures_it(edition: str) -> None:
    game = Played(edition).moves("e2e4 d7d5")
    words = announce(game.board, chess.Move.from_uci("e4d5"), load_vocabulary("de"))
    assert "schlaegt" in words
    game.announce(" ".join(words))
    assert len(chess.SquareSet(game.board.occupied_co[chess.BLACK])) == 15


@editions(*family("L14-3.1c"))
def test_a_man_attacks_what_it_could_capture(edition: str) -> None:
    fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
    assert reach(edition, fen, "e4") == {"d5", "e5"}
    touched = club(edition, fen)
    touched.do("touch", "white", squares=["d5"])
    assert all_accepted(touched) == {"e4d5"}


@editions(*family("L14-3.1d"))
def test_a_pinned_man_still_attacks(edition: str) -> None:
    fen = "4r3/8/8/8/8/3k4/4N3/4K3 b - - 0 1"
    said = club(edition, fen).announce("Koenig David drei David vier")
    assert refused(said) and "check" in said[-1]["reason"]
    assert accepts(club(edition, fen), "Koenig Eva drei")


MEN = {
    "L14-3.2": ("4k3/7p/8/8/3B4/8/8/4K3 w - - 0 1", "d4", 13),
    "L14-3.3": ("4k3/8/8/8/3R4/8/8/4K3 w - - 0 1", "d4", 14),
    "L14-3.4": ("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1", "d4", 27),
}


@editions(*family("L14-3.2", "L14-3.3", "L14-3.4"))
def test_bishop_rook_and_queen_go_along_their_lines(edition: str) -> None:
    for fen, square, count in MEN.values():
        squares = reach(edition, fen, square)
        assert len(squares) == count
        source, piece = chess.parse_square(square), chess.Board(fen).piece_type_at(chess.parse_square(square))
        for name in squares:
            target = chess.parse_square(name)
            file = abs(chess.square_file(source) - chess.square_file(target))
            rank = abs(chess.square_rank(source) - chess.square_rank(target))
            assert file == rank if piece == chess.BISHOP else file * rank == 0 or piece == chess.QUEEN
            assert file == rank or file * rank == 0


@editions(*family("L14-3.5"))
def test_they_do_not_jump(edition: str) -> None:
    game = club(edition)
    assert all(refused(game.announce(move)) for move in ("Dame David eins David drei", "a1a3", "c1e3"))


@editions(*family("L14-3.6"))
def test_the_knight_leaps_to_the_nearest_squares_off_its_lines(edition: str) -> None:
    assert reach(edition, "4k3/7p/8/8/8/8/8/N3K3 w - - 0 1", "a1") == {"b3", "c2"}
    assert reach(edition, "4k3/7p/8/8/8/8/PP6/NR2K3 w - - 0 1", "a1") == {"b3", "c2"}


@editions(*family("L14-3.7a"))
def test_a_pawn_steps_ahead_if_the_square_is_empty(edition: str) -> None:
    game = club(edition, moves="e2e4 e7e5")
    assert refused(game.announce("Bauer Eva vier Eva fuenf"))
    assert accepts(game, "d2d3")


@editions(*family("L14-3.7b"))
def test_a_pawn_steps_two_squares_from_its_own_if_both_are_empty(edition: str) -> None:
    game = club(edition, moves="g1f3 g8f6")
    assert refused(game.announce("Bauer Felix zwei Felix vier"))
    assert accepts(game, "e2e4")
    assert not accepts(club(edition, moves="e2e3 a7a6"), "e3e5")


@editions(*family("L14-3.7c"))
def test_a_pawn_captures_diagonally(edition: str) -> None:
    assert accepts(club(edition, moves="e2e4 d7d5"), "exd5")
    assert refused(club(edition, moves="e2e4 a7a5").announce("e4d5"))


@editions(*family("L14-3.7d"))
def test_en_passant_is_captured_at_once_or_not_at_all(edition: str) -> None:
    game = club(edition, moves="e2e4 g8f6 e4e5 d7d5")
    assert not refused(game.announce("Eva fuenf schlaegt David sechs"))
    assert game.board.piece_at(chess.D5) is None
    later = club(edition, moves="e2e4 g8f6 e4e5 d7d5 a2a3 a7a6")
    assert refused(later.announce("e5d6"))


@editions(*family("L14-3.7e"))
def test_a_promoted_pawn_is_any_piece_and_works_at_once(edition: str) -> None:
    fen = "8/4P1k1/8/8/8/8/8/4K2Q w - - 0 1"
    for letter in "qrbn":
        game = club(edition, fen)
        game.announce(f"e7e8{letter}")
        assert game.board.piece_at(chess.E8) == chess.Piece.from_symbol(letter.upper())
    queen = club(edition, fen)
    queen.announce("Eva acht Dame")
    assert len(queen.board.pieces(chess.QUEEN, chess.WHITE)) == 2
    check = club(edition, "4k3/2P5/8/8/8/8/8/R3K3 w - - 0 1")
    check.announce("c7c8q")
    assert check.board.is_check()
    assert not accepts(club(edition, fen), "e7e8")


@pytest.mark.ledger("L09-3.7e")
def test_a_pawn_may_become_a_knight_and_moves_like_one() -> None:
    game = club("2009", "8/2P3k1/8/8/8/8/8/R3K3 w - - 0 1")
    game.move("c7c8n")
    game.move("g7g6")
    moves = {move[2:] for move in all_accepted(game) if move.startswith("c8")}
    assert moves == {"a7", "b6", "d6", "e7"}


@editions(*family("L14-3.8a"))
def test_the_king_goes_to_an_adjoining_square(edition: str) -> None:
    assert reach(edition, "4k2r/8/8/8/8/8/8/K7 w - - 0 1", "a1") == {"a2", "b1", "b2"}


@editions("L09-3.8a")
def test_the_king_does_not_go_where_he_would_be_attacked(edition: str) -> None:
    assert reach(edition, "7r/8/8/8/8/k7/8/1K6 w - - 0 1", "b1") == {"a1", "c1", "c2"}


# -- Castling -------------------------------------------------------------------------------------------


@editions(*family("L14-3.8b"))
def test_castling_moves_the_king_two_squares_and_the_rook_beside_him(edition: str) -> None:
    game = club(edition, ROOKS_AND_KING)
    game.announce("Lange Rochade")
    assert game.board.king(chess.WHITE) == chess.C1
    assert game.board.piece_at(chess.D1) == chess.Piece.from_symbol("R")
    short = club(edition, ROOKS_AND_KING)
    short.announce("Kurze Rochade")
    assert short.board.king(chess.WHITE) == chess.G1
    assert short.board.piece_at(chess.F1) == chess.Piece.from_symbol("R")


@editions(*family("L14-3.8b1a"))
def test_the_right_to_castle_is_gone_for_good_once_the_king_has_moved(edition: str) -> None:
    line = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7"
    assert accepts(club(edition, moves=line), "Kurze Rochade")
    assert refused(club(edition, moves=f"{line} e1f1 a7a6 f1e1 a6a5").announce("Kurze Rochade"))


@editions(*family("L14-3.8b1b"))
def test_the_right_is_lost_with_a_rook_that_has_moved(edition: str) -> None:
    game = club(edition, moves="g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 h1g1 a7a6 g1h1 a6a5")
    assert refused(game.announce("Kurze Rochade"))
    other = club(edition, ROOKS_AND_KING, "h1g1 e8d8 g1h1 d8e8")
    assert not accepts(other, "Kurze Rochade")
    assert accepts(other, "Lange Rochade")


@editions(*family("L14-3.8b2a"))
def test_castling_is_prevented_by_an_attack_on_the_kings_way_only(edition: str) -> None:
    for rank, allowed in (("1r2k3", True), ("r3k3", True), ("3rk3", False), ("2r1k3", False)):
        fen = f"{rank}/8/8/8/8/8/8/R3K3 w Q - 0 1"
        assert accepts(club(edition, fen), "Lange Rochade") is allowed
    assert not accepts(club(edition, "4k3/4r3/8/8/8/8/8/R3K3 w Q - 0 1"), "Lange Rochade")


@editions(*family("L14-3.8b2b"))
def test_castling_is_prevented_by_a_man_between(edition: str) -> None:
    game = club(edition, "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1")
    assert refused(game.announce("Lange Rochade"))
    game.move("b1c3")
    game.move("e8f8")
    assert accepts(game, "Lange Rochade")


# -- Check, legal and illegal ---------------------------------------------------------------------------


@editions(*family("L14-3.9a"))
def test_a_pinned_man_gives_check_too(edition: str) -> None:
    pinned_rook = club(edition, "Q2rk3/8/8/8/8/8/8/3K4 w - - 0 1")
    assert not accepts(pinned_rook, "a8a7")
    assert accepts(pinned_rook, "d1c1")
    assert {move[:2] for move in all_accepted(club(edition, "4k3/4r3/8/8/8/8/8/R3K3 w - - 0 1"))} == {"e1"}
    assert accepts(club(edition, "4r2k/8/8/8/8/8/4N3/R3K3 w - - 0 1"), "a1a2")


@editions(*family("L14-3.9b"))
def test_a_man_that_shields_the_king_may_not_leave(edition: str) -> None:
    said = club(edition, "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1").announce("Springer Eva zwei Cesar drei")
    assert refused(said) and "check" in said[-1]["reason"]


@editions(*family("L14-3.10a"))
def test_the_start_position_has_twenty_legal_moves(edition: str) -> None:
    assert len(all_accepted(club(edition))) == 20


@editions(*family("L14-3.10b"))
def test_a_move_that_breaks_article_3_is_illegal_and_not_merely_unclear(edition: str) -> None:
    text = "Springer Bella eins Bella drei"
    said = club(edition).announce(text)
    assert refused(said) and "article" in said[-1]
    rated = Played(edition)
    assert names(rated.announce(text)) == ["move-made"]
    rated.do("press", "white")
    ruled = rated.do("claim", "black", of="illegal-move")
    assert "claim-right" in names(ruled)


@editions(*family("L14-3.10c"))
def test_no_game_begins_in_an_illegal_position(edition: str) -> None:
    for fen in (
        "8/8/8/8/8/8/4k3/4K3 w - - 0 1",
        "4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
    ):
        with pytest.raises(ScriptError):
            Played(edition, fen)


# -- Article 4: touching --------------------------------------------------------------------------------


@editions(*family("L14-4.2"))
def test_who_says_so_first_may_adjust_without_a_duty(edition: str) -> None:
    game = Played(edition, white={"blind": True})
    game.do("adjust", "white", squares=["g1"])
    game.do("touch", "white", squares=["g1"])
    assert not refused(game.do("place", "white", move="e2e4"))
    assert refused(game.do("adjust", "black", squares=["g8"]))
    other = Played(edition, white={"blind": True})
    other.do("touch", "white", squares=["g1"])
    assert refused(other.do("place", "white", move="e2e4"))


@pytest.mark.parametrize(("edition", "allowed"), [("2009", True), ("2014", False), ("2023", False)])
def test_since_2014_only_the_player_whose_clock_is_running_adjusts(edition: str, allowed: bool) -> None:
    game = Played(edition)
    game.announce("e2e4")
    assert (game.turn, game.status["running"]) == ("black", "white")
    assert refused(game.do("adjust", "black", squares=["g8"])) is not allowed


@editions("L18-4.2.2", "L23-4.2.2")
def test_a_man_straightened_without_a_word_is_touched(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    game.do("touch", "white", squares=["g1"])
    assert all_accepted(game) >= {"g1f3", "g1h3", "g1e2"}
    assert {move[:2] for move in all_accepted(game)} == {"g1"}


@editions(*family("L14-4.3a"))
def test_the_first_touched_man_that_can_move_is_moved(edition: str) -> None:
    game = club(edition)
    game.do("touch", "white", squares=["c1", "g1"])
    assert all_accepted(game) == {"g1f3", "g1h3"}


@editions(*family("L14-4.3b"))
def test_a_touched_enemy_man_is_captured(edition: str) -> None:
    game = club(edition, moves="e2e4 d7d5")
    game.do("touch", "white", squares=["d5"])
    assert all_accepted(game) == {"e4d5"}


@editions(*family("L14-4.3c"))
def test_men_of_both_sides_are_captured_with_each_other_or_the_own_counts_first(edition: str) -> None:
    both = club(edition, moves="e2e4 d7d5")
    both.do("touch", "white", squares=["d5", "e4"])
    assert all_accepted(both) == {"e4d5"}
    unknown = club(edition, moves="e2e4 d7d5")
    unknown.do("touch", "white", squares=["d5", "g1"], order="unknown")
    assert {move[:2] for move in all_accepted(unknown)} == {"g1"}
    known = club(edition, moves="e2e4 d7d5")
    known.do("touch", "white", squares=["d5", "g1"])
    assert all_accepted(known) == {"e4d5"}


@editions(*family("L14-4.4a"))
def test_king_and_rook_touched_oblige_to_castle(edition: str) -> None:
    game = club(edition, ROOKS_AND_KING)
    game.do("touch", "white", squares=["e1", "h1"])
    assert all_accepted(game) == {"e1g1"}
    assert accepts(game, "Kurze Rochade") and not accepts(game, "Lange Rochade")


@editions(*family("L14-4.4b"))
def test_the_rook_touched_first_must_move_and_there_is_no_castling_there(edition: str) -> None:
    game = club(edition, ROOKS_AND_KING)
    game.do("touch", "white", squares=["h1", "e1"])
    assert not accepts(game, "Kurze Rochade")
    assert {move[:2] for move in all_accepted(game)} == {"h1"}


@editions(*family("L14-4.4c"), "L09-4.4c")
def test_who_touched_for_an_illegal_castling_makes_another_king_move(edition: str) -> None:
    game = club(edition, "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    game.do("touch", "white", squares=["e1", "h1"])
    accepted = all_accepted(game)
    assert {move[:2] for move in accepted} == {"e1"}
    assert "e1c1" in accepted and "e1g1" not in accepted
    left = club(edition, "2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    left.do("touch", "white", squares=["e1", "a1"])
    accepted = all_accepted(left)
    assert {move[:2] for move in accepted} == {"e1"}
    assert "e1g1" in accepted and "e1c1" not in accepted


@editions("L14-3.8k")
def test_who_tried_to_castle_illegally_moves_the_king_not_the_rook(edition: str) -> None:
    game = Played(edition, "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    game.announce("e1g1")
    game.do("press", "white")
    game.do("claim", "black", of="illegal-move")
    assert refused(game.announce("h1h2"))
    assert not refused(game.announce("e1e2"))


@editions(*family("L14-4.4d"))
def test_the_choice_of_piece_is_final_once_announced_and_placed(edition: str) -> None:
    game = Played(edition, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", white={"blind": True})
    game.do("place", "white", move="e7e8q")
    game.do("announce", "white", move="Eva acht Dame")
    assert refused(game.do("correct", "white", move="e7e8r"))
    assert game.board.piece_at(chess.E8) == chess.Piece.from_symbol("Q")


@editions(*family("L14-4.5"))
def test_touched_men_that_cannot_move_bind_to_nothing(edition: str) -> None:
    game = club(edition)
    game.do("touch", "white", squares=["a1"])
    assert len(all_accepted(game)) == 20


@editions(*family("L14-4.6c"))
def test_a_man_on_the_promotion_square_is_captured(edition: str) -> None:
    game = club(edition, "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1")
    game.announce("Eva sieben schlaegt David acht Dame")
    assert game.status["moves"] == ["exd8=Q+"]
    assert game.board.piece_at(chess.D8) == chess.Piece.from_symbol("Q")
    assert not game.board.pieces(chess.ROOK, chess.BLACK)


@editions(*family("L14-4.7a"), "L09-4.6")
def test_a_man_released_by_a_legal_move_stands(edition: str) -> None:
    game = Played(edition)
    game.announce("Eva drei")
    assert refused(game.announce("Eva vier", "white"))
    assert refused(game.do("place", "white", move="e2e4"))
    knight = Played(edition)
    knight.announce("g1f3")
    assert refused(knight.announce("g1h3", "white"))
    assert knight.status["moves"] == ["Nf3"]


@editions(*family("L14-4.7b"))
def test_a_capture_is_made_only_when_the_captured_man_is_off_and_the_own_man_placed(edition: str) -> None:
    game = Played(edition, "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", white={"blind": True})
    game.do("touch", "white", squares=["d5"])
    game.do("announce", "white", move="e4d5")
    assert game.status["ply"] == 0
    assert refused(game.do("place", "white", move="e4d5", removed=False))
    assert refused(game.do("press", "white"))
    game.do("place", "white", move="e4d5")
    assert game.status["ply"] == 1


@editions(*family("L14-4.7c"))
def test_castling_once_the_king_is_released_is_finished(edition: str) -> None:
    game = Played(edition, ROOKS_AND_KING)
    game.do("place", "white", move="e1g1")
    assert refused(game.do("place", "white", move="e1f1"))
    assert refused(game.do("place", "white", move="h1h5"))
    assert game.board.king(chess.WHITE) == chess.G1


@editions(*family("L14-4.7d"))
def test_without_the_new_piece_a_promotion_is_not_made_and_the_press_is_an_offence(edition: str) -> None:
    game = Played(edition, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    game.announce("e7e8")
    game.do("press", "white")
    ruled = game.do("claim", "black", of="illegal-move")
    assert [event["kind"] for event in ruled if event["event"] == "illegal-move"] == ["pawn-left"]


@editions("L09-4.6c")
def test_a_pawn_released_on_the_last_rank_may_not_go_elsewhere(edition: str) -> None:
    game = Played(edition, "1n6/2P3k1/8/8/8/8/8/4K3 w - - 0 1", white={"blind": True})
    game.do("place", "white", move="c7c8q")
    assert refused(game.do("place", "white", move="c7b8q"))


def put_right(edition: str, fen: str, wrong: str, *, blind: bool = False) -> Played:
    """White has released a man by a move that is not lawful, and not pressed."""
    game = Played(edition, fen, white={"blind": blind})
    if blind:
        game.do("announce", "white", move=wrong)
    game.do("place", "white", move=wrong)
    assert game.status["ply"] == 1
    return game


@pytest.mark.parametrize("verb", ["place", "announce"])
@editions("L14-4.7d", "L23-7.5.1")
def test_until_the_press_an_unlawful_move_is_put_right_with_the_man_that_was_touched(
    edition: str, verb: str
) -> None:
    game = put_right(edition, ROOKS_AND_KING, "e1e3")
    assert refused(game.do(verb, "white", move="a1b1")), "the king was touched"
    assert game.board.king(chess.WHITE) == chess.E3, "what is refused changes nothing"
    said = game.do(verb, "white", move="e1e2")
    assert names(said) == ["position-restored", "move-made"]
    game.do("press", "white")
    assert game.status["moves"] == ["Ke2"]
    assert names(game.do("claim", "black", of="illegal-move")) == ["claim-wrong"]


@editions("L14-4.7d", "L23-7.5.1")
def test_what_an_unlawful_move_was_put_right_to_stands(edition: str) -> None:
    game = put_right(edition, ROOKS_AND_KING, "e1e3")
    game.do("place", "white", move="e1e2")
    assert refused(game.do("place", "white", move="e1f1"))


@editions("L14-4.7d", "L23-7.5.1")
def test_a_pawn_left_on_the_last_rank_is_exchanged_there_before_the_press(edition: str) -> None:
    game = put_right(edition, "3n4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8")
    assert refused(game.do("place", "white", move="e7d8q"))
    assert refused(game.do("place", "white", move="e7e8")), "that is how it stands"
    assert not refused(game.do("place", "white", move="e7e8n"))
    assert game.status["moves"] == ["e8=N+"]


@editions("L14-4.7d", "L23-7.5.1")
def test_a_blind_player_announces_anew_what_he_puts_right(edition: str) -> None:
    game = put_right(edition, ROOKS_AND_KING, "e1e3", blind=True)
    game.do("announce", "white", move="e1e2")
    assert game.status["ply"] == 0
    game.do("place", "white", move="e1e2")
    game.do("press", "white")
    assert game.status["moves"] == ["Ke2"]
