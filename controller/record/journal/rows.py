"""Reads the rows of a journal, and opens what is sealed with the keys that are to be had.

It never writes, and never passes over a row that it cannot read. What it says of one is its number alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pydantic_core import from_json

from controller.common.files import zones
from controller.game.model.events import Event, FloorDecided, RoundCorrected, Stamp
from controller.record.journal.codec import decode
from controller.record.journal.files import has_seal, keys_beside, place_of
from controller.record.journal.leaves import about_event, about_snapshot
from controller.record.journal.results import Result
from controller.record.journal.schema import Damaged, read_of, reading_error
from controller.record.seal.faces import CannotOpen, NoKey, Opener, is_sealed, period_key
from controller.record.seal.keys import secret_of

CORRECTING = RoundCorrected.__name__
ALL = 2**63 - 1
"""More rows than there are."""
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

    def zone(self) -> str:
        """Return the zone of the table's clock; empty if it names none. Raises Damaged if it is no zone."""
        try:
            zone = str(from_json(self.settings).get("zone") or "")
        except (ValueError, AttributeError):
            raise Damaged(f"the settings from row {self.seq} on are not as they were written") from None
        if zone and not zones.known(zone):
            raise Damaged(f"the settings from row {self.seq} on name a time zone that is not known here")
        return zone


def opener(db: sqlite3.Connection, secret: bytes | None = None) -> Opener:
    """Return the opener of sealed rows of this journal: with the keys that rounds have left there and, for
    the round in play, with the secret; where none is given, with that of the folder beside the journal, if
    this user may read it."""
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
    db: sqlite3.Connection, after: int = 0, kind: str | None = None, opened: Opener | None = None,
    until: int = ALL,
) -> Iterator[Row]:  # fmt: skip
    """The rows after row `after` and up to row `until`, in order; of one kind where it is named. `Damaged`
    names the first that cannot be read, `StillSealed` the first whose key is not here. `opened`: with these
    keys."""
    query = (
        "SELECT seq, ms, utc, kind, body, mark FROM events "
        "WHERE seq > ? AND seq <= ? AND (? IS NULL OR kind = ?) ORDER BY seq"
    )
    keys = opened or opener(db)
    try:
        for row in db.execute(query, (after, until, kind, kind)):
            seq, ms, utc, own, body, mark = row
            if not isinstance(body, str):
                raise Damaged(f"row {seq} is no text")
            if is_sealed(body):
                body = _opened(keys, body, about_event(keys.journal, seq, ms, utc, own, mark), f"row {seq}")
            yield Row(seq, Stamp(ms, utc), own, body, mark)
            after = seq
    except sqlite3.Error as error:
        raise reading_error(f"the row after row {after}", error) from None


def told_rows(db: sqlite3.Connection, after: int = 0, until: int = ALL) -> Iterator[Row]:
    """The same as far as they can be opened: where the key is not here, what follows belongs to a round that
    has not ended."""
    with suppress(StillSealed):
        yield from read_rows(db, after, until=until)


def read_decisions(db: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    """Yield (seq, badge, reason) of each decision of the floor. It has no face and is never sealed."""
    query = "SELECT seq, body FROM events WHERE kind = ? ORDER BY seq"
    with read_of("the decisions of the floor"):
        for seq, body in db.execute(query, (FloorDecided.__name__,)):
            told = from_json(body)
            yield seq, str(told["badge"]), str(told.get("reason", ""))


def read_snapshots(
    db: sqlite3.Connection, opened: Opener | None = None, until: int = ALL
) -> Iterator[tuple[int, str]]:
    """(seq, state) of those up to row `until`, the newest first; those that can be opened."""
    keys = opened or opener(db)
    query = "SELECT seq, state FROM snapshots WHERE seq <= ? ORDER BY seq DESC LIMIT 1"
    while True:
        with read_of("the snapshots"):
            row = db.execute(query, (until,)).fetchone()
        if row is None:
            return
        seq, state = row
        with suppress(StillSealed):
            yield seq, _opened(keys, state, about_snapshot(keys.journal, seq), f"the snapshot at row {seq}")
        until = seq - 1


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
    """Return the results of the rounds, in order; none in a journal of before there was a seal."""
    if not has_seal(db):
        return []
    query = f"SELECT seq, round, kind, body, coalesce(line, '') FROM {_results(db)} ORDER BY n"  # noqa: S608
    with read_of("the results"):
        return [Result(*row) for row in db.execute(query)]


def _results(db: sqlite3.Connection) -> str:
    """With their lines, where a program that keeps lines has written to the journal."""
    table = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'lines'").fetchone()[0]
    return "results LEFT JOIN lines USING (n)" if table else "(SELECT *, NULL AS line FROM results)"


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A result without its body, which `read_body` reads."""

    n: int
    seq: int
    round: int
    kind: str
    line: str
    """As it was kept (lines.py); empty where none was."""


def read_kept(db: sqlite3.Connection) -> list[KeptRow]:
    """Every result, in order; nothing in a journal of before there was a seal."""
    if not has_seal(db):
        return []
    query = f"SELECT n, seq, round, kind, coalesce(line, '') FROM {_results(db)} ORDER BY n"  # noqa: S608
    with read_of("the results"):
        return [KeptRow(*row) for row in db.execute(query)]


def read_body(db: sqlite3.Connection, kept: KeptRow) -> Any:  # noqa: ANN401  # as its kind says
    """The record or the correction. `Damaged` where it is no JSON."""
    with read_of("the results"):
        (body,) = db.execute("SELECT body FROM results WHERE n = ?", (kept.n,)).fetchone()
    try:
        return from_json(body)
    except ValueError:
        raise Damaged(f"what is kept of round {kept.round} is no JSON") from None


class _OfARecord:
    """No generator: it is entered twice for each round of a long journal."""

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, (LookupError, TypeError, AttributeError, ValueError)):
            raise Damaged("what is kept of a round is no record") from None


OF_A_RECORD = _OfARecord()
"""Errors of a record that is JSON, and no record; they become Damaged."""


def read_corrections(db: sqlite3.Connection, number: int) -> Iterator[Row]:
    """The rows that corrected that round after it had ended, in order: those whose results are kept, and any
    before the first and after the last of these."""
    results = read_kept(db)
    first, last = (results[0].seq, results[-1].seq) if results else (0, 0)
    yield from read_rows(db, 0, CORRECTING, until=first)
    for each in results:
        if each.round == number and each.kind == "correction" and each.seq > first:
            yield from read_rows(db, each.seq - 1, until=each.seq)
    yield from read_rows(db, last, CORRECTING)


def read_last_mark(db: sqlite3.Connection) -> str | None:
    query = "SELECT mark FROM events WHERE mark IS NOT NULL ORDER BY seq DESC LIMIT 1"
    with read_of("the shoe's last mark"):
        row = db.execute(query).fetchone()
    return None if row is None else str(row[0])
