"""The floor's page lists the tables that need a person first, shows no unknown data, and presents all other
tables plainly.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from controller.common.texts.catalogue import catalogue
from controller.floor.pit.floor import Streams, UnacceptedStream
from controller.floor.pit.ingest import Payload
from controller.floor.pit.store import accept
from controller.floor.uplink.stream_names import stream_of
from tests.accessible import violations
from tests.display.conftest import EXPECTED, browser, check_console, page, screen, shots
from tests.odds.fortune import records
from tests.odds.packs import PENNSYLVANIA as PACK
from tests.pit.published_tables import Table
from tests.pit.served import Served

pytestmark = pytest.mark.browser
__all__ = ["browser", "page", "screen", "shots"]
SIZES = {"tablet": (1280, 800), "wall": (1920, 1080), "phone": (390, 844)}
PAGES = {"floor": "/", "table": "/tables/CC-02/floor", "figures": "/figures"}
LOOKS = (
    ("tablet", "floor", "en"), ("wall", "floor", "es"), ("phone", "floor", "en"), ("phone", "table", "es"),
    ("tablet", "table", "en"), ("wall", "figures", "en"), ("phone", "figures", "es"),
)  # fmt: skip


def table(number: int, *kinds: tuple[str, dict[str, Any]]) -> Table:
    new_table = Table(f"CC-{number:02d}", f"{number:08x}")
    new_table.play(dealer=f"{7000 + number}")
    new_table.phases("betting")
    for kind, facts in kinds:
        new_table.add_event(kind, **facts)
    return new_table


def floor() -> list[Table]:
    """Return twelve tables, of which five need a floorperson."""
    some = [
        table(4, ("alert", {"id": 1, "code": "deck_change_due"})),
        table(6, ("alert", {"id": 1, "code": "overpaid", "seat": 3, "wager": "across"})),
        table(2, ("held", {"code": "card_differs", "place": "middle"})),
        table(9, ("trouble", {"code": "reader_lost"})),
        table(11, ("floor_called", {"who": "7011"})),
    ]
    taken = {each.name for each in some}
    return some + [each for n in range(1, 13) if (each := table(n)).name not in taken]


def a_felt() -> dict[str, Any]:
    """Return a spectator's view: the middle card turned, seat 3 in the round, chips of seat 4 on the felt."""
    cross = {
        place: {"lies": "down", "face": None}
        for place in ("down_far", "across_left", "across_right", "down_near")
    }
    seats = [
        {"seat": seat, "in_round": seat == 3, "out": False, "asked": seat == 3, "settled": False,
         "cards": [{"lies": "down", "face": None}] * 2 if seat == 3 else [], "hands": {},
         "circles": {"across": {"amount": 1000, "result": None}} if seat in (3, 4) else {}}
        for seat in range(1, 7)
    ]  # fmt: skip
    return {"cross": {**cross, "middle": {"lies": "up", "face": "KH"}}, "bonus_cards": None, "seats": seats}


def names(page: Page) -> list[str]:
    return page.locator(".tile .name").all_text_contents()


def test_tables_that_need_a_person_come_first(page: Page, served: Served) -> None:
    served.receive(*floor())
    page.goto(served.url)
    page.wait_for_selector(".tile")
    assert names(page)[:5] == ["CC-02", "CC-11", "CC-09", "CC-06", "CC-04"]
    assert names(page)[5:] == [f"CC-{n:02d}" for n in (1, 3, 5, 7, 8, 10, 12)]
    expect(page.get_by_role("status")).to_have_text("5 of 12 tables need attention")
    expect(page.locator(".tile").first).to_contain_text("HELD")
    expect(page.locator(".tile").first).to_contain_text("Dealer 7002")
    assert page.locator('.tile[data-need="quiet"]').count() == 7


