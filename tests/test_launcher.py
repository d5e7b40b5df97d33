"""The launcher: it sets up what is missing, wherever its folder lies, and runs this folder's program."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="the launcher sets up Debian systems"),
]

PROJECT = """
[project]
dependencies = []
[project.optional-dependencies]
test = []
"""
"""Nothing to be fetched: the environment itself is what is tested."""

PROGRAM = """
import os
import queue
import sys
from pathlib import Path

print(Path(__file__).parent.parent.name, hasattr(queue, "SimpleQueue"), *sys.argv[1:])
print(os.environ["HECTOR_CALLED"], file=open(os.environ.get("TOLD", os.devnull), "w"))
"""


def make(folder: Path, *, needs: str = "") -> Path:
    """Lay a launcher into the folder, with a program that tells where it lies and may need a package."""
    (folder / "assistant").mkdir(parents=True)
    (folder / "assistant" / "__main__.py").write_text(PROGRAM)
    lay_project(folder, needs)
    shutil.copy(ROOT / "hector", folder / "hector")
    return folder


def lay_project(folder: Path, needs: str) -> None:
    (folder / "pyproject.toml").write_text(PROJECT.replace("[]", f'["{needs}"]', 1) if needs else PROJECT)


def run(
    folder: Path, *argv: str, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(folder / "hector"), *argv],
        cwd=cwd or folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that was set up once, under a name with blanks and umlauts, from where other modules lie."""
    folder = make(tmp_path_factory.mktemp("Vögel und Schach") / "Hector")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for name in ("pip", "venv", "tomllib", "logging"):
        (elsewhere / f"{name}.py").write_text("raise SystemExit(0)")
    done = run(folder, "announce", cwd=elsewhere)
    assert (done.returncode, done.stdout) == (0, "Hector True announce\n"), done.stderr
    return folder


def copied(ready: Path, folder: Path, *, needs: str = "") -> Path:
    """Copy a folder that was set up, to be set up once more, with the environment that is there."""
    shutil.copytree(ready, folder, symlinks=True)
    lay_project(folder, needs)
    (folder / ".venv" / ".hector-run").unlink()
    return folder


def test_a_second_start_sets_nothing_up(ready: Path) -> None:
    assert run(ready, "e4").stderr == ""


def test_the_program_knows_how_it_was_called(ready: Path, tmp_path: Path) -> None:
    told = tmp_path / "told"
    for called, known in (
        ("./hector", "./hector"),
        ("bash hector", "./hector"),
        ("sh hector", "./hector"),
        ("../Hector/hector",) * 2,
    ):
        subprocess.run(called.split(), cwd=ready, env={**os.environ, "TOLD": str(told)}, check=True)
        assert told.read_text() == f"{known}\n"


def test_a_locale_without_umlauts_starts_in_a_folder_with_them(ready: Path) -> None:
    assert run(ready, LC_ALL="POSIX").stdout == "Hector True\n"


def test_modules_where_somebody_stands_are_not_hectors(ready: Path, tmp_path: Path) -> None:
    (tmp_path / "queue.py").touch()
    make(tmp_path / "other")
    assert run(ready, cwd=tmp_path).stdout == "Hector True\n"
    assert run(ready, cwd=tmp_path / "other").stdout == "Hector True\n"


def test_a_folder_that_was_copied_runs_its_own_program(ready: Path, tmp_path: Path) -> None:
    shutil.copytree(ready, tmp_path / "Copy", symlinks=True)
    done = run(tmp_path / "Copy")
    assert (done.stdout, done.stderr) == ("Copy True\n", "")


def test_a_copy_without_its_links_is_set_up_anew(ready: Path, tmp_path: Path) -> None:
    shutil.copytree(ready, tmp_path / "Stick", symlinks=True)
    for path in (tmp_path / "Stick").rglob("*"):
        if path.is_symlink():
            path.unlink()
    assert run(tmp_path / "Stick").stdout == "Stick True\n"


def test_a_colon_in_the_folders_path_is_told(tmp_path: Path) -> None:
    done = run(make(tmp_path / "Schach 17:05"))
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "colon" in done.stderr


def test_half_an_environment_is_made_anew(ready: Path, tmp_path: Path) -> None:
    """So it is left where the first start is ended while Python installs pip."""
    folder = make(tmp_path / "Half")
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", str(folder / ".venv")], check=True)
    assert run(folder).stdout == "Half True\n"


def test_an_environment_that_does_not_see_debians_packages_yet_is_made_anew(
    ready: Path, tmp_path: Path
) -> None:
    """So it is left where the first start is ended once pip is there: that line is the last to be written."""
    folder = copied(ready, tmp_path / "Late")
    settings = folder / ".venv" / "pyvenv.cfg"
    sees = "include-system-site-packages = true"
    settings.write_text(settings.read_text().replace(sees, "include-system-site-packages = false"))
    assert sees not in settings.read_text()
    assert run(folder).stdout == "Late True\n"
    assert sees in settings.read_text()


