"""ISO/IEC 15693 chips over one antenna: their states, their answers, and the time of each exchange.

Pure model for the simulator: times are arguments, nothing is opened. A chip must behave no better than a real
one: it is quiet until its field was off long enough, does not answer while it starts, and cannot be
distinguished from another chip with the same UID. Sources: ISO/IEC 15693-2, 8 and 15693-3, 6 to 10;
RfidResearchGroup/proxmark3, `client/src/cmdhf15.c`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random

from drivers.chips.sim.icode_dna import AUTHENTICATE, VicinityCard
from drivers.chips.sim.over_antenna import ChipsOverAntenna
from drivers.chips.sim.x25 import crc16_x25

_CARRIER_HZ = 13_560_000
T1_S, T2_S = 4352 / _CARRIER_HZ, 4192 / _CARRIER_HZ
"""Seconds that a chip waits before its answer, and that a reader waits after an answer (15693-3, 9.1 and
9.2).
"""
T3_S = (4384 + 2048) / _CARRIER_HZ
"""Seconds that a reader waits for an answer before the next slot, at a modulation of 100 % (15693-3, 9.3)."""
EOF_S = 512 / _CARRIER_HZ
"""Seconds of a reader's end of frame, which also begins the next slot."""
START_UP_S = 0.001
"""Time from the field until a chip answers (15693-3, 9)."""
MIN_OFF_S = 0.01
"""Time without a field, in seconds, after which every chip has lost its state. Assumed; the reader's RF reset
of 15 ms is longer.
"""

HIGH_RATE, INVENTORY, SELECT, ADDRESS = 0x02, 0x04, 0x10, 0x20
"""Bits of a request's flags (15693-3, 7.3.1). SELECT and ADDRESS apply only without INVENTORY."""
_ONE_SLOT = bytes((HIGH_RATE | INVENTORY | 0x20, 0x01, 0))
"""Request of an inventory in one slot, without a mask: every chip that is ready answers (15693-3, 10.3.1)."""
STAY_QUIET, READ_BLOCKS, SELECT_CHIP, RESET_TO_READY, SYSTEM_INFORMATION = 0x02, 0x23, 0x25, 0x26, 0x2B
_BLOCKS, _BLOCK_BYTES = 80, 4
"""Memory of an ICODE SLIX2 (NXP SL2S2602)."""
_EDGE = 0.5
"""Probability that a chip at the edge of the field answers."""


def request_s(count: int) -> float:
    """Return the seconds that a request of `count` bytes takes, CRC included: 1 out of 4, 26.48 kbit/s."""
    return (4096 * count + 1536) / _CARRIER_HZ


def answer_s(count: int) -> float:
    """Return the seconds that an answer of `count` bytes takes, CRC included: one subcarrier, 26.48
    kbit/s.
    """
    return 512 * (8 * count + 8) / _CARRIER_HZ


class VicinityState(Enum):
    """States of a VICC (15693-3, 8.3). The field models the state Power-off."""

    READY = "ready"
    QUIET = "quiet"
    SELECTED = "selected"


@dataclass(slots=True, eq=False)
class VicinityChip:
    """One chip. `uid`: eight bytes, most significant first. `card`: its part that proves itself, if it has
    one. `late_s`: time of its last answer beyond the usual wait.
    """

    uid: bytes
    ready_at: float = 0.0
    state: VicinityState = VicinityState.READY
    card: VicinityCard | None = None
    late_s: float = 0.0

    def matches(self, mask: int, bits: int, now: float) -> bool:
        """Return whether the chip answers an inventory with this mask, whose lowest bits come first."""
        number = int.from_bytes(self.uid, "big")
        return self.state is VicinityState.READY and now >= self.ready_at and number & (1 << bits) - 1 == mask

    def answer(self, request: bytes, now: float) -> bytes | None:
        """Return the answer to a request, flags first and without CRC, or None. Only the reader itself makes
        inventories of sixteen slots.
        """
        self.late_s = 0.0
        if now < self.ready_at or len(request) < 2:
            return None
        if request[0] & INVENTORY:
            answered = request == _ONE_SLOT and self.state is VicinityState.READY
            return b"\x00\x00" + self.uid[::-1] if answered else None
        flags, command = request[0], request[1]
        own = request[2:10] == self.uid[::-1]
        if command == SELECT_CHIP and flags & ADDRESS and not own and self.state is VicinityState.SELECTED:
            self.state = VicinityState.READY
        if flags & ADDRESS and not own:
            return None
        if flags & SELECT and self.state is not VicinityState.SELECTED:
            return None
        if not flags & (ADDRESS | SELECT) and self.state is not VicinityState.READY:
            return None
        return self._execute(command, request[10:] if flags & ADDRESS else request[2:], bool(flags & ADDRESS))

    def _execute(self, command: int, data: bytes, addressed: bool) -> bytes | None:
        if command == STAY_QUIET:
            self.state = VicinityState.QUIET if addressed else self.state
            return None
        if command == SELECT_CHIP and addressed:
            self.state = VicinityState.SELECTED
            return b"\x00"
        if command == RESET_TO_READY:
            self.state = VicinityState.READY
            return b"\x00"
        if command == SYSTEM_INFORMATION:
            memory = bytes((_BLOCKS - 1, _BLOCK_BYTES - 1))
            return b"\x00\x0f" + self.uid[::-1] + b"\x00\x00" + memory + b"\x01"
        if command == READ_BLOCKS and len(data) == 2:
            first, count = data[0], data[1] + 1
            return bytes(1 + count * _BLOCK_BYTES) if first + count <= _BLOCKS else b"\x01\x10"
        if command == AUTHENTICATE and self.card is not None:
            answer = self.card.authenticate(data)
            self.late_s = answer.after_s
            return answer.data
        # 15693-3, 10.2: a chip does not answer a custom command of another maker
        return None if command >= 0xA0 else b"\x01\x01"


