"""The accounts of a round do not depend on the order in which readers report one motion of a hand
(config/rules/RULES.md "Who has the chips")."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.game.books import dues
from controller.game.model.cards import DECK
from controller.game.model.events import CircleRead, KeyPressed
from controller.game.model.names import ANTES, Circle, Key, Method, Phase
from controller.game.model.plan import Step
from tests.game.felt import Felt
from tests.game.motions import Motion, Reported, orders, parts
from tests.game.test_properties import WAYS

pytestmark = pytest.mark.slow
ORDERS = 8
"""Number of random interleavings of readings tried for each motion, in addition to the permutations."""


# ------------------------------------------------------------------ situations


def betting(key: str, method: Method, dice: random.Random) -> Felt:
    """Lay antes and bonuses of three or four seats, each in two or three chips."""
    felt = Felt(key, method)
    for seat in sorted(dice.sample(range(1, 7), dice.choice([3, 4]))):
        for wager in (*ANTES, *felt.pack.bonuses[: dice.choice([0, 1, 2])]):
            felt.event(CircleRead(seat, wager, tuple(felt.chip(500) for _ in range(2))))
    return felt


def deciding(key: str, method: Method, dice: random.Random) -> Felt:
    felt = betting(key, method, dice)
    felt.close()
    felt.deal_all(dice.sample(list(DECK), 52))
    while felt.phase is Phase.DEALING:
        felt.press("confirm")
    return felt


def decide(felt: Felt, fold: bool) -> None:
    """Bet one ante in two chips for the seat that is asked, or fold the seat."""
    prompt = felt.table.prompt()
    assert prompt is not None and prompt.seat is not None and prompt.wager is not None
    if fold:
        felt.fold()
        return
    felt.event(CircleRead(prompt.seat, prompt.wager, (felt.chip(500), felt.chip(500))))
    felt.press("confirm")


def folding(key: str, method: Method, dice: random.Random) -> Felt:
    """Return a table on which one seat has folded and none of its wagers is collected yet."""
    felt = deciding(key, method, dice)
    seats = len(felt.round.seats)
    for _ in range(dice.randrange(seats - 1)):
        decide(felt, fold=False)
    decide(felt, fold=True)
    return felt


def settling(key: str, method: Method, dice: random.Random) -> Felt:
    """Return a table in the settlement of at least two seats, of which the first is turned."""
    felt = deciding(key, method, dice)
    while felt.phase is not Phase.SETTLEMENT:
        prompt = felt.table.prompt()
        assert prompt is not None
        if prompt.kind == "ask":
            decide(felt, fold=False)
        elif prompt.kind == "enter_face":
            felt.enter(prompt.places[0], dice.choice(felt.unused(52)))
        else:
            felt.press("confirm")
    for _ in range(40):
        prompt = felt.table.prompt()
        if prompt is None or prompt.kind not in ("turn_seat", "enter_face"):
            break
        if prompt.kind == "enter_face":
            felt.enter(prompt.places[0], felt.unused(1)[0])
        else:
            felt.press("confirm")
    return felt


# ------------------------------------------------------------------ motions


def others(felt: Felt, seats: set[int], dice: random.Random) -> list[Circle]:
    """Return up to three wagers of seats not in `seats`, which the hand takes by mistake."""
    lying = [
        Circle(seat, wager)
        for seat, box in felt.round.seats.items() if seat not in seats
        for wager in box.wagers if felt.table.state.holding(seat, wager).chips
    ]  # fmt: skip
    return dice.sample(lying, min(len(lying), dice.choice([0, 1, 2, 3])))


def emptied(circles: list[Circle]) -> Motion:
    return dict.fromkeys(circles, ())


def sweep_of_a_fold(felt: Felt, dice: random.Random) -> Motion:
    """Return a motion that collects the folded wagers and, by mistake, neighbours' chips and bonuses of the
    folded seat."""
    taken = list(dues.to_collect(felt.round))
    folded = {circle.seat for circle in taken}
    bonus = [Circle(seat, w) for seat in folded for w in felt.round.seats[seat].wagers if w not in ANTES]
    own = [c for c in bonus if c not in taken and dice.random() < 0.3]
    return emptied([*taken, *own, *others(felt, folded, dice)])


def sweep_in_the_settlement(felt: Felt, dice: random.Random) -> Motion:
    """Return a motion that sweeps the losing wagers of the seat and, by mistake, some of its pushes and of
    other seats' chips."""
    step = dues.current_item(felt.round)
    if not isinstance(step, Step):
        return {}
    mine = felt.round.settlement.steps[step.seat].values()
    taken = [each.circle for each in mine if each.verb == "take"]
    pushes = [each.circle for each in mine if each.verb == "push" and dice.random() < 0.5]
    return emptied([*taken, *pushes, *others(felt, {step.seat}, dice)])


