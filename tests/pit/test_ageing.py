"""A pit drops complete rounds once their retention is over, and never drops figures or acknowledgements."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from controller.cli import main
from controller.common.clock import parse_utc
from controller.common.tlog.merkle import Frontier
from controller.floor.pit import retention as ageing_
from controller.floor.pit import schema
from controller.floor.pit.inbox import Message
from controller.floor.pit.ingest import Intake, Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.retention import RetentionJob, drop_before, gone_of, kept_since, streams_of
from controller.floor.pit.round_queries import ended
from controller.floor.pit.store import Store, accept, events_of, of_round
from controller.floor.pit.store_writer import StoreWriter
from controller.floor.uplink import wire
from controller.floor.uplink.wire import leaf_of
from tests.pit.monitored import figures
from tests.pit.published_tables import Table, pit, sums_between
from tests.uplink.broker import soon

pytestmark = pytest.mark.serial
DAY_MS = 86_400_000
NOW = "2026-12-02T20:00:00.000Z"
Opened = tuple[Store, Intake]


@pytest.fixture
def opened(url: str) -> Iterator[Opened]:
    with closing(Store(open_database(url, writing=True))) as store:
        yield store, Intake(store, "UTC", lambda: NOW, {})


def played(days: int, name: str = "CC-01", stream: str = "0a1b2c3d") -> Table:
    """Return a table that played one round a day from 22 November 2026 on."""
    table = Table(name, stream)
    for _ in range(days):
        table.play()
        table.ms += DAY_MS
    return table


def given(intake: Intake, *tables: Table) -> None:
    for table in tables:
        intake.take([Payload(table.name, payload) for payload in table.payloads])


def aged(opened: Opened, days: int, now: str = NOW) -> int:
    """Delete everything older than its retention; return the number of rows deleted."""
    store, intake = opened
    ageing, went = RetentionJob(days), 0
    words = {name: tile.at for name, tile in intake.tiles.items()}
    while step := store.age(ageing, words, parse_utc(now)):
        went += step
    return went


def test_old_rounds_are_deleted_completely_and_figures_are_kept(opened: Opened) -> None:
    store, intake = opened
    table = played(10)
    given(intake, table)
    figures = sums_between(store._db, "2026", "2027")
    went = aged(opened, 3)
    assert went > 0
    assert sums_between(store._db, "2026", "2027") == figures
    kept = events_of(store._db, table.name, table.stream)
    assert len(kept) == len(table.payloads) - went
    first = kept[0].round
    assert [len(of_round(store._db, table.name, table.stream, n)) for n in range(1, first)] == [0] * (
        first - 1
    )
    whole = [payload for payload in table.payloads if f'round/{first}"' in payload.decode()]
    assert [each.body.encode() for each in of_round(store._db, table.name, table.stream, first)] == whole
    newest = parse_utc(table.utc())
    assert all(newest - parse_utc(each.at) < 5 * ageing_.DAY_S for each in kept)


def test_acknowledgements_are_unchanged(opened: Opened) -> None:
    store, intake = opened
    table = played(10)
    given(intake, table)
    stand = store.tables["CC-01"]
    aged(opened, 3)
    assert store.tables["CC-01"] == stand
    taken = intake.take([Payload("CC-01", table.payloads[0])])
    assert (taken.stored, taken.duplicates, taken.answer) == ([], 1, {"CC-01"}), "an old event comes again"
    table.play()
    given(intake, table)
    assert intake.head_of("CC-01") == store.tables["CC-01"]
    assert store.tables["CC-01"].tree == Frontier.of([leaf_of(one) for one in table.payloads])


def test_a_resumed_stream_has_the_tree_of_all_its_events(opened: Opened) -> None:
    store, intake = opened
    one, two = played(6), played(6, stream="ffff0000")
    given(intake, one)
    accept(store._db, "CC-01", two.stream, NOW)
    given(intake, two)
    aged(opened, 2)
    assert list(streams_of(store._db, "CC-01")) == [one.stream, two.stream]
    accept(store._db, "CC-01", one.stream, NOW)
    assert store.switch_stream("CC-01", one.stream)
    assert store.tables["CC-01"].tree == Frontier.of([leaf_of(each) for each in one.payloads])


def test_a_page_states_that_a_round_is_no_longer_stored(opened: Opened) -> None:
    store, intake = opened
    given(intake, played(10))
    request = {"do": "list", "wanted": {"last": 50}, "language": "en"}
    assert "aged" not in ended(store._db, "CC-01", request, "UTC")
    aged(opened, 3)
    notice = ended(store._db, "CC-01", request, "UTC")["aged"]
    until = kept_since(store._db, "CC-01", "0a1b2c3d")
    assert until is not None and notice.startswith(f"What was told until {until[:10]} {until[11:16]}")
    for number, missing in ((1, "aged"), (99, "no_round")):
        one = ended(store._db, "CC-01", {"do": "round", "number": number, "language": "en"}, "UTC")
        assert one == {"missing": missing}


def test_a_fast_clock_or_an_absent_table_loses_no_events(opened: Opened) -> None:
    """The three days before a table's own last event are kept, whatever the pit's clock shows."""
    given(opened[1], played(3))
    assert aged(opened, 3, now="2099-01-01T00:00:00.000Z") == 0


@pytest.mark.parametrize("ahead", [(), (1, 20, *range(40, 52))])
def test_events_dated_ahead_keep_no_later_ones(
    opened: Opened, ahead: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table's clock was wrong for no event, or for single events and for more successive events than one
    batch holds. Later events are dropped as usual in either case."""
    monkeypatch.setattr(ageing_, "BATCH_SIZE", 5)
    table = played(10)
    for number in ahead:
        event = json.loads(table.payloads[number])
        event["time"] = "2099-01-01T00:00:00.000Z"
        table.payloads[number] = json.dumps(event, separators=(",", ":")).encode()
    given(opened[1], table)
    aged(opened, 3)
    gone = gone_of(opened[0]._db, table.name, table.stream)
    assert gone is not None
    assert (gone.round, gone.at[:10]) == (7, "2026-11-28"), "the page of rounds names this day"


