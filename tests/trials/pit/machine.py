"""Parts of a floor as processes on this machine: Mosquitto, the pit, fleets of tables."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from controller.mock.pit.broker import LOOPBACK, PACKAGE, free_port, program, write_settings
from tests.trials.pit.cutting import Wire
from tests.uplink.papers import Papers

MOSQUITTO = program() or PACKAGE
SOON_S = 60.0


def reached(holds: Callable[[], bool], patience_s: float) -> bool:
    """Wait until `holds()` is true, at most `patience_s` seconds. Returns whether it is true."""
    pause = threading.Event()
    for _ in range(int(patience_s / 0.05)):
        if holds():
            return True
        pause.wait(0.05)
    return False


def soon(holds: Callable[[], bool], what: str, patience_s: float = SOON_S) -> None:
    """Wait until the condition is true. Raises AssertionError with `what` if it is not true in time."""
    if not reached(holds, patience_s):
        raise AssertionError(what)


def answers(at: tuple[str, int]) -> bool:
    with suppress(OSError), socket.create_connection(at, 1):
        return True
    return False


class Broker(Protocol):
    """A broker of one or several nodes, each with its port."""

    host: str
    ports: tuple[int, ...]
    tls_ports: tuple[int, ...]
    """Ports that require a certificate, if there are any."""

    def start(self) -> None:
        """Start the nodes that are not running."""

    def kill(self, lots: random.Random) -> None:
        """Kill one node, chosen by `lots`, as a power cut does."""

    def kill_all(self) -> None:
        """Kill all nodes at the same moment, as a power cut of the house does."""

    def stop(self) -> None:
        """End all nodes by a signal that lets them store their data, and wait for their end."""


class Part:
    """Part of the floor that is a process, which may be killed and started again. Its output goes to a
    file."""

    def __init__(
        self, folder: Path, name: str, command: list[str], at: tuple[str, int] | None = None
    ) -> None:
        """Prepare the process without starting it. `at`: host and port at which it will answer, None if it
        does not listen."""
        self._log, self._command, self._at = folder / f"{name}.log", command, at
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=log, stderr=log)
        if (at := self._at) is not None:
            soon(lambda: answers(at), f"{self._log}: does not come up")

    def send_line(self, line: str) -> None:
        """Write to the standard input of the process; do nothing if the process has ended."""
        if self.process is not None and self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.write(f"{line}\n".encode())
                self.process.stdin.flush()

    def kill(self) -> None:
        """Kill the process as a power cut does."""
        if self.process is not None:
            self.process.kill()
            self._gone()

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self._gone()

    def _gone(self) -> None:
        if self.process is not None:
            self.process.wait(30)
            if self.process.stdin is not None:
                with suppress(OSError):
                    self.process.stdin.close()
            self.process = None

    def ended(self, timeout_s: float = SOON_S) -> int:
        """Wait until the process has ended by itself, and return its status."""
        assert self.process is not None
        status = self.process.wait(timeout_s)
        self._gone()
        return status

    def rss(self) -> int:
        """Return the memory that the process uses, in bytes, or 0 if it does not run."""
        if self.process is None:
            return 0
        pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def processor_s(self) -> float:
        """Return the seconds of processor time that the process has used."""
        assert self.process is not None
        return processor_s(Path(f"/proc/{self.process.pid}"))


def processor_s(process: Path) -> float:
    """Return the seconds of processor time that a process has used. `process`: its folder in /proc."""
    fields = (process / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Mosquitto:
    """One broker without persistence: it loses its data when it ends."""

    def __init__(self, folder: Path, wire: Wire | None, papers: Papers | None = None) -> None:
        self.host = wire.host if wire else LOOPBACK
        self.ports: tuple[int, ...] = (port := free_port(),)
        self.tls_ports: tuple[int, ...] = (free_port(),) if papers else ()
        file = folder / "mosquitto.conf"
        settings = ["allow_anonymous true", "max_inflight_messages 0"]
        if papers:
            settings += [
                f"listener {self.tls_ports[0]} {self.host}", f"cafile {papers.ca}",
                f"certfile {papers.broker[0]}", f"keyfile {papers.broker[1]}", "require_certificate true",
            ]  # fmt: skip
        write_settings(file, port, *settings, host=self.host)
        command = [MOSQUITTO, "-c", str(file)]
        self.part = Part(folder, "mosquitto", wire.inside(command) if wire else command, (self.host, port))

    def start(self) -> None:
        """Start the broker if it is not running."""
        if self.part.process is None:
            self.part.start()

    def kill(self, _lots: random.Random) -> None:
        self.part.kill()

    def kill_all(self) -> None:
        self.part.kill()

    def stop(self) -> None:
        self.part.stop()


def pit(
    folder: Path, broker: Broker, port: int, store: str, program: Sequence[str] = ("controller",)
) -> Part:  # fmt: skip
    """Return the pit as a process, run as in a real house. `program`: module of the command, and arguments
    before those of the pit."""
    url = f"mqtt://{broker.host}:{broker.ports[0]}"
    command = [sys.executable, "-m", *program, "pit", "--broker", url, "--store", store]
    return Part(
        folder, "pit", [*command, "--listen", f"{LOOPBACK}:{port}", "--zone", "UTC"], (LOOPBACK, port)
    )


@dataclass(frozen=True)
class Fleet:
    """Settings of a process that plays several tables. `outboxes`: folder of their outboxes; `night`: file of
    recorded events; `first`, `count`: numbers of the tables; `pace`: events a second of each; `synced`:
    whether each commit is synced to the disk."""

    outboxes: Path
    night: Path
    first: int
    count: int
    pace: float
    synced: bool


def fleet(folder: Path, broker: Broker, of: Fleet, port: int) -> Part:
    """Return the process of a fleet of tables. `port`: the broker's port that they connect to."""
    command = [sys.executable, "-m", "tests.trials.pit.fleet", "--host", broker.host, "--port", str(port)]
    command += ["--pits", "pit-1", "--folder", str(of.outboxes), "--night", str(of.night)]
    command += ["--first", str(of.first), "--count", str(of.count), "--pace", str(of.pace)]
    return Part(folder, f"fleet-{of.first}", [*command, *(["--synced"] if of.synced else [])])
