"""The ledger: every rule of every edition as one row, and what a player is told who asks for a Law.

`ledger.tsv` holds the rules in our own words with an example each; `advice.toml` holds what is spoken.
A row belongs to one edition and one article. What its column `software` says decides who keeps the rule:
`engine` the referee itself, `arbiter-action` the referee at the arbiter's word, `record` what is written
down, `advice` nobody (it is told on request), `out` none of Hector's business.

Where the ledger leaves the printed texts (they contradict themselves in places):
- 2018 has rows of its own wherever it is not 2014: two hands, press without a move, five-fold, default
  time, colours reversed, rapid and blitz without full supervision. Its other articles read as in 2023.
- 2023 has resignation at 5.1.2 and stalemate at 5.2.1, `A.6` names A.4 and A.5, `B.3` names A.2, A.3 and
  A.5, `B.4` names B.2 and B.3; threefold is 9.2.1-9.2.3; some printings have other numbers.
- 2023 C.13: `++` is read as mate, never as check.
- 1997 E.9(1): two men on one rank are told apart by the file, as its examples do, not by the rank.
- 2009 6.3 counts the moves of 6.2a, 9.1b1 sends to 12.6, 12.9 to 12.8, Guidelines 8 and 10 mean 6.9.
- 2014 A.4a(2): with a misplaced rook only castling with that rook is lost.
- The draw of 2009 7.4b at the third illegal move is shown with a bare king: bishop against bishop of the
  same colour, often given as the example, is a dead position and has ended the game before.
- Where the arbiter's commentary of 2014 contradicts its article, the article wins.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from assistant.errors import HectorError

_FOLDER = Path(__file__).resolve().parent

COLUMNS = ("id", "edition", "article", "area", "rule", "software", "test")
EDITIONS = ("1997", "2005", "2009", "2014", "2018", "2023", "blitz-co")
SOFTWARE = ("engine", "arbiter-action", "record", "advice", "out")
TESTED = ("engine", "arbiter-action", "record")
"""What a test has to show; the rest is told or left alone."""
LANGUAGES = ("en", "de", "es", "fr", "pl")

_LONGEST_ANSWER = 6
"""Rows one answer may hold; of an article with more only the whole is told, and its points are named."""

_SAME = re.compile(r"As ((?:L\d\d|COL)-[^ :]+): ")
_REMARK = re.compile(r"\s*\[[^\]]*\]")

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One rule of one edition."""

    id: str
    """`L23-7.5.3`: the edition's year, then the article with a letter where it holds several rules."""
    edition: str
    article: str
    """As that edition numbers it; a range where one row covers several points."""
    area: str
    rule: str
    """The rule in our own words, with "As L14-..." where an older edition has the same one."""
    software: str
    test: str
    """An example: given, when, then. Empty for rows that no test can show."""

    @property
    def same_as(self) -> str | None:
        """The id of the row of another edition with the same rule, if the ledger names one."""
        match = _SAME.match(self.rule)
        return match[1] if match else None

    @property
    def differs(self) -> bool:
        """Whether a remark in brackets says how this edition differs from the others."""
        return "[" in self.rule

    @property
    def text(self) -> str:
        """The rule alone, without the reference and the remarks on other editions."""
        text = _REMARK.sub("", _SAME.sub("", self.rule, count=1)).strip()
        return text[:1].upper() + text[1:]

    @property
    def tested(self) -> bool:
        """Whether the rule is one that a test must show."""
        return self.software in TESTED

    @property
    def commentary(self) -> bool:
        """Whether it is the opinion of a commentator and not an article."""
        return "(commentary)" in self.article


@dataclass(frozen=True, slots=True)
class LawText:
    """What a player is told who asked for an article."""

    edition: str
    """The edition whose text it is."""
    article: str
    text: str
    """Short sentences in `language`, to be spoken."""
    language: str
    """The language asked for, or English where the article has no text in it."""
    borrowed: bool
    """Whether the edition asked for is silent and another one answers."""
    german: tuple[str, ...] = ()
    """What in the text of another language is German."""


