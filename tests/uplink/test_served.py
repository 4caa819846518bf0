"""Events go from the outbox through a real Mosquitto to a pit, and acknowledgements back: no event is lost,
duplicated or out of order.
"""

from __future__ import annotations

import os
import re
import shutil
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from controller.common.clock import utc_now
from controller.common.files.file_lock import lock
from controller.common.tlog.merkle import Frontier
from controller.common.tlog.note import COSIGNATURE, SigningKey
from controller.floor.uplink import cursor, limit, presence, publisher, sender, wire
from controller.floor.uplink.acl import mosquitto
from controller.floor.uplink.mqtt_client import Broker, end
from controller.floor.uplink.outbox import Outbox, outbox_path
from controller.floor.uplink.presence import Presence
from controller.floor.uplink.publisher import Publisher
from controller.floor.uplink.serve import is_playing
from controller.mock.pit.broker import QUEUE_SETTINGS
from tests.uplink.broker import Mosquitto, Pit, soon
from tests.uplink.night import NAME
from tests.uplink.papers import Papers, papers

pytestmark = pytest.mark.serial
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the retry delays, which take seconds on a table."""
    monkeypatch.setattr(publisher, "WAITS_S", (0.05,))
    monkeypatch.setattr(publisher, "NAME_CHECK_S", 0.2)
    monkeypatch.setattr(presence, "MARKER_POLL_S", 0.05)
    monkeypatch.setattr(presence, "RESTART_S", 0.3)
    monkeypatch.setattr(sender, "RESEND_AFTER_S", 1.0)
    monkeypatch.setattr(sender, "GAP_S", 0.1)


@pytest.fixture
def pit(broker: Mosquitto) -> Iterator[Pit]:
    with closing(Pit(broker.port)) as there:
        there.open()
        yield there


@contextmanager
def running_publisher(journal: Path, at: Broker, **more: Any) -> Iterator[Publisher]:
    """Run a publisher in its own thread until the end of the block."""
    ended, up = threading.Event(), threading.Event()
    made: list[Publisher] = []

    def run() -> None:
        with closing(Outbox(outbox_path(journal))) as outbox:
            facts = {
                "name": NAME,
                "pits": {"pit-1": None},
                "a_second": 5000,
                "presence": Presence(lambda: True),
            } | more
            program, file = "crisscross test", cursor.FileCursor(cursor.cursor_path(journal))
            made.append(
                Publisher(at, outbox, cursor=file, program=program, now=time.monotonic, utc=utc_now, **facts)
            )
            up.set()
            made[0].run(ended)

    thread = threading.Thread(target=run, name="speaker")
    thread.start()
    assert up.wait(10)
    try:
        yield made[0]
    finally:
        ended.set()
        thread.join(20)
        assert not thread.is_alive()


def here(broker: Mosquitto) -> Broker:
    return Broker("127.0.0.1", broker.port)


def sent(journal: Path) -> list[bytes]:
    with closing(Outbox(outbox_path(journal))) as outbox:
        return [each.payload for each in outbox.events(0, 10**9)]


def test_all_events_arrive_and_the_cursor_equals_the_pit_s_position(
    own: Path, broker: Mosquitto, pit: Pit
) -> None:
    everything = sent(own)
    with running_publisher(own, here(broker)) as running:
        soon(lambda: running.sender is not None and running.sender.low == len(everything))
        soon(lambda: bool(pit.felts))
        assert [state.state for state in pit.states][-1] == "here"
    assert pit.events == everything
    roots = [Frontier.of([wire.leaf_of(each) for each in everything[:n]]).root() for n in range(5)]
    assert pit.previous[:5] == roots
    assert None not in pit.previous
    assert pit.felts[-1].sequence == len(everything)
    assert cursor.load_cursor(cursor.cursor_path(own), pit.states[0].stream) == {"pit-1": len(everything)}
    soon(lambda: pit.states[-1].state == "stopped")


def test_a_table_without_its_daemon_is_reported_as_gone(own: Path, broker: Mosquitto, pit: Pit) -> None:
    with ExitStack() as daemon, ExitStack() as teller:
        for stack, path in ((daemon, own), (teller, outbox_path(own))):
            stack.callback(os.close, lock(path))
        with running_publisher(own, here(broker), presence=Presence(lambda: is_playing(own))) as running:
            soon(lambda: bool(pit.states) and pit.states[-1].state == "here")
            daemon.close()
            soon(lambda: pit.states[-1].state == "gone")
            assert running.up
            daemon.callback(os.close, lock(own))
            soon(lambda: pit.states[-1].state == "here")
            teller.close()
            soon(lambda: pit.states[-1].state == "gone")


def test_lost_events_are_resent(own: Path, broker: Mosquitto, pit: Pit) -> None:
    pit.drops = {3, 50}
    with running_publisher(own, here(broker)) as running:
        soon(lambda: running.sender is not None and running.sender.low == len(sent(own)))
        assert running.sender is not None
        assert running.sender.again >= 1
    assert pit.gaps
    assert pit.events == sent(own)


def test_no_event_is_lost_when_the_broker_restarts(own: Path, broker: Mosquitto, pit: Pit) -> None:
    everything = sent(own)
    with running_publisher(own, here(broker), a_second=60) as running:
        soon(lambda: len(pit.events) > 20)
        broker.kill()
        soon(lambda: not running.up)
        broker.start()
        soon(lambda: running.up)
        assert running.sender is not None
        running.sender.a_second = 5000
        soon(lambda: running.sender is not None and running.sender.low == len(everything))
    assert pit.events == everything


def test_without_the_pit_s_acknowledgement_the_cursor_does_not_move(
    own: Path, broker: Mosquitto, pit: Pit
) -> None:
    """The acknowledgement of the broker does not replace that of the pit."""
    pit.answers = False
    with running_publisher(own, here(broker)) as running:
        soon(lambda: pit.events == sent(own))
        assert running.sender is not None
        assert running.sender.low == 0
    assert cursor.load_cursor(cursor.cursor_path(own), pit.states[0].stream) == {}


def test_a_pit_whose_limit_blocks_the_table_is_reported_until_it_acknowledges(
    own: Path, broker: Mosquitto, pit: Pit, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sender, "HELD_BACK_S", 0.2)
    monkeypatch.setattr(limit, "MIN_LIMIT_BYTES", 1)
    pit.limit, everything = 20_000, sent(own)
    with running_publisher(own, here(broker), a_second=200) as running:
        soon(lambda: len(pit.events) > 2)
        pit.answers = False
        soon(lambda: running.held_back == "pit-1")
        assert len(pit.events) < len(everything)
        pit.answers = True
        pit.answer_again(NAME)
        soon(lambda: running.sender is not None and running.sender.low == len(everything))
        assert running.held_back == ""
    notices = [line for line in caplog.messages if "table back" in line]
    assert len(notices) == 2 and notices[1] == "pit pit-1: no longer holds this table back"
    assert re.fullmatch(r"pit pit-1: holds this table back at event \d+: 20000 bytes wait .*", notices[0])


def test_a_broker_with_the_documented_settings_queues_more_than_its_default(broker: Mosquitto) -> None:
    """The test's broker has QUEUE_SETTINGS; Mosquitto's default is 1,000 queued messages."""
    for page in ("controller/floor/uplink/UPLINK.md", "controller/floor/pit/PIT.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert "\n".join(QUEUE_SETTINGS) in text, page
    version, ids = CallbackAPIVersion.VERSION2, list[int]()
    slow = Client(version, "slow", protocol=MQTTProtocolVersion.MQTTv5, manual_ack=True)
    slow.on_message = lambda _client, _data, message: ids.append(message.mid)

    def has_come(number: int) -> bool:
        return len(ids) > number

    subscribed = threading.Event()
    slow.on_subscribe = lambda *_: subscribed.set()
    sending = Client(version, "sending", protocol=MQTTProtocolVersion.MQTTv5)
    for client in (slow, sending):
        client.connect("127.0.0.1", broker.port)
        client.loop_start()
    slow.subscribe("many", 1)
    assert subscribed.wait(10)
    last = [sending.publish("many", b"x", 1) for _ in range(1500)][-1]
    last.wait_for_publish(20)
    for number in range(1500):
        soon(partial(has_come, number), f"dropped after {number} messages")
        slow.ack(ids[number], 1)
    for client in (slow, sending):
        end(client)


def test_a_name_in_use_is_also_detected_after_the_name_check(
    own: Path, tmp_path: Path, broker: Mosquitto, pit: Pit, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setattr(publisher, "NAME_CHECK_S", 0.0)
    twin = shutil.copytree(own.parent, tmp_path / "twin") / own.name
    with running_publisher(own, here(broker)):
        soon(lambda: bool(pit.states) and pit.states[-1].state == "here")
        with running_publisher(twin, here(broker)):
            soon(lambda: "name this table otherwise" in caplog.text)


def test_a_name_in_use_is_reported_and_nothing_is_sent(
    own: Path, tmp_path: Path, broker: Mosquitto, pit: Pit, caplog: pytest.LogCaptureFixture
) -> None:
    twin = shutil.copytree(own.parent, tmp_path / "twin") / own.name
    with running_publisher(own, here(broker)):
        soon(lambda: pit.events == sent(own))
        soon(lambda: pit.states[-1].state == "here")
        first = pit.states[-1].speaker
        with running_publisher(twin, here(broker)):
            soon(lambda: "is taken" in caplog.text)
    assert "the name CC-01 is taken: another client uses it on broker 127.0.0.1" in caplog.text
    assert [state for state in pit.states if state.speaker != first] == []


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (b"{", "no JSON"),
        (b'{"format":2}', "format 2; this program knows 1"),
        (wire.packed(wire.have("pit-1", NAME, "ab" * 16, 5, bytes(32))), "about another journal"),
        (wire.packed(wire.have("pit-2", NAME, "ab" * 16, 5, bytes(32))), "names another pit"),
    ],
)
def test_a_foreign_acknowledgement_is_reported_in_one_line_and_moves_no_cursor(
    own: Path, broker: Mosquitto, payload: bytes, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    liar = Pit(broker.port)
    liar.answers = False
    with closing(liar), running_publisher(own, here(broker)) as running:
        liar.open()
        soon(lambda: running.up)
        liar.publish_answer(wire.topic(NAME, "have/pit-1"), payload)
        soon(lambda: words in caplog.text)
        assert running.sender is not None
        assert running.sender.low == 0


# ------------------------------------------------------------------ TLS


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    return papers(tmp_path_factory.mktemp("papers"), NAME, "pit-1")


def tls(house: Papers, whose: str = "table") -> ssl.SSLContext:
    made = ssl.create_default_context(cafile=str(house.ca))
    made.load_cert_chain(*getattr(house, whose))
    return made


def test_all_events_arrive_with_certificates_and_the_printed_acl(
    own: Path, tmp_path: Path, house: Papers
) -> None:
    key = SigningKey.new("house.example/pit-1")
    acl = mosquitto([NAME], ["pit-1"])
    with closing(Mosquitto(tmp_path, house, acl)) as broker:
        pit = Pit(broker.port, key=key, tls=house.of_pit())
        at = Broker("localhost", broker.port, tls(house))
        with (
            closing(pit),
            running_publisher(own, at, pits={"pit-1": key.verifier(COSIGNATURE)}) as running,
        ):
            pit.open()
            soon(lambda: running.sender is not None and running.sender.low == len(sent(own)))
    assert pit.events == sent(own)


@pytest.mark.parametrize(
    ("whose", "names", "words"),
    [
        ("stranger", [NAME], "does it take this certificate?"),
        ("table", ["CC-02"], "see crisscross uplink acl"),
    ],
)
def test_missing_permission_to_publish_is_reported_in_one_line(
    own: Path, tmp_path: Path, house: Papers, whose: str, names: list[str], words: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    with ExitStack() as stack:
        broker = stack.enter_context(closing(Mosquitto(tmp_path, house, mosquitto(names, ["pit-1"]))))
        at = Broker("localhost", broker.port, tls(house, whose))
        running = stack.enter_context(running_publisher(own, at))
        soon(lambda: words in caplog.text)
    assert running.sender is None or running.sender.low == 0


# paho does not close its socket if the TLS handshake fails.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_broker_with_a_certificate_of_another_authority_is_refused(
    own: Path, tmp_path: Path, house: Papers, caplog: pytest.LogCaptureFixture
) -> None:
    with ExitStack() as stack:
        broker = stack.enter_context(closing(Mosquitto(tmp_path, house)))
        stack.enter_context(
            running_publisher(own, Broker("localhost", broker.port, ssl.create_default_context()))
        )
        soon(lambda: "its certificate does not hold" in caplog.text)
