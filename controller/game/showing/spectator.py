"""Data for a spectator: all that a person at the table can see, cut from the public view.

It carries no prompt, alert, hold, key, badge or number of a dealer, and no amount but what lies on the felt.
It is made of the view alone, so it can show no card that the view does not.
"""

from __future__ import annotations

from typing import TypedDict

from controller.game.model.names import Phase
from controller.game.model.plan import Result
from controller.game.showing.view import Card, Circle, Hand, Seat, View

STOPPED = (Phase.HELD, Phase.VOID)
"""Phases in which the wall shows only that play stands still: the reason is the floor's business."""


class Laid(TypedDict):
    """One circle. `amount`: what lies there now, null where nobody can read it. `result`: once settled."""

    amount: int | None
    result: Result | None


class Box(TypedDict):
    """One seat. `out`: it has folded, or has lost its wagers. `asked`: it decides now."""

    seat: int
    in_round: bool
    out: bool
    asked: bool
    settled: bool
    cards: list[Card]
    hands: dict[str, Hand]
    circles: dict[str, Laid]


class Spectator(TypedDict):
    """The table as a wall shows it. `phase`: `stopped` while play stands still, whatever for."""

    table: str
    rules_title: str
    round: int
    phase: str
    cross: dict[str, Card]
    bonus_cards: list[Card] | None
    seats: list[Box]


def spectator(view: View) -> Spectator:
    """The part of a view that is for everybody."""
    return {
        "table": view["table"],
        "rules_title": view["rules_title"],
        "round": view["round"],
        "phase": "stopped" if view["phase"] in STOPPED else view["phase"],
        "cross": view["cross"],
        "bonus_cards": view["bonus_cards"],
        "seats": [_box(seat) for seat in view["seats"]],
    }


def _box(seat: Seat) -> Box:
    return {
        "seat": seat["seat"],
        "in_round": seat["in_round"],
        "out": seat["forfeited"] or seat["folded_at"] is not None,
        "asked": seat["asked"],
        "settled": seat["settled"],
        "cards": seat["cards"],
        "hands": {name: hand for name, hand in seat["hands"].items() if hand is not None},
        "circles": {wager: _laid(circle) for wager, circle in seat["circles"].items()},
    }


def _laid(circle: Circle) -> Laid:
    return {"amount": circle["amount"], "result": circle["result"]}
