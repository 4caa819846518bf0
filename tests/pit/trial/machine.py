"""The parts of a floor as processes of this machine: Mosquitto, the pit, fleets of tables, a network."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin") or "mosquitto"
SOON_S = 60.0


def soon(holds: Callable[[], bool], what: str, patience_s: float = SOON_S) -> None:
    """It becomes true."""
    pause = threading.Event()
    for _ in range(int(patience_s / 0.05)):
        if holds():
            return
        pause.wait(0.05)
    raise AssertionError(what)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


class Part:
    """A process that may be killed and begun again. Its words go into a file."""

    def __init__(self, folder: Path, name: str, command: list[str], port: int | None = None) -> None:
        self._log, self._command, self._port = folder / f"{name}.log", command, port
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=log, stderr=log)
        if (port := self._port) is not None:
            soon(lambda: answers(port), f"{self._log}: does not come up")

    def say(self, line: str) -> None:
        """On its standard input; nothing where it is gone."""
        if self.process is not None and self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.write(f"{line}\n".encode())
                self.process.stdin.flush()

    def kill(self) -> None:
        """As the plug does."""
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

    def rss(self) -> int:
        """Bytes of memory that it has."""
        if self.process is None:
            return 0
        pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


def mosquitto(folder: Path, port: int) -> Part:
    """Without persistence: what it knows is gone with it."""
    file = folder / "mosquitto.conf"
    lines = (
        f"listener {port} 127.0.0.1",
        "allow_anonymous true",
        "persistence false",
        "max_queued_messages 0",
    )
    file.write_text("\n".join((*lines, "max_inflight_messages 0", "user root", "")))
    return Part(folder, "mosquitto", [MOSQUITTO, "-c", str(file)], port)


def pit(folder: Path, broker: int, port: int, store: str) -> Part:
    """The program as a house runs it."""
    command = [sys.executable, "-m", "controller", "pit", "--broker", f"mqtt://127.0.0.1:{broker}"]
    return Part(
        folder, "pit", [*command, "--store", store, "--listen", f"127.0.0.1:{port}", "--zone", "UTC"], port
    )


def fleet(folder: Path, broker: int, first: int, count: int, pace: float) -> Part:
    command = [sys.executable, "-m", "tests.pit.trial.fleet", "--port", str(broker), "--pits", "pit-1"]
    command += ["--folder", str(folder), "--first", str(first), "--count", str(count), "--pace", str(pace)]
    return Part(folder, f"fleet-{first}", command)


class Network:
    """A wire that can be cut: everything to the broker goes through it."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._ends: set[socket.socket] = set()
        self._cut = False
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """Whatever is on the way is lost, and nobody comes through."""
        self._cut = True
        for end in tuple(self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._cut = False

    def _listen(self) -> None:
        while True:
            near, _ = self._server.accept()
            try:
                if self._cut:
                    raise ConnectionRefusedError
                far = socket.create_connection(("127.0.0.1", self._to), 5)
                far.settimeout(None)
            except OSError:
                near.close()
                continue
            self._ends |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            self._ends.discard(end)
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
                end.close()
