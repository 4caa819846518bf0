"""A PostgreSQL server of the test's own: in a folder that goes with it, on a socket and on no port."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

BY = "postgres"
"""The server refuses to run as root; Debian's package makes this user."""


def _bin() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if not found:
        raise FileNotFoundError("PostgreSQL's server: type apt-get install postgresql, or make test")
    return found[-1].parent


class Postgres:
    """Made by the constructor, running after `start`. `synced`: as a house runs it."""

    def __init__(self, *, synced: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="crisscross-pg-"))
        self._data, self._synced = self.folder / "data", synced
        if os.geteuid() == 0:
            shutil.chown(self.folder, BY)
        self._run("initdb", "-D", str(self._data), "-U", BY, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")

    @property
    def url(self) -> str:
        return f"postgresql://{BY}@/postgres?host={self.folder}"

    def start(self) -> None:
        sync = "on" if self._synced else "off"
        options = f"-k {self.folder} -c listen_addresses='' -c fsync={sync}"
        self._run(
            "pg_ctl", "-D", str(self._data), "-w", "-l", str(self.folder / "log"), "-o", options, "start"
        )

    def stop(self, how: str = "fast") -> None:
        """`how`: fast, or immediate, which is what a crash is to the data."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", how, "stop")

    def remove(self) -> None:
        shutil.rmtree(self.folder)

    def _run(self, name: str, *arguments: str) -> None:
        by = ["runuser", "-u", BY, "--"] if os.geteuid() == 0 else []
        done = subprocess.run(
            [*by, str(_bin() / name), *arguments], capture_output=True, cwd="/", check=False
        )
        if done.returncode:
            raise OSError(f"{name}: {done.stderr.decode(errors='replace').strip()[-400:]}")
