"""Simulated readers of an entire table, of any kind: started, faulted and stopped, with the lines of most
kinds.

Every method may be called from any thread; none waits. The bank's thread (`bank_loop`) does all the
work; callers only change models under its lock.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from drivers.chips.sim.bank_loop import BankLoop, idle_answer_s
from drivers.chips.sim.pty_line import PtyLine
from drivers.ports import CircleId

if TYPE_CHECKING:
    from serial import Serial

K = TypeVar("K", bound=Hashable)
L = TypeVar("L", bound=PtyLine)


class Bank(ABC):
    """Readers of an entire table, which run until the end of a block: `with ReaderBank(dir, circles) as
    bank`."""

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def stop(self) -> None: ...

    @abstractmethod
    def paths(self) -> dict[CircleId, str]:
        """Return the port of each circle."""

    @abstractmethod
    def set_chips(self, circle: CircleId, uids: Iterable[str]) -> None:
        """Put exactly these chips in the circle; the same UID twice is two chips."""

    @abstractmethod
    def last_frames(self, circle: CircleId) -> tuple[bytes, bytes]:
        """Return the last command and answer on the wire of a circle's reader."""

    @abstractmethod
    def fault(self, circle: CircleId, kind: str) -> None:
        """Apply a fault to the reader of one circle."""

    def clear(self, circle: CircleId) -> None:
        self.fault(circle, "clear")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class LineBank(Bank, Generic[K, L]):
    """Bank whose readers share one thread. `pace`: 1 takes the devices' time; at 0 an answer of a quiet bank
    is delayed."""

    def __init__(self, directory: Path, lines: Mapping[K, L], pace: float) -> None:
        self._directory = directory
        self._lines = lines
        self._idle_answer_s = idle_answer_s(pace)
        self._lock = threading.Lock()
        self._loop: BankLoop | None = None
        self._port: Serial | None = None

    def start(self) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        self._loop = BankLoop(self._lock, self._idle_answer_s)
        for line in self._lines.values():
            line.plug()
            self._loop.add(line)
        self._loop.start()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the bank's lock during a change. For some time afterwards the bank does not count as quiet."""
        with self._lock:
            if self._loop is not None:
                self._loop.changed_at = time.monotonic()
            yield

    def _start_on(self, line: L, port: str, baud: int, parity: str = "N") -> None:
        """Run one reader on a real serial port instead of a pseudo-terminal. Raises OSError if the port
        cannot be opened.
        """
        import serial

        self._port = serial.Serial(port, baud, parity=parity, timeout=0, exclusive=True)
        line.attach(self._port.fileno(), port)
        self._loop = BankLoop(self._lock)
        self._loop.add(line)
        self._loop.start()

    def stop(self) -> None:
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.stop()
        for line in self._lines.values():
            line.unplug()
        if self._port is not None:
            self._port.close()
            self._port = None

    def _follow_plug(self, line: L, kind: str) -> None:
        """Unplug a line for the fault `unplug`, and plug it in for any other. A real port is left
        unchanged."""
        if self._loop is None or line.name:
            return
        if kind == "unplug" and line.fd >= 0:
            self._loop.remove(line)
            line.unplug()
        elif kind != "unplug" and line.fd < 0:
            line.plug()
            self._loop.add(line)
