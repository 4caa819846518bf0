"""Figures for the display's tests: a shift of some hours, with three dealers and one bad hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from controller.pages.display.figures_view import DealerTurn, FiguresView, Hour

BEGAN = datetime(2026, 11, 20, 18, tzinfo=UTC)
NO_PACE: dict[str, Any] = {"rounds_per_hour": None, "alerts_per_hour": None}


def hour(number: int) -> Hour:
    start = BEGAN + timedelta(hours=number)
    return {
        "at": int(start.timestamp()), "day": f"{start:%Y-%m-%d}", "clock": f"{start:%H:%M}",
        "rounds": 18 + number * 7 % 11, "alerts": number % 4, "errors": 6 if number == 3 else number % 2,
        "wagered": 1_250_000 + number * 35_000, "win": 31_250 if number % 3 else -40_050,
    }  # fmt: skip


def turn(number: str, begin: int, end: int) -> DealerTurn:
    first, last = BEGAN + timedelta(minutes=begin), BEGAN + timedelta(minutes=end)
    return {
        "number": number, "begin": int(first.timestamp()), "end": int(last.timestamp()),
        "day": f"{first:%Y-%m-%d}", "clock": f"{first:%H:%M}", "until": f"{last:%H:%M}",
    }  # fmt: skip


def figures(hours: int = 8) -> FiguresView:
    return {
        "period": "shift", "since": "2026-11-20 18:02", "minutes": hours * 60 - 20,
        "zone": "America/New_York",
        "rounds": 17, "void": 1, "players_tenths": 34, "steps": 412, "errors": 2,
        "wagered": 1_034_500, "win": -12_750, "hold_bp": -123,
        "alerts": {"notice": 3, "alert": 7}, "exceptions": {"overpaid": 2, "late_bet": 1},
        "hours": [hour(number) for number in range(hours)],
        "dealers": [turn("0412", 2, 95), turn("0077", 95, 240), turn("0412", 240, 460)],
    }  # fmt: skip


def luck() -> dict[str, Any]:
    """Return the win against expectation of two days, the second of which has a pack without odds."""
    known = {"rounds": 512, "wagered": 6_144_000, "win": 120_050, "expected": 90_525, "z_hundredths": 131}
    none = {"rounds": 0, "wagered": 0, "win": 0, "expected": None, "z_hundredths": None}
    return {
        "all": {**known, "unknown": {"no_odds": 12}},
        "days": [
            {"day": "2026-11-20", "dealer": "0412", **known, "unknown": {}},
            {"day": "2026-11-19", "dealer": None, **none, "unknown": {"no_odds": 12}},
        ],
        "waiting": True,
    }
