"""Checks whether a witness has recently cosigned the table's journal (controller/record/witness/WITNESS.md).

It reads the file that the feed writes, and accepts a line only if the witness's key verifies it. It opens no
connection and delays nothing: without a recent cosignature play goes on, and a notice is shown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from controller.common.process.log_once import LogOnce
from controller.common.tlog.note import BadNote, VerifierKey
from controller.record.journal.journal import Journal
from controller.record.journal.schema import JournalError
from controller.record.seal.cosigned import BadCosigned, cosignatures_path, newest_cosigned_size
from controller.settings.config import TableConfig

log = logging.getLogger("crisscross")


class WitnessMonitor:
    """State of the cosigning. Call `words` once a second. `seconds`: returns monotonic seconds."""

    def __init__(self, config: TableConfig, journal: Journal, seconds: Callable[[], float]) -> None:
        seal = config.keys.seal
        self._keys = [VerifierKey.parse(each.key) for each in seal.witnesses]
        self._notice_after_s = seal.notice_after_s
        self._journal, self._seconds = journal, seconds
        self._file = cosignatures_path(config.journal)
        self._looked_at: tuple[int, int] | None = None
        self._faults = LogOnce(log)
        self._since: float | None = None
        """Time at which a checkpoint without a cosignature was first seen."""
        self._cosigned = 0
        self._cosigned = self._newest()

    def words(self, *, reported: bool) -> str | None:
        """Return the fault in one line, or None if there is none.

        `reported`: it was reported and has not been cleared.
        """
        if not self._keys:
            return None
        before, self._cosigned = self._cosigned, self._newest()
        size = self._size()
        if self._cosigned >= size:
            self._since = None
            return None
        now = self._seconds()
        if self._since is None or self._cosigned > before:
            self._since = now
        stands = reported and self._cosigned == before
        if not stands and now - self._since < self._notice_after_s:
            return None
        return f"{size} leaves are signed, and a witness has seen {self._cosigned} of them; look at the feed"

    def _size(self) -> int:
        try:
            return self._journal.signed_size()
        except JournalError as error:
            self._faults.warn(f"witness: {error}")
            return self._cosigned

    def _newest(self) -> int:
        """Return the size of the largest tree that a witness has cosigned.

        Returns the previous size if the file is unchanged, unreadable or invalid.
        """
        try:
            found = self._file.stat()
        except OSError:
            return self._cosigned
        looked_at = (found.st_size, found.st_mtime_ns)
        if looked_at == self._looked_at:
            return self._cosigned
        self._looked_at = looked_at
        try:
            return max(
                self._cosigned, newest_cosigned_size(self._file, self._keys, self._journal.signed_text)
            )
        except (BadCosigned, BadNote, JournalError) as error:
            self._faults.warn(f"witness: {error}")
            return self._cosigned
