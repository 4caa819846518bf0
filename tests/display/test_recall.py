"""The dealer's page can recall the last rounds, in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.display.conftest import SIZES
from tests.display.fingers import measured, opened
from tests.display.served import Script, Served
from tests.display.test_rounds_pages import example_round
from tests.display.views import UP, hold, prompt, view

pytestmark = pytest.mark.browser


def record(number: int, outcome: str) -> dict[str, Any]:
    wagers = {"ante_across": {"amount": 1000, "result": "push"}, "down": {"amount": 2000, "result": "lose"}}
    box = {"seat": 3, "player": "3", "cards": ["TD", None], "folded_at": None, "forfeited": None,
           "wagers": wagers, "paid": 0, "taken": 2000}  # fmt: skip
    return {"round": number, "outcome": outcome, "cross": {**UP, "middle": None}, "bonus_cards": None,
            "seats": [box], "irregularities": [], "corrections": []}  # fmt: skip


def test_the_last_rounds_are_recalled_and_marked(page: Page, served: Served, script: Script) -> None:
    script.rounds = [record(17, "in_progress"), record(16, "void")]
    opened(page, served, view(phase="held", prompt=prompt("held", code="late_bet"), hold=hold()))
    page.locator(".more-key").tap()
    page.locator('[data-value="recall"]').tap()
    expect(page.locator(".panel h2")).to_have_text("RECALL · NOT NOW")
    expect(page.locator(".recall .title")).to_have_text("Round 17 · in progress")
    assert page.locator(".recall [data-card]").count() == 5
    page.get_by_role("button", name="Older").tap()
    expect(page.locator(".recall .title")).to_have_text("Round 16 · VOID")


def test_a_correction_is_recalled_with_its_round(page: Page, served: Served, script: Script) -> None:
    signed = {"code": "mispaid", "seat": 3, "wager": "down", "cents": -2500, "who": "B1", "why": "seen"}
    script.rounds = [{**record(16, "settled"), "corrections": [signed]}]
    opened(page, served, view())
    page.locator(".more-key").tap()
    page.locator('[data-value="recall"]').tap()
    expect(page.locator(".recall .line").last).to_have_text("Correction −$25 B1")


def test_a_signature_without_money_is_not_shown_as_a_correction(
    page: Page, served: Served, script: Script
) -> None:
    signed = {"code": "late_bet", "seat": 3, "wager": "down", "cents": 0, "who": "B1", "why": "seen"}
    script.rounds = [{**record(16, "settled"), "corrections": [signed]}]
    opened(page, served, view())
    page.locator(".more-key").tap()
    page.locator('[data-value="recall"]').tap()
    expect(page.locator(".recall .line").last).to_have_text("signed as it is · B1")


def test_the_tenth_last_round_takes_four_touches(page: Page, served: Served, script: Script) -> None:
    script.rounds = [record(number, "settled") for number in range(20, 10, -1)]
    opened(page, served, view())
    page.locator(".more-key").tap()
    page.locator('[data-value="recall"]').tap()
    page.locator(".list-key").tap()
    page.locator(".panel .choices button").last.tap()
    expect(page.locator(".recall .title")).to_have_text("Round 11 · settled")
    expect(page.locator(".panel h2")).to_have_text("RECALL · NOT NOW")


def test_a_round_is_recalled_in_words_with_nothing_cut(page: Page, served: Served, script: Script) -> None:
    script.rounds = [record(16, "settled"), record(15, "settled")]
    script.answer = lambda request: {"round": example_round(request["number"])}
    opened(page, served, view())
    page.locator(".more-key").tap()
    page.locator('[data-value="recall"]').tap()
    page.locator(".whole-key").tap()
    words = page.locator(".recall .whole")
    expect(words).to_contain_text("left card: the shoe read J♣")
    expect(words).to_contain_text("pair of 10s")
    expect(words).to_contain_text("signed as it lay")
    assert words.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    page.get_by_role("button", name="Older").tap()
    expect(page.locator(".recall .title")).to_have_text("Round 15 · settled")


def test_recall_covers_no_key(page: Page, served: Served, script: Script) -> None:
    """The recall's keys end above CONFIRM, and no line of it is cut."""
    wrong = [{"code": code} for code in ("unequal_antes", "bonus_without_antes", "card_differs")]
    script.rounds = [{**record(16, "settled"), "irregularities": wrong}, record(15, "settled")]
    opened(page, served, view())
    page.locator(".more-key").tap()
    page.locator('[data-value="recall"]').tap()
    page.wait_for_selector(".recall")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        recall_is_whole(page, size)


def recall_is_whole(page: Page, size: str) -> None:
    ends = page.locator(".recall button, .recall .standing span").evaluate_all(
        "(nodes) => Math.max(...nodes.map((node) => node.getBoundingClientRect().bottom))"
    )
    assert ends <= page.locator(".keys").evaluate("(node) => node.getBoundingClientRect().top")
    wide = (
        "(nodes) => nodes.filter((node) => node.scrollWidth > node.clientWidth + 1).map((n) => n.textContent)"
    )
    assert page.locator(".recall .standing span").evaluate_all(wide) == []
    assert measured(page, size)["wrong"] == []
