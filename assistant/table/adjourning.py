"""Adjournment at the table: the order to seal, the sealed move, its envelope, and the resumption.

The journal never holds the move, only the box that hides it; the room hears only that it is sealed.
Sources: Guideline I of the Laws of 2023 and its predecessors, `assistant.laws.adjournment`,
`assistant.laws.resumption` and `assistant.laws.unsealing`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import chess

from assistant.announcements import load_vocabulary
from assistant.called import command
from assistant.errors import HectorError, UsageError
from assistant.files import read_file, replace_file
from assistant.laws import Event, Referee, load_edition
from assistant.moves import read_move
from assistant.resources import user_data
from assistant.scoresheet import CONTROL
from assistant.sealing import (
    Envelope,
    Occasion,
    PublicKey,
    SecretKey,
    envelope_sheet,
    for_box,
    open_,
    public_key,
    seal,
)
from assistant.sides import SIDES, Side, side_of
from assistant.table.course import Course
from assistant.table.folder import Where
from assistant.table.pulse import last_beat
from assistant.table.record import reopen_record, replayed
from assistant.table.steps import is_refused
from assistant.table.voices import PaperVoice

_ORDER = {"do": "adjourn", "by": "arbiter"}
KEY_FILE = "arbiter-key.pub"
"""In a game's folder: the public key that its moves are sealed to."""
SHEETS = {"envelope.html": "html", "envelope.txt": "unicode", "envelope.brf": "brf"}
"""What is written for the envelope, and its format."""


def own_key_file() -> Path:
    """Return where the arbiter of this computer keeps his key."""
    return user_data("arbiter-key.json")


def arbiter_key(folder: Path) -> PublicKey:
    """Return the key that this game's moves are sealed to: its own, else that of this computer's arbiter.

    :raises HectorError: if there is none, or it cannot be read.
    """
    for path in (folder / KEY_FILE, own_key_file()):
        try:
            return public_key(read_file(path))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise HectorError("The key {path} cannot be read: {reason}.", path=path, reason=error) from error
    raise HectorError(
        "There is no arbiter's key to seal to. Make one with: {command}. "
        "Or put the arbiter's public key into the file {path}",
        command=command("arbiter-key"),
        path=folder / KEY_FILE,
    )


