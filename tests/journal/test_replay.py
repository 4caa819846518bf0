"""The daemon restores the table exactly by a replay of the journal, from any snapshot or from none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.game.model import events
from controller.game.model.irregularities import Code
from controller.game.model.names import Key
from controller.game.model.rules import RulePack
from controller.game.model.state import TableSettings, TableState
from controller.game.table import Table
from controller.record.journal.codec import adapter, plain_rules, rules_of
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.replay import replay, restore_table, snapshot, store_settings
from controller.record.journal.schema import NotOurJournal
from controller.rules.packs.loader import find_pack, load_pack

SETTINGS = TableSettings(floorpersons=("B1",))
EVENTS: list[events.Event] = [
    events.Started(()),
    events.DealerSignedOn("D7"),
    events.ShoeLinkOpened("S", "1", "2", "b"),
    events.ShoeStated("READY", 52, 0, "red", "STACK", True),
    events.DeckReady(52, "red"),
    events.KeyPressed(Key.CONFIRM),
    events.CardLeftShoe(1, None, "impossible"),
    events.TimePassed(),
    events.TroubleReported(Code.STORAGE_LOW, "x"),
]


@pytest.fixture(scope="module")
def pack() -> RulePack:
    return load_pack(find_pack("pennsylvania"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.db")
    yield opened
    opened.close()


def stamp(at: int) -> events.Stamp:
    return events.Stamp(at * 1000, f"2026-11-20T20:{at:02d}:00.000Z")


def played(journal: Journal, pack: RulePack, snapshots: tuple[int, ...] = ()) -> TableState:
    """Play the events on a table as the engine does, and store a snapshot at each place in `snapshots`;
    return the final state."""
    store_settings(journal, stamp(0), pack, SETTINGS)
    table = Table(pack, SETTINGS)
    for at, event in enumerate(EVENTS, 1):
        journal.append([JournalEntry(event)], stamp(at))
        table.handle(event, stamp(at))
        if at in snapshots:
            journal.store_snapshot(snapshot(table.state))
    return table.state


@pytest.mark.parametrize("snapshots", [(), (1,), (4,), (9,), (2, 5, 8)])
def test_the_table_is_restored_unchanged(
    journal: Journal, pack: RulePack, snapshots: tuple[int, ...]
) -> None:
    state = played(journal, pack, snapshots)
    assert restore_table(journal, pack, SETTINGS).state == state


def test_an_empty_journal_is_a_new_table(journal: Journal, pack: RulePack) -> None:
    assert restore_table(journal, pack, SETTINGS).state == TableState()


def test_a_stored_state_is_read_back_unchanged(journal: Journal, pack: RulePack) -> None:
    state = played(journal, pack)
    assert adapter(TableState).validate_json(snapshot(state)) == state


def test_a_snapshot_of_another_version_is_ignored(journal: Journal, pack: RulePack) -> None:
    state = played(journal, pack, (4,))
    journal.store_snapshot('{"phase": "dancing"}')
    assert restore_table(journal, pack, SETTINGS).state == state


def test_deciders_in_an_older_journal_are_accepted(journal: Journal, pack: RulePack) -> None:
    """Table files of that time listed no floorpersons, so their decisions must not be checked against a
    list."""
    store_settings(journal, stamp(0), pack, TableSettings())
    opened = [
        events.Started(()),
        events.KeyPressed(Key.CONFIRM),
        events.KeyPressed(Key.FLOOR),
        events.FloorDecided("ZZZ", "answer"),
    ]
    for at, event in enumerate(opened, 1):
        journal.append([JournalEntry(event)], stamp(at))
    assert not restore_table(journal, pack, SETTINGS).state.floor_called


def test_rounds_are_replayed_with_the_rules_of_their_time(journal: Journal, pack: RulePack) -> None:
    played(journal, pack)
    dearer = replace(pack, minimum_ante=1500, digest="sha256:other")
    store_settings(journal, stamp(20), dearer, SETTINGS)
    journal.append([JournalEntry(events.DealerSignedOn("D8"))], stamp(21))
    table = restore_table(journal, dearer, SETTINGS)
    assert (table.pack.minimum_ante, table.state.dealer) == (1500, "D8")
    assert [each.seq for each in journal.settings()] == [1, len(EVENTS) + 1]


def test_the_same_settings_are_written_once_whatever_the_order_of_a_set(
    journal: Journal, pack: RulePack
) -> None:
    from controller.game.model.names import SEATS, Circle, Wager

    circles = [Circle(seat, wager) for seat in SEATS for wager in Wager]
    for fitted in (frozenset(circles), frozenset(reversed(circles))):
        store_settings(journal, stamp(0), pack, replace(SETTINGS, fitted=fitted))
    assert len(journal.settings()) == 1


def test_events_may_be_replayed_in_parts(journal: Journal, pack: RulePack) -> None:
    """The bench reads a running daemon's journal in parts."""
    state = played(journal, pack)
    rows, history = list(journal.rows()), journal.settings()
    followed: TableState | None = None
    for row in rows:
        followed = replay(history, [row], followed, lambda _record, _before: None)
    assert followed == state


def test_a_row_that_cannot_be_read_is_named(journal: Journal, pack: RulePack) -> None:
    played(journal, pack)
    rows = [replace(row, kind="CardFlew") if row.seq == 7 else row for row in journal.rows()]
    with pytest.raises(NotOurJournal, match="row 7: unknown kind"):
        replay(journal.settings(), rows, None, lambda _record, _before: None)


def test_events_without_preceding_rules_are_reported(journal: Journal, pack: RulePack) -> None:
    journal.append([JournalEntry(events.DealerSignedOn("D7"))], stamp(1))
    with pytest.raises(NotOurJournal, match="row 1 has no rules"):
        restore_table(journal, pack, SETTINGS)


def test_rules_written_by_an_earlier_version_are_read_completely() -> None:
    """If a field had been renamed, it would be dropped silently, and the round would replay under other
    rules."""
    text = (Path(__file__).parent / "pack_of_0_1.json").read_text(encoding="utf-8")
    assert _within(json.loads(text), plain_rules(rules_of(text)))


def _within(old: Any, new: Any) -> bool:
    """Return whether `new` contains every value of `old`, possibly beside additional fields."""
    if isinstance(old, dict):
        return isinstance(new, dict) and all(key in new and _within(old[key], new[key]) for key in old)
    if isinstance(old, list):
        return len(old) == len(new) and all(map(_within, old, new))
    return bool(old == new)
