"""Simulated people of a scenario: a dealer who follows prompts, and players who follow the file.

Some acts are left to the steps of a file (tests/scenarios/FORMAT.md, "Simulated dealer and players"): these
people return no wager, decide no hold and answer no alert.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from controller.game.model.names import BETS, SEATS, Circle, Wager
from controller.mock.bench.acts import Act, SetChips
from controller.mock.bench.bench import ViewData
from controller.mock.bench.layout import Felt
from controller.mock.people.dealer import Dealer
from controller.mock.people.players import Players, cards_moving, circle_view, has_decided, playing
from controller.mock.scenario.steps import SeatPlan
from controller.mock.scenario.values import Amount, Fold, Multiple, PlayerDecision

ONCE = Multiple(Decimal(1))
LEFT_TO_STEPS = ("bets_open", "hand_back", "count_stub", "enter_face")
"""Prompts that the dealer answers in a `round` only."""


class ScenarioPlayers(Players):
    """Players who follow `plans`. A seat without a plan bets its ante once at each decision."""

    def __init__(self, plans: Mapping[int, SeatPlan]) -> None:
        super().__init__("scenario", tuple(SEATS))
        self._plans = plans

    def wanted(self, seat: int, wager: Wager) -> PlayerDecision:
        plan = self._plans.get(seat, SeatPlan())
        return plan.decisions.get(wager, ONCE)

    def decision(self, view: ViewData, seat: int, wager: Wager) -> int | None:
        wanted = self.wanted(seat, wager)
        match wanted:
            case Fold():
                return None
            case Amount():
                return wanted.cents
        ante = circle_view(view, Circle(seat, Wager.ANTE_ACROSS))["wager"] or 0
        return int(ante * wanted.times)

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        if view["phase"] == "clearing":
            yield from super().acts(view, felt)
        elif view["phase"] in BETS and not cards_moving(view):
            yield from self._follow(view, felt, Wager(view["phase"]))

    def _follow(self, view: ViewData, felt: Felt, wager: Wager) -> Iterator[Act]:
        for seat in playing(view):
            circle = Circle(seat, wager)
            cents = self.decision(view, seat, wager)
            if cents is None or has_decided(view, seat) or felt.amount(circle) == cents:
                continue
            wanted = self.wanted(seat, wager)
            chips = wanted.chips if isinstance(wanted, Amount) else None
            yield SetChips(circle, cents, once=f"{view['round']}:{seat}:{wager}:bet", chips=chips)


class ScenarioDealer(Dealer):
    """Dealer who follows prompts. `in_round`: whether the step is a `round`, in which the dealer also counts
    the stub, enters faces and folds hands."""

    def __init__(self, players: ScenarioPlayers, *, in_round: bool) -> None:
        super().__init__("scenario", players.folds, lambda _view, _felt: False)
        self._in_round = in_round

    def acts(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        kind = (view["prompt"] or {}).get("kind")
        if self._in_round or kind not in (*LEFT_TO_STEPS, "ask"):
            yield from super().acts(view, felt)

    def clear(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        """Clear the cards. In a `round`, first wait until the players have taken their chips; elsewhere only
        steps move chips, so there is no wait."""
        yield from super().clear(view, felt if self._in_round else Felt(felt.bank), prompt)

    def mend(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from ()

    def differs(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        yield from ()

    def change_deck(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        yield from ()

    def give(self, view: ViewData, felt: Felt, prompt: ViewData) -> Iterator[Act]:
        yield from ()
