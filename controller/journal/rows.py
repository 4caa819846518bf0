"""Reads the rows of a journal, and opens what is sealed with the keys that are to be had.

It never writes, and never passes over a row that it cannot read. What it says of one is its number alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from controller.game.model.events import Event, Stamp
from controller.journal.codec import decode
from controller.journal.files import has_seal, keys_beside, place_of
from controller.journal.leaves import about_event, about_snapshot
from controller.journal.results import Result
from controller.journal.schema import Damaged, read_of, reading_error
from controller.seal.faces import CannotOpen, NoKey, Opener, is_sealed, period_key
from controller.seal.keys import secret_of

NOTHING = "Nothing"
"""A row without an event: a frame that the table cannot use, kept for its mark."""


class StillSealed(Damaged):
    """The row holds a face of a round that has not ended, and its key is not here."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the journal."""

    seq: int
    stamp: Stamp
    kind: str
    body: str = field(repr=False)
    mark: str | None

    def event(self) -> Event | None:
        return None if self.kind == NOTHING else decode(self.kind, self.body)


@dataclass(frozen=True, slots=True)
class Settings:
    """The rule pack and the table's settings that apply from row `seq` on, as JSON."""

    seq: int
    digest: str
    pack: str
    settings: str


def opener(db: sqlite3.Connection, secret: bytes | None = None) -> Opener:
    """Of what is sealed in this journal: with the keys that rounds have left there and, for the round in
    play, with the secret; where none is given, with that of the folder beside the journal, if this user may
    read it."""
    if not has_seal(db):
        return Opener("", lambda _period: None)
    with read_of("the seal"):
        journal = str(db.execute("SELECT id FROM identity").fetchone()[0])
    secret = secret or secret_of(keys_beside(place_of(db)))

    def key_of(period: int) -> bytes | None:
        row = db.execute("SELECT key FROM opened WHERE period = ?", (period,)).fetchone()
        if row is not None:
            return bytes.fromhex(row[0])
        return period_key(secret, journal, period) if secret else None

    return Opener(journal, key_of)


def read_rows(
    db: sqlite3.Connection, after: int = 0, kind: str | None = None, opened: Opener | None = None
) -> Iterator[Row]:
    """The rows after row `after`, in order; of one kind where it is named. `Damaged` names the first that
    cannot be read, `StillSealed` the first whose key is not here. `opened`: with these keys."""
    query = (
        "SELECT seq, ms, utc, kind, body, mark FROM events "
        "WHERE seq > ? AND (? IS NULL OR kind = ?) ORDER BY seq"
    )
    keys = opened or opener(db)
    try:
        for row in db.execute(query, (after, kind, kind)):
            seq, ms, utc, own, body, mark = row
            if not isinstance(body, str):
                raise Damaged(f"row {seq} is no text")
            if is_sealed(body):
                body = _opened(keys, body, about_event(keys.journal, seq, ms, utc, own, mark), f"row {seq}")
            yield Row(seq, Stamp(ms, utc), own, body, mark)
            after = seq
    except sqlite3.Error as error:
        raise reading_error(f"the row after row {after}", error) from None


def told_rows(db: sqlite3.Connection, after: int = 0) -> Iterator[Row]:
    """The same as far as they can be opened: where the key is not here, what follows belongs to a round that
    has not ended."""
    with suppress(StillSealed):
        yield from read_rows(db, after)


def read_snapshots(db: sqlite3.Connection, opened: Opener | None = None) -> list[tuple[int, str]]:
    """(seq, state), the newest first; those that can be opened."""
    keys = opened or opener(db)
    found = []
    with read_of("the snapshots"):
        rows = db.execute("SELECT seq, state FROM snapshots ORDER BY seq DESC").fetchall()
    for seq, state in rows:
        with suppress(StillSealed):
            about = about_snapshot(keys.journal, seq)
            found.append((seq, _opened(keys, state, about, f"the snapshot at row {seq}")))
    return found


def _opened(keys: Opener, text: str, about: bytes, what: str) -> str:
    try:
        return keys.open(text, about)
    except NoKey:
        raise StillSealed(f"{what} is sealed, and the key of its round is not here") from None
    except CannotOpen:
        raise Damaged(f"{what} is not as it was written") from None


def read_settings(db: sqlite3.Connection) -> list[Settings]:
    """In the order in which they came to apply."""
    query = "SELECT seq, digest, pack, settings FROM settings ORDER BY rowid"
    with read_of("the rules in force"):
        return [Settings(*row) for row in db.execute(query)]


def read_results(db: sqlite3.Connection) -> list[Result]:
    """What came of the rounds, in order; nothing in a journal of before there was a seal."""
    if not has_seal(db):
        return []
    with read_of("the results"):
        return [Result(*row) for row in db.execute("SELECT seq, round, kind, body FROM results ORDER BY n")]


def read_records(db: sqlite3.Connection) -> list[tuple[int, int]]:
    """(n, round) of every round record that the journal holds, the newest first; `read_record` reads one."""
    if not has_seal(db):
        return []
    with read_of("the results"):
        return db.execute("SELECT n, round FROM results WHERE kind = 'record' ORDER BY n DESC").fetchall()


def read_record(db: sqlite3.Connection, n: int) -> str:
    """Its JSON."""
    with read_of("the results"):
        return str(db.execute("SELECT body FROM results WHERE n = ?", (n,)).fetchone()[0])


def read_corrections(db: sqlite3.Connection) -> list[tuple[int, str]]:
    """(round, JSON) of every correction that was signed after its round had ended."""
    if not has_seal(db):
        return []
    with read_of("the results"):
        return db.execute("SELECT round, body FROM results WHERE kind = 'correction' ORDER BY n").fetchall()


def read_last_mark(db: sqlite3.Connection) -> str | None:
    query = "SELECT mark FROM events WHERE mark IS NOT NULL ORDER BY seq DESC LIMIT 1"
    with read_of("the shoe's last mark"):
        row = db.execute(query).fetchone()
    return None if row is None else str(row[0])
