"""Tries on a game's page what bad people and bad luck try, and prints what came of each.

    python -m benchmarks.page_attack [--json]

It starts games of its own with `hector serve` on this computer (127.0.0.1) and attacks nothing else. An
attack is repelled if it is refused in one sentence, the refusal is logged, and the game in the journal is
what it was before: every line that the referee has carried out, and the position, the clocks and the result
they lead to. The exit status is 1 if one is not.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assistant.laws import Referee
from assistant.moves import read_move
from assistant.sealing import Work, new_key
from benchmarks.pages import Served, served

PASSPHRASE = "four white rooks castle"
HOSTILE_NAME = '</title><script>alert(1)</script>"\u202eאבג'


@dataclass(frozen=True, slots=True)
class Attack:
    """What was tried, what was answered, and whether that is as it should be."""

    name: str
    status: str
    sentence: str
    logged: bool | None
    """None where nothing is refused: it is carried out once, or shown."""
    untouched: bool
    repelled: bool


def game_of(game: Served) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the lines that were carried out, and what the game is after them.

    What the referee refused, and the program's own remarks, change nothing.
    """
    first, *lines = (json.loads(line) for line in game.journal().splitlines())
    referee = Referee(first["game"], read_move=read_move)
    done = [
        line
        for line in lines
        if not any(event.event == "refused" for event in referee.apply(line)) and line["do"] != "note"
    ]
    status = dict(referee.status().keys)
    for side in ("white", "black"):
        # The clock of whoever has the move runs on.
        if side == status["running"]:
            del status[side]
    return done, status


def refusals(game: Served) -> int:
    """Return how many refusals are in the page's log."""
    path = game.folder / "page.log"
    return len(path.read_bytes().splitlines()) if path.exists() else 0


def tried(
    game: Served, name: str, attack: Callable[[], tuple[int, dict[str, Any]]], statuses: tuple[int, ...]
) -> Attack:
    """Try something that must change nothing; `statuses` are those that it may be answered with."""
    before, refused = game_of(game), refusals(game)
    status, answer = attack()
    sentence = str(answer.get("sentence") or "")
    logged, untouched = refusals(game) > refused, game_of(game) == before
    repelled = status in statuses and sentence.endswith((".", ")", "]")) and logged and untouched
    return Attack(name, str(status), sentence, logged, untouched, repelled)


def flooded(browser: Any) -> tuple[int, dict[str, Any]]:
    status, sentence = browser.flood(100 * 2**20)
    return status, {"sentence": sentence}


def on_the_game(folder: Path, home: Path) -> Iterator[Attack]:
    """Everything that is tried against a game in progress."""
    with served(folder, "--save", str(folder), "--white", HOSTILE_NAME, "--black", "B", home=home) as game:
        game.start()
        game.announce("e4", "")
        opponent = game.browser("opponent")
        key, seen = uuid.uuid4().hex, opponent.mark
        move = {"do": "move", "values": {"move": "e7e5"}, "seen": seen, "key": key}

        yield tried(
            game, "no PIN: a move from a spectator", lambda: game.browser().post("/act", move), (403,)
        )
        yield tried(
            game, "a foreign origin",
            lambda: opponent.post("/act", move, {"Origin": "http://evil.example"}), (403,),
        )  # fmt: skip
        yield tried(
            game, "DNS rebinding: a foreign name",
            lambda: opponent.post("/act", move, {"Host": f"evil.example:{game.port}"}), (421,),
        )  # fmt: skip
        yield tried(
            game, "a form of a foreign page (no token)",
            lambda: opponent.post("/act", move, {"X-Hector-Token": None}), (403,),
        )  # fmt: skip
        yield tried(game, "a body of 100 MB", lambda: flooded(opponent), (413,))
        yield tried(game, "100 kB of nested brackets", lambda: opponent.post("/act", b"[" * 50_000), (400,))
        yield tried(
            game, "the opponent as arbiter", lambda: opponent.act("result", {"result": "0-1"}), (403,)
        )
        yield tried(
            game, "markup and right-to-left text as a move",
            lambda: opponent.act("move", {"move": HOSTILE_NAME}), (400,),
        )  # fmt: skip
        yield tried(
            game,
            "a move for the blind player",
            lambda: opponent.act("move", {"move": "d2d4"}, seen=seen),
            (400, 409),
        )

        assert opponent.post("/act", move)[0] == 200
        yield repeated(game, opponent, move)
        yield tried(
            game, "a second tab: another move",
            lambda: game.browser("opponent").act("move", {"move": "d7d5"}, seen=seen), (409,),
        )  # fmt: skip
        assert opponent.act("press")[0] == 200
        yield tried(game, "a stale page: a second press", lambda: opponent.act("press", seen=seen), (409,))
        yield tried(game, "a press out of turn", lambda: opponent.act("press"), (409,))
        yield from guessed(game)
        yield shown_names(game)
        yield replayed_cookie(game, move)
    yield from after_restart(folder, home, move)


