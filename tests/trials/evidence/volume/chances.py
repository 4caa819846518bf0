"""Probabilities under the model that a seat makes its decisions, for each card of the cross that it may know.

The tables are filled for each kind of hole by formulas of their own, which `check.py` compares with those of
the program. The tables of all kinds take 1.5 GB.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from controller.evidence.factor import STRENGTHS, chances
from controller.evidence.hands_beside import CLASSES, NO_HAND, hands_beside, third_cards
from controller.evidence.hypotheses import PackValues
from controller.evidence.known_middle import HOLE_KINDS
from controller.evidence.whole_cross import values_by_classes
from controller.rules.odds.hands import Classes
from controller.rules.odds.middle import best_results
from controller.rules.odds.pack import Odds
from controller.rules.odds.tree import ANTES
from tests.trials.evidence.values import Floats, Ints
from tests.trials.evidence.volume.deals import BESIDE, FIRST, PAIRS, SECOND, Singles, beside

OF_MIDDLE, OF_ACROSS, OF_DOWN = range(3)
"""Index of the known card's place in `Chances.first`."""
DOWN_PAIRS = 47 * 46 // 2
"""Number of Down pairs beside a hole, an Across pair and a middle card."""
MIDDLES = 46
"""Number of middle cards beside a hole and both pairs."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances by strength. A choice is 0 for a fold, 1 for the smallest and 2 for the largest bet.

    `first`: (kind, place of the known card, choice, strength, card), the first decision. `middle`, `down`:
    (kind, Across pair, first and second decision, strength, card), the product of both decisions with a known
    middle card or card of the Down pair; the decisions have the number 3 (first - 1) + second. `cross`: by
    number of decisions made, (decisions, strength, class of Across and of Down), the product of all of them;
    three decisions have the number 6 (first - 1) + 3 (second - 1) + third. `last`: the same of the third one
    alone. `classes`: (kind, card, pair), the class of hand, or NO_HAND."""

    first: Singles
    middle: Singles
    down: Singles
    cross: tuple[Singles, Singles, Singles]
    last: Singles
    classes: Classes


def chances_of(
    values: PackValues, kinds: Sequence[int], progress: Callable[[int, int], None] = lambda done, of: None
) -> Chances:
    """Compute the tables for these kinds of hole, in their order."""
    many, strengths = len(kinds), len(STRENGTHS)
    first = np.ones((many, 3, 3, strengths, BESIDE), np.float32)
    middle, down = (np.ones((many, PAIRS, 6, strengths, BESIDE), np.float32) for _ in range(2))
    classes = np.zeros((many, BESIDE, PAIRS), np.int8)
    places = values.first.middle, values.first.across, values.first.down

    def fill(row: int) -> None:
        kind = kinds[row]
        classes[row] = classes_of(kind)
        for place, table in enumerate(places):
            bets = table.table[kind, beside(kind)].T
            first[row, place] = _by_choice(values.odds, np.vstack([np.full(BESIDE, -float(ANTES)), bets]))
        made = classes[row].astype(np.int64)
        _fill(middle[row], first[row, OF_MIDDLE], values.odds, _with_middle(values.odds, kind, made))
        _fill(down[row], first[row, OF_DOWN], values.odds, _with_down_card(values.odds, made))

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for done, _ in enumerate(threads.map(fill, range(many)), 1):
            progress(done, many)
    return Chances(first, middle, down, *_of_cross(values.odds), classes)


def classes_of(kind: int) -> Classes:
    """Return (card, pair): the class of the hand that a middle card and a pair make with the example hole of
    a kind, or NO_HAND."""
    cards = beside(kind)
    made: Classes = hands_beside(HOLE_KINDS[kind].hole)[np.ix_(cards, cards, cards)][:, FIRST, SECOND]
    return made


def _by_choice(odds: Odds, values: Floats) -> Floats:
    """Return (choice, strength, ...): the chance of each choice under the model. `values`: (choice, ...),
    values of the choices."""
    flat = values.reshape(3, -1)
    every = np.stack([chances(flat, bet, odds) for bet in (0, *odds.multiples)])
    found: Floats = every.reshape(3, len(STRENGTHS), *values.shape[1:])
    return found


def _fill(found: Singles, first: Singles, odds: Odds, seconds: Sequence[Floats]) -> None:
    """Fill `found` (pair, decisions, strength, card) with the chances of the first two decisions. `first`:
    those of the first one; `seconds`: by first bet, the values (choice, pair, card) of the second one."""
    for bet, values in enumerate(seconds):
        for second, chance in enumerate(_by_choice(odds, values)):
            found[:, 3 * bet + second] = first[bet + 1] * chance.transpose(1, 0, 2)


