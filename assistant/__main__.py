"""The program. Whoever stops it while it is still being loaded is not shown where it was."""

import signal
import sys


def main() -> int:
    try:
        from assistant.cli import main as run

        return run()
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
