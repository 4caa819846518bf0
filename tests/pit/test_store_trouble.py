"""While a store is full or does not answer, the pit acknowledges no unstored event and limits the waiting
data.

`/readyz` and the metrics name the store, and the pit recovers by itself.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial

import pytest

from controller.floor.pit.database import Database
from controller.floor.pit.inbox import Message
from controller.floor.pit.opening import open_database
from controller.floor.pit.sqlite import SQLite
from controller.floor.pit.store import Store
from tests.pit.postgres import BY, Postgres
from tests.pit.published_tables import Table
from tests.pit.small_disk import SmallDisk, reason, small_disk
from tests.pit.stored import MAX_TABLE_BYTES, Service, play, quick, serving
from tests.uplink.broker import soon

__all__ = ["quick"]
pytestmark = pytest.mark.serial
ROOM = 96 * 1024


# ------------------------------------------------------------------ a disk that is full


@pytest.fixture
def small(request: pytest.FixtureRequest) -> Iterator[tuple[str, SmallDisk]]:
    """Return the URL of an empty store on a small disk, and the disk."""
    if request.param == "sqlite":
        with small_disk(6) as disk:
            yield str(disk.at / "pit.db"), disk
        return
    server: Postgres = request.getfixturevalue("postgres")
    with small_disk(12, BY) as disk, closing(open_database(server.url, writing=False)) as database:
        database.rows(f"CREATE TABLESPACE small LOCATION '{disk.at}'")
        database.rows(f"ALTER ROLE {BY} SET default_tablespace = small")
        try:
            yield server.url, disk
        finally:
            database.rows(f"ALTER ROLE {BY} RESET default_tablespace")
            database.rows("DROP SCHEMA public CASCADE")
            database.rows("CREATE SCHEMA public")
            database.rows("DROP TABLESPACE small")


@pytest.mark.skipif(bool(reason()), reason=reason())
@pytest.mark.parametrize("small", ["sqlite", "postgresql"], indirect=True)
def test_on_a_full_disk_no_unstored_event_is_acknowledged_and_work_resumes_with_room(
    small: tuple[str, SmallDisk], quick: None, caplog: pytest.LogCaptureFixture
) -> None:
    url, disk = small
    table = play(Table(), 1)
    with serving(url) as service:
        service.send(table)
        service.catches_up(table)
        disk.fill(ROOM)
        play(table, 40)

        def is_full() -> bool:
            service.resend(table)
            return service.get_page("/readyz")[1] == "writer: ok\nstore: cannot be written\n"

        soon(is_full)
        assert service.get_page("/readyz")[0] == 503 and service.get_page("/healthz")[0] == 200
        assert service.metric('crisscross_pit_ready{part="store"}') == 0
        assert service.metric("crisscross_pit_store_failures_total") > 0
        for _ in range(20):
            service.send(table, service.acknowledged)
            assert service.get_page("/readyz")[0] == 503, "it does not change to and fro"
        assert service.metric("crisscross_pit_queue_bytes") <= MAX_TABLE_BYTES
        assert service.stored(table) == table.payloads[: service.acknowledged]
        disk.empty()
        service.catches_up(table)
    lines = [each for each in caplog.messages if "nothing more is taken until it can be written" in each]
    assert 1 <= len(lines) <= 4, "a line for each fault, not for each attempt"


# ------------------------------------------------------------------ a stopped store


@pytest.fixture
def stopped(request: pytest.FixtureRequest, url: str) -> Callable[[], Callable[[], None]]:
    """Return a function that stops the store and returns one that resumes it."""

    def pause_server() -> Callable[[], None]:
        server: Postgres = request.getfixturevalue("postgres")
        processes = server.pause()
        return lambda: server.resume(processes)

    def lock_file() -> Callable[[], None]:
        other = sqlite3.connect(url, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        return other.close

    return pause_server if url.startswith("postgresql") else lock_file


def test_waiting_events_are_bounded_and_kept_while_the_store_does_not_answer(
    url: str, stopped: Callable[[], Callable[[], None]], quick: None
) -> None:
    table = play(Table(), 1)
    pages: list[threading.Thread] = []
    with serving(url) as service:
        service.send(table)
        service.catches_up(table)
        go_on = stopped()
        try:
            play(table, 40)
            service.send(table, service.acknowledged)
            assert sum(map(len, table.payloads)) > 1.5 * MAX_TABLE_BYTES
            soon(lambda: service.get_page("/readyz")[0] == 503)
            assert service.get_page("/readyz")[1].startswith("writer: ok\nstore: ")
            pages = [threading.Thread(target=read, args=(service, "/api/refused")) for _ in range(8)]
            for each in pages:
                each.start()
            assert service.metric("crisscross_pit_queue_bytes") <= MAX_TABLE_BYTES
            assert service.metric("crisscross_pit_payloads_dropped_total") > 0
            assert service.metric("crisscross_pit_oldest_unanswered_seconds") > 0
            assert service.get_page("/healthz")[0] == 200
        finally:
            go_on()
        service.catches_up(table)
        for each in pages:
            each.join(20)


def read(service: Service, path: str) -> None:
    """Open a page of past events, which waits for the store."""
    with suppress(OSError):
        service.get_page(path)


# ------------------------------------------------------------------ messages that the store refuses


def test_messages_that_cannot_be_written_twice_are_reported_and_counted(url: str, quick: None) -> None:
    """A trigger of the database refuses the events of one table while the store itself works."""
    bad, good = play(Table("CC-01"), 1), play(Table("CC-02", "cd" * 16), 1)
    with (
        closing(Store(open_database(url, writing=True))),
        closing(open_database(url, writing=False)) as other,
    ):
        refuse_events(other, bad.name)
    done: list[str] = []
    with serving(url) as service:
        for table in (bad, good):
            for payload in table.payloads:
                service.writer.receive(Message(table.topic, payload, (), partial(done.append, table.name)))
        soon(lambda: len(done) == len(bad.payloads) + len(good.payloads))
        assert (service.stored(bad), service.stored(good)) == ([], good.payloads)
        assert service.metric("crisscross_pit_payloads_dropped_total") == len(bad.payloads)
        assert f'table="CC-01",reason="unwritten"}} {len(bad.payloads)}' in service.get_page("/metrics")[1]
        assert service.get_page("/readyz") == (200, "writer: ok\nstore: ok\n")


def refuse_events(database: Database, table: str) -> None:
    """Let the database refuse the events of one table."""
    if isinstance(database, SQLite):
        database.rows(f"""CREATE TRIGGER refused BEFORE INSERT ON events WHEN NEW.name = '{table}'
          BEGIN SELECT RAISE(ABORT, 'refused'); END""")
    else:
        database.rows(f"ALTER TABLE events ADD CONSTRAINT refused CHECK (name <> '{table}')")
