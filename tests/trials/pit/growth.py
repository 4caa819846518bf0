"""Growth of a floor: delay of a page, load of the pit, and the time to work off a backlog."""

from __future__ import annotations

import os
import time
from typing import Any

from tests.trials.pit.floor import PAUSE, Floor, Plan, floor
from tests.trials.pit.watching import PageWatcher, quantile


def growth(plan: Plan, seconds: float, backlog: int) -> dict[str, Any]:
    """Measure a floor at its pace for `seconds`, then the time in which it works off `backlog` events (0: no
    backlog)."""
    with floor(plan, Floor) as made:
        PAUSE.wait(5.0)
        watcher, cpu = PageWatcher(made.port), made.pit.processor_s()
        PAUSE.wait(seconds)
        used, lags = made.pit.processor_s() - cpu, list(watcher.lags)
        memory, load = made.pit.rss(), os.getloadavg()[0]
        made.settled()
        watcher.stop()
        found = made.differences()
        figures = {
            "tables": plan.tables, "store": plan.store, "broker": plan.broker, "pace": plan.pace,
            "seconds": seconds, "load": load,
            "lag_p50_ms": quantile(lags, 0.5), "lag_p99_ms": quantile(lags, 0.99), "lags": len(lags),
            "pit_cpu_share": used / seconds,
            "pit_mib": memory / 2**20, **found,
        }  # fmt: skip
        return figures | (_backlog(made, backlog) if backlog else {})


def _backlog(made: Floor, many: int) -> dict[str, Any]:
    """Measure the time in which the pit works off a backlog of events."""
    made.pit.kill()
    made.send_line(f"pace {many / made.plan.tables / 10}")
    PAUSE.wait(12.0)
    made.send_line("stop")
    PAUSE.wait(1.0)
    made.pit.start()
    start = time.monotonic()
    made.settled()
    spent = time.monotonic() - start
    found = made.differences()
    return {"backlog": found["events"], "backlog_s": spent, "backlog_a_second": found["events"] / spent,
            "backlog_lost": found["lost"] + found["doubled"] + found["out_of_order"]}  # fmt: skip
