"""A writer and the pages of a pit on a store, without a broker, and rounds for it to store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from time import monotonic

import pytest

from controller.floor.pit import sqlite as sqlite_
from controller.floor.pit import store_writer as writer_
from controller.floor.pit.app import make_app
from controller.floor.pit.figures import Shifts
from controller.floor.pit.floor import PitFloor
from controller.floor.pit.inbox import Inbox, Message
from controller.floor.pit.opening import open_database
from controller.floor.pit.pages import PageSources
from controller.floor.pit.store import Store, events_of
from controller.floor.pit.store_writer import StoreWriter
from controller.floor.uplink import wire
from tests.pit.published_tables import Table, pit
from tests.pit.test_one_bad_message import get_page
from tests.serving import Serving
from tests.uplink.broker import soon

MAX_TABLE_BYTES = 200_000


class Service:
    """A writer and the pages of a pit, without a broker. Every acknowledgement is compared with the store."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.acknowledged, self.early = 0, 0
        """Number of the last acknowledged event; number of acknowledgements of events that are not stored."""
        opened = lambda: Store(open_database(url, writing=True))  # noqa: E731
        self.writer = StoreWriter(replace(pit(), now=monotonic), opened, self._answer, lambda _shown: None)
        self.writer.inbox = Inbox(2 * MAX_TABLE_BYTES, MAX_TABLE_BYTES)
        self.floor = PitFloor(monotonic, lambda: 0.0)
        sources = PageSources(
            self.floor, self.writer.open_reader, self.writer.counts, "UTC", Shifts(),
            lambda: "2026-11-22T21:00:00.000Z", lambda: 0,
            faults=self.writer.faults, inbox=self.writer.waiting,
        )  # fmt: skip
        self._pages = Serving(make_app(sources))
        self.writer.start()

    def stop(self) -> None:
        self.writer.stop()
        self._pages.stop()

    def _answer(self, have: wire.Have) -> None:
        with closing(open_database(self._url, writing=False)) as database:
            stored = len(events_of(database, have.table, have.stream))
        self.early += have.upto > stored
        self.acknowledged = have.upto

    def send(self, table: Table, first: int = 0) -> None:
        for payload in table.payloads[first:]:
            self.writer.receive(Message(table.topic, payload))

    def resend(self, table: Table) -> None:
        """Send all unacknowledged events again if the inbox is empty, as the table's uplink does."""
        if not len(self.writer.inbox):
            self.send(table, self.acknowledged)

    def get_page(self, path: str) -> tuple[int, str]:
        return get_page(self._pages.port, path)

    def metric(self, name: str) -> float:
        lines = self.get_page("/metrics")[1].splitlines()
        return next(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name} "))

    def stored(self, table: Table) -> list[bytes]:
        with closing(open_database(self._url, writing=False)) as database:
            return [each.body.encode() for each in events_of(database, table.name, table.stream)]

    def catches_up(self, table: Table) -> None:
        """Wait until everything is stored. Also checks that the store has the table's events and that none
        was acknowledged before it was stored."""

        def done() -> bool:
            self.resend(table)
            return self.acknowledged == len(table.payloads)

        soon(done, "not everything is stored")
        assert self.stored(table) == table.payloads
        assert self.early == 0, "an event was acknowledged that is not stored"
        assert self.get_page("/readyz") == (200, "writer: ok\nstore: ok\n")


@contextmanager
def serving(url: str) -> Iterator[Service]:
    service = Service(url)
    try:
        yield service
    finally:
        service.stop()


def play(table: Table, rounds: int) -> Table:
    for _ in range(rounds):
        table.play(wrong=("overpaid",) * 8)
    return table


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the timeouts of the pit and its store to a fraction of a second."""
    monkeypatch.setattr(writer_, "STORE_RETRY_S", 0.05)
    monkeypatch.setattr(writer_, "STALLED_S", 0.1)
    monkeypatch.setattr(writer_, "IDLE_CHECK_S", 0.05)
    monkeypatch.setattr(sqlite_, "BUSY_S", 0.1)
