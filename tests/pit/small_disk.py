"""A small file system of its own (tmpfs) that a test can really fill. Needs root and the right to mount."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

MIB = 1 << 20


class SmallDisk:
    """The mounted file system at `at`."""

    def __init__(self, at: Path) -> None:
        self.at = at

    def fill(self, leave_bytes: int) -> None:
        """Fill it except for `leave_bytes`, as the file of another program would."""
        free = os.statvfs(self.at)
        with (self.at / "filling").open("wb") as file:
            file.write(bytes(max(0, free.f_bavail * free.f_frsize - leave_bytes)))

    def empty(self) -> None:
        (self.at / "filling").unlink()


@cache
def reason() -> str:
    """Return why no file system can be mounted here, or "" if one can."""
    if os.geteuid() != 0:
        return "a real full disk is a mount, which needs root"
    probe = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", tempfile.gettempdir()]
    done = subprocess.run(probe, capture_output=True, text=True, check=False)
    return f"a real full disk is a mount, refused here: {done.stderr.strip()}" if done.returncode else ""


@contextmanager
def small_disk(mib: int, owner: str = "") -> Iterator[SmallDisk]:
    """Mount a file system of `mib` MiB, removed at the end."""
    at = Path(tempfile.mkdtemp(prefix="crisscross-full-"))
    options = f"size={mib}m,mode=0700"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(at)], check=True)
    try:
        if owner:
            shutil.chown(at, owner)
        yield SmallDisk(at)
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)
        at.rmdir()
