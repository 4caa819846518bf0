"""The writing thread of the pit: stores received messages in batches and acknowledges them to the tables.

If the store fails, no event of a batch is stored or acknowledged. The store is reopened until it can be
written; then every table is sent the number of its last stored event, so that it resends the rest. Only
events on the disk are ever acknowledged. A thread that ends without `stop` ends the service.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from controller.common.tlog.merkle import Frontier
from controller.common.tlog.note import SigningKey
from controller.floor.pit.contained import contained
from controller.floor.pit.database import StoreError
from controller.floor.pit.expected_win import Known, shipped_odds
from controller.floor.pit.floor import Other, Streams
from controller.floor.pit.ingest import Intake, Payload, Taken, tile_of
from controller.floor.pit.refusals import Refusals
from controller.floor.pit.retention import RetentionJob
from controller.floor.pit.store import Store
from controller.floor.pit.tile import Tile
from controller.floor.uplink import wire
from controller.floor.uplink.wire import Felt, Have, InvalidPayload, OnTheWay, State

log = logging.getLogger("crisscross.pit")
MAX_BATCH = 500
Message: TypeAlias = tuple[str, bytes, Sequence[tuple[str, str]]]
"""Topic, payload, user properties."""
MAX_QUEUED = 100_000
"""Maximum number of waiting messages. Further ones are dropped; tables resend them because of the gap."""
RETRY_S = 1.0


@dataclass(frozen=True, slots=True)
class Pit:
    """Settings of a pit.

    `key`: signs the answers, None for no signature. `packs`: packs with known odds. `days`: retention of
    events, None for ever.
    """

    name: str
    zone: str
    key: SigningKey | None
    utc: Callable[[], str]
    posix: Callable[[], int]
    packs: Known = field(default_factory=shipped_odds)
    days: int | None = None


FloorUpdate: TypeAlias = dict[str, tuple[Tile, int]] | State | Felt | Streams | Other | OnTheWay
"""Data for the pages' `Floor`: tiles, a state, a felt, or a note about streams."""


