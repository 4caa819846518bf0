"""`crisscross simulate shoe` and `simulate reader`: a technician's devices, each with a fault console.

Options only; the simulators are the drivers' own and are imported when one is asked for.
"""

from __future__ import annotations

import argparse

from controller.commands import Commands


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
    reader = devices.add_parser("reader", help="one PN532 with a fault console")
    add_arguments(reader)
    reader.set_defaults(run=_reader)


def _shoe(arguments: argparse.Namespace) -> int:
    from drivers.shoe.sim.console import simulate_shoe

    return simulate_shoe(arguments)


def _reader(arguments: argparse.Namespace) -> int:
    from drivers.chips.sim.console import simulate_reader

    return simulate_reader(arguments)
