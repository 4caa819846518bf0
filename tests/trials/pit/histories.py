"""Tables whose history goes wrong, with their real services. The trial ends if a fault is not reported by its
line in the log, and reports whether another table noticed it.

Outboxes are what goes wrong, so the pit is compared with the journals: each public event of a journal once,
in order, by its row, its kind and its facts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import yaml

from controller.common.files.file_lock import lock
from controller.floor.pit.database import StoreError, open_database
from controller.floor.pit.store import events_of, load_heads
from controller.floor.pit.streams import streams
from controller.floor.uplink.outbox import outbox_path
from controller.floor.uplink.stream_names import journal_of
from controller.mock.pit.broker import free_port
from tests.trials.pit import machine
from tests.trials.pit.machine import Broker, Mosquitto, Part, soon
from tests.uplink.night import told

SETTLED_S = 600.0
MOCK = ("--no-wires", "--headless", "--json", "--speed", "max", "--clumsy", "0.2", "--voids", "0.05")
UPLINK_FILES = ("", "-wal", "-shm", ".have")
Key = tuple[int, str, str, str]
"""Row of the journal, place in it, kind and facts of an event."""


class Table:
    """A table: a journal, and the two services of its uplink. `name`: its name at the pit."""

    def __init__(self, folder: Path, name: str, broker: Broker) -> None:
        folder.mkdir()
        self.folder, self.name, self.journal = folder, name, folder / "journal.db"
        self._config = folder / "table.yaml"
        uplink = {
            "broker": f"mqtt://{broker.host}:{broker.ports[0]}", "pits": [{"name": "pit-1"}],
            "events_a_second": 5000,
        }  # fmt: skip
        keys = {
            "table": name,
            "rules": "pennsylvania",
            "journal": "journal.db",
            "shoe": {"port": "/dev/shoe"},
        }
        self._config.write_text(yaml.safe_dump({**keys, "uplink": uplink}), encoding="utf-8")
        self._tell, self._serve = (self._part(act) for act in ("tell", "serve"))
        self._daemon: int | None = None
        self._derived: tuple[tuple[Path, int], list[Key]] = (self.journal, 0), []

    def _part(self, act: str) -> Part:
        command = [sys.executable, "-m", "controller", "uplink", act, "--config", str(self._config)]
        return Part(self.folder, act, command)

    def play(self, rounds: int, seed: int) -> None:
        """Play on in the journal; the uplink must not run."""
        command = [sys.executable, "-m", "controller", "mock", *MOCK, "--rounds", str(rounds)]
        more = ["--seed", str(seed), "--journal", str(self.journal)]
        subprocess.run([*command, *more], check=True, capture_output=True)

    def start(self, *, serve: bool = True) -> None:
        self._daemon = lock(self.journal)  # as a daemon holds it
        self._tell.start()
        if serve:
            self._serve.start()

    def stop(self) -> None:
        self._serve.stop()
        self._tell.stop()
        if self._daemon is not None:
            os.close(self._daemon)
            self._daemon = None

    def log(self) -> str:
        files = (self.folder / f"{act}.log" for act in ("tell", "serve"))
        return "".join(file.read_text(encoding="utf-8") for file in files if file.exists())

    @property
    def outbox(self) -> Path:
        return outbox_path(self.journal)

    def _last_row(self) -> int:
        with closing(sqlite3.connect(self.journal)) as journal:
            return int(journal.execute("SELECT max(seq) FROM events").fetchone()[0])

    def told(self) -> tuple[str, int] | None:
        """Return stream and last event of the outbox, or None if it has not the whole journal."""
        if not self.outbox.exists():
            return None
        with closing(sqlite3.connect(self.outbox)) as box, suppress(sqlite3.OperationalError):
            head = box.execute("SELECT stream, row FROM head").fetchone()
            (last,) = box.execute("SELECT max(sequence) FROM events").fetchone()
            return (str(head[0]), int(last)) if head and last and head[1] == self._last_row() else None
        return None

    def forget_outbox(self) -> None:
        """Delete the outbox, as the guide says; it is made again from the journal."""
        for ending in UPLINK_FILES:
            Path(f"{self.outbox}{ending}").unlink(missing_ok=True)

    def events(self) -> list[Key]:
        """Return the public events of the journal, derived from its first row. The cursor's file, which may
        name another row, is left out.
        """
        if self._derived[0] != (now := (self.journal, self._last_row())):
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder) / "journal"
                shutil.copytree(self.journal.parent, copy, ignore=shutil.ignore_patterns("*.uplink*"))
                found = told(copy / self.journal.name, Path(folder) / "outbox", self.name)
            self._derived = now, [_key(each.payload) for each in found]
        return self._derived[1]


def _key(payload: bytes) -> Key:
    event = json.loads(payload)
    facts = json.dumps(event["data"], sort_keys=True)
    return event["row"], event["id"].rpartition("/")[2], event["type"], facts


class House:
    """A broker, a pit, an honest table and one whose history goes wrong."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.url = folder, str(folder / "pit.db")
        self.broker = Mosquitto(folder, None)
        stack.callback(self.broker.stop)
        self.broker.start()
        self._pit = machine.pit(folder, self.broker, free_port(), self.url)
        stack.callback(self._pit.stop)
        self._pit.start()
        self._stack, self._seed = stack, 100
        self.honest = self.table("honest", "CC-01")
        self.play(self.honest, 1)
        self.settle(self.honest)

    def table(self, folder: str, name: str) -> Table:
        made = Table(self.folder / folder, name, self.broker)
        self._stack.callback(made.stop)
        return made

    def play(self, table: Table, rounds: int) -> None:
        self._seed += 1
        table.play(rounds, self._seed)

    def settle(self, table: Table) -> float:
        """Start a table, wait until the pit has its journal, stop it, and return the seconds."""
        began = time.monotonic()
        table.start()
        self.wait_for(table)
        table.stop()
        return time.monotonic() - began

    def wait_for(self, table: Table) -> None:
        """Wait until the pit has the journal of a table that runs."""
        soon(lambda: self.agrees(table), f"the pit has not the journal of {table.folder}", SETTLED_S)

    def log(self) -> str:
        return (self.folder / "pit.log").read_text(encoding="utf-8")

    def refused_stream(self, table: Table) -> tuple[str, str] | None:
        """Return table and stream of the command that the pit's log gives for a refused stream."""
        found = re.findall(r"--accept (\S+) ([0-9a-f-]+)", self.log())
        return next((each for each in reversed(found) if each[0] == table.name), None)

    def accept(self, table: Table) -> None:
        """Type the command of the pit's log, as a person does who has looked at the table, and wait until the
        pit has its journal."""
        soon(lambda: self.refused_stream(table) is not None, f"the pit refused no stream of {table.name}")
        command = [sys.executable, "-m", "controller", "pit", "--store", self.url, "--accept"]
        more = [*(self.refused_stream(table) or ()), "--reason", "trial"]
        subprocess.run([*command, *more], check=True, capture_output=True)
        self.wait_for(table)

    def _had(self, table: Table) -> list[list[Key]]:
        """Return the events that count at the pit of this table's journal, by stream."""
        with closing(open_database(self.url, writing=False)) as database:
            head = load_heads(database).get(table.name)
            journal = journal_of(head.stream) if head else ""
            return [
                [_key(each.body.encode()) for each in events_of(database, table.name, stream)][
                    : cut and cut - 1
                ]
                for stream, cut in streams(database, table.name).items()
                if journal_of(stream) == journal
            ]

    def agrees(self, table: Table) -> bool:
        """Return whether the pit has each event of the journal."""
        try:
            with closing(open_database(self.url, writing=False)) as database:
                head = load_heads(database).get(table.name)
            if head is None or table.told() != (head.stream, head.upto):
                return False
            return {each for part in self._had(table) for each in part} == set(table.events())
        except StoreError:
            return False

    def differences(self, table: Table) -> dict[str, int]:
        parts, wanted = self._had(table), table.events()
        had = [each for part in parts for each in part]
        place = {each: n for n, each in enumerate(wanted)}
        places = [[place.get(each, -1) for each in part] for part in parts]
        disordered = sum(each != sorted(each) for each in places)
        return {
            "events": len(wanted), "lost": len(set(wanted) - set(had)) + len(set(had) - set(wanted)),
            "doubled": len(had) - len(set(had)), "out_of_order": disordered,
        }  # fmt: skip

    def is_contained(self) -> bool:
        """Play a round at the honest table, and return whether the pit has it as its journal has it."""
        self.play(self.honest, 1)
        self.settle(self.honest)
        return not any(value for key, value in self.differences(self.honest).items() if key != "events")


