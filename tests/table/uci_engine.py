"""A tiny UCI engine for tests: it plays moves from a list, and misbehaves when it is told to.

Arguments: what it answers to each `go`, in order. A move in UCI; "crash"; "hang"; "rubbish"; "illegal";
"none"; "null", the null move; or a move with its score in hundredths of a pawn: "e7e5=-30".
"""

from __future__ import annotations

import sys
import time


def main() -> None:
    answers = iter(sys.argv[1:])
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                say("id name Tiny 1", "option name UCI_LimitStrength type check default false")
                say("option name UCI_Elo type spin default 1500 min 1000 max 2000", "uciok")
            case ["isready"]:
                say("readyok")
            case ["setoption", *_]:
                print(line.strip(), file=sys.stderr)
            case ["go", *_]:
                go(next(answers, "none"))
            case ["quit"]:
                return


def go(answer: str) -> None:
    move, _, score = answer.partition("=")
    match move:
        case "crash":
            sys.exit(3)
        case "hang":
            time.sleep(3600)
        case "rubbish":
            say("info score cp x", "bestmove potato")
        case "illegal":
            say("bestmove a1a8")
        case "none":
            say("bestmove (none)")
        case "null":
            say("bestmove 0000")
        case _:
            say(f"info depth 1 score cp {score or 0}", f"bestmove {move}")


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
