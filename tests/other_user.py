"""Real processes of other users, for tests that root runs: the kernel refuses them, no stand-in does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
UNPRIVILEGED_UID = 64_321
"""A user number that no program here has."""


def _interpreter() -> str | None:
    """Return a Python of this version that any user may run: an interpreter below /root is root's alone."""
    wanted = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for found in (sys.executable, shutil.which(wanted, path="/usr/bin:/usr/local/bin")):
        if found and os.geteuid() == 0 and _run(found, ["-c", ""]).returncode == 0:
            return found
    return None


def _run(
    python: str, arguments: Sequence[str], user: int = UNPRIVILEGED_UID
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            [python, *arguments], **_identity(user), capture_output=True, text=True, check=False
        )
    except PermissionError:
        return subprocess.CompletedProcess([python], 126)


def _identity(user: int, groups: Sequence[int] = ()) -> dict[str, Any]:
    libraries = [each for each in sys.path if each.endswith("site-packages")]
    environment = {**os.environ, "PYTHONPATH": ":".join([str(ROOT), *libraries]), "HOME": "/nonexistent"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return {
        "user": user, "group": groups[0] if groups else user, "extra_groups": list(groups[1:]), "cwd": "/",
        "umask": 0o077, "env": environment,
    }  # fmt: skip


PYTHON = _interpreter()
needs_root = pytest.mark.skipif(
    PYTHON is None, reason="only root may become another user, with a Python that others may run"
)


def run_as(user: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments to its end, as a user number in the group of the same number."""
    assert PYTHON is not None
    return _run(PYTHON, [str(each) for each in arguments], user)


def started_as(
    user: int, *arguments: str | Path, groups: Sequence[int] = (), **more: Any
) -> subprocess.Popen[str]:
    """Start `crisscross` with these arguments as another user; `groups`: its own first. The caller ends
    it."""
    assert PYTHON is not None
    command = [PYTHON, "-m", "controller", *map(str, arguments)]
    return subprocess.Popen(command, **_identity(user, groups), text=True, stderr=subprocess.PIPE, **more)


def let_in(folder: Path) -> Path:
    """Let every user enter the folder, and those above it that pytest made for root alone."""
    for each in (folder, *folder.parents):
        if each.stat().st_mode & 0o005 != 0o005:
            each.chmod(each.stat().st_mode | 0o055)
    return folder
