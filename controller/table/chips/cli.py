"""`crisscross chips`: maintains the register of chips at a desk with one reader.

`stock.py` holds the operations on a register. Only the parser is imported at the top, so that `--help` is
quick.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from controller.common.command_line import DONE, Commands, refuse

if TYPE_CHECKING:
    from controller.settings.config import TableConfig
    from controller.table.chips.antenna import Antenna
    from controller.table.chips.stock import Stock
    from drivers.chips.module_socket import SocketModule
    from drivers.ports import CircleId

Change: TypeAlias = "Callable[[Stock], Stock]"
"""Returns a register with the change. Raises StockRefused if an entry does not allow it."""

DIFFERS = 1
MODULE_TIMEOUT_S = 2.0
_ACTS = {
    "list": "how many chips of each value, in use and withdrawn",
    "read": "what lies on a reader: each chip's number, and what the register says of it",
    "register": "new chips of one value, batch after batch off a reader",
    "withdraw": "chips that may no longer be bet",
    "restore": "withdrawn chips, in use again",
    "import": "the chips of another register as well",
    "export": "the whole register as CSV",
    "reconcile": "a count of everything found, held against the register",
}

CHANGES = ("register", "withdraw", "restore", "import")


def add_parser(subparsers: Commands, *more: str) -> Commands:
    """Add `chips` to the commands of the program, and return its acts, to which the caller adds `more`."""
    text = "the register of chips: what each is worth"
    chips = subparsers.add_parser("chips", help=text, description=text)
    acts = chips.add_subparsers(dest="act", required=True, metavar="|".join((*_ACTS, *more)))
    for name, words in _ACTS.items():
        act = acts.add_parser(name, help=words, description=words)
        _register_options(act)
        if name in ("read", "register", "withdraw", "restore", "reconcile"):
            _reader_options(act)
        act.set_defaults(run=_run, work=globals()[f"_{name}"])
        if name == "register":
            act.add_argument("value", metavar="VALUE", help="of each chip, in dollars: 25 or 2.50")
        elif name in ("withdraw", "restore"):
            act.add_argument("uids", nargs="*", metavar="UID", help="default: what lies on the reader")
        elif name == "import":
            act.add_argument("file", type=Path, metavar="FILE", help="a register: uid,cents,currency,status")
        elif name == "reconcile":
            count = "the numbers found, one a line; default: batches off the reader"
            act.add_argument("file", type=Path, nargs="?", metavar="COUNT", help=count)
        elif name == "read":
            proof = "have each chip prove itself by the secure module at this socket (chips module serve)"
            act.add_argument("--module", type=Path, metavar="SOCKET", help=proof)
    return acts


def _register_options(act: argparse.ArgumentParser) -> None:
    which = act.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--register", type=Path, metavar="FILE", help="the register; begun where there is none"
    )
    which.add_argument("--config", type=Path, metavar="FILE", help="the table file that names it")


def _reader_options(act: argparse.ArgumentParser) -> None:
    act.add_argument("--port", metavar="PORT", help="the reader's serial port")
    act.add_argument("--kind", default="pn532_uart", metavar="KIND", help="of reader; default: %(default)s")
    act.add_argument("--circle", metavar="SEAT:WAGER", help="a reader of the table file: 3:ante_across")


class UnusableChips(Exception):
    """Raised if a command cannot be carried out. The message is one line."""


def _run(args: argparse.Namespace) -> int:
    from controller.common.files.mistakes import Mistakes
    from controller.table.chips.antenna import AntennaError
    from controller.table.chips.stock import StockRefused

    try:
        return int(args.work(args))
    except (Mistakes, StockRefused) as error:
        lines = error.lines
    except (UnusableChips, AntennaError) as error:
        lines = (f"crisscross chips {args.act}: {error}",)
    except OSError as error:
        if error.filename is None:
            raise  # an error of standard output; the program reports it
        lines = (f"crisscross chips {args.act}: {error.filename}: {error.strerror}",)
    return refuse(*lines)


# ---------------------------------------------------------------------- file of the register


def _file(args: argparse.Namespace) -> Path:
    """Return the path of the register to use: the program's own example, except for changes, if the table
    file names none."""
    if args.register is not None:
        return Path(args.register)
    from controller.common.files.packaged import data_dir
    from controller.settings.config import load_config

    config = load_config(args.config)
    if args.act in CHANGES:
        _not_running(config)
    if config.keys.chips is not None:
        return config.path(config.keys.chips)
    if args.act in CHANGES:
        raise UnusableChips(
            f"{args.config}: chips: names no register; allowed: a CSV file of the house's own"
        )
    return data_dir("config") / "chips.csv"


def _not_running(config: TableConfig) -> None:
    """Raise UnusableChips if the table's daemon runs, because a round must end with the register with which
    it began."""
    from controller.record.journal.files import is_locked
    from controller.record.journal.schema import JournalError

    try:
        held = is_locked(config.journal)
    except JournalError as error:
        raise UnusableChips(str(error)) from error
    if held:
        raise UnusableChips(
            f"{config.file}: its table runs; allowed: between rounds, with its daemon stopped"
        )


def _stock(file: Path) -> Stock:
    from controller.settings.chip_register import read_rows
    from controller.table.chips.stock import Stock

    return Stock(read_rows(file) if file.exists() else ())


def _change(file: Path, act: Change) -> tuple[Stock, Stock]:
    """Apply `act` to the register as it is now, write the result, and return the register before and after.
    Changes by another command wait meanwhile, so neither overwrites the other's."""
    from controller.common.files.file_lock import lock
    from controller.settings.chip_register import write_rows

    held = lock(file, wait=True)
    try:
        before = _stock(file)
        after = act(before)
        if after.rows() != before.rows():
            write_rows(file, after.rows())
    finally:
        os.close(held)
    return before, after


