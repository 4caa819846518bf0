"""Which bits of the chain are lit at an instant: pure, for the whole table at once.

All lamps of a rhythm are on and off together, because the phase comes from the clock and never from
the moment at which a lamp was switched.
"""

from __future__ import annotations

from collections.abc import Mapping

from drivers.pin_map import Output
from drivers.ports import CircleId, Colour, Rhythm, Signal

PERIOD_S: Mapping[Rhythm, float] = {"slow": 2.0, "fast": 0.5}
"""0.5 Hz and 2 Hz: medium and high priority, IEC 60601-1-8 table 2. Lit for the first half."""

CHIPS: Mapping[Colour, tuple[str, ...]] = {
    "off": (),
    "green": ("green",),
    "red": ("red",),
    "amber": ("green", "red"),
}


def lit(rhythm: Rhythm, now: float) -> bool:
    """Whether a lamp of this rhythm is on at ``now``."""
    period = PERIOD_S.get(rhythm)
    return period is None or now % period < period / 2


def pattern(bits: Mapping[Output, int], signals: Mapping[CircleId, Signal], now: float) -> int:
    """The chain's bits as one number; a circle without a signal, or without a lamp, adds none."""
    found = 0
    for (seat, wager), signal in signals.items():
        if lit(signal.rhythm, now):
            for chip in CHIPS[signal.colour]:
                bit = bits.get((seat, wager, chip))
                found |= 0 if bit is None else 1 << bit
    return found
