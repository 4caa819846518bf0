"""The daemon's end of the simulated pins' socket: lines of JSON, one reading thread.

It is independent of pins. Sending never waits: a bench that does not read is a lost connection. A lost
connection is logged once as an error, retried every quarter of a second, and logged once when it is
restored; it must never raise into gpiozero's threads.
"""

from __future__ import annotations

import json
import logging
import select
import socket
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from drivers.json_lines import json_line
from drivers.pins.back_end import BackEndLost

log = logging.getLogger(__name__)

LINK_RETRY_S = 0.25
_MAX_LINE_BYTES = 65536


class LinkOwner(Protocol):
    """Receiver of the link's calls; all but the first `line_up` are on the link's thread."""

    def line_up(self) -> None:
        """Send the complete state to the bench after a (re)connection."""

    def line_lost(self) -> None: ...

    def received(self, message: Mapping[str, Any], now: float) -> None: ...

    def next_due(self) -> float | None:
        """Return the time at which `settle` is due next, on the clock of `received`."""

    def settle(self, now: float) -> None:
        """Report the edges whose bounce time is over. It is called only when everything that the bench sent
        has been received."""


class SimLink:
    """Connection of the daemon to the bench, which is opened again after a loss."""

    def __init__(self, path: Path, owner: LinkOwner) -> None:
        self._path = path
        self._owner = owner
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._logged_lost = False
        self._thread = threading.Thread(target=self._run, name="sim-pins", daemon=True)

    def open(self) -> None:
        """Connect once. Raises OSError if the bench does not listen."""
        self._socket = self._connect()
        self._owner.line_up()
        self._thread.start()

    def close(self) -> None:
        self._stopping.set()
        with self._lock:
            if self._socket is not None:
                # wakes the thread out of its select()
                self._hang_up(self._socket)
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._drop()

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one line, completely or not at all. Raises BackEndLost while the connection is lost."""
        data = json_line(message)
        with self._lock:
            if self._socket is None:
                raise BackEndLost(f"{self._path}: the simulated pins are not connected")
            try:
                sent = self._socket.send(data, socket.MSG_DONTWAIT)
            except OSError as error:
                self._hang_up(self._socket)
                raise BackEndLost(f"{self._path}: {error}") from error
            if sent != len(data):
                self._hang_up(self._socket)
                raise BackEndLost(f"{self._path}: the bench does not read")

    def _connect(self) -> socket.socket:
        found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            found.connect(str(self._path))
        except OSError:
            found.close()
            raise
        return found

    @staticmethod
    def _hang_up(line: socket.socket) -> None:
        try:
            line.shutdown(socket.SHUT_RDWR)
        except OSError as error:
            log.debug("simulated pins: hanging up: %s", error)

    def _drop(self) -> None:
        with self._lock:
            if self._socket is not None:
                self._hang_up(self._socket)
                self._drain(self._socket)
                self._socket.close()
                self._socket = None

    @staticmethod
    def _drain(line: socket.socket) -> None:
        """Read the remaining bytes: closing a socket with unread bytes resets it, and the bench would lose
        the last lines."""
        try:
            while line.recv(4096, socket.MSG_DONTWAIT):
                continue
        except OSError as error:
            log.debug("simulated pins: draining: %s", error)

    def _run(self) -> None:
        while not self._stopping.is_set():
            reason = self._read_until_lost()
            self._drop()
            if self._stopping.is_set():
                return
            if not self._logged_lost:
                log.error("simulated pins at %s: lost (%s): lamps and keys are off", self._path, reason)
            self._logged_lost = True
            self._owner.line_lost()
            self._reconnect()

    def _reconnect(self) -> None:
        while not self._stopping.wait(LINK_RETRY_S):
            try:
                found = self._connect()
            except OSError:
                # logged when it was lost; the return is logged below
                continue
            with self._lock:
                self._socket = found
            self._owner.line_up()
            return

    def _read_until_lost(self) -> str:
        line = self._socket
        buffer = b""
        while line is not None and not self._stopping.is_set():
            due = self._owner.next_due()
            wait = None if due is None else max(0.0, due - time.monotonic())
            try:
                if not select.select([line], [], [], wait)[0]:
                    self._owner.settle(time.monotonic())
                    continue
                data = line.recv(4096)
            except OSError as error:
                return str(error)
            if not data:
                return "the bench hung up"
            *lines, buffer = (buffer + data).split(b"\n")
            if len(buffer) > _MAX_LINE_BYTES:
                return "the bench sent a line without an end"
            for text in lines:
                self._dispatch(text)
        return "closed"

    def _dispatch(self, text: bytes) -> None:
        try:
            message = json.loads(text)
        except ValueError:
            log.warning("simulated pins at %s: a line that is not JSON was dropped", self._path)
            return
        if self._logged_lost:
            # not logged at the connection: a bench that already has a daemon closes it without a message
            log.info("simulated pins at %s: back", self._path)
            self._logged_lost = False
        if isinstance(message, dict):
            self._owner.received(message, time.monotonic())
