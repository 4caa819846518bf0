"""A table derives the same public events from its journal at any time, in order, and never sends a face
before it may be seen.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from controller.common.tlog.merkle import Frontier
from controller.floor.uplink import asyncapi, cursor, public_events, stream_names, wire
from controller.floor.uplink.kinds import facts_of
from controller.floor.uplink.outbox import Outbox, OutboxError, Ready
from controller.game.model.cards import DECK
from controller.game.model.events import Stamp, TimePassed
from controller.game.table import Table
from controller.record.journal.files import reading
from controller.record.journal.replay import Replayed, replayed_events
from controller.record.journal.rows import opener, read_rows, read_settings
from controller.record.seal.keys import faces_secret
from tests.ended import read_rounds
from tests.uplink.night import NAME, ROWS_AT_ONCE, derived_messages, tell_all, teller

FACE = re.compile(r'"([2-9TJQKA][SHDC])"')


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sent(night: Path) -> list[Ready]:
    with closing(Outbox(night.with_name(f"{night.name}.uplink"))) as outbox:
        return outbox.events(0, 10**9)


def payloads(ready: list[Ready]) -> list[bytes]:
    return [each.payload for each in ready]


def test_events_are_numbered_without_a_gap_in_the_order_of_the_journal(sent: list[Ready]) -> None:
    events = [wire.read_event(each.payload, NAME) for each in sent]
    assert [event.number for event in events] == list(range(1, len(events) + 1))
    assert [event.row for event in events] == sorted(event.row for event in events)
    assert len({event.id for event in events}) == len(events)
    assert {event.stream for event in events} == {events[0].stream}
    tree = Frontier()
    for each in sent:
        tree = tree.add(wire.leaf_of(each.payload))
        assert each.root == tree.root()


def test_a_round_is_published_from_its_first_wager_to_its_checkpoint(night: Path, sent: list[Ready]) -> None:
    events = [wire.read_event(each.payload) for each in sent]
    records = [event for event in events if event.kind == "record"]
    assert [event.data["record"]["round"] for event in records] == [r["round"] for r in read_rounds(night)]
    with closing(sqlite3.connect(night)) as db:
        sealed = [row[0] for row in db.execute("SELECT note FROM checkpoints ORDER BY size")]
    assert [event.data["note"] for event in events if event.kind == "checkpoint"] == sealed
    kinds = {event.kind for event in events}
    assert kinds >= {"bets_closed", "laid", "dealt", "turned", "bet", "settled", "alert", "started"}


def test_sent_events_conform_to_the_asyncapi_document(sent: list[Ready]) -> None:
    whole = asyncapi.document()
    checks = {}
    for each in sent:
        kind = wire.read_event(each.payload).kind
        if kind not in checks:
            own = {"$ref": f"#/components/schemas/event_{kind}", "components": whole["components"]}
            checks[kind] = Draft202012Validator(own)
        checks[kind].validate(json.loads(each.payload))


def test_restarted_followers_derive_the_same_events(
    night: Path, sent: list[Ready], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each small piece of the journal is derived by a new follower, which gets its position from the outbox
    alone."""
    monkeypatch.setattr(ROWS_AT_ONCE, 60)
    with closing(Outbox(tmp_path / "outbox")) as outbox:
        while not (head := outbox.head()) or head.sequence < len(sent):
            again = teller(night, outbox)
            while outbox.head() == head and again.step():
                pass
        assert outbox.events(0, 10**9) == sent


# ------------------------------------------------------------------ no face before its time


def seen_and_sent(night: Path) -> Iterator[tuple[set[str], str]]:
    """Yield, after each row, the faces that a screen has shown and the messages sent."""
    shown: set[str] = set()
    with reading(night) as db:
        keys = opener(db, faces_secret(night.with_name(f"{night.name}.keys")))
        for done in replayed_events(read_settings(db), list(read_rows(db, opened=keys)), None):
            shown |= set(FACE.findall(json.dumps(public_events.view_of(done))))
            yield shown, json.dumps(list(public_events.public_events(done)))
            if done.after.round is None:
                shown = set()


def early(night: Path) -> set[str]:
    """Return the faces that were sent before any screen had shown them."""
    return {face for shown, text in seen_and_sent(night) for face in set(FACE.findall(text)) - shown}


def test_a_face_is_sent_only_after_a_screen_has_shown_it(night: Path) -> None:
    assert early(night) == set()


