"""Kills under tables in play: each has its daemon, its follower and its publisher, as in a real house.

After each kill the store of the pit is compared with the journals while the tables play on. Records of rounds
are also compared with those that `crisscross rounds export` rebuilds without the uplink.
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from controller.floor.pit.opening import open_database
from controller.floor.uplink.journal_follower import JournalFollower
from controller.floor.uplink.outbox import Outbox
from tests.trials.pit.faults import faults
from tests.trials.pit.fleet import name_of
from tests.trials.pit.floor import SETTLED_S, STORE_NETWORK, Floor, Plan
from tests.trials.pit.machine import Part, soon
from tests.trials.pit.rabbit import Rabbit
from tests.trials.pit.tables import Key, Table, compared, had, key_of, upto
from tests.uplink.night import teller

TABLES, SPEED = 2, 8
"""Number of tables on a floor, and their speed as a multiple of people's."""
RECORDS_EVERY = 10
"""Number of kills between two comparisons of records."""
SERVICES = ("daemon", "teller", "speaker")
"""Processes of a table: `crisscross mock`, `uplink tell`, `uplink serve`."""
OLD_STORE = "old_store"
OTHERS = ("pit", "store", "network", OLD_STORE, "all")
KINDS = {"mosquitto": ("broker", *SERVICES, *OTHERS), "rabbitmq": ("node", "broker", *SERVICES, *OTHERS)}


