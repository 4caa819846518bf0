"""The pit's pages on a real port, over a store that the test fills: what the browser talks to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import uvicorn

from controller.pit.database import open_database
from controller.pit.expecting import known
from controller.pit.figures import Shifts
from controller.pit.floor import Floor
from controller.pit.intake import Intake, Payload
from controller.pit.keeper import Counts
from controller.pit.pages import Shown, make_app
from controller.pit.store import Store
from controller.uplink.wire import read_felt, read_state
from tests.pit.speaking import Table

NOW = "2026-11-22T20:10:00.000Z"
POSIX = 1_795_378_200


class Served:
    """`wait`: moves the pit's clock on."""

    def __init__(self, folder: Path) -> None:
        url = str(folder / "pit.db")
        self._store = Store(open_database(url, writing=True))
        self.intake = Intake(self._store, "UTC", lambda: NOW, known())
        self._seconds = 0.0
        self.counts = Counts()
        self.floor = Floor(lambda: self._seconds, lambda: POSIX + self._seconds)
        shown = Shown(
            self.floor, url, self.counts, "UTC", Shifts(), lambda: NOW, lambda: POSIX + int(self._seconds)
        )
        self.app = make_app(shown)
        config = uvicorn.Config(self.app, host="127.0.0.1", port=0, log_level="warning", lifespan="off")
        self._server = uvicorn.Server(config)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="served")
        self._thread.start()
        assert self._ready.wait(20), "the web server did not start"

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        serving = asyncio.create_task(self._server.serve())
        while not self._server.started and not serving.done():
            await asyncio.sleep(0)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]
        self._ready.set()
        await serving

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def hear(self, *tables: Table, felt: bytes | None = None) -> None:
        """All that these have told, their state, and a felt."""
        for table in tables:
            stand = self.intake.stands(table.name)
            new = table.payloads[stand.upto if stand else 0 :]
            taken = self.intake.take([Payload(table.name, payload) for payload in new])
            self.counts.kept += len(taken.kept)
            stand = self.intake.stands(table.name)
            tiles = {table.name: (self.intake.tiles[table.name], stand.upto if stand else 0)}
            self._do(partial(self.floor.kept, tiles))
            self.says(table.state())
        if felt is not None:
            self._do(partial(self.floor.felt, read_felt(felt)))

    def says(self, state: bytes) -> None:
        self._do(partial(self.floor.state, read_state(state)))

    def wait(self, seconds: float) -> None:
        self._seconds += seconds
        self._do(self.floor.look)

    def _do(self, act: Callable[[], None]) -> None:
        done = threading.Event()

        def work() -> None:
            act()
            done.set()

        self._loop.call_soon_threadsafe(work)
        assert done.wait(10)

    def stop(self) -> None:
        def end() -> None:
            self.app.state.close()
            self._server.should_exit = True

        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(end)
            self._thread.join(20)
            self._store.close()
