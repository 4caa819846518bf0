"""State of the table that is published for the pit: the felt as spectators see it, and the data of the
floorperson's page.

It is made from the public view only, so it can show no card that the view lacks.
"""

from __future__ import annotations

from typing import TypedDict

from controller.game.model.naming import as_code
from controller.game.showing.spectator import Spectator, spectator
from controller.game.showing.view import Alert, Hold, View


class Standing(TypedDict):
    """An active alert, as the pit gets it. `lies`, `should`: amount in the circle and amount due, in
    cents."""

    id: int
    code: str
    grade: str
    seat: int | None
    wager: str | None
    place: str | None
    lies: int | None
    should: int | None


class Held(TypedDict):
    """The table's present hold, as the pit gets it. `phase`: the phase that it interrupted."""

    code: str
    phase: str
    seat: int | None
    wager: str | None
    place: str | None
    citation: str


class Floor(TypedDict):
    """Data for the floorperson's page. `signatures`: number of items to be signed; `link`: connection of the
    shoe, up or down.
    """

    phase: str
    method: str
    dealer: str | None
    floor_called: bool
    alerts: list[Standing]
    held: Held | None
    signatures: int
    link: str
    shoe: str | None
    fault: str | None
    back: str | None
    change_due: bool
    rounds_since_count: int
    minimum_ante: int
    maximum_ante: int


def felt_of(view: View) -> Spectator:
    """Return the felt for a spectator."""
    return spectator(view)


def floor_of(view: View) -> Floor:
    """Return the data for the floorperson's page."""
    shoe, deck, hold = view["shoe"], view["deck"], view["hold"]
    return {
        "phase": view["phase"], "method": view["method"], "dealer": view["dealer"],
        "floor_called": view["floor_called"], "alerts": [_standing(alert) for alert in view["alerts"]],
        "held": _held(hold) if hold else None, "signatures": len(view["waiting"]),
        "link": shoe["link"], "shoe": shoe["state"], "fault": shoe["fault"], "back": deck["back"],
        "change_due": deck["change_due"], "rounds_since_count": deck["rounds_since_count"],
        "minimum_ante": view["limits"]["minimum_ante"], "maximum_ante": view["limits"]["maximum_ante"],
    }  # fmt: skip


def _standing(alert: Alert) -> Standing:
    return {
        "id": alert["id"], "code": as_code(alert)["code"], "grade": alert["grade"], "seat": alert["seat"],
        "wager": alert["wager"], "place": alert["place"], "lies": alert["lies"], "should": alert["should"],
    }  # fmt: skip


def _held(hold: Hold) -> Held:
    return {
        "code": hold["code"], "phase": hold["phase"], "seat": hold["seat"], "wager": hold["wager"],
        "place": hold["place"], "citation": hold["citation"],
    }  # fmt: skip
