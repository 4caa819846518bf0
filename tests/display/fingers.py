"""What a test does with the dealer's page: open it, press a key, close a panel."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.display.served import Served


def opened(page: Page, served: Served, shown: dict[str, Any], query: str = "") -> Page:
    served.show(shown)
    page.goto(f"{served.url}/{query}")
    page.wait_for_selector(".page")
    return page


def press(page: Page, key: str) -> None:
    page.locator(f'.key[data-key="{key}"]').tap()


def close(page: Page) -> None:
    page.locator(".more-key").tap()
