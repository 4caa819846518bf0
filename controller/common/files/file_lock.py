"""Lock beside a file, `FILE.lock`, so that two processes never write it at once. The kernel releases it
when the process ends, for whatever reason; the lock's file remains.

It belongs to the open file description (fcntl(2), "Open file description locks"), so `is_locked` takes no
lock that would disturb a `lock`.
"""

from __future__ import annotations

import fcntl
import os
import struct
from pathlib import Path

LOCK = struct.Struct("hhqqi")
"""`struct flock` of a 64-bit machine: l_type, l_whence, l_start, l_len (0: to the end), l_pid."""


class AlreadyLocked(Exception):
    """Raised if another process has the lock."""


def lock_path(path: Path) -> Path:
    """Return the lock's file. It is beside the file itself, also if `path` is a symbolic link to that."""
    return Path(f"{os.path.realpath(path)}.lock")


def lock(path: Path, *, wait: bool = False) -> int:
    """Return the descriptor of the lock; closing it releases the lock. `wait`: wait until another process
    has released it. Raises AlreadyLocked, or OSError if the lock's file cannot be opened or locked."""
    request = fcntl.F_OFD_SETLKW if wait else fcntl.F_OFD_SETLK
    handle = os.open(lock_path(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.fcntl(handle, request, LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
    except OSError as error:
        os.close(handle)
        if isinstance(error, BlockingIOError):
            raise AlreadyLocked from None
        raise
    return handle


def is_locked(path: Path) -> bool:
    """Return whether a process has the lock. Locks, creates and changes nothing. Raises OSError if the lock's
    file cannot be opened or queried."""
    try:
        handle = os.open(lock_path(path), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    query = LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
    try:
        found = fcntl.fcntl(handle, fcntl.F_OFD_GETLK, query)
    finally:
        os.close(handle)
    kind: int = LOCK.unpack(found)[0]
    return kind != fcntl.F_UNLCK
