"""For every hypothesis the mean of the evidence is one, counted over every deal of a small deck for arbitrary
players.

The tests follow the definitions in controller/evidence/EVIDENCE.md: a player decides by the cards that are
face up, their own two, and chance. The rest of the deck is set aside, so that every deal can be played.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pytest

from controller.evidence.early_wagers import bonus_factor, win_chance
from controller.evidence.factor import SeatRound
from controller.evidence.hypotheses import Hypothesis, PackValues
from controller.evidence.known_middle import HOLE_KINDS
from controller.evidence.known_pair_card import second_values_down
from controller.evidence.seat_rounds import shoe_rounds
from controller.evidence.sitting import Sitting
from controller.evidence.sittings import Sittings
from controller.evidence.tables import first_tables
from controller.evidence.whole_cross import crosses_of, live_cards
from controller.game.model.cards import DECK
from controller.game.model.names import Wager
from controller.rules.odds.cards import NUMBER
from controller.rules.odds.luck import hand_class
from controller.rules.odds.pack import LINES
from controller.rules.odds.subject import shipped
from controller.rules.odds.tree import Tree, Unseen

pytestmark = pytest.mark.slow

CROSS = ("across_left", "across_right", "down_far", "down_near", "middle")
ODDS = shipped("pennsylvania").odds
VALUES = PackValues(ODDS, first_tables(ODDS))
OF_CROSS = {name for name in Hypothesis if name.startswith("sees_")}
Cards = tuple[str, ...]
Choose = Callable[[Cards], int]
"""A player: returns the antes to bet after the given cards were turned, 0 to fold, -1 to forfeit the wagers
instead of a decision."""


def sittings_of(records: Sequence[Any]) -> list[Sitting]:
    """Return the sittings of these records."""
    sittings = Sittings({"": VALUES})
    for record in records:
        sittings.add({"dealers": [], "table": "", **record})
    return sittings.found


def arbitrary(dice: random.Random, forfeits: bool) -> Choose:
    """Return a player who decides at random, but always the same after the same cards. `forfeits`: whether
    they may forfeit."""
    decided: dict[Cards, int] = {}
    choices = [0, 1, 1, 2, 3, 3, *([-1] if forfeits else [])]
    return lambda turned: decided.setdefault(turned, dice.choice(choices))


def played(cards: Cards, hole: Cards, aside: Cards, choose: Choose) -> Any:
    """Return the record of a round that one seat plays. `cards`: the cross in the order of `CROSS`; `aside`:
    cards set aside, which cannot be in the cross."""
    wagers: dict[str, Any] = {"ante_across": {"amount": 1000}, "ante_down": {"amount": 1000}}
    forfeited, folded = None, None
    for wager, turned in (("across", ()), ("down", cards[:2]), ("middle", cards[:4])):
        bet = choose(turned)
        if bet > 0:
            wagers[wager] = {"amount": bet * 1000}
        forfeited = {"phase": wager, "code": "hand_left"} if bet < 0 else None
        folded = wager if bet == 0 else None
        if bet <= 0:
            break
    if forfeited is None and folded is None and choose(cards) < 0:
        forfeited = {"phase": "settlement", "code": "hand_left"}
    seat = {
        "seat": 1, "player": "1", "cards": list(hole), "forfeited": forfeited, "folded_at": folded,
        "wagers": wagers,
    }  # fmt: skip
    return {
        "round": 1, "outcome": "settled", "rules_digest": "", "method": "automated_shoe",
        "irregularities": [], "cross": dict(zip(CROSS, cards, strict=True)), "bonus_cards": None,
        "set_aside": [*aside], "seats": [seat],
    }  # fmt: skip


def sat(*records: Any) -> Sitting:
    (found,) = sittings_of(records)
    return found


def small_deck(dice: random.Random, free: int) -> tuple[Cards, Cards, Cards]:
    """Return three groups of cards: `free` high cards for the cross, two high cards for the seat, and all
    other cards, which are set aside."""
    high = dice.sample([card for card in DECK if card[0] in "JQK"], free + 2)
    return tuple(high[:free]), tuple(high[free:]), tuple(card for card in DECK if card not in high)


@pytest.fixture(scope="module")
def played_out() -> dict[bool, list[Sitting]]:
    """Return the sittings of one round for every possible cross, by whether the player may forfeit. A player
    who may does so before a decision and after the last card."""
    found = {}
    for forfeits in (False, True):
        dice = random.Random(forfeits)
        small, hole, aside = small_deck(dice, 6)
        choose = arbitrary(dice, forfeits)
        found[forfeits] = [sat(played(cards, hole, aside, choose)) for cards in permutations(small, 5)]
    return found


@pytest.mark.parametrize("forfeits", [False, True])
def test_over_every_cross_the_mean_of_each_hypothesis_is_one(
    forfeits: bool, played_out: dict[bool, list[Sitting]]
) -> None:
    found = played_out[forfeits]
    evidence = {name: np.exp([each.strands[name].log for each in found]) for name in OF_CROSS}
    for hypothesis, each in evidence.items():
        assert each.mean() == pytest.approx(1, rel=1e-9), hypothesis
        assert each.std() > 1e-3, hypothesis
    together = np.exp([each.log for each in found])
    assert together.mean() == pytest.approx(1, rel=1e-9)


@pytest.mark.parametrize("name", sorted(OF_CROSS))
def test_the_mean_is_one_if_another_player_plays_on_after_some_crosses(
    name: Hypothesis, played_out: dict[bool, list[Sitting]]
) -> None:
    """After each cross of the first round, one of two players plays the second."""
    one, other = (
        np.stack(np.broadcast_arrays(*(each.strands[name].by_strength for each in found)))
        for found in played_out.values()
    )
    means = [np.exp(first + (other if at % 2 else one)).mean() for at, first in enumerate(one)]
    assert np.mean(means) == pytest.approx(1, rel=1e-9)


def test_only_a_forfeit_before_the_turn_removes_the_evidence_of_a_round() -> None:
    small, hole, aside = small_deck(random.Random(5), 6)
    cards = small[:5]
    after = sat(played(cards, hole, aside, lambda turned: -1 if len(turned) == 5 else 1))
    assert {name for name, strand in after.strands.items() if strand.rounds} >= OF_CROSS
    at_down = sat(played(cards, hole, aside, lambda turned: -1 if len(turned) == 2 else 1))
    given = {name for name, strand in at_down.strands.items() if strand.rounds} & OF_CROSS
    assert given == {Hypothesis.ACROSS_LEFT, Hypothesis.ACROSS_RIGHT, Hypothesis.CROSS}
    assert not sat(played(cards, hole, aside, lambda turned: -1)).strands[Hypothesis.CROSS].rounds


@pytest.mark.parametrize("seed", range(4))
def test_crosses_are_counted_by_class(seed: int) -> None:
    """Every cross of nine cards is made and evaluated as a table evaluates it, and compared with the counts
    by class."""
    dice = random.Random(seed)
    cards = [NUMBER[card] for card in small_deck(dice, 9)[0]] if seed % 2 else dice.sample(range(52), 9)
    hole = tuple(sorted(dice.sample([card for card in range(52) if card not in cards], 2)))
    across, down = (tuple(sorted(cards[at : at + 2])) for at in (0, 2))
    others = frozenset({*range(52)} - {*cards, *hole})
    seat = SeatRound((hole[0], hole[1]), across, down, cards[4], others, (1.0,))
    every = np.zeros((11, 11))
    with_across = np.zeros((11, 11))
    for middle in cards:
        for one in combinations(sorted({*cards} - {middle}), 2):
            for two in combinations(sorted({*cards} - {middle, *one}), 2):
                made = [hand_class(*(DECK[card] for card in (*hole, *pair, middle))) for pair in (one, two)]
                every[made[0], made[1]] += 1
                with_across[made[0], made[1]] += one == across
    counted = crosses_of(seat, live_cards(seat))
    np.testing.assert_array_equal(counted.every, every)
    np.testing.assert_array_equal(counted.with_across, with_across)
    assert every.sum() == 9 * comb(8, 2) * comb(6, 2)


# ---------------------------------------------------------------------- values of a player who knows a card


def test_values_with_a_known_card_of_a_pair_are_means_over_the_rest_of_the_deck() -> None:
    """The Down decision is counted over every second card and every middle card, with the best Middle bet."""
    dice = random.Random(8)
    *hole, one, two, known = dice.sample(range(52), 5)
    pair = min(hole), max(hole)
    found = second_values_down(ODDS, pair, (one, two), np.array([known]), 3.0)[:, 0]
    left = [card for card in range(52) if card not in {*hole, one, two, known}]
    for place, bet in enumerate(ODDS.multiples, 1):
        total = 0.0
        for other in left:
            ends = [results(hole, (one, two), (known, other), card, bet) for card in left if card != other]
            total += max(-(5.0 + bet) * len(ends), *(sum(each) for each in zip(*ends, strict=True)))
        assert found[place] == pytest.approx(total / (len(left) * (len(left) - 1)))
    assert found[0] == -5


def results(hole: list[int], across: tuple[int, int], down: tuple[int, int], middle: int, bet: int) -> Any:
    """Return the antes won after three antes at Across and `bet` at Down, for both Middle bets."""
    one, two = (hand_class(*(DECK[card] for card in (*hole, *pair, middle))) for pair in (across, down))
    pays, antes = ODDS.bets, ODDS.antes
    lying = antes[one] + antes[two] + 3 * pays[one] + bet * pays[two]
    return [lying + last * pays[max(one, two)] for last in ODDS.multiples]


def test_the_mean_value_over_all_cards_of_a_pair_is_no_less_than_that_of_best_play() -> None:
    """Knowledge is never a disadvantage, because the choice is made after the card is known."""
    for kind in (0, 60, 168):
        hole = HOLE_KINDS[kind].hole
        live = tuple(card for card in range(52) if card not in hole)
        plain = Tree(ODDS, Unseen(hole, live)).worth()
        for table in (VALUES.first.across, VALUES.first.down):
            best = np.maximum(table.table[kind, list(live)].max(axis=1), -2)
            assert best.mean() >= plain - 1e-5


# ---------------------------------------------------------------------- wagers before the deal


def test_a_bonus_bet_keeps_its_mean_with_the_chance_that_is_counted_in_textbooks() -> None:
    """Five cards: 40 straight flushes, 624, 3,744, 5,108, 10,200, 54,912, 123,552 of the higher hands; the
    pack's pay table begins at a pair of 6s."""
    high = 40 + 624 + 3_744 + 5_108 + 10_200 + 54_912 + 123_552
    pair = 84_480
    pays = dict(ODDS.side_bets)[Wager.FIVE_CARD_BONUS]
    pairs = {LINES.index("pair_of_6s_to_10s"): 5, LINES.index("pair_of_jacks_or_better"): 4}
    wins = high + sum(many * pair for place, many in pairs.items() if pays[place] > 0)
    chance = win_chance(ODDS, Wager.FIVE_CARD_BONUS)
    assert chance == pytest.approx(wins / comb(52, 5), rel=1e-12)
    for bet in (False, True):
        mean = chance * bonus_factor(chance, bet, True) + (1 - chance) * bonus_factor(chance, bet, False)
        np.testing.assert_allclose(mean, 1, rtol=1e-12)


