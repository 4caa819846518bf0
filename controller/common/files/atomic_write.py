"""Atomic replacement of a file: after a power failure it is the old or the new one, never a mixture. No
power cut leaves half a file.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def replace_text(path: Path, text: str, mode: int = 0o644, *, durable: bool = True) -> None:
    """Write `text` beside `path` and rename it. Owner and mode of an existing file stay. `mode`: mode of a
    new file; `durable`: whether to wait until it is on the disk.

    Raises OSError on failure; the old file is then unchanged.
    """
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            _same_owner(path, handle, mode)
            file.write(text)
            file.flush()
            if durable:
                os.fsync(handle)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    if durable:
        to_disk(path.parent)


def _same_owner(path: Path, handle: int, mode: int) -> None:
    if path.exists():
        was = path.stat()
        os.fchmod(handle, was.st_mode & 0o777)
        if (was.st_uid, was.st_gid) != (os.geteuid(), os.getegid()):
            os.fchown(handle, was.st_uid, was.st_gid)
    else:
        os.fchmod(handle, mode)


def rename_into_place(half: Path, to: Path) -> None:
    """Rename a finished file. On return the file and its name are on the disk. Raises OSError if that
    fails."""
    to_disk(half)
    half.replace(to)
    to_disk(to.parent)


def to_disk(place: Path) -> None:
    """Fsync a file, or the names in a folder. Raises OSError if that fails."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
