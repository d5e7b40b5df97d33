"""A move as anybody may write or say it: UCI, algebraic in any language, long form, words, announcement."""

from __future__ import annotations

import re
from collections.abc import Iterator

import chess

from assistant import worded
from assistant.announcements import Vocabulary, load_vocabulary, parse, said_in
from assistant.board import chess960_rooks, landing_squares
from assistant.errors import HectorError
from assistant.offers import OFFER
from assistant.scoresheet import NotationError, Written, languages, read, taken_apart
from assistant.scoresheet.notation import notation

_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbnQRBN]?")
_CAPITALS = re.compile(r"([A-H][27]-?[A-H][18])(=?[^\W\d_])")
"""A pawn's promotion from square to square, with Caps Lock on: no man's letter stands before a 2 or 7 and a
last rank, and has another one behind."""
_LONG = re.compile(r"(?P<man>[^\W\da-z_]?)(?P<begin>[a-h][1-8])[-–x:]?(?P<end>[a-h][1-8])[+#]?")
_NUMBER = re.compile(r"^(?:(?:[1-9]\d{0,2}\s*)?[.…][.…\s]*|[1-9]\d{0,2}\s+(?=[^x:\s]\S*$))")
"""What stands before a move on a scoresheet. Without a full stop it is a number only before a single word,
and not before a capture: in "4 schlägt David 5" and "4 xd5" it is a rank."""
_AFTER_LETTER = (*chess.FILE_NAMES, "x", ":")
"""What follows the letter of a man. A rank follows a file."""
_BETWEEN = re.compile(r"[\s,;]+")
"""What stands between two moves on one line."""
EVERYBODYS = "en"
"""The language whose letters are written everywhere, as in PGN."""
_APART = re.compile(r"[\W\d]+")
_FILE_MARK = "\ufeff"
"""What some editors begin a file with."""


class _Unjudged(chess.Board):
    """A position in which a man goes wherever his way of moving leads, whatever becomes of his king."""

    def generate_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        return self.generate_pseudo_legal_moves(from_mask, to_mask)

    def is_legal(self, move: chess.Move) -> bool:
        return self.is_pseudo_legal(move)

    def generate_castling_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """Yield castling where king and rook stand in their places, and nobody in their way."""
        ours = self.occupied_co[self.turn]
        rank = chess.BB_RANK_1 if self.turn == chess.WHITE else chess.BB_RANK_8
        for king in chess.scan_forward(self.kings & ours & rank & from_mask):
            for rook in self._rooks_to_castle_with(king):
                a_side = rook < king
                end = chess.square(2 if a_side else 6, chess.square_rank(king))
                beside = chess.square(3 if a_side else 5, chess.square_rank(king))
                move = chess.Move(king, rook if self.chess960 else end)
                way = chess.between(king, end) | chess.between(rook, beside) | landing_squares(move, rook)
                others = self.occupied & ~chess.BB_SQUARES[king] & ~chess.BB_SQUARES[rook]
                if not way & others and chess.BB_SQUARES[move.to_square] & to_mask:
                    yield move

    def _rooks_to_castle_with(self, king: chess.Square) -> list[chess.Square]:
        if self.chess960:
            return chess960_rooks(self, king)
        if chess.square_file(king) != 4:
            return []
        corners = chess.BB_RANKS[chess.square_rank(king)] & chess.BB_CORNERS
        return list(chess.scan_forward(self.rooks & self.occupied_co[self.turn] & corners))


def _unjudged(board: chess.Board) -> _Unjudged:
    twin = _Unjudged(None, chess960=board.chess960)
    vars(twin).update(vars(board.copy(stack=False)))
    return twin


def is_way_of_moving(board: chess.Board, move: chess.Move) -> bool:
    """Return whether a man of the player to move goes so, whatever becomes of his king."""
    return _unjudged(board).is_legal(move)


