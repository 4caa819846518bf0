"""No card is in the pit's store before the rules have turned it; a planted card is found by searching the
stored text.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from controller.floor.pit.ingest import Intake, Payload
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import Store, StoredEvent, events_of
from tests.uplink.night import NAME, derived_messages, played

FACE = re.compile(r"\b(?:[2-9TJQKA][SHDC]|10[SHDC])\b")
AT = "2026-11-22T21:00:00.000Z"


def seen_too_early(events: list[StoredEvent]) -> list[str]:
    """Return each face that an event contains before the card was turned in its round, or before a person
    entered the face."""
    found, open_ = [], {}
    for event in events:
        shown = open_.setdefault(event.round, set())
        data = event.data()
        shown |= {face for face in data.get("faces", {}).values() if event.kind == "turned" and face}
        shown |= {data["said"]} if "said" in data else set()
        found += [f"{event.sequence}: {face}" for face in FACE.findall(event.body) if face not in shown]
    return found


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return the messages that a table sends during a night with errors."""
    folder = tmp_path_factory.mktemp("night")
    return [each.payload for each in derived_messages(played(folder / "night.db"), folder / "night.uplink")]


def kept(folder: Path, payloads: list[bytes]) -> list[StoredEvent]:
    with closing(Store(open_database(str(folder / "pit.db"), writing=True))) as store:
        Intake(store, "UTC", lambda: AT, {}).take([Payload(NAME, payload) for payload in payloads])
        stream = store.tables[NAME].stream
        events = events_of(store._db, NAME, stream)
        queries = ("SELECT * FROM tables", "SELECT * FROM sums", "SELECT * FROM troubles")
        others = [str(row) for query in queries for row in store._db.rows(query)]
    assert [text for text in others if FACE.search(text)] == [], "a tile or a figure names a card"
    return events


def test_no_card_is_in_the_store_before_it_was_turned(tmp_path: Path, night: list[bytes]) -> None:
    events = kept(tmp_path, night)
    assert len(events) == len(night) > 100
    assert any(event.kind == "turned" for event in events)
    assert seen_too_early(events) == []


def test_a_planted_face_is_found(tmp_path: Path, night: list[bytes]) -> None:
    dealt = next(n for n, each in enumerate(night) if json.loads(each)["type"].endswith(".bets_closed"))
    planted = json.loads(night[dealt])
    planted["id"] = "QH"
    events = kept(tmp_path, [*night[:dealt], json.dumps(planted).encode(), *night[dealt + 1 :]])
    assert seen_too_early(events) == [f"{dealt + 1}: QH"]
