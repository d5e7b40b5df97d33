"""Acoustic models: whether they are whole, and which words they know.

Two kinds of directory are understood. A project model (the embedded one, or one from models/training) has
`lexicon.txt` and `phones.txt` beside Vosk's own files, so that exact graphs can be written for it. An
official Vosk model with a graph put together at run time (`graph/HCLr.fst`) knows words by their written
forms. Everything is checked before Vosk sees it, because Vosk ends the process on some damaged files.
"""

from __future__ import annotations

import re
import struct
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.errors import HectorError, UsageError
from assistant.hearing.finding import embedded, find_model
from assistant.hearing.fst import MAGIC
from assistant.hearing.graph import Costs, GraphCompiler
from assistant.hearing.lexicon import (
    Lexicon,
    Phones,
    complete_lexicon,
    read_lexicon,
    read_phones,
    read_transitions,
)
from assistant.hearing.network import Network
from assistant.hearing.nnet3 import read_network

FINAL = "am/final.mdl"
_FRONT_ENDS = ("conf/mfcc.conf", "conf/fbank.conf")
_POSITIVE = ("frame-shift", "frame-length", "sample-frequency", "num-mel-bins", "num-ceps")
"""Options of a front end that are numbers above 0."""
_MOST = 1e6
_STATISTICS = "am/global_cmvn.stats"
_LOUDEST = 1e4
"""No feature comes near it: they are logarithms of energies, and sums of those."""
_MOST_FRAMES = 1e12
_DIGRAPHS = {"ae": "ä", "oe": "ö", "ue": "ü", "ss": "ß"}


@dataclass(frozen=True, slots=True, eq=False)
class AcousticModel:
    """A model that was found whole. Made by `load_model`."""

    path: Path
    words: frozenset[str]
    """Every word that it knows, as it spells them."""
    scale: float
    """Acoustic scale of its decoder; scores are divided by it."""
    options: Mapping[str, str]
    """The decoder's options, from conf/model.conf."""
    compiler: GraphCompiler | None
    """Writes exact graphs for a project model; None for another Vosk model."""
    phones: Phones | None
    network: Network | None = None
    """What its am/final.mdl computes; None where only Vosk can tell."""
    adapted: bytes | None = None
    """Its am/final.mdl as one player's voice has changed it; None for the file as it is."""
    lexicon: Lexicon = field(default_factory=dict)
    """How a project model's words are said; empty for another Vosk model."""

    def final_mdl(self) -> bytes:
        """Return the network's file, or what stands for it.

        :raises HectorError: if it cannot be read.
        """
        return _read(self.path, FINAL) if self.adapted is None else self.adapted

    @property
    def own(self) -> bool:
        """Whether it is a project model."""
        return self.compiler is not None

    @property
    def thresholds(self) -> Path | None:
        """The file of its decision thresholds, if it has one."""
        path = self.path / "decision.toml"
        return path if path.exists() else None

    def settings(self, name: str) -> Mapping[str, Any]:
        """Return a table of its endpoint.toml, or of the one in this package if it has none.

        :raises HectorError: if the file is not TOML or has not that table.
        """
        path = self.path / "endpoint.toml"
        if not path.exists():
            path = Path(__file__).with_name("endpoint.toml")
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))[name]
        except (OSError, ValueError, RecursionError, KeyError) as error:
            # No UTF-8, no TOML, a number of thousands of digits, or no such table.
            raise HectorError(
                "The endpoint settings {path} cannot be used: {reason}.", path=path, reason=error
            ) from error
        if not isinstance(table, dict):
            raise HectorError("The endpoint settings {path} need a table “{name}”.", path=path, name=name)
        return table

    def spellings(self, word: str, written: Iterable[str] = ()) -> tuple[str, ...]:
        """Return how the model spells a word of the announcement vocabulary; empty if it does not know it.

        :param written: other forms to try, such as "en passant": several words must all be known.
        """
        forms = dict.fromkeys((word, *(form.lower() for form in written), *_with_umlauts(word)))
        return tuple(form for form in forms if all(part in self.words for part in form.split()))

    def missing(self, words: Iterable[str], written: Mapping[str, Sequence[str]] | None = None) -> list[str]:
        """Return those of the vocabulary's words that the model does not know, sorted."""
        forms = written or {}
        return sorted(word for word in set(words) if not self.spellings(word, forms.get(word, ())))


def _with_umlauts(word: str) -> list[str]:
    """Return every way to read the letter pairs of an ASCII word as umlauts: "laeufer" as "läufer"."""
    parts: list[tuple[str, ...]] = []
    at = 0
    while at < len(word):
        pair = word[at : at + 2]
        if pair in _DIGRAPHS:
            parts.append((pair, _DIGRAPHS[pair]))
            at += 2
        else:
            parts.append((word[at],))
            at += 1
    return ["".join(choice) for choice in product(*parts)]


