"""Events that tables publish through a real Mosquitto are stored and acknowledged by the pit's own threads,
despite any fault.
"""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from controller.cli import main
from controller.common.tlog.note import COSIGNATURE, SigningKey
from controller.floor.pit import serve
from controller.floor.pit import store_writer as writer_
from controller.floor.pit.database import StoreError
from controller.floor.pit.floor import PitFloor
from controller.floor.pit.mqtt_subscriber import BrokerError, MqttSubscriber, broker_of
from controller.floor.pit.opening import open_database
from controller.floor.pit.serve import PitOptions
from controller.floor.pit.store import Store, events_of
from controller.floor.pit.store_writer import StoreWriter
from controller.floor.pit.tile import Tile
from controller.floor.uplink import wire
from controller.floor.uplink.mqtt_client import Broker, end
from tests.pit.published_tables import AT, Table, pit, played
from tests.uplink.broker import Mosquitto, soon
from tests.uplink.papers import papers

pytestmark = pytest.mark.serial


@contextmanager
def working(folder: Path, broker: Mosquitto, key: SigningKey | None = None) -> Iterator[StoreWriter]:
    """Run a pit without pages."""
    at = Broker("127.0.0.1", broker.port)

    def opened() -> Store:
        return Store(open_database(str(folder / "pit.db"), writing=True))

    def answer(have: wire.Have) -> None:
        line.answer(have)

    writer = StoreWriter(pit("pit-1", key), opened, answer, lambda _told: None)
    line = MqttSubscriber(at, "pit-1", writer.receive, writer.on_connected)
    writer.start()
    line.connect_later()
    try:
        yield writer
    finally:
        line.close()
        writer.stop()


