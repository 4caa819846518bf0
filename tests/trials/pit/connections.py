"""Connections of simulated tables to one broker: its memory and processor time, and what fails first.

Each table is a small MQTT 5 client with the session, the subscriptions and the will of a table, which sends
events at a pace. One subscription takes the events as a pit does; the pit itself is measured by `capacity`.
The clients share one process without threads, since 10,000 clients of paho would need 10,000 threads.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.floor.uplink import wire
from tests.trials.pit.cutting import Wire
from tests.trials.pit.fleet import name_of
from tests.trials.pit.machine import Broker, Mosquitto, Part, processor_s
from tests.trials.pit.rabbit import Rabbit
from tests.uplink.papers import papers

AT_ONCE = 200
"""Maximum number of connections being opened at the same time."""
KEEPALIVE_S = 60
PAYLOAD = b"x" * 300
"""Payload of the usual size of an event. Only the counting subscription reads it."""
OWN_FILES = 65_536
CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE = 0x10, 0x20, 0x32, 0x40, 0x82
STEADY_S, TURN_S, CONNECT_TIMEOUT_S = 20.0, 0.1, 60.0


def _text(value: str) -> bytes:
    return len(value).to_bytes(2, "big") + value.encode()


def packet(kind: int, body: bytes) -> bytes:
    """Return a packet (MQTT 5.0, 2.1): its kind, the length of `body` in groups of seven bits, and `body`."""
    length, size = b"", len(body)
    while True:
        size, low = divmod(size, 128)
        length += bytes([low | (0x80 if size else 0)])
        if not size:
            return bytes([kind]) + length + body


def connect(name: str, *, will: bool = True) -> bytes:
    flags = 0x02 | (0x0C | 0x20 if will else 0)  # clean start; a retained will with QoS 1, like a table's
    last = b"\x00" + _text(wire.topic(name, "state")) + _text("{}") if will else b""
    head = _text("MQTT") + bytes([5, flags]) + KEEPALIVE_S.to_bytes(2, "big") + b"\x00"
    return packet(CONNECT, head + _text(name) + last)


def subscribe(*topics: str) -> bytes:
    return packet(SUBSCRIBE, b"\x00\x01\x00" + b"".join(_text(topic) + b"\x01" for topic in topics))


def publish(topic: str, number: int) -> bytes:
    return packet(PUBLISH, _text(topic) + number.to_bytes(2, "big") + b"\x00" + PAYLOAD)


class Client:
    """One MQTT connection that counts received packets by kind and drops them. `lost`: whether the broker
    closed it."""

    def __init__(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer, self.name = reader, writer, name
        self.received: dict[int, int] = {}
        self.lost = False
        self._task: asyncio.Task[None] | None = None

    def listen(self) -> None:
        self._task = asyncio.create_task(self._listen())

    async def one(self) -> int:
        """Read one packet and return its kind. A received PUBLISH of QoS 1 is acknowledged."""
        kind = (await self._reader.readexactly(1))[0]
        size = shift = 0
        while True:
            byte = (await self._reader.readexactly(1))[0]
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        body = await self._reader.readexactly(size)
        if kind & 0xF6 == PUBLISH & 0xF6:
            at = 2 + int.from_bytes(body[:2], "big")
            self.writer.write(packet(PUBACK, body[at : at + 2]))
        return kind & 0xF0

    async def _listen(self) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                kind = await self.one()
                self.received[kind] = self.received.get(kind, 0) + 1
        self.lost = True

    async def wait(self, seconds: float) -> None:
        """Receive packets for `seconds`, or until the broker closes the connection."""
        assert self._task is not None
        await asyncio.wait([self._task], timeout=seconds)

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self.writer.close()


async def opened(at: tuple[str, int], name: str, *topics: str, will: bool = True) -> Client:
    """Connect to the broker at `at` as `name`, with a will if wanted, and subscribe. Raises OSError, also if
    the broker refuses."""
    reader, writer = await asyncio.open_connection(*at)
    made = Client(name, reader, writer)
    writer.write(connect(name, will=will))
    if await made.one() != CONNACK:
        raise OSError(f"{name}: the broker did not accept the connection")
    writer.write(subscribe(*topics))
    await made.one()
    made.listen()
    return made


class Crowd:
    """Connections of all simulated tables, and one subscription to their events."""

    def __init__(self, broker: Broker) -> None:
        self._at = [(broker.host, port) for port in broker.ports]
        self.tables: list[Client] = []
        self._pit: Client | None = None
        self.fault = ""
        """Error of the first refused connection."""

    async def grow(self, to: int) -> float:
        """Connect tables until `to` of them are connected or one is refused. Returns the seconds that this
        took."""
        if self._pit is None:
            self._pit = await opened(self._at[0], "pit-1", wire.topic("+", "events"), will=False)
        began, gate = time.monotonic(), asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> None:
            async with gate:
                if self.fault:
                    return
                name, at = name_of(number), self._at[number % len(self._at)]
                try:
                    async with asyncio.timeout(CONNECT_TIMEOUT_S):
                        self.tables.append(
                            await opened(at, name, wire.topic(name, "have/+"), wire.topic(name, "state"))
                        )
                except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                    self.fault = self.fault or f"{name}: {type(error).__name__}: {error}"

        await asyncio.gather(*(one(number) for number in range(len(self.tables) + 1, to + 1)))
        return time.monotonic() - began

    async def steady(self, pace: float, seconds: float) -> dict[str, int]:
        """Have every table send `pace` events a second for this time, and count the events."""
        assert self._pit is not None
        before = self._pit.received.get(PUBLISH & 0xF0, 0)
        end, sent = time.monotonic() + seconds, 0
        turn = max(1, int(len(self.tables) * pace * TURN_S))
        while (now := time.monotonic()) < end:
            for _ in range(turn):
                table = self.tables[sent % len(self.tables)]
                table.writer.write(publish(wire.topic(table.name, "events"), 1 + sent % 65_535))
                sent += 1
            await self._pit.wait(max(0.0, TURN_S - (time.monotonic() - now)))
        await self._pit.wait(TURN_S * 20)
        received = self._pit.received.get(PUBLISH & 0xF0, 0) - before
        return {"sent": sent, "received": received, "ended": sum(each.lost for each in self.tables)}

    def close(self) -> None:
        for each in (*self.tables, *([self._pit] if self._pit else [])):
            each.close()


def connections(counts: list[int], broker: str, pace: float, files: int) -> Iterator[dict[str, Any]]:
    """Yield the measurements for each number of tables. `files`: open files that the broker may have."""
    with TemporaryDirectory(prefix="crisscross-pit-") as name, ExitStack() as stack:
        _open_files(files)
        made, parts = _broker(Path(name), broker, stack)
        made.start()
        _open_files(OWN_FILES)
        with asyncio.Runner() as runner:
            crowd = Crowd(made)
            for count in counts:
                opened_s = runner.run(crowd.grow(count))
                memory, cpu = _memory(parts), _cpu(parts)
                began = time.monotonic()
                row = runner.run(crowd.steady(pace, STEADY_S))
                used = (_cpu(parts) - cpu) / (time.monotonic() - began)
                yield {
                    "broker": broker, "wanted": count, "connected": len(crowd.tables), "opened_s": opened_s,
                    "broker_mib": memory / 2**20, "broker_cpu_share": used, **row, "fault": crowd.fault,
                }  # fmt: skip
            crowd.close()


def _open_files(number: int) -> None:
    """Set the maximum number of open files of this process and its children, up to the hard limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(number, hard), hard))


def _broker(folder: Path, kind: str, stack: ExitStack) -> tuple[Broker, list[Part]]:
    if kind == "mosquitto":
        one = Mosquitto(folder, None)
        stack.callback(one.stop)
        return one, [one.part]
    line = Wire()
    stack.callback(line.remove)
    three = Rabbit(folder, line, stack, papers(folder, "CC-01", "pit-1", line.host))
    stack.callback(three.stop)
    return three, three.nodes


def _processes(parts: list[Part]) -> Iterator[Path]:
    """Yield the folder in /proc of each process of the broker."""
    waiting = [part.process.pid for part in parts if part.process is not None]
    while waiting:
        at = Path(f"/proc/{waiting.pop()}")
        with suppress(OSError):
            for task in (at / "task").iterdir():
                waiting += map(int, (task / "children").read_text(encoding="ascii").split())
            yield at


def _memory(parts: list[Part]) -> int:
    pages = (int((at / "statm").read_text(encoding="ascii").split()[1]) for at in _processes(parts))
    return sum(pages) * resource.getpagesize()


def _cpu(parts: list[Part]) -> float:
    """Return the seconds of processor time that the broker has used."""
    return sum(processor_s(at) for at in _processes(parts))
