"""Patrons (players) who play several boxes, as reported by a floorperson.

A box without a report belongs to a patron of its own, under its own number; boxes of one patron have the
number of the first of them. A new report on a box replaces the earlier one. Sources: 58 Pa. Code §
674a.7(g), MGC § 6(g).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from controller.game.model.round import SeatState


def patrons_of(players: Mapping[int, str], seats: Iterable[int]) -> dict[int, str]:
    """Return `players` with `seats` assigned to one patron. Patrons who shared one of these boxes before
    are separated: each of their other boxes has its own patron again."""
    named = sorted(set(seats))
    undone = {players.get(seat, str(seat)) for seat in named}
    kept = {seat: player for seat, player in players.items() if player not in undone}
    return kept | dict.fromkeys(named, str(named[0])) if len(named) > 1 else kept


def boxes_with(seats: Mapping[int, SeatState], seat: int) -> list[int]:
    """Return the boxes of the round that belong to the patron of `seat`, including that one."""
    player = seats[seat].player
    return [number for number, box in sorted(seats.items()) if box.player == player]
