"""`crisscross states`, `view`, `rounds` and `verify`: for developers, the floor, surveillance and auditors.

Output and statuses only; what is said comes from `states.py`, `rounds.py` and `show.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.commands import Commands

DEFAULT_JOURNAL = Path("/var/lib/crisscross/journal.db")


def add_parser(subparsers: Commands) -> None:
    """Add the commands to the program's parser."""
    states = subparsers.add_parser(
        "states", help="states, lamps, irregularities and settings, printed from the code"
    )
    states.set_defaults(run=_states)
    view = subparsers.add_parser("view", help="what a page is given of the table: its JSON schema")
    view.add_argument("--types", action="store_true", help="as TypeScript declarations")
    view.set_defaults(run=_view)
    rounds = subparsers.add_parser("rounds", help="what happened, reconstructed from the journal")
    acts = rounds.add_subparsers(dest="act", required=True, metavar="list|show|export")
    for name, text, run in (
        ("list", "a line a round", _list),
        ("show", "one round whole", _show),
        ("export", "every round as a line of JSON", _export),
    ):
        _round_command(acts, name, text, run)
    verify = subparsers.add_parser("verify", help="the journal is whole, and replaying it gives its rounds")
    verify.add_argument("journal", type=Path, metavar="JOURNAL")
    verify.set_defaults(run=_verify)


def _round_command(acts: Commands, name: str, text: str, run: Callable[[argparse.Namespace], int]) -> None:
    parser = acts.add_parser(name, help=text)
    if name == "show":
        parser.add_argument("number", type=int, metavar="N")
    parser.add_argument("--journal", type=Path, default=DEFAULT_JOURNAL, help="default: %(default)s")
    if name != "export":
        parser.add_argument("--json", action="store_true", help="round records instead of words")
    parser.set_defaults(run=run)


def _states(_args: argparse.Namespace) -> int:
    from controller.audit.states import PRINTED

    print("\n".join(printed() for printed in PRINTED.values()), end="")
    return 0


def _view(args: argparse.Namespace) -> int:
    from controller.display.view_schema import json_schema, typescript

    print(typescript() if args.types else json_schema(), end="")
    return 0


def _list(args: argparse.Namespace) -> int:
    from controller.audit.rounds import round_lines

    records = _read(args.journal)
    if records is None:
        return 2
    for line in map(json.dumps, records) if args.json else round_lines(records):
        print(line)
    return 0


def _export(args: argparse.Namespace) -> int:
    args.json = True
    return _list(args)


def _show(args: argparse.Namespace) -> int:
    from controller.audit.show import show

    records = _read(args.journal)
    if records is None:
        return 2
    found = [record for record in records if record["round"] == args.number]
    if not found:
        print(f"{args.journal}: has no round {args.number}", file=sys.stderr)
        return 1
    print(json.dumps(found[0]) if args.json else "\n".join(show(found[0])))
    return 0


def _verify(args: argparse.Namespace) -> int:
    """Whole as SQLite sees it, and every event replayable."""
    from controller.audit.whole import check_whole
    from controller.journal.schema import JournalError

    records = _read(args.journal)
    if records is None:
        return 2
    try:
        rows = check_whole(args.journal)
    except JournalError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{args.journal}: {rows} events without a gap, {len(records)} rounds replayed")
    return 0


def _read(journal: Path) -> list[Any] | None:
    from controller.audit.rounds import read_rounds
    from controller.journal.schema import JournalError

    try:
        return list(read_rounds(journal))
    except JournalError as error:
        print(error, file=sys.stderr)
        return None
