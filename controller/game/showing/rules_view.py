"""Public view of a table's rules: limits and payouts of wagers."""

from __future__ import annotations

from typing import TypedDict


class Limits(TypedDict):
    """Limits of wagers."""

    minimum_ante: int
    maximum_ante: int
    bonus_minimum: int
    bonus_maximum: int
    multiples: list[int]
    whole: bool


class Pay(TypedDict):
    """Line of a pay table. `hand`: lowest hand of the line; `odds`: payout of a win, to 1, null for a
    push."""

    hand: str
    odds: int | None


class Pays(TypedDict):
    """Pay tables, highest hand first. `side`: by offered side bet."""

    ante: list[Pay]
    bet: list[Pay]
    side: dict[str, list[Pay]]
