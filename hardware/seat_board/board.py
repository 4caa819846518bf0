"""Seat board: receives requests on its line, operates its readers one at a time, answers.

It sends only answers, so that one field of a seat is on at a time, in the slot of the Pi's schedule. A
repeated request gets the same answer and is not executed again. It must never report anything about a
circle except its reader's last answer, and it has no field on while it waits.
"""

try:
    from collections.abc import Callable
except ImportError:  # CircuitPython has no such module and ignores annotations
    pass

from .link import Decoder, clean, decode, encode
from .reading import Reader, Slow, Unstable
from .spi import Silent

VERSION = "1"
"""Version of the link."""
FIRMWARE = "1.0"
MODEL = "CCT-SEAT"
BUSY_INTERVAL_US = 50_000
"""Interval of BUSY frames during a reading, in microseconds."""
MAX_SETTLE_MS = 100
MAX_KIND_CHARS = 16
"""Maximum number of characters of a request's type that a refusal repeats."""


class Board:
    """Firmware of one board. `write(data)` sends bytes on the line, `clock()` counts microseconds, `boot`
    differs at each start."""

    def __init__(
        self,
        readers: dict[str, Reader],
        write: "Callable[[bytes], None]",
        clock: "Callable[[], int]",
        serial: str,
        boot: str,
    ) -> None:
        self._readers = readers
        self._write = write
        self._clock = clock
        self._serial = serial
        self._boot = boot
        self._decoder = Decoder()
        self._greeted = False
        self._last = b""
        """Bytes of the last request, by which its repetition is recognised."""
        self._answer = b""
        self._sent_at = 0

    def receive(self, data: bytes) -> None:
        """Process received bytes: each complete request is executed and answered before this returns."""
        for raw in self._decoder.feed(data):
            if raw == self._last:
                self._send(self._answer)
                continue
            frame = decode(raw)
            if frame is None:
                self._decoder.dropped += 1
                continue
            number, kind, fields = frame
            self._sent_at = self._clock()
            answer = self._execute(number, kind, fields)
            self._last, self._answer = raw, encode(number, *answer)
            self._send(self._answer)

    def _send(self, data: bytes) -> None:
        self._sent_at = self._clock()
        self._write(data)

    # ----------------------------------------------------------------- requests

    def _execute(self, number: int, kind: str, fields: list[str]) -> tuple[str, tuple[str, ...]]:
        if kind == "HELLO" and len(fields) == 2:
            return self._hello(fields[0])
        if not self._greeted:
            return "KNOCK", (self._boot,)
        if kind not in ("SETUP", "READ") or len(fields) != (2 if kind == "SETUP" else 1):
            return _refused(kind, "no such request")
        reader = self._readers.get(fields[0])
        if reader is None:
            return _refused(kind, "no such circle")
        try:
            if kind == "SETUP":
                return self._setup(reader, fields[0], number, fields[1])
            return self._read(reader, fields[0], number)
        except Silent:
            return _fault(fields[0], "SILENT", "no answer")
        except Unstable as error:
            return _fault(fields[0], "UNSTABLE", str(error))
        except Slow as error:
            return _fault(fields[0], "SLOW", str(error))

    def _hello(self, version: str) -> tuple[str, tuple[str, ...]]:
        """Open the session; all readers are held in reset until each is set up."""
        for reader in self._readers.values():
            reader.hold()
        self._greeted = version == VERSION
        if not self._greeted:
            return _refused("HELLO", f"this board speaks version {VERSION}")
        return "WELCOME", (VERSION, MODEL, self._serial, FIRMWARE, self._boot, " ".join(self._readers))

    def _setup(self, reader: Reader, circle: str, number: int, settle: str) -> tuple[str, tuple[str, ...]]:
        if not settle.isdigit() or int(settle) > MAX_SETTLE_MS:
            return _refused("SETUP", f"milliseconds from 0 to {MAX_SETTLE_MS}")
        return "READY", (circle, reader.setup(int(settle) * 1000, self._busy(number, circle)))

    def _read(self, reader: Reader, circle: str, number: int) -> tuple[str, tuple[str, ...]]:
        if not reader.ready:
            return _fault(circle, "UNSET", "not set up")
        began = self._clock()
        uids = reader.inventory(self._busy(number, circle))
        took = self._clock() - began
        return "CHIPS", (circle, str(began // 1000), str(took // 1000), " ".join(uids))

    def _busy(self, number: int, circle: str) -> "Callable[[], None]":
        """Return a function that sends BUSY if nothing has been sent for BUSY_INTERVAL_US."""

        def busy() -> None:
            if self._clock() - self._sent_at >= BUSY_INTERVAL_US:
                self._send(encode(number, "BUSY", (circle,)))

        return busy


def _refused(kind: str, why: str) -> tuple[str, tuple[str, ...]]:
    return "REFUSED", (clean(kind)[:MAX_KIND_CHARS], why)


def _fault(circle: str, code: str, words: str) -> tuple[str, tuple[str, ...]]:
    return "FAULT", (circle, code, clean(words))
