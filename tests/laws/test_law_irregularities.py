"""Article 7: illegal moves, positions put back, a wrong start."""

from __future__ import annotations

import chess
import pytest
from ledger_rows import editions, family
from played import Played, article, names, refused

SWAPPED = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR w KQkq - 0 1"


def times(game: Played) -> tuple[float, float]:
    status = game.status
    return float(status["white"]), float(status["black"])


def claim(game: Played, side: str, of: str = "illegal-move", **keys: object) -> list[dict[str, object]]:
    """A claim at the moment of the last line, so that no time passes between two looks at the clock."""
    return game.do("claim", side, at=game.at, of=of, **keys)


def black_offends(game: Played) -> float:
    """White moves, Black moves a knight like a rook and presses, White claims; how much White gains."""
    if game.turn == "white":
        game.move("g1h3" if game.board.piece_at(chess.G1) else "h3g1")
    game.move("b8b5" if game.board.piece_at(chess.B8) else "c6c5")
    before = times(game)[0]
    claim(game, "white")
    return times(game)[0] - before


def black_replaces(game: Played) -> None:
    """Black makes a legal move with the knight that he touched."""
    game.move("b8c6" if game.board.piece_at(chess.B8) else "c6b8")


@editions(*family("L14-7.1"))
def test_a_restored_position_keeps_the_times_until_the_arbiter_sets_them(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5 g1f3 b8c6")
    before = times(game)
    said = game.do("restore", at=game.at, ply=1)
    assert said[0]["event"] == "position-restored"
    assert said[0]["fen"] == game.fen == Played(edition).moves("e2e4").fen
    assert times(game) == before
    game.do("set-clock", at=game.at, white=5000, black=4900, moves=0)
    assert times(game) == (5000, 4900)
    assert not refused(game.announce("c7c5"))


@editions(*family("L14-7.2a"))
def test_a_wrong_start_position_annuls_the_game(edition: str) -> None:
    game = Played(edition, SWAPPED).moves("e2e4 e7e5 g1f3 g8f6")
    game.do("claim", "black", of="initial-position")
    assert game.result == "annulled"
    right = Played(edition).moves("e2e4")
    assert "claim-wrong" in names(right.do("claim", "black", of="initial-position"))
    assert not right.over


@editions(*family("L14-7.2b"))
def test_a_board_turned_wrongly_changes_neither_position_nor_times(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    fen = game.fen
    stopped = game.do("stop-clock", by="arbiter", reason="the board stands a quarter turn")
    before = times(game)
    assert stopped[0]["reason"] == "the board stands a quarter turn"
    game.do("resume", at=game.at + 300)
    assert (game.fen, times(game), game.result) == (fen, before, "*")
    assert game.status["running"] == "white"


@editions(*family("L14-7.4"))
def test_who_displaces_men_restores_them_in_his_own_time(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    white, _ = times(game)
    game.do("stop-clock", "black", at=game.at + 20, by="black", reason="men displaced")
    assert times(game)[0] == white - 20
    assert names(game.events[-1:]) == ["clock-stopped"]
    said = game.do("penalty", "white", kind="add-opponent", seconds=60, reason="men displaced")
    assert said[0]["event"] == "penalty"


@editions("L14-7.4k")
def test_only_the_arbiter_restarts_a_stopped_clock(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5")
    game.do("stop-clock", by="white", reason="men displaced")
    assert refused(game.do("resume", by="white"))
    assert game.status["running"] == "none"
    game.do("resume")
    assert game.status["running"] == "white"


@editions(*family("L14-7.5a1"), "L18-7.5.1")
def test_an_illegal_move_is_taken_back_and_the_same_man_moves(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5 f1c4 b8c6 c4h4 g8f6 b1c3 f8e7")
    said = claim(game, "black")
    assert {"illegal-move", "position-restored"} <= set(names(said))
    assert game.status["ply"] == 4
    assert refused(game.announce("g1f3"))
    assert not refused(game.announce("c4b5"))


@editions(*family("L14-7.5a2"), "L18-7.5.2")
def test_a_pawn_left_on_the_last_rank_becomes_a_queen_and_counts(edition: str) -> None:
    game = Played(edition, "8/4P1k1/7p/8/8/8/8/4K3 w - - 0 1").moves("e7e8")
    said = claim(game, "black")
    assert game.board.piece_at(chess.E8) == chess.Piece.from_symbol("Q")
    [offence] = [event for event in said if event["event"] == "illegal-move"]
    assert (offence["side"], offence["kind"], offence["number"]) == ("white", "pawn-left", 1)
    assert article(said, "claim-right") in ("7.5.a", "7.5.2")


@pytest.mark.ledger("L09-7.4a")
def test_in_2009_the_pawn_goes_back_and_the_choice_is_free() -> None:
    game = Played("2009", "8/4P1k1/7p/8/8/8/8/4K3 w - - 0 1").moves("e7e8")
    claim(game, "black")
    assert game.status["ply"] == 0 and game.board.piece_at(chess.E7) == chess.Piece.from_symbol("P")
    assert refused(game.announce("e1e2"))
    assert not refused(game.announce("e7e8n"))
    king = Played("2009", "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1").moves("a1a2 e2e1")
    assert "illegal-move" in names(claim(king, "white"))
    assert king.status["ply"] == 1


@editions(*family("L14-7.5b1"), "L18-7.5.5a", "L23-7.5.5a")
def test_the_first_illegal_move_gives_the_opponent_two_minutes(edition: str) -> None:
    game = Played(edition, time_control="5400")
    assert black_offends(game) == 120
    assert not game.over
    rapid = Played(edition, time_control="1500")
    assert black_offends(rapid) == (60 if edition == "2023" else 120)


@editions(*family("L14-7.5b2"), "L18-7.5.5b", "L23-7.5.5b")
def test_the_second_illegal_move_loses_whichever_kind_it_is(edition: str) -> None:
    game = Played(edition)
    black_offends(game)
    black_replaces(game)
    black_offends(game)
    assert (game.result, game.reason) == ("1-0", "illegal-moves")
    if edition != "2014":
        mixed = Played(edition)
        black_offends(mixed)
        black_replaces(mixed)
        mixed.move("e2e4")
        mixed.do("press", "black")
        claim(mixed, "white")
        assert (mixed.result, mixed.reason) == ("1-0", "illegal-moves")


@pytest.mark.ledger("L09-7.4b1", "L09-7.4b2")
def test_in_2009_the_first_two_cost_two_minutes_each_and_the_third_the_game() -> None:
    game = Played("2009")
    for _ in range(2):
        assert black_offends(game) == 120
        black_replaces(game)
    assert not game.over
    black_offends(game)
    assert (game.result, game.reason) == ("1-0", "illegal-moves")


@editions(*family("L14-7.5b3"), "L18-7.5.5c", "L09-7.4b3")
def test_the_losing_offence_draws_if_the_opponent_cannot_mate(edition: str) -> None:
    game = Played(edition, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    for rook, king in (("a1a2", "e8e7"), ("a2a1", "e7e8"), ("a1a2", "e8e7")):
        game.move({"a1": "a1b2", "a2": "a2b3"}[rook[:2]])
        claim(game, "black")
        if game.over:
            break
        game.moves(f"{rook} {king}")
    assert (game.result, game.reason) == ("1/2-1/2", "illegal-moves")


@editions("L18-7.5.3", "L23-7.5.3")
def test_a_press_without_a_move_is_an_illegal_move(edition: str) -> None:
    game = Played(edition, time_control="5400")
    game.do("press", "white")
    before = times(game)[1]
    said = claim(game, "black")
    [offence] = [event for event in said if event["event"] == "illegal-move"]
    assert (offence["side"], offence["number"], offence["kind"]) == ("white", 1, "press-without-move")
    assert times(game)[1] - before == 120
    assert (game.turn, game.status["running"]) == ("white", "white")


@editions("L18-7.5.4", "L23-7.5.4", "L18-4.1", "L23-4.1")
def test_two_hands_count_as_an_illegal_move(edition: str) -> None:
    game = Played(edition, "4k3/7p/8/8/8/8/8/R3K2R w KQ - 0 1", time_control="5400")
    game.move("e1g1")
    before = times(game)[1]
    said = claim(game, "black", of="two-hands")
    [offence] = [event for event in said if event["event"] == "illegal-move"]
    assert (offence["side"], offence["number"]) == ("white", 1)
    assert article(said, "claim-right") == "7.5.4"
    assert times(game)[1] - before == 120
    assert game.board.king(chess.WHITE) == chess.G1
    game.move("e8e7")
    game.do("press", "white")
    claim(game, "black")
    assert (game.result, game.reason) == ("0-1", "illegal-moves")


@editions(*family("L14-7.6"))
def test_displaced_men_found_later_go_back_to_the_last_agreed_position(edition: str) -> None:
    game = Played(edition).moves("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5")
    white = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]
    said = game.do("sheets", white=white, black=[*white[:4], "Bb5", "Bc5"])
    assert (said[0]["event"], said[0]["ply"]) == ("sheets-differ", 5)
    game.do("restore", ply=said[0]["ply"] - 1)
    assert game.status["ply"] == 4
    assert not refused(game.announce("f1b5"))
