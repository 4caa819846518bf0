"""Name of an irregularity: its code, or a more specific name if the code covers several kinds.

Table, floor page, lists, figures and pit all use the name given when the irregularity was raised, so that
every list counts an event under one name. A name is a key of the display's `codes`. If a specific name is the
code of a similar event (a cap is a late bet), both are counted together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from controller.game.model.irregularities import Code
from controller.game.model.names import BETS, Phase, Wager

FOLDED_BET: Final = "folded_bet"
"""Chips of a bet that the seat folded instead of placing."""
SPECIFIC_NAMES: Mapping[str, tuple[Code, ...]] = {
    Code.LATE_BET: (Code.LATE_BET, Code.BET_CHANGED, Code.BET_OUT_OF_TURN),
    FOLDED_BET: (Code.BET_OUT_OF_TURN,),
}
"""Specific names, each with the codes that may have it."""
SINCE_PROCEDURES: Final = 2
"""First revision of `PROCEDURES` whose journals contain the more specific names."""
_ASKED: Mapping[str, int] = {Phase.DEALING: -1, Phase.ACROSS: 0, Phase.DOWN: 1, Phase.MIDDLE: 2}


def name_of(code: str, wager: Wager | str | None, phase: str | None, over: int | None, folded: bool) -> str:
    """Return the specific name of an irregularity at a circle, or "" if its code is its name. `over`: cents
    in the circle beyond the amount due, None if unknown. `folded`: the seat has folded.
    """
    if code == Code.BET_CHANGED and over is not None and over > 0:
        return Code.LATE_BET.value
    if code != Code.BET_OUT_OF_TURN or wager not in BETS:
        return ""
    reached = len(BETS) if phase is None else _ASKED.get(phase, len(BETS))
    if BETS.index(Wager(wager)) > reached:
        return ""
    return FOLDED_BET if folded else Code.LATE_BET.value


def entry_name(entry: Mapping[str, Any]) -> str:
    """Return the more specific name of an entry if it has one, else its code."""
    return str(entry.get("name") or entry["code"])


def with_names(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with specific names added to the bets of folded hands, for a record that was sent with
    codes only.
    """
    folded = {seat["seat"]: _ASKED.get(seat["folded_at"], len(BETS)) for seat in record["seats"]}
    entries = [entry | _again(entry, folded.get(entry["seat"])) for entry in record["irregularities"]]
    return {**record, "irregularities": entries}


def _again(entry: Mapping[str, Any], folded: int | None) -> dict[str, str]:
    reached = _ASKED.get(entry["phase"], len(BETS))
    left = folded is not None and folded <= reached
    name = name_of(entry["code"], entry["wager"], entry["phase"], None, folded=left)
    return {"name": name} if name == FOLDED_BET else {}


def as_code(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry in the form for readers that know codes only. If its more specific name is itself a
    code, that code replaces the original one; `name` and `before_turn` are left out."""
    kept = {key: value for key, value in entry.items() if key not in ("name", "before_turn")}
    name = entry.get("name")
    return {**kept, "code": str(name)} if name in set(Code) else kept
