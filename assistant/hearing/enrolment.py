"""A player teaches Hector his voice: phrases that he was asked for become a small change of the model.

Or none: whether it helps is tried on phrases that were left out of the learning, each once. What is learnt
lies in a file of its own beside the player's settings; it belongs to one model, whose fingerprint it carries.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from assistant.errors import HectorError
from assistant.hearing.adapting import Spoken, Transform, aligned, learn, loss
from assistant.hearing.engine import Samples, levelled
from assistant.hearing.lexicon import read_lexicon
from assistant.hearing.listening import Ear, GraphEar
from assistant.hearing.models import AcousticModel
from assistant.hearing.network import INPUT, Affine, Network, Scaling, Step
from assistant.hearing.scoring import scorer_of
from assistant.utterance import WordGraph

VOICE: Final = "voice.json"
"""Name of the file in a player's folder."""
FEWEST: Final = 15
"""Phrases from which it is worth while to learn."""
_FOLDS = 3
_FORMAT = 1
_WORTH = 0.98
"""What is learnt must bring the loss below this share of what it was."""


class OtherModelError(HectorError):
    """What a player taught belongs to a model that is not this one."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What came of learning."""

    count: int
    """Phrases that it was learnt from and tried on."""
    before: int
    """How many of them the model understands as it is, word for word, by the open grammar."""
    after: int
    """How many with a change that was learnt from others of them."""
    loss_before: float
    loss_after: float
    """Mean of -log p of the right phone, the same way."""
    transform: Transform

    @property
    def is_better(self) -> bool:
        """Whether it is worth keeping: no phrase lost, and the phones clearer."""
        return self.after >= self.before and self.loss_after < _WORTH * self.loss_before


def teach(
    model: AcousticModel, open_grammar: WordGraph, said: Sequence[tuple[tuple[str, ...], Samples]]
) -> Lesson:
    """Learn from phrases as they were said, and try it on others.

    :param said: words and sound of each phrase.
    :raises HectorError: if the model cannot be adapted, or there are not enough phrases that fit their words.
    """
    model = replace(model, adapted=None)
    try:
        scorer = scorer_of(model)
    except ValueError as error:
        raise HectorError(
            f"The model {model.path} cannot learn a voice ({error}): use Hector's own model."
        ) from None
    lexicon = read_lexicon(model.path / "lexicon.txt")
    phrases: list[tuple[tuple[str, ...], Samples, Spoken]] = []
    for words, sound in said:
        samples = levelled(sound)
        spoken = aligned(scorer, lexicon, samples, words)
        if spoken is not None:
            phrases.append((words, samples, spoken))
    if len(phrases) < FEWEST:
        raise HectorError(
            f"Only {len(phrases)} phrases could be learnt from, and at least {FEWEST} are needed: "
            "try again in a quiet place, close to the microphone."
        )
    network = scorer.network
    before = _understood(model, open_grammar, [(words, samples) for words, samples, _ in phrases])
    after = 0
    loss_after = weight = 0.0
    for fold in range(_FOLDS):
        others = [spoken for k, (_, _, spoken) in enumerate(phrases) if k % _FOLDS != fold]
        tried = phrases[fold::_FOLDS]
        transform = learn(network, others)
        after += _understood(
            with_voice(model, transform), open_grammar, [(words, samples) for words, samples, _ in tried]
        )
        heard = [spoken for _, _, spoken in tried]
        frames = sum(float(spoken.weights.sum()) for spoken in heard)
        loss_after += loss(network, heard, transform) * frames
        weight += frames
    every = [spoken for _, _, spoken in phrases]
    return Lesson(
        len(phrases), before, after, loss(network, every), loss_after / weight, learn(network, every)
    )


def _understood(
    model: AcousticModel, open_grammar: WordGraph, phrases: Sequence[tuple[tuple[str, ...], Samples]]
) -> int:
    ear: Ear = GraphEar(model, open_grammar, unfinished=10.0)
    count = 0
    for words, samples in phrases:
        readings = ear.read(samples).grammatical
        count += bool(readings) and readings[0].words == words
    return count


def with_voice(model: AcousticModel, transform: Transform) -> AcousticModel:
    """Return a model as a player's voice has changed it.

    :raises ValueError: if its network does not begin in a way that the change can be folded into.
    """
    plain = replace(model, adapted=None)
    network = scorer_of(plain).network
    return replace(model, adapted=_folded(plain.final_mdl(), network, transform))


