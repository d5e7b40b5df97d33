"""Which output each sound of an utterance belongs to: that of its phone, or its word's own."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: the training tests are skipped")

from assistant.hearing import load_model  # noqa: E402
from assistant.hearing.scoring import WORDS_SAY_MORE, scorer_of  # noqa: E402
from models.training import export, phrases, pools  # noqa: E402
from models.training.lexicon import IGNORE, Lexicon, Sound, load_lexicon  # noqa: E402
from models.training.network import Network, Shape, divided, summed  # noqa: E402
from models.training.owned import FILES, PIECES, RANKS, Outputs  # noqa: E402
from models.training.pools import Utterance  # noqa: E402
from models.training.sequence import phone_model  # noqa: E402

LEXICON = load_lexicon()
OUTPUTS = Outputs.of(LEXICON)
NAMES = OUTPUTS.said.phones
PHONES = len(LEXICON.phones)


def labelled(*sounds: str, frames: int = 4) -> np.ndarray:
    """Labels of sounds; "." is silence, "?" one that teaches nothing."""
    numbers = {".": 0, "?": IGNORE}
    return np.repeat(
        np.array([numbers.get(s) if s in numbers else LEXICON.number(s) for s in sounds], np.uint8), frames
    )


def names(labels: np.ndarray) -> list[str]:
    """What stands there, one name for each sound."""
    changes = np.flatnonzero(np.diff(labels.astype(int), prepend=-1))
    found = []
    for label in labels[changes].tolist():
        neutral = label >= len(OUTPUTS) and label != IGNORE
        found.append("?" if label == IGNORE else NAMES[label - len(OUTPUTS) * neutral] + "~" * neutral)
    return found


def test_each_phone_of_the_squares_and_pieces_is_an_output_of_its_own() -> None:
    own = set(NAMES[PHONES:])
    assert {"ai.drei", "ai.zwei", "ts.cesar", "k.cesar"} <= own
    assert {name.partition(".")[2] for name in own} == {*FILES, *RANKS, *PIECES}
    assert len(own) == len(OUTPUTS) - PHONES


def test_only_these_words_are_spelt_with_them() -> None:
    assert OUTPUTS.said.words["drei"] == ((Sound("d.drei"), Sound("r.drei"), Sound("ai.drei", True)),)
    assert OUTPUTS.said.words["nimmt"] == LEXICON.words["nimmt"]


def test_a_network_of_any_other_number_of_outputs_is_refused() -> None:
    assert Outputs.counting(LEXICON, PHONES).own == ()
    assert Outputs.counting(LEXICON, len(OUTPUTS)) == OUTPUTS
    with pytest.raises(ValueError, match="40 outputs"):
        Outputs.counting(LEXICON, 40)


def test_sounds_are_given_to_the_words_that_are_said() -> None:
    labels = labelled(".", "d", "r", "ai", ".", "n", "ih", "m", "t", "ts", "v", "ai", ".")
    assert names(OUTPUTS.relabelled(labels, ("drei", "nimmt", "zwei"))) == [
        *("SIL", "d.drei", "r.drei", "ai.drei", "SIL", "n", "ih", "m", "t", "ts.zwei", "v.zwei", "ai.zwei"),
        "SIL",
    ]


def test_any_pronunciation_and_any_slip_finds_its_word() -> None:
    said = labelled("k", "ee", "z", "a", "r", "eh", "f", "a", "d", "n", "r", "ai")
    assert names(OUTPUTS.relabelled(said, ("cesar", "eva", "drei"))) == [
        *("k.cesar", "ee.cesar", "z.cesar", "a.cesar", "r.cesar", "eh.eva", "f.eva", "a.eva"),
        # nobody's sound stays its phone
        *("d.drei", "n", "r.drei", "ai.drei"),
    ]


def test_a_sound_that_no_pronunciation_has_stays_its_phone() -> None:
    assert names(OUTPUTS.relabelled(labelled("l", "a", "x", "t"), ("acht",))) == [
        *("l", "a.acht", "x.acht", "t.acht")
    ]
    assert names(OUTPUTS.relabelled(labelled("d", "r", "oy"), ("drei",))) == ["d.drei", "r.drei", "oy"]


@pytest.mark.parametrize("words", [("anna", "acht"), ("gustav", "fuenf")])
def test_two_words_that_meet_in_one_sound_share_it(words: tuple[str, str]) -> None:
    first, second = (LEXICON.words[word][0] for word in words)
    meeting = [s.phone for s in first] + [s.phone for s in second[1:]]
    heard = OUTPUTS.relabelled(labelled(*meeting), words)
    shared = heard[4 * (len(first) - 1) : 4 * len(first)]
    phone = second[0].phone
    assert names(shared) == [f"{phone}.{words[0]}", f"{phone}.{words[1]}"]
    assert np.bincount(shared)[np.bincount(shared) > 0].tolist() == [2, 2]


def test_what_teaches_nothing_stays_so() -> None:
    labels = labelled("?", "d", "r", "ai", "?")
    assert names(OUTPUTS.relabelled(labels, ("drei",))) == ["?", "d.drei", "r.drei", "ai.drei", "?"]


@pytest.mark.parametrize("seed", range(20))
def test_what_the_training_says_is_given_back(seed: int) -> None:
    rng = random.Random(seed)
    words = phrases.utterance(LEXICON, rng)
    sounds: list[str] = []
    meant: list[str] = []
    for word in words:
        form = [sound.phone for sound in LEXICON.choose(word, 0.3, rng)]
        sounds += [*form, "."]
        own = word in (*FILES, *RANKS, *PIECES)
        meant += [*(f"{phone}.{word}" if own else phone for phone in form), "SIL"]
    assert names(OUTPUTS.relabelled(labelled(*sounds), words)) == meant


def test_people_of_other_languages_say_any_output_of_a_phone() -> None:
    assert names(OUTPUTS.heard(labelled(".", "d", "r", "oo", "?"))) == ["SIL", "d~", "r~", "oo~", "?"]


def test_who_counts_says_the_number_at_the_end() -> None:
    heard = OUTPUTS.heard(labelled("b", "a", "m", "b", "uh", "s", "d", "r", "ai", "."))
    assert names(heard) == [*("b~", "a~", "m~", "b~", "uh~", "s~", "d.drei", "r.drei", "ai.drei", "SIL")]
    assert names(OUTPUTS.heard(labelled("d", "r", "ai", "ax"))) == ["d~", "r~", "ai~", "ax~"]


def test_a_neutral_label_wants_each_output_as_often_as_it_is() -> None:
    priors = np.random.default_rng(1).dirichlet(np.ones(len(OUTPUTS)))
    wanted = OUTPUTS.wanted(priors)
    ai = LEXICON.number("ai")
    mine = [k for k, phone in enumerate(OUTPUTS.of_outputs) if phone == ai]
    row = wanted[len(OUTPUTS) + ai]
    assert row[mine] == pytest.approx(priors[mine] / priors[mine].sum())
    assert row.sum() == pytest.approx(1)
    assert (wanted[: len(OUTPUTS)] == np.eye(len(OUTPUTS))).all()


def saved(folder: Path, pool: str, shard: str, words: tuple[str, ...]) -> Path:
    labels = labelled("d", "r", "ai")
    said = Utterance(np.ones(len(labels) * 160, np.int16), labels, words, "somebody")
    return pools.save(folder, pool, shard, [said, said])


@pytest.mark.parametrize(
    ("pool", "shard", "words", "heard"),
    [
        ("stock", "0", ("drei",), ["d.drei", "r.drei", "ai.drei"]),
        ("recordings", "x", ("drei",), ["d.drei", "r.drei", "ai.drei"]),
        ("revoiced", "rhvoice-anna", ("drei",), ["d.drei", "r.drei", "ai.drei"]),
        ("invented", "0", (), ["d", "r", "ai"]),
        ("counted", "x", (), ["d.drei", "r.drei", "ai.drei"]),
    ],
)
def test_the_pool_tells_what_is_known_of_its_words(
    tmp_path: Path, pool: str, shard: str, words: tuple[str, ...], heard: list[str]
) -> None:
    path = saved(tmp_path, pool, shard, words)
    assert names(OUTPUTS.shard(pools.load(path), path)[1].labels) == heard


@pytest.mark.parametrize(("pool", "shard"), [("prompts", "klettres-de"), ("revoiced", "prompts-klettres-de")])
def test_prompts_are_neutral_from_every_mouth(tmp_path: Path, pool: str, shard: str) -> None:
    labels = labelled("d", "oo")
    path = pools.save(
        tmp_path, pool, shard, [Utterance(np.ones(len(labels) * 160, np.int16), labels, (), "x")]
    )
    assert names(OUTPUTS.shard(pools.load(path), path)[0].labels) == ["d~", "oo~"]


def test_without_outputs_for_words_labels_stay_phones(tmp_path: Path) -> None:
    path = saved(tmp_path, "stock", "0", ("drei",))
    shard = pools.load(path)
    assert (Outputs(LEXICON).shard(shard, path).labels == shard.labels).all()


def test_what_is_neutral_tells_nothing_of_what_follows_what(tmp_path: Path) -> None:
    silent = labelled(".", "d", "r", "ai", ".")
    for pool, words in (("stock", ("drei",)), ("prompts", ())):
        said = Utterance(np.ones(len(silent) * 160, np.int16), silent, words, "x")
        pools.save(tmp_path, pool, "0", [said] * 5)
    model = phone_model(tmp_path, OUTPUTS)
    last = {int(phone): k for k, phone in enumerate(model.phones.tolist()) if k < len(OUTPUTS)}
    drei = [NAMES.index(f"{phone}.drei") for phone in ("d", "r", "ai")]
    following = model.moves[last[drei[0]]]
    assert float(following[model.phones == drei[1]].sum()) > 0.3
    assert float(following[model.phones == LEXICON.number("r")].sum()) < 0.01


def test_a_divided_network_says_of_each_phone_what_it_said() -> None:
    torch.manual_seed(1)
    network = Network(Shape(width=16, dilations=(1,), outputs=PHONES, waists=())).eval()
    phones = torch.from_numpy(OUTPUTS.of_outputs)
    weights = torch.rand(len(OUTPUTS), dtype=torch.float64) + 0.1
    shares = weights / torch.bincount(phones, weights)[phones]
    x = torch.randn(2, 30, 40)
    with torch.no_grad():
        before = network(x).log_softmax(-1)
        after = divided(network, phones, shares).eval()(x).log_softmax(-1)
    assert torch.allclose(summed(after, phones), before, atol=1e-5)
    assert torch.allclose(after - before[..., phones], shares.log().float().expand_as(after), atol=1e-5)


def test_a_lexicon_without_such_words_cannot_have_them() -> None:
    with pytest.raises(KeyError):
        Outputs.of(Lexicon(LEXICON.phones, LEXICON.vowels, {}))


def test_dividing_its_outputs_changes_nothing_of_what_its_phones_are(tmp_path: Path) -> None:
    torch.manual_seed(1)
    network = Network(Shape(width=16, dilations=(1,), outputs=PHONES, waists=())).eval()
    rng = np.random.default_rng(1)
    phones, shares = OUTPUTS.of_outputs, rng.random(len(OUTPUTS)) + 0.1
    shares /= np.bincount(phones, shares)[phones]
    priors = rng.dirichlet(np.ones(PHONES))
    stats = np.ones((2, 41)) * 1000
    more = divided(network, torch.from_numpy(phones), torch.from_numpy(shares)).eval()
    export.write_model(tmp_path / "phones", network, LEXICON, priors, stats)
    export.write_model(tmp_path / "words", more, LEXICON, priors[phones] * shares, stats)
    noise = (rng.standard_normal(24000) * 2000).astype(np.int16)
    before, after = (scorer_of(load_model(tmp_path / name)) for name in ("phones", "words"))
    # the floor under each output cuts off other parts of what is nearly impossible
    best, again = (scorer.of_phones(scorer.scores(noise)) for scorer in (before, after))
    assert (again.argmax(1) == best.argmax(1)).all()
    assert again.max(1) == pytest.approx(best.max(1), abs=0.02)
    frames = len(before.scores(noise))
    assert 0 < after.filler(noise) - before.filler(noise) <= frames * WORDS_SAY_MORE + 0.5
