"""Beginning of a journal: its first row, or a snapshot if older rows were moved to an archive.

The leaf of that snapshot is the first leaf in the journal. The leaves before it are represented by their
tree's frontier, and the next checkpoint proves both.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from dataclasses import dataclass

from controller.common.tlog.merkle import BadFrontier, Frontier
from controller.record.journal.files import has_seal
from controller.record.journal.schema import Damaged, read_of


@dataclass(frozen=True, slots=True)
class Beginning:
    """Beginning of a journal: its first row, or the snapshot at which it begins after an archive."""

    seq: int
    """Number of the last archived row, 0 if there is none."""
    tree: Frontier
    """Hash tree of the archived leaves; empty if there are none. The leaves of the file continue it."""
    number: int
    """Number of the first remaining checkpoint."""


FIRST_BEGINNING = Beginning(0, Frontier(), 0)


def beginning_of(db: sqlite3.Connection) -> Beginning:
    """Return the beginning of a journal. Raises Damaged if the stored one is invalid, or claims to be before
    row 1: then no archive could prove the leaves before it."""
    if not has_seal(db):
        return FIRST_BEGINNING
    with read_of("where it begins"):
        query = "SELECT seq, size, frontier, number FROM base ORDER BY seq DESC LIMIT 1"
        found = db.execute(query).fetchone()
    if found is None:
        return FIRST_BEGINNING
    seq, size, frontier, number = found
    with suppress(BadFrontier):
        tree = Frontier.parse(frontier)
        if seq > 0 and size > seq and tree.size == size and number >= 0:
            return Beginning(seq, tree, number)
    raise Damaged("where it begins is not as it was written")
