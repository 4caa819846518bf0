"""Mock table without wires: the daemon's engine in this process, with simulated devices at its ports.

Journal, replay, commits and acknowledgements are those of a real table. Serial lines, threads and the web
server are missing, and a temporary journal is not synced to disk. Time advances only while a caller waits, so
the same run gives the same times.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from controller.common.clock import ManualClock
from controller.common.texts.catalogue import FIRST_LANGUAGE
from controller.game.model.events import KeyPressed, PeopleEvent
from controller.game.model.names import Circle, Key
from controller.game.model.state import TableState
from controller.game.rulebook.wagers import Refusal
from controller.mock.bench.base import DeviceBench
from controller.mock.bench.bench import Record, TableStopped, TouchAnswer, ViewData
from controller.mock.bench.device_requests import FaultRequest
from controller.mock.bench.options import MockOptions
from controller.mock.bench.shoes import MockShoe
from controller.mock.bench.touch_subjects import with_subject
from controller.mock.bench.wires import Wire
from controller.pages.display.touches import TouchError, parse
from controller.pages.display.words import refusal_text
from controller.record.journal.journal import Journal
from controller.table.daemon.devices import SIGNALS, NoShoe
from controller.table.engine.assemble import build_engine, write_first_event
from controller.table.engine.engine import Engine
from controller.table.engine.ports import Devices
from drivers.chips.sim.in_process import DirectChips
from drivers.keys.sim.in_process import DirectKeys
from drivers.lamps.sim.in_process import DirectLamps
from drivers.ports import ShoePort
from drivers.shoe.sim.in_process import DirectShoe


class DirectBench(DeviceBench):
    """Mock table without wires, for one event loop. It never waits for anything outside the process."""

    def __init__(self, options: MockOptions) -> None:
        self._clock = ManualClock()
        super().__init__(options)
        self.keys = DirectKeys()
        self.lamps = DirectLamps()
        self._records: list[Record] = []
        self._new_record = False
        """Whether a record has come since the last `wait_for_view`."""
        self._soon: list[Callable[[], None]] = []
        """Reports of devices that are due now, in the order in which they are sent."""
        self._journal: Journal | None = None
        self._engine: Engine | None = None
        self._chips = DirectChips(
            list(self.config.reader_ports()), self._clock.seconds, self._soon.append,
            lambda uid: uid == self.felt.bank.forged and self.config.has_key(uid),
        )  # fmt: skip
        self._shoe: ShoePort = NoShoe()
        self.felt.moved = self._moved

    async def start(self) -> None:
        if self.model is not None:
            loop = asyncio.get_running_loop()
            self._shoe = DirectShoe(self.model, loop, self._clock.seconds, self._soon.append)
        self._begin()
        self._pump()

    def _begin(self) -> None:
        self._journal = journal = self._open()
        self._clock.resume(journal.last_stamp())
        devices = Devices(self._shoe, self._chips, self.lamps, SIGNALS)
        engine, rules = build_engine(self.config, journal, self._clock, devices)
        self._engine = engine
        engine.on_record.append(self._recorded)
        write_first_event(self.config, engine, rules)
        self._shoe.start(engine.inbox.put, journal.last_mark())
        self.keys.start(engine.inbox.put_key)
        self._chips.start(engine.inbox.put_readings)

    def _open(self) -> Journal:
        durable = self.options.journal is not None
        return Journal(self.config.journal, durable=durable, origin=self.config.origin)

    async def stop(self) -> None:
        self._end()
        self.remove_folder()

    def _end(self) -> None:
        self._chips.stop()
        self._shoe.stop()
        self.keys.stop()
        if self._journal is not None:
            self._journal.close()
        self._journal = self._engine = None
        self._soon.clear()

    async def cut_power(self) -> None:
        """Cut the power and start again. Data that is not on disk is lost."""
        self._end()
        if isinstance(self._shoe, DirectShoe):
            self._shoe.unplug()
        self._begin()
        self._pump()

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            raise TableStopped("the table has not been started")
        return self._engine

    def _pump(self) -> None:
        """Process batches of the engine and reports of devices until none is due."""
        while self.engine.step() or self._soon:
            calls, self._soon[:] = list(self._soon), []
            for call in calls:
                call()

    def view(self) -> ViewData:
        return self.engine.view()

    def shown(self) -> ViewData:
        return self.view()

    async def wait_for_view(self, since: int, seconds: float) -> ViewData:
        """Return the newest view, as `Bench.wait_for_view`. While nothing happens, time advances from one
        deadline to the next.
        """
        limit = self._clock.seconds() + seconds
        await asyncio.sleep(0)  # lets a cancellation of the run take effect
        self._pump()
        while self.view()["version"] <= since and not self._new_record:
            left = limit - self._clock.seconds()
            if left <= 0:
                break
            due = self.engine.next_wake()
            wait = left if due is None else min(left, max(0.0, due - self._clock.seconds()))
            self._clock.forward(max(1, round(wait * 1000)))
            self._pump()
        self._new_record = False
        return self.view()

    def lamp(self, circle: Circle) -> str:
        signal = self.lamps.signals.get(circle)
        return signal.colour if signal else "off"

    def brightness(self) -> int:
        return self.lamps.percent

    def wires(self) -> list[Wire]:
        return []

    async def wait_for_device(self, seconds: float) -> None:
        """Advance the time by `seconds`. A device at a port finishes at once, so nothing is awaited."""
        self._pump()
        self._clock.forward(max(1, round(seconds * 1000)))

    async def elapse(self, seconds: float) -> None:
        """Advance the time by the duration of a person's act at speed 1. Chips moved meanwhile are read
        together at the next key, touch or view, and journalled in one commit.
        """
        self._clock.forward(round(seconds * 1000))

    def seconds(self) -> float:
        return self._clock.seconds()

    def records(self) -> list[Record]:
        records, self._records = self._records, []
        return records

    def _recorded(self, record: Record, _before: TableState) -> None:
        self._records.append(record)
        self._new_record = True

    def _moved(self, circle: Circle, uids: tuple[str, ...]) -> None:
        self._chips.set_chips(circle, uids)

    async def press(self, key: str) -> None:
        self._pump()
        if key == "undo":
            await self.press_for_answer(key)
            return
        self.keys.press(key)
        self._pump()

    async def press_for_answer(self, key: str) -> TouchAnswer:
        self._pump()
        return self._ask(KeyPressed(Key(key)))

    async def touch(self, body: Mapping[str, Any]) -> TouchAnswer:
        self._pump()
        try:
            event = parse(json.dumps(with_subject(self.view(), body)).encode())
        except TouchError as error:
            raise TableStopped(f"a touch was not understood: {error}") from error
        answer = self._ask(event)
        self.follow_decision(body, answer)
        self._pump()
        return answer

    def _ask(self, event: PeopleEvent) -> TouchAnswer:
        answers: list[Refusal | None] = []
        self.engine.inbox.put_touch(event, answers.append)
        self._pump()
        refused = answers[0] if answers else None
        words = refusal_text(refused.code, refused.params, FIRST_LANGUAGE) if refused else None
        return TouchAnswer(words, refused.code if refused else None)

    def replug(self, model: MockShoe) -> None:
        if isinstance(self._shoe, DirectShoe):
            self._shoe.replace(model)

    # ------------------------------------------------------------------ faults and clocks

    def fault(self, fault: FaultRequest) -> None:
        """Break a device. Without wires there are no lines: "silent" unplugs the shoe, and other faults of a
        line have no effect."""
        for circle in fault.readers(self.config.reader_ports()):
            self._chips.fault(circle, fault.kind)
        if fault.circle is None and self.model is not None and isinstance(self._shoe, DirectShoe):
            self._shoe_fault(self.model, self._shoe, fault)

    def _shoe_fault(self, model: Any, shoe: DirectShoe, fault: FaultRequest) -> None:
        if fault.kind in ("silent", "unplug"):
            if fault.after is None:
                shoe.unplug()
            else:
                model.after_cards(fault.after, shoe.unplug)
        elif fault.kind == "clear":
            model.clear()
            shoe.plug()
        elif fault.kind in ("forged", "stranger", "old_link"):
            strikes = {
                "forged": shoe.report_forged,
                "stranger": shoe.become_other_device,
                "old_link": shoe.become_version_1,
            }
            strike = strikes[fault.kind]
            strike() if fault.after is None else model.after_cards(fault.after, strike)
        elif fault.kind not in ("noise", "duplicate", "late"):
            model.fault(fault.kind, fault.after)

    async def clock(self, both_ms: int, utc_ms: int) -> None:
        if both_ms:
            self._clock.forward(both_ms)
        if utc_ms:
            self._clock.shift_utc(utc_ms)
        self._pump()
