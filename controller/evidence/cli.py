"""`crisscross evidence JOURNAL...`: evidence, seat by seat or dealer by dealer, that a player knew a card too
early; with `--listen` as pages for surveillance; with `--shoe`, evidence that the shuffle was not fair.

It reads ended rounds of journals, also while their tables play, and prints no card. Exit status 0; 1 if NumPy
is missing or the pages cannot be served; 2 if a journal cannot be read, a file cannot be written, or options
exclude each other.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.common.command_line import DONE, FAILED, Commands, day_option, log_to_stderr, refuse
from controller.common.extras import how_to_install
from controller.common.http.host_names import host_and_port
from controller.common.terminal import ProgressLine
from controller.evidence.options import contradiction
from controller.game.model.names import SEATS

if TYPE_CHECKING:
    from controller.evidence.board import Board
    from controller.evidence.hypotheses import PackValues
    from controller.evidence.running_evidence import Chosen, RunningEvidence
    from controller.evidence.threshold import Threshold
    from controller.game.model.record import RoundRecord

_FILE_MODE = 0o600
"""File mode of a written page: only its owner may read it."""


def add_parser(subparsers: Commands) -> None:
    """Add `evidence JOURNAL`."""
    text = "evidence that a seat played as if it knew a card too early; for surveillance, after the rounds"
    parser = subparsers.add_parser("evidence", help=text, description=text)
    parser.add_argument(
        "journal", type=Path, nargs="+", metavar="JOURNAL", help="of a table, also while it plays"
    )
    parser.add_argument("--seat", type=int, choices=SEATS, metavar="N", help="that seat alone")
    parser.add_argument("--dealer", metavar="NUMBER", help="rounds that this dealer began")
    parser.add_argument(
        "--since", type=day_option, metavar="DATE", help="rounds from that day on, as 2026-11-22"
    )
    parser.add_argument("--shoe", action="store_true", help="the orders of the decks, not the seats")
    parser.add_argument("--json", action="store_true", help="one sitting a line, with all its decisions")
    parser.add_argument("--dealers", action="store_true", help="one figure for each dealer, not the seats")
    _add_threshold(parser)
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page for surveillance")
    parser.add_argument(
        "--rounds-at", action="append", default=[], metavar="URL",
        help="link the page's rounds, as https://PIT/tables/NAME/rounds/; once for each JOURNAL",
    )  # fmt: skip
    parser.add_argument(
        "--export", type=Path, metavar="FOLDER", help="also write figures, page and proofs of the rounds"
    )
    _add_pages(parser)
    parser.set_defaults(run=run_evidence)


def _add_pages(parser: argparse.ArgumentParser) -> None:
    """Add the options of the served pages."""
    parser.add_argument("--listen", metavar="HOST:PORT", help="serve the pages instead, until Ctrl-C")
    parser.add_argument(
        "--people", type=Path, metavar="FILE", help="with --listen: those with the role surveillance may look"
    )
    parser.add_argument("--host", action="append", default=[], metavar="NAME", help="by which browsers ask")
    parser.add_argument(
        "--notify", type=Path, metavar="FILE",
        help="with --listen: webhooks and mail for sittings above the threshold, a file as a pit has it",
    )  # fmt: skip
    parser.add_argument("--tls-certificate", type=Path, metavar="FILE", help="of the pages (PEM)")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="and its key")


def _add_threshold(parser: argparse.ArgumentParser) -> None:
    """Add the options that give the threshold."""
    parser.add_argument("--cost", type=_positive, metavar="N", help="of one false accusation, any currency")
    parser.add_argument(
        "--budget", type=_positive, metavar="N", help="expected cost of false accusations to accept"
    )
    parser.add_argument(
        "--sittings", type=_positive, metavar="N",
        help="over which it is accepted, at all seats and tables; default: any number",
    )  # fmt: skip


def _positive(text: str) -> int:
    if text.isascii() and text.isdecimal() and int(text):
        return int(text)
    raise argparse.ArgumentTypeError("a whole number from 1")


def run_evidence(args: argparse.Namespace) -> int:
    """Print or serve the evidence and return the exit status."""
    from controller.common.files.mistakes import Mistakes
    from controller.common.http.server import ServerError
    from controller.record.journal.completeness import remarks
    from controller.record.journal.schema import JournalError

    if wrong := contradiction(args):
        return refuse(f"crisscross evidence: {wrong}")
    try:
        if args.listen:
            return _serve(args)
        lines, notes = _shoe_lines(args) if args.shoe else _seat_lines(args)
        notes = [*notes, *(note for journal in args.journal for note in remarks(journal))]
    except ImportError as error:
        if error.name != "numpy":
            raise
        return refuse(f"crisscross evidence: needs NumPy: {how_to_install('odds')}", status=FAILED)
    except ServerError as error:
        return refuse(f"crisscross evidence: {error}", status=FAILED)
    except Mistakes as mistakes:
        return refuse("\n".join(mistakes.lines))
    except (JournalError, OSError) as error:
        return refuse(error)
    if lines:
        print("\n".join(lines))
    for note in notes:
        print(note, file=sys.stderr)
    return DONE


def _seat_lines(args: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the lines about sittings or dealers to print, and the remarks for standard error."""
    from controller.evidence import report
    from controller.evidence.export import export_dealers

    board = _board(args, _all(args))
    every = board.sittings
    if args.dealers:
        limit = board.threshold_of_dealers()
        dealers = [report.dealer_data(each, limit) for each in every.dealers.values()]
        if args.export:
            _export(args, export_dealers(args.export, _chosen(args), dealers, limit))
        words = map(json.dumps, dealers) if args.json else report.dealers_in_words(dealers, limit)
        return [*words], _nothing_chosen(args, every.rounds)
    threshold = board.threshold()
    found = [
        report.sitting_data(each, threshold, None if args.seat else every.ahead_of(each))
        for each in every.found
        if args.seat in (None, each.seat)
    ]
    _write(args, found, threshold, every.packs)
    words = map(json.dumps, found) if args.json else report.sitting_lines(found, threshold)
    return [*words], _nothing_chosen(args, every.rounds if found else 0)


