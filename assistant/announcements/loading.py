"""Reading a locale's vocabulary, and saying in one sentence what is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import NoReturn

import chess

from assistant.announcements.vocabulary import (
    Command,
    CommandPhrase,
    Vocabulary,
    Words,
    fold,
    spelling_variants,
)
from assistant.errors import HectorError
from assistant.resources import data_path

COMMANDS = frozenset(
    {
        "repeat",
        "correction",
        "times",
        "moves-completed",
        "moves-to-control",
        "last-move",
        "opponents-move",
        "position",
        "square",
        "piece",
        "offer-draw",
        "accept-draw",
        "decline-draw",
        "resign",
        "claim",
        "press",
        "yes",
        "no",
        "stop",
        "continue",
        "help",
        "arbiter",
        "adjust",
    }
)
"""The commands that a vocabulary gives words to, each at least one."""

CLAIMS = frozenset({"threefold", "fifty-moves", "flag", "illegal-move"})
"""What a claim can be of, in the words of the game script."""

_PLACEHOLDERS = {"square": "{square}", "piece": "{piece}"}
_ROLES_LIST = ("capture", "after_capture", "from", "to", "promotion")
_ROLES_WORD = ("en_passant", "check", "mate")
_ROLES_CASTLING = ("short_castling", "long_castling")


@lru_cache
def load_vocabulary(locale: str = "de") -> Vocabulary:
    """Return the vocabulary of a locale, from `locales/LOCALE/announcements.toml`.

    :raises HectorError: if there is none, or if the file is not as it has to be.
    """
    if not re.fullmatch(r"[a-z]{2}", locale):
        raise HectorError(
            "{locale!r} is not the name of a language: it has two letters, for example de.", locale=locale
        )
    name = f"locales/{locale}/announcements.toml"
    path = data_path("locales") / locale / "announcements.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise HectorError(
            "There are no announcements in the language {locale!r} yet: {name} is missing.",
            locale=locale,
            name=name,
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise HectorError(
            "The vocabulary {name} cannot be read: {reason}.", name=name, reason=error
        ) from error
    return parse_vocabulary(text, name)


def parse_vocabulary(text: str, name: str = "announcements.toml") -> Vocabulary:
    """Return the vocabulary written in a TOML text; `name` is how errors call it.

    :raises HectorError: with the first thing that is wrong, in one sentence.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise HectorError(
            "The vocabulary {name} is not valid TOML: {reason}.", name=name, reason=error
        ) from error
    return _Builder(name).build(data)


