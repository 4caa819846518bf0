"""Time from a card to its ACK while the pages are flooded: `python -m tests.trials.bench.flood [NAME ...]`.

The daemon is real; the shoe, the stopwatch and each flooding client are separate processes. No card is left
out because of its figure: a card without an ACK is counted.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from drivers.shoe.sim.line import Pty
from drivers.shoe.sim.session import ShoeSession
from tests.runtime.child import run_arguments, started, table_file
from tests.trials.bench.figures import spread

CARDS, EVERY_S, GIVEN_UP_S = 100, 0.05, 2.0
TOUCH = b'{"do":"press","key":"floor","prompt":"none"}'


@dataclass(frozen=True, slots=True)
class Flood:
    """Kind of flood: `connections` clients, each of which sends `request` again after each answer. With an
    empty `request` they only connect."""

    connections: int
    request: bytes = b""
    fresh: bool = False
    """Whether each request uses a new connection."""


def _get(path: str, host: str = "127.0.0.1") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


PRESS = (
    b"POST /api/touch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(TOUCH), TOUCH)
)
FLOODS: Mapping[str, Flood] = {
    "none": Flood(0),
    "FLOOR key x16": Flood(16, PRESS),
    "FLOOR key x64": Flood(64, PRESS),
    "FLOOR key x200": Flood(200, PRESS),
    "GET / x64": Flood(64, _get("/")),
    "GET / x200": Flood(200, _get("/")),
    "GET / x64, a connection each": Flood(64, _get("/"), fresh=True),
    "GET /api/floor x64": Flood(64, _get("/api/floor")),
    "GET /api/live x64": Flood(64, _get("/api/live")),
    "foreign Host x200": Flood(200, _get("/", "evil.example")),
    "1,100 idle": Flood(1100),
}


def flood(port: int, what: Flood) -> None:
    """Flood a port of this machine with the requests of `what`, until the process is ended."""
    asyncio.run(_flood(port, what))


async def _flood(port: int, what: Flood) -> None:
    await asyncio.gather(*(_one(port, what) for _ in range(what.connections)))


async def _one(port: int, what: Flood) -> None:
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            while what.request:
                writer.write(what.request)
                if not await reader.read(65536) or what.fresh:
                    break
            else:
                await reader.read()
            writer.close()
        except OSError:
            await asyncio.sleep(0.01)


class Shoe:
    """Shoe on a serial line, which draws cards and measures the time until each card is acknowledged."""

    def __init__(self, path: Path) -> None:
        self._line = Pty(path)
        self._session = ShoeSession("B007", lambda: ("READY", "52", "0", "-", "SINGLE"), Random(1))
        self._changed = asyncio.Event()

    def start(self) -> None:
        self._line.plug()
        asyncio.get_running_loop().add_reader(self._line.fileno() or 0, self._readable)
        self._session.opened(time.monotonic())
        self._flush()

    def stop(self) -> None:
        asyncio.get_running_loop().remove_reader(self._line.fileno() or 0)
        self._line.unplug()

    @property
    def session(self) -> ShoeSession:
        return self._session

    def _readable(self) -> None:
        self._session.receive(self._line.read(), time.monotonic())
        self._flush()
        self._changed.set()

    def _flush(self) -> None:
        if wire := self._session.take_bytes():
            self._line.write(wire)
        self._session.take_commands()

    async def until_idle(self, seconds: float) -> bool:
        """Wait at most `seconds`; return whether all frames are acknowledged."""
        loop = asyncio.get_running_loop()
        limit = loop.time() + seconds
        while not self._session.up or self._session.backlog:
            self._changed.clear()
            due = min(limit, self._session.next_deadline() or limit)
            try:
                async with asyncio.timeout_at(due):
                    await self._changed.wait()
            except TimeoutError:
                if loop.time() >= limit:
                    return False
                self._session.tick(time.monotonic())
                self._flush()
        return True

    async def draw(self, number: int) -> float | None:
        """Return seconds from the frame to its ACK, or None if none came in time."""
        began = time.monotonic()
        self._session.emit("CARD", (str(number), "QH"), began)
        self._flush()
        took = await self.until_idle(GIVEN_UP_S)
        return time.monotonic() - began if took else None


def draw(far: Connection, path: Path, cards: int) -> None:
    """Run the process of the shoe: open a session, draw on request, and send the measured times."""
    far.send(asyncio.run(_draw(far, path, cards)))


async def _draw(far: Connection, path: Path, cards: int) -> tuple[list[float | None], Mapping[str, int]]:
    shoe, dice = Shoe(path), Random(2)
    shoe.start()
    far.send(await shoe.until_idle(20.0))
    await asyncio.to_thread(far.recv)  # the link keeps running meanwhile: no card may wait for a new HELLO
    await shoe.until_idle(GIVEN_UP_S)
    before = dict(shoe.session.counts)
    took: list[float | None] = []
    for number in range(1, cards + 1):
        await asyncio.sleep(dice.uniform(0.5, 1.5) * EVERY_S)
        took.append(await shoe.draw(number))
        if took[-1] is None and took[-3:] == [None] * 3:
            break  # three cards in a row got no ACK, so no later one will
    shoe.stop()
    return took, {name: n - before.get(name, 0) for name, n in shoe.session.counts.items()}


async def measure(what: Flood, cards: int = CARDS) -> str:
    """Return one line: p50 and p99 in ms, cards resent, links lost, cards never acknowledged."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="flood-") as name:
        folder = Path(name)
        near, far = context.Pipe()
        shoe = context.Process(target=draw, args=(far, folder / "shoe", cards), daemon=True)
        shoe.start()
        async with started(folder, run_arguments(table_file(folder))) as child:
            await child.ready()
            await asyncio.to_thread(near.recv)
            client = context.Process(target=flood, args=(child.port, what), daemon=True)
            client.start()
            await asyncio.sleep(3.0)
            near.send("go")
            took, counts = await asyncio.to_thread(near.recv)
            client.kill()
            client.join()
            shoe.join()
            await child.end()
            log_bytes = len(await child.words())
    return _line(took, counts, log_bytes)


def _line(took: Sequence[float | None], counts: Mapping[str, int], log_bytes: int) -> str:
    ms = [1000 * each for each in took if each is not None]
    figures = spread(ms) if ms else {}
    return (
        f"{figures}, {len(took) - len(ms)} of {len(took)} not acknowledged, "
        f"resent {counts.get('resent', 0)}, links lost {counts.get('links_lost', 0)}, log {log_bytes} bytes"
    )


def main(names: Sequence[str]) -> None:
    for name in names or list(FLOODS):
        print(f"{name}: {asyncio.run(measure(FLOODS[name]))}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
