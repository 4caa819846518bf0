"""A dealer can make every entry and report with one finger or by keyboard, in a real Chromium."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import catalogue, languages
from controller.game.model import events
from controller.game.model.irregularities import Code, DealerReport
from controller.game.model.names import Wager
from controller.game.showing.report_forms import ASKS, GROUPS
from controller.pages.display.ports import Refused
from tests.accessible import violations
from tests.display.fingers import close, measured, opened, sized
from tests.display.served import Script, Served
from tests.display.views import WAGERS, card, circle, prompt, prompts, settling, view

pytestmark = pytest.mark.browser


OPENS = "open_table/"
"""Prompt that asks for the dealer's number."""


def entered_events(script: Script) -> list[object]:
    """Return the events of all entries so far, without the prompts that they answer."""
    return [replace(event, prompt=None) for event in script.touched if hasattr(event, "prompt")]


def test_an_amount_is_entered_by_touch(page: Page, served: Served, script: Script) -> None:
    shown = view(prompt=prompt("enter_amount", seat=3, wager="across"))
    opened(page, served, shown)
    for digit in "30":
        page.locator(f'[data-char="{digit}"]').tap()
    served.show(shown)  # each reading raises the view's number; the typed digits are kept
    expect(page.locator(".typed")).to_have_text("$30")
    expect(page.locator(".enter")).to_have_text("ENTER $30")
    script.after = lambda _event: view(prompt=prompt("confirm_bet", seat=3, wager="across", amount=3000))
    page.locator(".enter").tap()
    expect(page.locator(".panel")).to_be_hidden()
    assert entered_events(script) == [events.AmountEntered(3, Wager.ACROSS, 3000)]


def test_the_pad_names_its_circle_or_count(page: Page, served: Served, sizes: list[str]) -> None:
    """A circle other than the prompt's can be chosen, and a count can be entered beside any prompt."""
    shown = view(prompt=prompt("enter_amount", seat=3, wager="across"))
    shown["seats"][1]["circles"]["across"] = circle(reading="none")
    opened(page, served, shown)
    close(page)
    amounts(page, "Seat 2 · Across")
    title = page.locator(".panel h2")
    expect(title).to_have_text("Seat 2 · Across")
    for size in sizes:
        sized(page, size)
        assert (title.bounding_box() or {"width": 0})["width"] > 100, f"hidden: {size}"
        assert measured(page, size)["wrong"] == [], size


def amounts(page: Page, *names: str) -> None:
    """Open *Enter an amount* and tap the offered circle."""
    for name in ("MORE", "Enter an amount", *names):
        page.get_by_role("button", name=name, exact=True).tap()


def test_without_an_unreadable_circle_there_is_no_amount_to_enter(page: Page, served: Served) -> None:
    opened(page, served, view())
    amounts(page)
    expect(page.locator(".panel .empty")).to_have_text("The readers read every circle. No amount to enter.")


def test_an_amount_of_every_circle_can_be_entered_when_all_readers_are_lost(
    page: Page, served: Served, script: Script, sizes: list[str]
) -> None:
    """The circles do not fit on one panel, so the seat is chosen first."""
    shown = view()
    for seat in shown["seats"]:
        seat["circles"] = {wager: circle(reading="silent") for wager in seat["circles"]}
    opened(page, served, shown)
    amounts(page, "Seat 6")
    assert page.locator(".panel [data-value]").count() == len(WAGERS)
    for size in sizes:
        sized(page, size)
        assert measured(page, size)["wrong"] == [], size
    page.get_by_role("button", name="Seat 6 · Middle", exact=True).tap()
    expect(page.locator(".panel h2")).to_have_text("Seat 6 · Middle")
    for digit in "25":
        page.locator(f'[data-char="{digit}"]').tap()
    page.locator(".enter").tap()
    expect(page.locator(".panel")).to_be_hidden()
    (entered,) = entered_events(script)
    assert isinstance(entered, events.AmountEntered)
    assert (entered.seat, entered.wager, entered.cents) == (6, Wager.MIDDLE, 2500)


