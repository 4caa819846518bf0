"""Seal of a journal while it is written: a leaf for each row, and a checkpoint at the end of each round.

Rows and their leaves are written in one commit. This module must never alter a row, and never sign a tree
that it has not built itself from the last signed one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from controller.common.tlog.merkle import BadFrontier, Frontier
from controller.common.tlog.note import BadNote, Checkpoint, Note
from controller.record.journal.beginning import beginning_of
from controller.record.journal.leaf_check import first_difference
from controller.record.journal.leaves import COLUMNS, hash_of
from controller.record.journal.results import RoundResult
from controller.record.journal.rows import identity_of
from controller.record.journal.schema import Damaged, JournalError, NotOurJournal, read_of
from controller.record.seal.faces import Period, period_key
from controller.record.seal.keys import Keys, KeysError, NoKeys
from controller.record.seal.ratchet import seal_of_text

ORIGIN = "crisscross.invalid/table"
"""Origin in the checkpoints of a journal that has no table file, whose name would be the origin."""


class Growth:
    """Leaves of one commit in progress, and the tree that they will give."""

    def __init__(self, frontier: Frontier) -> None:
        self.frontier = frontier
        self.leaves: list[tuple[int, str, int, bytes]] = []

    def add(self, table: str, seq: int, row: tuple[object, ...]) -> None:
        """Add the leaf of a row that this commit writes. `table`: its label, the table's name and for figures
        their key too; `seq`: its number in the table; `row`: the columns of the leaf."""
        hashed = hash_of(table.partition(" ")[0], row)
        self.leaves.append((self.frontier.size, table, seq, hashed))
        self.frontier = self.frontier.add(hashed)


class Seal:
    """Part of an open journal that adds its rows to the tree of leaves, writes checkpoints and encrypts
    faces."""

    def __init__(self, db: sqlite3.Connection, path: Path, keys: Keys) -> None:
        """Read the last checkpoint and the rows since. Raises JournalError if these rows differ from their
        leaves."""
        self._db, self._path = db, path
        self.keys = keys
        with read_of("the seal"):
            self.journal = identity_of(db)
            self.frontier, self._round = self._last_signed()
            last = db.execute("SELECT max(period) FROM opened").fetchone()[0]
        self.period = self._period(0 if last is None else last + 1)
        self._extend_tree()
        self._catch_up_ratchet()

    def _period(self, number: int) -> Period:
        return Period(number, period_key(self.keys.faces, self.journal, number))

    def _last_signed(self) -> tuple[Frontier, int]:
        """Return the tree of the last checkpoint, and the round that the checkpoint names."""
        query = "SELECT note, frontier, round FROM checkpoints ORDER BY size DESC LIMIT 1"
        found = self._db.execute(query).fetchone()
        if found is None:
            return beginning_of(self._db).tree, 0
        try:
            note, frontier = Note.parse(str(found[0])), Frontier.parse(str(found[1]))
            signed = note.signed_by(self.keys.signing.verifier())
            checkpoint = Checkpoint.parse(note.text)
        except (BadNote, BadFrontier):
            raise Damaged("the last checkpoint is not as it was written") from None
        if not signed or (checkpoint.size, checkpoint.root) != (frontier.size, frontier.root()):
            raise Damaged("the last checkpoint is not of this journal and its keys")
        return frontier, self._last_round(found[2])

    def _last_round(self, signed: int) -> int:
        """Return the number of the last round with a result, or the round of the checkpoint if all results
        were archived."""
        last = self._db.execute("SELECT max(round) FROM results").fetchone()[0]
        return int(signed if last is None else last)

    def _extend_tree(self) -> None:
        """Extend the tree from the last checkpoint, comparing every later row with its leaf."""
        size = self.frontier.size
        wrong = first_difference(self._db, since=size)
        if wrong is not None:
            raise Damaged(wrong)
        with read_of("the leaves"):
            rows = self._db.execute("SELECT hash FROM leaves WHERE n >= ? ORDER BY n", (size,))
            self.frontier = self.frontier.extend(row[0] for row in rows)

    def _catch_up_ratchet(self) -> None:
        """Advance the ratchet if the power failed between a checkpoint and the ratchet's step. The ratchet
        never goes back: a journal with fewer checkpoints than it has sealed was refused before
        (completeness.py).
        """
        with read_of("the checkpoints"):
            last = self._db.execute("SELECT max(number) FROM checkpoints").fetchone()[0]
        due = 0 if last is None else int(last) + 1
        if self.keys.number < due:
            while self.keys.number < due:
                self.keys = self.keys.next_step()
            self.keys.keep()

    # ------------------------------------------------------------------ writing

    def growth(self) -> Growth:
        """Return the growth of one commit after its transaction has begun; call `advance` after the
        commit."""
        self._include_acts()
        return Growth(self.frontier)

    def _include_acts(self) -> None:
        """Extend the tree by acts that a command appended since the last commit (history.py). Any other
        foreign leaf is left out on purpose: the first leaf of this commit then has the same number, and the
        commit fails."""
        query = """
            SELECT l.n, l.hash, h.n, h.act, h.utc, h.who, h.seq, h.body
            FROM leaves l LEFT JOIN history h ON l.what = 'history' AND h.n = l.seq
            WHERE l.n >= ? ORDER BY l.n
        """
        for n, hashed, *row in self._db.execute(query, (self.frontier.size,)).fetchall():
            if n != self.frontier.size or hash_of("history", tuple(row)) != hashed:
                return
            self.frontier = self.frontier.add(hashed)

    def write(self, growth: Growth) -> None:
        """Write the leaves of a commit, in the same transaction as its rows."""
        self._db.executemany("INSERT INTO leaves VALUES (?, ?, ?, ?)", growth.leaves)

    def advance(self, growth: Growth) -> None:
        self.frontier = growth.frontier

    def write_checkpoint(self, growth: Growth, results: Sequence[RoundResult], *, open_faces: bool) -> None:
        """Write results of rounds, and in the same commit a checkpoint that covers them. `open_faces`: also
        store the key of the period, by which its faces can be read."""
        count = int(self._db.execute("SELECT max(n) FROM results").fetchone()[0] or 0)
        for number, result in enumerate(results, start=count + 1):
            row = (result.seq, result.round, result.kind, result.body)
            self._db.execute("INSERT INTO results VALUES (?, ?, ?, ?, ?)", (number, *row))
            growth.add("results", number, row)
            if result.line:
                self._db.execute("INSERT OR REPLACE INTO lines VALUES (?, ?)", (number, result.line))
        self._round = max([self._round, *(result.round for result in results)])
        if open_faces:
            key = (self.period.number, self.period.key.hex())
            self._db.execute("INSERT INTO opened VALUES (?, ?)", key)
            growth.add("opened", self.period.number, key)
        self._sign(growth.frontier)

    def _sign(self, tree: Frontier) -> None:
        signing = self.keys.signing
        text = Checkpoint(signing.name, tree.size, tree.root()).text()
        note = str(Note.of(text, signing.sign(text)))
        seal = seal_of_text(self.keys.ratchet, text)
        row = (tree.size, self._round, note, seal, tree.text(), self.keys.number)
        self._db.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)", row)

    def advance_keys(self, growth: Growth, *, opened: bool) -> None:
        """Advance the keys after the checkpoint is on the disk. Raises KeysError if the next key cannot be
        written; this is retried with the next checkpoint, or at the next start."""
        self.advance(growth)
        self.keys = self.keys.next_step()
        if opened:
            self.period = self._period(self.period.number + 1)
        self.keys.keep()


# ---------------------------------------------------------------------- opening


def seal_of(db: sqlite3.Connection, path: Path, folder: Path, origin: str, *, durable: bool) -> Seal:
    """Return the seal of a journal, and begin it if there is none. Raises JournalError if the seal does not
    match the journal or cannot be begun."""
    with _key_errors(path):
        with read_of("the seal"):
            begun = db.execute("SELECT count(*) FROM identity").fetchone()[0]
        try:
            keys = Keys.read(folder, durable=durable)
        except NoKeys:
            if begun:
                raise NotOurJournal(
                    f"journal {path}: its keys are not in {folder}; put them back "
                    "(without them only another journal can be begun)"
                ) from None
            keys = Keys.new(folder, origin, durable=durable)
    if not begun:
        _begin(db)
    return Seal(db, path, keys)


def _begin(db: sqlite3.Connection) -> None:
    """Create a leaf for every row that a program without seals wrote."""
    growth = Growth(Frontier())
    for table in COLUMNS:
        with read_of(table):
            for seq, key, row in _rows(db, table):
                growth.add(key, seq, row)
    with read_of("the seal"):
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO leaves VALUES (?, ?, ?, ?)", growth.leaves)
        db.execute("INSERT INTO identity VALUES (?)", (token_hex(16),))
        db.execute("COMMIT")


def _rows(db: sqlite3.Connection, table: str) -> Iterator[tuple[int, str, tuple[object, ...]]]:
    """Yield row number, label and leaf columns of each row."""
    for seq, *row in db.execute(f"SELECT rowid, {COLUMNS[table]} FROM {table} ORDER BY rowid"):  # noqa: S608
        figure = table == "figures"
        yield (int(row[1]), f"figures {row[0]}", tuple(row)) if figure else (int(seq), table, tuple(row))


@contextmanager
def _key_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except KeysError as error:
        raise JournalError(f"journal {path}: {error}") from None
