"""The simulated players: how they bet, raise and fold, from the seed, the round and the seat alone.

Pure: every choice is drawn from `random.Random(f"{seed}:{round}:{seat}:{what}")`, never from time or order of
arrival, so that the same seed gives the same bets. The players see only the public view.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from controller.common.texts.catalogue import FIRST_LANGUAGE
from controller.game.model.chips import fewest_chips
from controller.game.model.names import BETS, Circle, Wager
from controller.game.model.side_bets import BONUSES, TWINS
from controller.mock.bench.acts import Act, SetChips
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import MAX_READABLE_CHIPS, Felt
from controller.pages.display.words import render

if TYPE_CHECKING:
    from controller.game.showing.view import View as PublicView

ALL_FOLD_EVERY = 20
"""Length of a block of rounds. In one round of each block all players fold; in every second block one of them
then lays a bonus.
"""

Laid = Mapping[Wager, int]
Choose = Callable[[ViewData, int, Wager], int | None]
"""Function that returns a player's decision: the cents to bet, or None to fold."""
Lay = Callable[[ViewData, int, Laid], Laid]
"""Function that returns a player's wagers before the deal, from those that the player would lay without
it."""
More = Callable[[ViewData, Felt], Iterator[Act]]
"""Function that yields a player's acts besides bets, such as a late chip."""


