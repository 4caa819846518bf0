"""`crisscross simulate shoe` and `simulate reader`: simulated devices for a technician, each with a fault
console.

This module only parses options; the simulators belong to the drivers and are imported on use.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from controller.common.command_line import Commands


def add_parser(subparsers: Commands) -> None:
    from drivers.chips.sim.console import add_arguments
    from drivers.shoe.sim.console import add_shoe_arguments

    text = "a simulated device on a real serial port or a new pseudo-terminal"
    devices = subparsers.add_parser("simulate", help=text, description=text).add_subparsers(
        dest="device", required=True, metavar="shoe|reader"
    )
    shoe = devices.add_parser("shoe", help="a dealing shoe with a fault console")
    add_shoe_arguments(shoe)
    shoe.set_defaults(run=_shoe)
    reader = devices.add_parser("reader", help="one chip reader with a fault console")
    add_arguments(reader)
    reader.add_argument(
        "--register", type=Path, metavar="FILE", help="the chips of `lay $25`; default: the program's example"
    )
    reader.set_defaults(run=_reader)


def _shoe(arguments: argparse.Namespace) -> int:
    from drivers.shoe.sim.console import simulate_shoe

    return simulate_shoe(arguments)


def _reader(arguments: argparse.Namespace) -> int:
    from controller.common.files.mistakes import Mistakes
    from controller.common.files.money import dollars
    from controller.common.files.packaged import data_dir
    from controller.settings.chip_register import read_register
    from drivers.chips.sim.console import simulate_reader
    from drivers.chips.sim.kinds import UID_PREFIX

    try:
        register = read_register(arguments.register or data_dir("config") / "chips.csv")
    except Mistakes as mistakes:
        sys.stderr.write("\n".join(mistakes.lines) + "\n")
        return 2
    before = "" if arguments.register else UID_PREFIX.get(arguments.kind, "")
    values = {before + chip.uid: dollars(chip.cents) for chip in register if chip.cents}
    return simulate_reader(arguments, values)
