"""`crisscross rounds list`, `show N`, `export` and `prove N`: print text, records or a table.

Texts come from the catalogue, data from the journal; a round in play is not printed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.common.command_line import Commands, day_option, refuse
from controller.common.files.money import cents
from controller.game.model.irregularities import Code
from controller.game.model.names import SEATS
from controller.game.model.naming import FOLDED_BET
from controller.record.journal.round_summary import RoundSummary, summary_of

DEFAULT_JOURNAL = Path("/var/lib/crisscross/journal.db")
ROUND_KINDS = ("any", "void", "corrected", *(code.value for code in Code), FOLDED_BET)


def add_parser(subparsers: Commands) -> None:
    """Add the command `rounds`."""
    rounds = subparsers.add_parser("rounds", help="what happened, reconstructed from the journal")
    acts = rounds.add_subparsers(dest="act", required=True, metavar="list|show|export|prove")
    listing = acts.add_parser("list", help="a line a round")
    _filters(listing)
    listing.add_argument("--json", action="store_true", help="round records instead of words")
    _language(listing)
    listing.set_defaults(run=_list)
    show = acts.add_parser("show", help="one round whole: cards, wagers, decisions and touches, with times")
    show.add_argument("number", type=_least(1), metavar="N", help="the round's number")
    show.add_argument("--json", action="store_true", help="its record instead of words")
    _language(show)
    show.set_defaults(run=_show)
    export = acts.add_parser("export", help="every round as a line of JSON, or as a table")
    _filters(export)
    export.add_argument("--csv", action="store_true", help="a row a round, for a spreadsheet")
    export.set_defaults(run=_export)
    prove = acts.add_parser("prove", help="a proof of one round, for any holder of the table's public key")
    prove.add_argument("number", type=_least(1), metavar="N", help="the round's number")
    prove.add_argument("--to", type=Path, metavar="FILE", help="where to; default: round-N.tlog-proof here")
    prove.set_defaults(run=_prove)
    for each in (listing, show, export, prove):
        each.add_argument(
            "--journal", type=Path, default=DEFAULT_JOURNAL, metavar="FILE", help="of the table"
        )


def _filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--last", type=_least(1), metavar="N", help="the last N rounds that fit")
    parser.add_argument(
        "--day", type=day_option, metavar="DATE", help="begun on that day there, as 2026-11-22"
    )
    parser.add_argument("--dealer", metavar="NUMBER", help="dealt, or dealt part of it")
    parser.add_argument("--seat", type=int, choices=SEATS, metavar="N", help="that seat played")
    parser.add_argument(
        "--irregularity", type=_kind, metavar="KIND",
        help="any, void, corrected or the code of an irregularity",
    )  # fmt: skip
    parser.add_argument("--amount", type=_cents, metavar="MIN", help="a wager or payout from MIN dollars on")
    words = "number, dealer, decider, amount or words of a reason; every word has to match"
    parser.add_argument("--find", type=_text, metavar="TEXT", help=words)


def _language(parser: argparse.ArgumentParser) -> None:
    from controller.common.texts.catalogue import FIRST_LANGUAGE, languages

    parser.add_argument("--lang", choices=languages(), default=FIRST_LANGUAGE, help="of the words")


def _least(low: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < low:
            raise argparse.ArgumentTypeError(f"a whole number from {low}")
        return int(text)

    return read


def _kind(text: str) -> str:
    if text not in ROUND_KINDS:
        raise argparse.ArgumentTypeError(f"one of {' '.join(ROUND_KINDS)}")
    return text


def _text(text: str) -> str:
    from controller.record.journal.search import MAX_FIND_CHARS

    if not text.strip() or len(text) > MAX_FIND_CHARS:
        raise argparse.ArgumentTypeError(f"1 to {MAX_FIND_CHARS} characters, not blank")
    return text


def _cents(text: str) -> int:
    try:
        return cents(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _list(args: argparse.Namespace) -> int:
    from controller.record.timeline.archive import Archive

    with _reading(args.journal), Archive(args.journal).rounds() as rounds:
        found = list(_chosen(rounds.lines(), args, rounds.decision_words() if args.find else {}))[::-1]
        if args.json:
            return _print_records(rounds.record(each.round) for each in found)
        return _print_lines(found, args.lang)
    return 2


def _print_records(records: Iterable[Any]) -> int:
    for record in records:
        print(json.dumps(record))
    return 0


def _print_lines(lines: Iterable[RoundSummary], language: str) -> int:
    from controller.common.files.zones import machine_zone
    from controller.common.texts.catalogue import catalogue
    from controller.pages.display.round_page_text import render_list
    from controller.record.audit.printed import list_lines

    rows = render_list((each._asdict() for each in lines), language, machine_zone())
    for printed in list_lines(rows, catalogue(language), _width()):
        print(printed)
    return 0


def _export(args: argparse.Namespace) -> int:
    """Print every record that matches the options, computed from the rows. Returns the exit status."""
    from controller.record.audit.rounds import read_zoned
    from controller.record.timeline.round_filters import as_csv

    with _reading(args.journal) as reading:
        records = {record["round"]: (record, zone) for record, zone in read_zoned(args.journal, reading.rows)}
        lines = (summary_of(*records[number]) for number in reversed(records))
        found = list(_chosen(lines, args, _decided(args)))[::-1]
    if reading.failed:
        return 2
    if args.csv:
        print(as_csv(found), end="")
        return 0
    return _print_records(records[each.round][0] for each in found)


def _decided(args: argparse.Namespace) -> Mapping[int, str]:
    from controller.record.timeline.archive import Archive

    if not args.find:
        return {}
    with Archive(args.journal).rounds() as rounds:
        return rounds.decision_words()


def _chosen(
    newest_first: Iterable[RoundSummary], args: argparse.Namespace, decided: Mapping[int, str]
) -> Iterator[RoundSummary]:
    """Yield the rounds that match the filters on the command line. `decided`: texts of floor decisions by
    round, for `--find`."""
    from controller.record.timeline.round_filters import Filters, filter_rounds

    wanted = Filters(args.last, args.day, args.dealer, args.seat, args.irregularity, args.amount, args.find)
    return filter_rounds(newest_first, wanted, decided)


def _show(args: argparse.Namespace) -> int:
    from controller.record.timeline.archive import Archive

    with _reading(args.journal) as reader:
        archive = Archive(args.journal)
        story = archive.story(args.number)
        on = archive.round_in_play() if story is None else None
    if reader.failed:
        return 2
    if story is None:
        still = f"round {args.number} is still on the table; it is shown when it has ended"
        words = still if on == args.number else f"has no round {args.number}"
        return refuse(f"{args.journal}: {words}", status=1)
    if args.json:
        print(json.dumps(story.record))
        return 0
    from controller.common.files.zones import machine_zone
    from controller.common.texts.catalogue import catalogue
    from controller.pages.display.round_page_text import render_round
    from controller.record.audit.printed import round_lines
    from controller.record.timeline.public import timeline_data

    page = render_round(timeline_data(story), args.lang, machine_zone())
    for printed in round_lines(page, catalogue(args.lang), _width()):
        print(printed)
    return 0


def _prove(args: argparse.Namespace) -> int:
    from controller.record.audit.proof.prove import proofs

    with _reading(args.journal) as reading:
        found = list(proofs(args.journal, args.number))
    if reading.failed:
        return 2
    first: Path = args.to or Path(f"round-{args.number}.tlog-proof")
    for at, (kind, proof) in enumerate(found):
        file = first if not at else first.with_stem(f"{first.stem}-{kind}-{at}")
        try:
            file.write_text(proof, encoding="utf-8")
        except OSError as error:
            return refuse(f"crisscross rounds prove: {file}: {error.strerror}")
        print(f"{file}: the {kind} of round {args.number}")
    return 0


def _width() -> int:
    return shutil.get_terminal_size((110, 24)).columns


class _Reading:
    """State of reading a journal: the progress on a terminal, and `failed`, set if the journal could not be
    read."""

    def __init__(self) -> None:
        from controller.common.terminal import ProgressLine

        self.failed = False
        self.progress = ProgressLine()

    def rows(self, read: int) -> None:
        self.progress.show(f"reading the journal: {read} rows")


@contextmanager
def _reading(journal: Path) -> Iterator[_Reading]:
    """Print progress on a terminal, and one line for a journal that is unreadable or incomplete."""
    from controller.record.journal.completeness import remarks
    from controller.record.journal.schema import JournalError

    reading = _Reading()
    try:
        yield reading
        for line in remarks(journal):
            print(line, file=sys.stderr)
    except JournalError as error:
        reading.failed = True
        print(error, file=sys.stderr)
    finally:
        reading.progress.clear()
