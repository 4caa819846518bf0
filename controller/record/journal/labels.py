"""The labels of the leaves, `what` and `seq`: which row each leaf stands for. No signature covers them.

A leaf whose row is gone can hide there: a row that was removed, and its leaf labelled as a snapshot of old.
So each label has to be the only one that the order of writing allows, and a leaf without a row has to lie
before a later one of its kind whose row is there (told.py).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from controller.record.journal.base import Base
from controller.record.journal.leaves import COLUMNS
from controller.record.journal.schema import read_of

REPLACED = ("snapshots", "figures")
"""Tables whose rows are removed or replaced by later ones."""
FIRST_NUMBERS = {"settings": 1, "opened": 0, "results": 1, "history": 1}
"""The number of the first row of each table that only grows, besides `events`."""
KEPT = ("settings", "opened", "history")
"""Tables whose rows and leaves stay when older ones go into an archive."""
_ORDER = {table: place for place, table in enumerate(COLUMNS)}


def mislabelled(db: sqlite3.Connection, base: Base) -> str | None:
    """Return words for the first leaf whose label the table cannot have written, None if there is none."""
    with read_of("the leaves"):
        rows = db.execute("SELECT n, what, seq FROM leaves ORDER BY n")
        return _Labels(base).first_wrong(rows)


class _Labels:
    """The order of writing, leaf by leaf."""

    def __init__(self, base: Base) -> None:
        self._begun = base.tree.size
        self._head = base.seq
        self._next = dict(FIRST_NUMBERS)
        self._any_result = base.seq > 0
        self._here: set[str] = set()
        """Labels of REPLACED at the present head."""
        self._converted = base.seq == 0
        """A journal of before the seal became leaves table by table; true while that order holds."""
        self._table = ""

    def first_wrong(self, rows: Iterable[tuple[int, str, int]]) -> str | None:
        for n, what, seq in rows:
            table, space, key = what.partition(" ")
            if table not in COLUMNS or bool(space and key) != (table == "figures"):
                return f"leaf {n} of the seal is of no table"
            if n < self._begun and table not in KEPT:
                return f"leaf {n} of the seal was to leave with the archive; run `crisscross archive` again"
            self._converted &= not self._table or _ORDER[table] >= _ORDER[self._table]
            self._table = table
            wrong = self._event(seq) if table == "events" else self._other(table, what, seq)
            if wrong is not None:
                return wrong or f"leaf {n} of the seal is not where the table wrote it"
        return None

    def _event(self, seq: int) -> str | None:
        if seq != self._head + 1:
            return f"row {self._head + 1} is missing"
        self._head = seq
        self._here.clear()
        return None

    def _other(self, table: str, what: str, seq: int) -> str | None:
        """Return None if the label fits, words if a row is missing before it, "" if it is in a wrong
        place."""
        if table in REPLACED:
            fits = self._converted or (seq == self._head and what not in self._here)
            self._here.add(what)
            return None if fits else ""
        if table == "results" and self._any_result:
            self._next[table], self._any_result = seq, False
        expected = self._next[table]
        self._next[table] += 1
        return None if seq == expected else f"row {expected} of the {table} is missing"