def test_the_page_is_updated_live_when_a_call_begins_and_ends(page: Page, served: Served) -> None:
    one, two = table(1), table(2)
    served.receive(one, two)
    page.goto(served.url)
    expect(page.get_by_role("status")).to_have_text("No table needs attention.")
    two.add_event("held", code="card_differs", place="middle")
    served.receive(two)
    expect(page.locator(".tile").first).to_contain_text("Card differs from screen · held for 9 min")
    assert names(page) == ["CC-02", "CC-01"]
    two.add_event("hold_over", code="card_differs", place="middle", over="decided", by="F12")
    served.receive(two)
    expect(page.get_by_role("status")).to_have_text("No table needs attention.")


def test_another_journal_under_a_table_s_name_is_shown_with_the_remedy(page: Page, served: Served) -> None:
    """Both journals are named, and no data of the journal that was not accepted is shown."""
    one, stream = table(1), stream_of("ab" * 16, bytes(32), 462)
    served.receive(one, table(2))
    served.do(lambda: served.floor.streams(Streams("CC-01", one.stream)))
    served.do(lambda: served.floor.show_unaccepted(UnacceptedStream("CC-01", stream)))
    page.goto(served.url)
    first = page.locator(".tile").first
    expect(first).to_contain_text("OTHER JOURNAL")
    expect(first).to_contain_text(f"crisscross pit --accept CC-01 {stream} --reason")
    expect(first).to_contain_text("The pit keeps 00000001")
    expect(first).not_to_contain_text("Dealer")
    served.do(lambda: served.floor.streams(Streams("CC-01", stream)))
    expect(page.get_by_role("status")).to_have_text("No table needs attention.")


def test_a_search_finds_rounds_by_dealer_decider_and_amount(page: Page, served: Served) -> None:
    busy = table(1)
    busy.play(dealer="0088", wrong=("overpaid",))
    served.receive(busy)
    page.goto(f"{served.url}/tables/CC-01/rounds")
    for text, rounds in (
        ("0088", ["Round 2"]),
        ("f12 $30", ["Round 2"]),
        ("$30", ["Round 2", "Round 1"]),
        ("zz", []),
    ):
        page.get_by_role("searchbox", name="Search").fill(text)
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_role("link", name=re.compile("^Round"))).to_have_text(rounds)
        expect(page.get_by_role("searchbox", name="Search")).to_have_value(text)


def test_the_pages_of_a_round_lead_to_each_journal_that_has_it(page: Page, served: Served) -> None:
    one, other = table(1), Table("CC-01", "ffff0000")
    other.play(dealer="0088")
    served.receive(one)
    accept(served.database, "CC-01", other.stream, "2026-11-22T21:00:00.000Z", "Ana", "reinstalled")
    served.intake.take([Payload("CC-01", payload) for payload in other.payloads])
    page.goto(f"{served.url}/tables/CC-01/rounds/1")
    page.get_by_role("link", name="Journal 00000001, of before").click()
    expect(page.get_by_text("7001").first).to_be_visible()
    expect(page.get_by_text("0088")).to_have_count(0)
    page.get_by_role("link", name="All rounds").click()
    expect(page.get_by_role("link", name="Round 1")).to_have_count(1)
    page.get_by_role("link", name="Journal ffff0000").click()
    expect(page.get_by_text("0088").first).to_be_visible()
    expect(page.get_by_text("7001")).to_have_count(0)


def test_a_silent_table_shows_no_outdated_data(page: Page, served: Served) -> None:
    one, two = table(1), table(2)
    served.receive(one, two, felt=one.felt(**a_felt()))
    page.goto(served.url)
    expect(page.locator(".tile").first).to_contain_text("Dealer 7001")
    served.wait(61)
    served.set_state(two.state())
    first = page.locator(".tile").first
    expect(first).to_contain_text("Nothing has been heard for 1 min")
    expect(first).to_contain_text("NO WORD")
    for known in ("Dealer", "Bets open", "Round"):
        expect(first).not_to_contain_text(known)
    first.click()
    expect(page.get_by_text("The felt is shown while the table reports.")).to_be_visible()
    expect(page.locator("[data-card]")).to_have_count(0)


