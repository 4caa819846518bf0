"""Compares the journal with an outbox (public events) made from it: whether the published history is the
journal's, and where they diverge.

A journal is identified by its number and the root of its tree up to a row. The row's number is not enough: a
journal restored from an older copy has the same rows again with other events.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from hashlib import sha256

from controller.common.tlog.merkle import BadFrontier, Frontier
from controller.floor.uplink import wire
from controller.floor.uplink.outbox import Diverged, Head, Outbox
from controller.floor.uplink.stream_names import is_stream, journal_of, row_before, stream_of
from controller.record.journal.beginning import beginning_of
from controller.record.journal.history import tree_of
from controller.record.journal.schema import Damaged, read_of

AT_ROW = "SELECT seq FROM leaves WHERE what = 'events' AND n < ? ORDER BY n DESC LIMIT 1"


def number_of(db: sqlite3.Connection) -> str:
    """Return the number that identifies the journal, or "" if its first daemon has not drawn one yet."""
    found = db.execute("SELECT id FROM identity").fetchone()
    return str(found[0]) if found else ""


def is_same_journal(db: sqlite3.Connection, head: Head) -> bool:
    """Return whether the journal is the one from which the outbox was made.

    For an outbox of an earlier version, or for leaves in an archive, only number and length are compared.
    """
    rows = int(db.execute("SELECT max(seq) FROM events").fetchone()[0] or 0)
    if journal_of(head.stream) != number_of(db) or rows < head.row:
        return False
    if head.journal is None or head.journal.size < beginning_of(db).tree.size:
        return True
    return _tree_at(db, head.journal.size) == head.journal


def tree_to(db: sqlite3.Connection, row: int, before: Frontier | None) -> Frontier | None:
    """Return the journal's tree up to the leaf of a row, or None if the row has no leaf.

    `before`: the tree up to an earlier row, None if it is not known.
    """
    if before is None or before.size < beginning_of(db).tree.size:
        query = "SELECT max(n) FROM leaves WHERE what = 'events' AND seq = ?"
        found = db.execute(query, (row,)).fetchone()[0]
        return None if found is None else _tree_at(db, int(found) + 1)
    query = "SELECT what, seq, hash FROM leaves WHERE n >= ? ORDER BY n"
    for what, seq, leaf in db.execute(query, (before.size,)):
        before = before.add(bytes(leaf))
        if (what, seq) == ("events", row):
            return before
    return None


def _tree_at(db: sqlite3.Connection, size: int) -> Frontier | None:
    """Return the tree of the first `size` leaves, or None if there are fewer."""
    query = "SELECT frontier FROM checkpoints WHERE size <= ? ORDER BY size DESC LIMIT 1"
    with read_of("the leaves"):
        found = db.execute(query, (size,)).fetchone()
        try:
            tree = Frontier.parse(str(found[0])) if found else beginning_of(db).tree
        except BadFrontier:
            raise Damaged("a checkpoint is not as it was written") from None
        query = "SELECT hash FROM leaves WHERE n >= ? AND n < ? ORDER BY n"
        tree = tree.extend(bytes(row[0]) for row in db.execute(query, (tree.size, size)))
    return tree if tree.size == size else None


def sealed_at(db: sqlite3.Connection, row: int) -> int:
    """Return the size of the last checkpoint that covers no row after `row`."""
    for (size,) in db.execute("SELECT size FROM checkpoints ORDER BY size DESC"):
        found = db.execute(AT_ROW, (size,)).fetchone()
        if found is not None and found[0] <= row:
            return int(size)
    return beginning_of(db).tree.size


def next_head(db: sqlite3.Connection, head: Head, outbox: Outbox, found: Diverged | None, low: int) -> Head:
    """Return the head of the stream that replaces `head`, whose history has diverged from the journal's.

    It begins after the last checkpoint that both histories have and that every pit has acknowledged (`low`),
    or at the journal's beginning. `found`: the note of the pit's answer that revealed the divergence, or
    None.
    """
    base, number = beginning_of(db), number_of(db)
    if journal_of(head.stream) != number:
        return first_head(db, head.name)
    shared = _shared(db, outbox.payloads_back(low))
    row = max(shared, base.seq)
    if found is not None:
        bound: list[bytes] = [outbox.root(found.sequence) or head.tree.root()]
    else:
        bound = [head.tree.root(), tree_of(db).root()]
    root = sha256(b"".join([head.stream.encode(), *bound])).digest()
    return Head(stream_of(number, root, row), head.name, row, sealed_at(db, row), Frontier())


def first_head(db: sqlite3.Connection, name: str, published: str = "") -> Head:
    """Return the head of a new outbox.

    `published`: the stream that the table published last. If that stream began after a divergence within this
    journal, it is continued.
    """
    base, number = beginning_of(db), number_of(db)
    rows = int(db.execute("SELECT max(seq) FROM events").fetchone()[0] or 0)
    if is_stream(published) and journal_of(published) == number != published.partition("-")[0]:
        row = row_before(published)
        if base.seq <= row <= rows:
            return Head(published, name, row, sealed_at(db, row), Frontier())
    stream = number + (f"-{base.seq}" if base.seq else "")
    return Head(stream, name, base.seq, base.tree.size, Frontier())


def _shared(db: sqlite3.Connection, payloads: Iterable[bytes]) -> int:
    """Return the row of the newest checkpoint among these events that is also in the journal, or 0."""
    for payload in payloads:
        event = json.loads(payload)
        if event["type"] == f"{wire.TYPE}checkpoint":
            query = "SELECT 1 FROM checkpoints WHERE size = ? AND note = ?"
            if db.execute(query, (event["data"]["size"], event["data"]["note"])).fetchone():
                return int(event["row"])
    return 0
