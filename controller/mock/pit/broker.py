"""Mosquitto on this machine: the path of its program and the settings of one listener.

The tests start their brokers with the same settings. This module starts nothing.
"""

from __future__ import annotations

import shutil
import socket
from collections.abc import Sequence
from pathlib import Path

LOOPBACK = "127.0.0.1"
PACKAGE = "mosquitto"
"""Name of the Debian package."""
QUEUE_SETTINGS = ("max_packet_size 266240", "max_queued_messages 0", "max_queued_bytes 67108864")
"""Limits for a pit's broker, in bytes. By default Mosquitto keeps 1,000 messages and drops the rest."""
SBIN = "/usr/sbin:/usr/local/sbin"
"""Folders of system programs, where Debian installs the broker. A user's PATH often lacks them."""


def program(path: str | None = None) -> str | None:
    """Return the broker's program, or None if it is neither on `path` (default: PATH) nor in `SBIN`."""
    return shutil.which(PACKAGE, path=path) or shutil.which(PACKAGE, path=SBIN)


def free_port() -> int:
    """Return a free TCP port of 127.0.0.1. Mosquitto cannot choose one itself (port 0)."""
    with socket.create_server((LOOPBACK, 0)) as free:
        return int(free.getsockname()[1])


def write_settings(file: Path, port: int, *more: str, host: str = LOOPBACK) -> Path:
    """Write a file for `mosquitto -c` and return it.

    Without `more`, any user of this machine may connect. Messages are not stored on disk, and those that
    wait are limited by QUEUE_SETTINGS. `user root` lets a broker that root starts read its files; for another
    user Mosquitto ignores it (mosquitto.conf(5), user).
    """
    access: Sequence[str] = more or ("allow_anonymous true",)
    log = ("log_dest stderr", "log_type error")
    lines = (f"listener {port} {host}", "persistence false", *QUEUE_SETTINGS, *log, *access, "user root", "")
    file.write_text("\n".join(lines), encoding="utf-8")
    return file