@cache
def rows() -> tuple[Row, ...]:
    """Return all rows in the order of the file.

    :raises HectorError: if the file is damaged; the message names the line.
    """
    lines = (_FOLDER / "ledger.tsv").read_text(encoding="utf-8").splitlines()
    if tuple(lines[0].split("\t")) != COLUMNS:
        raise HectorError(
            "The ledger of the Laws must begin with the columns {columns}.", columns=", ".join(COLUMNS)
        )
    table = tuple(_row(number, line) for number, line in enumerate(lines[1:], start=2))
    twice = [id for id, count in Counter(row.id for row in table).items() if count > 1]
    if twice:
        raise HectorError("The ledger of the Laws has two rows {twice}.", twice=twice[0])
    ids = {row.id for row in table}
    for row in table:
        if row.same_as is not None and row.same_as not in ids:
            raise HectorError(
                "Row {id} of the ledger refers to {same_as}, which does not exist.",
                id=row.id,
                same_as=row.same_as,
            )
    return table


def _row(number: int, line: str) -> Row:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        raise HectorError(
            "Line {number} of the ledger has {count} columns instead of {needed}.",
            number=number,
            count=len(cells),
            needed=len(COLUMNS),
        )
    row = Row(*cells)
    if row.edition not in EDITIONS:
        raise HectorError(
            "Line {number} of the ledger names an unknown edition: {edition}.",
            number=number,
            edition=row.edition,
        )
    if row.software not in SOFTWARE:
        raise HectorError(
            "Line {number} of the ledger has an unknown kind of row: {software}.",
            number=number,
            software=row.software,
        )
    if not (row.id and row.article and row.area and row.rule) or row.tested != bool(row.test):
        raise HectorError(
            "Line {number} of the ledger ({id}) lacks a cell or has one too many.", number=number, id=row.id
        )
    return row


@cache
def _by_id() -> dict[str, Row]:
    return {row.id: row for row in rows()}


def by_article(edition: str, article: str) -> tuple[Row, ...]:
    """Return the rows of an article and of its points, in the order of the ledger.

    The number may be written in any usual way: `7.5b`, `7.5.b`, `Article 7.5 (b)`, `A4.c`. A row whose
    article is a range is found by every number in it. Nothing is borrowed: an edition that is silent has
    no rows.
    """
    wanted = _wanted(article)
    return tuple(
        row
        for row in rows()
        if wanted
        and row.edition == edition
        and any(_within(wanted, span) or span[0][: len(wanted)] == wanted for span in _spans(row.article))
    )


def law_text(edition: str, article: str, language: str = "en") -> LawText | None:
    """Return what to tell a player who asks for an article; None if there is no such article.

    An edition that is silent borrows, as its rulings do. The points of an article that has many are named,
    not told. A commentator's opinion is told only where "commentary" stands after the number or there
    is nothing else. English stands in where a text has not been written in `language`.
    """
    wanted = _wanted(article)
    if not wanted:
        return None
    for source in (edition, *_lenders(edition, wanted)):
        found = _fitting(by_article(source, article), article)
        if found:
            return _answer(found, source, wanted, language, source != edition)
    if len(wanted) > 2:
        exact = [
            r for r in rows() if r.edition == edition and any(s[0] == wanted[:-1] for s in _spans(r.article))
        ]
        if exact:
            return _answer(_fitting(exact, article), edition, wanted[:-1], language, False)
    return None


def _fitting(found: Iterable[Row], article: str) -> tuple[Row, ...]:
    """Leave the commentary out unless it was asked for or there is nothing else."""
    found = tuple(found)
    if "commentary" in article.lower():
        opinions = tuple(row for row in found if row.commentary)
        exact = tuple(row for row in opinions if _spans(row.article)[0][0] == _wanted(article))
        return exact or opinions or found
    return tuple(row for row in found if not row.commentary) or found


def _lenders(edition: str, wanted: Key) -> tuple[str, ...]:
    """The editions asked in turn where one is silent; appendices A and B of 2018 are numbered as in 2014."""
    if edition == "2018":
        return ("2014",) if wanted[0] in ("a", "b") else ("2023", "2014")
    return {"1997": ("2009", "2005"), "2005": ("2009",), "2009": ("2005",), "blitz-co": ("2009",)}.get(
        edition, ()
    )


def _answer(found: tuple[Row, ...], edition: str, wanted: Key, language: str, borrowed: bool) -> LawText:
    name = _written(wanted, found)
    whole = tuple(row for row in found if any(_within(wanted, span) for span in _spans(row.article)))
    points: tuple[str, ...] = ()
    if len(found) > _LONGEST_ANSWER:
        points = tuple(dict.fromkeys(_point(row, wanted) for row in found if row not in whole))
        found = whole if points else found
    for spoken in (language, "en"):
        parts = [_spoken(row, spoken) for row in found]
        if all(parts) and spoken in LANGUAGES:
            break
    if points:
        parts.append(_texts()["points"][spoken].format(article=name, points=", ".join(points)))
    text = " ".join(dict.fromkeys(part for part in parts if part))
    german = tuple(words for words in _texts()["german"]["words"] if spoken != "de" and words in text)
    return LawText(edition, name, text, spoken, borrowed, german)


