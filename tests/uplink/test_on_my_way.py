"""A pit's answer "on my way" reaches the table over a real broker, the table's reply returns, and an invalid
answer is refused.
"""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from controller.common.ipc.rpc import NoAnswer
from controller.floor.uplink import publisher, wire
from controller.floor.uplink.acl import mosquitto
from controller.floor.uplink.mqtt_client import Broker, end
from controller.floor.uplink.on_my_way import MIN_INTERVAL_S, OnMyWay
from controller.floor.uplink.outbox import Outbox, outbox_path
from controller.floor.uplink.tls import Pem, context
from controller.floor.uplink.wire import InvalidPayload
from tests.uplink.broker import Mosquitto, soon
from tests.uplink.night import NAME
from tests.uplink.papers import papers
from tests.uplink.test_served import here, running_publisher

ABOUT = "call 2026-11-24T09:00:00.000Z"
STREAM = "0a1b2c3d"


class Screens:
    """Screens of a table, which record the requests to show. `shows`: their answer, or None if they do not
    answer."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []
        self.shows: bool | None = True

    def __call__(self, pit: str, about: str) -> bool:
        self.requests.append((pit, about))
        if self.shows is None:
            raise NoAnswer("the daemon does not run")
        return self.shows


def request(**other: object) -> bytes:
    fields = {"pit": "pit-1", "table": NAME, "stream": STREAM, "about": ABOUT, **other}
    return wire.packed(wire.OnMyWay.model_validate(fields))


def test_a_reply_repeats_the_fields_of_its_request() -> None:
    screens = Screens()
    reply = OnMyWay(NAME, ["pit-1"], screens).reply("on_my_way/pit-1", request(), STREAM, 0.0)
    assert reply is not None
    topic, payload = reply
    assert topic == f"crisscross/1/{NAME}/on_the_way/pit-1"
    answer = wire.read_on_the_way(payload, NAME, "pit-1")
    assert (answer.about, answer.stream, answer.shown) == (ABOUT, STREAM, True)
    assert screens.requests == [("pit-1", ABOUT)]


@pytest.mark.parametrize(
    ("leaf", "payload", "words"),
    [
        ("on_my_way/pit-2", request(pit="pit-2"), "does not name it"),
        ("on_my_way/pit-2", request(), "another pit than its topic"),
        ("on_my_way/pit-1", request(table="CC-99"), "another table than its topic"),
        ("on_my_way/pit-1", request(stream="ffffffff"), "another journal"),
        ("on_my_way/pit-1", b"{", "no JSON"),
        ("on_my_way/pit-1", request().replace(b"call ", b"deal "), "OnMyWay: about"),
        ("on_my_way/pit-1", request()[:-1] + b',"badge":"B1"}', "a key that is not known"),
        ("on_my_way/pit-1", request().replace(b'"format":1', b'"format":2'), "format 2"),
    ],
)
def test_an_invalid_request_reaches_no_screen(leaf: str, payload: bytes, words: str) -> None:
    screens = Screens()
    with pytest.raises(InvalidPayload, match=words):
        OnMyWay(NAME, ["pit-1"], screens).reply(leaf, payload, STREAM, 0.0)
    assert screens.requests == []


def test_requests_reach_the_daemon_twice_a_second_at_most() -> None:
    screens = Screens()
    table = OnMyWay(NAME, ["pit-1"], screens)
    for n in range(1000):
        table.reply("on_my_way/pit-1", request(), STREAM, n / 1000)
    assert len(screens.requests) == 1 / MIN_INTERVAL_S


def test_the_rate_limit_of_one_pit_does_not_affect_another() -> None:
    screens = Screens()
    table = OnMyWay(NAME, ["pit-1", "pit-2"], screens)
    for n in range(100):
        table.reply("on_my_way/pit-1", request(), STREAM, n / 1000)
    assert table.reply("on_my_way/pit-2", request(pit="pit-2"), STREAM, 0.1) is not None
    assert screens.requests == [("pit-1", ABOUT), ("pit-2", ABOUT)]


def test_without_an_answer_of_the_daemon_the_pit_gets_no_reply() -> None:
    screens = Screens()
    screens.shows = None
    assert OnMyWay(NAME, ["pit-1"], screens).reply("on_my_way/pit-1", request(), STREAM, 0.0) is None


class PitClient:
    """Connection of a pit, which records the table's replies."""

    def __init__(self, port: int) -> None:
        self.answers: list[wire.OnTheWay] = []
        version = CallbackAPIVersion.VERSION2
        self._client = Client(version, "pit-1-way", protocol=MQTTProtocolVersion.MQTTv5)
        self._ready = threading.Event()
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_connect = lambda client, *_: client.subscribe(f"{wire.ROOT}/+/on_the_way/pit-1", 1)
        self._client.on_message = self._came
        self._client.connect("127.0.0.1", port, 30)
        self._client.loop_start()
        assert self._ready.wait(10)

    def _came(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        table, leaf = wire.table_of(message.topic)
        self.answers.append(wire.read_on_the_way(bytes(message.payload), table, leaf.partition("/")[2]))

    def send(self, payload: bytes) -> None:
        self._client.publish(wire.topic(NAME, "on_my_way/pit-1"), payload, 1)

    def close(self) -> None:
        end(self._client)


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "WAITS_S", (0.05,))
    monkeypatch.setattr(publisher, "NAME_CHECK_S", 0.2)


def stream_of(journal: Path) -> str:
    with closing(Outbox(outbox_path(journal))) as outbox:
        head = outbox.head()
        assert head is not None
        return head.stream


@pytest.mark.serial
def test_the_pit_receives_the_table_s_reply_over_a_broker(own: Path, broker: Mosquitto) -> None:
    screens = Screens()
    answers = OnMyWay(NAME, ["pit-1"], screens)
    with (
        closing(PitClient(broker.port)) as pit,
        running_publisher(own, here(broker), answers=answers) as running,
    ):
        soon(lambda: running.up)
        pit.send(b"\xff" * 300)
        pit.send(request(stream="ffffffff"))
        pit.send(request(stream=stream_of(own)))
        soon(lambda: bool(pit.answers))
        assert [(each.about, each.shown) for each in pit.answers] == [(ABOUT, True)]
        assert screens.requests == [("pit-1", ABOUT)]
        assert running.up


@pytest.mark.serial
def test_a_table_sends_events_without_permission_for_on_my_way_topics(own: Path, tmp_path: Path) -> None:
    """The broker has the access list of an earlier version."""
    own_papers = papers(tmp_path, NAME, "pit-1")
    pem = {
        name: Pem(str(path), path.read_text(encoding="ascii"))
        for name, path in zip(("ca", "certificate", "key"), (own_papers.ca, *own_papers.table), strict=True)
    }
    old = "\n".join(each for each in mosquitto([NAME], ["pit-1"]).splitlines() if "_way/" not in each)
    with closing(Mosquitto(tmp_path, own_papers, old + "\n")) as strict:
        at = Broker("127.0.0.1", strict.port, context(pem))
        answers = OnMyWay(NAME, ["pit-1"], Screens())
        with running_publisher(own, at, answers=answers) as running:
            soon(lambda: running.sender is not None and running.sender.sent > 100)
            assert running.up
