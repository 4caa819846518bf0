"""Words for a file that a person named and that cannot be read."""

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