# ------------------------------------------------------------------ faults


def _spoil(house: House, table: Table, spoilt: Callable[[bytes], bytes]) -> None:
    """Change one event in the outbox that no pit has yet."""
    house.play(table, 1)
    with closing(sqlite3.connect(table.outbox)) as box:
        (before,) = box.execute("SELECT max(sequence) FROM events").fetchone()
    table.start(serve=False)
    soon(lambda: table.told() is not None, f"{table.folder}: not all of the journal is in the outbox")
    table.stop()
    with closing(sqlite3.connect(table.outbox)) as box, box:
        (payload,) = box.execute("SELECT payload FROM events WHERE sequence = ?", (before + 3,)).fetchone()
        box.execute("UPDATE events SET payload = ? WHERE sequence = ?", (spoilt(payload), before + 3))


def _poisoned(house: House, table: Table) -> bool:
    """Put bytes into the outbox that are no event. The outbox is deleted, as for any damage of it."""
    house.settle(table)
    _spoil(house, table, lambda _payload: b"\x00poison")
    table.start()
    words = f"table {table.name}: a payload that is no JSON"
    soon(lambda: words in house.log(), words)
    contained = house.is_contained()
    table.stop()
    table.forget_outbox()
    house.settle(table)
    return contained


def _altered(house: House, table: Table) -> bool:
    """Alter an event in the outbox so that its form is still valid."""
    house.settle(table)
    _spoil(house, table, lambda payload: re.sub(rb'"ms":(\d)', rb'"ms":9\1', payload))
    table.start()
    soon(lambda: "starts a new stream" in table.log(), f"{table.folder}: reports no other history")
    contained = house.is_contained()
    house.accept(table)
    table.stop()
    return contained


