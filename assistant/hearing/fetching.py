"""Fetching another acoustic model, once, from the network or from an archive that was brought along.

Vosk's models are published as ZIP archives with one folder inside. What arrives is unpacked beside its place,
checked like any model, and moved there only when it is whole: a broken line leaves nothing behind.
"""

from __future__ import annotations

import errno
import http.client
import lzma
import os
import re
import struct
import tempfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from assistant.errors import HectorError, Phrase, UsageError, marked
from assistant.hearing.finding import models_directory
from assistant.hearing.models import AcousticModel, load_model

PUBLISHED = "https://alphacephei.com/vosk/models"
"""Where the makers of Vosk publish their models, NAME.zip each; HECTOR_MODELS_URL names a mirror."""
MOST_BYTES = 8_000_000_000
"""The largest archive that is taken, unpacked; Vosk's largest models have about half of it."""
_DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError),
    *(ValueError, struct.error),
)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO)
"""What a folder is to blame for, and no archive."""
_PIECE = 1 << 18
_TELL_EVERY = 5_000_000
_TIMEOUT = 30.0


def fetch_model(
    source: str, tell: Callable[[Phrase], None], check: Callable[[AcousticModel], object] = lambda model: None
) -> Path:
    """Bring a model into the user's folder of models and return its place there.

    :param source: a published model's name, the address of a ZIP archive, or the path of one on this machine.
    :param tell: takes a line now and then while the archive arrives, so that the wait is not silent.
    :param check: looks at it once more before it is kept, and raises HectorError if it may not be.
    :raises UsageError: if the source is no name, address or archive.
    :raises HectorError: if it cannot be fetched, is damaged, or is not a model; nothing is left of it then.
    """
    if Path(source).is_file() and Path(source).suffix != ".zip" and not zipfile.is_zipfile(source):
        raise UsageError("{source} is no ZIP archive; name the archive of a model.", source=source)
    name = _name(source)
    if not re.fullmatch(r"\w[\w.+-]*", name):
        raise UsageError(
            "“{source}” is not the name of a model, for example vosk-model-small-de-0.15.", source=source
        )
    place = models_directory() / name
    if place.exists():
        raise HectorError(
            "The model {name} is there already: {place}. Delete that folder to fetch it again.",
            name=name,
            place=place,
        )
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".fetching-") as folder:
            archive = Path(folder, "archive.zip")
            if Path(source).is_file():
                archive = Path(source)
            else:
                _download(_address(source), archive, tell)
            tell(marked("Unpacking and checking it."))
            unpacked = _unpack(archive, Path(folder, "model"), name)
            try:
                check(load_model(unpacked))
            except HectorError as error:
                raise _about(error, unpacked, name) from error
            unpacked.rename(place)
    except OSError as error:
        raise HectorError(
            "The model cannot be kept in {parent}: {reason}.", parent=place.parent, reason=error
        ) from error
    return place


def _name(source: str) -> str:
    """Return what the model will be called; not yet checked, unless it is made from the name of a file."""
    if not Path(source).is_file():
        return Path(source.partition("?")[0]).name.removesuffix(".zip")
    plain = re.sub(r"[^\w.+-]+", "-", re.sub(r"\.zip$", "", Path(source).name, flags=re.IGNORECASE))
    return plain.lstrip(".+-").rstrip("-") or "model"


def _address(source: str) -> str:
    if re.match(r"https?://", source):
        return source
    if "/" in source or source.endswith(".zip"):
        raise UsageError("There is no archive {source}. Check the name.", source=source)
    return f"{os.environ.get('HECTOR_MODELS_URL', PUBLISHED).rstrip('/')}/{source}.zip"


def _about(error: HectorError, folder: Path, name: str) -> HectorError:
    """Return what is wrong with a model, told of its name: its folder is gone when that is read."""
    values = {
        key: Path(name) / value.relative_to(folder)
        if isinstance(value, Path) and value.is_relative_to(folder)
        else value
        for key, value in error.phrase.values.items()
    }
    return HectorError(Phrase(error.phrase.template, values))


def _download(address: str, target: Path, tell: Callable[[Phrase], None]) -> None:
    try:
        with urllib.request.urlopen(address, timeout=_TIMEOUT) as answer:
            header = answer.headers.get("Content-Length", "")
            length = int(header) if header.isdecimal() else 0
            with target.open("wb") as file:
                got = _copy(answer, file, lambda so_far: tell(_fetched(so_far / 1e6, length / 1e6)))
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 404:
            raise HectorError("There is no such model: {address}. Check the name.", address=address) from None
        raise HectorError(
            "The server answered {code}: {address}. Check the name.", code=error.code, address=address
        ) from None
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", None) or error
        raise HectorError(
            "{address} cannot be reached: {reason}. With a network, try again; or bring the "
            "archive along and name its file.",
            address=address,
            reason=reason,
        ) from error
    except ValueError:
        raise UsageError("There is no archive {source}. Check the name.", source=address) from None
    if length and got != length:
        raise HectorError("The connection broke after {got:.1f} MB. Try again.", got=got / 1e6)


def _fetched(got: float, size: float) -> Phrase:
    if size:
        return marked("{got:.0f} of {size:.0f} MB fetched.", got=got, size=size)
    return marked("{got:.0f} MB fetched.", got=got)


def _copy(source: BinaryIO, target: BinaryIO, told: Callable[[int], None]) -> int:
    so_far, next_word = 0, _TELL_EVERY
    while piece := source.read(_PIECE):
        target.write(piece)
        so_far += len(piece)
        if so_far >= next_word:
            told(so_far)
            next_word += _TELL_EVERY
    return so_far


def _unpack(archive: Path, target: Path, name: str) -> Path:
    """Unpack an archive and return the folder with the model in it: the archive's top or one below."""
    try:
        with zipfile.ZipFile(archive) as zipped:
            if sum(entry.file_size for entry in zipped.infolist()) > MOST_BYTES:
                raise HectorError("The archive of {name} is far too large for a model.", name=name)
            target.mkdir()
            zipped.extractall(target)
    except (*_DAMAGES, OSError) as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:
            raise
        raise HectorError(
            "The archive of {name} is damaged or not a ZIP file. Fetch it again.", name=name
        ) from error
    for folder in (target, *sorted(path for path in target.iterdir() if path.is_dir())):
        if (folder / "am" / "final.mdl").exists():
            return folder
    raise HectorError("The archive of {name} holds no Vosk model: am/final.mdl is missing.", name=name)


def fetched_models() -> list[Path]:
    """Return the folders of the models that were fetched, by name."""
    folder = models_directory()
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
