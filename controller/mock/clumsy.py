"""A dealer who errs, and the account of what the table caught.

Errors are drawn from the seed and the prompt, so that a run can be played again. Every error is
written down with the codes by which it should be named; after the alert he mends it like any dealer.
It must never touch what the daemon knows: it errs with chips and cards only.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from controller.game.names import Circle, Wager
from controller.mock.acts import Act, Hold, Lay, Press, SwapCards
from controller.mock.acts import prompt_name as name
from controller.mock.dealer import Dealer, at, places_of
from controller.mock.felt import Felt
from controller.mock.players import View, circle_views

EXPECTED: Mapping[str, tuple[str, ...]] = {
    "push_paid": ("overpaid",),
    "push_swept": ("push_disturbed",),
    "losing_left": ("losing_bet_left",),
    "short": ("underpaid",),
    "over": ("overpaid",),
    "wrong_circle": ("wrong_circle", "settled_out_of_order", "overpaid"),
    "stack_spread": ("card_differs",),
    "stack_delivered": ("card_differs",),
}
"""Each error, and the codes of which one names it."""


PLAYERS_DOING = ("unequal_antes", "late_bet", "bet_changed", "bet_out_of_turn")
"""What is no dealer's error: `mischief.py` has its own."""


@dataclass(slots=True)
class Error:
    """One thing done wrong while `due` was to be settled; `circle`: where it can be seen, None for cards."""

    round: int
    kind: str
    due: Circle | None
    circle: Circle | None
    caught: bool = False

    def named_by(self, alert: View) -> bool:
        where = (alert["seat"], alert["wager"])
        if self.kind == "wrong_circle" and self.due and where == tuple(self.due):
            return bool(
                alert["code"] == "underpaid"
            )  # what lies in the wrong circle may be just what is due there
        if alert["code"] not in EXPECTED[self.kind]:
            return False
        return self.circle is None or where == tuple(self.circle)


@dataclass(slots=True)
class Account:
    """What was done wrong, what the table named, what it named without cause."""

    errors: list[Error] = field(default_factory=list)
    false_alarms: list[tuple[int, str]] = field(default_factory=list)
    _known: set[tuple[int, int]] = field(default_factory=set)

    def see(self, view: View) -> None:
        """Hold every new alert against what was done."""
        alerts = [alert for alert in view["alerts"] if alert["grade"] != "notice"]
        for alert in alerts:
            key = (view["round"], alert["id"])
            if key not in self._known:
                self._known.add(key)
                self._judge(view["round"], alert)
        if view["hold"] is not None and (view["round"], -1) not in self._known:
            self._known.add((view["round"], -1))
            self._judge(view["round"], {"seat": None, "wager": None, **view["hold"]})

    def _judge(self, number: int, alert: View) -> None:
        found = [error for error in self.errors if error.round == number and error.named_by(alert)]
        if not found and alert["code"] not in PLAYERS_DOING:
            self.false_alarms.append((number, alert["code"]))
        for error in found:
            error.caught = True

    def words(self) -> str:
        caught = sum(error.caught for error in self.errors)
        missed = [error for error in self.errors if not error.caught]
        said = ", ".join(sorted(f"{error.kind} in round {error.round}" for error in missed))
        return (
            f"{len(self.errors)} errors of the dealer: {caught} caught, {len(missed)} missed, "
            f"{len(self.false_alarms)} false alarms" + (f"; missed: {said}" if said else "") + self._alarms()
        )

    def _alarms(self) -> str:
        said = ", ".join(f"{code} in round {number}" for number, code in self.false_alarms)
        return f"; false: {said}" if said else ""


