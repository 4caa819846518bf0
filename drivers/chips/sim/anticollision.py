"""A reader's inventory of ISO/IEC 15693 chips: rounds of sixteen slots, with a longer mask for
answers that collided.

Pure. It must report only chips that answered, and call an inventory complete only if all collisions were
resolved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from drivers.chips.sim.vicinity import (
    ADDRESS,
    EOF_S,
    HIGH_RATE,
    STAY_QUIET,
    T1_S,
    T2_S,
    T3_S,
    VicinityField,
    answer_s,
    decoded,
    request_s,
)

OK, NO_CHIP, RF_ERROR, RF_WARNING = 0x00, 0x01, 0x83, 0x84
_UID_BITS = 64
_INVENTORY_ANSWER_BYTES = 12
"""Flags, DSFID, UID and CRC."""


@dataclass(slots=True)
class Look:
    """Result of an inventory: UIDs in the order of their slots, the reader's status, the time on the air in
    seconds."""

    uids: list[bytes] = field(default_factory=list)
    status: int = OK
    took_s: float = 0.0


def inventory(antenna: VicinityField, now: float, silences: bool = True, resolves: bool = True) -> Look:
    """Return the chips that answer.

    `silences`: each chip found is sent Stay Quiet (H60301-3e, p. 59). `resolves`: anticollision is on;
    without it all chips answer in one slot.
    """
    look = Look()
    hopeless = not resolves or antenna.trouble == "collision"
    masks = [(0, 0)]
    while masks:
        mask, bits = masks.pop(0)
        slots = antenna.slots(mask, bits, now)
        fresh, collided = _round(slots if resolves else [[*chain(*slots)]], bits, look)
        if silences:
            _silence(antenna, fresh, now, look)
        if collided and (hopeless or bits + 4 >= _UID_BITS):
            look.status = RF_ERROR
            continue
        masks += [(mask | slot << bits, bits + 4) for slot in collided]
    return _troubled(look, antenna.trouble)


def _round(slots: Sequence[Sequence[bytes]], bits: int, look: Look) -> tuple[list[bytes], list[int]]:
    """Return the UIDs decoded in one round, and the slots in which answers collided."""
    fresh, collided = [], []
    look.took_s += request_s(5 + (bits + 7) // 8) + (len(slots) - 1) * EOF_S
    for number, slot in enumerate(slots):
        look.took_s += T1_S + answer_s(_INVENTORY_ANSWER_BYTES) + T2_S if slot else T3_S
        uid = decoded(slot) if slot else None
        if uid is not None:
            fresh.append(uid)
        elif slot:
            collided.append(number)
    look.uids += fresh
    return fresh, collided


def _silence(antenna: VicinityField, uids: Iterable[bytes], now: float, look: Look) -> None:
    for uid in uids:
        exchange = antenna.ask(bytes((HIGH_RATE | ADDRESS, STAY_QUIET)) + uid[::-1], now)
        look.took_s += exchange.took_s


def _troubled(look: Look, trouble: str) -> Look:
    """Return the result with a fault of the air interface. If its status is an error, some of the UIDs may
    still be reported."""
    if trouble == "mute":
        look.uids.clear()
    elif trouble == "twice":
        look.uids += look.uids[:1]
    elif trouble == "rf_warning":
        look.status = RF_WARNING
        del look.uids[-1:]
    if look.status == OK and not look.uids:
        look.status = NO_CHIP
    return look
