"""Log of a fault that is retried: one line when it begins and one for each change, none for each attempt.

Numbers in a message do not count as a change. A line that a filter of the logger suppresses is logged at a
later attempt.
"""

from __future__ import annotations

import logging
import re

_NUMBERS = re.compile(r"[0-9]+")


def without_numbers(words: str) -> str:
    """Return a log line without its numbers. Lines that are equal then report the same fault."""
    return _NUMBERS.sub("", words)


class LogOnce:
    """Log of the faults of one connection, file or service."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._kind: str | None = ""
        """Last logged fault without its numbers. None after it is over; "" before the first success or
        fault."""

    def warn(self, words: str, event: str = "") -> None:
        """Log a fault if it is not the one that was logged last. `event`: its kind in one word, for a log
        collector; "" for none."""
        kind = without_numbers(words)
        if kind != self._kind and self._is_logged(words, event):
            self._kind = kind

    def _is_logged(self, words: str, event: str) -> bool:
        """Write a warning to the log. Returns False if a filter of the logger suppresses it."""
        log = self._log
        if not log.isEnabledFor(logging.WARNING):
            return True
        extra = {"event": event} if event else None
        record = log.makeRecord(log.name, logging.WARNING, __file__, 0, "%s", (words,), None, None, extra)
        is_passed = bool(log.filter(record))
        if is_passed:
            log.callHandlers(record)
        return is_passed

    def over(self) -> bool:
        """End the fault, so that the next one is logged again. Returns True for the first success, and for
        the first success after a fault.
        """
        is_new, self._kind = self._kind is not None, None
        return is_new
