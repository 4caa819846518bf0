"""Tables of a pit's store, by version, and the upgrade of a store of an earlier version.

An upgrade is one transaction. SQLite's file is copied beside itself first; PostgreSQL is backed up by its
own tools. A store of a later version is refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.common.tlog.merkle import Frontier, leaf_hash
from controller.floor.pit.database import Database, StoreError
from controller.floor.pit.retention import gone_of, streams_of

VERSION = 3
FIRST_SCHEMA = (
    """CREATE TABLE tables (
      name TEXT PRIMARY KEY, stream TEXT NOT NULL, upto BIGINT NOT NULL, frontier TEXT NOT NULL,
      picture TEXT NOT NULL)""",
    """CREATE TABLE events (
      name TEXT NOT NULL, stream TEXT NOT NULL, sequence BIGINT NOT NULL, kind TEXT NOT NULL,
      at TEXT NOT NULL, round BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (name, stream, sequence))""",
    "CREATE INDEX events_round ON events (name, round)",
    """CREATE TABLE accepted (
      name TEXT NOT NULL, stream TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (name, stream))""",
    """CREATE TABLE sums (
      name TEXT NOT NULL, hour TEXT NOT NULL, dealer TEXT NOT NULL, what TEXT NOT NULL,
      amount BIGINT NOT NULL, PRIMARY KEY (name, hour, dealer, what))""",
    "CREATE INDEX sums_hour ON sums (hour)",
    """CREATE TABLE troubles (
      number BIGINT PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
      words TEXT NOT NULL)""",
)
UPGRADES: Mapping[int, tuple[str, ...]] = {
    1: (
        """CREATE TABLE dropped (
          name TEXT NOT NULL, stream TEXT NOT NULL, frontier TEXT NOT NULL, round BIGINT NOT NULL,
          at TEXT NOT NULL, PRIMARY KEY (name, stream))""",
        "CREATE INDEX events_kind ON events (name, kind, at, sequence)",
        "CREATE TABLE clock (zone TEXT NOT NULL)",
    ),
    2: (
        "ALTER TABLE events ADD COLUMN adds TEXT",
        "DROP INDEX events_round",
        "DROP INDEX events_kind",
        "CREATE INDEX events_round ON events (name, stream, round)",
        "CREATE INDEX events_kind ON events (name, stream, kind, sequence)",
        "ALTER TABLE accepted ADD COLUMN who TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE accepted ADD COLUMN reason TEXT NOT NULL DEFAULT ''",
        """CREATE TABLE former (
          name TEXT NOT NULL, stream TEXT NOT NULL, frontier TEXT NOT NULL, cut BIGINT,
          PRIMARY KEY (name, stream))""",
        """CREATE TABLE forks (
          name TEXT NOT NULL, stream TEXT NOT NULL, sequence BIGINT NOT NULL, at TEXT NOT NULL,
          PRIMARY KEY (name, stream))""",
        """CREATE TABLE joins (
          number BIGINT PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, stream TEXT NOT NULL,
          previous TEXT NOT NULL, who TEXT NOT NULL, reason TEXT NOT NULL, taken_out TEXT NOT NULL)""",
    ),
}
"""Statements that upgrade a store from this version to the next.

`adds`: an event's contribution to the figures (NULL: stored by version 2). `former`: streams of a table
that are not its current one; `cut`: the first event that no longer counts.
"""


def begin(database: Database) -> None:
    """Create the tables of an empty store, or upgrade an earlier version. Raises StoreError for a later
    one."""
    if not database.has("version"):
        with database.transaction():
            database.rows("CREATE TABLE version (number BIGINT NOT NULL)")
            database.each("INSERT INTO version VALUES (?)", [(VERSION,)])
            for statement in (
                *FIRST_SCHEMA,
                *(each for number in sorted(UPGRADES) for each in UPGRADES[number]),
            ):
                database.rows(statement)
    number = version_of(database)
    if number < VERSION:
        database.copy_beside(f"version-{number}")
        with database.transaction():
            for earlier in range(number, VERSION):
                for statement in UPGRADES[earlier]:
                    database.rows(statement)
            _list_former(database)
            database.each("UPDATE version SET number = ?", [(VERSION,)])
    check_version(database)


def check_version(database: Database) -> None:
    """Raise StoreError if the store is not of this program's version."""
    number = version_of(database)
    if number > VERSION:
        raise StoreError(
            f"store: is of version {number}; this program reads {VERSION}: use the later program"
        )
    if number < VERSION:
        raise StoreError(f"store: is of version {number}; start crisscross pit once, which upgrades it")


def version_of(database: Database) -> int:
    return int(database.rows("SELECT number FROM version")[0][0])


def _list_former(database: Database) -> None:
    """Fill the table `former` with the streams that tables had before their current one; version 2 had no
    such table.
    """
    for name, current in database.rows("SELECT name, stream FROM tables"):
        dropped = database.rows("SELECT stream FROM dropped WHERE name = ?", (name,))
        for stream in sorted({*streams_of(database, name), *(str(row[0]) for row in dropped)}):
            if stream != current:
                gone = gone_of(database, name, stream)
                tree = gone.tree if gone else Frontier()
                query = (
                    "SELECT body FROM events WHERE name = ? AND stream = ? AND sequence > ? ORDER BY sequence"
                )
                bodies = database.rows(query, (name, stream, tree.size))
                text = tree.extend(leaf_hash(str(body).encode()) for (body,) in bodies).text()
                database.each("INSERT INTO former VALUES (?, ?, ?, NULL)", [(name, stream, text)])
