"""Consistency rules of events that their form cannot express: fields that must agree and not contradict
each other. Pure.

`contradiction` checks an event whose form is valid, so that no later code has to check again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

StreamData = Mapping[str, Any]


def contradiction(kind: str, data: StreamData) -> str | None:
    """Return the first contradiction in an event's data, without quoting any of it, or None."""
    check = CHECKS.get(kind)
    return next(check(data), None) if check else None


def _record(data: StreamData) -> Iterator[str]:
    record = data["record"]
    if record["round"] != data["round"]:
        yield "the record is of another round"
    if (record["outcome"] == "void") != (record["void"] is not None):
        yield "`void` and `outcome` differ"
    yield from _dealers(record)
    yield from _seats(record)


def _dealers(record: StreamData) -> Iterator[str]:
    numbers = [turn["number"] for turn in record["dealers"]]
    if record["dealer"] is None and numbers:
        yield "`dealers` without a dealer"
    if record["dealer"] is not None and record["dealer"] not in numbers:
        yield "the dealer is not among `dealers`"


def _seats(record: StreamData) -> Iterator[str]:
    seats = [each["seat"] for each in record["seats"]]
    if len(set(seats)) != len(seats):
        yield "a seat stands twice"
    for seat, wager in record["settlement_order"]:
        if not isinstance(seat, int) or not isinstance(wager, str):
            yield "`settlement_order` has a step that is not a seat and a wager"
    for each in record["seats"]:
        for wager in each["wagers"].values():
            if wager["payout"] and wager["result"] != "win":
                yield "a wager that did not win has a payout"


def _together(first: str, second: str) -> Callable[[StreamData], Iterator[str]]:
    """Return a check that each place in the field `second` (the faces) is also named in the field `first`."""

    def check(data: StreamData) -> Iterator[str]:
        if not set(data[second]) <= set(data[first]):
            yield f"`{second}` names what `{first}` does not"

    return check


CHECKS: Mapping[str, Callable[[StreamData], Iterator[str]]] = {
    "record": _record,
    "turned": _together("places", "faces"),
}
