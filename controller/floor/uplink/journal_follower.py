"""Follows a journal that the daemon writes, and adds its public events to the outbox.

It runs as a separate process without a network, because its replay needs the key of the faces in play. It
must never write a face that is not open. It opens the journal read-only.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from controller.common.process.log_once import LogOnce
from controller.floor.uplink import cursor, lineage, wire
from controller.floor.uplink.chip_times import ChipTimes
from controller.floor.uplink.outbox import ANEW, Diverged, Head, Outbox, OutboxError, Ready
from controller.floor.uplink.public_events import public_events, view_of
from controller.floor.uplink.snapshot import felt_of, floor_of
from controller.game.model.state import TableState
from controller.record.journal.codec import adapter
from controller.record.journal.files import has_seal, reading
from controller.record.journal.replay import Replayed, beginning, replayed_events
from controller.record.journal.rows import Row, opener, read_rows, read_settings, read_snapshots
from controller.record.journal.schema import JournalError, NotOurJournal
from controller.record.seal.keys import faces_secret

log = logging.getLogger("crisscross.uplink")

JOURNAL_POLL_S = 0.1
"""Seconds between two checks for new rows."""
ROWS_AT_ONCE = 400
MAX_JOURNAL_WAIT_S = 5.0
SEALED = "SELECT size, note, round FROM checkpoints WHERE size > ? ORDER BY size"


@dataclass(frozen=True, slots=True)
class Sealed:
    """Checkpoint of the journal's seal, to be published as an event. `row`: the last row that it covers;
    `ms`, `utc`: time of that row."""

    row: int
    size: int
    note: str
    round: int
    ms: int
    utc: str


class JournalFollower:
    """Follower of one journal. Call `step` whenever the journal may have new rows."""

    def __init__(
        self, journal: Path, keys: Path, name: str, outbox: Outbox, pits: Sequence[str] = ()
    ) -> None:  # fmt: skip
        """`pits`: names of the pits that acknowledge events; if empty, the pits named in the cursor."""
        self._journal, self._cursor = journal, cursor.cursor_path(journal)
        self._secret = faces_secret(keys)
        self._name = name
        self._outbox, self._pits = outbox, pits
        self._head: Head | None = None
        self._state: TableState | None = None
        self._at = 0
        """Row of the journal to which `_state` belongs."""
        self._chips: ChipTimes | None = None
        """Chips in the circles as stored in the outbox; None before they are first stored."""

    def step(self) -> bool:
        """Add the events of some rows to the outbox; return whether there may be more rows.

        Raises JournalError or OutboxError if one of the files cannot be used.
        """
        with reading(self._journal) as db:
            if not has_seal(db) or not lineage.number_of(db):
                return False
            head = self._head or self._found(db)
            found = self._outbox.diverged(head.stream)
            if found is not None or not lineage.is_same_journal(db, head):
                head = self._begin_stream(db, head, found)
            rows = list(islice(read_rows(db, self._at, opened=opener(db, self._secret)), ROWS_AT_ONCE))
            batch, last = self._batch_of(db, head, rows)
        if batch.head != head:
            felt = _felt(last, batch.head) if last is not None and last.seq > head.row else None
            chips = self._changed_chips(last, batch.head) if len(rows) < ROWS_AT_ONCE else None
            self._outbox.add(batch.head, batch.ready, felt, chips)
        self._head = batch.head
        return len(rows) == ROWS_AT_ONCE

    def _changed_chips(self, last: Replayed | None, head: Head) -> bytes | None:
        """Return the payload of the chips in the circles, or None if they are unchanged. Call it only at the
        end of the journal: a pit compares the chips that tables hold at the same time."""
        if last is None:
            return None
        times = (self._chips or ChipTimes()).after(last.after, last.context.utc)
        if self._chips is not None and times.chips == self._chips.chips:
            return None
        self._chips = times
        chips, left = times.newest(wire.MAX_LISTED_CHIPS)
        return wire.packed(wire.Chips(table=head.name, stream=head.stream, chips=chips, left=left))

    def _begin_stream(self, db: sqlite3.Connection, head: Head, found: Diverged | None) -> Head:
        """Begin another stream, because the journal has another history than the events published in this
        one. `found`: the pit's answer that revealed it, None if the journal itself did. Returns the position
        of the new stream."""
        if found is not None:
            low = min(found.low, found.sequence - 1)
        else:
            had = cursor.load_cursor(self._cursor, head.stream, self._outbox.root)
            low = min((had.get(pit, 0) for pit in self._pits or had), default=0)
        new = lineage.next_head(db, head, self._outbox, found, low)
        self._take_up(db, new)
        copy = self._outbox.begin_stream(new)
        self._chips = None
        log.warning(
            "outbox %s: the journal has another history than stream %s; stream %s begins after row %d, and "
            "a person joins the two at each pit; what was in the outbox is in %s",
            self._outbox.path, head.stream, new.stream, new.row, copy,
        )  # fmt: skip
        return new

    def _batch_of(
        self, db: sqlite3.Connection, head: Head, rows: Sequence[Row]
    ) -> tuple[Batch, Replayed | None]:
        at = rows[-1].seq if rows else self._at
        sealed, batch, last = _sealed(db, head.sealed, at), Batch(head), None
        for done in replayed_events(read_settings(db), rows, self._state):
            self._state, last = done.after, done
            if done.seq > head.row:
                batch.seal(sealed, before=done.seq)
                batch.add(done)
        self._at = at
        batch.seal(sealed, before=at + 1)
        if at >= head.row and (at > head.row or head.journal is None):
            tree = lineage.tree_to(db, at, head.journal)
            batch.head = replace(batch.head, row=at, journal=tree)
        return batch, last

    def _found(self, db: sqlite3.Connection) -> Head:
        """Return the outbox's position, and restore the state that the table had at its last row, so that a
        replay can continue there."""
        published = cursor.stream_of(self._cursor)
        head = self._outbox.head() or lineage.first_head(db, self._name, published)
        if head.name != self._name:
            raise OutboxError(f"outbox {self._outbox.path}: is of table {head.name}; {ANEW}")
        if lineage.is_same_journal(db, head):
            self._take_up(db, head)
        self._outbox.clear_chips()
        return head

    def _take_up(self, db: sqlite3.Connection, head: Head) -> None:
        """Restore the state that the table had at the row of `head`, or at an earlier snapshot from which the
        replay reaches that row."""
        self._at, self._state = beginning(db)
        if head.row < self._at:
            raise OutboxError(
                f"outbox {self._outbox.path}: knows row {head.row}, and the journal begins after row "
                f"{self._at}: what was between them went into an archive untold; {ANEW}"
            )
        for seq, text in read_snapshots(db, opener(db, self._secret), head.row):
            if self._at < seq and self._taken_up(seq, text):
                break

    def _taken_up(self, seq: int, text: str) -> bool:
        """Restore the state from a snapshot after row `seq`. Returns False if another version wrote it; then
        an older snapshot or the beginning of the journal is used.
        """
        try:
            self._at, self._state = seq, adapter(TableState).validate_json(text)
        except ValidationError:
            return False
        return True


class Batch:
    """Events of some rows of the journal, to be added to the outbox in one commit."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self.ready: list[Ready] = []

    def add(self, done: Replayed) -> None:
        for part, (kind, data) in enumerate(public_events(done), 1):
            self._add(kind, done.seq, str(part), done.context.utc, data)

    def seal(self, sealed: list[Sealed], before: int) -> None:
        """Add the checkpoints whose last row is less than `before`."""
        while sealed and sealed[0].row < before:
            each = sealed.pop(0)
            data = {"round": each.round, "ms": each.ms, "note": each.note, "size": each.size}
            self._add("checkpoint", each.row, f"seal{each.size}", each.utc, data)
            self.head = replace(self.head, sealed=each.size)

    def _add(self, kind: str, row: int, part: str, utc: str, data: Mapping[str, Any]) -> None:
        head, sequence = self.head, self.head.sequence + 1
        event = wire.event(
            head.name, head.stream, sequence, kind=kind, row=row, part=part, utc=utc, data=data
        )  # fmt: skip
        payload = wire.packed(event)
        tree = head.tree.add(wire.leaf_of(payload))
        self.ready.append(Ready(sequence, row, payload, tree.root()))
        self.head = replace(head, tree=tree)