@pytest.mark.parametrize("ante", [500, 2000])
def test_over_every_hole_the_mean_of_an_ante_is_one(ante: int) -> None:
    """The first ante is 1,000 cents, the second is `ante`. The seat may hold any two of six cards."""
    small, hole, aside = small_deck(random.Random(ante), 9)
    cross, free = small[:5], [*small[5:], *hole]
    found = []
    for two in combinations(free, 2):
        first = played(cross, hole, (*aside, *small[5:]), lambda turned: 1)
        second = {**played(cross, two, aside, lambda turned: 1), "round": 2}
        second["seats"][0]["wagers"]["ante_across"] = {"amount": ante}
        found.append(np.exp(sat(first, second).strands[Hypothesis.ANTE].log))
    assert np.mean(found) == pytest.approx(1, rel=1e-9)
    assert np.std(found) > 1e-3


# ---------------------------------------------------------------------- rounds


def test_rounds_whose_cards_no_shoe_read_give_evidence_of_the_middle_card_alone() -> None:
    """If cards are dealt by hand, those of a player who folds late stay unknown. Which cards are known then
    depends on the cross."""
    small, hole, aside = small_deck(random.Random(1), 6)
    whole = played(small[:5], hole, aside, lambda turned: 1)
    for changes in (
        {"method": "hand"},
        {"irregularities": [{"code": "shoe_lost"}]},
        {"entered_faces": ["seat_1_2"]},
    ):
        assert shoe_rounds({**whole, **changes}) is None
        given = {name for name, strand in sat({**whole, **changes}).strands.items() if strand.rounds}
        assert given == {Hypothesis.MIDDLE}
    assert shoe_rounds({**whole, "outcome": "void"}) is None
    assert shoe_rounds(whole) is not None


