"""Limit of a pit (flow control): bytes of a table's events that may be sent before the pit has acknowledged
them.

A pit states its limit as a user property of its acknowledgement. The property was added to format 1 later:
earlier tables ignore it, and an acknowledgement without it sets no limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from controller.floor.uplink.outbox import Ready
from controller.floor.uplink.wire import MAX_PAYLOAD_BYTES

LIMIT_PROPERTY = "limit"
MIN_LIMIT_BYTES = 2 * MAX_PAYLOAD_BYTES
"""Smallest limit that is obeyed, so that every event can be sent."""
EVENT_BYTES = 1024 + 128
"""Maximum number of bytes that a pit counts for an event in addition to its payload."""


def read_limit(properties: Iterable[tuple[str, str]]) -> int | None:
    """Return the limit in the properties of an acknowledgement, or None if there is no valid one."""
    for key, value in properties:
        if key == LIMIT_PROPERTY and re.fullmatch("[1-9][0-9]{0,11}", value):
            return max(int(value), MIN_LIMIT_BYTES)
    return None


@dataclass(slots=True)
class Flight:
    """Bytes of the events that were sent and that some pit has not acknowledged, compared with the pits'
    limits. `limits`: bytes by pit."""

    limits: dict[str, int] = field(default_factory=dict)
    is_full: bool = False
    """Whether the last call of `fitting` left out an event for lack of room."""
    _sizes: dict[int, int] = field(default_factory=dict)

    def fitting(self, ready: Sequence[Ready], low: int, sent: int) -> list[Ready]:
        """Return the first events of `ready` for which the limits have room, and count them as sent. `low`:
        number of the last event that every pit has acknowledged; `sent`: number of the last event that was
        sent."""
        self._sizes = {number: size for number, size in self._sizes.items() if low < number <= sent}
        room = min(self.limits.values(), default=None)
        total, found = sum(self._sizes.values()), []
        for each in ready:
            size = len(each.payload) + EVENT_BYTES
            total += size
            if room is not None and total > room:
                break
            self._sizes[each.sequence] = size
            found.append(each)
        self.is_full = bool(ready) and not found
        return found

    def fullest(self) -> tuple[str, int]:
        """Return the pit with the smallest limit, and that limit in bytes."""
        return min(self.limits.items(), key=lambda each: each[1])
