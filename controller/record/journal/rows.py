"""Reading of a journal's rows, unsealed with the available keys.

It never writes, and never skips a row that it cannot read. Its errors name only the number of a row.
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
from controller.record.journal.codec import decode_event
from controller.record.journal.files import default_keys, has_seal, path_of
from controller.record.journal.leaves import about_event, about_snapshot
from controller.record.journal.results import RoundResult
from controller.record.journal.schema import Damaged, read_of, reading_error
from controller.record.seal.faces import CannotOpen, NoKey, Opener, is_sealed, period_key
from controller.record.seal.keys import faces_secret

CORRECTION_KIND = RoundCorrected.__name__
MAX_SEQ = 2**63 - 1
"""Upper limit of row numbers."""
NOTHING = "Nothing"
"""Kind of a row without an event: it stores the mark of a shoe's frame that the table cannot use."""


class StillSealed(Damaged):
    """Raised if a row holds a face of a round that has not ended, and its key is not available."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the journal: an event as text. `stamp`: its times; `kind`, `body`: name and JSON of the
    event; `mark`: mark of the shoe's frame that reported it, or None."""

    seq: int
    stamp: Stamp
    kind: str
    body: str = field(repr=False)
    mark: str | None

    def event(self) -> Event | None:
        return None if self.kind == NOTHING else decode_event(self.kind, self.body)


@dataclass(frozen=True, slots=True)
class Settings:
    """Rule pack and table settings that apply from row `seq` on, as JSON."""

    seq: int
    digest: str
    pack: str
    settings: str

    def zone(self) -> str:
        """Return the time zone of the table's clock; "" if it names none. Raises Damaged if it is not a
        known zone."""
        try:
            zone = str(from_json(self.settings).get("zone") or "")
        except (ValueError, AttributeError):
            raise Damaged(f"the settings from row {self.seq} on are not as they were written") from None
        if zone and not zones.known(zone):
            raise Damaged(f"the settings from row {self.seq} on name a time zone that is not known here")
        return zone


def identity_of(db: sqlite3.Connection) -> str:
    """Return the journal's identifier, a random text that is written once, before the first row. Raises
    Damaged unless the journal has exactly one."""
    with read_of("the seal"):
        named = db.execute("SELECT id FROM identity").fetchall()
        if len(named) != 1:
            raise Damaged("it has not one identity")
        return str(named[0][0])


def _has_rows(db: sqlite3.Connection) -> bool:
    """Return whether the journal has rows. One without rows may have no identifier yet, since its first
    daemon writes that before any row."""
    with read_of("the rows"):
        return db.execute("SELECT 1 FROM events LIMIT 1").fetchone() is not None


def opener(db: sqlite3.Connection, secret: bytes | None = None) -> Opener:
    """Return the opener of this journal's sealed rows.

    It uses the stored keys for ended rounds, and `secret` for the round in play: by default the secret in the
    folder beside the journal, if this user may read it.
    """
    if not has_seal(db) or not _has_rows(db):
        return Opener("", lambda _period: None)
    journal = identity_of(db)
    secret = secret or faces_secret(default_keys(path_of(db)))

    def key_of(period: int) -> bytes | None:
        row = db.execute("SELECT key FROM opened WHERE period = ?", (period,)).fetchone()
        if row is not None:
            return bytes.fromhex(row[0])
        return period_key(secret, journal, period) if secret else None

    return Opener(journal, key_of)


def read_rows(
    db: sqlite3.Connection, after: int = 0, kind: str | None = None, opened: Opener | None = None,
    until: int = MAX_SEQ,
) -> Iterator[Row]:  # fmt: skip
    """Yield the rows after `after` up to `until`, in order, optionally of one kind. Raises Damaged for the
    first unreadable row, StillSealed for the first without a key. `opened`: the keys to use; by default
    those of `opener`."""
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
                body = _unseal(keys, body, about_event(keys.journal, seq, ms, utc, own, mark), f"row {seq}")
            yield Row(seq, Stamp(ms, utc), own, body, mark)
            after = seq
    except sqlite3.Error as error:
        raise reading_error(f"the row after row {after}", error) from None


def readable_rows(db: sqlite3.Connection, after: int = 0, until: int = MAX_SEQ) -> Iterator[Row]:
    """Yield the rows after row `after`, up to row `until` or the first one whose key is not available. The
    latter is the first face of the round in play."""
    with suppress(StillSealed):
        yield from read_rows(db, after, until=until)


def read_decisions(db: sqlite3.Connection) -> Iterator[tuple[int, str, str]]:
    """Yield (seq, badge, reason) of each decision of the floor. A decision holds no face and is never
    sealed."""
    query = "SELECT seq, body FROM events WHERE kind = ? ORDER BY seq"
    with read_of("the decisions of the floor"):
        for seq, body in db.execute(query, (FloorDecided.__name__,)):
            decision = from_json(body)
            yield seq, str(decision["badge"]), str(decision.get("reason", ""))


