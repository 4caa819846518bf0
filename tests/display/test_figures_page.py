"""The page of figures has its periods, its money to the cent, its plots, and the numbers of each plot as a
table.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.common.texts.catalogue import catalogue, languages
from controller.pages.display.figures_view import PERIODS
from tests.accessible import violations
from tests.display.conftest import SIZES
from tests.display.figures import figures
from tests.display.served import Script, Served
from tests.repository.house import ROOT

pytestmark = pytest.mark.browser
WALL = (1920, 1080)
SHIPPED = ROOT / "controller/pages/display/static/uplot"
LOCKED = ROOT / "tests/display/page/node_modules/uplot"


@pytest.fixture
def opened(page: Page, served: Served) -> Page:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{served.url}/figures")
    page.wait_for_selector(".figures-page canvas")
    return page


def test_the_page_shows_the_begin_and_length_of_the_period(opened: Page) -> None:
    expect(opened.locator(".since")).to_have_text("Since 2026-11-20 18:02 (7 h 40 min) · America/New_York")


def test_money_is_shown_to_the_cent_and_the_drop_is_not_estimated(opened: Page) -> None:
    boxes = opened.locator(".boxes")
    expect(boxes).to_contain_text("$10,345")
    expect(boxes).to_contain_text("−$127.50")
    expect(boxes).to_contain_text("−1.23 %")
    expect(boxes).to_contain_text("The drop is not known here.")


def test_an_unknown_figure_is_not_shown_as_zero(page: Page, served: Served, script: Script) -> None:
    script.figures_data |= {"steps": 0, "hold_bp": None, "players_tenths": None, "hours": [], "since": None}
    page.goto(f"{served.url}/figures")
    expect(page.locator(".boxes").get_by_text("not known yet")).to_have_count(3)
    expect(page.locator(".since")).to_have_text("Nothing has been counted in this period yet.")
    expect(page.locator(".plots")).to_be_hidden()


def test_a_period_can_be_chosen(opened: Page) -> None:
    for name, period in catalogue("en").texts["figures"]["periods"].items():
        opened.get_by_role("button", name=period).tap()
        expect(opened.get_by_role("button", name=period)).to_have_attribute("aria-pressed", "true")
        assert name in PERIODS
    assert opened.locator('[aria-pressed="true"]').count() == 1


def test_the_shown_period_can_be_downloaded_as_csv(opened: Page, script: Script) -> None:
    """The file has each figure of the page, in cents; a dealer's number that a spreadsheet would evaluate is
    quoted as text."""
    script.figures_data["dealers"][0]["number"] = "-0412"
    script.figures_data["hold_bp"] = None
    opened.get_by_role("button", name="Today").tap()
    link = opened.get_by_role("link", name="CSV")
    expect(link).to_have_attribute("href", "/figures/today.csv")
    with opened.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "figures-today.csv"
    lines = Path(download.value.path()).read_bytes().decode().split("\r\n")
    rows = list(csv.reader(lines[:-1]))
    assert rows[0] == ["group", "at", "figure", "value"]
    assert ["period", "", "win_cents", "-12750"] in rows
    assert ["period", "", "hold_bp", ""] in rows
    assert ["exceptions", "", "overpaid", "2"] in rows
    assert ["dealer", "2026-11-20 18:02", "'-0412", "19:35"] in rows
    assert len([row for row in rows if row[0] == "hour"]) == 5 * len(figures()["hours"])


def test_an_invalid_period_has_no_csv(page: Page, served: Served) -> None:
    answer = page.request.get(f"{served.url}/figures/week.csv")
    assert (answer.status, answer.json()) == (404, {"error": "period: one of shift today all"})


def test_each_plot_is_drawn_beside_its_numbers(opened: Page) -> None:
    plots = opened.locator("figure")
    expect(plots).to_have_count(3)
    for plot in plots.all():
        ink = plot.locator("canvas").evaluate(
            "(c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0)"
        )
        assert ink
    named = opened.get_by_role("img", name="Rounds an hour: 18:00 18, 19:00 25")
    expect(named).to_have_count(1)
    opened.get_by_text("The numbers").tap()
    rows = opened.locator("details tbody tr")
    expect(rows).to_have_count(8)
    expect(rows.last).to_have_text("2026-11-20 18:001800$12,500−$400.50")


def test_the_dealers_shifts_are_shown(opened: Page) -> None:
    rows = opened.locator(".dealers tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_have_text("00772026-11-20 19:3522:00")


def test_win_is_shown_beside_its_expectation(opened: Page) -> None:
    rows = opened.locator(".luck tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_have_text("All days512$61,440$1,200.50$905.25+1.31")
    expect(rows.last).to_have_text(
        "2026-11-19nobody signed on0not known yetnot known yetnot known yetunder 50 rounds"
    )
    expect(opened.locator(".luck")).to_contain_text("Rounds in no sum: 12 whose odds are not known here")
    expect(opened.locator(".luck")).to_contain_text("Earlier rounds are still being worked out.")


@pytest.mark.usefixtures("alone")
def test_a_lost_controller_leaves_no_outdated_data(opened: Page, served: Served) -> None:
    served.stop()
    opened.get_by_role("button", name="Today").tap()
    expect(opened.locator(".lost")).to_be_visible()
    expect(opened.locator(".figures-page")).to_have_count(0)


@pytest.mark.parametrize("language", languages())
def test_the_page_fits_every_size_and_axe_finds_no_violation(
    page: Page, served: Served, script: Script, language: str
) -> None:
    """The script has one row of each kind, which is enough for axe."""
    script.figures_data = figures(hours=300)
    figures_open(page, served, language)
    for width, height in {**SIZES, "wall": WALL}.values():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
    script.figures_data = figures()
    figures_open(page, served, language)
    for width, height in (WALL, SIZES["phone"]):  # the widest and the narrowest
        page.set_viewport_size({"width": width, "height": height})
        assert violations(page) == [], width


def figures_open(page: Page, served: Served, language: str) -> None:
    page.goto(f"{served.url}/figures?lang={language}")
    page.wait_for_selector(".figures-page canvas")
    page.wait_for_selector(".luck tbody tr")
    page.locator("summary").tap()


def test_shipped_files_equal_those_named_in_the_lock_file() -> None:
    """uPlot is not built here: its files are those of the version that package-lock.json pins by hash."""
    for file in ("uPlot.iife.min.js", "uPlot.min.css"):
        assert (SHIPPED / file).read_bytes() == (LOCKED / "dist" / file).read_bytes()
    assert (SHIPPED / "LICENSE-uPlot.txt").read_bytes() == (LOCKED / "LICENSE").read_bytes()