def keep_key(folder: Path, key: PublicKey) -> None:
    """Note in a game's folder which key its moves are sealed to.

    :raises OSError: if it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / KEY_FILE, f"{key.text}\n".encode())


class Adjournment:
    """The formalities of one game's adjournment. Times are seconds of the game's clock.

    What the referee refuses is in the events that are returned; nothing has changed then.
    """

    def __init__(self, course: Course, where: Where) -> None:
        self._course = course
        self._where = where

    # Where the game stands

    @property
    def is_ordered(self) -> bool:
        """Whether a move is to be sealed now: from the order until the clock is stopped."""
        return self._course.sealing

    @property
    def last_order(self) -> Mapping[str, Any]:
        """The line of the last order to seal that was not withdrawn; empty if there is none."""
        lines = reversed(self._course.referee.lines)
        return next((line for line in lines if line["do"] == "adjourn"), {})

    @property
    def resumption(self) -> str:
        """Date, time and place of resumption, as the last order to seal gave them."""
        return str(self.last_order.get("resumption", ""))

    @property
    def envelope(self) -> Envelope | None:
        """The closed envelope of a game that is adjourned, until it is opened, made or void."""
        referee = self._course.referee
        if not referee.has_envelope or referee.has_open_envelope or referee.sealed_by is None:
            return None
        return self._label(next(each for each in reversed(self._course.events) if "envelope" in each.keys))

    @property
    def sealer(self) -> Side | None:
        """Who sealed the move that is still to be made; the replier, where his is the second envelope.

        Nobody, where the move in an open envelope has been ruled on and is to be entered.
        """
        return self._course.referee.sealed_by

    @property
    def is_of_reply(self) -> bool:
        """Whether what is still to be made is the reply in the second envelope (I.9.3)."""
        return self._course.referee.reply_sealed_by is not None

    def _label(self, event: Event) -> Envelope:
        label, used, setup = event.keys["envelope"], event.keys["used"], self._course.setup
        offer = label["draw_offer"]
        return Envelope(
            white=setup.white.name,
            black=setup.black.name,
            fen=label["fen"],
            white_used=used["white"],
            black_used=used["black"],
            white_left=label["white"],
            black_left=label["black"],
            sealer=label["sealer"],
            number=label["move_number"],
            draw_offer=offer if offer in SIDES else None,
            resumption=label["resumption"],
            contents=label.get("contents", ""),
            laws=setup.laws,
            article=event.article.number if event.article else "",
        )

    @property
    def has_been(self) -> bool:
        """Whether the game has ever been adjourned."""
        return self._course.referee.has_been_adjourned

    @property
    def is_resumed(self) -> bool:
        """Whether the agreed hour has come since the envelope was closed."""
        return self._course.referee.is_resumed

    def is_present(self, side: Side) -> bool:
        """Whether a player has come back since the envelope was closed."""
        return self._course.referee.is_present(side)

    def article(self, kind: str) -> str:
        """Return the article of this game's Laws for a kind of ruling, "2023 I.7" for `replier-absent`."""
        edition = load_edition(self._course.setup.laws)
        found = edition.articles["standard"].get(kind)
        return "" if found is None else str(found)

    # Sealing

    def foresee_order(self, at: float) -> list[Event]:
        """Return what the referee would say to the order to seal."""
        return self._course.foresee(_ORDER, at)

    def order(self, at: float, resumption: str = "") -> list[Event]:
        """Tell the player having the move to seal it (I.1.1); `resumption` is date, time and place."""
        return self._rule({"at": at, **_ORDER, "resumption": resumption})

    def seal(
        self,
        text: str,
        at: float,
        key: PublicKey | None = None,
        language: str | None = None,
        **marks: str,
    ) -> list[Event]:
        """Seal a move as it was written, in the letters of `language` (by default that of the messages).

        `marks` are kept with the line: who has sent it from where.

        The last one before the clock is stopped counts. A rated game seals what is written; a move in these
        letters that whoever opens the envelope would read as another one, or as none, is sealed as UCI. A
        club game refuses what is not exactly one legal move.

        :raises UsageError: if nothing is written, or a club game would not take it.
        :raises HectorError: if there is no key to seal to.
        """
        key = key or arbiter_key(self._where())
        at = max(self._course.now, round(at, 3))
        self._course.advance(at)
        occasion = occasion_of(self._course.referee, self._course.setup.game(), at)
        move = self.check(text, language)
        if move is not None and self._course.referee.read(occasion.sealer, text, self._course.board) != move:
            text = move.uci()
        box = seal(text, occasion, key)
        return self._rule({"at": at, "do": "seal", "side": occasion.sealer, "envelope": box, **marks})

    def foresee_sealing(self, at: float) -> list[Event]:
        """Return what the referee would say to a move in a box, whatever is in it."""
        return self._course.foresee({"do": "seal", "side": self._course.side_to_move, "envelope": "-"}, at)

    def check(self, text: str, language: str | None = None) -> chess.Move | None:
        """Return the one legal move that is written, None if it is none.

        :raises UsageError: if nothing, too much or no letter is written, or it is none, in a club game.
        """
        if CONTROL.search(for_box(text)):
            # An arrow or a backspace that the terminal does not know: unseen it would spoil the move.
            raise UsageError("A key that is no letter is in the move. Write it again.")
        board = self._course.board
        moves = read_move(board, text, language or self._course.setup.language)
        if len(moves) == 1 and moves[0] in board.legal_moves:
            return moves[0]
        if self._course.setup.mode == "club":
            raise UsageError("That is not exactly one legal move. Write another one.")
        return None

    def close(self, at: float) -> list[Event]:
        """Stop the clock: now nothing is changed any more, and the envelope's sheets can be written."""
        return self._rule({"at": at, "do": "stop-clock", "by": "arbiter"})

    def write_sheets(self) -> HectorError | None:
        """Write the envelope's sheets; return why those in braille were left out, where they were.

        One of an earlier envelope goes then: it is not the sheet of this one.

        :raises HectorError: naming those that could not be written; the others are there.
        """
        envelope = self.envelope
        if envelope is None:
            return None
        folder, left_out = self._where(), None
        failures: list[tuple[str, OSError]] = []
        for name, format in SHEETS.items():
            try:
                sheet = envelope_sheet(envelope, format, self._course.setup.language)
            except HectorError as error:
                # Without liblouis there is no braille; the printed sheet has everything.
                sheet, left_out = None, error
            try:
                if sheet is None:
                    (folder / name).unlink(missing_ok=True)
                else:
                    replace_file(folder / name, sheet)
            except OSError as error:
                failures.append((name, error))
        if failures:
            raise HectorError(
                "The envelope's sheets could not all be written: {names} ({reason}).",
                names=", ".join(name for name, _error in failures),
                reason=failures[0][1],
            )
        return left_out

    # Resumption

    def arrive(self, side: Side, at: float, text: str | None = None) -> list[Event]:
        """Note that a player is there; `text` is the opened move, where he is too late (I.10)."""
        line = {"at": at, "do": "arrive", "side": side}
        return self._rule(line if text is None else line | {"text": text})

    def resume(self, at: float) -> list[Event]:
        """The agreed hour: if the player who must reply is absent, his clock runs (I.9.2)."""
        return self._rule({"at": at, "do": "resume", "by": "arbiter"})

    def read(self, key: SecretKey) -> str:
        """Return what is in the last sealed box, without changing anything.

        :raises SealError: if it does not open with this key, was changed, or belongs to another game.
        :raises HectorError: if no sealed box is there.
        """
        # The game as it is: what a full disk has not taken yet, no journal holds.
        lines = [step.line for step in self._course.steps if step.line is not None]
        return read_box([{"game": self._course.setup.game()}, *lines], key)

    def foresee_opening(self, at: float) -> list[Event]:
        """Return what the referee would say to the opening of an envelope with nothing in it."""
        return self._course.foresee({"do": "open-envelope", "text": "-"}, at)

    def open(self, at: float, key: SecretKey) -> list[Event]:
        """Open the envelope: the sealed move is made, or ruled on where it cannot be.

        :raises SealError: as `read` does; then the Laws treat the envelope as lost (`lost`).
        """
        text = self.read(key)
        return self._rule({"at": at, "do": "open-envelope", "text": text})

    def too_early(self, at: float) -> list[Event]:
        """Return why the envelope cannot be lost yet; nothing from the agreed hour on.

        The loss would count as that hour, and who comes later may lose by it (6.7.1).
        """
        if self.is_resumed or not self._course.referee.is_adjourned:
            return []
        foreseen = self.foresee_opening(at)
        return foreseen if is_refused(foreseen) else []

    def lost(self, at: float) -> list[Event]:
        """The envelope is lost: whoever sealed makes the move that he declares he sealed (I.12.1)."""
        return self._rule({"at": at, "do": "envelope-lost"})

    # Parts

    def _rule(self, line: dict[str, Any]) -> list[Event]:
        course = self._course
        line = {key: value for key, value in line.items() if value != ""}
        line["at"] = max(course.now, round(float(line["at"]), 3))
        events = course.carry_out(line)
        if not is_refused(events):
            course.keeper.write_sheets()
        return events


