"""A live game: microphone, keyboard and voice under a running clock, or a recording in their place."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from assistant.errors import HectorError, told_in
from assistant.hearing import Recording
from assistant.interrupts import Ending
from assistant.quiet import Printer
from assistant.speaking import Nowhere, Output, WavFile, told
from assistant.table.agreed import Beforehand
from assistant.table.audible import Ways, audible
from assistant.table.braille import Reader, open_display
from assistant.table.devices import Devices, opened, prepare_ears
from assistant.table.engine import EnginePlayer
from assistant.table.folder import new_folder, prepared
from assistant.table.game import Table
from assistant.table.guests import Clerk, Company, Guest
from assistant.table.keyboard import Keyboard
from assistant.table.leaving import leave
from assistant.table.lineeditor import ESCAPE, is_quit
from assistant.table.named_engines import check_engine, remember_engine
from assistant.table.players import with_settings
from assistant.table.pulse import last_beat
from assistant.table.record import GameRecord, open_record, reopen_record
from assistant.table.running import RecogniserEar, play_stream
from assistant.table.settings import Player
from assistant.table.setup import Setup
from assistant.table.sitting import WAIT, Room, Sitting
from assistant.table.storage import Evidence
from assistant.table.taught import ModelChoice, choice_of, still_there
from assistant.table.terminal import (
    KEYS,
    OVER,
    is_at_terminal,
    show,
    show_all,
    warn,
)
from assistant.table.uci import lasting_command
from assistant.table.vigil import Vigil
from assistant.table.voices import voice_without_device


def play_recording(
    file: Path, setup: Setup, save: Path | None, speak_to: Path | None, model: ModelChoice
) -> int:
    """Play a game from a recording, through the same code as a microphone's.

    The game is kept whatever becomes of the sound; 1 if the recording is cut off, or what was said could not
    be written.
    """
    if not setup.word_presses:
        # The player's own setting: a recording has no keys.
        setup = replace(setup, press="word")
    with told_in(setup.language), Recording(file) as recording, contextlib.ExitStack() as stack:
        ears = prepare_ears(model, warn)
        folder = stack.enter_context(prepared(save or new_folder(setup)))
        output: Output = Nowhere() if speak_to is None else WavFile(speak_to)
        record = open_record(folder, warn)
        voice = voice_without_device(output, audible(setup).voices)
        ear = RecogniserEar(ears.recogniser)
        table = Table(setup, ears.vocabulary, ears.thresholds, voice, record, ear, show)
        with contextlib.closing(output), contextlib.closing(record):
            try:
                play_stream(table, ears.recogniser, recording.blocks(), Evidence(table, record.locate))
            except KeyboardInterrupt as interrupt:
                return _interrupted(interrupt, table, record, folder)
            except Exception:
                _break_off(table, record, folder)
                raise
            try:
                recording.check_whole()
            except HectorError as error:
                warn(told(error))
                status = error.status
            else:
                status = 0
            status = leave(table, record, folder, is_stopped=False) or status
        return status or int(voice.has_failed)


def play(
    setup: Setup,
    save: Path | None,
    speak_to: Path | None,
    model: ModelChoice,
    *,
    keyboard_only: bool,
    guest: Guest | None = None,
    clerk: Clerk | None = None,
    ways: Ways | None = None,
    again: Sequence[str] = ("resume",),
) -> int:
    """Play a live game; a braille display is used wherever there is one, unless the setup declines it.

    A guest may start the clock too, and the game's folder stays open for him after the end. `again` is told
    when the game is stopped: the command that continues it as it is played, and its options.
    """
    with (
        told_in(setup.language),
        _company(guest, setup, is_named=True) as guest,
        prepared(save or new_folder(setup)) as folder,
    ):
        devices = opened(speak_to, model, keyboard_only, audible(setup, ways), listens=not keyboard_only)

        # The journal begins when nothing can go wrong any more that is not the game's own.
        def begin() -> AbstractContextManager[GameRecord]:
            return contextlib.closing(open_record(folder, warn))

        with _room(setup, devices, begin, guest, clerk) as (room, record), room.keyboard, _seated(room):
            beforehand = Beforehand(room.table.course)
            if not _wait_for_start(room.keyboard, guest, clerk, room.table, beforehand):
                return 0
            beforehand.write(record)
            return _sit(room, record, 0.0, lambda vigil: vigil.welcome(), again)


def resume(
    folder: Path,
    speak_to: Path | None,
    model: str | None,
    *,
    keyboard_only: bool | None,
    guest: Guest | None = None,
    clerk: Clerk | None = None,
    player: Player | None = None,
    language: str | None = None,
    braille_display: bool | None = None,
    ways: Ways | None = None,
    engine: str | None = None,
    again: Sequence[str] = ("resume",),
) -> int:
    """Continue a game from its folder, where its journal ends; a player's settings count from now on.

    So does his voice, and that of the player whose settings the game had, if Hector has learnt it. Model,
    language, braille display, engine and `keyboard_only` are as the game was begun where none are given.
    `again` is as for `play`.

    :raises UsageError: if an engine plays that is named neither now nor ever before on this computer; the
        folder is as it was.
    """
    record, setup, lines = reopen_record(
        folder, warn, lambda setup: check_engine(setup, engine, folder, again)
    )
    setup = _with_news(setup, engine, player, language, braille_display)
    if keyboard_only is None:
        keyboard_only = not setup.microphone
    with (
        contextlib.closing(record),
        told_in(setup.language),
        _company(guest, setup, is_named=engine is not None) as guest,
    ):
        # Where nothing is heard, which model hears is no news.
        tell = _to_nobody if keyboard_only else warn
        choice = choice_of(model or still_there(setup.model, tell), setup.player or None)
        devices = opened(speak_to, choice, keyboard_only, audible(setup, ways), listens=not keyboard_only)
        with (
            _room(setup, devices, lambda: contextlib.nullcontext(record), guest, clerk) as (room, _),
            room.keyboard,
        ):
            beat = last_beat(folder, lines[-1]) if lines else None
            at = max([beat.at if beat else 0.0, *(float(line["at"]) for line in lines[-1:])])
            if lines:
                room.table.resume(lines, at)

            def welcome(vigil: Vigil) -> None:
                if lines and not room.table.over:
                    vigil.interrupted(beat, lines)
                if room.table.over:
                    show_all(OVER, setup.language)

            # A guest finds the game as it stands.
            with _seated(room):
                return _sit(room, record, at, welcome, again, is_new=not lines)


def _with_news(
    setup: Setup,
    engine: str | None,
    player: Player | None,
    language: str | None,
    braille_display: bool | None,
) -> Setup:
    """Return a setup with what was said when its game was taken up; an option counts before a setting."""
    if engine is not None and setup.engine is not None:
        setup = replace(setup, engine=replace(setup.engine, command=lasting_command(engine)))
    if player is not None:
        setup = with_settings(setup, player)
    if language is not None:
        setup = replace(setup, language=language)
    if braille_display is not None:
        setup = replace(setup, braille_display=braille_display)
    return setup


@contextlib.contextmanager
def _room(
    setup: Setup,
    devices: AbstractContextManager[Devices],
    begin: Callable[[], AbstractContextManager[GameRecord]],
    guest: Guest | None,
    clerk: Clerk | None,
) -> Iterator[tuple[Room, GameRecord]]:
    """Lay out a table with its devices, and the record that is begun when they are there.

    Its keyboard is left to the caller to enter: a signal may interrupt between the end of a generator's step
    and the beginning of its caller's, and the terminal would stay taken.
    """
    with (
        devices as there,
        begin() as record,
        contextlib.closing(Reader(setup, open_display(setup) if setup.braille_display else None)) as reader,
        contextlib.closing(Printer(show)) as screen,
    ):
        table = _table(setup, there, record, reader, screen)
        yield Room(table, record.locate, there, _keyboard(table), reader, guest, clerk, screen), record


def _sit(
    room: Room,
    record: GameRecord,
    at: float,
    welcome: Callable[[Vigil], None],
    again: Sequence[str],
    *,
    is_new: bool = True,
) -> int:
    """Play from a time of the game on; return the exit status."""
    table, folder, devices = room.table, record.folder, room.devices
    try:
        with Ending() as ending:
            table.load()
            # What the game's time was before an interruption, it is again now that the position is ready.
            devices.start_clock(at)
            if is_new:
                table.start()
            with contextlib.closing(Vigil(table, record, folder, lambda: devices.now)) as vigil:
                welcome(vigil)
                is_stopped = Sitting(room, vigil, ending).play()
    except KeyboardInterrupt as interrupt:
        return _interrupted(interrupt, table, record, folder, room.screen, again)
    except Exception:
        _break_off(table, record, folder, room.screen, again)
        devices.finish_speaking()
        raise
    return leave(table, record, folder, room.screen, is_stopped=is_stopped, again=again)


def _interrupted(
    interrupt: KeyboardInterrupt,
    table: Table,
    record: GameRecord,
    folder: Path,
    screen: Printer | None = None,
    again: Sequence[str] = ("resume",),
) -> int:
    """Tell where the game is that control and C or another signal has ended here; return the exit status."""
    leave(table, record, folder, screen, is_stopped=not table.over, again=again)
    return interrupt.args[0] if interrupt.args else 128 + signal.SIGINT


def _break_off(
    table: Table,
    record: GameRecord,
    folder: Path,
    screen: Printer | None = None,
    again: Sequence[str] = ("resume",),
) -> None:
    """Tell that the game goes on here no longer, if it has begun, and where it is; why not, others tell.

    Whoever does not look at the screen would wait for an answer.
    """
    if table.course.steps:
        teller = table.course.teller
        if not table.over:
            teller.voice.cancel()
            teller.say(teller.equipment.failed())
        leave(table, record, folder, screen, is_stopped=not table.over, again=again)


@contextlib.contextmanager
def _company(guest: Guest | None, setup: Setup, *, is_named: bool) -> Iterator[Guest | None]:
    """Bring who comes to the table beside the players who sit at it: the guest, and the engine if one plays.

    The engine ends with the company, whether it has come to the table or not. One that the user has named
    now, `is_named`, may be started again from the game's journal.

    :raises HectorError: if an engine that was named now cannot play as it was asked for.
    """
    if setup.engine is None:
        yield guest
        return
    # Where nobody can press Enter, nobody has to.
    starts = guest is None and not is_at_terminal()
    player = EnginePlayer(
        setup.engine, warn, starts=starts, is_asked_for=is_named, is_chess960=setup.is_chess960
    )
    with contextlib.closing(player) as engine:
        if is_named:
            try:
                remember_engine(setup.engine.command)
            except HectorError as error:
                warn(told(error))
        yield engine if guest is None else Company(guest, engine)


@contextlib.contextmanager
def _seated(room: Room) -> Iterator[None]:
    """Let guest and clerk come to the table."""
    guest: Guest = room.guest or Company()
    guest.open(room.table, room.where, lambda: room.devices.now)
    try:
        if room.clerk is not None:
            room.clerk.open(room.table, room.where, room.screen.show)
        yield
    finally:
        guest.close()


def _wait_for_start(
    keyboard: Keyboard, guest: Guest | None, clerk: Clerk | None, table: Table, beforehand: Beforehand
) -> bool:
    """Wait until somebody starts the clock; return whether somebody did.

    Nobody has to where nobody could: with neither a guest nor a terminal it starts at once.
    """
    terminal = is_at_terminal()
    if terminal:
        beforehand.tell_agreed()
        beforehand.tell_how_to_start()
    while terminal or guest is not None:
        typed = keyboard.lines()
        for number, (line, _at) in enumerate(typed):
            if line == ESCAPE:
                continue
            if line.strip() == "?":
                show_all(KEYS, table.setup.language)
                continue
            if clerk is not None and clerk.take(line, 0.0):
                continue
            if table.asks_again(line):
                beforehand.tell_agreed()
                continue
            if not (line.strip() == "" or is_quit(line) or table.is_like_a_move(line)):
                # It is no wish to begin, and White's time is not to run for it.
                beforehand.tell_not_started()
                continue
            # Whoever types a move starts the clock with it, and nothing that was typed is lost.
            keyboard.put_back(typed[number + (not line.strip()) :])
            table.course.teller.voice.cancel()
            return not is_quit(line)
        if guest is None and keyboard.ended:
            break
        if guest is not None:
            guest.attend()
            if guest.starts:
                break
        time.sleep(WAIT)
    table.course.teller.voice.cancel()
    return True


def _to_nobody(_sentence: str) -> None:
    """Take a warning that concerns nobody now."""


def _keyboard(table: Table) -> Keyboard:
    voice = table.course.teller.voice
    return Keyboard(on_key=voice.hush, on_silence=voice.cancel)


def _table(setup: Setup, devices: Devices, record: GameRecord, reader: Reader, screen: Printer) -> Table:
    ears = devices.ears
    # By keyboard alone nothing has to be expected, and no disk can be too full for it.
    ear = None if devices.microphone is None else RecogniserEar(ears.recogniser)
    voice = reader.beside(devices.voice)
    return Table(setup, ears.vocabulary, ears.thresholds, voice, record, ear, screen.show)
