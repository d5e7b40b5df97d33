"""The arbiter's key: made once, opened by its passphrase alone."""

from __future__ import annotations

import json
import math

import chess
import pytest

from assistant.errors import HectorError, UsageError
from assistant.sealing import PublicKey, SecretKey, Work, new_key, public_key, unlock

CHEAP = Work(passes=1, memory=8192)
PHRASE = "drei kleine Springer"
KEY = new_key(PHRASE, CHEAP)


EARLIER = b"""{"format": "hector-arbiter-key-1",
    "public": "hector-key-1:De6KCM39EX4NlFyWtDfTwy48aRcXhpkYGc9QJS0fYHk=",
    "passes": 1, "memory": 8192, "salt": "ZE3bDo2tIiDTVznKbVQj1Q==",
    "secret":
"mZVrRh4EhBmg+BbFrWWxwAvaoNbJIJ9Asa0+Z5auKRZcDtKz1nurqw8FUAX9c6WAgNTQltEBnQH6qitxcUza6v0+rMt7bAG3",
    "check": "a6 c6 a6 b5, b3 a3 a3 b5, f2 e7 f3 h8"}"""


def changed(**content: object) -> bytes:
    return json.dumps(json.loads(KEY) | content).encode()


def test_the_passphrase_opens_the_key() -> None:
    assert unlock(KEY, PHRASE).public == public_key(KEY)


def test_a_key_of_an_earlier_hector_opens_and_has_the_fingerprint_that_was_read_out_then() -> None:
    assert unlock(EARLIER, PHRASE).public.fingerprint == "h5 g3 f4 c6, c4 h6 a4 h2, a2 e6 g2 e1"


def test_two_keys_with_the_same_passphrase_are_not_the_same() -> None:
    other = new_key(PHRASE, CHEAP)
    assert public_key(other) != public_key(KEY)
    assert json.loads(other)["salt"] != json.loads(KEY)["salt"]


@pytest.mark.parametrize("wrong", ["", "drei kleine springer", PHRASE + " ", "x" * 10_000])
def test_a_wrong_passphrase_opens_nothing(wrong: str) -> None:
    with pytest.raises(HectorError, match=r"passphrase is wrong; nothing was opened\. Try again\.$"):
        unlock(KEY, wrong)


def test_the_same_passphrase_on_another_keyboard_opens_it() -> None:
    """An umlaut comes as one code point or as two."""
    key = new_key("schöner Läufer", CHEAP)
    assert unlock(key, "scho\u0308ner La\u0308ufer").public == public_key(key)


@pytest.mark.parametrize("short", ["", "geheim", "1234567"])
def test_a_short_passphrase_is_refused(short: str) -> None:
    with pytest.raises(UsageError, match="too short"):
        new_key(short, CHEAP)


@pytest.mark.parametrize("field", ["public", "secret", "salt", "passes", "memory", "check"])
def test_a_key_file_that_was_changed_in_any_field_is_refused(field: str) -> None:
    with pytest.raises(HectorError, match="changed or damaged"):
        unlock(changed(**{field: json.loads(new_key(PHRASE, Work(2, 16384)))[field]}), PHRASE)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"{}", b"[]", b"\xff\xfe", b"null", b"[" * 5000, b'{"format": "other"}']
)
def test_what_is_no_key_is_told_in_one_sentence(data: bytes) -> None:
    for read in (public_key, lambda data: unlock(data, PHRASE)):
        with pytest.raises(UsageError) as told:
            read(data)
        assert str(told.value).count("\n") == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [("memory", 1 << 45), ("passes", 100), ("passes", None), ("memory", math.inf), ("salt", "")],
)
def test_a_key_file_that_asks_for_work_out_of_range_is_refused(field: str, value: object) -> None:
    """Whoever hands over a key file chooses its parameters, even with the right check."""
    from assistant.sealing.squares import squares_of

    content = json.loads(KEY) | {field: value}
    del content["check"]
    check = squares_of(json.dumps(content, sort_keys=True).encode())
    with pytest.raises(HectorError, match="changed or damaged"):
        unlock(json.dumps(content | {"check": check}).encode(), PHRASE)


def test_the_public_key_is_read_from_what_is_printed() -> None:
    key = public_key(KEY)
    assert public_key(f"Public key: {key.text}\nFingerprint: {key.fingerprint}\n".encode()) == key


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_public_key_is_read_from_a_file_as_windows_saves_it(encoding: str) -> None:
    key = public_key(KEY)
    assert public_key(f"{key.text}\r\n".encode(encoding)) == key


@pytest.mark.parametrize("cut", [1, 4, 8])
def test_a_public_key_that_was_not_copied_whole_is_refused(cut: int) -> None:
    with pytest.raises(UsageError, match="no arbiter's public key"):
        public_key(public_key(KEY).text[:-cut].encode())


def test_the_secret_key_shows_itself_nowhere() -> None:
    secret = unlock(KEY, PHRASE)
    assert repr(secret.raw) not in repr(secret)
    assert secret.raw.hex() not in KEY.hex()
    assert isinstance(secret, SecretKey)


def test_a_fingerprint_is_twelve_squares_that_can_be_read_aloud() -> None:
    squares = public_key(KEY).fingerprint.replace(",", "").split()
    assert len(squares) == 12
    assert set(squares) <= set(chess.SQUARE_NAMES)


def test_keys_that_differ_in_one_bit_have_other_fingerprints() -> None:
    raw = public_key(KEY).raw
    prints = {
        PublicKey(bytes([*raw[:place], raw[place] ^ 1, *raw[place + 1 :]])).fingerprint for place in range(32)
    }
    assert len(prints) == 32
