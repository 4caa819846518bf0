"""Trial of tables whose history goes wrong, with their real services.

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
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

from controller.floor.pit.database import StoreError
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import events_of
from controller.floor.pit.streams import streams
from controller.mock.pit.broker import free_port
from tests.pit.postgres import Postgres
from tests.trials.pit import machine
from tests.trials.pit.machine import SOON_S, Mosquitto, soon
from tests.trials.pit.tables import Table, compared, had, upto

SETTLED_S = 1800.0


class House(ABC):
    """Broker, pit, an honest table, and other tables whose histories go wrong."""

    kills = False
    """Whether a fault of the floor happens at each step."""

    def __init__(self, folder: Path, tables: Path, url: str) -> None:
        """`folder`: folder of the pit's log; `tables`: folder of the tables; `url`: store of the pit."""
        self.folder, self.tables, self.url = folder, tables, url
        self._seed = 100

    @abstractmethod
    def table(self, folder: str, name: str) -> Table:
        """Return a table that does not run yet."""

    def start(self, table: Table, *, serve: bool = True) -> None:
        """Start follower and publisher of a table, or the follower alone."""
        table.start(serve=serve)

    def stop(self, table: Table) -> None:
        table.stop()

    def wait_until(self, holds: Callable[[], bool], what: str, patience_s: float = SOON_S) -> None:
        soon(holds, what, patience_s)

    def play(self, table: Table, rounds: int) -> None:
        self._seed += 1
        table.play(rounds, self._seed)

    def settle(self, table: Table) -> None:
        """Start a table, wait until the pit has its journal, and stop it."""
        self.start(table)
        self.wait_for(table)
        self.stop(table)

    def wait_for(self, table: Table) -> None:
        """Wait until the pit has the journal of a running table."""
        words = f"the pit has not the journal of {table.folder}"
        self.wait_until(lambda: self.agrees(table), words, SETTLED_S)

    def stored(self, table: Table) -> dict[str, list[str]]:
        """Return the payloads that the pit has of the table, by stream."""
        with closing(open_database(self.url, writing=False)) as database:
            return {
                stream: [each.body for each in events_of(database, table.name, stream)]
                for stream in streams(database, table.name)
            }

    def log(self) -> str:
        return (self.folder / "pit.log").read_text(encoding="utf-8")

    def refused_stream(self, table: Table) -> tuple[str, str] | None:
        """Return the table and the stream named by the command that the pit's log prints for a refused
        stream; None if it prints none."""
        found = re.findall(r"--accept (\S+) ([0-9a-f-]+)", self.log())
        return next((each for each in reversed(found) if each[0] == table.name), None)

    def accept(self, table: Table, *more: str) -> None:
        """Type the command of the pit's log, as a person does after checking the table, and wait until the
        pit has its journal. `more`: the reason, where the log asks for it."""
        self.wait_refused(table)
        stream = (self.refused_stream(table) or ("", ""))[1]
        command = [sys.executable, "-m", "controller", "pit", "--store", self.url, "--accept", table.name]
        self.type_accept([*command, stream, *more], table, stream)
        self.wait_for(table)

    def wait_refused(self, table: Table) -> None:
        words = f"{table.folder}: the pit refused no stream of {table.name}"
        self.wait_until(lambda: self.refused_stream(table) is not None, words)

    def type_accept(self, command: list[str], table: Table, stream: str) -> None:
        subprocess.run(command, check=True, capture_output=True)

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

    @abstractmethod
    def is_contained(self) -> bool:
        """Return whether the fault of one table has not affected another: the pit has the events of the
        honest table, each once and in order."""


class QuietHouse(House):
    """A house without faults; its honest table plays one round at each check."""

    def __init__(self, folder: Path, store: str, stack: ExitStack) -> None:
        url = str(folder / "pit.db")
        if store == "postgresql":
            postgres = Postgres(synced=True)
            stack.callback(postgres.remove)
            postgres.start()
            stack.callback(postgres.kill)
            url = postgres.url
        super().__init__(folder, folder, url)
        self._broker = Mosquitto(folder, None)
        stack.callback(self._broker.stop)
        self._broker.start()
        pit = machine.pit(folder, self._broker, free_port(), self.url)
        stack.callback(pit.stop)
        pit.start()
        self._stack = stack
        self._honest = self.table("honest", "CC-01")
        self.play(self._honest, 1)
        self.settle(self._honest)

    def table(self, folder: str, name: str) -> Table:
        at = f"mqtt://{self._broker.host}:{self._broker.ports[0]}"
        made = Table(self.tables / folder, name, {"broker": at})
        self._stack.callback(made.stop)
        return made

    def is_contained(self) -> bool:
        self.play(self._honest, 1)
        self.settle(self._honest)
        return not any(value for key, value in self.differences(self._honest).items() if key != "events")


# ------------------------------------------------------------------ faults

REASON = ("--reason", "trial")


