"""An emulated ARM board (QEMU's `virt`, a Cortex-A72) that boots the disk of `make image`.

It boots the kernel and initrd that lie on the disk's own boot partition, as a Pi's firmware would. Its serial
devices are QEMU's `usb-serial`, an FTDI to the kernel, in the sockets that the udev rules name. Its power is
cut by ending QEMU, and no other process is ended.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import termios
from collections.abc import Mapping
from pathlib import Path

SECTOR = 512
NEEDED = {"qemu-system-aarch64": "qemu-system-arm", "mcopy": "mtools", "sfdisk": "fdisk",
          "mke2fs": "e2fsprogs", "unsquashfs": "squashfs-tools"}  # fmt: skip
GUEST = "10.0.2.15"
"""What QEMU's user network gives the board."""
STOP_S = 10.0


def reason() -> str:
    """Why no board can be emulated here; empty where one can."""
    if os.geteuid() != 0:
        return "only root may look into the disk afterwards: sudo make test-image"
    missing = [package for command, package in NEEDED.items() if shutil.which(command) is None]
    return f"{' and '.join(missing)} missing: apt-get install {' '.join(missing)}" if missing else ""


class Disk:
    """A copy of the image; its partitions by name."""

    def __init__(self, image: Path, to: Path) -> None:
        subprocess.run(["cp", "--sparse=always", image, to], check=True)
        self.path = to
        told = subprocess.run(["sfdisk", "--json", to], check=True, capture_output=True, text=True).stdout
        self._parts = {
            part["name"]: (part["start"] * SECTOR, part["size"] * SECTOR)
            for part in json.loads(told)["partitiontable"]["partitions"]
        }

    def read(self, name: str, to: Path) -> Path:
        """A copy of one partition."""
        at, size = self._parts[name]
        self._dd(f"if={self.path}", f"of={to}", f"skip={at}", f"count={size}", "iflag=skip_bytes,count_bytes",
                 "conv=sparse")  # fmt: skip
        return to

    def write(self, name: str, source: Path) -> None:
        at, _ = self._parts[name]
        self._dd(f"if={source}", f"of={self.path}", f"seek={at}", "oflag=seek_bytes", "conv=notrunc")

    def _dd(self, *words: str) -> None:
        subprocess.run(["dd", "bs=4M", "status=none", *words], check=True)

    def boot_file(self, name: str, to: Path) -> Path:
        at, _ = self._parts["boot"]
        subprocess.run(["mcopy", "-n", "-o", "-i", f"{self.path}@@{at}", f"::{name}", to], check=True)
        return to


class Machine:
    """`devices`: the socket of the hub, as the udev rules count them -> a simulated device's line."""

    def __init__(
        self, disk: Disk, folder: Path, devices: Mapping[int, Path], ports: Mapping[str, int]
    ) -> None:
        self.disk, self._devices, self._ports = disk, devices, ports
        self.console = folder / "console.log"
        self._kernel = disk.boot_file("vmlinuz", folder / "vmlinuz")
        self._initrd = disk.boot_file("initrd.img", folder / "initrd.img")
        line = disk.boot_file("cmdline.txt", folder / "cmdline.txt").read_text(encoding="ascii").split()
        words = [word for word in line if word != "quiet" and not word.startswith("console=")]
        self._line = " ".join(["console=ttyAMA0", *words])
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def boot(self) -> None:
        """Power on; returns at once."""
        for line in self._devices.values():
            _forget(line)
        command = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024",
                   "-accel", "tcg,thread=multi,tb-size=512", "-display", "none", "-monitor", "none",
                   "-chardev", f"file,id=console,path={self.console},append=on", "-serial", "chardev:console",
                   "-kernel", str(self._kernel), "-initrd", str(self._initrd), "-append", self._line,
                   "-device", "i6300esb", "-watchdog-action", "reset",
                   *self._drive(), *self._network(), *self._usb()]  # fmt: skip
        with self.console.with_suffix(".qemu").open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _drive(self) -> list[str]:
        """Without the host's cache: what the guest has not flushed is gone when QEMU is killed."""
        drive = f"if=none,id=disk,format=raw,cache=none,file={self.disk.path}"
        return ["-drive", drive, "-device", "virtio-blk-pci,drive=disk"]

    def _network(self) -> list[str]:
        forwards = ",".join(f"hostfwd=tcp:127.0.0.1:{port}-{GUEST}:{port}" for port in self._ports.values())
        return ["-netdev", f"user,id=net,restrict=on,{forwards}", "-device", "virtio-net-pci,netdev=net"]

    def _usb(self) -> list[str]:
        """A hub in a hub, so that socket N is 1-1.1.N."""
        words = ["-device", "qemu-xhci,id=usb", "-device", "usb-hub,bus=usb.0,port=1",
                 "-device", "usb-hub,bus=usb.0,port=1.1"]  # fmt: skip
        for socket, line in sorted(self._devices.items()):
            words += ["-chardev", f"serial,id=line{socket},path={line.resolve()}"]
            words += [
                "-device",
                f"usb-serial,bus=usb.0,port=1.1.{socket},chardev=line{socket},always-plugged=on",
            ]
        return words

    def cut_power(self) -> None:
        """kill -9: nothing in the board hears of it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(STOP_S)
            self._process = None

    def last_words(self) -> str:
        said = self.console.read_text(encoding="utf-8", errors="replace") if self.console.exists() else ""
        return " | ".join(line for line in said.splitlines()[-6:] if line.strip())


def _forget(line: Path) -> None:
    """What was said while nobody listened: a device that had no power said nothing."""
    end = os.open(line, os.O_RDWR | os.O_NOCTTY)
    try:
        termios.tcflush(end, termios.TCIOFLUSH)
    finally:
        os.close(end)
