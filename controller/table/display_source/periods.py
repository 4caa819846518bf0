"""Figures of a period (shift, day, all) for the page of figures, from the tally. Pure: the time is an
argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from controller.common.files.zones import at
from controller.pages.display.figures_view import DealerTurn, FiguresView, Hour, Period
from controller.table.engine.tally import TALLIED_GRADES, Tally, TallySums

MAX_HOURS = 24 * 14
"""Maximum number of hours drawn, the newest ones; the sums cover the whole period."""
MAX_TURNS = 100
"""Maximum number of dealers' turns listed."""
CODE = "code:"
NO_SUMS: TallySums = Counter()
"""Figures of an hour without a round."""


def figures(tally: Tally, period: Period, now: str, zone: str) -> FiguresView:
    there = at(now, zone)
    since, sums = _span(tally, period, there)
    begun = datetime.fromisoformat(since) if since else None
    turns = [turn for turn in tally.dealers if since and turn[2] >= since]
    return {
        "period": period,
        "since": f"{at(since, zone):%Y-%m-%d %H:%M}" if since else None,
        "minutes": int((there - begun).total_seconds() // 60) if begun else None,
        "zone": zone,
        "rounds": sums["rounds"], "void": sums["void"],
        "players_tenths": _rounded(10 * sums["players"], sums["rounds"]) if sums["rounds"] else None,
        "steps": sums["steps"], "errors": sums["errors"],
        "wagered": sums["wagered"], "win": sums["win"],
        "hold_bp": _rounded(10_000 * sums["win"], sums["wagered"]) if sums["wagered"] else None,
        "alerts": {grade: sums[grade] for grade in TALLIED_GRADES if sums[grade]},
        "exceptions": {k.removeprefix(CODE): n for k, n in sums.most_common() if k.startswith(CODE)},
        "hours": [_hour(hour, tally.hours, there) for hour in _hours(begun, there)] if begun else [],
        "dealers": [_turn(number, at(a, zone), at(b, zone)) for number, a, b in turns[-MAX_TURNS:]],
    }  # fmt: skip


def _span(tally: Tally, period: Period, there: datetime) -> tuple[str | None, TallySums]:
    if period == "shift":
        return tally.shift.since, tally.shift.sums
    if period == "all":
        return tally.all.since, tally.all.sums
    midnight = there.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)
    sums: TallySums = Counter()
    for hour in _hours(midnight, there):
        sums.update(tally.hours.get(_key(hour), {}))
    return f"{midnight:%Y-%m-%dT%H:%M:%S}.000Z" if sums else None, sums


def _key(hour: datetime) -> str:
    return f"{hour:%Y-%m-%dT%H}"


def _rounded(over: int, under: int) -> int:
    """Return the quotient as the nearest whole number, halves rounded up."""
    return (2 * over + under) // (2 * under)


def _hours(begun: datetime, ended: datetime) -> list[datetime]:
    """Return the start of each hour of a period in UTC, hours without a round included.

    At most the newest `MAX_HOURS`.
    """
    first = begun.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    count = int((ended - first) // timedelta(hours=1)) + 1
    return [first + timedelta(hours=number) for number in range(max(0, count - MAX_HOURS), count)]


def _hour(start: datetime, hours: Mapping[str, TallySums], there: datetime) -> Hour:
    sums, local = hours.get(_key(start), NO_SUMS), start.astimezone(there.tzinfo)
    return {
        "at": int(start.timestamp()), "day": f"{local:%Y-%m-%d}", "clock": f"{local:%H:%M}",
        "rounds": sums["rounds"], "alerts": sums["alert"] + sums["hold"], "errors": sums["errors"],
        "wagered": sums["wagered"], "win": sums["win"],
    }  # fmt: skip


def _turn(number: str, begin: datetime, end: datetime) -> DealerTurn:
    return {
        "number": number, "begin": int(begin.timestamp()), "end": int(end.timestamp()),
        "day": f"{begin:%Y-%m-%d}", "clock": f"{begin:%H:%M}", "until": f"{end:%H:%M}",
    }  # fmt: skip
