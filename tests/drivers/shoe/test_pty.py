"""The driver on real pyserial deals rounds with the simulator on a real pseudo-terminal, and recovers from
each fault of the line.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from drivers.ports import ShoeReport
from drivers.shoe.driver import Protocol, SerialShoe
from drivers.shoe.sim.line import Pty
from drivers.shoe.sim.model import Pace, ShoeModel
from drivers.shoe.sim.simulator import ShoeSimulator
from tests.drivers.shoe.wire import AT_CONTROLLER, AT_SHOE, Disk

pytestmark = pytest.mark.serial


class Bench:
    """Driver and simulator on one loop. Every report is stored, and accepted as it arrives."""

    def __init__(
        self,
        path: Path,
        protocol: Protocol = "v1",
        model: ShoeModel | None = None,
        *,
        paired: bool = False,
        byte_s: float = 0.0,
    ) -> None:
        self.keys = (AT_CONTROLLER, AT_SHOE) if paired else (None, None)
        self.loop = asyncio.get_running_loop()
        self.disk = Disk()
        self.path = path / "shoe"
        self.protocol: Protocol = protocol
        self.model = model or ShoeModel(seed=7, pace=Pace.max())
        line = Pty(self.path)
        self.simulator = ShoeSimulator(
            self.model,
            line,
            self.loop,
            protocol=protocol,
            rng=Random(3),
            paired=self.keys[1],
            byte_s=byte_s,
        )
        self.driver = self.new_driver()
        self.accepting = True
        self.changed = asyncio.Event()

    def new_driver(self) -> SerialShoe:
        loop = self.loop
        return SerialShoe(str(self.path), 115200, self.protocol, loop, loop.time, "CC-01", self.keys[0])

    def sink(self, report: ShoeReport) -> None:
        self.changed.set()
        if self.accepting:
            self.disk.store(report)
            self.driver.accept(report)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not holds():
                self.changed.clear()
                await asyncio.wait([asyncio.ensure_future(self.changed.wait())], timeout=0.05)

    def kinds(self) -> list[str]:
        return [report.kind for report in self.disk.reports]

    def count(self, kind: str) -> int:
        return self.kinds().count(kind)

    async def resumed(self, times: int = 1) -> None:
        await self.until(lambda: sum(report.resumed for report in self.disk.reports) >= times)


@asynccontextmanager
async def bench(
    path: Path,
    protocol: Protocol = "v1",
    model: ShoeModel | None = None,
    *,
    paired: bool = False,
    byte_s: float = 0.0,
) -> AsyncIterator[Bench]:
    made = Bench(path, protocol, model, paired=paired, byte_s=byte_s)
    try:
        made.simulator.start()
        made.driver.start(made.sink, None)
        yield made
    finally:
        made.driver.stop()
        made.simulator.stop()
        leftover = asyncio.all_tasks() - {asyncio.current_task()}
        for task in leftover:
            task.cancel()
        await asyncio.gather(*leftover, return_exceptions=True)


def faces(cards: list[Any]) -> list[str]:
    return [card.face for card in cards]


async def test_a_round_is_dealt_over_the_line(tmp_path: Path) -> None:
    async with bench(tmp_path) as table:
        await table.resumed()
        table.driver.command("DEAL", "5")
        await table.until(lambda: table.count("DONE") == 1)
        cross = table.model.lift_stack()
        await table.until(lambda: table.count("TAKEN") == 1)
        table.driver.command("STUBOUT")
        await table.until(lambda: table.model.in_exit == "stub")
        stub = table.model.take_stub()
        await table.until(lambda: table.count("DONE") == 2)
        table.model.put_deck_in("RED")
        table.driver.command("SHUFFLE")
        await table.until(lambda: table.count("DONE") == 3)
        assert table.kinds() == [
            *("WELCOME", "STATE"),
            *("CARD",) * 5,
            *("STACK", "DONE", "TAKEN", "STUB", "DONE"),
            *("STATE", "SHUFFLED", "READY", "DONE"),
        ]
        assert table.disk.cards() == [(str(n + 1), face) for n, face in enumerate(faces(cross))]
        assert len({*faces(cross), *faces(stub)}) == 52


@pytest.mark.parametrize("paired", [False, True])
async def test_unplugging_loses_no_card_and_reports_each_card_once(
    tmp_path: Path, paired: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    model = ShoeModel(seed=1, mode="SINGLE", pace=Pace.max())
    async with bench(tmp_path, model=model, paired=paired) as table:
        await table.resumed()
        drawn = faces(model.draw())
        await table.until(lambda: table.count("CARD") == 1)
        table.simulator.unplug()
        drawn += faces(model.draw())
        await table.until(lambda: table.count("LINK_LOST") == 1)
        drawn += faces(model.draw())
        table.simulator.plug()
        await table.resumed(2)
        drawn += faces(model.draw())
        await table.until(lambda: table.count("CARD") == 4)
        assert [card[1] for card in table.disk.cards()] == drawn
        assert table.count("LINK_LOST") == 1
        assert table.driver.statistics().up
    lines = [record.getMessage() for record in caplog.records if "shoe on" in record.getMessage()]
    assert len([line for line in lines if "is gone" in line]) == 1
    assert len([line for line in lines if "is back" in line]) == 1


async def test_a_path_that_changes_to_another_port_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("drivers.shoe.driver.PATH_CHECK_INTERVAL_S", 0.05)
    async with bench(tmp_path) as table:
        await table.resumed()
        model = ShoeModel(seed=8, pace=Pace.max())
        other = ShoeSimulator(model, Pty(table.path), table.loop, rng=Random(4))
        other.start()
        await table.until(lambda: other.session.up)
        await table.resumed(2)
        assert table.driver.statistics().counts["unplugged"] == 1
        other.stop()


async def test_a_missing_port_is_opened_when_it_appears(tmp_path: Path) -> None:
    async with bench(tmp_path) as table:
        await table.resumed()
        table.simulator.stop()
        table.driver.stop()
        table.driver = table.new_driver()
        table.driver.start(table.sink, table.disk.mark)
        await asyncio.wait([asyncio.ensure_future(table.changed.wait())], timeout=0.05)
        table.simulator.start()
        await table.resumed(2)


async def test_ten_thousand_bytes_count_as_one_dropped_frame(tmp_path: Path) -> None:
    async with bench(tmp_path) as table:
        await table.resumed()
        master = table.simulator.line.fileno()
        assert master is not None
        flood = memoryview(b"$2A,CARD,7," + b"Q" * 9_980 + b"*45E9\r\n")
        while flood:
            try:
                flood = flood[os.write(master, flood) :]
            except BlockingIOError:
                await asyncio.wait([asyncio.ensure_future(table.changed.wait())], timeout=0.01)
        table.driver.command("DEAL", "2")
        await table.until(lambda: table.count("DONE") == 1)
        assert table.driver.statistics().counts["too_long"] == 1
        assert table.count("CARD") == 2


@pytest.mark.parametrize("paired", [False, True])
async def test_the_link_recovers_from_every_fault_of_the_line(tmp_path: Path, paired: bool) -> None:
    model = ShoeModel(seed=4, mode="SINGLE", pace=Pace.max())
    async with bench(tmp_path, model=model, paired=paired) as table:
        await table.resumed()
        drawn: list[str] = []
        for verb in ("duplicate", "noise", "split", "flip", "drop", "late"):
            table.simulator.faults.set(verb, 3)
            drawn += faces(model.draw()) + faces(model.draw())
        await table.until(lambda: table.count("CARD") == len(drawn))
        assert [card[1] for card in table.disk.cards()] == drawn


async def test_a_table_at_another_speed_finds_no_shoe_and_counts_noise(tmp_path: Path) -> None:
    async with bench(tmp_path) as table:
        table.driver.stop()
        table.driver = SerialShoe(str(table.path), 9600, "v1", table.loop, table.loop.time, "CC-01", None)
        table.driver.start(table.sink, None)
        await table.until(lambda: sum(table.driver.statistics().counts.values()) > 0)
        assert table.kinds() == []


async def test_a_frame_takes_the_time_of_its_bytes(tmp_path: Path) -> None:
    """At 9600 baud the 35 bytes of a card take 36 ms. A second frame has to wait for the first."""
    async with bench(tmp_path, byte_s=10 / 9600) as table:
        begun = table.loop.time()
        await table.resumed()
        assert table.loop.time() - begun > 20 * 10 / 9600


@pytest.mark.parametrize("paired", [False, True])
async def test_a_killed_daemon_continues_after_the_last_stored_report(tmp_path: Path, paired: bool) -> None:
    model = ShoeModel(seed=4, mode="SINGLE", pace=Pace.max())
    async with bench(tmp_path, model=model, paired=paired) as table:
        await table.resumed()
        drawn = faces(model.draw()) + faces(model.draw())
        await table.until(lambda: table.count("CARD") == 2)
        table.accepting = False
        drawn += faces(model.draw())
        table.driver.stop()
        table.accepting = True
        table.driver = table.new_driver()
        table.driver.start(table.sink, table.disk.mark)
        await table.until(lambda: table.count("CARD") == 3)
        assert [card[1] for card in table.disk.cards()] == drawn


async def test_a_second_driver_cannot_open_an_occupied_port(tmp_path: Path) -> None:
    async with bench(tmp_path) as table:
        await table.resumed()
        second, seen = table.new_driver(), list[ShoeReport]()
        second.start(seen.append, None)
        await asyncio.wait([asyncio.ensure_future(table.changed.wait())], timeout=0.05)
        assert not second.statistics().up
        assert seen == []
        second.stop()


async def test_the_plain_dialect_works_over_the_line(tmp_path: Path) -> None:
    model = ShoeModel(seed=4, mode="SINGLE", pace=Pace.max())
    model.load("TD 9S")
    async with bench(tmp_path, "plain", model) as table:
        await table.resumed()
        table.driver.command("SHUFFLE")
        model.draw()
        model.draw()
        await table.until(lambda: table.count("CARD") == 2)
        assert table.disk.cards() == [("1", "TD"), ("2", "9S")]
        assert "no check" in table.driver.statistics().remark


async def test_the_trace_shows_no_face_and_no_crc(tmp_path: Path) -> None:
    async with bench(tmp_path) as table:
        await table.resumed()
        table.driver.command("DEAL", "5")
        await table.until(lambda: table.count("DONE") == 1)
        lines = table.driver.trace()
        assert any("CARD,5,**" in line.text for line in lines)
        assert all(line.text.endswith("*....") for line in lines)
        # whole fields: the number of a frame and the shoe's start are hexadecimal, and `4C` occurs in them
        fields = {field for line in lines for field in re.split("[,*]", line.text)[1:]}
        assert "STACK" in fields
        assert fields.isdisjoint(faces(table.model.lift_stack()))
