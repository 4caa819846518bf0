"""Notices of a hold or a call on the pit's page: banner, title, tone and notification of the browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.accessible import violations
from tests.display.conftest import browser, check_console, page, screen, shots
from tests.pit.served import Served
from tests.pit.test_pages import table
from tests.shared_browser import CHROMIUM, SHARED

pytestmark = pytest.mark.browser
__all__ = ["browser", "page", "screen", "shots"]


WATCHED = """window.Notification = class extends Notification {
  constructor(title, options) { super(title, options); (window.notices ??= []).push(title); }
}"""


def test_a_hold_or_call_is_shown_as_banner_and_title_without_a_permission(page: Page, served: Served) -> None:
    one, other = table(1), table(2)
    served.receive(one, other)
    page.goto(served.url)
    page.wait_for_selector(".tile")
    title = page.title()
    expect(page.locator(".banner")).to_be_hidden()
    one.add_event("floor_called", who="7001")
    other.add_event("held", code="card_differs", place="middle")
    served.receive(one, other)
    expect(page.locator(".banner")).to_contain_text("CC-01: ")
    expect(page.locator(".banner")).to_contain_text("CC-02: ")
    assert page.title() == f"(2) {title}"
    assert page.locator("html").get_attribute("data-tones") is None, (
        "nothing sounds before the key was pressed"
    )
    one.add_event("floor_answered")
    other.add_event("hold_over", code="card_differs", place="middle", over="decided")
    served.receive(one, other)
    expect(page.locator(".banner")).to_be_hidden()
    assert page.title() == title


@pytest.fixture
def desktop_page() -> Iterator[Page]:
    """Yield a page of the desktop browser, because the headless shell refuses notifications."""
    context = SHARED.started(CHROMIUM).new_context()
    with check_console(context.new_page()) as opened:
        yield opened
    context.close()


def test_the_key_requests_the_permission_and_each_call_notifies_once(
    desktop_page: Page, served: Served
) -> None:
    page = desktop_page
    page.context.grant_permissions(["notifications"])
    page.add_init_script(WATCHED)
    one = table(1)
    served.receive(one)
    page.goto(served.url)
    page.wait_for_selector(".tile")
    page.get_by_role("button", name="Alert me").click()
    expect(page.get_by_role("button", name="Alerts: on")).to_have_attribute("aria-pressed", "true")
    one.add_event("floor_called", who="7001")
    served.receive(one)
    page.wait_for_selector('html[data-tones="1"]')
    served.wait(3)
    one.add_event("phase", phase="dealing")
    served.receive(one)
    expect(page.locator(".banner")).to_contain_text("CC-01: ")
    assert len(page.evaluate("window.notices")) == 1
    assert violations(page) == []
    page.get_by_role("button", name="Alerts: on").click()
    expect(page.get_by_role("button", name="Alert me")).to_have_attribute("aria-pressed", "false")
