"""What both benches have in common: the felt, the bank, the cards and the hands on them.

The subclasses say how what happens here reaches the controller. It must never know what the
controller makes of it.
"""

from __future__ import annotations

import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from controller.game.deal import deals_stacks
from controller.game.names import Method
from controller.mock.deck import Dealing
from controller.mock.felt import ChipBank, Felt
from controller.mock.options import Options, Places
from controller.mock.shoes import CardSource, Hand, MockShoe, Shoe, Stranger, make_model, words
from controller.mock.steps import CardToken
from controller.mock.tables import prepare
from controller.runtime.mistakes import Mistakes

DEVICE_S = 30.0
"""A device that has not done for so long what it was told to do will not."""


class DeviceBench(ABC):
    """Felt, shoe and decks of one mock table, in a temporary folder of its own."""

    quiet: float = 0.0
    port: int = 0

    def __init__(self, options: Options) -> None:
        self.options = options
        self.places = Places(Path(tempfile.mkdtemp(prefix="crisscross-mock-")))
        try:
            self.config = prepare(options, self.places)
        except Mistakes:
            self.remove_folder()
            raise
        self.pack = self.config.pack
        self.method = self.config.method
        register = {chip.uid: chip.cents for chip in self.config.register if chip.cents}
        self.felt = Felt(ChipBank(register))
        self.dealing = Dealing(options.seed, self.pack, self.config.settings())
        self.back = "red"
        self.model: MockShoe | None = None
        self.source = self._make_source()
        self._arranged = 0
        """How many cards had left the shoe when some were put in front of it."""

    def _make_source(self) -> CardSource:
        seed, speed = self.options.seed, self.options.speed
        if self.options.shoe_port is not None:
            return Stranger()
        if self.method is Method.HAND:
            return Hand(make_model(seed, "SINGLE", None), self.seconds)
        mode: Literal["STACK", "SINGLE"] = "STACK" if deals_stacks(self.pack.deals[self.method]) else "SINGLE"
        self.model = make_model(seed, mode, speed)
        return Shoe(self.model, self.seconds)

    def remove_folder(self) -> None:
        shutil.rmtree(self.places.folder, ignore_errors=True)

    @abstractmethod
    def seconds(self) -> float: ...

    # ------------------------------------------------------------------ hands on cards

    async def lift(self) -> Sequence[str | None]:
        return self.source.lift()

    async def draw(self) -> str | None:
        faces = self.source.draw()
        return faces[0] if faces else None

    async def deal_hand(self, seats: Sequence[int]) -> Mapping[str, str | None]:
        dealt: dict[str, str | None] = {}
        for place in self.dealing.places(seats, Method.HAND):
            faces = self.source.draw()
            dealt[place] = faces[0] if faces else None
        return dealt

    async def take_stub(self) -> int | None:
        await self.until_exit("stub")
        return self.source.take_stub()

    def exit_holds(self) -> str:
        return self.model.in_exit if self.model is not None else ""

    async def until_exit(self, what: str) -> None:
        """The device has given it out. A manual shoe, a hand and a stranger's shoe are not waited for."""
        if self.model is None or self.model.mode != "STACK":
            return
        limit = self.seconds() + DEVICE_S
        while self.model.in_exit != what and self.seconds() < limit:
            await self.wait_for_device(limit - self.seconds())

    @abstractmethod
    async def wait_for_device(self, seconds: float) -> None: ...

    async def gather(self) -> None:
        self.source.gather(self.back)

    # ------------------------------------------------------------------ arranging

    def arrange(self, cards: Sequence[CardToken]) -> None:
        """In front of what comes out next. Before the deal it is kept, so that a `round` can lay it over
        its own cards."""
        self.dealing.front = tuple(cards)
        self._arranged = self.source.moved
        self.source.load(words(cards))

    def load_round(self, seats: Sequence[int], cards: Mapping[str, CardToken], stub: int | None) -> None:
        if self.source.moved != self._arranged:
            self.dealing.front = ()  # they came out in a round that was dealt since
        self.source.load(self.dealing.for_round(seats, self.method, cards))
        if self.model is not None:
            self.model.stub_says = stub

    def new_deck(self, back: str | None, *, same: bool) -> None:
        if back and not same:
            self.back = back
        self.source.gather(self.back)

    def deck_count(self, count: int) -> None:
        if self.model is not None:
            self.model.count_next(count)
