"""The pit's page announces a hold, a call, a copied chip, a silent table and a fault by banner, title, tone
and a notification of the browser.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import catalogue
from controller.floor.pit.chip_copies import Copy
from controller.floor.uplink.wire import SILENT_S
from tests.accessible import violations
from tests.display.conftest import browser, check_console, page, screen, shots
from tests.pit.published_tables import AT
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


def begin(page: Page, served: Served, language: str = "en") -> None:
    """Open the floor's page with permitted notifications and press its key."""
    page.context.grant_permissions(["notifications"])
    page.add_init_script(WATCHED)
    page.goto(f"{served.url}?lang={language}")
    page.wait_for_selector(".tile")
    page.get_by_role("button", name=catalogue(language).text("pit.alerts_off")).click()


def notices(page: Page, count: int) -> list[str]:
    """Return the texts of the notifications, once there are `count` tones."""
    page.wait_for_selector(f'html[data-tones="{count}"]')
    return list(page.evaluate("window.notices"))


@pytest.mark.parametrize("language", ["en", "es"])
def test_each_kind_of_need_has_one_notification_a_tone_and_a_line_in_the_banner(
    desktop_page: Page, served: Served, language: str
) -> None:
    page, texts = desktop_page, catalogue(language)
    tables = {number: table(number) for number in range(1, 7)}
    served.receive(*tables.values())
    begin(page, served, language)
    count = 0
    needs: tuple[tuple[int, str, dict[str, Any], str], ...] = (
        (1, "held", {"code": "card_differs", "place": "middle"}, "hold"),
        (2, "floor_called", {"who": "7001"}, "called"),
        (3, "trouble", {"code": "reader_lost"}, "device"),
    )
    for number, kind, facts, need in needs:
        tables[number].add_event(kind, **facts)
        served.receive(tables[number])
        count += 1
        assert notices(page, count)[count - 1 :] == [f"CC-{number:02d}: {texts.text(f'pit.needs.{need}')}"]
    served.do(partial(served.floor.copied, Copy("e0040108", ("CC-04", "CC-05"), AT)))
    copied = [f"CC-{number:02d}: {texts.text('pit.needs.copy')}" for number in (4, 5)]
    assert notices(page, count + 2)[count:] == copied
    served.wait(SILENT_S - 1)
    served.receive(*(tables[number] for number in range(1, 6)))
    served.wait(2)
    assert notices(page, count + 3)[count + 2 :] == [f"CC-06: {texts.text('pit.needs.lost')}"]
    served.do(
        partial(
            served.floor.show_faults, {"broker": "", **dict.fromkeys(("store", "audit"), "cannot be written")}
        )
    )
    parts = ", ".join(str(texts.text(f"pit.parts.{part}")) for part in ("store", "audit"))
    fault = str(texts.text("pit.own_fault", {"parts": parts}))
    assert notices(page, count + 4)[count + 3 :] == [fault]
    expect(page.locator(".banner")).to_contain_text(fault)
    for line in notices(page, count + 4):
        expect(page.locator(".banner")).to_contain_text(line)
    assert page.title().startswith("(7) ")
    served.do(partial(served.floor.show_faults, {}))
    expect(page.locator(".banner")).not_to_contain_text(fault)
    assert len(notices(page, count + 4)) == count + 4


def test_many_tables_that_become_silent_together_have_one_notification(
    desktop_page: Page, served: Served
) -> None:
    served.receive(*(table(number) for number in range(1, 10)))
    begin(desktop_page, served)
    served.wait(SILENT_S + 1)
    line = f"CC-01, CC-02, CC-03 +6: {catalogue('en').text('pit.needs.lost')}"
    expect(desktop_page.locator(".banner")).to_have_text(line)
    assert notices(desktop_page, 1) == [line]
    assert desktop_page.title().startswith("(9) ")


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
