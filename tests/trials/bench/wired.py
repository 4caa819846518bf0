"""A mock table whose devices are separate processes and take no processor time from the daemon.

Otherwise it is the mock's own wired table, with a stopwatch for each card. It uses only interfaces to the
daemon that the mock uses.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from controller.game.model.names import Circle, Method
from controller.mock.bench.bench import TableStopped
from controller.mock.bench.options import MockOptions, circles_of_pack
from controller.mock.bench.shoes import CardSource, Faces
from controller.mock.bench.wired import WiresBench
from drivers.chips.kinds import DEFAULT
from tests.trials.bench import readers, stopwatch
from tests.trials.bench.stopwatch import Timed, Where

CALM_S = (0.1, 0.35)
"""Range in seconds of the pause before a card is drawn, from the time at which the former card was shown. Its
random length makes the cards arrive at any moment of scan and blinking."""
SHOWN_S = 5.0


class Child:
    """Process that simulates devices, and the pipe that controls it."""

    def __init__(self, serve: Callable[..., None], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, self._far = context.Pipe()
        self._process = context.Process(target=serve, args=(self._far, *arguments), daemon=True)

    def start(self) -> None:
        self._process.start()
        self.pipe.recv()

    def stop(self, order: Any) -> None:
        if self._process.pid is not None:
            self.pipe.send(order)
            self.pipe.recv()
            self._process.join()
        self.pipe.close()
        self._far.close()
        self._process.close()

    def ask(self, order: str, argument: Any = None) -> Any:
        self.pipe.send((order, argument))
        answer = self.pipe.recv()
        if isinstance(answer, TimeoutError):
            raise TableStopped(str(answer))
        return answer


class FarReaders:
    """Readers of the mock table whose simulation runs in another process."""

    def __init__(self, child: Child) -> None:
        self._child = child

    def start(self) -> None:
        self._child.start()

    def stop(self) -> None:
        self._child.stop(None)

    def set_chips(self, circle: Circle, uids: Sequence[str]) -> None:
        self._child.pipe.send((circle, tuple(uids)))


class FarPins:
    """Keys and lamps of the mock table. They are simulated in the process of the shoe."""

    def __init__(self, child: Child) -> None:
        self._child = child

    async def start(self) -> None:
        self._child.start()

    async def stop(self) -> None:
        self._child.stop(("stop", None))

    async def press(self, key: str) -> None:
        await asyncio.to_thread(self._child.ask, "press", key)


class FarShoe:
    """Hands that operate a manual shoe, which is simulated in another process."""

    moved = 0

    def __init__(self, child: Child) -> None:
        self._child = child

    def lift(self) -> Faces:
        return []

    def draw(self) -> Faces:
        raise NotImplementedError("a draw is timed: see WiredTable.draw")

    def take_stub(self) -> int | None:
        count: int | None = self._child.ask("stub")
        return count

    def gather(self) -> None:
        self._child.ask("gather")

    def bring(self, back: str | None) -> None:
        self._child.ask("bring", back)

    def load(self, cards: Sequence[str]) -> None:
        self._child.ask("load", list(cards))


@dataclass(frozen=True, slots=True)
class Drawn:
    """Times of a card, and the prompt that it caused on the page."""

    timed: Timed
    prompt: str


class WiredTable(WiresBench):
    """A table of six seats with a manual shoe and 42 readers at a real device's pace; its people act without
    delay."""

    def __init__(self, seed: int = 1, link: int = 1, kind: str = DEFAULT) -> None:
        config = {"decks": 1, "dead_time_ms": 0}
        super().__init__(
            MockOptions(
                method=Method.MANUAL_SHOE, seed=seed, speed=1.0, link=link, readers=kind, config=config
            )
        )
        self.bank = FarReaders(Child(readers.serve, self.places.readers, circles_of_pack(self.pack), kind))
        self.pins = FarPins(self._clock)
        self.drawn: list[Drawn] = []
        self._dice = random.Random(seed)

    def _make_model(self, _method: Method) -> None:
        """Do nothing: the shoe that the mock would simulate here runs in another process."""

    def _source_of(self, _method: Method) -> CardSource:
        options = self.options
        where = Where(self.places.shoe, self.places.pins, self.config.pin_map, options.seed, options.link)
        self._clock = Child(stopwatch.serve, where)
        return FarShoe(self._clock)

    async def start_devices(self) -> None:
        self.bank.start()
        await self.pins.start()

    async def press(self, key: str) -> None:
        """Press a key. NO MORE BETS is a real key, since only the table has it; the others are pressed on the
        screen, which is quicker."""
        if key == "no_more_bets":
            await self.pins.press(key)
        else:
            prompt = self.view()["prompt"]
            await self.touch({"do": "press", "key": key, "prompt": prompt["id"] if prompt else "none"})

    async def draw(self) -> str | None:
        """Draw one card once the table is idle, and wait until the display shows another prompt."""
        await asyncio.sleep(self._dice.uniform(*CALM_S))
        before = self.view()
        face, timed = await asyncio.to_thread(self._clock.ask, "draw", before["prompt"]["seat"])
        text = await self._next_prompt(before["words"]["prompt"])
        self.drawn.append(Drawn(timed, text))
        return str(face) if face else None

    async def _next_prompt(self, before: str) -> str:
        loop = asyncio.get_running_loop()
        limit = loop.time() + SHOWN_S
        while (text := self.view()["words"]["prompt"]) == before:
            self._check()
            if loop.time() >= limit:
                raise TableStopped(f"after a card the display still says {before!r}")
            await self._change(limit - loop.time())
        return str(text)