def repeated(game: Served, opponent: Any, move: dict[str, Any]) -> Attack:
    """Send a request that was carried out once more: the same answer, nothing else."""
    before = game_of(game)
    status, answer = opponent.post("/act", move)
    untouched = game_of(game) == before
    ok = status == 200 and untouched
    return Attack("a replayed request, a double click", str(status), answer["sentence"], None, untouched, ok)


def guessed(game: Served) -> Iterator[Attack]:
    """Guess the arbiter's PIN as fast as it goes."""
    yield tried(game, "a guessed PIN", lambda: game.browser().sign_in("arbiter", "123456"), (403,))
    guesser = game.browser()
    yield tried(game, "guessing on at once", lambda: guesser.sign_in("arbiter", "123457"), (429,))
    yield tried(game, "the right PIN among guesses", lambda: guesser.sign_in("arbiter"), (429,))


def shown_names(game: Served) -> Attack:
    """Look whether a hostile name is only a name: escaped in the document, plain data for its scripts."""
    browser = game.browser()
    _, page = browser.get("/")
    safe = "<script>alert" not in page and "\u2068&lt;/title&gt;" in page
    safe = safe and browser.state()["white"]["name"] == HOSTILE_NAME
    return Attack("a name with markup, from right to left", "200", "Shown as a name.", None, True, safe)


def replayed_cookie(game: Served, move: dict[str, Any]) -> Attack:
    """Use a cookie after its owner has signed out."""
    owner = game.browser("opponent")
    thief = game.browser()
    thief.cookies, thief.token = dict(owner.cookies), owner.token
    owner.post("/signout", {})
    return tried(game, "a cookie after signing out", lambda: thief.post("/act", move), (403,))


def after_restart(folder: Path, home: Path, move: dict[str, Any]) -> Iterator[Attack]:
    """Send an old request to the server that took its place; write and show 10,000 entries of the log."""
    with served(folder, str(folder), home=home) as game:
        yield repeated_after_restart(game, move)
    journal = folder / "journal.jsonl"
    last = json.loads(journal.read_text("utf-8").splitlines()[-1])
    with journal.open("a", encoding="utf-8") as file:
        for number in range(10_000):
            file.write(json.dumps({"at": last["at"], "do": "note", "about": f"entry {number}"}) + "\n")
    with served(folder, str(folder), home=home) as game:
        before = game_of(game)
        with game.browser("arbiter").events() as events:
            shown = events.next("state", lambda data: data["total"] > 10_000)
        fits = shown["total"] > 10_000 and len(shown["log"]) <= 50
        sentence = f"{len(shown['log'])} of {shown['total']} entries are shown."
        untouched = game_of(game) == before
        yield Attack("10,000 entries of the log", "200", sentence, None, untouched, fits and untouched)


