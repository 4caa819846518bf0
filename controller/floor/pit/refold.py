"""Recomputes the figures of a store from its events while the pit runs: `crisscross pit refold`.

Events are folded into work tables beside the figures. The last events are folded while the store is locked;
the same transaction compares figures and work tables and exchanges them. Contributions of events that were
already dropped stay in the figures. Events, trees and acknowledgements are unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from controller.floor.pit import figure_increments as added
from controller.floor.pit.audit.trail import AuditEntry, append_entries
from controller.floor.pit.catch_all import contained
from controller.floor.pit.database import BATCH_SIZE, Database, StoreError
from controller.floor.pit.expected_win import Known
from controller.floor.pit.retention import gone_of, streams_of
from controller.floor.pit.schema import check_version
from controller.floor.pit.store import ADD, READ, StoredEvent
from controller.floor.pit.streams import streams
from controller.floor.pit.tile import Tile, after

MAX_ATTEMPTS = 5
WORK_TABLES = ("refold_sums", "refold_adds")
CREATE = (
    """CREATE TABLE refold_sums (
      name TEXT NOT NULL, hour TEXT NOT NULL, dealer TEXT NOT NULL, what TEXT NOT NULL,
      amount BIGINT NOT NULL, PRIMARY KEY (name, hour, dealer, what))""",
    """CREATE TABLE refold_adds (
      name TEXT NOT NULL, stream TEXT NOT NULL, sequence BIGINT NOT NULL, adds TEXT NOT NULL,
      PRIMARY KEY (name, stream, sequence))""",
)
ADD_WORK = ADD.replace("INTO sums", "INTO refold_sums").replace("sums.amount +", "refold_sums.amount +")
SWITCH = """UPDATE events SET adds = r.adds FROM refold_adds r
  WHERE r.name = events.name AND r.stream = events.stream AND r.sequence = events.sequence"""


class _Changed(Exception):
    """Raised if a stream was joined or events were dropped during the run. The run then starts again."""


class _DryRun(Exception):
    """Raised at the end of a dry run to roll back the exchange of the figures."""


@dataclass(slots=True)
class _Stream:
    """Progress of the recomputation in one stream.

    `upto`: last folded event. `cut`: first event that is not in the figures, None if all are. `has_gone`:
    whether events of the table were dropped. `keep`: number of the round whose events keep their
    contribution, because its beginning was dropped.
    """

    table: str
    stream: str
    cut: int | None
    upto: int
    has_gone: bool
    keep: int | None = None
    tile: Tile = field(default_factory=Tile)


@dataclass
class Refolded:
    """Result: number of folded events, number of events whose contribution changed, and each changed total
    before and after, by the name of its figure."""

    events: int = 0
    changed: int = 0
    failed: int = 0
    totals: dict[str, tuple[int, int]] = field(default_factory=dict)


def refold(
    database: Database, packs: Known, *, dry_run: bool = False, entry: AuditEntry | None = None
) -> Refolded:  # fmt: skip
    """Recompute the figures and return the comparison. With `dry_run` the figures stay unchanged. Raises
    StoreError, also if another refold of the store runs: the two would share their work tables. `entry`:
    entry of the audit trail, to which the result is added in the commit of the exchange."""
    check_version(database)
    with database.alone("refold"):
        for _ in range(MAX_ATTEMPTS):
            with suppress(_Changed):
                return _Refold(database, packs, entry).run(dry_run=dry_run)
    raise StoreError("store: streams were joined or events dropped again and again meanwhile; try it later")


class _Refold:
    def __init__(self, database: Database, packs: Known, entry: AuditEntry | None) -> None:
        self._db, self._packs, self._entry = database, packs, entry
        found = database.rows("SELECT zone FROM clock")
        if not found:
            raise StoreError("store: has no figures yet; start crisscross pit with it once")
        self._zone = str(found[0][0])
        self._streams: dict[tuple[str, str], _Stream] = {}
        self._done = Refolded()

    def run(self, *, dry_run: bool) -> Refolded:
        with self._db.transaction():
            self._drop()
            for statement in CREATE:
                self._db.rows(statement)
        try:
            before = self._layout()
            while self._pass(before):
                pass
            with suppress(_DryRun), self._db.transaction():
                self._db.lock_writes()
                if self._layout() != before:
                    raise _Changed
                while self._pass(before):
                    pass
                self._exchange(before)
                if dry_run:
                    raise _DryRun
                if self._entry is not None:
                    append_entries(self._db, replace(self._entry, about=_result(self._done)))
        finally:
            with suppress(StoreError), self._db.transaction():
                self._drop()
        return self._done

    def _drop(self) -> None:
        for table in WORK_TABLES:
            self._db.rows(f"DROP TABLE IF EXISTS {table}")

    def _layout(self) -> dict[tuple[str, str], tuple[int | None, int]]:
        """Return facts that must stay the same during the run: by (table, stream) the first event that is not
        in the figures and the number of dropped events, for streams that were replaced or of which events
        were dropped."""
        names = [str(name) for (name,) in self._db.rows("SELECT name FROM tables ORDER BY name")]
        found = {}
        for name in names:
            cuts = streams(self._db, name)
            for stream in {*cuts, *streams_of(self._db, name)}:
                gone = gone_of(self._db, name, stream)
                size = gone.tree.size if gone else 0
                if stream in cuts and (size or cuts[stream] is not None or len(cuts) > 1):
                    found[name, stream] = (cuts[stream], size)
        return found

    def _pass(self, layout: Mapping[tuple[str, str], tuple[int | None, int]]) -> int:
        """Fold some more events of each stream. Returns their number, 0 at the end."""
        folded = 0
        for (name,) in self._db.rows("SELECT name FROM tables ORDER BY name"):
            for stream in streams_of(self._db, name):
                key = (str(name), stream)
                if key not in self._streams:
                    cut, size = layout.get(key, (None, 0))
                    has_gone = any(each[1] for (table, _), each in layout.items() if table == name)
                    self._streams[key] = _Stream(*key, cut, size, has_gone)
                folded += self._advance(self._streams[key])
        return folded

    def _advance(self, at: _Stream) -> int:
        query = f"{READ} WHERE name = ? AND stream = ? AND sequence > ? ORDER BY sequence LIMIT ?"
        rows = self._db.rows(query, (at.table, at.stream, at.upto, BATCH_SIZE))
        events = [StoredEvent(*row) for row in rows]
        if not events:
            return 0
        if not at.tile.at and at.upto:
            at.keep = events[0].round
        changes: list[tuple[str, str, int, str]] = []
        sums: Counter[tuple[str, str, str, str]] = Counter()
        for event in events:
            self._one(at, event, changes, sums)
        with self._db.nested():
            self._db.each("INSERT INTO refold_adds VALUES (?, ?, ?, ?)", changes)
            self._db.each(ADD_WORK, sorted((*key, amount) for key, amount in sums.items() if amount))
        at.upto = events[-1].sequence
        self._done.events += len(events)
        self._done.changed += len(changes)
        return len(events)

    def _one(
        self, at: _Stream, event: StoredEvent, changes: list[tuple[str, str, int, str]],
        sums: Counter[tuple[str, str, str, str]],
    ) -> None:  # fmt: skip
        old = event.adds
        at.tile, new = self._folded(at.tile, event)
        if event.round == at.keep or (at.has_gone and old is None):
            new = old or ""
        elif new != old:
            changes.append((at.table, at.stream, event.sequence, new))
        if at.cut is not None and event.sequence >= at.cut:
            return
        for key, amount in added.parse(new):
            sums[(at.table, *key)] += amount
        if at.has_gone:
            for key, amount in added.parse(old or ""):
                sums[(at.table, *key)] -= amount

    def _folded(self, before: Tile, event: StoredEvent) -> tuple[Tile, str]:
        def report(_words: str) -> None:
            self._done.failed += 1

        with contained(report):
            data = event.data()
            adds = added.contribution(event.kind, event.at, data, before, self._zone, self._packs)
            return after(before, event.kind, event.at, data), adds
        return replace(before, at=event.at), ""

    def _exchange(self, layout: Mapping[tuple[str, str], tuple[int | None, int]]) -> None:
        """Write the new figures, and compare the totals before and after."""
        before = dict(self._totals())
        gone = {table for (table, _), (_, size) in layout.items() if size}
        for (name,) in self._db.rows("SELECT name FROM tables"):
            if name not in gone:
                self._db.rows("DELETE FROM sums WHERE name = ?", (name,))
        rows = self._db.rows("SELECT name, hour, dealer, what, amount FROM refold_sums")
        self._db.each(ADD, rows)
        self._db.rows("DELETE FROM sums WHERE amount = 0")
        self._db.rows(SWITCH)
        now = dict(self._totals())
        self._done.totals = {
            what: (before.get(what, 0), now.get(what, 0))
            for what in sorted({*before, *now}) if before.get(what, 0) != now.get(what, 0)
        }  # fmt: skip

    def _totals(self) -> Iterator[tuple[str, int]]:
        for what, amount in self._db.rows("SELECT what, SUM(amount) FROM sums GROUP BY what"):
            yield str(what), int(amount)


def _result(done: Refolded) -> str:
    totals = ", ".join(f"{what} {old} to {new}" for what, (old, new) in done.totals.items()) or "none differs"
    return f"{done.events} events folded, {done.changed} changed; totals: {totals}"


def as_lines(done: Refolded, *, dry_run: bool) -> list[str]:
    """Return lines for a terminal: the number of events that now add something else, and each total that
    differs."""
    lines = [f"{done.events} events folded; {done.changed} add something else than before"]
    if done.failed:
        lines.append(f"{done.failed} events could not be folded and are in no figure")
    lines += [f"  {what}: {old} before, {new} now" for what, (old, new) in done.totals.items()]
    ends = "nothing was exchanged" if dry_run else "the figures are exchanged"
    same = "every total is the same" if not done.totals else f"{len(done.totals)} totals differ"
    return [*lines, f"{same}; {ends}"]
