"""Picture of a round record: seats, circles and cards of a view, with the result of each wager.

It is made from a record reduced to the turned faces (`public.turned_record`) and can show no other face.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from controller.game.model.names import CROSS, SEATS
from controller.game.showing.lamps import LampState

RESULTS = {
    "win": LampState.PAY, "push": LampState.PUSH, "lose": LampState.TAKE, "forfeit": LampState.TAKE,
    "returned": LampState.RETURN,
}  # fmt: skip
"""Lamp state of each result of a wager."""


def picture(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the picture of a round, finished or in play, in the form of a view. `record`: its record,
    reduced to the turned faces."""
    played = {seat["seat"]: seat for seat in record["seats"]}
    bonus = record["bonus_cards"]
    return {
        "seats": [_seat(seat, played.get(seat)) for seat in SEATS],
        "cross": {place.value: _card(record["cross"][place]) for place in CROSS},
        "bonus_cards": None if bonus is None else _cards(bonus),
        "paid": sum(seat.get("paid", 0) for seat in record["seats"]),
        "taken": sum(seat.get("taken", 0) for seat in record["seats"]),
    }


def _seat(number: int, seat: Mapping[str, Any] | None) -> dict[str, Any]:
    found = seat or {"player": str(number), "folded_at": None, "cards": (), "wagers": {}}
    return {
        "seat": number,
        "player": found["player"],
        "in_round": seat is not None,
        "folded_at": found["folded_at"],
        "forfeited": bool(found.get("forfeited")),
        "settled": False,
        "cards": _cards(found["cards"]),
        "circles": {name: _circle(wager) for name, wager in found["wagers"].items()},
    }


def _circle(wager: Mapping[str, Any]) -> dict[str, Any]:
    lamp = RESULTS.get(wager["result"], LampState.OFF)
    return {
        "amount": wager["amount"], "reading": "ok", "lamp": lamp.value, "by_hand": False, "wrong": False,
        "signed": False,
    }  # fmt: skip


def _cards(faces: Iterable[str | None]) -> list[dict[str, str | None]]:
    return [_card(face) for face in faces]


def _card(face: str | None) -> dict[str, str | None]:
    return {"lies": "up" if face else "none", "face": face}
