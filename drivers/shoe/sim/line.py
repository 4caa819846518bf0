"""Line of the simulated shoe: a pseudo-terminal behind a stable path, and the faults of a line.

`Pty` can be unplugged and plugged in again like a USB port: the path is a symbolic link to a new terminal
each time. `LineFaults` decides what happens to an outgoing frame. This module does not interpret frames, and
must never raise while the other end does not read.
"""

from __future__ import annotations

import os
import tty
from pathlib import Path
from random import Random
from typing import Final, Protocol

import serial

from drivers.uart import across, baud, open_pseudo_terminal, set_baud

VERBS: Final = {
    "silent": "nothing goes out and nothing comes in",
    "drop": "frames are lost on their way out",
    "noise": "random bytes before each frame",
    "split": "frames go out byte by byte",
    "late": "frames go out 150 ms late",
    "duplicate": "frames go out twice",
    "flip": "one bit of each frame is flipped",
}
_LATE: Final = 0.150
_BYTE: Final = 0.001


class ShoeLine(Protocol):
    """Interface to the line on which a simulated shoe exchanges bytes with the controller."""

    path: str

    def plug(self) -> None: ...

    def unplug(self) -> None: ...

    def fileno(self) -> int | None:
        """Return the descriptor to poll for bytes; None while unplugged."""

    def read(self) -> bytes: ...

    def write(self, data: bytes) -> None: ...


class Pty:
    """Pseudo-terminal behind the symbolic link `path`, a new one at each `plug()`."""

    def __init__(self, path: Path | str, baud: int = 115200) -> None:
        self.path = str(path)
        self.baud = baud
        self._ends: tuple[int, int] | None = None

    def plug(self) -> None:
        if self._ends is not None:
            return
        master, slave = open_pseudo_terminal()
        tty.setraw(slave)
        set_baud(slave, self.baud)
        os.set_blocking(master, False)
        # the slave stays open here, so that a reader that closes it does not look like an unplugged line
        self._ends = (master, slave)
        link = Path(self.path)
        fresh = link.with_name(f".{link.name}.new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(slave))
        fresh.replace(link)

    def unplug(self) -> None:
        if self._ends is None:
            return
        Path(self.path).unlink(missing_ok=True)
        for end in self._ends:
            os.close(end)
        self._ends = None

    def fileno(self) -> int | None:
        return None if self._ends is None else self._ends[0]

    def read(self) -> bytes:
        if self._ends is None:
            return b""
        return across(_read(self._ends[0]), baud(self._ends[1]), self.baud)

    def write(self, data: bytes) -> None:
        if self._ends is not None:
            _write(self._ends[0], across(data, self.baud, baud(self._ends[1])))


class RealPort:
    """Real serial port, opened exclusively."""

    def __init__(self, path: str, baud: int) -> None:
        self.path = path
        self._baud = baud
        self._serial: serial.Serial | None = None

    def plug(self) -> None:
        if self._serial is None:
            self._serial = serial.Serial(self.path, self._baud, timeout=0, exclusive=True)

    def unplug(self) -> None:
        if self._serial is not None:
            self._serial.close()
            self._serial = None

    def fileno(self) -> int | None:
        return None if self._serial is None else int(self._serial.fileno())

    def read(self) -> bytes:
        return b"" if self._serial is None else _read(self._serial.fileno())

    def write(self, data: bytes) -> None:
        if self._serial is not None:
            _write(self._serial.fileno(), data)


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 4096)
    except BlockingIOError:
        return b""


def _write(fd: int, data: bytes) -> None:
    """Write to the line; if the other end does not read, bytes are lost, as on a real line."""
    try:
        os.write(fd, data)
    except BlockingIOError:
        return


class LineFaults:
    """Faults of a line. `set("drop", 3)` affects the next three frames; `set("drop")` all until `clear()`."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._left: dict[str, int | None] = {}

    @property
    def active(self) -> tuple[str, ...]:
        return tuple(self._left)

    def set(self, verb: str, count: int | None = None) -> None:
        if verb not in VERBS:
            raise ValueError(f"line fault {verb!r}: {' '.join(VERBS)}")
        if count is not None and count < 1:
            raise ValueError(f"line fault {verb}: how many frames? 1 or more, or nothing for until clear")
        self._left[verb] = count

    def clear(self) -> None:
        self._left.clear()

    @property
    def deaf(self) -> bool:
        return "silent" in self._left

    def pieces(self, data: bytes) -> list[tuple[float, bytes]]:
        """Return the pieces of one frame to send, each with its delay in seconds."""
        if self._strikes("silent") or self._strikes("drop"):
            return []
        if self._strikes("flip"):
            where = self._rng.randrange(len(data))
            data = data[:where] + bytes([data[where] ^ 1 << self._rng.randrange(8)]) + data[where + 1 :]
        copies = 2 if self._strikes("duplicate") else 1
        if self._strikes("noise"):
            data = self._rng.randbytes(self._rng.randrange(1, 40)) + data
        late = _LATE if self._strikes("late") else 0.0
        if self._strikes("split"):
            return [(late + _BYTE * i, bytes([byte])) for i, byte in enumerate(data * copies)]
        return [(late, data)] * copies

    def _strikes(self, verb: str) -> bool:
        if verb not in self._left:
            return False
        left = self._left[verb]
        if left == 1:
            del self._left[verb]
        elif left is not None:
            self._left[verb] = left - 1
        return True
