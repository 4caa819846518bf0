"""Common base of both benches: the felt, the bank, the cards, and the acts of hands on them.

Subclasses connect the bench to the controller. The bench must never depend on results of the controller.
"""

from __future__ import annotations

import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from controller.common.files.mistakes import Mistakes
from controller.game.model.names import Method
from controller.game.rulebook.deal import deals_stacks
from controller.mock.bench.bench import TouchAnswer
from controller.mock.bench.deck import Dealing
from controller.mock.bench.device_requests import CardToken
from controller.mock.bench.layout import ChipBank, Felt
from controller.mock.bench.options import MockOptions, TablePaths
from controller.mock.bench.shoes import (
    CardSource,
    DeckInHand,
    ForeignShoe,
    MockShoe,
    Shoe,
    make_model,
    shoe_tokens,
)
from controller.mock.bench.table_file import prepare
from drivers.chips.sim.kinds import UID_PREFIX

DEVICE_S = 30.0
"""Timeout in seconds for a device of the bench, such as a shoe that delivers a stack."""


class DeviceBench(ABC):
    """Felt, shoe and decks of one mock table, in a temporary folder of its own."""

    quiet: float = 0.0
    port: int = 0

    def __init__(self, options: MockOptions) -> None:
        self.options = options
        self.places = TablePaths(Path(tempfile.mkdtemp(prefix="crisscross-mock-")))
        try:
            self.config = prepare(options, self.places)
        except Mistakes:
            self.remove_folder()
            raise
        self.pack = self.config.pack
        self.method = self.config.method
        register = {chip.uid: chip.cents for chip in self.config.register if chip.cents}
        prefix = UID_PREFIX.get(self.config.keys.readers.kind, "")
        self.felt = Felt(ChipBank(register, prefix), prefix)
        self.dealing = Dealing(options.seed, self.pack, self.config.settings())
        self.model: MockShoe | None = None
        """Connected simulated shoe, also while cards are dealt from the hand; None without one."""
        self.source: CardSource = ForeignShoe()
        if options.shoe_port is None:
            line = next((way for way in (self.method, *options.ways) if way is not Method.HAND), None)
            self.model = None if line is None else self._make_model(line)
            self.source = self._source_of(self.method)
        self._arranged = 0
        """Number of cards that had left the shoe when `arrange` was last called."""

    def _make_model(self, method: Method) -> MockShoe:
        decks = self.config.keys.decks
        return make_model(self.options.seed, self._mode(method), self.options.speed, decks=decks)

    def _mode(self, method: Method) -> Literal["STACK", "SINGLE"]:
        return "STACK" if deals_stacks(self.pack.deals[method]) else "SINGLE"

    def _source_of(self, method: Method) -> CardSource:
        if method is Method.HAND or self.model is None:
            return DeckInHand(make_model(self.options.seed, "SINGLE", None), self.seconds)
        return Shoe(self.model, self.seconds)

    def deal_by(self, method: Method) -> None:
        """Switch to another deal method: replace the connected shoe if another kind is needed, and put the
        deck in the place from which it is now dealt."""
        if method is self.method or self.options.shoe_port is not None:
            return
        self.method = method
        if method is Method.HAND:
            if self.model is not None:
                self.model.lift_deck_out()
        elif self.model is None or self.model.mode != self._mode(method):
            self.model = self._make_model(method)
            self.replug(self.model)
        self.source = self._source_of(method)
        self._arranged = self.source.moved

    @abstractmethod
    def replug(self, model: MockShoe) -> None:
        """Unplug the present shoe and connect `model` in its place."""

    def remove_folder(self) -> None:
        shutil.rmtree(self.places.folder, ignore_errors=True)

    @abstractmethod
    def seconds(self) -> float: ...

    # ------------------------------------------------------------------ acts with cards

    async def lift(self) -> Sequence[str | None]:
        return self.source.lift()

    async def draw(self) -> str | None:
        faces = self.source.draw()
        return faces[0] if faces else None

    def follow_decision(self, body: Mapping[str, Any], answer: TouchAnswer) -> None:
        """Carry out the floorperson's decision at the table, such as putting the cards back. Do nothing if
        the touch was refused."""
        if body.get("decision") == "method" and answer.refused is None:
            self.deal_by(Method(body["method"]))

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
        return self.model.in_exit if self.model is not None and self.method is not Method.HAND else ""

    def deck_in(self) -> str:
        return self.source.back

    async def until_exit(self, what: str) -> None:
        """Wait at most `DEVICE_S` until the shoe's exit holds `what` (see `exit_holds`). Returns at once for
        a manual shoe, the hand or another maker's shoe.
        """
        if self.model is None or self.model.mode != "STACK" or self.method is Method.HAND:
            return
        limit = self.seconds() + DEVICE_S
        while self.model.in_exit != what and self.seconds() < limit:
            await self.wait_for_device(limit - self.seconds())

    @abstractmethod
    async def wait_for_device(self, seconds: float) -> None: ...

    async def gather(self) -> None:
        self.source.gather()

    def peek(self, seats: Sequence[int]) -> Mapping[str, str]:
        faces = [] if self.model is None else self.model.peek()
        return dict(zip(self.dealing.places(seats, self.method), faces, strict=False))

    # ------------------------------------------------------------------ cards in a chosen order

    def arrange(self, cards: Sequence[CardToken]) -> None:
        """Put these cards on top of the deck, so that they are dealt next. A `round` step that comes before
        they are dealt puts its own cards after them."""
        self.dealing.front = tuple(cards)
        self._arranged = self.source.moved
        self.source.load(shoe_tokens(cards))

    def load_round(self, seats: Sequence[int], cards: Mapping[str, CardToken], stub: int | None) -> None:
        if self.source.moved != self._arranged:
            self.dealing.front = ()  # these cards have been dealt since then
        self.source.load(self.dealing.for_round(seats, self.method, cards))
        if self.model is not None:
            self.model.stub_says = stub

    def new_deck(self, back: str | None, *, same: bool) -> None:
        self.source.bring(None if same or back is None else back.upper())

    def swap_deck(self, back: str) -> None:
        self.source.swap(back)

    def deck_count(self, count: int) -> None:
        if self.model is not None:
            self.model.count_next(count)
