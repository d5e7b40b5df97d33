"""The program. Whoever stops it while it is still being loaded is not shown where it was."""

import shlex
import signal
import sys
from pathlib import Path


def main() -> int:
    try:
        from assistant.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except ImportError as error:
        # In English: the package that is missing may be the one that reads the other languages.
        if (error.name or "").partition(".")[0] == "assistant":
            raise
        from assistant.quiet import report

        report(f"hector: {_missing(error)}")
        return 1


def _missing(error: ImportError) -> str:
    """Return a sentence about a package that Hector needs and that cannot be loaded, and how to get it."""
    lines = str(error).strip().splitlines() or ["A Python package cannot be loaded"]
    told = f"The Python package {error.name} is missing" if error.name else lines[0].rstrip(".")
    folder = Path(__file__).resolve().parents[1]
    launcher = folder / "hector"
    if Path(sys.prefix) == folder / ".venv":
        return f"{told}. Remove the folder {sys.prefix} and start Hector again: it is set up anew."
    if launcher.is_file():
        return f"{told}. Start Hector with its launcher, which brings it: {shlex.quote(str(launcher))}"
    return f"{told}. Install the program again."


if __name__ == "__main__":
    sys.exit(main())
