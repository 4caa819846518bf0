"""A store of an earlier version is copied and upgraded completely; a downgrade by one version makes it
readable by the former program.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.tlog.merkle import Frontier
from controller.floor.pit import schema
from controller.floor.pit.audit.trail import AuditEntry, append_entries, verified
from controller.floor.pit.database import Database, StoreError
from controller.floor.pit.ingest import Intake
from controller.floor.pit.opening import open_database
from controller.floor.pit.round_queries import ended
from controller.floor.pit.sqlite import SQLite
from controller.floor.pit.store import Store, accept
from controller.floor.uplink import stream_names, wire
from tests.pit.older import (
    CURRENT,
    FORMER,
    WITH_FORMER,
    former_program,
    store_by_former,
    written_by_version_2,
)
from tests.pit.published_tables import Table, sums_between
from tests.pit.test_streams import AT, JOURNAL, bare, joined, rooted, take
from tests.pit.with_figures import taking

pytestmark = pytest.mark.serial
EVENTS = "SELECT name, stream, sequence, kind, at, round, body FROM events ORDER BY 1, 2, 3"
COLUMNS = """SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
  WHERE table_schema = 'public' AND left(table_name, 8) <> 'version_' ORDER BY 1, 2"""
INDEXES = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND left(tablename, 8) <> 'version_'"


@pytest.fixture
def version_2(url: str) -> str:
    written_by_version_2(url)
    return url


def back_to_version_2(database: Database) -> None:
    while schema.version_of(database) > 2:
        schema.downgrade(database)


def layout(database: Database) -> list[str]:
    """Return every table with its columns, and every index, without the audit trail and the identity, which
    a downgrade keeps."""
    if isinstance(database, SQLite):
        rows = database.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    else:
        rows = [*database.rows(COLUMNS), *database.rows(INDEXES)]
    return sorted(" ".join(str(row).split()) for row in rows if not re.search("audit|identity", str(row)))


def test_a_store_of_version_2_is_copied_and_upgraded_completely(version_2: str) -> None:
    with closing(open_database(version_2, writing=False)) as before:
        events = before.rows("SELECT name, stream, sequence, body FROM events ORDER BY 1, 2, 3")
        figures = sums_between(before, "2026", "2027")
        with pytest.raises(StoreError, match="start crisscross pit once"):
            schema.check_version(before)
    with closing(Store(open_database(version_2, writing=True))) as store:
        assert schema.version_of(store._db) == schema.SCHEMA_VERSION
        after = store._db.rows("SELECT name, stream, sequence, body FROM events ORDER BY 1, 2, 3")
        assert (after, sums_between(store._db, "2026", "2027")) == (events, figures)
        bodies = [str(body).encode() for name, stream, _, body in events if stream == FORMER]
        assert store.former["CC-01", FORMER].tree == Frontier.of([wire.leaf_of(each) for each in bodies])
        (now, before_) = ended(
            store._db, "CC-01", {"do": "round", "number": 1, "language": "en"}, "UTC"
        )["choices"]  # fmt: skip
        assert [now["stream"], before_["stream"]] == [CURRENT, FORMER]
    if "://" not in version_2:
        copied = Path(f"{version_2}.version-2")
        with closing(sqlite3.connect(copied)) as copy:
            assert copy.execute("SELECT number FROM version").fetchone() == (2,)
            assert copy.execute("SELECT count(*) FROM events").fetchone() == (len(events),)


def test_figures_counted_by_version_2_are_removed_with_their_events(version_2: str) -> None:
    """Version 2 did not store the contribution of each event to the figures, so it is computed again."""
    with closing(Store(open_database(version_2, writing=True))) as store:
        intake = Intake(store, "UTC", lambda: AT, {})
        (wagered,) = (a for n, _, d, w, a in sums_between(store._db, "2026", "2027")
                      if (n, d, w) == ("CC-01", "0088", "wagered"))  # fmt: skip
        new = Table(stream=stream_names.stream_of(CURRENT, b"\x02" * 32, 3))
        new.play(dealer="0088")
        accept(store._db, "CC-01", new.stream, AT, "Ana", "restored")
        take(intake, rooted(new))
        found = {
            w: a for n, _, d, w, a in sums_between(store._db, "2026", "2027") if (n, d) == ("CC-01", "0088")
        }
        assert (found["rounds"], found["wagered"]) == (1, wagered)


@pytest.mark.parametrize("former", [False, pytest.param(True, marks=WITH_FORMER)])
def test_after_a_downgrade_the_former_program_can_use_the_store(
    version_2: str, former: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_database(version_2, writing=False)) as database:
        before, events = layout(database), database.rows(EVENTS)
        figures = sums_between(database, "2026", "2027")
    table = Table("CC-09", "cd" * 16)
    table.play()
    with closing(Store(open_database(version_2, writing=True))) as store:
        take(taking(store), rooted(table))
        since = store._db.rows(EVENTS)
        with_new = sums_between(store._db, "2026", "2027")
    assert [main(["pit", "downgrade", "--store", version_2]) for _ in range(schema.SCHEMA_VERSION - 2)] == [
        0,
        0,
    ]
    assert "the store is of version 2 now; start the former program" in capsys.readouterr().out
    with closing(open_database(version_2, writing=False)) as database:
        assert (layout(database), schema.version_of(database)) == (before, 2)
        assert (database.rows(EVENTS), sums_between(database, "2026", "2027")) == (since, with_new)
        assert set(events) < set(since) and {*figures} < {*with_new}, (
            "nothing from before the upgrade differs"
        )
    known = len(table.payloads)
    table.play()
    if not former:
        return
    former_program(tmp_path / "former")
    new = len(table.payloads) - known
    assert store_by_former(tmp_path / "former", version_2, "CC-09", table.payloads) == [
        new, len(table.payloads),
    ]  # fmt: skip
    with closing(Store(open_database(version_2, writing=True))) as store:
        assert [each.body.encode() for each in store.events("CC-09", table.stream)] == table.payloads
        assert len(taking(store).take(bare(table)).stored) == 0


def test_a_downgrade_keeps_a_copy_of_the_store_as_it_was(version_2: str) -> None:
    with closing(Store(open_database(version_2, writing=True))) as store:
        events = store._db.rows("SELECT * FROM events ORDER BY 1, 2, 3")
        place = schema.downgrade(store._db)
    copied = f"version_{schema.SCHEMA_VERSION}_"
    if "://" in version_2:
        with closing(open_database(version_2, writing=False)) as database:
            assert database.rows("SELECT * FROM " + copied + "events ORDER BY 1, 2, 3") == events  # noqa: S608  # of the test
            assert database.rows("SELECT number FROM " + copied + "version") == [(schema.SCHEMA_VERSION,)]  # noqa: S608  # of the test
        return
    with closing(open_database(place, writing=False)) as copy:
        schema.check_version(copy)
        assert copy.rows("SELECT * FROM events ORDER BY 1, 2, 3") == events


def test_a_store_with_former_streams_is_upgraded_from_every_version(version_2: str) -> None:
    for version in range(2, schema.SCHEMA_VERSION):
        with closing(Store(open_database(version_2, writing=True))) as store:
            while schema.version_of(store._db) > version:
                schema.downgrade(store._db)
        with closing(Store(open_database(version_2, writing=True))) as store:
            assert list(store.former) == [("CC-01", FORMER)]


def test_a_second_upgrade_makes_a_new_copy(version_2: str) -> None:
    for _ in range(2):
        with closing(Store(open_database(version_2, writing=True))) as store:
            back_to_version_2(store._db)
            store._db.rows("UPDATE tables SET picture = '{}' WHERE name = 'CC-02'")
    with closing(Store(open_database(version_2, writing=True))) as store:
        query = "SELECT picture FROM {}tables WHERE name = 'CC-02'"
        if "://" in version_2:
            assert store._db.rows(query.format("version_2_")) == [("{}",)]
            return
    with closing(sqlite3.connect(f"{version_2}.version-2")) as copy:
        assert copy.execute(query.format("")).fetchall() == [("{}",)]


def test_a_downgrade_is_refused_under_a_running_pit_or_with_joined_rounds(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Store(open_database(url, writing=True))) as store:
        joined(taking(store), store)
        assert main(["pit", "downgrade", "--store", url]) == 1
        assert "another pit writes to it; end that" in capsys.readouterr().err
    assert [main(["pit", "downgrade", "--store", url]) for _ in range(2)] == [0, 1]
    line = capsys.readouterr().err
    assert f"events of stream {JOURNAL} of table CC-01 have left the figures" in line
    with closing(open_database(url, writing=False)) as database:
        assert schema.version_of(database) == 3


def test_every_later_version_has_its_downgrade() -> None:
    later = list(range(2, schema.SCHEMA_VERSION + 1))
    assert [number + 1 for number in schema.UPGRADES] == later == sorted(schema.DOWNGRADES)
    assert {*schema.PREVENTED} <= {*later}


def test_an_empty_store_can_be_downgraded_and_upgraded_step_by_step(url: str) -> None:
    with closing(open_database(url, writing=True)) as database:
        schema.create_or_upgrade(database)
        entry = AuditEntry(AT, "ana", "192.0.2.1", "sign_in", "read")
        append_entries(database, entry)
        layouts = {}
        while (number := schema.version_of(database)) > 1:
            layouts[number] = layout(database)
            schema.downgrade(database)
        with pytest.raises(StoreError, match="is of version 1, the first one"):
            schema.downgrade(database)
        schema.create_or_upgrade(database)
        assert layout(database) == layouts.pop(schema.SCHEMA_VERSION)
        assert [each.entry for each in verified(database)] == [entry], "no downgrade deletes an entry"
        while (number := schema.version_of(database)) > 2:
            schema.downgrade(database)
            assert layout(database) == layouts[number - 1]


def test_a_store_with_dropped_events_cannot_go_back_to_the_first_version(url: str) -> None:
    with closing(open_database(url, writing=True)) as database:
        schema.create_or_upgrade(database)
        database.each("INSERT INTO dropped VALUES (?, ?, ?, ?, ?)", [("CC-01", JOURNAL, "0", 3, AT)])
        back_to_version_2(database)
        with pytest.raises(StoreError, match="of table CC-01 were dropped"):
            schema.downgrade(database)
        assert schema.version_of(database) == 2
