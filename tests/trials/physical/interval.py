"""Acts of players between NO MORE BETS and the close: raise, add, withdraw and move wagers."""

from __future__ import annotations

from collections.abc import Callable

from controller.game.model.names import ANTES, Circle
from tests.trials.physical.people import People


def use(people: People) -> None:
    """Carry out up to three acts while the close waits for a reading of every circle."""
    for _ in range(people.dice.choice([0, 0, 0, 1, 2, 3])):
        if not people.state.closing:
            return
        act = people.dice.choice(ACTS)
        if act(people):
            people.count(f"before the close: {act.__name__.replace('_', ' ')}")
        people.felt.pause()


def _laid(people: People) -> list[Circle]:
    found = [circle for circle, chips in people.felt.circles.items() if chips]
    people.dice.shuffle(found)
    return found


def raise_antes(people: People) -> bool:
    for circle in _laid(people)[:1]:
        for wager in people.dice.sample(ANTES, people.dice.choice([1, 2])):
            people.felt.move(circle.seat, Circle(circle.seat, wager), people.dice.choice([100, 500, 1000]))
        return True
    return False


def make_a_bonus(people: People) -> bool:
    for circle in _laid(people)[:1]:
        bonus = Circle(circle.seat, people.dice.choice(people.felt.pack.bonuses))
        people.felt.move(circle.seat, bonus, people.dice.choice([200, 500]))
        return True
    return False


def withdraw(people: People) -> bool:
    for circle in _laid(people)[:1]:
        people.felt.move(circle, circle.seat, people.felt.amount(circle))
        return True
    return False


def move_between_circles(people: People) -> bool:
    for circle in _laid(people)[:1]:
        others = [Circle(circle.seat, wager) for wager in ANTES if wager is not circle.wager]
        cents = people.felt.amount(circle)
        people.felt.move(circle, circle.seat, cents)
        people.felt.move(circle.seat, people.dice.choice(others), cents)
        return True
    return False


ACTS: tuple[Callable[[People], bool], ...] = (raise_antes, make_a_bonus, withdraw, move_between_circles)
