"""One circle's PN532: opened, set up, asked for everything that lies on its antenna.

The way of asking is list, halt, list again until nobody answers (hardware/FACTS.md; libnfc's
`nfc_initiator_list_passive_targets`). It must never report an empty circle unless the chip
itself answered that it found none, and never leave its field on when it is done.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypeAlias

from drivers.chips.port import FramePort, Garbled, LineError
from drivers.ports import CircleId, Inventory, ReaderAnswer

if TYPE_CHECKING:
    from adafruit_pn532.uart import PN532_UART

RF_CONFIGURATION = 0x32
IN_LIST_PASSIVE_TARGET = 0x4A
IN_DESELECT = 0x44

FIELD_ON = b"\x01\x01"
FIELD_OFF = b"\x01\x00"
FINITE_RETRIES = b"\x05\x00\x01\x02"
"""MxRtyATR 0, MxRtyPSL 1, MxRtyPassiveActivation 2, as libnfc sets them: an empty field is an
answer (NbTg 0), so silence can only mean a dead reader."""
ONE_TYPE_A = b"\x01\x00"
"""MaxTg 1 at 106 kbit/s type A; with 2 practitioners report missing chips (hardware/FACTS.md)."""
ALL_TARGETS = b"\x00"

SETTLE_S = 0.005
"""ISO 14443-3: a chip is ready 5 ms after the field is on, and reset after 5 ms without it."""
MOST_CHIPS = 12
"""Deeper stacks cannot be told apart by a PN532 (hardware/FACTS.md "Several chips in one field")."""
PATIENCE_S = 0.2
GRACE_S = 0.6
"""So long a reader that fell out may take to come back before it is reported as out of order: the
opener tries it again at once and after 0.25 s, and a busy host is no dead reader."""
SHORT_PATIENCE_S = 0.05
"""For a reader whose last reading failed: it shall not hold its slot up twice."""

_UID_SIZES = {0: 4, 1: 7, 2: 10}
"""By bits 8 and 7 of SENS_RES (ISO/IEC 14443-3, 6.5.2)."""
_HAS_ATS = 0x20
"""SEL_RES of a chip that goes on with ISO/IEC 14443-4; the PN532 appends its ATS then."""

LIBRARY_ERRORS = (RuntimeError, TypeError, IndexError, ValueError, AssertionError, OSError)
"""What adafruit_pn532 raises on answers it did not expect (hardware/FACTS.md); its BusyError,
a plain Exception, cannot arise: `FramePort` waits for a frame before one is read."""

State: TypeAlias = Literal["new", "open", "sick"]


class Unreadable(Exception):
    """The reader answered, but what it said is no complete inventory."""


class CircleReader:
    """Reads one circle. One thread at a time uses it: the seat's while open, else the opener's."""

    def __init__(
        self,
        circle: CircleId,
        path: str,
        *,
        settle_s: float = SETTLE_S,
        most_chips: int = MOST_CHIPS,
        patience_s: float = PATIENCE_S,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        open_port: Callable[[str], FramePort] = FramePort.open,
    ) -> None:
        self.circle = circle
        self.path = path
        self.state: State = "new"
        self.why = "not opened yet"
        self._settle_s = settle_s
        self._most_chips = most_chips
        self._patience_s = patience_s
        self._failed = False
        self._stopping = False
        self.read_well = False
        """Since it was opened it gave at least one complete inventory."""
        self._sick_answer: ReaderAnswer = "silent"
        self._sick_since: float | None = None
        self._clock = clock
        self._sleep = sleep
        self._open_port = open_port
        self._port: FramePort | None = None
        self._chip: PN532_UART | None = None
        self._off_since = float("-inf")
        self._remarks: dict[str, int | str] = {"path": path, "low_latency": "no"}
        self._counts = {"opened": 0, "chips": 0, "silent": 0, "unstable": 0, "noise": 0, "stale": 0}

    # ------------------------------------------------------------------ opening

    def open(self, patience_s: float) -> bool:
        """Open the line and set the chip up; False (and `why`) when it is not there."""
        from adafruit_pn532.uart import PN532_UART

        self.close()
        self.read_well = False
        try:
            self._port = port = self._open_port(self.path)
            if self._stopping:
                port.hurry(SHORT_PATIENCE_S)
            self._remarks["low_latency"] = "yes" if port.low_latency() else "no"
            port.expect(patience_s)
            self._chip = PN532_UART(port)
            self._call(RF_CONFIGURATION, FINITE_RETRIES, patience_s)
            self._call(RF_CONFIGURATION, FIELD_OFF, patience_s)
        except (LineError, *LIBRARY_ERRORS) as error:
            self._give_up(error)
            return False
        self._off_since = self._clock()
        self._sick_since = None
        self._counts["opened"] += 1
        self.why = ""
        self.state = "open"  # last: from here on the seat's thread may use it
        return True

    def close(self) -> None:
        port, self._port, self._chip = self._port, None, None
        if port is not None:
            self._counts["noise"] += port.noise
            self._counts["stale"] += port.stale
            port.close()

    def hurry(self) -> None:
        """The table stops: a reading under way ends soon, with its field off; any thread may call it."""
        self._stopping = True
        port = self._port
        if port is not None:
            port.hurry(SHORT_PATIENCE_S)

    def statistics(self) -> dict[str, int | str]:
        port = self._port
        counts = dict(self._counts)
        if port is not None:
            counts["noise"] += port.noise
            counts["stale"] += port.stale
        return {"state": self.state, "why": self.why, **counts, **self._remarks}

    # ------------------------------------------------------------------ reading

    def read(self) -> Inventory:
        """Everything that lies in the circle now, or why that cannot be said."""
        if self.state != "open":
            return self.excuse()
        self._wait_reset()
        began = self._clock()
        try:
            uids = self._inventory()
            self._field_off()
        except (LineError, Unreadable, *LIBRARY_ERRORS) as error:
            return self._trouble(began, error)
        self._failed = False
        self.read_well = True
        self.why = ""
        return self._report("chips", began, uids, "")

    def out_of_order(self) -> bool:
        """Whether the reader has been gone for longer than one that only fell out takes to come back."""
        since = self._sick_since
        return self.state == "sick" and since is not None and self._clock() - since >= GRACE_S

    def excuse(self) -> Inventory:
        """What is to be said of a circle whose reader is out of order; costs no time."""
        return self._report(self._sick_answer, self._clock(), (), self.why)

    def _report(self, answer: ReaderAnswer, began: float, uids: tuple[str, ...], why: str) -> Inventory:
        self._counts[answer] += 1
        return Inventory(self.circle, began, self._clock(), answer, uids, why)

    def _inventory(self) -> tuple[str, ...]:
        self._command(RF_CONFIGURATION, FIELD_ON)
        self._pause(self._settle_s)
        seen: set[str] = set()
        while True:
            uid = _uid(self._command(IN_LIST_PASSIVE_TARGET, ONE_TYPE_A))
            if uid is None:
                return tuple(sorted(seen))
            if self._stopping:
                raise Unreadable("the table stops")
            if uid in seen:
                raise Unreadable(f"chip {uid} answered again after its halt; others may be hidden behind it")
            if len(seen) == self._most_chips:
                raise Unreadable(f"more than {self._most_chips} chips, which this reader cannot tell apart")
            seen.add(uid)
            status = self._command(IN_DESELECT, ALL_TARGETS)
            if len(status) != 1 or status[0] & 0x3F:
                raise Unreadable(f"chip {uid} was not halted: reader says {status.hex() or 'nothing'}")

    def _trouble(self, began: float, error: Exception) -> Inventory:
        """A line that fails goes to the opener; a muddled answer leaves the reader in its slot."""
        self._failed = True
        if _is_silence(error) or not self._field_off_at_last():
            self._give_up(error)
        self.why = _words(error)
        return self._report("silent" if _is_silence(error) else "unstable", began, (), self.why)

    def _field_off_at_last(self) -> bool:
        """After a muddled answer its rest may still come and spoil the next command: try twice."""
        for _ in range(2):
            try:
                self._field_off()
            except (LineError, *LIBRARY_ERRORS) as error:
                if _is_silence(error):
                    return False
                self._pause(self._settle_s)
            else:
                return True
        return False

    def _give_up(self, error: Exception) -> None:
        self.why = _words(error)
        self._failed = True
        self._sick_answer = "silent" if _is_silence(error) else "unstable"
        if self._sick_since is None:
            self._sick_since = self._clock()
        self.close()
        self.state = "sick"  # last: from here on the opener may use it

    # ----------------------------------------------------------------- commands

    def _field_off(self) -> None:
        self._command(RF_CONFIGURATION, FIELD_OFF)
        self._off_since = self._clock()

    def _wait_reset(self) -> None:
        """Chips put to sleep by the last reading wake only after `SETTLE_S` without a field."""
        self._pause(self._off_since + self._settle_s - self._clock())

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            self._sleep(seconds)

    def _command(self, code: int, parameters: bytes) -> bytes:
        return self._call(code, parameters, SHORT_PATIENCE_S if self._failed else self._patience_s)

    def _call(self, code: int, parameters: bytes, patience_s: float) -> bytes:
        port, chip = self._port, self._chip
        if port is None or chip is None:
            raise LineError(f"{self.path}: is closed")
        port.expect(patience_s)
        # The library's own timeouts are longer than ours, so that the port always speaks first.
        answer = chip.call_function(code, response_length=64, params=parameters, timeout=patience_s + 1)
        if answer is None:
            raise LineError(f"{self.path}: no answer to command {code:#04x}")
        return bytes(answer)


def _uid(answer: bytes) -> str | None:
    """The UID in an answer to InListPassiveTarget for one type A chip (UM0701-02, 7.3.5)."""
    if answer == b"\x00":
        return None
    if len(answer) < 6 or answer[0] != 1:
        raise Unreadable(f"not understood: reader says {answer.hex() or 'nothing'}")
    sens_res, sel_res, length = answer[3], answer[4], answer[5]
    uid, rest = answer[6 : 6 + length], answer[6 + length :]
    # Sizes must agree wherever the chip states them twice: the frame's sum check is a weak one.
    if length != _UID_SIZES.get(sens_res >> 6) or len(uid) != length:
        raise Unreadable(f"the UID's sizes do not agree: reader says {answer.hex()}")
    if len(rest) != (rest[0] if rest and sel_res & _HAS_ATS else 0):
        raise Unreadable(f"bytes left over: reader says {answer.hex()}")
    return uid.hex().upper()


def _is_silence(error: Exception) -> bool:
    return isinstance(error, LineError) and not isinstance(error, Garbled)


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, LineError | Unreadable) else f"{type(error).__name__}: {error}"
