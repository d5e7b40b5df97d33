"""The commands of an adjourned game, from the arbiter's key to the opened envelope."""

from __future__ import annotations

import io
import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.announcements import load_vocabulary
from assistant.cli import main
from assistant.cli.passphrase import read_line, read_only_line
from assistant.errors import HectorError, UsageError
from assistant.journal import read
from assistant.scoresheet import louis
from assistant.sealing import Work, new_key, public_key
from assistant.sides import SIDES
from assistant.table import PaperVoice, Person, Setup, open_record
from assistant.table.adjourning import KEY_FILE, keep_key, stopped_game
from assistant.table.course import Course
from assistant.table.setup import Opponent

ROOT = Path(__file__).resolve().parents[2]
PHRASE = "drei kleine Springer"
KEY = new_key(PHRASE, Work(passes=1, memory=8192))
VOCABULARY = load_vocabulary("de")


class Club:
    """A club evening: a game on the disk, the arbiter's key, and who sits at the keyboard."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.game = folder / "game"
        self.key = folder / "key.json"
        self.key.write_bytes(KEY)
        self.phrase = self.written("phrase", PHRASE)
        self._capsys = capsys

    def written(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(f"{text}\n", encoding="utf-8")
        return str(path)

    def begin(
        self, laws: str = "2023", mode: str = "rated", moves: Sequence[str] = ("e2e4", "e7e5"), **others: Any
    ) -> Club:
        people = {"white": Person("Ana", blind=True), "black": Person("Tom")}
        setup = Setup(**{"time_control": "5400", **people, **others}, laws=laws, mode=mode)  # type: ignore[arg-type]
        record = open_record(self.game, print)
        course = Course(setup, VOCABULARY, PaperVoice(), record, lambda line: None)
        course.begin(0.0)
        for at, (side, move) in enumerate(zip(SIDES, moves, strict=False), 1):
            for verb in ("place", "announce", "press"):
                course.rule({"at": at * 7, "do": verb, "side": side, "move": move})
        record.close()
        return self

    def run(self, *arguments: str, status: int = 0) -> str:
        assert main([str(each) for each in arguments]) == status, self._capsys.readouterr().err
        said = self._capsys.readouterr()
        if status:
            assert len(said.err.strip().splitlines()) == 1, said.err
        return said.err if status else said.out

    def seal(self, move: str = "Sf3") -> str:
        return self.run(
            "seal", str(self.game), "--to", str(self.key), "--move-file", self.written("move", move)
        )

    def open(self, *options: str, phrase: str = "", present: str = "white,black", status: int = 0) -> str:
        return self.run(
            "open-envelope", str(self.game), "--key", str(self.key), "--present", present,
            "--passphrase-file", phrase or self.phrase, *options, status=status,
        )  # fmt: skip

    @property
    def verbs(self) -> list[str]:
        return [str(line["do"]) for line in read(self.game).lines[1:]]


@pytest.fixture
def club(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Club:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return Club(tmp_path, capsys).begin()


def test_a_key_is_made_printed_and_never_replaced(club: Club) -> None:
    made = club.run("arbiter-key", "--passphrase-file", club.phrase)
    path = club.folder / "data" / "hector" / "arbiter-key.json"
    key = public_key(path.read_bytes())
    assert key.text in made and key.fingerprint in made
    assert path.stat().st_mode & 0o077 == 0
    assert club.run("arbiter-key", "--public") == f"Public key: {key.text}\nFingerprint: {key.fingerprint}\n"
    assert "never replaced" in club.run("arbiter-key", "--passphrase-file", club.phrase, status=2)
    assert public_key(path.read_bytes()) == key


def test_a_sealed_move_goes_into_the_envelope_and_out_again(club: Club) -> None:
    sealed = club.seal("Springer Felix drei")
    mark = next(line for line in sealed.splitlines() if line.startswith("Mark of the seal: "))
    # Words, and no sign of three letters: the box is in letters that come by chance.
    assert "Springer" not in sealed and "Springer" not in (club.game / "journal.jsonl").read_text()
    opened = club.open()
    assert opened.splitlines()[:2] == [mark, "The sealed move: Nf3"]
    assert club.verbs[-4:] == ["arrive", "arrive", "resume", "open-envelope"]
    assert "not adjourned" in club.open(status=1)


@pytest.mark.parametrize(("language", "move"), [("de", "Sf3"), ("fr", "Cf3")])
def test_the_sealed_move_has_the_letters_of_the_language(club: Club, language: str, move: str) -> None:
    club.seal("Springer Felix drei")
    opened = club.run(
        "--lang", language, "open-envelope", str(club.game), "--key", str(club.key),
        "--present", "white,black", "--passphrase-file", club.phrase,
    )  # fmt: skip
    assert any(line.endswith(f": {move}") for line in opened.splitlines())


def test_a_resumption_that_is_no_text_is_refused_before_anything_is_ordered(club: Club) -> None:
    before = club.verbs
    assert "--resumption" in club.run("seal", str(club.game), "--resumption", "\udcff", status=2)
    assert club.verbs == before


def test_the_envelope_stays_closed_without_the_player_who_must_reply(club: Club) -> None:
    """I.7."""
    club.seal()
    before = club.verbs
    said = club.open(present="white,arbiter", status=1)
    assert said.startswith("hector: Tom must reply") and "(2023 I.7)" in said
    assert club.verbs == before


@pytest.mark.parametrize(("laws", "article"), [("1997", "A.7"), ("2009", "Guidelines 7"), ("2014", "E.7")])
def test_the_presence_is_asked_for_by_the_games_own_edition(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], laws: str, article: str
) -> None:
    club = Club(tmp_path, capsys).begin(laws)
    club.seal()
    assert f"({laws} {article})" in club.open(present="white", status=1)


def test_a_wrong_passphrase_changes_nothing(club: Club) -> None:
    club.seal()
    before = club.verbs
    assert "passphrase is wrong" in club.open(phrase=club.written("wrong", "nobody knows"), status=1)
    assert club.verbs == before


def test_an_illegal_sealed_move_loses_and_the_article_is_named(club: Club) -> None:
    """I.8.3."""
    club.seal("Sg1-g3")
    assert "The game is over: 0-1, the sealed move does not count (2023 I.8.3)." in club.open()
    assert "is over" in club.open(status=1)


def test_what_the_arbiter_has_to_decide_is_told_in_words(club: Club) -> None:
    """I.8.2."""
    club.seal("the king, I think")
    said = club.open()
    assert "The envelope holds: the king, I think" in said
    assert "Arbiter: which move counts? Proposal: 0-1 (2023 I.8.2)." in said


def test_an_envelope_that_lies_open_is_opened_once_more_until_it_is_ruled_on(club: Club) -> None:
    """I.8.2: what it holds is asked about; once that is answered, nothing of the game changes."""
    club.seal("the king, I think")
    club.open()
    assert "The envelope holds: the king, I think" in club.open()
    with stopped_game(club.game) as (_adjournment, course):
        course.rule({"at": course.now, "do": "rule", "claim": "reject"})
    verbs = club.verbs
    assert "is open already" in club.open(status=1)
    assert club.verbs == verbs


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "Die Partie ist beendet: 0-1, der Abgabezug gilt nicht (2023 I.8.3)."),
        ("fr", "La partie est terminée\u00a0: 0-1, le coup sous enveloppe ne compte pas (2023 I.8.3)."),
    ],
)
def test_why_the_game_is_over_is_told_in_the_language_of_the_messages(
    club: Club, language: str, told: str
) -> None:
    club.seal("Sg1-g3")
    assert told in club.open("--lang", language)


def test_a_player_without_a_name_is_named_by_his_side_in_the_language_of_the_messages(
    club: Club, tmp_path: Path
) -> None:
    club.game = tmp_path / "nameless"
    club.begin(white=Person("White", blind=True), black=Person("Black"))
    move = club.written("move", "Sf3")
    said = club.run("--lang", "de", "seal", str(club.game), "--to", str(club.key), "--move-file", move)
    assert said.startswith("Weiß gibt einen Zug ab.")
    assert "hector: Schwarz muss auf den Abgabezug antworten" in club.open(
        "--lang", "de", present="white", status=1
    )


@pytest.mark.parametrize(
    ("language", "seals", "makes"),
    [
        ("es", "Jugada secreta de blancas.", "el jugador que selló la jugada (blancas) la hace."),
        ("fr", "Coup sous enveloppe\u00a0: Blancs.", "le joueur qui y a mis le coup (Blancs) le joue."),
        ("pl", "Zapis tajnego posunięcia: białe.", "który zapisał tajne posunięcie (białe), wykonuje je."),
    ],
)
def test_a_side_of_many_men_is_never_what_one_man_does(
    club: Club, tmp_path: Path, language: str, seals: str, makes: str
) -> None:
    club.game = tmp_path / "nameless"
    club.begin(white=Person("White", blind=True), black=Person("Black"))
    move = club.written("move", "Nf3")
    said = club.run("--lang", language, "seal", str(club.game), "--to", str(club.key), "--move-file", move)
    assert said.startswith(seals)
    assert makes in club.open("--lang", language, "--lost")


def test_an_illegal_move_that_is_declared_loses(club: Club) -> None:
    """I.12.1 with I.8.3."""
    club.seal("Sf3")
    said = club.open("--lost", "--declared", "e1e3")
    assert "The game is over: 0-1, the sealed move does not count (2023 I.8.3)." in said
    assert "goes on" not in said


@pytest.mark.parametrize(
    ("laws", "told"),
    [
        ("2009", "Arbiter: Black is late. Is the game lost? Proposal: 1-0 (2009 Guidelines 10)."),
        ("1997", "The game is over: 1-0, default time exceeded (1997 A.10)."),
    ],
)
def test_whoever_comes_too_late_is_told_of_at_the_opening(
    club: Club, tmp_path: Path, laws: str, told: str
) -> None:
    """I.10: lost after the default time, unless the arbiter decides otherwise; in 1997 without him."""
    club.game = tmp_path / "late"
    club.begin(laws)
    club.seal("Sf3")
    with stopped_game(club.game) as (adjournment, course):
        adjournment.arrive("white", course.now)
        adjournment.resume(course.now)
        course.rule({"at": course.now + 4000, "do": "ask", "side": "arbiter", "about": "times"})
    said = club.open()
    assert told in said
    assert ("The sealed move: Nf3" in said) is (laws == "2009")


def test_the_envelope_is_opened_without_the_player_whose_flag_is_down(club: Club) -> None:
    """6.9: unless the sealed move has ended the game."""
    club.seal("Sf3")
    with stopped_game(club.game) as (adjournment, course):
        adjournment.arrive("white", course.now)
        adjournment.resume(course.now)
        course.rule({"at": course.now + 6000, "do": "ask", "side": "arbiter", "about": "times"})
    said = club.open(present="white")
    assert "The sealed move: Nf3" in said
    assert "The game is over: 1-0, time exceeded (2023 6.9)." in said


def test_a_key_that_was_lost_leaves_the_declared_move(club: Club) -> None:
    """I.12.1: the sealer makes the move that he declares he sealed."""
    club.seal("Sf3")
    assert "The sealed move: Nf3" in club.open("--lost", "--declared", "Sf3")
    assert club.verbs[-2:] == ["envelope-lost", "announce"]


@pytest.mark.parametrize(("language", "move"), [("de", "Lb5"), ("fr", "Fb5"), ("en", "Bb5")])
def test_the_sealed_move_is_told_in_the_letters_of_the_messages(club: Club, language: str, move: str) -> None:
    """A German reads Bb5 as a pawn's move."""
    club.seal("Lb5")
    assert f": {move}\n" in club.open("--lang", language).replace("\u00a0", "")


