"""One PN532 on its serial line, the reader of one circle: opens it, sets it up, and finds every chip there.

The reader finds one chip, halts it, and looks for the next until none answers (hardware/FACTS.md; libnfc's
`nfc_initiator_list_passive_targets`). `MAX_CHIPS` states how many chips one reader can find in a circle, if
the time `BUDGET_S` suffices. After the RF field is switched on, chips get `SETTLE_S` before they are
selected. The reader must never leave its field on afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from drivers.chips.port import FramePort
from drivers.chips.reader import (
    BUDGET_S,
    SHORT_TIMEOUT_S,
    Garbled,
    LineError,
    LineHealth,
    MonotonicClock,
    TooSlow,
    Unreadable,
)
from drivers.chips.secure_module import ModuleLost, NotGenuine, SecureModule

if TYPE_CHECKING:
    from adafruit_pn532.uart import PN532_UART

GET_FIRMWARE_VERSION = 0x02
RF_CONFIGURATION = 0x32
IN_LIST_PASSIVE_TARGET = 0x4A
IN_DATA_EXCHANGE = 0x40
IN_DESELECT = 0x44

FIELD_ON = b"\x01\x01"
FIELD_OFF = b"\x01\x00"
FINITE_RETRIES = b"\x05\x00\x01\x02"
"""MxRtyATR 0, MxRtyPSL 1, MxRtyPassiveActivation 2, as libnfc sets them. An empty field then gets an answer
(NbTg 0), so only a dead reader is silent."""
ONE_TYPE_A = b"\x01\x00"
"""MaxTg 1 at 106 kbit/s type A. With 2, practitioners report missing chips (hardware/FACTS.md)."""
ALL_TARGETS = b"\x00"

SETTLE_S = 0.005
"""Settling time (ISO 14443-3): a chip is ready after 5 ms of field, and reset after 5 ms without."""
MAX_CHIPS = 12
"""Maximum number of chips that a PN532 can separate (hardware/FACTS.md "Several chips in one field")."""

_UID_SIZES = {0: 4, 1: 7, 2: 10}
"""UID length in bytes by bits 8 and 7 of SENS_RES (ISO/IEC 14443-3, 6.5.2)."""
_CASCADE = b"\x88"
"""Cascade tag before a longer UID (ISO/IEC 14443-3, 6.5.4); InListPassiveTarget requires it too."""
_FIRST_TARGET = b"\x01"
_ERROR_BITS = 0x3F
_MORE = 0x40
"""Bits of an exchange's status: error code, and more data to come (UM0701-02, 7.1)."""
_HAS_ATS = 0x20
"""Bit in SEL_RES of a chip with ISO/IEC 14443-4, after which the PN532 appends its ATS."""

LIBRARY_ERRORS = (RuntimeError, TypeError, IndexError, ValueError, AssertionError, OSError)
"""Errors that adafruit_pn532 raises on unexpected answers (hardware/FACTS.md).

Its BusyError, a plain Exception, cannot occur: `FramePort` waits for a frame before one is read.
"""


