"""`crisscross states` and `crisscross view`: references for developers and auditors, printed from the code.

Output and exit statuses only; `states.py` makes the text.
"""

from __future__ import annotations

import argparse

from controller.common.command_line import Commands


def add_parser(subparsers: Commands) -> None:
    """Add the parsers of both commands to the program's commands."""
    states = subparsers.add_parser(
        "states", help="states, lamps, irregularities and settings, printed from the code"
    )
    states.set_defaults(run=_states)
    view = subparsers.add_parser("view", help="what a page is given of the table: its JSON schema")
    view.add_argument("--types", action="store_true", help="as TypeScript declarations")
    view.set_defaults(run=_view)


def _states(_args: argparse.Namespace) -> int:
    from controller.reference.states import PRINTED

    print("\n".join(printed() for printed in PRINTED.values()), end="")
    return 0


def _view(args: argparse.Namespace) -> int:
    from controller.pages.display.view_schema import json_schema, typescript

    print(typescript() if args.types else json_schema(), end="")
    return 0
