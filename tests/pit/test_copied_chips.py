"""A chip that two tables report is named in the log, in the store, on the floor's page and in a
notification.
"""

from __future__ import annotations

import logging
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.common.notify.notification import Notification
from controller.common.texts.catalogue import catalogue
from controller.floor.pit.chip_copies import Copy
from controller.floor.pit.floor import COPY_SHOWN_S
from controller.floor.pit.inbox import Message
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store, irregularities_of
from controller.floor.pit.store_writer import FloorUpdate, StoreWriter
from controller.floor.uplink import wire
from tests.display.conftest import browser, page, screen
from tests.pit.published_tables import Table
from tests.pit.served import Served
from tests.pit.test_chip_copies import UID, chips, utc
from tests.pit.test_wire import pit
from tests.uplink.broker import soon

__all__ = ["browser", "page", "screen"]


def received(table: str, here: dict[str, float], left: dict[str, float]) -> Message:
    return Message(wire.topic(table, "chips"), wire.packed(chips(table, here, left)))


@pytest.mark.serial
def test_a_copied_chip_is_logged_and_stored_once_and_shown(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url, shown = str(tmp_path / "pit.db"), list[FloorUpdate]()
    writer = StoreWriter(
        pit("pit-1", None), lambda: Store(open_database(url, writing=True)), lambda _have: None, shown.append
    )
    writer.receive(received("CC-01", {UID: 0}, {}))
    writer.receive(received("CC-01", {}, {UID: 10}))
    for _ in range(3):
        writer.receive(received("CC-02", {UID: 3.5}, {}))
    writer.start()
    soon(lambda: writer.inbox.oldest() is None and bool(shown))
    writer.stop()
    assert shown == [Copy(UID, ("CC-01", "CC-02"), utc(3.5))]
    assert [record.__dict__["event"] for record in caplog.records if record.levelno == logging.WARNING] == [
        "copied_chip"
    ]
    with closing(open_database(url, writing=False)) as database:
        (trouble,) = irregularities_of(database, 10)
    assert (trouble.table, trouble.kind) == ("CC-02", "copied_chip") and UID in trouble.words


@pytest.mark.serial
def test_a_message_with_a_wrong_number_is_refused_without_comparison(tmp_path: Path) -> None:
    shown: list[FloorUpdate] = []
    writer = StoreWriter(
        pit("pit-1", None), lambda: Store(open_database(str(tmp_path / "pit.db"), writing=True)),
        lambda _have: None, shown.append,
    )  # fmt: skip
    bad = wire.packed(chips("CC-02", {UID: 3.5})).replace(UID.encode(), b"KH")
    writer.receive(received("CC-01", {}, {UID: 10}))
    writer.receive(Message(wire.topic("CC-02", "chips"), bad))
    writer.start()
    soon(lambda: writer.counts.refused == 1)
    writer.stop()
    assert not shown
    assert writer.counts.by_reason["CC-02", "chips_form"] == 1


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "es"])
def test_both_tables_show_a_copied_chip_for_a_quarter_of_an_hour(
    page: Page, served: Served, language: str
) -> None:
    tables = [Table("CC-01"), Table("CC-02"), Table("CC-03")]
    for table in tables:
        table.phases("betting")
    served.receive(*tables)
    served.do(partial(served.floor.copied, Copy(UID, ("CC-01", "CC-03"), "2026-11-22T20:09:00.000Z")))
    page.goto(f"{served.url}?lang={language}")
    words = catalogue(language).texts["pit"]
    expect(page.locator('.tile[data-need="copy"] .name')).to_have_text(["CC-01", "CC-03"])
    expect(page.locator('.tile[data-need="copy"] .need').first).to_have_text(words["needs"]["copy"])
    expect(page.locator('.tile[data-need="copy"] .wrong').first).to_contain_text("CC-03")
    assert UID not in page.content()
    assert served.floor.reasons().keys() == {("CC-01", "copy"), ("CC-03", "copy")}
    text = Notification("1", "2026-11-22T20:09:00.000Z", "pit-1", "CC-01", "copy").text(language)
    assert text.startswith("CC-01: ")
    for table in tables:
        served.wait(COPY_SHOWN_S)
        served.set_state(table.state())
    expect(page.locator('.tile[data-need="copy"]')).to_have_count(0)
