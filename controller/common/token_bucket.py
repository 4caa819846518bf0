"""Token bucket (rate limit): an allowance that is used up and refills at a fixed rate. It must read no
clock.
"""

from __future__ import annotations

BURST_S = 2.0
"""Seconds for which an unused allowance accumulates."""


class TokenBucket:
    """Rate limit by tokens. The bucket gains `a_second` tokens per second and holds at most `most` (default:
    those of BURST_S); each allowed act takes tokens."""

    def __init__(self, a_second: float, now: float, most: float | None = None) -> None:
        self._a_second, self._most = a_second, most or a_second * BURST_S
        self._left, self._at = self._most, now

    def has(self, now: float) -> bool:
        self._left = min(self._most, self._left + (now - self._at) * self._a_second)
        self._at = now
        return self._left >= 1

    def take(self) -> None:
        self._left -= 1
