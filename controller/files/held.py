"""The lock beside a file, `FILE.lock`: a process has the file. The kernel keeps it, and ends it with the
process, however that ends; the lock's own file stays.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class HeldByAnother(Exception):
    """Another process has the file."""


def hold(path: Path) -> int:
    """The lock's descriptor: what is closed or ends lets go. HeldByAnother; OSError where the lock's file
    cannot be opened."""
    handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise HeldByAnother from None
    return handle


def is_held(path: Path) -> bool:
    """Whether a process has it now. Creates and changes nothing. OSError as above."""
    try:
        handle = os.open(f"{path}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
