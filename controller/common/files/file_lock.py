"""The lock beside a file, `FILE.lock`: a process has the file. The kernel keeps it, and ends it with the
process, however that ends; the lock's own file stays.

It belongs to the open file (fcntl(2), "Open file description locks"), so whoever asks takes no lock that the
next one to `hold` would find.
"""

from __future__ import annotations

import fcntl
import os
import struct
from pathlib import Path

LOCK = struct.Struct("hhqqi")
"""`struct flock` where the machine has 64 bits: l_type, l_whence, l_start, l_len (0: to the end), l_pid."""


class AlreadyLocked(Exception):
    """Another process has the file."""


def hold(path: Path) -> int:
    """The lock's descriptor: what is closed or ends lets go. HeldByAnother; OSError where the lock's file
    cannot be opened or locked."""
    handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
    except OSError as error:
        os.close(handle)
        if isinstance(error, BlockingIOError):
            raise AlreadyLocked from None
        raise
    return handle


def is_held(path: Path) -> bool:
    """Whether a process has it now. Locks, creates and changes nothing. OSError as above."""
    try:
        handle = os.open(f"{path}.lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    asked = LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
    try:
        found = fcntl.fcntl(handle, fcntl.F_OFD_GETLK, asked)
    finally:
        os.close(handle)
    kind: int = LOCK.unpack(found)[0]
    return kind != fcntl.F_UNLCK
