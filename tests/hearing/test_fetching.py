"""Another model is fetched whole or not at all, from a server or from an archive brought along."""

from __future__ import annotations

import shutil
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.errors import HectorError, Phrase, UsageError
from assistant.hearing import fetch_model, fetched_models, find_model, load_model


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None: ...


class Breaking(BaseHTTPRequestHandler):
    """Promises more than it sends."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        self.wfile.write(b"PK" * 1000)

    def log_message(self, format: str, *args: object) -> None: ...


def serving(handler: object) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)  # type: ignore[arg-type]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def published(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "published").mkdir()
    yield from serving(partial(Quiet, directory=str(tmp_path / "published")))


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HECTOR_MODELS", str(tmp_path / "kept"))
    return tmp_path / "kept"


def archive(path: Path, folder: str = "model/", without: str = "") -> Path:
    source = find_model()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
        for file in sorted(source.rglob("*")):
            name = file.relative_to(source).as_posix()
            if file.is_file() and name != without:
                zipped.write(file, folder + name)
    return path


def test_a_published_model_is_found_by_its_name_afterwards(
    tmp_path: Path, kept: Path, published: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HECTOR_MODELS_URL", published)
    archive(tmp_path / "published" / "other-de-0.1.zip", "other-de-0.1/")
    said: list[Phrase] = []
    assert fetch_model("other-de-0.1", said.append) == kept / "other-de-0.1"
    assert fetched_models() == [kept / "other-de-0.1"]
    assert load_model("other-de-0.1").words == load_model().words
    assert said


def test_an_archive_without_a_folder_inside_is_a_model_too(tmp_path: Path, kept: Path) -> None:
    brought = archive(tmp_path / "brought.zip", "")
    assert fetch_model(str(brought), lambda line: None) == kept / "brought"
    assert load_model("brought").own
    assert brought.exists()


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("my model (1).zip", "my-model-1"),
        ("läufer?.ZIP", "läufer"),
        (".-hidden.zip", "hidden"),
        ("(1).zip", "1"),
        ("(-).zip", "model"),
    ],
)
def test_an_archive_on_disk_may_be_called_anything(tmp_path: Path, kept: Path, file: str, name: str) -> None:
    zipfile.ZipFile(tmp_path / file, "w").close()
    (kept / name).mkdir(parents=True)
    with pytest.raises(HectorError, match=f"The model {name} is there already"):
        fetch_model(str(tmp_path / file), lambda line: None)


@pytest.mark.parametrize(
    "address", ["http://[/x.zip", "http://127.0.0.1:1/läufer/x.zip", f"http://{'a' * 80}.de/x.zip"]
)
def test_what_cannot_be_an_address_is_wrong_use(kept: Path, address: str) -> None:
    with pytest.raises(UsageError, match="There is no archive"):
        fetch_model(address, lambda line: None)
    assert list(kept.iterdir()) == []


def test_a_model_whose_limits_cannot_be_used_is_not_kept(
    tmp_path: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = archive(tmp_path / "brought.zip", without="decision.toml")
    with zipfile.ZipFile(path, "a") as zipped:
        zipped.writestr("model/decision.toml", "announcement = 3\n")
    assert main(["models", "fetch", str(path)]) == 1
    assert "have no table 'announcement'" in capsys.readouterr().err
    assert list(kept.iterdir()) == []


def test_a_model_that_is_there_is_left_as_it_is(tmp_path: Path, kept: Path) -> None:
    (kept / "brought").mkdir(parents=True)
    with pytest.raises(HectorError, match="there already"):
        fetch_model(str(archive(tmp_path / "brought.zip")), lambda line: None)
    assert list((kept / "brought").iterdir()) == []


@pytest.mark.parametrize("source", ["no/such/archive.zip", "archive.zip", "..", "", "a b"])
def test_what_is_no_name_is_wrong_use(kept: Path, source: str) -> None:
    with pytest.raises(UsageError):
        fetch_model(source, lambda line: None)


def test_a_file_that_is_no_archive_is_called_so(tmp_path: Path, kept: Path) -> None:
    path = tmp_path / "readme.txt"
    path.write_text("This is no archive.")
    with pytest.raises(UsageError, match=r"readme\.txt is no ZIP archive"):
        fetch_model(str(path), lambda line: None)
    assert not kept.exists()


def test_a_name_that_is_not_published_is_said(
    kept: Path, published: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HECTOR_MODELS_URL", published)
    with pytest.raises(HectorError, match="no such model"):
        fetch_model("vosk-model-de-99", lambda line: None)
    assert list(kept.iterdir()) == []


def test_no_network_is_one_sentence(kept: Path) -> None:
    with pytest.raises(HectorError, match="cannot be reached"):
        fetch_model("http://127.0.0.1:1/model.zip", lambda line: None)
    assert list(kept.iterdir()) == []


def test_a_broken_connection_leaves_nothing(kept: Path) -> None:
    for address in serving(Breaking):
        with pytest.raises(HectorError, match=r"Try again|cannot be reached"):
            fetch_model(f"{address}/model.zip", lambda line: None)
    assert list(kept.iterdir()) == []


@pytest.mark.parametrize("kind", ["cut", "text", "damaged inside", "incomplete", "strange", "climbing"])
def test_an_archive_that_is_not_a_whole_model_leaves_nothing(tmp_path: Path, kept: Path, kind: str) -> None:
    path = tmp_path / "brought.zip"
    if kind == "incomplete":
        archive(path, without="lexicon.txt")
    elif kind in ("strange", "climbing"):
        with zipfile.ZipFile(path, "w") as zipped:
            zipped.writestr("../../readme.txt" if kind == "climbing" else "readme.txt", "hello")
    else:
        data = bytearray(archive(path).read_bytes())
        if kind == "cut":
            del data[len(data) // 2 :]
        elif kind == "text":
            data = bytearray(b"This is no archive.")
        else:
            data[len(data) // 2] ^= 255
        path.write_bytes(data)
    with pytest.raises(HectorError):
        fetch_model(str(path), lambda line: None)
    assert list(kept.iterdir()) == []
    assert sorted(each.name for each in tmp_path.iterdir()) == ["brought.zip", "kept"]


def test_a_damaged_entry_of_the_newest_kind_is_a_sentence(tmp_path: Path, kept: Path) -> None:
    path = tmp_path / "brought.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as zipped:
        zipped.writestr("model/readme.txt", bytes(range(256)) * 400)
    data = bytearray(path.read_bytes())
    data[60:80] = bytes([255]) * 20
    path.write_bytes(data)
    with pytest.raises(HectorError, match="The archive of brought is damaged"):
        fetch_model(str(path), lambda line: None)


@pytest.mark.parametrize(
    "kind", ["empty", "bad name", "bad local name", "wrong offset", "a file as a folder"]
)
def test_an_archive_that_is_damaged_is_to_blame_and_not_the_folder(
    tmp_path: Path, kept: Path, kind: str
) -> None:
    path = tmp_path / "brought.zip"
    with zipfile.ZipFile(path, "w") as zipped:
        if kind != "empty":
            zipped.writestr("m", "x") if kind == "a file as a folder" else None
            zipped.writestr("m/am/fünal.mdl", "x")
    data = path.read_bytes()
    name = "fünal".encode()
    match kind:
        case "bad name":
            data = data[::-1].replace(name[::-1], b"f\xff\xffnal"[::-1], 1)[::-1]
        case "bad local name":
            data = data.replace(name, b"f\xff\xffnal", 1)
        case "wrong offset":
            end = data.rfind(b"PK\x05\x06")
            data = data[: end + 16] + b"\xff\xff\xff\x7f" + data[end + 20 :]
    path.write_bytes(data)
    blamed = r"holds no Vosk model" if kind == "empty" else r"is damaged or not a ZIP file"
    with pytest.raises(HectorError, match=blamed):
        fetch_model(str(path), lambda line: None)
    assert list(kept.iterdir()) == []


def test_a_model_in_use_that_is_damaged_is_listed_with_the_status_of_an_error(
    tmp_path: Path, kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(find_model(), tmp_path / "own")
    (tmp_path / "own" / "phones.txt").write_text("")
    monkeypatch.setenv("HECTOR_MODEL", str(tmp_path / "own"))
    assert main(["models"]) == 1
    assert "phones.txt is empty" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [("models",), ("models", "check", "~nobodyhere/x"), ("doctor",)])
def test_a_model_below_the_home_of_nobody_does_not_exist(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.setenv("HECTOR_MODEL", "~nobodyhere/x")
    assert main(list(arguments)) in (1, 2)
    said = capsys.readouterr()
    assert "The model ~nobodyhere/x does not exist" in said.out + said.err


def test_what_is_wrong_with_a_model_is_told_of_its_name(tmp_path: Path, kept: Path) -> None:
    path = archive(tmp_path / "brought.zip", without="lexicon.txt")
    with pytest.raises(HectorError) as told:
        fetch_model(str(path), lambda line: None)
    assert "brought" in str(told.value)
    assert str(kept) not in str(told.value)


def test_the_fetched_models_are_listed_although_the_one_of_the_environment_is_gone(
    tmp_path: Path, kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(find_model(), kept / "own")
    monkeypatch.setenv("HECTOR_MODEL", str(tmp_path / "gone"))
    assert main(["models"]) == 1
    said = capsys.readouterr()
    assert str(kept / "own") in said.out.splitlines()
    assert said.err.startswith(f"hector: The model {tmp_path / 'gone'} does not exist;")
    assert said.err.endswith(" Its name is in HECTOR_MODEL.\n")


def test_the_wait_is_told_in_the_language_that_was_asked_for(
    tmp_path: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", "de", "models", "fetch", str(archive(tmp_path / "brought.zip"))]) == 0
    assert capsys.readouterr().err == "Es wird entpackt und geprüft.\n"