@pytest.mark.parametrize(("language", "uci"), [("fr", "e1f1"), ("en", "h1f1")])
def test_the_declared_move_is_read_in_the_language_in_which_it_was_sealed(
    club: Club, tmp_path: Path, language: str, uci: str
) -> None:
    """Rf1 is the king's move to a Frenchman."""
    club.game = tmp_path / "open"
    club.begin(language=language, fen="4k3/8/8/8/8/8/4PP2/4K2R w - - 0 1", moves=())
    club.seal("Rf1")
    club.open("--lost", "--declared", "Rf1")
    assert read(club.game).lines[-1]["move"] == uci


def test_a_lost_envelope_is_not_opened_and_its_game_stays_as_it_is(club: Club) -> None:
    """I.12.1: refused before anybody has typed a passphrase, or come too late for it."""
    club.seal("Sf3")
    club.open("--lost", present="")
    before = club.verbs
    said = club.open(phrase=str(club.folder / "nowhere"), status=1)
    assert said.startswith("hector: The envelope is lost (2023 I.12.1). Ana declares the sealed move:")
    assert said.rstrip().endswith(f"open-envelope {club.game} --lost --declared MOVE")
    assert club.verbs == before


@pytest.mark.parametrize("present", ["black", ""])
def test_nobody_else_declares_what_an_absent_player_has_sealed(club: Club, present: str) -> None:
    """I.12.1: he declares it himself; and nothing is lost by the mistake."""
    club.seal("Sf3")
    before = club.verbs
    said = club.open("--lost", "--declared", "Sf3", present=present, status=1)
    assert said.startswith("hector: Ana declares the sealed move and is not present (2023 I.12.1).")
    assert club.verbs == before


