"""Patrons and the boxes that they play, as a floorperson stated.

A box that nobody spoke of is a patron's of its own, under its own number; boxes of one patron go by the
first of them. What is said of a box undoes what was said of it before. Sources: 58 Pa. Code § 674a.7(g),
MGC § 6(g).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from controller.game.model.round import SeatState


def patrons_of(players: Mapping[int, str], seats: Iterable[int]) -> dict[int, str]:
    """`players` with `seats` assigned to one patron: whoever shared one of them before has each of their
    boxes to themselves again."""
    named = sorted(set(seats))
    undone = {players.get(seat, str(seat)) for seat in named}
    kept = {seat: player for seat, player in players.items() if player not in undone}
    return kept | dict.fromkeys(named, str(named[0])) if len(named) > 1 else kept


def boxes_with(seats: Mapping[int, SeatState], seat: int) -> list[int]:
    """The boxes of the round that belong to the patron of `seat`, that one among them."""
    player = seats[seat].player
    return [number for number, box in sorted(seats.items()) if box.player == player]