@dataclass
class Counts:
    """Counters since the pit's start, for `/metrics`."""

    stored: int = 0
    duplicates: int = 0
    refused: int = 0
    dropped: int = 0
    commits: int = 0
    failures: int = 0
    aged: int = 0
    by_reason: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Number of refusals by (table, reason)."""


class StoreWriter:
    """Writer of received messages. `open_store` opens the store, also again after a failure.

    The other callbacks are called on the writing thread: `answer` with an acknowledgement, `tell` with data
    for the pages, `ended` if the thread cannot continue.
    """

    def __init__(
        self, pit: Pit, open_store: Callable[[], Store], answer: Callable[[Have], None],
        tell: Callable[[FloorUpdate], None], ended: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self._pit, self._open, self._answer, self._tell, self._ended = pit, open_store, answer, tell, ended
        self._waiting: queue.Queue[Message | None] = queue.Queue(MAX_QUEUED)
        self._stopping, self._anew = threading.Event(), threading.Event()
        self._answered: dict[str, int] = {}
        """Last event acknowledged to each table."""
        self._short: dict[str, tuple[str, int]] = {}
        """Stream and event number of the last answer to each table that has fewer events than the pit."""
        self.counts = Counts()
        self._store = open_store()
        self._refusals = Refusals(pit.utc, self.counts.by_reason)
        self._intake = self._taking()
        self._ageing = RetentionJob(pit.days)
        self._failing = self._apart = False
        """Both are set by a failure of the store. `_failing`: until the store is open again. `_apart`: until
        one batch was written table by table, so that unwritable events of one table block the others only
        once.
        """
        self._thread = threading.Thread(target=self._run, name="keeper")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread. Waiting messages are discarded; the tables still have them and resend them."""
        self._stopping.set()
        with suppress(queue.Full):
            self._waiting.put_nowait(None)
        self._thread.join()
        self._store.close()

    def receive(self, topic: str, payload: bytes, properties: Sequence[tuple[str, str]] = ()) -> None:
        """Queue a message without waiting, from any thread. `properties`: its MQTT 5 user properties."""
        try:
            self._waiting.put_nowait((topic, payload, properties))
        except queue.Full:
            self.counts.dropped += 1

    def on_connected(self) -> None:
        """Note a new connection to the broker, from any thread.

        Messages of the previous connection may be lost in both directions. So each table that publishes is
        acknowledged again, from which it knows the missing events.
        """
        self._anew.set()

    def tiles(self) -> dict[str, tuple[Tile, int]]:
        """Return the stored tiles of all tables. Call it before `start`, or on this thread."""
        return {name: (tile_of(each.picture), each.upto) for name, each in self._store.tables.items()}

    def faults(self) -> list[str]:
        """Return the faults that prevent writing, one line each; any thread."""
        if not self._thread.is_alive():
            return ["writer: its thread has ended"]
        return ["store: cannot be written"] if self._failing else []

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        with contained(partial(log.critical, "writer: %s; nothing can be written and the service ends")):
            self._write()
        if not self._stopping.is_set():
            self._ended()

    def _write(self) -> None:
        while not self._stopping.is_set():
            batch = self._batch()
            if not batch:
                continue
            for part in _by_table(batch) if self._apart else [batch]:
                self._apart = False
                try:
                    self._work(part)
                    self._age()
                except StoreError as error:
                    self._mend(error)

    def _taking(self) -> Intake:
        return Intake(self._store, self._pit.zone, self._pit.utc, self._pit.packs, self._refusals)

    def _batch(self) -> list[Message]:
        first = self._waiting.get()
        found = [] if first is None else [first]
        while len(found) < MAX_BATCH:
            try:
                more = self._waiting.get_nowait()
            except queue.Empty:
                break
            if more is not None:
                found.append(more)
        return found

    def _work(self, batch: list[Message]) -> None:
        events: list[Payload] = []
        asked: set[str] = set()
        if self._anew.is_set():
            self._anew.clear()
            self._answered.clear()
            self._short.clear()
        for message in batch:
            with contained(partial(self._unexpected, message[0]), StoreError):
                self._sort(message, events, asked)
        taken = self._intake.take(events) if events else Taken()
        self._count(taken)
        if taken.stored:
            changed = {event.table for event in taken.stored}
            self._tell({name: (self._intake.tiles[name], self._upto(name)) for name in changed})
        for table in sorted(taken.answer | asked):
            self._say_have(table)
        for (table, stream), number in sorted(taken.forks.items()):
            self._say_fork(table, stream, number)
        for table in {table for table, _ in taken.forks} | {event.table for event in taken.stored}:
            self._tell_streams(table)

    def _sort(self, message: Message, events: list[Payload], asked: set[str]) -> None:
        """Handle one message by its topic. An event is added to `events`, to be stored with its batch."""
        topic, payload, properties = message
        table = leaf = ""
        try:
            table, leaf = wire.table_of(topic)
            if leaf == "events":
                events.append(Payload(table, payload, wire.read_previous(properties)))
            elif leaf == "state":
                asked |= self._state(wire.read_state(payload, table))
            elif leaf == "felt":
                self._felt(wire.read_felt(payload, table))
            elif leaf == f"on_the_way/{self._pit.name}":
                self._on_the_way(wire.read_on_the_way(payload, table, self._pit.name))
        except InvalidPayload as error:
            self.counts.refused += 1
            where = f"{leaf}: " if leaf else ""
            self._intake.refuse(table, f"{leaf}_{error.reason}".strip("_"), f"{where}{error}")

    def _unexpected(self, topic: str, words: str) -> None:
        self.counts.refused += 1
        table, _, leaf = topic.removeprefix(f"{wire.ROOT}/").partition("/")
        self._intake.refuse(table, "unexpected", f"{leaf}: {words}")

    def _age(self) -> None:
        words = {name: tile.at for name, tile in self._intake.tiles.items()}
        self.counts.aged += self._store.age(self._ageing, words, self._pit.posix())

    def _count(self, taken: Taken) -> None:
        self.counts.stored += len(taken.stored)
        self.counts.duplicates += taken.duplicates
        self.counts.refused += taken.refused
        self.counts.commits += bool(taken.stored)

    def _state(self, state: State) -> set[str]:
        """Show a table's state. Returns the table if it must be acknowledged now, else an empty set; a table
        of another stream gets no acknowledgement.
        """
        if not self._is_of(state.table, state.stream):
            self._say_short(state)
            return set()
        self._tell(state)
        self._tell_streams(state.table)
        stand = self._intake.head_of(state.table)
        upto = stand.upto if stand else 0
        if state.sequence < upto:
            self._say_short(state)
        # a repeated acknowledgement would report a gap, so it is sent only if it is new
        if self._answered.get(state.table) == upto:
            return set()
        if stand is None:
            self._answered[state.table] = 0
            self._answer(self._have(state.table, state.stream, Frontier()))
            return set()
        return {state.table}

    def _say_short(self, state: State) -> None:
        """Answer a table that has fewer events than the pit, or that publishes a former stream.

        The answer has the root at the table's last event, so that the table can compare its history. It is
        sent once.
        """
        if state.state != "here" or self._short.get(state.table) == (state.stream, state.sequence):
            return
        self._short[state.table] = (state.stream, state.sequence)
        upto = self._store.upto(state.table, state.stream)
        self._say_roots(state.table, state.stream, [min(state.sequence, upto)] if upto else [])

    def _say_fork(self, table: str, stream: str, number: int) -> None:
        """Answer a table whose history differs from event `number` on.

        Sends the last root that both histories may share, then the first that they cannot.
        """
        upto = self._store.upto(table, stream)
        self._say_roots(table, stream, [number - 1, number] if number <= upto else [upto])

    def _say_roots(self, table: str, stream: str, sizes: Sequence[int]) -> None:
        for tree in self._store.trees(table, stream, sizes):
            self._answered.pop(table, None)
            self._answer(self._have(table, stream, tree))

    def _felt(self, felt: Felt) -> None:
        if self._is_of(felt.table, felt.stream):
            self._tell(felt)

    def _on_the_way(self, answer: OnTheWay) -> None:
        if self._is_of(answer.table, answer.stream):
            self._tell(answer)

    def _is_of(self, table: str, stream: str) -> bool:
        """Return whether `stream` is the table's current one; if not, show that on the pages."""
        if self._intake.is_of(table, stream):
            return True
        self._tell(Other(table, stream))
        return False

    def _tell_streams(self, table: str) -> None:
        stand = self._intake.head_of(table)
        if stand is not None:
            self._tell(Streams(table, stand.stream, (table, stand.stream) in self._store.forks))

    def _upto(self, table: str) -> int:
        stand = self._intake.head_of(table)
        return stand.upto if stand else 0

    def _say_have(self, table: str) -> None:
        stand = self._intake.head_of(table)
        if stand is not None:
            self._answered[table] = stand.upto
            self._answer(self._have(table, stand.stream, stand.tree))

    def _have(self, table: str, stream: str, tree: Frontier) -> Have:
        seconds = self._pit.posix() if self._pit.key else 0
        return wire.have(self._pit.name, table, stream, tree.size, tree.root(), self._pit.key, seconds)

    def _mend(self, error: StoreError) -> None:
        """Reopen the store until it can be written. The reopened store shows whether the failed commit is in
        it.
        """
        self.counts.failures += 1
        self._failing = True
        said = str(error)
        log.warning("%s; nothing more is taken until it can be written", said)
        while not self._stopping.wait(RETRY_S):
            try:
                self._store.close()
                self._store = self._open()
                self._store.probe()
            except StoreError as again:
                if str(again) != said:
                    log.warning("%s", str(again))
                said = str(again)
                continue
            break
        else:
            return
        log.warning("the store can be written again; the tables are asked for what is missing")
        self._failing, self._apart = False, True
        self._intake = self._taking()
        self._tell(self.tiles())
        for table in sorted(self._store.tables):
            self._say_have(table)


def _by_table(batch: list[Message]) -> list[list[Message]]:
    """Return the batch split by the table in the topic. Each part keeps its order."""
    found: dict[str, list[Message]] = {}
    for message in batch:
        found.setdefault(message[0].rpartition("/")[0], []).append(message)
    return list(found.values())
