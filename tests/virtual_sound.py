"""A sound card in memory only: PulseAudio with a null sink as loudspeaker and one as microphone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

_SETUP = """
load-module module-native-protocol-unix auth-anonymous=1
load-module module-null-sink sink_name=mic_feed rate=16000 channels=1
load-module module-remap-source source_name=virtual_mic master=mic_feed.monitor
load-module module-null-sink sink_name=speaker rate=22050 channels=1
set-default-source virtual_mic
set-default-sink speaker
"""
_PATIENCE = 20.0
RATE = 22050
"""Samples per second of the loudspeaker."""
AUDIBLE = 100
"""Samples louder than that are sound."""


class VirtualSound:
    """A private sound server. `start` and `stop` may follow each other as often as a test likes."""

    def __init__(self) -> None:
        if not (shutil.which("pulseaudio") and shutil.which("pactl")):
            pytest.skip("NO VIRTUAL SOUND CARD: apt install pulseaudio pulseaudio-utils libasound2-plugins")
        self._directory = Path(tempfile.mkdtemp(prefix="hector-sound-"))
        self._directory.chmod(0o700)
        (self._directory / "setup.pa").write_text(_SETUP, encoding="ascii")
        self.environment = {
            "XDG_RUNTIME_DIR": str(self._directory),
            "PULSE_SERVER": f"unix:{self._directory}/pulse/native",
            "PULSE_STATE_PATH": str(self._directory / "state"),
            "PULSE_RUNTIME_PATH": str(self._directory / "pulse"),
        }
        self._server: subprocess.Popen[bytes] | None = None
        self._helpers: list[subprocess.Popen[bytes]] = []

    def _run(self, *command: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(command, env=os.environ | self.environment, capture_output=True, check=False)

    def _spawn(self, *command: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            env=os.environ | self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def start(self) -> None:
        """Start the server and wait until both sinks really deliver."""
        self._server = self._spawn(
            *("pulseaudio", "-n", "-F", str(self._directory / "setup.pa"), "--daemonize=no"),
            *("--exit-idle-time=-1", "--use-pid-file=no", "--log-target=stderr"),
        )
        deadline = time.monotonic() + _PATIENCE
        while self._run("pactl", "info").returncode:
            if time.monotonic() > deadline or self._server.poll() is not None:
                self.stop()
                pytest.skip("NO VIRTUAL SOUND CARD: pulseaudio does not start here")
            time.sleep(0.05)
        for sink, rate in (("mic_feed", 16000), ("speaker", RATE)):
            # A null sink that nobody plays into falls asleep, and takes seconds to wake.
            form = ("--format=s16le", f"--rate={rate}", "--channels=1", "--raw", "--latency-msec=20")
            self._helpers.append(self._spawn("pacat", "-d", sink, *form, "/dev/zero"))
        for source in ("virtual_mic", "speaker.monitor"):
            with self._spawn("parec", "-d", source, "--latency-msec=20", "--raw") as recorder:
                assert recorder.stdout is not None
                recorder.stdout.read(20000)
                recorder.terminate()

    def stop(self) -> None:
        """Kill the server, as a crash would."""
        for process in (*self._helpers, self._server):
            if process is not None:
                process.kill()
                process.wait()
                if process.stdout is not None:
                    process.stdout.close()
        self._helpers, self._server = [], None

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Let the server answer nobody while the body runs."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._server.send_signal(signal.SIGCONT)

    def pactl(self, *command: str) -> None:
        """Give the server a command.

        :raises AssertionError: if it refuses.
        """
        done = self._run("pactl", *command)
        assert done.returncode == 0, done.stderr

    def speak(self, samples: NDArray[np.int16], rate: int) -> None:
        """Play samples into the microphone, and return when the last of them is through."""
        subprocess.run(
            ["pacat", "-d", "mic_feed", "--format=s16le", f"--rate={rate}", "--channels=1", "--raw"],
            env=os.environ | self.environment,
            input=samples.astype("<i2").tobytes(),
            capture_output=True,
            check=True,
        )

    @contextmanager
    def echo(self, decibels: int) -> Iterator[None]:
        """Let the microphone hear the loudspeaker, so much fainter, while the body runs."""
        loopback = self._run(
            *("pactl", "load-module", "module-loopback", "source=speaker.monitor", "sink=mic_feed"),
            "latency_msec=20",
        ).stdout.decode()
        streams = self._run("pactl", "list", "short", "sink-inputs").stdout.decode().splitlines()
        number = next(line.split()[0] for line in streams if "module-loopback" in line)
        self.pactl("set-sink-input-volume", number, f"{decibels}dB")
        try:
            yield
        finally:
            self.pactl("unload-module", loopback.strip())

    @contextmanager
    def another_sink(self, name: str) -> Iterator[str]:
        """Have one more loudspeaker while the body runs, whose monitor is NAME.monitor; yield its device."""
        form = (f"--rate={RATE}", "--format=s16le", "--channels=1", "--raw", "--latency-msec=20")
        module = self._run(
            *("pactl", "load-module", "module-null-sink", f"sink_name={name}", f"rate={RATE}", "channels=1")
        ).stdout.decode()
        keeper = self._spawn("pacat", "-d", name, *form, "/dev/zero")
        try:
            with self._spawn("parec", "-d", f"{name}.monitor", "--latency-msec=20", "--raw") as recorder:
                assert recorder.stdout is not None
                recorder.stdout.read(20000)
                recorder.terminate()
            yield f"pulse:{name}"
        finally:
            keeper.kill()
            keeper.wait()
            if keeper.stdout is not None:
                keeper.stdout.close()
            self.pactl("unload-module", module.strip())

    @contextmanager
    def recording(self, source: str = "speaker.monitor") -> Iterator[Recording]:
        """Record what the loudspeaker plays, or another source delivers, while the body runs."""
        recorder = self._spawn(
            *("parec", "-d", source, "--format=s16le", f"--rate={RATE}", "--channels=1"),
            *("--raw", "--latency-msec=10"),
        )
        recording = Recording(recorder)
        try:
            yield recording
        finally:
            recorder.kill()
            recording.finish()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._directory, ignore_errors=True)


class Recording:
    """What was recorded, with the time at which every piece of it arrived."""

    def __init__(self, recorder: subprocess.Popen[bytes]) -> None:
        assert recorder.stdout is not None
        self._recorder = recorder
        self._changed = threading.Condition()
        self._pieces: list[tuple[float, NDArray[np.int16]]] = []
        self._rest = b""
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()
        with self._changed:
            assert self._changed.wait_for(lambda: bool(self._pieces), _PATIENCE), "nothing is recorded"

    def _collect(self) -> None:
        assert self._recorder.stdout is not None
        descriptor = self._recorder.stdout.fileno()
        while data := os.read(descriptor, 4096):
            data = self._rest + data
            self._rest = data[len(data) // 2 * 2 :]
            with self._changed:
                samples = np.frombuffer(data[: len(data) // 2 * 2], np.int16)
                self._pieces.append((time.monotonic(), samples))
                self._changed.notify_all()

    def finish(self) -> None:
        self._recorder.wait()
        self._thread.join()
        assert self._recorder.stdout is not None
        self._recorder.stdout.close()

    def samples(self, since: float = 0.0) -> NDArray[np.int16]:
        """Return what has arrived, or what has arrived since a time of `time.monotonic()`."""
        with self._changed:
            pieces = [samples for arrived, samples in self._pieces if arrived >= since]
        return np.concatenate([np.zeros(0, np.int16), *pieces])

    def sounding(self, threshold: int = AUDIBLE, since: float = 0.0) -> tuple[float, float] | None:
        """Return when the first and the last audible piece arrived, or `None` if all was silent."""
        with self._changed:
            loud = [
                arrived
                for arrived, samples in self._pieces
                if arrived >= since and np.any(np.abs(samples) > threshold)
            ]
        return (loud[0], loud[-1]) if loud else None

    def audible(
        self, since: float, until: float = float("inf"), threshold: int = AUDIBLE
    ) -> tuple[float, float] | None:
        """Return when the first and the last audible sample of a stretch came, to the sample."""
        with self._changed:
            pieces = [piece for piece in self._pieces if since <= piece[0] <= until]
        times: list[float] = []
        for arrived, samples in pieces:
            loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > threshold)
            if len(loud):
                times += [arrived - (len(samples) - 1 - int(each)) / RATE for each in (loud[0], loud[-1])]
        return (times[0], times[-1]) if times else None

    def wait_for_sound(self, since: float = 0.0, seconds: float = 0.0) -> None:
        """Wait until something was heard, for so long in all."""

        def is_sounding() -> bool:
            with self._changed:
                pieces = [samples for arrived, samples in self._pieces if arrived >= since]
            loud = [len(samples) for samples in pieces if np.any(np.abs(samples) > AUDIBLE)]
            return bool(loud) and sum(loud) >= seconds * RATE

        with self._changed:
            assert self._changed.wait_for(is_sounding, _PATIENCE), "too little is heard"

    def wait_for_silence(self, seconds: float) -> None:
        """Wait until nothing has been heard for so long."""

        def is_silent() -> bool:
            loud = self.sounding()
            return loud is not None and self._pieces[-1][0] - loud[1] > seconds

        with self._changed:
            assert self._changed.wait_for(is_silent, _PATIENCE), "it does not fall silent"
