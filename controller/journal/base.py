"""Where a journal begins: at its first row, or at a snapshot, when what was before it lies in an archive.

The snapshot's leaf is the first leaf that is left; the tree of those before it is known by its frontier. Both
are proven by the next checkpoint, as everything is.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from controller.journal.files import has_seal
from controller.journal.schema import Damaged, read_of
from controller.seal.merkle import BadFrontier, Frontier


@dataclass(frozen=True, slots=True)
class Base:
    """Where a journal begins."""

    seq: int
    """The last row that is not there."""
    tree: Frontier
    """Of the leaves that are not there."""
    number: int
    """Of the first checkpoint that is there."""


FIRST = Base(0, Frontier(), 0)


def base_of(db: sqlite3.Connection) -> Base:
    """`Damaged` where it cannot be read."""
    if not has_seal(db):
        return FIRST
    with read_of("where it begins"):
        query = "SELECT seq, frontier, number FROM base ORDER BY seq DESC LIMIT 1"
        found = db.execute(query).fetchone()
    if found is None:
        return FIRST
    seq, frontier, number = found
    try:
        if isinstance(frontier, str) and isinstance(seq, int) and isinstance(number, int):
            return Base(seq, Frontier.parse(frontier), number)
    except BadFrontier:
        pass
    raise Damaged("where it begins is not as it was written")
