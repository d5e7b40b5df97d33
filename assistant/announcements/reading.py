"""A text or a transcript read as a move or a command, legal or not."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

import chess

from assistant.announcements.forms import PROMOTIONS, is_capture, moves_to
from assistant.announcements.grammar import command_phrases
from assistant.announcements.reasons import Reason
from assistant.announcements.vocabulary import Command, Vocabulary, Wing, Words
from assistant.board import chess960_rooks, rook_of_castling

# One letter a word, as in `Vocabulary.role_of`: P man, v from, F file, R rank, x capture, t to, w becomes,
# e en passant, s check, m mate.
_ANNOUNCEMENT = re.compile(r"(P)?(?:v?(?:(F)(R)?|(R)))?(x?)t?(F)(R)(?:w?(P))?(e?)s?m?")
_CASTLING_TAIL = re.compile(r"s?m?")


@dataclass(frozen=True, slots=True)
class Said:
    """What an announcement says, whether or not it can be so."""

    piece: chess.PieceType | None = None
    """The man that was named; a pawn and a long form may go without."""
    from_file: int | None = None
    from_rank: int | None = None
    to_square: chess.Square | None = None
    promotion: chess.PieceType | None = None
    castling: Wing | None = None
    capture: bool = False
    en_passant: bool = False

    @property
    def from_square(self) -> chess.Square | None:
        """The from-square if it was said whole."""
        if self.from_file is None or self.from_rank is None:
            return None
        return chess.square(self.from_file, self.from_rank)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text means in a position.

    It is a legal move exactly when `move` is not `None`, and a command exactly when `command` is not.
    """

    words: Words
    """The tokens in it, fillers dropped."""
    moves: tuple[chess.Move, ...] = ()
    """The legal moves that fit. More than one: it is not complete, and `reason` says what is missing."""
    command: Command | None = None
    said: Said | None = None
    """What it says of a move, if it has the form of an announcement."""
    stated: chess.Move | None = None
    """The move from square to square that was said, legal or not; `None` where no from-square was said, or
    another man than the one who stands there, or a man that no pawn becomes.
    Castling as the board writes it: the king's two squares, in Chess960 king takes rook."""
    but_for_check: tuple[chess.Move, ...] = ()
    """Where no legal move fits: the moves that do, with their from-square said or without, and that leave
    the king in check. More than one: which is to be asked, as of legal ones."""
    instead: Reading | None = None
    """What is said behind the word for a correction, if that has the form of an announcement."""
    reason: Reason | None = None
    """Why it is neither one legal move nor a command."""

    @property
    def move(self) -> chess.Move | None:
        """The legal move, if exactly one fits."""
        return self.moves[0] if len(self.moves) == 1 else None

    @property
    def as_said(self) -> chess.Move | None:
        """The move that was said, legal or not: from square to square, or the only one that leaves the
        king in check. `None` where the words name none."""
        return self.stated or (self.but_for_check[0] if len(self.but_for_check) == 1 else None)


def parse(board: chess.Board, text: str, vocabulary: Vocabulary) -> Reading:
    """Return what a written or transcribed text means; no text raises an error.

    Men, squares, promotion and castling decide. A capture word helps to choose between an advance and a
    capture; words about check and mate never choose, so that a move does not hang on them.
    """
    words, unknown = vocabulary.read(text)
    if unknown:
        return Reading(words, reason=Reason("unknown-words", words=unknown))
    return read_words(board, words, vocabulary)


def read_words(board: chess.Board, words: Words, vocabulary: Vocabulary) -> Reading:
    """Return what tokens of the vocabulary mean; see `parse`."""
    if not words:
        return Reading(words, reason=Reason("empty"))
    command = _commands(vocabulary).get(words)
    if command is not None:
        return Reading(words, command=command)
    said = said_in(words, vocabulary)
    if said is None:
        rest = vocabulary.behind(words, "correction")
        instead = read_words(board, rest, vocabulary) if said_in(rest, vocabulary) else None
        return Reading(words, instead=instead, reason=Reason("no-announcement", words=words))
    return _castling(board, words, said) if said.castling else _move(board, words, said)


@lru_cache
def _commands(vocabulary: Vocabulary) -> dict[Words, Command]:
    return dict(command_phrases(vocabulary, None))


def said_in(words: Words, vocabulary: Vocabulary) -> Said | None:
    """Return what an announcement says, in whatever position; `None` if the words have no form of one."""
    roles = "".join([vocabulary.role_of.get(word, "?") for word in words])
    match = _ANNOUNCEMENT.fullmatch(roles)
    if match is None:
        return _said_castling(words, roles, vocabulary)
    # Group numbers: 1 man, 2 and 3 from-file and from-rank, 4 from-rank alone, 5 capture, 6 and 7 target,
    # 8 promotion, 9 en passant. A group that did not match starts at -1.
    at = match.start
    piece, file, target, promotion = at(1), at(2), at(6), at(8)
    rank = max(at(3), at(4))
    return Said(
        piece=None if piece < 0 else vocabulary.piece_of[words[piece]],
        from_file=None if file < 0 else vocabulary.file_of[words[file]],
        from_rank=None if rank < 0 else vocabulary.rank_of[words[rank]],
        to_square=chess.square(vocabulary.file_of[words[target]], vocabulary.rank_of[words[target + 1]]),
        promotion=None if promotion < 0 else vocabulary.piece_of[words[promotion]],
        capture=bool(match[5]),
        en_passant=bool(match[9]),
    )


def _said_castling(words: Words, roles: str, vocabulary: Vocabulary) -> Said | None:
    for wing, phrases in vocabulary.castling.items():
        for phrase in phrases:
            if words[: len(phrase)] == phrase:
                return Said(castling=wing) if _CASTLING_TAIL.fullmatch(roles, len(phrase)) else None
    return None