def test_confirm_enters_typed_digits_and_keeps_the_chosen_circle(
    page: Page, served: Served, script: Script
) -> None:
    nothing = dict.fromkeys(view()["keys"], False)
    opened(page, served, view(prompt=prompt("enter_amount", seat=3, wager="across"), keys=nothing))
    confirm = page.locator('.key[data-key="confirm"]')
    confirm.tap()
    expect(page.locator(".typed")).to_have_text("$")
    for digit in "30":
        page.locator(f'[data-char="{digit}"]').tap()
    script.after = lambda _event: view(prompt=prompt("deck_needed"), keys=nothing)
    confirm.tap()
    expect(page.get_by_role("button", name="Preshuffled")).to_be_visible()
    assert entered_events(script) == [events.AmountEntered(3, Wager.ACROSS, 3000)]
    page.get_by_role("button", name="Preshuffled").tap()
    confirm.tap()
    page.locator('[data-value="red"]').tap()
    expect(page.locator(".panel")).to_be_hidden()
    assert entered_events(script)[1:] == [events.DeckBrought("red", preshuffled=True)]


def test_the_prompt_s_form_is_the_first_entry_of_more(page: Page, served: Served) -> None:
    """A form that was closed is one touch away, behind MORE."""
    for kind, form in (("enter_amount", ".typing"), ("deck_needed", ".deck-entry")):
        opened(page, served, view(prompt=prompt(kind, seat=3, wager="across")))
        page.locator(".more-key").tap()  # closes the form
        expect(page.locator(".panel")).to_be_hidden()
        page.locator(".more-key").tap()
        first = page.locator(".panel .choices button").first
        expect(first).to_have_attribute("data-value", "entry")
        assert measured(page, "7in")["wrong"] == []
        first.tap()
        expect(page.locator(f".panel {form}")).to_be_visible()


def test_a_card_that_has_been_seen_cannot_be_entered(page: Page, served: Served, script: Script) -> None:
    shown = view(prompt=prompt("enter_face", places=["middle"]))
    shown["cross"]["across_left"] = card("up", "7D")
    opened(page, served, shown)
    page.locator('.suits [data-suit="D"]').tap()
    expect(page.locator('[data-rank="7"]')).to_be_disabled()
    page.locator('[data-rank="T"]').tap()
    page.locator('.suits [data-suit="H"]').tap()
    expect(page.locator(".face-entry .enter")).to_have_text("ENTER 10 hearts")
    page.locator(".face-entry .enter").tap()
    expect(page.locator(".panel")).to_be_hidden()
    assert entered_events(script) == [events.FaceEntered("middle", "TH")]


def test_a_card_is_entered_by_keyboard(page: Page, served: Served, script: Script) -> None:
    opened(page, served, view(prompt=prompt("enter_face", places=["middle"])))
    page.keyboard.press("q")
    page.keyboard.press("s")
    page.keyboard.press("Space")
    expect(page.locator(".panel")).to_be_hidden()
    assert entered_events(script) == [events.FaceEntered("middle", "QS")]


def test_the_dealer_signs_on(page: Page, served: Served, script: Script) -> None:
    opened(page, served, prompts()["open_table"])
    page.locator('[data-char="D"]').tap()
    page.locator('[data-char="7"]').tap()
    expect(page.locator(".enter")).to_have_text("Sign on D7")
    page.locator(".enter").tap()
    expect(page.locator(".panel")).to_be_hidden()
    assert script.touched == [events.DealerSignedOn("D7", OPENS, "dealer 5")]


def typed(page: Page, line: str) -> None:
    for char in line:
        page.locator(f'[data-char="{char}"]').tap()


