"""The browser that is driven without a window."""

from __future__ import annotations

import shutil

INSTALL = "apt install chromium-headless-shell"


def chromium() -> str | None:
    """Return Debian's Chromium, if there is one the shell without its windows, which costs less."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")
