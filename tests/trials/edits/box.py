"""Machine under its owner's control: the journal and every key on it, and the data that other parties store.

The owner can recompute leaves, sign checkpoints and seal with the ratchet's present key, but has no earlier
key of the ratchet and no data of the witness.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.common.tlog.merkle import Frontier
from controller.common.tlog.note import Checkpoint, Note
from controller.record.audit.integrity import verify_journal
from controller.record.audit.proof.sealed import Trust
from controller.record.journal.leaves import COLUMNS, hash_of
from controller.record.journal.schema import JournalError
from controller.record.seal.keys import Keys, hand_over
from controller.record.seal.ratchet import seal_of_text


class Box:
    """Machine of a table, as its owner may tamper with it: the journal, and the keys that it still has."""

    def __init__(self, folder: Path) -> None:
        self.journal = folder / "journal.db"
        self.keys = folder / "journal.db.keys"

    def copy_journal(self, folder: Path) -> Box:
        """Return a copy of the machine in another folder, to be edited there."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(self.journal, folder / self.journal.name)
        shutil.copytree(self.keys, folder / self.keys.name)
        return Box(folder)

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """Open the journal without its triggers, for any edit by its owner."""
        with closing(sqlite3.connect(self.journal)) as db:
            for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                db.execute(f"DROP TRIGGER {name}")
            yield db
            db.commit()

    def sign_anew(self, keys: Keys | None = None) -> None:
        """Compute the leaves of changed rows again, and sign and seal the checkpoints over them with the
        present keys, as an owner would to hide an edit. Seals of unchanged checkpoints stay."""
        using = keys or Keys.read(self.keys)
        with self.open() as db:
            hashes = _leaves(db)
            for size, kept in db.execute("SELECT size, seal FROM checkpoints").fetchall():
                tree = Frontier.of(hashes[:size])
                text = Checkpoint(using.signing.name, tree.size, tree.root()).text()
                old = db.execute("SELECT note FROM checkpoints WHERE size = ?", (size,)).fetchone()[0]
                seal = kept if Note.parse(old).text == text else seal_of_text(using.ratchet, text)
                note = str(Note.of(text, using.signing.sign(text)))
                row = (note, seal, tree.text(), tree.size, size)
                change = "UPDATE checkpoints SET note = ?, seal = ?, frontier = ?, size = ? WHERE size = ?"
                db.execute(change, row)


def _leaves(db: sqlite3.Connection) -> list[bytes]:
    """Compute the hash of each leaf again from its row, and store those that have changed. Returns all
    hashes. A leaf whose row was removed keeps its hash."""
    found = []
    for n, what, seq, old in db.execute("SELECT n, what, seq, hash FROM leaves ORDER BY n").fetchall():
        table, _, key = what.partition(" ")
        query = f"SELECT {COLUMNS[table]} FROM {table} WHERE rowid = ?"  # noqa: S608
        if key:
            row = db.execute(
                "SELECT key, seq, sums FROM figures WHERE (key, seq) = (?, ?)", (key, seq)
            ).fetchone()
        else:
            row = db.execute(query, (seq,)).fetchone()
        hashed = hash_of(table, row) if row else old
        if hashed != old:
            db.execute("UPDATE leaves SET hash = ? WHERE n = ?", (hashed, n))
        found.append(hashed)
    return found


def trusted(box: Box) -> Trust:
    """Return the data that others have of this machine before an edit: its public key, the ratchet's first
    key, and the newest checkpoint, which a witness stores."""
    with box.open() as db:
        note = db.execute("SELECT note FROM checkpoints ORDER BY size DESC LIMIT 1").fetchone()[0]
    key = Keys.read(box.keys).signing.verifier()
    with hand_over(box.keys) as first:
        return Trust(key, bytes.fromhex(first), [Note.parse(note)])


def named(box: Box, trust: Trust) -> str:
    """Verify the journal, and return the fault that is named, or "" if none is."""
    try:
        verify_journal(box.journal, trust)
    except JournalError as error:
        return str(error)
    return ""