def test_a_table_s_page_shows_its_felt_and_decisions(page: Page, served: Served) -> None:
    facts = {"id": 3, "code": "overpaid", "seat": 3, "wager": "across", "by": "F12", "reason": "chips fell"}
    one = table(1, ("alert_over", {**facts, "over": "signed"}))
    served.receive(one, felt=one.felt(**a_felt()))
    page.goto(served.url)
    page.locator(".tile").click()
    expect(page.locator('.cross [data-card="KH"]')).to_have_count(1)
    assert page.locator("[data-card]").count() == 1, "no card that is not turned"
    expect(page.locator(".box").nth(2)).to_contain_text("Across")
    expect(page.locator(".box h3")).to_have_text(
        [*[f"Seat {seat}open seat" for seat in (1, 2)], "Seat 3to act", "Seat 4",
         *[f"Seat {seat}open seat" for seat in (5, 6)]]
    )  # fmt: skip
    decided = page.get_by_role("region", name="What was decided, and by whom").locator("tbody tr")
    expect(decided).to_contain_text("F12")
    expect(decided).to_contain_text("chips fell")


def test_a_decision_is_listed_once_with_its_subject_by_the_pits_clock(page: Page, served: Served) -> None:
    """The decision and the end of the hold are two events of the same moment."""
    one = table(1, ("held", {"code": "card_differs", "place": "middle"}))
    one.add_event("floor_decided", decision="continue", who="F12")
    one.add_event("hold_over", after_ms=0, code="card_differs", place="middle", over="decided", by="F12")
    served.receive(one)
    page.goto(f"{served.url}/tables/CC-01/floor")
    decided = page.get_by_role("region", name="What was decided, and by whom").locator("tbody tr")
    expect(decided).to_have_count(1)
    expect(decided).to_contain_text("Card differs from screen")
    expect(decided).to_contain_text("2026-11-22 20:00:")


def test_a_table_s_page_shows_last_rounds_dealer_and_call(page: Page, served: Served) -> None:
    one = Table()
    one.play(wrong=("overpaid",))
    one.play()
    one.add_event("floor_called", who="0077")
    served.receive(one)
    page.goto(f"{served.url}/tables/CC-01/floor")
    rounds = page.get_by_role("region", name="Last rounds").locator("tbody tr")
    expect(rounds).to_have_count(2)
    expect(rounds.first).to_contain_text("Round 2")
    expect(rounds.last).to_contain_text("Overpaid")
    expect(page.get_by_role("status")).to_contain_text("Dealer 0077 · for")
    expect(page.locator("main")).to_contain_text("floor called for")
    rounds.last.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()


def test_a_tile_shows_the_time_since_the_last_event(page: Page, served: Served) -> None:
    served.receive(table(1))
    page.goto(served.url)
    expect(page.locator(".tile")).to_contain_text("last message 9 min ago")


def test_the_page_states_that_it_has_no_users(page: Page, served: Served) -> None:
    page.goto(served.url)
    expect(page.locator("main")).to_contain_text("is for this machine only")


def test_a_round_is_recalled_completely(page: Page, served: Served) -> None:
    one = Table()
    one.play(wrong=("overpaid",))
    served.receive(one)
    page.goto(f"{served.url}/tables/CC-01/floor")
    page.get_by_role("link", name="Rounds").click()
    expect(page.locator("tbody tr")).to_contain_text("Overpaid")
    page.get_by_role("link", name="Round 1").click()
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(page.locator("main")).to_contain_text("signed")
    expect(page.locator('.cross [data-card="KH"]')).to_have_count(1)
    assert page.locator("[data-card]").count() == 1
    page.get_by_role("link", name="All rounds").click()
    expect(page.get_by_role("link", name="Floor page")).to_have_attribute("href", "/tables/CC-01/floor")