def read_snapshots(
    db: sqlite3.Connection, opened: Opener | None = None, until: int = MAX_SEQ
) -> Iterator[tuple[int, str]]:
    """Yield (seq, state) of the snapshots up to row `until` that can be unsealed, the newest first."""
    keys = opened or opener(db)
    query = "SELECT seq, state FROM snapshots WHERE seq <= ? ORDER BY seq DESC LIMIT 1"
    while True:
        with read_of("the snapshots"):
            row = db.execute(query, (until,)).fetchone()
        if row is None:
            return
        seq, state = row
        with suppress(StillSealed):
            yield seq, _unseal(keys, state, about_snapshot(keys.journal, seq), f"the snapshot at row {seq}")
        until = seq - 1


def _unseal(keys: Opener, text: str, about: bytes, what: str) -> str:
    try:
        return keys.open(text, about)
    except NoKey:
        raise StillSealed(f"{what} is sealed, and the key of its round is not here") from None
    except CannotOpen:
        raise Damaged(f"{what} is not as it was written") from None


def read_settings(db: sqlite3.Connection) -> list[Settings]:
    """Return all settings in the order in which they came into force."""
    query = "SELECT seq, digest, pack, settings FROM settings ORDER BY rowid"
    with read_of("the rules in force"):
        return [Settings(*row) for row in db.execute(query)]


def read_results(db: sqlite3.Connection) -> list[RoundResult]:
    """Return the results of the rounds, in order; none in a journal older than the seals."""
    if not has_seal(db):
        return []
    query = f"SELECT seq, round, kind, body, coalesce(line, '') FROM {_results(db)} ORDER BY n"  # noqa: S608
    with read_of("the results"):
        return [RoundResult(*row) for row in db.execute(query)]


def _results(db: sqlite3.Connection) -> str:
    """Return the SQL source of results, with their lines if a program that stores lines has written to the
    journal."""
    table = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'lines'").fetchone()[0]
    return "results LEFT JOIN lines USING (n)" if table else "(SELECT *, NULL AS line FROM results)"


@dataclass(frozen=True, slots=True)
class ResultHead:
    """Result of a round without its record or correction, which `read_body` reads only when it is needed."""

    n: int
    seq: int
    round: int
    kind: str
    line: str
    """Stored summary line (round_summary.py); "" if there is none."""


def read_result_heads(db: sqlite3.Connection) -> list[ResultHead]:
    """Return every result without its body, in order; none in a journal older than the seals."""
    if not has_seal(db):
        return []
    query = f"SELECT n, seq, round, kind, coalesce(line, '') FROM {_results(db)} ORDER BY n"  # noqa: S608
    with read_of("the results"):
        return [ResultHead(*row) for row in db.execute(query)]


def read_body(db: sqlite3.Connection, kept: ResultHead) -> Any:  # noqa: ANN401  # as its kind says
    """Return the record or the correction. Raises Damaged if it is not JSON."""
    with read_of("the results"):
        (body,) = db.execute("SELECT body FROM results WHERE n = ?", (kept.n,)).fetchone()
    try:
        return from_json(body)
    except ValueError:
        raise Damaged(f"what is kept of round {kept.round} is no JSON") from None


class _RecordErrors:
    """Context manager that turns errors caused by malformed records into Damaged. It is entered twice for
    each round of a long journal, so it is written as a class: a generator would be slower."""

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, (LookupError, TypeError, AttributeError, ValueError)):
            raise Damaged("what is kept of a round is no record") from None


RECORD_ERRORS = _RecordErrors()
"""Use it around code that reads a stored record: valid JSON that is not a record then raises Damaged."""


def read_corrections(db: sqlite3.Connection, number: int) -> Iterator[Row]:
    """Yield the rows that corrected that round after its end, in order: those with a stored result, then any
    before the first and after the last result."""
    results = read_result_heads(db)
    first, last = (results[0].seq, results[-1].seq) if results else (0, 0)
    yield from read_rows(db, 0, CORRECTION_KIND, until=first)
    for each in results:
        if each.round == number and each.kind == "correction" and each.seq > first:
            yield from read_rows(db, each.seq - 1, until=each.seq)
    yield from read_rows(db, last, CORRECTION_KIND)


def read_last_mark(db: sqlite3.Connection) -> str | None:
    query = "SELECT mark FROM events WHERE mark IS NOT NULL ORDER BY seq DESC LIMIT 1"
    with read_of("the shoe's last mark"):
        row = db.execute(query).fetchone()
    return None if row is None else str(row[0])
