"""A bad cable: complete frames doubled, delayed, garbled or lost, with probabilities for each direction.

The channel does not interpret frames, and must never repair one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

Later = Callable[[float, Callable[[], None]], None]
LONGEST_DELAY_S = 0.3


@dataclass(frozen=True)
class Odds:
    """Faults of a cable: the probability of each for a frame. A good cable has only zeros. `split`: whether
    frames arrive in two pieces."""

    double: float = 0.0
    delay: float = 0.0
    garble: float = 0.0
    drop: float = 0.0
    split: bool = False


class Channel:
    """One direction of a cable: it takes frames at one end and delivers bytes at the other, with the faults
    of `odds`."""

    def __init__(self, odds: Odds, dice: random.Random, later: Later, out: Callable[[bytes], None]) -> None:
        self.odds, self.dice, self.later, self.out = odds, dice, later, out
        self.counted: Counter[str] = Counter()

    def carry(self, frame: bytes) -> None:
        self.counted["frames"] += 1
        copies = 2 if self._happens("double") else 1
        for _ in range(copies):
            if self._happens("drop"):
                continue
            data = self._garbled(frame) if self._happens("garble") else frame
            if self._happens("delay"):
                self.later(self.dice.uniform(0.0, LONGEST_DELAY_S), lambda data=data: self.out(data))  # type: ignore[misc]
            else:
                self._pass(data)

    def _pass(self, data: bytes) -> None:
        if not self.odds.split:
            self.out(data)
            return
        at = self.dice.randrange(len(data))
        self.out(data[:at])
        self.out(data[at:])

    def _happens(self, what: str) -> bool:
        chance: float = getattr(self.odds, what)
        happened = chance > 0 and self.dice.random() < chance
        self.counted[what] += happened
        return happened

    def _garbled(self, frame: bytes) -> bytes:
        at = self.dice.randrange(len(frame))
        return frame[:at] + bytes([frame[at] ^ (1 << self.dice.randrange(8))]) + frame[at + 1 :]
