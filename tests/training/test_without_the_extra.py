"""The tests of a machine on which nobody trains."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_what_needs_the_training_extra_is_skipped_without_it() -> None:
    program = (
        "import sys\n"
        "for missing in ('scipy', 'torch', 'kaldi_native_fbank'): sys.modules[missing] = None\n"
        "import pytest\n"
        "sys.exit(pytest.main(['--collect-only', '-p', 'no:cacheprovider', sys.argv[1]]))\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
