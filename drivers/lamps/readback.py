"""Detection of a broken lamp wire (noticed through the chain's read-back): the frame that MISO returns is
compared with the previous frame.

While a frame is shifted in, the previous one is shifted out through QH' of the last register, bit for bit:
the Pi samples at the edge of SRCLK, and QH' changes after it (SN74HC595 data sheet, SCLS041: SRCLK to QH').
An equal frame proves that the chain is intact only if no other source could have produced it. A missing board
returns zeros and a dark picture is zeros, so every frame carries `identity_bits`. Pure. A result must never
claim more than the shift registers: latch, outputs, ribbons and LEDs return nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_OUTPUT_COUNT = 8
OVERLAP = 16
"""Minimum number of equal bits that distinguishes a displacement from chance."""
EDGES = tuple(sign * number for number in range(1, _OUTPUT_COUNT) for sign in (1, -1))
"""Numbers of extra (positive) or missing (negative) clock edges that are tested; a register has eight."""
_ANY = "?"


class ChainFault(OSError):
    """Raised if the chain returns other bits than were sent. The message names them and the place to
    check."""


class UnclearFault(ChainFault):
    """Raised for wrong bits in an ordinary picture, in which different faults may look alike."""


IDENTITIES = (0b0101, 0b1001, 0b1010, 0b0110)
"""Numbers of successive frames. Each has two high and two low bits, and no number displaced by one bit is the
next number. So one inverted bit, or one clock edge too many or too few between two frames, can produce
neither a frame of one level nor the next frame. Such an edge changes at least two bits, whatever the lamps
show.
"""
IDENTITY_BITS = 4


def identity_bits(spare_bits: Sequence[int], frame: int) -> int:
    """Return the bits that identify this frame, on outputs that drive no lamp; 0 if there are none.

    With one such output or more they are never 0; with two or more they differ in two consecutive frames.
    """
    carriers = spare_bits[-IDENTITY_BITS:]
    if not carriers:
        return 0
    if len(carriers) == IDENTITY_BITS:
        number = IDENTITIES[frame % len(IDENTITIES)]
    else:
        number = 1 + frame % (2 ** len(carriers) - 1)
    return sum(1 << bit for place, bit in enumerate(carriers) if number >> place & 1)


def has_both_levels(frame: bytes) -> bool:
    """Return whether the frame has high and low bits, which a line stuck at one level cannot return."""
    return any(frame) and any(byte != 0xFF for byte in frame)


def mark(registers: int) -> bytes:
    """Return a frame that differs from every displaced copy of itself: an m-sequence of 127 bits (x^7 + x^6 +
    1), repeated.
    """
    return int("".join(_bits(registers * _OUTPUT_COUNT)), 2).to_bytes(registers, "big")


def _bits(count: int) -> Iterator[str]:
    state = 0x7F
    for _ in range(count):
        yield str(state & 1)
        state = state >> 1 | ((state ^ state >> 1) & 1) << 6


def difference(before: bytes, now: bytes, came: bytes) -> str:
    """Return the fault if `came` was read while `now` was sent after `before`; "" if the chain is intact."""
    if came == before:
        return ""
    if came == now and any(now):
        return "the frame that is being sent: MISO is shorted to MOSI"
    if not any(came):
        return "nothing but low: has the lamp board its cable and 5 V, is the chain whole, is QH' on MISO?"
    if came == b"\xff" * len(came):
        return "nothing but high: MISO is shorted to a supply, or the chain is broken"
    return _wrong_bits(before, now, came)


def _wrong_bits(before: bytes, now: bytes, came: bytes) -> str:
    """Return the fault of a frame with both levels. One inverted bit is tested first, as the simplest
    explanation.
    """
    old, read, registers = _text(before), _text(came), len(before)
    wrong = [at for at, (sent, got) in enumerate(zip(old, read, strict=True)) if sent != got]
    if len(wrong) > 1:
        # A regular picture may look like itself displaced by a register; the mark does not.
        if before == mark(registers) and (fitted := _fitted(old, _text(now), read)):
            return f"a chain of {fitted} registers, and the pin map has {registers}"
        if by := _edges(old, read):
            return f"bits are {abs(by)} off: edges on SRCLK too many or too few, look at ground and cable"
    place = len(old) - 1 - wrong[0]
    much = f"{len(wrong)} of {len(old)} bits differ, first {_name(place)}"
    return f"{much}: a bad contact or noise, look at the lamp board's cable and 5 V"


def _fitted(old: str, new: str, read: str) -> int:
    """Return the number of registers that the chain seems to have, if that alone explains the bits that were
    read: `old` was shifted out as `read` while `new` was sent. Returns 0 if no number or more than one
    explains them."""
    stream, length = old + new, len(old)
    most = length - OVERLAP + 1
    short = [-by for by in range(_OUTPUT_COUNT, most, _OUTPUT_COUNT) if read == stream[by : by + length]]
    long = [by for by in range(_OUTPUT_COUNT, most, _OUTPUT_COUNT) if read[by:] == old[: length - by]]
    found = short + long
    return (length + found[0]) // _OUTPUT_COUNT if len(found) == 1 else 0


def _edges(old: str, read: str) -> int:
    """Return the number of extra clock edges (negative: missing ones) that explains all wrong bits, or 0 if
    none does.

    Such an edge displaces the bits after it in the frame that was shifted out, and the bits before it in the
    frame that was shifted in. If each transfer has such an edge, bits on both sides of it are displaced."""
    for by in EDGES:
        moved = old[by:] + _ANY * by if by > 0 else _ANY * -by + old[:by]
        known = sum(was != got for was, got, to in zip(old, read, moved, strict=True) if to != _ANY)
        pairs = (old, moved), (moved, old), (moved, moved)
        if known >= abs(by) and any(_meet(first, then, read, by) for first, then in pairs):
            return by
    return 0


def _meet(first: str, then: str, read: str, by: int) -> bool:
    """Return whether `read` begins with the first bits of `first` and ends with the last bits of `then`. If
    both are the same displaced frame, `by` bits between the two parts may have any value."""
    gap = abs(by) if first == then else 0
    return _equal(first, read) + _equal(then[::-1], read[::-1]) >= len(read) - gap


def _equal(expected: str, read: str) -> int:
    """Return the number of bits at the start of `expected` that `read` has too."""
    both = enumerate(zip(expected, read, strict=True))
    return next((at for at, (bit, got) in both if bit not in (got, _ANY)), len(read))


def _name(bit: int) -> str:
    """Return the name of an output; bit 0 is QA of register 1, the nearest to the Pi."""
    return f"register {bit // _OUTPUT_COUNT + 1} Q{'ABCDEFGH'[bit % _OUTPUT_COUNT]}"


def _text(words: bytes) -> str:
    return "".join(f"{word:08b}" for word in words)
