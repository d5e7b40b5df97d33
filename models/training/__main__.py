"""python -m models.training --out DIR: from nothing to a model that vosk loads; README.md describes it."""

from __future__ import annotations

import argparse
import contextlib
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from assistant.errors import HectorError, UsageError
from assistant.interrupts import signals_interrupt, status_of
from assistant.quiet import give_up
from models.training import CHECKPOINT, training_extra

MINUTES = 90.0
MOST_SEED = 2**32 - 1
NO_MEMORY = "can't allocate memory"
"""What PyTorch says in a RuntimeError where Python raises a MemoryError."""


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m models.training",
        description="Train Hector's acoustic model from nothing: synthesis, training, export, check.",
    )
    parser.add_argument("--out", type=Path, required=True, help="the model directory to write")
    parser.add_argument("--quick", action="store_true", help="a small working model in about two minutes")
    parser.add_argument("--words", action="store_true", help="outputs of their own for squares and pieces")
    parser.add_argument("--whole", action="store_true", help="layers without waists, as --quick has them")
    parser.add_argument("--uneven", action="store_true", help="make the values of all layers uncertain")
    parser.add_argument("--work", type=Path, help="pools and checkpoints (default: OUT with .work added)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help=f"time for the training itself (default {MINUTES:g})")
    parser.add_argument("--recordings", type=Path, help="a folder of recordings with their transcripts")
    parser.add_argument(
        "--resume", action="store_true", help="go on from the last checkpoint in the work folder"
    )
    parser.add_argument(
        "--from", type=Path, dest="earlier", metavar="MODEL", help="a model to go on from and to learn from"
    )
    chosen = parser.parse_args(arguments)
    if chosen.minutes is None:
        chosen.minutes = MINUTES
    elif chosen.quick:
        parser.error("--quick has a length of its own: leave out --minutes")
    if not 0 < chosen.minutes < math.inf:
        parser.error("--minutes must be a number above 0")
    if not 0 <= chosen.seed <= MOST_SEED:
        parser.error(f"--seed must be a number from 0 to {MOST_SEED}")
    if chosen.work is None:
        # "." and ".." are no names beside which a folder could lie
        place = chosen.out if chosen.out.name.strip(".") else chosen.out.resolve()
        if not place.name:
            parser.error("--out must be a folder of its own, or name the work folder with --work")
        chosen.work = place.with_name(place.name + ".work")
    return chosen


def say(line: str) -> None:
    # nobody may be reading any longer, or the log lies on a full disk: the work goes on
    with contextlib.suppress(OSError):
        print(line, flush=True)


def run(chosen: argparse.Namespace) -> None:
    with training_extra():
        import scipy  # noqa: F401
        import torch  # noqa: F401
    from models.training import pipeline

    for kind, folder in (("model's", chosen.out), ("work", chosen.work)):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"The {kind} folder {folder} cannot be made: {error.strerror}.") from error
    began = time.monotonic()
    size = pipeline.QUICK if chosen.quick else pipeline.full(chosen.minutes)
    if chosen.words:
        size = pipeline.with_words(size)
    if chosen.whole:
        size = pipeline.whole(size)
    if chosen.uneven:
        size = pipeline.uneven(size)
    training = pipeline.Pipeline(chosen.out, chosen.work, chosen.seed, size, say, chosen.earlier)
    training.run(chosen.recordings, chosen.resume)
    say(f"Ready: {chosen.out}, after {(time.monotonic() - began) / 60:.1f} minutes.")


def _checkpoint(chosen: argparse.Namespace) -> int | None:
    """When the checkpoint was written, in nanoseconds of the system's clock, if there is one."""
    try:
        return int((chosen.work / CHECKPOINT).stat().st_mtime_ns)
    except OSError:
        return None


def _way_on(chosen: argparse.Namespace, before: int | None) -> str:
    """What to do after the training was broken off.

    :param before: when the checkpoint that was there at the beginning was written; `None` if there was none.
    """
    now = _checkpoint(chosen)
    if now is not None and (chosen.resume or now != before):
        return "The same command with --resume goes on from the last checkpoint."
    return "No checkpoint had been written yet: the same command begins anew, with the pools that are ready."


def main(arguments: Sequence[str] | None = None) -> int:
    chosen = parse(arguments)
    before = _checkpoint(chosen)
    try:
        with signals_interrupt():
            run(chosen)
    except HectorError as error:
        # what has been learnt until then is not to be learnt again
        more = f" {_way_on(chosen, before)}" if _checkpoint(chosen) not in (None, before) else ""
        print(f"{error}{more}", file=sys.stderr)
        return error.status
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        print(
            f"The training cannot go on: {error.strerror or error}{where}. {_way_on(chosen, before)}",
            file=sys.stderr,
        )
        return 1
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and NO_MEMORY not in str(error):
            raise
        print(f"The training cannot go on: the memory is full. {_way_on(chosen, before)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as interrupt:
        print(f"Stopped. {_way_on(chosen, before)}", file=sys.stderr)
        return status_of(interrupt)
    finally:
        try:
            sys.stdout.flush()
        except OSError:
            give_up(sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
