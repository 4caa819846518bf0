"""`crisscross states`, `view` and `verify`, and where `rounds` is: for developers, surveillance and auditors.

Output and statuses only; what is said comes from `states.py` and `whole.py`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from controller.audit.story import cli as rounds
from controller.commands import Commands


def add_parser(subparsers: Commands) -> None:
    """Add the commands to the program's parser."""
    states = subparsers.add_parser(
        "states", help="states, lamps, irregularities and settings, printed from the code"
    )
    states.set_defaults(run=_states)
    view = subparsers.add_parser("view", help="what a page is given of the table: its JSON schema")
    view.add_argument("--types", action="store_true", help="as TypeScript declarations")
    view.set_defaults(run=_view)
    rounds.add_parser(subparsers)
    verify = subparsers.add_parser("verify", help="the journal is whole, and replaying it gives its rounds")
    verify.add_argument("journal", type=Path, metavar="JOURNAL")
    verify.set_defaults(run=_verify)


def _states(_args: argparse.Namespace) -> int:
    from controller.audit.states import PRINTED

    print("\n".join(printed() for printed in PRINTED.values()), end="")
    return 0


def _view(args: argparse.Namespace) -> int:
    from controller.display.view_schema import json_schema, typescript

    print(typescript() if args.types else json_schema(), end="")
    return 0


def _verify(args: argparse.Namespace) -> int:
    """Whole as SQLite sees it, and every event replayable."""
    from controller.audit.rounds import read_rounds
    from controller.audit.whole import check_whole
    from controller.journal.schema import JournalError

    try:
        played = len(read_rounds(args.journal))
    except JournalError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        rows = check_whole(args.journal)
    except JournalError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{args.journal}: {rows} events without a gap, {played} rounds replayed")
    return 0