@dataclass(frozen=True, slots=True)
class Exchange:
    """Answers of the chips to one request, as sent over the air, and the duration of the exchange in
    seconds. `late_s`: part of it for which the last chip let the reader wait beyond its usual wait."""

    answers: tuple[bytes, ...]
    took_s: float
    late_s: float = 0.0


class VicinityField(ChipsOverAntenna[VicinityChip]):
    """A field that is on or off, and the chips in it. `settle_s`: scale of a chip's times, 1 or 0."""

    def __init__(self, dice: Random, scale: float = 1.0) -> None:
        super().__init__()
        self._dice = dice
        self._scale = scale
        self._off_at = float("-inf")
        self.on = False
        self.card_of: Callable[[bytes], VicinityCard | None] = lambda uid: None
        """Returns the part by which a newly laid chip proves itself, by the chip's UID, or None for a chip
        without one."""
        self.trouble = ""
        """Fault of the air interface, one of `feig_faults.AIR_VERBS`, or ""."""

    def lay(self, uid: bytes, now: float) -> None:
        ready_at = now + START_UP_S * self._scale
        self._chips.append(VicinityChip(uid, ready_at, card=self.card_of(uid)))

    def switch(self, on: bool, now: float) -> None:
        """Switch the field. Chips lose their state only if it was off for long enough."""
        if on == self.on:
            return
        self.on = on
        if not on:
            self._off_at = now
        elif now - self._off_at >= MIN_OFF_S * self._scale:
            for chip in self._chips:
                chip.state = VicinityState.READY
                chip.ready_at = now + START_UP_S * self._scale

    def slots(self, mask: int, bits: int, now: float) -> list[list[bytes]]:
        """Return the UIDs that answer in each of the sixteen slots of an inventory with this mask."""
        slots: list[list[bytes]] = [[] for _ in range(16)]
        for chip in self._listening():
            if chip.matches(mask, bits, now):
                slots[int.from_bytes(chip.uid, "big") >> bits & 15].append(chip.uid)
        return slots

    def ask(self, request: bytes, now: float) -> Exchange:
        """Send a request without CRC to every chip. A chip's answer has its CRC, lowest byte first."""
        answered = [
            (answer + crc16_x25(answer, final=0xFFFF), chip.late_s)
            for chip in self._listening()
            if (answer := chip.answer(request, now)) is not None
        ]
        took_s = request_s(len(request) + 2)
        if not answered:
            return Exchange((), took_s + T3_S)
        complete, waits = zip(*answered, strict=True)
        late_s = max(waits)
        return Exchange(complete, took_s + T1_S + late_s + answer_s(max(map(len, complete))) + T2_S, late_s)

    def _listening(self) -> Iterator[VicinityChip]:
        """Yield the chips that the field reaches now."""
        for chip in self._chips if self.on and self.trouble != "mute" else ():
            if self.trouble != "edge" or self._dice.random() < _EDGE:
                yield chip


def decoded(slot: Sequence[bytes]) -> bytes | None:
    """Return the UID that a reader decodes in a slot, or None if different answers collide there.

    Two chips with the same UID answer bit for bit alike and are decoded as one.
    """
    return slot[0] if len(set(slot)) == 1 else None
