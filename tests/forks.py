"""Processes of the program that need not start Python anew: forks of one in which everything is imported.

Each of them runs the program's own `main` from its first line, with descriptors, folder and environment of
its own, and dies by a signal like any other. Used as `subprocess.Popen` is, as far as the tests do.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[1]


class Process:
    """One fork."""

    def __init__(self, server: ForkServer, pid: int, stdin: int, stdout: int) -> None:
        self._server = server
        self.pid = pid
        self.stdin: IO[str] = os.fdopen(stdin, "w", 1, encoding="utf-8")
        self.stdout: IO[str] = os.fdopen(stdout, encoding="utf-8")
        self.returncode: int | None = None

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self.returncode = self._server.wait(self.pid, timeout)
        return self.returncode

    def poll(self) -> int | None:
        return self.returncode


class ForkServer:
    """The process that is forked."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = ours
        self._lock = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                pass_fds=(theirs.fileno(),),
            )

    def start(
        self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str], stderr: IO[bytes], **_given: Any
    ) -> Process:
        """Start the program with the arguments that follow "-m assistant" in a command."""
        arguments = list(command[list(command).index("assistant") + 1 :])
        stdin, stdout = os.pipe(), os.pipe()
        with self._lock:
            socket.send_fds(
                self._socket,
                [json.dumps({"arguments": arguments, "cwd": str(cwd), "env": dict(env)}).encode()],
                [stdin[0], stdout[1], stderr.fileno()],
            )
            pid = int(self._socket.recv(100))
        os.close(stdin[0])
        os.close(stdout[1])
        return Process(self, pid, stdin[1], stdout[0])

    def wait(self, pid: int, timeout: float | None) -> int:
        with self._lock:
            self._socket.settimeout(timeout)
            try:
                self._socket.send(json.dumps({"wait": pid}).encode())
                return int(self._socket.recv(100))
            except TimeoutError:
                raise subprocess.TimeoutExpired(str(pid), timeout or 0.0) from None
            finally:
                self._socket.settimeout(None)

    def close(self) -> None:
        self._socket.close()
        self._process.wait()


@contextlib.contextmanager
def fork_server() -> Iterator[ForkServer]:
    server = ForkServer()
    try:
        yield server
    finally:
        server.close()


def serve(descriptor: int) -> None:
    """Fork whenever asked to, until nobody is left who could ask."""
    import vosk  # noqa: F401 - so that no fork has to

    from assistant.announcements import load_vocabulary

    load_vocabulary("de")

    with socket.socket(fileno=descriptor) as asked:
        while True:
            message, descriptors, _flags, _address = socket.recv_fds(asked, 1_000_000, 3)
            if not message:
                return
            request = json.loads(message)
            if "wait" in request:
                _pid, status = os.waitpid(request["wait"], 0)
                asked.send(str(os.waitstatus_to_exitcode(status)).encode())
                continue
            pid = os.fork()
            if pid == 0:
                asked.close()
                os._exit(run(request, descriptors))
            for each in descriptors:
                os.close(each)
            asked.send(str(pid).encode())


def run(request: Mapping[str, Any], descriptors: Sequence[int]) -> int:
    """Be the program; return its exit status."""
    from assistant.cli import main

    for number, each in enumerate(descriptors):
        os.dup2(each, number)
        os.close(each)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - the process's own
    sys.stdout = open(1, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
    try:
        return main(request["arguments"])
    except SystemExit as leaving:
        return int(leaving.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
