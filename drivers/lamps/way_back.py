"""What a chain of 74HC595 gives back on MISO, to which QH' of its last register is wired: the frame before.

While a frame is shifted in, the one before is shifted out, bit for bit: the Pi samples at the edge of SRCLK,
and QH' moves after it (SN74HC595 data sheet, SCLS041: SRCLK to QH'). Pure. It tells of the shift registers
alone: of latch, outputs, ribbons and LEDs nothing comes back, and nothing here may say that they are well.
"""

from __future__ import annotations

from collections.abc import Iterator

OUTPUTS = 8
OVERLAP = 16
"""So many bits at least must agree before a displacement is told from chance."""


class ChainFault(OSError):
    """What came back is not what was sent; the text says how, and where to look."""


def mark(registers: int) -> bytes:
    """A frame that differs from itself displaced: 127 bits of an m-sequence (x^7 + x^6 + 1), over again."""
    return int("".join(_bits(registers * OUTPUTS)), 2).to_bytes(registers, "big")


def _bits(count: int) -> Iterator[str]:
    state = 0x7F
    for _ in range(count):
        yield str(state & 1)
        state = state >> 1 | ((state ^ state >> 1) & 1) << 6


def difference(before: bytes, now: bytes, came: bytes) -> str:
    """What is wrong when ``came`` was read while ``now`` was sent after ``before``; empty when nothing is."""
    if came == before:
        return ""
    if not any(came):
        return "nothing but low: has the lamp board its cable and 5 V, is the chain whole, is QH' on MISO?"
    if came == b"\xff" * len(came):
        return "nothing but high: MISO is shorted to a supply, or the chain is broken"
    moved = _displaced(before, now, came)
    registers = len(before)
    if moved and moved % OUTPUTS == 0:
        return f"a chain of {registers - moved // OUTPUTS} registers, and the pin map has {registers}"
    if moved:
        return f"every bit is {abs(moved)} off: edges on SRCLK too many or too few, look at ground and cable"
    both = zip(_text(before), _text(came), strict=True)
    wrong = [at for at, (sent, read) in enumerate(both) if sent != read]
    place = registers * OUTPUTS - 1 - wrong[0]
    much = f"{len(wrong)} of {registers * OUTPUTS} bits differ, first {_name(place)}"
    return f"{much}: a bad contact or noise, look at the lamp board's cable and 5 V"


def _displaced(before: bytes, now: bytes, came: bytes) -> int:
    """By how many bits the chain is too short; below 0: too long; 0: it is not that."""
    old, read = _text(before), _text(came)
    stream, length = old + _text(now), len(old)
    most = length - OVERLAP + 1
    short = [by for by in range(1, most) if read == stream[by : by + length] and "1" in old[by:]]
    long = [-by for by in range(1, most) if read[by:] == old[: length - by] and "1" in read[by:]]
    found = short + long
    return found[0] if len(found) == 1 else 0


def _name(bit: int) -> str:
    """Bit 0 is QA of register 1, the one nearest the Pi."""
    return f"register {bit // OUTPUTS + 1} Q{'ABCDEFGH'[bit % OUTPUTS]}"


def _text(words: bytes) -> str:
    return "".join(f"{word:08b}" for word in words)
