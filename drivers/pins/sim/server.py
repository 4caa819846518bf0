"""The bench's end of the simulated pins: the devices on the Pi's header, as a model and a wire.

`SimPinsServer` is for the mock table, the felt and tests; the daemon never imports it. It has the lamp chain
(74HC595s that shift and latch as real ones do, blanked by OE with its pull-up) and the four keys. The bench
must never be more lenient than the hardware: when the daemon ends, OE is released and the lamps go dark, a
bouncing key bounces on the wire, a second daemon is rejected.

    server = SimPinsServer(Path(tmp) / "pins.sock", pins, on_lamps=show)   # pins: drivers.pins.map.PinMap
    await server.start()            # listens; the daemon's config names factory sim and this socket
    await server.press("confirm")   # down, a little longer than the debounce time, up again
    server.lamps                    # {(3, "across"): "amber", ...}: the lamps lit at this moment
    await server.until(lambda lamps: lamps.get((3, "across")) == "red")
    server.disconnect()             # the wire breaks; the daemon reconnects within 0.25 s
    await server.stop()

The daemon makes lamps blink: `on_lamps` and `lamps` show each blink as it happens.

The wire: a Unix stream socket, one JSON object per line.

Daemon to bench: ``{"hello": 1}``; ``{"pin": 6, "mode": "output", "level": 0}``, and with pulses ``"high":
0.6``, the share of the time for which the pin is high; ``{"pin": 16, "mode": "input", "pull": "up"}``;
``{"spi": [0, 0], "words": "00a3…"}``, one transfer with chip select low throughout, the first byte first.

Bench to daemon: ``{"hello": 1}`` when it accepts the daemon; then, and at each change, ``{"chain":
{...}}``: the faults of the lamp chain (drivers/pins/sim/chain.py); ``{"pin": 16, "level": 0, "edge":
false}`` for each key that is down already, later ``{"pin": 16, "level": 1, "at": 71.5}`` for each change of
a level, `at` being the time of the change in seconds of the monotonic clock.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from drivers.json_lines import json_line
from drivers.pins.map import COLOURS, PinMap
from drivers.pins.sim.chain import Chain, ChainFaults
from drivers.ports import CircleId, Colour

log = logging.getLogger(__name__)

_PRESSED, _OPEN = 0, 1
"""Levels of a key's pin: a pressed key connects it to ground."""


