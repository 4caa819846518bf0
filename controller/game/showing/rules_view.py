"""The public view of a table's rules: what a wager may be, and what it pays."""

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
    """A line of a payout table. `hand`: the lowest hand of the line; `odds`: what a win pays to 1, null for a
    push."""

    hand: str
    odds: int | None


class Pays(TypedDict):
    """The payout tables, the highest hand first. `side`: of each side bet that the table takes."""

    ante: list[Pay]
    bet: list[Pay]
    side: dict[str, list[Pay]]
