"""Rate limit of a log, so that clients cannot fill it: one record per message every ten seconds.

Messages with a table or an occurrence in `extra` are limited separately for each, and so are those of the
template "%s" with different words; numbers in the words do not count. The number of suppressed records is
added to the next one. Times are those of the records; no clock is read.
"""

from __future__ import annotations

import logging

from controller.common.process.log_once import without_numbers

REPEAT_INTERVAL_MS = 10_000
MAX_SUBJECTS = 10_000
"""Maximum number of limited messages; further ones share the limit of their template."""


class RateLimitFilter(logging.Filter):
    """Filter for a logger or a handler. Messages are the same if their templates, tables and occurrences are
    equal; the template of "%s" is its words.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last_logged: dict[tuple[str, ...], float] = {}
        self._left_out: dict[tuple[str, ...], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        template = str(record.msg)
        key: tuple[str, ...] = (record.name, template)
        if template == "%s":
            template = without_numbers(record.getMessage())
        subject = (record.name, template, *(str(getattr(record, fact, "")) for fact in ("table", "event")))
        if subject in self._last_logged or len(self._last_logged) < MAX_SUBJECTS:
            key = subject
        last = self._last_logged.get(key)
        if last is not None and record.relativeCreated < last + REPEAT_INTERVAL_MS:
            self._left_out[key] = self._left_out.get(key, 0) + 1
            return False
        self._last_logged[key] = record.relativeCreated
        if left_out := self._left_out.pop(key, 0):
            record.msg = f"{record.msg} ({left_out} more of these)"
        return True


def rate_limit(*names: str) -> None:
    """Limit the rate of these loggers, whose records can be caused by clients."""
    for name in names:
        logging.getLogger(name).addFilter(RateLimitFilter())
