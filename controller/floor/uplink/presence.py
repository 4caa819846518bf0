"""Presence of a table, which is shown as online or gone: whether its daemon runs and a follower reads its
journal.

Without this check a publisher would still send after the end of the daemon, and the pit would show the last
state as the present one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

MARKER_POLL_S = 1.0
RESTART_S = 10.0
"""Seconds for which the daemon may be missing: systemd restarts it within this time."""


@dataclass(slots=True)
class Presence:
    """Presence of one table. `is_running`: returns whether daemon and follower run now."""

    is_running: Callable[[], bool]
    plays: bool = False
    """Whether daemon and follower have both run within the last `RESTART_S`."""
    _seen: float = -inf
    _looked: float = -inf

    def update(self, now: float) -> bool:
        """Check both processes at most every MARKER_POLL_S; return whether `plays` has changed. `now`:
        monotonic seconds.
        """
        if now - self._looked < MARKER_POLL_S:
            return False
        self._looked = now
        if self.is_running():
            self._seen = now
        before, self.plays = self.plays, now - self._seen < RESTART_S
        return self.plays != before
