"""Files that a process keeps open: whether their paths still lead to them, or a file was deleted, moved or
replaced.
"""

from __future__ import annotations

import os
from pathlib import Path


def log_paths(database: Path) -> tuple[Path, Path]:
    """Return the paths of the `-wal` and `-shm` that SQLite keeps beside a database, also if `database` is a
    symbolic link to it."""
    real = os.path.realpath(database)
    return Path(f"{real}-wal"), Path(f"{real}-shm")


class OpenFiles:
    """Identities of files that the process keeps open at `paths`, to notice that a path leads to another
    file. Each is taken at the first call of `changed` that finds the file."""

    def __init__(self, *paths: Path) -> None:
        self._known: dict[Path, tuple[int, int] | None] = dict.fromkeys(paths)
        """Device and inode of each file, None before it was found."""

    def __contains__(self, path: Path) -> bool:
        return path in self._known

    def hold(self, path: Path, handle: int) -> None:
        """Take the identity of the file at `path` from its open descriptor `handle`."""
        self._known[path] = _identity(os.fstat(handle))

    def forget(self, *paths: Path) -> None:
        """Forget the identity of files that are closed now and may have new ones afterwards."""
        self._known |= dict.fromkeys(paths)

    def changed(self) -> Path | None:
        """Return the first path whose file was found before and was since deleted, moved or replaced; None if
        there is none."""
        for path, known in self._known.items():
            found = _inode(path)
            if known is None:
                self._known[path] = found
            elif known != found:
                return path
        return None

    def leads_to(self, path: Path) -> bool:
        """Return whether `path`, one of the paths, leads to the known file. Any thread may call it."""
        return self._known[path] == _inode(path)


def _inode(path: Path) -> tuple[int, int] | None:
    """Return the device and the inode of a file, None without such a file."""
    try:
        return _identity(os.stat(path))  # noqa: PTH116  # quicker than `Path.stat`, which a commit calls often
    except OSError:
        return None


def _identity(about: os.stat_result) -> tuple[int, int]:
    return about.st_dev, about.st_ino
