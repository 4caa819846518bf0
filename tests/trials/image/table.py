"""Devices and people of a mock table whose daemon runs on the emulated board."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import yaml

from controller.mock.bench import http
from controller.mock.bench.bench import Hands, Pace, Record, TableStopped, ViewData, play
from controller.mock.bench.child import Daemon
from controller.mock.bench.control import MAX_LINE_BYTES, ControlClient
from controller.mock.bench.options import MockOptions
from controller.mock.bench.wired import WiresBench
from controller.mock.run import Run, people
from drivers.chips.kinds import SEAT_BOARD
from drivers.json_lines import json_line
from tests.serving import shows
from tests.trials.image.acknowledged import Promises
from tests.trials.image.machine import GUEST, Machine
from tests.trials.image.replayed import Promised

JOURNAL = Path("/var/lib/crisscross/journal.db")
CONTROL = "/run/crisscross/control.sock"
SHOE_SOCKET = 7
"""Socket of the hub for the shoe (hardware/99-crisscross-boards.rules). The board of a seat is in the socket
with the seat's number."""
READY_S, STALL_S, POLL_INTERVAL_S = 1800.0, 300.0, 2.0
TRIED = "/var/lib/crisscross/tried"
SLOW = f"""# An emulated board is many times slower than a Pi, and shares its processors. The first time
# that an update is on trial, its daemon ends as one does that its table file does not suit.
[Service]
ExecStart=
ExecStart=/bin/sh -c 'if grep -q crisscross.trial /proc/cmdline && ! test -e {TRIED}; \
    then touch {TRIED}; exit 2; fi; exec env crisscross run --mock --config /etc/crisscross/table.yaml \\
    --pages /run/crisscross-pages/table.sock'
TimeoutStartSec=15min
WatchdogSec=2min
"""
SOCKET = "[Socket]\nListenStream={listen}\nFreeBind=yes\n"
SHELL = {
    "bench-shell.socket": "[Socket]\nListenStream={listen}\nFreeBind=yes\nAccept=yes\n",
    "bench-shell@.service": "[Service]\nExecStart=/bin/sh\nStandardInput=socket\nStandardError=inherit\n",
}
"""Units that open a root shell on the board to any client of its socket."""
PROXY = """[Unit]
Requires={name}.socket
[Service]
ExecStart=/lib/systemd/systemd-socket-proxyd {to}
"""


class SlowControl(ControlClient):
    """Client of the daemon's control socket, which is behind a port of the board's network. Its timeout fits
    an emulated processor."""

    timeout_s = 120.0

    def __init__(self, port: int, on_line: Any) -> None:
        super().__init__(Path(CONTROL), on_line)
        self._port = port

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(http.HOST, self._port, limit=MAX_LINE_BYTES)


async def _answers(port: int) -> bool:
    """Return whether the daemon's control socket answers."""
    try:
        async with asyncio.timeout(SlowControl.timeout_s):
            reader, writer = await asyncio.open_connection(http.HOST, port)
            writer.write(json_line({"clock": {"forward_ms": 0}}))
            line = await reader.readline()
            await http.close(writer)
    except OSError:  # the board is still booting
        return False
    return bool(line)


class BoardDaemon(Daemon):
    """Daemon that systemd runs on the emulated board, as the mock table sees it."""

    def __init__(self, table: ImageTable, port: int) -> None:
        self._table, self._port = table, port

    async def start(self) -> int:
        """Switch the power on if it is off, and wait until the table is shown."""
        machine = self._table.machine
        if not machine.running:  # a running board starts the daemon by itself
            machine.boot()
        limit = time.monotonic() + READY_S
        while not await self._plays():
            if not machine.running or time.monotonic() > limit:
                raise TableStopped(f"the board did not come to play: {machine.last_output()}")
            await asyncio.sleep(POLL_INTERVAL_S)
        return self._port

    async def _plays(self) -> bool:
        """Return whether the daemon has opened its last device and the unit of its pages shows the table."""
        ports = self._table.ports
        return await _answers(ports["control"]) and await asyncio.to_thread(shows, ports["display"])

    async def ended(self) -> int:
        """Wait for ever: this table ends by a power cut, not with its daemon."""
        await asyncio.Event().wait()
        return 0

    def last_output(self, what: str) -> str:
        return f"{what}: {self._table.machine.last_output()}"


