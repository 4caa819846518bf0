"""The evidence on other hands has the mean one, counted over every deal of a small deck for arbitrary
players.

A player decides by their own cards, the bets before theirs, and chance.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from controller.common.texts.catalogue import catalogue
from controller.evidence.hypotheses import Hypothesis, PackValues
from controller.evidence.other_hands import (
    FirstWorth,
    evidence_of_all_hands,
    evidence_of_one_hand,
    first_worth,
    sets_by_sum,
)
from controller.evidence.report import sitting_data
from controller.evidence.seat_rounds import own_boxes_after, shoe_rounds
from controller.evidence.sitting import Sitting
from controller.evidence.sittings import Sittings
from controller.evidence.tables import first_tables
from controller.evidence.words import sentence
from controller.game.model.cards import DECK
from controller.rules.odds.cards import NUMBER, Hole
from controller.rules.odds.plan import Plan
from controller.rules.odds.subject import shipped
from controller.rules.odds.tree import Tree, Unseen

pytestmark = pytest.mark.slow

ODDS = shipped("pennsylvania").odds
BOXES = 2
"""Number of boxes that one patron may play under the pack."""
VALUES = PackValues(ODDS, first_tables(ODDS), BOXES)
CROSS = ("across_left", "across_right", "down_far", "down_near", "middle")
HANDS = (Hypothesis.ONE_HAND, Hypothesis.OTHER_HANDS)
LOW, HIGH = ("9C", "2D"), ("JS", "TS")
"""Two holes whose choices have nearly the same value: fold and smallest bet for LOW, both bets for HIGH."""
Cards = tuple[str, ...]
Bets = Mapping[int, float]
"""Antes bet at Across by seat, 0 for a fold."""


def played(hands: Mapping[int, Cards], cross: Cards, bets: Bets, **changes: Any) -> Any:
    """Return the record of a round. `bets`: antes bet at each decision by seat. `changes`: other values of
    its fields, and `free`: cards that were dealt nowhere; all remaining cards are set aside."""
    free = changes.pop("free", ())
    dealt = {*cross, *free, *(card for hand in hands.values() for card in hand)}
    seats = []
    for seat, hand in hands.items():
        wagers = {"ante_across": {"amount": 1000}, "ante_down": {"amount": 1000}}
        if bets[seat]:
            wagers |= {name: {"amount": round(bets[seat] * 1000)} for name in ("across", "down", "middle")}
        seats.append({
            "seat": seat, "player": str(seat), "cards": [*hand], "forfeited": None,
            "folded_at": None if bets[seat] else "across", "wagers": wagers,
        })  # fmt: skip
    return {
        "round": 1, "outcome": "settled", "rules_digest": "", "method": "automated_shoe", "dealers": [],
        "table": "", "irregularities": [], "cross": dict(zip(CROSS, cross, strict=True)),
        "bonus_cards": None, "set_aside": [card for card in DECK if card not in dealt], "seats": seats,
        **changes,
    }  # fmt: skip


def sat(*records: Any) -> dict[int, Sitting]:
    sittings = Sittings({"": VALUES})
    for record in records:
        sittings.add(record)
    return {each.seat: each for each in sittings.found}


def small_deck(
    dice: random.Random, hole: Cards = LOW, free: int = 6
) -> tuple[Cards, dict[int, Cards], Cards]:
    """Return a cross, the hands of seats 1 and 3, and the `free` cards that seats 4 and 6 may hold."""
    cards = dice.sample([card for card in DECK if card not in hole], 7 + free)
    return tuple(cards[:5]), {1: tuple(cards[5:7]), 3: hole}, tuple(cards[7:])


def deals(free: Cards) -> list[tuple[Cards, Cards]]:
    """Return every pair of hands of seats 4 and 6."""
    return [
        (one, two)
        for one in combinations(free, 2)
        for two in combinations([card for card in free if card not in one], 2)
    ]


def evidence(
    dice: random.Random, hole: Cards, decide: Callable[[Cards], float], changes: Callable[[Cards], Any]
) -> dict[Hypothesis, list[float]]:
    """Return the evidence of seat 3 by hypothesis for every deal. `decide`: its bet, given the hand of seat
    6; `changes`: changes of the record, given that hand.

    The same patron may play seat 4. The other seats and hypotheses are computed for the last deal only,
    because they take ten times as long; the evidence of the sitting must agree with that deal."""
    cross, hands, free = small_deck(dice, hole)
    before = dice.choice([0.0, 1.0, 3.0])
    found: dict[Hypothesis, list[float]] = {name: [] for name in HANDS}
    record: Any = None
    for one, two in deals(free):
        others = {4: dice.choice([0.0, 1.0, 3.0]), 6: dice.choice([0.0, 1.0, 3.0])}
        left = [card for card in free if card not in {*one, *two}]
        bets = {1: before, 3: decide(two), **others}
        record = played({**hands, 4: one, 6: two}, cross, bets, free=left, **changes(two))
        for name, each in found.items():
            each.append(mean_of(record, name, BOXES))
    assert {name: np.exp(sat(record)[3].strands[name].log) for name in HANDS} == pytest.approx(
        {name: each[-1] for name, each in found.items()}
    )
    return found


def mean_of(record: Any, name: Hypothesis, boxes: int) -> float:
    """Return the evidence of seat 3 in one round for a hypothesis of HANDS."""
    whole = shoe_rounds(record, boxes)
    assert whole is not None
    count = evidence_of_one_hand if name is Hypothesis.ONE_HAND else evidence_of_all_hands
    found = count(ODDS, VALUES.first, whole.after[3])
    assert found is not None
    return float(np.exp(found.weights.sum(axis=0)).mean())


@pytest.mark.parametrize(("hole", "bet"), [(LOW, 0.0), (LOW, 1.0), (HIGH, 1.0), (HIGH, 1.7), (HIGH, 3.0)])
def test_over_every_later_hand_the_mean_is_one(hole: Cards, bet: float) -> None:
    """The later hands are uncertain. The bet may depend on the earlier hand, which counts as known."""
    found = evidence(random.Random(int(bet * 10)), hole, lambda _hand: bet, lambda _hand: {})
    for name, each in found.items():
        assert np.mean(each) == pytest.approx(1, rel=1e-9), name
        assert np.std(each) > 1e-5, name


def test_a_patron_who_plays_two_boxes_by_both_hands_has_the_mean_one() -> None:
    """No report names the boxes 3 and 4. Over every deal the mean is exactly one where the rules allow two
    boxes, and above one if the adjacent hand is taken for that of another patron."""
    cross, hands, free = small_deck(random.Random(3))
    worth = worth_of(LOW)
    found: dict[tuple[Hypothesis, int], list[float]] = {}
    for one, two in deals(free):
        bet = worth.bets[int(worth.knowing([NUMBER[card] for card in one]).argmax())]
        left = [card for card in free if card not in {*one, *two}]
        record = played({**hands, 4: one, 6: two}, cross, {1: 1.0, 3: bet, 4: 1.0, 6: 1.0}, free=left)
        for name, boxes in product(HANDS, (1, BOXES)):
            found.setdefault((name, boxes), []).append(mean_of(record, name, boxes))
    for name in HANDS:
        assert np.mean(found[name, BOXES]) == pytest.approx(1, rel=1e-9)
        assert np.std(found[name, BOXES]) > 1e-5
    assert np.mean(found[Hypothesis.ONE_HAND, 1]) > 1 + 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_a_disturbed_order_leaves_the_mean_at_most_one(seed: int) -> None:
    """Seat 6 bets early with some hands, and the bet of seat 3 depends on that."""
    dice = random.Random(seed)
    free = small_deck(random.Random(seed))[2]
    early = {frozenset(two): dice.random() < 0.5 for two in combinations(free, 2)}
    with_early, alone = dice.sample([0.0, 1.0], 2)
    code = {"code": "bet_out_of_turn", "phase": "across", "seat": 6}

    def changes(hand: Cards) -> Any:
        return {"irregularities": [code] if early[frozenset(hand)] else []}

    def decide(hand: Cards) -> float:
        return with_early if early[frozenset(hand)] else alone

    found = evidence(random.Random(seed), LOW, decide, changes)
    for name, each in found.items():
        assert np.mean(each) <= 1 + 1e-9, name
        assert np.std(each) > 1e-5, name


def test_only_players_who_decide_later_have_hands_to_know() -> None:
    cross, hands, free = small_deck(random.Random(2))
    every = {**hands, 4: free[:2], 6: free[2:4]}
    bets = dict.fromkeys(every, 1.0)
    record = played(every, cross, bets, free=free[4:])
    for boxes, expected in (
        (1, {1: [3, 4, 6], 3: [4, 6], 4: [6]}),
        (2, {1: [3, 4, 6], 3: [6], 4: [6]}),
        (None, {1: [3, 4, 6], 3: [6], 4: [6]}),
    ):
        whole = shoe_rounds(record, boxes)
        assert whole is not None
        assert {seat: [*each.later] for seat, each in whole.after.items()} == expected
    record["seats"][2]["player"] = "6"
    whole = shoe_rounds(record, BOXES)
    assert whole is not None
    assert {seat: [*each.later] for seat, each in whole.after.items()} == {1: [3, 4, 6], 3: [4, 6]}


@pytest.mark.parametrize(
    ("players", "boxes", "own"),
    [
        ("1.34.6", None, {4}), ("123456", None, {4, 5, 6}), ("123456", 1, set()), ("123456", 3, {4, 5}),
        ("12344.", None, set()), ("1233..", 2, {4}), ("1133.6", None, {4}),
    ],
)  # fmt: skip
def test_boxes_that_may_be_the_same_patron_s(players: str, boxes: int | None, own: set[int]) -> None:
    """`players` has a mark for each seat. Two seats have the same mark if a floorperson reported them, and
    the report names all boxes of that patron."""
    marks = {seat: mark for seat, mark in enumerate(players, 1) if mark != "."}
    assert own_boxes_after(3, marks, boxes) == own


@pytest.mark.parametrize(
    ("changes", "ordered"),
    [
        ({"irregularities": [{"code": "hole_exposed", "phase": "across", "seat": 4}]}, False),
        ({"irregularities": [{"code": "players_conferred", "phase": "dealing", "seat": 4}]}, False),
        ({"irregularities": [{"code": "bet_changed", "phase": "down", "seat": 4}]}, True),
        ({"irregularities": [{"code": "storage_low", "phase": "across", "seat": None}]}, True),
    ],
)
def test_what_may_show_a_hand_early_disturbs_the_order(changes: Any, ordered: bool) -> None:
    cross, hands, free = small_deck(random.Random(2))
    record = played({**hands, 4: free[:2]}, cross, {1: 1.0, 3: 1.0, 4: 1.0}, free=free[2:], **changes)
    whole = shoe_rounds(record, 1)
    assert whole is not None
    assert {each.ordered for each in whole.after.values()} == {ordered}


def test_a_sentence_names_the_seat_whose_hand_was_known() -> None:
    """Seat 3 bets and folds by the hand of seat 6 alone."""
    cross, hands, free = small_deck(random.Random(4), free=7)
    worth = worth_of(LOW)
    records = []
    for number, (one, two) in enumerate(deals(free)[::3], 1):
        bet = worth.bets[int(worth.knowing([NUMBER[card] for card in two]).argmax())]
        left = [card for card in free if card not in {*one, *two}]
        record = played({**hands, 4: one, 6: two}, cross, {1: 1.0, 3: bet, 4: 1.0, 6: 1.0}, free=left)
        records.append({**record, "round": number})
    sitting = sat(*records)[3]
    data = sitting_data(sitting)["hypotheses"][Hypothesis.ONE_HAND]
    heaviest = data["decisions"][0]
    assert (heaviest["hand_of"], heaviest["cards"]) == (6, 10)
    assert "knew the two cards of seat 6, one of 10 pairs, would " in heaviest["sentence"]
    spanish = sentence(catalogue("es"), Hypothesis.ONE_HAND, heaviest)
    assert "conociera las dos cartas del puesto 6, una de 10 parejas, " in spanish


# ---------------------------------------------------------------------- values and counts


def worth_of(hole: Cards) -> FirstWorth:
    one, two = sorted(NUMBER[card] for card in hole)
    return first_worth(ODDS, VALUES.first, (one, two))


def test_sets_are_counted_by_their_sum() -> None:
    numbers = np.array([3, -2, 0, 5, 5, -7, 1])
    for size in (1, 2, 4):
        counts, least = sets_by_sum(numbers, size)
        each = Counter(sum(some) for some in combinations(numbers.tolist(), size))
        assert {least + at: many for at, many in enumerate(counts) if many} == each


@pytest.mark.parametrize("hole", [("KS", "4H"), LOW, HIGH])
def test_the_values_rank_the_choices_as_a_count_over_the_rest_of_the_deck(hole: Cards) -> None:
    """The values without knowledge are exact. With ten known cards the choice with the highest value loses
    less than 0.1 antes against the best one."""
    one, two = sorted(NUMBER[card] for card in hole)
    plan, worth = Plan(ODDS, (one, two)), worth_of(hole)
    np.testing.assert_allclose(worth.plain, [plan.worth[bet] for bet in worth.bets], atol=1e-4)
    dice = random.Random(1)
    for _ in range(3):
        known = dice.sample(plan.live, 10)
        counted = counted_values((one, two), known)
        assert max(counted) - counted[int(worth.knowing(known).argmax())] < 0.1


def counted_values(hole: Hole, known: Sequence[int]) -> list[float]:
    """Return the exact values of a fold and of both bets if these cards cannot be in the cross."""
    live = tuple(card for card in range(52) if card not in {*hole, *known})
    tree = Tree(ODDS, Unseen(hole, live))
    share = tree.columns / tree.columns.sum()
    return [-2.0, *(float(tree.across_worth(bet) @ share) for bet in ODDS.multiples)]