def _written(wanted: Key, found: tuple[Row, ...]) -> str:
    """The article's name as the edition writes it, for the citation."""
    if len({row.article for row in found}) == 1 and _spans(found[0].article)[0][0] == wanted:
        return found[0].article
    first = wanted[0].upper() if len(wanted[0]) <= 3 else wanted[0].capitalize()
    return ".".join((first, *wanted[1:]))


def _point(row: Row, wanted: Key) -> str:
    """The number of the next deeper level at which a row stands below `wanted`."""
    first = _spans(row.article)[0][0]
    return _written(first[: len(wanted) + 1], ())


def _spoken(row: Row, language: str) -> str | None:
    own = _own_texts(row)
    if language in own:
        return own[language]
    return _sentence(row.text) if language == "en" else None


def _own_texts(row: Row) -> Mapping[str, str]:
    """The texts written for a row, or for the row of another edition that says the same."""
    texts: dict[str, dict[str, str]] = _texts()["rows"]
    if row.id in texts:
        return texts[row.id]
    # What differs from the older edition must not be told in its words, except where it is only told.
    if row.same_as in texts and (row.software == "advice" or not row.differs):
        return texts[row.same_as]
    return _by_wording().get(row.text, {}) if row.edition == "2018" else {}


@cache
def _by_wording() -> dict[str, dict[str, str]]:
    """The rules of 2023 that have texts, by their wording: 2018 says the same in the same words."""
    texts: dict[str, dict[str, str]] = _texts()["rows"]
    return {row.text: texts[row.id] for row in rows() if row.edition == "2023" and row.id in texts}


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


@cache
def _texts() -> dict[str, Any]:
    """Return `advice.toml`; a row of its table `same` has the texts of the row that it names.

    :raises HectorError: if it holds a text for a row that does not exist, or none in English, or names a
        row that has no texts of its own.
    """
    with (_FOLDER / "advice.toml").open("rb") as file:
        texts = tomllib.load(file)
    written = dict(texts["rows"])
    for id, other in texts["same"].items():
        if id in written or other not in written:
            raise HectorError(
                "advice.toml: {id} has texts of its own, or {other} has none.", id=id, other=other
            )
        texts["rows"][id] = written[other]
    for id, own in texts["rows"].items():
        if id not in _by_id():
            raise HectorError("advice.toml has a text for {id}, which is no row of the ledger.", id=id)
        if "en" not in own or not set(own) <= set(LANGUAGES):
            raise HectorError(
                "advice.toml: {id} must have an English text, and no language but {languages}.",
                id=id,
                languages=LANGUAGES,
            )
    return texts


@cache
def _spans(article: str) -> tuple[tuple[Key, Key], ...]:
    """The articles that a row's column names: first and last of each range."""
    name = re.sub(r" with .*| \((?!adjourned|omission)[A-Za-z]{3,}[^)]*\)", "", article)
    if name.endswith(" (adjourned)"):
        name = "adjourned " + name.removesuffix(" (adjourned)")
    spans = []
    for one in re.split(r"(?<=\d)/(?=\d)", name):
        first, dash, last = one.partition("-")
        low, high = _key(first), _key(last)
        if not dash or not high or " " in last.strip():
            low = high = _key(one)
        elif len(high) < len(low):
            high = low[: len(low) - len(high)] + high
        spans.append((low, high))
    return tuple(spans)


def _wanted(article: str) -> Key:
    """The key of an article as a person or a row of the ledger writes it."""
    return _spans(re.sub(r" *\(?commentary\)?", "", article, flags=re.IGNORECASE))[0][0]


@cache
def _key(article: str) -> Key:
    """The parts of an article's number, lower case: `7.5 (b)` and `7.5b` are ("7", "5", "b")."""
    parts = re.findall(r"\d+|[^\W\d_]+", article.lower())
    noise = {"article", "articles", "art", "arts", "appendix", "guideline", "blitz", "rule"}
    return tuple(part for part in parts if part not in noise)


def _within(wanted: Key, span: tuple[Key, Key]) -> bool:
    low, high = span
    if wanted in (low, high):
        return True
    same_level = len(wanted) == len(high) and wanted[:-1] == high[:-1]
    return same_level and _rank(low[: len(high)]) <= _rank(wanted) <= _rank(high)


def _rank(key: Key) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (0, part) for part in key]
