"""The mock table's devices and people around a daemon that runs on the emulated board."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path
from random import Random
from typing import Any

import yaml

from controller.mock.bench import http
from controller.mock.bench.bench import Hands, Pace, TableStopped, View, play
from controller.mock.bench.child import Daemon
from controller.mock.bench.control import LIMIT, ControlLine
from controller.mock.bench.options import Options
from controller.mock.bench.wired import WiresBench
from controller.mock.run import Run, people
from drivers.chips.kinds import SHARED
from drivers.json_lines import json_line
from tests.image.machine import GUEST, Machine

JOURNAL = Path("/var/lib/crisscross/journal.db")
CONTROL = "/run/crisscross/control.sock"
SHOE_SOCKET = 7
"""Of the hub (hardware/99-crisscross-boards.rules); a seat's board is in the socket of its number."""
READY_S, STALL_S, ASKED_S = 900.0, 300.0, 2.0
SLOW = """# An emulated board is many times slower than a Pi, and shares its processors.
[Service]
ExecStart=
ExecStart=/usr/bin/env crisscross run --mock --config /etc/crisscross/table.yaml
TimeoutStartSec=15min
WatchdogSec=2min
"""
SOCKET = "[Socket]\nListenStream={listen}\nFreeBind=yes\n"
PROXY = """[Unit]
Requires={name}.socket
[Service]
ExecStart=/lib/systemd/systemd-socket-proxyd {to}
"""


class SlowControl(ControlLine):
    """The control socket, behind a port of the board's network."""

    patience_s = 120.0

    def __init__(self, port: int, heard: Any) -> None:
        super().__init__(Path(CONTROL), heard)
        self._port = port

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(http.HOST, self._port, limit=LIMIT)


async def _answers(port: int) -> bool:
    """Whether the daemon's control socket answers."""
    try:
        async with asyncio.timeout(SlowControl.patience_s):
            reader, writer = await asyncio.open_connection(http.HOST, port)
            writer.write(json_line({"clock": {"forward_ms": 0}}))
            told = await reader.readline()
            await http.close(writer)
    except OSError:  # it boots
        return False
    return bool(told)


class BoardDaemon(Daemon):
    """systemd's, on the board."""

    def __init__(self, table: ImageTable, port: int) -> None:
        self._table, self._port = table, port

    async def start(self) -> int:
        """Power on, and wait until the table shows itself."""
        machine = self._table.machine
        machine.boot()
        limit = time.monotonic() + READY_S
        while not await _answers(self._table.ports["control"]):  # the last that a daemon opens
            if not machine.running or time.monotonic() > limit:
                raise TableStopped(f"the board did not come to play: {machine.last_words()}")
            await asyncio.sleep(ASKED_S)
        return self._port

    async def ended(self) -> int:
        """Its end is no end of the table: its power is cut."""
        await asyncio.Event().wait()
        return 0

    def last_words(self, what: str) -> str:
        return f"{what}: {self._table.machine.last_words()}"


class ImageTable(WiresBench):
    """Devices outside, everything else on the board."""

    machine: Machine

    def __init__(self, seed: int, display: int, control: int) -> None:
        super().__init__(Options(seed=seed, port=display, journal=JOURNAL, readers=SHARED))
        self.ports = {"display": display, "control": control}
        self.daemon = BoardDaemon(self, display)
        self._control = SlowControl(control, self._recorded)
        self.hands = Hands(self, Pace(None))
        self.people, _ = people(Run(self.options, seats=3))

    def begin(self) -> None:
        """Devices alone."""
        self.bank.start()
        assert self.model is not None
        self._plug_in(self.model, Random(self.options.seed))

    def devices(self) -> dict[int, Path]:
        """The socket of the hub -> the line of the simulated device."""
        boards = {seat: self.places.readers / f"board-{seat}" for seat in range(1, SHOE_SOCKET)}
        return {**boards, SHOE_SOCKET: self.places.shoe}

    def etc(self, folder: Path) -> Path:
        """What a technician writes below /etc, and that its keys and lamps are simulated."""
        ours = folder / "crisscross"
        ours.mkdir(parents=True)
        for name in ("chips.csv", "people.yaml"):
            shutil.copyfile(self.places.folder / name, ours / name)
        table = yaml.safe_dump(self._table_file(), sort_keys=False)
        (ours / "table.yaml").write_text(table, encoding="utf-8")
        self._units(folder / "systemd/system")
        return folder

    def _table_file(self) -> dict[str, Any]:
        """As a real table's, but for pins and the bench's line."""
        data: dict[str, Any] = yaml.safe_load(self.places.table.read_text(encoding="utf-8"))
        for seat, circles in data["readers"]["ports"].items():
            circles.update(dict.fromkeys(circles, f"/dev/crisscross/seat{seat}"))
        del data["display"]["port_file"]
        data["shoe"]["port"] = "/dev/crisscross/shoe"
        more = {"rules": self.options.rules, "pins": {"factory": "mock"}, "mock": {"control": CONTROL}}
        return {**data, **more}

    def _units(self, folder: Path) -> None:
        """The daemon answers its own machine alone: two ports of the board lead to it."""
        ways = {
            "bench-display": (f"{GUEST}:{self.ports['display']}", f"127.0.0.1:{self.ports['display']}"),
            "bench-control": (f"{GUEST}:{self.ports['control']}", CONTROL),
        }
        wanted = folder / "sockets.target.wants"
        wanted.mkdir(parents=True)
        for name, (listen, to) in ways.items():
            (folder / f"{name}.socket").write_text(SOCKET.format(listen=listen), encoding="utf-8")
            (folder / f"{name}.service").write_text(PROXY.format(name=name, to=to), encoding="utf-8")
            (wanted / f"{name}.socket").symlink_to(f"../{name}.socket")
        (folder / "crisscross.service.d").mkdir()
        (folder / "crisscross.service.d/simulated.conf").write_text(SLOW, encoding="utf-8")

    # ------------------------------------------------------------------ life

    async def attach(self) -> None:
        """Power on, until the table is seen."""
        self._view = None
        await self._start_daemon()

    async def cut(self) -> None:
        """The power goes, of the board and not of the devices."""
        await asyncio.to_thread(self.machine.cut_power)
        await self._hang_up()

    async def finish(self) -> None:
        await self.cut()
        if self.simulator is not None:
            self.simulator.stop()
        self.bank.stop()
        self.remove_folder()

    async def press(self, key: str) -> None:
        """By the bench's own line: the board has no pins."""
        await self.press_told(key)

    # ------------------------------------------------------------------ play

    async def rounds(self, count: int) -> list[dict[str, Any]]:
        """So many more, as they were told."""
        done: list[dict[str, Any]] = []

        def until(_view: View) -> bool:
            done.extend(dict(record) for record in self.records())
            return len(done) >= count

        await play(self.hands, self.people, until, stall=STALL_S)
        return done

    async def play_on(self) -> None:
        """Until somebody ends it."""
        await play(self.hands, self.people, lambda _view: False, stall=STALL_S)
