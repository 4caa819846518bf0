"""An error that no part has foreseen ends the daemon: the service manager starts it again, and the journal
has all that was acknowledged. A table must never go on with a part that has silently stopped.

The words of such an error are never logged: they may hold a face or a PIN. Its kind and its place are.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Mapping
from typing import Any

log = logging.getLogger("crisscross")


class Broken(Exception):
    """The daemon cannot go on: one line, the kind of error and where."""


class Fatal:
    """The handler of a loop's errors. `stopping` is set by the first one that the table cannot live with."""

    def __init__(self, stopping: asyncio.Event) -> None:
        self._stopping = stopping
        self._error: BaseException | None = None

    def __call__(self, loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        """A callback that failed is not called again, and nobody knows what it would have done."""
        error = context.get("exception")
        if error is None:
            loop.default_exception_handler(dict(context))
            return
        log.error("%s\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
        if "handle" in context or isinstance(error, MemoryError):
            self._error = self._error or error
            self._stopping.set()

    def raise_it(self) -> None:
        """Raises MemoryError or Broken where the daemon was ended by an error."""
        if isinstance(self._error, MemoryError):
            raise self._error
        if self._error is not None:
            place = traceback.extract_tb(self._error.__traceback__)[-1]
            where = f"{place.filename}, line {place.lineno}"
            raise Broken(f"ended by an error of the program: {type(self._error).__name__} in {where}")


def report_task_error(task: asyncio.Future[Any]) -> None:
    """The callback of a task that must not end by an error: such an end is one of the loop's callbacks."""
    if not task.cancelled():
        task.result()
