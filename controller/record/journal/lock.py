"""Lock of a journal that is open for writing, and the identity of its files.

A second program is refused by `.lock` beside the journal's file, and by a lock of the key folder (flock(2)).
Symbolic links lead to the same two. A deleted `.lock` can be made again, but the key folder stays locked.
`check` finds a deleted, moved or replaced file before a commit.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from controller.common.files import file_lock
from controller.common.files.open_files import OpenFiles, log_paths
from controller.record.journal.files import check_one_name, os_words
from controller.record.journal.schema import JournalError, JournalFault

_LOCKED_TEXT = "journal {}: another daemon holds it; end that one first"
_CHANGED_TEXT = (
    "journal {}: {} was deleted, moved or replaced while this program has it open; put the same file back, "
    "or end this program and put back the journal or a copy of it"
)


class JournalLock:
    """Lock of one journal until `close`. Its owner calls `check` after it opened the journal, and before each
    commit.
    """

    def __init__(self, path: Path, keys: Path) -> None:
        """Lock the journal at `path` with the key folder `keys`. Raises JournalError if another program has
        one of them, a file cannot be created, or the journal has several names."""
        self._path, self._keys = path, keys
        try:
            self.handle = file_lock.lock(path)
        except file_lock.AlreadyLocked as error:
            raise JournalError(_LOCKED_TEXT.format(path)) from error
        except OSError as error:
            raise JournalError(f"journal {path}: {os_words(error)}") from error
        self._handles = [self.handle]
        self._logs = log_paths(path)
        self._files = OpenFiles(path, *self._logs)
        self._files.hold(file_lock.lock_path(path), self.handle)
        try:
            check_one_name(path)
            self.lock_keys()
        except JournalError:
            self.close()
            raise

    def lock_keys(self) -> None:
        """Lock the key folder, unless that is done or there is none yet. Raises JournalError if another
        program has it."""
        if self._keys in self._files:
            return
        try:
            folder = os.open(self._keys, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            return  # a missing folder is reported when the keys are read
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(folder)
            raise JournalError(_LOCKED_TEXT.format(self._path)) from error
        self._handles.append(folder)
        self._files.hold(self._keys, folder)

    def check(self) -> None:
        """Raise JournalFault if a file of the journal is not the one that was opened."""
        if (changed := self._files.changed()) is not None:
            raise JournalFault(_CHANGED_TEXT.format(self._path, changed))

    def reopening(self) -> None:
        """Accept the log files that SQLite creates when the journal is opened again."""
        self._files.forget(*self._logs)

    def write_head(self, head: int) -> None:
        """Write the number of rows into the lock file, so that a journal that lost its end, or its whole
        file, is not taken for a new one. Call it after the rows are on the disk: the number may be too low,
        never too high."""
        os.pwrite(self.handle, f"{head:<31}\n".encode(), 0)

    def close(self) -> None:
        """Release the lock. May be called again."""
        handles, self._handles = self._handles, []
        for handle in handles:
            os.close(handle)
