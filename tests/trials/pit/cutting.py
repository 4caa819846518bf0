"""Cuts while a floor runs: the network to the broker, and the power of a disk. Needs root.

Both are made in the kernel, so that the program cannot distinguish them from real ones: the connection breaks
without a message to either end, and a disk keeps only data that had reached it. The trial removes everything
that it creates, and changes nothing else of the machine's network or disks.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

GOING_DOWN, NEITHER_LOG_NOR_DATA = 0x8004587D, 2
"""Request and flag of the kernel (FS_IOC_SHUTDOWN, NOLOGFLUSH; linux/fs/ext4/ext4.h) by which xfstests shuts
a file system down."""
WITNESS, LOST = "witness", b"written and not synced"
"""Name and content of a file that every cut must lose. If it is there afterwards, the cut had no effect."""
NEEDED = ("ip", "mkfs.ext4", "mount", "umount", "unshare", "chroot")


def reason() -> str:
    """Return why this machine cannot make cuts, or "" if it can."""
    if os.geteuid() != 0:
        return "only root may pull a wire and cut a disk: sudo make pit-trial"
    missing = [name for name in NEEDED if shutil.which(name) is None]
    return f"{', '.join(missing)} missing: apt-get install iproute2 e2fsprogs util-linux" if missing else ""


def run(*command: str | Path) -> None:
    """Run a command. Raises OSError with the end of its output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        words = (done.stderr or done.stdout).strip()
        raise OSError(f"{' '.join(map(str, command))}: {words[-400:]}")


class Wire:
    """Connection to a network namespace that contains nothing else; `host` is the address of its far end.
    `number`: 0 or 1, one for each wire of this process."""

    def __init__(self, number: int = 0) -> None:
        process, mark = os.getpid(), "ab"[number]
        self.namespace, self._near = f"crisscross-{process}{mark}", f"cc{process}{mark}"
        block = f"198.{18 + number}"  # RFC 2544: reserved for tests
        net = f"{block}.{process // 64 % 256}.{process % 64 * 4}".rpartition(".")
        first = int(net[2])
        here, self.host = f"{net[0]}.{first + 1}", f"{net[0]}.{first + 2}"
        run("ip", "netns", "add", self.namespace)
        try:
            run("ip", "link", "add", self._near, "type", "veth", "peer", "far", "netns", self.namespace)
            run("ip", "address", "add", f"{here}/30", "dev", self._near)
            run("ip", "link", "set", self._near, "up")
            self._far("address", "add", f"{self.host}/30", "dev", "far")
            self._far("link", "set", "lo", "up")
            self.mend()
        except OSError:
            self.remove()
            raise

    def inside(self, command: Sequence[str]) -> list[str]:
        """Return the command that runs `command` at the far end."""
        return ["ip", "netns", "exec", self.namespace, *command]

    def cut(self) -> None:
        """Cut the connection without notifying either end; data on the way are lost."""
        self._far("link", "set", "far", "down")

    def mend(self) -> None:
        self._far("link", "set", "far", "up")

    def remove(self) -> None:
        """Remove the wire with the namespace."""
        run("ip", "netns", "delete", self.namespace)

    def _far(self, *command: str) -> None:
        run("ip", "-n", self.namespace, *command)


class Disk:
    """A separate ext4 disk, mounted at `at`. A power cut loses data that were not synced, unless the kernel
    had written them on its own; ext4 replays its journal afterwards."""

    def __init__(self, at: Path, mib: int) -> None:
        self.at, self._image = at, at.with_name(f"{at.name}.0.img")
        at.mkdir(exist_ok=True)
        with self._image.open("wb") as image:
            image.truncate(mib * 2**20)
        run("mkfs.ext4", "-q", "-m", "0", self._image)
        self._mount()

    def sync(self) -> None:
        """Sync everything to the disk, like data that have existed for a long time."""
        run("sync", "--file-system", self.at)

    def cut(self) -> None:
        """Cut the disk off: nothing reaches it any more, and every access fails."""
        (self.at / WITNESS).write_bytes(LOST)
        handle = os.open(self.at, os.O_RDONLY)
        try:
            fcntl.ioctl(handle, GOING_DOWN, struct.pack("I", NEITHER_LOG_NOR_DATA))
        finally:
            os.close(handle)

    def back(self) -> None:
        """Mount a copy of the disk's content after the cut; a process may still use the dead disk."""
        run("umount", "--lazy", self.at)
        name, number, _ = self._image.name.rsplit(".", 2)
        copy = self._image.with_name(f"{name}.{int(number) + 1}.img")
        run("cp", "--sparse=always", self._image, copy)
        self._image.unlink()
        self._image = copy
        self._mount()
        witness = self.at / WITNESS
        if witness.exists() and witness.read_bytes() == LOST:
            raise OSError(f"{self.at}: the cut took nothing: what was not synced is there")

    def fill(self) -> None:
        """Fill the disk to the last block, as another program's file would."""
        free = os.statvfs(self.at)
        with (self.at / "filling").open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_frsize - 64 * 1024)
            _write_on(file.fileno())

    def empty(self) -> None:
        (self.at / "filling").unlink(missing_ok=True)

    def remove(self) -> None:
        run("umount", "--lazy", self.at)
        self._image.unlink()

    def _mount(self) -> None:
        run("mount", "-o", "loop", self._image, self.at)


def _write_on(handle: int) -> None:
    """Write until the disk is full."""
    os.lseek(handle, 0, os.SEEK_END)
    try:
        while os.write(handle, bytes(4096)):
            pass
    except OSError as error:
        if error.errno != 28:  # ENOSPC: the disk is full, as intended
            raise
