"""`python -m tests.pit.trial growth` and `faults`: what they measure is printed, a line of JSON each.

growth --tables 1,10,50,200 --seconds 30 --pace 1   lag, events a second, memory, and how fast a backlog goes
faults --trials 100 --tables 8 --store postgresql   kills, one of six kinds after another, and compares
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.pit.postgres import Postgres
from tests.pit.trial import machine
from tests.pit.trial.machine import Network, Part, free_port, soon
from tests.pit.trial.night import play
from tests.pit.trial.watching import PageWatcher, all_there, begun, differences, quantile

A_FLEET = 25
PAUSE = threading.Event()
FAULTS = ("table", "broker", "pit", "store", "network", "all")
SETTLED_S = 120.0


class Floor:
    """All parts, begun. `fleets`: each of `A_FLEET` tables at most."""

    def __init__(self, folder: Path, tables: int, pace: float, store: str, a_fleet: int = A_FLEET) -> None:
        self.folder, self.tables = folder, tables
        self.postgres = Postgres(synced=True) if store == "postgresql" else None
        if self.postgres:
            self.postgres.start()
        self.url = self.postgres.url if self.postgres else str(folder / "pit.db")
        broker, self.port = free_port(), free_port()
        self.network = Network(broker)
        self.mosquitto = machine.mosquitto(folder, broker)
        self.pit = machine.pit(folder, self.network.port, self.port, self.url)
        firsts = range(1, tables + 1, a_fleet)
        self.fleets = [
            machine.fleet(folder, self.network.port, first, min(a_fleet, tables + 1 - first), pace)
            for first in firsts
        ]

    def start(self, *, pit: bool = True) -> None:
        self.mosquitto.start()
        if pit:
            self.pit.start()
        for each in self.fleets:
            each.start()
        soon(lambda: begun(self.folder, self.tables), "not every table tells", SETTLED_S)

    def say(self, line: str) -> None:
        for each in self.fleets:
            each.say(line)

    def settled(self) -> None:
        """No table tells more, and the pit has all."""
        self.say("stop")
        PAUSE.wait(0.3)
        soon(lambda: all_there(self.folder, self.url, self.tables), "the pit has not all", SETTLED_S)

    def end(self) -> None:
        for each in (*self.fleets, self.pit, self.mosquitto):
            each.stop()
        if self.postgres:
            self.postgres.stop()
            self.postgres.remove()


@contextmanager
def floor(tables: int, pace: float, store: str, a_fleet: int = A_FLEET) -> Iterator[Floor]:
    with tempfile.TemporaryDirectory(prefix="crisscross-pit-") as name:
        play(Path(name))
        made = Floor(Path(name), tables, pace, store, a_fleet)
        try:
            yield made
        finally:
            made.end()


# ------------------------------------------------------------------ growth


def growth(tables: int, seconds: float, pace: float, store: str) -> dict[str, Any]:
    """A floor at a pace, then a backlog of 20,000 events."""
    with floor(tables, pace, store) as made:
        made.start()
        PAUSE.wait(5.0)
        watcher, cpu = PageWatcher(made.port), _cpu(made.pit)
        PAUSE.wait(seconds)
        used, lags = _cpu(made.pit) - cpu, list(watcher.lags)
        memory = made.pit.rss()
        made.settled()
        watcher.stop()
        found = differences(made.folder, made.url, tables, checked := {})
        told = {
            "tables": tables, "store": store, "pace": pace, "seconds": seconds,
            "lag_p50_ms": quantile(lags, 0.5), "lag_p99_ms": quantile(lags, 0.99), "lags": len(lags),
            "pit_cpu_share": used / seconds,
            "pit_mib": memory / 2**20, **found,
        }  # fmt: skip
        return told | _backlog(made, checked)


def _backlog(made: Floor, checked: dict[str, int]) -> dict[str, Any]:
    """How fast the pit takes what was told while it was away."""
    made.pit.kill()
    many = 20_000
    made.say(f"pace {many / made.tables / 10}")
    PAUSE.wait(12.0)
    made.say("stop")
    PAUSE.wait(1.0)
    made.pit.start()
    start = time.monotonic()
    made.settled()
    spent = time.monotonic() - start
    found = differences(made.folder, made.url, made.tables, checked)
    return {"backlog": found["events"], "backlog_s": spent, "backlog_a_second": found["events"] / spent,
            "backlog_lost": found["lost"] + found["doubled"] + found["out_of_order"]}  # fmt: skip


def _cpu(part: Part) -> float:
    """Seconds of processor that it has had."""
    assert part.process is not None
    fields = Path(f"/proc/{part.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


# ------------------------------------------------------------------ faults


def faults(trials: int, tables: int, pace: float, store: str, seed: int) -> Iterator[dict[str, Any]]:
    lots = random.Random(seed)
    with floor(tables, pace, store, a_fleet=2) as made:
        made.start()
        checked: dict[str, int] = {}
        for trial in range(1, trials + 1):
            fault = FAULTS[(trial - 1) % len(FAULTS)]
            made.say(f"pace {pace}")
            PAUSE.wait(lots.uniform(0.3, 1.2))
            _break(made, fault, lots)
            PAUSE.wait(lots.uniform(0.0, 0.7))
            made.settled()
            yield {"trial": trial, "fault": fault, **differences(made.folder, made.url, tables, checked)}


def _break(made: Floor, fault: str, lots: random.Random) -> None:
    """It is broken while the tables tell, and mended."""
    everything = fault == "all"
    if fault == "network" or everything:
        made.network.cut()
    if fault == "table" or everything:
        gone = lots.choice(made.fleets)
        gone.kill()
    if fault == "broker" or everything:
        made.mosquitto.kill()
    if fault == "pit" or everything:
        made.pit.kill()
    if (fault == "store" or everything) and made.postgres:
        made.postgres.stop("immediate")
    PAUSE.wait(lots.uniform(0.0, 1.5))
    if made.postgres and (fault == "store" or everything):
        made.postgres.start()
    for part in (made.mosquitto, *made.fleets, made.pit):
        if part.process is None:
            part.start()
    made.network.mend()


def main() -> int:
    """Exit status 1 where anything was lost, doubled or out of order."""
    parser = argparse.ArgumentParser(prog="python -m tests.pit.trial")
    acts = parser.add_subparsers(dest="act", required=True)
    growing, breaking = acts.add_parser("growth"), acts.add_parser("faults")
    growing.add_argument("--tables", default="1,10,50,200")
    growing.add_argument("--seconds", type=float, default=30.0)
    growing.add_argument("--pace", type=float, default=1.0, help="events a second of each table")
    breaking.add_argument("--trials", type=int, default=100)
    breaking.add_argument("--tables", type=int, default=8)
    breaking.add_argument("--pace", type=float, default=20.0)
    breaking.add_argument("--seed", type=int, default=1)
    for each in (growing, breaking):
        each.add_argument("--store", choices=("sqlite", "postgresql"), default="sqlite")
    given = parser.parse_args()
    wrong = 0
    if given.act == "growth":
        rows: Iterator[dict[str, Any]] = (
            growth(int(count), given.seconds, given.pace, given.store) for count in given.tables.split(",")
        )
    else:
        rows = faults(given.trials, given.tables, given.pace, given.store, given.seed)
    for row in rows:
        print(
            json.dumps({key: round(v, 3) if isinstance(v, float) else v for key, v in row.items()}),
            flush=True,
        )
        wrong += row["lost"] + row["doubled"] + row["out_of_order"] + row.get("backlog_lost", 0)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
