"""Manual shoe, lamp chain and keys of a mock table in a separate process, with a stopwatch.

The timed devices must not wait for other work, so this process simulates no reader and reads no view. Times
are CLOCK_MONOTONIC, which is common to all processes of a machine. A card's time must never begin before its
last byte was sent, and an ACK's time must never precede its receipt.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from controller.mock.bench.shoes import Shoe, make_model
from controller.mock.bench.table_file import shoe_keys
from drivers.pins.map import PinMap
from drivers.pins.sim.server import SimPinsServer
from drivers.ports import CircleId, Colour
from drivers.shoe.sim.line import Pty
from drivers.shoe.sim.simulator import ShoeSimulator

WAIT_S = 5.0
"""Timeout of a request in seconds, longer than any time that is plausible as a result."""


@dataclass(frozen=True, slots=True)
class Where:
    """Serial lines and sockets of the devices that this process simulates."""

    shoe: Path
    pins: Path
    pin_map: PinMap
    seed: int
    link: int = 1


@dataclass(frozen=True, slots=True)
class Timed:
    """Times of one card, in seconds of the monotonic clock: drawn, acknowledged and, for a seat's card, the
    latch of that seat's changed lamp."""

    card: float
    ack: float
    lamp: float | None = None


class StampedPty(Pty):
    """Serial line of the shoe that measures: it stores when a CARD frame was first sent and when its ACK was
    read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.card: float | None = None
        self.ack: float | None = None
        self.acknowledged = asyncio.Event()
        self._answer = b""
        self._heard = b""

    def arm(self) -> None:
        self.card = self.ack = None
        self._heard = b""
        self.acknowledged.clear()

    def write(self, data: bytes) -> None:
        if self.card is None and b",CARD," in data:
            self._answer = data[:3] + b",ACK"
            # read before the call, so that the call's duration counts as the controller's
            self.card = time.monotonic()
        super().write(data)

    def read(self) -> bytes:
        data = super().read()
        now = time.monotonic()
        if self.card is not None and self.ack is None:
            self._heard += data
            if self._answer in self._heard:
                self.ack = now
                self.acknowledged.set()
        return data


class LampWatch:
    """Stopwatch at the lamp chain: it stores when the lamp of a seat's circle became steady green, which
    means that the wager counts and the seat has all its cards."""

    def __init__(self) -> None:
        self.at: float | None = None
        self.latched = asyncio.Event()
        self._circle: CircleId | None = None

    def arm(self, seat: int | None) -> None:
        self.at = None
        self._circle = None if seat is None else (seat, "ante_across")
        self.latched.clear()

    def see(self, lamps: Mapping[CircleId, Colour]) -> None:
        if self._circle is not None and self.at is None and lamps.get(self._circle) == "green":
            self.at = time.monotonic()
            self.latched.set()


class Stopwatch:
    """Simulated shoe and keys, operated by requests over a pipe, one after the other."""

    def __init__(self, where: Where) -> None:
        self.line = StampedPty(where.shoe)
        self.watch = LampWatch()
        self.model = make_model(where.seed, "SINGLE", None)
        loop = asyncio.get_running_loop()
        paired = shoe_keys(where.seed)[1] if where.link != 1 else None
        self.simulator = ShoeSimulator(self.model, self.line, loop, rng=Random(where.seed), paired=paired)
        self.shoe = Shoe(self.model, time.monotonic)
        self.pins = SimPinsServer(where.pins, where.pin_map, self.watch.see)

    async def obey(self, order: str, argument: Any) -> Any:
        if order == "draw":
            return await self.draw(argument)
        if order == "press":
            await self.pins.press(argument)
        elif order == "stub":
            return self.shoe.take_stub()
        elif order == "gather":
            self.shoe.gather()
        elif order == "bring":
            self.shoe.bring(argument)
        elif order == "load":
            self.shoe.load(argument)
        return None

    async def draw(self, seat: int | None) -> tuple[str | None, Timed]:
        """Return the card drawn for a seat or the cross, with its times. Raises TimeoutError if none came."""
        self.line.arm()
        self.watch.arm(seat)
        face = self.shoe.draw()[0]
        async with asyncio.timeout(WAIT_S):
            await self.line.acknowledged.wait()
            if seat is not None:
                await self.watch.latched.wait()
        if self.line.card is None or self.line.ack is None:
            raise TimeoutError("a card without its times")
        return face, Timed(self.line.card, self.line.ack, self.watch.at)


async def _serve(near: Connection, where: Where) -> None:
    stopwatch = Stopwatch(where)
    stopwatch.simulator.start()
    await stopwatch.pins.start()
    near.send("ready")
    waiting = asyncio.Event()
    asyncio.get_running_loop().add_reader(near.fileno(), waiting.set)
    while True:
        await waiting.wait()
        waiting.clear()
        order, argument = near.recv()
        if order == "stop":
            break
        try:
            near.send(await stopwatch.obey(order, argument))
        except TimeoutError:
            near.send(TimeoutError(f"{order} {argument}: nothing came of it within {WAIT_S} s"))
    stopwatch.simulator.stop()
    await stopwatch.pins.stop()
    near.send(None)


def serve(near: Connection, where: Where) -> None:
    """Run a stopwatch in this process and obey the orders from the pipe `near` until the order "stop"."""
    asyncio.run(_serve(near, where))
