"""A line of each round: what a list of rounds says of it, kept beside its record.

It is made of the record alone, so that a list of thousands need not read the records; `crisscross verify`
holds every line against its record. Money is whole cents.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic_core import from_json

from controller.game.model.naming import entry_name
from controller.game.model.record import Correction, RoundRecord
from controller.record.journal.search import amounts_of, corpus, of_corrections, words_of

SHAPE = 3
"""Counts up when a `RoundSummary` has other fields: one of another shape is made of its record anew."""


class RoundSummary(NamedTuple):
    """One round. `wagered`, `paid`, `taken`: of all seats; `largest`: the largest wager or payout. `wrong`:
    the names of what went wrong, in order, with how often. `zone`: empty where the table names none.
    `corrected`: what players have beyond the settlement by all corrections."""

    table: str
    round: int
    started: str
    ended: str
    zone: str
    rules: str
    method: str
    dealers: tuple[str, ...]
    outcome: str
    void: str | None
    seats: tuple[int, ...]
    wagered: int
    paid: int
    taken: int
    largest: int
    wrong: tuple[tuple[str, int], ...]
    corrections: int
    corrected: int
    words: str = ""
    """Corpus of a free-text search (search.py)."""
    amounts: tuple[int, ...] = ()
    """Cents that a search may name."""
    unsigned: tuple[tuple[int, str, int], ...] = ()
    """Seat, circle and cents of each amount that was entered by hand and that no floorperson signed."""


def line(record: RoundRecord, zone: str = "") -> RoundSummary:
    """Return the line of a round record. A long journal has thousands: each seat and wager is looked at
    once."""
    wagered = paid = taken = largest = 0
    for seat in record["seats"]:
        paid += seat["paid"]
        taken += seat["taken"]
        for wager in seat["wagers"].values():
            wagered += wager["amount"]
            largest = max(largest, wager["amount"], wager["payout"])
    counted: dict[str, int] = {}
    for entry in record["irregularities"]:
        counted[entry_name(entry)] = counted.get(entry_name(entry), 0) + 1
    numbers = [dealer["number"] for dealer in record["dealers"]] or [record["dealer"] or ""]
    return RoundSummary(
        record["table"], record["round"], record["started"], record["ended"], zone, record["rules"],
        record["method"], tuple(dict.fromkeys(number for number in numbers if number)), record["outcome"],
        record["void"]["code"] if record["void"] else None, tuple([seat["seat"] for seat in record["seats"]]),
        wagered, paid, taken, largest, tuple(counted.items()), len(record["corrections"]),
        sum(entry["cents"] for entry in record["corrections"]), words_of(record), amounts_of(record),
        tuple([(each["seat"], each["wager"], each["amount"]) for each in record.get("unsigned", ())]),
    )  # fmt: skip


def corrected_by(own: RoundSummary, later: Iterable[Correction]) -> RoundSummary:
    """The same round with corrections that came after its record."""
    late = list(later)
    cents = [entry["cents"] for entry in late]
    return own._replace(
        corrections=own.corrections + len(cents), corrected=own.corrected + sum(cents),
        words=own.words + corpus(*of_corrections(late)),
        amounts=(*own.amounts, *(abs(each) for each in cents if each)),
    )  # fmt: skip


# ------------------------------------------------------------------ as it is kept


def text_of(record: RoundRecord) -> str:
    """JSON: the shape, and the fields of the line, its zone empty."""
    return json.dumps([SHAPE, *line(record)], separators=(",", ":"))


def known(text: str) -> bool:
    """Whether it has the shape that this program writes."""
    return text.startswith(f"[{SHAPE},")


def of_another_program(text: str) -> bool:
    """Return whether it has the shape of another version: then a list makes the line of the record."""
    shape = text[1 : text.find(",")]
    return text[:1] == "[" and shape.isascii() and shape.isdigit() and not known(text)


def line_of(text: str, zone: str) -> RoundSummary:
    """Return the line of one that is `known`. Raises ValueError or TypeError if it is no such line."""
    fields: list[Any] = from_json(text)[1:]
    fields[4] = zone
    for at in (7, 10):
        fields[at] = tuple(fields[at])
    fields[15] = tuple([(code, often) for code, often in fields[15]])
    fields[19] = tuple(fields[19])
    fields[20] = tuple([(seat, wager, amount) for seat, wager, amount in fields[20]])
    if not isinstance(fields[18], str):
        raise TypeError(type(fields[18]))
    return RoundSummary(*fields)
