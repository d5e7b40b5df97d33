"""Asking back between legal moves by voice alone, naming only what differs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import chess

from assistant.announcements.forms import announce
from assistant.announcements.phrasebook import Meaning, Phrasebook, build_phrasebook
from assistant.announcements.vocabulary import Command, Vocabulary, Words, optional
from assistant.board import rook_of_castling
from assistant.errors import HectorError

Difference = Literal["from", "to", "piece", "promotion", "castling", "move"]
"""What tells the moves apart: where the man comes from, where he goes, which man it is, what the pawn
becomes, which side is castled, or more than one of these."""

ANSWER_COMMANDS = frozenset({"yes", "no", "repeat", "correction", "stop"})
"""The commands that fit as an answer to a question."""


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be asked to tell moves apart."""

    difference: Difference
    common: Words
    """What is not in doubt and said first, if anything: ("springer",)."""
    choices: tuple[tuple[chess.Move, Words], ...]
    """Each move with the words that tell it from the others: ("von", "bella"). What a pawn becomes is asked
    when it is known which pawn: until then its promotions share their words."""


def what_differs(board: chess.Board, moves: Sequence[chess.Move], vocabulary: Vocabulary) -> Question:
    """Return the question that tells the moves apart, their order kept.

    "Springer von Bella oder von Gustav?" is `common` ("springer",) and the choices ("von", "bella") and
    ("von", "gustav"). Where more than one thing differs, each choice is the whole announcement, without the
    words about check and mate: a question is no place to learn of them. Nor does it tell that moves leave
    their king in check, or which side may be castled.

    :raises HectorError: if there are not at least two different moves that men make.
    """
    if len(set(moves)) < 2 or len(set(moves)) != len(moves) or not can_be_asked(board, moves):
        raise HectorError("Only between two or more different moves can be asked.")
    castlings = [board.is_castling(move) for move in moves]
    if all(castlings):
        return _question("castling", (), moves, [announce(board, move, vocabulary)[:1] for move in moves])
    pieces = [board.piece_type_at(move.from_square) or chess.PAWN for move in moves]
    targets = [move.to_square for move in moves]
    promotions = [move.promotion for move in moves]
    names = [vocabulary.pieces[piece] for piece in pieces]
    if not any(castlings):
        sources = list(dict.fromkeys(move.from_square for move in moves))
        same_man, same_target = len(sources) == 1, len(set(targets)) == 1
        each_becomes_all = len(moves) == len(sources) * len(set(promotions))
        if same_target and len(set(pieces)) == 1 and each_becomes_all and not same_man:
            told = dict(zip(sources, _told_apart(sources, vocabulary, by_one=True), strict=True))
            came = [vocabulary.from_words[:1] + told[move.from_square] for move in moves]
            return _question("from", (names[0],), moves, came)
        if same_target and len(set(promotions)) == 1 and len(set(pieces)) == len(moves):
            return _question("piece", (), moves, [(name,) for name in names])
        if same_man and len(set(promotions)) == 1 and len(set(targets)) == len(moves):
            goes = _told_apart(targets, vocabulary, by_one=False)
            return _question("to", (names[0],), moves, [vocabulary.to_words[:1] + words for words in goes])
        if same_man and same_target:
            becomes = [(vocabulary.pieces[piece],) for piece in promotions if piece]
            return _question("promotion", (), moves, becomes)
    whole = [announce(board, move, vocabulary, with_check=False) for move in moves]
    return _question("move", (), moves, whole)


def can_be_asked(board: chess.Board, moves: Iterable[chess.Move]) -> bool:
    """Return whether each is a legal move, one that only the king's safety speaks against, or castling."""
    return all(board.is_pseudo_legal(move) or rook_of_castling(board, move) is not None for move in moves)


