"""A model is checked before Vosk sees it, because Vosk ends the process on some damaged ones."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import ears
import numpy as np
import pytest
from ears import book, in_room, say

from assistant.announcements import load_vocabulary, open_grammar
from assistant.ears import ears_of
from assistant.errors import HectorError, UsageError
from assistant.hearing import AcousticModel, Recogniser, find_model, load_model
from assistant.hearing.fst import Fst, to_bytes
from assistant.hearing.lexicon import complete_lexicon
from assistant.utterance import WordGraph


@pytest.fixture
def model() -> AcousticModel:
    return ears.model()


@pytest.fixture
def model_copy(tmp_path: Path) -> Path:
    return ears.copy_of_model(tmp_path)


def test_the_embedded_model_knows_every_word_of_the_vocabulary() -> None:
    assert load_model(None).missing(load_vocabulary("de").tokens) == []


def test_words_that_a_model_lacks_are_named() -> None:
    assert load_model(None).missing({"springer", "elefant", "zebra"}) == ["elefant", "zebra"]


def test_words_that_joined_after_a_model_was_made_are_heard_by_it_too(model_copy: Path) -> None:
    lexicon = model_copy / "lexicon.txt"
    older = [line for line in lexicon.read_text().splitlines() if not line.startswith(("nehmean ", "lehne "))]
    lexicon.write_text("\n".join(older) + "\n")
    recogniser = ears_of(load_model(model_copy), load_vocabulary("de")).recogniser
    recogniser.expect(book().word_graph())
    (utterance,) = recogniser.accept(in_room(say("ich nehme an")))
    assert utterance.legal[0].words == ("ich", "nehmean")


def test_a_word_that_joined_later_is_not_heard_by_a_model_without_its_phones(model: AcousticModel) -> None:
    assert model.phones is not None
    anna = {"anna": (("a", "n", "a"),)}
    later = {"bella": (("b", "eh", "l", "a"), ("!", "a")), "click": (("!", "a"),)}
    assert complete_lexicon(anna, later, model.phones) == {**anna, "bella": (("b", "eh", "l", "a"),)}


def test_the_environment_names_another_model(model_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HECTOR_MODEL", str(model_copy))
    assert find_model() == model_copy


def test_a_model_given_goes_before_the_environment(
    model_copy: Path, model: AcousticModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HECTOR_MODEL", str(model.path))
    assert find_model(model_copy) == model_copy


def test_the_embedded_model_has_a_name_unless_another_one_has_it(
    model_copy: Path, model: AcousticModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HECTOR_MODELS", str(tmp_path / "fetched"))
    assert find_model("de") == model.path
    shutil.copytree(model_copy, tmp_path / "fetched" / "de")
    assert find_model("de") == tmp_path / "fetched" / "de"
    shutil.copytree(model_copy, tmp_path / "here" / "de")
    assert find_model("de") == Path("de")


def test_a_directory_that_does_not_exist_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        load_model(tmp_path / "nowhere")


def test_a_directory_without_a_model_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a Vosk model"):
        load_model(tmp_path)


@pytest.mark.parametrize("name", ["conf/model.conf", "conf/mfcc.conf", "phones.txt"])
def test_a_missing_file_is_named(model_copy: Path, name: str) -> None:
    (model_copy / name).unlink()
    with pytest.raises(HectorError, match=name):
        load_model(model_copy)


@pytest.mark.parametrize(
    "name", ["am/final.mdl", "am/global_cmvn.stats", "conf/model.conf", "conf/mfcc.conf"]
)
def test_an_empty_file_is_named(model_copy: Path, name: str) -> None:
    (model_copy / name).write_bytes(b"")
    with pytest.raises(HectorError, match=name):
        load_model(model_copy)


@pytest.mark.parametrize("keep", [1, 100, 1000, 5000, 100_000, -1, -4])
def test_a_cut_network_is_noticed(model_copy: Path, keep: int) -> None:
    path = model_copy / "am" / "final.mdl"
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(HectorError, match="damaged"):
        load_model(model_copy)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e30])
def test_a_network_with_impossible_weights_is_noticed(model_copy: Path, value: float) -> None:
    """Vosk would end the process in the middle of an announcement."""
    path = model_copy / "am" / "final.mdl"
    data = bytearray(path.read_bytes())
    at = data.rfind(b"<LinearParams> FM ") + len(b"<LinearParams> FM ") + 10
    data[at : at + 80] = np.full(20, value, "<f4").tobytes()
    path.write_bytes(data)
    with pytest.raises(HectorError, match=r"damaged: am/final\.mdl"):
        load_model(model_copy)


def test_statistics_that_are_no_numbers_are_noticed(model_copy: Path) -> None:
    path = model_copy / "am" / "global_cmvn.stats"
    path.write_bytes(path.read_bytes()[:-8] + np.float64("nan").tobytes())
    with pytest.raises(HectorError, match="global_cmvn"):
        load_model(model_copy)


@pytest.mark.parametrize("value", [1e300, -1e12])
@pytest.mark.parametrize("as_text", [False, True])
def test_statistics_beyond_all_sound_are_noticed(model_copy: Path, value: float, as_text: bool) -> None:
    """Vosk would end the process in the middle of an announcement."""
    path = model_copy / "am" / "global_cmvn.stats"
    head, sums = path.read_bytes()[:15], np.frombuffer(path.read_bytes(), "<f8", offset=15).copy()
    sums[1] = value
    rows = [" ".join(map(str, row)) for row in sums.reshape(2, -1).tolist()]
    path.write_bytes(f" [\n{rows[0]}\n{rows[1]} ]\n".encode() if as_text else head + sums.tobytes())
    with pytest.raises(HectorError, match="global_cmvn"):
        load_model(model_copy)


def test_statistics_of_no_frames_are_noticed(model_copy: Path) -> None:
    path = model_copy / "am" / "global_cmvn.stats"
    head, sums = path.read_bytes()[:15], np.frombuffer(path.read_bytes(), "<f8", offset=15).copy()
    sums[len(sums) // 2 - 1] = 0.0
    path.write_bytes(head + sums.tobytes())
    with pytest.raises(HectorError, match="global_cmvn"):
        load_model(model_copy)


def test_probabilities_that_are_no_numbers_are_noticed(model_copy: Path) -> None:
    path = model_copy / "am" / "final.mdl"
    head, mark, rest = path.read_bytes().partition(b"<LogProbs> FV ")
    path.write_bytes(head + mark + rest[:5] + np.full(4, np.nan, "<f4").tobytes() + rest[21:])
    with pytest.raises(HectorError, match="no number"):
        load_model(model_copy)


def test_a_front_end_that_vosk_cannot_build_is_a_sentence_before_anything_is_heard(model_copy: Path) -> None:
    path = model_copy / "conf" / "mfcc.conf"
    path.write_text(path.read_text().replace("num-mel-bins=40", "num-mel-bins=99999"))
    with pytest.raises(HectorError, match=f"{model_copy}: it is damaged, or its parts do not fit"):
        Recogniser(load_model(model_copy), open_grammar=WordGraph(((0, "ja", 1),), frozenset({1})))


def test_cut_statistics_are_noticed(model_copy: Path) -> None:
    path = model_copy / "am" / "global_cmvn.stats"
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(HectorError, match="global_cmvn"):
        load_model(model_copy)


def test_phones_of_another_model_are_noticed(model_copy: Path) -> None:
    path = model_copy / "phones.txt"
    path.write_text(path.read_text() + "zz_B 900\n")
    with pytest.raises(HectorError, match="do not belong together"):
        load_model(model_copy)


def test_a_lexicon_with_a_strange_phone_is_noticed(model_copy: Path) -> None:
    path = model_copy / "lexicon.txt"
    path.write_text(path.read_text() + "elefant zz oo\n")
    with pytest.raises(HectorError, match="elefant"):
        load_model(model_copy)


@pytest.mark.parametrize("phones", ["x", "1:x", "1::2", ":1", "\u00b2", "9" * 5000])
def test_silence_phones_that_are_no_numbers_are_told(model_copy: Path, phones: str) -> None:
    """Vosk refuses them only in the middle of an utterance."""
    path = model_copy / "conf" / "model.conf"
    path.write_text(re.sub("(silence-phones=).*", rf"\g<1>{phones}", path.read_text()))
    with pytest.raises(HectorError, match="silence-phones are numbers"):
        load_model(model_copy)


def test_options_that_vosk_would_die_of_are_noticed(model_copy: Path) -> None:
    path = model_copy / "conf" / "model.conf"
    lines = [line for line in path.read_text().splitlines() if "silence-phones" not in line]
    path.write_text("\n".join(lines))
    with pytest.raises(HectorError, match="silence-phones"):
        load_model(model_copy)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("mfcc", "frame-shift=0"),
        ("mfcc", "frame-length=0"),
        ("mfcc", "Frame_Shift=-10"),
        ("mfcc", "sample-frequency=nan"),
        ("model", "frame-subsampling-factor=0"),
    ],
)
def test_a_number_that_vosk_would_die_of_is_named(model_copy: Path, name: str, option: str) -> None:
    path = model_copy / "conf" / f"{name}.conf"
    path.write_text(path.read_text() + f"--{option}\n")
    key = option.partition("=")[0].lower().replace("_", "-")
    with pytest.raises(HectorError, match=rf"conf/{name}\.conf has no sensible {key}\."):
        load_model(model_copy)


def test_an_option_that_vosk_does_not_know_is_a_sentence(model_copy: Path) -> None:
    path = model_copy / "conf" / "model.conf"
    path.write_text(path.read_text() + "--strength=9\n")
    with pytest.raises(HectorError, match="damaged or incomplete"):
        Recogniser(load_model(model_copy), open_grammar=WordGraph(((0, "ja", 1),), frozenset({1})))


def test_a_sentence_tells_which_word_has_no_pronunciation(model: AcousticModel) -> None:
    with pytest.raises(HectorError, match="elefant"):
        Recogniser(model, open_grammar=WordGraph(((0, "elefant", 1),), frozenset({1})))


def test_words_are_found_in_their_written_forms(model: AcousticModel) -> None:
    foreign = AcousticModel(
        Path("x"), frozenset({"läufer", "fünf", "en", "passant", "große", "zuege"}), 1.0, {}, None, None
    )
    assert foreign.spellings("laeufer") == ("läufer",)
    assert foreign.spellings("fuenf") == ("fünf",)
    assert foreign.spellings("grosse") == ("große",)
    assert foreign.spellings("zuege") == ("zuege",)
    assert foreign.spellings("enpassant", ("en passant",)) == ("en passant",)
    assert foreign.missing({"enpassant", "laeufer"}) == ["enpassant"]


@pytest.fixture(scope="module")
def official(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory as official Vosk models have it: graph put together at run time, words with umlauts."""
    model = ears.model()
    assert model.compiler is not None and model.phones is not None
    place = tmp_path_factory.mktemp("official")
    shutil.copytree(model.path / "am", place / "am")
    shutil.copytree(model.path / "conf", place / "conf")
    (place / "graph" / "phones").mkdir(parents=True)
    words = sorted(model.words)
    loop = model.compiler.compile(WordGraph(tuple((0, word, 0) for word in words), frozenset({0})))
    order = np.argsort(loop.olabel, kind="stable")
    columns = [getattr(loop, name)[order] for name in ("source", "ilabel", "olabel", "weight", "target")]
    (place / "graph" / "HCLr.fst").write_bytes(to_bytes(Fst(loop.start, loop.finals, *columns)))
    numbers = np.arange(1, len(words) + 1, dtype=np.int32)
    same = np.zeros(len(words), np.int32)
    cost = np.full(len(words), 4, np.float32)
    grammar = Fst(0, np.zeros(1, np.float32), same, numbers, numbers, cost, same)
    (place / "graph" / "Gr.fst").write_bytes(to_bytes(grammar))
    umlauts = {"koenig": "könig", "laeufer": "läufer", "fuenf": "fünf"}
    lines = ["<eps> 0", *(f"{umlauts.get(word, word)} {k}" for k, word in enumerate(words, 1))]
    (place / "graph" / "words.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (place / "graph" / "phones" / "word_boundary.int").write_text(model.phones.word_boundaries())
    (place / "graph" / "disambig_tid.int").write_text("")
    return place


def test_an_official_model_hears_an_announcement_too(official: Path) -> None:
    assert load_model(official).missing(load_vocabulary("de").tokens) == []
    recogniser = Recogniser(load_model(official), open_grammar=open_grammar(load_vocabulary("de")))
    after_e4_e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    recogniser.expect(book(after_e4_e5).word_graph())
    (utterance,) = recogniser.accept(in_room(say("Läufer Cesar vier")))
    assert utterance.legal[0].words == ("laeufer", "cesar", "vier")


@pytest.mark.parametrize(
    "name", ["graph/HCLr.fst", "graph/Gr.fst", "graph/words.txt", "graph/disambig_tid.int"]
)
def test_an_official_model_without_one_of_its_files_is_a_sentence(
    official: Path, tmp_path: Path, name: str
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(official, copy)
    (copy / name).unlink()
    with pytest.raises(HectorError, match=name.replace(".", r"\.")):
        load_model(copy)


def test_an_official_model_whose_graph_would_crash_vosk_is_a_sentence(official: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(official, copy)
    path = copy / "graph" / "HCLr.fst"
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(HectorError, match="cannot work with the model"):
        Recogniser(load_model(copy), open_grammar=open_grammar(load_vocabulary("de")))
