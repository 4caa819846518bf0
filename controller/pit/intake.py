"""What comes over the wire, taken whole or refused whole, and answered once it is on the disk.

A batch is one transaction. An event is taken when it is the next of its table; anything else is refused in
one line, said once while it lasts, and answered with what the pit has, from which the table goes on. Nothing
here reads a clock or a socket.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from controller.pit.database import StoreError
from controller.pit.expecting import Known
from controller.pit.store import Kept, Standing, Store, Trouble
from controller.pit.takings import hour_of, sums_of
from controller.pit.tile import Tile, after
from controller.seal.merkle import Frontier
from controller.uplink.wire import MOST, Event, Foreign, leaf_of, read_event

log = logging.getLogger("crisscross.pit")
MOST_CENTS = 10**13
"""Of any whole number of an event; a round of such wagers can still be added up some ten thousand times."""
ACCEPT = "if the table has a new journal, type crisscross pit --accept"


@dataclass(frozen=True, slots=True)
class Payload:
    """What came on the topic of a table's events."""

    table: str
    payload: bytes


@dataclass
class Taken:
    """What became of a batch. `kept`: in order; `answer`: the tables that are to be told what the pit has."""

    kept: list[Kept] = field(default_factory=list)
    answer: set[str] = field(default_factory=set)
    here: int = 0
    refused: int = 0


@dataclass
class _Batch:
    events: list[Kept] = field(default_factory=list)
    stand: dict[str, Standing] = field(default_factory=dict)
    tiles: dict[str, Tile] = field(default_factory=dict)
    sums: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)


class Intake:
    """The one that writes. `zone`: of the clock on the pit's wall; `utc`: now, for what is refused; `packs`:
    whose odds are known."""

    def __init__(self, store: Store, zone: str, utc: Callable[[], str], packs: Known) -> None:
        self._store, self._zone, self._utc, self._packs = store, zone, utc, packs
        self.tiles = {name: tile_of(each.picture) for name, each in store.tables.items()}
        self._told: dict[tuple[str, str], str] = {}
        """What was said of a table, and not again while it lasts."""

    def stands(self, table: str) -> Standing | None:
        return self._store.tables.get(table)

    def take(self, payloads: Iterable[Payload]) -> Taken:
        """`StoreError`: nothing of it is kept, and nobody is answered."""
        batch, taken = _Batch(), Taken()
        for each in payloads:
            try:
                event, kept = _read(each, self._zone)
            except Foreign as error:
                taken.refused += 1
                self.refuse(each.table, "foreign", str(error))
                continue
            self._sort(batch, taken, event, kept)
        if batch.events:
            self._store.keep(batch.events, batch.stand, batch.sums)
            self.tiles.update(batch.tiles)
            for one in batch.events:
                self._told.pop((one.table, "gap"), None)
        taken.kept = batch.events
        return taken

    def _sort(self, batch: _Batch, taken: Taken, event: Event, kept: Kept) -> None:
        """One event by its fate."""
        fate = self._store.fate(kept, batch.stand)
        if fate == "stranger" and event.table not in batch.stand and self._turned(event.table, event.stream):
            fate = self._store.fate(kept, batch.stand)
        if fate in ("kept", "here", "gap"):
            taken.answer.add(event.table)
        if fate == "kept":
            self._add(batch, kept, event)
        elif fate == "here":
            # one that the batch itself holds is compared there: two of one number are never both let pass
            other = next((e for e in batch.events if _name(e) == _name(kept) and e.body != kept.body), None)
            taken.here += 1
            if other is not None:
                self._not_the_same(taken, kept)
        elif fate == "other":
            self._not_the_same(taken, kept)
        else:
            taken.refused += 1
            self.refuse(event.table, fate, self._why(fate, event, batch))

    def _not_the_same(self, taken: Taken, kept: Kept) -> None:
        taken.refused += 1
        words = f"event {kept.sequence} came again with other content; the first one stays"
        self.refuse(kept.table, "other", f"{words}: look at who writes for this table")

    def _why(self, fate: str, event: Event, batch: _Batch) -> str:
        stand = batch.stand.get(event.table) or self._store.tables.get(event.table)
        if fate == "gap":
            upto = stand.upto if stand else 0
            return f"event {event.number} came after {upto}; it is asked for again from {upto + 1} on"
        return _stranger(event.table, event.stream, stand.stream if stand else "")

    def is_of(self, table: str, stream: str) -> bool:
        """Whether that stream is the table's; refused aloud where it is not, and no person accepted it."""
        known = self.stands(table)
        if known is None or known.stream == stream or self._turned(table, stream):
            return True
        self.refuse(table, "stranger", _stranger(table, stream, known.stream))
        return False

    def _turned(self, table: str, stream: str) -> bool:
        if not self._store.turn_to(table, stream):
            return False
        self.tiles[table] = Tile()
        self._told.pop((table, "stranger"), None)
        log.info("table %s: goes on with stream %s, as was accepted", table, stream)
        return True

    def _add(self, batch: _Batch, kept: Kept, event: Event) -> None:
        name = event.table
        stand = batch.stand.get(name) or self._store.tables.get(name) or Standing(event.stream, Frontier())
        before = batch.tiles.get(name) or self.tiles.get(name) or Tile()
        tile = after(before, event.kind, event.time, event.data)
        tree = stand.tree.add(leaf_of(kept.body.encode()))
        batch.tiles[name], batch.stand[name] = tile, Standing(event.stream, tree, tile.text())
        sums = sums_of(event.kind, event.data, before, self._packs)
        if sums:
            row = (name, hour_of(event.time, self._zone), _dealer(event, before))
            batch.sums.update({(*row, what): amount for what, amount in sums.items()})
        batch.events.append(kept)

    def refuse(self, table: str, kind: str, words: str) -> None:
        """Said and noted once, until something else is refused of the table, or it is over."""
        if self._told.get((table, kind)) == words or (kind == "gap" and (table, kind) in self._told):
            return
        self._told[table, kind] = words
        log.warning("table %s: %s", table, words)
        try:
            self._store.note(Trouble(self._utc(), table, kind, words))
        except StoreError as error:
            log.warning("%s", str(error))