def read_move(
    board: chess.Board, text: str, language: str = "en", *, lawful: bool = True
) -> list[chess.Move]:
    """Return the moves that a text names in a position, legal ones only if any is.

    It may stand as on a scoresheet: after its number, which is not compared with the position's, and before
    the sign (=) or a full stop. Words of any language stand for letters: "knight takes f3", "e8=dama", and
    "castles" for either side's castling.
    One move: it is that. Several: the text fits them all. None: no text of a move, or one that fits no legal
    move and names no from-square. An illegal move from square to square is returned as it was said.
    `language` says whose letters are meant where a letter has two readings: `Kf3` is a king's move to all
    who write K for the king, legal or not, and never the knight's of those who write K for the knight.
    A letter that it lacks is read in every language that has it. A pawn has no letter (C.4): one that is
    read for it gives way to the man whose letter it is in English, in the player's own language beside it.
    Without `lawful` no king can be in check, and castling asks only where the men stand: neither what is
    returned nor that nothing is tells then which moves are legal.
    """
    if not lawful:
        board = _unjudged(board)
    text = in_letters(text, language)
    if worded.names_castling(text):
        return sorted(filter(board.is_castling, board.legal_moves), key=board.is_queenside_castling)
    if squares := _CAPITALS.fullmatch(text):
        text = squares[1].lower() + squares[2]
    if _UCI.fullmatch(text) and text[:2] != text[2:4]:
        move = _castling_as_the_board_has_it(board, chess.Move.from_uci(text.lower()))
        return _promotions(board, move) or [move]
    text = _with_capital(board, text, language)
    own = _written(board, text, language)
    if own is not None and begins_with_pawn(text, language):
        own = list(dict.fromkeys((*own, *(_written(board, text, EVERYBODYS) or ()))))
    if own:
        return own
    if own is None and (found := _in_other_letters(board, text)):
        return found
    if own is None and _is_mans(text, EVERYBODYS):
        # It is no announcement cut short: "Bb5" is a bishop's, if not the player's own pawn's.
        return _from_square_to_square(board, text, language)
    reading = parse(board, text, load_vocabulary("de"))
    if reading.moves and own is None:
        return list(reading.moves)
    if reading.stated is not None:
        return [reading.stated]
    return _from_square_to_square(board, text, language)


def read_typed(
    board: chess.Board, text: str, language: str = "en", *, lawful: bool = True
) -> list[chess.Move]:
    """Return the moves that a text names, as `read_move` does, of somebody who can be asked which he means.

    With Caps Lock on, no letter tells a man from a file: "CXD5" may be the c-pawn's move too. On paper the
    capital is the man's (C.2), and a sealed move is not asked about.
    """
    found = read_move(board, text, language, lawful=lawful)
    text = _bare(text)
    if text[:1].lower() not in chess.FILE_NAMES or not text[1:2].isalpha() or not text.isupper():
        return found
    pawns = _written(board if lawful else _unjudged(board), text.lower(), language) or []
    return list(dict.fromkeys((*found, *(move for move in pawns if board.is_capture(move)))))


def announcement_of(board: chess.Board, text: str, language: str, vocabulary: Vocabulary) -> str:
    """Return the words of the move that a text is in letters, legal or not; else the text as it is.

    As in `read_move` the player's own letters go before those of other languages. What two of these read for
    two men has no words.
    """
    written = _with_capital(board, in_letters(text, language), language)
    for names in ((language,), _others_who_read(written)):
        read_as = {said for name in names if (said := taken_apart(written, name)) is not None}
        if len(read_as) == 1:
            return " ".join(_words(read_as.pop(), vocabulary))
        if read_as:
            break
    return text


def is_number(text: str) -> bool:
    """Return whether a text is only what stands before a move on a scoresheet: "1.", or "3..."."""
    return _NUMBER.fullmatch(text) is not None


def are_several(text: str, language: str) -> bool:
    """Return whether a text is more than one move in letters, as of a game: "1. e4 e5".

    Each may have its number. A move to a square where the next one begins may be one from square to square.
    """
    words = [_bare(word) for word in _BETWEEN.split(text) if word and not is_number(word)]
    return len(words) > 1 and all(_is_in_letters(word, language) for word in words)


