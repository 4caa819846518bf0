"""The dealer's page shows the right texts, sends each touch once, and never contains hidden data, in a real
Chromium.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from controller.game.model import events
from controller.game.model.names import Key
from controller.game.showing.lamps import LANGUAGE, RHYTHMS, LampState
from controller.pages.display.ports import Refused
from tests.display.fingers import opened, press
from tests.display.served import Script, Served
from tests.display.views import UP, alert, card, circle, hold, prompt, prompts, settling, view

pytestmark = pytest.mark.browser

# ------------------------------------------------------------------ the picture


def test_seat_1_is_at_the_dealer_s_left_and_players_are_on_the_far_side(page: Page, served: Served) -> None:
    opened(page, served, settling("push", 3000, hand="pair of 10s"))
    boxes = [page.locator(f'.seat[data-seat="{n}"]').bounding_box() for n in range(1, 7)]
    lefts = [box["x"] for box in boxes if box]
    assert lefts == sorted(lefts) and len(lefts) == 6
    cross = {place: page.locator(f'.place[data-place="{place}"]').bounding_box() for place in UP}
    assert all(cross.values())
    middle = cross["middle"]
    assert cross["down_far"]["y"] < middle["y"] < cross["down_near"]["y"]
    assert cross["across_left"]["x"] < middle["x"] < cross["across_right"]["x"]
    assert boxes[0] and boxes[0]["y"] < cross["down_far"]["y"]


def test_a_due_circle_has_its_shape_its_text_and_its_lamp(page: Page, served: Served) -> None:
    opened(page, served, view())
    for kind, word in (("take", "TAKE"), ("push", "PUSH"), ("pay", "PAY")):
        served.show(settling(kind, 3000, hand="pair of 10s"))
        circle = page.locator('.seat[data-seat="3"] .circle[data-wager="across"]')
        expect(circle).to_have_attribute("data-due", kind)
        expect(circle).to_contain_text(word)
        expect(circle.locator("svg")).to_have_attribute("data-icon", kind)
        expect(page.locator(".prompt > .shape svg")).to_have_attribute("data-icon", kind)
        expect(circle).to_contain_text("30")


def test_a_circle_that_cannot_be_read_shows_no_amount(page: Page, served: Served) -> None:
    shown = view()
    shown["seats"][1]["circles"]["across"] = circle(None, "fault", reading="silent")
    opened(page, served, shown)
    shown_as = page.locator('.seat[data-seat="2"] .circle[data-wager="across"]')
    expect(shown_as.locator(".amount")).to_have_text("?")
    expect(shown_as.locator("svg")).to_have_attribute("data-icon", "fault")


def test_only_turned_faces_are_in_the_page(page: Page, served: Served) -> None:
    opened(page, served, view())
    assert page.locator("[data-card]").count() == 0
    shown = view()
    shown["cross"]["across_left"] = card("up", "7D")
    shown["cross"]["across_right"] = card("unknown")
    served.show(shown)
    expect(page.locator("[data-card]")).to_have_attribute("data-card", "7D")
    expect(page.locator('[data-card="7D"]')).to_have_text("7D")
    expect(page.locator('.place[data-place="across_right"]')).to_contain_text("?")
    served.show(view())
    expect(page.locator("[data-card]")).to_have_count(0)
    assert "7D" not in page.content()


# ------------------------------------------------------------------ the keys


def test_only_keys_with_an_effect_are_lit(page: Page, served: Served, script: Script) -> None:
    shown = settling("push", 3000, hand="pair of 10s")
    shown["keys"] = {"no_more_bets": False, "confirm": True, "fold": False, "floor": True, "undo": True}
    opened(page, served, shown)
    assert page.locator(".key[data-lit]").count() == 3
    expect(page.locator('.key[data-key="confirm"]')).to_have_text("CONFIRMpush, $30 stays")
    expect(page.locator('.key[data-key="undo"]')).to_contain_text("seat 2 · Across")
    for key in ("confirm", "undo"):
        press(page, key)
        expect(page.locator(".key[data-sent]")).to_have_count(0)  # a second touch at the same time is dropped
    stands = shown["prompt"]["id"]
    undo = events.KeyPressed(Key.UNDO, stands, about="undo 5")
    assert script.touched == [events.KeyPressed(Key.CONFIRM, stands), undo]


def test_enter_of_a_badge_reader_confirms_nothing(page: Page, served: Served, script: Script) -> None:
    """A badge reader types a line into whatever has the focus. A keyboard presses a focused key with
    SPACE."""
    opened(page, served, settling("push", 3000, hand="pair of 10s"))
    confirm = page.locator('.key[data-key="confirm"]')
    page.keyboard.type("0412")
    page.keyboard.press("Enter")
    confirm.focus()
    page.keyboard.press("Enter")
    assert script.touched == []
    script.after = lambda _event: settling("take", 1000, hand="ace high")
    page.keyboard.press("Space")
    expect(page.locator(".prompt .do")).to_have_text("TAKE $10")
    assert [type(event) for event in script.touched] == [events.KeyPressed]


def test_the_focus_ring_is_shown_only_for_a_keyboard(page: Page, served: Served) -> None:
    opened(page, served, prompts()["enter_amount"])
    outline = "(node) => getComputedStyle(node).outlineStyle"
    first = page.locator("[data-first]")
    assert first.evaluate(outline) == "none"
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert first.evaluate(outline) == "solid"
    page.locator(".prompt").tap()
    first.focus()
    assert first.evaluate(outline) == "none"


def test_two_fingers_and_a_long_press_have_no_effect(page: Page, served: Served) -> None:
    opened(page, served, view())
    for kind in ("contextmenu", "dragstart", "gesturestart"):
        event = f"new Event('{kind}', {{bubbles: true, cancelable: true}})"
        assert page.locator(".prompt").evaluate(f"(node) => node.dispatchEvent({event})") is False, kind
    assert page.evaluate("getComputedStyle(document.body).touchAction") == "pan-x pan-y"
    assert page.evaluate("getComputedStyle(document.body).userSelect") == "none"


def test_a_dealer_chooses_the_language_of_this_screen(page: Page, served: Served) -> None:
    opened(page, served, view())
    page.locator(".more-key").tap()
    page.get_by_role("button", name="Español").tap()
    expect(page.locator('.key[data-key="fold"]')).to_contain_text("ABANDONA")
    page.reload()
    expect(page.locator('.key[data-key="fold"]')).to_contain_text("ABANDONA")
    page.goto(f"{served.url}/floor")
    expect(page.locator(".tabs")).to_contain_text("Se puede firmar")
    page.goto(served.url)
    page.locator(".more-key").tap()
    page.get_by_role("button", name="English").tap()
    expect(page.locator('.key[data-key="fold"]')).to_contain_text("FOLD")


def test_tab_goes_from_menu_over_the_table_to_the_keys(page: Page, served: Served) -> None:
    opened(page, served, settling("push", 3000, hand="pair of 10s"))
    page.locator(".more-key").focus()
    order = []
    for _ in range(14):
        page.keyboard.press("Tab")
        order.append(
            page.evaluate(
                "document.activeElement.dataset.seat ?? document.activeElement.className.split(' ')[0]"
            )
        )
    assert order == ["help-key", *"123456", "alerts", "cross", "key", "key", "key", "key", "key"]


def test_a_prompt_that_changes_under_the_finger_is_not_confirmed(
    page: Page, served: Served, script: Script
) -> None:
    opened(page, served, settling("take", 3000, hand="ace high"))
    box = page.locator('.key[data-key="confirm"]').bounding_box()
    assert box
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.mouse.down()
    served.show(settling("pay", 9000, hand="straight", odds=5, chips=[2500] * 3 + [500] * 3))
    expect(page.locator(".prompt .do")).to_have_text("PAY $90: three $25, three $5")
    page.mouse.up()
    expect(page.locator(".refused")).to_contain_text("changed under your finger")
    assert script.touched == []


def test_the_reason_of_a_refused_touch_is_shown(page: Page, served: Served, script: Script) -> None:
    script.refusing = Refused("mend_first")
    opened(page, served, view())
    press(page, "confirm")
    expect(page.locator(".refused")).to_have_text("Not taken: Clear the alert first.")
    page.locator(".next").dispatch_event("pointerdown")
    expect(page.locator(".refused")).to_be_hidden()


# ------------------------------------------------------------------ alerts and holds


def test_an_alert_that_needs_chips_moved_replaces_the_prompt(page: Page, served: Served) -> None:
    shown = settling("pay", 9000, hand="three of a kind", odds=3)
    shown["alerts"] = [alert("reader_lost", number=3, seat=5), alert()]
    for seat in (3, 5):
        shown["seats"][seat - 1]["circles"]["across"]["wrong"] = True
    opened(page, served, shown)
    expect(page.locator(".prompt .where")).to_have_text("Seat 3 · Across")
    expect(page.locator(".prompt .do")).to_have_text("Take back $5: one $5")
    expect(page.locator(".prompt .more")).to_have_text("Overpaid by $5")
    expect(page.locator(".prompt .section")).to_have_text("58 Pa. Code § 674a.11(h)")
    expect(page.locator(".next .text")).to_contain_text("TAKE $10")
    expect(page.locator(".alerts .where")).to_have_text("Seat 5 · Across")
    expect(page.locator(".alerts .text")).to_have_text("Circle cannot be read")
    expect(page.locator(".circle[data-wrong]")).to_have_count(2)


def test_a_lasting_alert_does_not_replace_the_prompt(page: Page, served: Served) -> None:
    opened(page, served, view(alerts=[alert("reader_lost", lies=None, should=None)]))
    expect(page.locator(".prompt .do")).to_have_text("ASK: bet or fold")
    expect(page.locator(".alerts")).to_contain_text("Enter its amount")
    page.locator(".alerts").tap()
    expect(page.locator(".alert-list")).to_contain_text("58 Pa. Code § 674a.11(h)")


def test_a_hold_is_shown_with_its_cause_and_proposal(page: Page, served: Served) -> None:
    opened(page, served, view(phase="held", prompt=prompt("held", code="community_exposed"), hold=hold()))
    expect(page.locator(".prompt .where")).to_have_text("HOLD")
    expect(page.locator(".prompt .do")).to_have_text("Touch nothing. Call the floor.")
    expect(page.locator(".prompt .more")).to_have_text("middle card · Community card seen")
    expect(page.locator(".next")).to_contain_text("Proposed: Void the round")
    expect(page.locator(".prompt .section")).to_have_text("58 Pa. Code § 674a.13(d)")


def test_an_unreadable_circle_is_not_shown_as_underpaid(page: Page, served: Served) -> None:
    shown = settling("pay", 9000, hand="three of a kind", odds=3)
    shown["alerts"] = [
        alert("underpaid", lies=None), alert("reading_unstable", number=8, lies=None, should=None),
    ]  # fmt: skip
    opened(page, served, shown)
    expect(page.locator(".prompt .more")).to_have_text("Chips cannot be told apart")


def test_a_card_set_aside_in_the_deal_is_shown_as_a_notice(page: Page, served: Served) -> None:
    opened(page, served, view(phase="dealing", set_aside=1, prompt=prompt("lift_stack", seat=3)))
    expect(page.locator('.alerts[data-grade="notice"]')).to_contain_text("Show it, then into the rack")
    served.show(view(set_aside=1))
    expect(page.locator(".alerts")).to_have_text("no alerts")


def test_an_invalid_wager_is_named_before_the_close(page: Page, served: Served) -> None:
    shown = view(phase="betting", prompt=prompt("bets_open"))
    shown["seats"][2]["circles"]["ante_down"]["lamp"] = "refused"
    opened(page, served, shown)
    expect(page.locator(".alerts")).to_have_text("Seat 3: does not fit yet")
    assert page.locator(".alerts[data-grade]").count() == 0


@pytest.fixture
def silent(script: Script) -> Iterator[Served]:
    """Yield a server without heartbeats: its connections stay open without data, as when the daemon hangs."""
    server = Served(script, beat=3600)
    yield server
    server.stop()


def test_a_lost_daemon_is_shown_within_two_seconds_without_old_data(clocked: Page, silent: Served) -> None:
    clocked.clock.install(time=0)
    clocked.clock.pause_at(1000)
    opened(clocked, silent, settling("pay", 9000, hand="straight", odds=5, chips=[2500] * 3 + [500] * 3))
    clocked.clock.run_for(1400)
    expect(clocked.locator(".page")).to_be_visible()
    clocked.clock.run_for(500)
    expect(clocked.locator(".lost h1")).to_have_text("NO CONNECTION")
    assert clocked.locator(".seat, .key, .prompt, [data-card]").count() == 0
    assert "PAY" not in clocked.locator("#root").inner_text()
    assert clocked.locator(".lost").bounding_box() == {"x": 0, "y": 0, "width": 800, "height": 480}
    clocked.clock.run_for(600)  # the page reconnects, and a new view restores it
    expect(clocked.locator(".prompt .do")).to_have_text("PAY $90: three $25, three $5")


def test_a_page_that_stood_still_reads_its_messages_before_it_reports_a_loss(
    clocked: Page, silent: Served
) -> None:
    clocked.clock.install(time=0)
    clocked.clock.pause_at(1000)
    opened(clocked, silent, view())
    clocked.clock.fast_forward(5000)
    version = silent.shown(view(round=2))
    clocked.wait_for_selector(f'.page[data-version="{version}"]')
    clocked.clock.run_for(1400)
    expect(clocked.locator(".page")).to_be_visible()
    clocked.clock.fast_forward(5000)
    clocked.clock.run_for(150)
    expect(clocked.locator(".lost h1")).to_have_text("NO CONNECTION")


@pytest.mark.usefixtures("alone")
def test_a_daemon_that_dies_is_noticed_at_once(page: Page, served: Served) -> None:
    opened(page, served, view())
    served.stop()
    expect(page.locator(".lost")).to_be_visible()
    expect(page.locator(".page")).to_have_count(0)


def test_digits_have_equal_widths(page: Page, served: Served) -> None:
    opened(page, served, view())
    widths = page.evaluate("""() => ["1,111", "8,888", "4,070"].map((text) => {
      const node = document.querySelector(".seat .amount"); node.textContent = text;
      return node.getBoundingClientRect().width; })""")
    assert len({round(width, 1) for width in widths}) == 1
    assert page.evaluate("document.fonts.check('16px Inter')")


def test_no_text_is_drawn_in_another_font(clocked: Page, served: Served) -> None:
    """The page draws nothing before its font is loaded; after a timeout it draws in any font."""
    late: list[Route] = []

    def held_up(route: Route) -> None:
        late.append(route)

    clocked.route("**/inter.woff2", held_up)
    clocked.clock.install()
    clocked.clock.pause_at(1_800_000_000)
    served.show(view())
    clocked.goto(f"{served.url}/", wait_until="domcontentloaded")
    clocked.wait_for_function("document.fonts.status === 'loading'")
    clocked.clock.run_for(2_900)
    expect(clocked.locator(".page")).to_have_count(0)
    clocked.clock.run_for(100)
    expect(clocked.locator(".page")).to_have_count(1)
    for route in late:
        route.abort()


def lamp_table() -> dict[str, Any]:
    """Return a table with every lamp state, some of them twice."""
    shown = view()
    circles = [lies for seat in shown["seats"] for lies in seat["circles"].values()]
    for lies, state in zip(circles, [*LampState, *LampState], strict=False):
        lies |= {"lamp": state.value, "due": None}
    return shown


def test_every_lamp_state_has_its_own_shape_and_the_rhythm_of_its_lamp(page: Page, served: Served) -> None:
    opened(page, served, lamp_table())
    shapes = {}
    for state in LampState:
        circle = page.locator(f'.circle[data-lamp="{state}"]').first
        shapes[state] = circle.locator("svg").get_attribute("data-icon")
        rhythm = LANGUAGE[state].rhythm
        expect(circle).to_have_attribute("data-colour", LANGUAGE[state].colour)
        assert circle.locator(".shape").get_attribute("data-rhythm") == (
            None if rhythm == "steady" else rhythm
        )
    assert len(set(shapes.values())) == len(LampState)


PLAYED = """() => [...document.querySelectorAll(".circle .shape[data-rhythm]")].map((node) => {
  const [played] = node.getAnimations();
  played.pause();
  const { duration } = played.effect.getTiming();
  const slots = [];
  for (let at = 125; at < duration; at += 250) {
    played.currentTime = at;
    slots.push(getComputedStyle(node).opacity === "1" ? "#" : ".");
  }
  return [node.dataset.rhythm, slots.join("")];
})"""


def test_the_screen_shows_the_rhythms_of_the_lamps(page: Page, served: Served) -> None:
    opened(page, served, lamp_table())
    played = page.evaluate(PLAYED)
    assert {name for name, _ in played} == set(RHYTHMS) - {"steady"}
    assert all(RHYTHMS[name] == light for name, light in played)


def test_all_shapes_of_a_rhythm_are_in_step(page: Page, served: Served) -> None:
    """Lamps that are lit later, here those of seats 4 to 6, blink in step with the others."""
    early = lamp_table()
    for seat in early["seats"][3:]:
        for lies in seat["circles"].values():
            lies["lamp"] = "off"
    opened(page, served, early)
    page.wait_for_function("() => document.timeline.currentTime > 300")
    served.show(lamp_table())
    page.wait_for_function("() => document.querySelectorAll('.circle[data-lamp=fault]').length === 2")
    started = page.evaluate(
        "() => document.getAnimations().map((a) => [a.effect.target.dataset.rhythm, a.startTime])"
    )
    assert started and all(start == 0 for _, start in started)


def test_rhythms_are_kept_with_reduced_motion(page: Page, served: Served) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, served, settling("pay", 9000, hand="straight", odds=5))
    dark = page.locator('.circle[data-due="pay"] .shape').evaluate(
        """(node) => { const [played] = node.getAnimations(); played.pause(); played.currentTime = 1125;
        return getComputedStyle(node).opacity; }"""
    )
    assert dark == "0.6"