def load_model(path: Path | str | None = None) -> AcousticModel:
    """Find a model and check that it is whole; Vosk itself loads it when a graph is decoded.

    :raises UsageError: if there is no such directory, or it is no Vosk model.
    :raises HectorError: if a file is missing, cut or does not belong to the others.
    """
    directory = find_model(path)
    if not (directory / "am" / "final.mdl").exists():
        raise UsageError(
            "{directory} is not a Vosk model: the file am/final.mdl is missing. Give the "
            "directory that contains am, conf and graph.",
            directory=directory,
        )
    own = (directory / "lexicon.txt").exists()
    network = _read(directory, FINAL)
    _check_network(directory, network)
    _check_front_end(directory)
    options = _options(directory)
    scale = _number(directory, options, "acoustic-scale", 0.1)
    if not own:
        words = _check_foreign(directory)
        return AcousticModel(directory, frozenset(words), scale, options, None, None)
    try:
        transitions = read_transitions(network)
    except ValueError as error:
        raise HectorError(
            "The acoustic model {directory}/am/final.mdl cannot be used: {reason}.",
            directory=directory,
            reason=error,
        ) from error
    computed = _believable(directory, network)
    _read(directory, "phones.txt")
    try:
        phones = read_phones(directory / "phones.txt", transitions)
        lexicon = read_lexicon(directory / "lexicon.txt")
        lexicon = complete_lexicon(lexicon, read_lexicon(embedded() / "lexicon.txt"), phones)
    except UnicodeDecodeError as error:
        raise HectorError(
            "The lexicon or the phones in {directory} are not UTF-8 text.", directory=directory
        ) from error
    compiler = _compiler(directory, lexicon, phones, scale)
    return AcousticModel(
        directory, frozenset(lexicon), scale, options, compiler, phones, computed, lexicon=lexicon
    )


def _compiler(directory: Path, lexicon: Lexicon, phones: Phones, scale: float) -> GraphCompiler:
    try:
        return GraphCompiler(lexicon, phones, scale=scale, costs=Costs())
    except ValueError as error:
        raise HectorError(
            "The lexicon of {directory} does not fit its phones: {reason}.", directory=directory, reason=error
        ) from error


def _read(directory: Path, name: str) -> bytes:
    try:
        data = (directory / name).read_bytes()
    except FileNotFoundError:
        raise HectorError(
            "The model {directory} is incomplete: {name} is missing.", directory=directory, name=name
        ) from None
    except OSError as error:
        raise HectorError(
            "The model's file {directory}/{name} cannot be read: {reason}.",
            directory=directory,
            name=name,
            reason=error,
        ) from error
    if not data:
        raise HectorError(
            "The model {directory} is damaged: {name} is empty.", directory=directory, name=name
        )
    return data


def _damaged(directory: Path, name: str) -> HectorError:
    return HectorError(
        "The model {directory} is damaged: {name} is cut short or not what it should be.",
        directory=directory,
        name=name,
    )


def _check_network(directory: Path, data: bytes) -> None:
    """A final.mdl begins with the transitions and ends in the priors, whose length is written before them."""
    at = data.rfind(b"<Priors> ")
    if not data.startswith(b"\0B<TransitionModel> ") or at < 0:
        raise _damaged(directory, "am/final.mdl")
    head, rest = data[at + 9 : at + 13], data[at + 13 :]
    if head[:3] not in (b"FV ", b"DV ") or head[3:4] != b"\x04" or len(rest) < 4:
        raise _damaged(directory, "am/final.mdl")
    (count,) = struct.unpack("<i", rest[:4])
    if len(rest) - 4 != count * (4 if head[:1] == b"F" else 8):
        raise _damaged(directory, "am/final.mdl")
    statistics = directory / _STATISTICS
    if statistics.exists():
        _check_statistics(directory, _read(directory, _STATISTICS))


def _believable(directory: Path, data: bytes) -> Network | None:
    """Vosk ends the process in the middle of an utterance where a parameter is no number."""
    try:
        network = read_network(data)
    except ValueError:
        return None  # a network of another make, which Vosk computes
    if not network.is_believable:
        raise _damaged(directory, FINAL)
    return network


