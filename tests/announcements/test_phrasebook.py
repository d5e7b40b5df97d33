"""The phrasebook of a position: complete, and honest about what a phrase leaves open."""

from __future__ import annotations

import chess
import pytest
from announcement_positions import acceptor, accepts, random_positions

from assistant.announcements import (
    HEADS,
    Command,
    Meaning,
    build_phrasebook,
    load_vocabulary,
    open_grammar,
    sample,
    spoken_forms,
)
from assistant.announcements.reading import read_words
from assistant.announcements.wordgraphs import graph_of_phrases

DE = load_vocabulary("de")


def meant(fen: str, text: str) -> set[str]:
    book = build_phrasebook(chess.Board(fen), DE)
    return {m.move.uci() for m in book.phrases.get(tuple(text.split()), ()) if m.move}


def test_a_phrase_that_fits_two_moves_names_both() -> None:
    fen = "5k2/8/8/8/8/5N2/8/1N2KR2 w - - 0 1"
    assert meant(fen, "springer david zwei") == {"b1d2", "f3d2"}
    assert meant(fen, "springer david zwei schach") == {"b1d2", "f3d2"}
    assert meant(fen, "springer bella david zwei") == {"b1d2"}
    assert meant(fen, "springer bella david zwei schach") == set()


def test_a_promotion_without_its_man_stands_for_all_four() -> None:
    fen = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1"
    assert meant(fen, "anna acht") == {"a7a8q", "a7a8r", "a7a8b", "a7a8n"}
    assert meant(fen, "anna acht wird") == set()
    assert meant(fen, "anna acht wird turm") == {"a7a8r"}


def test_a_phrase_means_exactly_the_moves_that_it_is_read_as() -> None:
    for board in random_positions(60, seed=11):
        book = build_phrasebook(board, DE, commands=())
        for words, meanings in book.phrases.items():
            reading = read_words(board, words, DE)
            assert {m.move for m in meanings} == set(reading.moves), (board.fen(), words)
            assert len(meanings) == len(set(meanings))


def test_every_form_of_every_legal_move_is_in_the_book() -> None:
    for board in random_positions(50, seed=12):
        book = build_phrasebook(board, DE, commands=())
        forms = {form for move in list(board.legal_moves) for form in spoken_forms(board, move, DE)}
        assert forms <= book.phrases.keys()
        incomplete = book.phrases.keys() - forms
        assert all(len({m.move.from_square for m in book.phrases[w] if m.move}) >= 1 for w in incomplete)
        assert all(all(m.move and m.move.promotion for m in book.phrases[w]) for w in incomplete)


def test_the_commands_valid_now_are_in_the_book_and_no_others() -> None:
    book = build_phrasebook(chess.Board(), DE, commands={"yes", "no", "square", "resign"})
    found = {m.command for meanings in book.phrases.values() for m in meanings if m.command}
    assert {command.name for command in found} == {"yes", "no", "square", "resign"}
    assert book.phrases["was", "steht", "auf", "eva", "zwo"] == (
        Meaning(command=Command("square", square=chess.E2)),
    )
    assert book.phrases["ich", "gebe", "auf"][0].command.confirm
    assert not book.phrases[("ja",)][0].command.confirm
    everything = build_phrasebook(chess.Board(), DE)
    assert ("jadoube",) in everything.phrases and ("wo", "steht", "turm") in everything.phrases


def test_the_book_keeps_a_copy_of_the_position() -> None:
    board = chess.Board()
    book = build_phrasebook(board, DE)
    board.push_san("e4")
    assert book.board.fen() == chess.STARTING_FEN


def test_a_finished_game_has_commands_but_no_moves() -> None:
    book = build_phrasebook(chess.Board("7k/5QK1/8/8/8/8/8/8 b - - 0 1"), DE)
    assert all(m.move is None for meanings in book.phrases.values() for m in meanings)
    assert book.phrases[("zeit",)] == (Meaning(command=Command("times")),)


