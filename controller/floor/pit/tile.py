"""State of a table as its events describe it: phase, dealer, irregularities, holds, last rounds. Pure.

`after` returns the tile after one more event. The tile is stored with its events, so that it is available at
once after a restart of the pit. A value that no event has given is None. It contains no card.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, TypeAlias

from controller.game.model.irregularities import Code
from controller.game.model.naming import name_of

TileData: TypeAlias = Mapping[str, Any]
ROUNDS = 90
"""Number of stored end times of rounds: more than the rounds dealt in an hour."""
MAX_STANDING = 200
DECKS = (Code.DECK_CHANGE_DUE, Code.WRONG_DECK, Code.STUB_COUNT_DUE)
DEVICES = (
    Code.SHOE_LOST, Code.SHOE_FAULT, Code.SHUFFLER_FAULT, Code.SHOE_TAMPERED, Code.SHOE_UNPROVEN,
    Code.DEVICE_OUT_OF_ORDER, Code.READER_LOST, Code.READERS_LOST, Code.READING_UNSTABLE, Code.JOURNAL_FAULT,
    Code.JOURNAL_DAMAGED, Code.CLOCK_FAULT, Code.LAMPS_FAULT, Code.STORAGE_LOW, Code.UNWITNESSED,
    Code.PROOFS_STOPPED,
)  # fmt: skip
"""Irregularities that mean a failed device of the table or a faulty controller."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Alert, hold or trouble that is active at a table. `at`: UTC of its beginning. `id`: identifier of an
    alert, None for the others."""

    code: str
    at: str
    seat: int | None = None
    wager: str | None = None
    place: str | None = None
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Tile:
    """State of a table as a tile on the pit's page shows it. `since`, `dealing`: beginning of the phase and
    of the dealer's turn, UTC. `ms`: beginning of the phase by the table clock. `seats`: seats with wagers in
    the last closed round. `ended`: end times of the last rounds."""

    phase: str | None = None
    since: str | None = None
    ms: int | None = None
    round: int | None = None
    dealer: str | None = None
    dealing: str | None = None
    called: str | None = None
    """Time at which the floor was called; None without a call."""
    seats: tuple[int, ...] = ()
    folded: tuple[int, ...] = ()
    """Seats that have folded in this round."""
    alerts: tuple[Wrong, ...] = ()
    holds: tuple[Wrong, ...] = ()
    troubles: tuple[Wrong, ...] = ()
    ended: tuple[str, ...] = ()
    at: str | None = None
    """Time of the last event, by the table's UTC clock."""

    def text(self) -> str:
        """Return the tile as one line of JSON."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return json.dumps(values, default=asdict, separators=(",", ":"), allow_nan=False)

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Return the tile in `text`. Raises TypeError or ValueError if another program wrote it."""
        values = json.loads(text)
        for name in ("alerts", "holds", "troubles"):
            values[name] = tuple(Wrong(**each) for each in values.get(name, ()))
        for name in ("seats", "folded", "ended"):
            values[name] = tuple(values.get(name, ()))
        return cls(**values)


def after(tile: Tile, kind: str, utc: str, data: TileData) -> Tile:
    """Return the tile after an event of that kind (controller/floor/uplink/kinds.py)."""
    fold = FOLDS.get(kind)
    changed = replace(tile, at=utc, round=data["round"])
    return fold(changed, utc, data) if fold else changed


# ------------------------------------------------------------------ by kind


def _phase(tile: Tile, utc: str, data: TileData) -> Tile:
    closed = data["phase"] == "closed"
    changed = replace(tile, phase=data["phase"], since=utc, ms=data["ms"])
    return replace(changed, dealer=None, dealing=None, seats=()) if closed else changed


def _signed_on(tile: Tile, utc: str, data: TileData) -> Tile:
    who = data.get("who")
    same = who == tile.dealer and tile.dealing is not None
    return replace(tile, dealer=who, dealing=tile.dealing if same else utc)


