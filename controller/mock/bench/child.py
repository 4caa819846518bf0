"""Child processes of the mock table, such as the daemon: started, awaited, stopped, or killed as by a power
failure.

The daemon has started when it sends READY (sd_notify); nothing is polled. A child ends with its parent. This
module must never leave a process behind.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from controller.mock.bench.bench import TableStopped
from controller.mock.bench.options import TablePaths

READY_TIMEOUT_S = 60.0
"""Timeout in seconds from the start of the daemon to its READY; on a busy machine it takes half of that."""
READY_TIMEOUT_VARIABLE = "CRISSCROSS_READY_TIMEOUT_S"
"""Environment variable that replaces `READY_TIMEOUT_S`."""
MAX_READY_TIMEOUT_S = 3600
_STOP_TIMEOUT_S = 10.0
_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def _die_with_parent() -> None:
    """Request from the kernel that this child process ends with the mock (prctl(2))."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def ready_timeout_s() -> float:
    """Return the seconds that a daemon has until READY. Raises TableStopped if the variable is not a whole
    number from 1 to MAX_READY_TIMEOUT_S."""
    text = os.environ.get(READY_TIMEOUT_VARIABLE, "")
    if not text:
        return READY_TIMEOUT_S
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_READY_TIMEOUT_S:
        return float(text)
    raise TableStopped(f"{READY_TIMEOUT_VARIABLE}: allowed: whole seconds from 1 to {MAX_READY_TIMEOUT_S}")


class Child:
    """A process in its own session, so that Ctrl-C at the terminal reaches only the parent. Its output is
    appended to the file `log`."""

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self._command, self._log = tuple(command), log
        self._process: asyncio.subprocess.Process | None = None
        self._log_begin = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def spawn(self, environment: Mapping[str, str]) -> None:
        """Start the process with these environment variables. Raises OSError if the program cannot be
        started."""
        with self._log.open("ab") as log:
            self._log_begin = log.tell()
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment, start_new_session=True, preexec_fn=_die_with_parent,
            )  # fmt: skip

    async def ended(self) -> int:
        """Wait for the process to end and return its status; 0 if it was never started."""
        if self._process is None:
            return 0
        return await self._process.wait()

    async def stop(self) -> None:
        """Send SIGTERM, and SIGKILL if the process does not end in time."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            try:
                await asyncio.wait_for(process.wait(), _STOP_TIMEOUT_S)
            except TimeoutError:
                await self.kill()
        self._process = None

    async def kill(self) -> None:
        """Send SIGKILL, as a power failure would end the process."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    def end_reason(self, what: str) -> str:
        """Return one line for an error message: `what`, and the reason why the process has ended.

        The reason is the signal, or the exit status with the last line of the output.
        """
        status = self._process.returncode if self._process else None
        if status is not None and status < 0:
            return f"{what} (signal {signal.Signals(-status).name})"
        ended = "" if status is None else f" (status {status})"
        return f"{what}{ended}: {self._last_line() or 'no line was written'}"

    def _last_line(self) -> str:
        """Return the last line that this process has written, "" if none. Warnings are left out, because no
        process ends with one."""
        try:
            written = self._log.read_bytes()[self._log_begin :].decode(errors="replace")
        except OSError:
            return ""
        lines = (line for line in written.strip().splitlines() if not line.startswith("WARNING "))
        return next(reversed([*lines]), "")


class Daemon(Child):
    """The daemon: `crisscross run` on a table file."""

    def __init__(self, places: TablePaths, arguments: Sequence[str] = ()) -> None:
        self._places = places
        run = ("-m", "controller", "run", "--mock", "--config", str(places.table))
        super().__init__((sys.executable, *(tuple(arguments) or run)), places.log)

    async def start(self) -> int:
        """Start the daemon and return the display's port once it is ready. Raises TableStopped if it does
        not become ready in time."""
        timeout_s = ready_timeout_s()
        self._places.port.unlink(missing_ok=True)
        self._places.notify.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as notifications:
            notifications.bind(str(self._places.notify))
            environment = {**os.environ, "NOTIFY_SOCKET": str(self._places.notify)}
            environment.pop("WATCHDOG_USEC", None)
            await self.spawn(environment)
            await self._ready(notifications, timeout_s)
        return int(self._places.port.read_text(encoding="ascii"))

    async def _ready(self, notifications: socket.socket, timeout_s: float) -> None:
        ready = asyncio.ensure_future(self._until_ready(notifications))
        ended = asyncio.ensure_future(self.ended())
        try:
            await asyncio.wait((ready, ended), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if not ended.done() and not ready.done():
                await self.kill()
                waits = f"{READY_TIMEOUT_VARIABLE}={3 * max(1, round(timeout_s))} waits longer"
                raise TableStopped(f"the daemon was not ready after {timeout_s:.0f} s and was ended; {waits}")
            if not ready.done() or ready.exception():
                await self.kill()
                raise TableStopped(self.end_reason("the daemon did not start"))
        finally:
            ready.cancel()
            ended.cancel()
            await asyncio.gather(ready, ended, return_exceptions=True)

    async def _until_ready(self, notifications: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while b"READY=1" not in (await loop.sock_recv(notifications, 4096)).split(b"\n"):
            continue
