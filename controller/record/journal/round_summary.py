"""Summary line of each round for lists, stored beside its record.

It is made from the record alone, so that a list of thousands need not read the records; `crisscross verify`
compares every line with its record. Money is in whole cents.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic_core import from_json

from controller.game.model.naming import entry_name
from controller.game.model.record import Correction, RoundRecord
from controller.record.journal.search import amounts_of, corpus, correction_words, search_text

SHAPE = 3
"""Version of the fields of `RoundSummary`. Lists do not use stored lines of another version, but make them
again from the records."""


class RoundSummary(NamedTuple):
    """Summary of one round.

    `wagered`, `paid`, `taken`: cents of all seats; `largest`: the largest wager or payout in cents. `wrong`:
    names of the irregularities, in order, each with its count. `zone`: "" if the table names none.
    `corrected`: cents that players received beyond the settlement by corrections.
    """

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
    """Words of the round for free-text search, as `search.corpus` returns them."""
    amounts: tuple[int, ...] = ()
    """Amounts in cents that a search may name."""
    unsigned: tuple[tuple[int, str, int], ...] = ()
    """Seat, circle and cents of each amount that was entered by hand and not signed by a floorperson."""


def summary_of(record: RoundRecord, zone: str = "") -> RoundSummary:
    """Return the summary of a round record. A journal has thousands of records, so each seat and wager is
    visited only once.
    """
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
        sum(entry["cents"] for entry in record["corrections"]), search_text(record), amounts_of(record),
        tuple([(each["seat"], each["wager"], each["amount"]) for each in record.get("unsigned", ())]),
    )  # fmt: skip


def with_corrections(own: RoundSummary, later: Iterable[Correction]) -> RoundSummary:
    """Return the summary with corrections that came after its record."""
    late = list(later)
    cents = [entry["cents"] for entry in late]
    return own._replace(
        corrections=own.corrections + len(cents), corrected=own.corrected + sum(cents),
        words=own.words + corpus(*correction_words(late)),
        amounts=(*own.amounts, *(abs(each) for each in cents if each)),
    )  # fmt: skip


def summary_text(record: RoundRecord) -> str:
    """Return the summary of a record as the line to be stored: a JSON list of SHAPE and the fields, with an
    empty zone."""
    return json.dumps([SHAPE, *summary_of(record)], separators=(",", ":"))


def has_current_shape(text: str) -> bool:
    """Return whether a stored line was written with the present version (SHAPE) of the fields, so that
    `parse_summary` can read it."""
    return text.startswith(f"[{SHAPE},")


def has_other_shape(text: str) -> bool:
    """Return whether a stored line was written with another version of the fields. Such a line is not an
    error: its summary is made from the record instead."""
    shape = text[1 : text.find(",")]
    return text[:1] == "[" and shape.isascii() and shape.isdigit() and not has_current_shape(text)


def parse_summary(text: str, zone: str) -> RoundSummary:
    """Return the summary in a stored line of the present version. `zone`: time zone of the table, which the
    line does not have. Raises ValueError or TypeError if the line is invalid."""
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