def _sealed(db: sqlite3.Connection, after: int, until: int) -> list[Sealed]:
    """Return the checkpoints of more than `after` leaves that cover no row beyond `until`."""
    found = []
    for size, note, number in db.execute(SEALED, (after,)).fetchall():
        seq = db.execute(lineage.AT_ROW, (size,)).fetchone()
        row = db.execute("SELECT seq, ms, utc FROM events WHERE seq = ?", seq or (0,)).fetchone()
        if row is None or row[0] > until:
            break
        found.append(Sealed(row[0], size, note, number, row[1], row[2]))
    return found


def _felt(last: Replayed, head: Head) -> bytes:
    view = view_of(last)
    message = wire.Felt(
        table=head.name, stream=head.stream, sequence=head.sequence, time=last.context.utc,
        felt=dict(felt_of(view)), floor=dict(floor_of(view)),
    )  # fmt: skip
    return wire.packed(message)


# ------------------------------------------------------------------ as a service


def follow_journal(follower: JournalFollower, ended: threading.Event) -> None:
    """Follow the journal until `ended` is set. If it cannot be read, retry and log each fault once."""
    faults = LogOnce(log)
    while not ended.is_set():
        try:
            more = follower.step()
        except NotOurJournal:
            raise
        except JournalError as error:
            faults.warn(str(error))
            more = False
            ended.wait(MAX_JOURNAL_WAIT_S)
        else:
            faults.over()
        if not more:
            ended.wait(JOURNAL_POLL_S)
