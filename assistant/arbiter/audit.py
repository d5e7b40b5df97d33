"""What the page has refused: a file in the game's folder, and the last of it for the arbiter."""

from __future__ import annotations

import json
import os
import threading
import traceback
from collections import deque
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from assistant.files import open_own
from assistant.table.folder import Where

FILE_NAME: Final = "page.log"
_MOST_BYTES: Final = 1_000_000
"""The file grows no further: a flood of requests must not fill the disk that the journal needs."""
_SHOWN: Final = 20


def fault_of(error: Exception) -> str:
    """Return an error and where it came about, in one line."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    places = ", ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
    return f"{places}: {type(error).__name__}: {error}"


class Audit:
    """Notes refused requests as JSON Lines. Nothing of a PIN is ever noted. Safe for any thread."""

    def __init__(self, where: Where) -> None:
        self._where = where
        self._lock = threading.Lock()
        self.count = 0
        self.last: deque[dict[str, Any]] = deque(maxlen=_SHOWN)

    def note(self, what: str, sentence: str, **facts: str) -> None:
        """Note one refusal; `what` is short and constant, `sentence` what was answered, in `language`."""
        told = {key: value[:200] for key, value in facts.items()}
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        entry = {"time": now, "refused": what, "answer": sentence, **told}
        with self._lock:
            self.count += 1
            self.last.append(entry)
            try:
                path = self._where() / FILE_NAME
                if path.exists() and path.stat().st_size > _MOST_BYTES:
                    return
                # A header may hold any bytes.
                descriptor = open_own(path, os.O_WRONLY | os.O_APPEND)
                with os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(json.dumps(entry, ensure_ascii=False) + "\n")
            except OSError:
                # The arbiter's page still shows it.
                return

    def note_fault(self, error: Exception) -> None:
        """Note a fault of the page itself beside what it has refused."""
        self.note("page", "", fault=fault_of(error))