def _folded(data: bytes, network: Network, transform: Transform) -> bytes:
    """Return a final.mdl whose first weights do what the transform would do before them."""
    for step in network.steps:
        nodes = {term.node for part in step.parts for term in part}
        if INPUT not in nodes:
            continue
        if nodes != {INPUT} or any(len(part) != 1 for part in step.parts):
            raise ValueError("a network that mixes its input with other values")
        weights, bias = _weights(step)
        size = len(transform.shift)
        blocks = np.split(weights, len(step.parts), 1)
        if any(block.shape[1] != size for block in blocks):
            raise ValueError("a change for other features")
        turned = np.concatenate([block @ transform.matrix for block in blocks], 1)
        moved = bias + sum(
            np.float32(part[0].factor) * (block @ transform.shift)
            for block, part in zip(blocks, step.parts, strict=True)
        )
        data = _exchanged(data, step.source, turned, moved)
    return data


def _weights(step: Step) -> tuple[Any, Any]:
    if isinstance(step.component, Scaling) and len(step.parts) == 1:
        return np.diag(step.component.scale), step.component.bias
    if isinstance(step.component, Affine):
        return step.component.weights, step.component.bias
    raise ValueError("a network that does not begin with weights")


def _exchanged(data: bytes, component: str, weights: Any, bias: Any) -> bytes:
    """Put other weights into the place of a component's; everything else stays, byte for byte."""
    start = data.find(f"<ComponentName> {component} ".encode())
    at = data.find(b"<LinearParams> FM ", start) + len(b"<LinearParams> FM ")
    head = struct.pack("<bibi", 4, weights.shape[0], 4, weights.shape[1])
    tail = b"<BiasParams> FV " + struct.pack("<bi", 4, len(bias))
    after = at + len(head) + 4 * weights.size
    end = after + len(tail) + 4 * len(bias)
    if start < 0 or data[at : at + len(head)] != head or data[after : after + len(tail)] != tail:
        raise ValueError("weights in another form")
    new: bytes = head + weights.astype("<f4").tobytes() + tail + bias.astype("<f4").tobytes()
    return data[:at] + new + data[end:]


# The file


def fingerprint(model: AcousticModel) -> str:
    """Return what a player's change belongs to: the network and what it is fed with."""
    digest = hashlib.sha256()
    for name in ("am/final.mdl", "am/global_cmvn.stats", "conf/mfcc.conf", "phones.txt"):
        path = model.path / name
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


def save_voice(folder: Path, model: AcousticModel, lesson: Lesson) -> Path:
    """Keep what was learnt in a player's folder; the file is there whole or not at all.

    :raises HectorError: if it cannot be written.
    """
    content = {
        "format": _FORMAT,
        "model": fingerprint(model),
        "phrases": lesson.count,
        "understood_before": lesson.before,
        "understood_after": lesson.after,
        "matrix": [[round(float(value), 6) for value in row] for row in lesson.transform.matrix],
        "shift": [round(float(value), 6) for value in lesson.transform.shift],
    }
    path = folder / VOICE
    part = path.with_suffix(".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(content) + "\n", encoding="ascii")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise HectorError(f"What was learnt cannot be kept in {path}: {error.strerror}.") from error
    return path


def load_voice(folder: Path, model: AcousticModel) -> AcousticModel:
    """Return the model as the player of this folder has taught it; as it is where he has not.

    :raises OtherModelError: if he taught another model.
    :raises HectorError: if the file cannot be read or is damaged.
    """
    path = folder / VOICE
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        return model
    except OSError as error:
        raise HectorError(f"The player's voice in {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError:
        raise _damaged(path) from None
    try:
        content = json.loads(text)
        if content["format"] != _FORMAT:
            raise _damaged(path)
        known = content["model"]
        transform = Transform(np.array(content["matrix"], np.float32), np.array(content["shift"], np.float32))
    except (ValueError, TypeError, KeyError, OverflowError):
        raise _damaged(path) from None
    if known != fingerprint(model):
        raise OtherModelError(
            "The player's voice was learnt with another acoustic model and is left aside. "
            "Let it be learnt anew with: hector practise --learn --player NAME"
        )
    size = len(transform.shift)
    matrix = transform.matrix
    if transform.shift.ndim != 1 or matrix.shape != (size, size):
        raise _damaged(path)
    if not (np.isfinite(matrix).all() and np.isfinite(transform.shift).all()):
        raise _damaged(path)
    try:
        return with_voice(model, transform)
    except ValueError:
        raise _damaged(path) from None


def forget_voice(folder: Path) -> bool:
    """Remove what a player has taught; tell whether there was anything.

    :raises HectorError: if it cannot be removed.
    """
    path = folder / VOICE
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise HectorError(f"{path} cannot be removed: {error.strerror}.") from error
    return True


def _damaged(path: Path) -> HectorError:
    return HectorError(
        f"The player's voice in {path} is damaged and is left aside. "
        "Let it be learnt anew with: hector practise --learn --player NAME"
    )
