"""Acts of a technician on a journal itself: rows moved to an archive, a copy restored, an end lost. Each is
a leaf of the tree.

A reader that follows a journal compares the acts: after `restored` or `shortened` the history differs from
the one that it has read. The account named in an act is the operating system's, and is not authenticated.
"""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.common.tlog.merkle import BadFrontier, Frontier
from controller.record.journal.beginning import beginning_of
from controller.record.journal.leaves import hash_of
from controller.record.journal.schema import Damaged, read_of

ARCHIVED, FOUND, RESTORED, SHORTENED = "archived", "found", "restored", "shortened"
"""`archived`: rows 1 to `seq` were moved to archives. `found`: the same, by a version that recorded no
acts. `restored`: the file was restored from a copy that ended at row `seq`. `shortened`: the rows after
`seq` are lost for good, and a technician confirmed it."""
CUTS = (ARCHIVED, FOUND)
"""Acts that record where a journal begins."""


@dataclass(frozen=True, slots=True)
class HistoryAct:
    """One act. `utc`: ISO 8601; `who`: the account; `seq`: the row that it concerns; `body`: further facts.

    Body of `archived` and `found`: ``frontier`` (of the leaves that were moved), ``number`` (of the first
    checkpoint that stayed); of `archived` also ``file`` and ``sha256`` of the archive. Body of `restored` and
    `shortened`: ``size`` and ``root`` (base64) of the tree that is left; of `restored` also ``file``, of
    `shortened` also ``rows``, ``checkpoints`` and ``leaves`` that the journal had before.
    """

    n: int
    act: str
    utc: str
    who: str
    seq: int
    body: Mapping[str, Any]


def has_history(db: sqlite3.Connection) -> bool:
    """Return whether a version that records acts has written to the journal."""
    query = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'history'"
    return bool(db.execute(query).fetchone()[0])


def read_acts(db: sqlite3.Connection) -> list[HistoryAct]:
    """Return all acts in order. Raises Damaged if one cannot be read."""
    with read_of("the history"):
        if not has_history(db):
            return []
        rows = db.execute("SELECT n, act, utc, who, seq, body FROM history ORDER BY n").fetchall()
    return [_act(*row) for row in rows]


def _act(n: int, act: str, utc: str, who: str, seq: int, body: str) -> HistoryAct:
    try:
        facts = json.loads(body)
    except ValueError:
        facts = None
    if not isinstance(facts, dict):
        raise Damaged(f"row {n} of the history is not as it was written")
    return HistoryAct(n, act, utc, who, seq, facts)


def append_act(
    db: sqlite3.Connection, act: str, utc: str, who: str, seq: int, body: Mapping[str, Any]
) -> None:
    """Write an act and its leaf within the caller's transaction. A daemon that has the journal open includes
    the leaf in its next commit (sealing.py). Raises sqlite3.Error if that fails."""
    n = int(db.execute("SELECT coalesce(max(n), 0) + 1 FROM history").fetchone()[0])
    row = (n, act, utc, who, seq, json.dumps(body, sort_keys=True, separators=(",", ":")))
    last = db.execute("SELECT max(n) FROM leaves").fetchone()[0]
    place = beginning_of(db).tree.size if last is None else int(last) + 1
    db.execute("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?)", row)
    db.execute("INSERT INTO leaves VALUES (?, 'history', ?, ?)", (place, n, hash_of("history", row)))


def tree_of(db: sqlite3.Connection) -> Frontier:
    """Return the tree of all leaves, built from the newest checkpoint. Raises Damaged if that is
    unreadable."""
    query = "SELECT size, frontier FROM checkpoints ORDER BY size DESC LIMIT 1"
    with read_of("the leaves"):
        found = db.execute(query).fetchone()
        try:
            tree = Frontier.parse(str(found[1])) if found else beginning_of(db).tree
        except BadFrontier:
            raise Damaged("the last checkpoint is not as it was written") from None
        rows = db.execute("SELECT hash FROM leaves WHERE n >= ? ORDER BY n", (tree.size,))
        return tree.extend(bytes(row[0]) for row in rows)


def facts_of(tree: Frontier) -> dict[str, object]:
    """Return size and root of a tree in the form used in acts."""
    return {"size": tree.size, "root": b64encode(tree.root()).decode()}
