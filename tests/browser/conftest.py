"""A real browser, without a window, on the pages of a real game."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import INSTALL, chromium
from people import Club
from playwright.sync_api import Browser, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; its profile is empty and thrown away."""
    path = chromium()
    if path is None:
        pytest.skip(f"NO BROWSER: {INSTALL}")
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=path, headless=True, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def club(browser: Browser, tmp_path: Path) -> Iterator[Club]:
    """An evening: one game on a page, and whoever comes to see it."""
    with Club(browser, tmp_path) as evening:
        yield evening


@pytest.fixture
def screen(request: pytest.FixtureRequest) -> Callable[[object, str], None]:
    """Write a picture of a page where pictures are asked for with --screens."""
    folder = request.config.getoption("--screens")

    def take(page: object, name: str) -> None:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            path = str(Path(folder) / f"{name}.png")
            # What stays in view would be drawn in the middle of a page that is scrolled.
            page.evaluate("scrollTo(0, 0)")  # type: ignore[attr-defined]
            page.screenshot(path=path, full_page=True)  # type: ignore[attr-defined]
            if shutil.which("pngquant"):
                subprocess.run(
                    ["pngquant", "--force", "--speed", "1", "--output", path, "32", path], check=True
                )

    return take
