"""A mock table on wires whose daemon is killed (kill -9) at random instants, even during its start."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from controller.game.model.events import CardLeftShoe
from controller.mock.bench.bench import TableStopped
from controller.mock.bench.http import HttpError
from controller.mock.bench.wired import WiresBench
from controller.record.audit.integrity import verify_journal
from controller.record.journal.files import reading
from controller.record.journal.rows import read_rows
from drivers.chips.kinds import DEFAULT
from tests.ended import read_rounds
from tests.trials.kills.rounds import Kind, Record, Table, apart

MOST_S = 0.8
"""Longest time in seconds from a start, or from the last kill, to the next kill. A start takes half a
second."""
IN_A_START = 0.25
"""Share of the kills that come before the daemon is ready."""
GONE = (TableStopped, HttpError, OSError, EOFError, TimeoutError, json.JSONDecodeError)
"""Errors that the bench raises when its daemon is killed."""


@dataclass
class Pass:
    """Result of one table. `starts_killed`: kills during a start; `wrong`: faults found."""

    kills: int = 0
    starts_killed: int = 0
    cards: int = 0
    rounds: int = 0
    wrong: list[str] = field(default_factory=list)


class Killed:
    """Table that plays `rounds` of a kind while its daemon is killed, at most `times` times."""

    def __init__(self, kind: Kind, rounds: int, times: int, dice: random.Random) -> None:
        self.bench = WiresBench(kind.options(wires=True))
        self.table = Table(kind, self.bench)
        self.rounds, self.times, self.dice = rounds, times, dice
        self.done = Pass()
        self.up = asyncio.Event()

    async def play(self) -> Pass:
        await self.bench.start()
        self.up.set()
        killer = asyncio.ensure_future(self._kill())
        try:
            while not await self._on():
                await self._start_again()
            self._look()
        finally:
            killer.cancel()
            await asyncio.gather(killer, return_exceptions=True)
            await self.bench.stop()
        return self.done

    async def _on(self) -> bool:
        """Play on until all rounds were played or the daemon was killed. Returns whether all were played."""
        kills = self.done.kills
        try:
            await self.table.until(self.rounds)
        except GONE:
            if kills == self.done.kills and self.bench.daemon.running:
                raise
            return False
        return True

    async def _start_again(self) -> None:
        while True:
            kills = self.done.kills
            with suppress(*GONE):
                await self.bench.cut_power()
                self.table.came_back()
                self.up.set()
                return
            if kills == self.done.kills:
                raise TableStopped(self.bench.daemon.end_reason("the daemon does not start"))
            self.done.starts_killed += 1

    async def _kill(self) -> None:
        while self.done.kills < self.times:
            if self.dice.random() > IN_A_START:
                await self.up.wait()
            now = asyncio.Event()
            asyncio.get_running_loop().call_later(self.dice.uniform(0.0, MOST_S), now.set)
            await now.wait()
            if self.bench.daemon.running:
                self.done.kills += 1
                self.up.clear()
                await self.bench.daemon.kill()

    def _look(self) -> None:
        """Check at the end that the journal has each card once and that `verify` finds no fault."""
        journal = self.bench.config.journal
        verify_journal(journal)
        with reading(journal) as db:
            self.done.cards = sum(1 for _ in read_rows(db, 0, CardLeftShoe.__name__))
        out = self.bench.model.moved if self.bench.model is not None else self.done.cards
        if self.done.cards != out:
            self.done.wrong.append(f"{out} cards left the shoe, {self.done.cards} are in the journal")
        self.done.rounds = len(self.records())

    def records(self) -> Sequence[Record]:
        return read_rounds(self.bench.config.journal)


async def _both(kind: Kind, rounds: int, times: int, dice: random.Random) -> Pass:
    plain = replace(kind, readers=DEFAULT, proofs=False)
    never, killed = Killed(plain, rounds, 0, dice), Killed(kind, rounds, times, dice)
    await never.play()
    await killed.play()
    killed.done.wrong += apart(never.table.records, killed.table.records)
    return killed.done


def passed(kind: Kind, rounds: int, times: int, seed: int) -> Pass:
    """Return the result of a table that is killed, compared with one that is never killed and has the default
    readers and chips without keys."""
    return asyncio.run(_both(kind, rounds, times, random.Random(seed)))