def repeated_after_restart(game: Served, move: dict[str, Any]) -> Attack:
    before = game_of(game)
    status, answer = game.browser("opponent").post("/act", move)
    untouched = game_of(game) == before
    ok = status == 200 and untouched and "already" in answer["sentence"]
    return Attack("a replayed request after a restart", str(status), answer["sentence"], None, untouched, ok)


def on_the_flag(folder: Path, home: Path) -> Iterator[Attack]:
    """Press after the flag has fallen."""
    with served(folder, "--save", str(folder), "--time-control", "3", home=home) as game:
        game.start()
        game.announce("e4", "")
        opponent = game.browser("opponent")
        with opponent.events() as events:
            events.next("state", lambda data: data["state"]["phase"] == "over")
        yield tried(game, "a press after the flag", lambda: opponent.act("press"), (409,))
        yield tried(game, "a move after the flag", lambda: opponent.act("move", {"move": "e5"}), (409,))


def on_the_envelope(folder: Path, home: Path) -> Iterator[Attack]:
    """Seal a move, then try to open it with a wrong passphrase, and after it was tampered with."""
    key = home / "hector" / "arbiter-key.json"
    key.parent.mkdir(parents=True, exist_ok=True)
    key.write_bytes(new_key(PASSPHRASE, Work(1, 8 * 2**20)))
    with served(folder, "--save", str(folder), home=home) as game:
        game.start()
        game.announce("e4", "")
        arbiter, opponent = game.browser("arbiter"), game.browser("opponent")
        for browser, verb, values in [
            (arbiter, "adjourn", {}),
            (opponent, "seal", {"move": "e7e5"}),
            (arbiter, "stop-clock", {}),
            (arbiter, "resume", {}),
            (arbiter, "arrive", {"side": "white"}),
            (arbiter, "arrive", {"side": "black"}),
        ]:
            status, answer = browser.act(verb, values)
            assert status == 200, (verb, answer)
        assert b"e7e5" not in game.journal()
        yield tried(
            game, "a wrong passphrase",
            lambda: arbiter.act("open-envelope", {"passphrase": "four black rooks"}), (403,),
        )  # fmt: skip
        yield tried(game, "no passphrase", lambda: arbiter.act("open-envelope", {}), (409,))
    journal = folder / "journal.jsonl"
    text = journal.read_text("utf-8")
    sealed = json.loads(next(line for line in text.splitlines() if '"seal"' in line))["envelope"]
    letter = "A" if sealed[-20] != "A" else "B"
    journal.write_text(text.replace(sealed, sealed[:-20] + letter + sealed[-19:]), "utf-8")
    with served(folder, str(folder), home=home) as game:
        arbiter = game.browser("arbiter")
        yield tried(
            game, "a tampered envelope",
            lambda: arbiter.act("open-envelope", {"passphrase": PASSPHRASE}), (400,),
        )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", action="store_true", help="one JSON line for each attack")
    args = parser.parse_args()
    os.environ.setdefault("HECTOR_GAMES", tempfile.gettempdir())
    folder = Path(tempfile.mkdtemp(prefix="hector-attack-"))
    found: list[Attack] = []
    try:
        for number, attacks in enumerate((on_the_game, on_the_flag, on_the_envelope)):
            home = folder / f"home-{number}"
            for attack in attacks(folder / f"game-{number}", home):
                found.append(attack)
                print(
                    json.dumps(asdict(attack), ensure_ascii=False) if args.json else _row(attack), flush=True
                )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    repelled = sum(attack.repelled for attack in found)
    print(f"{repelled} of {len(found)} repelled.", file=sys.stderr if args.json else sys.stdout)
    return 0 if repelled == len(found) else 1


def _row(attack: Attack) -> str:
    verdict = "repelled" if attack.repelled else "NOT REPELLED"
    journal = "game untouched" if attack.untouched else "GAME CHANGED"
    log = {True: ", logged", False: ", NOT LOGGED", None: ""}[attack.logged]
    return f"{verdict:12} {attack.status:>3}  {attack.name:42} {journal + log}: {attack.sentence}"


if __name__ == "__main__":
    raise SystemExit(main())
