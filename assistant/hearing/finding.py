"""Where acoustic models are: the embedded one, and those that the user fetched or names."""

from __future__ import annotations

import os
from pathlib import Path

from assistant.errors import UsageError
from assistant.resources import data_path, user_data

_EMBEDDED = "de"
_ENVIRONMENT = "HECTOR_MODEL"


def models_directory() -> Path:
    """Return the folder of the models that the user fetched: HECTOR_MODELS, or one among his data."""
    named = os.environ.get("HECTOR_MODELS")
    return Path(named) if named else user_data("models")


def find_model(path: Path | str | None = None) -> Path:
    """Return the directory of the model to use: the one given, that of HECTOR_MODEL, or the embedded one.

    A fetched model may be given by its name alone, and so may the embedded one.

    :raises UsageError: if the directory does not exist.
    """
    if path:
        return _found(path)
    named = os.environ.get(_ENVIRONMENT)
    if not named:
        return embedded()
    try:
        return _found(named)
    except UsageError as error:
        raise UsageError("{reason} Its name is in {variable}.", reason=error, variable=_ENVIRONMENT) from None


def embedded() -> Path:
    """Return the directory of the model that Hector brings along."""
    return data_path("models", _EMBEDDED)


def _by_name(name: str) -> Path:
    """Return where the model that is called so may be: the embedded one, unless one was fetched as that."""
    fetched = models_directory() / name
    return embedded() if name == _EMBEDDED and not fetched.is_dir() else fetched


def _found(name: Path | str) -> Path:
    try:
        directory = Path(name).expanduser()
    except RuntimeError:
        # There is no such user.
        directory = Path(name)
    named = _by_name(directory.name)
    if not directory.exists() and str(name) == directory.name and named.is_dir():
        return named
    if not directory.is_dir():
        if directory.exists():
            raise UsageError(
                "The model {directory} is not a directory; give the directory of a Vosk model.",
                directory=directory,
            )
        raise UsageError(
            "The model {directory} does not exist; give the directory of a Vosk model.", directory=directory
        )
    return directory


def lasting_name(name: str) -> str:
    """Return the name by which a model is found from every folder: its name alone, or a whole path.

    :raises UsageError: if the directory does not exist.
    """
    found = find_model(name).absolute()
    return name if found == _by_name(name).absolute() else str(found)
