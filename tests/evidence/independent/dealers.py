"""Independent recount of the errors of dealers that favour a seat, from the proven records.

Written from controller/evidence/EVIDENCE.md "Errors that favour a seat" and "The export"; it must never
import controller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from math import exp, log
from typing import Any

from tests.evidence.independent.factors import Record
from tests.evidence.independent.fixed import ROUNDED, STRENGTHS

DIRECTIONS = {
    ("win", "overpaid"): True, ("win", "underpaid"): False,
    ("push", "overpaid"): True, ("push", "push_disturbed"): False,
}  # fmt: skip


def error_of(record: Record) -> tuple[int, str, bool] | None:
    """Return seat, kind and direction of the error of a round, or None."""
    if len(record["dealers"]) != 1 or record["outcome"] == "void":
        return None
    results = {
        (seat["seat"], name): wager["result"]
        for seat in record["seats"]
        for name, wager in seat["wagers"].items()
    }
    codes = [each["code"] for each in record["irregularities"]]
    for before, each in zip(["", *codes], record["irregularities"], strict=False):
        of_order = "settled_out_of_order" in (before, each["code"])
        if each["phase"] != "settlement" or of_order or not each["seat"] or not each["wager"]:
            continue
        kind = results.get((each["seat"], each["wager"]), "")
        gives = DIRECTIONS.get((kind, each["code"]))
        return None if gives is None else (each["seat"], kind, gives)
    return None


def errors_at(seat: int, records: list[Record]) -> dict[str, Any]:
    """Return the pairs of a dealer's rounds for a seat, and their evidence."""
    open_: dict[str, tuple[bool, bool]] = {}
    counts, logs, now, peak = Counter[str](), [0.0] * len(STRENGTHS["errors"]), 0.0, 0.0
    for where, kind, gives in filter(None, map(error_of, records)):
        own = where == seat
        if kind not in open_:
            open_[kind] = own, gives
            continue
        before_own, before_gives = open_.pop(kind)
        if before_own == own:
            continue
        counts["pairs"] += 1
        if before_gives == gives:
            continue
        for_seat = gives if own else before_gives
        counts["unequal"] += 1
        counts["for_seat"] += for_seat
        for at, strength in enumerate(STRENGTHS["errors"]):
            logs[at] += log(2 * (1 + strength if for_seat else 1) / (2 + strength))
        now = log(sum(map(exp, logs)) / len(logs))
        peak = max(peak, now)
    figures = {"log10": now / log(10), "peak_log10": peak / log(10)}
    return {name: counts[name] for name in ("pairs", "unequal", "for_seat")} | figures


def dealer_faults(
    dealers: list[Mapping[str, Any]], records: Mapping[int, Record], chosen: Callable[[Record], bool]
) -> Iterator[str]:
    """Yield a line for each round of a dealer that is not as the proven records state, and for each figure of
    their errors that does not follow from them."""
    given = Counter(
        (dealer["dealer"], number, part["seat"], part["player"])
        for dealer in dealers
        for part in dealer["parts"]
        for number in part["round_numbers"]
    )
    expected = Counter(
        (record["dealers"][0]["number"], number, seat["seat"], seat["player"])
        for number, record in records.items()
        if record["dealers"] and chosen(record)
        for seat in record["seats"]
    )
    wrong = [each for each in sorted({*given, *expected}) if given[each] != expected[each]]
    if wrong:
        name, number, seat, _ = wrong[0]
        yield f"dealer {name}: round {number}, seat {seat}: is not that of the records"
        return
    for dealer in dealers:
        for part in dealer["parts"]:
            found = errors_at(part["seat"], [records[number] for number in part["round_numbers"]])
            for name, value in found.items():
                if abs(part["errors"][name] - value) > ROUNDED:
                    at = f"dealer {dealer['dealer']}, seat {part['seat']}, round {part['first_round']}"
                    yield f"{at}: {name} is {value:.4f}, not {part['errors'][name]}"
