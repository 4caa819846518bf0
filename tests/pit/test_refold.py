"""A refold computes the figures again from the events while a pit writes; the result equals a fold of all
events by the present program.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from controller.cli import main
from controller.floor.pit import refold as refold_
from controller.floor.pit.database import Database, StoreReplaced
from controller.floor.pit.ingest import Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.refold import WORK_TABLES, refold
from controller.floor.pit.retention import drop_before
from controller.floor.pit.store import Store, accept
from tests.pit.older import written_by_version_2
from tests.pit.published_tables import BEGIN, Table, sums_between
from tests.pit.test_figures import PACK
from tests.pit.test_streams import AT, JOURNAL, restored, rooted
from tests.pit.with_figures import store, taking

__all__ = ["store"]

pytestmark = pytest.mark.serial


@pytest.fixture
def beside(url: str, store: Store) -> Iterator[Database]:
    """Yield a second connection, as `crisscross pit refold` opens beside the pit's own."""
    with closing(open_database(url, writing=False)) as opened:
        yield opened


def figures(store: Store) -> list[tuple[str, str, str, str, int]]:
    return sorted(sums_between(store._db, "2000", "2100"))


def played(rounds: int, name: str = "CC-01", stream: str = JOURNAL) -> Table:
    table = Table(name, stream)
    for _ in range(rounds):
        table.play(wrong=("overpaid",))
    return table


def spoilt(store: Store) -> None:
    """Spoil the figures as an error of the fold would. The contribution stored with each event is spoilt too,
    so that adding them up does not reveal the error."""
    store._db.rows("UPDATE events SET adds = REPLACE(adds, '\"win\":', '\"won\":')")
    store._db.rows("UPDATE sums SET what = 'won' WHERE what = 'win'")


def test_a_refold_corrects_wrong_figures(store: Store, beside: Database) -> None:
    intake = taking(store)
    for table in (played(3), played(2, "CC-02")):
        intake.take(rooted(table))
    right, adds = figures(store), store._db.rows("SELECT adds FROM events ORDER BY name, sequence")
    spoilt(store)
    wrong = figures(store)
    assert refold(beside, {}, dry_run=True).totals == {"win": (0, -5000), "won": (-5000, 0)}
    assert figures(store) == wrong
    done = refold(beside, {})
    assert (done.changed, done.failed) == (5, 0)
    assert figures(store) == right
    assert store._db.rows("SELECT adds FROM events ORDER BY name, sequence") == adds
    assert refold(beside, {}).totals == {}
    assert not any(beside.has(table) for table in WORK_TABLES)


def test_the_exchange_that_blocks_a_pit_reads_only_changed_events(tmp_path: Path) -> None:
    with closing(Store(open_database(str(tmp_path / "pit.db"), writing=True))) as store:
        for statement in refold_.CREATE:
            store._db.rows(statement)
        plan = [str(row[3]) for row in store._db.rows(f"EXPLAIN QUERY PLAN {refold_.SWITCH}")]
    assert plan[0] == "SCAN r" and plan[1].startswith("SEARCH events USING")


def test_a_refold_of_a_store_that_was_replaced_meanwhile_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pit.db"
    with closing(Store(open_database(str(path), writing=True))) as store:
        store.clock("UTC", "UTC")
        taking(store).take(rooted(played(2)))
    layout = refold_._Refold._layout

    def exchanged(self: refold_._Refold) -> dict[tuple[str, str], tuple[int | None, int]]:
        if path.exists():
            path.rename(tmp_path / "away.db")
        return layout(self)

    monkeypatch.setattr(refold_._Refold, "_layout", exchanged)
    with (
        closing(open_database(str(path), writing=False)) as database,
        pytest.raises(StoreReplaced, match="put it back, or restart the pit"),
    ):
        refold(database, {})


def test_sums_without_an_event_are_removed(store: Store, beside: Database) -> None:
    taking(store).take(rooted(played(2)))
    right = figures(store)
    store._db.rows("UPDATE sums SET amount = amount + 7 WHERE what = 'rounds'")
    assert refold(beside, {}).totals == {"rounds": (9, 2)}
    assert figures(store) == right


def test_events_written_during_a_refold_are_neither_lost_nor_doubled(
    store: Store, beside: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refold_, "BATCH_SIZE", 10)
    table, other, intake = played(4), played(1, "CC-02"), taking(store)
    payloads = rooted(table)
    intake.take(payloads[:20])
    spoilt(store)
    rest = iter([payloads[20:30], payloads[30:45], rooted(other), payloads[45:]])
    advance = refold_._Refold._advance

    def and_a_batch(self: refold_._Refold, at: refold_._Stream) -> int:
        folded = advance(self, at)
        if not locked:
            intake.take(next(rest, []))
        return folded

    locked: list[bool] = []
    monkeypatch.setattr(refold_._Refold, "_advance", and_a_batch)
    lock = type(beside).lock_writes
    monkeypatch.setattr(type(beside), "lock_writes", lambda self: (lock(self), locked.append(True)))
    refold(beside, {})
    done = figures(store)
    assert next(rest, None) is None
    store._db.rows("DELETE FROM events")
    store._db.rows("DELETE FROM sums")
    store._db.rows("DELETE FROM tables")
    fresh = Store(store._db)
    taking(fresh).take([*payloads, *rooted(other)])
    assert figures(fresh) == done


