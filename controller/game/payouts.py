"""The most that one patron can win in a round, worked out over real cards.

PLACEHOLDER
"""

from __future__ import annotations

from collections.abc import Collection

from controller.game.names import Wager
from controller.game.rules import RulePack


def most_one_patron_could_win(pack: RulePack, bonuses: Collection[Wager] = ()) -> int:
    return 0