def test_figures_are_shown_by_table_and_dealer(page: Page, served: Served) -> None:
    served.receive(*floor())
    page.goto(f"{served.url}/figures")
    rows = page.locator("tbody").first.locator("tr")
    expect(rows).to_have_count(13)
    expect(rows.last).to_have_text("All120$480−$120−25.0 %0.032.0")
    page.get_by_role("button", name="CC-06").click()
    expect(page.get_by_role("heading", name="Wagers and win by wager · CC-06")).to_be_visible()
    wagers = page.get_by_role("region", name="Wagers and win by wager").locator("tbody tr")
    expect(wagers.first).to_have_text("Across ante1$10$10")
    page.get_by_role("button", name="CC-06").click()
    expect(wagers.first).to_have_text("Across ante12$120$120")
    page.get_by_role("button", name="By dealer").click()
    expect(rows.first).to_contain_text("7001")
    assert "by=dealer" in str(page.get_by_role("link", name="CSV").get_attribute("href"))


def test_the_page_of_figures_explains_a_wrong_period_in_its_language(
    screen: BrowserContext, served: Served
) -> None:
    served.receive(*floor())
    with check_console(screen.new_page(), (*EXPECTED, "400 (Bad Request)")) as page:
        page.goto(f"{served.url}/figures?lang=es&period=week")
        allowed = "No se entiende: Período: uno de shift, day, month, year"
        expect(page.get_by_role("alert")).to_have_text(allowed)
        page.get_by_role("button", name="Hoy").click()
        expect(page.get_by_role("alert")).to_be_hidden()
        expect(page.locator("tbody").first.locator("tr")).to_have_count(13)
        page.close()


def test_the_win_is_shown_with_its_expectation_and_band(page: Page, served: Served) -> None:
    """The table has sixty rounds with the odds of Pennsylvania, and a few without odds."""
    one, other = Table(), table(2)
    for played in records(PACK, 3, 60, 2):
        one.add_event("record", record=record(played, one.round))
        one.round += 1
    served.receive(one, other)
    page.goto(f"{served.url}/figures")
    for title in ("Win against the wagers as they were laid", "Win against the best play"):
        rows = page.get_by_role("region", name=title).locator("tbody tr")
        expect(rows.first).to_contain_text("CC-01")
        expect(rows.first).to_contain_text("…")
        expect(rows.nth(1)).to_contain_text("from 50 rounds on")
        part = page.locator("section.part").filter(has=page.get_by_role("heading", name=title))
        expect(part.locator(".dot")).to_have_count(2)
        expect(part).to_contain_text("Not among them: 1 rounds of rules whose odds are not known here.")
    assert violations(page) == []


def record(played: Any, number: int) -> dict[str, Any]:
    """Return a record as a table sends it, without faces of folded hands."""
    data = Table().record() | {"rules_digest": PACK.digest}
    seats = [
        {**seat, "cards": [None, None] if seat["folded_at"] else seat["cards"]} for seat in played["seats"]
    ]
    return {**data, "round": number, "cross": played["cross"], "seats": seats}


def test_the_pages_are_accessible_and_fit_the_screen(page: Page, served: Served, shots: Path | None) -> None:
    tables = floor()
    served.receive(*tables, felt=tables[2].felt(**a_felt()))
    served.set_state(tables[-1].state("gone"))
    for size, name, language in LOOKS:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{served.url}{PAGES[name]}?lang={language}")
        page.wait_for_selector("main h2, .tile")
        assert catalogue(language).plain("pit.title") in page.title()
        assert violations(page) == [], (size, name)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert over <= 0, (size, name, over)
        if shots:
            page.screenshot(path=shots / f"pit-{name}-{size}-{language}.png")


def test_a_lost_service_leaves_no_outdated_data(page: Page, served: Served) -> None:
    served.receive(table(1))
    page.goto(served.url)
    page.wait_for_selector(".tile")
    served.stop()
    page.wait_for_selector(".lost")
    assert page.locator(".tile").count() == 0
