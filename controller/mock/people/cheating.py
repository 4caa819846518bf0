"""Simulated players who know cards of the cross before they are turned, and play best with that knowledge.

Only the mock table has such players: they see a simulated card where it lies, which no person may. Needs
NumPy, the extra `odds`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from controller.evidence.known_middle import Values, across_values, down_values, middle_values
from controller.evidence.known_pair_card import second_values_down
from controller.evidence.tables import first_table
from controller.evidence.whole_cross import values_by_classes
from controller.game.model.cards import DECK, Card
from controller.game.model.names import Place, Wager, cards_of
from controller.game.model.rules import RulePack
from controller.mock.bench.bench import TableStopped
from controller.mock.bench.layout import Felt
from controller.mock.people.optimal import COLUMN, ROW_ENDS, BestPlay
from controller.mock.people.players import View
from controller.rules.odds.cards import NUMBER
from controller.rules.odds.luck import hand_class
from controller.rules.odds.pack import odds_of


class Cheat(ABC):
    """Decisions of a cheating player, a `Choose` for `Players` (players.py). A decision for which the
    knowledge is of no use any more is the best one without it."""

    def __init__(self, pack: RulePack, felt: Felt) -> None:
        self._odds = odds_of(pack)
        self._felt = felt
        self._honest = BestPlay(pack, felt)

    def __call__(self, view: View, seat: int, wager: Wager) -> int | None:
        """Return the cents to bet at this wager, or None to fold."""
        ante, *bets = self._laid(view, seat)
        values = self._values(seat, wager, [bet / ante for bet in bets])
        if values is None:
            return self._honest(view, seat, wager)
        return ante * (0, *self._odds.multiples)[int(values.argmax())] or None

    @abstractmethod
    def _values(self, seat: int, wager: Wager, bets: list[float]) -> Values | None:
        """Return the values of the three choices, as a column; None if the knowledge is of no use. `bets`:
        antes bet at Across and Down."""

    @staticmethod
    def _laid(view: View, seat: int) -> list[int]:
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
    """Player who knows the middle card."""

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
    """Player who knows one card of the Across or of the Down pair."""

    def __init__(self, pack: RulePack, felt: Felt, place: Place) -> None:
        super().__init__(pack, felt)
        self._place = place
        self._first = first_table(self._odds, which="_across" if place in ROW_ENDS else "_down")

    def _values(self, seat: int, wager: Wager, bets: list[float]) -> Values | None:
        hole, card = self._pair(cards_of(seat)), np.array([self._card(self._place)])
        if wager is Wager.ACROSS:
            return self._first.at(hole, card)
        if wager is Wager.DOWN and self._place in COLUMN:
            return second_values_down(self._odds, hole, self._pair(ROW_ENDS), card, bets[0])
        return None


class SeesCross(Cheat):
    """Player who knows the whole cross, or is signalled by someone who does."""

    def _values(self, seat: int, wager: Wager, bets: list[float]) -> Values:
        hole, middle = self._pair(cards_of(seat)), self._card(Place.MIDDLE)
        made = [
            hand_class(*(DECK[card] for card in (*hole, *self._pair(pair), middle)))
            for pair in (ROW_ENDS, COLUMN)
        ]
        made_before = {Wager.ACROSS: 0, Wager.DOWN: 1, Wager.MIDDLE: 2}[wager]
        return values_by_classes(self._odds, tuple(bets[:made_before]))[:, made[0], made[1]]


def cheat_of(kind: str, pack: RulePack, felt: Felt) -> Cheat:
    """Return the cheating player of a kind in `CHEATS` (controller/mock/cli.py)."""
    if kind == "middle":
        return SeesMiddle(pack, felt)
    return SeesCross(pack, felt) if kind == "cross" else SeesPairCard(pack, felt, Place(kind))
