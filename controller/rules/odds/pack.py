"""Parts of a rule pack on which its odds depend: pay tables, multiples, push lines.

Two packs with the same digest have the same odds, even if their texts differ. Plain Python: a table reads
the figures of its pack by this digest and has no NumPy. Limits are not included: the odds ignore a payout
limit (ODDS.md) and which bonuses a house offers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from controller.game.model.names import Wager
from controller.game.model.rules import PayTable, RulePack
from controller.game.rulebook.hands import HAND_LINES

LINES: tuple[str | None, ...] = (None, *reversed(HAND_LINES))
"""Pay table line of each class of hand: class 0 has no line, class 10 is the royal flush."""
LOSES, PUSHES = -1, 0

PayRow = tuple[int, ...]
"""Result of one unit by class of hand: -1 lost, 0 pushed, else the odds to 1."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Pay tables by class of hand. `multiples`: smallest and largest bet in antes. A bet between them is
    never better than both: a wager's value is linear in it, and the best value after it is the maximum of
    linear functions."""

    bets: PayRow
    antes: PayRow
    multiples: tuple[int, int]
    side_bets: tuple[tuple[Wager, PayRow], ...]
    """Pay tables of all side bets in the text, including those not offered."""

    @property
    def digest(self) -> str:
        """Return `sha256:` and 64 hexadecimal digits."""
        held = [
            self.bets,
            self.antes,
            self.multiples,
            sorted((str(name), table) for name, table in self.side_bets),
        ]
        canonical = json.dumps(held, separators=(",", ":"))
        return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def odds_of(pack: RulePack) -> Odds:
    """Return the parts of `pack` on which its odds depend."""
    side_bets: Mapping[Wager, PayTable] = pack.side_bets
    return Odds(
        bets=by_class(pack.bet_pays),
        antes=by_class(pack.ante_pays),
        multiples=pack.bet_multiples,
        side_bets=tuple((wager, by_class(table)) for wager, table in sorted(side_bets.items())),
    )


def by_class(table: PayTable) -> PayRow:
    """Return a pay table by class of hand. A class that the table does not name loses."""
    return tuple(LOSES if line is None else _worth(table.get(line)) for line in LINES)


def _worth(odds: object) -> int:
    if odds == "push":
        return PUSHES
    return odds if isinstance(odds, int) else LOSES
