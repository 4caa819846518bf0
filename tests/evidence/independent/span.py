"""Comparison of a sitting's list of rounds, and of its fields beside the figures, with the proven records.

Written from controller/evidence/EVIDENCE.md "The export"; it must never import controller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from tests.evidence.independent.factors import Record

MISSED = 3
"""Largest number of successive rounds that a player sits out within a sitting."""
Records = Mapping[int, Record]
FIRST = "sees_middle"
TOP = ("with_evidence", "log10", "peak_log10", "decisions")
"""Fields of a sitting that repeat those of the hypothesis FIRST."""
MEMBERS = {"hypothesis", "combined", "threshold_log10", "above", "earlier_seats", *TOP}


class Choice:
    """Choice of rounds by the command's options: the rounds that one dealer began, the rounds from a day on,
    or all."""

    def __init__(self, choice: Mapping[str, Any]) -> None:
        self.dealer = choice["dealer"]
        self.since = date.fromisoformat(choice["since"]) if choice["since"] else None
        self.zone = ZoneInfo(choice["zone"]) if self.since else None

    def has(self, record: Record) -> bool:
        began = record["dealers"][0]["number"] if record["dealers"] else None
        if self.dealer is not None and began != self.dealer:
            return False
        if self.since is None or self.zone is None:
            return True
        return datetime.fromisoformat(record["started"]).astimezone(self.zone).date() >= self.since


def span_faults(data: Mapping[str, Any], records: Records, choice: Choice) -> Iterator[str]:
    """Yield a line for each fault in the list of a sitting's rounds: a listed round that the proven records
    contradict, a listed round without a proof, or a round that is left out."""
    numbers = data["round_numbers"]
    if not numbers or numbers != sorted({*numbers}):
        yield "its rounds are not in order, or one is named twice"
        return
    first, last = numbers[0], numbers[-1]
    if [first, last, len(numbers)] != [data["first_round"], data["last_round"], data["rounds"]]:
        yield "its first round, last round or number of rounds is not that of its list"
    for one, two in pairwise(numbers):
        if two - one > MISSED + 1:
            yield f"round {two} is of another sitting: more than {MISSED} rounds were missed before it"
    for number in range(max(1, first - MISSED - 1), last + MISSED + 2):
        if number in records:
            yield from _round(data, number, records[number], choice)
        elif number <= last:
            yield f"round {number} has no proof"


def _round(data: Mapping[str, Any], number: int, record: Record, choice: Choice) -> Iterator[str]:
    sits = (data["seat"], data["player"]) in {(each["seat"], each["player"]) for each in record["seats"]}
    chosen, listed = choice.has(record), number in data["round_numbers"]
    if listed and not sits:
        yield f"round {number}: the player did not sit there"
    if listed and not chosen:
        yield f"round {number}: is not of the dealer or the days that `choice` names"
    if listed and record["table"] != data["table"]:
        yield f"round {number}: is of table {record['table']}, not {data['table']}"
    if sits and chosen and not listed:
        yield f"round {number} was left out"


def earlier_faults(data: Mapping[str, Any], every: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a line if the export does not name the seats that act earlier and have high evidence. An export
    of one seat names no other, so it is not compared."""
    given = data["earlier_seats"]
    expected = [
        {"seat": each["seat"], "first_round": each["first_round"], "last_round": each["last_round"],
         **each["combined"]}
        for each in every
        if each["seat"] < data["seat"] and each["combined"]["peak_log10"] >= 1
        and each["first_round"] <= data["last_round"] and data["first_round"] <= each["last_round"]
    ]  # fmt: skip
    if given is not None and given != expected:
        yield "earlier_seats: are not those of the other sittings"


def member_faults(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each field that is missing or contradicts another one of the same sitting."""
    if missing := sorted(MEMBERS - data.keys()):
        yield f"{missing[0]}: is missing"
        return
    first = data["hypotheses"][FIRST]
    if data["hypothesis"] != FIRST:
        yield f"hypothesis: is {data['hypothesis']}, not {FIRST}"
    yield from (f"{name}: is not that of {FIRST}" for name in TOP if data[name] != first[name])
    limit, peak = data["threshold_log10"], data["combined"]["peak_log10"]
    above = None if limit is None else peak >= limit
    if data["above"] is not above and (limit is None or abs(peak - limit) > 1e-4):
        yield f"above: is {data['above']}, and the evidence is at most 10^{peak}"
