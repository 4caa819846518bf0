"""Some tables in one process: `python -m tests.trials.pit.fleet`. Each has a real outbox on the disk and the
table's own `EventSender`. Unlike real tables they share a connection to the broker, and publish a recorded
night again and again at a pace, with the felts that a table publishes meanwhile.

Lines on standard input: `pace N` (events a second of each table), `stop` (publish no more). The process may
be killed at any time and continues from its outboxes.
"""

from __future__ import annotations

import argparse
import json
import queue
import select
import signal
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from controller.common.clock import utc_now
from controller.common.tlog.merkle import Frontier
from controller.floor.uplink import wire
from controller.floor.uplink.outbox import Head, Outbox, Ready
from controller.floor.uplink.sender import EventSender
from tests.trials.pit.night import Night
from tests.uplink.mutating import old_payloads

TURN_S = 0.02
HEARTBEAT_INTERVAL_S = 5.0
FELTS_AN_EVENT = 1.26
"""Number of felts that a real table publishes for each of its events."""
MAX_OPEN = 1000
"""Maximum number of messages without the broker's PUBACK: at each acknowledgement paho searches all of
them."""


def name_of(number: int) -> str:
    return f"T-{number:04d}"


class Table:
    """One table of the fleet, with an outbox on the disk. `made`: number of events in it."""

    def __init__(
        self, number: int, folder: Path, night: Night, pits: tuple[str, ...], *, synced: bool
    ) -> None:  # fmt: skip
        self.name, self.stream = name_of(number), f"{number:08x}"
        self._night = night
        self.outbox = Outbox(folder / f"{self.name}.uplink")
        if synced:  # the fleet has no journal from which a lost outbox could be made again
            self.outbox._db.execute("PRAGMA synchronous=FULL")
        self._head = self.outbox.head() or Head(self.stream, self.name, 0, 0, Frontier())
        self.sender = EventSender(self.outbox, self.name, self.stream, dict.fromkeys(pits), 5000)
        self.owed, self.beat, self.owed_felts = 0.0, 0.0, 0.0

    @property
    def made(self) -> int:
        return self._head.sequence

    def make(self, count: int) -> None:
        """Add `count` events to the outbox in one commit."""
        ready, head = [], self._head
        for _ in range(count):
            number = head.sequence + 1
            payload = self._night.payload(self.name, self.stream, number, utc_now())
            tree = head.tree.add(wire.leaf_of(payload))
            ready.append(Ready(number, number, payload, tree.root()))
            head = Head(self.stream, self.name, number, 0, tree)
        self.outbox.add(head, ready, None)
        self._head = head

    def state(self) -> bytes:
        return wire.packed(wire.State(
            format=1, table=self.name, stream=self.stream, state="here", time=utc_now(), sequence=self.made,
            program="trial", speaker="0" * 16,
        ))  # fmt: skip

    def felt(self) -> bytes:
        """Return the felt at the end of a round, of 4 KiB, under this table's name."""
        new = {"table": self.name, "stream": self.stream, "sequence": self.made, "time": utc_now()}
        return json.dumps(felt_of_a_round() | new, separators=(",", ":"), ensure_ascii=False).encode()


@cache
def felt_of_a_round() -> dict[str, Any]:
    felts = (json.loads(each) for each in old_payloads() if b'"felt":' in each)
    return max(felts, key=lambda felt: len(json.dumps(felt)))


class Fleet:
    """Tables of one process, which share a connection to the broker."""

    def __init__(self, at: tuple[str, int], tables: list[Table]) -> None:
        self._tables = {table.name: table for table in tables}
        self._came: queue.SimpleQueue[tuple[str, bytes] | None] = queue.SimpleQueue()
        """Received answers; None stands for a new connection."""
        self.pace = 0.0
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect, self._client.on_message = self._connected, self._message
        self._client.on_publish = self._published
        self._made, self._acked = 0, 0
        """Number of published messages, counted by this thread, and of those acknowledged by the broker,
        counted by the thread of paho."""
        self._client.max_inflight_messages_set(20_000)
        self._client.connect_async(*at, 5)
        self._client.loop_start()

    def _connected(self, client: Client, *_more: object) -> None:
        client.subscribe([(wire.topic(name, "have/+"), 1) for name in self._tables])
        self._came.put(None)

    def _message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self._came.put((message.topic, bytes(message.payload)))

    def _published(self, *_more: object) -> None:
        self._acked += 1

    def _publish(self, topic: str, payload: bytes, *, qos: int = 1, retain: bool = False) -> None:
        self._made += 1
        self._client.publish(topic, payload, qos, retain)

    def _hear(self) -> None:
        """Handle the messages received since the last turn. The thread that has the outboxes must call
        this."""
        while not self._came.empty():
            came = self._came.get()
            if came is None:
                for table in self._tables.values():
                    table.sender.begin(time.monotonic())
                    table.beat = 0.0
            else:
                name, leaf = wire.table_of(came[0])
                try:
                    self._tables[name].sender.answered(leaf.partition("/")[2], came[1], time.monotonic())
                except wire.InvalidPayload as error:
                    sys.stderr.write(f"{name}: {error}\n")

    def turn(self, passed: float) -> None:
        """Make the events that the pace requires after `passed` seconds, and send the messages that are
        due."""
        self._hear()
        for table in self._tables.values():
            table.owed += passed * self.pace
            if table.owed >= 1:
                table.make(int(table.owed))
                table.owed -= int(table.owed)
        if not self._client.is_connected():
            return
        now = time.monotonic()
        for table in self._tables.values():
            due = table.sender.due(now) if self._made - self._acked < MAX_OPEN else []
            for each in due:
                self._publish(wire.topic(table.name, "events"), each.payload)
                table.owed_felts += FELTS_AN_EVENT
            for _ in range(int(table.owed_felts)):
                self._publish(wire.topic(table.name, "felt"), table.felt(), qos=0, retain=True)
            table.owed_felts %= 1
            if now - table.beat >= HEARTBEAT_INTERVAL_S:
                self._publish(wire.topic(table.name, "state"), table.state(), retain=True)
                table.beat = now

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def main() -> int:
    """Run until standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--pits", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--night", type=Path, required=True)
    parser.add_argument("--synced", action="store_true")
    parser.add_argument("--first", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--pace", type=float, default=0.0)
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    night = Night(given.night)
    numbers = range(given.first, given.first + given.count)
    pits = tuple(given.pits.split(","))
    tables = [Table(number, given.folder, night, pits, synced=given.synced) for number in numbers]
    fleet = Fleet((given.host, given.port), tables)
    fleet.pace = given.pace
    before = time.monotonic()
    while True:
        if select.select([sys.stdin], [], [], TURN_S)[0]:
            line = sys.stdin.readline().split()
            if not line:
                break
            fleet.pace = float(line[1]) if line[0] == "pace" else 0.0
        now = time.monotonic()
        fleet.turn(now - before)
        before = now
    fleet.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
