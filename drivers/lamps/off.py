"""Darkens the lamps of a table whose daemon is gone: for systemd's ExecStopPost, kill -9 included.

Opens the chain as the daemon does, which darkens it, and closes it again; OE becomes an input and its
pull-up holds the lamps dark. It must never run beside a running daemon: the pins belong to one.
"""

from __future__ import annotations

from pathlib import Path

from drivers.lamps.chain import open_lamps
from drivers.pins.factory import close_factory, open_factory
from drivers.pins.map import PinMap


def lamps_off(pins: PinMap, factory_name: str, socket_path: Path | None = None) -> None:
    """All lamps dark; raises `PinsError` where the pins cannot be had."""
    factory = open_factory(factory_name, socket_path)
    try:
        open_lamps(pins, factory).stop()
    finally:
        close_factory(factory)