class ClumsyDealer(Dealer):
    """With probability `share` a settlement step or a stack goes wrong."""

    def __init__(
        self,
        seed: int | str,
        folds: Callable[[View, int], bool],
        ready: Callable[[View, Felt], bool],
        share: float,
    ) -> None:
        super().__init__(seed, folds, ready)
        self.share = share
        self.account = Account()
        self._erring: dict[str, str] = {}

    def acts(self, view: View, felt: Felt) -> Iterator[Act]:
        self.account.see(view)
        yield from super().acts(view, felt)

    def _errs(self, view: View, prompt: View, circle: Circle | None, *kinds: str) -> str | None:
        """The error of this prompt, drawn once and written down; None for none."""
        key = name(view, prompt)
        if key not in self._erring:
            self._erring.clear()
            dice = random.Random(f"{self.seed}:{view['round']}:{prompt['kind']}:{circle}:clumsy")
            self._erring[key] = dice.choice(kinds) if dice.random() < self.share else ""
            if self._erring[key]:
                self.account.errors.append(Error(view["round"], self._erring[key], circle, circle))
        return self._erring[key] or None

    # ------------------------------------------------------------------ settlement

    def push(self, view: View, felt: Felt, prompt: View) -> Iterator[Act]:
        circle, once = at(prompt), name(view, prompt)
        kind = self._errs(view, prompt, circle, "push_paid", "push_swept")
        if kind == "push_paid":
            yield Hold(circle, felt.amount(circle) * 2, once=f"{once}:err")
        elif kind == "push_swept":
            yield Hold(circle, 0, once=f"{once}:err")
        if kind is None or self._named(circle):
            yield Press("confirm", once=once)

    def _named(self, circle: Circle) -> bool:
        """Whether the last error at this circle was named; only then does he go on."""
        return any(error.caught for error in self.account.errors[-1:] if error.due == circle)

    def empty(self, view: View, felt: Felt, prompt: View) -> Iterator[Act]:
        circle, once = at(prompt), name(view, prompt)
        erring = prompt["kind"] == "take" and self._errs(view, prompt, circle, "losing_left")
        if erring and not self._named(circle):
            yield Press("confirm", once=f"{once}:err")
            return
        yield from super().empty(view, felt, prompt)

    def pay(self, view: View, felt: Felt, prompt: View) -> Iterator[Act]:
        circle, once = at(prompt), name(view, prompt)
        wager = circle_views(view)[circle]["wager"] or 0
        due = wager + (prompt["amount"] or 0)
        other = Circle(circle.seat, _neighbour(view, circle))
        kind = self._errs(view, prompt, circle, "short", "over", "wrong_circle")
        if kind is None or self._named(circle):
            yield from super().pay(view, felt, prompt)
            return
        if kind == "over":
            yield Hold(circle, due + 500, once=f"{once}:err")
        elif kind == "short":
            yield Hold(circle, due - 100, once=f"{once}:err")
            if circle_views(view)[circle]["amount"] == due - 100:
                yield Press("confirm", once=f"{once}:err:confirm")
        elif kind == "wrong_circle":
            self.account.errors[-1].circle = other
            yield Lay(other, tuple(prompt["chips"] or ()), once=f"{once}:err")

    # ------------------------------------------------------------------ cards

    def lift(self, view: View, felt: Felt, prompt: View) -> Iterator[Act]:
        yield from super().lift(view, felt, prompt)
        places, once = places_of(prompt), f"{name(view, prompt)}:err"
        seat, before = prompt["seat"], _seat_before(view, prompt["seat"])
        if seat is None and self._errs(view, prompt, None, "stack_spread"):
            yield SwapCards(places[:1], places[-1:], once=once)
        elif before is not None and self._errs(view, prompt, None, "stack_delivered"):
            others = tuple(f"seat_{before}_{number}" for number in (1, 2))
            yield SwapCards(others, places, once=once)


def _seat_before(view: View, seat: int | None) -> int | None:
    """The seat that got its stack before this one."""
    if seat is None:
        return None
    return max((s["seat"] for s in view["seats"] if s["in_round"] and s["seat"] < seat), default=None)


def _neighbour(view: View, circle: Circle) -> Wager:
    """Another circle of the seat, the next one that the table offers."""
    offered = [place.wager for place in circle_views(view) if place.seat == circle.seat]
    return offered[(offered.index(circle.wager) + 1) % len(offered)]
