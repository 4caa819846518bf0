"""For any cards and wagers under any pack, each live wager is settled once by its pay table, money is
conserved, and no patron is paid more than the limit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.game.model.cards import DECK, Card
from controller.game.model.names import ANTES, BETS, COLUMN, CROSS, ROW, Place, Wager
from controller.game.model.plan import Item, Step, TurnBonusCards, TurnSeat
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import BONUSES
from controller.game.rulebook.hands import best_of, evaluate
from controller.game.rulebook.settlement_plan import SeatToSettle, pay_table, plan, steps
from tests.game.felt import pack
from tests.game.test_settlement import (
    FIVE,
    KEYS,
    SIX,
)

pytestmark = pytest.mark.slow


@st.composite
def rounds(draw: st.DrawFn) -> tuple[RulePack, dict[Place, Card], tuple[Card, ...], list[SeatToSettle]]:
    rules = pack(draw(st.sampled_from(KEYS)))
    limit = draw(st.none() | st.integers(0, 100_000))
    rules = replace(rules, payout_limit=replace(rules.payout_limit, cents=limit))
    numbers = draw(st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True))
    # half of the decks have fewer ranks, so that high hands are frequent
    deck = draw(st.permutations(DECK if draw(st.booleans()) else [c for c in DECK if c[0] in "TJQKA6"]))
    board, bonus, rest = deck[:5], deck[5:9], deck[9:]
    seats = [
        SeatToSettle(
            number,
            str(draw(st.sampled_from(numbers))),
            tuple(rest[2 * index : 2 * index + 2]),
            draw(st.booleans()),
            {wager: draw(st.integers(0, 3)) * 500 for wager in (*ANTES, *BETS, *rules.bonuses)},
        )
        for index, number in enumerate(numbers)
    ]
    return rules, dict(zip(CROSS, board, strict=True)), tuple(bonus), seats


Round = tuple[RulePack, dict[Place, Card], tuple[Card, ...], list[SeatToSettle]]


@given(rounds())
@settings(max_examples=100, deadline=None)
def test_only_live_wagers_are_settled_each_once(given_round: Round) -> None:
    rules, board, bonus, seats = given_round
    items = plan(rules, board, bonus, seats)
    live = [
        (seat.seat, wager)
        for seat in seats
        for wager, cents in seat.wagers.items()
        if cents and (not seat.folded or wager in BONUSES)
    ]
    assert Counter((step.seat, step.wager) for step in steps(items)) == Counter(live)
    assert all(
        step.amount == next(s for s in seats if s.seat == step.seat).wagers[step.wager]
        for step in steps(items)
    )


@given(rounds())
@settings(max_examples=100, deadline=None)
def test_each_wager_is_paid_by_its_table_and_money_is_conserved(given_round: Round) -> None:
    rules, board, bonus, seats = given_round
    items = plan(rules, board, bonus, seats)
    holes = {seat.seat: seat.cards or () for seat in seats}
    for step in steps(items):
        hand = _hand(step.wager, holes[step.seat], board, bonus)
        odds = pay_table(rules, step.wager).get(hand.line) if hand.line else None
        expected = {None: "lose", "push": "push"}.get(odds, "win")  # type: ignore[arg-type]
        assert (step.result, step.hand) == (expected, hand)
        assert step.verb == {"lose": "take", "push": "push", "win": "pay"}[expected]
        assert step.uncut == (step.amount * odds if isinstance(odds, int) else 0)
        assert 0 <= step.payout <= step.uncut
    on_table = sum(step.amount for step in steps(items))
    left = sum(step.amount + step.payout for step in steps(items) if step.verb != "take")
    taken = sum(step.amount for step in steps(items) if step.verb == "take")
    assert left + taken == on_table + sum(step.payout for step in steps(items))


def _hand(wager: Wager, hole: tuple[Card, ...], board: dict[Place, Card], bonus: tuple[Card, ...]) -> Any:
    across = evaluate([*hole, *(board[place] for place in ROW)])
    down = evaluate([*hole, *(board[place] for place in COLUMN)])
    if wager in (Wager.ANTE_ACROSS, Wager.ACROSS):
        return across
    if wager in (Wager.ANTE_DOWN, Wager.DOWN):
        return down
    if wager is Wager.MIDDLE:
        return max(across, down)
    return evaluate(list(board.values())) if wager is FIVE else best_of([*hole, *bonus])


@given(rounds())
@settings(max_examples=100, deadline=None)
def test_payouts_are_reduced_only_to_the_limit(given_round: Round) -> None:
    rules, board, bonus, seats = given_round
    players = {seat.seat: seat.player for seat in seats}
    limit = rules.payout_limit
    won: Counter[str] = Counter()
    for step in steps(plan(rules, board, bonus, seats)):
        if limit.cents is None or (step.wager in BONUSES and not limit.bonus_included):
            assert step.payout == step.uncut
            continue
        assert step.payout == min(step.uncut, limit.cents - won[players[step.seat]])
        won[players[step.seat]] += step.payout
    assert all(limit.cents is not None and paid <= limit.cents for paid in won.values())


@given(rounds())
@settings(max_examples=100, deadline=None)
def test_settlement_goes_from_seat_six_down_and_turns_each_seat_once(
    given_round: Round,
) -> None:
    rules, board, bonus, seats = given_round
    items = plan(rules, board, bonus, seats)
    turned: list[int] = []
    for item in items:
        if isinstance(item, TurnSeat):
            assert item.seat not in turned
            turned.append(item.seat)
        elif isinstance(item, Step) and item.wager is not FIVE:
            assert item.seat in turned
    for walk in rules.settlement:
        wagers = {wager for _, group in walk.groups for wager in group}
        visited = [step.seat for step in steps(items) if step.wager in wagers]
        assert visited == sorted(visited, reverse=True)
    assert _bonus_cards_come_before(items)
    folded = {seat.seat for seat in seats if seat.folded}
    assert all(rules.folded_turned_for for seat in turned if seat in folded)


def _bonus_cards_come_before(items: tuple[Item, ...]) -> bool:
    six = [index for index, item in enumerate(items) if isinstance(item, Step) and item.wager is SIX]
    turning = [index for index, item in enumerate(items) if isinstance(item, TurnBonusCards)]
    return (not six and not turning) or (len(turning) == 1 and turning[0] < min(six))
