"""One Chromium for all consecutive browser tests, because starting one takes longer than most tests."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = os.environ.get("CRISSCROSS_CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-dev-shm-usage",
    # the sites are all of these tests, and a process for each takes longer than its pages
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
)


class SharedBrowser:
    """A Chromium that the first test with a page starts. While it runs, no test can run a loop of asyncio."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None

    def started(self) -> Browser:
        """Return the browser, started if none runs."""
        if self._browser is None:
            # imported here: a run without pages needs no playwright
            from playwright.sync_api import sync_playwright

            playwright = self._open.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
            self._open.callback(self._browser.close)
        return self._browser

    def end(self) -> None:
        """End the browser if one runs; the next `started` starts another."""
        self._browser = None
        self._open.close()


SHARED = SharedBrowser()
