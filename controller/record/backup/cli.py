"""`crisscross backup`, `restore` and `archive`: copies of a journal, also while the table plays.

A copy is verified before it gets its name.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common import clock
from controller.common.command_line import DONE, Commands, refuse
from controller.common.files.account import account

if TYPE_CHECKING:
    from controller.record.audit.integrity import Verified


def add_parser(subparsers: Commands) -> None:
    """Add the commands `backup`, `restore` and `archive`."""
    backup = subparsers.add_parser("backup", help="a copy of a journal as it is now, while play goes on")
    backup.add_argument("journal", type=Path, metavar="JOURNAL")
    backup.add_argument("to", type=Path, metavar="FILE", help="that is not there yet")
    backup.set_defaults(run=_reporting_errors, work=_backup)
    restore = subparsers.add_parser("restore", help="a copy in the place of a journal that is gone")
    restore.add_argument("copy", type=Path, metavar="FILE", help="from `crisscross backup`")
    restore.add_argument("journal", type=Path, metavar="JOURNAL", help="that is not there any more")
    restore.set_defaults(run=_reporting_errors, work=_restore)
    archive = subparsers.add_parser("archive", help="what is old goes from a journal into files of its own")
    archive.add_argument("journal", type=Path, metavar="JOURNAL")
    archive.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="of the archives")
    archive.add_argument(
        "--days", type=_days, default=90, metavar="N", help="that stay in the journal; 90 (default) or more"
    )
    archive.add_argument(
        "--keep-days", type=_days, metavar="N", help="archives older than that are removed; 90 or more"
    )
    archive.add_argument(
        "--free-gib", type=_gib, default=0, metavar="N",
        help="archives are removed, the oldest first, until so much is free there; never of the last 90 days",
    )  # fmt: skip
    archive.set_defaults(run=_reporting_errors, work=_archive)


def _days(text: str) -> int:
    from controller.record.backup.archive import MIN_DAYS

    if not text.isascii() or not text.isdigit() or not MIN_DAYS <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"a whole number from {MIN_DAYS}")
    return int(text)


def _gib(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise argparse.ArgumentTypeError("a whole number from 0")
    return int(text)


def _reporting_errors(args: argparse.Namespace) -> int:
    from controller.record.journal.schema import JournalError

    work: Callable[[argparse.Namespace], None] = args.work
    try:
        work(args)
    except JournalError as error:
        return refuse(error)
    except OSError as error:
        return refuse(f"{error.filename}: {error.strerror}")
    return DONE


def _backup(args: argparse.Namespace) -> None:
    from controller.record.backup.copying import copy_journal

    _print(args.to, copy_journal(args.journal, args.to))
    print("the keys are not in it: keep the folder of the keys in another place")


def _restore(args: argparse.Namespace) -> None:
    from controller.record.backup.copying import restore_journal
    from controller.record.journal.completeness import missing, read_counts
    from controller.record.journal.files import reading

    _print(args.journal, restore_journal(args.copy, args.journal, clock.utc_now(), account()))
    with reading(args.journal) as db:
        lack = missing(db, read_counts(args.journal))
    if lack is not None:
        print(lack.advice(args.journal), file=sys.stderr)


def _archive(args: argparse.Namespace) -> None:
    from datetime import datetime

    from controller.record.backup.archive import archive_rows, removable

    now = datetime.fromisoformat(clock.utc_now())
    done = archive_rows(args.journal, args.to, now, args.days, account())
    if done is None:
        print(f"{args.journal}: holds no day that is older than {args.days} days")
    else:
        _print(*done)
    for file in list(removable(args.journal, args.to, now, args.keep_days, args.free_gib * 2**30)):
        file.unlink()
        print(f"{file}: removed")


def _print(file: Path, whole: Verified) -> None:
    print(f"{file}: whole: {whole.rows} events, {whole.rounds} rounds")
