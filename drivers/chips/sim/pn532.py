"""A PN532 as its host sees it: frames in, frames out, without a wire or a clock.

The commands are those of UM0701-02 (section 7) that a reader of type A chips can receive. A simulator must
never be laxer than the device: before SAMConfiguration, asleep, or after an unknown command it refuses as
the chip does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from drivers.chips.frames import ERROR, TO_CHIP, TO_HOST, frame
from drivers.chips.sim.field import Antenna
from drivers.chips.sim.ntag424 import ATS

FIRMWARE = b"\x32\x01\x06\x07"
OK = b"\x00"
NOT_IN_THIS_STATE = b"\x27"
"""Error code "command not acceptable in the current context" (UM0701-02, 7.1)."""

FIFO_DATA = 0x6339
NO_CHIP_ANSWERED = 0x26

WAKE_UP_BY_HSU = 0x10
"""Bit of PowerDown's WakeUpEnable (UM0701-02, 7.2.11)."""

RF_TIMEOUT, CRC_ERROR = b"\x01", b"\x02"
"""Error codes of an exchange with a chip (UM0701-02, 7.1)."""
FWT_S = 0.0387
"""Frame waiting time of a chip with FWI 7 (ISO/IEC 14443-4, 7.2)."""
AIR_BYTE_S = 9 / 105_938
"""Seconds per byte with its parity bit at 106 kbit/s."""
_BLOCK_BYTES = 3
"""Prologue and checksum of a block (ISO/IEC 14443-4, 7.1)."""
_CASCADE = 0x88
_HAS_ATS = 0x20

_USUAL_TRIES = 3
_CONFIGURATION_LENGTHS = {0x01: 1, 0x02: 3, 0x04: 1, 0x05: 3, 0x0A: 11, 0x0B: 8, 0x0C: 3, 0x0D: 9}


@dataclass(frozen=True, slots=True)
class RfTimes:
    """Times of the radio: one activation, one halt, one search of an empty field, settling."""

    activation_s: float = 0.0
    halt_s: float = 0.0
    miss_s: float = 0.0
    settle_s: float = 0.0


DEVICE_TIMES = RfTimes(0.004, 0.001, 0.005, 0.005)
INSTANT_TIMES = RfTimes()


@dataclass(frozen=True, slots=True)
class SimAnswer:
    """A response frame, due after ``after_s`` seconds of radio time. None: the command still waits for a
    chip; call `poll_again`."""

    frame: bytes | None
    after_s: float = 0.0


def uid_block(uid: bytes) -> bytes:
    """Return ATQA, SAK, length and UID as in InListPassiveTarget: an NTAG for 7 bytes, a Classic for 4."""
    sens_sel = {4: b"\x00\x04\x08", 7: b"\x00\x44\x00", 10: b"\x00\x84\x00"}[len(uid)]
    return sens_sel + bytes((len(uid),)) + uid


