"""What tests of several rooms need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings
from virtual_sound import VirtualSound

from assistant.hearing import renew_portaudio

# A slow machine is no fault of what is tested.
settings.register_profile("hector", deadline=None)
settings.load_profile("hector")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screens", metavar="DIR", help="write pictures of the page's main states into DIR")


@pytest.fixture(scope="session")
def sound_server() -> Iterator[VirtualSound]:
    """A virtual sound card for the whole session; mark the tests that use it `audio`."""
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