def _relieved(tile: Tile, _utc: str, _data: TileData) -> Tile:
    return replace(tile, dealer=None, dealing=None)


def _bets_closed(tile: Tile, _utc: str, _data: TileData) -> Tile:
    return replace(tile, seats=(), folded=())


def _folded(tile: Tile, _utc: str, data: TileData) -> Tile:
    return replace(tile, folded=(*tile.folded, data["seat"]))


def _fold_back(tile: Tile, _utc: str, data: TileData) -> Tile:
    return replace(tile, folded=tuple(seat for seat in tile.folded if seat != data["seat"]))


def _laid(tile: Tile, _utc: str, data: TileData) -> Tile:
    taken = {*tile.seats, data["seat"]} if data["wagers"] else {*tile.seats}
    return replace(tile, seats=tuple(sorted(taken)))


def _record(tile: Tile, utc: str, data: TileData) -> Tile:
    changed = replace(tile, ended=(*tile.ended, utc)[-ROUNDS:])
    dealer = data["record"]["dealer"]
    if dealer and dealer != tile.dealer:  # the dealer signed on before this stream began
        changed = replace(changed, dealer=dealer, dealing=data["record"]["dealers"][-1]["from"])
    return changed


def _wrong(utc: str, data: TileData) -> Wrong:
    return Wrong(data["code"], utc, data.get("seat"), data.get("wager"), data.get("place"), data.get("id"))


def _alert(tile: Tile, utc: str, data: TileData) -> Tile:
    rest = tuple(each for each in tile.alerts if each.id != data["id"])
    folded = data.get("seat") in tile.folded
    name = name_of(data["code"], data.get("wager"), tile.phase, None, folded) if folded else ""
    raised = _wrong(utc, {**data, "code": name or data["code"]})
    return replace(tile, alerts=(*rest, raised)[-MAX_STANDING:])


def _alert_over(tile: Tile, _utc: str, data: TileData) -> Tile:
    return replace(tile, alerts=tuple(each for each in tile.alerts if each.id != data["id"]))


def _held(tile: Tile, utc: str, data: TileData) -> Tile:
    return replace(tile, holds=(*tile.holds, _wrong(utc, data))[-MAX_STANDING:])


def _hold_over(tile: Tile, _utc: str, data: TileData) -> Tile:
    return replace(tile, holds=_without(tile.holds, data))


def _trouble(tile: Tile, utc: str, data: TileData) -> Tile:
    rest = tuple(each for each in tile.troubles if each.code != data["code"])
    return replace(tile, troubles=(*rest, _wrong(utc, data))[-MAX_STANDING:])


def _trouble_over(tile: Tile, _utc: str, data: TileData) -> Tile:
    return replace(tile, troubles=tuple(each for each in tile.troubles if each.code != data["code"]))


def _without(holds: tuple[Wrong, ...], data: TileData) -> tuple[Wrong, ...]:
    """Return the holds without the oldest one with the code and place in `data`."""
    name = (data["code"], data.get("seat"), data.get("wager"), data.get("place"))
    for at, each in enumerate(holds):
        if (each.code, each.seat, each.wager, each.place) == name:
            return holds[:at] + holds[at + 1 :]
    return holds


def _called(tile: Tile, utc: str, _data: TileData) -> Tile:
    return replace(tile, called=tile.called or utc)


def _answered(tile: Tile, _utc: str, _data: TileData) -> Tile:
    return replace(tile, called=None)


FOLDS: Mapping[str, Callable[[Tile, str, TileData], Tile]] = {
    "phase": _phase, "signed_on": _signed_on, "relieved": _relieved, "bets_closed": _bets_closed,
    "laid": _laid, "record": _record, "alert": _alert, "alert_over": _alert_over, "held": _held,
    "folded": _folded, "fold_back": _fold_back,
    "hold_over": _hold_over, "trouble": _trouble, "trouble_over": _trouble_over, "floor_called": _called,
    "floor_answered": _answered,
}  # fmt: skip
