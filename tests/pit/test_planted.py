"""A listener at the broker receives no card that has not been turned; a planted card is found there and in
the pit's store.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from controller.common.tlog.merkle import Frontier
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import StoredEvent, events_of
from controller.floor.uplink import wire
from controller.floor.uplink.mqtt_client import Broker
from controller.floor.uplink.outbox import Head, Outbox, Ready, outbox_path
from tests.pit.test_leaks import FACE, seen_too_early
from tests.pit.test_wire import working
from tests.trials.pit.plain_client import PlainClient
from tests.uplink.broker import Mosquitto, soon
from tests.uplink.night import NAME, played, tell_all
from tests.uplink.test_served import running_publisher

pytestmark = pytest.mark.serial
ROOT = re.compile(r'"root": ?"[A-Za-z0-9+/]{43}="')
"""Pattern of a root in a payload. A root is a hash in base64, which may spell a face by chance, as in `/QH+`.
"""
Messages = list[tuple[str, bytes]]
"""Topic and payload of each message."""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the journal of a night with errors; its outbox is beside it."""
    journal = played(tmp_path_factory.mktemp("night") / "journal.db")
    with closing(Outbox(outbox_path(journal))) as outbox:
        tell_all(journal, outbox)
    return journal


def planted(journal: Path, folder: Path, face: str | None) -> Path:
    """Copy a journal and its outbox, and return the path of the copied journal. `face`: written into the
    identity of the event before the deal, or None for an unchanged outbox."""
    with closing(Outbox(outbox_path(journal))) as original:
        payloads = [each.payload for each in original.events(0, 10**9)]
        felt, stream = original.felt(), wire.read_event(payloads[0]).stream
    if face is not None:
        at = next(n for n, each in enumerate(payloads) if wire.read_event(each).kind == "bets_closed")
        payloads[at] = json.dumps(json.loads(payloads[at]) | {"id": face}).encode()
    head, ready = Head(stream, NAME, 0, 0, Frontier()), []
    for number, payload in enumerate(payloads, 1):
        tree = head.tree.add(wire.leaf_of(payload))
        ready.append(Ready(number, number, payload, tree.root()))
        head = Head(stream, NAME, number, 0, tree)
    with closing(Outbox(outbox_path(folder / "journal.db"))) as outbox:
        outbox.add(head, ready, felt)
    return folder / "journal.db"


def sent_to_a_pit(journal: Path, folder: Path) -> tuple[Messages, list[StoredEvent]]:
    """Send everything from a table's own publisher to a pit; return the messages that a third client receives
    and those that the pit stores."""
    with closing(Mosquitto(folder)) as broker, closing(PlainClient(("127.0.0.1", broker.port))) as ear:
        ear.subscribe("#")
        with (
            working(folder, broker),
            running_publisher(journal, Broker("127.0.0.1", broker.port)) as publisher,
        ):
            soon(lambda: publisher.sender is not None and 0 < publisher.sender.low == publisher.sender.sent)
            with closing(Outbox(outbox_path(journal))) as outbox:
                head = outbox.head()
            assert head is not None
            soon(lambda: publisher.sender is not None and publisher.sender.low == head.sequence)
        received = [(each.topic, bytes(each.payload)) for each in iter(ear.next, None)]
    with closing(open_database(str(folder / "pit.db"), writing=False)) as database:
        return received, events_of(database, NAME, head.stream)


def seen(received: Messages) -> list[str]:
    """Return each face that an event contains too early, and each topic of another kind on which a face was
    sent although it must name no card."""
    kept = []
    for topic, payload in received:
        if topic.endswith("/events"):
            event = wire.read_event(payload)
            number, round_ = event.number, event.data["round"]
            kept.append(
                StoredEvent(NAME, event.stream, number, event.kind, event.time, round_, payload.decode())
            )
    others = [topic for topic, payload in received if "/state" in topic or "/have/" in topic
              if FACE.search(ROOT.sub("", payload.decode()))]  # fmt: skip
    return seen_too_early(kept) + others


def test_a_listener_at_the_broker_receives_no_unturned_card(journal: Path, tmp_path: Path) -> None:
    received, kept = sent_to_a_pit(planted(journal, tmp_path, None), tmp_path)
    leaves = {topic.split("/")[3] for topic, _ in received}
    assert leaves == {"events", "state", "felt", "have"}
    assert len(kept) > 100
    assert seen(received) == seen_too_early(kept) == []


def test_a_planted_face_is_found_on_the_wire_and_in_the_store(journal: Path, tmp_path: Path) -> None:
    received, kept = sent_to_a_pit(planted(journal, tmp_path, "QH"), tmp_path)
    assert [words.partition(": ")[2] for words in seen_too_early(kept)] == ["QH"]
    assert set(seen(received)) == set(seen_too_early(kept))
