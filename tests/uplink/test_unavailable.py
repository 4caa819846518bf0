"""If a broker cannot serve, such as a RabbitMQ cluster that has lost a node, its refusal ends the connection,
and table and pit connect again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.floor.pit import mqtt_subscriber
from controller.floor.pit.mqtt_subscriber import MqttSubscriber
from controller.floor.uplink import publisher, wire
from controller.floor.uplink.mqtt_client import Broker
from tests.uplink.broker import soon
from tests.uplink.night import NAME
from tests.uplink.refusing import CONNECT, PUBLISH, SUBSCRIBE, RefusingBroker
from tests.uplink.test_served import running_publisher

pytestmark = pytest.mark.serial
WORDS = "cannot serve now (Implementation specific error); it is tried again"
NOT_AUTHORIZED = 0x87
KINDS = pytest.mark.parametrize("refused", [CONNECT, SUBSCRIBE, PUBLISH])


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits, which take seconds at a table and a pit."""
    monkeypatch.setattr(publisher, "WAITS_S", (0.05,))
    monkeypatch.setattr(publisher, "NAME_CHECK_S", 0.05)
    monkeypatch.setattr(mqtt_subscriber, "RETRY_S", (0.05, 0.05))


def pit_at(broker: RefusingBroker, began: Callable[[], None] = lambda: None) -> MqttSubscriber:
    return MqttSubscriber(Broker("127.0.0.1", broker.port), "pit-1", lambda _message: None, began)


@KINDS
def test_a_pit_connects_again_until_the_broker_serves(refused: int, caplog: pytest.LogCaptureFixture) -> None:
    """A pit that kept its connection after the refusal would receive nothing, or would leave a table without
    acknowledgements."""

    def began() -> None:
        line.answer(wire.have("pit-1", NAME, "ab" * 16, 0, bytes(32)))

    with closing(RefusingBroker(refused, times=3)) as broker:
        line = pit_at(broker, began)
        line.connect_later()
        soon(lambda: broker.connections == 4 and line.faults()["broker"] == "" and broker.published > 0)
        line.close()
    assert broker.refusals >= 3
    lines = [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]
    assert set(lines) == {f"broker 127.0.0.1:{broker.port}: {WORDS}"}
    assert refused == PUBLISH or len(lines) == 1, "one line for all attempts"


@pytest.mark.parametrize(
    ("only", "tables", "fault"),
    [
        ("1/+/events", ["CC-01"], "no permission for crisscross/1/+/events"),
        ("1/+/events", ["north.CC-01"], ""),
        ("+/+/events", ["CC-01"], ""),
        ("+/+/events", ["CC-01", "north.CC-01"], "no permission for crisscross/1/+/+/events"),
    ],
)
def test_a_pit_is_not_ready_without_the_events_of_a_known_table(
    only: str, tables: list[str], fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(RefusingBroker(SUBSCRIBE, 1, NOT_AUTHORIZED, only)) as broker:
        line = pit_at(broker)
        line.connect_later()
        soon(lambda: bool(caplog.records) and line.faults(tables)["broker"] == fault)
        line.close()


def test_a_pit_is_not_ready_before_the_broker_has_granted_its_subscriptions() -> None:
    with closing(RefusingBroker(SUBSCRIBE, times=1000)) as broker:
        line = pit_at(broker)
        line.connect_later()
        soon(lambda: broker.refusals > 0)
        assert line.faults()["broker"] == "no connection"
        line.close()


@pytest.mark.parametrize(
    ("refused", "only", "fault", "words"),
    [
        (PUBLISH, "", "", "refuses what this pit says (Not authorized)"),
        (SUBSCRIBE, "/chips", "", "does not let this pit read crisscross/1/+/chips, crisscross/1/+/+/chips"),
        (SUBSCRIBE, "1/+/events", "", "does not let this pit read crisscross/1/+/events"),
        (
            SUBSCRIBE, "/events", "no permission for crisscross/1/+/events",
            "does not let this pit read crisscross/1/+/events, crisscross/1/+/+/events",
        ),
    ],
)  # fmt: skip
def test_a_pit_without_a_permission_keeps_its_connection_and_names_the_topics(
    refused: int, only: str, fault: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An earlier access list lacks topics that were added later. A pit is not ready without all events."""

    def began() -> None:
        line.answer(wire.have("pit-1", NAME, "ab" * 16, 0, bytes(32)))

    with closing(RefusingBroker(refused, 1, NOT_AUTHORIZED, only)) as broker:
        line = pit_at(broker, began)
        line.connect_later()
        soon(lambda: broker.refusals > 0 and line.faults()["broker"] == fault)
        soon(lambda: bool(caplog.records))
        assert broker.connections == 1
        line.close()
    lines = [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]
    assert lines == [f"broker 127.0.0.1:{broker.port}: {words}: see crisscross uplink acl"]


@KINDS
def test_a_table_connects_again_until_the_broker_serves(
    own: Path, refused: int, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(RefusingBroker(refused, times=3)) as broker:
        with running_publisher(own, Broker("127.0.0.1", broker.port)) as running:
            soon(lambda: broker.connections == 4 and running.up and broker.published > 0)
        assert broker.connections == 4
    lines = [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]
    assert set(lines) == {f"broker 127.0.0.1:{broker.port}: {WORDS}"}
