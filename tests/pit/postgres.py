"""A PostgreSQL server for tests: in a temporary folder, on a Unix socket, and on a port only in a network of
the test."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

BY = "postgres"
"""User made by Debian's package; the server refuses to run as root."""
RETRY_MS = 200
"""Pause in ms before a subscription that has failed connects again. PostgreSQL's default is 5 s."""


def _bin() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if not found:
        raise FileNotFoundError("PostgreSQL's server: type apt-get install postgresql, or make test")
    return found[-1].parent


def _as_user(command: Sequence[str | Path]) -> list[str]:
    """Return the command that runs `command` as the server's user, to which root has to change."""
    by = ["runuser", "-u", BY, "--"] if os.geteuid() == 0 else []
    return [*by, *map(str, command)]


@cache
def _template() -> Path:
    """Return the data folder of a new server. It is made once per process, because copying it takes a tenth
    of the time."""
    folder = Path(tempfile.mkdtemp(prefix="crisscross-pg-"))
    atexit.register(shutil.rmtree, folder)
    if os.geteuid() == 0:
        shutil.chown(folder, BY)
    made = folder / "data"
    command = (_bin() / "initdb", "-D", made, "-U", BY, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
    subprocess.run(_as_user(command), capture_output=True, cwd="/", check=True)
    return made


class Postgres:
    """PostgreSQL server, which `start` starts. `synced`: with fsync, as in a real house. `wal`: its
    `wal_level`."""

    def __init__(
        self, *, synced: bool = False, within: Path | None = None, wal: str = "replica", host: str = "",
        inside: Callable[[Sequence[str]], list[str]] = list,
    ) -> None:  # fmt: skip
        """Prepare the data. `within`: folder for the data; by default they are beside the socket. `host`:
        address on which any user can connect, "" for none. `inside`: returns the given command as it runs in
        that network."""
        self._host, self._inside = host, inside
        self.folder = Path(tempfile.mkdtemp(prefix="crisscross-pg-"))
        self._data, self._synced, self._leader = (within or self.folder) / "data", synced, 0
        self._wal = wal
        if os.geteuid() == 0:
            for folder in (self.folder, within or self.folder):
                shutil.chown(folder, BY)
        subprocess.run(_as_user(("cp", "-a", _template(), self._data)), cwd="/", check=True)
        if host:
            with (self._data / "pg_hba.conf").open("a", encoding="ascii") as rights:
                rights.write("host all all 0.0.0.0/0 trust\n")

    @property
    def url(self) -> str:
        return f"postgresql://{BY}@/postgres?host={self.folder}"

    @property
    def network_url(self) -> str:
        """URL of the server by its network address, or by its socket if it has no address."""
        return f"postgresql://{BY}@{self._host}/postgres" if self._host else self.url

    def start(self) -> None:
        sync = "on" if self._synced else "off"
        options = f"-k {self.folder} -c listen_addresses='{self._host}' -c fsync={sync}"
        options += f" -c wal_level={self._wal} -c wal_retrieve_retry_interval={RETRY_MS}"
        self._run(
            "pg_ctl", "-D", str(self._data), "-w", "-l", str(self.folder / "log"), "-o", options, "start"
        )
        self._leader = int((self._data / "postmaster.pid").read_text(encoding="ascii").split()[0])

    @property
    def runs(self) -> bool:
        return self._leader != 0

    def stop(self, how: str = "fast") -> None:
        """Stop the server. `how`: `fast`, or `immediate`, which leaves the data as a crash does."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", how, "stop")
        self._leader = 0

    def pause(self) -> list[int]:
        """Stop all processes of the server (SIGSTOP) and return their numbers. The leader is stopped first,
        so that it starts no further process."""
        os.kill(self._leader, signal.SIGSTOP)
        children = Path(f"/proc/{self._leader}/task/{self._leader}/children").read_text(encoding="ascii")
        all_ = [self._leader, *map(int, children.split())]
        for number in all_:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGSTOP)
        return all_

    def resume(self, stopped: list[int]) -> None:
        """Continue the processes that `pause` stopped."""
        for number in stopped:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGCONT)

    def kill(self) -> None:
        """Kill all processes of the server, as a power cut does."""
        all_ = self.pause()
        for number in all_:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        while any(
            Path(f"/proc/{number}").exists() for number in all_
        ):  # the process number of a dead server would count as a server
            threading.Event().wait(0.02)
        self._leader = 0

    def remove(self) -> None:
        shutil.rmtree(self.folder)

    def _run(self, name: str, *arguments: str) -> None:
        command = self._inside(_as_user((_bin() / name, *arguments)))
        done = subprocess.run(command, capture_output=True, cwd="/", check=False)
        if done.returncode:
            log = self.folder / "log"
            log_end = log.read_text(errors="replace")[-400:] if log.exists() else ""
            raise OSError(f"{name}: {done.stderr.decode(errors='replace').strip()[-400:]} {log_end}")
