"""The simulated dealer who makes errors: every kind of mispay, and stacks spread or delivered wrongly.

It can pay too much or too little, to the wrong circle, or out of order. Errors are drawn from the seed and
the prompt, so that a run can be repeated. Every error is logged (`error_log.py`); after the alert the dealer
corrects it like any other. Errors are made with chips and cards only, never with the daemon's data.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from controller.game.model.chips import fewest_chips
from controller.game.model.names import Circle, Wager
from controller.mock.bench.acts import Act, Carry, Lay, Press, SetChips, SwapCards
from controller.mock.bench.acts import prompt_name as name
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import MAX_READABLE_CHIPS, Felt
from controller.mock.people.dealer import Dealer, at, places_of
from controller.mock.people.error_log import Account, Error
from controller.mock.people.players import circle_view, circle_views

ACTIVE = ("take", "pay")
"""Steps of the settlement that move chips. Only these can be done too early."""


class ErringDealer(Dealer):
    """Dealer who makes an error at a settlement step or a stack with a probability of `share`."""

    def __init__(
        self,
        seed: int | str,
        folds: Callable[[ViewData, int], bool],
        ready: Callable[[ViewData, Felt], bool],
        share: float,
    ) -> None:
        super().__init__(seed, folds, ready)
        self.share = share
        self.account = Account()
        self._erring: dict[str, str] = {}
        self._afterthought: Circle | None = None
        """Correctly paid circle to which the dealer will add an excess chip after the next step; None if
        there is none.
        """

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        self.account.see(view)
        if view["phase"] == "void":
            self._afterthought = None
        if self._afterthought is not None and not self._done_after(view, self._afterthought):
            yield Lay(self._afterthought, (500,), once=f"{view['round']}:{self._afterthought}:after")
            yield from self.mend(view, felt)
            return
        yield from super().acts(view, felt)

    def _done_after(self, view: ViewData, circle: Circle) -> bool:
        """Return whether the dealer lays no excess chip into the circle of the afterthought now, because the
        step of this circle is still due, or because an alert has named the chip. The dealer corrects a named
        error like any other."""
        prompt = view["prompt"]
        due = prompt is not None and prompt["wager"] is not None and at(prompt) == circle
        if due or not self._named(circle):
            return due
        self._afterthought = None
        return True

    def _errs(
        self,
        view: ViewData,
        prompt: ViewData,
        circle: Circle | None,
        *kinds: str,
        places: tuple[str, ...] = (),
    ) -> str | None:
        """Return the kind of error that the dealer makes at this prompt, or None. It is drawn once per
        prompt, among `kinds`, and logged. `circle`, `places`: where the error will show."""
        key = name(view, prompt)
        if key not in self._erring:
            self._erring.clear()
            kinds = self._wanted(prompt, kinds)
            where = f"{view['round']}:{prompt['kind']}:{prompt['seat']}:{prompt['wager']}"
            dice = random.Random(f"{self.seed}:{where}:clumsy")
            self._erring[key] = dice.choice(kinds) if kinds and dice.random() < self.share else ""
            if self._erring[key]:
                self.account.errors.append(Error(view["round"], self._erring[key], circle, circle, places))
        return self._erring[key] or None

    def _wanted(self, _prompt: ViewData, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Return the kinds of error, among `kinds`, that this dealer may make at a prompt. This dealer makes
        all of them; a subclass may leave some out."""
        return kinds

    # ------------------------------------------------------------------ settlement

    def push(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        circle, once = at(prompt), name(view, prompt)
        paid = ("push_paid",) if _room(felt, circle, felt.amount(circle)) else ()
        kind = self._errs(view, prompt, circle, "push_swept", *paid)
        if kind == "push_paid":
            yield SetChips(circle, felt.amount(circle) * 2, once=f"{once}:err")
        elif kind == "push_swept":
            yield SetChips(circle, 0, once=f"{once}:err")
        if kind is None or self._named(circle):
            yield from self.confirm(view, felt, prompt)

    def _named(self, circle: Circle) -> bool:
        """Return whether an alert has named the last error and that error was made at `circle`. The dealer
        corrects only errors that an alert has named."""
        return any(error.caught for error in self.account.errors[-1:] if error.due == circle)

    def empty(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        circle, once = at(prompt), name(view, prompt)
        kinds = ("losing_left", *_out_of_order(view, felt))
        kind = self._errs(view, prompt, circle, *kinds) if prompt["kind"] == "take" else None
        if kind is None or self._named(circle):
            yield from super().empty(view, felt, prompt)
        elif kind == "losing_left":
            yield Press("confirm", once=f"{once}:err")
        else:
            yield from self._next_first(view, once)

    def pay(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        if self._pay_began(view, felt, at(prompt), name(view, prompt)) is None:
            return
        circle = at(prompt)
        borrowed = _borrowed(view, circle, prompt)
        kinds = _mispays(view, felt, prompt, borrowed)
        kind = self._errs(view, prompt, circle, *kinds)
        if kind is None or self._named(circle):
            yield from super().pay(view, felt, prompt)
        elif kind == "over_afterwards":
            self._afterthought = circle
            yield from super().pay(view, felt, prompt)
        else:
            yield from self._mispay(view, prompt, kind, borrowed)

    def _mispay(self, view: ViewData, prompt: ViewData, kind: str, borrowed: Circle | None) -> Iterator[Act]:
        circle, once = at(prompt), f"{name(view, prompt)}:err"
        there = circle_view(view, circle)
        due = (there["wager"] or 0) + (prompt["amount"] or 0)
        chips = tuple(prompt["chips"] or ())
        if kind == "over":
            yield SetChips(circle, due + 500, once=once)
        elif kind == "short":
            yield SetChips(circle, due - 100, once=once)
            if there["amount"] == due - 100:
                yield Press("confirm", once=f"{once}:confirm")
        elif kind == "wrong_circle":
            other = self._note_circle(Circle(circle.seat, _neighbour(view, circle)))
            yield Lay(other, chips, once=once)
        elif kind == "from_neighbour" and borrowed is not None:
            yield Carry(self._note_circle(borrowed), circle, chips, once=once)
        elif kind == "out_of_order":
            yield from self._next_first(view, once)

    def _note_circle(self, circle: Circle) -> Circle:
        """Record in the log that the last error shows at `circle`, unless another circle is recorded already.
        Return the recorded circle."""
        error = self.account.errors[-1]
        error.circle = circle if error.circle == error.due else error.circle
        return error.circle or circle

    def _next_first(self, view: ViewData, once: str) -> Iterator[Act]:
        """Yield the acts of the settlement step that follows the due one."""
        step = view["next"]
        if step is None or step["kind"] not in ACTIVE:
            return
        circle = self._note_circle(at(step))
        if step["kind"] == "take":
            yield SetChips(circle, 0, once=f"{once}:first")
        else:
            yield Lay(circle, tuple(step["chips"]), once=f"{once}:first")

    # ------------------------------------------------------------------ cards

    def lift(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        yield from super().lift(view, felt, prompt)
        places, once = places_of(prompt), f"{name(view, prompt)}:err"
        before = _seat_before(view, prompt["seat"])
        if before is not None:
            kind, swapped = "stack_delivered", (tuple(f"seat_{before}_{number}" for number in (1, 2)), places)
        elif prompt["seat"] is None:
            kind, swapped = "stack_spread", (places[:1], places[-1:])
        else:
            return
        if self._errs(view, prompt, None, kind, places=swapped[0] + swapped[1]):
            yield SwapCards(*swapped, once=once)


def _seat_before(view: ViewData, seat: int | None) -> int | None:
    """Return the seat that got its stack before this seat, or None for the first."""
    if seat is None:
        return None
    return max((s["seat"] for s in view["seats"] if s["in_round"] and s["seat"] < seat), default=None)


def _neighbour(view: ViewData, circle: Circle) -> Wager:
    """Return the wager of the seat's next circle; after the last circle that of the first."""
    offered = [place.wager for place in circle_views(view) if place.seat == circle.seat]
    return offered[(offered.index(circle.wager) + 1) % len(offered)]


def _room(felt: Felt, circle: Circle, cents: int) -> bool:
    """Return whether a reader could still distinguish the chips in the circle with `cents` more."""
    more = fewest_chips(max(cents, 0), felt.bank.values())[0]
    return len(felt.chips(circle)) + len(more) < MAX_READABLE_CHIPS


def _mispays(view: ViewData, felt: Felt, prompt: ViewData, borrowed: Circle | None) -> tuple[str, ...]:
    """Return the kinds of error that can be made at this payout now."""
    circle, amount, chips = at(prompt), prompt["amount"] or 0, prompt["chips"]
    if not chips or not all(_room(felt, circle, cents) for cents in (amount - 100, amount, amount + 500)):
        return ()
    kinds = ["short", "over", *_out_of_order(view, felt)]
    if _room(felt, Circle(circle.seat, _neighbour(view, circle)), amount):
        kinds.append("wrong_circle")
    if borrowed is not None:
        kinds.append("from_neighbour")
    if view["next"] is not None and view["next"]["kind"] != "clear":
        kinds.append("over_afterwards")
    return tuple(kinds)


def _out_of_order(view: ViewData, felt: Felt) -> tuple[str, ...]:
    """Return the kind of error "out_of_order" as a tuple if the next step could be done before this one; else
    an empty tuple."""
    step = view["next"]
    if step is None or step["kind"] not in ACTIVE:
        return ()
    payable = step["kind"] == "take" or (step["chips"] and _room(felt, at(step), step["amount"]))
    return ("out_of_order",) if payable else ()


def _borrowed(view: ViewData, circle: Circle, prompt: ViewData) -> Circle | None:
    """Return the first circle of another player that holds the chips of this payout, or None."""
    wanted = list(prompt["chips"] or ())
    for place, there in circle_views(view).items():
        lying = list(there["chips"] or ())
        if place.seat != circle.seat and wanted and all(lying.count(c) >= wanted.count(c) for c in wanted):
            return place
    return None