def _spoil(house: House, table: Table, spoilt: Callable[[bytes], bytes]) -> None:
    """Change one event in the outbox that the pit does not have yet. `spoilt`: returns the changed
    payload."""
    house.play(table, 1)
    with closing(sqlite3.connect(table.outbox)) as box:
        (before,) = box.execute("SELECT max(sequence) FROM events").fetchone()
    house.start(table, serve=False)
    words = f"{table.folder}: not all of the journal is in the outbox"
    house.wait_until(lambda: table.outbox_end() is not None, words)
    house.stop(table)
    with closing(sqlite3.connect(table.outbox)) as box, box:
        (payload,) = box.execute("SELECT payload FROM events WHERE sequence = ?", (before + 3,)).fetchone()
        box.execute("UPDATE events SET payload = ? WHERE sequence = ?", (spoilt(payload), before + 3))


def _poisoned(house: House, table: Table) -> bool:
    """Put bytes that are not an event into the outbox. The outbox is then deleted, as after any damage."""
    house.settle(table)
    _spoil(house, table, lambda _payload: b"\x00poison")
    house.start(table)
    words = f"table {table.name}: a payload that is no JSON"
    house.wait_until(lambda: words in house.log(), words)
    contained = house.is_contained()
    house.stop(table)
    table.forget_outbox()
    house.settle(table)
    return contained


def _altered(house: House, table: Table) -> bool:
    """Alter an event in the outbox without making it invalid."""
    house.settle(table)
    _spoil(house, table, lambda payload: re.sub(rb'"ms":(\d)', rb'"ms":9\1', payload))
    house.start(table)
    words = f"{table.folder}: reports no other history"
    house.wait_until(lambda: "starts a new stream" in table.log(), words)
    contained = house.is_contained()
    house.accept(table, *REASON)
    house.stop(table)
    return contained


def _restored(house: House, table: Table) -> bool:
    """Restore a copy of the table's folder, and play other rounds than those that the pit has."""
    house.settle(table)
    copy = house.tables / f"{table.folder.name}.copy"
    shutil.copytree(table.folder, copy)
    house.play(table, 2)
    house.settle(table)
    before = house.stored(table)
    shutil.rmtree(table.folder)
    copy.rename(table.folder)
    house.play(table, 1)
    house.start(table)
    house.wait_refused(table)
    contained = house.is_contained() and house.stored(table) == before
    house.accept(table, *REASON)
    house.stop(table)
    return contained


def _reinstalled(house: House, table: Table) -> bool:
    """Delete the table's folder, and install the table anew under its name: new journal, keys and outbox. The
    former events must remain at the pit also after the new journal was accepted."""
    house.settle(table)
    before = house.stored(table)
    shutil.rmtree(table.folder)
    anew = house.table(table.folder.name, table.name)
    house.play(anew, 1)
    house.start(anew)
    house.wait_refused(anew)
    contained = house.is_contained() and house.stored(anew) == before
    house.accept(anew)
    house.stop(anew)
    return contained and before.items() <= house.stored(anew).items()


def _duplicate(house: House, table: Table) -> bool:
    """Start a second table with the same name and its own journal, while the first runs and after it has
    stopped. Under kills the second may get the name while the first is dead, and the first then reports it;
    the pit refuses the second in either case."""
    second = house.table(f"{table.folder.name}-second", table.name)
    house.play(second, 2)
    house.start(table)
    house.wait_for(table)
    before = house.stored(table)
    house.start(second)
    words = f"the name {table.name} is taken"
    reporting = (table, second) if house.kills else (second,)
    house.wait_until(lambda: any(words in each.log() for each in reporting), words)
    contained = house.is_contained() and house.stored(table) == before
    contained = contained and (house.kills or house.refused_stream(second) is None)
    house.stop(table)
    house.wait_refused(second)
    contained = contained and house.stored(table) == before
    house.accept(second)
    house.stop(second)
    contained = contained and before.items() <= house.stored(second).items()
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
    "poisoned": _poisoned, "altered": _altered, "restored": _restored, "reinstalled": _reinstalled,
    "duplicate": _duplicate,
}  # fmt: skip
OFFLINE = "offline"


def plays(times: int, only: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield (trial, fault): each of FAULTS `times` times, and OFFLINE once. `only`: these faults."""
    for trial in range(1, times + 1):
        for fault in only or (*FAULTS, OFFLINE):
            if fault != OFFLINE or trial == 1:
                yield trial, fault


def played(house: House, trial: int, fault: str, rounds: int) -> dict[str, Any]:
    """Cause one fault, and compare the pit with the journal. `rounds`: number of rounds played offline."""
    name, began = f"{fault}-{trial}", time.monotonic()
    table = house.table(name, name)
    house.play(table, 2)
    holds = _offline(house, table, rounds) if fault == OFFLINE else FAULTS[fault](house, table)
    row = {"trial": trial, "fault": fault, "holds": holds, "seconds": time.monotonic() - began}
    return {**row, **house.differences(table)}


def histories(times: int, rounds: int, store: str, only: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Cause each of FAULTS `times` times, then play that many rounds offline. `only`: these faults, by
    default all of them."""
    with tempfile.TemporaryDirectory(prefix="crisscross-pit-") as name, ExitStack() as stack:
        house = QuietHouse(Path(name), store, stack)
        for trial, fault in plays(times, only):
            yield {"store": store, **played(house, trial, fault, rounds)}