def test_a_card_set_aside_whose_face_is_unknown_leaves_no_evidence() -> None:
    """A player may have seen it, and the record does not have it: the middle card is then not uniform over
    the cards that the record leaves. A player who bets three antes unless that card pairs a card of their
    hand has a mean factor of 1.02 for `sees_middle`, so this hypothesis is left out too."""
    small, hole, aside = small_deck(random.Random(1), 6)
    whole = played(small[:5], hole, aside, lambda turned: 1)
    for method in ("automated_shoe", "hand"):
        found = sat({**whole, "method": method, "set_aside": [*aside[1:], None]})
        assert not any(strand.rounds for strand in found.strands.values())


@pytest.mark.parametrize("seed", range(4))
def test_dealt_by_hand_a_neighbour_s_fold_does_not_change_the_mean(seed: int) -> None:
    """A neighbour who folds hides two cards, and the fold depends on them: the middle card is then not
    equally likely to be any unknown card. If such a round counted, a player who copies the neighbour would
    gain evidence."""
    dice = random.Random(seed)
    small, hole, aside = small_deck(dice, 10)
    pairs, free = small[:4], small[4:]
    folding = {frozenset(two): dice.random() < 0.6 for two in combinations(free, 2)}
    evidence = []
    for middle in free:
        for two in combinations([card for card in free if card != middle], 2):
            folds = folding[frozenset(two)]
            one = played((*pairs, middle), hole, aside, lambda _turned, folds=folds: 1 if folds else 3)
            other = played((*pairs, middle), two, aside, lambda _turned, folds=folds: 0 if folds else 1)
            (neighbour,) = other["seats"]
            neighbour |= {"seat": 2, "player": "2", **({"cards": [None, None]} if folds else {})}
            record = {**one, "method": "hand", "seats": [*one["seats"], neighbour]}
            first = sittings_of([record])[0]
            evidence.append(np.exp(first.strands[Hypothesis.MIDDLE].log))
    assert np.mean(evidence) == pytest.approx(1, rel=1e-9)
    assert np.std(evidence) > 1e-3
