"""A table can publish only to its own topics, not to those of a table with the same name at another site.

The tests use a real broker with certificates and the printed access list.
"""

from __future__ import annotations

import ssl
import threading
from contextlib import closing, suppress
from pathlib import Path

import pytest

from controller.floor.pit.inbox import Message
from controller.floor.pit.mqtt_subscriber import MqttSubscriber
from controller.floor.uplink.acl import mosquitto
from controller.floor.uplink.mqtt_client import Broker
from controller.floor.uplink.mqtt_connection import ConnectionLost, MqttConnection
from controller.floor.uplink.wire import topic
from tests.uplink.broker import Mosquitto, soon
from tests.uplink.papers import Papers, papers

pytestmark = pytest.mark.serial
TABLES = ("CC-01", "north.CC-01", "north.CC-02", "south.CC-01")
WILL = b"{}"
LEAVES = ("events", "state", "felt", "chips")


def tls(house: Papers) -> ssl.SSLContext:
    made = ssl.create_default_context(cafile=str(house.ca))
    made.load_cert_chain(*house.table)
    return made


@pytest.mark.parametrize("table", ["CC-01", "north.CC-01"])
def test_a_table_can_publish_only_to_its_own_topics(table: str, tmp_path: Path) -> None:
    house, others = papers(tmp_path, table, "pit-1"), [each for each in TABLES if each != table]
    received: list[Message] = []
    began = threading.Event()
    with closing(Mosquitto(tmp_path, house, mosquitto(TABLES, ["pit-1"]))) as broker:
        pit = MqttSubscriber(
            Broker("localhost", broker.port, house.of_pit()), "pit-1", received.append, began.set
        )
        pit.connect_later()
        assert began.wait(10)
        at = Broker("localhost", broker.port, tls(house))
        with closing(pit):
            for name in (*others, table):  # its own topics last: all topics before them were refused
                for leaf in LEAVES:
                    publish(at, table, topic(name, leaf), name.encode())
            soon(
                lambda: table.encode() in [each.payload for each in received if each.topic.endswith("/chips")]
            )
    assert {(each.topic, each.payload) for each in received if each.payload != WILL} == {
        (topic(table, leaf), table.encode()) for leaf in LEAVES
    }


def publish(at: Broker, client: str, to: str, payload: bytes) -> None:
    """Publish one message on a connection of its own: a broker may end it after a message that it denies."""
    will = topic(client, "state"), WILL
    with closing(MqttConnection(at, f"{client}-1", will)) as line, suppress(ConnectionLost):
        line.send(to, payload).wait_for_publish(5.0)
