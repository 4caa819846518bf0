"""A real Chromium and a scripted table for the page tests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.display.served import Script, Served
from tests.shared_browser import SHARED

EXPECTED = ("net::ERR_", "409 (Conflict)", "503 (Service Unavailable)")
"""Messages of Chromium itself after a lost connection, a refused touch or a missing table."""
SIZES = {"7in": (800, 480), "desk": (1280, 800), "phone": (390, 844)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield the shared browser; contexts that a module has left open are closed with the module."""
    started = SHARED.started()
    yield started
    for context in started.contexts:
        context.close()


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def served(script: Script) -> Iterator[Served]:
    server = Served(script)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def screen(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a context with a 7-inch screen. One empty page stays open, so that a test does not have to start
    a process of Chromium, which takes longer than to load a page."""
    context = browser.new_context(viewport={"width": 800, "height": 480}, has_touch=True)
    context.new_page()
    yield context
    context.close()


@pytest.fixture
def page(screen: BrowserContext) -> Iterator[Page]:
    """Yield a page for one test. A message on its console (script error, policy violation) fails the
    test."""
    with heard(screen.new_page()) as opened:
        yield opened
    screen.clear_cookies()


@pytest.fixture
def clocked(browser: Browser) -> Iterator[Page]:
    """Yield a page alone in its context, because stopping the clock affects every page there."""
    context = browser.new_context(viewport={"width": 800, "height": 480}, has_touch=True)
    with heard(context.new_page()) as opened:
        yield opened
    context.close()


@contextmanager
def heard(page: Page, expected: Sequence[str] = EXPECTED) -> Iterator[Page]:
    """Yield a page and close it at the end. A console message that is not expected fails the test."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    page.close()
    assert [text for text in said if not any(known in text for known in expected)] == []


@pytest.fixture
def shots() -> Path | None:
    """Return the folder for screenshots, or None if the environment names none."""
    folder = os.environ.get("CRISSCROSS_SCREENSHOTS")
    return Path(folder) if folder else None
