"""The process that serves the pages, as the daemon starts it: before it reads the table file, so that both
import what they need at one time.

It waits until it is told what to serve. This module imports nothing that takes time.
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

PAGES = "controller.pages.page_process.main"
MAX_OPTIONS_BYTES = 64 * 2**10
STOP_S = 2.0


@dataclass(frozen=True, slots=True)
class Options:
    """Options from the daemon. `user`: user of the table's own screen; `closed`: no other is answered."""

    language: str
    hosts: tuple[str, ...]
    framed_by: str
    zone: str
    touches: int
    user: str
    closed: bool
    host: str = ""
    port: int = 0
    """Address that a page process of another user binds itself; a child is given its listening socket."""
    waiting: str = ""
    """Answer to every request while the daemon waits for room on its disk; "" if the table is served."""

    def line(self) -> bytes:
        """These options as one line of JSON, for a page process of another user."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def read(cls, line: bytes) -> Options:
        return cls(**json.loads(line))


class PagesProcess:
    """One process and the line to it, which ends with it."""

    def __init__(self) -> None:
        """Raises OSError where the machine has no room for it."""
        self.line, far = socket.socketpair()
        self._told = False
        try:
            with far:
                self._process = subprocess.Popen(  # noqa: S603  # our own program, and a number
                    [sys.executable, "-m", PAGES, str(far.fileno())],
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=(far.fileno(),),
                    process_group=0,  # what is typed at a terminal is meant for the daemon
                )  # fmt: skip
        except OSError:
            self.line.close()
            raise

    def tell(self, listening: socket.socket, options: Options) -> None:
        """Send the options and the socket. Raises OSError if the process has ended."""
        self._told = True
        socket.send_fds(self.line, [options.line()], [listening.fileno()])

    def end(self) -> None:
        """The line is shut; what does not end by itself is killed, at once where it serves nothing yet."""
        self.line.close()
        try:
            self._process.wait(STOP_S if self._told else 0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def receive_options(line: socket.socket) -> tuple[socket.socket, Options] | None:
    """At the other end: where to serve what. None where the daemon never came to it."""
    text, listening, _flags, _address = socket.recv_fds(line, MAX_OPTIONS_BYTES, 1)
    if not text:
        return None
    return socket.socket(fileno=listening[0]), Options.read(text)


@dataclass(frozen=True, slots=True)
class PageSocket:
    """Socket to which a page process of another user connects. `user`: the number that it must have."""

    path: Path
    user: int


Pages: TypeAlias = PagesProcess | PageSocket
"""Server of the pages: a child, or a process of another user that connects."""


@contextmanager
def spawned() -> Iterator[PagesProcess]:
    """It has ended when this is left."""
    process = PagesProcess()
    try:
        yield process
    finally:
        process.end()
