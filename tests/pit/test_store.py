"""In both databases the store keeps each event once and in order, writes a batch completely or not at all,
and is written by one pit only.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.common.tlog.merkle import Frontier, leaf_hash
from controller.floor.pit.database import StoreError, StoreTaken, without_password
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import (
    MAX_TROUBLES,
    Store,
    StoredEvent,
    StreamHead,
    Trouble,
    accept,
    events_of,
    irregularities_of,
    load_heads,
    of_kinds,
    of_round,
)
from tests.pit.published_tables import sums_between

pytestmark = pytest.mark.serial
AT = "2026-11-22T20:00:00.000Z"


def event(sequence: int, table: str = "CC-01", stream: str = "a1", what: str = "") -> StoredEvent:
    body = f'{{"data": {{"number": {sequence}, "what": "{what}"}}}}'
    return StoredEvent(table, stream, sequence, "wager", AT, sequence // 3, body)


def keep(
    store: Store, *events: StoredEvent, sums: dict[tuple[str, str, str, str], int] | None = None
) -> None:
    stand = dict(store.tables)
    for each in events:
        tree = stand[each.table].tree if each.table in stand else Frontier()
        stand[each.table] = StreamHead(each.stream, tree.add(leaf_hash(each.body.encode())))
    store.keep(events, stand, sums or {})


def bodies(store: Store, table: str = "CC-01") -> list[int]:
    return [each.sequence for each in events_of(store._db, table, "a1")]


def test_stored_events_are_read_back_complete_and_in_order(store: Store) -> None:
    keep(store, event(1), event(2, what="ñ — ♠"), event(1, "CC-02"))
    assert [each.body for each in events_of(store._db, "CC-01", "a1")] == [
        event(1).body,
        event(2, what="ñ — ♠").body,
    ]
    assert load_heads(store._db) == store.tables
    assert (store.tables["CC-01"].upto, store.tables["CC-02"].upto) == (2, 1)
    assert event(2).data() == {"number": 2, "what": ""}


def test_each_event_has_one_outcome(store: Store) -> None:
    keep(store, event(1), event(2))
    assert store.classify(event(3)) == "new"
    assert store.classify(event(2)) == "duplicate"
    assert store.classify(event(2, what="else")) == "other"
    assert store.classify(event(4)) == "gap"
    assert store.classify(event(3, stream="b2")) == "stranger"
    assert store.classify(event(1, "CC-09")) == "new"
    assert store.classify(event(2, "CC-09")) == "gap"
    assert store.classify(event(4), {"CC-01": StreamHead("a1", Frontier(3, (b"", b"")))}) == "new"


def test_a_batch_with_a_refused_row_is_not_stored(store: Store) -> None:
    keep(store, event(1))
    sums = {("CC-01", "2026-11-22T20", "77", "rounds"): 1}
    with pytest.raises(StoreError):
        keep(store, event(2), event(1, what="doubled"), sums=sums)
    assert bodies(store) == [1]
    assert sums_between(store._db, "2026", "2027") == []
    assert (store.tables, load_heads(store._db)["CC-01"].upto) == (load_heads(store._db), 1)


def test_a_full_disk_is_reported_in_one_line_and_the_batch_is_not_stored(tmp_path: Path) -> None:
    """SQLite's own limit on pages acts like a full disk: it causes the same SQLITE_FULL in the middle of a
    transaction."""
    with closing(Store(open_database(str(tmp_path / "pit.db"), writing=True))) as store:
        keep(store, event(1))
        pages = store._db.rows("PRAGMA page_count")[0][0]
        store._db.rows(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreError, match="the disk is full; make room on it") as caught:
            keep(store, *(event(n, what="x" * 4000) for n in range(2, 20)))
        assert "\n" not in str(caught.value)
        assert (bodies(store), store.tables["CC-01"].upto) == ([1], 1)
        store._db.rows("PRAGMA max_page_count = 1000000")
        keep(store, event(2))
        assert bodies(store) == [1, 2]


def test_sums_add_up(store: Store) -> None:
    key = ("CC-01", "2026-11-22T20", "77", "win")
    keep(store, event(1), sums={key: 500})
    keep(store, event(2), sums={key: -1_200_000_000_000, (*key[:3], "none"): 0})
    assert sums_between(store._db, "2026-11-22T20", "2026-11-22T20") == [(*key, -1_199_999_999_500)]
    assert sums_between(store._db, "2026-11-22T21", "2026-12") == []


def test_all_data_is_kept_over_a_restart(url: str) -> None:
    with closing(Store(open_database(url, writing=True))) as first:
        keep(first, event(1), event(2))
        before = first.tables
    with closing(Store(open_database(url, writing=True))) as second:
        assert second.tables == before
        assert second.classify(event(2)) == "duplicate"


def test_only_one_pit_can_write_to_a_store(url: str, store: Store) -> None:
    with pytest.raises(StoreTaken, match="another pit writes to it"):
        open_database(url, writing=True)
    with closing(open_database(url, writing=False)) as reader:
        keep(store, event(1))
        assert load_heads(reader)["CC-01"].upto == 1


def test_a_round_and_the_newest_of_a_kind_are_found(store: Store) -> None:
    keep(store, *(event(n) for n in range(1, 10)))
    assert [each.sequence for each in of_round(store._db, "CC-01", "a1", 2)] == [6, 7, 8]
    assert [each.sequence for each in of_kinds(store._db, "CC-01", "a1", ("wager", "card"), 2)] == [9, 8]
    assert of_kinds(store._db, "CC-01", "a1", ("card",), 2) == []


def test_only_a_person_can_accept_another_stream(store: Store) -> None:
    keep(store, event(1), event(2))
    assert not store.switch_stream("CC-01", "b2")
    accept(store._db, "CC-01", "b2", AT)
    assert store.switch_stream("CC-01", "b2")
    assert store.classify(event(1, stream="b2")) == "new"
    assert store.classify(event(3)) == "stranger"
    assert not store.switch_stream("CC-01", "a1"), "that would have to be said anew"
    accept(store._db, "CC-01", "a1", AT)
    assert store.switch_stream("CC-01", "a1")
    assert store.classify(event(3)) == "new"
    assert load_heads(store._db) == store.tables


def test_only_the_newest_troubles_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_TROUBLES >= 1000
    monkeypatch.setattr("controller.floor.pit.store.MAX_TROUBLES", 2)
    for n in range(4):
        store.note(Trouble(AT, "CC-01", "gap", f"{n}"))
    assert [each.words for each in irregularities_of(store._db, 9)] == ["3", "2"]


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(numbers=st.lists(st.integers(1, 6), max_size=25))
def test_events_in_any_order_leave_a_beginning_without_gaps(store: Store, numbers: list[int]) -> None:
    table = f"T{len(store.tables)}"
    for number in numbers:
        if store.classify(event(number, table)) == "new":
            keep(store, event(number, table))
    assert bodies(store, table) == list(range(1, len(bodies(store, table)) + 1))
    expected = 0
    for number in numbers:
        expected += number == expected + 1
    assert len(bodies(store, table)) == expected


# ------------------------------------------------------------------ stores that cannot be opened


@pytest.mark.parametrize("place", ["mysql://pit@house/pit", ""])
def test_a_file_that_is_not_a_store_is_refused_in_one_line(place: str) -> None:
    with pytest.raises(StoreError, match="allowed: the path of a file, or postgresql://"):
        open_database(place, writing=True)


def test_a_store_of_a_later_program_is_not_changed(url: str) -> None:
    with closing(open_database(url, writing=True)) as database:
        Store(database)
        database.rows("UPDATE version SET number = 5")
        with pytest.raises(StoreError, match="is of version 5; this program reads 4"):
            Store(database)


def test_a_missing_server_is_reported_without_the_password() -> None:
    with pytest.raises(StoreError) as caught:
        open_database("postgresql://pit@127.0.0.1:1/pit?sslmode=disable&passfile=/x/secret", writing=True)
    assert "\n" not in str(caught.value) and "secret" not in str(caught.value)
    assert without_password("postgresql://pit:secret@house/pit") == "postgresql://pit@house/pit"


@pytest.mark.parametrize(
    "place",
    [
        "postgresql://pit:secret@house/pit",
        "postgresql://pit:@house/pit",
        "postgres://pit@house/pit?sslmode=require&password=secret",
        "postgresql:///pit?sslpassword=secret",
        "postgresql://pit:se#cret@house/pit",
    ],
)
def test_a_password_in_the_address_is_refused_with_the_right_place(place: str) -> None:
    """The list of processes shows every argument to every user."""
    with pytest.raises(StoreError, match=r"write it into ~/\.pgpass") as caught:
        open_database(place, writing=False)
    assert "cret" not in str(caught.value)


def test_the_clock_of_the_figures_cannot_be_changed(store: Store) -> None:
    """Hours by two clocks under one name could not be distinguished."""
    assert store.clock("", "America/New_York") == "America/New_York"
    assert store.clock("America/New_York", "UTC") == "America/New_York"
    assert store.clock("", "UTC") == "America/New_York", "the machine's may change"
    with pytest.raises(StoreError, match="start with --zone America/New_York, or name another store"):
        store.clock("Europe/Vienna", "UTC")
