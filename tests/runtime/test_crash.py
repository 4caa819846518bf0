"""If the daemon is killed with kill -9 at any instant, no acknowledged card is lost and none is recorded
twice."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from controller.game.model.events import CardLeftShoe
from controller.record.journal.files import reading
from controller.record.journal.rows import read_rows
from drivers.shoe.sim.line import Pty
from drivers.shoe.sim.model import Pace, ShoeModel
from drivers.shoe.sim.simulator import ShoeSimulator
from tests.runtime.child import PATIENCE_S, run_arguments, started, table_file

pytestmark = pytest.mark.serial

CRASHING = str(Path(__file__).with_name("crashing.py"))


class ObservedLine(Pty):
    """Connection to the shoe that reports when the daemon has sent bytes."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.received = asyncio.Event()

    def read(self) -> bytes:
        data = super().read()
        asyncio.get_running_loop().call_soon(self.received.set)
        return data


class Bench:
    """A manual shoe and its connection. All its cards are drawn at once, and each frame waits for the ACK of
    the previous one."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.file = table_file(folder, method="manual_shoe")
        self.line = ObservedLine(folder / "shoe")
        model = ShoeModel(seed, mode="SINGLE", pace=Pace.max())
        self.shoe = ShoeSimulator(model, self.line, asyncio.get_running_loop(), rng=Random(seed))
        self.shoe.start()
        self.drawn = [card.face for _ in range(52) for card in model.draw()]

    @property
    def left(self) -> int:
        """Return the number of frames that the daemon has not acknowledged."""
        return self.shoe.session.backlog

    async def until_left(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.left > count:
                self.line.received.clear()
                await self.line.received.wait()

    async def crash(self, point: str, at: int) -> None:
        async with started(self.folder, [CRASHING, str(self.file), point, str(at)]) as child:
            assert await child.ended() == -signal.SIGKILL, await child.words()
        self.check_durable()

    async def kill_at(self, left: int) -> None:
        """Kill the process from outside as soon as exactly `left` frames are unacknowledged."""
        async with started(self.folder, run_arguments(self.file)) as child:
            await self.until_left(left)
            await child.kill()
        self.check_durable()

    async def finish(self) -> None:
        async with started(self.folder, run_arguments(self.file)) as child:
            await self.until_left(0)
            assert await child.end() == 0

    def cards(self) -> list[CardLeftShoe]:
        with reading(self.folder / "journal.db") as db:
            events = [row.event() for row in read_rows(db)]
        return [event for event in events if isinstance(event, CardLeftShoe)]

    def check_durable(self) -> None:
        """Check that every frame that the shoe has dropped from its queue is in the journal."""
        numbers = [card.number for card in self.cards()]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= 52 - self.left


async def _crashes(folder: Path, seed: int, crashes: Sequence[tuple[str, int]]) -> None:
    bench = Bench(folder, seed)
    try:
        for point, at in crashes:
            await (bench.kill_at(at) if point == "kill" else bench.crash(point, at))
        await bench.finish()
        cards = bench.cards()
        assert [card.number for card in cards] == list(range(1, 53))
        assert [card.face for card in cards] == bench.drawn
    finally:
        bench.shoe.stop()


async def test_no_card_is_lost_by_a_kill_at_any_step_of_accepting_it(tmp_path: Path) -> None:
    """Each daemon of one table kills itself at another of these steps, in the seventh batch with a card after
    its start."""
    steps = ("before_commit", "in_commit", "after_commit", "after_ack")
    await _crashes(tmp_path, 1, [(step, 7) for step in steps])


async def test_no_card_is_lost_by_kills_at_random_moments(tmp_path: Path) -> None:
    rng = Random(20261120)
    await _crashes(
        tmp_path, 1, [("kill", left) for left in sorted(rng.sample(range(2, 25), 3), reverse=True)]
    )
