"""The engine: events are journalled, then acted on, then shown. It runs on one thread.

The order, with its reasons:

1. All waiting events are taken as one batch (`batcher.py`) and written in one commit. If that fails, no event
of the batch is acted on or acknowledged; the batch is kept and written again. 2. The shoe's frames are
acknowledged, since the journal has them now. 3. The table handles each event; its commands are sent. 4.
Lamps, circles to watch and sweeps are updated, and the listeners of the view are called.

The engine must never act on an event that is not on stable storage, and never judge an event itself.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from controller.common.clock import Clock
from controller.game.model.effects import Checkpoint, CommandShoe, CorrectRecord, Effect, WriteRecord
from controller.game.model.events import Event, Stamp, TroubleReported
from controller.game.model.irregularities import Code
from controller.game.model.names import Circle
from controller.game.model.record import Correction, RoundRecord
from controller.game.model.state import TableState
from controller.game.rulebook.wagers import Refusal
from controller.game.showing.view import View
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.results import RoundResult, results_of
from controller.record.journal.schema import JournalFault
from controller.table.engine.batcher import BatchItem, EventBatcher
from controller.table.engine.ports import Devices, Game
from controller.table.engine.tally import Tally
from drivers.ports import ShoeReport

log = logging.getLogger("crisscross")

ROWS_A_SNAPSHOT = 1000
"""Number of rows after which a snapshot is made even within a round. Limits the replay at a start."""
WRITE_RETRY_S = 1.0
"""Seconds between two attempts to write after a fault."""
Proofs: TypeAlias = Callable[[TableState], tuple[Circle, ...] | None]
"""Returns the circles whose chips prove themselves again, or None while no proof may begin; always None at a
table whose chips have no keys."""
FAULTED = Refusal(Code.JOURNAL_FAULT, "")


class Engine:
    """Engine of one table: it writes events to the journal, lets the table handle them, and passes the
    results to devices and pages."""

    _watch: tuple[Circle, ...] | None = None
    _to_prove: tuple[Circle, ...] | None = None

    def __init__(
        self, game: Game, rebuild: Callable[[], Game], journal: Journal, clock: Clock,
        intake: EventBatcher, devices: Devices, snapshot: Callable[[Any], str], tally: Tally | None = None,
    ) -> None:  # fmt: skip
        """`rebuild`: returns a copy of the present table. `tally`: figures, stored with each snapshot."""
        self.game = game
        self.journal = journal
        self.clock = clock
        self.inbox = intake.inbox
        self.devices = devices
        self.on_change: list[Callable[[], None]] = []
        self.on_event: list[Callable[[Event, Stamp], None]] = []
        self.after_batch: list[Callable[[], None]] = []
        """Called after each batch, when all its events have been handled."""
        self.on_record: list[Callable[[RoundRecord, TableState], None]] = []
        """Called with each round record and the state just before the round ended."""
        self.on_correction: list[Callable[[int, Correction], None]] = []
        """Called with each correction of a closed round and the round's number."""
        self.tally = tally or Tally()
        self.exam = False
        """Whether pages and lamps withhold what a trainee has to work out; on a mock table only."""
        self.fault: str | None = None
        """Fault of the journal, or None if it can be written."""
        self._intake = intake
        self._rebuild = rebuild
        self._snapshot = snapshot
        self._unwritten: tuple[list[BatchItem], Stamp] | None = None
        self._retry_at = 0.0
        self._last_handled = journal.head
        """Number of the last row that has been handled."""
        self._sweep: int | None = None
        self.proofs: Proofs = lambda state: None
        self._lamps: Mapping[Circle, Any] = {}
        self._checkpoint = False
        self.results: list[RoundResult] = []
        """Results of rounds that are still to be written to the journal."""
        self._last_snapshot = journal.head
        """Last row with a snapshot; at a start the journal's last row."""
        self._view: View | None = None

    # ------------------------------------------------------------------ batches

    def start(self, event: Event) -> None:
        """Write the first event of a run (`Started`). Raises JournalFault if it cannot be written."""
        self._write([BatchItem(event)], self.clock.stamp())

    def step(self) -> bool:
        """Handle one batch. Returns False if there is nothing to do now."""
        if self._unwritten is not None:
            return self._write_again(*self._unwritten)
        batch = self._intake.batch(self.game)
        if not batch:
            return False
        stamp = self.clock.stamp()
        try:
            self._write(batch, stamp)
        except JournalFault as error:
            self._fail(batch, stamp, str(error))
        return True

    def next_wake(self) -> float | None:
        """Return the time at which `step` has to be called, in seconds of the clock; None if only new input
        requires it.
        """
        if self._unwritten is not None:
            return self._retry_at
        deadline = self._intake.next_deadline(self.game)
        if deadline is None:
            return None
        now = self.clock.seconds()
        return now + max(0, deadline - self.clock.table_ms(now)) / 1000

    # ------------------------------------------------------------------ writing and acting

    def _write(self, batch: list[BatchItem], stamp: Stamp) -> None:
        entries = [JournalEntry(i.event, i.report.mark if i.report else None) for i in batch if i.journalled]
        if entries:
            self.journal.append(entries, stamp)
        self._act(batch, stamp)

    def _act(self, batch: list[BatchItem], stamp: Stamp) -> None:
        for item in batch:
            if item.report is not None:
                self.devices.shoe.accept(item.report)
        for item in batch:
            self._last_handled += item.journalled
            if item.event is not None and item.journalled:
                self._handle(item.event, stamp)
            if item.answer is not None:
                item.answer(None)
        self._intake.note_prompt(self.game, stamp.ms)
        for settled in self.after_batch:
            settled()
        self._show()
        self._direct_readers()
        if self.results:
            self._sign_rounds()
        if self._checkpoint or self.journal.head - self._last_snapshot >= ROWS_A_SNAPSHOT:
            self._keep_snapshot()

    def _handle(self, event: Event, stamp: Stamp) -> None:
        before = self.game.state
        effects = self.game.handle(event, stamp)
        self.results += results_of(self._last_handled, effects)
        for effect in effects:
            self._carry_out(effect, before)
        for listener in self.on_event:
            listener(event, stamp)

    def _carry_out(self, effect: Effect, before: TableState) -> None:
        match effect:
            case CommandShoe():
                self.devices.shoe.command(effect.command, *effect.fields)
            case WriteRecord():
                for listener in self.on_record:
                    listener(effect.record, before)
            case CorrectRecord():
                for notify in self.on_correction:
                    notify(effect.round, effect.entry)
            case Checkpoint():
                self._checkpoint = True

    def _show(self) -> None:
        self._view = None
        lamps = {} if self.exam else self.game.lamps()
        if lamps != self._lamps:
            self._lamps = lamps
            signals = self.devices.signals
            self.devices.lamps.show({c: signals[lamp] for c, lamp in lamps.items() if lamp in signals})
        for listener in self.on_change:
            listener()

    def _direct_readers(self) -> None:
        watch = self.game.watch()
        if watch != self._watch:
            self._watch = watch
            self.devices.chips.watch(watch)
        self._direct_proofs()
        since = self.game.sweep_since()
        if since != self._sweep:
            self._sweep = since
            self._intake.request_sweep(since)
            if since is not None:
                self.devices.chips.sweep()

    def _direct_proofs(self) -> None:
        """Set the circles whose chips may prove themselves now. Readers begin no proof before that."""
        to_prove = self.proofs(self.game.state)
        if to_prove != self._to_prove:
            self._to_prove = to_prove
            self.devices.chips.prove(to_prove)

    def _sign_rounds(self) -> None:
        """Write and sign the results of rounds. After a fault this is tried again with the next batch."""
        try:
            self.journal.sign(self.results)
            self.results = []
        except JournalFault as error:
            log.warning("no checkpoint: %s", error)

    def _keep_snapshot(self) -> None:
        """Store a snapshot, which makes the next start faster because earlier events need no replay.

        A snapshot within a round is replaced by the next one. Otherwise it would displace one of the
        snapshots between rounds.
        """
        passing, self._checkpoint = not self._checkpoint, False
        self._last_snapshot = self.journal.head
        try:
            if passing:
                self.journal.sign()  # signs the rows, so that a start reads few of them even in a long round
            state = self._snapshot(self.game.state)
            self.journal.store_snapshot(state, self.tally.unsaved(), passing=passing)
            self.tally.saved()
            self.journal.checkpoint_wal()
        except JournalFault as error:
            log.warning("no snapshot kept: %s", error)

    # ------------------------------------------------------------------ faults of the journal

    def check_journal(self) -> None:
        """Begin a fault if the journal's files were deleted, moved or replaced, also while no event has to be
        written. Called once a second."""
        if self._unwritten is None:
            try:
                self.journal.check_files()
            except JournalFault as error:
                self._fail([], self.clock.stamp(), str(error))

    def _fail(self, batch: list[BatchItem], stamp: Stamp, words: str) -> None:
        log.error("%s; nothing is acted on until it can be written", words)
        self.fault = words
        self._unwritten = (batch, stamp)
        self._retry_at = self.clock.seconds() + WRITE_RETRY_S
        for item in batch:
            if item.answer is not None:
                item.answer(FAULTED)
        self._intake.refuse_all(FAULTED)
        self._show()

    def _write_again(self, batch: list[BatchItem], stamp: Stamp) -> bool:
        self._intake.refuse_all(FAULTED)
        if self.clock.seconds() < self._retry_at:
            return False
        try:
            self._recover(batch, stamp)
        except JournalFault:
            self._retry_at = self.clock.seconds() + WRITE_RETRY_S
            return False
        return True

    def _recover(self, batch: list[BatchItem], stamp: Stamp) -> None:
        """Try to write the failed batch again.

        A commit that reported an error may still be on the disk: then the rows are acted on as written.
        Otherwise the events of people, who were refused meanwhile, are left out.
        """
        if self.journal.recover():
            self._act_as_written([item.report for item in batch if item.report is not None])
            batch = []
        words = self.fault or ""
        listener = [
            TroubleReported(Code.JOURNAL_FAULT, words),
            TroubleReported(Code.JOURNAL_FAULT, "", cleared=True),
        ]
        kept = [item for item in batch if item.answer is None]
        self._write(kept + [BatchItem(event) for event in listener], stamp)
        self.fault, self._unwritten = None, None
        self._show()
        log.warning("the journal can be written again")

    def _act_as_written(self, reports: list[ShoeReport]) -> None:
        rows = list(self.journal.rows(after=self._last_handled))
        self._act([BatchItem(None, report) for report in reports], rows[-1].stamp)
        for row in rows:
            event = row.event()
            self._last_handled = row.seq
            if event is not None:
                self._handle(event, row.stamp)
        self._unwritten = None

    # ------------------------------------------------------------------ the view

    def view(self) -> View:
        """Return the newest public view; it is built when first requested."""
        if self._view is None:
            shown = self.game if self.fault is None else self._table_with_fault(self.fault)
            self._view = shown.view(exam=True) if self.exam else shown.view()
        return self._view

    def _table_with_fault(self, words: str) -> Game:
        """Return a copy of the table that shows the fault of the journal too, as if that were in the journal.
        `words`: text of the fault."""
        table = self._rebuild()
        table.handle(TroubleReported(Code.JOURNAL_FAULT, words), self.clock.stamp())
        return table