@pytest.mark.parametrize("language", ["en", "es"])
def test_if_dealers_have_pins_the_pin_is_requested_after_the_number(
    page: Page, served: Served, script: Script, sizes: list[str], language: str
) -> None:
    script.wants_pin = True
    opened(page, served, prompts()["open_table"], f"?lang={language}")
    typed(page, "812")
    page.locator(".enter").tap()
    expect(page.locator(".typed")).to_have_text("PIN")
    expect(page.locator(".enter")).to_be_disabled()
    typed(page, "4711")
    expect(page.locator(".typed")).to_have_text("••••")
    for size in sizes:
        sized(page, size)
        assert measured(page, size)["wrong"] == [], size
    page.locator(".enter").tap()
    expect(page.locator(".panel")).to_be_hidden()
    assert (script.touched, script.pins) == ([events.DealerSignedOn("812", OPENS, "dealer 5")], ["4711"])


def test_if_dealers_have_pins_a_relief_requests_number_and_pin(
    page: Page, served: Served, script: Script
) -> None:
    script.wants_pin = True
    opened(page, served, view() | {"dealer": "D-12"})
    page.locator(".more-key").tap()
    page.locator('.panel [data-value="dealer"]').tap()
    page.locator(".summary .go").tap()
    expect(page.locator(".enter")).to_have_text("ENTER")
    typed(page, "4711")
    page.locator(".enter").tap()
    expect(page.locator(".enter")).to_have_text("Relieve dealer D-12")
    typed(page, "1234")
    assert measured(page, "7in")["wrong"] == []
    page.locator(".enter").tap()
    expect(page.locator(".panel")).to_be_hidden()
    assert (script.touched, script.pins) == ([events.DealerRelieved("4711", "dealer 5")], ["1234"])


def test_after_a_wrong_pin_it_or_the_number_can_be_entered_again(
    page: Page, served: Served, script: Script
) -> None:
    script.wants_pin = True
    opened(page, served, prompts()["open_table"])
    typed(page, "812")
    page.locator(".enter").tap()
    expect(page.locator(".typed")).to_have_text("PIN")
    script.refusing = Refused("not_proven")
    typed(page, "9999")
    page.locator(".enter").tap()
    expect(page.get_by_text("Badge or PIN not accepted")).to_be_visible()
    expect(page.locator(".typed")).to_have_text("PIN")
    page.locator(".panel .who").tap()
    expect(page.locator(".typed")).to_have_text("812")


def test_the_count_of_the_stub_is_entered(page: Page, served: Served, script: Script) -> None:
    opened(page, served, prompts()["count_stub"])
    page.keyboard.type("33")
    page.locator(".enter").tap()
    expect(page.locator(".panel")).to_be_hidden()
    assert entered_events(script) == [events.Reported(DealerReport.STUB_COUNT, number=33, once=True)]


def test_a_panel_keeps_prompt_and_keys_visible_and_can_be_closed(
    page: Page, served: Served, script: Script
) -> None:
    opened(page, served, settling("push", 3000, hand="pair of 10s"))
    page.locator(".more-key").tap()
    panel, top, keys = (page.locator(css).bounding_box() for css in (".panel", ".prompt", ".keys"))
    assert panel and top and keys
    assert top["y"] + top["height"] <= panel["y"] + 1 and panel["y"] + panel["height"] <= keys["y"] + 1
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()
    assert script.touched == []


REPORTS = [
    (["community_exposed", "middle"], events.Reported(Code.COMMUNITY_EXPOSED, place="middle")),
    (["hole_exposed", "3"], events.Reported(Code.HOLE_EXPOSED, seat=3)),
    (["drawn_in_error"], events.Reported(Code.DRAWN_IN_ERROR)),
    (["face_seen"], events.Reported(Code.FACE_SEEN)),
    (["player_left", "2"], events.Reported(Code.PLAYER_LEFT, seat=2)),
    (["players_conferred", "2"], events.Reported(Code.PLAYERS_CONFERRED, seat=2)),
    (["cards_touched", "5"], events.Reported(Code.CARDS_TOUCHED, seat=5)),
    (["out_of_view", "6"], events.Reported(Code.OUT_OF_VIEW, seat=6)),
    (["shuffler_fault"], events.Reported(Code.SHUFFLER_FAULT)),
    (["swapped", "middle", "down_far"], events.CardsSwapped("middle", "down_far")),
]


