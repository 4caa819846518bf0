"""A pit with many more tables than this machine can run, computed from floors that it runs.

Each floor publishes the events and felts of busy tables, while one page is open. The processor time of an
event is that of the largest floor; the memory of a table is the difference between the largest and the
smallest one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.trials.pit.capacity import events_a_second, stored_events
from tests.trials.pit.fleet import FELTS_AN_EVENT
from tests.trials.pit.floor import PAUSE, Floor, Plan, floor
from tests.trials.pit.night import Night, play
from tests.trials.pit.watching import PageWatcher

GROWN_S = 20.0
"""Time from the first events of all tables to the beginning of a measurement."""


def extrapolation(counts: Sequence[int], wanted: int, seconds: float, store: str) -> Iterator[dict[str, Any]]:
    """Yield the measurements of the floors with `counts` tables, then the pit with `wanted` tables."""
    with tempfile.TemporaryDirectory(prefix="crisscross-capacity-") as name:
        a_second = events_a_second(Night(play(Path(name))))
    rows = []
    for count in sorted(counts):
        rows.append(_measured(count, a_second, seconds, store))
        yield rows[-1]
    yield extrapolated(rows[0], rows[-1], wanted, a_second)


def _measured(tables: int, a_second: float, seconds: float, store: str) -> dict[str, Any]:
    with floor(Plan(tables, a_second, store), Floor) as made:
        watcher = PageWatcher(made.port)
        PAUSE.wait(GROWN_S)
        events, used = stored_events(made), made.pit.processor_s()
        PAUSE.wait(seconds)
        events, used = stored_events(made) - events, made.pit.processor_s() - used
        memory, load = made.pit.rss(), os.getloadavg()[0]
        watcher.stop()
        return {
            "tables": tables, "store": store, "events": events, "events_a_second": events / seconds,
            "felts_an_event": FELTS_AN_EVENT, "load": load, "processor_us_an_event": used / events * 1e6,
            "pit_cpu_share": used / seconds, "pit_mib": memory / 2**20,
        }  # fmt: skip


def extrapolated(few: dict[str, Any], many: dict[str, Any], wanted: int, a_second: float) -> dict[str, Any]:
    """Return load and memory of a pit with `wanted` tables. `few` and `many`: measured floors; `a_second`:
    events of a table."""
    of_event_s = many["processor_us_an_event"] / 1e6
    of_table_mib = (many["pit_mib"] - few["pit_mib"]) / (many["tables"] - few["tables"])
    return {
        "extrapolated": wanted, "events_a_second": wanted * a_second,
        "felts_a_second": wanted * a_second * FELTS_AN_EVENT,
        "processor_cores": wanted * a_second * of_event_s, "kib_a_table": of_table_mib * 1024,
        "pit_mib": many["pit_mib"] + (wanted - many["tables"]) * of_table_mib,
        "tables_of_one_core": 1 / (a_second * of_event_s),
    }  # fmt: skip
