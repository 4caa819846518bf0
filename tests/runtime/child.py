"""Daemon as a separate process for tests, which start it, wait until it is READY, and end or kill it."""

from __future__ import annotations

import asyncio
import json
import os
import pwd
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import yaml

from controller.mock.bench.options import PIN_HASH
from controller.mock.bench.touch_subjects import with_subject
from controller.settings.people.register import Person, write_people

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120
"""Timeout of each wait, in s. On a machine with twenty busy programs a start takes thirty."""
USER = pwd.getpwuid(os.geteuid()).pw_name
"""User of the table's own screen."""


def table_file(folder: Path, **more: Any) -> Path:
    """Write the file of a table without readers and pins, and its file of people; return the table file.
    `more`: other values of keys; None removes a key."""
    people = folder / "people.yaml"
    write_people(people, {"4711": Person(name="B1", roles=["floorperson"], pin=PIN_HASH)})
    keys = {
        "table": "T-1",
        "rules": "pennsylvania",
        "journal": "journal.db",
        "display": {"port": 0, "port_file": "port", "user": USER},
        "shoe": {"port": str(folder / "shoe")},
        "people": people.name,
        "floorpersons": ["B1"],
        **more,
    }
    file = folder / "table.yaml"
    kept = {key: value for key, value in keys.items() if value is not None}
    file.write_text(yaml.safe_dump(kept), encoding="utf-8")
    return file


class Child:
    """Started process of a daemon, and its output."""

    def __init__(self, process: asyncio.subprocess.Process, ear: socket.socket, folder: Path) -> None:
        self.process = process
        self._ear = ear
        self._folder = folder
        self.err = ""

    async def ready(self) -> None:
        """Wait for READY=1; if the process ends before, fail with its last output."""
        started = asyncio.ensure_future(self.notified(b"READY=1"))
        ended = asyncio.ensure_future(self.process.wait())
        try:
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.wait((started, ended), return_when=asyncio.FIRST_COMPLETED)
            if not started.done():
                raise AssertionError(await self.words())
        finally:
            started.cancel()
            ended.cancel()
            await asyncio.gather(started, ended, return_exceptions=True)

    async def notified(self, word: bytes) -> None:
        """Wait until the process has sent systemd a notification that contains this word."""
        loop = asyncio.get_running_loop()
        while word not in await loop.sock_recv(self._ear, 4096):
            continue

    @property
    def port(self) -> int:
        return int((self._folder / "port").read_text(encoding="ascii"))

    async def get(self, path: str) -> Any:
        """Return the response of the display's server as parsed JSON."""
        return (await self.ask("GET", path))[1]

    async def until(self, holds: Callable[[Any], bool]) -> None:
        """Request the view until `holds` accepts it, at most fifty times a second so that the daemon has time
        for its work."""
        pause = threading.Event()
        async with asyncio.timeout(PATIENCE_S):
            while not holds(await self.get("/api/view")):
                await asyncio.to_thread(pause.wait, 0.02)

    async def touch(self, **body: Any) -> tuple[int, Any]:
        """Send a touch. If `body` names no subject, the touch has the subject that the page shows now."""
        named: dict[str, Any] = body
        if body.get("about") is None and (body.get("prompt") is None or body.get("key") == "undo"):
            named = with_subject(await self.get("/api/view"), body)
        return await self.ask("POST", "/api/touch", json.dumps(named))

    async def ask(self, verb: str, path: str, body: str = "") -> tuple[int, Any]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = f"{verb} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(f"{head}{kind}{body}".encode())
        try:
            async with asyncio.timeout(PATIENCE_S):
                answer = (await reader.read()).decode()
        finally:
            writer.close()
            await writer.wait_closed()
        first, _, rest = answer.partition("\r\n")
        return int(first.split()[1]), json.loads(rest.partition("\r\n\r\n")[2])

    async def words(self) -> str:
        """Wait for the end of the process and return all its output."""
        if self.process.stderr is not None and not self.err:
            async with asyncio.timeout(PATIENCE_S):
                self.err = (await self.process.stderr.read()).decode()
        return self.err

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()

    async def end(self) -> int:
        self.process.terminate()
        return await self.ended()

    async def kill(self) -> None:
        self.process.kill()
        await self.ended()


@asynccontextmanager
async def started(folder: Path, arguments: Sequence[str], **environment: str) -> AsyncIterator[Child]:
    """Run `python *arguments` and yield the process, which is killed at the end of the block if it still
    runs."""
    address = folder / "notify"
    address.unlink(missing_ok=True)
    ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ear.setblocking(False)
    ear.bind(str(address))
    env: Mapping[str, str] = {
        **os.environ,
        "NOTIFY_SOCKET": str(address),
        "PYTHONPATH": str(ROOT),
        **environment,
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=folder, env=env,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    child = Child(process, ear, folder)
    try:
        yield child
    finally:
        if process.returncode is None:
            await child.kill()
        await child.words()
        ear.close()


def run_arguments(file: Path) -> list[str]:
    """Return the arguments with which the mock table starts the daemon. The mock's arguments are needed
    because the table files of these tests have parts that a real table may not have."""
    return ["-m", "controller", "run", "--mock", "--config", str(file)]
