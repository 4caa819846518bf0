"""`crisscross journal shortened`: somebody has seen that the end of a journal is lost, and the table goes on.

What they say stands behind the number of rows in the `.lock` file, and holds for exactly that loss. It
changes no row and starts nothing: the daemon starts held, and a floorperson decides.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import closing
from pathlib import Path

from controller.commands import Commands
from controller.journal.files import accept_loss, last_seq, lock_beside, noted_head, reading
from controller.journal.schema import JournalError

DONE, NOT_SO, UNUSABLE = 0, 1, 2


def add_parser(subparsers: Commands) -> None:
    """`journal` among the commands of the program."""
    text = "a journal that lost its end: the table goes on without it, held until a floorperson decides"
    journal = subparsers.add_parser("journal", help=text, description=text)
    acts = journal.add_subparsers(dest="act", required=True, metavar="shortened")
    act = acts.add_parser("shortened", help="its last rows are lost for good, and the table is to go on")
    act.add_argument("journal", type=Path, metavar="JOURNAL", help="the journal; its daemon has ended")
    act.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    try:
        return _shortened(args.journal)
    except JournalError as error:
        print(error, file=sys.stderr)
        return UNUSABLE


def _shortened(path: Path) -> int:
    lock = lock_beside(path)
    with closing(os.fdopen(lock)):
        head, noted = _head(path), noted_head(lock)
        if head >= noted:
            print(f"journal {path}: has all its {head} rows; there is nothing to say", file=sys.stderr)
            return NOT_SO
        accept_loss(lock, head, noted)
    print(f"{noted - head} rows are lost: it ends at row {head} and had {noted}. The table starts held.")
    print("A floorperson compares the chips and cards that lie there, and decides on the screen.")
    return DONE


def _head(path: Path) -> int:
    """Its last row; 0 where the file is gone or empty."""
    if not path.exists() or not path.stat().st_size:
        return 0
    with reading(path) as db:
        return last_seq(path, db)
