"""Notifications that tell systemd the state of the program (ready, watchdog, stopping): sd_notify(3) with
the standard library.

Without NOTIFY_SOCKET every call does nothing. A notification must never stop the game: an unreachable manager
is logged on one line. Anyone who may run systemctl can read STATUS, so it must never name a card or an
amount.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)

KIND = socket.SOCK_DGRAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK


class Notifier:
    """Sender of datagrams to the service manager. ``address``: as in NOTIFY_SOCKET, or None."""

    def __init__(self, address: str | None) -> None:
        self._address = None if address is None else _socket_address(address)
        # kept open, so that a heartbeat can be sent even when no descriptor is free
        self._line = None if address is None else socket.socket(socket.AF_UNIX, KIND)
        self._unreachable = False

    def close(self) -> None:
        if self._line is not None:
            self._line.close()

    def ready(self, status: str = "") -> None:
        """Report that the start is finished (Type=notify waits for this)."""
        self._send("READY=1" if not status else f"READY=1\nSTATUS={_one_line(status)}")

    def starting(self, text: str, within_s: float) -> None:
        """Report why the start takes longer. The next report follows within `within_s` seconds."""
        self._send(f"STATUS={_one_line(text)}\nEXTEND_TIMEOUT_USEC={round(within_s * 1_000_000)}")

    def status(self, text: str) -> None:
        """Set the line shown by ``systemctl status``."""
        self._send(f"STATUS={_one_line(text)}")

    def watchdog(self) -> None:
        """Send a heartbeat; call it only if the loop, the shoe's link and the readers have made progress."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if self._address is None or self._line is None:
            return
        try:
            self._line.sendto(message.encode(), self._address)
        except OSError as error:
            if not self._unreachable:
                log.warning("cannot notify systemd (%s): %s: check its NotifyAccess=", message, error)
            self._unreachable = True
            return
        self._unreachable = False


def notifier(environment: Mapping[str, str] = os.environ) -> Notifier:
    """Return the notifier of this process."""
    return Notifier(environment.get("NOTIFY_SOCKET") or None)


def _socket_address(address: str) -> str:
    """Return the address with a leading @ replaced by the NUL byte of an abstract socket."""
    if address[:1] not in ("/", "@"):
        raise ValueError(f"NOTIFY_SOCKET: {address}: a path or an abstract socket with @ is allowed")
    return "\0" + address[1:] if address.startswith("@") else address


def _one_line(text: str) -> str:
    """Return the text on one line: a line break would begin a new assignment."""
    return " ".join(text.split())
