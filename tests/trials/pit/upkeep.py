"""Refold and backup of a large store while its pit takes more events: time, memory, and delay of events.

Most events belong to tables that no longer publish, and are made from a real night. Tables of the floor
publish while the operator's commands run. Then the figures are compared with a fold of every event from the
beginning, and the copy, restored into an empty store, with the events of the pit.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import islice
from typing import Any

from controller.common.clock import utc_now
from controller.floor.pit.database import BATCH_SIZE, Database
from controller.floor.pit.expected_win import shipped_odds
from controller.floor.pit.figure_increments import contribution, parse
from controller.floor.pit.ingest import Intake, Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.schema import TABLES
from controller.floor.pit.store import READ, Store, StoredEvent
from controller.floor.pit.tile import Tile, after
from tests.trials.pit.capacity import ROUNDS_AN_HOUR
from tests.trials.pit.fleet import name_of
from tests.trials.pit.floor import PAUSE, Floor, Plan, floor
from tests.trials.pit.night import ROUNDS, Night

FIRST = 1001
"""Number of the first table with made events; the floor's own tables have the lower numbers."""
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
POLL_S = 0.05
OLDEST, FAILURES = "crisscross_pit_oldest_unanswered_seconds", "crisscross_pit_store_failures_total"
EVENTS = f"{READ} WHERE name = ? AND stream = ? AND sequence > ? ORDER BY sequence LIMIT 5000"


def upkeep(plan: Plan, tables: int, events: int) -> Iterator[dict[str, Any]]:
    """Yield a row for the filled store, for its refold and for its backup. `events`: total over `tables`
    tables."""
    with floor(plan, Floor) as made:
        made.settled()
        made.pit.stop()
        yield {"store": plan.store, **_filled(made, tables, events)}
        made.pit.start()
        for work in (_refolded, _copied):
            made.resume()
            PAUSE.wait(5.0)
            yield {"store": plan.store, "load": os.getloadavg()[0], **work(made)}


# ------------------------------------------------------------------ a large store


def _filled(made: Floor, tables: int, events: int) -> dict[str, Any]:
    """Store events of `tables` tables, and spoil figures as an error of the program would."""
    began, night = time.monotonic(), Night(made.night)
    with closing(Store(open_database(made.url, writing=True))) as store:
        intake, payloads = Intake(store, "UTC", utc_now, shipped_odds()), _payloads(night, tables, events)
        while batch := list(islice(payloads, BATCH_SIZE)):
            intake.take(batch)
        spent = time.monotonic() - began
        store._db.rows("UPDATE sums SET what = 'won' WHERE what = 'win'")
        changed = "UPDATE events SET adds = REPLACE(adds, '\"win\":', '\"won\":') WHERE name = ? AND kind = ?"
        store._db.each(changed, [(name, "record") for name in store.tables])
    return {"act": "fill", "tables": tables, "events": events, "seconds": spent}


def _payloads(night: Night, tables: int, events: int) -> Iterator[Payload]:
    """Yield the next event of each table in turn, with the time at which a busy table would send it."""
    apart = timedelta(hours=ROUNDS / ROUNDS_AN_HOUR / len(night))
    for n in range(events):
        number, table = n // tables + 1, FIRST + n % tables
        at = (BEGIN + number * apart).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        yield Payload(name_of(table), night.payload(name_of(table), f"{table:08x}", number, at))


# ------------------------------------------------------------------ commands of an operator


