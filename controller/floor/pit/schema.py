"""Tables of a pit's store by version, the upgrade from an earlier version, and the downgrade by one version.

Upgrade and downgrade are one transaction each, and first copy the store: SQLite's file beside itself,
PostgreSQL's tables within the same database. Events are never changed. A store of a later version is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_hex

from controller.common.tlog.merkle import Frontier, leaf_hash
from controller.floor.pit.database import REPLACED, Database, StoreError, StoreReplaced
from controller.floor.pit.retention import gone_of, streams_of

SCHEMA_VERSION = 4
LISTS_FORMER = 3
"""Earliest version of the schema with the table `former`."""
COPIED = 3
"""Earliest version whose copies can be verified and restored: later versions only add tables."""
TABLES = (
    "tables", "events", "accepted", "sums", "troubles", "dropped", "clock", "former", "forks", "joins",
    "audit",
)  # fmt: skip
"""Tables of a store in both databases, except `version`. A copy has all of them."""
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
    3: (
        """CREATE TABLE IF NOT EXISTS audit (
          number BIGINT PRIMARY KEY, at TEXT NOT NULL, who TEXT NOT NULL, address TEXT NOT NULL,
          act TEXT NOT NULL, about TEXT NOT NULL, hash TEXT NOT NULL)""",
    ),
}
"""Statements that upgrade a store from this version to the next.

`adds`: an event's contribution to the figures (NULL: stored by version 2). `former`: streams of a table
that are not its current one; `cut`: the first event that no longer counts. `audit`: audit/trail.py.
"""
IDENTITY = "CREATE TABLE identity (id TEXT NOT NULL)"
"""Random name of a store. No version has it: an earlier program ignores it, a copy gets another one."""
DOWNGRADES: Mapping[int, tuple[str, ...]] = {
    2: ("DROP TABLE clock", "DROP INDEX events_kind", "DROP TABLE dropped"),
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
    4: (),
}
"""Statements that bring a store from this version back to the previous one. `audit` stays, since nothing
deletes an entry; the earlier program ignores it, and the next upgrade continues it.
"""
PREVENTED: Mapping[int, tuple[str, str]] = {
    2: (
        "SELECT name, stream FROM dropped ORDER BY name LIMIT 1",
        "old events of stream {1} of table {0} were dropped, and version 1 would ask for them again",
    ),
    3: (
        "SELECT name, stream FROM former WHERE cut IS NOT NULL ORDER BY name LIMIT 1",
        "events of stream {1} of table {0} have left the figures, and version 2 would count them again",
    ),
}
"""For each version, a query for rows that the previous version cannot express, and a message about them."""


def create_or_upgrade(database: Database) -> None:
    """Create the tables of an empty store, or upgrade an earlier version. Raises StoreError for a later
    one."""
    if not database.has("version"):
        with database.transaction():
            database.rows("CREATE TABLE version (number BIGINT NOT NULL)")
            database.each("INSERT INTO version VALUES (?)", [(SCHEMA_VERSION,)])
            for statement in (
                *FIRST_SCHEMA,
                *(each for number in sorted(UPGRADES) for each in UPGRADES[number]),
            ):
                database.rows(statement)
    number = version_of(database)
    if number < SCHEMA_VERSION:
        _copy_first(database, number)
        with database.transaction():
            database.lock_writes()
            for earlier in range(number, SCHEMA_VERSION):
                for statement in UPGRADES[earlier]:
                    database.rows(statement)
            if number < LISTS_FORMER:
                _list_former(database)
            database.each("UPDATE version SET number = ?", [(SCHEMA_VERSION,)])
    if not database.has("identity"):
        with database.transaction():
            database.rows(IDENTITY)
            database.each("INSERT INTO identity VALUES (?)", [(token_hex(16),)])
    check_version(database)


def identity_of(database: Database) -> str:
    """Return the random name of a store, "" if it has none."""
    found = database.rows("SELECT id FROM identity") if database.has("identity") else []
    return str(found[0][0]) if found else ""


def check_same(database: Database, identity: str) -> None:
    """Raise StoreReplaced unless the open store still has this identity and its files."""
    database.check_files()
    if identity_of(database) != identity:
        raise StoreReplaced(f"store: {REPLACED}")


def downgrade(database: Database) -> str:
    """Bring a store back by one version and return the place of its copy.

    Figures stay unchanged. Raises StoreError if there is no previous version or it cannot express the store.
    """
    number = check_known(database)
    if number not in DOWNGRADES:
        raise StoreError(f"store: is of version {number}, the first one; no program before it is known")
    query, words = PREVENTED.get(number, ("", ""))
    if query and (found := database.rows(query)):
        raise StoreError(f"store: {words.format(*found[0])}; put back a copy from before the upgrade")
    copied = _copy_first(database, number)
    with database.transaction():
        database.lock_writes()
        for statement in DOWNGRADES[number]:
            database.rows(statement)
        database.each("UPDATE version SET number = ?", [(number - 1,)])
    return copied


def _copy_first(database: Database, number: int) -> str:
    return database.copy_beside(number, [each for each in (*TABLES, "version") if database.has(each)])


def check_version(database: Database) -> None:
    """Raise StoreError if the store is not of this program's version."""
    number = check_known(database)
    if number < SCHEMA_VERSION:
        raise StoreError(f"store: is of version {number}; start crisscross pit once, which upgrades it")


def check_known(database: Database) -> int:
    """Return the version of the store. Raises StoreError if a later program wrote it."""
    number = version_of(database)
    if number > SCHEMA_VERSION:
        raise StoreError(
            f"store: is of version {number}; this program reads {SCHEMA_VERSION}: use the later program"
        )
    return number


def check_copy(database: Database) -> None:
    """Raise StoreError if a copy is of a version that this program cannot restore."""
    if (number := check_known(database)) < COPIED:
        words = f"put it back with the program that made it, then start this one; read here: from {COPIED} on"
        raise StoreError(f"copy: is of version {number}; {words}")


def version_of(database: Database) -> int:
    return int(database.rows("SELECT number FROM version")[0][0])


def _list_former(database: Database) -> None:
    """Fill the table `former` with the former streams of all tables; version 2 had no such table."""
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
