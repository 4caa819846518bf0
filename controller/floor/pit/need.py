"""Need of each table: which table on the floor needs a person first, and the reasons to notify about it.

The page orders the tables by their needs (`static/floor.js`): a hold before a call, a call before a
failed device.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from controller.floor.pit.notify.watch import NotifyReason, ReasonKey
from controller.floor.pit.tile import DECKS, DEVICES, Tile, Wrong
from controller.game.model.irregularities import Code

Connection: TypeAlias = Literal["here", "stopped", "gone", "silent", "never"]
"""Connection of a table.

`here`: it publishes; `stopped`: ended normally; `gone`: reported by the broker, or by a publisher whose
daemon has died; `silent`: nothing received for `SILENT_S`, also since the pit's start from a table that is
open in the store; `never`: nothing received since the pit's start from another table.
"""


def once(standing: Iterable[Wrong]) -> list[Wrong]:
    """Return the alerts and troubles, each combination of code, seat and wager once."""
    found: dict[tuple[str, int | None, str | None], Wrong] = {}
    for each in standing:
        found.setdefault((each.code, each.seat, each.wager), each)
    return list(found.values())


def is_closed(tile: Tile) -> bool:
    """Return whether no play is possible at the table."""
    return tile.phase in (None, "closed")


def need(tile: Tile, connection: Connection, *, copied: bool) -> str:
    """Return the most urgent need of a table, `quiet` for none. `copied`: it shows a copied chip."""
    if connection in ("gone", "silent"):
        return "lost"
    if connection != "here":
        return "closed"
    standing = [each.code for each in (*tile.alerts, *tile.troubles)]
    loud = [code for code in standing if _grade(code) != "notice"]
    for name, is_so in (
        ("hold", bool(tile.holds)), ("called", tile.called is not None), ("copy", copied),
        ("device", any(code in DEVICES for code in loud)),
        ("alert", any(code not in DECKS for code in loud)), ("deck", any(code in DECKS for code in standing)),
        ("notice", bool(standing)), ("closed", is_closed(tile)),
    ):  # fmt: skip
        if is_so:
            return name
    return "quiet"


def reasons(name: str, tile: Tile) -> dict[ReasonKey, NotifyReason]:
    """Return the reasons to notify about a table that publishes."""
    found: dict[ReasonKey, NotifyReason] = {}
    failed = [each for each in once((*tile.alerts, *tile.troubles)) if each.code in DEVICES]
    failed = [each for each in failed if _grade(each.code) != "notice"]
    if tile.holds:
        found[name, "hold"] = _reason(tile.holds, frozenset(f"{each.code} {each.at}" for each in tile.holds))
    if tile.called is not None:
        found[name, "call"] = NotifyReason(tile.called, (), frozenset({tile.called}))
    if failed:
        found[name, "fault"] = _reason(failed, frozenset(f"{each.code} {each.seat}" for each in failed))
    return found


def _reason(wrong: Sequence[Wrong], marks: frozenset[str]) -> NotifyReason:
    codes = tuple(dict.fromkeys(each.code for each in wrong))
    return NotifyReason(min(each.at for each in wrong), codes, marks)


def _grade(code: str) -> str:
    """Return the grade of a code. A code of a newer program counts as an alert."""
    return Code(code).kind.grade if code in set(Code) else "alert"
