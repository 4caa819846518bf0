"""Simulated players who cheat: they know cards before they are turned or dealt, or other players' hands, or
add chips late.

Only the mock table has such players, because they see the simulated cards themselves, which no person may
see. Needs NumPy, the extra `odds`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from controller.evidence.known_middle import NUMBERS, Values, across_values, down_values, middle_values
from controller.evidence.known_pair_card import second_values_down
from controller.evidence.other_hands import first_worth
from controller.evidence.seat_rounds import own_boxes_after
from controller.evidence.tables import first_table, first_tables
from controller.evidence.whole_cross import values_by_classes
from controller.game.model.cards import DECK, Card
from controller.game.model.names import (
    ANTES,
    BONUS_PLACES,
    CROSS,
    SEATS,
    Circle,
    Phase,
    Place,
    Wager,
    cards_of,
)
from controller.game.model.rules import RulePack
from controller.game.model.side_bets import BONUSES, SIDE_BETS
from controller.game.rulebook.hands import best_of
from controller.mock.bench.acts import Act, SetChips
from controller.mock.bench.bench import TableStopped, ViewData
from controller.mock.bench.layout import Felt
from controller.mock.people.optimal import COLUMN, ROW_ENDS, BestPlay
from controller.mock.people.players import Laid, Players, playing
from controller.rules.odds.cards import NUMBER, Hole, kind_of
from controller.rules.odds.luck import hand_class
from controller.rules.odds.pack import LINES, odds_of

if TYPE_CHECKING:
    from controller.mock.bench.bench import Bench

USUAL_WORTH = 0.26
"""Median value of a hole, in antes, for a player who knows the middle card."""
Peek = Callable[[], Mapping[str, str]]
"""Function that returns the faces that the shoe will deal, by place."""


class Cheat(ABC):
    """Decisions of a cheating player, a `Choose` for `Players` (players.py). When the knowledge no longer
    helps, the decision is the best one without it.
    """

    def __init__(self, pack: RulePack, felt: Felt) -> None:
        self._odds = odds_of(pack)
        self._felt = felt
        self._honest = BestPlay(pack, felt)

    def __call__(self, view: ViewData, seat: int, wager: Wager) -> int | None:
        """Return the cents to bet at this wager, or None to fold."""
        ante, *bets = self._laid(view, seat)
        values = self._values(seat, wager, [bet / ante for bet in bets])
        if values is None:
            return self._honest(view, seat, wager)
        return ante * (0, *self._odds.multiples)[int(values.argmax())] or None

    @abstractmethod
    def _values(self, seat: int, wager: Wager, bets: list[float]) -> Values | None:
        """Return the values of the three possible decisions at this wager, as a column. Returns None if the
        cheat's knowledge does not help here. `bets`: bets so far at Across and Down, in antes."""

    @staticmethod
    def _laid(view: ViewData, seat: int) -> list[int]:
        """Return the cents of an ante, of Across and of Down; 0 for a wager that is not laid."""
        circles = view["seats"][seat - 1]["circles"]
        return [int(circles[wager]["wager"] or 0) for wager in (Wager.ANTE_ACROSS, Wager.ACROSS, Wager.DOWN)]

    def _pair(self, places: tuple[str, ...]) -> tuple[int, int]:
        one, two = sorted(self._card(place) for place in places)
        return one, two

    def _card(self, place: str) -> int:
        face = self._felt.cards.get(place)
        if face is None:
            raise TableStopped(f"a player who knows cards of the cross cannot see the card at {place}")
        return NUMBER[Card(face)]


class SeesMiddle(Cheat):
    """Cheating player who knows the middle card before it is turned."""

    def _values(self, seat: int, wager: Wager, bets: list[float]) -> Values:
        hole, middle = self._pair(cards_of(seat)), np.array([self._card(Place.MIDDLE)])
        if wager is Wager.ACROSS:
            return across_values(self._odds, hole, middle)
        across = self._pair(ROW_ENDS)
        if wager is Wager.DOWN:
            return down_values(self._odds, hole, across, middle, bets[0])
        pairs = across, self._pair(COLUMN)
        return middle_values(self._odds, hole, pairs, middle, (bets[0], bets[1]))


class SeesPairCard(Cheat):
    """Cheating player who knows one card of the Across or of the Down pair before it is turned."""

    def __init__(self, pack: RulePack, felt: Felt, place: Place) -> None:
        super().__init__(pack, felt)
        self._place = place
        self._first = first_table(self._odds, which="_across" if place in ROW_ENDS else "_down")

    def _values(self, seat: int, wager: Wager, bets: list[float]) -> Values | None:
        hole, card = self._pair(cards_of(seat)), np.array([self._card(self._place)])
        if wager is Wager.ACROSS:
            return self._first.at(hole, card)
        if wager is Wager.MIDDLE:
            return self._middle_values(hole, bets)
        if self._place in COLUMN:
            return second_values_down(self._odds, hole, self._pair(ROW_ENDS), card, bets[0])
        return None

    def _middle_values(self, hole: Hole, bets: list[float]) -> Values:
        """Return the values of the possible decisions at Middle, summed over every card that may lie in the
        middle. Only this decision is computed, while `BestPlay` would compute all decisions of the hole."""
        pairs = self._pair(ROW_ENDS), self._pair(COLUMN)
        known = {*hole, *pairs[0], *pairs[1]}
        middles = np.array([card for card in range(len(DECK)) if card not in known])
        values = middle_values(self._odds, hole, pairs, middles, (bets[0], bets[1]))
        total: Values = values.sum(axis=1, keepdims=True)
        return total


