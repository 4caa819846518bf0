"""The lit bits of the chain at a given time, as the lamps blink in their rhythms: pure, for the entire
table at once.

It plays any rhythm and depends on none by name. All lamps of a rhythm are on and off together, whenever each
was switched. Switching a lamp again must never make it flash more often than its rhythm.
"""

from __future__ import annotations

from collections.abc import Mapping

from drivers.pins.map import Output
from drivers.ports import SLOT_S, CircleId, Colour, Rhythm, Signal

CHIPS: Mapping[Colour, tuple[str, ...]] = {
    "off": (),
    "green": ("green",),
    "red": ("red",),
    "amber": ("green", "red"),
}
RHYTHM_RESTART_S = 0.5
"""Minimum time before a rhythm restarts: limits flashes to three per second (WCAG 2.3.1)."""


def is_lit(rhythm: Rhythm, since: float, now: float) -> bool:
    """Return whether a lamp is on at ``now`` if its rhythm began at ``since``."""
    return rhythm[int((now - since) / SLOT_S) % len(rhythm)] == "#"


def rhythm_beginnings(
    begun: Mapping[Rhythm, float],
    before: Mapping[CircleId, Signal],
    after: Mapping[CircleId, Signal],
    now: float,
) -> dict[Rhythm, float]:
    """Return the beginning of each rhythm.

    If a rhythm is dark when a lamp joins it, the rhythm restarts for all its lamps, so that a new signal is
    visible at once.
    """
    joined = {signal.rhythm for circle, signal in after.items() if before.get(circle) != signal}
    late = {
        rhythm
        for rhythm in joined & begun.keys()
        if now - begun[rhythm] >= RHYTHM_RESTART_S and not is_lit(rhythm, begun[rhythm], now)
    }
    return {**begun, **dict.fromkeys(late | (joined - begun.keys()), now)}


def pattern(
    bits: Mapping[Output, int],
    signals: Mapping[CircleId, Signal],
    begun: Mapping[Rhythm, float],
    now: float,
) -> int:
    """Return all bits of the chain at `now`, as one number. `bits`: bit of each output; `begun`: time in
    seconds at which each rhythm began. Bits of circles without a signal are 0."""
    on = {rhythm for rhythm, since in begun.items() if is_lit(rhythm, since, now)}
    found = 0
    for (seat, wager), signal in signals.items():
        if signal.rhythm in on:
            for chip in CHIPS[signal.colour]:
                bit = bits.get((seat, wager, chip))
                found |= 0 if bit is None else 1 << bit
    return found