def test_a_slow_clock_drops_fewer_events(opened: Opened) -> None:
    given(opened[1], played(10))
    assert aged(opened, 3, now="2026-11-20T00:00:00.000Z") == 0


def test_without_a_retention_all_events_are_kept(opened: Opened) -> None:
    store, intake = opened
    given(intake, played(10), played(10, "CC-02", "bbbb0000"))
    words = {name: tile.at for name, tile in intake.tiles.items()}
    now = parse_utc(NOW)
    assert store.age(RetentionJob(None), words, now) == 0
    ageing = RetentionJob(3)
    while store.age(ageing, words, now):
        pass
    assert store.age(ageing, words, now) > 0, "the other table"
    while store.age(ageing, words, now):
        pass
    later = dict.fromkeys(words, "2026-12-04T20:00:00.000Z")
    assert store.age(ageing, later, now + 1) == 0, "it was looked at a second ago"
    assert store.age(ageing, later, now + 2 * ageing_.DAY_S) > 0


def test_a_round_longer_than_one_batch_is_deleted_too(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, intake = opened
    table = played(4)
    given(intake, table)
    monkeypatch.setattr(ageing_, "BATCH_SIZE", 5)
    before = datetime.fromisoformat(table.utc()) - timedelta(days=2.5)
    went = 0
    while step := drop_before(store._db, "CC-01", table.stream, before.timestamp()):
        went += step
    gone = gone_of(store._db, "CC-01", table.stream)
    assert gone is not None
    assert (gone.tree.size, gone.round) == (went, 2)
    assert gone.tree == Frontier.of([leaf_of(one) for one in table.payloads[:went]])


def test_an_earlier_store_gets_its_missing_tables(url: str) -> None:
    with closing(open_database(url, writing=True)) as database:
        for statement in ("CREATE TABLE version (number BIGINT NOT NULL)", *schema.FIRST_SCHEMA):
            database.rows(statement)
        database.rows("INSERT INTO version VALUES (1)")
    with closing(Store(open_database(url, writing=True))) as store:
        assert schema.version_of(store._db) == schema.SCHEMA_VERSION
        assert gone_of(store._db, "CC-01", "a1") is None


@pytest.mark.parametrize("days", ["0", "-3", "36501"])
def test_an_invalid_retention_is_refused_in_one_line(days: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pit", "--keep-days", days]) == 2
    assert capsys.readouterr().err == (
        "crisscross pit: --keep-days: allowed: whole days from 1 to 36500; left out: for ever\n"
    )


def test_the_pit_drops_events_while_working_and_a_figure_counts_them(tmp_path: Path) -> None:
    def opened() -> Store:
        return Store(open_database(str(tmp_path / "pit.db"), writing=True))

    here = replace(pit(), days=3, posix=lambda: int(parse_utc(NOW)))
    writer = StoreWriter(here, opened, lambda _have: None, lambda _told: None)
    table = played(10)
    writer.start()
    try:
        for payload in table.payloads:
            writer.receive(Message(table.topic, payload))
        soon(lambda: writer.counts.stored == len(table.payloads))
        writer.receive(Message(wire.topic(table.name, "state"), table.state()))
        soon(lambda: writer.counts.aged > 0)
    finally:
        writer.stop()
    assert f"crisscross_pit_events_aged_total {writer.counts.aged}" in figures(writer.counts)
