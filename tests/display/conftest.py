"""A real Chromium and a scripted table for the page tests."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, ViewportSize

from tests.conftest import CHECK_SIZE
from tests.display.served import Script, Served
from tests.shared_browser import SHARED

EXPECTED = ("net::ERR_", "409 (Conflict)", "503 (Service Unavailable)")
"""Console messages of Chromium itself after a lost connection, a refused touch or a missing table."""
SCREEN: ViewportSize = {"width": 800, "height": 480}
FORGET = "() => { try { localStorage.clear(); } catch { /* a page of Chromium itself keeps nothing */ } }"
SIZES = {"7in": (800, 480), "desk": (1280, 800), "phone": (390, 844)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield the shared browser; contexts that a module has left open are closed with the module."""
    started = SHARED.started()
    yield started
    for context in started.contexts:
        context.close()


@pytest.fixture
def sizes(request: pytest.FixtureRequest) -> list[str]:
    """Return the sizes that a page is tested in, one after another: in `make check` only the dealer's."""
    return [CHECK_SIZE] if request.config.getoption("markexpr") == "check" else list(SIZES)


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture(scope="module")
def shared() -> Iterator[Served]:
    """Yield one server for all tests of a module, so that the browser can cache the static files of its
    address."""
    server = Served(Script(), kept=True)
    yield server
    server.stop()


@pytest.fixture
def alone() -> None:
    """Give the test its own server, which it may stop and whose files no browser has cached."""


@pytest.fixture
def served(script: Script, shared: Served, request: pytest.FixtureRequest) -> Iterator[Served]:
    """Yield a server of the script, with an app of its own. The shared server ends its connections in either
    case: a slow browser opens a second one for a page that the test before has left, and keeps it unused."""
    if "alone" in request.fixturenames:
        server = Served(script)
        yield server
        server.stop()
    else:
        shared.play(script)
        yield shared
    shared.rest()


@contextmanager
def opened_screen(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a context with a 7-inch screen and one page: starting a page takes longer than loading one."""
    context = browser.new_context(viewport=SCREEN, has_touch=True)
    context.new_page()
    yield context
    context.close()


@pytest.fixture(scope="module")
def screen(browser: Browser) -> Iterator[BrowserContext]:
    with opened_screen(browser) as context:
        yield context


@pytest.fixture
def page(screen: BrowserContext) -> Iterator[Page]:
    """Yield the screen's page for one test. Until the first `goto` it shows the page of the previous test. A
    message on its console (script error, policy violation) fails the test."""
    opened = screen.pages[0]
    with check_console(opened):
        yield opened
        reset(opened)


def reset(page: Page) -> None:
    """Reset the settings that outlast the next `goto`."""
    page.evaluate(FORGET)
    page.context.clear_cookies()
    page.unroute_all()
    page.emulate_media(media="null", reduced_motion="null")
    if page.viewport_size != SCREEN:
        page.set_viewport_size(SCREEN)


@pytest.fixture
def clocked(browser: Browser) -> Iterator[Page]:
    """Yield a page alone in its context, because stopping the clock affects every page there."""
    context = browser.new_context(viewport=SCREEN, has_touch=True)
    with check_console(context.new_page()) as opened:
        yield opened
    context.close()


@contextmanager
def check_console(page: Page, expected: Sequence[str] = EXPECTED) -> Iterator[Page]:
    """Yield the page. A message on its console fails the test, unless it contains one of the expected
    texts."""
    messages: list[str] = []

    def console(message: ConsoleMessage) -> None:
        messages.append(message.text)

    def error(raised: Error) -> None:
        messages.append(str(raised))

    page.on("console", console)
    page.on("pageerror", error)
    try:
        yield page
    finally:
        page.remove_listener("console", console)
        page.remove_listener("pageerror", error)
    assert [text for text in messages if not any(known in text for known in expected)] == []


@pytest.fixture
def shots() -> Path | None:
    """Return the folder for screenshots, or None if the environment names none."""
    folder = os.environ.get("CRISSCROSS_SCREENSHOTS")
    return Path(folder) if folder else None
