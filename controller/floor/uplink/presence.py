"""Whether a table plays: its daemon runs, and a follower follows its journal.

The publisher alone would still send after the daemon has died, and the pit would show the last state as the
present one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

POLL_S = 1.0
RESTART_S = 10.0
"""Time for which a daemon may be away: one that ends is soon restarted."""


@dataclass(slots=True)
class Presence:
    """Presence of one table. `is_running`: returns whether daemon and follower run now."""

    is_running: Callable[[], bool]
    plays: bool = False
    """Whether both have run within the last `RESTART_S`."""
    _seen: float = -inf
    _looked: float = -inf

    def look(self, now: float) -> bool:
        """Check at most every POLL_S; return whether `plays` has changed. `now`: monotonic seconds."""
        if now - self._looked < POLL_S:
            return False
        self._looked = now
        if self.is_running():
            self._seen = now
        before, self.plays = self.plays, now - self._seen < RESTART_S
        return self.plays != before
