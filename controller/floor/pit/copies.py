"""Copies of a pit's store: made while it runs, verified, and restored to an empty store of either kind.

A copy is always an SQLite file and shows the store at one moment. After it is restored, the tables resend
later events if their outboxes still contain them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from controller.common.tlog.merkle import BadFrontier, Frontier, leaf_hash
from controller.floor.pit.audit.trail import AuditEntry, append_entries, verified
from controller.floor.pit.database import POSTGRESQL, Database, StoreError
from controller.floor.pit.opening import open_database
from controller.floor.pit.retention import gone_of
from controller.floor.pit.schema import TABLES, check_copy, check_version, create_or_upgrade


def backup(url: str, file: Path, entry: AuditEntry | None = None) -> list[str]:
    """Copy a store into a new file and verify it; return a line for each stream. `entry`: entry of the audit
    trail, which the copy has too. Raises StoreError."""
    if file.exists():
        raise StoreError(f"{file}: is there already; name another file")
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)
        with closing(open_database(url, writing=False)) as source:
            check_version(source)
            if entry is not None:
                append_entries(source, entry)
            _copy(source, str(part))
        lines = verify_copy(part)
        _without_log(part)
        part.rename(file)
    except OSError as error:
        raise StoreError(f"{file}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return lines


def restore_copy(file: Path, url: str, entry: AuditEntry | None = None) -> list[str]:
    """Copy a copy into an empty store; return a line for each stream. `entry`: entry of the audit trail,
    after those of the copy. Raises StoreError, also if a pit writes to the store.
    """
    if not file.is_file():
        raise StoreError(f"{file}: is no file; allowed: a copy by crisscross pit backup")
    lines = verify_copy(file)
    if not url.startswith(POSTGRESQL) and Path(url).exists():
        raise StoreError(f"store {url}: is there already; move it away, or name another file")
    with closing(open_database(str(file), writing=False)) as source:
        _copy(source, url, entry)
    return lines


def verify_copy(file: Path) -> list[str]:
    """Return a line for each stream of a copy. Raises StoreError if its events do not lead to the root that
    was acknowledged to the table.
    """
    with closing(open_database(str(file), writing=False)) as database:
        check_copy(database)
        return [*audit_line(database), *(_verified(database, *row) for row in _streams(database))]


def audit_line(database: Database) -> list[str]:
    """Return a line about the last entry of a copy's audit trail; [] without entries. Raises StoreError if
    the chain of hashes is broken."""
    last = deque(verified(database) if database.has("audit") else (), maxlen=1)
    return [f"audit: entries 1 to {each.number}, hash {each.hash[:16]}" for each in last]


def _streams(database: Database) -> Iterator[tuple[str, str, str]]:
    query = "SELECT name, stream, frontier FROM {} ORDER BY name, stream"
    for table in ("tables", "former"):
        yield from ((name, stream, tree) for name, stream, tree in database.rows(query.format(table)))


def _verified(database: Database, table: str, stream: str, frontier: str) -> str:
    try:
        stored = Frontier.parse(frontier)
        gone = gone_of(database, table, stream)
    except BadFrontier as error:
        raise StoreError(f"table {table}, stream {stream}: {error}; use another copy") from None
    tree, first = gone.tree if gone else Frontier(), gone.tree.size if gone else 0
    query = """SELECT sequence, body FROM events
      WHERE name = ? AND stream = ? AND sequence > ? ORDER BY sequence LIMIT 1000"""
    while rows := database.rows(query, (table, stream, tree.size)):
        numbers = [int(sequence) for sequence, _ in rows]
        if numbers != list(range(tree.size + 1, tree.size + 1 + len(rows))):
            raise StoreError(f"table {table}, stream {stream}: an event is missing; use another copy")
        tree = tree.extend(leaf_hash(str(body).encode()) for _, body in rows)
    if tree.root() != stored.root():
        words = "its events do not lead to the root that was acknowledged; use another copy"
        raise StoreError(f"table {table}, stream {stream}: {words}")
    return f"table {table}, stream {stream}: events {first + 1} to {tree.size}, root {tree.root().hex()[:16]}"


def _copy(source: Database, url: str, entry: AuditEntry | None = None) -> None:
    """Copy all rows of one moment into the empty store `url`, and append an entry to its audit trail."""
    with closing(open_database(url, writing=True)) as target:
        if target.has("version"):
            raise StoreError(f"store: {url.partition('?')[0]} has a pit's tables already; name an empty one")
        create_or_upgrade(target)
        with source.snapshot(), target.transaction():
            for table in (each for each in TABLES if source.has(each)):
                for rows in source.batches(f"SELECT * FROM {table}"):  # noqa: S608  # one of TABLES
                    marks = ", ".join("?" * len(rows[0]))
                    target.each(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
            if entry is not None:
                append_entries(target, entry)


def _without_log(file: Path) -> None:
    """Bring a copy into one file that can be moved: without SQLite's write-ahead log beside it."""
    import sqlite3

    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode=DELETE").fetchall()
    file.with_name(f"{file.name}.lock").unlink(missing_ok=True)
