"""`crisscross pit`: one floor of many tables.

Only the parser is imported at the top, so that `--help` is quick; other modules are imported when a command
needs them.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.common.command_line import DONE, FAILED, Commands, refuse
from controller.floor.pit.access.options import add_options as add_access_options
from controller.floor.pit.store_cli import add_parsers

if TYPE_CHECKING:
    from controller.common.tlog.note import SigningKey
    from controller.floor.pit.serve import PitOptions
    from controller.rules.packs.loader import OfTable

MAX_KEY_BYTES = 4096
MAX_DAYS = 36_500
MAX_WORDS = 400
"""Maximum number of characters of a typed reason or name."""
NO_EXTRA = "crisscross pit: {name} is missing; type make pit in a checkout, or pip install 'WHEEL[pit]'"


class _Unusable(Exception):
    """Raised if an option cannot be used. The message is one line."""


def add_parser(subparsers: Commands, of_table: OfTable) -> None:
    """Add `pit` to the commands of the program. `of_table`: reads the rules of a table file."""
    text = "many tables on one floor: stores the events that they publish to a broker, and shows them"
    pit = subparsers.add_parser("pit", help=text, description=text)
    add = pit.add_argument
    add(
        "--broker",
        default="mqtt://127.0.0.1",
        metavar="URL",
        help="mqtt://[USER@]HOST[:PORT] or mqtts://[USER@]HOST[:PORT]",
    )
    words = "a file with the password of that user; default: the credential broker-password of its service"
    add("--broker-password", type=Path, metavar="FILE", help=words)
    add("--ca", type=Path, metavar="FILE", help="whose signature the broker's certificate has to have")
    add("--cert", type=Path, metavar="FILE", help="the pit's own certificate")
    add("--cert-key", type=Path, metavar="FILE", help="and its key")
    add("--store", default="pit.db", metavar="URL", help="a file, or postgresql://USER@HOST/DATABASE")
    add("--name", default="pit-1", metavar="NAME", help="of this pit; each has its own")
    add("--key", type=Path, metavar="FILE", help="signs the answers; `crisscross witness new-key` writes one")
    add("--listen", default="127.0.0.1:8090", metavar="HOST:PORT", help="of the pages")
    add("--host", action="append", default=[], metavar="NAME", help="by which browsers ask; may come again")
    rules = "a table file or a pack whose odds the figures know, beside those of the program; may come again"
    add_access_options(add)
    add("--rules", action="append", default=[], metavar="FILE", help=rules)
    _add_retention_options(add)
    words = (
        "webhooks and mail for a hold, a call, a copied chip, a silent table and a fault; "
        "`crisscross pit notify` tests it"
    )
    add("--notify", type=Path, metavar="FILE", help=words)
    _add_page_options(add)
    add(
        "--accept", nargs=2, metavar=("TABLE", "STREAM"),
        help="join this stream to what is kept of the table, and end; a pit that runs turns to it",
    )  # fmt: skip
    add("--reason", default="", metavar="TEXT", help="with --accept: why; required within one journal")
    add("--by", default="", metavar="NAME", help="with --accept: by whom; default: the user of this login")
    pit.set_defaults(run=run_pit, of_table=of_table)
    add_parsers(pit, of_table)


def _add_retention_options(add: Callable[..., Any]) -> None:
    keep = "every event and round of them; figures stay for ever; left out: all of it"
    add("--keep-days", type=int, default=None, metavar="DAYS", help=keep)
    words = "with --keep-days: a folder into which events are written before they are dropped"
    add("--archive", type=Path, metavar="DIR", help=words)


def _add_page_options(add: Callable[..., Any]) -> None:
    """Add the options of the clock, the language and the log."""
    add("--zone", default="", metavar="ZONE", help="of the clock on the wall; default: the machine's")
    add("--shifts", default="6,14,22", metavar="HOURS", help="when shifts begin, the gaming day's first")
    add("--lang", default="en", metavar="LANG", help="of the pages; each screen may choose another")
    add("--log", choices=("text", "json"), default="text", help="form of the log on stderr")
    levels = ("debug", "info", "warning", "error")
    add("--log-level", choices=levels, default="info", help="lowest level that is logged")


def run_pit(arguments: argparse.Namespace) -> int:
    """Run `crisscross pit` and return its exit status."""
    try:
        return _accept(arguments) if arguments.accept else _serve(arguments)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("paho", "psycopg"):
            raise
        return refuse(NO_EXTRA.format(name=error.name.partition(".")[0]))
    except _Unusable as error:
        return refuse(f"crisscross pit: {error}")


def _serve(arguments: argparse.Namespace) -> int:
    from controller.common.files.mistakes import Mistakes
    from controller.common.http.server import ServerError
    from controller.floor.pit import logs
    from controller.floor.pit.database import StoreError
    from controller.floor.pit.mqtt_subscriber import BrokerError
    from controller.floor.pit.serve import Ended, serve

    logs.configure_logging(arguments.log, arguments.log_level)
    options = _options(arguments)
    try:
        serve(options)
    except (StoreError, ServerError, BrokerError, Ended) as error:
        return refuse(str(error), status=FAILED)
    except Mistakes as mistakes:
        return refuse(f"crisscross pit: {mistakes.lines[0]}")
    return DONE


def _check_values(arguments: argparse.Namespace) -> None:
    """Raise _Unusable if an option has a value that is not allowed."""
    from controller.common.files.zones import known
    from controller.common.texts.catalogue import languages
    from controller.floor.uplink.wire import NAME_PATTERN

    if not re.fullmatch(NAME_PATTERN, arguments.name):
        raise _Unusable("--name: allowed: up to 64 letters, digits, - and _")
    if arguments.zone and not known(arguments.zone):
        raise _Unusable("--zone: is no time zone of this system; allowed: as America/New_York")
    if arguments.lang not in languages():
        raise _Unusable(f"--lang: allowed: {', '.join(languages())}")
    if arguments.keep_days is not None and not 1 <= arguments.keep_days <= MAX_DAYS:
        raise _Unusable(f"--keep-days: allowed: whole days from 1 to {MAX_DAYS}; left out: for ever")
    if arguments.archive is not None and arguments.keep_days is None:
        raise _Unusable("--archive: is for events that --keep-days drops; give both")
    if arguments.archive is not None and not os.access(arguments.archive, os.W_OK | os.X_OK):
        raise _Unusable(f"--archive: {arguments.archive}: is no folder that this user may write; make it")


def _options(arguments: argparse.Namespace) -> PitOptions:
    from controller.common.files.mistakes import Mistakes
    from controller.floor.pit import expected_win
    from controller.floor.pit.access.options import BadAccess, access_options
    from controller.floor.pit.database import StoreError, check_url
    from controller.floor.pit.figures import BadShifts, Shifts
    from controller.floor.pit.mqtt_subscriber import BrokerError, broker_of
    from controller.floor.pit.serve import PitOptions

    _check_values(arguments)
    host, port = _listen(arguments.listen)
    try:
        access = access_options(arguments, host)
        check_url(arguments.store)
        shifts = Shifts.parse(arguments.shifts)
        broker = broker_of(
            arguments.broker, arguments.ca, arguments.cert, arguments.cert_key,
            _broker_password(arguments.broker_password),
        )  # fmt: skip
        packs = expected_win.load_odds(arguments.rules, arguments.of_table)
    except BadShifts as error:
        raise _Unusable(f"--shifts: {error}") from None
    except (BadAccess, BrokerError, StoreError) as error:
        raise _Unusable(str(error)) from None
    except Mistakes as mistakes:
        raise _Unusable(f"--rules: {mistakes.lines[0]}") from None
    return PitOptions(
        broker, arguments.store, arguments.name, _key(arguments.key), host, port, tuple(arguments.host),
        arguments.zone, shifts, arguments.lang, packs, arguments.keep_days, arguments.archive, access,
        arguments.notify,
    )  # fmt: skip


def _broker_password(file: Path | None) -> str | None:
    from controller.common.files.secret_file import SecretError, read_secret, service_credential

    file = file or service_credential("broker-password")
    try:
        return read_secret(file) if file else None
    except SecretError as error:
        raise _Unusable(f"--broker-password: {error}") from None


def _listen(text: str) -> tuple[str, int]:
    from controller.common.http.host_names import host_and_port

    try:
        return host_and_port(text)
    except ValueError:
        raise _Unusable("--listen: allowed: HOST:PORT, as 127.0.0.1:8090 or 0.0.0.0:8090") from None


def _key(file: Path | None) -> SigningKey | None:
    """Return the key in a file, or None without a file. Error messages never quote the file."""
    from controller.common.tlog.note import COSIGNATURE, BadNote, SigningKey

    if file is None:
        return None
    try:
        with file.open("rb") as opened:
            text = opened.read(MAX_KEY_BYTES).decode("ascii", "replace")
        return SigningKey.parse(text.removesuffix("\n"), COSIGNATURE)
    except OSError as error:
        raise _Unusable(f"--key: {file}: {error.strerror}") from None
    except BadNote as error:
        raise _Unusable(f"--key: {file}: {error}; allowed: what `crisscross witness new-key` wrote") from None


def _accept(arguments: argparse.Namespace) -> int:
    from contextlib import closing
    from getpass import getuser

    from controller.common.clock import utc_now
    from controller.floor.pit.audit.trail import AuditEntry, append_entries, login
    from controller.floor.pit.database import StoreError
    from controller.floor.pit.opening import open_database
    from controller.floor.pit.schema import check_version
    from controller.floor.pit.store import accept, load_heads
    from controller.floor.uplink.stream_names import journal_of

    table, stream = arguments.accept
    who, reason = arguments.by or getuser(), arguments.reason.strip()
    _check_words(who, reason)
    try:
        with closing(open_database(arguments.store, writing=False)) as database:
            check_version(database)
            known = load_heads(database).get(table)
            if known is None:
                return refuse(f"crisscross pit: --accept: the store has no table {table}", status=FAILED)
            if known.stream == stream:
                return refuse(
                    f"crisscross pit: --accept: {stream} is the table's stream already", status=FAILED
                )
            if journal_of(known.stream) == journal_of(stream) and not reason:
                raise _Unusable("--reason: missing; allowed: why the table's journal was put back, as text")
            by = f"{table}: {stream} by {who}"  # `who` is as typed; the trail also has the user of the login
            append_entries(database, AuditEntry(utc_now(), login(), "", "stream_accepted", by))
            accept(database, table, stream, utc_now(), who, reason)
    except StoreError as error:
        return refuse(str(error), status=FAILED)
    print(f"table {table}: stream {stream} is accepted by {who}; the events of {known.stream} stay readable")
    return DONE


def _check_words(who: str, reason: str) -> None:
    """Raise _Unusable if a text is not a single line of limited length."""
    for option, text in (("--by", who), ("--reason", reason)):
        if len(text) > MAX_WORDS or not (text.isprintable() or not text):
            raise _Unusable(f"{option}: allowed: one line of at most {MAX_WORDS} characters")
