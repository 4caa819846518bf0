"""The engine's event loop is woken from any thread, by deadlines, and at every tick."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.game.model.events import CircleRead, KeyPressed, TimePassed, TroubleReported
from controller.game.model.irregularities import Code
from controller.table.engine.loop import READ_AFTER_STALL_S, EngineLoop
from drivers.ports import LampsHealth, ShoeReport
from tests.runtime.fakes import Bench, bench, reading

pytestmark = pytest.mark.serial

PATIENCE_S = 20
LOW = 1000


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Bench]:
    made = bench(tmp_path / "journal.sqlite")
    yield made
    made.journal.close()


async def run(
    table: Bench, until: Callable[[], bool], begin: Callable[[], None] = lambda: None
) -> EngineLoop:
    """Run the engine until the condition `until` holds. `begin`: called first, while the loop runs."""
    changed = asyncio.Event()
    table.engine.on_change.append(changed.set)
    loop = EngineLoop(table.engine, LOW, changed.set)
    loop.start()
    begin()
    async with asyncio.timeout(PATIENCE_S):
        while not until():
            changed.clear()
            await changed.wait()
    loop.stop()
    return loop


async def test_threads_can_wake_the_loop(table: Bench) -> None:
    """42 threads, one for each possible reader, post readings at the same time."""
    me = threading.get_ident()
    seen: set[int] = set()
    table.engine.on_event.append(lambda _event, _at: seen.add(threading.get_ident()))

    def scan() -> None:
        for _ in range(50):
            table.engine.inbox.put_readings([reading("AA")])
            table.engine.inbox.put_key("confirm")

    threads = [threading.Thread(target=scan) for _ in range(6)]

    def begin() -> None:
        for thread in threads:
            thread.start()

    await run(table, lambda: len(table.game.state) == 301, begin)
    for thread in threads:
        thread.join()
    kinds = [type(event) for event in table.game.state]
    assert (kinds.count(KeyPressed), kinds.count(CircleRead)) == (300, 1)
    assert seen == {me}


async def test_a_deadline_wakes_the_loop(table: Bench) -> None:
    """The fake clock has passed the deadline as soon as the loop's own timer fires."""
    table.game.deadline = 1003
    await run(table, lambda: TimePassed() in table.game.state, lambda: table.clock.forward(3))


async def test_after_a_pause_device_reports_come_first_and_the_pause_is_logged(
    table: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """After a pause, waiting bytes are read before expired deadlines apply. Here the shoe's report arrived
    during the pause."""
    running = asyncio.get_running_loop()
    loop = EngineLoop(table.engine, LOW, lambda: None)
    loop.start()
    now = running.time() + 30
    monkeypatch.setattr(running, "time", lambda: now)
    table.game.deadline = 1000
    loop._turn()
    assert table.kinds() == []
    table.engine.inbox.put(ShoeReport("LINK_LOST"))
    monkeypatch.setattr(running, "time", lambda: now + READ_AFTER_STALL_S)
    loop._turn()
    loop.stop()
    assert table.kinds() == ["ShoeLinkLost", "TimePassed"]
    assert "did not run for 30.0 s" in caplog.text


async def test_lamps_are_ticked_from_the_start(table: Bench) -> None:
    await run(table, lambda: table.lamps.ticks > 0)


async def test_a_clock_fault_is_reported_once_when_it_begins(table: Bench) -> None:
    table.clock.shift_utc(-3_600_000)
    await run(table, lambda: bool(table.game.state))
    reported = [(e.code, e.cleared) for e in table.game.state if isinstance(e, TroubleReported)]
    assert reported == [("clock_fault", False)]


@pytest.mark.parametrize("lasting", [True, False])
async def test_a_lasting_lamp_fault_is_reported(table: Bench, lasting: bool) -> None:
    table.lamps.health = LampsHealth(why="what came back is nothing but low", lasting=lasting)
    await run(table, lambda: table.lamps.ticks > 1)
    reported = [e.code for e in table.game.state if isinstance(e, TroubleReported)]
    assert reported == (["lamps_fault"] if lasting else [])


async def test_a_former_fault_that_has_ended_is_cleared(table: Bench) -> None:
    table.game.state = (TroubleReported(Code.STORAGE_LOW, "x"),)
    await run(table, lambda: len(table.game.state) > 1)
    assert table.game.state[-1] == TroubleReported(Code.STORAGE_LOW, "", cleared=True)


@pytest.mark.parametrize(("free", "is_reported"), [(LOW - 1, True), (LOW, False)])
async def test_a_nearly_full_disk_is_reported(
    table: Bench, monkeypatch: pytest.MonkeyPatch, free: int, is_reported: bool
) -> None:
    monkeypatch.setattr(table.journal, "free_bytes", lambda: free)
    await run(table, lambda: table.lamps.ticks > 0 and bool(table.game.state) == is_reported)


async def test_the_loop_is_not_woken_after_the_stop(table: Bench) -> None:
    loop = await run(table, lambda: True)
    table.engine.inbox.put_key("confirm")
    assert table.game.state == ()
    assert loop.turns >= 0