def _is_in_letters(word: str, language: str) -> bool:
    if _UCI.fullmatch(word) or _LONG.fullmatch(word):
        return True
    return any(taken_apart(word, name) is not None for name in (language, EVERYBODYS))


def in_letters(text: str, language: str) -> str:
    """Return a move in the words of any language in the player's letters, any other text in its own.

    "3. Caballo f3" becomes "Cf3" for a Spaniard and "Nf3" for an Englishman, "Nf3 (=)" and "Nf3 mate" become
    "Nf3". The words of the announcements stay: they are the blind player's.
    """
    text = _alone(_bare(text), language)
    if not any(len(word) > 1 and word.isalpha() for word in _APART.split(text)):
        return text
    vocabulary = load_vocabulary("de")
    words, unknown = vocabulary.read(text)
    own = worded.in_letters(text, language, language)
    is_announcement = not unknown and said_in(words, vocabulary) is not None
    if is_announcement and not (own is not None and worded.names_target(text, language)):
        return text
    if own is not None or any(taken_apart(text, name) is not None for name in (language, EVERYBODYS)):
        return own or text
    found = (worded.in_letters(text, name, language) for name in languages() if name != language)
    return next((letters for letters in found if letters is not None), text)


def is_castling_to_any_side(text: str, language: str) -> bool:
    """Return whether a text is a word for castling, as `read_move` reads it, that leaves its side open."""
    return worded.names_castling(in_letters(text, language))


def is_in_words(text: str) -> bool:
    """Return whether what `in_letters` returns is in words, and so the blind player's.

    "Castles" tells as much as letters and is anybody's; "Rochade" is a word of the announcements.
    """
    if worded.names_castling(text) and load_vocabulary("de").read(text)[1]:
        return False
    return any(len(word) > 2 and word.isalpha() for word in text.split())


def _words(move: Written, vocabulary: Vocabulary) -> Iterator[str]:
    if move.target is None:
        yield from vocabulary.castling["long" if move.zeros == 3 else "short"][0]
        return
    if move.man is not None:
        yield vocabulary.pieces[move.man]
    if move.from_file is not None:
        yield vocabulary.files[move.from_file]
    if move.from_rank is not None:
        yield vocabulary.ranks[move.from_rank][0]
    if move.is_capture:
        yield vocabulary.capture[0]
    yield from vocabulary.square(move.target)
    if move.promotion is not None:
        yield vocabulary.pieces[move.promotion]


def _from_square_to_square(board: chess.Board, text: str, language: str) -> list[chess.Move]:
    """Return the move that the long notation names, legal or not: `Ng8-g6`, of the man who stands there."""
    said = _LONG.fullmatch(text)
    if said is None or said["begin"] == said["end"]:
        return []
    move = chess.Move.from_uci(said["begin"] + said["end"])
    man = board.piece_type_at(move.from_square)
    letters = {notation(name).letters.get(man, "") if man else None for name in (language, EVERYBODYS)}
    return [move] if said["man"] in letters else []


def _bare(text: str) -> str:
    """Return what is left of a text without the number before a move and the signs after it."""
    text = text.replace(_FILE_MARK, "").strip()
    while text.endswith((".", OFFER)):
        text = text.removesuffix(".").removesuffix(OFFER).rstrip()
    return _NUMBER.sub("", text)


def _alone(text: str, language: str) -> str:
    """Return what is written in letters without fillers and words about check, by which it would be words.

    "Also De4 Schach" is the queen's move; in the words of the announcements it would be that of the d-pawn.
    Nor is "exd6 en passant" put in words.
    """
    left = worded.without_check(_without_fillers(text))
    captured = worded.without_passing(left)
    if (taken := taken_apart(captured, language)) is not None and taken.from_file is not None:
        left = captured
    words, said = left.split(), taken_apart(left, language)
    if said is not None:
        begun = (" ".join(words[:count]) for count in range(1, len(words) + 1))
        left = next(each for each in begun if taken_apart(each, language) == said)
    if left == text or any(len(word) > 2 and word.isalpha() for word in left.split()):
        return text
    return left if any(taken_apart(left, name) is not None for name in languages()) else text


