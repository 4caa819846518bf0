"""Audit trail of the pit in its store: entries in order, each with a hash over itself and the one before.

Entries are appended; no statement of the program changes or deletes one. An altered, missing or inserted
entry breaks the chain of hashes, so that it does not stay unnoticed. A hash that was written down elsewhere
proves that nothing before it was cut off.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass
from getpass import getuser
from hashlib import sha256
from typing import Literal, TypeAlias

from controller.common.files.json_text import json_text
from controller.floor.pit.database import Database, StoreError

AuditAct: TypeAlias = Literal[
    "start", "sign_in", "sign_in_refused", "sign_out", "on_my_way", "user_changed", "stream_accepted",
    "users", "refold", "backup", "restore", "downgrade",
]  # fmt: skip
BATCH = 1000
QUERY = "SELECT number, at, who, address, act, about, hash FROM audit"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One act of a person, as an entry of the audit trail.

    `at`: UTC, ISO 8601. `who`: user of the pages, `login:NAME` for a user of the machine, "" if unknown.
    `address`: address of the request, "" for a command. `about`: the table and the call, the changed user, or
    the settings.
    """

    at: str
    who: str
    address: str
    act: AuditAct
    about: str


@dataclass(frozen=True, slots=True)
class Numbered:
    """Entry of the trail with its number in the store. `hash`: hash over the entry, its number and the hash
    of the entry before, in hexadecimal."""

    number: int
    entry: AuditEntry
    hash: str

    def fields(self) -> dict[str, object]:
        """Return the number and the fields of the entry, as pages and the export name them."""
        return {"number": self.number, **asdict(self.entry)}

    def as_json(self) -> str:
        return json_text({**self.fields(), "hash": self.hash})


def login() -> str:
    """Return the user of the machine who runs this process, in the form of `AuditEntry.who`."""
    try:
        return f"login:{getuser()}"
    except (KeyError, OSError):  # a user ID without an account, as in a container
        return f"login:{os.getuid()}"


def append_entries(database: Database, *entries: AuditEntry) -> None:
    """Append entries in one transaction. Raises StoreError; then none is stored."""
    with database.nested():
        database.lock_writes("audit")
        last = database.rows("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1")
        number, before = last[0] if last else (0, "")
        rows = []
        for entry in entries:
            number, before = number + 1, _hash(before, number + 1, entry)
            rows.append((number, *astuple(entry), before))
        database.each("INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def newest(database: Database, most: int) -> list[Numbered]:
    """Return at most `most` entries, the newest first."""
    return [_numbered(row) for row in database.rows(f"{QUERY} ORDER BY number DESC LIMIT ?", (most,))]


def verified(database: Database) -> Iterator[Numbered]:
    """Yield all entries in order. Raises StoreError at the first entry that breaks the chain."""
    number, before = 0, ""
    while rows := database.rows(f"{QUERY} WHERE number > ? ORDER BY number LIMIT {BATCH}", (number,)):
        for row in rows:
            found = _numbered(row)
            if found.number != number + 1 or found.hash != _hash(before, found.number, found.entry):
                raise StoreError(f"audit: entry {number + 1} is missing or was changed; use a copy of before")
            number, before = found.number, found.hash
            yield found


def _numbered(row: tuple[object, ...]) -> Numbered:
    number, at, who, address, act, about, digest = row
    return Numbered(int(str(number)), AuditEntry(at, who, address, act, about), str(digest))  # type: ignore[arg-type]  # as append wrote them


def _hash(before: str, number: int, entry: AuditEntry) -> str:
    return sha256(json_text([before, number, *astuple(entry)]).encode()).hexdigest()
