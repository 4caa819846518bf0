"""Files that a process keeps open: whether their paths still lead to them, or a file was deleted or
replaced.
"""

from __future__ import annotations

from pathlib import Path


class OpenFiles:
    """Files at `paths`. The identity of each is taken at the first call of `are_there` that finds it."""

    def __init__(self, *paths: Path) -> None:
        self._known: dict[Path, tuple[int, int] | None] = dict.fromkeys(paths)
        """Device and inode of each file, None before it was found."""

    def are_there(self) -> bool:
        """Return True unless a file found before was deleted, moved or replaced."""
        for path, known in self._known.items():
            found = _inode(path)
            if known is None:
                self._known[path] = found
            elif known != found:
                return False
        return True

    def leads_to(self, path: Path) -> bool:
        """Return whether `path`, one of the paths, leads to the known file. Any thread may call it."""
        return self._known[path] == _inode(path)


def _inode(path: Path) -> tuple[int, int] | None:
    """Return the device and the inode of a file, None without such a file."""
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino
