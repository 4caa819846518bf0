"""Reader (PN532) of one circle: set-up, inventory, and reset after a failure.

It reads as drivers/chips/pn532.py on the Pi does: list, halt, list again until no chip answers. In any case
the field is off when a call returns: by command, or by the reset line if the chip does not obey. It must
never report a circle as empty unless the chip itself did.
"""

try:
    from collections.abc import Callable
except ImportError:  # CircuitPython has no such module and ignores annotations
    pass

from binascii import hexlify

from .spi import SeatPn532, Silent

GET_FIRMWARE_VERSION = 0x02
RF_CONFIGURATION = 0x32
IN_LIST_PASSIVE_TARGET = 0x4A
IN_DESELECT = 0x44

FIELD_ON = b"\x01\x01"
FIELD_OFF = b"\x01\x00"
FINITE_RETRIES = b"\x05\x00\x01\x02"
ONE_TYPE_A = b"\x01\x00"
ALL_TARGETS = b"\x00"

MAX_CHIPS = 12
BUDGET_US = 600_000
"""Time limit of one reading in microseconds: a good reader needs a third of it for twelve chips."""
RESET_S = 0.001
"""Minimum time that RSTPDN is low, in seconds."""
_MAX_LISTED = 48
"""Maximum bytes of an answer to a listing: a UID of ten and a usual ATS; a longer one is rejected."""

_UID_SIZES = (4, 7, 10)
_HAS_ATS = 0x20

LIBRARY_ERRORS = (RuntimeError, TypeError, IndexError, ValueError, AssertionError, OSError)
"""Exceptions of adafruit_pn532 on unexpected answers (hardware/FACTS.md)."""


class Unstable(Exception):
    """The reader answered, but not with a complete inventory."""


class Slow(Exception):
    """The reader answers, but too slowly, which would delay all others."""


class Reader:
    """`connect()` opens the chip; `reset(True)` keeps it in reset, its field off; `clock()` counts
    microseconds: a float of CircuitPython loses milliseconds after some hours."""

    def __init__(
        self,
        connect: "Callable[[], SeatPn532]",
        reset: "Callable[[bool], None]",
        clock: "Callable[[], int]",
        sleep: "Callable[[float], None]",
    ) -> None:
        self._connect = connect
        self._reset = reset
        self._clock = clock
        self._sleep = sleep
        self._settle_us = 0
        self._off_since = clock()
        self._chip: SeatPn532 | None = None
        self.hold()

    @property
    def ready(self) -> bool:
        return self._chip is not None

    def hold(self) -> None:
        """Keep the chip in reset, silent and its field off, until it is set up."""
        self._chip = None
        self._reset(True)
        self._off_since = self._clock()

    def setup(self, settle_us: int, busy: "Callable[[], None]") -> str:
        """Set the chip up and return its firmware in words; calls `busy` at intervals. On failure the chip
        is put in reset. Raises Silent or Unstable."""
        self.hold()
        self._sleep(RESET_S)
        self._reset(False)
        try:
            chip = self._connect()
            busy()
            version = chip.ask(GET_FIRMWARE_VERSION, b"", 4)
            busy()
            chip.ask(RF_CONFIGURATION, FINITE_RETRIES, 0)
            busy()
            chip.ask(RF_CONFIGURATION, FIELD_OFF, 0)
        except Silent:
            self.hold()
            raise
        except LIBRARY_ERRORS as error:
            self.hold()
            raise Unstable(str(error)) from None
        if len(version) != 4:
            self.hold()
            raise Unstable("the firmware's version has not four bytes")
        self._chip, self._settle_us, self._off_since = chip, settle_us, self._clock()
        return f"PN5{version[0]:02X} {version[1]}.{version[2]}"

    def inventory(self, busy: "Callable[[], None]") -> list[str]:
        """Return the UIDs, upper-case hex, sorted; calls `busy` at intervals. Raises Silent, Unstable or
        Slow."""
        chip = self._chip
        if chip is None:
            raise Silent
        self._wait(self._off_since + self._settle_us - self._clock())
        try:
            found = self._all(chip, busy)
            self._field_off(chip)
        except (Silent, Slow):
            self.hold()
            raise
        except LIBRARY_ERRORS as error:
            self._quiet(chip, busy)
            raise Unstable(str(error)) from None
        except Unstable:
            self._quiet(chip, busy)
            raise
        return found

    def _all(self, chip: SeatPn532, busy: "Callable[[], None]") -> list[str]:
        until = self._clock() + BUDGET_US
        chip.ask(RF_CONFIGURATION, FIELD_ON, 0)
        self._wait(self._settle_us)
        busy()
        seen: list[str] = []
        while True:
            uid = uid_of(chip.ask(IN_LIST_PASSIVE_TARGET, ONE_TYPE_A, _MAX_LISTED))
            busy()
            if uid is None:
                return sorted(seen)
            if uid in seen:
                raise Unstable(f"chip {uid} answered again after its halt; others may be hidden behind it")
            if len(seen) == MAX_CHIPS:
                raise Unstable(f"more than {MAX_CHIPS} chips which this reader cannot tell apart")
            if self._clock() >= until:
                raise Slow(f"{len(seen) + 1} chips and more took over {BUDGET_US // 1000} ms")
            seen.append(uid)
            status = chip.ask(IN_DESELECT, ALL_TARGETS, 1)
            if len(status) != 1 or status[0] & 0x3F:
                raise Unstable(f"chip {uid} was not halted")
            busy()

    def _field_off(self, chip: SeatPn532) -> None:
        chip.ask(RF_CONFIGURATION, FIELD_OFF, 0)
        self._off_since = self._clock()

    def _quiet(self, chip: SeatPn532, busy: "Callable[[], None]") -> None:
        """Switch the field off. The rest of a garbled answer may spoil the command: it is tried twice, then
        the reset line is used."""
        for _ in range(2):
            busy()
            try:
                self._field_off(chip)
            except Silent:
                break
            except LIBRARY_ERRORS:
                continue
            return
        self.hold()

    def _wait(self, microseconds: int) -> None:
        if microseconds > 0:
            self._sleep(microseconds / 1_000_000)


def uid_of(answer: bytes) -> str | None:
    """Return the UID in an answer to InListPassiveTarget for one type A chip (UM0701-02, 7.3.5), or None
    without a chip."""
    if answer == b"\x00":
        return None
    if len(answer) < 6 or answer[0] != 1:
        raise Unstable("a listing was not understood")
    size, length = answer[3] >> 6, answer[5]
    uid, rest = answer[6 : 6 + length], answer[6 + length :]
    # The two statements of a size must agree, because the frame's check sum is weak.
    if size > 2 or length != _UID_SIZES[size] or len(uid) != length:
        raise Unstable("the sizes of a UID do not agree")
    if len(rest) != (rest[0] if rest and answer[4] & _HAS_ATS else 0):
        raise Unstable("bytes left over in a listing")
    return hexlify(uid).decode().upper()
