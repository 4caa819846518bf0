"""Fixtures of the browser tests: one Chromium a module, a mock table, and a touch screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.manual import ManualTable
from tests.display.conftest import browser, check_console

__all__ = ["browser"]

REFUSED = ("409 (Conflict)",)
"""Console message for a key whose prompt has just changed, which is not an error of the page."""


@pytest.fixture
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ManualTable]:
    """Run a mock table played by hand, with `SEED` and `OPTIONS` of the test's module."""
    options = getattr(request.module, "OPTIONS", ())
    table = ManualTable(tmp_path / "journal.db", request.module.SEED, options)
    yield table
    table.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Yield a page on a touch screen of 800x480. An error that the page reports fails the test."""
    context = browser.new_context(viewport={"width": 800, "height": 480}, has_touch=True)
    with check_console(context.new_page(), REFUSED) as opened:
        yield opened
    context.close()
