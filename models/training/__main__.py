"""python -m models.training --out DIR: from nothing to a model that vosk loads; README.md describes it."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from assistant.errors import HectorError, UsageError


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m models.training",
        description="Train Hector's acoustic model from nothing: synthesis, training, export, check.",
    )
    parser.add_argument("--out", type=Path, required=True, help="the model directory to write")
    parser.add_argument("--quick", action="store_true", help="a small working model in about two minutes")
    parser.add_argument("--work", type=Path, help="pools and checkpoints (default: OUT with .work added)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--minutes", type=float, default=90.0, help="time for the training itself (default 90)"
    )
    parser.add_argument("--recordings", type=Path, help="a folder of recordings with their transcripts")
    parser.add_argument(
        "--resume", action="store_true", help="go on from the last checkpoint in the work folder"
    )
    chosen = parser.parse_args(arguments)
    if chosen.minutes <= 0:
        parser.error("--minutes must be more than 0")
    chosen.work = chosen.work or chosen.out.with_name(chosen.out.name + ".work")
    return chosen


def say(line: str) -> None:
    print(line, flush=True)


def run(chosen: argparse.Namespace) -> None:
    try:
        import torch  # noqa: F401
    except ImportError as error:
        raise HectorError(
            "Training needs PyTorch: install it with pip install 'hector-chess[training]'."
        ) from error
    from models.training import pipeline

    try:
        chosen.work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"The work folder {chosen.work} cannot be made: {error.strerror}.") from error
    began = time.monotonic()
    size = pipeline.QUICK if chosen.quick else pipeline.full(chosen.minutes)
    pipeline.Pipeline(chosen.out, chosen.work, chosen.seed, size, say).run(chosen.recordings, chosen.resume)
    say(f"Ready: {chosen.out}, after {(time.monotonic() - began) / 60:.1f} minutes.")


def main(arguments: Sequence[str] | None = None) -> int:
    chosen = parse(arguments)
    try:
        run(chosen)
    except HectorError as error:
        print(error, file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        print("Stopped; the same command with --resume goes on from the last checkpoint.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
