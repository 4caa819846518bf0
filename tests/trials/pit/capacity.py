"""Capacity of one pit for many tables.

`capacity`: the writer, the memory and the page, each alone in one process. Events of a real night go through
the pit's own intake into its store, in batches like those from the broker, one table after the other.
`whole_pit`: the processor time of a complete pit for an event that comes through Mosquitto, without a page
and with one. `ROUNDS_AN_HOUR` turns events a second into tables.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from controller.common.clock import utc_now
from controller.floor.pit.expected_win import shipped_odds
from controller.floor.pit.floor import PitFloor
from controller.floor.pit.ingest import Intake, Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store, load_heads
from controller.floor.uplink.wire import State
from tests.trials.pit.fleet import name_of
from tests.trials.pit.floor import PAUSE, Floor, Plan, floor
from tests.trials.pit.night import ROUNDS, Night, play
from tests.trials.pit.watching import PageWatcher

ROUNDS_AN_HOUR = 45
"""Rounds per hour of a busy table with six players."""


def capacity(counts: list[int], events: int, batch: int) -> Iterator[dict[str, Any]]:
    """Yield the measurements for each number of tables. `events`: number of events of each table. `batch`:
    number of events in one commit."""
    with tempfile.TemporaryDirectory(prefix="crisscross-capacity-") as name:
        night = Night(play(Path(name)))
        for tables in counts:
            # a process of its own starts with little memory
            with ProcessPoolExecutor(1, get_context("spawn")) as process:
                store = Path(name) / f"{tables}.db"
                yield process.submit(_measured, store, night, tables, events, batch).result()


def whole_pit(tables: int, pace: float, seconds: float) -> Iterator[dict[str, Any]]:
    """Yield the measurements without a page and with an open one. `pace`: events a second of each table."""
    with floor(Plan(tables, pace), Floor) as made:
        a_second = events_a_second(Night(made.night))
        for pages in (0, 1):
            watchers = [PageWatcher(made.port) for _ in range(pages)]
            PAUSE.wait(5.0)
            events, used = stored_events(made), made.pit.processor_s()
            PAUSE.wait(seconds)
            events, used = stored_events(made) - events, made.pit.processor_s() - used
            for each in watchers:
                each.stop()
            yield {
                "tables": tables, "pages": pages, "events": events, "events_a_second": events / seconds,
                "processor_us_an_event": used / events * 1e6, "at_most_a_second": events / used,
                "tables_at_most": events / used / a_second,
            }  # fmt: skip
        made.settled()
        yield made.differences()


def events_a_second(night: Night) -> float:
    """Return the events a second of a busy table."""
    return len(night) / ROUNDS * ROUNDS_AN_HOUR / 3600


def stored_events(made: Floor) -> int:
    """Return the number of events in the store."""
    with closing(open_database(made.url, writing=False)) as database:
        return sum(each.upto for each in load_heads(database).values())


def _measured(store: Path, night: Night, tables: int, events: int, size: int) -> dict[str, Any]:
    a_second = events_a_second(night)
    before = _resident_bytes()
    with closing(Store(open_database(str(store), writing=True))) as kept:
        intake = Intake(kept, "UTC", utc_now, shipped_odds())
        spent = processor = 0.0
        payloads = _payloads(night, tables, events)
        while batch := list(islice(payloads, size)):
            began, began_processor = time.perf_counter(), time.process_time()
            intake.take(batch)
            spent += time.perf_counter() - began
            processor += time.process_time() - began_processor
        stored = {name: (tile, events) for name, tile in intake.tiles.items()}
        floor = PitFloor(time.monotonic, time.time)
        floor.events_stored(stored)
        for name in stored:
            floor.state(_state(name, events))
        grown = _resident_bytes() - before
        began = time.perf_counter()
        page = json.dumps([floor.tile(name) for name in floor.names()])
        page_s = time.perf_counter() - began
    taken = tables * events / spent
    return {
        "tables": tables, "events": tables * events, "batch": size, "events_a_second": taken,
        "processor_us_an_event": processor / tables / events * 1e6,
        "needed_a_second": tables * a_second, "writer_share": tables * a_second / taken,
        "tables_at_most": taken / a_second, "kib_a_table": grown / 1024 / tables,
        "page_mib": len(page) / 2**20, "page_s": page_s,
    }  # fmt: skip


def _payloads(night: Night, tables: int, events: int) -> Iterator[Payload]:
    """Yield the next event of each table in turn. Events are made before the measurement."""
    for number in range(1, events + 1):
        for table in range(1, tables + 1):
            name = name_of(table)
            yield Payload(name, night.payload(name, f"{table:08x}", number, utc_now()))


def _state(name: str, events: int) -> State:
    return State(
        format=1, table=name, stream="00000000", state="here", time=utc_now(), sequence=events,
        program="trial", speaker="0" * 16,
    )  # fmt: skip


def _resident_bytes() -> int:
    fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return int(fields[1]) * 4096
