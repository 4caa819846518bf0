"""`crisscross journal`: the path of a table's journal, and a journal that lost its end.

`path` prints the path for a script. With `shortened` a technician confirms that the end of a journal is lost,
so the table can continue.

The confirmation is written after the number of rows in the `.lock` file, is valid for exactly that loss,
and becomes a leaf of the journal's tree (history.py). The command changes no row and starts nothing: the
daemon starts with play held, and a floorperson decides.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from controller.common import clock
from controller.common.command_line import DONE, Commands, refuse
from controller.common.files.account import account
from controller.record.journal.completeness import Missing, accept, missing, read_counts, record_loss
from controller.record.journal.files import default_keys, has_seal, last_seq, reading, writing
from controller.record.journal.lock import JournalLock
from controller.record.journal.schema import JournalError

NOT_SO = 1


def add_parser(subparsers: Commands) -> None:
    """Add the command `journal`."""
    text = "where a table's journal is; and a journal that lost its end, without which the table goes on"
    journal = subparsers.add_parser("journal", help=text, description=text)
    acts = journal.add_subparsers(dest="act", required=True, metavar="path|shortened")
    act = acts.add_parser("shortened", help="its last rows are lost for good, and the table is to go on")
    act.add_argument("journal", type=Path, metavar="JOURNAL", help="the journal; its daemon has ended")
    act.set_defaults(run=_run)
    path = acts.add_parser("path", help="print the path of the journal that a table file names")
    path.add_argument("--config", type=Path, required=True, metavar="FILE", help="the table file")
    path.set_defaults(run=_print_path)


def _print_path(args: argparse.Namespace) -> int:
    from controller.common.files.mistakes import Mistakes
    from controller.settings.journal_path import read_journal_path

    try:
        print(read_journal_path(args.config))
    except Mistakes as mistakes:
        return refuse(*mistakes.lines)
    return DONE


def _run(args: argparse.Namespace) -> int:
    try:
        return _shortened(args.journal)
    except JournalError as error:
        return refuse(error)


def _shortened(path: Path) -> int:
    with closing(JournalLock(path, default_keys(path))) as lock:
        lack = _missing(path)
        if lack is None:
            return refuse(
                f"journal {path}: has all its {_head(path)} rows; there is nothing to say", status=NOT_SO
            )
        utc, who = clock.utc_now(), account()
        _record(path, lack, utc, who)
        accept(lock.handle, lack.line(utc, who))
    has, had = lack.rows
    print(f"{had - has} rows are lost: it ends at row {has} and had {had}. The table starts held.")
    print("A floorperson compares the chips and cards that lie there, and decides on the screen.")
    return DONE


def _missing(path: Path) -> Missing | None:
    counts = read_counts(path)
    if _is_gone(path):
        return missing(None, counts)
    with reading(path) as db:
        return missing(db, counts)


def _record(path: Path, lack: Missing, utc: str, who: str) -> None:
    """Write the accepted loss into the history of a sealed journal. A journal without a seal has no history
    yet: the daemon writes the act at its start."""
    if _is_gone(path):
        return
    with reading(path) as db:
        sealed = has_seal(db)
    if sealed:
        with writing(path) as db:
            record_loss(db, lack, utc, who)


def _is_gone(path: Path) -> bool:
    return not path.exists() or not path.stat().st_size


def _head(path: Path) -> int:
    """Return the number of the last row, 0 if the file is missing or empty."""
    if _is_gone(path):
        return 0
    with reading(path) as db:
        return last_seq(path, db)
