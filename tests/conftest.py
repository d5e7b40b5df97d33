"""What tests of several rooms need."""

from __future__ import annotations

import os
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from virtual_sound import VirtualSound

from assistant.hearing import renew_portaudio

# A slow machine is no fault of what is tested, and the same tree has the same verdict twice. New examples,
# and ten times as many, are looked for with `--hypothesis-profile explore`.
settings.register_profile("hector", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("explore", deadline=None, derandomize=False, max_examples=1000)
settings.load_profile("hector")

# What is tested is this tree, whatever the tester has set for his own games.
for name in ("MODEL", "MODELS", "MODELS_URL", "GAMES", "CALLED"):
    os.environ.pop(f"HECTOR_{name}", None)
for role in ("ARBITER", "OPPONENT", "SPECTATOR"):
    os.environ.pop(f"HECTOR_{role}_PIN", None)
# Nor in his own language.
os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"
# What a program writes waits in it, as at anybody's, until it is passed on.
os.environ.pop("PYTHONUNBUFFERED", None)


@pytest.fixture(scope="session", autouse=True)
def users_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder of the user's data for the tests alone: the tester's own stay as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def heeded() -> Iterator[None]:
    """What started the tests may have ignored these signals, as nohup does; then their children do, too."""
    usual = {
        signal.SIGTERM: signal.SIG_DFL,
        signal.SIGHUP: signal.SIG_DFL,
        signal.SIGINT: signal.default_int_handler,
    }
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screens", metavar="DIR", help="write pictures of the page's main states into DIR")


@pytest.fixture(scope="module")
def sound_server() -> Iterator[VirtualSound]:
    """A virtual sound card; mark the tests that use it `audio`. It is gone after them: it never rests."""
    server = VirtualSound()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def virtual_sound(sound_server: VirtualSound, monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualSound]:
    """The virtual sound card as the default device of PortAudio in this process."""
    for name, value in sound_server.environment.items():
        monkeypatch.setenv(name, value)
    renew_portaudio()
    yield sound_server
    monkeypatch.undo()
    renew_portaudio()


@pytest.fixture
def hung_server() -> Iterator[dict[str, str]]:
    """A sound server that lets everybody connect and answers nobody: the environment that leads to it."""
    # Not in the test's own folder: the address of a socket has 107 bytes.
    with (
        tempfile.TemporaryDirectory(prefix="hector-hung-") as folder,
        socket.socket(socket.AF_UNIX) as server,
    ):
        path = Path(folder, "native")
        server.bind(str(path))
        server.listen(50)
        yield {"PULSE_SERVER": f"unix:{path}", "XDG_RUNTIME_DIR": folder}
