"""A Debian in a container with its own systemd: made by debootstrap, booted by systemd-nspawn, cut off.

The container shares the network of this process, which `leave_network` reduces to loopback: a table without a
network. It also shares the host's pseudo-terminals, so that simulated devices outlive it as real devices
outlive a power cut. This module must never end a process that it did not start.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import pty
import select
import shutil
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

PACKAGES = "systemd,systemd-sysv,dbus,udev,python3,ca-certificates"
LEGACY = "SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1"
"""Setting without which systemd 257 in the container does not boot on a host with cgroups version 1."""
BOOT_S, STOP_S = 120.0, 60.0
CLONE_NEWNET, SIOCSIFFLAGS, IFF_UP = 0x4000_0000, 0x8914, 1


def leave_network() -> None:
    """Move this process into a network of its own that has only loopback. Call it before any thread starts.
    Raises OSError if the kernel refuses."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "unshare: no network of its own")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))


def reason() -> str:
    """Return why no container can run here, or "" if one can."""
    if os.geteuid() != 0:
        return "only root may boot a container: sudo make test-system"
    missing = [name for name in ("debootstrap", "systemd-nspawn", "nsenter") if shutil.which(name) is None]
    if missing:
        return f"{', '.join(missing)} missing: apt-get install debootstrap systemd-container"
    return ""


def make_root(series: str, to: Path, packages: str = PACKAGES) -> None:
    """Make a minimal Debian with these packages, kept for the next run. Its package lists are filled, as on a
    machine that was updated once: apt then knows packages that it cannot fetch without a network."""
    if not (to / "made").exists():
        shutil.rmtree(to, ignore_errors=True)
        command = ["debootstrap", "--variant=minbase", f"--include={packages}", series, str(to)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["chroot", str(to), "apt-get", "-q", "update"], check=True, stdout=subprocess.DEVNULL)
        (to / "made").touch()


class Container:
    """Debian with its own systemd in a container. `shared`: folder with the same path inside and outside;
    `state`: folder that becomes /var/lib/crisscross."""

    def __init__(self, root: Path, shared: Path, state: Path) -> None:
        self.root, self._shared, self._state = root, shared, state
        self._process: subprocess.Popen[bytes] | None = None
        self._leader = 0

    def boot(self) -> None:
        """Boot and wait until systemd is idle. Raises RuntimeError if it never is."""
        binds = [f"--bind={self._shared}", f"--bind={self._state}:/var/lib/crisscross", "--bind=/dev/pts"]
        command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--console=pipe",
                   *binds, "--directory", str(self.root), "--boot", LEGACY]  # fmt: skip
        log = (self.root.parent / f"{self.root.name}.console").open("wb")
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
        until = time.monotonic() + BOOT_S
        while time.monotonic() < until:
            self._leader = self._child(self._process.pid)
            if self._leader and self.output_of("systemctl", "is-system-running") in ("running", "degraded"):
                return
            time.sleep(0.5)
        raise RuntimeError(f"the container did not boot: see {log.name}")

    def _child(self, parent: int) -> int:
        """Return the number of the first child of a process, which is the container's init; 0 if there is
        none."""
        children = Path(f"/proc/{parent}/task/{parent}/children")
        found = children.read_text(encoding="ascii").split() if children.exists() else []
        return int(found[0]) if found else 0

    def cut_power(self) -> None:
        """Kill everything inside with kill -9, as in a power cut."""
        os.kill(self._leader, signal.SIGKILL)
        self._gone()

    def power_off(self) -> None:
        self.run("systemctl", "poweroff", "--no-block")
        self._gone()

    def _gone(self) -> None:
        if self._process is not None:
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None

    def close(self) -> None:
        if self._process is not None:
            self.cut_power()

    # ------------------------------------------------------------------ commands inside

    def _inside(self, command: Sequence[str]) -> list[str]:
        return ["nsenter", "-t", str(self._leader), "-m", "-u", "-i", "-p", "--", *command]

    def run(self, *command: str, check: bool = False) -> subprocess.CompletedProcess[str]:
        quiet = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "DEBIAN_FRONTEND": "noninteractive",
            "LC_ALL": "C.UTF-8",
        }
        return subprocess.run(
            self._inside(["sh", "-c", 'cd /root; exec "$@"', "sh", *command]), env=quiet, check=check,
            capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def output_of(self, *command: str) -> str:
        return self.run(*command).stdout.strip()

    def typed(self, command: str, answers: Sequence[str]) -> str:
        """Run a shell line at a terminal, with one input for each colon printed; return the output."""
        child, terminal = pty.fork()
        if child == 0:
            os.execvp("nsenter", self._inside(["sh", "-c", f"cd /root; {command}"]))  # noqa: S606  # at a terminal
        received, prompted, waiting = b"", b"", list(answers)
        while select.select([terminal], [], [], 30)[0]:
            try:
                data = os.read(terminal, 4096)
            except OSError:  # the program at the other end of the terminal has closed it
                break
            if not data:
                break
            received, prompted = received + data, prompted + data
            if waiting and prompted.endswith(b": "):
                os.write(terminal, f"{waiting.pop(0)}\n".encode())
                prompted = b""
        os.close(terminal)
        _, status = os.waitpid(child, 0)
        return f"{os.waitstatus_to_exitcode(status)} {received.decode(errors='replace')}"
