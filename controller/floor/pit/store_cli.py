"""Further commands of `crisscross pit`: `refold`, `backup`, `restore`, `verify`, `downgrade`, `audit`,
`notify` and `user`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.common.command_line import DONE, FAILED, refuse
from controller.floor.pit.access.cli import add_options as add_user_options
from controller.floor.pit.access.cli import run_user

if TYPE_CHECKING:
    from controller.floor.pit.audit.trail import AuditAct, AuditEntry
    from controller.rules.packs.loader import OfTable


def add_parsers(pit: argparse.ArgumentParser, of_table: OfTable) -> None:
    """Add the commands for a store and its users to `crisscross pit`."""
    commands = pit.add_subparsers(title="commands for a store and its users", metavar="COMMAND")

    def command(name: str, words: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = commands.add_parser(name, help=words, description=words)
        parser.set_defaults(run=run, of_table=of_table)
        return parser

    def store(parser: argparse.ArgumentParser) -> None:
        words = "a file, or postgresql://USER@HOST/DATABASE"
        parser.add_argument("--store", default=argparse.SUPPRESS, metavar="URL", help=words)

    user = command("user", "add, change or remove a user of the pages", run_user)
    add_user_options(user)
    notify = command("notify", "send a test to every webhook and mail server of a file", _notify)
    notify.add_argument("file", type=Path, metavar="FILE", help="as --notify of a pit names it")
    notify.add_argument("--name", default=argparse.SUPPRESS, metavar="NAME", help="of the pit")
    notify.add_argument("--lang", default=argparse.SUPPRESS, metavar="LANG", help="of the test")
    refold = command("refold", "make the figures again from the events, also while the pit runs", _refold)
    store(refold)
    rules = "a table file or a pack whose odds the figures know; may come again"
    refold.add_argument("--rules", action="append", default=argparse.SUPPRESS, metavar="FILE", help=rules)
    refold.add_argument("--dry-run", action="store_true", help="compare alone")
    backup = command(
        "backup", "copy the store into a file and verify the copy, also while the pit runs", _backup
    )
    backup.add_argument("file", type=Path, metavar="FILE", help="a new file")
    store(backup)
    restore = command("restore", "put a copy into an empty store", _restore)
    restore.add_argument("file", type=Path, metavar="FILE", help="a copy")
    store(restore)
    _add_verify(command)
    audit = command("audit", "print the audit trail, an object of JSON on a line, and verify it", _audit)
    store(audit)
    known = "a hash that was printed before: fail if the trail has it no more"
    audit.add_argument("--known", default="", metavar="HASH", help=known)
    words = "bring the store back to the version of the former program, with the pit stopped"
    store(command("downgrade", words, _downgrade))


def _add_verify(command: Callable[..., argparse.ArgumentParser]) -> None:
    words = "verify that a copy has every event that was acknowledged, or that an archive is unchanged"
    verify = command("verify", words, _verify)
    verify.add_argument("file", type=Path, metavar="PATH", help="a copy, or the folder of --archive")
    against = "with an archive: the store, or a copy of it, which the archive has to agree with"
    verify.add_argument("--against", default="", metavar="URL", help=against)


def _refold(arguments: argparse.Namespace) -> int:
    from contextlib import closing

    from controller.common.files.mistakes import Mistakes
    from controller.floor.pit.expected_win import load_odds
    from controller.floor.pit.opening import open_database
    from controller.floor.pit.refold import as_lines, refold

    try:
        packs = load_odds(arguments.rules, arguments.of_table)
    except Mistakes as mistakes:
        return refuse(f"crisscross pit: --rules: {mistakes.lines[0]}")

    def work() -> list[str]:
        with closing(open_database(arguments.store, writing=False)) as database:
            done = refold(database, packs, dry_run=arguments.dry_run, entry=_entry("refold"))
        return as_lines(done, dry_run=arguments.dry_run)

    return _printed(work)


def _backup(arguments: argparse.Namespace) -> int:
    from controller.floor.pit.copies import backup

    entry = _entry("backup", str(arguments.file))
    return _printed(lambda: backup(arguments.store, arguments.file, entry))


def _restore(arguments: argparse.Namespace) -> int:
    from controller.floor.pit.copies import restore_copy

    entry = _entry("restore", str(arguments.file))
    return _printed(lambda: restore_copy(arguments.file, arguments.store, entry))


def _verify(arguments: argparse.Namespace) -> int:
    from controller.floor.pit.copies import verify_copy

    if arguments.file.is_dir():
        return _verify_archive(arguments)
    if arguments.against:
        return refuse("crisscross pit: --against: is for the folder of an archive")
    return _printed(lambda: verify_copy(arguments.file))


def _verify_archive(arguments: argparse.Namespace) -> int:
    from contextlib import ExitStack, closing

    from controller.floor.pit.archive_check import verify_archive
    from controller.floor.pit.database import StoreError
    from controller.floor.pit.opening import open_database
    from controller.floor.pit.retention import ArchiveError
    from controller.floor.pit.schema import check_copy

    try:
        with ExitStack() as stack:
            store = None
            if arguments.against:
                store = stack.enter_context(closing(open_database(arguments.against, writing=False)))
                check_copy(store)
            report = verify_archive(arguments.file, store)
    except (ArchiveError, StoreError) as error:
        return refuse(str(error), status=FAILED)
    print("".join(f"{line}\n" for line in report.lines), end="")
    return refuse("\n".join(report.faults), status=FAILED) if report.faults else DONE


def _audit(arguments: argparse.Namespace) -> int:
    from contextlib import closing

    from controller.floor.pit.audit.trail import verified
    from controller.floor.pit.database import StoreError
    from controller.floor.pit.opening import open_database
    from controller.floor.pit.schema import check_version

    number, last, is_known = 0, "none", not arguments.known
    try:
        with closing(open_database(arguments.store, writing=False)) as database:
            check_version(database)
            for each in verified(database):
                print(each.as_json())
                number, last, is_known = each.number, each.hash, is_known or each.hash == arguments.known
    except StoreError as error:
        return refuse(str(error), status=FAILED)
    if not is_known:
        return refuse("audit: has no entry with the hash of --known; entries were cut off", status=FAILED)
    print(f"audit: {number} entries, the hash of the last is {last}", file=sys.stderr)
    return DONE


def _notify(arguments: argparse.Namespace) -> int:
    from secrets import token_hex

    from controller.common.clock import posix_now, utc_now
    from controller.common.files.mistakes import Mistakes
    from controller.common.notify.notification import Notification
    from controller.common.notify.settings import read_receivers
    from controller.common.process.retry_queue import HandlingFailed

    try:
        receivers = read_receivers(arguments.file, arguments.lang, posix_now)
    except Mistakes as mistakes:
        return refuse("\n".join(mistakes.lines))
    status = DONE
    for each in receivers:
        try:
            each.send(Notification(token_hex(12), utc_now(), arguments.name, "", "test"))
            print(f"{each.name}: took the test")
        except HandlingFailed as error:
            status = refuse(f"{each.name}: {error}", status=FAILED)
    return status


def _downgrade(arguments: argparse.Namespace) -> int:
    from contextlib import closing

    from controller.floor.pit.audit.trail import append_entries
    from controller.floor.pit.opening import open_database
    from controller.floor.pit.schema import check_known, downgrade, version_of

    def work() -> list[str]:
        with closing(open_database(arguments.store, writing=False)) as database:
            check_known(database)
        with closing(open_database(arguments.store, writing=True)) as database:
            copied, number = downgrade(database), version_of(database)
            if database.has("audit"):  # a store older than the audit trail has no such table
                append_entries(database, _entry("downgrade", f"to version {number}"))
        ends = "start the former program with it; this one upgrades it again"
        return [f"as it was: {copied}", f"the store is of version {number} now; {ends}"]

    return _printed(work)


def _entry(act: AuditAct, about: str = "") -> AuditEntry:
    """Return an entry of the audit trail for a command of this login."""
    from controller.common.clock import utc_now
    from controller.floor.pit.audit.trail import AuditEntry, login

    return AuditEntry(utc_now(), login(), "", act, about)


def _printed(work: Callable[[], list[str]]) -> int:
    from controller.floor.pit.database import StoreError

    try:
        lines = work()
    except StoreError as error:
        return refuse(str(error), status=FAILED)
    print("\n".join(lines))
    return DONE
