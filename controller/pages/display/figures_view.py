"""Data of the page of figures, as a declared type. Money is whole cents, shares are basis points.

Times are UTC; `clock` and `day` are theirs by the table's time zone. A figure that is not known is null and
never nought. The drop is not among them: cash and markers go into a box that the table does not see.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

Period: TypeAlias = Literal["shift", "today", "all"]
PERIODS: tuple[Period, ...] = ("shift", "today", "all")


class Hour(TypedDict):
    """One hour. `at`: its beginning, seconds since 1970."""

    at: int
    day: str
    clock: str
    rounds: int
    alerts: int
    errors: int
    wagered: int
    win: int


class DealerTurn(TypedDict):
    """A dealer with the times from their sign-on until the end of their last round."""

    number: str
    begin: int
    end: int
    day: str
    clock: str
    until: str


class FiguresView(TypedDict):
    """One period. `since`: when it begins by the clock of `zone`. `errors`: settlement steps done wrongly.
    `win`: what the house has of the wagers, corrections included; `hold_bp`: of what was wagered."""

    period: Period
    since: str | None
    minutes: int | None
    zone: str
    rounds: int
    void: int
    players_tenths: int | None
    steps: int
    errors: int
    wagered: int
    win: int
    hold_bp: int | None
    alerts: dict[str, int]
    exceptions: dict[str, int]
    hours: list[Hour]
    dealers: list[DealerTurn]
