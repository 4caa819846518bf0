"""A reader with the plain dialect: one card a line and nothing else (drivers/shoe/LINK.md).

It replaces the link in the independent shoe and never sends an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable


class PlainLink:
    """Plain reader. `write` sends one line. `twice`: probability that a card's edge is seen again."""

    def __init__(self, write: Callable[[bytes], None], *, twice: bool = False) -> None:
        self.write, self.twice = write, twice
        self.boot = "plain"
        self.welcome: Callable[[], tuple[str, ...]] = tuple
        self.state: Callable[[], tuple[str, ...]] = tuple
        self.command: Callable[[list[str]], None] = lambda _fields: None
        self.counted: Counter[str] = Counter()

    def power_up(self, boot: str) -> None:
        self.boot = boot

    def enqueue(self, *fields: str) -> None:
        if fields[0] == "CARD" and len(fields[2]) == 2 and fields[2] not in ("FU", "NR"):
            face = fields[2]
            line = (("10" if face[0] == "T" else face[0]) + face[1]).encode("ascii") + b"\r\n"
            self.counted["cards"] += 1
            self.write(line * (2 if self.twice else 1))

    def receive(self, data: bytes) -> None:
        self.counted["bytes that nobody reads"] += len(data)

    def tick(self) -> None:
        """Do nothing, since no frame is ever resent."""
