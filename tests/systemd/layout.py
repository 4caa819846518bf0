"""The package's users and folders under a test's own root, made by systemd's programs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
PROGRAMS = ("systemd-sysusers", "systemd-tmpfiles")
REASON = (
    "only root may make files of other users" if os.geteuid() else f"{' and '.join(PROGRAMS)} are missing"
)
needs_root = pytest.mark.skipif(
    os.geteuid() != 0 or not all(map(shutil.which, PROGRAMS)),
    reason=REASON,
)


class Layout:
    """Empty machine at `root`, which any user may enter. Raises CalledProcessError if systemd's programs
    fail."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("etc", "run", "usr/lib/tmpfiles.d", "usr/lib/sysusers.d", "var/lib"):
            (root / folder).mkdir(parents=True)
        for kind in ("sysusers", "tmpfiles"):
            file = root / f"usr/lib/{kind}.d/crisscross.conf"
            shutil.copyfile(SYSTEMD / f"crisscross.{kind}.conf", file)
        self._run("systemd-sysusers", "crisscross.conf")

    def _run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        program, *rest = command
        return subprocess.run(
            [program, f"--root={self.root}", *rest], check=check, capture_output=True, text=True
        )

    def tmpfiles(self, *options: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run systemd-tmpfiles as `postinst`, `prerm` and each boot do."""
        return self._run("systemd-tmpfiles", "--create", *options, "crisscross.conf", check=check)

    def user(self, name: str) -> tuple[int, int]:
        """Return (uid, gid) of a user of the package."""
        lines = (self.root / "etc/passwd").read_text(encoding="utf-8").splitlines()
        (found,) = [line.split(":") for line in lines if line.startswith(f"{name}:")]
        return int(found[2]), int(found[3])
