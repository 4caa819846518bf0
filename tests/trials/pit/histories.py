"""Tables whose history goes wrong, with their real services. The trial fails if the log does not report a
fault in its line, and records whether another table was affected.

The outboxes are what goes wrong, so the pit is compared with the journals.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

from controller.floor.pit.database import StoreError
from controller.mock.pit.broker import free_port
from tests.pit.postgres import Postgres
from tests.trials.pit import machine
from tests.trials.pit.machine import Mosquitto, soon
from tests.trials.pit.tables import Table, compared, had, upto

SETTLED_S = 600.0


class House:
    """A broker, a pit, an honest table, and another table whose history goes wrong."""

    def __init__(self, folder: Path, store: str, stack: ExitStack) -> None:
        self.folder, self.url = folder, str(folder / "pit.db")
        if store == "postgresql":
            postgres = Postgres(synced=True)
            stack.callback(postgres.remove)
            postgres.start()
            stack.callback(postgres.kill)
            self.url = postgres.url
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
        at = f"mqtt://{self.broker.host}:{self.broker.ports[0]}"
        made = Table(self.folder / folder, name, {"broker": at})
        self._stack.callback(made.stop)
        return made

    def play(self, table: Table, rounds: int) -> None:
        self._seed += 1
        table.play(rounds, self._seed)

    def settle(self, table: Table) -> float:
        """Start a table, wait until the pit has its journal, and stop it; return the seconds."""
        began = time.monotonic()
        table.start()
        self.wait_for(table)
        table.stop()
        return time.monotonic() - began

    def wait_for(self, table: Table) -> None:
        """Wait until the pit has the journal of a running table."""
        soon(lambda: self.agrees(table), f"the pit has not the journal of {table.folder}", SETTLED_S)

    def log(self) -> str:
        return (self.folder / "pit.log").read_text(encoding="utf-8")

    def refused_stream(self, table: Table) -> tuple[str, str] | None:
        """Return table and stream from the command that the pit's log prints for a refused stream, or
        None."""
        found = re.findall(r"--accept (\S+) ([0-9a-f-]+)", self.log())
        return next((each for each in reversed(found) if each[0] == table.name), None)

    def accept(self, table: Table) -> None:
        """Type the command of the pit's log, as a person does after checking the table, and wait until the
        pit has its journal."""
        soon(lambda: self.refused_stream(table) is not None, f"the pit refused no stream of {table.name}")
        command = [sys.executable, "-m", "controller", "pit", "--store", self.url, "--accept"]
        more = [*(self.refused_stream(table) or ()), "--reason", "trial"]
        subprocess.run([*command, *more], check=True, capture_output=True)
        self.wait_for(table)

    def agrees(self, table: Table) -> bool:
        """Return whether the pit has exactly the events of the journal."""
        end = table.outbox_end()
        if end is None or upto(self.url, table.name) != end:
            return False
        with suppress(StoreError):
            return {each for part in had(self.url, table.name) for each in part} == set(table.events())
        return False

    def differences(self, table: Table) -> dict[str, int]:
        return compared(had(self.url, table.name), table.events(), table.last_row())

    def is_contained(self) -> bool:
        """Play a round at the honest table, and return whether the pit has it as in the journal."""
        self.play(self.honest, 1)
        self.settle(self.honest)
        return not any(value for key, value in self.differences(self.honest).items() if key != "events")


# ------------------------------------------------------------------ faults


def _spoil(house: House, table: Table, spoilt: Callable[[bytes], bytes]) -> None:
    """Change one event in the outbox that the pit does not have yet."""
    house.play(table, 1)
    with closing(sqlite3.connect(table.outbox)) as box:
        (before,) = box.execute("SELECT max(sequence) FROM events").fetchone()
    table.start(serve=False)
    soon(lambda: table.outbox_end() is not None, f"{table.folder}: not all of the journal is in the outbox")
    table.stop()
    with closing(sqlite3.connect(table.outbox)) as box, box:
        (payload,) = box.execute("SELECT payload FROM events WHERE sequence = ?", (before + 3,)).fetchone()
        box.execute("UPDATE events SET payload = ? WHERE sequence = ?", (spoilt(payload), before + 3))


def _poisoned(house: House, table: Table) -> bool:
    """Put bytes that are not an event into the outbox. The outbox is then deleted, as after any damage."""
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
    """Alter an event in the outbox without making it invalid."""
    house.settle(table)
    _spoil(house, table, lambda payload: re.sub(rb'"ms":(\d)', rb'"ms":9\1', payload))
    table.start()
    soon(lambda: "starts a new stream" in table.log(), f"{table.folder}: reports no other history")
    contained = house.is_contained()
    house.accept(table)
    table.stop()
    return contained


def _restored(house: House, table: Table) -> bool:
    """Restore a copy of the table's folder, and play other rounds than those that the pit has."""
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
    """Start a second table with the same name and its own journal, while the first runs and after it has
    stopped."""
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
    """Play while the uplink is stopped. The pit shows the table as silent, and receives all events later."""
    house.settle(table)
    house.play(table, rounds)
    contained = house.is_contained()
    house.settle(table)
    return contained


# each function returns whether the honest table and the pit's other history stayed unchanged
FAULTS: dict[str, Callable[[House, Table], bool]] = {
    "poisoned": _poisoned, "altered": _altered, "restored": _restored, "duplicate": _duplicate,
}  # fmt: skip
OFFLINE = "offline"


def histories(times: int, rounds: int, store: str, only: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Cause each of FAULTS `times` times, then play that many rounds offline. `only`: these faults, by
    default all of them."""
    works = {**FAULTS, OFFLINE: lambda house, table: _offline(house, table, rounds)}
    with tempfile.TemporaryDirectory(prefix="crisscross-pit-") as name, ExitStack() as stack:
        house = House(Path(name), store, stack)
        for trial in range(1, times + 1):
            for fault in only or works:
                if fault == OFFLINE and trial > 1:
                    continue
                table, began = house.table(f"{fault}-{trial}", f"{fault}-{trial}"), time.monotonic()
                house.play(table, 2)
                row = {"trial": trial, "fault": fault, "store": store, "holds": works[fault](house, table)}
                yield {**row, "seconds": time.monotonic() - began, **house.differences(table)}