@pytest.fixture
def replied(club: Club) -> Club:
    """A game in which Black has sealed his reply, Nc6, to the absent Ana's sealed move (I.9.3)."""
    club.seal("Sf3")
    club.open(present="black")
    with stopped_game(club.game) as (adjournment, course):
        adjournment.seal("Nc6", course.now, public_key(KEY))
    return club


def test_a_sealed_reply_waits_for_the_player_who_must_answer_it(replied: Club) -> None:
    """I.9.3."""
    said = replied.open(present="black", status=1)
    assert said.startswith("hector: Ana must reply") and "(2023 I.9.3)" in said
    assert "The sealed move: Nc6" in replied.open()
    assert "not adjourned" in replied.open(status=1)


def test_a_lost_reply_leaves_the_move_that_its_player_declares(replied: Club) -> None:
    """I.12.1."""
    assert "Tom makes the move that was sealed" in replied.open("--lost")
    assert "The sealed move: Nc6" in replied.open("--lost", "--declared", "Sc6")
    assert replied.verbs[-2:] == ["envelope-lost", "announce"]


@pytest.mark.parametrize("is_hour", [False, True])
def test_an_envelope_that_is_void_is_told_apart_from_one_that_is_open(club: Club, is_hour: bool) -> None:
    """7.5.1, 7.1: what was sealed in a position that is taken back does not count."""
    club.seal("Sf3")
    with stopped_game(club.game) as (adjournment, course):
        if is_hour:
            adjournment.resume(course.now)
        course.rule({"at": course.now, "do": "restore", "ply": 1})
    before = club.verbs
    said = club.open(status=1)
    assert "taken back" in said and f"hector resume {club.game}" in said
    assert club.verbs == before


