"""`crisscross evidence JOURNAL`: evidence, seat by seat, that a player knew a card too early; with `--shoe`,
evidence that the shuffle was not fair.

It reads ended rounds of a journal, also while the table plays, and prints no card. Exit status 0; 1 if
NumPy is missing; 2 if the journal cannot be read, a file cannot be written, or options exclude each other.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.common.command_line import Commands, day_option
from controller.common.terminal import Progress
from controller.game.model.names import SEATS

if TYPE_CHECKING:
    from controller.evidence.hypotheses import PackValues
    from controller.evidence.threshold import Threshold
    from controller.game.model.record import RoundRecord

DONE, FAILED, UNUSABLE = 0, 1, 2
PRIVATE = 0o600
"""Mode of the page: only its owner reads it."""
NO_NUMPY = "crisscross evidence: needs NumPy: pip install 'crisscross-table[odds]'"


def add_parser(subparsers: Commands) -> None:
    """Add `evidence JOURNAL`."""
    text = "evidence that a seat played as if it knew a card too early; for surveillance, after the rounds"
    parser = subparsers.add_parser("evidence", help=text, description=text)
    parser.add_argument("journal", type=Path, metavar="JOURNAL", help="of a table, also while it plays")
    parser.add_argument("--seat", type=int, choices=SEATS, metavar="N", help="that seat alone")
    parser.add_argument("--dealer", metavar="NUMBER", help="rounds that this dealer dealt, or part of them")
    parser.add_argument(
        "--since", type=day_option, metavar="DATE", help="rounds from that day on, as 2026-11-22"
    )
    parser.add_argument("--shoe", action="store_true", help="the orders of the decks, not the seats")
    parser.add_argument("--json", action="store_true", help="one sitting a line, with all its decisions")
    _add_threshold(parser)
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page for surveillance")
    parser.add_argument(
        "--rounds-at", default="", metavar="URL", help="link the page's rounds, as http://TABLE:PORT/rounds/"
    )
    parser.add_argument(
        "--export", type=Path, metavar="FOLDER", help="also write figures, page and proofs of the rounds"
    )
    parser.set_defaults(run=run_evidence)


def _add_threshold(parser: argparse.ArgumentParser) -> None:
    """Add the options from which the threshold follows."""
    parser.add_argument("--cost", type=_positive, metavar="N", help="of one false accusation, any currency")
    parser.add_argument(
        "--budget", type=_positive, metavar="N", help="expected cost of false accusations to accept"
    )
    parser.add_argument(
        "--sittings", type=_positive, metavar="N",
        help="over which it is accepted, at all seats and tables; default: those of the journal",
    )  # fmt: skip


def _positive(text: str) -> int:
    if text.isascii() and text.isdecimal() and int(text):
        return int(text)
    raise argparse.ArgumentTypeError("a whole number from 1")


def run_evidence(args: argparse.Namespace) -> int:
    """Print the evidence and return the exit status."""
    from controller.record.journal.complete import remarks
    from controller.record.journal.schema import JournalError

    if wrong := _contradiction(args):
        print(f"crisscross evidence: {wrong}", file=sys.stderr)
        return UNUSABLE
    try:
        lines = list(_shoe_lines(args) if args.shoe else _seat_lines(args))
        notes = remarks(args.journal)
    except ImportError as error:
        if error.name != "numpy":
            raise
        print(NO_NUMPY, file=sys.stderr)
        return FAILED
    except (JournalError, OSError) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    print("\n".join(lines))
    for note in notes:
        print(note, file=sys.stderr)
    return DONE


def _contradiction(args: argparse.Namespace) -> str:
    """Return one line on options that exclude each other, or ""."""
    if args.shoe and args.seat is not None:
        return f"--seat {args.seat}: not with --shoe, whose cards no seat chose"
    seats_only = {
        "--html": args.html, "--export": args.export, "--cost": args.cost, "--budget": args.budget,
        "--sittings": args.sittings,
    }  # fmt: skip
    given = [option for option, value in seats_only.items() if value is not None]
    if args.shoe and given:
        return f"{given[0]}: not with --shoe; allowed: with seats"
    if (args.cost is None) != (args.budget is None):
        return "--cost and --budget go together: the threshold follows from both"
    if args.sittings is not None and args.cost is None:
        return "--sittings is for a threshold; add --cost and --budget"
    return ""


def _seat_lines(args: argparse.Namespace) -> Iterable[str]:
    from controller.evidence import report
    from controller.evidence.sittings import sittings_of
    from controller.evidence.threshold import Threshold

    records = list(_records(args))
    every = sittings_of(records, _packs(args.journal, {each["rules_digest"] for each in records}))
    many = args.sittings or max(1, len(every))
    threshold = None if args.cost is None else Threshold(args.cost, args.budget, many)
    found = [report.as_data(each, threshold) for each in every if args.seat in (None, each.seat)]
    _write(args, found, threshold)
    return map(json.dumps, found) if args.json else report.in_words(found, threshold)


def _write(args: argparse.Namespace, found: list[dict[str, Any]], threshold: Threshold | None) -> None:
    """Write the page and the export, if they are wanted. Raises OSError and JournalError."""
    from controller.common.files.atomic_write import replace_text
    from controller.evidence.export import export
    from controller.evidence.page import page

    html = page(found, threshold, args.rounds_at) if args.html or args.export else ""
    if args.html:
        replace_text(args.html, html, PRIVATE)
    if args.export:
        for line in export(args.export, args.journal, found, html):
            print(line, file=sys.stderr)


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
