"""A live game: microphone, keyboard and voice under a running clock, or a recording in their place."""

from __future__ import annotations

import contextlib
import math
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from assistant.errors import HectorError
from assistant.hearing import Recording
from assistant.quiet import give_up
from assistant.speaking import Message, Nowhere, Output, WavFile, told
from assistant.table import terminal
from assistant.table.audible import Ways, audible
from assistant.table.braille import LAST_READING, Reader, open_display
from assistant.table.devices import Change, Devices, opened, prepare_ears
from assistant.table.engine import EnginePlayer
from assistant.table.folder import new_folder, prepare
from assistant.table.game import Table
from assistant.table.guests import Clerk, Company, Guest
from assistant.table.keyboard import Keyboard
from assistant.table.lineeditor import ESCAPE, SILENCING, is_quit
from assistant.table.players import Player, with_settings
from assistant.table.pulse import last_beat
from assistant.table.record import GameRecord, open_record, reopen_record
from assistant.table.running import Listening, RecogniserEar, play_stream
from assistant.table.secretary import Secretary
from assistant.table.setup import Setup
from assistant.table.storage import Evidence
from assistant.table.taught import ModelChoice, choice_of
from assistant.table.terminal import KEPT, KEYS, OVER, START, warn
from assistant.table.vigil import Vigil
from assistant.table.voices import voice_without_device

WAIT = 0.05
"""Seconds that one look at the devices may take."""


def play_recording(
    file: Path, setup: Setup, save: Path | None, speak_to: Path | None, model: ModelChoice
) -> int:
    """Play a game from a recording, through the same code as a microphone's.

    The game is kept whatever becomes of the sound; 1 if the recording is cut off, or what was said could not
    be written.
    """
    with Recording(file) as recording:
        ears = prepare_ears(model, warn)
        folder = prepare(save or new_folder(setup))
        output: Output = Nowhere() if speak_to is None else WavFile(speak_to)
        record = open_record(folder, warn)
        voice = voice_without_device(output, audible(setup).voices)
        ear = RecogniserEar(ears.recogniser)
        table = Table(setup, ears.vocabulary, ears.thresholds, voice, record, ear, _show)
        with contextlib.closing(output), contextlib.closing(record):
            try:
                table.start()
                play_stream(table, ears.recogniser, recording.blocks(), Evidence(table, folder))
            except KeyboardInterrupt as interrupt:
                return _interrupted(interrupt, table, folder)
        status = int(voice.has_failed)
        try:
            recording.check_whole()
        except HectorError as error:
            warn(told(error))
            status = error.status
    _show_all(KEPT, setup.language, folder=folder)
    return status


def play(
    setup: Setup,
    save: Path | None,
    speak_to: Path | None,
    model: ModelChoice,
    *,
    keyboard_only: bool,
    braille_display: bool = True,
    guest: Guest | None = None,
    clerk: Clerk | None = None,
    ways: Ways | None = None,
) -> int:
    """Play a live game; a braille display is used wherever there is one, unless it is declined.

    A guest may start the clock too, and the game's folder stays open for him after the end.
    """
    guest = _company(guest, setup)
    folder = prepare(save or new_folder(setup))
    # The journal begins when nothing can go wrong any more that is not the game's own.
    with (
        opened(speak_to, model, keyboard_only, audible(setup, ways)) as devices,
        contextlib.closing(open_record(folder, warn)) as record,
        contextlib.closing(Reader(setup, open_display(setup) if braille_display else None)) as reader,
    ):
        table = _table(setup, devices, record, reader)
        with (
            contextlib.closing(_keyboard(table)) as keyboard,
            _seat(guest, table, folder, devices),
        ):
            if clerk is not None:
                clerk.open(table, folder, _show)
            if not _wait_for_start(keyboard, guest, clerk, setup.language):
                return 0
            try:
                devices.start_clock(0.0)
                table.start()
                with contextlib.closing(Vigil(table, record, folder, lambda: devices.now)) as vigil:
                    vigil.welcome()
                    return _run(table, devices, keyboard, reader, vigil, folder, guest, clerk)
            except KeyboardInterrupt as interrupt:
                return _interrupted(interrupt, table, folder)


