"""All mistakes of a file that a person wrote, at once.

One class for rule packs and table files alike; it must never carry only the first mistake.
"""

from __future__ import annotations

from collections.abc import Iterable


class Mistakes(Exception):
    """`lines`: each ``file:line: key: what is allowed``, in the order of the file."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))