def _without_fillers(text: str) -> str:
    """Return a text without the words before and behind it that say nothing: "also", "bitte"."""
    words, vocabulary = text.split(), load_vocabulary("de")
    said = [not vocabulary.is_filler(word.strip(",.;!")) for word in words]
    if all(said) or not any(said):
        return text
    return " ".join(words[said.index(True) : len(said) - said[::-1].index(True)]).strip(",;")


def _with_capital(board: chess.Board, text: str, language: str) -> str:
    """Return a text with a capital for the man's letter, where a small a to h cannot be a pawn's file.

    It is a file where the player has a pawn on it that could go forward or capture to the square, were there
    anything to capture: a wrong move in the record is worse than a question.
    """
    letter = text[:1]
    if letter not in chess.FILE_NAMES or text[1:2] not in _AFTER_LETTER or not _writes(language, text):
        return text
    capital = letter.upper() + text[1:]
    move = taken_apart(capital, language)
    if move is None or move.target is None:
        return text
    file = chess.FILE_NAMES.index(letter)
    is_near = abs(file - chess.square_file(move.target)) <= 1
    pawns = board.pieces_mask(chess.PAWN, board.turn) & chess.BB_FILES[file]
    could_be_file = move.from_file is None and move.from_rank is None and is_near and bool(pawns)
    return text if could_be_file else capital


def _written(board: chess.Board, text: str, language: str) -> list[chess.Move] | None:
    """Return the legal moves that a text in the language's algebraic notation names, None if it is none."""
    try:
        return list(read(text, board, language))
    except (NotationError, HectorError):
        return None


def _in_other_letters(board: chess.Board, text: str) -> list[chess.Move]:
    """Return what a text names in the letters of any language, each move once.

    What English writes for one man and others for another is never the others' alone: `Rd7` may be a rook's
    move that is not legal, and the king's in its place would be a wrong move in the record.
    """
    if _is_mans(text, EVERYBODYS) and not _written(board, text, EVERYBODYS):
        return []
    moves = (move for name in _others_who_read(text) for move in _written(board, text, name) or ())
    return list(dict.fromkeys(moves))


def _others_who_read(text: str) -> tuple[str, ...]:
    """Return the languages in whose letters a text may be that is not in the player's own.

    What only some of its players read for a man gives way to what is written for one in English.
    """
    if not _writes(EVERYBODYS, text):
        return languages()
    return tuple(name for name in languages() if _writes(name, text))


def _writes(language: str, text: str) -> bool:
    """Return whether the letter that a text begins with is one that a language writes for a man."""
    return text[:1].upper() in notation(language).letters.values()


def _is_mans(text: str, language: str) -> bool:
    """Return whether a text is a move of a man in the letters that a language writes."""
    return _writes(language, text) and taken_apart(text, language) is not None


def promoted_to(letter: str, language: str) -> chess.PieceType | None:
    """Return the man that a pawn becomes by a capital, in a language or else in everybody's letters."""
    for name in (language, EVERYBODYS):
        men = {written: man for man, written in notation(name).letters.items()}
        if letter in men:
            # A letter of one's own language stands for nothing else: R is the Spaniards' king.
            return None if men[letter] == chess.KING else men[letter]
    return None


def begins_with_pawn(text: str, language: str) -> bool:
    """Return whether a text begins with the letter that some write for a pawn."""
    return notation(language).readable.get(text[:1]) == chess.PAWN


def _promotions(board: chess.Board, move: chess.Move) -> list[chess.Move]:
    """Return what a pawn may become whose new man was not named."""
    squares = chess.BB_SQUARES[move.from_square], chess.BB_SQUARES[move.to_square]
    return [] if move.promotion else [each for each in board.generate_legal_moves(*squares) if each.promotion]


def _castling_as_the_board_has_it(board: chess.Board, move: chess.Move) -> chess.Move:
    """Return castling written as the king's two squares in the way that this board writes it."""
    try:
        return board.parse_uci(move.uci())
    except ValueError:
        return move
