"""A store that is full or does not answer: no unstored event is acknowledged, waiting data is bounded,
`/readyz` and the metrics name the store, and the pit recovers by itself.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

import pytest

from controller.floor.pit import sqlite as sqlite_
from controller.floor.pit import store_writer as writer_
from controller.floor.pit.app import make_app
from controller.floor.pit.audit.recorder import Recorder
from controller.floor.pit.audit.trail import newest
from controller.floor.pit.database import Database
from controller.floor.pit.figures import Shifts
from controller.floor.pit.floor import PitFloor
from controller.floor.pit.inbox import Inbox, Message
from controller.floor.pit.opening import open_database
from controller.floor.pit.pages import PageSources
from controller.floor.pit.sqlite import SQLite
from controller.floor.pit.store import Store, Trouble, events_of
from controller.floor.pit.store_writer import StoreWriter
from controller.floor.uplink import wire
from tests.pit.postgres import BY, Postgres
from tests.pit.published_tables import AT, Table, pit
from tests.pit.small_disk import SmallDisk, reason, small_disk
from tests.pit.test_one_bad_message import get_page
from tests.serving import Serving
from tests.uplink.broker import soon

pytestmark = pytest.mark.serial
MAX_TABLE_BYTES, ROOM = 200_000, 96 * 1024


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
        """Send unacknowledged events once none waits, as the table's uplink does."""
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
        """Wait until everything is stored."""

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
    """Timeouts of a fraction of a second."""
    monkeypatch.setattr(writer_, "STORE_RETRY_S", 0.05)
    monkeypatch.setattr(writer_, "STALLED_S", 0.1)
    monkeypatch.setattr(writer_, "IDLE_CHECK_S", 0.05)
    monkeypatch.setattr(sqlite_, "BUSY_S", 0.1)


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


# ------------------------------------------------------------------ a store that is not there any more

REPLACED = (503, "writer: ok\nstore: was deleted, moved or replaced\n")


@pytest.fixture
def running(tmp_path: Path, quick: None) -> Iterator[tuple[Service, Path, Table]]:
    """Yield a pit with a store in a folder of its own, the folder, and a table with a stored round."""
    folder, table = tmp_path / "disk", play(Table(), 1)
    folder.mkdir()
    with serving(str(folder / "pit.db")) as service:
        service.send(table)
        service.catches_up(table)
        yield service, folder, table


def other_store(folder: Path) -> Path:
    """Move the store away and create another one in its place; return the place of the first."""
    away = folder.rename(folder.with_name("away"))
    folder.mkdir()
    with closing(Store(open_database(str(folder / "pit.db"), writing=True))) as store:
        store.note(Trouble(AT, "CC-99", "limit", "of the other store"))
    return away


def copied_store(folder: Path) -> Path:
    """Move the store away and put a copy with the same identity in its place; return the place of the
    first."""
    away = folder.rename(folder.with_name("away"))
    shutil.copytree(away, folder)
    return away


def no_store(folder: Path) -> Path:
    """Move the store away; return its place."""
    away = folder.rename(folder.with_name("away"))
    folder.mkdir()
    return away


@pytest.mark.parametrize("exchange", [other_store, copied_store, no_store])
def test_pages_and_audit_trail_use_no_other_store_in_the_place_of_the_first(
    running: tuple[Service, Path, Table], exchange: Callable[[Path], Path]
) -> None:
    service, folder, _ = running
    recorder = Recorder(lambda: AT, monotonic)
    away = exchange(folder)
    recorder.start(service.writer.open_reader)
    try:
        recorder.record("ana", "192.0.2.7", "sign_in", "read")
        status, answer = service.get_page("/api/refused")
        assert status == 503 and "was deleted, moved, replaced or unmounted; put it back" in answer
        soon(lambda: recorder.faults() == {"audit": "was deleted, moved or replaced"})
        if exchange is other_store:
            with closing(open_database(str(folder / "pit.db"), writing=False)) as database:
                assert newest(database, 9) == []
        folder.rename(folder.with_name("former"))
        away.rename(folder)
        soon(lambda: recorder.faults() == {"audit": ""})
        assert service.get_page("/api/refused") == (200, '{"refused":[]}')
        with closing(service.writer.open_reader()) as database:
            assert [each.entry.who for each in newest(database, 9)] == ["ana"]
    finally:
        recorder.stop()


@pytest.mark.parametrize("files", ["pit.db*", "pit.db-wal"])
def test_events_in_a_deleted_file_are_not_acknowledged(
    running: tuple[Service, Path, Table], files: str
) -> None:
    service, folder, table = running
    upto = service.acknowledged
    for each in folder.glob(files):
        each.unlink()
    play(table, 1)
    service.send(table, upto)
    soon(lambda: service.get_page("/readyz") == REPLACED)
    assert service.acknowledged == upto
    assert service.get_page("/readyz") == REPLACED, "no store is created in its place"


def test_an_idle_pit_notices_that_its_store_was_moved_and_goes_on_when_it_is_back(
    running: tuple[Service, Path, Table], caplog: pytest.LogCaptureFixture
) -> None:
    service, folder, table = running
    away = folder.rename(folder.with_name("away"))
    folder.mkdir()
    soon(lambda: service.get_page("/readyz") == REPLACED)
    play(table, 1)
    service.send(table, service.acknowledged)
    assert list(folder.glob("pit.db")) == []
    for each in away.iterdir():
        each.replace(folder / each.name)
    service.catches_up(table)
    lines = [each for each in caplog.messages if "it was deleted, moved, replaced or unmounted" in each]
    assert 1 <= len(lines) <= 2 and "put it back, or restart the pit" in lines[0]


def test_another_store_in_the_place_of_the_first_is_refused(running: tuple[Service, Path, Table]) -> None:
    service, folder, table = running
    upto = service.acknowledged
    away = folder.rename(folder.with_name("away"))
    folder.mkdir()
    place = str(folder / "pit.db")
    Store(open_database(place, writing=True)).close()
    play(table, 1)
    service.send(table, upto)
    soon(lambda: service.get_page("/readyz") == REPLACED)
    assert (service.stored(table), service.acknowledged) == ([], upto)
    folder.rename(folder.with_name("other"))
    away.rename(folder)
    service.catches_up(table)


def test_a_database_whose_tables_were_made_anew_is_refused(postgres: Postgres, quick: None) -> None:
    table = play(Table(), 1)
    with serving(postgres.url) as service, closing(open_database(postgres.url, writing=False)) as database:
        try:
            service.send(table)
            service.catches_up(table)
            database.rows("ALTER SCHEMA public RENAME TO away")
            database.rows("CREATE SCHEMA public")
            soon(lambda: service.get_page("/readyz") == REPLACED)
            assert "put it back, or restart the pit" in service.get_page("/api/refused")[1]
            assert database.rows("SELECT to_regclass('public.events')") == [(None,)]
            database.rows("DROP SCHEMA public CASCADE")
            database.rows("ALTER SCHEMA away RENAME TO public")
            play(table, 1)
            service.catches_up(table)
        finally:
            service.writer.stop()
            database.rows("DROP SCHEMA public CASCADE")
            database.rows("CREATE SCHEMA public")


def test_messages_that_cannot_be_written_twice_are_reported_and_counted(url: str, quick: None) -> None:
    """A trigger of the database refuses the events of one table, at which the store itself works."""
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
