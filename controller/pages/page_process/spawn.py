"""Starts the page process before the daemon reads the table file, so that both import their modules at the
same time.

The process waits for its options. This module imports nothing that takes time.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

PAGES_MODULE = "controller.pages.page_process.main"
MAX_OPTIONS_BYTES = 64 * 2**10
MAX_MESSAGE_BYTES = 32 * 2**20
"""Maximum length of a message between the daemon and the page process."""
_STOP_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class PageOptions:
    """Options that the daemon gives a page process. `user`: user who runs the table's own screen. `closed`:
    whether only that user is answered."""

    language: str
    hosts: tuple[str, ...]
    framed_by: str
    zone: str
    touches: int
    user: str
    closed: bool
    host: str = ""
    port: int = 0
    """Port to which a page process of another user binds itself; 0 for a child, which gets its listening
    socket instead.
    """
    waiting: str = ""
    """Response to every request while the daemon waits for free disk space; "" if the table is served."""

    def line(self) -> bytes:
        """Return the options as one line of JSON, in which form a page process of another user gets them."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def read(cls, line: bytes) -> PageOptions:
        return cls(**json.loads(line))


class PagesProcess:
    """Child process that serves the pages, with its connection. Closing the connection ends the process."""

    def __init__(self) -> None:
        """Start the process. Raises OSError if the machine has no resources for it."""
        self.line, far = socket.socketpair()
        self._has_options = False
        try:
            with far:
                self._process = subprocess.Popen(  # noqa: S603  # our own program, and a number
                    [sys.executable, "-m", PAGES_MODULE, str(far.fileno())],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=(far.fileno(),),
                    # so that keys typed at a terminal, such as Ctrl-C, reach only the daemon
                    process_group=0,
                )  # fmt: skip
        except OSError:
            self.line.close()
            raise

    def send_options(self, listening: socket.socket, options: PageOptions) -> None:
        """Send the options and the listening socket. Raises OSError if the process has ended."""
        self._has_options = True
        socket.send_fds(self.line, [options.line()], [listening.fileno()])

    def end(self) -> None:
        """Close the connection and wait for the end of the process.

        It is killed after STOP_S, or at once if it has no options yet.
        """
        self.line.close()
        try:
            self._process.wait(_STOP_TIMEOUT_S if self._has_options else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def receive_options(line: socket.socket) -> tuple[socket.socket, PageOptions] | None:
    """Return the listening socket and the options that the daemon sends, or None if the daemon ended
    first.
    """
    text, listening, _flags, _address = socket.recv_fds(line, MAX_OPTIONS_BYTES, 1)
    if not text:
        return None
    return socket.socket(fileno=listening[0]), PageOptions.read(text)


@dataclass(frozen=True, slots=True)
class PageSocket:
    """Unix socket to which a page process of another user connects. `user`: the required user ID."""

    path: Path
    user: int


Pages: TypeAlias = PagesProcess | PageSocket
"""Server of the pages: a child, or a process of another user that connects."""


@contextmanager
def spawned() -> Iterator[PagesProcess]:
    """Start a page process; end it at the end of the block."""
    process = PagesProcess()
    try:
        yield process
    finally:
        process.end()