class _Builder:
    def __init__(self, name: str) -> None:
        self._name = name
        self._written: dict[str, str] = {}
        self._spellings: dict[str, Words] = {}

    def build(self, data: Mapping[str, object]) -> Vocabulary:
        self._keys(data, "the file", {"fillers", "words", "compounds", "roles", "commands"})
        self._words(self._table(data["words"], "words"))
        self._compounds(self._table(data["compounds"], "compounds"))
        fillers = self._fillers(data["fillers"])
        roles = self._table(data["roles"], "roles")
        expected = {"files", "ranks", "pieces", *_ROLES_LIST, *_ROLES_WORD, *_ROLES_CASTLING}
        self._keys(roles, "roles", expected)
        lists = {role: self._tokens(roles[role], f"roles.{role}") for role in _ROLES_LIST}
        words = {role: self._token(roles[role], f"roles.{role}") for role in _ROLES_WORD}
        castling = {role: self._phrases(roles[role], f"roles.{role}") for role in _ROLES_CASTLING}
        files = self._tokens(roles["files"], "roles.files")
        if len(files) != 8:
            self._fail(f"roles.files needs 8 words and has {len(files)}")
        rank_rows = self._list(roles["ranks"], "roles.ranks")
        if len(rank_rows) != 8:
            self._fail(f"roles.ranks needs 8 lists of words and has {len(rank_rows)}")
        ranks = tuple(self._tokens(row, f"roles.ranks, rank {n},") for n, row in enumerate(rank_rows, 1))
        pieces = self._pieces(roles["pieces"])
        self._one_role_each(
            files,
            *ranks,
            tuple(pieces.values()),
            lists["capture"],
            lists["from"],
            tuple({**dict.fromkeys(lists["after_capture"]), **dict.fromkeys(lists["to"])}),
            lists["promotion"],
            *((words[role],) for role in _ROLES_WORD),
            tuple({word: None for phrases in castling.values() for phrase in phrases for word in phrase}),
        )
        vocabulary = Vocabulary(
            written_forms=self._written,
            spellings=self._spellings,
            fillers=fillers,
            files=files,
            ranks=ranks,
            pieces=pieces,
            castling={"short": castling["short_castling"], "long": castling["long_castling"]},
            capture=lists["capture"],
            after_capture=lists["after_capture"],
            from_words=lists["from"],
            to_words=lists["to"],
            promotion=lists["promotion"],
            en_passant=words["en_passant"],
            check=words["check"],
            mate=words["mate"],
            commands=self._commands(data["commands"]),
        )
        self._commands_are_no_moves(vocabulary)
        return vocabulary

    def _words(self, table: Mapping[str, object]) -> None:
        for token, entry in table.items():
            if not re.fullmatch(r"[a-z]+", token):
                self._fail(f"the token {token!r} is not written in the letters a to z alone")
            fields = self._table(entry, f"words.{token}")
            self._keys(fields, f"words.{token}", {"written"}, optional={"spellings"})
            self._written[token] = self._text(fields["written"], f"words.{token}.written")
        for token, entry in table.items():
            fields = self._table(entry, f"words.{token}")
            others = self._list(fields.get("spellings", []), f"words.{token}.spellings")
            texts = [self._text(other, f"words.{token}.spellings") for other in others]
            for spelling in (token, self._written[token], *texts):
                self._spelling(spelling, (token,))

    def _compounds(self, table: Mapping[str, object]) -> None:
        for spelling, phrase in table.items():
            self._spelling(spelling, self._phrase(phrase, f"compounds.{spelling!r}"))

    def _spelling(self, spelling: str, tokens: Words) -> None:
        for variant in spelling_variants(spelling):
            if not variant.strip():
                self._fail(f"{' '.join(tokens)!r} has an empty spelling")
            if self._spellings.setdefault(variant, tokens) != tokens:
                first = " ".join(self._spellings[variant])
                self._fail(f"the spelling {variant!r} stands for {first!r} and for {' '.join(tokens)!r}")

    def _fillers(self, value: object) -> frozenset[str]:
        words = {fold(self._text(word, "fillers")) for word in self._list(value, "fillers")}
        for word in sorted(words):
            if not word.isalpha():
                self._fail(f"the filler {word!r} is not one plain word")
            if word in self._spellings:
                self._fail(f"the filler {word!r} is also a spelling of {self._spellings[word][0]!r}")
        return frozenset(words)

    def _pieces(self, value: object) -> dict[chess.PieceType, str]:
        table = self._table(value, "roles.pieces")
        names = {chess.piece_name(piece): piece for piece in chess.PIECE_TYPES}
        self._keys(table, "roles.pieces", set(names))
        return {piece: self._token(table[name], f"roles.pieces.{name}") for name, piece in names.items()}

    def _one_role_each(self, *groups: Words) -> None:
        seen: set[str] = set()
        for group in groups:
            for word in group:
                if word in seen:
                    self._fail(f"the word {word!r} has two roles in an announcement")
                seen.add(word)

    def _commands(self, value: object) -> tuple[CommandPhrase, ...]:
        found: list[CommandPhrase] = []
        patterns: set[Words] = set()
        for number, entry in enumerate(self._list(value, "commands"), 1):
            where = f"command {number}"
            table = self._table(entry, where)
            self._keys(table, where, {"name", "phrases"}, optional={"of", "confirm"})
            name = self._text(table["name"], f"the name of {where}")
            if name not in COMMANDS:
                self._fail(f"there is no command {name!r}")
            of = table.get("of")
            if of is not None and (name != "claim" or of not in CLAIMS):
                self._fail(f"the command {name!r} cannot be of {of!r}")
            confirm = table.get("confirm", False)
            if not isinstance(confirm, bool):
                self._fail(f"confirm of the command {name!r} is neither true nor false")
            command = Command(name, of if isinstance(of, str) else None, confirm=confirm)
            for pattern in self._phrases(table["phrases"], f"the command {name!r}", _PLACEHOLDERS.get(name)):
                if pattern in patterns:
                    self._fail(f"the phrase {' '.join(pattern)!r} stands for two commands")
                patterns.add(pattern)
                found.append(CommandPhrase(pattern, command))
        missing = COMMANDS - {phrase.command.name for phrase in found}
        if missing:
            self._fail(f"the command {min(missing)!r} has no phrase")
        return tuple(found)

    def _commands_are_no_moves(self, vocabulary: Vocabulary) -> None:
        moves = {phrase for phrases in vocabulary.castling.values() for phrase in phrases}
        for phrase in vocabulary.commands:
            roles = {vocabulary.role_of.get(word) for word in phrase.pattern}
            if phrase.pattern in moves or {"F", "R"} <= roles:
                self._fail(f"the command {' '.join(phrase.pattern)!r} could be a move")

    # The values of the file, checked.

    def _fail(self, problem: str) -> NoReturn:
        raise HectorError("The vocabulary {name} is wrong: {problem}.", name=self._name, problem=problem)

    def _keys(
        self, table: Mapping[str, object], where: str, needed: set[str], optional: set[str] | None = None
    ) -> None:
        missing = needed - table.keys()
        if missing:
            self._fail(f"{where} has no {min(missing)!r}")
        surplus = table.keys() - needed - (optional or set())
        if surplus:
            self._fail(f"{where} has {min(surplus)!r}, which means nothing")

    def _table(self, value: object, where: str) -> Mapping[str, object]:
        if not isinstance(value, dict):
            self._fail(f"{where} is not a table")
        return value

    def _list(self, value: object, where: str) -> list[object]:
        if not isinstance(value, list):
            self._fail(f"{where} is not a list")
        return value

    def _text(self, value: object, where: str) -> str:
        if not isinstance(value, str) or not value.strip():
            self._fail(f"{where} is not a text")
        return value

    def _token(self, value: object, where: str) -> str:
        token = self._text(value, where)
        if token not in self._written:
            self._fail(f"{where} names {token!r}, which is not among the words")
        return token

    def _tokens(self, value: object, where: str) -> Words:
        tokens = tuple(self._token(word, where) for word in self._list(value, where))
        if not tokens:
            self._fail(f"{where} is empty")
        if len(set(tokens)) != len(tokens):
            self._fail(f"{where} names a word twice")
        return tokens

    def _phrase(self, value: object, where: str, placeholder: str | None = None) -> Words:
        words = self._text(value, where).split()
        return tuple(word if word == placeholder else self._token(word, where) for word in words)

    def _phrases(self, value: object, where: str, placeholder: str | None = None) -> tuple[Words, ...]:
        phrases = tuple(self._phrase(text, where, placeholder) for text in self._list(value, where))
        if not phrases:
            self._fail(f"{where} has no phrase")
        for phrase in phrases:
            if placeholder is not None and phrase.count(placeholder) != 1:
                self._fail(f"{where} has a phrase without {placeholder}")
        if len(set(phrases)) != len(phrases):
            self._fail(f"{where} has a phrase twice")
        return phrases
