"""One table and one pit in one thread, whose journal, outbox, cursor and store a test replaces.

Follower, publisher and store writer are real, each with a real SQLite file; the broker between them is a
list.
"""

from __future__ import annotations

import shutil
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from controller.common.tlog.merkle import Frontier
from controller.floor.pit.copies import restore_copy
from controller.floor.pit.inbox import Message as Received
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store, accept, events_of
from controller.floor.pit.store_writer import FloorUpdate, StoreWriter
from controller.floor.pit.streams import streams
from controller.floor.uplink import cursor, wire
from controller.floor.uplink.mqtt_client import Broker
from controller.floor.uplink.mqtt_connection import Message
from controller.floor.uplink.outbox import Outbox
from controller.floor.uplink.presence import Presence
from controller.floor.uplink.previous import PREVIOUS
from controller.floor.uplink.publisher import Publisher
from tests.pit.published_tables import pit, sums_between
from tests.uplink.night import NAME
from tests.uplink.night import teller as teller_of

TURNS_A_LOOK = 5
"""Number of turns of the publisher between two looks of the follower at a journal that does not grow."""


class World:
    """One table and one pit. `answers`: answers of the pit on their way to the table."""

    def __init__(self, top: Path, nodes: Path) -> None:
        self.top, self.nodes = top, nodes
        self.journal = top / "table" / "journal.db"
        self.now, self.node = 0.0, ""
        self.answers: list[Message] = []
        self.shown: list[FloorUpdate] = []
        self.published: dict[str, list[list[bytes]]] = {}
        self.saved: dict[str, Path] = {}
        self._opened()

    def _opened(self) -> None:
        def store() -> Store:
            return Store(open_database(str(self.top / "pit.db"), writing=True))

        self.keeper = StoreWriter(pit("pit-1"), store, self._answer, self.shown.append)
        self.store = self.keeper._store

    def _answer(self, have: wire.Have) -> None:
        self.answers.append(Message(wire.topic(NAME, "have/pit-1"), wire.packed(have)))

    def kill_pit(self) -> None:
        """Kill the pit between two transactions; answers on their way are lost."""
        self.store.close()
        self.answers.clear()
        self._opened()

    def restore_pit(self, copy: Path) -> None:
        """Put back a copy of the store while the table plays on."""
        self.store.close()
        self.answers.clear()
        for file in self.top.glob("pit.db*"):
            file.unlink()
        restore_copy(copy, str(self.top / "pit.db"))
        self._opened()

    def put(self, node: str, *, outbox: str = "stays", cursor_stays: bool = True) -> None:
        """Replace the journal by another. `outbox`: kept, lost or restored."""
        if self.node:
            kept = self.top / "saved" / self.node
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(self.journal.parent, kept)
            self.saved[self.node] = kept
        before = self.top / "before"
        shutil.rmtree(before, ignore_errors=True)
        if self.journal.parent.exists():
            self.journal.parent.rename(before)
        shutil.copytree(self.nodes / node, self.journal.parent)
        sources = {"stays": before, "restored": self.saved.get(node, before)}
        for name in ("journal.db.uplink", "journal.db.uplink-wal", "journal.db.uplink.have"):
            source = sources.get(outbox) if not name.endswith("have") else sources.get(outbox, before)
            if name.endswith("have") and not cursor_stays:
                continue
            if source is not None and (source / name).exists():
                shutil.copy(source / name, self.journal.parent / name)
        self.node = node

    def run(self, turns: int = 120) -> None:
        """Derive and send events for `turns` seconds, one turn a second."""
        with closing(Outbox(self.journal.with_name("journal.db.uplink"))) as outbox:
            teller = teller_of(self.journal, outbox)
            file = cursor.FileCursor(cursor.cursor_path(self.journal), outbox.root)
            publisher = Publisher(
                Broker("", 0), outbox, NAME, {"pit-1": None}, file, 5000, "test", lambda: self.now,
                lambda: "2026-11-22T21:00:00.000Z", Presence(lambda: True),
            )  # fmt: skip
            while teller.step():
                pass
            for turn in range(turns):
                self.now += 1.0
                if turn % TURNS_A_LOOK == 0:
                    teller.step()
                publisher._step(self)  # type: ignore[arg-type]
            publisher._store_cursor()
            self.fold = [each.payload for each in outbox.events(0, 10**9)]
            head = outbox.head()
            assert head is not None
            self.stream = head.stream
            self.published.setdefault(head.stream, []).append(self.fold)

    # interface of the connection that `Publisher._step` uses

    def send(self, topic: str, payload: bytes, *, previous: bytes | None = None, **_about: object) -> None:
        properties: Sequence[tuple[str, str]] = []
        if previous is not None:
            properties = [(PREVIOUS, b64encode(previous).decode())]
        self.keeper._work([Received(topic, payload, properties)])

    def receive(self, _wait_s: float) -> Iterator[Message]:
        while self.answers:
            yield self.answers.pop(0)

    # a person, and the checks

    def join(self) -> None:
        """Accept, as a person would, the stream that the table publishes if the pit keeps another."""
        if self.store.tables[NAME].stream != self.stream:
            accept(self.store._db, NAME, self.stream, "2026-11-22T21:00:00.000Z", "Ana", "restored")

    def bodies(self, stream: str) -> list[bytes]:
        return [each.body.encode() for each in events_of(self.store._db, NAME, stream)]

    def rounds(self) -> int:
        rows = sums_between(self.store._db, "0000", "9999")
        return sum(amount for *_, what, amount in rows if what == "rounds")

    def check(self) -> None:
        """Check that every stream at the pit is the beginning of the events of one journal under its name."""
        for stream in streams(self.store._db, NAME):
            has = self.bodies(stream)
            assert any(fold[: len(has)] == has for fold in self.published[stream])
        trees = Frontier.of([wire.leaf_of(each) for each in self.bodies(self.store.tables[NAME].stream)])
        assert self.store.tables[NAME].tree == trees
