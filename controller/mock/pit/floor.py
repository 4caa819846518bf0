"""`crisscross mock --pit`: a broker, a pit and several mock tables with their uplinks, all on this machine.

The tables play in this process, like the one table of `crisscross mock`; broker, pit, daemons and uplinks are
child processes. If any of them ends, the command ends with one line. The command must never leave a process
or a temporary folder behind.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from controller.common.files.mistakes import Mistakes
from controller.common.http.server import ServerError, open_socket
from controller.mock.bench.bench import TableStopped
from controller.mock.bench.child import Child, ready_timeout_s
from controller.mock.bench.options import TablePaths
from controller.mock.bench.wired import WiresBench
from controller.mock.pit.broker import LOOPBACK, free_port, write_settings
from controller.mock.progress import RoundCounter
from controller.mock.run import Mock, Run, cancelled_by_signals

PIT = "pit-1"
ASK_INTERVAL_S = 0.05
"""Seconds between two attempts to connect to a process that has just been started."""


@dataclass(frozen=True, slots=True)
class FloorOptions:
    """Options of the command. `run`: options of each table; name, seed, ports and journal are set per
    table. `port`: port of the pit's pages, 0 for any free one."""

    run: Run
    tables: int
    broker: str
    """Path of Mosquitto's program."""
    port: int = 0


class ChildEnded(Exception):
    """Raised if a child process has ended or did not answer in time. The message is one line."""


def table_name(number: int) -> str:
    """Return the name of table `number`, counted from 1."""
    return f"CC-{number:02}"


def journal_path(journal: Path, name: str) -> Path:
    """Return the journal of one table, or the store of the pit, beside the journal named on the command
    line."""
    return journal.with_name(f"{journal.stem}-{name}{journal.suffix or '.db'}")


def run_of(wanted: FloorOptions, number: int, broker: int) -> Run:
    """Return the options of table `number`. A fixed display port is that of the first table; each table uses
    two ports."""
    table, name, first = wanted.run.table, table_name(number), wanted.run.table.port
    port = first + 2 * (number - 1) if first else 0
    uplink = {"broker": f"mqtt://{LOOPBACK}:{broker}", "pits": [{"name": PIT}]}
    options = replace(
        table, seed=table.seed + number - 1, port=port,
        config={**table.config, "table": name, "uplink": uplink},
        journal=journal_path(table.journal, name) if table.journal else None,
    )  # fmt: skip
    return replace(wanted.run, table=options, felt_page_port=port + 1 if port else 0)


class MockFloor:
    """One run of `crisscross mock --pit`. `folder`: folder for settings, logs and a temporary store."""

    def __init__(self, wanted: FloorOptions, folder: Path) -> None:
        self._wanted, self._folder = wanted, folder
        self._progress = RoundCounter(wanted.run.as_json)
        self._broker_port = free_port()
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Message of the first child process that ends by itself."""

    async def play(self) -> int:
        """Play and return the exit status: 1 if a child ended by itself, else the worst status of a table."""
        try:
            async with AsyncExitStack() as stack:
                await self._start_broker(stack)
                await self._start_pit(stack)
                return await self._play_tables()
        except (ChildEnded, ServerError, TableStopped) as error:
            self._progress.fail(str(error))
            return 1
        except asyncio.CancelledError:  # cancelled before the first table was started
            return 0

    async def _start(self, stack: AsyncExitStack, name: str, command: Sequence[str], log: Path) -> None:
        child = Child(command, log)
        try:
            await child.spawn(os.environ)
        except OSError as error:
            raise ChildEnded(f"{name}: {command[0]}: {error.strerror}") from error
        watch = asyncio.create_task(self._watch(name, child))
        stack.push_async_callback(child.stop)
        stack.callback(watch.cancel)

    async def _watch(self, name: str, child: Child) -> None:
        await child.ended()
        if not self._ended.done():
            self._ended.set_result(child.end_reason(f"{name} ended"))

    async def _until_answers(self, name: str, port: int) -> None:
        timeout_s = ready_timeout_s()
        for _ in range(int(timeout_s / ASK_INTERVAL_S)):
            with suppress(OSError):
                _, writer = await asyncio.open_connection(LOOPBACK, port)
                writer.close()
                return
            await asyncio.wait({self._ended}, timeout=ASK_INTERVAL_S)
            if self._ended.done():
                raise ChildEnded(self._ended.result())
        raise ChildEnded(f"{name} did not answer after {timeout_s:.0f} s")

    async def _start_broker(self, stack: AsyncExitStack) -> None:
        settings = write_settings(self._folder / "mosquitto.conf", self._broker_port)
        command = (self._wanted.broker, "-c", str(settings))
        await self._start(stack, "the broker", command, self._folder / "broker.log")
        await self._until_answers("the broker", self._broker_port)

    async def _start_pit(self, stack: AsyncExitStack) -> None:
        with closing(open_socket(LOOPBACK, self._wanted.port, "--pit-port")) as found:
            port = int(found.getsockname()[1])
        broker = f"mqtt://{LOOPBACK}:{self._broker_port}"
        journal = self._wanted.run.table.journal
        store = journal_path(journal, "pit").absolute() if journal else self._folder / "pit.db"
        command = (
            sys.executable, "-m", "controller", "pit", "--broker", broker, "--store", str(store),
            "--name", PIT, "--listen", f"{LOOPBACK}:{port}",
        )  # fmt: skip
        await self._start(stack, "the pit", command, self._folder / "pit.log")
        await self._until_answers("the pit", port)
        self._progress.announce(f"pit                http://{LOOPBACK}:{port}/")
        self._progress.announce(f"broker             {broker}")
        if journal:
            self._progress.write(f"The pit keeps its store in {store}")

    @asynccontextmanager
    async def _uplink(self, places: TablePaths, name: str, started: asyncio.Event) -> AsyncIterator[None]:
        """Run the two services of one table's uplink. `started` is set once both have been started."""
        async with AsyncExitStack() as stack:
            for act in ("tell", "serve"):
                command = (sys.executable, "-m", "controller", "uplink", act, "--config", str(places.table))
                log = places.folder / f"uplink-{act}.log"
                await self._start(stack, f"{name}: uplink {act}", command, log)
            started.set()
            yield

    # ------------------------------------------------------------------ tables

    async def _table(self, number: int, turn: asyncio.Event, started: asyncio.Event) -> int:
        """Play one table. It starts when `turn` is set, which is after the start of the previous table:
        starting all at once is slow on a small machine.
        """
        await turn.wait()
        run, name = run_of(self._wanted, number, self._broker_port), table_name(number)
        bench = WiresBench(run.table)
        return await Mock(run, name, bench).play(self._uplink(bench.places, name, started))

    async def _play_tables(self) -> int:
        turns = [asyncio.Event() for _ in range(self._wanted.tables + 1)]
        turns[0].set()
        tables = [
            asyncio.create_task(self._table(number, turn, started))
            for number, (turn, started) in enumerate(pairwise(turns), 1)
        ]
        status = 0
        try:
            status = await self._until_over(tables)
        except asyncio.CancelledError:
            pass
        finally:
            for table in tables:
                table.cancel()
            ends = await asyncio.gather(*tables, return_exceptions=True)
        return max(status, *(end for end in ends if isinstance(end, int)), 0)

    async def _until_over(self, tables: Sequence[asyncio.Task[int]]) -> int:
        playing = set(tables)
        while playing:
            either: set[asyncio.Future[Any]] = {*playing, self._ended}
            done, _ = await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._ended.done():
                raise ChildEnded(self._ended.result())
            for table in playing & done:
                if status := table.result():
                    return status
            playing -= done
        return 0


def run(wanted: FloorOptions) -> int:
    """Play until the run has ended and return the exit status."""

    async def main() -> int:
        with cancelled_by_signals(), tempfile.TemporaryDirectory(prefix="crisscross-pit-") as folder:
            return await MockFloor(wanted, Path(folder)).play()

    try:
        return asyncio.run(main())
    except Mistakes as mistakes:
        sys.stderr.write("".join(f"crisscross mock: {line}\n" for line in mistakes.lines))
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 1
