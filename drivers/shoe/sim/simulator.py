"""Simulated shoe on a wire: a `ShoeModel` behind a pseudo-terminal or a real serial port.

It supports both dialects, and `fault` causes any fault of device or line. It runs on an asyncio loop; the
model's methods may be called at any time on the loop's thread. Never imported by the program of a real table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random, SystemRandom
from typing import Final, Literal

from drivers.shoe.codec import MAX_FRAME_BYTES, FrameDecoder, encode_frame
from drivers.shoe.handshake import KEY, Paired
from drivers.shoe.pairing import ShoePairing
from drivers.shoe.sealed import ShoeEnd
from drivers.shoe.sim.line import VERBS, LineFaults, ShoeLine
from drivers.shoe.sim.model import FAULT_KINDS, ShoeModel
from drivers.shoe.sim.session import Identity, ShoeSession

FAULTS: Final = (*FAULT_KINDS, *VERBS, "unplug", "power", "forged", "stranger", "old_link", "clear")


class ShoeSimulator:
    """`model` on `line`. `rng` chooses frame numbers, boot identifier and noise; the cards depend on the
    model's seed."""

    def __init__(
        self,
        model: ShoeModel,
        line: ShoeLine,
        loop: asyncio.AbstractEventLoop,
        *,
        protocol: Literal["v1", "plain"] = "v1",
        rng: Random | None = None,
        identity: Identity | None = None,
        paired: Paired | None = None,
        byte_s: float = 0.0,
    ) -> None:
        """Prepare the shoe. `paired`: keys of a pairing; with them it uses version 2 of the link. `byte_s`:
        seconds per byte on the line; with 0 a frame arrives at once."""
        self._paired = paired
        self._byte_s = byte_s
        self.model = model
        self.line = line
        self._loop = loop
        self._protocol = protocol
        self._rng = rng or SystemRandom()
        self._identity = identity or Identity()
        self._pairing: ShoePairing | None = None
        self.on_paired: Callable[[Paired], None] = lambda _paired: None
        """Called with the keys of a pairing."""
        self.on_digits: Callable[[str], None] = lambda _digits: None
        """Called with the digits that the shoe displays during a pairing."""
        self.faults = LineFaults(self._rng)
        self._session = self._power_up()
        self._timer: asyncio.TimerHandle | None = None
        self._late: set[asyncio.TimerHandle] = set()
        self._clear_at = 0.0
        model.attach(self._emit)

    @property
    def session(self) -> ShoeSession:
        return self._session

    def start(self) -> None:
        self.plug()

    def stop(self) -> None:
        self.unplug()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def plug(self) -> None:
        if self.line.fileno() is not None:
            return
        self.line.plug()
        fd = self.line.fileno()
        assert fd is not None  # noqa: S101  # it has just been plugged in
        self._loop.add_reader(fd, self._readable)
        self._open_session()

    def unplug(self) -> None:
        fd = self.line.fileno()
        if fd is None:
            return
        self._loop.remove_reader(fd)
        for handle in self._late:
            handle.cancel()
        self._late.clear()
        self._session.closed()
        self.line.unplug()

    def power_cycle(self) -> None:
        """Switch off and on: the boot identifier changes, unacknowledged frames are lost, and the cards stay
        in place."""
        self.model.power_cycle()
        self._restart_session()

    def _open_session(self) -> None:
        if self._protocol == "v1":
            self._session.opened(self._loop.time())
        self._flush()

    def _power_up(self) -> ShoeSession:
        boot = f"{self._rng.getrandbits(32):08X}"
        protection = None if self._paired is None else ShoeEnd(self._paired, lambda: self._rng.randbytes(KEY))
        return ShoeSession(boot, self.model.state, self._rng, self._identity, protection)

    # ------------------------------------------------------------------ pairing

    def begin_pairing(self) -> None:
        """Press the pairing button: the device answers only the pairing until it ends."""
        self._session.closed()
        self._pairing = ShoePairing(self._identity.serial, self._rng.randbytes)

    def confirm_pairing(self) -> None:
        """Press the confirmation button: the digits are the same at both ends."""
        if self._pairing is not None:
            self._pairing.confirm()

    def end_pairing(self) -> None:
        """End pairing mode and restart, with the keys of the pairing if there are any."""
        self._pairing = None
        self._restart_session()

    def _pair(self, pairing: ShoePairing, data: bytes) -> None:
        before = pairing.digits
        self._send(pairing.receive(data))
        if pairing.digits is not None and pairing.digits != before:
            self.on_digits(pairing.digits)
        if pairing.paired is not None:
            self._paired = pairing.paired
            self.on_paired(pairing.paired)
            self.end_pairing()

    # ------------------------------------------------------------------ faults

    def fault(self, kind: str, after: int | None = None) -> None:
        """Cause a fault of tests/scenarios/FORMAT.md (or `drop split flip power`). `after`: number of cards
        until it occurs."""
        if kind not in FAULTS:
            raise ValueError(f"shoe fault {kind!r}: {' '.join(FAULTS)}")
        if kind in FAULT_KINDS:
            self.model.fault(kind, after)
        elif kind == "clear":
            self.clear()
        elif after is not None:
            self.model.after_cards(after, lambda: self._strike(kind))
        else:
            self._strike(kind)

    def clear(self) -> None:
        """Clear all faults and plug the line in."""
        self.faults.clear()
        self.model.clear()
        self.plug()
        self._flush()

    def _strike(self, kind: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "unplug": self.unplug,
            "power": self.power_cycle,
            "forged": self.forge,
            "stranger": self.become_other_device,
            "old_link": self.become_version_1,
        }
        if kind in actions:
            actions[kind]()
        else:
            self.faults.set(kind)

    def forge(self) -> None:
        """Send a forged card under the number that the shoe used last."""
        self._send(encode_frame(self._session.number, "CARD", ("1", "FU")))

    def become_other_device(self) -> None:
        """Replace the device by another one with the same cards and none of its unsent frames."""
        self._identity = replace(self._identity, serial=f"{self._identity.serial}X")
        self._restart_session()

    def become_version_1(self) -> None:
        """Replace the device by an older one with the same cards and serial number that supports version 1
        only.
        """
        self.unplug()
        self._paired = None
        self._session = self._power_up()
        self.plug()

    def _restart_session(self) -> None:
        self._session.closed()
        self._session = self._power_up()
        if self.line.fileno() is not None:
            self._open_session()

    def _emit(self, kind: str, fields: tuple[str, ...]) -> None:
        if self._protocol == "v1":
            self._session.emit(kind, fields, self._loop.time())
            self._flush()
        elif kind == "CARD" and fields[1] not in ("FU", "NR"):
            # a plain reader sends nothing for a card that it cannot read
            face = fields[1]
            self._send(f"{'10' if face[0] == 'T' else face[0]}{face[1]}\r\n".encode())

    def _readable(self) -> None:
        data = self.line.read()
        if self.faults.deaf or self._protocol == "plain":
            return
        if self._pairing is not None:
            self._pair(self._pairing, data)
            return
        self._session.receive(data, self._loop.time())
        self._flush()

    def _flush(self) -> None:
        """Pass commands to the model and bytes to the line; set the timer to the next deadline."""
        now = self._loop.time()
        commands = self._session.take_commands()
        self._out(self._session.take_bytes())
        for kind, fields in commands:
            self.model.command(kind, fields, now)
        self._out(self._session.take_bytes())
        self._schedule()

    def _out(self, data: bytes) -> None:
        if data and self._protocol == "v1":
            for frame in FrameDecoder(MAX_FRAME_BYTES).feed(data):
                self._send(frame.raw + b"\r\n")

    def _send(self, wire: bytes) -> None:
        now = self._loop.time()
        for delay, piece in self.faults.pieces(wire):
            # a line preserves the order, so no piece overtakes a delayed one
            self._clear_at = max(now + delay, self._clear_at if self._late else 0.0)
            self._clear_at += len(piece) * self._byte_s
            if self._clear_at <= now and not self._late:
                self.line.write(piece)
            else:
                self._send_at(self._clear_at, piece)

    def _send_at(self, at: float, piece: bytes) -> None:
        def send() -> None:
            self._late.discard(handle)
            self.line.write(piece)

        handle = self._loop.call_at(at, send)
        self._late.add(handle)

    def _schedule(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        dues = [due for due in (self._session.next_deadline(), self.model.next_deadline()) if due is not None]
        if dues:
            self._timer = self._loop.call_at(min(dues), self._tick)

    def _tick(self) -> None:
        self._timer = None
        now = self._loop.time()
        self.model.tick(now)
        self._session.tick(now)
        self._flush()
