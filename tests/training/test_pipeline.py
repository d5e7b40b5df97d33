"""What a training makes of leftovers, of recordings that come late, and of voices that are not there."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from assistant.errors import HectorError  # noqa: E402
from assistant.hearing import load_model  # noqa: E402
from models.training import (  # noqa: E402
    CHECKPOINT,
    checkpoint,
    earlier,
    espeak,
    making,
    measure,
    pipeline,
    pools,
    prompts,
    recordings,
    speakers,
    spelled,
    talk,
    trainer,
)
from models.training.lexicon import load_lexicon  # noqa: E402
from models.training.network import Shape  # noqa: E402
from models.training.owned import Outputs  # noqa: E402
from models.training.pools import Utterance  # noqa: E402

SMALL = replace(pipeline.QUICK, shape=Shape(width=16, dilations=(1,), waists=(8,)), checks=1)


def people(folder: Path) -> Path:
    folder.mkdir()
    soundfile.write(folder / "a.wav", np.zeros(16000), 16000)
    (folder / "labels.tsv").write_text("a.wav\tanna eins\n")
    return folder


def training(folder: Path, size: pipeline.Size = SMALL) -> tuple[pipeline.Pipeline, list[str]]:
    said: list[str] = []
    work = folder / "work"
    work.mkdir()
    return pipeline.Pipeline(folder / "model", work, 1, size, said.append), said


def state(size: pipeline.Size, step: int = 0, seconds: float = 0.0) -> checkpoint.State:
    one = checkpoint.new_state(size.shape, np.ones((2, 41)), size.plan.seed)
    return replace(one, step=step, seconds=seconds)


@pytest.mark.parametrize(
    ("size", "step", "seconds", "way_out"),
    [
        (SMALL, SMALL.plan.steps, 30.0, "without --resume"),
        (replace(pipeline.full(10), shape=SMALL.shape), 5000, 600.5, "--minutes 13"),
    ],
)
def test_recordings_that_come_after_the_end_are_refused(
    tmp_path: Path, size: pipeline.Size, step: int, seconds: float, way_out: str
) -> None:
    one, _ = training(tmp_path, size)
    checkpoint.save_checkpoint(one.work / CHECKPOINT, state(size, step, seconds))
    with pytest.raises(HectorError, match=rf"would learn nothing from these recordings.*{way_out}\.$"):
        one.run(people(tmp_path / "people"), resume=True)


def test_outputs_for_words_are_added_to_any_size() -> None:
    for size in (pipeline.QUICK, pipeline.full(10)):
        assert size.shape.outputs == len(load_lexicon().phones)
        assert pipeline.with_words(size).shape == replace(size.shape, outputs=178)
        assert checkpoint.becomes(size.shape, pipeline.with_words(size).shape)


def test_the_embedded_model_goes_on_as_it_is_with_whole_layers() -> None:
    embedded = earlier.network_of(load_model(None).path).shape
    whole = replace(pipeline.whole(pipeline.full(10)).shape, outputs=embedded.outputs)
    assert whole == embedded


def test_a_checkpoint_of_phones_goes_on_with_outputs_for_words(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat([load_lexicon().number(phone) for phone in ("d", "r", "ai")], 20).astype(np.uint8)
    wave = (rng.standard_normal(len(labels) * 160) * 2000).astype(np.int16)
    pools.save(tmp_path / "pools", "stock", "0", [pools.Utterance(wave, labels, ("drei",), "x")] * 4)
    (work := tmp_path / "work").mkdir()
    plan = replace(SMALL.plan, steps=4, batch=2, noise_seconds=2, sequence_at=0.5, counted=20)
    first = trainer.train(tmp_path / "pools", work, SMALL.shape, plan, say=lambda _: None, stop_at=0.5)
    words = pipeline.with_words(SMALL).shape
    last = trainer.train(tmp_path / "pools", work, words, plan, resume=True, say=lambda _: None)
    assert (first.step, last.step, last.shape) == (2, 4, words)
    assert last.priors.shape == (178,) and last.priors.sum() == pytest.approx(1)
    own = last.priors[Outputs.of(load_lexicon()).said.phones.index("ai.drei")]
    assert own > last.priors[load_lexicon().number("ai")]


def test_recordings_of_a_finished_training_are_no_reason_to_refuse_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ctypes.util.find_library", lambda _: None)
    one, _ = training(tmp_path)
    folder = people(tmp_path / "people")
    checkpoint.save_checkpoint(one.work / CHECKPOINT, state(SMALL, SMALL.plan.steps))
    found = recordings.find(folder, load_lexicon(), lambda _: None)
    kept = pools.shard_path(one.work / "pools", "recordings", recordings.fingerprint(found))
    kept.parent.mkdir()
    kept.touch()
    with pytest.raises(HectorError, match="install espeak-ng"):
        one.run(folder, resume=True)
    assert kept.exists()


def test_recordings_of_which_none_can_be_read_are_told_of_before_anything_is_made(tmp_path: Path) -> None:
    one, _ = training(tmp_path)
    folder = people(tmp_path / "people")
    (folder / "a.wav").write_bytes(b"\0\0\0\x1cftypM4A \0\0\0\0M4A mp42isom")
    with pytest.raises(HectorError, match="can be read: make WAV, FLAC, Ogg, Opus or MP3 of them"):
        one.run(folder, resume=False)
    assert list(one.work.iterdir()) == []


@pytest.mark.parametrize(
    ("is_there", "resume", "sentence"),
    [
        (True, False, "The training begins anew, and what an earlier one reached in {} is soon replaced"),
        (False, True, "There is no checkpoint in {}: the training begins anew."),
        (True, True, None),
        (False, False, None),
    ],
)
def test_whether_a_training_goes_on_is_told_where_it_may_be_a_slip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_there: bool, resume: bool, sentence: str | None
) -> None:
    monkeypatch.setattr("ctypes.util.find_library", lambda _: None)
    one, said = training(tmp_path)
    if is_there:
        checkpoint.save_checkpoint(one.work / CHECKPOINT, state(SMALL, 5))
    with pytest.raises(HectorError, match="install espeak-ng"):
        one.run(None, resume)
    assert len(said) == (sentence is not None)
    assert sentence is None or said[0].startswith(sentence.format(one.work))
    assert (one.work / CHECKPOINT).exists() is is_there


@pytest.mark.parametrize(
    ("is_resumed", "sentence"),
    [(False, "take no part"), (True, "What was learnt from other recordings stays")],
)
@pytest.mark.parametrize("has_people", [True, False])
def test_what_was_made_of_other_recordings_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_people: bool, is_resumed: bool, sentence: str
) -> None:
    monkeypatch.setattr("ctypes.util.find_library", lambda _: None)
    one, said = training(tmp_path)
    if is_resumed:
        checkpoint.save_checkpoint(one.work / CHECKPOINT, state(SMALL))
    (one.work / "pools").mkdir()
    for name in ("recordings@0.npz", "recordings@1.npz", "stock@0.npz"):
        (one.work / "pools" / name).touch()
    with pytest.raises(HectorError, match="install espeak-ng"):
        one.run(people(tmp_path / "people") if has_people else None, resume=is_resumed)
    assert [path.name for path in (one.work / "pools").iterdir()] == ["stock@0.npz"]
    assert len(said) == 1 and sentence in said[0]


def test_speech_of_a_lexicon_that_was_corrected_since_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(espeak, "library", lambda: "")
    monkeypatch.setattr(making, "make", lambda *_: None)
    one, said = training(tmp_path)
    one._synthesise()
    assert said == []
    noted = one.work / "pools" / "made-with.json"
    noted.write_text(json.dumps({**json.loads(noted.read_text()), "lexicon.txt": "another"}))
    one._synthesise()
    assert len(said) == 1 and "was made before lexicon.txt changed: delete that folder" in said[0]


def test_a_program_that_is_needed_late_is_missed_at_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(espeak, "library", lambda: "")
    monkeypatch.setattr(making, "make", lambda *_: pytest.fail("speech was made"))
    one, _ = training(tmp_path, replace(SMALL, spelled=1))
    with pytest.raises(HectorError, match="install espeak-ng"):
        one.run(None, resume=False)


def test_recordings_are_told_apart_by_file_size_and_words(tmp_path: Path) -> None:
    path = people(tmp_path / "people") / "a.wav"
    names = {recordings.fingerprint([recordings.Recording(path, (word,))]) for word in ("anna", "eva", "eva")}
    assert len(names) == 2
    soundfile.write(path, np.zeros(8000), 16000)
    names.add(recordings.fingerprint([recordings.Recording(path, ("eva",))]))
    assert len(names) == 3


def test_an_interruption_loses_one_part_of_the_recordings_that_are_labelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    for k in range(5):
        soundfile.write(folder / f"{k}.wav", np.zeros(16000), 16000)
    (folder / "labels.tsv").write_text("".join(f"{k}.wav\tanna eins\n" for k in range(5)))
    found = recordings.find(folder, load_lexicon(), lambda _: None)
    labelled: list[str] = []

    def utterances(part: list[recordings.Recording], *_: object) -> Iterator[Utterance]:
        for each in part:
            if len(labelled) == 3:
                labelled.append("interrupted")
                raise KeyboardInterrupt
            labelled.append(each.path.name)
            yield Utterance(np.zeros(1600, np.int16), np.zeros(10, np.uint8), each.words, each.path.name)

    monkeypatch.setattr(pipeline, "LABELLED_TOGETHER", 2)
    monkeypatch.setattr(recordings, "utterances", utterances)
    one, said = training(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        one._align(state(SMALL), found)
    assert len(said) == 1 and ": 2 utterances" in said[0]
    one._forget_others(found, resume=True)
    one._align(state(SMALL), found)
    assert labelled == ["0.wav", "1.wav", "2.wav", "interrupted", "2.wav", "3.wav", "4.wav"]
    kept = [each for path in pools.shards(one.work / "pools") for each in pools.load(path)]
    assert sorted(each.voice for each in kept) == [f"{k}.wav" for k in range(5)]


def test_voices_that_are_not_installed_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr(speakers, "installed", lambda: list(speakers.SPEAKERS[1:]))
    monkeypatch.setattr(prompts, "utterances", lambda *_: [])
    monkeypatch.setattr(talk, "LANGUAGES", {})
    one, said = training(tmp_path, replace(SMALL, spelled=1))
    one._align(state(SMALL), [])
    voices, people, *nothing = said
    assert "without these voices: pico de-DE, flite slt," in voices
    assert f"these recordings of people: {speakers.SPEAKERS[0].name}." in people
    assert nothing[0] == f"prompts {speakers.SPEAKERS[1].name}: nothing that can be used"


def test_talk_is_made_in_parts_each_with_its_own_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[str, int, int]] = []

    def none(
        _lexicon: object, _aligner: object, language: str, count: int, seed: int, _: Path
    ) -> list[Utterance]:
        made.append((language, count, seed))
        return []

    monkeypatch.setattr(talk, "utterances", none)
    monkeypatch.setattr(spelled, "installed", lambda: [])
    monkeypatch.setattr(speakers, "installed", lambda: [])
    monkeypatch.setattr(talk, "LANGUAGES", {"de": ("guide.de.md", 9000), "pl": ("guide.pl.md", 400)})
    one, said = training(tmp_path, replace(SMALL, spelled=1, share=0.5))
    one._align(state(SMALL), [])
    assert made == [("de", 2000, 1000), ("de", 2000, 1001), ("de", 500, 1002), ("pl", 200, 1000)]
    assert said[-4:] == [
        f"talk {part}: nothing that can be used" for part in ("de-0", "de-1", "de-2", "pl-0")
    ]


def test_a_model_that_cannot_be_measured_is_there_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> list[measure.Sample]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(espeak, "library", lambda: "")
    monkeypatch.setattr(making, "make", lambda *_: None)
    monkeypatch.setattr(pipeline, "train", lambda *_, **__: state(SMALL))
    monkeypatch.setattr(measure, "samples_of", full)
    one, said = training(tmp_path)
    with pytest.raises(HectorError, match=r"could not be measured: No space left on device\.$"):
        one.run(None, resume=False)
    assert said[-1].endswith(f"the model is in {tmp_path / 'model'}.")
    assert (tmp_path / "model" / "am" / "final.mdl").exists()
