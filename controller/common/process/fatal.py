"""End of the daemon by an unforeseen error (a crash): the service manager restarts it, and the journal has
every acknowledged event. A table must never continue with a part that has silently stopped.

Only the type and the place of such an error are logged, since its message may contain a face or a PIN.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

log = logging.getLogger("crisscross")


class FatalError(Exception):
    """Raised if the daemon cannot continue. The message is one line: type and place of the error."""


class LoopErrorHandler:
    """Exception handler of an event loop. It sets `stopping` at the first error that must end the table."""

    def __init__(self, stopping: asyncio.Event) -> None:
        self._stopping = stopping
        self._error: BaseException | None = None

    def __call__(self, loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        """Log the error's type and place. A failed callback ends the daemon: it will not be called again,
        and its work is unknown."""
        error = context.get("exception")
        if error is None:
            loop.default_exception_handler(dict(context))
            return
        _log_place(error)
        if "handle" in context or isinstance(error, MemoryError):
            self._end(error)

    @contextmanager
    def watching_threads(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """End the daemon too if an error ends a thread, including one of a library: lgpio has one thread for
        all keys, and no other sign shows that keys are no longer read."""
        before = threading.excepthook

        def record(ended: threading.ExceptHookArgs) -> None:
            if isinstance(ended.exc_value, Exception) and not self._stopping.is_set():
                _log_place(ended.exc_value)
                loop.call_soon_threadsafe(self._end, ended.exc_value)

        threading.excepthook = record
        try:
            yield
        finally:
            threading.excepthook = before

    def _end(self, error: BaseException) -> None:
        self._error = self._error or error
        self._stopping.set()

    def raise_error(self) -> None:
        """Raise MemoryError or FatalError if an error ended the daemon."""
        if isinstance(self._error, MemoryError):
            raise self._error
        if self._error is not None:
            place = traceback.extract_tb(self._error.__traceback__)[-1]
            where = f"{place.filename}, line {place.lineno}"
            raise FatalError(f"ended by an error of the program: {type(self._error).__name__} in {where}")


def _log_place(error: BaseException) -> None:
    log.error("%s\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))


def report_task_error(task: asyncio.Future[Any]) -> None:
    """Raise a task's error in the loop. Callback for a task that must not end by an error."""
    if not task.cancelled():
        task.result()
