"""Received messages are either accepted completely, once and in order, or refused in one line that is logged
once.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.common.tlog.merkle import Frontier
from controller.floor.pit.database import StoreError
from controller.floor.pit.ingest import Intake, Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store, accept, events_of, irregularities_of
from controller.floor.uplink.wire import leaf_of
from tests.pit.published_tables import AT, Table, played, sums_between


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(open_database(str(tmp_path / "pit.db"), writing=True))) as opened:
        yield opened


@pytest.fixture
def table() -> Table:
    return played()


def given_to(intake: Intake, table: Table, *payloads: bytes) -> object:
    return intake.take([Payload(table.name, payload) for payload in payloads or table.payloads])


def kept(store: Store, table: Table) -> list[bytes]:
    return [each.body.encode() for each in events_of(store._db, table.name, table.stream)]


def refused(store: Store) -> list[str]:
    return [each.words for each in irregularities_of(store._db, 99)]


def test_a_stored_event_equals_the_published_bytes_and_root(
    intake: Intake, store: Store, table: Table
) -> None:
    taken = given_to(intake, table)
    assert kept(store, table) == table.payloads
    assert (taken.answer, taken.duplicates, taken.refused) == ({"CC-01"}, 0, 0)
    assert store.tables["CC-01"].tree == Frontier.of([leaf_of(each) for each in table.payloads])


def test_a_duplicate_is_answered_and_not_stored_twice(intake: Intake, store: Store, table: Table) -> None:
    given_to(intake, table)
    taken = given_to(intake, table)
    assert (len(taken.stored), taken.duplicates, taken.answer) == (0, len(table.payloads), {"CC-01"})
    assert kept(store, table) == table.payloads
    assert sums_between(store._db, "2026", "2027") == sums_between(
        store._db, "2026-11-22T20", "2026-11-22T20"
    )


def test_a_gap_is_refused_and_logged_once_and_the_answer_is_unchanged(
    intake: Intake, store: Store, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    given_to(intake, table, *table.payloads[:3])
    with caplog.at_level(logging.WARNING):
        taken = given_to(intake, table, *table.payloads[5:])
        given_to(intake, table, table.payloads[7])
    assert (taken.stored, taken.answer) == ([], {"CC-01"})
    assert store.tables["CC-01"].upto == 3
    assert refused(store) == ["event 6 came after 3; it is asked for again from 4 on"]
    assert [each.getMessage() for each in caplog.records] == [f"table CC-01: {refused(store)[0]}"]
    given_to(intake, table, *table.payloads[3:])
    assert kept(store, table) == table.payloads


@pytest.mark.parametrize("together", [False, True])
def test_other_content_with_the_same_number_never_replaces_the_first(
    intake: Intake, store: Store, table: Table, together: bool
) -> None:
    other = Table()
    other.play(dealer="9999")
    batches = [[*table.payloads, *other.payloads]] if together else [table.payloads, other.payloads]
    for batch in batches:
        given_to(intake, table, *batch)
    assert kept(store, table) == table.payloads
    assert "event 1 came again with other content; the first one stays" in refused(store)[-1]


def test_events_of_a_name_in_use_are_refused_in_one_line(intake: Intake, store: Store, table: Table) -> None:
    given_to(intake, table)
    other = Table(stream="ffff0000")
    other.play()
    taken = given_to(intake, other)
    assert (taken.stored, taken.answer) == ([], set())
    assert not intake.is_of("CC-01", "ffff0000")
    (line,) = refused(store)
    assert "its name is spoken by stream ffff0000, and the pit keeps 0a1b2c3d" in line
    assert line.endswith("type crisscross pit --accept CC-01 ffff0000")
    accept(store._db, "CC-01", "ffff0000", AT)
    given_to(intake, other)
    assert (kept(store, other), kept(store, table)) == (other.payloads, table.payloads)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda event: b"\xff\xfe{", "no JSON"),
        (lambda event: b"[1]", "no JSON object"),
        (lambda event: json.dumps(event | {"format": 2}).encode(), "format 2; this program knows 1"),
        (lambda event: json.dumps(event | {"more": 1}).encode(), "no Event"),
        (lambda event: json.dumps(event | {"source": "/tables/CC-02"}).encode(), "another table than"),
        (lambda event: json.dumps(event).encode("utf-16"), "no UTF-8"),
        (lambda event: json.dumps(event | {"time": "2026-13-41T20:00:00Z"}).encode(), "no clock shows"),
        (lambda event: json.dumps(event | {"subject": "round/99"}).encode(), "a number that no table has"),
        (lambda event: json.dumps(event | {"type": "crisscross.table.dance"}).encode(), "program newer"),
    ],
)  # fmt: skip
def test_a_foreign_payload_is_refused_in_one_line_without_losing_others(
    intake: Intake, store: Store, table: Table, change: object, reason: str
) -> None:
    foreign = change(json.loads(table.payloads[0]))  # type: ignore[operator]
    taken = given_to(intake, table, table.payloads[0], foreign, *table.payloads[1:])
    assert (taken.refused, kept(store, table)) == (1, table.payloads)
    (line,) = refused(store)
    assert reason in line and "\n" not in line


@pytest.mark.parametrize("cents", [10**30, 10**14, -(10**14)])
def test_an_amount_that_no_store_can_add_up_is_refused(intake: Intake, store: Store, cents: int) -> None:
    table = Table()
    payload = table.add_event("correction", correction={
        "code": "mispaid", "seat": 3, "wager": "across", "cents": 77_777, "with": None, "who": "F12",
        "when": table.utc(), "why": "",
    })  # fmt: skip
    assert given_to(intake, table, payload.replace(b"77777", str(cents).encode())).refused == 1
    assert kept(store, table) == []


def test_an_event_is_acknowledged_only_when_stored(
    intake: Intake, store: Store, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_any: object) -> None:
        raise StoreError("store: the disk is full")

    monkeypatch.setattr(store, "keep", full)
    with pytest.raises(StoreError):
        given_to(intake, table)
    monkeypatch.undo()
    assert (kept(store, table), intake.head_of("CC-01"), intake.tiles) == ([], None, {})
    given_to(intake, table)
    assert kept(store, table) == table.payloads


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_however_two_tables_are_torn_doubled_and_mixed_all_is_there_once_they_send_again(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    tables = [Table("A"), Table("B", "bbbb0000")]
    for each in tables:
        each.play()
    path = tmp_path_factory.mktemp("pit") / "pit.db"
    sent = [Payload(each.name, payload) for each in tables for payload in each.payloads]
    torn = data.draw(st.lists(st.sampled_from(sent), max_size=60))
    with closing(Store(open_database(str(path), writing=True))) as store:
        intake = Intake(store, "UTC", lambda: AT, {})
        for at in range(0, len(torn), 7):
            intake.take(torn[at : at + 7])
        for each in tables:
            stand = intake.head_of(each.name)
            given_to(intake, each, *each.payloads[stand.upto if stand else 0 :])
        assert [kept(store, each) for each in tables] == [each.payloads for each in tables]
        for each in tables:
            assert store.tables[each.name].tree == Frontier.of([leaf_of(one) for one in each.payloads])


def test_figures_are_the_same_however_often_events_are_sent(intake: Intake, store: Store) -> None:
    table = Table()
    table.play(wrong=("overpaid",))
    for _ in range(3):
        given_to(intake, table)
    sums = {
        what: amount
        for _, _, dealer, what, amount in sums_between(store._db, "2026", "2027")
        if dealer == "0077"
    }
    assert (sums["rounds"], sums["steps"], sums["errors"], sums["error:overpaid"]) == (1, 3, 1, 1)
    assert (sums["wagered"], sums["win"]) == (4000, 1000 + 1000 - 3000)
    assert (sums["win:middle"], sums["wagered:middle"], sums["count:middle"]) == (-3000, 1000, 1)
    assert (sums["ms:dealing"], sums["ms:across"]) == (5000, 7000)
