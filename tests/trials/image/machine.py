"""An emulated ARM board (QEMU's `virt`, a Cortex-A72) that boots the disk of `make image`.

U-Boot starts the system chosen by the disk (systemd/image/boot.cmd), as on a Pi, but in another build. Serial
devices are QEMU's `usb-serial`, which the kernel recognises as FTDI adapters, at the USB ports that the udev
rules name. A power cut ends QEMU and no other process.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import termios
from collections.abc import Mapping
from pathlib import Path

SECTOR = 512
NEEDED = {"qemu-system-aarch64": "qemu-system-arm", "mcopy": "mtools", "sfdisk": "fdisk",
          "mke2fs": "e2fsprogs", "unsquashfs": "squashfs-tools", "mkfs.vfat": "dosfstools", "rauc": "rauc",
          "openssl": "openssl"}  # fmt: skip
BOOT_LOADER = Path("/usr/lib/u-boot/qemu_arm64/u-boot.bin")
STARTED = re.compile(r"crisscross: system ([AB])( crisscross\.trial)?")
"""Line that boot.cmd prints on the console."""
GUEST = "10.0.2.15"
"""Address that QEMU's user network gives the board."""
STOP_S = 10.0


def reason() -> str:
    """Return why no board can be emulated here, or "" if one can."""
    if os.geteuid() != 0:
        return "only root may look into the disk afterwards: sudo make test-image"
    missing = [package for command, package in NEEDED.items() if shutil.which(command) is None]
    missing += [] if BOOT_LOADER.exists() else ["u-boot-qemu"]
    return f"{' and '.join(missing)} missing: apt-get install {' '.join(missing)}" if missing else ""


class Disk:
    """Copy of the image, with access to its partitions by name."""

    def __init__(self, image: Path, to: Path) -> None:
        subprocess.run(["cp", "--sparse=always", image, to], check=True)
        self.path = to
        partitions = subprocess.run(
            ["sfdisk", "--json", to], check=True, capture_output=True, text=True
        ).stdout
        self._parts = {
            part["name"]: (part["start"] * SECTOR, part["size"] * SECTOR)
            for part in json.loads(partitions)["partitiontable"]["partitions"]
        }

    def part(self, name: str) -> tuple[int, int]:
        """Return the start and the length of a partition, in bytes."""
        return self._parts[name]

    def read(self, name: str, to: Path) -> Path:
        """Copy one partition to a file; return the file."""
        at, size = self._parts[name]
        self._dd(f"if={self.path}", f"of={to}", f"skip={at}", f"count={size}", "iflag=skip_bytes,count_bytes",
                 "conv=sparse")  # fmt: skip
        return to

    def write(self, name: str, source: Path) -> None:
        at, _ = self._parts[name]
        self._dd(f"if={source}", f"of={self.path}", f"seek={at}", "oflag=seek_bytes", "conv=notrunc")

    def _dd(self, *words: str) -> None:
        subprocess.run(["dd", "bs=4M", "status=none", *words], check=True)