def every_face(round_: Any) -> dict[str, Any]:
    return {place: dealt.face for place, dealt in round_.cards.items() if dealt.face}


def with_one_of_the_stub(record: Any, _shown: object) -> dict[str, Any]:
    """Return the record with a card in the cross that was never dealt."""
    dealt = set(FACE.findall(json.dumps(record)))
    return {**record, "cross": {**record["cross"], "down_far": next(f for f in DECK if f not in dealt)}}


@pytest.mark.parametrize("plant", ["dealt", "record"])
def test_a_planted_face_is_found(night: Path, monkeypatch: pytest.MonkeyPatch, plant: str) -> None:
    if plant == "dealt":
        monkeypatch.setattr(public_events, "open_faces", every_face)
        monkeypatch.setattr(public_events, "facts_of", lambda kind: facts_of(kind) | {"faces"})
    else:
        monkeypatch.setattr(public_events, "turned_record", with_one_of_the_stub)
    assert early(night)


def test_the_published_felt_equals_the_screen_at_the_same_time(night: Path) -> None:
    """The comparison includes changes that time alone causes, such as a deck that is due."""
    with reading(night) as db:
        keys = opener(db, faces_secret(night.with_name(f"{night.name}.keys")))
        *_, done = replayed_events(read_settings(db), list(read_rows(db, opened=keys)), None)
    context = done.context
    table = Table(context.pack, context.settings, done.before)
    late = Stamp(done.context.ms + 10**9, done.context.utc)
    effects = table.handle(TimePassed(), late)
    again = Replayed(done.seq + 1, TimePassed(), done.before, table.state, table.context(late), effects)
    assert public_events.view_of(again) == table.view()
    assert table.view()["deck"]["change_due"]


# ------------------------------------------------------------------ other outboxes and journals


def test_an_outbox_of_another_table_is_refused(night: Path, tmp_path: Path) -> None:
    derived_messages(night, tmp_path / "outbox")
    with closing(Outbox(tmp_path / "outbox")) as outbox, pytest.raises(OutboxError, match="of table CC-01"):
        tell_all(night, outbox, "CC-02")


def test_another_journal_begins_a_new_stream_and_keeps_the_old_outbox(
    own: Path, sent: list[Ready]
) -> None:  # fmt: skip
    with closing(sqlite3.connect(f"{own}.uplink")) as db, db:
        db.execute("UPDATE head SET stream = ?", ("cd" * 16,))
    with closing(Outbox(Path(f"{own}.uplink"))) as outbox:
        tell_all(own, outbox)
        assert outbox.events(0, 10**9) == sent
    with closing(Outbox(Path(f"{own}.uplink.{'cd' * 16}"))) as before:
        assert len(before.events(0, 10**9)) == len(sent)


def test_a_shortened_journal_begins_a_new_stream_after_the_acknowledged_events(
    own: Path, sent: list[Ready]
) -> None:  # fmt: skip
    with closing(sqlite3.connect(f"{own}.uplink")) as db, db:
        db.execute("UPDATE head SET row = row + 7")
    sealed = [each for each in map(wire.read_event, payloads(sent)) if each.kind == "checkpoint"]
    cursor.keep(cursor.cursor_path(own), sealed[0].stream, {"pit-1": sealed[0].number + 3}, None)
    with closing(Outbox(Path(f"{own}.uplink"))) as outbox:
        tell_all(own, outbox)
        republished = [wire.read_event(each.payload) for each in outbox.events(0, 10**9)]
    assert stream_names.row_before(republished[0].stream) == sealed[0].row
    assert stream_names.journal_of(republished[0].stream) == sealed[0].stream
    rest = [wire.read_event(each) for each in payloads(sent)][sealed[0].number :]
    assert [(e.kind, e.row, e.data) for e in republished] == [(e.kind, e.row, e.data) for e in rest]
    assert [e.number for e in republished] == list(range(1, len(rest) + 1))


def test_a_file_that_is_no_outbox_is_refused(tmp_path: Path, night: Path) -> None:
    shutil.copy(night, tmp_path / "outbox")
    with pytest.raises(OutboxError, match="is not one of this program"):
        Outbox(tmp_path / "outbox")


def test_without_the_key_no_event_of_a_round_in_play_is_published(own: Path, tmp_path: Path) -> None:
    """The key of a round is in the journal itself once the round has ended."""
    shutil.rmtree(own.with_name(f"{own.name}.keys"))
    assert [each.row for each in derived_messages(own, tmp_path / "outbox")]