def _restored(house: House, table: Table) -> bool:
    """Put back a copy of the table's folder, and play other rounds than those that the pit has."""
    house.settle(table)
    copy = house.folder / f"{table.folder.name}.copy"
    shutil.copytree(table.folder, copy)
    house.play(table, 2)
    house.settle(table)
    shutil.rmtree(table.folder)
    copy.rename(table.folder)
    house.play(table, 1)
    table.start()
    soon(lambda: house.refused_stream(table) is not None, f"{table.folder}: the pit refused no stream")
    contained = house.is_contained()
    house.accept(table)
    table.stop()
    return contained


def _duplicate(house: House, table: Table) -> bool:
    """Start a second table of the same name, with a journal of its own, beside the first and after it."""
    second = house.table(f"{table.folder.name}-second", table.name)
    house.play(second, 2)
    table.start()
    house.wait_for(table)
    second.start()
    words = f"the name {table.name} is taken"
    soon(lambda: words in second.log(), words)
    contained = house.is_contained() and house.agrees(table) and house.refused_stream(second) is None
    table.stop()
    soon(lambda: house.refused_stream(second) is not None, f"{second.folder}: the pit refused no stream")
    contained = contained and house.agrees(table)
    house.accept(second)
    second.stop()
    table.folder, table.journal = second.folder, second.journal
    return contained


def _offline(house: House, table: Table, rounds: int) -> bool:
    """Play while the uplink does not run; the pit shows the table as silent, and gets all of it."""
    house.settle(table)
    house.play(table, rounds)
    contained = house.is_contained()
    house.settle(table)
    return contained


# Each returns whether the honest table and the pit's other history stayed as they were.
FAULTS: dict[str, Callable[[House, Table], bool]] = {
    "poisoned": _poisoned, "altered": _altered, "restored": _restored, "duplicate": _duplicate,
}  # fmt: skip


def histories(times: int, rounds: int) -> Iterator[dict[str, Any]]:
    """Cause each of FAULTS so many times, and then play that many rounds offline."""
    kinds = FAULTS | {"offline": lambda house, table: _offline(house, table, rounds)}
    with tempfile.TemporaryDirectory(prefix="crisscross-pit-") as name, ExitStack() as stack:
        house = House(Path(name), stack)
        for trial in range(1, times + 1):
            for fault, work in kinds.items():
                if fault == "offline" and trial > 1:
                    continue
                table, began = house.table(f"{fault}-{trial}", f"{fault}-{trial}"), time.monotonic()
                house.play(table, 2)
                row = {"trial": trial, "fault": fault, "holds": work(house, table)}
                yield {**row, "seconds": time.monotonic() - began, **house.differences(table)}
