"""`crisscross shoe pair`: pairs a table with its shoe; a technician runs it while no daemon runs.

Both ends show six digits, and a person compares them. Nothing is stored before the person confirms that they
are the same; no key is printed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.common.command_line import DONE, FAILED, Commands, refuse

if TYPE_CHECKING:
    from serial import Serial

    from controller.settings.config import TableConfig
    from drivers.shoe.pairing import ControllerPairing

ASK_EVERY_S: Final = 0.5
PAIRING_TIMEOUT_S: Final = 120.0
"""Timeout in seconds for a person to go to the shoe and confirm there."""


def add_parser(subparsers: Commands) -> None:
    """Add `shoe` to the commands of the program."""
    text = "the keys by which a table and its shoe know each other"
    shoe = subparsers.add_parser("shoe", help=text, description=text)
    acts = shoe.add_subparsers(dest="act", required=True, metavar="pair")
    words = "exchange keys with the shoe on its line; six digits are compared. Stop the daemon first"
    pair = acts.add_parser("pair", help=words, description=words)
    pair.add_argument("config", type=Path, metavar="FILE", help="the table file")
    pair.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    from controller.table.daemon.cli import with_config

    return with_config(arguments.config, pair)


def pair(config: TableConfig, ask: Callable[[str], str] = input) -> int:
    """Pair the table with its shoe while a person compares digits; return the exit status: 0 if paired, 1 if
    not, 2 if the table has no shoe to pair with. `ask`: shows a question and returns the person's answer."""
    import serial

    from controller.record.journal.files import is_locked
    from controller.record.journal.schema import JournalError
    from drivers.shoe.pairing import NotPaired

    shoe = config.keys.shoe
    if shoe is None or shoe.protocol != "v1":
        return refuse(f"{config.file}: shoe: a shoe with protocol v1 is needed to pair")
    try:
        if is_locked(config.journal):
            return refuse(f"{config.journal} is held by a daemon: stop it first", status=FAILED)
    except JournalError as error:
        return refuse(error)
    try:
        with serial.Serial(shoe.port, shoe.baud or 115_200, timeout=0.05, exclusive=True) as port:
            return _pair(config, port, ask)
    except NotPaired as error:
        return refuse(f"shoe on {shoe.port}: not paired: {error}", status=FAILED)
    except (serial.SerialException, OSError) as error:
        return refuse(f"shoe on {shoe.port}: {error}", status=FAILED)


def _pair(config: TableConfig, port: Serial, ask: Callable[[str], str]) -> int:
    from drivers.shoe.keys import write_keys
    from drivers.shoe.pairing import ControllerPairing, NotPaired

    pairing = ControllerPairing(config.keys.table)
    print("Put the shoe into its pairing mode.", flush=True)
    _exchange(pairing, port, lambda: pairing.digits is not None)
    print(f"Digits here: {pairing.digits}. Shoe {pairing.serial} shows its own.", flush=True)
    if ask("Are they the same? yes or no: ").strip().lower() != "yes":
        raise NotPaired("the digits differ: somebody else may be on the line; nothing was kept")
    pairing.confirm()
    print("Confirm at the shoe as well.", flush=True)
    _exchange(pairing, port, lambda: pairing.paired is not None)
    if pairing.paired is None:
        raise NotPaired("the shoe did not confirm")
    write_keys(config.pairing, pairing.paired)
    print(f"Paired with shoe {pairing.serial}; keys in {config.pairing}.")
    print(f"Now set shoe.link: 2 in {config.file}.")
    return DONE


def _exchange(pairing: ControllerPairing, port: Serial, over: Callable[[], bool]) -> None:
    """Send the pairing's request repeatedly until `over` returns true. Raises NotPaired after
    `PAIRING_TIMEOUT_S`."""
    from drivers.shoe.pairing import NotPaired

    began, sent_at, sent = time.monotonic(), 0.0, b""
    while not over():
        now = time.monotonic()
        if now > began + PAIRING_TIMEOUT_S:
            raise NotPaired("no answer; is the shoe in its pairing mode, and confirmed there?")
        if now > sent_at + ASK_EVERY_S or sent != pairing.request:
            sent_at, sent = now, pairing.request
            port.write(sent)
        pairing.receive(port.read(256))
