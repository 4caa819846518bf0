"""All mistakes of a file that a person wrote, at once.

Rule packs and table files share this class. `Mistakes` must never hold only the first mistake.
"""

from __future__ import annotations

from collections.abc import Iterable


class Mistakes(Exception):
    """Mistakes in a file. `lines`: each ``file:line: key: allowed values``, in the order of the file."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))
