"""The mock table's devices and people around a daemon that systemd runs."""

from __future__ import annotations

import asyncio
import re
import shutil
import time
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

from controller.mock.bench.bench import Hands, Pace, View, play
from controller.mock.bench.child import Daemon
from controller.mock.bench.options import Options
from controller.mock.bench.wired import WiresBench
from controller.mock.run import Run, people
from tests.serving import asked, shows
from tests.trials.system.container import Container

UNIT = "crisscross.service"
DROP_IN = """[Service]
ExecStart=
ExecStart=/usr/bin/env crisscross run --mock --config /etc/crisscross/table.yaml \\
    --pages /run/crisscross-pages/table.sock
DeviceAllow=char-pts rw
ReadWritePaths={shared}
"""
READY_S, STALL_S = 120.0, 120.0


class UnitDaemon(Daemon):
    """systemd's in place of a child."""

    def __init__(self, container: Container, port: int) -> None:
        self._container, self._port = container, port

    async def start(self) -> int:
        """Return its port, once the unit is active and the pages' own unit shows the table."""
        await asyncio.to_thread(self._container.run, "systemctl", "start", UNIT)
        await self.until("active")
        await self._shown()
        return self._port

    async def _shown(self) -> None:
        limit = time.monotonic() + READY_S
        while not await asyncio.to_thread(shows, self._port):
            if time.monotonic() > limit:
                raise TimeoutError(f"no page: {self.last_words('', 'crisscross-pages.service')}")
            await asyncio.sleep(0.2)

    async def until(self, state: str) -> float:
        """Seconds until the unit is in this state."""
        began = time.monotonic()
        while (now := await asyncio.to_thread(self._container.said, "systemctl", "is-active", UNIT)) != state:
            if time.monotonic() - began > READY_S:
                raise TimeoutError(f"{UNIT} is {now} and not {state}: {self.last_words('')}")
            await asyncio.sleep(0.2)
        return time.monotonic() - began

    async def ended(self) -> int:
        """Its end is no end of the table: systemd starts it again."""
        await asyncio.Event().wait()
        return 0

    async def stop(self) -> None:
        await asyncio.to_thread(self._container.run, "systemctl", "stop", UNIT)

    def last_words(self, what: str, unit: str = UNIT) -> str:
        lines = self._container.said("journalctl", "-u", unit, "-n", "12", "-o", "cat", "--no-pager")
        return f"{what}: {lines}"


class SystemTable(WiresBench):
    """Devices outside, daemon inside. `install` writes what a technician would."""

    def __init__(self, container: Container, shared: Path, seed: int, port: int) -> None:
        super().__init__(Options(seed=seed, port=port, journal=Path("/var/lib/crisscross/journal.db")))
        self.container, self._shared = container, shared
        self.daemon = self.unit = UnitDaemon(container, port)
        self.hands = Hands(self, Pace(None))
        self.people, _ = people(Run(self.options, seats=3))

    async def begin(self) -> None:
        """Devices, no daemon yet; everybody may use them, as the groups of a real table's let its user."""
        self.bank.start()
        await self.pins.start()
        assert self.model is not None
        self._plug_in(self.model, Random(self.options.seed))
        self.open_up()

    def open_up(self) -> None:
        self.places.folder.chmod(0o777)
        for path in self.places.folder.rglob("*"):  # links lead to the simulated devices' terminals
            path.chmod(0o777 if path.is_dir() else 0o666)

    def install(self) -> None:
        """The table file where the guide has it, its neighbours, and that its devices are simulated."""
        etc, inside = self.container.root / "etc", self.container.root / "root"
        text = self.places.table.read_text(encoding="utf-8")
        # the pack of this checkout's path -> the package's own of the same key
        named = re.sub(r"(?m)^rules: .*$", f"rules: {self.options.rules}", text)
        (inside / "YOUR-TABLE.yaml").write_text(named, encoding="utf-8")
        for name in ("chips.csv", "people.yaml"):
            (etc / "crisscross").mkdir(exist_ok=True)
            shutil.copyfile(self.places.folder / name, etc / "crisscross" / name)
            (etc / "crisscross" / name).chmod(0o644)
        folder = etc / f"systemd/system/{UNIT}.d"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "simulated.conf").write_text(DROP_IN.format(shared=self._shared), encoding="utf-8")

    async def attach(self) -> None:
        """To the daemon as it is now."""
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
        """So many more; how many were void."""
        done: list[dict[str, Any]] = []

        def until(_view: View) -> bool:
            done.extend(dict(record) for record in self.records())
            return len(done) >= count

        await play(self.hands, self.people, until, stall=STALL_S)
        return sum(record["outcome"] == "void" for record in done)

    async def into(self, phase: str) -> tuple[int, str]:
        """Into the middle of a round; which, and its phase."""
        view = await play(self.hands, self.people, lambda view: view["phase"] == phase, stall=STALL_S)
        return view["round"], view["phase"]

    async def alerted(self, code: str, seconds: float) -> bool:
        """The screen says it."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            view = self.view()
            if code in {alert["code"] for alert in view["alerts"]}:
                return True
            await self.wait_for_view(view["version"], 1.0)
        return False

    def page(self, path: str = "/") -> str:
        """Return a page as a browser gets it."""
        return asked(self._address(path))[1]

    def picture(self, path: str) -> bytes:
        with urlopen(self._address(path), timeout=10) as answer:  # noqa: S310  # the table's own pages
            return bytes(answer.read())

    def _address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.options.port}{path}"

    def where(self) -> tuple[int, str]:
        return self.view()["round"], self.view()["phase"]


def folder(path: Path) -> Path:
    """That every user may enter."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o777)
    return path