def test_a_system_whose_python_is_too_old_is_told_in_one_line(tmp_path: Path) -> None:
    folder = make(tmp_path / "Old")
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    launcher = folder / "hector"
    launcher.write_text(launcher.read_text().replace("/usr/bin/python3", str(old)))
    done = run(folder)
    assert done.returncode == 1
    assert done.stderr.startswith("Hector needs Python 3.11 or newer")
    assert len(done.stderr.splitlines()) == 1


DPKG = """#!/bin/sh
for package; do test ! -e "$THERE" || echo "ii $package"; done
"""
APT = """#!/bin/sh
echo "$@" >>"$ASKED"
test "$1" = update && exit 0
case "$REFUSES $*" in
    none*) read -r _ <"$GATE" ;;
    once*Timeout=0*) echo "E: Could not get lock /var/lib/dpkg/lock-frontend." >&2; exit 100 ;;
    always*) echo "E: Unable to locate package espeak-ng" >&2; exit 100 ;;
esac
touch "$THERE"
"""
"""A Debian without the packages: they are there as soon as apt-get has installed them."""


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """The environment of a start where all packages are missing and apt-get waits at a gate."""
    programs = tmp_path / "bin"
    lay_programs(programs, {"dpkg-query": DPKG, "apt-get": APT})
    os.mkfifo(tmp_path / "gate")
    return {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "ASKED": str(tmp_path / "asked"),
        "GATE": str(tmp_path / "gate"),
        "THERE": str(tmp_path / "there"),
        "REFUSES": "none",
    }


def lay_programs(folder: Path, programs: dict[str, str]) -> None:
    folder.mkdir()
    for name, program in programs.items():
        (folder / name).write_text(program)
        (folder / name).chmod(0o755)