class ImageTable(WiresBench):
    """Mock table whose devices are simulated on this machine, while daemon, pages and kiosk run on the
    board."""

    machine: Machine

    def __init__(self, seed: int, ports: Mapping[str, int]) -> None:
        display, control = ports["display"], ports["control"]
        super().__init__(MockOptions(seed=seed, port=display, journal=JOURNAL, readers=SEAT_BOARD))
        self.ports = ports
        self.daemon = BoardDaemon(self, display)
        self._promises = self._shoe_frames = Promises(moment=self._written)
        self._told: list[tuple[int, Record]] = []
        self._control = SlowControl(control, self._recorded)
        self.hands = Hands(self, Pace(None))
        self.people, _ = people(Run(self.options, seats=3))

    def begin(self) -> None:
        """Start only the devices."""
        self.bank.start()
        assert self.model is not None
        self._plug_in(self.model, Random(self.options.seed))

    def devices(self) -> dict[int, Path]:
        """Return the line of each simulated device by its socket of the hub."""
        boards = {seat: self.places.readers / f"board-{seat}" for seat in range(1, SHOE_SOCKET)}
        return {**boards, SHOE_SOCKET: self.places.shoe}

    def etc(self, folder: Path) -> Path:
        """Write the files that a technician writes below /etc, with simulated keys and lamps."""
        ours = folder / "crisscross"
        ours.mkdir(parents=True)
        for name in ("chips.csv", "people.yaml"):
            shutil.copyfile(self.places.folder / name, ours / name)
        table = yaml.safe_dump(self._table_file(), sort_keys=False)
        (ours / "table.yaml").write_text(table, encoding="utf-8")
        self._units(folder / "systemd/system")
        return folder

    def _table_file(self) -> dict[str, Any]:
        """Return the table file of a real table, changed only in its pins and its line to the bench."""
        data: dict[str, Any] = yaml.safe_load(self.places.table.read_text(encoding="utf-8"))
        for seat, circles in data["readers"]["ports"].items():
            circles.update(dict.fromkeys(circles, f"/dev/crisscross/seat{seat}"))
        del data["display"]["port_file"]
        data["shoe"]["port"] = "/dev/crisscross/shoe"
        more = {"rules": self.options.rules, "pins": {"factory": "mock"}, "mock": {"control": CONTROL}}
        return {**data, **more}

    def _units(self, folder: Path) -> None:
        """Write drop-ins for the units. The daemon serves only its own machine, so two ports of the board
        lead to it."""
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
        for name, text in SHELL.items():
            listen = f"{GUEST}:{self.ports['shell']}"
            (folder / name).write_text(text.format(listen=listen), encoding="utf-8")
        (wanted / "bench-shell.socket").symlink_to("../bench-shell.socket")
        (folder / "crisscross.service.d").mkdir()
        (folder / "crisscross.service.d/simulated.conf").write_text(SLOW, encoding="utf-8")

    # ------------------------------------------------------------------ life

    async def attach(self) -> None:
        """Switch the power on and wait until the table is shown."""
        self._view = None
        # a boot begins a new log of writes, so earlier promises are not part of it
        if not self.machine.running:
            self._promises.marks.clear()
            self._told.clear()
        await self._start_daemon()

    def _written(self) -> int:
        return self.machine.written()

    def promised(self) -> Promised:
        """Return the acknowledgements and records since power-on, which no power cut may lose."""
        return Promised(tuple(self._promises.marks), tuple(self._told))

    def _recorded(self, record: Record) -> None:
        self._told.append((self._written(), record))
        super()._recorded(record)

    async def cut(self) -> None:
        """Cut the power of the board; the devices keep theirs."""
        await asyncio.to_thread(self.machine.cut_power)
        await self._hang_up()

    async def finish(self) -> None:
        await self.cut()
        if self.simulator is not None:
            self.simulator.stop()
        self.bank.stop()
        self.remove_folder()

    async def shell(self, command: str, seconds: float = 300.0) -> tuple[int, str]:
        """Run a command as root on the board; return its status and output."""
        reader, writer = await asyncio.open_connection(http.HOST, self.ports["shell"])
        writer.write(f"{{ {command}\n}} 2>&1; s=$?; echo; echo $s; exit\n".encode())
        async with asyncio.timeout(seconds):
            output = (await reader.read()).decode(errors="replace").splitlines()
        await http.close(writer)
        if not output:
            raise TableStopped(f"the board's shell printed nothing for: {command}")
        return int(output[-1]), "\n".join(output[:-1]).strip()

    async def started_anew(self) -> None:
        """Connect again after the board has restarted, since its old connections are closed."""
        await self._hang_up()
        await self.attach()

    async def press(self, key: str) -> None:
        """Press a key over the bench's own line, since the board has no pins."""
        await self.press_for_answer(key)

    # ------------------------------------------------------------------ play

    async def rounds(self, count: int) -> list[dict[str, Any]]:
        """Play `count` further rounds and return their records."""
        done: list[dict[str, Any]] = []

        def until(_view: ViewData) -> bool:
            done.extend(dict(record) for record in self.records())
            return len(done) >= count

        await play(self.hands, self.people, until, stall=STALL_S)
        return done

    async def play_on(self) -> None:
        """Play until cancelled."""
        await play(self.hands, self.people, lambda _view: False, stall=STALL_S)
