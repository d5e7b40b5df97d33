"""What C libraries print is not heard; what Hector prints is."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from assistant.quiet import Printer, quiet_stderr, write_line

ROOT = Path(__file__).parents[1]


def stderr_of(program: str) -> str:
    """Run a program in a process of its own and return what arrived on its standard error."""
    preamble = "import os, sys, threading\nfrom assistant.quiet import quiet_stderr\n"
    run = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", preamble + program],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return run.stderr


def test_a_c_library_is_silent_only_inside() -> None:
    program = """
os.write(2, b"before ")
with quiet_stderr():
    os.write(2, b"ALSA lib pcm.c: cannot open slave")
os.write(2, b"after")
"""
    assert stderr_of(program) == "before after"


def test_what_python_prints_meanwhile_arrives() -> None:
    program = """
with quiet_stderr():
    print("Das Mikrofon ist weg.", file=sys.stderr)
    os.write(2, b"noise")
print("Ende.", file=sys.stderr)
"""
    assert stderr_of(program) == "Das Mikrofon ist weg.\nEnde.\n"


def test_the_last_of_several_threads_mends_it() -> None:
    program = """
inside, leave = threading.Barrier(2), threading.Event()
def other():
    with quiet_stderr():
        inside.wait()
        leave.wait()
        os.write(2, b"still quiet")
thread = threading.Thread(target=other)
thread.start()
with quiet_stderr():
    inside.wait()
leave.set()
thread.join()
os.write(2, b"loud")
"""
    assert stderr_of(program) == "loud"


def test_it_is_mended_after_an_error() -> None:
    program = """
try:
    with quiet_stderr():
        raise OSError
except OSError:
    os.write(2, b"loud")
"""
    assert stderr_of(program) == "loud"


def test_a_closed_standard_error_is_no_trouble() -> None:
    program = """
os.close(2)
with quiet_stderr():
    os.write(1, b"")
"""
    assert stderr_of(program) == ""


@pytest.mark.parametrize("number", [0, 1, 2])
def test_no_file_takes_the_place_of_a_stream_that_is_closed(number: int, tmp_path: Path) -> None:
    (tmp_path / "told.txt").touch()
    program = f"""
import os, sys
from assistant.quiet import fill_standard_descriptors
told = os.open(sys.argv[1], os.O_WRONLY)
os.close({number})
fill_standard_descriptors()
os.write(told, str([os.readlink("/proc/self/fd/{number}"), os.open(os.devnull, os.O_RDONLY) > 2]).encode())
"""
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "told.txt")], cwd=ROOT, check=True)
    assert (tmp_path / "told.txt").read_text() == "['/dev/null', True]"


def test_no_descriptor_is_left_open() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _round in range(50):
        with quiet_stderr():
            pass
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_the_noise_can_be_kept_in_a_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with quiet_stderr(str(tmp_path / "noise.log")):
        os.write(2, b"ALSA lib")
    assert (tmp_path / "noise.log").read_text() == "ALSA lib"
    assert capfd.readouterr().err == ""


def test_a_line_for_whoever_reads_slowly_is_whole_though_nobody_waits_at_the_stream() -> None:
    """Another program has set the terminal so (O_NONBLOCK)."""
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    line = "e4 " * 100_000
    with os.fdopen(writes, "w") as stream, os.fdopen(reads) as reader:
        printer = Printer(lambda line: write_line(stream, line))
        printer.show(line)
        assert reader.readline() == f"{line}\n"
        printer.close()


def test_what_is_known_to_hang_is_waited_for_once_and_shows_all_when_it_goes_on() -> None:
    goes_on, shown = threading.Event(), list[str]()
    printer = Printer(lambda line: goes_on.wait() and shown.append(line))
    for line in ("one", "two", "three"):
        printer.show_now(line)
    assert shown == []
    goes_on.set()
    printer.close()
    assert shown == ["one", "two", "three"]
