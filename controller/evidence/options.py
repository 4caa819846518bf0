"""Options of `crisscross evidence` that exclude or need each other."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from controller.common.http.host_names import host_and_port, is_loopback

NEVER_IN_CLEAR = (
    "is open to other machines, and PINs would cross the network in clear; "
    "add --tls-certificate and --tls-key"
)


def contradiction(args: argparse.Namespace) -> str:
    """Return a message of one line about the first options that exclude or need each other, or "" if there
    are none."""
    parts = (_of_journals, _of_shoe, _of_dealers, _of_threshold, _of_pages)
    return next((line for part in parts for line in part(args)), "")


def _of_journals(args: argparse.Namespace) -> Iterator[str]:
    named: set[Path] = set()
    for journal in args.journal:
        if journal.resolve() in named:
            yield f"{journal}: is named twice; name each JOURNAL once"
        named.add(journal.resolve())


def _of_shoe(args: argparse.Namespace) -> Iterator[str]:
    if args.shoe and args.seat is not None:
        yield f"--seat {args.seat}: not with --shoe, whose cards no seat chose"
    seats_only = {
        "--html": args.html, "--cost": args.cost, "--budget": args.budget,
        "--sittings": args.sittings, "--listen": args.listen, "--dealers": args.dealers or None,
    }  # fmt: skip
    given = [option for option, value in seats_only.items() if value is not None]
    if args.shoe and given:
        yield f"{given[0]}: not with --shoe; allowed: with seats"
    one = "--shoe" if args.shoe else "--export" if args.export else ""
    if one and len(args.journal) > 1:
        yield f"{one}: of one JOURNAL; allowed: a command for each"


def _of_dealers(args: argparse.Namespace) -> Iterator[str]:
    if not args.dealers:
        return
    others = {"--html": args.html, "--seat": args.seat, "--sittings": args.sittings}
    yield from (f"{option}: not with --dealers" for option, value in others.items() if value is not None)


def _of_threshold(args: argparse.Namespace) -> Iterator[str]:
    if (args.cost is None) != (args.budget is None):
        yield "--cost and --budget go together: the threshold follows from both"
    if args.sittings is not None and args.cost is None:
        yield "--sittings is for a threshold; add --cost and --budget"


def _of_pages(args: argparse.Namespace) -> Iterator[str]:
    if args.rounds_at and len(args.rounds_at) != len(args.journal):
        yield "--rounds-at: once for each JOURNAL, in their order"
    if args.html and len(args.journal) > 1 and args.rounds_at:
        yield "--rounds-at: with --html of one JOURNAL; allowed: --listen"
    if (args.tls_certificate is None) != (args.tls_key is None):
        yield "--tls-certificate and --tls-key: both or none"
    if args.listen is None:
        served = {
            "--people": args.people, "--host": args.host, "--tls-key": args.tls_key, "--notify": args.notify,
        }  # fmt: skip
        yield from (f"{option} is for --listen; add --listen" for option, given in served.items() if given)
        return
    yield from _of_listen(args)


def _of_listen(args: argparse.Namespace) -> Iterator[str]:
    if args.people is None:
        yield "--listen: add --people FILE, whose people with the role surveillance may look"
    elif not args.people.is_file():
        yield f"--people: {args.people}: there is no such file; crisscross people add makes one"
    if args.notify is not None and args.cost is None:
        yield "--notify is for sittings above a threshold; add --cost and --budget"
    printed = {"--html": args.html, "--export": args.export, "--json": args.json, "--seat": args.seat}
    yield from (f"{option}: not with --listen" for option, given in printed.items() if given)
    try:
        host, _ = host_and_port(args.listen)
    except ValueError:
        yield "--listen: allowed: HOST:PORT, as 127.0.0.1:8095"
        return
    if args.tls_key is None and not is_loopback(host):
        yield f"--listen: {host} {NEVER_IN_CLEAR}"
