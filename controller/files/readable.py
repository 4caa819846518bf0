"""Why a file that a person named cannot be read, in the words for their one line."""

from __future__ import annotations

from pathlib import Path


def unreadable(path: Path) -> str | None:
    """None where it can be read. Something that is no plain file (a folder, a pipe) is not opened."""
    try:
        if not path.is_file():
            return "is no file" if path.exists() else "there is no such file"
        with path.open("rb"):
            return None
    except OSError as error:
        return f"cannot be read: {error.strerror}"
