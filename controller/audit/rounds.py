"""Rounds rebuilt from the journal: every record is a fold over its events, made anew each time.

Reads a journal beside a running daemon. It must never write, and never make up a round that the
events do not give. Source: controller/COMMANDS.md, `rounds` and `verify`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from controller.files.money import dollars
from controller.game.model.state import TableState
from controller.game.phases.record import corrected
from controller.journal.files import reading
from controller.journal.journal import read_rows, read_settings
from controller.journal.replay import replay

Record: TypeAlias = Mapping[str, Any]


def read_rounds(path: Path) -> list[Record]:
    """Every round of the journal, in order. JournalError names what cannot be read or replayed."""
    records: dict[int, Record] = {}

    def keep(record: Record, _before: TableState) -> None:
        records[record["round"]] = record

    def correct(number: int, entry: Mapping[str, Any]) -> None:
        records[number] = corrected(records[number], entry)

    with reading(path) as db:
        replay(read_settings(db), read_rows(db), None, keep, correct)
    return list(records.values())


def round_lines(records: list[Record]) -> Iterator[str]:
    """A line a round for a person: number, time, outcome, seats, paid, taken, what went wrong."""
    for record in records:
        seats = record["seats"]
        paid = sum(seat["paid"] for seat in seats)
        taken = sum(seat["taken"] for seat in seats)
        wrong = ", ".join(entry["code"] for entry in record["irregularities"]) or "-"
        wrong += f"  corrected {len(record['corrections'])} times" if record["corrections"] else ""
        outcome = record["outcome"] if record["void"] is None else f"void ({record['void']['code']})"
        yield (
            f"{record['round']:>5}  {record['ended'][:19]}  {outcome:<24}  {len(seats)} seats  "
            f"paid {dollars(paid)}  taken {dollars(taken)}  {wrong}"
        )
