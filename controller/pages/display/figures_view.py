"""Data of the page of figures, as declared types. Money is whole cents, shares are basis points.

Times are UTC; `clock` and `day` are in the table's time zone. An unknown figure is null, never 0. The drop
is not included: cash and markers go into a box that the table does not see.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

Period: TypeAlias = Literal["shift", "today", "all"]
PERIODS: tuple[Period, ...] = ("shift", "today", "all")


class Hour(TypedDict):
    """Figures of one hour. `at`: its beginning, in POSIX seconds."""

    at: int
    day: str
    clock: str
    rounds: int
    alerts: int
    errors: int
    wagered: int
    win: int


class DealerTurn(TypedDict):
    """Figures of a dealer's turn, from the sign-on to the end of the last round. `begin`, `end`: POSIX
    seconds."""

    number: str
    begin: int
    end: int
    day: str
    clock: str
    until: str


class FiguresView(TypedDict):
    """Figures of one period.

    `since`: its beginning by the clock of `zone`. `errors`: number of settlement steps done wrongly. `win`:
    the house's win, corrections included; `hold_bp`: its share of the amount wagered, in basis points.
    """

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
