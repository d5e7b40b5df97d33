"""An environment that does not see what the system has installed, such as `python3 -m venv` makes unasked."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def secluded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of such an environment."""
    folder = tmp_path_factory.mktemp("secluded")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return folder / "bin" / "python"


@pytest.mark.parametrize(
    ("wanted", "use"),
    [
        ("BrlAPI", "from assistant.display import check_display as use"),
        ("speech-dispatcher", "from assistant.speaking import SpeechDispatcherVoice as use"),
    ],
)
def test_a_binding_that_is_not_seen_is_not_to_be_installed_once_more(
    secluded: Path, wanted: str, use: str
) -> None:
    told = subprocess.run(
        [str(secluded), "-c", f"{use}\ntry: use()\nexcept Exception as error: print(error)"],
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{sysconfig.get_path('purelib')}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.startswith(f"{wanted} needs a Python environment that sees the system's packages: ")
    assert "apt" not in told
