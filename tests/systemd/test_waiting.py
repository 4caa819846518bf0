"""The page that the kiosk opens first has the catalogue's texts, and is replaced by the table's own page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from controller.common.texts.catalogue import catalogue, languages
from tests.display.conftest import (  # noqa: F401  # fixtures
    alone,
    browser,
    page,
    screen,
    script,
    served,
    shared,
)  # fmt: skip
from tests.display.served import Served
from tests.systemd.test_units import SYSTEMD, directives

WAITING = SYSTEMD / "waiting.html"
NOBODY = "http://127.0.0.1:9/"


def test_the_waiting_page_has_the_texts_of_a_page_without_the_controller() -> None:
    text = WAITING.read_text(encoding="utf-8")
    for language in languages():
        section = re.search(rf'<section lang="{language}">(.*?)</section>', text, re.DOTALL)
        assert section, language
        for key in ("lost", "lost_what", "lost_do", "lost_back"):
            assert catalogue(language).plain(f"page.{key}") in section[1], (language, key)


def test_the_kiosk_opens_the_waiting_page_with_the_table_s_address() -> None:
    command = directives(SYSTEMD / "crisscross-display.service")["ExecStart"][0]
    assert command.endswith("/waiting.html?lang=${CRISSCROSS_LANGUAGE}#${CRISSCROSS_DISPLAY}")


@pytest.mark.browser
def test_the_waiting_page_opens_the_table_as_soon_as_it_answers(page: Page, served: Served) -> None:  # noqa: F811
    page.goto(f"{WAITING.as_uri()}?lang=#{served.url}/")
    page.wait_for_url(f"{served.url}/")
    expect(page.locator(".page")).to_be_visible()


@pytest.mark.browser
@pytest.mark.usefixtures("alone")
def test_an_open_page_is_replaced_by_the_reason_without_a_table(page: Page, served: Served) -> None:  # noqa: F811
    page.goto(f"{served.url}/")
    expect(page.locator(".page")).to_be_visible()
    body = "<title>full</title>THE DISK IS FULL"
    page.route("**/*", lambda route: route.fulfill(status=503, content_type="text/html", body=body))
    served.stop()
    expect(page.get_by_text("THE DISK IS FULL")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize(("lang", "shown"), [("es", ["es"]), ("en", ["en"]), ("", ["en", "es"])])
def test_the_waiting_page_is_in_the_language_of_the_table(
    browser: Browser,  # noqa: F811
    lang: str,
    shown: list[str],
) -> None:
    context = browser.new_context(viewport={"width": 800, "height": 480})
    waiting = context.new_page()
    waiting.goto(f"{WAITING.as_uri()}?lang={lang}#{NOBODY}")
    for language in languages():
        expected = expect(waiting.locator(f'section[lang="{language}"]'))
        expected.to_be_visible() if language in shown else expected.to_be_hidden()
    assert waiting.evaluate("document.documentElement.scrollHeight <= innerHeight")
    context.close()