def _with_middle(odds: Odds, kind: int, made: Ints) -> list[Floats]:
    """Return, by first bet, the values (choice, Across pair, middle card) of the Down decision."""
    cards, hole = beside(kind), HOLE_KINDS[kind].hole
    third = third_cards(hole, hole)[:, cards][:, :, cards].astype(float)
    pairs = third.sum(axis=2) / 2  # each pair is counted twice, once for either of its cards
    counts = pairs[:, :, None] - third[:, :, FIRST] - third[:, :, SECOND]
    # the Across pair was subtracted twice, once for each card
    counts += made == np.arange(CLASSES)[:, None, None]
    found = []
    for bet in odds.multiples:
        laid = [np.vstack([best_results(odds, bet, more), np.zeros(CLASSES)]) for more in odds.multiples]
        sums = [sum(each[:, one][made] * counts[one] for one in range(CLASSES)) for each in laid]
        values = [np.full((PAIRS, BESIDE), -float(ANTES + bet)), *(each.T / DOWN_PAIRS for each in sums)]
        found.append(np.stack(values))
    return found


def _with_down_card(odds: Odds, made: Ints) -> list[Floats]:
    """Return, by first bet, the values (choice, Across pair, card of the Down pair) of the Down decision.
    Raises ValueError if a higher hand wins less, because the higher hand decides the Middle bet."""
    if sorted(odds.bets) != [*odds.bets]:
        raise ValueError(f"a higher hand must win no less: {odds.bets}")
    bets, antes = (np.array([*pays, 0], np.float32)[made] for pays in (odds.bets, odds.antes))
    held = np.zeros((PAIRS, BESIDE), np.float32)
    held[np.arange(PAIRS), FIRST] = held[np.arange(PAIRS), SECOND] = 1
    apart = (held @ held.T == 0).astype(np.float32)  # (Across pair, Down pair): 1 if they share no card
    on_down, on_antes = (
        each.sum(axis=0) - each[FIRST] - each[SECOND] for each in (bets, antes)
    )  # middle cards that are in the Across pair are subtracted
    higher = _of_higher(odds, made, bets)
    last = np.maximum(*(multiple * higher for multiple in odds.multiples))
    found = []
    for bet in odds.multiples:
        alone = (antes + bet * bets).T
        lying = alone.sum(axis=1)[:, None] - alone[:, FIRST] - alone[:, SECOND] + on_antes + last
        values = [np.full((PAIRS, BESIDE), -float(ANTES + bet))]
        for down in odds.multiples:
            best = np.maximum(lying + down * on_down, -(ANTES + bet + down) * MIDDLES) * apart
            values.append(best @ held / ((MIDDLES + 1) * MIDDLES))
        found.append(np.stack(values))
    return found


def _of_higher(odds: Odds, made: Ints, bets: Singles) -> Singles:
    """Return (Across pair, Down pair): the win of one ante on the Middle, which the higher hand decides,
    summed over the middle cards."""
    least = np.where(made == NO_HAND, np.float32(odds.bets[0]), bets)
    found = np.empty((PAIRS, PAIRS), np.float32)
    for pair, (one, two) in enumerate(zip(FIRST, SECOND, strict=True)):
        live = np.delete(np.arange(BESIDE), [one, two])
        own = bets[:, pair]
        # a middle card that is one of the Down pair makes no hand; the sum has the Across hand there
        found[pair] = np.maximum(least[live], own[live, None]).sum(axis=0) - own[FIRST] - own[SECOND]
    return found


def _of_cross(odds: Odds) -> tuple[tuple[Singles, Singles, Singles], Singles]:
    def made(bets: tuple[float, ...]) -> Floats:
        return _by_choice(odds, values_by_classes(odds, bets).reshape(3, -1))

    one = made(())
    second = {bet: made((bet,)) for bet in odds.multiples}
    two = [one[at] * second[bet] for at, bet in enumerate(odds.multiples, 1)]
    last = [[made((bet, more)) for more in odds.multiples] for bet in odds.multiples]
    three = [two[at][down] * last[at][down - 1] for at in range(2) for down in (1, 2)]
    alone = np.concatenate([each for pair in last for each in pair])
    of_two, of_three = np.concatenate(two), np.concatenate(three)
    cross = one.astype(np.float32), of_two.astype(np.float32), of_three.astype(np.float32)
    return cross, alone.astype(np.float32)
