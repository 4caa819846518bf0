"""Evidence against a fair shuffle (random order), from the orders of the decks: a test martingale for each
kind of fault.

Each hypothesis consists of experts. Before a card is read, an expert makes some of the remaining cards
likelier by 1 + `strength`. Its factor is its predicted chance of the card, divided by that of a fair shuffle:
with m of n cards favoured, (1 + strength) / (1 + strength m/n) for a favoured card and 1 / (1 + strength m/n)
for another. Its mean under a fair shuffle is one. The evidence of a hypothesis is the mean of its experts'
products (controller/evidence/EVIDENCE.md "The shoe"). Several shoes may be followed at once, for trials: the
first axis of each array is the shoe.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from controller.evidence.factor import log_mean
from controller.rules.odds.cards import DECK_SIZE

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
RANK_COUNT, SUIT_COUNT = 13, 4
RANK_OF, SUIT_OF = np.arange(DECK_SIZE) % RANK_COUNT, np.arange(DECK_SIZE) // RANK_COUNT
_RANKS: Final[Floats] = np.eye(RANK_COUNT)[RANK_OF]
_SUITS: Final[Floats] = np.eye(SUIT_COUNT)[SUIT_OF]
"""Matrices of card and kind, 1 where the card is of the kind, else 0."""
FAVOURS: Final = (0.5, 3.0)
"""Strengths of the experts that favour a rank or a suit at one position. All strengths were fixed in
advance."""
MISSING, DOUBLE = -0.98, 1.0
"""Strengths of the experts on one card: -0.98 if it is expected to be missing from the deck, 1.0 if the deck
is expected to have it twice."""
FOLLOWS: Final = (1.0, 5.0, 25.0, 125.0, 1000.0)
"""Strengths of the experts that expect one particular card next, because of an earlier order."""
UNKNOWN = -1
"""Value in place of a card where no card is expected."""

HYPOTHESES: Final = (
    "rank_by_position", "suit_by_position", "missing_or_double", "keeps_neighbours", "reverses_neighbours",
    "repeats_order", "keeps_positions", "as_the_other_deck",
)  # fmt: skip


class Memory:
    """Earlier orders of one deck, as the experts need them: which card followed another, and which was at a
    position. Each value is a card number or UNKNOWN; the first axis is the shoe."""

    def __init__(self, shoes: int) -> None:
        self.next = np.full((shoes, DECK_SIZE), UNKNOWN)
        """Successor of each card in the last order."""
        self.before = np.full((shoes, DECK_SIZE), UNKNOWN)
        """Predecessor of each card in the last order."""
        self.after_two = np.full((shoes, DECK_SIZE, DECK_SIZE), UNKNOWN)
        """Successor of each two adjacent cards, from the latest order in which they were adjacent."""
        self.last = np.full((shoes, DECK_SIZE), UNKNOWN)
        """Card at each position of the last order."""

    def learn(self, order: Ints) -> None:
        rows = np.arange(len(order))[:, None]
        first, second = order[:, :-1], order[:, 1:]
        self.next[:], self.before[:], self.last[:] = UNKNOWN, UNKNOWN, UNKNOWN
        self.last[:, : order.shape[1]] = order
        self.next[rows, first], self.before[rows, second] = second, first
        self.after_two[rows, order[:, :-2], order[:, 1:-1]] = order[:, 2:]


class ShuffleEvidence:
    """Running evidence against a fair shuffle, for several shoes at once. `logs`: (hypothesis, shoe), natural
    logarithms of the present evidence; `peaks`: the largest so far, at least 0."""

    def __init__(self, shoes: int = 1) -> None:
        self._ranks = np.zeros((shoes, DECK_SIZE, RANK_COUNT, len(FAVOURS)))
        self._suits = np.zeros((shoes, DECK_SIZE, SUIT_COUNT, len(FAVOURS)))
        self._cards = np.zeros((shoes, 2, DECK_SIZE, 2))
        self._follows = np.zeros((shoes, 5, len(FOLLOWS)))
        self._memories = Memory(shoes), Memory(shoes)
        self.logs = np.zeros((len(HYPOTHESES), shoes))
        self.peaks = self.logs

    def add(self, order: Ints, deck: int = 0) -> None:
        """Add the order of one round of each shoe: (shoe, position). `deck`: 0 or 1, the number of the deck
        dealt, if two decks are used in turn. Raises ValueError if an order has a card twice."""
        if any(len(set(row)) < len(row) for row in order.tolist()):
            raise ValueError("an order has a card twice")
        left = np.ones((len(order), DECK_SIZE), bool)
        own, other = self._memories[deck], self._memories[1 - deck]
        for at in range(order.shape[1]):
            card = order[:, at]
            self._ranks[:, at] += _position_factors(_RANKS, left, card)
            self._suits[:, at] += _position_factors(_SUITS, left, card)
            self._cards[:, deck] += _card_factors(left, card)
            self._follows += _follow_factors(_predicted(own, other, order, at), left, card)
            left[np.arange(len(order)), card] = False
        own.learn(order)
        self.logs = self._means()
        self.peaks = np.maximum(self.peaks, self.logs)

    def _means(self) -> Floats:
        every = (self._ranks, self._suits, self._cards, *np.moveaxis(self._follows, 1, 0))
        return np.stack([log_mean(each.reshape(len(each), -1)) for each in every])

    def combined(self) -> Floats:
        """Return (shoe): the logarithm of the mean over all hypotheses, which is a test martingale too."""
        return log_mean(self.logs.T)


def _position_factors(kinds: Floats, left: NDArray[np.bool_], card: Ints) -> Floats:
    """Return (shoe, kind, strength): logarithms of the factors of the experts that favour a rank or suit at
    the present position. `kinds`: (card, kind), 1 where the card is of that rank or suit; `left`: (shoe,
    card), whether the card is still in the deck; `card`: the card that came, by shoe."""
    return _factors(kinds[card] > 0, left @ kinds / left.sum(axis=1, keepdims=True), np.array(FAVOURS))


def _card_factors(left: NDArray[np.bool_], card: Ints) -> Floats:
    """Return (shoe, card, strength): logarithms of the factors of the experts that expect this card to be
    missing from the deck, and of those that expect it twice."""
    hit = card[:, None] == np.arange(DECK_SIZE)
    return _factors(hit, left / left.sum(axis=1, keepdims=True), np.array((MISSING, DOUBLE)))


def _predicted(own: Memory, other: Memory, order: Ints, at: int) -> Ints:
    """Return (shoe, 5): the card that each of the last five HYPOTHESES expects at position `at`, or
    UNKNOWN."""
    rows, none = np.arange(len(order)), np.full(len(order), UNKNOWN)
    if at == 0:
        return np.stack([none, none, none, own.last[:, at], none], axis=1)
    last = order[:, at - 1]
    repeated = own.after_two[rows, order[:, at - 2], last] if at > 1 else none
    expected = own.next[rows, last], own.before[rows, last], repeated, own.last[:, at], other.next[rows, last]
    return np.stack(expected, axis=1)


def _follow_factors(predicted: Ints, left: NDArray[np.bool_], card: Ints) -> Floats:
    """Return (shoe, 5, strength): logarithms of the factors of the experts that expect the cards in
    `predicted`. The factor is one if that card is UNKNOWN or was dealt already."""
    possible = (predicted != UNKNOWN) & np.take_along_axis(left, np.maximum(predicted, 0), axis=1)
    hit = possible & (predicted == card[:, None])
    return _factors(hit, possible / left.sum(axis=1, keepdims=True), np.array(FOLLOWS))


def _factors(hit: NDArray[np.bool_], shares: Floats, strengths: Floats) -> Floats:
    found: Floats = np.log1p(strengths * hit[..., None]) - np.log1p(strengths * shares[..., None])
    return found