class Players:
    """Simulated patrons, one at each seat. `choose`: makes their decisions; None for random ones."""

    def __init__(self, seed: int | str, seats: Sequence[int], choose: Choose | None = None) -> None:
        self.seed = seed
        self._choose = choose or self._as_they_please
        self._own: dict[int, Choose] = {}
        self._lay: dict[int, Lay] = {}
        self._more: list[More] = []
        self.seats = tuple(seats)
        self._round = 0
        self._antes: dict[int, Laid] = {}
        self._bets: dict[tuple[int, Wager], int | None] = {}
        """Decisions of this round by seat and wager: cents, or None for a fold."""

    def let_decide(self, seat: int, choose: Choose) -> None:
        """Make `choose` decide for this seat alone."""
        self._own[seat] = choose

    def let_lay(self, seat: int, lay: Lay) -> None:
        """Make `lay` choose the wagers before the deal for this seat alone."""
        self._lay[seat] = lay

    def let_act(self, more: More) -> None:
        """Add the acts of `more` to those of the players."""
        self._more.append(more)

    # ------------------------------------------------------------------ choices

    def dice(self, number: int, seat: int | str, what: str) -> random.Random:
        return random.Random(f"{self.seed}:{number}:{seat}:{what}")

    def all_fold(self, number: int) -> bool | None:
        """Return whether one player lays a bonus in a round in which all players fold; None in any other
        round.
        """
        block, place = divmod(number, ALL_FOLD_EVERY)
        if random.Random(f"{self.seed}:{block}:all_fold").randrange(ALL_FOLD_EVERY) != place:
            return None
        return block % 2 == 0

    def _turn_to(self, number: int) -> None:
        if number != self._round:
            self._round, self._antes, self._bets = number, {}, {}

    def antes(self, view: ViewData, seat: int) -> Laid:
        """Return the wagers that the seat lays before "no more bets"."""
        self._turn_to(view["round"])
        if seat not in self._antes:
            usual, lay = self._choose_antes(view, seat), self._lay.get(seat)
            self._antes[seat] = usual if lay is None else lay(view, seat, usual)
        return self._antes[seat]

    def _choose_antes(self, view: ViewData, seat: int) -> Laid:
        limits = view["limits"]
        dice = self.dice(view["round"], seat, "antes")
        least, most = limits["multiples"]
        ante = _amount(dice, limits["minimum_ante"], limits["maximum_ante"], range(least, most + 1))
        laid = {Wager.ANTE_ACROSS: ante, Wager.ANTE_DOWN: ante}
        offered = _offered(view, seat)
        return {**laid, **self._choose_bonuses(view, seat, [wager for wager in BONUSES if wager in offered])}

    def _choose_bonuses(self, view: ViewData, seat: int, offered: Sequence[Wager]) -> Laid:
        """Return the bonus wagers that the seat lays. They are drawn in the order of `offered` from
        generators of their own, so that a further bonus at the end does not change the others."""
        limits, number = view["limits"], view["round"]
        wants, amounts, equal = (self.dice(number, seat, what) for what in ("wants bonus", "bonus", "six"))
        laid: dict[Wager, int] = {}
        for wager in offered:
            twin = TWINS.get(wager)
            if twin is None:
                if self._wants_bonus(view, seat, wants):
                    laid[wager] = _amount(amounts, limits["bonus_minimum"], limits["bonus_maximum"])
            elif twin in laid and equal.random() < 0.6:
                laid[wager] = laid[twin]
        return laid

    def _wants_bonus(self, view: ViewData, seat: int, dice: random.Random) -> bool:
        standing = self.all_fold(view["round"])
        if standing is None:
            return dice.random() < 0.35
        return standing and seat == self.seats[view["round"] % len(self.seats)]

    def decision(self, view: ViewData, seat: int, wager: Wager) -> int | None:
        """Return the player's decision at this wager: cents to bet, or None to fold."""
        self._turn_to(view["round"])
        if (seat, wager) not in self._bets:
            self._bets[seat, wager] = self._own.get(seat, self._choose)(view, seat, wager)
        return self._bets[seat, wager]

    def _as_they_please(self, view: ViewData, seat: int, wager: Wager) -> int | None:
        number = view["round"]
        ante = int(_seat(view, seat)["circles"][Wager.ANTE_ACROSS]["wager"] or 0)
        if self.all_fold(number) is not None and BETS.index(wager) >= self._folds_at(number, seat):
            return None
        dice = self.dice(number, seat, wager)
        if dice.random() < self._timid(seat):
            return None
        low, high = map(int, view["limits"]["multiples"])
        times = dice.choice([low, low, *range(low, high + 1)])
        if view["limits"]["whole"] or dice.random() < 0.5:
            return int(ante * times)
        odd: int = ante * low + dice.randrange(0, ante * (high - low) + 1) // 100 * 100
        return odd

    def _folds_at(self, number: int, seat: int) -> int:
        return self.dice(number, seat, "folds at").randrange(len(BETS))

    def _timid(self, seat: int) -> float:
        return 0.02 + 0.14 * random.Random(f"{self.seed}:{seat}:timid").random()

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        """Yield the next act of each player who has one."""
        phase = view["phase"]
        if phase == "betting":
            yield from self._lay_antes(view, felt)
        elif phase in BETS and not cards_moving(view):
            yield from self._lay_bets(view, felt, Wager(phase))
        elif phase == "clearing":
            yield from _leave_nothing(felt)
        for more in self._more:
            yield from more(view, felt)

    def _lay_antes(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        for seat in self.seats:
            laid = self.antes(view, seat)
            for wager in (Wager(name) for name in _offered(view, seat)):
                cents = laid.get(wager, 0)
                if felt.amount(Circle(seat, wager)) != cents:
                    once = f"{view['round']}:{seat}:{wager}:lay:{cents}"
                    yield SetChips(Circle(seat, wager), cents, seconds=0.4, once=once)

    def _lay_bets(self, view: ViewData, felt: Felt, wager: Wager) -> Iterator[Act]:
        for seat in playing(view):
            circle = Circle(seat, wager)
            bet = self.decision(view, seat, wager)
            if bet is not None and felt.amount(circle) != bet and not has_decided(view, seat):
                yield SetChips(circle, bet, seconds=0.6, once=f"{view['round']}:{seat}:{wager}:bet")

    def ready(self, view: ViewData, felt: Felt) -> bool:
        """Return whether all players have laid their wagers before the deal."""
        return all(
            felt.amount(Circle(seat, wager)) == cents
            for seat in self.seats
            for wager, cents in self.antes(view, seat).items()
        )

    def folds(self, view: ViewData, seat: int) -> bool:
        """Return whether the player at this seat folds now."""
        return self.decision(view, seat, Wager(view["phase"])) is None


CARDS_MOVE = (
    "lift_stack",
    "deal_card",
    "take_stub",
    "count_stub",
    "permit_cards",
    "turn",
    "enter_face",
    "cards_wait",
)


def cards_moving(view: ViewData) -> bool:
    """Return whether cards still have to be turned; no player bets until then."""
    return (view["prompt"] or {}).get("kind") in CARDS_MOVE


def _leave_nothing(felt: Felt) -> Iterator[Act]:
    for circle in sorted(felt.circles):
        yield SetChips(circle, 0, seconds=0.2)


def _seat(view: ViewData, seat: int) -> Mapping[str, Any]:
    found: Mapping[str, Any] = view["seats"][seat - 1]
    return found


def _offered(view: ViewData, seat: int) -> Mapping[str, Any]:
    circles: Mapping[str, Any] = _seat(view, seat)["circles"]
    return circles


def prompt_words(view: ViewData) -> str:
    """Return the text of the prompt. It is made here, since without wires the view has no texts."""
    words = view.get("words") or render(cast("PublicView", view), FIRST_LANGUAGE)
    return str(words.get("prompt") or "")


def circle_view(view: ViewData, circle: Circle) -> Mapping[str, Any]:
    """Return the part of the view for a circle."""
    circles = next(seat["circles"] for seat in view["seats"] if seat["seat"] == circle.seat)
    found: Mapping[str, Any] = circles[circle.wager]
    return found


def circle_views(view: ViewData) -> dict[Circle, Mapping[str, Any]]:
    """Return the part of the view for each circle that the table offers."""
    return {
        Circle(seat["seat"], Wager(name)): circle
        for seat in view["seats"]
        for name, circle in seat["circles"].items()
    }


def playing(view: ViewData) -> list[int]:
    """Return the seats that are in the round, not folded and not forfeited."""
    return [
        seat["seat"]
        for seat in view["seats"]
        if seat["in_round"] and not seat["folded_at"] and not seat["forfeited"]
    ]


def has_decided(view: ViewData, seat: int) -> bool:
    """Return whether the seat's decision is over, because a later seat is asked."""
    deciding = next((other["seat"] for other in view["seats"] if other["asked"]), None)
    return deciding is not None and deciding > seat


CHIP_CENTS = (100_000, 50_000, 10_000, 2_500, 500, 100)
USUAL_ODDS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15)


