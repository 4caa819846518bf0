"""A Debian for arm64 as a tree of files: made by mmdebstrap, entered by systemd-nspawn, run by qemu-user.

It is not booted and has no network, so everything installed comes from the package. The kernel's binfmt_misc
settings stay unchanged.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

PACKAGES = "systemd,systemd-sysv,dbus,udev,python3"
ARCHIVE = "http://deb.debian.org/debian"
HANDLER = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
NEEDED = {"mmdebstrap": "mmdebstrap", "systemd-nspawn": "systemd-container"}
"""Required command -> Debian package that has it."""


def reason(target: str = "test-arm") -> str:
    """Return why no such tree can be used here, or "" if one can."""
    if os.geteuid() != 0:
        return f"only root may enter another root: sudo make {target}"
    missing = [package for command, package in NEEDED.items() if shutil.which(command) is None]
    if missing:
        return f"{' and '.join(missing)} missing: apt-get install {' '.join(missing)}"
    if platform.machine() != "aarch64" and not HANDLER.exists():
        return (
            "this kernel hands no arm64 program to qemu-user: apt-get install qemu-user-static "
            f"binfmt-support, and mount -t binfmt_misc binfmt_misc {HANDLER.parent} if that folder is empty"
        )
    return ""


def make_tree(series: str, to: Path, extra: Sequence[str] = (), components: str = "main") -> None:
    """Make a minimal Debian for arm64. It is kept until other packages are requested. Takes minutes and needs
    the network."""
    made = to.with_name(f"{to.name}.made")
    packages = ",".join((PACKAGES, *extra))
    if made.exists() and made.read_text(encoding="utf-8") == packages:
        return
    remove(to)
    made.unlink(missing_ok=True)
    to.parent.mkdir(parents=True, exist_ok=True)
    command = ["mmdebstrap", "--quiet", "--arch=arm64", "--variant=minbase", f"--include={packages}",
               f"--components={components}", "--dpkgopt=force-unsafe-io"]  # fmt: skip
    # emulated, building an initrd for a kernel takes minutes; it is built once, after everything is installed
    subprocess.run([*command, series, str(to), ARCHIVE], env={**os.environ, "INITRD": "No"}, check=True)
    made.write_text(packages, encoding="utf-8")


def remove(tree: Path) -> None:
    """Delete the tree, but never a mounted file system: an interrupted mmdebstrap leaves the host's /sys
    mounted."""
    subprocess.run(["rm", "-rf", "--one-file-system", tree], check=True)


class Tree:
    """File tree of a Debian. Each command runs in a container of its own, without a network, which sees only
    the tree and the named folders of the host."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(
        self, *command: str, environment: Sequence[str] = (), into: Path | None = None, text: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, with any exit status; `text` is its input."""
        settings = [f"--setenv={pair}" for pair in ("DEBIAN_FRONTEND=noninteractive", *environment)]
        nspawn = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--as-pid2", "--pipe",
                  "--private-network", "--directory", str(self.root), "--chdir", str(into or "/root"),
                  *settings]  # fmt: skip
        return subprocess.run([*nspawn, *command], input=text, capture_output=True, text=True, check=False)
