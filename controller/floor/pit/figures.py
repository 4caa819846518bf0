"""The pit's figures (win, wagers, rounds an hour, errors) for a period, by table, dealer, shift or day, as
data and as CSV.

Whole numbers come from the store (figure_increments.py); only rates for a page are divided here, never money.
A rate over zero rounds is unknown, not 0. Shifts and the gaming day begin at hours of the pit's clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from controller.common.files.csv_text import csv_text
from controller.floor.pit import expected_win
from controller.floor.pit import figure_increments as added
from controller.floor.pit.database import Database
from controller.game.model.names import Phase, Wager

FigureSums: TypeAlias = Counter[str]
PERIODS = ("shift", "day", "month", "year")
GROUPS = ("table", "dealer", "shift", "day")
SHIFTS = (6, 14, 22)


class BadShifts(ValueError):
    """Raised for a list of shifts that is not allowed. The message is one line that names what is allowed."""


@dataclass(frozen=True, slots=True)
class Shifts:
    """Division of the day into shifts. `hours`: hours at which they begin; the gaming day begins with the
    first one."""

    hours: tuple[int, ...] = SHIFTS

    @classmethod
    def parse(cls, text: str) -> Shifts:
        """Parse the hours as typed: 6,14,22. Raises BadShifts."""
        parts = text.split(",")
        if not all(part.isascii() and part.isdigit() and int(part) < 24 for part in parts):
            raise BadShifts("allowed: hours from 0 to 23 with commas between them, as 6,14,22")
        hours = tuple(map(int, parts))
        if list(hours) != sorted(set(hours)):
            raise BadShifts("allowed: each hour once, the earliest first, as 6,14,22")
        return cls(hours)

    def day(self, at: datetime) -> datetime:
        """Return the beginning of the gaming day at that time."""
        begun = at.replace(hour=self.hours[0], minute=0, second=0, microsecond=0)
        return begun if begun <= at else begun - timedelta(days=1)

    def shift(self, at: datetime) -> datetime:
        """Return the beginning of the shift at that time."""
        day = self.day(at)
        begun = [day + timedelta(hours=hour - self.hours[0]) for hour in self.hours]
        return max(each for each in begun if each <= at)

    def since(self, period: str, now: datetime) -> datetime:
        """Return the beginning of the period that contains `now`."""
        if period == "shift":
            return self.shift(now)
        day = self.day(now)
        return {"day": day, "month": day.replace(day=1), "year": day.replace(month=1, day=1)}[period]


# ------------------------------------------------------------------ the sums

BY = {"table": "name", "dealer": "dealer", "shift": "hour", "day": "hour"}


def grouped(database: Database, by: str, first: str, last: str, shifts: Shifts) -> dict[str, FigureSums]:
    """Return the sums of each group, by the group's name. `by`: table, dealer, shift or day; `first`, `last`:
    hours in the form in which the store has them, both included."""
    query = f"""
        SELECT {BY[by]}, what, SUM(amount) FROM sums WHERE hour BETWEEN ? AND ? GROUP BY {BY[by]}, what
    """  # noqa: S608  # one of the names above
    found: dict[str, FigureSums] = {}
    for key, what, amount in database.rows(query, (first, last)):
        name = _named(by, str(key), shifts)
        found.setdefault(name, Counter())[what] += int(amount)
    return dict(sorted(found.items()))


def _named(by: str, key: str, shifts: Shifts) -> str:
    if by in ("table", "dealer"):
        return key
    at = datetime.fromisoformat(f"{key}:00")
    return f"{shifts.shift(at):%Y-%m-%d %H:%M}" if by == "shift" else f"{shifts.day(at):%Y-%m-%d}"


def hours(period: str, now: datetime, shifts: Shifts) -> tuple[str, str]:
    """Return the first and the last hour of a period, in the store's form. `now`: time by the pit's clock."""
    return shifts.since(period, now).isoformat()[:13], now.isoformat()[:13]


# ------------------------------------------------------------------ for a page


def as_rows(groups: Mapping[str, FigureSums], by: str, since: str, zone: str) -> dict[str, Any]:
    """Return the data for the page of figures (`Pit.Figures` of tests/display/page/pit.d.ts): a row for each
    group, and the total. `by`, `since`, `zone`: kind of group, beginning and time zone, which the page shows.
    """
    total: FigureSums = Counter()
    for sums in groups.values():
        for what, amount in sums.items():
            total[what] += amount
    rows = [_row(key, sums) for key, sums in groups.items()]
    return {"by": by, "since": since, "zone": zone, "rows": rows, "total": _row("", total)}


def _row(key: str, sums: FigureSums) -> dict[str, Any]:
    rounds, steps = sums[added.ROUNDS], sums[added.STEPS]
    phases = {phase: _share(sums[f"{added.SPENT}{phase}"], rounds * 1000) for phase in _phases(sums)}
    spent = [seconds for phase, seconds in phases.items() if phase in PLAYED and seconds is not None]
    return {
        "key": key, "rounds": rounds, "void": sums[added.VOID], "wagered": sums[added.WAGERED],
        "win": sums[added.WIN], "hold": _share(sums[added.WIN], sums[added.WAGERED]),
        "errors_per_1000": _share(sums[added.ERRORS] * 1000, steps),
        "seconds_a_round": sum(spent) if spent else None,
        "wagers": {
            wager.value: {
                "count": sums[f"{added.COUNT_BY}{wager}"],
                "wagered": sums[f"{added.WAGERED_BY}{wager}"], "win": sums[f"{added.WIN_BY}{wager}"],
            }
            for wager in Wager if sums[f"{added.COUNT_BY}{wager}"]
        },
        "errors": {
            code: _share(sums[f"{added.ERROR}{code}"] * 1000, steps)
            for code in sorted(added.MISPAYS) if steps and sums[f"{added.ERROR}{code}"]
        },
        "phases": {phase: seconds for phase, seconds in phases.items() if seconds is not None},
        "luck": {way: expected_win.against_expectation(sums, way) for way in expected_win.WAYS},
    }  # fmt: skip


PLAYED = frozenset(Phase) - {Phase.CLOSED, Phase.OPENING, Phase.HELD, Phase.VOID}
"""Phases of a round in progress: not those in which the table is closed, opened or held."""


def _phases(sums: FigureSums) -> Iterator[str]:
    for phase in Phase:
        if sums[f"{added.SPENT}{phase}"]:
            yield phase.value


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


# ------------------------------------------------------------------ CSV


def columns() -> dict[str, str]:
    """Return the names of the CSV's columns, each with the name of the figure in it. They do not depend on
    the data."""
    found = {
        "rounds": added.ROUNDS, "void": added.VOID, "seats": added.SEATS, "steps": added.STEPS,
        "errors": added.ERRORS, "wagered_cents": added.WAGERED, "win_cents": added.WIN,
    }  # fmt: skip
    for wager in Wager:
        found[f"count_{wager}"] = f"{added.COUNT_BY}{wager}"
        found[f"wagered_cents_{wager}"] = f"{added.WAGERED_BY}{wager}"
        found[f"win_cents_{wager}"] = f"{added.WIN_BY}{wager}"
    for way in expected_win.WAYS:
        found |= {
            f"{way}_rounds": f"{way}{expected_win.ROUNDS}", f"{way}_win_cents": f"{way}{expected_win.WIN}",
            f"{way}_expected_millicents": f"{way}{expected_win.EXPECTED}",
            f"{way}_variance_square_cents": f"{way}{expected_win.VARIANCE}",
        }  # fmt: skip
        found |= {f"{way}_left_out_{why}": f"{way}{expected_win.OUT}{why}" for why in expected_win.REASONS}
    found |= {f"error_{code}": f"{added.ERROR}{code}" for code in sorted(added.MISPAYS)}
    return found | {f"ms_{phase}": f"{added.SPENT}{phase}" for phase in Phase}


def as_csv(groups: Mapping[str, FigureSums], by: str) -> str:
    """Return a header and a row for each group (RFC 4180)."""
    names = columns()
    rows = ([key, *(sums[what] for what in names.values())] for key, sums in groups.items())
    return csv_text([[by, *names], *rows])
