"""A real Chromium and a scripted table for the page tests. Both end with the module that used them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.display.served import Script, Served

CHROMIUM = os.environ.get("CRISSCROSS_CHROMIUM", "/usr/bin/chromium")
EXPECTED = ("net::ERR_", "409 (Conflict)")
"""What Chromium itself says when a line breaks or a touch is refused."""
SIZES = {"7in": (800, 480), "desk": (1280, 800), "phone": (390, 844)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield started
        started.close()


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def served(script: Script) -> Iterator[Served]:
    server = Served(script)
    yield server
    server.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A 7-inch screen; a message on its console (a script error, a policy violation) fails the test."""
    context = browser.new_context(viewport={"width": 800, "height": 480}, has_touch=True)
    opened = context.new_page()
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert [text for text in said if not any(known in text for known in EXPECTED)] == []


@pytest.fixture
def shots() -> Path | None:
    """Where screenshots go: only where the environment names a folder."""
    folder = os.environ.get("CRISSCROSS_SCREENSHOTS")
    return Path(folder) if folder else None
