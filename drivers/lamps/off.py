"""Darkens the lamps after the program has ended or crashed, kill -9 included: for systemd's ExecStopPost.

It opens the chain as the daemon does, which darkens it, and closes it again; OE becomes an input, and its
pull-up keeps the lamps dark. This module must never run beside a running daemon: only one process may have
the pins.
"""

from __future__ import annotations

from pathlib import Path

from drivers.lamps.chain import open_lamps
from drivers.pins.factory import close_factory, open_factory
from drivers.pins.map import PinMap


def lamps_off(pins: PinMap, factory_name: str, socket_path: Path | None = None) -> None:
    """Darken all lamps of this pin map. `factory_name`: pin back end of the table file; `socket_path`: socket
    of the simulated pins. Raises PinsError if the pins cannot be opened."""
    factory = open_factory(factory_name, socket_path)
    try:
        open_lamps(pins, factory).stop()
    finally:
        close_factory(factory)
