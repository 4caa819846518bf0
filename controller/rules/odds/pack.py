"""Parts of a rule pack on which its odds depend: pay tables, multiples, push lines.

Two packs of one digest have the same odds, whatever else their texts say. Plain Python: a table reads the
figures of its pack by this digest and has no NumPy. Limits are no part of it: a payout limit is left out of
the odds (ODDS.md), and so is which bonus a house offers.
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
"""The line of each class of hand: class 0 has none, then low to high to 10, the royal flush."""
LOSES, PUSHES = -1, 0

Pays = tuple[int, ...]
"""By class of hand what one unit comes to: -1 lost, 0 pushed, else what it pays to 1."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The pay tables by class of hand. `multiples`: the least and the most of a bet, in antes. A bet between
    them is never better than both ends: what a wager is worth is linear in it, and the best of what comes
    after it is the greater of linear functions."""

    bets: Pays
    antes: Pays
    multiples: tuple[int, int]
    side_bets: tuple[tuple[Wager, Pays], ...]
    """Yield every side bet that the text has, offered or not."""

    @property
    def digest(self) -> str:
        """`sha256:` and 64 digits."""
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


def by_class(table: PayTable) -> Pays:
    """A pay table by class of hand; a class that it does not name loses."""
    return tuple(LOSES if line is None else _worth(table.get(line)) for line in LINES)


def _worth(odds: object) -> int:
    if odds == "push":
        return PUSHES
    return odds if isinstance(odds, int) else LOSES