def _check_statistics(directory: Path, data: bytes) -> None:
    """Vosk ends the process in the middle of an utterance where a mean is no number, or beyond all sound."""
    if not data.startswith(b"\0B"):
        _check_sums(directory, _in_text(directory, data))
        return
    size = {b"DM ": 8, b"FM ": 4}.get(data[2:5])
    if size is None or len(data) < 15:
        raise _damaged(directory, _STATISTICS)
    rows, columns = struct.unpack("<xixi", data[5:15])
    if rows != 2 or len(data) != 15 + size * rows * columns:
        raise _damaged(directory, _STATISTICS)
    _check_sums(directory, np.frombuffer(data, f"<f{size}", offset=15).reshape(rows, columns))


def _in_text(directory: Path, data: bytes) -> NDArray[np.float64]:
    """Return a matrix that is written in Kaldi's text form."""
    try:
        numbers = np.array([float(word) for word in data.strip(b" \n[]").split()])
        return numbers.reshape(2, -1)
    except ValueError:
        raise _damaged(directory, _STATISTICS) from None


def _check_sums(directory: Path, sums: NDArray[np.floating[Any]]) -> None:
    """Check the sums of features and of their squares; over how many frames stands last in the first."""
    values, squares = sums.astype(np.float64)
    if values.size and 1 <= values[-1] <= _MOST_FRAMES:
        most = _LOUDEST * values[-1]
        if np.all(np.abs(values[:-1]) <= most) and np.all(np.abs(squares) <= _LOUDEST * most):
            return
    raise _damaged(directory, _STATISTICS)


def _check_front_end(directory: Path) -> None:
    """Vosk ends the process where windows have no length or no distance from each other."""
    for name in _FRONT_ENDS:
        if (directory / name).exists():
            options = _lines(directory, name)
            for key in _POSITIVE:
                _number(directory, options, key, 1.0, name=name, most=_MOST)
            return
    raise HectorError("The model {directory} is incomplete: conf/mfcc.conf is missing.", directory=directory)


def _options(directory: Path) -> dict[str, str]:
    """Read the decoder's options."""
    name = "conf/model.conf"
    options = _lines(directory, name)
    if "endpoint.silence-phones" not in options:
        raise HectorError(
            "{directory}/{name} must name the endpoint.silence-phones.", directory=directory, name=name
        )
    if not re.fullmatch(r"[0-9]{1,9}(:[0-9]{1,9})*", options["endpoint.silence-phones"]):
        raise HectorError(
            "{directory}/{name}: the endpoint.silence-phones are numbers of phones with colons between them.",
            directory=directory,
            name=name,
        )
    _number(directory, options, "frame-subsampling-factor", 1.0)
    return options


def _lines(directory: Path, name: str) -> dict[str, str]:
    """Read Kaldi's options file, "--name=value" lines."""
    text = _read(directory, name).decode("utf-8", "replace")
    options: dict[str, str] = {}
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if not line:
            continue
        key, equals, value = line.removeprefix("--").partition("=")
        if not line.startswith("--") or not equals:
            raise HectorError(
                "{directory}/{name} has a line that is no option: “{line}”.",
                directory=directory,
                name=name,
                line=line,
            )
        # As Kaldi itself reads them.
        options[key.strip().lower().replace("_", "-")] = value.strip()
    return options


def _number(
    directory: Path,
    options: Mapping[str, str],
    key: str,
    default: float,
    *,
    name: str = "conf/model.conf",
    most: float = 100.0,
) -> float:
    try:
        value = float(options.get(key, default))
    except ValueError:
        value = -1.0
    if not 0 < value < most:
        raise HectorError(
            "{directory}/{name} has no sensible {key}.", directory=directory, name=name, key=key
        )
    return value


def _check_foreign(directory: Path) -> list[str]:
    """Check the files of a model with a run-time graph and return its words."""
    if not (directory / "graph" / "HCLr.fst").exists():
        raise HectorError(
            "The model {directory} cannot be limited to the moves of a position: it has no "
            "graph/HCLr.fst. Take a small Vosk model, whose vocabulary can be chosen at run time.",
            directory=directory,
        )
    for name in ("graph/HCLr.fst", "graph/Gr.fst"):
        data = _read(directory, name)
        if len(data) < 60 or struct.unpack("<i", data[:4])[0] != MAGIC:
            raise _damaged(directory, name)
    if not (directory / "graph" / "disambig_tid.int").exists():
        raise HectorError(
            "The model {directory} is incomplete: graph/disambig_tid.int is missing.", directory=directory
        )
    words = []
    for line in _read(directory, "graph/words.txt").decode("utf-8", "replace").splitlines():
        fields = line.split()
        if len(fields) != 2 or not fields[1].isdigit():
            raise _damaged(directory, "graph/words.txt")
        words.append(fields[0])
    return words
