"""A table publishes since when each chip is in its circle, through the outbox, if its table file asks for
it.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from controller.floor.uplink import wire
from controller.floor.uplink.chip_times import ChipTimes
from controller.floor.uplink.mqtt_client import Broker
from controller.floor.uplink.outbox import Outbox, outbox_path
from controller.game.model.events import Chip
from controller.game.model.names import Wager
from controller.game.model.state import Holding, TableState
from tests.trials.pit.plain_client import PlainClient
from tests.uplink.broker import Mosquitto, soon
from tests.uplink.night import NAME
from tests.uplink.test_served import running_publisher

UIDS = ("04A1B2C3D4E5F6", "E004015012345678")
TIMES = tuple(f"2026-11-22T20:{minute:02d}:00.000Z" for minute in range(4))


def holding(*uids: str) -> TableState:
    return TableState(holdings={3: {Wager.ANTE_ACROSS: Holding(tuple(Chip(uid, 500) for uid in uids), "ok")}})


def test_a_chip_has_the_time_of_its_first_reading_until_it_leaves() -> None:
    one = ChipTimes().after(holding(UIDS[0]), TIMES[0])
    two = one.after(holding(*UIDS), TIMES[1])
    assert two.chips == {UIDS[0]: TIMES[0], UIDS[1]: TIMES[1]}
    three = two.after(holding(UIDS[1]), TIMES[2])
    assert (three.chips, three.left) == ({UIDS[1]: TIMES[1]}, {UIDS[0]: TIMES[2]})
    assert three.after(holding(*UIDS), TIMES[3]).left == {}


def test_a_departure_is_listed_for_a_minute() -> None:
    gone = ChipTimes().after(holding(UIDS[0]), TIMES[0]).after(holding(), TIMES[1])
    assert gone.after(holding(), TIMES[2]).left == {UIDS[0]: TIMES[1]}
    assert gone.after(holding(), TIMES[3]).left == {}


def test_a_circle_that_cannot_be_read_has_no_chips() -> None:
    lost = TableState(holdings={3: {Wager.ANTE_ACROSS: Holding((Chip(UIDS[0], 500),), "silent")}})
    assert ChipTimes().after(lost, TIMES[0]).chips == {}


def test_only_the_latest_chips_are_sent_if_there_are_too_many() -> None:
    times = ChipTimes({UIDS[0]: TIMES[0], UIDS[1]: TIMES[1]}, {"AABBCCDD": TIMES[2]})
    assert times.newest(1) == ({UIDS[1]: TIMES[1]}, {"AABBCCDD": TIMES[2]})


@pytest.mark.serial
@pytest.mark.parametrize("wanted", [True, False])
def test_a_table_publishes_its_chips_only_if_its_file_asks_for_it(
    own: Path, tmp_path: Path, *, wanted: bool
) -> None:
    """The chips on the wire are those that the replay of the journal leaves in the circles."""
    with closing(Outbox(outbox_path(own))) as outbox:
        payload = outbox.chips()
    assert payload is not None and wire.read_chips(payload, NAME)
    with closing(Mosquitto(tmp_path)) as broker, closing(PlainClient(("127.0.0.1", broker.port))) as ear:
        ear.subscribe("#")
        with running_publisher(own, Broker("127.0.0.1", broker.port), with_chips=wanted):
            received: list[tuple[str, bytes]] = []

            def has(leaf: str) -> bool:
                received.extend((each.topic, bytes(each.payload)) for each in iter(ear.next, None))
                return any(topic.endswith(leaf) for topic, _ in received)

            soon(lambda: has("/chips" if wanted else "/felt"))
        has("/chips")
    sent = [content for topic, content in received if topic == wire.topic(NAME, "chips")]
    assert sent == ([payload] if wanted else [])