class SeesCross(Cheat):
    """Player who knows the complete cross, or is signalled by someone who does."""

    def _values(self, seat: int, wager: Wager, bets: list[float]) -> Values:
        hole, middle = self._pair(cards_of(seat)), self._card(Place.MIDDLE)
        made = [
            hand_class(*(DECK[card] for card in (*hole, *self._pair(pair), middle)))
            for pair in (ROW_ENDS, COLUMN)
        ]
        made_before = {Wager.ACROSS: 0, Wager.DOWN: 1, Wager.MIDDLE: 2}[wager]
        return values_by_classes(self._odds, tuple(bets[:made_before]))[:, made[0], made[1]]


class KnowsHands(Cheat):
    """Player who knows one hand, or all other hands, at the first decision. The one hand is that of the first
    later seat at which the same patron may not play."""

    def __init__(self, pack: RulePack, felt: Felt, all_hands: bool) -> None:
        super().__init__(pack, felt)
        self._first, self._all, self._boxes = first_tables(self._odds), all_hands, pack.adjacent_boxes

    def _values(self, seat: int, wager: Wager, bets: list[float]) -> Values | None:
        held = {at: cards for at in SEATS if len(cards := self._held(at)) == 2}
        own = own_boxes_after(seat, {at: str(at) for at in held}, self._boxes)
        later = [at for at in held if at > seat]
        known = [at for at in held if at != seat] if self._all else [at for at in later if at not in own]
        if wager is not Wager.ACROSS or not later:
            return None
        cards = [card for at in (known if self._all else (known or later)[:1]) for card in held[at]]
        return first_worth(self._odds, self._first, self._pair(cards_of(seat))).knowing(cards)[:, None]

    def _held(self, seat: int) -> list[int]:
        return [NUMBER[Card(face)] for place in cards_of(seat) if (face := self._felt.cards.get(place))]


class LaysBonuses:
    """Player who has read the deck and lays the bonuses that will win, and no others; a `Lay`
    (players.py).
    """

    def __init__(self, pack: RulePack, peek: Peek) -> None:
        self._pays = dict(odds_of(pack).side_bets)
        self._peek = peek

    def __call__(self, view: ViewData, seat: int, usual: Laid) -> Laid:
        limits, faces = view["limits"], self._peek()
        cents = min(max(500, limits["bonus_minimum"]), limits["bonus_maximum"])
        offered = [wager for wager in BONUSES if wager in view["seats"][seat - 1]["circles"]]
        won = {wager: cents for wager in offered if self._wins(wager, seat, faces)}
        return {**{ante: usual[ante] for ante in ANTES}, **won}

    def _wins(self, wager: Wager, seat: int, faces: Mapping[str, str]) -> bool:
        bet = SIDE_BETS[wager]
        parts = ((bet.cross, CROSS), (bet.own, cards_of(seat)), (bet.bonus_cards, BONUS_PLACES))
        places = [place for used, part in parts if used for place in part]
        hand = best_of([Card(faces[place]) for place in places])
        return self._pays[wager][LINES.index(hand.line)] > 0


class Worth:
    """Measure of how good two own cards are: their value to a player who plays them best."""

    def __init__(self, pack: RulePack) -> None:
        self._worth = first_table(odds_of(pack)).holes

    def is_good(self, faces: Mapping[str, str | None], seat: int) -> bool:
        """Return whether both cards of a seat have been dealt and are better than those of most rounds."""
        hole = sorted(NUMBER[Card(face)] for place in cards_of(seat) if (face := faces.get(place)))
        return len(hole) == 2 and bool(self._worth[NUMBERS[kind_of((hole[0], hole[1]))]] > USUAL_WORTH)


class AntesMore:
    """Player who has read the deck and doubles the antes for good cards of their own; a `Lay`."""

    def __init__(self, pack: RulePack, peek: Peek) -> None:
        self._worth, self._peek = Worth(pack), peek

    def __call__(self, view: ViewData, seat: int, usual: Laid) -> Laid:
        least = 2 * int(view["limits"]["minimum_ante"])
        ante = least * (2 if self._worth.is_good(self._peek(), seat) else 1)
        return {**usual, **dict.fromkeys(ANTES, ante)}


class AddsChips:
    """Player who adds a chip to an ante after both own cards have been dealt, if they are good; a `More`
    (players.py). The table raises an alert for it.
    """

    def __init__(self, pack: RulePack, seat: int) -> None:
        self._worth, self._seat = Worth(pack), seat

    def __call__(self, view: ViewData, felt: Felt) -> Iterator[Act]:
        circle = Circle(self._seat, Wager.ANTE_ACROSS)
        plays = view["phase"] in (Phase.DEALING, Phase.ACROSS) and self._seat in playing(view)
        if plays and self._worth.is_good(felt.cards, self._seat):
            yield SetChips(circle, felt.amount(circle) + 500, once=f"{view['round']}:{self._seat}:late")


def cheat(kind: str, bench: Bench, players: Players, seat: int) -> None:
    """Make the player at a seat cheat. `kind`: one of `CHEATS` (controller/mock/cli.py)."""
    pack, felt = bench.pack, bench.felt

    def peek() -> Mapping[str, str]:
        return bench.peek(players.seats)

    if kind == "bonus":
        players.let_lay(seat, LaysBonuses(pack, peek))
    elif kind == "own_cards":
        players.let_lay(seat, AntesMore(pack, peek))
    elif kind == "late_chips":
        players.let_act(AddsChips(pack, seat))
    elif kind in ("one_hand", "other_hands"):
        players.let_decide(seat, KnowsHands(pack, felt, kind == "other_hands"))
    else:
        known = {"middle": SeesMiddle, "cross": SeesCross}.get(kind)
        players.let_decide(seat, known(pack, felt) if known else SeesPairCard(pack, felt, Place(kind)))
