"""Simulated players with the best strategy: they see their own two cards and the turned ones, and choose by
the odds.

They see the felt as people do, and never a card that is still to be turned. Needs NumPy, the extra `odds`;
only the mock table has such players.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from controller.game.model.cards import Card
from controller.game.model.names import Place, Wager, cards_of
from controller.game.model.rules import RulePack
from controller.mock.bench.bench import TableStopped, ViewData
from controller.mock.bench.layout import Felt
from controller.rules.odds.cards import NUMBER
from controller.rules.odds.pack import odds_of
from controller.rules.volume.arrays import CardArray
from controller.rules.volume.best_player import Best

ROW_ENDS = (Place.ACROSS_LEFT, Place.ACROSS_RIGHT)
COLUMN = (Place.DOWN_FAR, Place.DOWN_NEAR)
TURNED = {Wager.ACROSS: (), Wager.DOWN: (ROW_ENDS,), Wager.MIDDLE: (ROW_ENDS, COLUMN)}
"""Pairs of the cross that lie face up at each bet (58 Pa. Code § 674a.11(c), (e))."""


class BestPlay:
    """Best decision of the player at a seat, a `Choose` for `Players` (players.py)."""

    def __init__(self, pack: RulePack, felt: Felt) -> None:
        self._best = Best(odds_of(pack))
        self._felt = felt

    def __call__(self, view: ViewData, seat: int, wager: Wager) -> int | None:
        """Return the cents to bet at this wager, or None to fold."""
        ante = int(view["seats"][seat - 1]["circles"][Wager.ANTE_ACROSS]["wager"] or 0)
        own = self._faces(cards_of(seat))[None, :, None]
        turned = [self._faces(pair)[:, None] for pair in TURNED[wager]]
        return ante * int(self._best.antes(own, *turned)[0, 0]) or None

    def _faces(self, places: Sequence[str]) -> CardArray:
        return np.array([NUMBER[self._face(place)] for place in places], dtype=np.uint8)

    def _face(self, place: str) -> Card:
        face = self._felt.cards.get(place)
        if face is None:
            raise TableStopped(f"a player who plays best cannot see the card at {place}")
        return Card(face)
