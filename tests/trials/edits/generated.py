"""Edits generated from the journal's own schema: every table, every column, every kind of object.

There is no list of cases, so a new table is edited too. An edit that `verify` does not name must not change
anything that a reader of the journal returns (`observed`).
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from controller.common.tlog.merkle import Frontier
from controller.record.journal.files import reading
from controller.record.journal.history import ARCHIVED, append_act, read_acts
from controller.record.journal.journal import Journal
from controller.record.journal.objects import ARCHIVE_MARK
from controller.record.journal.replay import restore_table, rules_in_force, snapshot
from controller.record.journal.schema import JournalError
from controller.record.timeline.archive import Archive
from tests.ended import read_rounds
from tests.trials.edits.box import Box

Change = Callable[[random.Random, sqlite3.Connection], None]


@dataclass(frozen=True, slots=True)
class Made:
    """Edit that follows from the schema. `name`: its description; `change`: the function that makes it."""

    name: str
    change: Change


def tables(db: sqlite3.Connection) -> list[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    return [name for (name,) in db.execute(query)]


def columns(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]


def made(db: sqlite3.Connection) -> Iterator[Made]:
    """Yield every edit that is possible with this schema."""
    for table in tables(db):
        for column in columns(db, table):
            yield Made(f"{table}.{column} changed", _changed(table, column))
            yield Made(f"{table}.{column} of another row", _exchanged(table, column))
        for name, which in PLACES.items():
            yield Made(
                f"{table} {name} removed", _sql(f"DELETE FROM {table} WHERE {which.format(table=table)}")
            )
        for key in (-3, 0, 99_999):
            yield Made(f"{table} row {key} added", _added(table, key))
        for name, script in OBJECTS.items():
            yield Made(f"{table} {name}", _sql(script.format(table=table, first=columns(db, table)[0])))
        yield Made(f"{table} hidden", _hidden(table))
        yield Made(f"{table} tail hidden", _hidden_tail(table))
    for script in ALONE:
        yield Made(script, _sql(script))
    yield from (
        Made("beginning cut off", beheaded(lawful=False)),
        Made("beginning cut off, with an act", beheaded(lawful=True)),
    )


PLACES = {
    "all rows": "1",
    "the last row": "rowid = (SELECT max(rowid) FROM {table})",
    "the first row": "rowid = (SELECT min(rowid) FROM {table})",
    "a row": "rowid = (SELECT rowid FROM {table} ORDER BY random() LIMIT 1)",
}
OBJECTS = {
    "dropped": "DROP TABLE {table}",
    "as a view": "ALTER TABLE {table} RENAME TO other; CREATE VIEW {table} AS SELECT * FROM other",
    "as an empty view": "DROP TABLE {table}; CREATE VIEW {table} AS SELECT 1 WHERE 0",
    "with a column": "ALTER TABLE {table} ADD COLUMN more TEXT",
    "without its rules": """
        CREATE TABLE other AS SELECT * FROM {table}; DROP TABLE {table}; ALTER TABLE other RENAME TO {table}
    """,
    "with a trigger": "CREATE TRIGGER own AFTER INSERT ON {table} BEGIN DELETE FROM figures; END",
    "with an index": "CREATE INDEX own ON {table}({first})",
    "beside a view": "CREATE VIEW own AS SELECT * FROM {table}",
}
ALONE = (
    "CREATE TABLE archive(x)", ARCHIVE_MARK, "CREATE VIEW archive AS SELECT 1",
    "CREATE TABLE archive(x); UPDATE figures SET sums = '{}'", f"{ARCHIVE_MARK}; DELETE FROM figures",
    "CREATE VIEW archive AS SELECT 1; UPDATE figures SET sums = replace(sums, '1', '2')",
    "ANALYZE", "PRAGMA user_version = 1", "PRAGMA user_version = 9", "PRAGMA application_id = 1",
    "UPDATE leaves SET what = 'other' WHERE n > 40", "UPDATE leaves SET what = 'snapshots' WHERE n = 9",
    "INSERT INTO base VALUES (1, 0, '0', 0)", "INSERT INTO identity VALUES ('second')",
    "DELETE FROM snapshots WHERE seq < (SELECT max(seq) FROM snapshots)",
)  # fmt: skip


def _sql(script: str) -> Change:
    def change(_dice: random.Random, db: sqlite3.Connection) -> None:
        db.executescript(script)

    return change


def _changed(table: str, column: str) -> Change:
    def change(dice: random.Random, db: sqlite3.Connection) -> None:
        rows = db.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
        if rows:
            rowid, value = dice.choice(rows)
            db.execute(
                f"UPDATE OR REPLACE {table} SET {column} = ? WHERE rowid = ?", (_other(dice, value), rowid)
            )

    return change


def _other(dice: random.Random, value: Any) -> Any:
    match value:
        case int():
            return dice.choice([value + 1, value - 1, -1, 0, value + 1000, -value])
        case bytes():
            return bytes([value[0] ^ 1]) + value[1:]
        case str() if value:
            at = dice.randrange(len(value))
            return dice.choice(
                ["", value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :], value + " ", value[1:], "[9]"]
            )
    return "x"


def _exchanged(table: str, column: str) -> Change:
    def change(dice: random.Random, db: sqlite3.Connection) -> None:
        rows = db.execute(f"SELECT rowid, {column} FROM {table}").fetchall()
        if len(rows) > 1:
            (rowid, _), (_, value) = dice.sample(rows, 2)
            db.execute(f"UPDATE OR REPLACE {table} SET {column} = ? WHERE rowid = ?", (value, rowid))

    return change


def _added(table: str, key: int) -> Change:
    def change(dice: random.Random, db: sqlite3.Connection) -> None:
        names = columns(db, table)
        row = db.execute(f"SELECT * FROM {table} ORDER BY random() LIMIT 1").fetchone()
        values = (
            list(row) if row else [{"TEXT": "x", "BLOB": b"x"}.get(kind, 0) for kind in _types(db, table)]
        )
        values[0] = key if _types(db, table)[0] == "INTEGER" else f"{values[0]}{key}"
        if table == "figures":
            values[names.index("seq")] = key
        db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(names))})", values)

    return change


def _types(db: sqlite3.Connection, table: str) -> list[str]:
    return [row[2] for row in db.execute(f"PRAGMA table_info({table})")]


LABELS = "SELECT DISTINCT what FROM leaves WHERE what LIKE 'figures %' OR what = 'snapshots'"


def _hidden(table: str) -> Change:
    """Return an edit that removes a row and gives its leaf the label of a row that may lawfully be
    missing."""

    def change(dice: random.Random, db: sqlite3.Connection) -> None:
        leaves = db.execute(
            "SELECT n, seq FROM leaves WHERE what = ? OR what LIKE ?", (table, f"{table} %")
        ).fetchall()
        if leaves:
            _hide(dice, db, table, *dice.choice(leaves))

    return change


def _hidden_tail(table: str) -> Change:
    def change(dice: random.Random, db: sqlite3.Connection) -> None:
        leaves = db.execute("SELECT n, seq FROM leaves WHERE what = ? ORDER BY n DESC", (table,)).fetchall()
        for n, seq in leaves[: dice.choice([1, 1, 5])]:
            _hide(dice, db, table, n, seq)

    return change


def _hide(dice: random.Random, db: sqlite3.Connection, table: str, n: int, seq: int) -> None:
    (head,) = db.execute(
        "SELECT coalesce(max(seq), 0) FROM leaves WHERE what = 'events' AND n < ?", (n,)
    ).fetchone()
    label = dice.choice([what for (what,) in db.execute(LABELS)])
    db.execute("UPDATE leaves SET what = ?, seq = ? WHERE n = ?", (label, head, n))
    db.execute(f"DELETE FROM {table} WHERE rowid = ?", (seq,))
    if table == "results":
        db.execute("DELETE FROM lines WHERE n = ?", (seq,))


def beheaded(*, lawful: bool) -> Change:
    """Return an edit that deletes the first rows as `crisscross archive` does, although no archive was made.
    `lawful`: also write the act into the history."""

    def change(dice: random.Random, db: sqlite3.Connection) -> None:
        snapshots = db.execute(
            "SELECT l.n, l.seq FROM leaves l JOIN snapshots s ON s.seq = l.seq WHERE what = 'snapshots'"
        ).fetchall()
        n, seq = dice.choice(snapshots[:-1])
        tree = Frontier.of(
            [row[0] for row in db.execute("SELECT hash FROM leaves WHERE n < ? ORDER BY n", (n,))]
        )
        (number,) = db.execute("SELECT min(number) FROM checkpoints WHERE size > ?", (n,)).fetchone()
        if lawful:
            append_act(
                db,
                ARCHIVED,
                "2026-01-01T00:00:00.000Z",
                "root",
                seq,
                {"frontier": tree.text(), "number": number},
            )
        db.execute("INSERT INTO base VALUES (?, ?, ?, ?)", (seq, n, tree.text(), number))
        for table in ("events", "results"):
            db.execute(f"DELETE FROM {table} WHERE seq <= ?", (seq,))
        db.execute("DELETE FROM lines WHERE n NOT IN (SELECT n FROM results)")
        db.execute("DELETE FROM leaves WHERE n < ? AND what NOT IN ('settings', 'opened', 'history')", (n,))
        db.execute("DELETE FROM checkpoints WHERE size <= ?", (n,))
        db.execute("DELETE FROM snapshots WHERE seq < ?", (seq,))

    return change


def done(edit: Made, dice: random.Random, box: Box) -> bool:
    """Make an edit. Returns whether the file has changed: an edit that the database refuses, or that finds no
    row, does not count."""
    with box.open() as db:
        before = _content(db)
        try:
            edit.change(dice, db)
        except sqlite3.Error:
            db.rollback()
            return False
        db.commit()
        pragmas = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")]
        return _content(db) != before or pragmas != [2, 0x43435442]


def _content(db: sqlite3.Connection) -> object:
    """Return the schema and all rows. `iterdump` also returns them, and takes ten times as long."""
    schema = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name, type").fetchall()
    tables = [name for kind, name, *_ in schema if kind == "table"]
    return schema, [db.execute(f'SELECT * FROM "{name}"').fetchall() for name in tables]


def observed(box: Box) -> object:
    """Return everything that readers of a journal show, and the state after a start; the text of the error if
    one of them refuses it."""
    try:
        records = read_rounds(box.journal)
        with Archive(box.journal).rounds() as rounds:
            lines = list(rounds.lines())
        with reading(box.journal) as db:
            acts, names = read_acts(db), db.execute("SELECT id FROM identity").fetchall()
            sealed = db.execute("SELECT size, round, note FROM checkpoints ORDER BY size").fetchall()
        with closing(Journal(box.journal)) as journal:
            table = rules_in_force(journal)
            state = snapshot(restore_table(journal, table.pack, table.settings).state)
            begun = (state, journal.figures(), journal.last_mark(), journal.head, journal.lost_rows)
    except JournalError as error:
        return f"refused: {error}"
    return json.dumps(records), lines, acts, names, sealed, begun
