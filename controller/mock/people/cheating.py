"""A simulated player who knows the middle card before it is turned, and plays best with that knowledge.

Only the mock table has this player: it sees the simulated card where it lies, which no person may. Needs
NumPy, the extra `odds`.
"""

from __future__ import annotations

import numpy as np

from controller.evidence.known_middle import Values, across_values, down_values, middle_values
from controller.game.model.cards import Card
from controller.game.model.names import Place, Wager, cards_of
from controller.game.model.rules import RulePack
from controller.mock.bench.bench import TableStopped
from controller.mock.bench.layout import Felt
from controller.mock.people.optimal import COLUMN, ROW_ENDS
from controller.mock.people.players import View
from controller.rules.odds.cards import NUMBER
from controller.rules.odds.pack import odds_of


class SeesMiddle:
    """Decisions of the cheating player, a `Choose` for `Players` (players.py)."""

    def __init__(self, pack: RulePack, felt: Felt) -> None:
        self._odds = odds_of(pack)
        self._felt = felt

    def __call__(self, view: View, seat: int, wager: Wager) -> int | None:
        """Return the cents to bet at this wager, or None to fold."""
        ante, *bets = self._laid(view, seat)
        best = int(self._values(seat, wager, [bet / ante for bet in bets]).argmax())
        return ante * (0, *self._odds.multiples)[best] or None

    def _values(self, seat: int, wager: Wager, bets: list[float]) -> Values:
        """Return the values of the three choices, as a column. `bets`: antes bet at Across and Down."""
        hole, middle = self._pair(cards_of(seat)), np.array([self._card(Place.MIDDLE)])
        if wager is Wager.ACROSS:
            return across_values(self._odds, hole, middle)
        across = self._pair(ROW_ENDS)
        if wager is Wager.DOWN:
            return down_values(self._odds, hole, across, middle, bets[0])
        pairs = across, self._pair(COLUMN)
        return middle_values(self._odds, hole, pairs, middle, (bets[0], bets[1]))

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
            raise TableStopped(f"a player who knows the middle card cannot see the card at {place}")
        return NUMBER[Card(face)]
