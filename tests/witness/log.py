"""Log for tests: the growing tree of a table, its signed checkpoints, and the tables of a journal that store
both."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.common.tlog.merkle import Frontier, consistency, leaf_hash
from controller.common.tlog.note import Checkpoint, Note, SigningKey
from controller.record.journal.journal import Journal
from controller.record.witness.add_request import AddRequest

ORIGIN = "house.example/T-1"
TABLE = SigningKey(ORIGIN, Ed25519PrivateKey.from_private_bytes(b"t" * 32))
WITNESS = SigningKey("surveillance.example/w", Ed25519PrivateKey.from_private_bytes(b"w" * 32))


@dataclass
class Log:
    """Sealed log of a table, as a witness sees it: checkpoints over a growing tree of rows. Another `salt`
    gives other rows under the same name, like a table that shows two histories."""

    origin: str = ORIGIN
    key: SigningKey = TABLE
    salt: str = ""
    leaves: list[bytes] = field(default_factory=list)

    def grow(self, number: int, salt: str = "") -> Log:
        first = len(self.leaves)
        prefix = salt or self.salt
        self.leaves += [leaf_hash(f"{prefix}{each}".encode()) for each in range(first, first + number)]
        return self

    def note(self, size: int | None = None) -> Note:
        size = len(self.leaves) if size is None else size
        text = Checkpoint(self.origin, size, Frontier.of(self.leaves[:size]).root()).text()
        return Note.of(text, self.key.sign(text))

    def ask(self, old: int, size: int | None = None) -> AddRequest:
        """Return a request for the checkpoint of size `size` (None: the newest), with the proof that it
        extends the one of size `old`."""
        size = len(self.leaves) if size is None else size
        return AddRequest.of(old, consistency(self.leaves[:size], old) if old else [], self.note(size))

    def body(self, old: int, size: int | None = None) -> bytes:
        return self.ask(old, size).body()


def write_journal(path: Path, log: Log, sizes: list[int]) -> None:
    """Write the leaves and checkpoints of a log into a journal, which is created if it does not exist."""
    if not path.exists():
        Journal(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        rows = [(n, "events", n + 1, leaf) for n, leaf in enumerate(log.leaves)]
        db.executemany("INSERT OR REPLACE INTO leaves VALUES (?, ?, ?, ?)", rows)
        for size in sizes:
            row = (size, 1, str(log.note(size)), "", Frontier.of(log.leaves[:size]).text(), 0)
            db.execute("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)", row)
