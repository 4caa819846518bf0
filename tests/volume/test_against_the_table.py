"""Kernel and table give the same results for the same cards, wagers and decisions, step by step and to the
last field of the record.

`python -m tests.volume.differential` plays any number of rounds; its figures are in tests/EVIDENCE.md.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.game.model.cards import DECK
from controller.game.model.names import SEATS, Method, Wager
from controller.game.model.plan import Step
from controller.rules.packs.loader import pack_files
from controller.rules.volume import settle
from controller.rules.volume.arrays import AT, CardArray, CentsArray, Codes
from controller.rules.volume.deal import ALL, DealtRounds, dealt_places, shuffled
from controller.rules.volume.play import PlayerView, Stakes, same_every_round
from controller.rules.volume.settle import hand_lines
from controller.rules.volume.strategies import RandomStrategy, random_stakes
from controller.rules.volume.table_view import TableView
from tests.game.felt import pack
from tests.volume.driven import DrivenTable
from tests.volume.rounds import HIGH, Batch, any_batch, batch, differences, unplanned

pytestmark = pytest.mark.slow

KEYS = tuple(pack_files())


def compared(found: Batch) -> list[str]:
    """Return the differences between kernel and table in all rounds of the batch."""
    table = DrivenTable(found.pack, found.method)
    rounds = range(found.played.dealt.rounds)
    return [difference for number in rounds for difference in differences(found, table, number)]


@pytest.mark.parametrize("key", KEYS)
def test_any_rounds_are_played_alike(key: str) -> None:
    for number in range(2):
        assert compared(any_batch(pack(key), 22, number, 8)) == []


@pytest.mark.parametrize(("key", "method"), [(key, m) for key in KEYS for m in pack(key).deals])
def test_every_way_of_dealing_lays_the_same_cards_at_the_same_places(key: str, method: Method) -> None:
    """Four rounds are played at three boxes. In one of these rounds a card at each kind of place is never
    turned."""
    rules, dice = pack(key), np.random.default_rng(4)
    decks = shuffled(dice, 4, len(dealt_places(rules, method, (2, 3, 6))))
    found = batch(
        rules, method, decks, (2, 3, 6), random_stakes(rules, dice, 3, 4), RandomStrategy(dice, 0.5)
    )
    assert compared(found) == []


@pytest.mark.parametrize("key", KEYS)
def test_a_limit_cuts_the_wins_of_a_patron_over_all_their_boxes_alike(key: str) -> None:
    rules = pack(key)
    rules = replace(rules, payout_limit=replace(rules.payout_limit, cents=2_000))
    method, dice = next(iter(rules.deals)), np.random.default_rng(5)
    decks = shuffled(dice, 6, len(dealt_places(rules, method, SEATS)), HIGH)
    patron = {} if rules.adjacent_boxes else {4: "4", 5: "4", 6: "4"}
    stakes = random_stakes(rules, dice, len(SEATS), 6, bonus=1.0)
    found = batch(rules, method, decks, SEATS, stakes, RandomStrategy(dice), patron)
    assert (found.played.settled.payout < found.played.settled.uncut).any()
    assert compared(found) == []


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("bonus", [0.0, 1.0], ids=["and nothing stands", "and bonuses stand"])
def test_everybody_folds_alike(key: str, bonus: float) -> None:
    """All boxes fold at Across in one round, at Down in another, and at Middle in a third. The cards are
    dealt by hand, so the record has only faces that were turned."""
    rules, dice = pack(key), np.random.default_rng(6)
    decks = shuffled(dice, 3, len(dealt_places(rules, Method.HAND, (1, 5))))

    def later_each_round(wager: Wager, seen: PlayerView) -> CentsArray:
        return np.where(np.arange(3) > (Wager.ACROSS, Wager.DOWN, Wager.MIDDLE).index(wager), seen.ante, 0)

    stakes = random_stakes(rules, dice, 2, 3, bonus=bonus)
    found = batch(rules, Method.HAND, decks, (1, 5), stakes, later_each_round)
    assert [int(at) for at in found.played.folded[0]] == [1, 2, 3]
    assert compared(found) == []


def lower_hand(dealt: DealtRounds, shape: tuple[int, ...]) -> Codes:
    found = hand_lines(dealt, shape)
    found[AT[Wager.MIDDLE]] = np.minimum(found[AT[Wager.ACROSS]], found[AT[Wager.DOWN]])
    return found


def test_a_kernel_that_settles_the_middle_by_the_lower_hand_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settle, "hand_lines", lower_hand)
    rules, dice = pack(), np.random.default_rng(7)
    decks = shuffled(dice, 4, len(dealt_places(rules, Method.AUTOMATED_SHOE, SEATS)), HIGH)
    stakes = random_stakes(rules, dice, len(SEATS), 4)
    found = batch(rules, Method.AUTOMATED_SHOE, decks, SEATS, stakes, RandomStrategy(dice, 0.0))
    assert any("middle" in difference for difference in compared(found))


# ------------------------------------------------------------------ the settlement alone


@st.composite
def settlements(draw: st.DrawFn) -> Batch:
    """Draw one round of any pack: one to six boxes of any patrons, any wagers, any folds and any limit."""
    rules = pack(draw(st.sampled_from(KEYS)))
    limit = draw(st.none() | st.integers(0, 100_000))
    rules = replace(
        rules, payout_limit=replace(rules.payout_limit, cents=limit), whole_multiples=draw(st.booleans())
    )
    seats = sorted(draw(st.sets(st.sampled_from(SEATS), min_size=1)))
    patrons = {seat: str(draw(st.sampled_from(seats))) for seat in seats}
    method = draw(st.sampled_from(tuple(rules.deals)))
    of = ALL if draw(st.booleans()) else HIGH
    dealt = draw(st.permutations(of.tolist()))[: len(dealt_places(rules, method, seats))]
    bets = draw(st.lists(st.integers(0, 3), min_size=3 * len(seats), max_size=3 * len(seats)))
    ante = same_every_round([100 * draw(st.integers(5, 10)) for _ in seats], 1)
    five = same_every_round([draw(st.sampled_from([0, 200, 1000])) for _ in seats], 1)
    bonuses = dict.fromkeys(rules.bonuses, five)

    def as_drawn(wager: Wager, seen: PlayerView) -> CentsArray:
        at = (Wager.ACROSS, Wager.DOWN, Wager.MIDDLE).index(wager)
        return seen.ante * same_every_round(bets[at::3], 1)

    decks: CardArray = np.array(dealt, dtype=np.uint8)[:, None]
    return batch(rules, method, decks, seats, Stakes(ante, bonuses), as_drawn, patrons)


@given(settlements())
@settings(max_examples=60, deadline=None)
def test_any_settlement_is_the_plan_that_the_table_would_make(found: Batch) -> None:
    assert unplanned(found, 0) == []


@given(settlements())
@settings(max_examples=20, deadline=None)
def test_what_a_box_is_paid_and_loses_is_the_sum_of_its_wagers(found: Batch) -> None:
    view = TableView(found.played, 0)
    steps = [item for item in view.items() if isinstance(item, Step)]
    for box, entry in enumerate(view.record()["seats"]):
        mine = [step for step in steps if step.seat == entry["seat"]]
        gone = sum(each["amount"] for each in entry["wagers"].values() if each["result"] == "forfeit")
        assert found.played.net[box, 0] == -gone - sum(step.tray for step in mine)
    assert set(found.decks[:, 0].tolist()) <= set(range(len(DECK)))
