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
from typing import Final

import numpy as np

from assistant.called import command
from assistant.errors import HectorError
from assistant.files import read_file, replace_file
from assistant.hearing.adapting import Change, Spoken, aligned, learn, loss, spoken, with_noise
from assistant.hearing.engine import Samples, levelled
from assistant.hearing.features import Floats
from assistant.hearing.finding import find_model
from assistant.hearing.kaldi import Stream
from assistant.hearing.listening import Ear, GraphEar
from assistant.hearing.models import AcousticModel
from assistant.hearing.network import Affine, Network
from assistant.hearing.scoring import Scorer, scorer_of
from assistant.utterance import WordGraph

VOICE: Final = "voice.json"
"""Name of the file in a player's folder."""
FEWEST: Final = 15
"""Phrases from which it is worth while to learn."""
_FOLDS = 3
_STRANGEST = 2.5
"""Mean of -log p of the right phone above which something else was said."""
_NOISY = 1
"""Copies of each phrase with noise, beside the one in quiet."""
_FORMAT = 1
_MOST = 100.0
"""No change that was learnt is as large; with one Vosk might end the process."""
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
    """Mean of -log p of the right phone in quiet and in noise, the same way."""
    change: Change

    @property
    def is_better(self) -> bool:
        """Whether it is worth keeping: no phrase lost, and the phones clearer.

        Where not even half of the phrases are understood, they may have been others than those asked for.
        """
        understood = self.after >= max(self.before, self.count / 2)
        return understood and self.loss_after < _WORTH * self.loss_before


def teach(
    model: AcousticModel, open_grammar: WordGraph, said: Sequence[tuple[tuple[str, ...], Samples]]
) -> Lesson:
    """Learn from phrases as they were said, and try it on others.

    :param said: words and sound of each phrase.
    :raises HectorError: if the model cannot be adapted, or there are not enough phrases that fit their words.
    """
    model = replace(model, adapted=None)
    scorer, last = _learner(model)
    phrases: list[_Phrase] = []
    for words, sound in said:
        samples = levelled(sound)
        outputs = aligned(scorer, model.lexicon, samples, words)
        if outputs is None or loss(last, [quiet := spoken(scorer, samples, outputs)]) > _STRANGEST:
            continue
        rng = np.random.default_rng(len(phrases))
        noisy = [spoken(scorer, with_noise(samples, rng), outputs) for _ in range(_NOISY)]
        phrases.append(_Phrase(words, samples, [quiet, *noisy]))
    if len(phrases) < FEWEST:
        raise HectorError(
            "Phrases that could be learnt from: {count}, and at least {fewest} are needed. "
            "Try again in a quiet place, close to the microphone.",
            count=len(phrases),
            fewest=FEWEST,
        )
    before = _understood(model, open_grammar, phrases)
    after, loss_after = 0, 0.0
    for fold in range(_FOLDS):
        tried = phrases[fold::_FOLDS]
        change = learn(last, _all([each for k, each in enumerate(phrases) if k % _FOLDS != fold]))
        after += _understood(with_voice(model, change), open_grammar, tried)
        # by frames, as the mean before: else a change of nothing may seem to be one for the better
        loss_after += loss(last, _all(tried), change) * _weight(tried)
    every = _all(phrases)
    loss_after /= _weight(phrases)
    return Lesson(len(phrases), before, after, loss(last, every), loss_after, learn(last, every))


def prove_learner(model: AcousticModel) -> None:
    """Prove that a model can be taught a voice.

    :raises HectorError: if it cannot.
    """
    _learner(model)


def _learner(model: AcousticModel) -> tuple[Scorer, Affine]:
    """Return what a model computes an utterance with, and the layer of it that a lesson changes.

    :raises HectorError: if it cannot be adapted.
    """
    try:
        scorer = scorer_of(model)
        return scorer, _last_layer(scorer.network)
    except ValueError as error:
        raise HectorError(
            "The model {path} cannot learn a voice ({reason}): use Hector's own model.",
            path=model.path,
            reason=error,
        ) from None


@dataclass(frozen=True)
class _Phrase:
    words: tuple[str, ...]
    samples: Samples
    heard: list[Spoken]
    """In quiet, and with noise."""


def _all(phrases: Sequence[_Phrase]) -> list[Spoken]:
    return [each for phrase in phrases for each in phrase.heard]


def _weight(phrases: Sequence[_Phrase]) -> float:
    return sum(float(each.weights.sum()) for each in _all(phrases))


def _understood(model: AcousticModel, open_grammar: WordGraph, phrases: Sequence[_Phrase]) -> int:
    ear: Ear = GraphEar(model, open_grammar, unfinished=10.0)
    count = 0
    for phrase in phrases:
        readings = ear.read(phrase.samples).grammatical
        count += bool(readings) and readings[0].words == phrase.words
    return count


