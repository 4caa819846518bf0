"""A pit manager can follow the instructions of their manual on the page of a pit with two tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from controller.common.texts.catalogue import catalogue, languages
from tests.manuals.followed import Follower
from tests.pit.published_tables import Table
from tests.pit.served import Served

pytestmark = pytest.mark.browser


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path)
    for number in (1, 2):
        table = Table(f"CC-{number:02}", f"{number:08}")
        table.play(dealer=f"70{number:02}")
        served.receive(table)
    yield served
    served.stop()


@pytest.mark.parametrize("language", languages())
def test_the_pit_s_figures_can_be_read_by_the_manual(browser: Browser, pit: Served, language: str) -> None:
    page = browser.new_context(viewport={"width": 1280, "height": 800}, has_touch=True).new_page()
    follower = Follower(page, catalogue(language), "pit_manager")
    page.goto(f"{pit.url}/?lang={language}")
    follower.follow("pit_figures")
    page.wait_for_url("**/figures*")
    follower.follow("pit_period")
    follower.follow("pit_group")
    follower.find("pit_csv")
    assert follower.left == set()
    page.context.close()