class Machine:
    """Emulated board with one disk. `devices`: for each socket of the hub, numbered as in the udev rules, the
    line of the simulated device in it."""

    def __init__(
        self, disk: Disk, folder: Path, devices: Mapping[int, Path], ports: Mapping[str, int]
    ) -> None:
        self.disk, self._folder, self._devices, self._ports = disk, folder, devices, ports
        self.console = folder / "console.log"
        self.log = folder / "writes.log"
        self.stick: Path | None = None
        """Image of the USB stick that is plugged in at power-on, or None."""
        self.screen: Path | None = None
        """Socket by which QEMU reports the content of the screen, or None if there is no screen."""
        self._process: subprocess.Popen[bytes] | None = None

    def with_disk(self, disk: Disk) -> Machine:
        """Return the same board with another disk."""
        return Machine(disk, self._folder, self._devices, self._ports)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def boot(self) -> None:
        """Switch the power on and return at once. From here on the board's writes go to a new log."""
        self.log.write_bytes(b"")
        for line in self._devices.values():
            _forget(line)
        command = ["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024",
                   "-accel", "tcg,thread=multi,tb-size=512", "-display", "none", "-monitor", "none",
                   "-chardev", f"file,id=console,path={self.console},append=on", "-serial", "chardev:console",
                   "-bios", str(BOOT_LOADER),
                   "-device", "i6300esb", "-watchdog-action", "reset",
                   *self._drive(), *self._network(), *self._usb(), *self._screen()]  # fmt: skip
        with self.console.with_suffix(".qemu").open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def written(self) -> int:
        """Return the present length of the log of the board's writes."""
        return self.log.stat().st_size if self.log.exists() else 0

    def _drive(self) -> list[str]:
        """Return the options of the drive. If QEMU is killed, everything that the board has sent is on the
        disk, flushed or not. A real disk may keep less, which is why the log is recorded."""
        file = {"driver": "file", "filename": str(self.disk.path), "cache": {"direct": True}}
        log = {"driver": "file", "filename": str(self.log)}
        drive = {"node-name": "disk", "driver": "blklogwrites", "file": file, "log": log}
        # the log of QEMU 7.2 is out of order if zeroes are written without being sent
        board = "virtio-blk-pci,drive=disk,write-zeroes=off,discard=off"
        return ["-blockdev", json.dumps(drive), "-device", board]

    def _network(self) -> list[str]:
        forwards = ",".join(f"hostfwd=tcp:127.0.0.1:{port}-{GUEST}:{port}" for port in self._ports.values())
        return [
            "-netdev",
            f"user,id=net,restrict=on,{forwards}",
            "-device",
            "virtio-net-pci,netdev=net,romfile=",
        ]

    def _usb(self) -> list[str]:
        """Return the options for a hub in a hub, so that socket N is 1-1.1.N."""
        words = ["-device", "qemu-xhci,id=usb", "-device", "usb-hub,bus=usb.0,port=1",
                 "-device", "usb-hub,bus=usb.0,port=1.1"]  # fmt: skip
        for socket, line in sorted(self._devices.items()):
            words += ["-chardev", f"serial,id=line{socket},path={line.resolve()}"]
            serial = f"usb-serial,bus=usb.0,port=1.1.{socket},chardev=line{socket},always-plugged=on"
            words += ["-device", serial]
        if self.stick is not None:
            words += ["-drive", f"if=none,id=stick,format=raw,readonly=on,file={self.stick}"]
            words += ["-device", "usb-storage,bus=usb.0,port=2,drive=stick"]
        return words

    def _screen(self) -> list[str]:
        if self.screen is None:
            return []
        return [
            "-device",
            "virtio-gpu-pci,xres=1280,yres=720",
            "-qmp",
            f"unix:{self.screen},server=on,wait=off",
        ]

    def started(self) -> list[str]:
        """Return the systems that boot.cmd has started, in order: one letter each, with `?` for a system on
        trial."""
        text = "\n".join(_lines(self.console))
        return [letter + ("?" if trial else "") for letter, trial in STARTED.findall(text)]

    def cut_power(self) -> None:
        """Kill QEMU (kill -9), without a signal to the board."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(STOP_S)
            self._process = None

    def last_output(self) -> str:
        """Return the last output of the board and of QEMU."""
        outputs = [_lines(path) for path in (self.console, self.console.with_suffix(".qemu"))]
        return " | ".join(line for lines in outputs for line in lines[-6:] if line.strip())


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []


def _forget(line: Path) -> None:
    """Discard input that arrived while no program was reading: a device without power has sent nothing."""
    end = os.open(line, os.O_RDWR | os.O_NOCTTY)
    try:
        termios.tcflush(end, termios.TCIOFLUSH)
    finally:
        os.close(end)