def _readable(cents: int, times: Sequence[int]) -> bool:
    """Return whether a reader could still distinguish the chips of a wager of `cents` and of its payout, for
    all usual odds. `times`: multiples of `cents` for which this must hold."""
    paid = (fewest_chips(cents * n * (1 + odds), CHIP_CENTS)[0] for n in times for odds in USUAL_ODDS)
    return all(len(chips) <= MAX_READABLE_CHIPS for chips in paid)


@cache
def _amounts(low: int, high: int, times: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return two groups of amounts in cents, from `low` to `high`, that a player may bet: round ones, and odd
    ones. The chips of odd ones can be distinguished by a reader for each multiple in `times`."""
    step = 100 if (low % 100, high % 100) == (0, 0) else 1
    usual = (500, 1000, 1500, 2500, 5000, 10_000, 20_000, 50_000)
    odd = [cents for cents in range(low, min(high, low + 1000 * step) + 1, step) if _readable(cents, times)]
    return tuple(cents for cents in usual if low <= cents <= high), tuple(odd)


def _amount(dice: random.Random, low: int, high: int, times: Sequence[int] = (1,)) -> int:
    """Return a random amount in cents from `low` to `high`, as people choose it: mostly round, sometimes odd.
    `times`: multiples of it that a reader must also be able to read."""
    usual, odd = _amounts(low, high, tuple(times))
    if usual and (not odd or dice.random() < 0.7):
        return dice.choice(usual)
    return dice.choice(odd) if odd else low


Gesture = Callable[[ViewData, int], bool]
"""Function that returns whether the player at a seat shows a fold."""