def answer_phrasebook(
    board: chess.Board,
    question: Question,
    vocabulary: Vocabulary,
    *,
    commands: Collection[str] = ANSWER_COMMANDS,
) -> Phrasebook:
    """Return what may be answered: the words that differ, with and without a connector, the whole square that
    is in question, another name of the wing, one of the moves announced in any form or in the words of the
    question, and the commands. Yes and no are left to whoever asked."""
    moves = [move for move, _ in question.choices]
    book = build_phrasebook(board, vocabulary, commands=commands, moves=moves)
    phrases = dict(book.phrases)
    for move, words in question.choices:
        meaning = Meaning(move)
        for answer in _answers(move, words, question.difference, vocabulary):
            for phrase in (answer, question.common + answer):
                if meaning not in phrases.get(phrase, ()):
                    phrases[phrase] = (*phrases.get(phrase, ()), meaning)
    return Phrasebook(book.board, vocabulary, phrases, book.commands)


def claim_answers(vocabulary: Vocabulary) -> dict[Words, Command]:
    """Return what may be answered to the question what is claimed: the words that differ, and the claim."""
    claims = [phrase for phrase in vocabulary.commands if phrase.command.name == "claim"]
    heads = [claim.pattern for claim in claims if claim.command.of is None]
    return {
        claim.pattern[len(head) :]: claim.command
        for claim in claims
        for head in heads
        if claim.command.of is not None and claim.pattern[: len(head)] == head
    }


def _answers(
    move: chess.Move, words: Words, difference: Difference, vocabulary: Vocabulary
) -> Iterator[Words]:
    """Yield what chooses a move, without what is common to all."""
    if difference == "castling":
        # "Rochade" is common to all, and a wing has other names than the one in the question.
        every = [name for names in vocabulary.castling.values() for name in names]
        common = set(every[0]).intersection(*every)
        alike = [names for names in vocabulary.castling.values() if words in [name[:1] for name in names]]
        yield from (tuple(word for word in name if word not in common) for names in alike for name in names)
    if difference == "promotion":
        yield from ((word, *words) for word in vocabulary.promotion)
    connectors = {"from": vocabulary.from_words, "to": vocabulary.to_words}.get(difference, ())
    bare = words[1:] if words[0] in connectors else words
    heads = optional(connectors)
    for answer in _with_variants(bare, vocabulary):
        yield from (head + answer for head in heads)
        if difference == "from":
            # "Turm von acht Anna vier": the question's words, and the rest of the announcement.
            head, links = vocabulary.from_words[:1], optional(vocabulary.to_words)
            targets = vocabulary.squares[move.to_square]
            yield from (head + answer + link + target for link in links for target in targets)
    if connectors:
        # A man is asked about: the whole square is his, and no move of another man.
        whole = move.from_square if difference == "from" else move.to_square
        yield from (head + square for head in heads for square in vocabulary.squares[whole])


def _question(
    difference: Difference, common: Words, moves: Sequence[chess.Move], words: Sequence[Words]
) -> Question:
    return Question(difference, common, tuple(zip(moves, words, strict=True)))


def _told_apart(squares: Sequence[chess.Square], vocabulary: Vocabulary, *, by_one: bool) -> list[Words]:
    """Return the files if they tell the squares apart, else the ranks, else the squares.

    `by_one`: a file is enough even where the ranks differ too.
    """
    files = [chess.square_file(square) for square in squares]
    ranks = [chess.square_rank(square) for square in squares]
    if len(set(files)) == len(squares) and (by_one or len(set(ranks)) == 1):
        return [(vocabulary.files[file],) for file in files]
    if len(set(ranks)) == len(squares) and (by_one or len(set(files)) == 1):
        return [vocabulary.ranks[rank][:1] for rank in ranks]
    return [vocabulary.square(square) for square in squares]


def _with_variants(words: Words, vocabulary: Vocabulary) -> list[Words]:
    """Return the words with every rank in each of its wordings."""
    variants: list[Words] = [()]
    for word in words:
        rank = vocabulary.rank_of.get(word)
        wordings = (word,) if rank is None else vocabulary.ranks[rank]
        variants = [(*variant, wording) for variant in variants for wording in wordings]
    return variants
