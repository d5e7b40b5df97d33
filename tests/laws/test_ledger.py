"""The ledger itself: whole, answered, and every row that needs a test carried by one."""

from __future__ import annotations

import re

import chess
import pytest
from played import Played

from assistant.laws import edition_names, ledger, load_edition
from benchmarks.ledger import coverage


def test_the_ledger_holds_every_edition_and_kind_of_row() -> None:
    rows = ledger.rows()
    assert {row.edition for row in rows} == set(ledger.EDITIONS)
    assert {row.software for row in rows} == set(ledger.SOFTWARE)
    assert len(rows) == len({row.id for row in rows}) >= 1181


def test_every_row_is_found_by_its_own_article() -> None:
    lost = [row.id for row in ledger.rows() if row not in ledger.by_article(row.edition, row.article)]
    assert lost == []


@pytest.mark.parametrize(
    ("edition", "article", "ids"),
    [
        ("2014", "7.5 (b)", ["L14-7.5b1", "L14-7.5b2", "L14-7.5b3"]),
        ("2014", "Article 7.5b", ["L14-7.5b1", "L14-7.5b2", "L14-7.5b3"]),
        ("2014", "12.2.c", ["L14-12.2"]),
        ("2005", "A.4.b", ["L05-A.4b"]),
        ("2023", "Guideline III.5.3", ["L23-III.5.3"]),
        ("2023", "7.4.2", ["L23-7.4"]),
        ("2023", "7.40", []),
        ("2023", "", []),
        ("1997", "9.2", []),
    ],
)
def test_an_article_is_found_however_it_is_written(edition: str, article: str, ids: list[str]) -> None:
    assert [row.id for row in ledger.by_article(edition, article)] == ids


def test_a_silent_edition_borrows_the_article_and_says_so() -> None:
    own = ledger.law_text("2009", "9.3.b")
    borrowed = ledger.law_text("1997", "9.3.b")
    assert own is not None and borrowed is not None
    assert (own.borrowed, borrowed.borrowed) == (False, True)
    assert (borrowed.edition, borrowed.article, borrowed.text) == ("2009", "9.3.b", own.text)


def test_appendix_a_of_2018_is_never_taken_from_the_renumbered_one_of_2023() -> None:
    answer = ledger.law_text("2018", "A.3.1")
    assert answer is not None and "at most three games" in answer.text and not answer.borrowed
    assert ledger.law_text("2018", "A.5.5") is None


@pytest.mark.parametrize(
    ("language", "clause"),
    [
        ("en", "It cannot be changed any more."),
        ("de", "Er kann nicht mehr geändert werden."),
        ("es", "Ya no se puede cambiar."),
        ("fr", "Il ne peut plus être changé."),
        ("pl", "Posunięcia nie można już zmienić."),
    ],
)
def test_that_the_move_written_for_a_claim_cannot_be_changed_is_told_from_2014_on(
    language: str, clause: str
) -> None:
    """Of both claims, 9.2 and 9.3; the text of 2009 does not have the clause."""
    written = {"2014": ("9.2a", "9.3a"), "2018": ("9.2.1.1", "9.3.1"), "2023": ("9.2.1", "9.3.1")}
    for edition, articles in ({"2009": ("9.2a", "9.3a")} | written).items():
        for article in articles:
            answer = ledger.law_text(edition, article, language)
            assert answer is not None
            assert answer.text.endswith(clause) == (edition in written), (edition, article)


def test_an_article_that_does_not_exist_has_no_text() -> None:
    for edition in ledger.EDITIONS:
        assert ledger.law_text(edition, "99.1") is None
        assert ledger.law_text(edition, "nonsense") is None
        assert ledger.law_text(edition, "  ") is None


def test_an_article_with_many_points_is_answered_with_their_numbers() -> None:
    answer = ledger.law_text("2023", "7.5")
    assert answer is not None
    assert "7.5.1, 7.5.2, 7.5.3, 7.5.4, 7.5.5" in answer.text
    duties = ledger.law_text("2023", "D.2.10", "de")
    assert duties is not None and duties.text.startswith("Ein blinder Spieler darf")
    assert "D.2.10.1" in duties.text and "D.2.10, " not in duties.text


