"""Whether a table plays: its daemon runs, and a teller follows what it does. The speaker alone would be heard
from a table whose daemon has died, and the pit would show what it did last as what it does now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

POLL_S = 1.0
RESTART_S = 10.0
"""So long a daemon may be away: one that ends is soon started again."""


@dataclass(slots=True)
class Presence:
    """`told`: whether both run now."""

    told: Callable[[], bool]
    plays: bool = False
    """Whether they ran within the last `RESTART_S`."""
    _seen: float = -inf
    _looked: float = -inf

    def look(self, now: float) -> bool:
        """Whether `plays` has changed. `now`: seconds that only grow."""
        if now - self._looked < POLL_S:
            return False
        self._looked = now
        if self.told():
            self._seen = now
        before, self.plays = self.plays, now - self._seen < RESTART_S
        return self.plays != before
