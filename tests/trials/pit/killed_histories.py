"""Tables whose history goes wrong, while parts of the floor are killed and cut at each step.

An honest table plays without end beside them, with its own daemon, follower and publisher, as in `kills`.
"""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from tests.trials.pit.faults import AWAY_S, LASTS_S
from tests.trials.pit.floor import PAUSE, STORE_NETWORK, Plan, floor
from tests.trials.pit.histories import SETTLED_S, House, played, plays
from tests.trials.pit.kills import KINDS, OLD_STORE, Playing
from tests.trials.pit.machine import reached
from tests.trials.pit.tables import Table, upto

BEFORE_S = (0.3, 5.0)
"""Minimum and maximum time in s from the beginning of a step to its fault."""
NEXT_S, MAX_FAULTS = 15.0, 4
"""Time in s after which a step that still lasts has another fault, and the maximum number of its faults."""


class Visited(Playing):
    """Floor whose own tables play without end, beside other tables that come and go."""

    def __init__(self, *given: Any) -> None:
        self._visitors: list[Table] = []
        super().__init__(*given)

    def admit(self, table: Table, *, serve: bool) -> None:
        """Start a table. From now on faults of the floor also hit its processes."""
        table.start(serve=serve)
        self._visitors.append(table)
        self.services["teller"].append(table.tell)
        self.tables.append(table.tell)
        if serve:
            self.services["speaker"].append(table.serve)
            self.tables.append(table.serve)

    def dismiss(self, table: Table) -> None:
        """Stop the processes of a table and remove it from the floor."""
        if table in self._visitors:
            self._visitors.remove(table)
        for parts in (*self.services.values(), self.tables):
            parts[:] = [each for each in parts if each not in (table.tell, table.serve)]
        table.stop()

    def mend(self) -> None:
        super().mend()
        for table in self._visitors:
            table.lock_journal()


class KilledHouse(House):
    """A house in which one fault after another, in random order, happens at each step."""

    kills = True

    def __init__(self, made: Visited, kinds: Sequence[str], lots: random.Random, stack: ExitStack) -> None:
        super().__init__(made.folder, made.outboxes, made.url)
        self._floor, self._kinds, self._lots, self._stack = made, kinds, lots, stack
        self._coming: list[str] = []
        self._made = 0
        self.caused: Counter[str] = Counter()
        """Number of faults, by kind."""
        self.honest: Counter[str] = Counter()
        """Events of the honest table so far, with those lost, doubled or out of order."""

    def table(self, folder: str, name: str) -> Table:
        ports = self._floor.broker.tls_ports
        self._made += 1
        made = self._floor.table_of(folder, name, ports[self._made % len(ports)])
        self._stack.callback(self.stop, made)
        return made

    def start(self, table: Table, *, serve: bool = True) -> None:
        self._floor.sync()  # write files to the disk that have been there for a long time in reality
        self._floor.admit(table, serve=serve)

    def stop(self, table: Table) -> None:
        self._floor.dismiss(table)

    @contextmanager
    def _fault(self) -> Iterator[None]:
        """Cause the next fault of the floor, run the block, and repair the fault."""
        if not self._coming:
            self._coming = self._lots.sample(self._kinds, len(self._kinds))
        fault = self._coming.pop()
        self._floor.break_(fault, self._lots)
        self.caused[fault] += 1
        yield
        PAUSE.wait(self._lots.uniform(*LASTS_S.get(fault, AWAY_S)))
        self._floor.mend()

    def wait_until(self, holds: Callable[[], bool], what: str, patience_s: float = SETTLED_S) -> None:
        for _ in range(MAX_FAULTS):
            PAUSE.wait(self._lots.uniform(*BEFORE_S))
            with self._fault():
                pass
            if reached(holds, NEXT_S):
                return
        for _ in range(int(max(patience_s, SETTLED_S) / NEXT_S)):
            if reached(holds, NEXT_S):
                return
            self._floor.mend()  # restart what has ended, as systemd would
        raise AssertionError(what)

    def type_accept(self, command: list[str], table: Table, stream: str) -> None:
        """Type the command while a part is dead, and again after the repair if it failed."""
        with self._fault():
            failed = subprocess.run(command, check=False, capture_output=True).returncode != 0
        if failed:
            again = subprocess.run(command, check=False, capture_output=True, text=True)
            found = upto(self.url, table.name)
            assert again.returncode == 0 or (found and found[0] == stream), again.stderr

    def is_contained(self) -> bool:
        self._floor.settled()
        found = self._floor.differences()
        self.honest.update(found)
        return not (found["lost"] or found["doubled"] or found["out_of_order"])


def killed_histories(
    times: int, rounds: int, store: str, broker: str, only: Sequence[str], seed: int
) -> Iterator[dict[str, Any]]:
    """Cause each wrong history `times` times, with faults of the floor at each step. `only`: these wrong
    histories, by default all of them."""
    kinds = [each for each in KINDS[broker] if each != OLD_STORE]
    kinds += [STORE_NETWORK] if store == "postgresql" else []
    names = tuple(f"{fault}-{trial}" for trial, fault in plays(times, only))
    plan = Plan(1, 0.0, store, broker, cuttable=True, others=names)
    with floor(plan, Visited) as made, ExitStack() as stack:
        assert isinstance(made, Visited)
        house = KilledHouse(made, kinds, random.Random(seed), stack)
        for trial, fault in plays(times, only):
            row = played(house, trial, fault, rounds)
            row["holds"] = house.is_contained() and row["holds"]
            honest = {
                f"honest_{key}": house.honest[key] for key in ("events", "lost", "doubled", "out_of_order")
            }
            yield {"store": store, "broker": broker, **row, **honest, "faults": dict(house.caused)}
            house.honest.clear()
            house.caused.clear()