def test_of_two_first_starts_one_installs_the_packages(ready: Path, bare: dict[str, str]) -> None:
    """dpkg refuses whoever comes second."""
    starts = []
    for expected in ("Installing Debian packages", "Another start is setting Hector up. Waiting for it."):
        starts.append(
            subprocess.Popen(
                [str(ready / "hector")],
                env={**os.environ, **bare},
                stderr=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        assert starts[-1].stderr is not None
        assert expected in starts[-1].stderr.readline()
    Path(bare["GATE"]).write_text("\n")
    told = [start.communicate(timeout=60) for start in starts]
    assert ([start.returncode for start in starts], told) == ([0, 0], [("Hector True\n", "")] * 2)
    assert Path(bare["ASKED"]).read_text().count("install -y") == 1


def test_a_folder_that_cannot_be_locked_is_set_up_all_the_same(ready: Path, tmp_path: Path) -> None:
    """So it is on a network drive."""
    refuses = "#!/bin/sh\necho 'flock: 9: Bad file descriptor' >&2\nexit 65\n"
    lay_programs(tmp_path / "bin", {"flock": refuses})
    done = run(copied(ready, tmp_path / "Shared"), PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert done.stdout == "Shared True\n"
    assert "flock" not in done.stderr
    assert done.stderr.endswith("Hector is ready.\n")


def test_another_program_that_installs_packages_is_waited_for(ready: Path, bare: dict[str, str]) -> None:
    done = run(ready, **{**bare, "REFUSES": "once"})
    assert (done.returncode, done.stdout) == (0, "Hector True\n")
    assert done.stderr.splitlines()[1:] == [
        "Another program is installing packages. Waiting for it, ten minutes at most."
    ]
    assert "DPkg::Lock::Timeout=600" in Path(bare["ASKED"]).read_text()


REFUSED = [
    "E: Unable to locate package espeak-ng",
    "The packages could not be installed. Try: apt-get install espeak-ng libespeak-ng1 libportaudio2 "
    "liblouis20 liblouis-data python3-venv ",
]


def test_debian_packages_that_cannot_be_had_are_told(bare: dict[str, str], tmp_path: Path) -> None:
    done = run(make(tmp_path / "First"), **{**bare, "REFUSES": "always"})
    assert done.returncode == 1
    assert done.stderr.splitlines()[1:] == REFUSED


def test_packages_that_have_gone_since_and_cannot_be_had_keep_nobody_from_playing(
    ready: Path, bare: dict[str, str]
) -> None:
    done = run(ready, "play", **{**bare, "REFUSES": "always"})
    assert (done.returncode, done.stdout) == (0, "Hector True play\n")
    assert done.stderr.splitlines()[1:] == [*REFUSED, "Hector starts without them."]


def test_control_and_c_while_packages_are_installed_is_told(ready: Path, bare: dict[str, str]) -> None:
    with subprocess.Popen(
        ["env", "--default-signal=INT", str(ready / "hector")],
        env={**os.environ, **bare},
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    ) as begun:
        assert begun.stderr is not None
        assert "Installing" in begun.stderr.readline()
        # It opens once apt-get reads from it.
        with Path(bare["GATE"]).open("w"):
            os.killpg(begun.pid, signal.SIGINT)
            told = begun.stderr.read()
    assert (begun.returncode, told) == (
        130,
        "Stopped before Hector was set up. Start it again: it goes on.\n",
    )


def test_another_python_of_the_system_is_set_up_anew(ready: Path, tmp_path: Path) -> None:
    """A newer Debian leaves the packages where the older Python looked for them."""
    folder = tmp_path / "Newer"
    shutil.copytree(ready, folder, symlinks=True)
    (library,) = (folder / ".venv" / "lib").glob("python3*")
    library.rename(library.with_name("python3.1"))
    stamp = folder / ".venv" / ".hector-run"
    stamp.write_text(stamp.read_text().replace("/python3", "/python3.1-"))
    assert run(folder).stdout == "Newer True\n"


def test_packages_that_cannot_be_had_are_told_in_one_line(ready: Path, tmp_path: Path) -> None:
    folder = copied(ready, tmp_path / "Without", needs="hector-has-no-such-package")
    done = run(folder, PIP_NO_INDEX="1")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[-1].startswith("The Python packages could not be installed.")
    assert len(lines) == 2
    assert "hector-has-no-such-package" in Path(lines[-1].split(" in ")[-1].rstrip(".")).read_text()


def lay_wheel(folder: Path, name: str) -> str:
    """Lay a package without content there, as pip takes it; return what tells that it is installed."""
    info = f"{name.replace('-', '_')}-99.dist-info"
    with zipfile.ZipFile(folder / f"{info.removesuffix('.dist-info')}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 99\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return info


def is_installed(folder: Path, info: str) -> bool:
    return bool(list((folder / ".venv" / "lib").glob(f"python3*/site-packages/{info}")))


def test_what_the_system_has_is_installed_all_the_same(ready: Path, tmp_path: Path) -> None:
    """Else it would go with the last program of the system that needs it."""
    others = "{each.name for each in metadata.distributions()} - {'pip', 'setuptools', 'wheel'}"
    name = subprocess.run(
        ["/usr/bin/python3", "-I", "-c", f"from importlib import metadata; print(min({others}))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    info = lay_wheel(tmp_path, name)
    folder = copied(ready, tmp_path / "Own", needs=name)
    assert run(folder, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path)).stdout == "Own True\n"
    assert is_installed(folder, info)


def test_what_the_user_has_pip_do_elsewhere_is_not_done_here(tmp_path: Path) -> None:
    """His packages would be there for him alone, and for all his programs."""
    info = lay_wheel(tmp_path, "hector-needs-this")
    folder = make(tmp_path / "Mine", needs="hector-needs-this")
    done = run(
        folder, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path), PIP_USER="1", HOME=str(tmp_path / "home")
    )
    assert done.stdout == "Mine True\n"
    assert is_installed(folder, info)


def test_control_and_c_while_it_sets_up_is_told_and_the_next_start_goes_on(tmp_path: Path) -> None:
    folder = make(tmp_path / "Stopped")
    # Whoever runs the tests in processes of their own may have them ignore it.
    with subprocess.Popen(
        ["env", "--default-signal=INT", str(folder / "hector")],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        process_group=0,
    ) as begun:
        assert begun.stderr is not None
        while "Making" not in begun.stderr.readline():
            assert begun.poll() is None
        os.killpg(begun.pid, signal.SIGINT)
        told = begun.stderr.read()
    assert (begun.returncode, told) == (
        130,
        "Stopped before Hector was set up. Start it again: it goes on.\n",
    )
    assert run(folder).stdout == "Stopped True\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_a_folder_of_somebody_else_is_told_in_one_line() -> None:
    # Not in the test's own folder: nobody else may look into that.
    with tempfile.TemporaryDirectory(prefix="hector-theirs-") as place:
        Path(place).chmod(0o755)
        folder = make(Path(place) / "Theirs")
        done = subprocess.run(
            [str(folder / "hector")], user="nobody", capture_output=True, text=True, cwd="/", check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith("Hector is not set up here, and you may not write into its folder")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
@pytest.mark.parametrize(
    ("sudo", "told"),
    [
        ("exit 1\n", "You may not install packages with sudo. Have them installed by root"),
        # As sudo is without a terminal, for a group that needs a password and a member of it who needs none.
        ('test "$1" != -v && exec "$@"\n', "Hector is not set up here, and you may not write"),
    ],
)
def test_who_may_not_use_sudo_is_told_that_root_has_to_install_the_packages(sudo: str, told: str) -> None:
    with tempfile.TemporaryDirectory(prefix="hector-sudo-") as place:
        Path(place).chmod(0o755)
        folder = make(Path(place) / "Theirs")
        theirs = Path(place) / "theirs"
        theirs.mkdir()
        theirs.chmod(0o777)
        programs = {"dpkg-query": DPKG, "apt-get": APT, "sudo": f"#!/bin/sh\n{sudo}"}
        lay_programs(Path(place) / "bin", programs)
        done = subprocess.run(
            [str(folder / "hector")],
            user="nobody",
            env={
                "PATH": f"{place}/bin:{os.environ['PATH']}",
                "THERE": f"{theirs}/there",
                "ASKED": f"{theirs}/asked",
            },
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
        )
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("Installing Debian packages:")
    assert lines[1].startswith(told)
