"""Reasons why a file named by a person cannot be read."""

from __future__ import annotations

from pathlib import Path


def unreadable(path: Path) -> str | None:
    """Return the reason, or None if the file is readable. Other kinds than plain files (a folder, a pipe)
    are not opened."""
    try:
        if not path.is_file():
            return "is no file" if path.exists() else "there is no such file"
        with path.open("rb"):
            return None
    except OSError as error:
        return f"cannot be read: {error.strerror}"