def test_the_dealer_can_send_a_report(page: Page, served: Served, script: Script) -> None:
    opened(page, served, view())
    for path, _event in REPORTS:
        page.locator(".more-key").tap()
        for value in ["report", *path]:
            page.locator(f'.panel [data-value="{value}"]').tap()
            assert measured(page, "7in")["wrong"] == [], path
        page.locator(".summary .go").tap()
        expect(page.locator(".panel")).to_be_hidden()
    assert script.touched == [replace(event, about="cards 5") for _path, event in REPORTS]


def test_the_dealer_reports_a_wrong_count_and_a_card_that_differs(
    page: Page, served: Served, script: Script
) -> None:
    shown = view()
    shown["cross"]["middle"] = card("up", "9S")
    opened(page, served, shown)
    page.locator(".cross").tap()
    page.locator('[data-value="wrong_count"]').tap()
    page.locator('[data-value="0"]').tap()
    page.locator('[data-char="4"]').tap()
    page.locator(".enter").tap()
    page.locator(".summary .go").tap()
    expect(page.locator(".panel")).to_be_hidden()
    page.locator('.seat[data-seat="2"]').tap()
    page.locator('[data-value="wrong_count"]').tap()
    page.locator('[data-char="3"]').tap()
    page.locator(".enter").tap()
    page.locator(".summary .go").tap()
    expect(page.locator(".panel")).to_be_hidden()
    page.locator(".cross").tap()
    page.locator('[data-value="card_differs"]').tap()
    expect(page.locator(".panel .choices button")).to_have_count(1)  # no card that is face down
    page.locator('[data-value="middle"]').tap()
    page.locator('[data-rank="T"]').tap()
    page.locator('.suits [data-suit="H"]').tap()
    page.locator(".face-entry .enter").tap()
    expect(page.locator(".summary")).to_contain_text("Card differs from screen · middle card · 10 hearts")
    page.locator(".summary .go").tap()
    expect(page.locator(".panel")).to_be_hidden()
    assert script.touched == [
        events.Reported(Code.WRONG_COUNT, number=4, about="cards 5"),
        events.Reported(Code.WRONG_COUNT, seat=2, number=3, about="cards 5"),
        events.Reported(Code.CARD_DIFFERS, place="middle", face="TH", about="cards 5"),  # type: ignore[arg-type]
    ]


@pytest.mark.parametrize("language", languages())
def test_all_reports_are_under_three_headings_without_scrolling(
    page: Page, served: Served, sizes: list[str], language: str
) -> None:
    dealing = [what for what in ASKS if what != "no_activity"]
    opened(page, served, view(reports=dealing), f"?lang={language}")
    page.locator(".more-key").tap()
    page.locator('.panel [data-value="report"]').tap()
    expect(page.locator(".groups h3")).to_have_text(
        [catalogue(language).plain(f"page.reports_{group}") for group in GROUPS]
    )
    for size in sizes:
        sized(page, size)
        assert measured(page, size)["wrong"] == [], size
        if language == languages()[-1]:
            assert violations(page) == [], f"{size}: its rules know no words"


def test_each_report_has_one_heading() -> None:
    assert sorted(what for group in GROUPS.values() for what in group) == sorted(ASKS)


def test_confirm_is_dark_until_a_dealer_has_signed_on(page: Page, served: Served, script: Script) -> None:
    shown = prompts()["open_table"]
    opened(page, served, shown | {"keys": shown["keys"] | {"confirm": False}})
    confirm = page.locator('.key[data-key="confirm"]')
    expect(confirm).to_contain_text("enter your number")
    expect(confirm).to_have_attribute("aria-disabled", "true")
    close(page)
    expect(confirm).to_have_attribute("aria-disabled", "true")
    page.locator(".more-key").tap()
    page.locator('.panel [data-value="entry"]').tap()
    expect(page.locator(".panel .typed")).to_have_text("Your number")
    assert script.touched == []
