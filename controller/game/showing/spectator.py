"""Data for spectators and a screen on the wall: the visible state of the table, cut from the public view.

It contains no prompt, alert, hold or key, no badge or number of a dealer, and no amounts except those on the
felt. It is made from the view only, and so can show no card that the view lacks.
"""

from __future__ import annotations

from typing import TypedDict

from controller.game.model.names import Phase
from controller.game.model.plan import Result
from controller.game.showing.view import Card, Circle, Hand, Seat, View

STOPPED_PHASES = (Phase.HELD, Phase.VOID)
"""Phases in which the wall shows only that play is stopped; the reason is not for spectators."""


class SpectatorCircle(TypedDict):
    """One circle. `amount`: cents in it now, null if it cannot be read. `result`: once settled."""

    amount: int | None
    result: Result | None


class SpectatorBox(TypedDict):
    """One seat. `out`: it has folded or forfeited. `asked`: it decides now."""

    seat: int
    in_round: bool
    out: bool
    asked: bool
    settled: bool
    cards: list[Card]
    hands: dict[str, Hand]
    circles: dict[str, SpectatorCircle]


class Spectator(TypedDict):
    """The table on a wall. `phase`: `stopped` while play is stopped for any reason."""

    table: str
    rules_title: str
    round: int
    phase: str
    cross: dict[str, Card]
    bonus_cards: list[Card] | None
    seats: list[SpectatorBox]


def spectator(view: View) -> Spectator:
    """Return the part of a view that is for spectators."""
    return {
        "table": view["table"],
        "rules_title": view["rules_title"],
        "round": view["round"],
        "phase": "stopped" if view["phase"] in STOPPED_PHASES else view["phase"],
        "cross": view["cross"],
        "bonus_cards": view["bonus_cards"],
        "seats": [_box(seat) for seat in view["seats"]],
    }


def _box(seat: Seat) -> SpectatorBox:
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


def _laid(circle: Circle) -> SpectatorCircle:
    return {"amount": circle["amount"], "result": circle["result"]}
