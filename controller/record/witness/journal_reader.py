"""Checkpoints of a journal, the proofs between them, and storage of their cosignatures.

The journal is opened read-only, while the daemon runs, and only for one request at a time.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from controller.common.tlog.merkle import BadFrontier, Frontier
from controller.common.tlog.note import BadNote, Checkpoint, Note
from controller.record.journal.files import reading
from controller.record.journal.schema import JournalError
from controller.record.seal.cosigned import CosignedLine, append_line, cosignatures_path
from controller.record.witness.add_request import AddRequest

NEWEST = "SELECT size, note FROM checkpoints ORDER BY size DESC LIMIT 1"
FRONTIER = "SELECT frontier FROM checkpoints WHERE size = ?"
LEAVES = "SELECT hash FROM leaves WHERE n >= ? AND n < ? ORDER BY n"


@dataclass(frozen=True, slots=True)
class Newest:
    size: int
    note: Note


class CheckpointSource(Protocol):
    """Access of a feed to one journal: its files, or a socket of a process that may read them."""

    def newest(self) -> Newest | None:
        """Return the newest checkpoint, or None. Raises JournalError if the journal cannot be read, OSError
        if the connection fails."""

    def ask_for(self, checkpoint: Newest, seen: int) -> AddRequest:
        """Return the request to cosign it, for a witness that has seen `seen` leaves. Raises like
        `newest`."""

    def keep(self, line: CosignedLine) -> None:
        """Write a cosignature to the disk. Raises JournalError if that fails, OSError if the connection
        fails."""


@dataclass(frozen=True, slots=True)
class FileSource:
    """Access through the journal's own files, as its own user."""

    journal: Path

    def newest(self) -> Newest | None:
        return newest(self.journal)

    def ask_for(self, checkpoint: Newest, seen: int) -> AddRequest:
        return ask_for(self.journal, checkpoint, seen)

    def keep(self, line: CosignedLine) -> None:
        append_line(cosignatures_path(self.journal), line)


def newest(journal: Path) -> Newest | None:
    """Return the newest checkpoint, or None. Raises JournalError if it cannot be read."""
    with reading(journal) as db:
        row = db.execute(NEWEST).fetchone()
    return None if row is None else Newest(row[0], _note(journal, *row))


def ask_for(journal: Path, checkpoint: Newest, seen: int) -> AddRequest:
    """Return the request to cosign a checkpoint, for a witness that has seen `seen` leaves. Raises
    JournalError if the journal cannot be read."""
    if seen == 0:
        return AddRequest.of(0, [], checkpoint.note)
    with reading(journal) as db:
        frontier = _frontier(journal, db, seen)
        proof = frontier.consistency(_leaves(journal, db, seen, checkpoint.size))
    return AddRequest.of(seen, proof, checkpoint.note)


def _frontier(journal: Path, db: sqlite3.Connection, size: int) -> Frontier:
    """Return the frontier at `size`: the one stored with the checkpoint, or one built from the leaves for a
    size without a checkpoint."""
    row = db.execute(FRONTIER, (size,)).fetchone()
    if row is None:
        return Frontier.of(_leaves(journal, db, 0, size))
    try:
        frontier = Frontier.parse(row[0])
    except BadFrontier as error:
        raise JournalError(f"journal {journal}: checkpoint {size}: {error}") from None
    if frontier.size != size:
        raise JournalError(
            f"journal {journal}: checkpoint {size}: its frontier is one of {frontier.size} leaves"
        )
    return frontier


def _leaves(journal: Path, db: sqlite3.Connection, first: int, end: int) -> list[bytes]:
    found = [row[0] for row in db.execute(LEAVES, (first, end))]
    if len(found) != end - first:
        raise JournalError(
            f"journal {journal}: leaves are missing between {first} and {end}; put back a copy"
        )
    return found


def _note(journal: Path, size: int, text: str) -> Note:
    try:
        note = Note.parse(text)
        leaves = Checkpoint.parse(note.text).size
    except BadNote as error:
        raise JournalError(f"journal {journal}: the newest checkpoint: {error}; put back a copy") from None
    if leaves != size:
        raise JournalError(
            f"journal {journal}: checkpoint {size}: it is one of {leaves} leaves; put back a copy"
        )
    return note