class Derived:
    """Public events of a journal, computed independently of the table's uplink: a separate follower derives
    them from a copy of the journal."""

    def __init__(self, table: Table, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._table, self.copy = table, folder / "journal.db"
        self._outbox = Outbox(folder / "derived")
        self._follower: JournalFollower | None = None
        self._events: list[Key] = []

    def events(self) -> list[Key]:
        """Copy the journal as it is now, and return all of its public events."""
        live = f"file:{self._table.journal}?mode=ro"
        with closing(sqlite3.connect(live, uri=True)) as journal, closing(sqlite3.connect(self.copy)) as copy:
            journal.backup(copy)
        keys = self._table.journal.with_name(f"{self._table.journal.name}.keys")
        unfinished = shutil.ignore_patterns(".*")  # the live daemon is about to rename these files
        shutil.copytree(
            keys, self.copy.with_name(f"{self.copy.name}.keys"), dirs_exist_ok=True, ignore=unfinished
        )
        if self._follower is None:
            self._follower = teller(self.copy, self._outbox, self._table.name)
        while self._follower.step():
            pass
        self._events += [key_of(each.payload) for each in self._outbox.events(len(self._events), 10**9)]
        return self._events


class Playing(Floor):
    """Floor whose tables play without end with their own daemons, followers and publishers."""

    def parts_of_tables(self, folder: Path) -> list[Part]:
        ports = self.broker.tls_ports
        self._playing = [
            self.table_of(name_of(n), name_of(n), ports[n % len(ports)])
            for n in range(1, self.plan.tables + 1)
        ]
        self._derived = {each.name: Derived(each, folder / "derived" / each.name) for each in self._playing}
        daemons = [each.playing(SPEED, n) for n, each in enumerate(self._playing, 1)]
        followers = [each.tell for each in self._playing]
        publishers = [each.serve for each in self._playing]
        self.services = dict(zip(SERVICES, (daemons, followers, publishers), strict=True))
        self._rows: dict[str, int] = {}
        self._copy = Path()
        """Copy of the pit's store that the next OLD_STORE puts back."""
        self._copies = 0
        self._turn = self.ended = 0
        return [*daemons, *followers, *publishers]

    def table_of(self, folder: str, name: str, port: int) -> Table:
        """Return a table on the tables' disk. `port`: the broker's, for its connection."""
        certificate, key = self.papers.tables[name]
        uplink = {
            "broker": f"mqtts://{self.broker.host}:{port}", "ca": str(self.papers.ca),
            "certificate": str(certificate), "key": str(key),
        }  # fmt: skip
        return Table(self.outboxes / folder, name, uplink)

    def start(self) -> None:
        for n, table in enumerate(self._playing, 1):
            table.play(1, n)
        self.broker.start()
        if isinstance(self.broker, Rabbit):
            self.broker.users(self.plan.names, ["pit-1"])
        for disk in (*self._disks, *getattr(self.broker, "disks", ())):
            disk.sync()
        self.mend()
        self.settled()
        self._copy = self._backup()

    def mend(self) -> None:
        """Count the processes that ended on their own, which systemd would restart, and start them."""
        for part in (*self.tables, self.pit):
            if part.process is not None and part.process.poll() is not None:
                self.ended += 1
                part.stop()
        super().mend()

    def break_(self, fault: str, lots: random.Random) -> None:
        if fault in SERVICES:
            lots.choice(self.services[fault]).kill()
        elif fault == "node":
            self.broker.kill(lots)
        elif fault == "broker":
            self.broker.kill_all()
        elif fault == OLD_STORE:
            self._put_back()
        else:
            super().break_(fault, lots)

    def _backup(self) -> Path:
        """Copy the store of the running pit with the pit's own command; return the copy."""
        self._copies += 1
        copy = self.folder / f"copy-{self._copies}.db"
        self._pit_command("backup", str(copy))
        return copy

    def _put_back(self) -> None:
        """End the pit and put back the copy that was made at the last call, while the tables play on."""
        copy, self._copy = self._copy, self._backup()
        self.pit.kill()
        if self.postgres:
            with closing(open_database(self.url, writing=False)) as database:
                database.rows("DROP SCHEMA public CASCADE")
                database.rows("CREATE SCHEMA public")
        else:
            for path in Path(self.url).parent.glob("pit.db*"):
                path.unlink()
        self._pit_command("restore", str(copy))
        copy.unlink()

    def _pit_command(self, *act: str) -> None:
        command = [sys.executable, "-m", "controller", "pit", *act, "--store", self.url]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise OSError(f"{' '.join(act)}: {done.stderr.strip()[-400:]}")

    def resume(self) -> None:
        """Do nothing, since the tables play on."""

    def settled(self) -> None:
        """Wait until the pit has every journal up to its present last row."""
        self._rows = {each.name: each.last_row() for each in self._playing}
        for table in self._playing:
            self._wait_for(table, self._rows[table.name])

    def _wait_for(self, table: Table, row: int) -> None:
        """Wait until the pit has the events of the row. The row's checkpoint is a separate commit before the
        next row, so the outbox must have the next row too."""
        soon(
            lambda: table.outbox_at(row + 1) is not None,
            f"{table.name}: row {row + 1} is not in the outbox",
            SETTLED_S,
        )
        stream, last = table.outbox_at(row + 1) or ("", 0)

        def is_there() -> bool:
            found = upto(self.url, table.name)
            return found is not None and found[0] == stream and found[1] >= last

        soon(is_there, f"{table.name}: the pit has not event {last} of stream {stream}", SETTLED_S)

    def differences(self) -> dict[str, int]:
        """Compare the store with the journals. The store is read first, since the tables play on."""
        found: Counter[str] = Counter()
        for table in self._playing:
            parts = had(self.url, table.name)
            found.update(compared(parts, self._derived[table.name].events(), self._rows[table.name]))
        new = {**found, "events": found["events"] - self._checked.get("", 0), "ended": self.ended}
        self._checked[""], self.ended = found["events"], 0
        return new

    def records(self) -> dict[str, int]:
        """At each tenth call, compare a table's records with those rebuilt from its journal."""
        self._turn += 1
        turn, rest = divmod(self._turn, RECORDS_EVERY)
        if rest:
            return {}
        table = self._playing[turn % len(self._playing)]
        query = "SELECT body FROM events WHERE name = ? AND kind = 'record' ORDER BY sequence"
        with closing(open_database(self.url, writing=False)) as database:
            kept = [json.loads(body)["data"]["record"] for (body,) in database.rows(query, (table.name,))]
        self._derived[table.name].events()  # the copy is later than the content of the store
        command = [sys.executable, "-m", "controller", "rounds", "export", "--journal"]
        copy = self._derived[table.name].copy
        done = subprocess.run([*command, str(copy)], check=True, capture_output=True, text=True)
        rebuilt = [json.loads(line) for line in done.stdout.splitlines()]
        differ = sum(_money(one) != _money(other) for one, other in zip(kept, rebuilt, strict=False))
        return {"records": len(kept), "records_differ": differ + max(0, len(kept) - len(rebuilt))}


def _money(record: dict[str, Any]) -> tuple[object, ...]:
    """Return a round's number and the money of each seat. Cards that were never turned are not public."""
    return record["round"], [
        (seat["seat"], seat["wagers"], seat["paid"], seat["taken"]) for seat in record["seats"]
    ]


def _records(made: Floor) -> dict[str, int]:
    assert isinstance(made, Playing)
    return made.records()


def kills(
    trials: int, store: str, broker: str, kinds: Sequence[str] | None, seed: int
) -> Iterator[dict[str, Any]]:
    """Cause one of the broker's KINDS after another, `trials` in total; with PostgreSQL also cuts of its
    network."""
    all_ = (*KINDS[broker], *((STORE_NETWORK,) if store == "postgresql" else ()))
    plan = Plan(TABLES, 0.0, store, broker, cuttable=True)
    for row in faults(plan, trials, kinds or all_, seed, also=_records, of=Playing):
        yield {**row, "store": store, "broker": broker}
