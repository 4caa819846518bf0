"""Devices for the display's tests: a table whose devices all answer, and every fault that a reader can
have.
"""

from __future__ import annotations

import copy

from controller.pages.display.devices_view import (
    STATES,
    DeviceLine,
    DevicesView,
    KeyLine,
    LineState,
    Machine,
    Reader,
)
from tests.display.views import WAGERS


def reader(seat: int, wager: str, state: LineState = "fine") -> Reader:
    well = state == "fine"
    why = "" if well else f"reader-{seat}-{wager}: no answer"
    return {
        "seat": seat, "wager": wager, "port": f"/dev/crisscross/reader-{seat}-{wager}",
        "firmware": "PN532 1.6", "state": state, "why": why,
        "answered_ms": 90 if well else None, "silent_ms": None if well else 61_000,
        "readings": 51_234, "unanswered": 0 if well else 12, "unstable": 0,
        "opened": 1, "refused": 0 if well else 7, "noise": 0, "stale": 0,
        "took_us": 14_200 if well else None, "lately": (312, 0) if well else (12, 12),
    }  # fmt: skip


MACHINE: Machine = {
    "version": "0.1.0", "digest": "sha256:" + "34cc5a9f" * 8, "rules": "pennsylvania",
    "rules_title": "Criss-Cross Poker, Pennsylvania", "rules_digest": "sha256:" + "e6a17fe4" * 8,
    "python": "3.11.7", "system": "Linux-6.12", "up_ms": 7_384_000, "celsius_tenths": 523, "journal": "",
}  # fmt: skip
SHOE: DeviceLine = {
    "fitted": True, "well": True, "why": "", "port": "/dev/ttyAMA0", "unit": "CCT-SIM 0001 1.0",
    "heard_ms": 400, "counts": {"frames_in": 812, "frames_out": 807, "opened": 1},
}  # fmt: skip
LAMPS: DeviceLine = {
    "fitted": True, "well": True, "why": "", "port": "SPI 0.0", "unit": "", "heard_ms": None,
    "counts": {"written": 900, "failed": 0},
}  # fmt: skip
CONFIRM: KeyLine = {"key": "confirm", "port": "GPIO20", "presses": 41, "pressed_ms": 12_000, "stuck": False}


def devices(*wrong: LineState) -> DevicesView:
    """Return the devices, those of `wrong` first, as the controller sorts them."""
    circles = [(seat, wager) for seat in range(1, 7) for wager in WAGERS]
    fine: list[LineState] = ["fine"] * (len(circles) - len(wrong))
    states: list[LineState] = [*sorted(wrong, key=STATES.index), *fine]
    readers = [reader(*circle, state) for circle, state in zip(circles, states, strict=True)]
    whole: DevicesView = {
        "table": "CC-01", "machine": MACHINE, "shoe": SHOE, "lamps": LAMPS, "keys": [CONFIRM],
        "readers": readers,
    }  # fmt: skip
    return copy.deepcopy(whole)