# ---------------------------------------------------------------------- the reader


@contextmanager
def _desk(args: argparse.Namespace, request: str) -> Iterator[Antenna]:
    """Open the reader while the block runs, and ask on the terminal for the first batch of chips. `request`:
    what to lay on the reader."""
    import time

    from controller.table.chips.antenna import antenna

    port, kind, settle_s, circle = _reader(args)
    with antenna(port, kind, settle_s, time.monotonic, circle) as reader:
        print(f"{request} on the reader, then ENTER; q ends.", file=sys.stderr, flush=True)
        yield reader


def _batches(args: argparse.Namespace, request: str) -> Iterator[tuple[str, ...]]:
    from controller.table.chips.antenna import batches

    with _desk(args, request) as reader:
        yield from batches(reader, sys.stdin)


def _reader(args: argparse.Namespace) -> tuple[str, str, float, CircleId]:
    """Return port, kind, seconds from field on to the reading, and circle of the reader. A seat board has
    seven circles on one port."""
    from controller.table.chips.antenna import DEFAULT_CIRCLE
    from drivers.chips.kinds import READER_KINDS

    if args.port:
        if args.kind not in READER_KINDS:
            raise UnusableChips(f"--kind {args.kind}: allowed: {', '.join(READER_KINDS)}")
        return args.port, args.kind, 0.005, DEFAULT_CIRCLE
    if not (args.circle and args.config):
        raise UnusableChips("which reader? --port PORT, or --config FILE --circle SEAT:WAGER")
    from controller.settings.config import load_config

    config = load_config(args.config)
    _not_running(config)
    ports = {f"{circle.seat}:{circle.wager}": circle for circle in config.reader_ports()}
    if args.circle not in ports:
        raise UnusableChips(
            f"--circle {args.circle}: allowed: {', '.join(ports) or 'none, no reader is fitted'}"
        )
    readers, circle = config.keys.readers, ports[args.circle]
    port = config.reader_ports()[circle]
    return port, readers.kind, readers.settle_ms / 1000, (circle.seat, str(circle.wager))


# ---------------------------------------------------------------------- commands


def _list(args: argparse.Namespace) -> int:
    from controller.common.files.money import dollars
    from controller.settings.chip_register import TABLE_CURRENCY
    from controller.table.chips.stock import denomination

    stock = _stock(_file(args))
    total = 0
    for (currency, cents, status), count in sorted(stock.totals().items()):
        print(f"{denomination(currency, cents):>12}  {count:>7,}  {status.replace('_', ' ')}")
        total += cents * count * (currency == TABLE_CURRENCY and status == "in_use")
    print(f"{len(stock):,} chips, {dollars(total)} in use")
    return DONE