@contextlib.contextmanager
def stopped_game(folder: Path) -> Iterator[tuple[Adjournment, Course]]:
    """Take up a game that no program is playing, for the formalities alone: nothing is said aloud.

    :raises HectorError: if the folder holds no game, it is over, or it is being played.
    """
    record, setup, lines = reopen_record(folder, lambda line: None)
    with contextlib.closing(record):
        course = Course(setup, load_vocabulary("de"), PaperVoice(), record, lambda line: None)
        for line in lines:
            course.apply(line)
        if course.over:
            raise HectorError("The game in {folder} is over.", folder=folder)
        beat = last_beat(folder, lines[-1]) if lines else None
        course.go_on(beat.at if beat else 0.0)
        yield Adjournment(course, record.locate), course


def occasion_of(referee: Referee, game: Mapping[str, Any], at: float) -> Occasion:
    """Return to which moment a move that is sealed now belongs; `referee` has been brought up to `at`."""
    side = side_of(referee.board.turn)
    return Occasion(
        white=str(game["white"].get("name", "")),
        black=str(game["black"].get("name", "")),
        fen=referee.position,
        sealer=side,
        number=referee.board.fullmove_number,
        white_left=referee.time_left("white"),
        black_left=referee.time_left("black"),
        at=at,
    )


def read_box(lines: Sequence[Mapping[str, Any]], key: SecretKey) -> str:
    """Return what is in the last sealed box of a game; `lines` are those of its script, the first too.

    :raises SealError: if it does not open with this key, was changed, or belongs to another game.
    :raises HectorError: if they hold no sealed box.
    """
    # What was refused or withdrawn does not count.
    sealed = [
        line for line in replayed(lines).lines if line["do"] == "seal" and line.get("envelope") is not None
    ]
    if not sealed:
        raise HectorError("This game has no sealed move in cipher; nothing was opened.")
    last = sealed[-1]
    referee = replayed(lines[: lines.index(last)])
    referee.advance(last["at"])
    return open_(str(last["envelope"]), occasion_of(referee, lines[0]["game"], last["at"]), key)
