"""A real Mosquitto on this machine, with TLS on request, and a pit that follows the contract."""

from __future__ import annotations

import signal
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.common.tlog.merkle import Frontier
from controller.common.tlog.note import SigningKey
from controller.floor.uplink import wire
from controller.floor.uplink.limit import LIMIT_PROPERTY
from controller.floor.uplink.mqtt_client import end
from controller.floor.uplink.previous import read_previous
from controller.mock.pit.broker import PACKAGE, free_port, program, write_settings
from tests.uplink.papers import Papers

MOSQUITTO = program() or PACKAGE
SOON_S = 60.0


def soon(holds: Callable[[], bool], what: str = "") -> None:
    """Wait until the condition is true."""
    pause = threading.Event()
    for _ in range(int(SOON_S / 0.02)):
        if holds():
            return
        pause.wait(0.02)
    raise AssertionError(what or "it did not come")


class Mosquitto:
    """Mosquitto broker. `papers`: its certificates and those that it accepts; without them it accepts any
    user of this machine."""

    def __init__(self, folder: Path, papers: Papers | None = None, acl: str | None = None) -> None:
        self.port = free_port()
        lines: list[str] = []
        if papers is not None:
            lines += [
                f"cafile {papers.ca}", f"certfile {papers.broker[0]}", f"keyfile {papers.broker[1]}",
                "require_certificate true", "use_identity_as_username true", "allow_anonymous false",
            ]  # fmt: skip
        if acl is not None:
            (folder / "acl").write_text(acl)
            (folder / "acl").chmod(0o644)
            lines += [*(() if papers else ("allow_anonymous true",)), f"acl_file {folder / 'acl'}"]
        self._file = write_settings(folder / "mosquitto.conf", self.port, *lines)
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._file)], stdout=quiet, stderr=quiet)
        soon(self._answers, "Mosquitto does not come up")

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    @property
    def pid(self) -> int:
        """Process number of the broker, or 0 if it does not run."""
        return self._process.pid if self._process is not None else 0

    def kill(self) -> None:
        """Kill the broker as a power cut would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(10)
            self._process = None

    def close(self) -> None:
        self.kill()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with closing(Mosquitto(tmp_path)) as started:
        yield started


class Pit:
    """Pit that accepts the next event, refuses a gap and acknowledges its last event. Its store is a list."""

    def __init__(
        self, port: int, name: str = "pit-1", *, key: SigningKey | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:  # fmt: skip
        self.events: list[bytes] = []
        self.states: list[wire.State] = []
        self.felts: list[wire.Felt] = []
        self.gaps = 0
        self.previous: list[bytes | None] = []
        """Root of the tree before each event, from the property `previous` of its message."""
        self.drops: set[int] = set()
        """Numbers of events that are dropped once."""
        self.answers = True
        self.limit: int | None = None
        """Limit of unacknowledged bytes that the pit states in each answer; None for no limit."""
        self._name, self._key, self._tree, self._stream = name, key, Frontier(), ""
        self._port, self._tls = port, tls
        self._client: Client | None = None

    def open(self) -> None:
        version = CallbackAPIVersion.VERSION2
        client = Client(version, f"{self._name}-1", protocol=MQTTProtocolVersion.MQTTv5)
        if self._tls is not None:
            client.tls_set_context(self._tls)
        client.reconnect_delay_set(1, 1)
        client.on_connect = lambda *_: client.subscribe(
            [(wire.topic(each, leaf), 1) for each in wire.ALL_TABLES for leaf in LEAVES]
        )
        client.on_message = self._came
        client.connect("127.0.0.1" if self._tls is None else "localhost", self._port, 5)
        client.loop_start()
        self._client = client

    def close(self) -> None:
        if self._client is not None:
            end(self._client)
            self._client = None

    def _came(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        table, leaf = wire.table_of(message.topic)
        if leaf == "state":
            self.states.append(wire.read_state(message.payload, table))
            self._answer(table, self.states[-1].stream)
        elif leaf == "felt":
            self.felts.append(wire.read_felt(message.payload, table))
        else:
            properties = getattr(message.properties, "UserProperty", ())
            self.previous.append(read_previous(properties))
            self._event(table, message.payload)

    def _event(self, table: str, payload: bytes) -> None:
        event = wire.read_event(payload, table)
        self._stream = event.stream
        if event.number in self.drops:
            self.drops.remove(event.number)
        elif event.number == len(self.events) + 1:
            self.events.append(payload)
            self._tree = self._tree.add(wire.leaf_of(payload))
            self._answer(table, event.stream)
        elif event.number > len(self.events) + 1:
            self.gaps += 1
            self._answer(table, event.stream)

    def _answer(self, table: str, stream: str) -> None:
        if self._client is None or not self.answers:
            return
        upto, root = self._tree.size, self._tree.root()
        answer = wire.have(self._name, table, stream, upto, root, self._key, 1_790_000_000)
        self.publish_answer(wire.topic(table, f"have/{self._name}"), wire.packed(answer))

    def answer_again(self, table: str) -> None:
        self._answer(table, self._stream)

    def publish_answer(self, topic: str, payload: bytes) -> None:
        properties = Properties(PacketTypes.PUBLISH)
        if self.limit is not None:
            properties.UserProperty = (LIMIT_PROPERTY, str(self.limit))
        if self._client is not None:
            self._client.publish(topic, payload, 1, retain=True, properties=properties)


LEAVES = ("events", "state", "felt")