class SimPinsServer:
    """The devices on the header, behind a socket. Used on the event loop in which it was started."""

    def __init__(
        self,
        socket_path: Path,
        pins: PinMap,
        on_lamps: Callable[[Mapping[CircleId, Colour]], None] | None = None,
    ) -> None:
        self._path = socket_path
        self._pins = pins
        self._on_lamps = on_lamps
        self._chain = Chain(pins.registers)
        self._enabled = False
        self.percent = 0
        """Brightness of the lit lamps: percent of the time for which OE is low."""
        self._down: set[str] = set()
        self._server: asyncio.Server | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._serving: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self.latches = 0
        """Number of times that the chain was latched."""

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, self._path)

    async def stop(self) -> None:
        """Disconnect and remove the socket."""
        if self._server is not None:
            self._server.close()
        self.disconnect()
        if self._serving is not None:
            await self._serving
        if self._server is not None:
            await self._server.wait_closed()
            self._server = None
        self._path.unlink(missing_ok=True)

    # ------------------------------------------------------------------------------ outputs

    @property
    def connected(self) -> bool:
        return self._writer is not None

    @property
    def lamps(self) -> Mapping[CircleId, Colour]:
        """Lamps that are lit at this moment; none while OE is not driven low."""
        lit: dict[CircleId, set[str]] = {}
        for (seat, wager, colour), bit in self._pins.bits.items():
            if self._enabled and self._chain.outputs >> bit & 1:
                lit.setdefault((seat, wager), set()).add(colour)
        return {circle: _colour(colours) for circle, colours in lit.items()}

    @property
    def outputs(self) -> int:
        """Latched bits that drive a lamp, even with the outputs off. Bit 0: QA, register nearest the Pi."""
        return self._chain.outputs & sum(1 << bit for bit in self._pins.bits.values())

    async def until(self, holds: Callable[[Mapping[CircleId, Colour]], bool]) -> None:
        """Wait until `holds` accepts the lamps; also checked when a daemon connects or disconnects."""
        while not holds(self.lamps):
            self._changed.clear()
            await self._changed.wait()

    async def until_connected(self, connected: bool = True) -> None:
        await self.until(lambda _: self.connected == connected)

    # ------------------------------------------------------------------------------ inputs

    async def press(self, key: str, held_s: float | None = None, bounces: int = 0) -> None:
        """Press and release a key. `held_s`: seconds for which it is down, by default just longer than the
        debounce time, with an equal pause afterwards. `bounces`: number of times that the contact opens
        before it rests."""
        pause = self._pins.debounce_s * 1.5 + 0.005
        self.hold(key, bounces)
        await asyncio.sleep(pause if held_s is None else held_s)
        self.release(key, bounces)
        await asyncio.sleep(pause)

    def hold(self, key: str, bounces: int = 0) -> None:
        """Press a key until `release`; ``bounces``: number of openings before the contact rests."""
        self._down.add(key)
        self._drive(key, [_PRESSED, _OPEN] * bounces + [_PRESSED])

    def release(self, key: str, bounces: int = 0) -> None:
        self._down.discard(key)
        self._drive(key, [_OPEN, _PRESSED] * bounces + [_OPEN])

    def set_chain_faults(self, faults: ChainFaults) -> None:
        """Set the faults of the lamp chain; ``ChainFaults()`` removes them."""
        self._chain.faults = faults
        self._send({"chain": faults.message()})

    def disconnect(self) -> None:
        """Close the connection; the daemon may connect again."""
        if self._writer is not None:
            self._writer.close()

    # ------------------------------------------------------------------------------ the wire

    def _drive(self, key: str, levels: list[int]) -> None:
        for level in levels:
            self._send({"pin": self._pins.keys[key], "level": level, "at": time.monotonic()})

    def _send(self, message: Mapping[str, Any]) -> None:
        """Send a message, bypassing the stream's buffer.

        A failed write there would discard the last lines of a daemon that has ended, lamps off among them,
        before they are read.
        """
        if self._writer is None or self._writer.is_closing():
            return
        data = json_line(message)
        try:
            sent = os.write(self._writer.get_extra_info("socket").fileno(), data)
        except ConnectionError:
            return  # the reader of this connection notices the loss and ends
        except BlockingIOError:
            sent = 0
        if sent != len(data):
            log.warning("simulated pins at %s: the daemon does not read: its line is cut", self._path)
            self._writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._writer is not None:
            log.error("simulated pins at %s: a second daemon was turned away", self._path)
            writer.close()
            return
        self._writer, self._serving = writer, asyncio.current_task()
        self._send({"hello": 1})
        self._send({"chain": self._chain.faults.message()})
        for key in sorted(self._down):
            self._send({"pin": self._pins.keys[key], "level": _PRESSED, "edge": False})
        self._changed.set()
        try:
            while line := await reader.readline():
                self._take(line)
        except (ConnectionError, ValueError) as error:
            log.warning("simulated pins at %s: the daemon's line broke: %s", self._path, error)
        finally:
            writer.close()
            self._writer = None
            # the daemon's pins are inputs again, and OE's pull-up decides
            self._enable(0)
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    def _take(self, line: bytes) -> None:
        message = json.loads(line)
        if message.get("spi") == [self._pins.spi_port, self._pins.spi_device]:
            self._chain.shift(bytes.fromhex(message["words"]))
            self._chain.latch()
            self.latches += 1
            self._show()
        elif message.get("pin") == self._pins.output_enable:
            low = 1 - message.get("high", message["level"]) if message["mode"] == "output" else 0
            self._enable(low)

    def _enable(self, low: float) -> None:
        """Set the share of the time for which OE is low."""
        self._enabled, self.percent = low > 0, round(100 * low)
        self._show()

    def _show(self) -> None:
        self._changed.set()
        if self._on_lamps is not None:
            self._on_lamps(self.lamps)


def _colour(colours: set[str]) -> Colour:
    """Return the colour of a lamp; both chips of a two-colour lamp together look amber."""
    if colours == set(COLOURS):
        return "amber"
    return "green" if "green" in colours else "red"
