"""State behind the pit's pages: each table's tile, connection and felt.

A page receives the tables that changed since its last message; nothing is queued. A table's state is shown
only while the table publishes: a silent one is shown as silent, without any state. All calls are made on the
event loop of the pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from controller.floor.pit.chip_copies import Copy
from controller.floor.pit.need import Connection, is_closed, need, once, reasons
from controller.floor.pit.notify.watch import NotifyReason, ReasonKey, Reasons
from controller.floor.pit.on_my_way import OnMyWayMessages, subjects
from controller.floor.pit.tile import DECKS, DEVICES, Tile
from controller.floor.uplink.wire import SILENT_S, Felt, OnMyWay, OnTheWay, State

HOUR_MS = 3_600_000
COPY_SHOWN_S = 900.0
"""Seconds for which a copied chip is shown at both tables."""
PIT = ""
"""Name by which the pit itself appears in sets of changed tables."""


@dataclass
class _Table:
    tile: Tile = field(default_factory=Tile)
    upto: int = 0
    state: State | None = None
    felt: Felt | None = None
    received_at: float | None = None
    """Time of the last message, in seconds of this machine's monotonic clock; None before the first one."""
    names: Streams = field(default_factory=lambda: Streams(""))
    other: str | None = None
    """Stream that is published under this table's name although no person has accepted it, since `other_at`;
    None if there is none."""
    other_at: float = 0.0
    copies: dict[str, CopiedAt] = field(default_factory=dict)
    """Copied chips of the last `COPY_SHOWN_S`, by UID."""


@dataclass(frozen=True, slots=True)
class CopiedAt:
    """Place at which a copied chip is seen too. `table`: the other table; `at`: UTC since then; `until`: end
    of its display in monotonic seconds."""

    table: str
    at: str
    until: float


@dataclass(frozen=True, slots=True)
class Streams:
    """Stream that the store has for `table`. `forked`: whether a different history of it was published."""

    table: str
    stream: str | None = None
    forked: bool = False


@dataclass(frozen=True, slots=True)
class UnacceptedStream:
    """Stream that is published under the name of `table` although no person has accepted it."""

    table: str
    stream: str


class NoOpenCall(Exception):
    """Raised if "on my way" cannot be sent: the call or hold is over, or the table is silent."""