class Waits:
    """Observer of a pit's metrics during maintenance. It stores the longest wait of an event for its
    acknowledgement, and the number of failures of the store."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/metrics"
        self.longest_s, self._ended = 0.0, threading.Event()
        self._before = self._figures()[FAILURES]
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def stop(self) -> dict[str, float]:
        self._ended.set()
        self._thread.join(30)
        failures = self._figures()[FAILURES] - self._before
        return {"longest_wait_s": self.longest_s, "store_failures": failures}

    def _run(self) -> None:
        while not self._ended.wait(POLL_S):
            with suppress(OSError):
                self.longest_s = max(self.longest_s, self._figures()[OLDEST])

    def _figures(self) -> dict[str, float]:
        with urllib.request.urlopen(self._url, timeout=30) as answer:  # noqa: S310
            found = re.findall(r"^(\w+) (\S+)$", answer.read().decode(), re.MULTILINE)
        return {name: float(value) for name, value in found}


def _run(*typed: str) -> tuple[dict[str, Any], str]:
    """Run a command of the pit; return its seconds, its peak memory and its output. Raises OSError."""
    began, command = time.monotonic(), [sys.executable, "-m", "controller", "pit", *typed]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise OSError(f"{' '.join(typed)}: status {process.returncode}")
    return {"seconds": time.monotonic() - began, "peak_mib": usage.ru_maxrss / 1024}, output


def _under_load(made: Floor, *typed: str) -> tuple[dict[str, Any], str]:
    waits = Waits(made.port)
    try:
        row, output = _run(*typed)
    finally:
        found = waits.stop()
    made.settled()
    return row | found | {"pit_mib": made.pit.rss() / 2**20, **made.differences()}, output


def _refolded(made: Floor) -> dict[str, Any]:
    row, output = _under_load(made, "refold", "--store", made.url)
    folded = int(output.split()[0])
    with _opened(made.url) as database:
        differing = _figures_from_scratch(database)
        differing.subtract(
            {tuple(row[:4]): int(row[4]) for row in database.rows("SELECT * FROM sums")}  # type: ignore[misc]
        )
    row |= {"act": "refold", "folded": folded, "folded_a_second": folded / row["seconds"]}
    return row | {
        "figures_differ": sum(amount != 0 for amount in differing.values()),
        "holds": re.search("^  won: ", output, re.MULTILINE) is not None,
    }


def _figures_from_scratch(database: Database) -> Counter[tuple[str, ...]]:
    """Return the figures of all events, folded one after another."""
    packs, found = shipped_odds(), Counter[tuple[str, ...]]()
    for name, stream in database.rows("SELECT name, stream FROM tables"):
        tile, upto = Tile(), 0
        while rows := database.rows(EVENTS, (name, stream, upto)):
            for event in (StoredEvent(*row) for row in rows):
                data = event.data()
                for key, amount in parse(contribution(event.kind, event.at, data, tile, "UTC", packs)):
                    found[(name, *key)] += amount
                tile, upto = after(tile, event.kind, event.at, data), event.sequence
    return found


def _copied(made: Floor) -> dict[str, Any]:
    copy, back = made.folder / "copy.db", made.folder / "back.db"
    row, _ = _under_load(made, "backup", str(copy), "--store", made.url)
    restored, _ = _run("restore", str(copy), "--store", str(back))
    row |= {"act": "backup", "copy_mib": copy.stat().st_size / 2**20, "restore_s": restored["seconds"]}
    with _opened(made.url) as store, _opened(str(copy)) as first, _opened(str(back)) as second:
        return row | {
            "tables_differ": sum(_digest(first, each) != _digest(second, each) for each in TABLES),
            "streams_differ": sum(not _has_all(store, second, *each) for each in _heads(second)),
        }


@contextmanager
def _opened(url: str) -> Iterator[Database]:
    with closing(open_database(url, writing=False)) as database:
        yield database


def _heads(database: Database) -> list[tuple[str, str, int]]:
    rows = database.rows("SELECT name, stream, upto FROM tables")
    return [(str(name), str(stream), int(upto)) for name, stream, upto in rows]


def _digest(database: Database, table: str) -> int:
    """Return a digest of all rows of a table, independent of their order."""
    with database.snapshot():
        rows = (row for part in database.batches(f"SELECT * FROM {table}") for row in part)  # noqa: S608
        return sum(int.from_bytes(sha256(repr(tuple(row)).encode()).digest()) for row in rows)


def _has_all(store: Database, copy: Database, name: str, stream: str, upto: int) -> bool:
    """Return whether a copy has each event of the store up to `upto`, byte for byte, and none after it."""
    at = 0
    while rows := copy.rows(EVENTS, (name, stream, at)):
        own = store.rows(EVENTS, (name, stream, at))[: len(rows)]
        if [tuple(row) for row in rows] != [tuple(row) for row in own]:
            return False
        at = int(rows[-1][2])
    return at == upto
