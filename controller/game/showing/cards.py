"""Public knowledge of a card: whether it is dealt, and its face once the rules have it turned. The table, the
prompt and a hold in the view all use it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from controller.game.model.round import Round
from controller.game.showing import view as view_


def public_cards(round_: Round | None, places: Iterable[str], shown: Collection[str]) -> list[view_.Card]:
    """Return the public knowledge of places. `shown`: those of all cards that the rules have turned."""
    return [public_card(round_, place, shown) for place in places]


def public_card(round_: Round | None, place: str, shown: Collection[str]) -> view_.Card:
    """Return what the public knows of the card at a place: there is none, it is face down, or its face.
    `shown`: places of all cards that the rules have turned."""
    if round_ is None or place not in round_.cards:
        return {"lies": "none", "face": None}
    if place not in shown:
        return {"lies": "down", "face": None}
    face = round_.cards[place].face
    return {"lies": "up" if face else "unknown", "face": face}