def _read(args: argparse.Namespace) -> int:
    from controller.table.chips.antenna import batches
    from controller.table.chips.stock import chip_text

    stock, failed = _stock(_file(args)), 0
    with _desk(args, "Chips") as reader, _module(args) as module:
        for uids in batches(reader, sys.stdin):
            for uid in uids:
                row = stock.find(uid)
                words = [uid, chip_text(row) if row else "not in the register"]
                if module is not None:
                    why = reader.failed_proof(uid, module)
                    words.append(f"NOT PROVEN: {why}" if why else "proven")
                    failed += bool(why)
                print("  ".join(words))
            print(f"{len(uids)} on the reader", flush=True)
    return DIFFERS if failed else DONE


@contextmanager
def _module(args: argparse.Namespace) -> Iterator[SocketModule | None]:
    from drivers.chips.module_socket import SocketModule

    if args.module is None:
        yield None
        return
    with closing(SocketModule(args.module, MODULE_TIMEOUT_S)) as module:
        yield module


def _register(args: argparse.Namespace) -> int:
    from controller.common.files.money import cents, dollars

    try:
        value = cents(args.value)
    except ValueError as error:
        raise UnusableChips(f"{args.value}: {error}") from None
    if not 0 < value < 10**10:
        raise UnusableChips(f"{args.value}: allowed: an amount above 0 and below $100,000,000")
    file = _file(args)

    def enter(uids: tuple[str, ...]) -> Change:
        return lambda stock: stock.with_chips(uids, value)

    return _by_batch(args, file, f"Chips of {dollars(value)}", enter)


def _by_batch(
    args: argparse.Namespace, file: Path, request: str, act: Callable[[tuple[str, ...]], Change]
) -> int:
    """Apply `act` to each batch of chips on the reader, and write the register before the next batch. A
    refused batch changes nothing.
    """
    from controller.table.chips.stock import StockRefused

    _stock(file)  # a mistake in the register is reported before the first batch
    refused = False
    for uids in _batches(args, request):
        try:
            before, after = _change(file, act(uids))
        except StockRefused as error:
            refused = True
            print(*error.lines, "nothing of this batch was entered", sep="\n", file=sys.stderr, flush=True)
            continue
        new = len(after) - len(before)
        print(f"{len(uids)} read, {new} new; {len(after):,} chips in {file}", flush=True)
    return DIFFERS if refused else DONE


def _withdraw(args: argparse.Namespace) -> int:
    return _status(args, "withdrawn", "Chips to withdraw")


def _restore(args: argparse.Namespace) -> int:
    return _status(args, "in_use", "Chips to use again")


def _status(args: argparse.Namespace, status: str, request: str) -> int:
    from controller.settings.chip_register import Status

    wanted: Status = "withdrawn" if status == "withdrawn" else "in_use"
    file = _file(args)

    def mark(uids: tuple[str, ...]) -> Change:
        return lambda stock: stock.with_status(uids, wanted)

    if not args.uids:
        return _by_batch(args, file, request, mark)
    _change(file, mark(tuple(uid.upper() for uid in args.uids)))
    print(f"{len(set(args.uids))} {status.replace('_', ' ')} in {file}")
    return DONE


def _import(args: argparse.Namespace) -> int:
    from controller.settings.chip_register import read_rows

    file = _file(args)
    rows = read_rows(args.file)
    before, after = _change(file, lambda stock: stock.with_rows(rows))
    print(f"{len(after) - len(before):,} new chips of {args.file}; {len(after):,} in {file}")
    return DONE


def _export(args: argparse.Namespace) -> int:
    from controller.settings.chip_register import text_of_rows

    sys.stdout.write(text_of_rows(_stock(_file(args)).rows()))
    return DONE


def _reconcile(args: argparse.Namespace) -> int:
    from controller.table.chips.count import read_count, report

    stock = _stock(_file(args))
    if args.file is None:
        found = {uid for uids in _batches(args, "Chips, batch after batch,") for uid in uids}
    else:
        found = read_count(args.file)
    result = stock.reconcile(found)
    for line in report(result):
        print(line)
    return DONE if result.agrees else DIFFERS