def test_the_graph_of_the_book_has_its_phrases_and_no_others() -> None:
    for board in random_positions(12, seed=13):
        book = build_phrasebook(board, DE)
        graph = book.word_graph()
        following: dict[int, list[tuple[str, int]]] = {}
        for source, word, target in graph.arcs:
            following.setdefault(source, []).append((word, target))
        spelt: set[tuple[str, ...]] = set()
        waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while waiting:
            state, words = waiting.pop()
            if state in graph.finals:
                spelt.add(words)
            waiting += [(target, (*words, word)) for word, target in following.get(state, ())]
        assert spelt == set(book.phrases)


def test_a_graph_of_no_phrases_accepts_nothing() -> None:
    graph = graph_of_phrases([])
    assert graph.arcs == () and graph.finals == frozenset()
    assert not accepts(graph, ())


@pytest.mark.parametrize("heads", [(), ("correction",), HEADS])
def test_every_phrase_of_a_book_belongs_to_its_open_grammar(heads: tuple[str, ...]) -> None:
    for board in random_positions(25, seed=14):
        book = build_phrasebook(board, DE, heads=heads)
        grammatical = acceptor(book.open_grammar())
        for words in book.phrases:
            assert grammatical(words), words


def test_behind_the_word_for_a_correction_every_move_may_follow_and_nothing_else() -> None:
    for board in random_positions(12, seed=15):
        plain, book = build_phrasebook(board, DE), build_phrasebook(board, DE, heads=("correction",))
        added = {words: meanings for words, meanings in book.phrases.items() if words not in plain.phrases}
        moves = {words: meanings for words, meanings in plain.phrases.items() if meanings[0].move}
        assert added == {
            ("korrektur", *words): tuple(Meaning(each.move, Command("correction")) for each in meanings)
            for words, meanings in moves.items()
        }
        assert {words: book.phrases[words] for words in plain.phrases} == plain.phrases


def test_behind_a_yes_or_a_no_to_a_question_every_move_may_follow_and_means_itself() -> None:
    for board in random_positions(12, seed=16):
        plain, book = build_phrasebook(board, DE), build_phrasebook(board, DE, heads=("yes", "no"))
        moves = {words: meanings for words, meanings in plain.phrases.items() if meanings[0].move}
        answers = {
            (yes_or_no, *words): meanings for yes_or_no in ("ja", "nein") for words, meanings in moves.items()
        }
        assert book.phrases == {**plain.phrases, **answers}


@pytest.mark.parametrize(("head", "word"), [("correction", "korrektur"), ("yes", "ja"), ("no", "nein")])
def test_a_move_follows_a_command_only_where_it_may(head: str, word: str) -> None:
    """Anywhere else it would make sense of talk before an announcement."""
    move = (word, "eva", "vier")
    assert not accepts(open_grammar(DE), move)
    assert accepts(open_grammar(DE, heads=(head,)), move)
    assert not accepts(open_grammar(DE, heads=(head,)), (word, word, "eva", "vier"))
    assert not accepts(open_grammar(DE, announcements=False, heads=(head,)), move)


def test_samples_belong_to_the_open_grammar_and_are_the_same_for_the_same_seed() -> None:
    grammar = open_grammar(DE)
    drawn = list(sample(DE, 300, seed=5))
    assert drawn == list(sample(DE, 300, seed=5)) != list(sample(DE, 300, seed=6))
    assert all(accepts(grammar, words) for words in drawn)
    assert {word for words in sample(DE, 4000, seed=7) for word in words} == DE.tokens
    commands = open_grammar(DE, announcements=False)
    assert not any(accepts(commands, words) for words in sample(DE, 50, seed=8, commands=0))
    assert all(accepts(commands, words) for words in sample(DE, 50, seed=8, commands=1))
    few = open_grammar(DE, commands={"times"})
    assert accepts(few, ("zeit",)) and not accepts(few, ("ja",)) and accepts(few, ("eva", "vier"))


def test_every_sample_is_read_as_an_announcement_or_a_command() -> None:
    board = chess.Board()
    for words in sample(DE, 1000, seed=9):
        found = read_words(board, words, DE)
        assert found.said is not None or found.command is not None