class Publisher:
    """Connection of a table, which publishes and records the answers."""

    def __init__(self, port: int, table: Table) -> None:
        self.table, self.had = table, []
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.on_message = self._came
        self._client.connect("127.0.0.1", port)
        self._client.subscribe(wire.topic(table.name, "have/+"), 1)
        self._client.loop_start()

    def _came(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self.had.append(wire.read_have(bytes(message.payload), self.table.name))

    def publish(self, *payloads: bytes, leaf: str = "events") -> None:
        for payload in payloads:
            self._client.publish(wire.topic(self.table.name, leaf), payload, 1, retain=leaf == "state")

    def close(self) -> None:
        end(self._client)

    def begin(self) -> None:
        """Wait until the pit has answered a state, and so is subscribed."""
        self.publish(self.table.state(), leaf="state")
        soon(lambda: self.has(0))

    def has(self, upto: int) -> bool:
        return bool(self.had) and self.had[-1].upto == upto


def kept(folder: Path, table: Table) -> list[bytes]:
    with closing(open_database(str(folder / "pit.db"), writing=False)) as database:
        return [each.body.encode() for each in events_of(database, table.name, table.stream)]


def test_published_events_are_stored_and_acknowledged_with_root_and_signature(
    tmp_path: Path, broker: Mosquitto
) -> None:
    key, table = SigningKey.new("house.example/pit"), Table()
    table.play()
    with working(tmp_path, broker, key), closing(Publisher(broker.port, table)) as publisher:
        publisher.begin()
        publisher.publish(*table.payloads)
        soon(lambda: publisher.has(len(table.payloads)))
        assert wire.proven(publisher.had[-1], key.verifier(COSIGNATURE))
    assert kept(tmp_path, table) == table.payloads


def test_tables_with_one_name_at_two_sites_are_separate(tmp_path: Path, broker: Mosquitto) -> None:
    tables = [Table("CC-01"), Table("north.CC-01"), Table("south.CC-01")]
    with working(tmp_path, broker) as writer:
        for rounds, table in enumerate(tables, 1):
            for _ in range(rounds):
                table.play(dealer=f"{rounds:04}")
            with closing(Publisher(broker.port, table)) as publisher:
                publisher.begin()
                publisher.publish(*table.payloads)
                soon(lambda publisher=publisher, table=table: publisher.has(len(table.payloads)))  # type: ignore[misc]
        assert writer.counts.refused == 0
    for table in tables:
        assert kept(tmp_path, table) == table.payloads


def test_a_gap_is_answered_with_the_last_stored_event(tmp_path: Path, broker: Mosquitto) -> None:
    table = played()
    with working(tmp_path, broker), closing(Publisher(broker.port, table)) as publisher:
        publisher.begin()
        publisher.publish(*table.payloads[:4], *table.payloads[6:])
        soon(lambda: publisher.has(4))
        publisher.publish(*table.payloads[4:])
        soon(lambda: publisher.has(len(table.payloads)))
    assert kept(tmp_path, table) == table.payloads


def test_each_publishing_table_is_acknowledged_again_on_a_new_connection(
    tmp_path: Path, broker: Mosquitto
) -> None:
    table = played()
    with working(tmp_path, broker):
        with closing(Publisher(broker.port, table)) as publisher:
            publisher.begin()
            publisher.publish(*table.payloads)
            soon(lambda: publisher.has(len(table.payloads)))
        broker.kill()
        broker.start()
        with closing(Publisher(broker.port, table)) as publisher:
            publisher.publish(table.state(), leaf="state")
            soon(lambda: publisher.has(len(table.payloads)))


def test_a_failing_store_acknowledges_no_event_until_it_recovers(
    tmp_path: Path, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table, full = Table(), threading.Event()
    table.play()
    keep = Store.keep

    def failing(store: Store, *rest: object) -> None:
        if full.is_set():
            raise StoreError("store pit.db: the disk is full; make room on it and start again (SQLITE_FULL)")
        keep(store, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "keep", failing)
    monkeypatch.setattr(writer_, "STORE_RETRY_S", 0.1)
    monkeypatch.setattr(Store, "probe", lambda _store: failing(_store, [], {}, {}))
    with working(tmp_path, broker) as writer, closing(Publisher(broker.port, table)) as publisher:
        publisher.begin()
        publisher.publish(*table.payloads[:3])
        soon(lambda: publisher.has(3))
        full.set()
        publisher.publish(*table.payloads[3:])
        soon(lambda: writer.counts.failures == 1)
        assert publisher.has(3)
        full.clear()
        soon(lambda: publisher.has(len(table.payloads)), "what was received meanwhile is not written")
        assert [each.upto for each in publisher.had].count(3) == 2, "the answer is repeated"
    assert kept(tmp_path, table) == table.payloads
    assert sum("the disk is full" in each.getMessage() for each in caplog.records) == 1


def test_a_foreign_payload_and_one_from_the_future_are_logged_once_each(
    tmp_path: Path, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    table = played()
    with working(tmp_path, broker) as writer, closing(Publisher(broker.port, table)) as publisher:
        publisher.begin()
        publisher.publish(b"hello")
        publisher.publish(b'{"format": 2}')
        publisher.publish(b"{}", leaf="state")
        soon(lambda: writer.counts.refused == 3)
        publisher.publish(*table.payloads)
        soon(lambda: publisher.has(len(table.payloads)))
    warnings = [each.getMessage() for each in caplog.records if each.levelname == "WARNING"]
    for words in ("CC-01: a payload that is no JSON", "format 2; this program knows 1", "state: a payload"):
        assert sum(words in line for line in warnings) == 1, words
    assert len(warnings) == 3


def test_two_pits_with_one_name_are_reported(
    tmp_path: Path, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table()
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    with (
        working(folders[0], broker),
        working(folders[1], broker),
        closing(Publisher(broker.port, table)) as publisher,
    ):
        publisher.begin()
        soon(lambda: len(publisher.had) == 2)
        publisher.publish(*table.payloads)
        soon(lambda: caplog.text.count("another pit is called pit-1; give each a --name") == 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--broker", "http://house"], "--broker: is no address of a broker"),
        (["--broker", "mqtt://house", "--ca", "ca.pem"], "certificates are for mqtts:// alone"),
        (["--name", "a.b"], "--name: allowed"),
        (["--shifts", "25"], "--shifts: allowed"),
        (["--listen", "here"], "--listen: allowed"),
        (["--zone", "Mars/Olympus"], "--zone: is no time zone"),
        (["--key", "/nowhere/key"], "--key: /nowhere/key: No such file"),
        (["--broker", "mqtt://pit:secret@house"], "give it by --broker-password FILE"),
        (["--broker", "mqtt://pit:@house"], "give it by --broker-password FILE"),
        (["--broker", "mqtt://pit:se#cr/et@house"], "give it by --broker-password FILE"),
        (["--broker-password", "/nowhere/word"], "--broker-password: /nowhere/word: No such file"),
        (["--store", "postgresql://pit:secret@house/pit"], "write it into ~/.pgpass (chmod 600)"),
    ],
)
def test_an_invalid_option_is_refused_in_one_line(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pit", *options]) == 2
    line = capsys.readouterr().err
    assert message in line and line.count("\n") == 1


def test_the_password_of_the_broker_comes_from_a_file_that_others_may_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[PitOptions] = []
    monkeypatch.setattr(serve, "serve", given.append)
    file, typed = tmp_path / "broker-password", ["pit", "--broker", "mqtt://pit-1@house"]
    file.write_text("one:two@three\n", encoding="utf-8")
    file.chmod(0o644)
    assert main([*typed, "--broker-password", str(file)]) == 2
    assert f"{file}: others may read it; chmod 600 {file}" in capsys.readouterr().err
    file.chmod(0o640)
    assert main([*typed, "--broker-password", str(file)]) == 0
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    assert main(typed) == 0
    assert [(each.broker.user, each.broker.password) for each in given] == [("pit-1", "one:two@three")] * 2
    file.write_text("two\nlines\n", encoding="utf-8")
    assert main(typed) == 2
    assert "--broker-password: " in (output := capsys.readouterr().err) and "lines" not in output
    assert main(["pit", "--broker", "mqtt://house", "--broker-password", str(tmp_path / "none")]) == 2


def test_an_invalid_certificate_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(BrokerError, match=r"ca\.pem: .*allowed: PEM files"):
        MqttSubscriber(broker_of("mqtts://localhost", tmp_path / "ca.pem"), "pit-1", lambda *_: None)
    assert issubclass(ssl.SSLError, OSError)


# paho does not close its socket if the TLS handshake fails.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("ca", "whose", "words"),
    [
        ("house", "stranger", "closed the line before it answered; does it take this certificate?"),
        ("other", "pit", "its certificate does not hold"),
    ],
)
def test_an_untrusted_certificate_is_reported_in_one_line(
    tmp_path: Path, ca: str, whose: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    folders = {name: tmp_path / name for name in ("house", "other")}
    for folder in folders.values():
        folder.mkdir()
    houses = {name: papers(folder, "CC-01", "pit-1") for name, folder in folders.items()}
    own = houses["house"]
    with closing(Mosquitto(tmp_path, own)) as broker:
        at = broker_of(f"mqtts://localhost:{broker.port}", houses[ca].ca, *getattr(own, whose))
        line = MqttSubscriber(at, "pit-1", lambda *_: None)
        line.connect_later()
        soon(lambda: words in caplog.text)
        line.close()
    assert len({each.getMessage() for each in caplog.records if each.levelname == "WARNING"}) == 1


def test_a_broker_that_grants_a_subscription_and_sends_nothing_is_named(tmp_path: Path) -> None:
    """Mosquitto grants every subscription, even if its access list then withholds all messages. The pit knows
    an open table, so it can expect a message."""
    table, now = played(), 0.0
    with closing(Mosquitto(tmp_path, acl="topic write crisscross/1/CC-01/#\n")) as broker:
        floor = PitFloor(lambda: now, lambda: now)
        floor.begin({"CC-01": (replace(Tile(), phase="bets", at=AT), len(table.payloads))})
        line = MqttSubscriber(broker_of(f"mqtt://127.0.0.1:{broker.port}"), "pit-1", lambda _message: None)
        line.connect_later()
        with closing(Publisher(broker.port, table)) as publisher:
            publisher.publish(table.state(), leaf="state")
            soon(lambda: line.faults(floor.names(), is_expected=floor.is_expected()) == {"broker": ""})
            now = wire.SILENT_S + 1
            found = line.faults(floor.names(), is_expected=floor.is_expected())
        line.close()
    assert found == {"broker": "no message of a known table since the start; see crisscross uplink acl"}


def test_a_person_can_give_a_table_a_new_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "pit.db")
    assert main(["pit", "--store", store, "--accept", "CC-01", "b2"]) == 1
    Store(open_database(store, writing=True)).close()
    assert main(["pit", "--store", store, "--accept", "CC-01", "b2"]) == 1
    assert "the store has no table CC-01" in capsys.readouterr().err
