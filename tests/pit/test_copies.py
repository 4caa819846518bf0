"""A copy of a store is consistent and verified, can be restored into either kind of database, and gets later
events from the tables.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from controller.cli import main
from controller.floor.pit import copies
from controller.floor.pit.copies import TABLES, backup, restore_copy, verify_copy
from controller.floor.pit.database import Database, StoreError, StoreReplaced
from controller.floor.pit.opening import open_database
from controller.floor.pit.retention import drop_before
from controller.floor.pit.schema import check_version
from controller.floor.pit.store import Store, accept, events_of
from tests.pit.postgres import Postgres
from tests.pit.published_tables import BEGIN, Table
from tests.pit.test_streams import AT, JOURNAL, rooted, two_histories
from tests.pit.with_figures import store, taking

__all__ = ["store"]

pytestmark = pytest.mark.serial


def played(rounds: int, name: str = "CC-01", stream: str = JOURNAL) -> Table:
    table = Table(name, stream)
    for _ in range(rounds):
        table.play()
    return table


def contents(url: str) -> dict[str, list[tuple[object, ...]]]:
    with closing(open_database(url, writing=False)) as database, database.snapshot():
        read = {
            table: [
                row
                for rows in database.batches(f"SELECT * FROM {table}")  # noqa: S608  # one of TABLES
                for row in rows
            ]
            for table in TABLES
        }
    return {table: sorted(rows, key=repr) for table, rows in read.items()}


def test_a_copy_of_a_writing_pit_is_complete_and_restorable_into_either_kind(
    store: Store, url: str, tmp_path: Path
) -> None:
    one, other, _ = two_histories()
    intake = taking(store)
    intake.take([*rooted(one), *rooted(played(2, "CC-02", "cc" * 16))])
    intake.take(rooted(other))
    accept(store._db, "CC-03", "dd" * 16, AT, "Ana", "new")
    copy = tmp_path / "copy.db"
    lines = backup(url, copy)
    assert [line.partition(":")[0] for line in lines] == [
        f"table CC-01, stream {JOURNAL}", f"table CC-02, stream {'cc' * 16}",
    ]  # fmt: skip
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"]
    before = contents(url)
    assert contents(str(copy)) == before
    intake.take(rooted(played(3, "CC-02", "cc" * 16), 20))
    restore_copy(copy, str(tmp_path / "back.db"))
    assert contents(str(tmp_path / "back.db")) == before


def test_an_old_restored_copy_is_brought_up_to_date_by_the_tables(
    store: Store, url: str, tmp_path: Path
) -> None:
    """The restored store then equals that of a pit that was never replaced."""
    table = played(2)
    taking(store).take(rooted(table))
    backup(url, tmp_path / "copy.db")
    table.play()
    taking(store).take(rooted(table, store.tables["CC-01"].upto))
    restore_copy(tmp_path / "copy.db", str(tmp_path / "old.db"))
    with closing(Store(open_database(str(tmp_path / "old.db"), writing=True))) as old:
        intake, payloads = taking(old), rooted(table)
        upto = old.tables["CC-01"].upto
        assert 0 < upto < len(payloads)
        assert len(intake.take(payloads[upto:]).stored) == len(payloads) - upto
        assert old.tables == store.tables
    for what in ("sums", "events"):
        assert contents(str(tmp_path / "old.db"))[what] == contents(url)[what]


def test_a_copy_can_be_restored_into_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    place, copy = str(tmp_path / "pit.db"), tmp_path / "copy.db"
    with closing(Store(open_database(place, writing=True))) as store:
        store.clock("UTC", "UTC")
        taking(store).take(rooted(played(2)))
    backup(place, copy)
    try:
        restore_copy(copy, postgres.url)
        assert contents(postgres.url) == contents(place)
        with pytest.raises(StoreError, match="has a pit's tables already; name an empty one"):
            restore_copy(copy, postgres.url)
    finally:
        with closing(open_database(postgres.url, writing=False)) as database:
            database.rows("DROP SCHEMA public CASCADE")
            database.rows("CREATE SCHEMA public")


def test_a_copy_without_its_old_events_leads_to_the_same_root(store: Store, url: str, tmp_path: Path) -> None:
    table = played(6)
    taking(store).take(rooted(table))
    root = store.tables["CC-01"].tree.root()
    while drop_before(
        store._db, "CC-01", JOURNAL, (BEGIN + timedelta(milliseconds=table.ms // 2)).timestamp()
    ):
        pass
    (line,) = backup(url, tmp_path / "copy.db")
    assert f"root {root.hex()[:16]}" in line and "events 1 " not in line


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (
            "UPDATE events SET body = REPLACE(body, '1000', '9000') WHERE kind = 'bet'",
            "do not lead to the root",
        ),
        ("DELETE FROM events WHERE sequence = 3", "an event is missing"),
        ("DELETE FROM events WHERE sequence > 5", "do not lead to the root"),
    ],
)
def test_a_changed_copy_is_refused_naming_table_and_stream(
    tmp_path: Path, statement: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place, copy = str(tmp_path / "pit.db"), tmp_path / "copy.db"
    with closing(Store(open_database(place, writing=True))) as store:
        store.clock("UTC", "UTC")
        taking(store).take(rooted(played(1)))
        assert main(["pit", "backup", str(copy), "--store", place]) == 0
    assert main(["pit", "verify", str(copy)]) == 0
    with closing(sqlite3.connect(copy)) as changed, changed:
        changed.execute(statement)
    assert main(["pit", "verify", str(copy)]) == 1
    line = capsys.readouterr().err
    assert f"table CC-01, stream {JOURNAL}: " in line and message in line and line.count("\n") == 1
    assert main(["pit", "restore", str(copy), "--store", str(tmp_path / "new.db")]) == 1
    assert not (tmp_path / "new.db").exists()


def test_a_copy_of_a_store_that_was_replaced_meanwhile_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = tmp_path / "pit.db", tmp_path / "copy.db"
    Store(open_database(str(path), writing=True)).close()

    def exchanged(database: Database) -> None:
        check_version(database)
        path.rename(tmp_path / "away.db")

    monkeypatch.setattr(copies, "check_version", exchanged)
    with pytest.raises(StoreReplaced, match="deleted, moved, replaced"):
        backup(str(path), copy)
    assert not copy.exists()


def test_a_restore_overwrites_no_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, copy = str(tmp_path / "pit.db"), tmp_path / "copy.db"
    with closing(Store(open_database(place, writing=True))) as store:
        store.clock("UTC", "UTC")
    assert main(["pit", "backup", str(copy), "--store", place]) == 0
    assert main(["pit", "backup", str(copy), "--store", place]) == 1
    assert main(["pit", "restore", str(copy), "--store", place]) == 1
    assert main(["pit", "restore", str(tmp_path / "none"), "--store", place]) == 1
    assert main(["pit", "backup", str(tmp_path / "no/copy.db"), "--store", place]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[2] for line in lines][:3] == [
        "is there already; name another file", "is there already; move it away, or name another file",
        "is no file; allowed: a copy by crisscross pit backup",
    ]  # fmt: skip
    (entry,) = verify_copy(copy)
    assert entry.startswith("audit: entries 1 to 1, ")
    with closing(open_database(place, writing=False)) as database:
        assert events_of(database, "CC-01", JOURNAL) == []
