"""The evidence of late chips has the mean one for a player whose lateness does not depend on the cards just
seen.

Chips count only if they come before the seat's turn to decide.
"""

from __future__ import annotations

import random
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from controller.evidence.factor import KNOWING
from controller.evidence.hypotheses import Hypothesis
from controller.evidence.known_middle import HOLE_KINDS
from controller.evidence.late_chips import late_decisions, late_evidence
from controller.evidence.seat_rounds import shoe_rounds
from controller.game.model.cards import DECK
from tests.evidence.independent.factors import Seat
from tests.evidence.test_hypotheses import ODDS, VALUES, arbitrary, played, sat, small_deck

pytestmark = pytest.mark.slow
PHASES = ("across", "down", "middle")


def late(phase: str, **changes: Any) -> dict[str, Any]:
    """Return the irregularity of an ante that grew in this phase, before the turn of seat 1. `changes`:
    replaced fields."""
    entry = {"code": "bet_changed", "name": "late_bet", "phase": phase, "seat": 1, "wager": "ante_across"}
    return {**entry, "before_turn": True, **changes}


def weights_of(record: Any) -> Any:
    """Return how much the lateness of seat 1 changes the evidence of a round: the natural logarithm of its
    factor for each of the three strengths. All are 0 if seat 1 was not late."""
    whole = shoe_rounds(record)
    assert whole is not None
    found = late_evidence(ODDS, VALUES.first.middle, whole.late[1]) if 1 in whole.late else None
    return np.zeros(3) if found is None else found.weights.sum(axis=0)


@pytest.mark.parametrize("forfeits", [False, True])
def test_over_every_deal_the_mean_of_each_strength_is_one(forfeits: bool) -> None:
    """The player is late before Across in every round. Before Down and Middle, lateness depends on the cards
    that the player knew before the last turn. Bets and folds depend on all cards that the player knows."""
    dice = random.Random(forfeits)
    small, hole, aside = small_deck(dice, 5)
    deck, known, found = [*small, *hole], {}, []
    for own in combinations(deck, 2):
        choose = arbitrary(dice, forfeits)
        for cross in permutations([card for card in deck if card not in own], 5):
            record = played(cross, own, aside, choose)
            seen = [(), own, (own, cross[:2])]
            comes = [known.setdefault(each, dice.random() < 0.7) for each in seen]
            comes[0] = True
            record["irregularities"] = [late(phase) for phase, at in zip(PHASES, comes, strict=True) if at]
            found.append(np.exp(weights_of(record)))
    assert len(found) == 21 * 120
    np.testing.assert_allclose(np.mean(found, axis=0), 1, rtol=1e-9)
    assert np.std(found, axis=0).min() > 0.1


def test_the_own_cards_are_the_better_the_larger_the_factor() -> None:
    small, hole, aside = small_deck(random.Random(3), 9)
    cross, free = small[:5], [*small[5:], *hole]
    evidence = {}
    for two in combinations(free, 2):
        rest = (*aside, *(card for card in free if card not in two))
        record = {**played(cross, two, rest, lambda turned: 0), "irregularities": [late("dealing")]}
        evidence[two] = weights_of(record)[2]
    best = max(evidence, key=lambda two: evidence[two])
    assert best[0][0] == best[1][0]
    assert max(evidence.values()) > 0 > min(evidence.values())


@pytest.mark.parametrize("seed", range(3))
def test_each_step_is_that_of_an_independent_count(seed: int) -> None:
    """For each step the weights are compared: those by the own cards, by the Across pair and by the Down
    pair. No other seat holds any of the cards that are counted."""
    cards = random.Random(seed).sample(DECK, 19)
    record = played(tuple(cards[:5]), tuple(cards[5:7]), tuple(cards[7:]), lambda turned: 1)
    record["irregularities"] = [late(phase) for phase in PHASES]
    whole = shoe_rounds(record)
    assert whole is not None
    found = late_evidence(ODDS, VALUES.first.middle, whole.late[1])
    assert found is not None
    names, worth = (kind.name for kind in HOLE_KINDS), VALUES.first.middle.holes.tolist()
    pack = {
        "bets": ODDS.bets, "antes": ODDS.antes, "multiples": ODDS.multiples,
        "worth": dict(zip(names, worth, strict=True)),
    }  # fmt: skip
    counted = Seat(record, record["seats"][0], pack).late()
    assert [each[0] for each in counted] == [*found.wagers] == [*PHASES]
    assert [each[2] for each in counted] == [KNOWING[best] for best in found.best]
    np.testing.assert_allclose([each[4] for each in counted], found.weights, atol=1e-9)


@pytest.mark.parametrize(
    "changes",
    [
        {"before_turn": False}, {"name": "bet_changed"}, {"seat": 2}, {"wager": "down"},
        {"code": "bet_out_of_turn", "wager": "middle"}, {"code": "overpaid", "name": "overpaid"},
    ],
)  # fmt: skip
def test_other_irregularities_count_nowhere(changes: dict[str, Any]) -> None:
    """Chips after the turn, chips taken back, chips of another seat, and chips of the bet that is being made
    give no evidence."""
    small, hole, aside = small_deck(random.Random(1), 6)
    record = played(small[:5], hole, aside, lambda turned: 1)
    (seat,) = record["seats"]
    assert [*late_decisions({**record, "irregularities": [late("down")]}, seat)] == ["down"]
    assert [*late_decisions({**record, "irregularities": [late("down", **changes)]}, seat)] == []


def test_a_seat_that_folded_is_late_no_more() -> None:
    small, hole, aside = small_deck(random.Random(1), 6)
    every = {"irregularities": [late(phase) for phase in PHASES]}
    for bets, expected in (((0,), 1), ((1, 0), 2), ((1, 3, 0), 3), ((1, 1, 1), 3)):
        record = played(small[:5], hole, aside, lambda turned, bets=bets: bets[len(turned) // 2])
        assert len([*late_decisions({**record, **every}, record["seats"][0])]) == expected


def test_a_round_without_late_chips_gives_no_evidence() -> None:
    small, hole, aside = small_deck(random.Random(1), 6)
    record = played(small[:5], hole, aside, lambda turned: 1)
    assert not sat(record).strands[Hypothesis.LATE].rounds
    assert sat({**record, "irregularities": [late("across")]}).strands[Hypothesis.LATE].rounds
