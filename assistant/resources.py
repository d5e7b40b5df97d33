"""Where the data files are: the vocabulary, the messages, the braille tables, the model, the user's own."""

from __future__ import annotations

import os
import site
import sys
from pathlib import Path

from assistant.errors import HectorError

_PACKAGE = Path(__file__).resolve().parent


def data_path(*parts: str) -> Path:
    """Return the path of a data file or folder, for example `data_path("locales", "de")`.

    Data lies inside the package when it was installed from a wheel, and beside it in a checkout.

    :raises HectorError: if it is in neither place.
    """
    for root in (_PACKAGE / "data", _PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    name = "/".join(parts)
    raise HectorError("A part of Hector is missing: {name}. Install the program again.", name=name)


def check_home() -> None:
    """Prove that there is a home folder: Vosk, too, cannot even be loaded without.

    :raises HectorError: if there is none.
    """
    try:
        Path.home()
    except RuntimeError as error:
        raise HectorError("There is no home folder. Name one in HOME.") from error


def user_data(*parts: str) -> Path:
    """Return a path below Hector's folder of the user's data (XDG base directories); it may not exist."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home, "hector", *parts)


def check_system_packages(wanted: str) -> None:
    """Prove that Python finds what the system has installed, where the bindings of some libraries lie alone.

    In an environment that does not see it they are missing, whatever is installed.

    :param wanted: what needs them.
    :raises HectorError: if it does not.
    """
    if sys.base_prefix not in site.PREFIXES:
        raise HectorError(
            "{wanted} needs a Python environment that sees the system's packages: make Hector's anew with "
            "python3 -m venv --system-site-packages, and install Hector there.",
            wanted=wanted,
        )
