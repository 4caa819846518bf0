"""Contributions of events to the figures: rounds, wagers and win by wager, errors by kind, time by phase.

Pure. A contribution is a whole number added to the row of one table, one hour of the pit's clock and one
dealer. It is never subtracted: a correction counts in the hour in which it was signed. Money is whole cents.
The drop is not included: cash goes into a box that no table sees.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from controller.common.files.zones import at
from controller.floor.pit.expected_win import Known, expected
from controller.floor.pit.tile import Tile
from controller.game.model.irregularities import Code

ROUNDS, VOID, SEATS, STEPS, ERRORS, WAGERED, WIN = (
    "rounds",
    "void",
    "seats",
    "steps",
    "errors",
    "wagered",
    "win",
)
ERROR, SPENT, WAGERED_BY, WIN_BY, COUNT_BY = "error:", "ms:", "wagered:", "win:", "count:"
MAX_PHASE_MS = 12 * 3_600_000
"""Maximum time in ms counted for a phase, so that a table that was switched off does not distort the pace."""


def hour_of(utc: str, zone: str) -> str:
    """Return the hour in the pit's time zone: `2026-11-22T20`."""
    return at(utc, zone).isoformat()[:13]


def sums_of(kind: str, data: Mapping[str, Any], before: Tile, packs: Known) -> Counter[str]:
    """Return the amounts that one event adds to the figures, by their names. `before`: the table's state
    before it; `packs`: packs with known odds."""
    if kind == "record":
        return _of_record(data["record"], packs)
    if kind == "correction":
        entry = data["correction"]
        return Counter(dict.fromkeys((WIN, f"{WIN_BY}{entry['wager']}"), -entry["cents"]))
    if kind == "phase" and before.phase is not None and before.ms is not None:
        spent = data["ms"] - before.ms
        return Counter({f"{SPENT}{before.phase}": min(max(spent, 0), MAX_PHASE_MS)})
    return Counter()


def _of_record(record: Mapping[str, Any], packs: Known) -> Counter[str]:
    sums: Counter[str] = Counter(
        {ROUNDS: 1, VOID: int(record["outcome"] == "void"), SEATS: len(record["seats"])}
    )
    sums[STEPS] = len(record["settlement_order"])
    for seat in record["seats"]:
        for name, wager in seat["wagers"].items():
            _wager(sums, name, wager)
    sums.update(expected(record, sums[WIN], packs))
    for entry in record["corrections"]:
        sums[WIN] -= entry["cents"]
        sums[f"{WIN_BY}{entry['wager']}"] -= entry["cents"]
    for entry in record["irregularities"]:
        code = entry["code"]
        if code in MISPAYS and entry["phase"] == "settlement":
            sums[ERRORS] += 1
            sums[f"{ERROR}{code}"] += 1
    return sums


def contribution(
    kind: str, utc: str, data: Mapping[str, Any], before: Tile, zone: str, packs: Known
) -> str:  # fmt: skip
    """Return what an event adds to the figures of its hour and dealer, as JSON text; "" if it adds nothing.
    `before`: the table's state before it."""
    sums = sums_of(kind, data, before, packs)
    return as_text(hour_of(utc, zone), _dealer(kind, data, before), sums)


def _dealer(kind: str, data: Mapping[str, Any], before: Tile) -> str:
    """Return the dealer to whose figures an event belongs, or "" if unknown."""
    if kind == "record":
        return str(data["record"]["dealer"] or "")
    return before.dealer or ""


def as_text(hour: str, dealer: str, sums: Mapping[str, int]) -> str:
    """Return amounts of one hour and dealer as JSON text, or "" if there are none."""
    nonzero = {what: amount for what, amount in sums.items() if amount}
    return json.dumps([hour, dealer, nonzero], separators=(",", ":")) if nonzero else ""


def parse(text: str) -> Iterator[tuple[tuple[str, str, str], int]]:
    """Yield ((hour, dealer, name), amount) from the text of `as_text`."""
    if text:
        hour, dealer, sums = json.loads(text)
        for what, amount in sums.items():
            yield (hour, dealer, what), int(amount)


MISPAYS = frozenset(str(code) for code in Code if code.kind.mispay)


def _wager(sums: Counter[str], name: str, wager: Mapping[str, Any]) -> None:
    """Add the figures of a wager; a returned one does not count."""
    if wager["result"] == "returned":
        return
    amount, payout = wager["amount"], wager["payout"]
    won = {"win": -payout, "push": 0, "lose": amount, "forfeit": amount}[wager["result"]]
    sums[WAGERED] += amount
    sums[WIN] += won
    sums[f"{WAGERED_BY}{name}"] += amount
    sums[f"{WIN_BY}{name}"] += won
    sums[f"{COUNT_BY}{name}"] += 1
