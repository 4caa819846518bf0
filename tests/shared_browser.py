"""One Chromium for all browser tests in a row, because starting one takes longer than most tests."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

CHROMIUM = os.environ.get("CRISSCROSS_CHROMIUM", "/usr/bin/chromium")
HEADLESS = shutil.which("chromium-headless-shell") or CHROMIUM
EXPECT_MS = 30_000.0
"""Timeout in ms for an expected state of a page. It equals Playwright's timeout for a touch, because a loaded
machine is slow."""
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-dev-shm-usage",
    # all sites belong to these tests, and starting a process for each site would take longer than loading its
    # pages
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
)


class SharedBrowser:
    """Chromium that the first test with a page starts. While it runs, no test can run an asyncio loop."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._playwright: Playwright | None = None
        self._browsers: dict[str, Browser] = {}

    def started(self, program: str = HEADLESS) -> Browser:
        """Return the running browser of this program, which is started if none runs."""
        if self._playwright is None:
            # playwright is imported here, because a run without pages does not need it
            from playwright.sync_api import expect, sync_playwright

            expect.set_options(timeout=EXPECT_MS)
            self._playwright = self._open.enter_context(sync_playwright())
        if program not in self._browsers:
            started = self._playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
            self._open.callback(started.close)
            self._browsers[program] = started
        return self._browsers[program]

    def end(self) -> None:
        """End the browser if one runs; the next `started` starts another."""
        self._playwright = None
        self._browsers.clear()
        self._open.close()


SHARED = SharedBrowser()