def tile_of(text: str) -> Tile:
    """As it was kept; begun anew where another program wrote it."""
    try:
        return Tile.parse(text)
    except (ValueError, TypeError, AttributeError):
        log.warning("the picture of a table cannot be read and begins anew")
        return Tile()


def _read(each: Payload, zone: str) -> tuple[Event, Kept]:
    """What the wire's own forms let through and no store can hold is foreign too."""
    event = read_event(each.payload, each.table)
    try:
        body = each.payload.decode()
        hour_of(event.time, zone)
    except (ValueError, OverflowError):
        raise Foreign(f"event {event.number}: no UTF-8, or a time that no clock shows") from None
    number = int(event.subject.removeprefix("round/"))
    if number > MOST or number != event.data["round"] or _largest(event.data) > MOST_CENTS:
        raise Foreign(f"event {event.number}: a number that no table has")
    kept = Kept(event.table, event.stream, event.number, event.kind, event.time, number, body)
    return event, kept


def _largest(told: object) -> int:
    """Of all whole numbers in it, without its sign."""
    if isinstance(told, dict):
        return max(map(_largest, told.values()), default=0)
    if isinstance(told, list):
        return max(map(_largest, told), default=0)
    return abs(told) if isinstance(told, int) else 0


def _stranger(table: str, stream: str, known: str) -> str:
    return (
        f"its name is spoken by stream {stream}, and the pit keeps {known}; nothing of it is taken; "
        f"{ACCEPT} {table} {stream}"
    )


def _name(event: Kept) -> tuple[str, str, int]:
    return event.table, event.stream, event.sequence


def _dealer(event: Event, before: Tile) -> str:
    """Whose the figures are; empty where nobody is known."""
    if event.kind == "record":
        return str(event.data["record"]["dealer"] or "")
    return before.dealer or ""
