"""docs/braille shows what the data say now."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from assistant.scoresheet.profiles import profile_names
from assistant.scoresheet.reference import reference_pages

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs" / "braille"


def test_every_page_is_up_to_date():
    for name, page in reference_pages().items():
        assert (DOCS / name).read_text(encoding="utf-8") == page, (
            f"run: python -m docs.braille.generate ({name})"
        )


def test_the_pages_are_written_anew_by_the_command_that_their_program_names(tmp_path):
    for name in ("assistant", "locales"):
        (tmp_path / name).symlink_to(ROOT / name)
    folder = tmp_path / "docs" / "braille"
    folder.mkdir(parents=True)
    program = Path(shutil.copy(DOCS / "generate.py", folder)).read_text(encoding="utf-8")
    command = program.splitlines()[0].rpartition(": python ")[2].strip('"').split()
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, *command], cwd=tmp_path, env=alone, check=True)
    assert {path.stem for path in folder.glob("*.md")} == {"README", *profile_names()}


def test_there_is_a_page_for_every_profile_and_no_other():
    assert {path.stem for path in DOCS.glob("*.md")} == {"README", *profile_names()}
