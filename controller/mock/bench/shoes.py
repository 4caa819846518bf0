"""Shoes and decks of the mock table, as a dealer handles them.

`Shoe` is a simulated device: stacks are lifted, cards drawn, the stub taken, the deck put back. `DeckInHand`
is the deck in a dealer's hand, without a reader. `ForeignShoe` is a real or third-party shoe: its owner
handles it, and this program knows none of its cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Protocol

from controller.mock.bench.device_requests import CardToken
from drivers.shoe.sim.deck import ShoeCard
from drivers.shoe.sim.model import Pace, ShoeModel

Faces = list[str | None]


class CardSource(Protocol):
    """Device or hand out of which a dealer takes cards."""

    def lift(self) -> Faces: ...

    def draw(self) -> Faces: ...

    def take_stub(self) -> int | None: ...

    def gather(self) -> None: ...

    def bring(self, back: str | None) -> None:
        """Load the deck with that back colour as the next one to play; None: the deck played last."""

    def swap(self, back: str) -> None:
        """Replace the present deck by the one with that back colour, already shuffled."""

    def load(self, cards: Sequence[str]) -> None: ...

    @property
    def moved(self) -> int:
        """Return the number of cards that have left the device so far."""

    @property
    def back(self) -> str:
        """Return the back colour of the loaded deck: `red`, `blue`, or "" if none is loaded."""


class MockShoe(ShoeModel):
    """Simulated shoe that can miscount its stub. `up`: back colour of the deck loaded last; `played`: back
    colour of the deck of the last card.
    """

    up = played = "RED"

    stub_says: int | None = None
    moved = 0
    """Number of cards that have left the shoe so far."""

    def peek(self) -> list[str]:
        """Return the faces in the shoe, the next one first. Only a simulated cheat may look."""
        deck = self._decks.in_place
        return [] if deck is None else [card.face for card in deck.cards]

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
    """Return a simulated shoe that shuffles its decks. It works at its own pace unless `speed` is None."""
    pace = Pace.max() if speed is None else None
    return MockShoe(seed, mode=mode, counts=counts, pace=pace, backs=BACKS[:decks])


class Shoe:
    """Dealer's hands on a simulated shoe. `now` returns the time in seconds for the model."""

    def __init__(self, model: MockShoe, now: Callable[[], float]) -> None:
        self.model = model
        self._now = now

    def lift(self) -> Faces:
        return _faces(self.model.lift_stack()) if self.model.in_exit in ("stack", "partial") else []

    def draw(self) -> Faces:
        return _faces(card for card in self.model.draw() if card.found != "FU")

    def take_stub(self) -> int | None:
        reported = self.model.stub_says
        if self.model.in_exit != "stub" and (self.model.mode == "STACK" or not self.model.cards_left):
            return None
        count = len(self.model.take_stub())
        return count if reported is None else reported

    def gather(self) -> None:
        """Put every card back into the device, whatever its state. With two decks, the other one is loaded
        next: by the device if it is a shuffler, by the dealer at a manual shoe."""
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
    """Deck in the dealer's hand: the same cards as in a shoe, but no device reports them."""

    def lift(self) -> Faces:
        return []


class ForeignShoe:
    """Another maker's shoe on a real port. Its owner lifts, draws and fills it, so most methods do
    nothing.
    """

    moved = 0
    back = ""

    def lift(self) -> Faces:
        return []

    def draw(self) -> Faces:
        return []

    def take_stub(self) -> int | None:
        return None

    def gather(self) -> None:
        """Do nothing: the owner puts the cards back."""

    def bring(self, back: str | None) -> None:
        """Do nothing: the owner changes the deck."""

    def swap(self, back: str) -> None:
        """Do nothing: the owner changes the deck."""

    def load(self, cards: Sequence[str]) -> None:
        """Do nothing: the mock cannot choose the cards of this shoe."""


def _faces(cards: Iterable[ShoeCard]) -> Faces:
    return [card.face for card in cards]


def shoe_tokens(tokens: Sequence[CardToken]) -> list[str]:
    """Return the tokens with which a simulated shoe is loaded: ``TD ^9S ??``."""
    return ["??" if token.face is None else f"{'^' if token.up else ''}{token.face}" for token in tokens]
