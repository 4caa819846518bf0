"""Recorder of a running pit: its entries reach the store from a thread of their own.

A store that cannot be written never delays or prevents an act. The entry is logged at once and waits in
memory until the store can be written. An entry that was not stored before the end of the service is logged.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing

from controller.common.process.retry_queue import HandlingFailed, RetryQueue
from controller.floor.pit.audit.trail import AuditAct, AuditEntry, append_entries
from controller.floor.pit.database import Database, StoreError

log = logging.getLogger("crisscross.pit")
_MAX_WAITING = 10_000
DELAYS_S = (0.2, 1.0, 2.0, 5.0)


class Recorder:
    """Recorder of acts for the audit trail. `utc`: returns the time as ISO 8601; `now`: returns monotonic
    seconds."""

    def __init__(self, utc: Callable[[], str], now: Callable[[], float]) -> None:
        self._utc = utc
        self._open_store: Callable[[], Database]
        self._fault = ""
        """Last fault of the store in the words of `/readyz`."""
        self._queue: RetryQueue[AuditEntry] = RetryQueue(
            "audit", self._store, _lost, DELAYS_S, now, most=_MAX_WAITING, for_ever=True
        )

    def start(self, open_store: Callable[[], Database]) -> None:
        """Store the entries from now on. `open_store`: opens the store of the pit for each entry."""
        self._open_store = open_store
        self._queue.start()

    def stop(self) -> None:
        self._queue.stop()

    def record(self, who: str, address: str, act: AuditAct, about: str) -> None:
        """Record an act of a user, without waiting. Any thread may call it."""
        entry = AuditEntry(self._utc(), who, address, act, about)
        log.info(
            "audit: %s, user %s, address %s: %s", act, who or "-", address or "-", about, extra={"event": act}
        )
        if not self._queue.put(entry):
            _lost(entry, "too many entries wait")

    def faults(self) -> dict[str, str]:
        """Return the fault of the audit trail by its name, "" if it has none. Any thread may call it."""
        return {"audit": self._fault if self._queue.fault() else ""}

    def _store(self, entry: AuditEntry) -> None:
        try:
            with closing(self._open_store()) as database:
                append_entries(database, entry)
        except StoreError as error:
            self._fault = error.fault
            raise HandlingFailed(str(error)) from None


def _lost(entry: AuditEntry, why: str) -> None:
    log.error("audit: this entry is not in the store: %s: %s", why, entry, extra={"event": "audit_lost"})