def resume(
    folder: Path,
    speak_to: Path | None,
    model: str | None,
    *,
    keyboard_only: bool,
    guest: Guest | None = None,
    clerk: Clerk | None = None,
    player: Player | None = None,
    ways: Ways | None = None,
) -> int:
    """Continue a game from its folder, where its journal ends; a player's settings count from now on.

    So does his voice, and that of the player whose settings the game had, if Hector has learnt it.
    """
    record, setup, lines = reopen_record(folder, warn)
    setup = setup if player is None else with_settings(setup, player)
    guest = _company(guest, setup)
    with (
        contextlib.closing(record),
        opened(
            speak_to, choice_of(model, setup.player or None), keyboard_only, audible(setup, ways)
        ) as devices,
        contextlib.closing(Reader(setup, open_display(setup))) as reader,
    ):
        table = _table(setup, devices, record, reader)
        with (
            contextlib.closing(_keyboard(table)) as keyboard,
            contextlib.ExitStack() as seats,
        ):
            beat = last_beat(folder) if lines else None
            at = max([beat.at if beat else 0.0, *(float(line["at"]) for line in lines[-1:])])
            if lines:
                table.resume(lines, at)
            # A guest finds the game as it stands.
            seats.enter_context(_seat(guest, table, folder, devices))
            if clerk is not None:
                clerk.open(table, folder, _show)
            try:
                # What the game's time was before the interruption, it is again now that the position is
                # ready.
                devices.start_clock(at)
                if not lines:
                    table.start()
                with contextlib.closing(Vigil(table, record, folder, lambda: devices.now)) as vigil:
                    if lines and not table.over:
                        vigil.interrupted(beat, lines[-1])
                    if table.over:
                        _show_all(OVER, setup.language)
                    return _run(table, devices, keyboard, reader, vigil, folder, guest, clerk)
            except KeyboardInterrupt as interrupt:
                return _interrupted(interrupt, table, folder)


def _interrupted(interrupt: KeyboardInterrupt, table: Table, folder: Path) -> int:
    """Tell where the game is that control and C or another signal has ended here; return the exit status."""
    if table.over:
        _show_all(KEPT, table.setup.language, folder=folder)
    else:
        _show_stopped(folder, table.setup.language)
    return interrupt.args[0] if interrupt.args else 128 + signal.SIGINT


def _company(guest: Guest | None, setup: Setup) -> Guest | None:
    """Return who comes to the table beside the players who sit at it: the guest, and the engine if one plays.

    :raises UsageError: if the engine cannot play at the strength that was asked for.
    """
    if setup.engine is None:
        return guest
    # Where nobody can press Enter, nobody has to.
    starts = guest is None and not (sys.stdin is not None and sys.stdin.isatty())
    engine = EnginePlayer(setup.engine, warn, starts=starts)
    return engine if guest is None else Company(guest, engine)


@contextlib.contextmanager
def _seat(guest: Guest | None, table: Table, folder: Path, devices: Devices) -> Iterator[None]:
    if guest is None:
        yield
        return
    guest.open(table, folder, lambda: devices.now)
    try:
        yield
    finally:
        guest.close()


def _wait_for_start(keyboard: Keyboard, guest: Guest | None, clerk: Clerk | None, language: str) -> bool:
    """Wait until somebody starts the clock; return whether somebody did.

    Nobody has to where nobody could: with neither a guest nor a terminal it starts at once.
    """
    terminal = sys.stdin is not None and sys.stdin.isatty()
    if terminal:
        _show_all(START, language)
    while terminal or guest is not None:
        typed = keyboard.lines()
        for number, (line, _at) in enumerate(typed):
            if line == ESCAPE:
                continue
            if line.strip() == "?":
                _show_all(KEYS, language)
                continue
            if clerk is not None and clerk.take(line, 0.0):
                continue
            # Whoever types a move starts the clock with it, and nothing that was typed is lost.
            keyboard.put_back(typed[number + (not line.strip()) :])
            return not is_quit(line)
        if guest is None and keyboard.ended:
            break
        if guest is not None:
            guest.attend()
            if guest.starts:
                break
        time.sleep(WAIT)
    return True


