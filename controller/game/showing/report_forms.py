"""What the dealer may report, what each report asks for, and when it is offered.

What a report means, and whether it can have happened, is `reports.py`'s part.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.game.model.names import Phase

ASKS: Mapping[str, tuple[str, ...]] = {
    "community_exposed": ("cross_place",),
    "hole_exposed": ("seat",),
    "card_differs": ("place", "face"),
    "swapped": ("first", "second"),
    "wrong_count": ("hand", "count"),
    "drawn_in_error": (),
    "face_seen": (),
    "player_left": ("seat",),
    "players_conferred": ("seat",),
    "cards_touched": ("seat",),
    "out_of_view": ("seat",),
    "hand_left": ("seat",),
    "shuffler_fault": (),
    "stub_count": ("stub",),
    "card_face_up": (),
    "duplicate_card": ("place",),
    "no_activity": (),
    "bonus_exposed": ("bonus",),
}
"""In the order of the menu. `hand`: a seat or the cross."""

OF_SEAT = tuple(what for what, asks in ASKS.items() if {"seat", "hand"} & set(asks))
"""What may be reported of one seat."""

ONLY_IN = {"card_face_up": Phase.DEALING, "no_activity": Phase.BETTING}
"""What can only have happened in one phase."""


def offered(phase: str, bonus_cards: object) -> list[str]:
    """The reports that make sense now."""
    return [
        what
        for what in ASKS
        if ONLY_IN.get(what, phase) == phase and (what != "bonus_exposed" or bonus_cards is not None)
    ]
