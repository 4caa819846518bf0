"""If the first store was replaced or removed, the pit acknowledges no event and uses no other store for its
pages and audit trail; it goes on once the first store is back.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest

from controller.floor.pit.audit.recorder import Recorder
from controller.floor.pit.audit.trail import newest
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store, Trouble
from tests.pit.postgres import Postgres
from tests.pit.published_tables import AT, Table
from tests.pit.stored import Service, play, quick, serving
from tests.uplink.broker import soon

__all__ = ["quick"]
pytestmark = pytest.mark.serial
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
    """Move the store's folder away and create another store in its place; return the new path of the first
    one."""
    away = folder.rename(folder.with_name("away"))
    folder.mkdir()
    with closing(Store(open_database(str(folder / "pit.db"), writing=True))) as store:
        store.note(Trouble(AT, "CC-99", "limit", "of the other store"))
    return away


def copied_store(folder: Path) -> Path:
    """Move the store's folder away and put a copy with the same identity in its place; return the new path of
    the first one."""
    away = folder.rename(folder.with_name("away"))
    shutil.copytree(away, folder)
    return away


def no_store(folder: Path) -> Path:
    """Move the store's folder away and put an empty folder in its place; return the new path of the first
    one."""
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
