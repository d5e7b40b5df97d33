"""A Python environment that does not see what the system has installed, or lacks what Hector needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def secluded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment such as `python3 -m venv` makes unasked, with nothing in it."""
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


def refusal(python: Path, folder: Path) -> str:
    """Start the program that lies in a folder, without what it needs, and return its sentence."""
    ended = subprocess.run(
        [str(python), "-P", "-m", "assistant", "doctor"],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    return ended.stderr


def test_who_starts_the_program_without_its_launcher_is_told_of_it(secluded: Path) -> None:
    assert refusal(secluded, ROOT) == (
        "hector: The Python package chess is missing. "
        f"Start Hector with its launcher, which brings it: {ROOT}/hector\n"
    )


def test_an_environment_of_the_launcher_that_lacks_a_package_is_to_be_removed(
    secluded: Path, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "assistant", tmp_path / "assistant")
    assert refusal(secluded, tmp_path) == (
        "hector: The Python package chess is missing. Install the program again.\n"
    )
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / ".venv")], check=True)
    assert refusal(tmp_path / ".venv" / "bin" / "python", tmp_path) == (
        f"hector: The Python package chess is missing. Remove the folder {tmp_path / '.venv'} "
        "and start Hector again: it is set up anew.\n"
    )
