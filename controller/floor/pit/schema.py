"""Tables of a pit's store, by version, the upgrade from an earlier version and the downgrade by one.

Either is one transaction, and copies the store first: SQLite's file beside itself, PostgreSQL's tables within
the same database. Events are never changed. A store of a later version is refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.common.tlog.merkle import Frontier, leaf_hash
from controller.floor.pit.database import Database, StoreError
from controller.floor.pit.retention import gone_of, streams_of

VERSION = 3
TABLES = (
    "tables", "events", "accepted", "sums", "troubles", "dropped", "clock", "former", "forks", "joins",
)  # fmt: skip
"""All tables but `version`, with the same columns in both databases."""
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
DOWNGRADES: Mapping[int, tuple[str, ...]] = {
    3: (
        "DROP TABLE joins",
        "DROP TABLE forks",
        "DROP TABLE former",
        "ALTER TABLE accepted DROP COLUMN reason",
        "ALTER TABLE accepted DROP COLUMN who",
        "DROP INDEX events_kind",
        "DROP INDEX events_round",
        "CREATE INDEX events_round ON events (name, round)",
        "CREATE INDEX events_kind ON events (name, kind, at, sequence)",
        "ALTER TABLE events DROP COLUMN adds",
    ),
}
"""Statements that bring a store from this version back to the one before."""
PREVENTED: Mapping[int, tuple[str, str]] = {
    3: (
        "SELECT name, stream FROM former WHERE cut IS NOT NULL ORDER BY name LIMIT 1",
        "events of stream {1} of table {0} have left the figures, and version 2 would count them again",
    ),
}
"""Query by version for rows that the version before cannot express, and the fault in words."""


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
        _copy_first(database, number)
        with database.transaction():
            database.lock_writes()
            for earlier in range(number, VERSION):
                for statement in UPGRADES[earlier]:
                    database.rows(statement)
            _list_former(database)
            database.each("UPDATE version SET number = ?", [(VERSION,)])
    check_version(database)


def downgrade(database: Database) -> str:
    """Bring a store back to the version before this program's, and return the place of its copy.

    Figures stay as they are. Raises StoreError if the version before cannot express the store.
    """
    check_version(database)
    query, words = PREVENTED[VERSION]
    if found := database.rows(query):
        raise StoreError(f"store: {words.format(*found[0])}; put back a copy from before the upgrade")
    copied = _copy_first(database, VERSION)
    with database.transaction():
        database.lock_writes()
        for statement in DOWNGRADES[VERSION]:
            database.rows(statement)
        database.each("UPDATE version SET number = ?", [(VERSION - 1,)])
    return copied


def _copy_first(database: Database, number: int) -> str:
    return database.copy_beside(number, [each for each in (*TABLES, "version") if database.has(each)])


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
