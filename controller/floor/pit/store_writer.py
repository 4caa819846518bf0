"""The writing thread of the pit: stores received messages in batches and acknowledges them to the tables.

If the store fails (its database is unavailable), the pit keeps running, and no event of a batch is stored
or acknowledged. The store is reopened until it can be written; then the batch is written again, table by
table, and every table is sent the number of its last stored event. Only events on the disk are ever
acknowledged, to their table and to the broker. A thread that ends without `stop` ends the service.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from controller.common.tlog.merkle import Frontier
from controller.common.tlog.note import SigningKey
from controller.floor.pit.archive import Archive
from controller.floor.pit.catch_all import contained
from controller.floor.pit.chip_copies import ChipCopies, Copy
from controller.floor.pit.counts import PitCounters, Waiting
from controller.floor.pit.database import Database, StoreError
from controller.floor.pit.expected_win import Known, shipped_odds
from controller.floor.pit.floor import Streams, UnacceptedStream
from controller.floor.pit.inbox import LIMIT_QOS_0_TEXT, LIMIT_TEXT, UNWRITTEN, Inbox, Message, by_table
from controller.floor.pit.ingest import Intake, Payload, Taken, tile_of
from controller.floor.pit.refusals import Refusals
from controller.floor.pit.retention import RetentionJob
from controller.floor.pit.store import Store
from controller.floor.pit.tile import Tile
from controller.floor.uplink import wire
from controller.floor.uplink.previous import read_previous
from controller.floor.uplink.wire import Chips, Felt, Have, InvalidPayload, OnTheWay, State

log = logging.getLogger("crisscross.pit")
STORE_RETRY_S = 1.0
IDLE_CHECK_S = 5.0
"""Seconds without a message after which the writer checks that the store still answers."""
ENDS = "writer: %s; nothing can be written and the service ends"
STALLED_S = 10.0
"""Timeout in seconds for an answer of the store; after it a fault is reported."""


@dataclass(frozen=True, slots=True)
class Pit:
    """Settings of a pit. `utc`, `posix`, `now`: return the time as ISO 8601, as POSIX seconds and as
    monotonic seconds. `key`: signs the answers; None for no signature. `packs`: packs with known odds.
    `days`: retention of events; None for ever. `archive`: folder into which events are written before they
    are dropped; None for no archive.
    """

    name: str
    zone: str
    key: SigningKey | None
    utc: Callable[[], str]
    posix: Callable[[], int]
    now: Callable[[], float]
    packs: Known = field(default_factory=shipped_odds)
    days: int | None = None
    archive: Path | None = None


FloorUpdate: TypeAlias = (
    dict[str, tuple[Tile, int]] | State | Felt | Streams | UnacceptedStream | OnTheWay | Copy
)
"""Data that the writer passes to the pages' `PitFloor`: tiles, a table's state or felt, notes about streams,
a reply to "on my way", or a copied chip."""


class StoreWriter:
    """Writer of received messages. `open_store` opens the store at the start.

    The other callbacks are called on the writing thread: `answer` with an acknowledgement, `show` with data
    for the pages, `ended` if the thread cannot continue.
    """

    def __init__(
        self, pit: Pit, open_store: Callable[[], Store], answer: Callable[[Have], None],
        show: Callable[[FloorUpdate], None], ended: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self._pit, self._answer, self._show, self._ended = pit, answer, show, ended
        self.inbox = Inbox()
        self._stopping, self._reconnected = threading.Event(), threading.Event()
        self._short_answers: dict[str, tuple[str, int]] = {}
        """Stream and event number of the last answer to each table that has fewer events than the pit."""
        self._answered: dict[str, int] = {}
        """Number of the last event that was acknowledged to each table on this connection."""
        self._streams: dict[str, Streams] = {}
        """Note about streams that was last sent to the pages, by table."""
        self._store = open_store()
        stored = {name: each.upto for name, each in self._store.tables.items()}
        self.counts = PitCounters(started=pit.posix(), acknowledged=stored)
        self._refusals = Refusals(pit.utc, self.counts.by_reason)
        self._intake = self._new_intake()
        self._retention = RetentionJob(pit.days, Archive(pit.archive) if pit.archive else None)
        self._chips = ChipCopies()
        self._last_fault = ""
        """Fault of the store that was logged last; "" if none was logged."""
        self._fault = ""
        """Fault of the store in the words of `/readyz` while it cannot be written."""
        self._busy: float | None = None
        """Start of the present use of the store (monotonic seconds); None while it is unused."""
        self._thread = threading.Thread(target=self._run, name="store_writer")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread. Waiting messages are discarded; the tables still have them and resend them."""
        self._stopping.set()
        self.inbox.wake()
        self._thread.join()
        self._store.close()

    def receive(self, message: Message) -> None:
        """Queue a message without waiting, from any thread."""
        self.counts.received += 1
        self.counts.received_bytes += len(message.payload)
        if not self.inbox.put(replace(message, at=self._pit.now())):
            self.counts.dropped += 1

    def on_connected(self) -> None:
        """Note a new connection to the broker, from any thread.

        Messages of the previous connection may be lost in both directions. So each table that publishes gets
        its acknowledgement again and learns which events are missing.
        """
        self._reconnected.set()

    def tiles(self) -> dict[str, tuple[Tile, int]]:
        """Return the stored tiles of all tables. Call it before `start`, or on this thread."""
        return {name: (tile_of(each.picture), each.upto) for name, each in self._store.tables.items()}

    def open_reader(self) -> Database:
        """Return a connection to the store of this writer (`Store.open_reader`); any thread may call it."""
        return self._store.open_reader()

    def faults(self) -> dict[str, str]:
        """Return the faults of the writer, of the store and, with an archive, of the archive, "" for none;
        any thread."""
        busy = self._busy
        stalled = 0.0 if busy is None else self._pit.now() - busy
        store = self._fault
        if not store and stalled > STALLED_S:
            store = f"has not answered for {stalled:.0f} s"
        faults = {"writer": "" if self._thread.is_alive() else "its thread has ended", "store": store}
        if self._pit.archive is not None:
            faults["archive"] = "cannot be written" if self._retention.fault else ""
        return faults

    def waiting(self) -> Waiting:
        """Return the number, bytes and age of the messages that wait for the store. Any thread may
        call it.
        """
        oldest = self.inbox.oldest()
        since = 0.0 if oldest is None else self._pit.now() - oldest
        return Waiting(len(self.inbox), self.inbox.size, since)

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        with contained(partial(log.critical, ENDS, extra={"event": "writer_ended"})):
            self._write()
        if not self._stopping.is_set():
            self._ended()

    def _write(self) -> None:
        while not self._stopping.is_set():
            batch = self.inbox.take(IDLE_CHECK_S)
            if not self._written(batch):
                self._reopen_store()
                for part in by_table(batch):
                    # unwritable events of one table block the others only once, and are sent again by it
                    if not self._stopping.is_set() and not self._written(part):
                        self._reopen_store()
                        self._drop(part)
            if not self._stopping.is_set():
                for message in batch:
                    message.done()
            self.inbox.release()

    def _drop(self, part: list[Message]) -> None:
        """Report and count the messages of one table that could not be written twice. The broker gets their
        PUBACK: without it, it would hold back the messages of every table."""
        self.counts.dropped += len(part)
        if not self._stopping.is_set():
            self._intake.refuse(part[0].table, "unwritten", UNWRITTEN, number=len(part))

    def _written(self, batch: list[Message]) -> bool:
        """Handle a batch; without messages, check that the store answers. Returns False if that failed."""
        self._busy = self._pit.now()
        try:
            if batch:
                self._work(batch)
            else:
                self._store.check()
            self._age()
        except StoreError as error:
            self.counts.failures += 1
            self._fault, self._last_fault = error.fault, str(error)
            words = "%s; nothing more is taken until it can be written"
            log.warning(words, error, extra={"event": "store_failed"})
        finally:
            self._busy = None
        return not self._fault

    def _new_intake(self) -> Intake:
        return Intake(self._store, self._pit.zone, self._pit.utc, self._pit.packs, self._refusals)

    def _work(self, batch: list[Message]) -> None:
        events: list[Payload] = []
        unanswered: set[str] = set()
        if self._reconnected.is_set():
            self._reconnected.clear()
            self._answered.clear()
            self._short_answers.clear()
        for message in batch:
            with contained(partial(self._unexpected, message.topic), StoreError):
                self._sort(message, events, unanswered)
        for name, number in self.inbox.take_dropped().items():
            self._intake.refuse(name, "limit_qos_0", LIMIT_QOS_0_TEXT, number=number)
        began = self._pit.now()
        taken = self._intake.take(events) if events else Taken()
        self._count(taken, self._pit.now() - began)
        if taken.stored:
            changed = {event.table for event in taken.stored}
            self._show({name: (self._intake.tiles[name], self._upto(name)) for name in changed})
        for table in sorted(taken.answer | unanswered):
            self._acknowledge(table)
        for (table, stream), number in sorted(taken.forks.items()):
            self._answer_fork(table, stream, number)
        for table in {table for table, _ in taken.forks} | {event.table for event in taken.stored}:
            self._show_streams(table)

    def _sort(self, message: Message, events: list[Payload], unanswered: set[str]) -> None:
        """Handle one message by its topic. An event is added to `events`, which are stored together."""
        table, leaf, payload = message.table, "", message.payload
        if message.dropped:
            self._intake.refuse(table, "limit", LIMIT_TEXT)
            return
        try:
            table, leaf = wire.table_of(message.topic)
            if leaf == "events":
                events.append(Payload(table, payload, read_previous(message.properties)))
            elif leaf == "state":
                unanswered |= self._state(wire.read_state(payload, table))
            elif leaf == "felt":
                self._felt(wire.read_felt(payload, table))
            elif leaf == "chips":
                self._compare_chips(wire.read_chips(payload, table))
            elif leaf == f"on_the_way/{self._pit.name}":
                self._on_the_way(wire.read_on_the_way(payload, table, self._pit.name))
        except InvalidPayload as error:
            self.counts.refused += 1
            where = f"{leaf}: " if leaf else ""
            self._intake.refuse(table, f"{leaf}_{error.reason}".strip("_"), f"{where}{error}")

    def _unexpected(self, topic: str, words: str) -> None:
        self.counts.refused += 1
        leaf = topic.rpartition("/")[2]
        self._intake.refuse(wire.sender_of(topic), "unexpected", f"{leaf}: {words}")

    def _age(self) -> None:
        words = {name: tile.at for name, tile in self._intake.tiles.items()}
        self.counts.aged += self._store.age(self._retention, words, self._pit.posix())

    def _count(self, taken: Taken, seconds: float) -> None:
        self.counts.stored += len(taken.stored)
        self.counts.duplicates += taken.duplicates
        self.counts.refused += taken.refused
        for event in taken.stored:
            self.counts.table_bytes[event.table] += len(event.body)
        if taken.stored:
            self.counts.commits += 1
            self.counts.commit_s.observe(seconds)
            self.counts.committed_at = self._pit.posix()

    def _state(self, state: State) -> set[str]:
        """Pass on a table's state to the pages. Returns {table} if the table must be acknowledged now, else
        an empty set. A table that publishes another stream gets no acknowledgement."""
        if not self._is_of(state.table, state.stream):
            self._answer_shorter_history(state)
            return set()
        self._show(state)
        self._show_streams(state.table)
        stand = self._intake.head_of(state.table)
        upto = stand.upto if stand else 0
        if state.sequence < upto:
            self._answer_shorter_history(state)
        # a repeated acknowledgement would report a gap, so it is sent only if it is new
        if self._answered.get(state.table) == upto:
            return set()
        if stand is None:
            self._note_answered(state.table, 0)
            self._answer(self._have(state.table, state.stream, Frontier()))
            return set()
        return {state.table}

    def _answer_shorter_history(self, state: State) -> None:
        """Answer a table that has fewer events than the pit, or that publishes a former stream.

        The answer has the root at the table's last event, so that the table can compare its history. It is
        sent once.
        """
        if state.state != "here" or self._short_answers.get(state.table) == (state.stream, state.sequence):
            return
        self._short_answers[state.table] = (state.stream, state.sequence)
        upto = self._store.upto(state.table, state.stream)
        self._answer_roots(state.table, state.stream, [min(state.sequence, upto)] if upto else [])

    def _answer_fork(self, table: str, stream: str, number: int) -> None:
        """Answer a table whose history differs from event `number` on.

        Sends the last root that both histories may share, then the first that they cannot share.
        """
        upto = self._store.upto(table, stream)
        self._answer_roots(table, stream, [number - 1, number] if number <= upto else [upto])

    def _answer_roots(self, table: str, stream: str, sizes: Sequence[int]) -> None:
        for tree in self._store.trees(table, stream, sizes):
            self._answered.pop(table, None)
            self._answer(self._have(table, stream, tree))

    def _felt(self, felt: Felt) -> None:
        if self._is_of(felt.table, felt.stream):
            self._show(felt)

    def _compare_chips(self, chips: Chips) -> None:
        """Compare the chips in a table's circles with those of other tables. A chip that is at two tables is
        logged, stored and shown."""
        if not self._is_of(chips.table, chips.stream):
            return
        for copy in self._chips.receive(chips, self._pit.now()):
            self._show(copy)
            self._intake.report(chips.table, "copied_chip", copy.words())

    def _on_the_way(self, answer: OnTheWay) -> None:
        if self._is_of(answer.table, answer.stream):
            self._show(answer)

    def _is_of(self, table: str, stream: str) -> bool:
        """Return whether `stream` is the table's current one. If it is not, show this on the pages."""
        if self._intake.is_of(table, stream):
            return True
        self._show(UnacceptedStream(table, stream))
        return False

    def _show_streams(self, table: str) -> None:
        stand = self._intake.head_of(table)
        if stand is None:
            return
        streams = Streams(table, stand.stream, (table, stand.stream) in self._store.forks)
        if self._streams.get(table) != streams:
            self._streams[table] = streams
            self._show(streams)

    def _upto(self, table: str) -> int:
        stand = self._intake.head_of(table)
        return stand.upto if stand else 0

    def _acknowledge(self, table: str) -> None:
        stand = self._intake.head_of(table)
        if stand is not None:
            self._note_answered(table, stand.upto)
            self._answer(self._have(table, stand.stream, stand.tree))

    def _note_answered(self, table: str, upto: int) -> None:
        self._answered[table] = self.counts.acknowledged[table] = upto

    def _have(self, table: str, stream: str, tree: Frontier) -> Have:
        seconds = self._pit.posix() if self._pit.key else 0
        return wire.have(self._pit.name, table, stream, tree.size, tree.root(), self._pit.key, seconds)

    def _reopen_store(self) -> None:
        """Reopen the store until it can be written. The reopened store shows whether the failed commit is in
        it.
        """
        while not self._stopping.wait(STORE_RETRY_S):
            try:
                self._store = self._store.reopened()
                self._store.probe()
            except StoreError as again:
                self._fault = again.fault
                if str(again) != self._last_fault:
                    log.warning("%s", again, extra={"event": "store_failed"})
                self._last_fault = str(again)
                continue
            break
        else:
            return
        words = "the store can be written again; the tables are asked for what is missing"
        log.warning(words, extra={"event": "store_back"})
        self._fault = ""
        self._intake = self._new_intake()
        self._show(self.tiles())
        for table in sorted(self._store.tables):
            self._acknowledge(table)