@pytest.mark.parametrize("language", ledger.LANGUAGES)
@pytest.mark.parametrize("edition", ledger.EDITIONS)
def test_every_row_of_every_edition_is_told_in_every_language(edition: str, language: str) -> None:
    rows = [row for row in ledger.rows() if row.edition == edition]
    untold = []
    for row in rows:
        answer = ledger.law_text(edition, row.article, language)
        assert answer is not None and answer.edition == edition, row.id
        if answer.language != language:
            untold.append(row.id)
    assert len(rows) >= 46
    assert untold == [], f"rows without a text in {language}"


def test_a_player_who_asks_for_an_article_is_told_it_in_his_language() -> None:
    game = Played("2023", white={"blind": True, "language": "de"})
    [answer] = game.do("ask", "white", about="law", article="9.4")
    assert (answer["event"], answer["article"], answer["language"]) == ("answer", "2023 9.4", "de")
    assert answer["text"] == "Wer eine Figur berührt hat, kann in diesem Zug nicht mehr reklamieren."
    [english] = game.do("ask", "black", about="law", article="9.4")
    assert english["text"].startswith("Whoever has touched a man")
    assert game.status["ply"] == 0 and game.status["running"] == "white"


def test_a_borrowed_article_is_cited_as_borrowed() -> None:
    [answer] = Played("1997").do("ask", "white", about="law", article="9.3b")
    assert (answer["article"], answer["borrowed"]) == ("2009 9.3.b", True)


def test_an_article_that_does_not_exist_is_refused() -> None:
    said = Played("2023").do("ask", "white", about="law", article="99")
    assert said[-1]["event"] == "refused" and "99" in said[-1]["reason"]


def test_every_ruling_of_every_edition_rests_on_an_article_that_can_be_asked_for() -> None:
    for name in edition_names():
        edition = load_edition(name)
        for play_class, articles in edition.articles.items():
            for kind, cited in articles.items():
                answer = ledger.law_text(cited.edition, cited.number)
                assert answer is not None, (name, play_class, kind, str(cited))


def test_a_language_without_texts_is_answered_in_english() -> None:
    answer = ledger.law_text("2023", "11.4", "it")
    assert answer is not None and answer.language == "en"


@pytest.mark.parametrize("language", ledger.LANGUAGES)
def test_what_is_spoken_is_short_sentences_without_signs_a_voice_stumbles_over(language: str) -> None:
    for row in ledger.rows():
        answer = ledger.law_text(row.edition, row.article, language)
        assert answer is not None
        assert not re.search(r"[\[\]{}=+/_]|As L\d\d-", answer.text), (row.id, answer.text)
        assert max(len(one.split()) for one in re.split(r"[.:;] ", answer.text)) <= 45, (row.id, answer.text)


def test_every_position_and_game_in_an_example_is_possible() -> None:
    for row in ledger.rows():
        fens = re.findall(r'FEN(960)? "([^"]+)"', row.test)
        boards = [chess.Board(fen, chess960=bool(kind)) for kind, fen in fens] or [chess.Board()]
        assert all(board.is_valid() for board in boards), row.id
        for game in re.findall(r"\[(1\.[^\]]+)\]", row.test):
            assert any(_plays(board.copy(), game) for board in boards), (row.id, game)


def _plays(board: chess.Board, game: str) -> bool:
    try:
        for move in re.sub(r"\d+\.+", "", game).split():
            board.push_san(move)
    except ValueError:
        return False
    return True


@pytest.mark.slow
def test_every_row_that_needs_a_test_has_one_or_a_reason() -> None:
    found = coverage()
    needed = {row.id for row in found.needed}
    assert set(found.tests) <= {row.id for row in ledger.rows()}, "tests carry ids that are no rows"
    assert set(found.exceptions) <= needed, "exceptions for rows that need no test"
    assert not set(found.exceptions) & set(found.tests), "rows with a test are no exceptions"
    assert all(len(reason.split()) >= 8 for reason in found.exceptions.values())
    assert len(found.exceptions) < 0.03 * len(needed)
    assert [row.id for row in found.open] == [], "rows without a test and without a reason"
