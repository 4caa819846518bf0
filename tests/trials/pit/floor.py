"""A floor: broker, pit, store and tables as separate processes, with methods that break and repair them."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.mock.pit.broker import free_port
from tests.pit.postgres import Postgres
from tests.pit.test_one_bad_message import get_page
from tests.trials.pit import machine
from tests.trials.pit.cutting import Disk, Wire
from tests.trials.pit.fleet import name_of
from tests.trials.pit.machine import Broker, Fleet, Mosquitto, Part, soon
from tests.trials.pit.night import play
from tests.trials.pit.rabbit import Rabbit
from tests.trials.pit.watching import all_there, begun, differences
from tests.uplink.papers import papers

PAUSE = threading.Event()
SETTLED_S, LOCK_S = 600.0, 60.0
STORES, BROKERS = ("sqlite", "postgresql"), ("mosquitto", "rabbitmq")
DISK_MIB = 1024
STORE_NETWORK = "store_network"
"""Name of a fault that only a store on another machine can have."""
STORE_STOPPED = "store_stopped"
"""Name of a fault that lasts a minute. A run causes it only if it is named."""


@dataclass(frozen=True)
class Plan:
    """Plan of a floor. `pace`: events a second of each table; `store`, `broker`: kinds; `a_fleet`: maximum
    number of tables in one process."""

    tables: int
    pace: float
    store: str = "sqlite"
    broker: str = "mosquitto"
    a_fleet: int = 25
    cuttable: bool = False
    """Whether broker and PostgreSQL are behind connections that can be cut, and tables and store have their
    own disks and sync everything."""
    others: tuple[str, ...] = ()
    """Names of further tables that have a certificate."""

    @property
    def names(self) -> list[str]:
        """Names of all tables that have a certificate."""
        return [*map(name_of, range(1, self.tables + 1)), *self.others]


class Floor:
    """All parts of a floor. `break_` causes a fault; `mend` restores the parts that were cut or killed."""

    def __init__(self, folder: Path, plan: Plan, stack: ExitStack) -> None:
        self.plan, self.night, self.folder = plan, play(folder), folder
        self.outboxes, store = folder / "tables", folder / "store"
        self.wire = Wire() if plan.cuttable or plan.broker == "rabbitmq" else None
        if self.wire:
            stack.callback(self.wire.remove)
        self._disks: tuple[Disk, ...] = ()
        if plan.cuttable:
            self._disks = tuple(self._disk(stack, at) for at in (self.outboxes, store))
        self.outboxes.mkdir(exist_ok=True)
        store.mkdir(exist_ok=True)
        self._dark = False
        self._stopped: Callable[[], None] | None = None
        """Function that resumes a stopped store."""
        self.store_wire: Wire | None = None
        self.postgres = self._postgres(stack, store) if plan.store == "postgresql" else None
        self.url = self.postgres.url if self.postgres else str(store / "pit.db")
        self.broker = self._broker_of(folder, stack)
        stack.callback(self.broker.stop)
        self.port = free_port()
        store_url = self.postgres.network_url if self.postgres else self.url
        self.pit = machine.pit(folder, self.broker, self.port, store_url)
        self.tables = self.parts_of_tables(folder)
        self._checked: dict[str, int] = {}

    def _disk(self, stack: ExitStack, at: Path) -> Disk:
        made = Disk(at, DISK_MIB)
        stack.callback(made.remove)
        return made

    def _postgres(self, stack: ExitStack, store: Path) -> Postgres:
        """Return PostgreSQL, on a machine of its own if the plan has cuts."""
        if self.plan.cuttable:
            self.store_wire = Wire(1)
            stack.callback(self.store_wire.remove)
            server = Postgres(
                synced=True, within=store, host=self.store_wire.host, inside=self.store_wire.inside
            )
        else:
            server = Postgres(synced=True, within=store)
        stack.callback(server.remove)
        return server

    def _broker_of(self, folder: Path, stack: ExitStack) -> Broker:
        if self.wire is None:
            return Mosquitto(folder, None)
        self.papers = papers(folder, "CC-01", "pit-1", self.wire.host, self.plan.names)
        if self.plan.broker == "mosquitto":
            return Mosquitto(folder, self.wire, self.papers)
        return Rabbit(folder, self.wire, stack, self.papers)

    def parts_of_tables(self, folder: Path) -> list[Part]:
        """Return the processes of the tables, which are fleets."""
        return [self._fleet(folder, first) for first in range(1, self.plan.tables + 1, self.plan.a_fleet)]

    def _fleet(self, folder: Path, first: int) -> Part:
        plan = self.plan
        count = min(plan.a_fleet, plan.tables + 1 - first)
        of = Fleet(self.outboxes, self.night, first, count, plan.pace, plan.cuttable)
        ports = self.broker.ports
        return machine.fleet(folder, self.broker, of, ports[first // plan.a_fleet % len(ports)])

    def start(self) -> None:
        self.mend()
        soon(lambda: begun(self.outboxes, self.plan.tables), "not every table publishes", SETTLED_S)

    def sync(self) -> None:
        """Sync the disks of tables and store."""
        for disk in self._disks:
            disk.sync()

    def send_line(self, line: str) -> None:
        for each in self.tables:
            each.send_line(line)

    def resume(self) -> None:
        """Let the tables publish again after `settled`."""
        self.send_line(f"pace {self.plan.pace}")

    def settled(self) -> None:
        """Stop the tables, and wait until the pit has all events."""
        self.send_line("stop")
        PAUSE.wait(0.3)
        tables = self.plan.tables
        soon(lambda: all_there(self.outboxes, self.url, tables), "the pit has not all", SETTLED_S)

    def differences(self) -> dict[str, int]:
        """Return the lost, doubled and disordered events since the last call."""
        return differences(self.outboxes, self.url, self.plan.tables, self._checked)

    def end(self) -> None:
        """End all parts; the content of the store is no longer needed."""
        for each in (*self.tables, self.pit):
            each.stop()
        if self.postgres and self.postgres.runs:
            self.postgres.kill()

    # ------------------------------------------------------------------ faults

    def break_(self, fault: str, lots: random.Random) -> None:
        """Cause the fault (one of FAULTS) now, with details drawn from `lots`."""
        BREAKS[fault](self, lots)

    def mend(self) -> None:
        """Repair everything, and start each part that is not running."""
        if self._dark:
            for disk in self._disks:
                disk.back()
            self._dark = False
        if self._stopped:
            self._resume_store(self._stopped)
        for wire in filter(None, (self.wire, self.store_wire)):
            wire.mend()
        for disk in self._disks:
            disk.empty()
        if self.postgres and not self.postgres.runs:
            self.postgres.start()
        self.broker.start()
        for part in (self.pit, *self.tables):
            if part.process is None:
                part.start()

    def _table(self, lots: random.Random) -> None:
        lots.choice(self.tables).kill()

    def _broker(self, lots: random.Random) -> None:
        """Kill Mosquitto, which stores nothing, or a node of RabbitMQ with its disk."""
        self.broker.kill(lots)

    def _pit(self, _lots: random.Random) -> None:
        self.pit.kill()

    def _store(self, _lots: random.Random) -> None:
        """Crash PostgreSQL, or fill the disk under SQLite."""
        if self.postgres:
            self.postgres.stop("immediate")
        else:
            self._disks[1].fill()

    def _network(self, _lots: random.Random) -> None:
        assert self.wire is not None
        self.wire.cut()

    def _store_network(self, _lots: random.Random) -> None:
        """Cut the network between pit and PostgreSQL: packets are lost, and neither end is notified."""
        assert self.store_wire is not None
        self.store_wire.cut()

    def _store_stopped(self, _lots: random.Random) -> None:
        """Stop PostgreSQL's processes, or hold the lock under which SQLite writes, as a hung program does."""
        if postgres := self.postgres:
            self._stopped = partial(postgres.resume, postgres.pause())
            return
        other = sqlite3.connect(self.url, isolation_level=None, timeout=LOCK_S)
        other.execute("BEGIN IMMEDIATE")
        self._stopped = other.close

    def _resume_store(self, resume: Callable[[], None]) -> None:
        """Resume the store. Raises AssertionError if the pit had not reported the stop, which would mean that
        it had no effect."""
        status, words = get_page(self.port, "/readyz")
        self._stopped = None
        resume()
        assert (status, "store: ok" in words) == (503, False), f"the stopped store is not reported: {words}"

    def _all(self, _lots: random.Random) -> None:
        """Cut the power of everything. Data that are not on the disks are lost."""
        if self.postgres and self.postgres.runs:
            self.postgres.kill()  # disks first: without its disk a process would end, and its children later
        for disk in self._disks:
            disk.cut()
        self._dark = True
        self.broker.kill_all()
        for part in (*self.tables, self.pit):
            part.kill()


BREAKS = {
    "table": Floor._table, "broker": Floor._broker, "pit": Floor._pit, "store": Floor._store,
    "network": Floor._network, "all": Floor._all, STORE_NETWORK: Floor._store_network,
    STORE_STOPPED: Floor._store_stopped,
}  # fmt: skip
FAULTS = tuple(each for each in BREAKS if each not in (STORE_NETWORK, STORE_STOPPED))
"""Faults that may happen on a floor with any kind of store, except for the one that lasts a minute."""


@contextmanager
def floor(plan: Plan, kind: type[Floor]) -> Iterator[Floor]:
    """Start a floor of that class; remove all of it at the end of the block."""
    with tempfile.TemporaryDirectory(prefix="crisscross-pit-") as name, ExitStack() as stack:
        Path(name).chmod(0o711)  # needed by PostgreSQL's user to reach its disk
        made = kind(Path(name), plan, stack)
        stack.callback(made.end)
        made.start()
        yield made
