"""The dealing shoe of the mock table in a dealer's hands, however it is connected.

`Shoe` works a simulated device: stacks lifted, cards drawn, the stub taken, the deck put back.
`DeckInHand` is the deck in a dealer's hand, with no reader at all. `ForeignShoe` is a real or third-party
shoe: it is worked by whoever has it, and nobody here knows a card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol

from controller.mock.bench.asked import CardToken
from drivers.shoe.sim.deck import ShoeCard
from drivers.shoe.sim.model import Pace, ShoeModel

Faces = list[str | None]


class CardSource(Protocol):
    """Source of a dealer's cards."""

    def lift(self) -> Faces: ...

    def draw(self) -> Faces: ...

    def take_stub(self) -> int | None: ...

    def gather(self) -> None: ...

    def bring(self, back: str | None) -> None:
        """Put in another deck to be played next; None: the one that was just played."""

    def swap(self, back: str) -> None:
        """Put in the deck of that back, shuffled beforehand, in place of whatever lies there."""

    def load(self, cards: Sequence[str]) -> None: ...

    @property
    def moved(self) -> int:
        """Return the number of cards that have left it so far."""

    @property
    def back(self) -> str:
        """Return the back of the deck that lies in it, ready to be dealt: red, blue, or nothing."""


class MockShoe(ShoeModel):
    """A shoe that can be told to miscount its stub. `up`: the back of the deck that was ready last;
    `played`: of the deck that the last card came from."""

    up = played = "RED"

    stub_says: int | None = None
    moved = 0
    """Cards that have left it so far."""

    def _send(self, kind: str, *fields: str) -> None:
        if kind == "CARD":
            self.moved, self.played = self.moved + 1, self.up
        elif kind == "READY":
            self.up = fields[1]
        if kind == "STUB" and self.stub_says is not None:
            fields, self.stub_says = (str(self.stub_says),), None
        super()._send(kind, *fields)


BACKS = ("RED", "BLUE")


def make_model(
    seed: int, mode: Literal["STACK", "SINGLE"], speed: float | None, *, counts: bool = True, decks: int = 1
) -> MockShoe:
    """The device shuffles its decks. It keeps its own pace, unless the speed is `max`."""
    pace = Pace.max() if speed is None else None
    return MockShoe(seed, mode=mode, counts=counts, pace=pace, backs=BACKS[:decks])


class Shoe:
    """Hands on a simulated shoe. `now` gives the time that the model is told."""

    def __init__(self, model: MockShoe, now: Callable[[], float]) -> None:
        self.model = model
        self._now = now

    def lift(self) -> Faces:
        return _faces(self.model.lift_stack()) if self.model.in_exit in ("stack", "partial") else []

    def draw(self) -> Faces:
        return _faces(card for card in self.model.draw() if card.found != "FU")

    def take_stub(self) -> int | None:
        says = self.model.stub_says
        if self.model.in_exit != "stub" and self.model.mode == "STACK":
            return None
        count = len(self.model.take_stub())
        return count if says is None else says

    def gather(self) -> None:
        """Put every card back into the device, whatever its state. Two decks play in turn: a device that
        shuffles changes them itself; into a manual shoe the dealer puts the other one."""
        self._empty()
        back = self.model.up
        if self.model.mode == "SINGLE":
            back = self.model.other_back(back)
        self.model.put_deck_in(back, self._now())

    def bring(self, back: str | None) -> None:
        self._empty()
        self.model.put_deck_in(back or self.model.played, self._now(), next_up=True)

    def swap(self, back: str) -> None:
        self._empty()
        self.model.put_deck_in(back.upper(), self._now(), preshuffled=True)

    def _empty(self) -> None:
        self.model.take_laid_aside()
        if self.model.in_exit or self.model.cards_left:
            self.model.lift_deck_out()

    def load(self, cards: Sequence[str]) -> None:
        self.model.load(cards)

    @property
    def moved(self) -> int:
        return self.model.moved

    @property
    def back(self) -> str:
        return self.model.up.lower() if self.model.cards_left else ""


class DeckInHand(Shoe):
    """The deck in the dealer's hand: the same cards, but no line that reports them."""

    def lift(self) -> Faces:
        return []


class ForeignShoe:
    """Another maker's shoe on a real port: its owner lifts, draws and fills it."""

    moved = 0
    back = ""

    def lift(self) -> Faces:
        return []

    def draw(self) -> Faces:
        return []

    def take_stub(self) -> int | None:
        return None

    def gather(self) -> None:
        """Its owner puts the cards back."""

    def bring(self, back: str | None) -> None:
        """Its owner changes its deck."""

    def swap(self, back: str) -> None:
        """The same."""

    def load(self, cards: Sequence[str]) -> None:
        """The mock cannot choose what this shoe deals."""


def _faces(cards: Iterable[ShoeCard]) -> Faces:
    return [card.face for card in cards]


def words(tokens: Sequence[CardToken]) -> list[str]:
    """The words that a simulated shoe is loaded with: ``TD ^9S ??``."""
    return ["??" if token.face is None else f"{'^' if token.up else ''}{token.face}" for token in tokens]