def _keyboard(table: Table) -> Keyboard:
    voice = table.course.voice
    return Keyboard(on_key=voice.hush, on_silence=voice.cancel)


def _table(setup: Setup, devices: Devices, record: GameRecord, reader: Reader) -> Table:
    ears = devices.ears
    # By keyboard alone nothing has to be expected, and no disk can be too full for it.
    ear = None if devices.microphone is None else RecogniserEar(ears.recogniser)
    voice = reader.beside(devices.voice)
    return Table(setup, ears.vocabulary, ears.thresholds, voice, record, ear, _show)


def _run(
    table: Table,
    devices: Devices,
    keyboard: Keyboard,
    reader: Reader,
    vigil: Vigil,
    folder: Path,
    guest: Guest | None = None,
    clerk: Clerk | None = None,
) -> int:
    """Keep the game going until it is over, somebody stops it, or nobody is left who could say anything."""
    listening = Listening(table, devices.ears.recogniser, Evidence(table, folder))
    began = devices.now
    is_others = (lambda line: False) if clerk is None else clerk.is_his
    secretary = Secretary(table, folder, _show, keyboard.hide, is_others)
    secretary.welcome()
    stopped = keyboard_is_told = False

    def take(line: str, at: float) -> None:
        nonlocal stopped
        if is_quit(line):
            stopped = True
        elif not (stopped or table.over or secretary.take(line, at) or (clerk and clerk.take(line, at))):
            table.type(line, at)

    def collect() -> None:
        for line, typed_at in keyboard.lines():
            if line.strip().lower() in SILENCING:
                # It waits for nobody, and takes nobody's time.
                take(line, table.now)
            else:
                at = max(typed_at - devices.zero, began)
                listening.in_order(at, partial(take, line, at), patience=math.inf)

    if guest is not None:
        # What an interruption has kept a guest from comes before what was typed before the game went on.
        guest.attend()
    while True:
        reader.attend(table, devices.now, listening.in_order)
        vigil.attend()
        if guest is not None:
            guest.attend(listening.in_order)
        collect()
        if devices.microphone is None:
            # Nobody is listened to who could have said something before.
            listening.wait(devices.now)
            if keyboard.ended and not (guest and guest.stays):
                break
        elif keyboard.ended and keyboard.was_there and not keyboard_is_told:
            keyboard_is_told = True
            table.device("keyboard", lost=True)
        if table.over or stopped:
            break
        items = devices.read(WAIT, busy=listening.is_busy)
        # What was typed and sent meanwhile came before the time that passes now.
        collect()
        if guest is not None:
            guest.attend(listening.in_order)
        if not items:
            listening.wait(devices.now)
        for item in items:
            if table.over or stopped:
                break
            if isinstance(item, Change):
                if item.what == "muted":
                    table.tell_muted()
                    continue
                if item.device == "microphone" and item.what != "heard":
                    listening.be_deaf(devices.now, silence=True)
                table.device(item.device, lost=item.what == "lost")
                continue
            at = item.end - devices.zero
            if at < began or devices.is_deaf_to(item):
                listening.be_deaf(max(at, began))
            else:
                listening.take(item.samples, at)
        if table.over or stopped:
            break
    if stopped and not table.over:
        _show_stopped(folder, table.setup.language)
        return 0
    # Whoever sent something is answered.
    listening.release()
    until = devices.now + LAST_READING
    while (
        # The result is signed, the sheets are looked at.
        (guest is not None and guest.stays and not stopped)
        # What the end of the game brought is read.
        or (table.over and devices.now < until and not reader.has_read)
    ):
        reader.attend(table, devices.now)
        if guest is not None:
            guest.attend()
        stopped = stopped or any(map(is_quit, keyboard.pending()))
        time.sleep(WAIT)
    _show_all(KEPT, table.setup.language, folder=folder)
    return 0


def _show_all(message: Message, language: str, **values: object) -> None:
    for line in terminal.lines(message, language, **values):
        _show(line)


def _show_stopped(folder: Path, language: str) -> None:
    for line in terminal.stopped(folder, language):
        _show(line)


def _show(line: str) -> None:
    try:
        print(line, flush=True)
    except OSError:
        # Whoever read along has gone; the players have not.
        give_up(sys.stdout)