def _nothing_chosen(args: argparse.Namespace, rounds: int) -> list[str]:
    """Return a remark if the options leave no round to count, with the options that the user gave."""
    if rounds:
        return []
    given = {"--seat": args.seat, "--dealer": args.dealer, "--since": args.since}
    named = ", ".join(f"{option} {value}" for option, value in given.items() if value is not None)
    if not named:
        return ["no round has ended yet"]
    return [f"no round that has ended fits {named}; crisscross rounds list shows the rounds of a journal"]


def _all(args: argparse.Namespace) -> RunningEvidence:
    """Return the evidence of all chosen rounds. Raises JournalError."""
    from controller.evidence.running_evidence import RunningEvidence
    from controller.rules.odds.cli import bar

    evidence, progress = RunningEvidence(_chosen(args)), ProgressLine()
    try:
        evidence.read_all(lambda done, of: progress.show(bar(done, of)))
    finally:
        progress.clear()
    return evidence


def _board(args: argparse.Namespace, evidence: RunningEvidence) -> Board:
    from controller.evidence.board import Board
    from controller.evidence.running_shoes import RunningShoes

    costs = None if args.cost is None else (args.cost, args.budget)
    return Board(evidence, costs, args.sittings, RunningShoes(args.journal) if args.listen else None)


def _chosen(args: argparse.Namespace) -> Chosen:
    from controller.evidence.running_evidence import Chosen

    return Chosen(args.journal, args.dealer, args.since, args.seat)


def _write(
    args: argparse.Namespace, found: list[dict[str, Any]], threshold: Threshold | None,
    packs: Mapping[str, PackValues],
) -> None:  # fmt: skip
    """Write the page and the export if requested. Raises Mistakes and JournalError."""
    from controller.common.files.atomic_write import replace_text
    from controller.common.texts.catalogue import FIRST_LANGUAGE, catalogue
    from controller.evidence.export import export
    from controller.evidence.page import evidence_page

    if not args.html and not args.export:
        return
    html = evidence_page(catalogue(FIRST_LANGUAGE), found, threshold, "".join(args.rounds_at))
    if args.html:
        with _naming("--html", args.html, "a file in a folder that you may write"):
            replace_text(args.html, html, _FILE_MODE)
    if args.export:
        _export(args, export(args.export, _chosen(args), found, packs, html, threshold))


def _export(args: argparse.Namespace, lines: Iterator[str]) -> None:
    """Write an export and print its lines. Raises Mistakes and JournalError."""
    with _naming("--export", args.export, "a new folder in one that you may write"):
        for line in lines:
            print(line, file=sys.stderr)


@contextmanager
def _naming(option: str, place: Path, allowed: str) -> Iterator[None]:
    """Name the option of a file or folder that cannot be written. Raises Mistakes instead of OSError."""
    from controller.common.files.mistakes import Mistakes

    try:
        yield
    except OSError as error:
        why = f"{option} {place}: cannot be written: {error.strerror}; name {allowed}"
        raise Mistakes([f"crisscross evidence: {why}" if error.strerror else str(error)]) from None


def _shoe_lines(args: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the lines about the shuffle to print, and the remarks for standard error."""
    from controller.evidence import shoe_report
    from controller.evidence.export import export_shoe
    from controller.evidence.running_evidence import RunningEvidence
    from controller.evidence.shoe_orders import orders_of

    records: list[RoundRecord] = []
    evidence = RunningEvidence(_chosen(args))
    while ended := evidence.read():
        records.extend(record for _, record in ended)
    evidence.check()
    orders = orders_of(args.journal[0], records)
    if args.export:
        _export(args, export_shoe(args.export, _chosen(args), orders, shoe_report.shoe_data(orders)))
    words = [json.dumps(shoe_report.shoe_data(orders))] if args.json else shoe_report.shoe_lines(orders)
    return [*words], _nothing_chosen(args, len(records))


def _serve(args: argparse.Namespace) -> int:
    """Serve the pages until a signal. Raises ServerError, and Mistakes for the file of receivers."""
    from controller.common.clock import posix_now
    from controller.common.http.admitted import LOOPBACK_HOSTS
    from controller.common.notify.settings import read_receivers
    from controller.common.texts.catalogue import FIRST_LANGUAGE
    from controller.evidence.running_evidence import RunningEvidence
    from controller.evidence.serve import Serving, serve
    from controller.evidence.web import Site

    log_to_stderr()
    receivers = read_receivers(args.notify, FIRST_LANGUAGE, posix_now) if args.notify else ()
    host, port = host_and_port(args.listen)
    tls = (args.tls_certificate, args.tls_key) if args.tls_key else None
    site = Site((*LOOPBACK_HOSTS, *args.host), tls is not None, args.rounds_at)
    evidence = RunningEvidence(_chosen(args))
    serve(_board(args, evidence), evidence, Serving(host, port, args.people, site, tls, receivers))
    return DONE