class Pn532:
    """`ReaderChip` on the library adafruit_pn532."""

    def __init__(
        self,
        path: str,
        settle_s: float = SETTLE_S,
        clock: MonotonicClock = time.monotonic,
        *,
        max_chips: int = MAX_CHIPS,
        sleep: Callable[[float], None] = time.sleep,
        open_port: Callable[[str], FramePort] = FramePort.open,
    ) -> None:
        self._path = path
        self._settle_s = settle_s
        self._max_chips = max_chips
        self._clock = clock
        self._sleep = sleep
        self._open_port = open_port
        self._port: FramePort | None = None
        self._library: PN532_UART | None = None
        self._stopping = False
        self._off_since = float("-inf")
        self._firmware = ""
        self._noise = self._stale = 0

    # ------------------------------------------------------------------ ReaderChip

    def open(self, timeout_s: float) -> None:
        from adafruit_pn532.uart import PN532_UART

        self._port = port = self._open_port(self._path)
        if self._stopping:
            port.cancel(SHORT_TIMEOUT_S)
        port.low_latency()
        port.expect(timeout_s)
        try:
            self._library = PN532_UART(port)
        except LIBRARY_ERRORS as error:
            raise Unreadable(_named(error)) from error
        self._firmware = _version(self._command(GET_FIRMWARE_VERSION, b"", timeout_s))
        self._command(RF_CONFIGURATION, FINITE_RETRIES, timeout_s)
        self._field_off(timeout_s)

    def rest(self) -> None:
        """Wait until `SETTLE_S` after the field was switched off; halted chips answer only then."""
        self._pause(self._off_since + self._settle_s - self._clock())

    def inventory(self, timeout_s: float) -> tuple[str, ...]:
        self._command(RF_CONFIGURATION, FIELD_ON, timeout_s)
        self._pause(self._settle_s)
        seen: set[str] = set()
        until = self._clock() + BUDGET_S
        while (uid := _uid(self._command(IN_LIST_PASSIVE_TARGET, ONE_TYPE_A, timeout_s))) is not None:
            self._verify_new(uid, seen)
            if self._clock() >= until:
                raise TooSlow(f"{len(seen) + 1} chips and more took over {BUDGET_S} s; is the line slow?")
            seen.add(uid)
            status = self._command(IN_DESELECT, ALL_TARGETS, timeout_s)
            if len(status) != 1 or status[0] & 0x3F:
                raise Unreadable(f"chip {uid} was not halted: reader says {status.hex() or 'nothing'}")
        self._field_off(timeout_s)
        return tuple(sorted(seen))

    def prove(self, uid: str, module: SecureModule, timeout_s: float) -> None:
        """Have the chip with this UID prove itself, as `ProvingChip`. The field is off afterwards, unless
        LineError or Unreadable is raised."""
        from drivers.chips import ntag424

        until = self._clock() + timeout_s

        def command(code: int, parameters: bytes) -> bytes:
            left = until - self._clock()
            if left <= 0:
                raise Unreadable(f"the proof of chip {uid} took over {timeout_s} s")
            return self._command(code, parameters, left)

        command(RF_CONFIGURATION, FIELD_ON)
        self._pause(self._settle_s)
        try:
            self._select(uid, command(IN_LIST_PASSIVE_TARGET, ONE_TYPE_A + _selection(uid)))
            ntag424.prove(uid, module, lambda apdu: _data(command(IN_DATA_EXCHANGE, _FIRST_TARGET + apdu)))
        except (NotGenuine, ModuleLost):
            self._field_off(SHORT_TIMEOUT_S)
            raise
        self._field_off(SHORT_TIMEOUT_S)

    def quiet(self, timeout_s: float) -> None:
        """Switch the field off. It tries twice, because the rest of a garbled answer may spoil the first
        command."""
        try:
            self._field_off(timeout_s)
        except (Garbled, Unreadable):
            self._pause(self._settle_s)
            self._field_off(timeout_s)

    def cancel(self) -> None:
        self._stopping = True
        port = self._port
        if port is not None:
            port.cancel(SHORT_TIMEOUT_S)

    def close(self) -> None:
        port, self._port, self._library = self._port, None, None
        if port is not None:
            self._noise += port.noise
            self._stale += port.stale
            port.close()

    def statistics(self) -> LineHealth:
        port = self._port
        noise, stale = (port.noise, port.stale) if port else (0, 0)
        return LineHealth(self._path, self._firmware, self._noise + noise, self._stale + stale)

    # ----------------------------------------------------------------- inside

    @staticmethod
    def _select(uid: str, listed: bytes) -> None:
        """Check that the wanted chip is active and has answered RATS."""
        found = _uid(listed)
        if found != uid:
            raise Unreadable(f"chip {uid} does not answer any more")
        if not listed[4] & _HAS_ATS:
            raise NotGenuine(f"chip {uid} has no ISO/IEC 14443-4")

    def _verify_new(self, uid: str, seen: set[str]) -> None:
        if self._stopping:
            raise Unreadable("the table stops")
        if uid in seen:
            raise Unreadable(f"chip {uid} answered again after its halt; others may be hidden behind it")
        if len(seen) == self._max_chips:
            raise Unreadable(f"more than {self._max_chips} chips, which this reader cannot tell apart")

    def _field_off(self, timeout_s: float) -> None:
        self._command(RF_CONFIGURATION, FIELD_OFF, timeout_s)
        self._off_since = self._clock()

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            self._sleep(seconds)

    def _command(self, code: int, parameters: bytes, timeout_s: float) -> bytes:
        port, library = self._port, self._library
        if port is None or library is None:
            raise LineError(f"{self._path}: is closed")
        port.expect(timeout_s)
        try:
            # The library's own timeout is longer, so that the port's timeout always comes first.
            answer = library.call_function(code, response_length=64, params=parameters, timeout=timeout_s + 1)
        except LIBRARY_ERRORS as error:
            raise Unreadable(_named(error)) from error
        if answer is None:
            raise LineError(f"{self._path}: no answer to command {code:#04x}")
        return bytes(answer)


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _uid(answer: bytes) -> str | None:
    """Return the UID in an answer to InListPassiveTarget for one type A chip (UM0701-02, 7.3.5); None for
    no chip."""
    if answer == b"\x00":
        return None
    if len(answer) < 6 or answer[0] != 1:
        raise Unreadable(f"not understood: reader says {answer.hex() or 'nothing'}")
    sens_res, sel_res, length = answer[3], answer[4], answer[5]
    uid, rest = answer[6 : 6 + length], answer[6 + length :]
    # Sizes that the chip states twice must agree, because the frame's checksum is weak.
    if length != _UID_SIZES.get(sens_res >> 6) or len(uid) != length:
        raise Unreadable(f"the UID's sizes do not agree: reader says {answer.hex()}")
    if len(rest) != (rest[0] if rest and sel_res & _HAS_ATS else 0):
        raise Unreadable(f"bytes left over: reader says {answer.hex()}")
    return uid.hex().upper()


def _selection(uid: str) -> bytes:
    """Return a UID with its cascade tags, as libnfc's `iso14443_cascade_uid` does."""
    number = bytes.fromhex(uid)
    if len(number) == 7:
        return _CASCADE + number
    return _CASCADE + number[:3] + _CASCADE + number[3:] if len(number) == 10 else number


def _data(answer: bytes) -> bytes:
    """Return the chip's data in an answer to InDataExchange (UM0701-02, 7.3.8)."""
    if not answer or answer[0] & (_ERROR_BITS | _MORE):
        raise Unreadable(f"the chip's answer did not arrive: reader says {answer[:1].hex() or 'nothing'}")
    return answer[1:]


def _version(answer: bytes) -> str:
    """Return IC, version and revision (UM0701-02, 7.2.2): "PN532 1.6"."""
    if len(answer) != 4:
        raise Unreadable(f"the firmware's version has {len(answer)} bytes: reader says {answer.hex()}")
    return f"PN5{answer[0]:02X} {answer[1]}.{answer[2]}"
