"""Reasons why a file named by a person cannot be read."""

from __future__ import annotations

from pathlib import Path


def read_error(path: Path) -> str | None:
    """Return the reason, or None if the file is readable. Only a plain file is opened, never a folder or a
    pipe."""
    try:
        if not path.is_file():
            return "is no file" if path.exists() else "there is no such file"
        with path.open("rb"):
            return None
    except OSError as error:
        return f"cannot be read: {error.strerror}"