def with_voice(model: AcousticModel, change: Change) -> AcousticModel:
    """Return a model as a player's voice has changed it.

    :raises ValueError: if its network does not end in a layer that fits the change.
    """
    plain = replace(model, adapted=None)
    network = scorer_of(plain).network
    last = _last_layer(network)
    if change.weights.shape != last.weights.shape or change.bias.shape != last.bias.shape:
        raise ValueError("a change of another layer")
    weights, bias = last.weights + change.weights, last.bias + change.bias
    return replace(model, adapted=_exchanged(plain.final_mdl(), network.last.source, weights, bias))


def _last_layer(network: Network) -> Affine:
    component = network.last.component
    assert isinstance(component, Affine)
    return component


def _exchanged(data: bytes, component: str, weights: Floats, bias: Floats) -> bytes:
    """Put other weights into the place of a component's, in single precision, in which a change is not lost.

    Everything else stays, byte for byte.
    """
    mark = b"<LinearParams> "
    at = data.index(mark, data.index(f"<ComponentName> {component} ".encode())) + len(mark)
    stream = Stream(data, at)
    before = stream.matrix().shape
    stream.token("<BiasParams>")
    if (before, stream.vector().size) != (weights.shape, len(bias)):
        raise ValueError("weights in another form")
    matrix = b"FM " + struct.pack("<bibi", 4, weights.shape[0], 4, weights.shape[1])
    vector = b"<BiasParams> FV " + struct.pack("<bi", 4, len(bias))
    new = matrix + weights.astype("<f4").tobytes() + vector + bias.astype("<f4").tobytes()
    return data[:at] + new + data[stream.at :]


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
        "weights": [[round(float(value), 5) for value in row] for row in lesson.change.weights],
        "bias": [round(float(value), 5) for value in lesson.change.bias],
    }
    path = folder / VOICE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(content).encode("ascii") + b"\n")
    except OSError as error:
        raise HectorError(
            "What was learnt cannot be kept in {path}: {reason}.", path=path, reason=error
        ) from error
    return path


def has_voice(folder: Path) -> bool:
    """Return whether the player of this folder has taught his voice."""
    return (folder / VOICE).exists()


def load_voice(folder: Path, model: AcousticModel) -> AcousticModel:
    """Return the model as the player of this folder has taught it; as it is where he has not.

    :raises OtherModelError: if he taught another model, or this one cannot be taught.
    :raises HectorError: if the file cannot be read or is damaged.
    """
    path = folder / VOICE
    try:
        data = read_file(path)
    except FileNotFoundError:
        return model
    except OSError as error:
        raise HectorError(
            "The player's voice in {path} cannot be read: {reason}.", path=path, reason=error
        ) from error
    try:
        prove_learner(model)
    except HectorError:
        # Whatever the file holds, no lesson could mend it for this model.
        raise OtherModelError(
            "The player's voice is left aside: the model {path} cannot learn one.", path=model.path
        ) from None
    try:
        content = json.loads(data.decode("ascii"))
        if content["format"] != _FORMAT:
            raise _damaged(path, model)
        known = content["model"]
        # As long as JSON has them: what does not fit into the network's numbers is refused below.
        weights, bias = np.array(content["weights"], np.float64), np.array(content["bias"], np.float64)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise _damaged(path, model) from None
    if known != fingerprint(model):
        raise OtherModelError(
            "The player's voice was learnt with another acoustic model and is left aside. "
            "Let it be learnt anew with: {command}",
            command=_lesson(folder, model),
        )
    if not all(np.all(np.abs(values) <= _MOST) for values in (weights, bias)):
        raise _damaged(path, model)
    try:
        return with_voice(model, Change(weights.astype(np.float32), bias.astype(np.float32)))
    except ValueError:
        raise _damaged(path, model) from None


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
        raise HectorError("{path} cannot be removed: {reason}.", path=path, reason=error) from error
    return True


def _damaged(path: Path, model: AcousticModel) -> HectorError:
    return HectorError(
        "The player's voice in {path} is damaged and is left aside. Let it be learnt anew with: {command}",
        path=path,
        command=_lesson(path.parent, model),
    )


def _lesson(folder: Path, model: AcousticModel) -> str:
    """Return the command by which the player of a folder teaches a model his voice."""
    is_usual = model.path == _usual_model()
    other = () if is_usual else ("--model", model.path)
    return command("practise", "--learn", "--player", folder.name, *other)


def _usual_model() -> Path | None:
    """Return the directory of the model that hears where none is named, if there is one."""
    try:
        return find_model()
    except HectorError:
        return None