def test_events_cut_off_by_a_join_stay_out_and_a_join_restarts_the_refold(
    store: Store, beside: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, intake = played(3), taking(store)
    intake.take(rooted(one))
    parts = len(one.payloads) // 3
    new = restored(one, 0, f"{'cd' * 16}")
    new.stream = f"{JOURNAL}-{parts}"
    new.row = parts
    new.play(dealer="0088")
    accept(store._db, "CC-01", new.stream, AT, "Ana", "restored")
    joined = refold_._Refold._exchange
    calls: list[int] = []
    layout = refold_._Refold._layout

    def and_a_join(self: refold_._Refold) -> dict[tuple[str, str], tuple[int | None, int]]:
        calls.append(1)
        found = layout(self)
        if len(calls) == 1:
            intake.take(rooted(new))
        return found

    monkeypatch.setattr(refold_._Refold, "_layout", and_a_join)
    refold(beside, {})
    assert joined is refold_._Refold._exchange
    assert len(calls) == 4, "begun again after the join"
    assert store.former["CC-01", JOURNAL].cut is not None
    right = figures(store)
    assert {(what, amount) for _, _, _, what, amount in right if what == "rounds"} == {("rounds", 1)}
    spoilt(store)
    refold(beside, {})
    assert figures(store) == right


def test_a_second_refold_at_once_ends_with_one_line_and_changes_nothing(
    store: Store,
    beside: Database,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    intake = taking(store)
    for table in (played(3), played(2, "CC-02")):
        intake.take(rooted(table))
    right = figures(store)
    spoilt(store)
    advance, statuses = refold_._Refold._advance, []

    def and_a_second_refold(self: refold_._Refold, at: refold_._Stream) -> int:
        folded = advance(self, at)
        if at.table == "CC-02" and not statuses:
            statuses.append(main(["pit", "refold", "--store", url]))
        return folded

    monkeypatch.setattr(refold_._Refold, "_advance", and_a_second_refold)
    refold(beside, {})
    assert statuses == [1]
    line = "another refold of it runs; wait until that has ended, then start this refold again\n"
    assert capsys.readouterr().err.endswith(line)
    assert figures(store) == right
    assert refold(beside, {}).totals == {}, "the lock is released"


def test_a_join_during_the_exchange_waits_for_its_end(
    store: Store, beside: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person joins a stream while the figures are exchanged. The join waits, because it must take out the
    contributions that the exchange has computed."""
    one, intake = played(3), taking(store)
    intake.take(rooted(one))
    parts = len(one.payloads) // 3
    new = f"{JOURNAL}-{parts}"
    accept(store._db, "CC-01", new, AT, "Ana", "restored")
    spoilt(store)
    exchange = refold_._Refold._exchange
    switch = threading.Thread(target=lambda: switched.append(intake.is_of("CC-01", new)))
    switched: list[bool] = []

    def and_a_join(self: refold_._Refold, layout: Mapping[tuple[str, str], tuple[int | None, int]]) -> None:
        switch.start()
        switch.join(1.0)
        assert switched == [], "the join waits"
        exchange(self, layout)

    monkeypatch.setattr(refold_._Refold, "_exchange", and_a_join)
    refold(beside, {})
    switch.join(10.0)
    monkeypatch.undo()
    assert switched == [True]
    rounds = {(what, amount) for *_, what, amount in figures(store) if what in ("rounds", "won") and amount}
    assert rounds == {("rounds", 1)}
    assert refold(beside, {}).totals == {}


def test_figures_of_dropped_events_are_kept(store: Store, beside: Database) -> None:
    table = played(6)
    taking(store).take(rooted(table))
    right = figures(store)
    early = (BEGIN + timedelta(milliseconds=table.ms // 2)).timestamp()
    while drop_before(store._db, "CC-01", JOURNAL, early):
        pass
    assert 0 < store._db.rows("SELECT COUNT(*) FROM events")[0][0] < len(table.payloads)
    assert refold(beside, {}).totals == {}
    assert figures(store) == right
    store._db.rows("UPDATE events SET adds = REPLACE(adds, '\"rounds\":1', '\"rounds\":2')")
    (kept,) = store._db.rows("SELECT COUNT(*) FROM events WHERE kind = 'record'")[0]
    store._db.rows("UPDATE sums SET amount = amount + ? WHERE what = 'rounds'", (kept,))
    refold(beside, {})
    (rounds,) = [each[4] for each in figures(store) if each[3] == "rounds"]
    assert rounds == 7, "the round whose beginning was dropped stays as it was counted"


def test_a_refold_adds_figures_missing_in_version_2(tmp_path: Path) -> None:
    path = tmp_path / "pit.db"
    written_by_version_2(str(path))
    with closing(Store(open_database(str(path), writing=True))) as store:
        before = figures(store)
        with closing(open_database(str(path), writing=False)) as beside:
            assert refold(beside, {}).changed > 0
        assert store._db.rows("SELECT COUNT(*) FROM events WHERE adds IS NULL") == [(0,)]
        assert {each for each in figures(store) if ":" not in each[3]} == {
            each for each in before if ":" not in each[3] and each[4]
        }


def test_figures_include_a_pack_added_later(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "pit.db")
    with closing(Store(open_database(place, writing=True))) as store:
        store.clock("UTC", "UTC")
        table = played(1)
        payloads = [each.replace(b"0" * 64, PACK.digest.encode()) for each in table.payloads]
        taking(store).take([Payload("CC-01", each) for each in payloads])
        assert any(what == "laid:out:rules" for *_, what, _ in figures(store))
    assert main(["pit", "refold", "--store", place, "--dry-run"]) == 0
    assert main(["pit", "--store", place, "refold"]) == 0
    output = capsys.readouterr().out
    assert output.count("laid:out:rules: 1 before, 0 now") == 2
    assert "nothing was exchanged" in output and "the figures are exchanged" in output
    with closing(open_database(place, writing=False)) as database:
        assert database.rows("SELECT COUNT(*) FROM sums WHERE what = 'laid:out:rules'") == [(0,)]
