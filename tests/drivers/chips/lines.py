"""Serial lines for the tests: a simulated PN532 without a thread, which answers inside ``write``."""

from __future__ import annotations

import array
import fcntl
import socket
import termios
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping

from drivers.chips.pn532 import Pn532
from drivers.chips.port import FramePort
from drivers.chips.reader import CircleReader, LineError
from drivers.chips.sim.line import Pn532Line
from drivers.chips.sim.pn532 import INSTANT_TIMES
from drivers.ports import CircleId

CIRCLE = (3, "ante_across")
Strike = Callable[[int, bytes], Iterable[bytes]]
"""Maps the number and bytes of a sent frame to the pieces that arrive."""


def whole(number: int, frame: bytes) -> Iterable[bytes]:
    return [frame]


class ModelSerial:
    """Stands in for pyserial's Serial in `FramePort`; each read returns one piece."""

    def __init__(self, strike: Strike = whole) -> None:
        self.line = Pn532Line(None, INSTANT_TIMES, 0.0, seed=1)
        self.strike = strike
        self.sent = 0
        self.commands: list[int] = []
        self._pieces: deque[bytes] = deque()
        self._here, self._far = socket.socketpair()
        self._here.setblocking(False)
        self.now = 0.0

    def fileno(self) -> int:
        return self._here.fileno()

    def deliver(self, data: bytes) -> None:
        self._pieces.append(data)
        self._far.send(b"!")

    def hang_up(self) -> None:
        self._far.close()

    def write(self, data: bytes) -> int:
        self.now += 0.01
        if data[:5] == b"\x00\x00\xff" + data[3:5] and data[5:6] == b"\xd4":
            self.commands.append(data[6])
        for _, frame in self.line.receive(data, self.now):
            for piece in self.strike(self.sent, frame):
                self.deliver(piece)
            self.sent += 1
        return len(data)

    @property
    def in_waiting(self) -> int:
        waiting = array.array("i", [0])
        fcntl.ioctl(self._here.fileno(), termios.FIONREAD, waiting)
        return sum(map(len, self._pieces)) if waiting[0] else 0

    def read(self, size: int) -> bytes:
        """Return one piece of data for each call, like a slow line."""
        if not self._here.recv(1):
            raise OSError("device reports readiness to read but returned no data")
        return self._pieces.popleft()

    def set_low_latency_mode(self, on: bool) -> None:
        raise ValueError("a socket has no latency flag")

    def close(self) -> None:
        self._here.close()
        self._far.close()


def port_on(serial: ModelSerial) -> FramePort:
    return FramePort(serial, "model")  # type: ignore[arg-type]


def reader_on(
    make: Callable[[], ModelSerial | None],
    max_chips: int = 12,
    timeout_s: float = 0.02,
    clock: Callable[[], float] = time.monotonic,
) -> CircleReader:
    """Return a reader whose port is the model that ``make`` returns at each opening; None means that no such
    port exists."""

    def open_port(path: str) -> FramePort:
        serial = make()
        if serial is None:
            raise LineError(f"{path}: cannot be opened")
        return port_on(serial)

    chip = Pn532("model", 0.0, clock, max_chips=max_chips, open_port=open_port)
    return CircleReader(CIRCLE, chip, clock, timeout_s)


def pn532s(paths: Mapping[CircleId, str], settle_s: float = 0.0) -> dict[CircleId, Pn532]:
    return {circle: Pn532(path, settle_s) for circle, path in paths.items()}


def uids(count: int) -> list[str]:
    return [f"04{number:012X}" for number in range(1, count + 1)]
