"""`python -m tests.trials.evidence.shoe`: number of orders until a faulty shuffle is found, and false alarms
of a fair one.

Each shoe deals the same number of cards from each order. The dealt cards are then put on the rest of the
deck, and the deck is shuffled. For faulty shuffles the output is the number of orders until the evidence over
all hypotheses reaches each bound, at the median and at 90 % of the shoes; for the fair shoe it is the share
that ever reaches each bound.

The column before it is a bound: the number of orders after which a test that knew the fault would reach 10^6.
Riffles and kept neighbours have no bound, because their chance of the next card depends on the order of the
stub, which no shoe has read.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from math import log, perm

import numpy as np

from controller.evidence.shuffle import Floats, Ints, ShuffleEvidence
from controller.rules.odds.cards import DECK_SIZE

BOUNDS = (3, 6, 9)
CARDS = 17
"""Number of cards dealt from each order: two to each of six seats, and the cross."""
Shuffle = Callable[[Ints, np.random.Generator], Ints]
"""Shuffle of several decks at once: a function from (decks, dice) to the next order of each deck, (shoe,
card)."""


def fair(decks: Ints, dice: np.random.Generator) -> Ints:
    return dice.permuted(decks, axis=1)


def riffles(count: int) -> Shuffle:
    """Return a shuffle of `count` riffles in the model of Gilbert, Shannon and Reeds: the next card falls
    from either half with a chance in proportion to the cards left in it."""

    def riffle(decks: Ints, dice: np.random.Generator) -> Ints:
        # the inverse riffle has the same probabilities: cards with the bit 0 come first, in their order, and
        # the result is read backwards
        bits = dice.integers(0, 2, size=decks.shape)
        order = np.argsort(np.argsort(bits, axis=1, kind="stable"), axis=1)
        return np.take_along_axis(decks, order, axis=1)

    def shuffle(decks: Ints, dice: np.random.Generator) -> Ints:
        for _ in range(count):
            decks = riffle(decks, dice)
        return decks

    return shuffle


def sticky(share: float) -> Shuffle:
    """Return a shuffle that is fair, except that the first card stays in its place in this share of the
    orders."""

    def shuffle(decks: Ints, dice: np.random.Generator) -> Ints:
        rest = np.concatenate([decks[:, :1], dice.permuted(decks[:, 1:], axis=1)], axis=1)
        return np.where(dice.random(len(decks))[:, None] < share, rest, fair(decks, dice))

    return shuffle


def repeating(share: float) -> Shuffle:
    """Return a shuffle that is fair, except that this share of the orders is not shuffled at all."""

    def shuffle(decks: Ints, dice: np.random.Generator) -> Ints:
        return np.where(dice.random(len(decks))[:, None] < share, decks, fair(decks, dice))

    return shuffle


def blocks(share: float) -> Shuffle:
    """Return a shuffle that is fair, except that each card keeps its successor with this probability."""

    def shuffle(decks: Ints, dice: np.random.Generator) -> Ints:
        loose = dice.random(decks.shape) >= share
        loose[:, 0] = True
        block = np.cumsum(loose, axis=1) - 1
        keys = np.take_along_axis(dice.random(decks.shape), block, axis=1)
        return np.take_along_axis(decks, np.argsort(keys, axis=1, kind="stable"), axis=1)

    return shuffle


REPEATING, STICKY = 0.1, 0.5
"""Shares of the orders that are not shuffled, and of those that keep the first card."""
MISSING = "a card is missing"
FAULTS: Mapping[str, Shuffle] = {
    **{f"{count} riffle{'s' if count > 1 else ''}": riffles(count) for count in (1, 2, 3, 4)},
    "one order in ten is not shuffled": repeating(REPEATING),
    "one card in ten keeps the card behind it": blocks(0.1),
    "the first card stays in half of the orders": sticky(STICKY),
}


def evidence(
    shuffle: Shuffle, shoes: int, orders: int, dice: np.random.Generator, missing: bool = False
) -> Floats:
    """Return (order, shoe): the logarithm of the evidence over all hypotheses after each order. `missing`:
    one card is not in the deck."""
    decks = fair(np.tile(np.arange(DECK_SIZE), (shoes, 1)), dice)
    followed, running = ShuffleEvidence(shoes), []
    for _ in range(orders):
        dealt = decks
        if missing:  # the card with the number 0 is put last and never dealt
            rest = np.argsort(decks == 0, axis=1, kind="stable")
            dealt = np.take_along_axis(decks, rest, axis=1)
        followed.add(dealt[:, :CARDS])
        running.append(followed.combined())
        decks = shuffle(decks, dice)
    return np.array(running)


def informations() -> Mapping[str, float]:
    """Return the information of one order by fault, in nats: the mean logarithm of its chance under the
    fault, divided by that under a fair shuffle."""
    orders = float(perm(DECK_SIZE, CARDS))
    again = REPEATING + (1 - REPEATING) / orders
    stays = STICKY + (1 - STICKY) / DECK_SIZE
    return {
        "one order in ten is not shuffled": again * log(orders * again) + (1 - again) * log(1 - REPEATING),
        "the first card stays in half of the orders": (
            stays * log(DECK_SIZE * stays) + (1 - stays) * log(1 - STICKY)
        ),
        MISSING: log(DECK_SIZE / (DECK_SIZE - CARDS)),
    }


def bound(name: str) -> str:
    """Return a text about the number of orders after which a test that knew the fault would reach 10^6; "" if
    it cannot be computed."""
    found = informations().get(name)
    return f"bound, 10^6: {6 * log(10) / found:.1f}; " if found else ""


def reached(logs: Floats) -> str:
    """Return a text about the number of orders until each bound is reached, at the median and at 90 % of the
    shoes."""
    words = []
    for bound in BOUNDS:
        over = logs >= bound * np.log(10)
        first = np.sort(np.where(over.any(axis=0), over.argmax(axis=0) + 1, len(logs) + 1))
        at = first[[len(first) // 2, len(first) * 9 // 10]].tolist()
        words.append(" / ".join(str(each) if each <= len(logs) else f"over {len(logs)}" for each in at))
    return ", ".join(f"10^{bound}: {word}" for bound, word in zip(BOUNDS, words, strict=True))


def alarms(logs: Floats) -> str:
    peaks = logs.max(axis=0) / np.log(10)
    return ", ".join(f"10^{bound}: {(peaks >= bound).sum()} of {len(peaks)}" for bound in (1, 2, 3))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.shoe", description=__doc__)
    parser.add_argument("--shoes", type=int, default=100, metavar="N", help="shoes of each kind")
    parser.add_argument("--orders", type=int, default=500, metavar="N", help="orders of each shoe, at most")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    dice = np.random.default_rng(args.seed)
    for name, shuffle in FAULTS.items():
        print(f"{name}: {bound(name)}{reached(evidence(shuffle, args.shoes, args.orders, dice))}", flush=True)
    missing = reached(evidence(fair, args.shoes, args.orders, dice, missing=True))
    print(f"{MISSING}: {bound(MISSING)}{missing}", flush=True)
    print(f"fair, {args.orders} orders: {alarms(evidence(fair, 10 * args.shoes, args.orders, dice))}")


if __name__ == "__main__":
    main()
