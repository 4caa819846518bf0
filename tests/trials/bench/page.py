"""Dealer's page in a real headless Chromium, which notes the time of each change of its prompt.

The page's clock is compared with the monotonic clock before and after. It must never change the behaviour of
the page: it observes only the elements of the prompt.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Page, async_playwright

CHROMIUM = os.environ.get("CRISSCROSS_CHROMIUM") or "/usr/bin/chromium"
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
SEPARATOR = " · "
"""Separator with which controller.pages.display.words joins the parts of a prompt."""
_OBSERVE = """separator => {
  const prompt = document.querySelector(".prompt");
  const words = () => [".where", ".do", ".more"].map(slot => prompt.querySelector(slot).textContent)
    .filter(text => text).join(separator);
  window.noted = [[0, words()]];
  new MutationObserver(() => {
    const at = performance.now(), text = words();
    if (text !== window.noted.at(-1)[1]) window.noted.push([at, text]);
  }).observe(prompt, {childList: true, subtree: true, characterData: true});
}"""
_ATTEMPTS = 40

Noted = list[tuple[float, str]]


class DealerPage:
    """A dealer's page that is open in the browser. `noted` returns the prompts that it has shown, each with
    its monotonic time in seconds."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def observe(self) -> None:
        await self._page.wait_for_selector(".prompt .do:not(:empty)")
        await self._page.evaluate(_OBSERVE, SEPARATOR)

    async def noted(self) -> Noted:
        offset = await self._offset()
        return [(at / 1000 + offset, text) for at, text in await self._page.evaluate("window.noted")]

    async def _offset(self) -> float:
        """Return the offset in seconds between the clock of performance.now() and the monotonic clock,
        measured by the quickest of many requests."""
        best = (float("inf"), 0.0)
        for _ in range(_ATTEMPTS):
            before = time.monotonic()
            page_ms = await self._page.evaluate("performance.now()")
            after = time.monotonic()
            best = min(best, (after - before, (before + after) / 2 - page_ms / 1000))
        return best[1]


@asynccontextmanager
async def dealer_page(port: int) -> AsyncIterator[DealerPage]:
    """Open the dealer's 7-inch screen on the daemon at this port."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        try:
            page = await browser.new_page(viewport={"width": 800, "height": 480}, has_touch=True)
            await page.goto(f"http://127.0.0.1:{port}/")
            opened = DealerPage(page)
            await opened.observe()
            yield opened
        finally:
            await browser.close()
