"""Two sessions and a line between them in virtual time."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from random import Random

from drivers.ports import ShoeReport
from drivers.shoe.codec import MAX_FRAME_BYTES, Frame, FrameDecoder, encode_frame
from drivers.shoe.handshake import Paired, public_key
from drivers.shoe.protection import Clear, Protection
from drivers.shoe.sealed import ControllerEnd, ShoeEnd
from drivers.shoe.session import ControllerSession
from drivers.shoe.sim.session import ShoeSession

Mangle = Callable[[str, bytes], list[tuple[float, bytes]]]
"""Function that returns the pieces that arrive in place of the bytes sent, each with its delay in s. Its
first argument is the direction: `<` leads to the controller."""


def whole(_way: str, data: bytes) -> list[tuple[float, bytes]]:
    return [(0.0, data)]


CONTROLLER_SECRET, SHOE_SECRET = bytes(range(32)), bytes(range(100, 132))
AT_CONTROLLER = Paired(CONTROLLER_SECRET, public_key(SHOE_SECRET))
AT_SHOE = Paired(SHOE_SECRET, public_key(CONTROLLER_SECRET))


def frames(data: bytes) -> list[Frame]:
    return FrameDecoder(MAX_FRAME_BYTES).feed(data)


def texts(data: bytes) -> list[str]:
    """Return a text such as `2A,CARD,7,QH` for each frame in `data`."""
    return [frame.raw[1:-5].decode() for frame in frames(data)]


def frame(text: str) -> bytes:
    """Return the bytes of a text such as `2A,CARD,7,QH`."""
    seq, kind, *fields = text.split(",")
    return encode_frame(int(seq, 16), kind, fields)


class Disk:
    """The controller's stable storage: accepted reports, and the mark for a restart."""

    def __init__(self) -> None:
        self.reports: list[ShoeReport] = []
        self.mark: str | None = None

    def store(self, report: ShoeReport) -> None:
        self.reports.append(report)
        self.mark = report.mark or self.mark

    def cards(self) -> list[tuple[str, ...]]:
        return [report.fields for report in self.reports if report.kind == "CARD"]


class Wire:
    """Runs both ends by their deadlines. `commit`: seconds from a report to its acceptance."""

    def __init__(
        self, mangle: Mangle = whole, commit: float = 0.0, seed: int = 1, version: str = "1"
    ) -> None:
        self.version = version
        self.now = 100.0
        self.mangle = mangle
        self.commit = commit
        self.rng = Random(seed)
        self.disk = Disk()
        self.out = 0
        self.boots = 0
        self.commands: list[tuple[str, tuple[str, ...]]] = []
        self.sent: list[tuple[str, str]] = []
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self.controller = self._new_controller(None)
        self.shoe = self._new_shoe()

    def _new_shoe(self) -> ShoeSession:
        self.boots += 1
        sealed = ShoeEnd(AT_SHOE, self._fresh) if self.version == "2" else None
        return ShoeSession(f"B{self.boots}", self._state, self.rng, protection=sealed)

    def _new_controller(self, mark: str | None) -> ControllerSession:
        sealed: Protection = ControllerEnd(AT_CONTROLLER, self._fresh) if self.version == "2" else Clear()
        return ControllerSession("CC-01", mark, self.rng, sealed)

    def _fresh(self) -> bytes:
        return self.rng.randbytes(32)

    def _state(self) -> tuple[str, ...]:
        return ("READY" if self.out == 0 else "DEALING", "-", str(self.out), "RED", "STACK")

    def start(self) -> None:
        self.shoe.opened(self.now)
        self.controller.opened(self.now)
        self._flush()

    def card(self) -> None:
        self.out += 1
        self.shoe.emit("CARD", (str(self.out), "QH"), self.now)
        self._flush()

    def restart_controller(self) -> None:
        """Restart the controller as after kill -9: only data on the disk remain."""
        self.controller = self._new_controller(self.disk.mark)
        self.controller.opened(self.now)
        self._flush()

    def restart_shoe(self) -> None:
        self.out = 0
        self.shoe = self._new_shoe()
        self.shoe.opened(self.now)
        self._flush()

    def run(self, seconds: float) -> None:
        """Handle every deadline and every arrival within `seconds`, in order of time."""
        end = self.now + seconds
        while (at := self._next()) is not None and at <= end:
            self.now = max(self.now, at)
            while self._due and self._due[0][0] <= self.now:
                heapq.heappop(self._due)[2]()
                self._flush()
            self.controller.tick(self.now)
            self.shoe.tick(self.now)
            self._flush()
        self.now = end

    def at(self, delay: float, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._due, (self.now + delay, self._count, action))

    def _next(self) -> float | None:
        ends = (self.controller.next_deadline(), self.shoe.next_deadline())
        dues = [due for due in ends if due is not None] + [entry[0] for entry in self._due[:1]]
        return min(dues, default=None)

    def _flush(self) -> None:
        while True:
            to_shoe, to_controller = self.controller.take_bytes(), self.shoe.take_bytes()
            reports = self.controller.take_reports()
            self.commands += self.shoe.take_commands()
            if not (to_shoe or to_controller or reports):
                return
            self._carry(">", to_shoe)
            self._carry("<", to_controller)
            for report in reports:
                self._commit(self.controller, report)

    def _commit(self, session: ControllerSession, report: ShoeReport) -> None:
        def stored() -> None:
            if session is self.controller:  # otherwise the process that would have stored it is dead
                self.disk.store(report)
                session.accept(report, self.now)

        if self.commit == 0.0:
            stored()
        else:
            self.at(self.commit, stored)

    def _carry(self, way: str, data: bytes) -> None:
        self.sent += [(way, text) for text in texts(data)]
        for wire in frames(data):
            for delay, piece in self.mangle(way, wire.raw + b"\r\n"):
                self.at(delay, self._arrival(way, piece, late=delay > 0))

    def _arrival(self, way: str, piece: bytes, late: bool) -> Callable[[], None]:
        """Return a function that delivers the bytes. A line may be slow, but it keeps the order, so bytes
        sent before a power cut of the shoe never arrive after bytes of its next power-up."""
        if way == ">":
            return lambda: self.shoe.receive(piece, self.now)
        boot = self.boots

        def arrive() -> None:
            if not late or boot == self.boots:
                self.controller.receive(piece, self.now)

        return arrive