def test_another_key_opens_nothing_and_the_way_on_is_named(club: Club) -> None:
    club.seal()
    club.key.write_bytes(new_key(PHRASE, Work(1, 8192)))
    said = club.open(status=1)
    assert "another arbiter's key" in said and "(2023 I.12.1)" in said and "--lost" in said


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("open-envelope", "GAME"), 1, "not adjourned"),
        (("open-envelope", "GAME", "--declared", "e4"), 2, "goes with --lost"),
        (("seal", "GAME"), 1, "no arbiter's key"),
        (("seal", "GAME", "--to", "GAME/nothing"), 2, "no key"),
        (("seal", "GAME/nothing"), 2, "There is no folder"),
        (("arbiter-key", "--public", "GAME/journal.jsonl"), 2, "no arbiter's key"),
        (("arbiter-key", "--public", "GAME/said.txt"), 2, "This is no arbiter's key."),
        (("arbiter-key", "new", "--passphrase-file", "GAME/nothing"), 2, "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_sentence(
    club: Club, arguments: tuple[str, ...], status: int, sentence: str
) -> None:
    given = [each.replace("GAME", str(club.game)) for each in arguments]
    assert sentence in club.run(*given, status=status)


def test_a_move_file_that_cannot_be_read_is_refused_before_anything_is_ordered(club: Club) -> None:
    """I.2.7: the next try has the resumption that was meant for the label."""
    before = club.verbs
    nothing = str(club.folder / "nothing")
    order = ("seal", str(club.game), "--to", str(club.key), "--resumption", "Samstag 10 Uhr", "--move-file")
    assert "Check the name" in club.run(*order, nothing, status=2)
    assert club.verbs == before
    club.run(*order, club.written("move", "Sf3"))
    assert "Samstag 10 Uhr" in (club.game / "envelope.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ["Sf3\nLc4", "\n2. Sf3\n\nSc6"])
def test_a_move_file_of_several_lines_is_refused_before_anything_is_ordered(club: Club, text: str) -> None:
    """I.1.1: one move is sealed, and nobody sees which of two it was."""
    before = club.verbs
    order = ("--lang", "en", "seal", str(club.game), "--to", str(club.key), "--move-file")
    path = club.written("move", text)
    assert f"The sealed move is one line, and {path} has 2." in club.run(*order, path, status=2)
    assert club.verbs == before


def test_the_empty_lines_of_a_move_file_count_for_nothing(club: Club) -> None:
    club.seal("\n \nSf3\n\n")
    assert "The sealed move: Nf3" in club.open()


def test_standard_input_of_several_lines_is_no_sealed_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nSf3\nLc4\n"))
    with pytest.raises(UsageError, match="one line, and - has 2"):
        read_only_line("-", "The sealed move")


def test_a_club_game_orders_nothing_where_the_move_is_none(club: Club) -> None:
    shutil.rmtree(club.game)
    club.begin(mode="club")
    before = club.verbs
    order = ("--lang", "en", "seal", str(club.game), "--to", str(club.key), "--move-file")
    assert "not exactly one legal move" in club.run(*order, club.written("move", "Sf6"), status=2)
    assert club.verbs == before


def test_nothing_is_ordered_where_the_move_is_longer_than_any(club: Club) -> None:
    before = club.verbs
    order = ("--lang", "en", "seal", str(club.game), "--to", str(club.key), "--move-file")
    assert "at most 100 characters" in club.run(*order, club.written("move", "Sf3" * 40), status=2)
    assert club.verbs == before


def test_without_a_terminal_nothing_is_ordered(club: Club) -> None:
    before = club.verbs
    process = subprocess.run(
        [sys.executable, "-m", "assistant", "seal", str(club.game), "--to", str(club.key)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True,
        cwd=club.folder, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.returncode == 2
    assert process.stderr == (
        "hector: There is no terminal to ask at. Use --move-file FILE, or - for standard input.\n"
    )
    assert club.verbs == before


def test_a_refused_order_leaves_neither_a_line_nor_a_key(club: Club) -> None:
    """I.1.1: sealing is ordered while a clock runs."""
    with stopped_game(club.game) as (_adjournment, course):
        course.carry_out({"at": course.now, "do": "stop-clock", "by": "arbiter"})
    journal = club.game / "journal.jsonl"
    before = journal.read_bytes(), journal.stat().st_mtime_ns
    for key in (["--to", str(club.key)], []):
        said = club.run("seal", str(club.game), *key, "--move-file", club.written("move", "Sf3"), status=1)
        assert said == "hector: Refused: no clock is running (2023 I.1.1).\n"
    assert (journal.read_bytes(), journal.stat().st_mtime_ns) == before
    assert not (club.game / KEY_FILE).exists()


def ordered(club: Club, resumption: str = "") -> None:
    """Leave the game with a sealing that is ordered, by a program that ended before a move was sealed."""
    keep_key(club.game, public_key(club.key.read_bytes()))
    with stopped_game(club.game) as (adjournment, course):
        adjournment.order(course.now, resumption)
    assert club.verbs[-1] == "adjourn"


def test_a_second_resumption_is_refused_when_the_sealing_is_ordered(club: Club) -> None:
    """I.2.7: what the label will say is what was ordered."""
    ordered(club, "Samstag 10 Uhr")
    before = club.verbs
    again = ("seal", str(club.game), "--move-file", club.written("move", "Sf3"))
    said = club.run(*again, "--resumption", "Sonntag 11 Uhr", status=2)
    assert "ordered already" in said and "'Samstag 10 Uhr'" in said and "leave out --resumption" in said
    assert club.verbs == before
    club.run(*again, "--resumption", "Samstag 10 Uhr")


def test_a_resumption_that_comes_after_the_order_is_not_lost_silently(club: Club) -> None:
    """I.2.7."""
    ordered(club)
    again = ("seal", str(club.game), "--move-file", club.written("move", "Sf3"))
    assert "without a resumption" in club.run(*again, "--resumption", "Samstag 10 Uhr", status=2)
    club.run(*again)


def mark_in(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("Mark of the seal: "))


def test_an_envelope_whose_sheets_cannot_be_written_is_closed_and_its_mark_is_told(
    club: Club, capsys: pytest.CaptureFixture[str]
) -> None:
    (club.game / "envelope.html").mkdir()
    move = club.written("move", "Sf3")
    assert main(["seal", str(club.game), "--to", str(club.key), "--move-file", move]) == 1
    said = capsys.readouterr()
    assert "The envelope is closed" in said.out and mark_in(said.out)
    assert len(said.err.splitlines()) == 1
    assert "envelope.html (" in said.err and "write them anew" in said.err
    assert (club.game / "envelope.brf").exists()
    assert club.verbs[-1] == "stop-clock"


def test_without_liblouis_no_braille_sheet_is_named_and_none_of_another_envelope_stays(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise HectorError("Braille needs liblouis, which is not installed: apt-get install liblouis20.")

    monkeypatch.setattr(louis, "_library", missing)
    louis.to_cells.cache_clear()
    (club.game / "envelope.brf").write_text("of the envelope before")
    shown = club.seal()
    printed = club.game / "envelope.html"
    assert f"The sheet for the envelope: {printed}. Not in braille: Braille needs liblouis" in shown
    assert printed.exists() and not (club.game / "envelope.brf").exists()


def test_the_sheets_of_a_closed_envelope_are_written_anew(club: Club) -> None:
    mark = mark_in(club.seal())
    sheets = [club.game / name for name in ("envelope.html", "envelope.txt", "envelope.brf")]
    was = [sheet.read_bytes() for sheet in sheets]
    for sheet in sheets:
        sheet.unlink()
    before = club.verbs
    assert mark_in(club.run("seal", str(club.game))) == mark
    assert [sheet.read_bytes() for sheet in sheets] == was
    assert club.verbs == before


def test_no_other_move_goes_into_a_closed_envelope(club: Club) -> None:
    club.seal()
    before = club.verbs
    said = club.run("seal", str(club.game), "--move-file", club.written("other", "Lc4"), status=2)
    assert "nothing more is sealed" in said
    assert club.verbs == before


@pytest.mark.parametrize("text", ["2. Nf3", "2.Sf3.", "2. Sf3 (=)"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_sealed_move_is_made_as_it_stands_on_a_scoresheet(club: Club, text: str, encoding: str) -> None:
    """I.8.2: a move whose meaning can be established is made."""
    path = club.folder / "move.txt"
    path.write_bytes(f"{text}\r\n".encode(encoding))
    club.run("seal", str(club.game), "--to", str(club.key), "--move-file", str(path))
    assert "The sealed move: Nf3" in club.open()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_passphrase_is_the_same_in_every_encoding(club: Club, encoding: str) -> None:
    path = club.folder / "line"
    path.write_bytes("drei große Läufer\r\n".encode(encoding))
    assert read_line(str(path), "The passphrase") == "drei große Läufer"


def test_a_line_of_standard_input_begins_without_the_mark_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\ufeffSf3\n"))
    assert read_only_line("-", "The sealed move") == "Sf3"


def test_a_first_line_that_is_empty_is_told_apart_from_an_empty_file(club: Club) -> None:
    club.seal()
    for text, told in (("\n\nsecret", "the first line of {} is empty"), (None, "{} is empty")):
        path = club.folder / "phrase"
        path.write_text("" if text is None else text)
        assert f"The passphrase is missing: {told.format(path)}." in club.open(phrase=str(path), status=2)


def test_a_file_that_is_no_text_is_told_apart_from_one_that_is_not_there(club: Club) -> None:
    path = club.folder / "line"
    path.write_bytes(b"S\0f\0003\0")
    with pytest.raises(UsageError, match="no text") as told:
        read_line(str(path), "The sealed move")
    assert "Check the name" not in str(told.value)


END = "\x04"
"""What Ctrl-D sends at the beginning of a line: the end of the input."""


def on_a_terminal(
    arguments: list[str], answer: Callable[[str], str | None], folder: Path, *, status: int = 0
) -> str:
    """Run a command on a terminal of its own; `answer` gives the line to type after what was shown."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "assistant", *arguments],
        stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
        cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    os.close(terminal)
    shown = ""
    try:
        while True:
            if not select.select([controller], [], [], 60)[0]:
                process.kill()
                pytest.fail(f"It waits for something else: {shown!r}")
            try:
                data = os.read(controller, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data.decode()
            line = answer(shown)
            if line is not None:
                os.write(controller, line.encode(errors="surrogateescape") + b"\n" * (line != END))
    finally:
        os.close(controller)
        code = process.wait(60)
    assert code == status, shown
    return shown


def test_the_move_is_typed_without_being_seen_and_changed_until_the_clock_is_stopped(club: Club) -> None:
    """I.1.1: the screen shows neither the move nor how long it is."""
    moves = iter(["Sb1xd2+", "Lc4", ""])
    questions = ("(not shown): ", "stop the clock: ")

    def answer(shown: str) -> str | None:
        return next(moves) if shown.endswith(questions) else None

    shown = on_a_terminal(["seal", str(club.game), "--to", str(club.key)], answer, club.folder)
    assert not any(part in shown for part in ("Lc4", "Sb1", "xd2", "*"))
    assert club.verbs.count("seal") == 2
    assert "The sealed move: Bc4" in club.open()


def test_a_slip_of_the_keys_that_nobody_sees_is_told_and_the_move_asked_for_again(club: Club) -> None:
    """Half a letter, a cursor key: nobody can write them on paper."""
    moves = iter(["\udcc3", "\x1b[DLc4", "Lc4", ""])
    questions = ("(not shown): ", "stop the clock: ")

    def answer(shown: str) -> str | None:
        return next(moves) if shown.endswith(questions) else None

    arguments = ["--lang", "en", "seal", str(club.game), "--to", str(club.key)]
    shown = on_a_terminal(arguments, answer, club.folder)
    assert "That is no readable text. Type it again, in UTF-8." in shown
    assert "Not sealed: A key that is no letter is in the move. Write it again." in shown
    assert club.verbs.count("seal") == 1
    assert "The sealed move: Bc4" in club.open()


def test_who_ends_the_input_instead_of_typing_a_move_is_told_so(club: Club) -> None:
    arguments = ["--lang", "en", "seal", str(club.game), "--to", str(club.key)]
    ends = iter([END])

    def answer(shown: str) -> str | None:
        return next(ends) if shown.endswith("(not shown): ") else None

    shown = on_a_terminal(arguments, answer, club.folder, status=2)
    assert "hector: Nothing was typed. The same command asks again." in shown
    assert club.verbs.count("seal") == 0


def opened_at_a_terminal(club: Club, language: str, *answers: str) -> str:
    said = iter(answers)

    def answer(shown: str) -> str | None:
        return next(said) if shown.endswith(("n: ", "n\u00a0: ")) else None

    command = ["--lang", language, "open-envelope", str(club.game), "--key", str(club.key)]
    return on_a_terminal([*command, "--passphrase-file", club.phrase], answer, club.folder)


@pytest.mark.parametrize("answers", [("y", "y"), ("ja", "j"), ("oui", "o"), ("tak", "t")])
def test_who_is_present_is_answered_in_any_language(club: Club, answers: tuple[str, str]) -> None:
    club.seal()
    assert "The sealed move: Nf3" in opened_at_a_terminal(club, "en", *answers)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "Is Ana (White) present? y or n: "),
        ("de", "Ist Ana (Weiß) anwesend? j oder n: "),
        ("es", "¿Está presente Ana (blancas)? s o n: "),
        ("fr", "Ana (Blancs) est là\u00a0? o ou n\u00a0: "),
        ("pl", "Czy Ana (białe) jest na miejscu? t lub n: "),
    ],
)
def test_who_is_present_is_asked_in_the_language_of_the_messages(
    club: Club, language: str, question: str
) -> None:
    club.seal()
    assert question in opened_at_a_terminal(club, language, "ja", "ja")


def asked(club: Club, monkeypatch: pytest.MonkeyPatch, *options: str) -> list[str]:
    """Open the envelope of a new game with everybody there, and return what was asked."""
    questions: list[str] = []
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", lambda question: questions.append(question) or "y")
    club.seal()
    opening = ("open-envelope", club.game, "--key", club.key, "--passphrase-file", club.phrase)
    club.run(*options, *map(str, opening))
    return questions


def test_of_a_player_without_a_name_his_side_is_asked_for(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.game = tmp_path / "nameless"
    club.begin(white=Person("White", blind=True))
    asked_for = asked(club, monkeypatch, "--lang", "de")
    assert asked_for == ["Ist Weiß anwesend? j oder n: ", "Ist Tom (Schwarz) anwesend? j oder n: "]


def test_a_name_in_an_older_journal_steers_no_terminal_and_its_envelope_opens(
    club: Club, tmp_path: Path
) -> None:
    club.game = tmp_path / "older"
    club.begin(black=Person("Tom\x1b[2J\nMay"), event="Open\x1b]0;x\x07")
    with stopped_game(club.game) as (_adjournment, course):
        assert course.setup.black.name == "Tom [2J May"
        assert course.setup.event == "Open ]0;x "
    sealed = club.seal("Sf3")
    opened = club.open()
    assert "\x1b" not in sealed + opened
    assert "open-envelope" in club.verbs


def test_nobody_seals_for_an_engine(club: Club, tmp_path: Path) -> None:
    """It seals its own move when the game is played; nothing is ordered before."""
    club.game = tmp_path / "engine"
    club.begin(mode="club", engine=Opponent("stockfish"), moves=("e2e4",))
    before = club.verbs
    refused = club.run("seal", str(club.game), "--to", str(club.key), status=1)
    assert refused.startswith("hector: Tom has the move and seals it by itself, once the game is taken up: ")
    assert club.verbs == before


def test_an_engine_is_always_present(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club.game = tmp_path / "engine"
    club.begin(mode="club", engine=Opponent("stockfish"))
    assert asked(club, monkeypatch) == ["Is Ana (White) present? y or n: "]


def test_who_is_present_is_to_be_said_where_nobody_can_be_asked(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard input may be closed: then Python has none at all."""
    club.seal()
    monkeypatch.setattr("sys.stdin", None)
    opening = ("open-envelope", str(club.game), "--key", str(club.key), "--passphrase-file", club.phrase)
    assert "--present white,black" in club.run(*opening, status=2)


def test_an_answer_that_is_no_text_is_none(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    club.seal()
    answers = iter([b"\xc3", b"y", b"y"])
    monkeypatch.setattr("builtins.input", lambda _question: next(answers).decode())
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True, closed=False))
    said = club.run(
        "open-envelope", str(club.game), "--key", str(club.key), "--passphrase-file", club.phrase
    )  # fmt: skip
    assert "The sealed move: Nf3" in said


def test_who_is_present_is_asked_again_where_the_answer_is_none(club: Club) -> None:
    club.seal()
    shown = opened_at_a_terminal(club, "en", "yx", "y", "", "y")
    assert shown.count("Is Ana (White) present?") == 2
    assert "The sealed move: Nf3" in shown


def test_whose_flag_falls_while_he_seals_is_told_so_and_asked_no_more(club: Club, tmp_path: Path) -> None:
    club.game = tmp_path / "short"
    club.begin(time_control="15")

    lines = iter(["Lc4", END])

    def answer(shown: str) -> str | None:
        if shown.endswith("(not shown): "):
            time.sleep(4)
            return next(lines)
        return None

    with stopped_game(club.game) as (_adjournment, course):
        course.rule({"at": 19, "do": "ask", "side": "arbiter", "about": "times"})
    command = ["--lang", "en", "seal", str(club.game), "--to", str(club.key)]
    shown = on_a_terminal(command, answer, tmp_path, status=1)
    assert shown.count("(not shown): ") == 1
    assert "The game is over: 0-1, time exceeded (2023 6.9)." in shown


def test_who_stops_while_he_seals_has_used_the_time(club: Club, tmp_path: Path) -> None:
    def answer(shown: str) -> str | None:
        if shown.endswith("(not shown): "):
            time.sleep(2)
            return END
        return None

    command = ["--lang", "en", "seal", str(club.game), "--to", str(club.key)]
    on_a_terminal(command, answer, tmp_path, status=2)
    with stopped_game(club.game) as (_adjournment, course):
        assert course.now > 15.9


def test_a_passphrase_is_asked_twice_and_never_shown(club: Club) -> None:
    def answer(shown: str) -> str | None:
        return PHRASE if shown.endswith(("(not shown): ", "again: ")) else None

    shown = on_a_terminal(["arbiter-key", "mine.json"], answer, club.folder)
    assert PHRASE not in shown
    assert public_key((club.folder / "mine.json").read_bytes()).fingerprint in shown
