"""Devices and people of the mock table around a daemon that systemd runs."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

from controller.game.model.names import Circle, Wager
from controller.mock.bench.bench import Hands, Pace, ViewData, play
from controller.mock.bench.child import Daemon
from controller.mock.bench.options import MockOptions
from controller.mock.bench.table_file import reader_line
from controller.mock.bench.wired import WiresBench
from controller.mock.run import Run, people
from tests.repository.house import ROOT
from tests.serving import get_page, shows
from tests.trials.system.container import Container

UNIT = "crisscross.service"
READY_S, STALL_S = 120.0, 120.0


def drop_in(sockets: Path) -> str:
    """Return the drop-in for simulated devices, taken from the install page."""
    text = (ROOT / "systemd/README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```ini\n(.*?)```", text, re.DOTALL)
    return str(block).replace("FOLDER", str(sockets))


class UnitDaemon(Daemon):
    """Daemon that systemd runs in the container, as the mock table sees it."""

    def __init__(self, container: Container, port: int) -> None:
        self._container, self._port = container, port

    async def start(self) -> int:
        """Return the daemon's port once the unit is active and the unit of the pages shows the table."""
        await asyncio.to_thread(self._container.run, "systemctl", "start", UNIT)
        await self.until("active")
        await self._shown()
        return self._port

    async def _shown(self) -> None:
        limit = time.monotonic() + READY_S
        while not await asyncio.to_thread(shows, self._port):
            if time.monotonic() > limit:
                raise TimeoutError(f"no page: {self.last_output('', 'crisscross-pages.service')}")
            await asyncio.sleep(0.2)

    async def until(self, state: str) -> float:
        """Wait until the unit is in this state; return the seconds that this took."""
        began = time.monotonic()
        while (
            now := await asyncio.to_thread(self._container.output_of, "systemctl", "is-active", UNIT)
        ) != state:
            if time.monotonic() - began > READY_S:
                raise TimeoutError(f"{UNIT} is {now} and not {state}: {self.last_output('')}")
            await asyncio.sleep(0.2)
        return time.monotonic() - began

    async def ended(self) -> int:
        """Wait forever, because systemd starts the daemon again."""
        await asyncio.Event().wait()
        return 0

    async def stop(self) -> None:
        await asyncio.to_thread(self._container.run, "systemctl", "stop", UNIT)

    def last_output(self, what: str, unit: str = UNIT) -> str:
        lines = self._container.output_of("journalctl", "-u", unit, "-n", "12", "-o", "cat", "--no-pager")
        return f"{what}: {lines}"


class SystemTable(WiresBench):
    """Mock table whose devices are simulated outside the container, while its daemon runs inside. `install`
    writes the files that a technician writes."""

    def __init__(self, container: Container, shared: Path, seed: int, port: int) -> None:
        journal = Path("/var/lib/crisscross/journal.db")
        one_deck = {"decks": 1}  # the shipped table file says one deck too
        super().__init__(MockOptions(seed=seed, port=port, journal=journal, config=one_deck))
        self.container, self._shared = container, shared
        self.daemon = self.unit = UnitDaemon(container, port)
        self.hands = Hands(self, Pace(None))
        self.people, _ = people(Run(self.options, seats=3))

    async def begin(self) -> None:
        """Start the devices without a daemon. Every user may open them, as a real table's groups allow its
        user."""
        self.bank.start()
        await self.pins.start()
        assert self.model is not None
        self._plug_in(self.model, Random(self.options.seed))
        self.open_up()

    def open_up(self) -> None:
        self.places.folder.chmod(0o777)
        for path in self.places.folder.rglob("*"):  # chmod follows links to the simulated devices' terminals
            path.chmod(0o777 if path.is_dir() else 0o666)

    def install(self) -> None:
        """Write a technician's copy of the shipped table file, and the drop-in for simulated devices."""
        etc, inside = self.container.root / "etc", self.container.root / "root"
        text = (ROOT / "config/table.yaml").read_text(encoding="utf-8")
        (inside / "YOUR-TABLE.yaml").write_text(self._with_ports(text), encoding="utf-8")
        folder = etc / f"systemd/system/{UNIT}.d"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "simulated.conf").write_text(drop_in(self._shared), encoding="utf-8")

    def _with_ports(self, text: str) -> str:
        """Return the table file with the ports of the simulated devices in place of /dev/crisscross, and the
        section for simulated devices. Every line about the house stays as shipped."""

        def reader(line: re.Match[str]) -> str:
            circle = Circle(int(line["seat"]), Wager(line["wager"]))
            return f"{line['wager']}: {reader_line(self.places, circle, self.options.readers)}"

        text = re.sub(r"(?P<wager>\w+): /dev/crisscross/seat(?P<seat>\d)_\w+", reader, text)
        text = text.replace("/dev/crisscross/shoe", str(self.places.shoe))
        text = text.replace("factory: lgpio ", f"factory: sim\n  socket: {self.places.pins} ")
        text = text.replace("  port: 8080", f"  port: {self.options.port}\n  touches_a_second: 10000")
        text = text.replace("dead_time_ms: 400", "dead_time_ms: 0")  # simulated people act without delay
        return f"{text}mock: {{control: {self.places.control}}}\n"

    async def attach(self) -> None:
        """Connect to the daemon that runs now, after `detach`."""
        self._view = None
        await self._start_daemon()

    async def detach(self) -> None:
        await self._hang_up()

    async def finish(self) -> None:
        await self._hang_up()
        if self.simulator is not None:
            self.simulator.stop()
        await self.pins.stop()
        self.bank.stop()
        self.remove_folder()

    # ------------------------------------------------------------------ play

    async def rounds(self, count: int) -> int:
        """Play `count` further rounds; return the number of void ones."""
        done: list[dict[str, Any]] = []

        def until(_view: ViewData) -> bool:
            done.extend(dict(record) for record in self.records())
            return len(done) >= count

        await play(self.hands, self.people, until, stall=STALL_S)
        return sum(record["outcome"] == "void" for record in done)

    async def into(self, phase: str) -> tuple[int, str]:
        """Play until a round is in this phase. Returns its number and the phase."""
        view = await play(self.hands, self.people, lambda view: view["phase"] == phase, stall=STALL_S)
        return view["round"], view["phase"]

    async def alerted(self, code: str, seconds: float) -> bool:
        """Return whether the screen shows the alert within that time."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            view = self.view()
            if code in {alert["code"] for alert in view["alerts"]}:
                return True
            await self.wait_for_view(view["version"], 1.0)
        return False

    def page(self, path: str = "/") -> str:
        """Return a page as a browser gets it."""
        return get_page(self._address(path))[1]

    def picture(self, path: str) -> bytes:
        with urlopen(self._address(path), timeout=10) as answer:  # noqa: S310  # the table's own pages
            return bytes(answer.read())

    def _address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.options.port}{path}"

    def where(self) -> tuple[int, str]:
        return self.view()["round"], self.view()["phase"]


def folder(path: Path) -> Path:
    """Return a folder that every user may enter."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o777)
    return path
