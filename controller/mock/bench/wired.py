"""Mock table on wires: simulated devices on pseudo-terminals and a socket, the real daemon as a child
process.

Simulated people see the view that the display pushes, and act through devices and touches. This module must
never use an interface to the daemon that a real table does not have, except the mock's clock.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

from controller.common.texts.catalogue import FIRST_LANGUAGE
from controller.game.model.names import Circle
from controller.mock.bench import http
from controller.mock.bench.base import DeviceBench
from controller.mock.bench.bench import Record, TableStopped, TouchAnswer, ViewData
from controller.mock.bench.child import Daemon
from controller.mock.bench.control import ControlClient
from controller.mock.bench.device_requests import FaultRequest
from controller.mock.bench.follow import Follower
from controller.mock.bench.keys_of_chips import give_keys
from controller.mock.bench.options import MockOptions, circles_of_pack
from controller.mock.bench.shoes import MockShoe
from controller.mock.bench.table_file import shoe_keys
from controller.mock.bench.touch_subjects import with_subject
from controller.mock.bench.wires import ShoeFrames, TappedLine, Wire, reader_wire
from controller.pages.display.ports import HEARTBEAT_INTERVAL_S
from controller.pages.display.words import refusal_text
from drivers.chips.sim.feig_bank import FeigBank
from drivers.chips.sim.kinds import SIMULATED
from drivers.chips.sim.module_server import ModuleServer
from drivers.chips.sim.simulator import ReaderBank
from drivers.pins.sim.server import SimPinsServer
from drivers.shoe.sim.line import Pty
from drivers.shoe.sim.simulator import ShoeSimulator
from drivers.uart import BITS

NO_CONTROL = "the daemon does not answer at its control socket"
ENDED_S = 1.0
"""Timeout in seconds for the end of the daemon after it has closed a connection."""
SOCKET_PATH = 107
"""Maximum length of the path of a Unix socket on Linux, in bytes (unix(7))."""


class WiresBench(DeviceBench):
    """Mock table on wires, for one event loop."""

    quiet = 0.12

    def __init__(self, options: MockOptions) -> None:
        super().__init__(options)
        pace = 0.0 if options.speed is None else 1.0
        simulated = SIMULATED[self.config.keys.readers.kind]
        self.bank = simulated(self.places.readers, circles_of_pack(self.pack), pace, options.seed)
        self._module: ModuleServer | None = None
        if self.config.keys.proofs is not None and isinstance(self.bank, (ReaderBank, FeigBank)):
            forged = self.felt.bank.forged
            self._module = give_keys(self.bank, self.places.module, options.seed, forged)
        self.pins = SimPinsServer(self.places.pins, self.config.pin_map)
        self.simulator: ShoeSimulator | None = None
        self._shoe_frames = ShoeFrames()
        self._replugged = 0
        self.daemon = Daemon(self.places)
        self._client: http.Client | None = None
        self._view: ViewData | None = None
        self._shown: ViewData | None = None
        """Newest view of the pages; in an exam it has fewer data than `view`."""
        self._changed = asyncio.Event()
        self._device = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._broken: str | None = None
        self._control = ControlClient(
            self.places.control, self._recorded, self._take_view if options.exam else None
        )
        self._records: list[Record] = []
        self._last_round = 0
        self._new_record = False
        """Whether a record has come since the last `wait_for_view`."""
        self.felt.moved = self._moved

    async def start(self) -> None:
        if (sockets := len(str(self.places.notify))) > SOCKET_PATH:
            raise TableStopped(
                f"{self.places.notify}: {sockets} characters; allowed: {SOCKET_PATH}, as a socket's path; "
                "let TMPDIR name a folder with a shorter path"
            )
        self.bank.start()
        if self._module is not None:
            self._module.start()
        await self.pins.start()
        if self.model is not None:
            self._plug_in(self.model, Random(self.options.seed))
        await self._start_daemon()

    def _plug_in(self, model: MockShoe, dice: Random) -> None:
        shoe = self.config.keys.shoe
        baud = (shoe and shoe.baud) or 115200
        byte_s = 0.0 if self.options.speed is None else BITS / baud
        line, loop = TappedLine(Pty(self.places.shoe, baud), self._shoe_frames), asyncio.get_running_loop()
        version = shoe.link if shoe else 1
        paired = shoe_keys(self.options.seed)[1] if version != 1 else None
        self.simulator = ShoeSimulator(model, line, loop, rng=dice, paired=paired, byte_s=byte_s)
        self.simulator.start()
        model.listen(lambda _event: self._device.set())

    def replug(self, model: MockShoe) -> None:
        if self.simulator is not None:
            self.simulator.stop()
        self._replugged += 1
        self._plug_in(model, Random(f"{self.options.seed}:{self._replugged}"))

    async def _start_daemon(self) -> None:
        self._broken = None
        self.port = await self.daemon.start()
        self._client = http.Client(self.port)
        self._tasks = [asyncio.create_task(self._follow_display()), asyncio.create_task(self._await_end())]
        async with self._answering(NO_CONTROL):
            await self._control.start()
        while self._view is None and self._broken is None:
            await self._change(5.0)
        self._check()

    async def stop(self) -> None:
        await self._hang_up()
        await self.daemon.stop()
        if self.simulator is not None:
            self.simulator.stop()
        await self.pins.stop()
        self.bank.stop()
        if self._module is not None:
            self._module.stop()
        self.remove_folder()

    async def _hang_up(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        await self._control.stop()
        if self._client is not None:
            await self._client.close()

    async def cut_power(self) -> None:
        """Kill the daemon (SIGKILL), then start it again."""
        await self._hang_up()
        await self.daemon.kill()
        self._view = None
        for record in Follower(self.config.journal).records():
            self._recorded(record)  # the record was on disk, but not reported before the kill
        await self._start_daemon()

    async def _follow_display(self) -> None:
        """Read the views that the display pushes until the connection ends."""
        try:
            async for view in http.events(self.port, "/api/live"):
                self._shown = view
                if not self.options.exam:
                    self._take_view(view)
        except (http.HttpError, OSError) as error:
            self._fail(str(await self._lost(f"the display was lost: {error}")))

    def _take_view(self, view: ViewData) -> None:
        self._view = view
        self._changed.set()

    async def _await_end(self) -> None:
        await self.daemon.ended()
        self._fail(self.daemon.end_reason("the daemon ended"))

    def _fail(self, words: str) -> None:
        self._broken = self._broken or words
        self._changed.set()
        self._device.set()

    @asynccontextmanager
    async def _answering(self, words: str) -> AsyncIterator[None]:
        """Raise TableStopped with `words` and the reason if the daemon does not answer."""
        try:
            yield
        except (http.HttpError, OSError) as error:
            raise await self._lost(f"{words} ({error})") from error

    async def _lost(self, words: str) -> TableStopped:
        """Return the error for a daemon that does not answer: the reason of its end if it has ended, else
        `words`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ENDED_S):
                await self.daemon.ended()
                words = self.daemon.end_reason("the daemon ended")
        return TableStopped(words)

    def _check(self) -> None:
        if self._broken is not None:
            raise TableStopped(self._broken)

    async def _change(self, seconds: float) -> None:
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    def view(self) -> ViewData:
        if self._view is None:
            raise TableStopped(self._broken or "the display has shown nothing")
        return self._view

    def shown(self) -> ViewData:
        return self._shown or self.view()

    async def wait_for_view(self, since: int, seconds: float) -> ViewData:
        limit = time.monotonic() + seconds
        while self.view()["version"] <= since and not self._new_record:
            self._check()
            left = limit - time.monotonic()
            if left <= 0:
                break
            await self._change(left)
        self._new_record = False
        self._check()
        return self.view()

    def lamp(self, circle: Circle) -> str:
        return str(self.pins.lamps.get(circle, "off"))

    def brightness(self) -> int:
        return self.pins.percent

    def wires(self) -> list[Wire]:
        lamps = Wire("lamps", (f"{self.pins.latches}: > {self.pins.outputs:x}",))
        readers = [
            reader_wire(circle.key, *self.bank.last_frames(circle)) for circle in circles_of_pack(self.pack)
        ]
        return [self._shoe_frames.wire(), lamps, *readers]

    async def wait_for_device(self, seconds: float) -> None:
        """Wait at most `seconds` until a device has changed. Raises TableStopped if the daemon has ended: the
        device would wait for its command."""
        self._check()
        self._device.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._device.wait()
        self._check()

    async def elapse(self, seconds: float) -> None:
        """Do nothing: on wires time passes by itself."""

    def seconds(self) -> float:
        return time.monotonic()

    def records(self) -> list[Record]:
        records, self._records = self._records, []
        return records

    def _recorded(self, record: Record) -> None:
        if record["round"] > self._last_round:
            self._last_round = record["round"]
            self._records.append(record)
            self._new_record = True
            self._changed.set()

    def _moved(self, circle: Circle, uids: tuple[str, ...]) -> None:
        self.bank.set_chips(circle, uids)

    async def press(self, key: str) -> None:
        """Press a key on the table: by its pin, or over the control socket. The socket serves UNDO, which has
        no pin, and all keys at full speed, because it is quicker."""
        if key == "undo" or (key != "no_more_bets" and self.options.speed is None):
            await self.press_for_answer(key)
        else:
            await self.pins.press(key)

    async def press_for_answer(self, key: str) -> TouchAnswer:
        async with self._answering("the daemon does not take a key"):
            refused = await self._control.press(key)
        if refused is None:
            return TouchAnswer()
        return TouchAnswer(refusal_text(refused["code"], refused["values"], FIRST_LANGUAGE), refused["code"])

    async def touch(self, body: Mapping[str, Any]) -> TouchAnswer:
        if self._client is None:
            raise TableStopped("no display to touch")
        status, answer = await self._post(self._client, with_subject(self.view(), body))
        if status == 400:
            raise TableStopped(f"a touch was not understood: {answer.get('error')}")
        outcome = TouchAnswer(answer.get("refused"), answer.get("code"))
        self.follow_decision(body, outcome)
        return outcome

    async def _post(self, client: http.Client, touch: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """Send a touch, repeatedly while the daemon is silent; return status and answer."""
        while True:
            async with self._answering("the display does not answer"):
                status, answer = await client.post("/api/touch", touch)
            if status != http.UNAVAILABLE:
                return status, answer
            await self._change(HEARTBEAT_INTERVAL_S)
            self._check()

    # ------------------------------------------------------------------ faults and clocks

    def fault(self, fault: FaultRequest) -> None:
        for circle in fault.readers(self.config.reader_ports()):
            self.bank.fault(circle, fault.kind)
        if fault.circle is None and self.simulator is not None:
            self.simulator.fault(fault.kind, fault.after)

    async def clock(self, both_ms: int, utc_ms: int) -> None:
        async with self._answering(NO_CONTROL):
            if both_ms:
                await self._control.forward(both_ms)
            if utc_ms:
                await self._control.shift_utc(utc_ms)
