"""Compares the frame that MISO returns with the previous frame shifted into the lamp chain.

While a frame is shifted in, the previous one is shifted out through QH' of the last register, bit for bit:
the Pi samples at the edge of SRCLK, and QH' changes after it (SN74HC595 data sheet, SCLS041: SRCLK to QH').
An equal frame proves a chain only if no other source could have produced it. A missing board returns zeros
and a dark picture is zeros, so every frame carries `identity_bits`. Pure. Must never claim more than the
shift registers: latch, outputs, ribbons and LEDs return nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

OUTPUTS = 8
OVERLAP = 16
"""Minimum number of equal bits that distinguishes a displacement from chance."""


class ChainFault(OSError):
    """Raised if the chain returns other bits than were sent. The text names them and the place to check."""


MAX_IDENTITY_BITS = 8
"""Spare outputs that carry the number of a frame; four repeat it after 15 frames, eight after 255."""


def identity_bits(spare_bits: Sequence[int], frame: int) -> int:
    """Return the bits that identify this frame, on outputs that drive no lamp; 0 if there are none.

    With one such output or more they are never 0; with two or more they differ in two consecutive frames.
    """
    carriers = spare_bits[-MAX_IDENTITY_BITS:]
    if not carriers:
        return 0
    number = 1 + frame % (2 ** len(carriers) - 1)
    return sum(1 << bit for place, bit in enumerate(carriers) if number >> place & 1)


def has_both_levels(frame: bytes) -> bool:
    """Return whether a line stuck at one level could not have returned this frame."""
    return any(frame) and any(byte != 0xFF for byte in frame)


def mark(registers: int) -> bytes:
    """Return a frame that differs from itself displaced: an m-sequence of 127 bits (x^7 + x^6 + 1),
    repeated."""
    return int("".join(_bits(registers * OUTPUTS)), 2).to_bytes(registers, "big")


def _bits(count: int) -> Iterator[str]:
    state = 0x7F
    for _ in range(count):
        yield str(state & 1)
        state = state >> 1 | ((state ^ state >> 1) & 1) << 6


def difference(before: bytes, now: bytes, came: bytes) -> str:
    """Return the fault if ``came`` was read while ``now`` was sent after ``before``; "" if there is none."""
    if came == before:
        return ""
    if came == now and any(now):
        return "the frame that is being sent: MISO is shorted to MOSI"
    if not any(came):
        return "nothing but low: has the lamp board its cable and 5 V, is the chain whole, is QH' on MISO?"
    if came == b"\xff" * len(came):
        return "nothing but high: MISO is shorted to a supply, or the chain is broken"
    registers = len(before)
    # A regular picture with one wrong bit looks displaced; the mark does not.
    moved = _displacement(before, now, came) if before == mark(registers) else 0
    if moved and moved % OUTPUTS == 0:
        return f"a chain of {registers - moved // OUTPUTS} registers, and the pin map has {registers}"
    if moved:
        return f"every bit is {abs(moved)} off: edges on SRCLK too many or too few, look at ground and cable"
    both = zip(_text(before), _text(came), strict=True)
    wrong = [at for at, (sent, read) in enumerate(both) if sent != read]
    place = registers * OUTPUTS - 1 - wrong[0]
    much = f"{len(wrong)} of {registers * OUTPUTS} bits differ, first {_name(place)}"
    return f"{much}: a bad contact or noise, look at the lamp board's cable and 5 V"


def _displacement(before: bytes, now: bytes, came: bytes) -> int:
    """Return by how many bits the chain is too short (negative: too long), or 0 if its length is not the
    fault."""
    old, read = _text(before), _text(came)
    stream, length = old + _text(now), len(old)
    most = length - OVERLAP + 1
    short = [by for by in range(1, most) if read == stream[by : by + length] and "1" in old[by:]]
    long = [-by for by in range(1, most) if read[by:] == old[: length - by] and "1" in read[by:]]
    found = short + long
    return found[0] if len(found) == 1 else 0


def _name(bit: int) -> str:
    """Return the name of an output; bit 0 is QA of register 1, the nearest to the Pi."""
    return f"register {bit // OUTPUTS + 1} Q{'ABCDEFGH'[bit % OUTPUTS]}"


def _text(words: bytes) -> str:
    return "".join(f"{word:08b}" for word in words)
