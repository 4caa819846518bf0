"""`crisscross evidence JOURNAL`: evidence, seat by seat, that a player knew the middle card too early; with
`--shoe`, evidence that the shuffle was not fair.

It reads ended rounds of a journal, also while the table plays, and prints no card. Exit status 0; 1 if
NumPy is missing; 2 if the journal cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common.command_line import Commands, day_option
from controller.common.terminal import Progress
from controller.game.model.names import SEATS

if TYPE_CHECKING:
    from controller.evidence.hypotheses import PackValues
    from controller.game.model.record import RoundRecord

DONE, FAILED, UNUSABLE = 0, 1, 2
NO_NUMPY = "crisscross evidence: needs NumPy: pip install 'crisscross-table[odds]'"


def add_parser(subparsers: Commands) -> None:
    """Add `evidence JOURNAL`."""
    text = "evidence that a seat played as if it knew the middle card; for surveillance, after the rounds"
    parser = subparsers.add_parser("evidence", help=text, description=text)
    parser.add_argument("journal", type=Path, metavar="JOURNAL", help="of a table, also while it plays")
    parser.add_argument("--seat", type=int, choices=SEATS, metavar="N", help="that seat alone")
    parser.add_argument("--dealer", metavar="NUMBER", help="rounds that this dealer dealt, or part of them")
    parser.add_argument(
        "--since", type=day_option, metavar="DATE", help="rounds from that day on, as 2026-11-22"
    )
    parser.add_argument("--shoe", action="store_true", help="the orders of the decks, not the seats")
    parser.add_argument("--json", action="store_true", help="one sitting a line, with all its decisions")
    parser.set_defaults(run=run_evidence)


def run_evidence(args: argparse.Namespace) -> int:
    """Print the evidence and return the exit status."""
    from controller.record.journal.complete import remarks
    from controller.record.journal.schema import JournalError

    if args.shoe and args.seat is not None:
        print(
            f"crisscross evidence: --seat {args.seat}: not with --shoe, whose cards no seat chose",
            file=sys.stderr,
        )
        return UNUSABLE
    try:
        lines = list(_shoe_lines(args) if args.shoe else _seat_lines(args))
        notes = remarks(args.journal)
    except ImportError as error:
        if error.name != "numpy":
            raise
        print(NO_NUMPY, file=sys.stderr)
        return FAILED
    except JournalError as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    print("\n".join(lines))
    for note in notes:
        print(note, file=sys.stderr)
    return DONE


def _seat_lines(args: argparse.Namespace) -> Iterable[str]:
    from controller.evidence import report
    from controller.evidence.sittings import sittings_of

    records = list(_records(args))
    found = sittings_of(records, _packs(args.journal, {each["rules_digest"] for each in records}))
    found = [each for each in found if args.seat in (None, each.seat)]
    return (json.dumps(report.as_data(each)) for each in found) if args.json else report.in_words(found)


def _shoe_lines(args: argparse.Namespace) -> Iterable[str]:
    from controller.evidence import shoe_report
    from controller.evidence.shoe_orders import orders_of

    orders = orders_of(args.journal, list(_records(args)))
    return [json.dumps(shoe_report.as_data(orders))] if args.json else shoe_report.in_words(orders)


def _records(args: argparse.Namespace) -> Iterator[RoundRecord]:
    """Yield the chosen records, the oldest first."""
    from controller.record.timeline.archive import Archive
    from controller.record.timeline.round_filters import day

    with Archive(args.journal).rounds() as rounds:
        lines = [each for each in rounds.lines() if args.since is None or day(each) >= args.since]
        for line in reversed(lines):
            record = rounds.record(line.round)
            if args.dealer is None or args.dealer in {turn["number"] for turn in record["dealers"]}:
                yield record


def _packs(journal: Path, digests: set[str]) -> dict[str, PackValues]:
    """Return the values of the packs that were played, by digest; counting them shows its progress."""
    from controller.evidence.hypotheses import PackValues
    from controller.evidence.tables import first_tables
    from controller.record.journal.codec import rules_of
    from controller.record.journal.files import reading
    from controller.record.journal.rows import read_settings
    from controller.rules.odds.cli import bar
    from controller.rules.odds.pack import odds_of

    with reading(journal) as db:
        packs = {pack.digest: odds_of(pack) for pack in (rules_of(each.pack) for each in read_settings(db))}
    progress = Progress()
    try:
        return {
            digest: PackValues(odds, first_tables(odds, lambda done, of: progress.show(bar(done, of))))
            for digest, odds in packs.items()
            if digest in digests
        }
    finally:
        progress.clear()