def _castling(board: chess.Board, words: Words, said: Said) -> Reading:
    wing = said.castling
    for move in board.generate_castling_moves():
        if board.is_kingside_castling(move) == (wing == "short"):
            return Reading(words, (move,), said=said, stated=move)
    stated = _stated_castling(board, short=wing == "short")
    return Reading(words, said=said, stated=stated, reason=Reason("castling", wing=wing))


def _stated_castling(board: chess.Board, *, short: bool) -> chess.Move | None:
    """Return the castling that is not legal as squares, or `None` if king or rook are not in their places."""
    king = board.king(board.turn)
    rank = chess.BB_RANK_1 if board.turn == chess.WHITE else chess.BB_RANK_8
    if king is None or not chess.BB_SQUARES[king] & rank:
        return None
    if not board.chess960:
        if chess.square_file(king) != 4:
            return None
        move = chess.Move(king, king + 2 if short else king - 2)
        return None if rook_of_castling(board, move) is None else move
    rooks = [rook for rook in chess960_rooks(board, king) if (rook > king) == short]
    return chess.Move(king, rooks[0]) if rooks else None


def _move(board: chess.Board, words: Words, said: Said) -> Reading:
    source, target = said.from_square, said.to_square
    assert target is not None, "an announcement that is not castling has a target"
    promotion = said.promotion if said.promotion in PROMOTIONS else None
    # From a square to itself nobody has moved, and no pawn becomes a king.
    is_stated = source not in (None, target) and promotion == said.promotion
    stated = chess.Move(source, target, promotion) if source is not None and is_stated else None
    reading = Reading(words, said=said, stated=stated)
    moves = moves_to(board, target, _sources(board, said))
    if source is not None and source == board.king(board.turn) and said.piece in (None, chess.KING):
        moves += [move for move in board.generate_castling_moves() if move.to_square == target]
    if said.promotion is not None:
        fitting = [move for move in moves if move.promotion == said.promotion]
        if moves and not fitting:
            code = "no-such-promotion" if moves[0].promotion else "promotion-not-due"
            reason = Reason(code, square=source, target=target, piece=said.promotion)
            return replace(reading, reason=reason)
        moves = fitting
    if said.capture or said.en_passant:
        moves = [move for move in moves if is_capture(board, move)] or moves
    elif _is_bare(said):
        advances = [move for move in moves if not is_capture(board, move)]
        if moves and not advances:
            return replace(reading, reason=Reason("capture-unnamed", target=target))
        moves = advances
    if not moves:
        reason = _why_not(board, said, target)
        if reason.code == "king-in-check":
            return replace(reading, reason=reason, but_for_check=tuple(_ways(board, said, target)))
        # Of two things that were said one is wrong: nobody knows which.
        return replace(reading, reason=reason, stated=None if reason.code == "other-man" else stated)
    if len(moves) == 1:
        return replace(reading, moves=tuple(moves))
    # Only the promotions of one pawn differ in nothing but the new man.
    code = "promotion-missing" if len({move.from_square for move in moves}) == 1 else "ambiguous"
    return replace(reading, moves=tuple(moves), reason=Reason(code, target=target, moves=len(moves)))


def _is_bare(said: Said) -> bool:
    """Whether only a target was said: a pawn advances."""
    return said.piece is None and said.from_file is None and said.from_rank is None


def _sources(board: chess.Board, said: Said) -> chess.Bitboard:
    """Return the squares of the mover's men that were named."""
    mask = board.occupied_co[board.turn] & _from_mask(said)
    if said.piece is not None:
        return mask & board.pieces_mask(said.piece, board.turn)
    return mask if said.from_square is not None else mask & board.pawns


def _from_mask(said: Said) -> chess.Bitboard:
    mask = chess.BB_ALL
    if said.from_file is not None:
        mask &= chess.BB_FILES[said.from_file]
    if said.from_rank is not None:
        mask &= chess.BB_RANKS[said.from_rank]
    return mask


def _why_not(board: chess.Board, said: Said, target: chess.Square) -> Reason:
    source = said.from_square
    if source is not None:
        man = board.piece_at(source)
        if man is None:
            return Reason("empty-square", square=source, target=target, piece=said.piece)
        facts = Reason("opponents-man", square=source, target=target, piece=man.piece_type)
        if man.color != board.turn:
            return facts
        if said.piece not in (None, man.piece_type):
            return replace(facts, code="other-man")
        exposed = _ways_but_for_check(board, chess.BB_SQUARES[source], target)
        return replace(facts, code="king-in-check" if exposed else "cannot-move-so")
    sources = _sources(board, said)
    facts = Reason("no-such-man", target=target, piece=said.piece or chess.PAWN)
    if not sources:
        return facts
    exposed = _ways_but_for_check(board, sources, target)
    return replace(facts, code="king-in-check" if exposed else "cannot-reach")


def _ways_but_for_check(
    board: chess.Board, sources: chess.Bitboard, target: chess.Square
) -> list[chess.Move]:
    moves = board.generate_pseudo_legal_moves(sources, chess.BB_SQUARES[target])
    return [move for move in moves if not board.is_castling(move)]


def _ways(board: chess.Board, said: Said, target: chess.Square) -> list[chess.Move]:
    """Return the moves that the words can mean and that only the king's safety speaks against."""
    return [
        move
        for move in _ways_but_for_check(board, _sources(board, said), target)
        if said.promotion in (None, move.promotion) and not (_is_bare(said) and is_capture(board, move))
    ]
