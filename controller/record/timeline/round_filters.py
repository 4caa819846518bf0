"""Filters of rounds by their summary: day, dealer, seat, kind of irregularity, amount; and the list as CSV.

Money is in whole cents; a day is a day in the table's time zone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import TypeAlias

from controller.common.files.csv_text import csv_text
from controller.common.files.zones import at, machine_zone
from controller.common.texts.catalogue import catalogue, languages
from controller.game.model.record import RoundRecord
from controller.pages.display.round_text import title
from controller.record.journal.round_summary import RoundSummary
from controller.record.journal.search import Terms, corpus

Zoned: TypeAlias = tuple[RoundRecord, str]
"""A record, and the time zone of its table file: "" if that names none."""


def day(each: RoundSummary) -> date:
    """Return the day on which the round began, in the table's time zone."""
    return at(each.started, each.zone or machine_zone()).date()


# ------------------------------------------------------------------ filters


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of a request; None matches every round. `last`: maximum number of rounds."""

    last: int | None = None
    day: date | None = None
    dealer: str | None = None
    seat: int | None = None
    irregularity: str | None = None
    amount: int | None = None
    """Cents: a wager or a payout of at least this amount."""
    find: str | None = None
    """Words that must all match (controller/record/journal/search.py)."""


CORRECTED, VOID, ANY = "corrected", "void", "any"
"""Filters besides the codes: any irregularity, void rounds, rounds corrected later."""


def filter_rounds(
    newest_first: Iterable[RoundSummary], wanted: Filters, decided: Mapping[int, str] = MappingProxyType({})
) -> Iterator[RoundSummary]:
    """Yield the rounds that match every filter, the newest first, reading no more than needed. `decided`:
    text of decisions by round, for a search; the records do not have it."""
    fits = list(_checks(wanted, decided))
    return islice((each for each in newest_first if all(check(each) for check in fits)), wanted.last)


def _checks(wanted: Filters, decided: Mapping[int, str]) -> Iterator[Callable[[RoundSummary], bool]]:
    if wanted.day is not None:
        yield lambda each: day(each) == wanted.day
    if wanted.dealer is not None:
        yield lambda each: wanted.dealer in each.dealers
    if wanted.seat is not None:
        yield lambda each: wanted.seat in each.seats
    if (kind := wanted.irregularity) is not None:
        yield lambda each: _has(each, kind)
    if (least := wanted.amount) is not None:
        yield lambda each: each.largest >= least
    if wanted.find is not None:
        terms = Terms(wanted.find)
        yield lambda each: terms.found(
            each.round, each.words + decided.get(each.round, "") + _listed_words(each), each.amounts
        )


def _listed_words(each: RoundSummary) -> str:
    """Return the words that a list shows for a round's outcome and irregularities, so that a search finds
    them."""
    parts = [
        _words_of("void" if each.void else "settled"),
        *(_words_of(code) for code in filter(None, (each.void, *dict(each.wrong)))),
    ]
    if each.corrections:
        parts.append(_words_of("corrected"))
    if each.unsigned:
        parts.append(_words_of("unsigned"))
    return "".join(parts)


@cache
def _words_of(name: str) -> str:
    """Return the words for an irregularity, an outcome or a note of the list, in all languages."""
    key = {
        "void": "phases.void", "settled": "rounds_page.settled", "corrected": "rounds_page.corrected_once",
        "unsigned": "rounds_page.unsigned",
    }.get(name)  # fmt: skip
    texts = [catalogue(language) for language in languages()]
    return corpus(*(each.plain(key) if key else title(each, name) for each in texts))


def _has(each: RoundSummary, kind: str) -> bool:
    if kind == CORRECTED:
        return each.corrections > 0
    if kind == VOID:
        return each.outcome == "void"
    return bool(each.wrong) if kind == ANY else kind in dict(each.wrong)


# ------------------------------------------------------------------ CSV

COLUMNS: Mapping[str, Callable[[RoundSummary], object]] = {
    "table": lambda each: each.table,
    "round": lambda each: each.round,
    "started_utc": lambda each: each.started,
    "started_local": lambda each: at(each.started, each.zone or machine_zone()).isoformat(),
    "ended_utc": lambda each: each.ended,
    "zone": lambda each: each.zone or machine_zone(),
    "rules": lambda each: each.rules,
    "method": lambda each: each.method,
    "dealers": lambda each: " ".join(each.dealers),
    "outcome": lambda each: each.outcome,
    "void": lambda each: each.void or "",
    "seats": lambda each: " ".join(map(str, each.seats)),
    "wagered_cents": lambda each: each.wagered,
    "paid_cents": lambda each: each.paid,
    "taken_cents": lambda each: each.taken,
    "largest_cents": lambda each: each.largest,
    "irregularities": lambda each: " ".join(f"{code}:{count}" for code, count in each.wrong),
    "corrections": lambda each: each.corrections,
    "corrected_cents": lambda each: each.corrected,
    "players_net_cents": lambda each: each.paid - each.taken + each.corrected,
    "unsigned": lambda each: " ".join(f"{seat}:{wager}:{amount}" for seat, wager, amount in each.unsigned),
    "unsigned_cents": lambda each: sum(amount for _, _, amount in each.unsigned),
}


def as_csv(lines: Sequence[RoundSummary]) -> str:
    """Return a row of column names and a row for each round, as CSV (RFC 4180)."""
    return csv_text([COLUMNS, *([column(each) for column in COLUMNS.values()] for each in lines)])