def payouts(felt: Felt, dice: random.Random) -> Motion:
    """Return a motion that lays up to five payouts of the seat at once."""
    step = dues.current_item(felt.round)
    if not isinstance(step, Step):
        return {}
    won = [s for s in felt.round.settlement.steps[step.seat].values() if s.verb == "pay" and s.payout]
    return {
        each.circle: (*felt.table.state.holding(*each.circle).chips, felt.chip(each.payout))
        for each in won[:5]
    }


def everything(felt: Felt, dice: random.Random) -> Motion:
    lying = [Circle(s, w) for s, row in felt.table.state.holdings.items() for w in row if row[w].chips]
    return emptied(dice.sample(lying, min(6, len(lying))))


# ------------------------------------------------------------------ properties


Place = Callable[[str, Method, random.Random], Felt]
Hand = Callable[[Felt, random.Random], Motion]


def before_confirm(key: str, method: Method, dice: random.Random) -> Felt:
    felt = deciding(key, method, dice)
    felt.press("fold")
    return felt


def of_the_seat(felt: Felt, dice: random.Random) -> Motion:
    """Return a motion that takes the antes of the seat whose decision is asked for, and chips of its
    neighbours."""
    seat = felt.round.decisions.asked
    return emptied([*(Circle(seat, ante) for ante in ANTES), *others(felt, {seat}, dice)])


def voided(key: str, method: Method, dice: random.Random) -> Felt:
    felt = folding(key, method, dice)
    felt.floor("outcome", outcome="void", reason="order")
    return felt


MOTIONS: dict[str, tuple[Place, Hand]] = {
    "a fold is collected": (folding, sweep_of_a_fold),
    "a fold is taken before its CONFIRM": (before_confirm, of_the_seat),
    "losing wagers are taken": (settling, sweep_in_the_settlement),
    "payouts are laid": (settling, payouts),
    "a hand grabs what it can": (deciding, everything),
    "a void is given back": (voided, everything),
}


@pytest.mark.parametrize("what", MOTIONS)
@pytest.mark.parametrize(("key", "method"), WAYS)
@settings(max_examples=2, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_every_order_gives_the_same_books(what: str, key: str, method: Method, seed: int) -> None:
    dice = random.Random(seed)
    place, hand = MOTIONS[what]
    felt = place(key, method, dice)
    motion = hand(felt, dice)
    readings = parts(felt, motion, dice)
    first = None
    for order in orders(readings, dice, ORDERS):
        table = Reported(felt)
        table.play(order, dice)
        seen = table.seen()
        first = first or seen
        assert seen == first, order


def test_a_motion_before_the_close_makes_the_same_wagers_in_every_order() -> None:
    dice = random.Random(1)
    felt = betting("pennsylvania", Method.AUTOMATED_SHOE, dice)
    readings = parts(felt, everything(felt, dice), dice)
    books = set()
    for order in orders(readings, dice, ORDERS):
        table = Reported(felt)
        table.play(order, dice)
        table.event(KeyPressed(Key.NO_MORE_BETS))
        books.add(str(table.state.called))
    assert len(books) == 1