class PitFloor:
    """State of all tables.

    `seconds`: the monotonic clock. `posix`: POSIX time. `publish`: sends "on my way" of `pit` to a table.
    """

    def __init__(
        self, seconds: Callable[[], float], posix: Callable[[], float], pit: str = "pit-1",
        publish: Callable[[OnMyWay], None] = lambda _answer: None,
    ) -> None:  # fmt: skip
        self._seconds, self._posix, self._publish = seconds, posix, publish
        self._answers = OnMyWayMessages(pit)
        self._tables: dict[str, _Table] = {}
        self._watchers: set[Watcher] = set()
        self._began = seconds()
        self.troubles = 0
        self.faults: tuple[str, ...] = ()
        """Failed parts of the pit's own service."""

    def names(self) -> list[str]:
        return sorted(self._tables)

    def begin(self, tiles: Mapping[str, tuple[Tile, int]]) -> None:
        """Show the tables of the store at the pit's start, as tables from which nothing was received yet."""
        for name, (tile, upto) in tiles.items():
            self._tables[name] = _Table(tile, upto)

    # ------------------------------------------------------------------ received from tables

    def events_stored(self, tiles: Mapping[str, tuple[Tile, int]]) -> None:
        """Update the tiles of tables whose events were stored."""
        for name, (tile, upto) in tiles.items():
            table = self._tables.setdefault(name, _Table())
            if upto != table.upto:  # a reopened store shows all its tiles, whether their tables sent or not
                table.received_at = self._seconds()
            table.tile, table.upto = tile, upto
        self._changed(tiles)

    def state(self, state: State) -> None:
        table = self._sent_now(state.table)
        table.state = state
        self._changed([state.table])

    def felt(self, felt: Felt) -> None:
        """Show what now lies on the felt of a table."""
        table = self._sent_now(felt.table)
        table.felt = felt
        self._changed([felt.table])

    def streams(self, names: Streams) -> None:
        """Show which stream of a table is stored."""
        table = self._tables.setdefault(names.table, _Table())
        if names.stream == table.other:
            table.other = None
        table.names = names
        self._changed([names.table])

    def show_unaccepted(self, other: UnacceptedStream) -> None:
        """Show for `SILENT_S` that another stream is published under a table's name."""
        table = self._tables.setdefault(other.table, _Table())
        table.other, table.other_at = other.stream, self._seconds()
        self._changed([other.table])

    def copied(self, copy: Copy) -> None:
        """Show a copied chip at its two tables for `COPY_SHOWN_S`."""
        for name, other in (copy.tables, copy.tables[::-1]):
            table = self._tables.setdefault(name, _Table())
            table.copies[copy.uid] = CopiedAt(other, copy.at, self._seconds() + COPY_SHOWN_S)
        self._changed(copy.tables)

    def on_my_way(self, name: str, about: str, by: str = "") -> None:
        """Send "on my way" of the user `by` to a table. `about`: its call or hold. Raises NoOpenCall if that
        is over."""
        table = self._tables[name]
        if (
            self._connection(table) != "here"
            or about not in subjects(table.tile)
            or table.names.stream is None
        ):
            raise NoOpenCall(about)
        self._publish(self._answers.send(name, table.names.stream, about, self._seconds(), by))
        self._changed([name])

    def on_the_way(self, answer: OnTheWay) -> None:
        """Note a table's reply to "on my way"."""
        if self._answers.answered(answer):
            self._changed([answer.table])

    def show_faults(self, faults_by_part: Mapping[str, str]) -> None:
        """Show the failed parts of the pit's own service. `faults_by_part`: "" for a part that works."""
        faults = tuple(part for part, fault in faults_by_part.items() if fault)
        if faults != self.faults:
            self.faults = faults
            self._changed([PIT])

    def check_connections(self) -> None:
        """Show tables that have become silent, and resend "on my way" that no table has answered. Call this
        every few seconds.
        """
        for name, each in self._tables.items():
            answer = self._answers.due(name, each.names.stream, each.tile, self._seconds())
            if answer is not None:
                self._publish(answer)
        quiet = [name for name, each in self._tables.items() if self._connection(each) == "silent"]
        self._changed([*quiet, *self._end_copies()])

    def _end_copies(self) -> Iterator[str]:
        """Remove the copies that were shown long enough; yield their tables."""
        for name, each in self._tables.items():
            over = [uid for uid, copy in each.copies.items() if copy.until <= self._seconds()]
            for uid in over:
                del each.copies[uid]
            if over:
                yield name

    def _sent_now(self, name: str) -> _Table:
        table = self._tables.setdefault(name, _Table())
        table.received_at = self._seconds()
        return table

    def _changed(self, names: Iterable[str]) -> None:
        changed = set(names)
        for watcher in self._watchers:
            watcher.wake(changed)

    # ------------------------------------------------------------------ what is shown

    def watch(self, only: str | None = None) -> Watcher:
        """Return an object that collects the changes for one page. `only`: name of the table that the page
        shows, None for all. Call `unwatch` when the page is closed."""
        watcher = Watcher(only)
        self._watchers.add(watcher)
        return watcher

    def unwatch(self, watcher: Watcher) -> None:
        self._watchers.discard(watcher)

    def tile(self, name: str) -> dict[str, Any]:
        """Return one tile as data.

        For a table that does not publish: its name, its connection and the times of its last data only.
        """
        table = self._tables[name]
        connection = self._connection(table)
        received_s = None if table.received_at is None else round(self._seconds() - table.received_at)
        state = table.state
        other = table.other if self._seconds() - table.other_at <= SILENT_S else None
        tile = {
            "name": name, "speaks": connection, "heard_s": received_s, "last": table.tile.at,
            "need": "history" if other or table.names.forked
                else need(table.tile, connection, copied=bool(table.copies)),
            "behind": max(0, state.sequence - table.upto) if state else None,
            "kept": table.names.stream, "other": other, "forked": table.names.forked,
        }  # fmt: skip
        content = {**self._content(table), **self._way(name, table)} if connection == "here" else {}
        return tile | content

    def _way(self, name: str, table: _Table) -> dict[str, Any]:
        """Return data about "on my way" for a page: the call or hold that it would answer, or, once sent,
        whether the table shows it and which user sent it."""
        sent = self._answers.of(name, table.names.stream, table.tile)
        about = next(iter(subjects(table.tile)), None) if sent is None else None
        return {"wanted": about, "way": None if sent is None else {"shown": sent.shown, "by": sent.by}}

    def shown(self, name: str) -> dict[str, Any]:
        """Return the data for a table's own page: its tile, and its felt; the felt is None unless the table
        publishes now."""
        table = self._tables[name]
        tile = self.tile(name)
        felt = table.felt if tile["speaks"] == "here" else None
        return {"tile": tile, "felt": felt.felt if felt else None}

    def reasons(self) -> Reasons:
        """Return the present reasons to notify: holds, calls and faults of tables that publish, and silent
        tables."""
        found: dict[ReasonKey, NotifyReason] = {}
        for name, each in self._tables.items():
            connection = self._connection(each)
            if connection in ("gone", "silent"):
                found[name, "silent"] = NotifyReason(each.tile.at or "", (), frozenset({"silent"}))
            elif connection == "here":
                found |= reasons(name, each.tile)
                if each.copies:
                    since = min(copy.at for copy in each.copies.values())
                    found[name, "copy"] = NotifyReason(since, (), frozenset(each.copies))
        return found

    def has(self, name: str) -> bool:
        return name in self._tables

    def counts(self) -> dict[str, int]:
        """Return the number of tables by state of their connection."""
        found = [self._connection(each) for each in self._tables.values()]
        return {how: found.count(how) for how in ("here", "stopped", "gone", "silent", "never")}

    def upto(self) -> dict[str, tuple[int, int | None]]:
        """Return two numbers by table: its last stored event, and the last event that it has announced (None
        if it has announced none)."""
        return {
            name: (each.upto, each.state.sequence if each.state else None)
            for name, each in sorted(self._tables.items())
        }

    def last(self) -> dict[str, str]:
        """Return the time of each table's last event (UTC), without the tables that have no event."""
        return {name: each.tile.at for name, each in sorted(self._tables.items()) if each.tile.at}

    def _connection(self, table: _Table) -> Connection:
        if table.received_at is None and is_closed(table.tile):
            return "never"
        if table.state is not None and table.state.state != "here":
            return table.state.state
        since = self._began if table.received_at is None else table.received_at
        if self._seconds() - since > SILENT_S:
            return "silent"
        return "never" if table.received_at is None else "here"

    def is_expected(self) -> bool:
        """Return whether something is missing: a table is due to publish, and nothing was received from any
        since the start."""
        tables = self._tables.values()
        is_quiet = all(each.received_at is None for each in tables)
        return is_quiet and any(self._connection(each) == "silent" for each in tables)

    def _content(self, table: _Table) -> dict[str, Any]:
        tile = table.tile
        standing = (*tile.alerts, *tile.troubles)
        return {
            "phase": tile.phase, "since": tile.since, "round": tile.round, "seats": len(tile.seats),
            "pace": self._pace(tile), "dealer": tile.dealer, "dealing": tile.dealing, "called": tile.called,
            "holds": [asdict(each) for each in tile.holds],
            "decks": [asdict(each) for each in standing if each.code in DECKS],
            "devices": [asdict(each) for each in once(standing) if each.code in DEVICES],
            "alerts": [asdict(each) for each in standing if each.code not in (*DECKS, *DEVICES)],
            "copies": [{"table": each.table, "at": each.at} for each in table.copies.values()],
        }  # fmt: skip

    def _pace(self, tile: Tile) -> int | None:
        """Return the number of rounds that ended in the last hour, or None if none is known."""
        from controller.common.clock import parse_utc

        since = self._posix() - HOUR_MS / 1000
        return sum(parse_utc(ended) > since for ended in tile.ended) if tile.ended else None


class Watcher:
    """Changes that one page has not been sent yet, as names of tables."""

    def __init__(self, only: str | None) -> None:
        self._only = only
        self._names: set[str] = set()
        self._flag = asyncio.Event()

    def wake(self, names: set[str]) -> None:
        if self._only is not None:
            names = names & {self._only}
        if names:
            self._names |= names
            self._flag.set()

    def end(self) -> None:
        """Wake the page for the last time, so that its stream ends."""
        self._flag.set()

    async def next(self) -> set[str]:
        """Wait for changes and return the tables that changed, with `PIT` for the pit's own faults."""
        await self._flag.wait()
        self._flag.clear()
        names, self._names = self._names, set()
        return names
