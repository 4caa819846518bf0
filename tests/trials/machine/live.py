"""A mock table with devices at the ports, its journal, and a second table that only reads the disk."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from contextlib import closing
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from controller.game.model.effects import WriteRecord
from controller.game.model.events import CardLeftShoe, Chip
from controller.game.model.irregularities import Code
from controller.game.model.record import RoundRecord
from controller.game.model.state import TableState
from controller.game.table import Table
from controller.mock.bench.bench import Hands, TableStopped, play
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.layout import BankEmpty
from controller.mock.bench.options import MockOptions
from controller.mock.run import Run, people
from controller.record.journal.journal import Journal
from controller.record.journal.replay import replayed_events, restore_table
from drivers.ports import ShoeReport
from drivers.shoe.sim.in_process import DirectShoe
from tests import recompute
from tests.game.test_any_order import check_view
from tests.trials.machine.strikes import PowerCut, Strikes
from tests.trials.machine.ways import can_continue

T = TypeVar("T")
STALL_S = 3.0
DEVICES_MS = 30_000
"""Time in ms after which each device has answered or is known to be silent."""


@dataclass
class OnDisk:
    """Second table, which only reads the journal. Its state must equal that of the first table."""

    seq: int = 0
    state: TableState | None = None
    cards: list[int] = field(default_factory=list)
    """Numbers of the cards that left the shoe, in the order of the journal."""
    records: list[RoundRecord] = field(default_factory=list)

    def follow(self, journal: Journal) -> None:
        rows = list(journal.rows(after=self.seq))
        for done in replayed_events(journal.settings(), rows, self.state):
            self.state = done.after
            if isinstance(done.event, CardLeftShoe):
                self.cards.append(done.event.number)
            self.records += [effect.record for effect in done.effects if isinstance(effect, WriteRecord)]
        self.seq = rows[-1].seq if rows else self.seq


class Bench(DirectBench):
    """Mock table whose journal can fail (`strikes`). It stores which cards were acknowledged to the shoe, and
    which records were sent."""

    def __init__(self, options: MockOptions, strikes: Strikes) -> None:
        super().__init__(options)
        self.strikes = strikes
        self.acknowledged: list[int] = []
        self.records_sent: list[RoundRecord] = []

    def _begin(self) -> None:
        shoe = self._shoe
        if isinstance(shoe, DirectShoe):
            shoe._remove_accepted = lambda: self._noted(DirectShoe._remove_accepted(shoe))  # type: ignore[method-assign]
        super()._begin()

    def unstruck(self) -> Journal:
        return super()._open()

    def _open(self) -> Journal:
        journal = self.unstruck()
        self.strikes.over(journal)
        return journal

    def _noted(self, report: ShoeReport) -> ShoeReport:
        if report.kind == "CARD":
            self.acknowledged.append(int(report.fields[0]))
        return report

    def _recorded(self, record: Any, before: TableState) -> None:
        super()._recorded(record, before)
        self.records_sent.append(record)


class Live:
    """One table with its devices, operated from outside, and a second one that only reads its journal. Call
    `check` after each step."""

    def __init__(self, options: MockOptions, seats: int) -> None:
        self.loop = asyncio.new_event_loop()
        self.strikes = Strikes()
        self.counts: Counter[str] = Counter()
        self.disk = OnDisk()
        self.bench = Bench(options, self.strikes)
        self.hands = Hands(self.bench)
        self.people = people(Run(options, seats=seats))[0]
        self.uid = 0
        self.run(self.bench.start())

    @property
    def table(self) -> Table:
        game = self.bench.engine.game
        assert isinstance(game, Table)
        return game

    def run(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Run a coroutine to its end, or to a power cut, after which the table is started again. Returns its
        result, None after a cut."""
        try:
            return self.loop.run_until_complete(work)
        except PowerCut:
            self.cut("in a write")
        except (TableStopped, BankEmpty) as error:
            self.counts[type(error).__name__] += 1
        return None

    def go_on(self, acts: int) -> None:
        """Let honest people follow the prompts for `acts` acts."""
        left = iter(range(acts))
        self.run(play(self.hands, self.people, lambda _view: next(left, None) is None, stall=STALL_S))

    def pass_ms(self, count: int) -> None:
        async def passes() -> None:
            await self.bench.clock(count, 0)

        self.run(passes())

    # ------------------------------------------------------------------ power

    def cut(self, where: str) -> None:
        """Cut the power and start again from the disk. If no write was cut, check that the table is the same.
        `where`: name of the moment, under which the cut is counted."""
        self.strikes.disarm()
        self.counts[f"power cut {where}"] += 1
        before = self.bench._engine.game.state if self.bench._engine is not None else None
        self.bench._end()
        stood = self.stood()
        if where == "between writes":
            differs = differing(stood, before)
            assert not differs, f"a power cut changed the table: {differs}"
        self.loop.run_until_complete(self.bench.cut_power())

    def stood(self) -> TableState | None:
        """Return the state that a start would restore, and check that a replay of the whole journal gives an
        equal state."""
        bench = self.bench
        with closing(bench.unstruck()) as journal:
            self.disk.follow(journal)
            restored = restore_table(journal, bench.config.pack, bench.config.settings()).state
        if self.disk.state is not None:
            differs = differing(restored, self.disk.state)
            assert not differs, f"a start finds another table: {differs}"
        return restored

    # ------------------------------------------------------------------ invariants

    def check(self) -> None:
        if self.bench.engine.fault is not None:
            self.check_disk_fault()
        table = self.table
        self.disk.follow(self.bench.engine.journal)
        differs = differing(table.state, self.disk.state)
        assert not differs, f"the live table is not the one on the disk: {differs}"
        check_books(table.state)
        check_view(table)
        self.check_cards()
        self.check_records()
        if not can_continue(table):
            self.pass_ms(DEVICES_MS)  # play may wait for a reader or for the shoe
            assert can_continue(self.table), f"nobody gets on: {self.table.prompt()}"

    def check_disk_fault(self) -> None:
        """Check that the screen shows the reason while the journal cannot be written, and that play continues
        afterwards."""
        alerts = [alert["code"] for alert in self.bench.view()["alerts"]]
        assert Code.JOURNAL_FAULT in alerts, "no alert shows that nothing can be written"
        self.pass_ms(2_000)
        assert self.bench.engine.fault is None, "the disk is well again, and the table does not notice"
        self.counts["disk faults told and over"] += 1

    def check_cards(self) -> None:
        """Check that every acknowledged card is on the disk, once and in order, and that all are
        acknowledged.
        """
        shoe = self.bench._shoe
        assert self.disk.cards == self.bench.acknowledged, "cards acknowledged are not those on the disk"
        assert not isinstance(shoe, DirectShoe) or not shoe._waiting, "a frame waits for its ACK for ever"

    def check_records(self) -> None:
        """Check that the records sent are those on the disk, and that each agrees with an independent
        calculation from its cards and amounts."""
        records_sent = iter(self.disk.records)
        assert all(record in records_sent for record in self.bench.records_sent), (
            "a record was sent that the disk does not have"
        )
        for record in self.disk.records[self.counts["records"] :]:
            self.counts["records"] += 1
            self.counts[record["outcome"]] += 1
            wrong = recompute.differences(record)
            if record["irregularities"]:
                # the other program knows neither a card that slipped out of the shoe nor a seat forfeited in
                # the settlement
                wrong = [] if any(seat["forfeited"] for seat in record["seats"]) else wrong
                wrong = [words for words in wrong if ": stub " not in words]
            assert not wrong, wrong

    def chip(self, cents: int) -> Chip:
        self.uid += 1
        return Chip(f"04{self.uid:012X}", cents)

    def close(self) -> None:
        self.strikes.disarm()
        self.loop.run_until_complete(self.bench.stop())
        self.loop.close()


def differing(one: TableState | None, other: TableState | None) -> list[str]:
    """Return the names of the fields in which two states differ. The number of the last view sent is not
    compared."""
    names = [each.name for each in fields(TableState) if each.name != "version"]
    return [name for name in names if getattr(one, name) != getattr(other, name)]


def check_books(state: TableState) -> None:
    assert state.hold is None or state.hold.code is not Code.UNBALANCED, "the books do not balance"
    if state.round is not None:
        rows = [row for seat in state.round.ledger.rows.values() for row in seat.values()]
        assert all(row.sum == 0 for row in rows), "a row of the books does not add up to nothing"
