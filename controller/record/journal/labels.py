"""Labels of the leaves, `what` and `seq`, which name the row of each leaf. No signature covers them.

A false label can hide a deleted row, for example if its leaf is labelled as that of an old snapshot. So each
label must be the only one that the order of writing allows, and after a leaf without a row there must be a
later leaf of its kind with a row (leaf_check.py).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from controller.record.journal.beginning import Beginning
from controller.record.journal.leaves import COLUMNS
from controller.record.journal.schema import read_of

REPLACED = ("snapshots", "figures")
"""Tables whose rows are deleted or replaced by later ones."""
FIRST_NUMBERS = {"settings": 1, "opened": 0, "results": 1, "history": 1}
"""Number of the first row of each table that only grows, except `events`."""
NEVER_ARCHIVED = ("settings", "opened", "history")
"""Tables whose rows and leaves stay when older ones are archived."""
_ORDER = {table: place for place, table in enumerate(COLUMNS)}


def first_wrong_label(db: sqlite3.Connection, beginning: Beginning) -> str | None:
    """Return a text about the first leaf with a label that the daemon cannot have written, or None."""
    with read_of("the leaves"):
        rows = db.execute("SELECT n, what, seq FROM leaves ORDER BY n")
        return _Labels(beginning).first_wrong(rows)


class _Labels:
    """Automaton that reads the labels of all leaves in order and knows which ones the daemon could have
    written next: each table that only grows has its rows in sequence, and rows of the `REPLACED` tables
    follow the last event."""

    def __init__(self, beginning: Beginning) -> None:
        self._size_at_beginning = beginning.tree.size
        self._head = beginning.seq
        self._next = dict(FIRST_NUMBERS)
        self._any_result = beginning.seq > 0
        self._at_head: set[str] = set()
        """Labels of the `REPLACED` tables since the last event row."""
        self._table_by_table = beginning.seq == 0
        """True while the leaves are in order of tables, as in a journal that was converted from a version
        without seals."""
        self._table = ""

    def first_wrong(self, rows: Iterable[tuple[int, str, int]]) -> str | None:
        for n, what, seq in rows:
            table, space, key = what.partition(" ")
            if table not in COLUMNS or bool(space and key) != (table == "figures"):
                return f"leaf {n} of the seal is of no table"
            if n < self._size_at_beginning and table not in NEVER_ARCHIVED:
                return f"leaf {n} of the seal was to leave with the archive; run `crisscross archive` again"
            self._table_by_table &= not self._table or _ORDER[table] >= _ORDER[self._table]
            self._table = table
            wrong = self._event(seq) if table == "events" else self._other(table, what, seq)
            if wrong is not None:
                return wrong or f"leaf {n} of the seal is not where the table wrote it"
        return None

    def _event(self, seq: int) -> str | None:
        if seq != self._head + 1:
            return f"row {self._head + 1} is missing"
        self._head = seq
        self._at_head.clear()
        return None

    def _other(self, table: str, what: str, seq: int) -> str | None:
        """Check the label of a leaf of another table than `events`. Returns None if it may come here, "" if
        not, or a message if the row before it is missing."""
        if table in REPLACED:
            fits = self._table_by_table or (seq == self._head and what not in self._at_head)
            self._at_head.add(what)
            return None if fits else ""
        if table == "results" and self._any_result:
            self._next[table], self._any_result = seq, False
        expected = self._next[table]
        self._next[table] += 1
        return None if seq == expected else f"row {expected} of the {table} is missing"