class Pn532:
    """The chip's firmware on one antenna."""

    def __init__(self, antenna: Antenna, times: RfTimes) -> None:
        self.antenna = antenna
        self._times = times
        self._commands: dict[int, Callable[[bytes, float], SimAnswer]] = {
            0x02: lambda data, now: self._answer(0x02, FIRMWARE),
            0x04: lambda data, now: self._answer(0x04, self._status()),
            0x06: self._read_register,
            0x12: lambda data, now: self._answer(0x12),
            0x14: self._sam_configuration,
            0x16: self._power_down,
            0x32: self._rf_configuration,
            0x40: self._exchange,
            0x44: self._deselect,
            0x4A: self._list,
            0x52: self._release,
        }
        self.reset()

    def reset(self) -> None:
        """Power on: "low battery" mode until SAMConfiguration (AN10609, PN532 C106)."""
        self.antenna.on = False
        self.asleep = False
        self._wakes_by_hsu = True
        self._normal = False
        self._tries: int | None = None
        self._targets = 0
        self._missed = False
        self._listening = False

    def wake(self) -> None:
        """Wake the chip by 0x55 on the line, if PowerDown allowed that."""
        if self._wakes_by_hsu:
            self.asleep = False

    def abort(self) -> None:
        """End the present command, as the host's ACK or its next command does."""
        self._listening = False

    def execute(self, inner: bytes, now: float) -> SimAnswer:
        """Execute one command frame (TFI and data)."""
        self.abort()
        command = inner[1] if len(inner) > 1 else -1
        handler = self._commands.get(command)
        if inner[:1] != bytes((TO_CHIP,)) or handler is None:
            return SimAnswer(ERROR)
        if not self._normal and command not in (0x02, 0x14):
            return SimAnswer(ERROR)
        return handler(inner[2:], now)

    def poll_again(self, now: float) -> SimAnswer | None:
        """Return the answer of a command that waits for a chip, or None if there is no such command or no
        chip."""
        if not self._listening:
            return None
        uid = self.antenna.activate(_USUAL_TRIES, now)
        if uid is None:
            return None
        self._listening = False
        return self._found([uid])

    # ---------------------------------------------------------------- commands

    def _answer(self, command: int, data: bytes = b"", after_s: float = 0.0) -> SimAnswer:
        return SimAnswer(frame(TO_HOST, bytes((command + 1,)) + data), after_s)

    def _status(self) -> bytes:
        return bytes((0, self.antenna.on, self._targets, 0x80))

    def _sam_configuration(self, data: bytes, now: float) -> SimAnswer:
        if not data or data[0] not in (1, 2, 3, 4):
            return SimAnswer(ERROR)
        self._normal = True
        return self._answer(0x14)

    def _power_down(self, data: bytes, now: float) -> SimAnswer:
        if not data or not data[0]:
            return self._answer(0x16, NOT_IN_THIS_STATE)  # no event could wake it
        self.asleep = True
        self._wakes_by_hsu = bool(data[0] & WAKE_UP_BY_HSU)
        self.antenna.switch(False, now)
        self._targets = 0
        return self._answer(0x16, OK)

    def _rf_configuration(self, data: bytes, now: float) -> SimAnswer:
        if not data or len(data) - 1 != _CONFIGURATION_LENGTHS.get(data[0]):
            return SimAnswer(ERROR)
        if data[0] == 0x01:
            self.antenna.switch(bool(data[1] & 1), now)
            self._targets = self._targets if self.antenna.on else 0
        elif data[0] == 0x05:
            self._tries = None if data[3] == 0xFF else data[3] + 1
        return self._answer(0x32)

    def _list(self, data: bytes, now: float) -> SimAnswer:
        """InListPassiveTarget (7.3.5). It switches the field on by itself and then waits for the chips."""
        if len(data) < 2 or data[0] not in (1, 2) or data[1] != 0 or len(data) not in (2, 6, 10, 14):
            return SimAnswer(ERROR)
        wanted = _without_cascades(data[2:]) or None
        waited = 0.0
        if not self.antenna.on:
            self.antenna.switch(True, now)
            waited = self._times.settle_s
        found = self._activate_up_to(data[0], now + waited, wanted)
        if found:
            return self._found(found, waited)
        self._targets = 0
        self._missed = True
        if self._tries is None:
            self._listening = True
            return SimAnswer(None)
        miss_s = self._times.miss_s * self._tries / _USUAL_TRIES
        return self._answer(0x4A, b"\x00", waited + miss_s)

    def _activate_up_to(self, most: int, now: float, wanted: bytes | None) -> list[bytes]:
        found: list[bytes] = []
        while len(found) < most:
            if found:
                self.antenna.halt()  # the first chip is halted while the second is searched
            uid = self.antenna.activate(self._tries or _USUAL_TRIES, now, wanted)
            if uid is None or uid in found:
                break
            found.append(uid)
        return found

    def _found(self, uids: list[bytes], waited: float = 0.0) -> SimAnswer:
        self._targets = len(uids)
        self._missed = False
        data = bytes((len(uids),))
        # by default the PN532 sends RATS to a chip that has ISO/IEC 14443-4 (UM0701-02, 7.2.9)
        has_card = self.antenna.has_card()
        for number, uid in enumerate(uids, start=1):
            block = uid_block(uid)
            if has_card and number == len(uids):
                block = block[:2] + bytes((block[2] | _HAS_ATS,)) + block[3:] + ATS
            data += bytes((number,)) + block
        rats_s = self._times.activation_s if has_card else 0.0
        return self._answer(0x4A, data, waited + self._times.activation_s * len(uids) + rats_s)

    def _exchange(self, data: bytes, now: float) -> SimAnswer:
        """InDataExchange (7.3.8) with the chip of the last activation. It waits for its frame waiting
        time.
        """
        if len(data) < 2:
            return SimAnswer(ERROR)
        if data[0] != self._targets or not self.antenna.on:
            return self._answer(0x40, NOT_IN_THIS_STATE)
        scale = self._times.activation_s / DEVICE_TIMES.activation_s
        answer = self.antenna.exchange(data[1:])
        if answer.apdu is None or answer.after_s > FWT_S:
            return self._answer(0x40, RF_TIMEOUT, FWT_S * scale)
        on_air = len(data) - 1 + len(answer.apdu) + 2 * _BLOCK_BYTES
        took = (on_air * AIR_BYTE_S + answer.after_s) * scale
        return self._answer(0x40, CRC_ERROR if answer.broken else OK + answer.apdu, took)

    def _deselect(self, data: bytes, now: float) -> SimAnswer:
        """InDeselect (7.3.10): the halt is sent, but whether the chip obeyed is unknown."""
        if len(data) != 1 or data[0] > 2:
            return SimAnswer(ERROR)
        if not self._targets or data[0] > self._targets:
            return self._answer(0x44, NOT_IN_THIS_STATE)
        self.antenna.halt()
        return self._answer(0x44, OK, self._times.halt_s)

    def _release(self, data: bytes, now: float) -> SimAnswer:
        if len(data) != 1 or data[0] > 2:
            return SimAnswer(ERROR)
        if self._targets:
            self.antenna.halt()
        self._targets = 0
        return self._answer(0x52, OK, self._times.halt_s)

    def _read_register(self, data: bytes, now: float) -> SimAnswer:
        if not data or len(data) % 2:
            return SimAnswer(ERROR)
        addresses = [data[i] << 8 | data[i + 1] for i in range(0, len(data), 2)]
        after_miss = NO_CHIP_ANSWERED if self._missed else 0
        return self._answer(0x06, bytes(after_miss if a == FIFO_DATA else 0 for a in addresses))


def _without_cascades(data: bytes) -> bytes:
    """Return the UID in the initiator data of InListPassiveTarget, which has the cascade tags."""
    if len(data) == 8 and data[0] == _CASCADE:
        return data[1:]
    if len(data) == 12 and data[0] == data[4] == _CASCADE:
        return data[1:4] + data[5:]
    return data
