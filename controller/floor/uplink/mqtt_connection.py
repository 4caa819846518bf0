"""One connection to a broker, MQTT 5 by paho-mqtt: opened once, used until it is lost, never reopened.

The caller opens a new one, so nothing of an old connection is resent by itself. Messages from the broker
are limited in size and number; excess ones are dropped, because answers are repeated.
"""

from __future__ import annotations

import logging
import queue
import ssl
import threading
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from controller.floor.uplink import wire
from controller.floor.uplink.mqtt_close import end

if TYPE_CHECKING:
    from paho.mqtt.client import Client

log = logging.getLogger("crisscross.uplink")

WAIT_S = 10.0
"""Timeout in seconds for the connection, and for each answer while it is opened."""
KEEPALIVE_S = 15
MAX_PACKET_BYTES = 16 * 1024
"""Maximum size of a packet from the broker; an answer has some 600 bytes."""
RESTS_AFTER, REST_S = 20, 0.02
"""After RESTS_AFTER messages reading pauses for REST_S. So a flood is limited to a thousand messages a
second, and the broker has to store the rest.
"""
MAX_QUEUED = 1000
TAKEN_OVER = 142
REFUSED_FROM = 128
"""Lowest reason code by which a broker refuses (MQTT 5, section 2.4)."""


class ConnectionLost(Exception):
    """Raised if the connection to the broker cannot be opened or is lost. The message is one line with the
    cause.
    """


@dataclass(frozen=True, slots=True)
class Broker:
    """Address of a broker, and the TLS context. `tls` is None only for a broker on this machine."""

    host: str
    port: int
    tls: ssl.SSLContext | None = None

    def __str__(self) -> str:
        return f"broker {self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Message:
    """A received message. `retained`: True if the broker had stored it before this subscription."""

    topic: str
    payload: bytes
    retained: bool


class MqttConnection:
    """Connection to one broker. Its own thread reads; one other thread makes all calls."""

    def __init__(self, broker: Broker, client_id: str, will: tuple[str, bytes]) -> None:
        """Connect. `will`: topic and payload that the broker sends, retained, when the connection is lost.

        Raises ConnectionLost.
        """
        self._broker = broker
        self._came: queue.Queue[Message] = queue.Queue(MAX_QUEUED)
        self._there, self._lost, self._closing = threading.Event(), threading.Event(), threading.Event()
        self._read = 0
        self._why = "closed the line"
        self._granted: queue.Queue[list[int]] = queue.Queue()
        self.takes = 0
        """Largest packet in bytes that the broker accepts; 0 if it states no limit."""
        self._client = self._made(client_id)
        self._client.will_set(*will, qos=1, retain=True)
        try:
            self._open()
        except ConnectionLost:
            self.close()
            raise

    def _made(self, client_id: str) -> Client:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        client = Client(
            CallbackAPIVersion.VERSION2, client_id, protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
        )  # fmt: skip
        client.connect_timeout = WAIT_S
        if self._broker.tls is not None:
            client.tls_set_context(self._broker.tls)
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_message, client.on_subscribe = self._message, self._subscribed
        client.on_publish = self._published
        return client

    def _open(self) -> None:
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties

        wants = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        # the broker need not store messages for this client: the outbox has them
        wants.SessionExpiryInterval = 0
        wants.MaximumPacketSize = MAX_PACKET_BYTES
        try:
            self._client.connect(
                self._broker.host, self._broker.port, KEEPALIVE_S, clean_start=True, properties=wants
            )  # fmt: skip
        except ssl.SSLCertVerificationError as error:
            raise ConnectionLost(
                f"{self._broker}: its certificate does not hold: {error.verify_message}"
            ) from None
        except ssl.SSLError as error:
            raise ConnectionLost(f"{self._broker}: no TLS with it: {error.reason or error}") from None
        except (OSError, ValueError) as error:
            words = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise ConnectionLost(f"{self._broker}: does not answer: {words}") from None
        self._client.loop_start()
        if not self._there.wait(WAIT_S) or self._lost.is_set():
            raise ConnectionLost(f"{self._broker}: {self._why if self._lost.is_set() else 'does not answer'}")

    # ------------------------------------------------------------------ requests to the broker

    def subscribe(self, *topics: str) -> None:
        """Subscribe to these topics. Raises ConnectionLost if the broker refuses one."""
        for topic, is_granted in zip(topics, self.ask_for(*topics), strict=False):
            if not is_granted:
                raise ConnectionLost(f"{self._broker}: refuses {topic}: see crisscross uplink acl")

    def ask_for(self, *topics: str) -> list[bool]:
        """Subscribe to these topics and return, for each, whether the broker accepts it. Raises
        ConnectionLost if it does not answer.
        """
        from paho.mqtt.subscribeoptions import SubscribeOptions

        self._client.subscribe([(topic, SubscribeOptions(qos=1, noLocal=True)) for topic in topics])
        try:
            granted = self._granted.get(timeout=WAIT_S)
        except queue.Empty:
            raise ConnectionLost(
                f"{self._broker}: {self._why if self._lost.is_set() else 'does not answer'}"
            ) from None
        return [code < REFUSED_FROM for code in granted]

    def send(
        self,
        topic: str,
        payload: bytes,
        *,
        qos: int = 1,
        retain: bool = False,
        expires_s: int | None = None,
        kind: str | None = None,
        previous: bytes | None = None,
    ) -> Any:  # noqa: ANN401  # paho's own, to wait for
        """Publish a message and return paho's handle of it. `previous`: root of the events before, sent as a
        user property. `expires_s`: age at which the broker drops it. Raises ConnectionLost if the connection
        is lost.
        """
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties

        if self._lost.is_set():
            raise ConnectionLost(f"{self._broker}: {self._why}")
        about = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if expires_s is not None:
            about.MessageExpiryInterval = expires_s
        if kind is not None:
            about.ContentType = kind
        if previous is not None:
            about.UserProperty = (wire.PREVIOUS, b64encode(previous).decode())
        return self._client.publish(topic, payload, qos, retain, about)

    def receive(self, wait_s: float) -> Iterator[Message]:
        """Yield received messages, waiting at most `wait_s` seconds for the first.

        Raises ConnectionLost if the connection is lost and no message is queued.
        """
        try:
            yield self._came.get(timeout=wait_s)
            while True:
                yield self._came.get_nowait()
        except queue.Empty:
            if self._lost.is_set():
                raise ConnectionLost(f"{self._broker}: {self._why}") from None

    def close(self) -> None:
        """Disconnect in order, so that the broker does not send the will."""
        self._closing.set()
        end(self._client)

    # ------------------------------------------------------------------ callbacks on paho's thread

    def _connected(self, _client: Client, _data: object, _flags: object, code: Any, about: Any) -> None:  # noqa: ANN401
        if code.is_failure:
            self._why = f"refuses the table: {code}"
            self._lost.set()
        self.takes = int(getattr(about, "MaximumPacketSize", 0) or 0)
        self._there.set()

    def _disconnected(self, _client: Client, _data: object, _flags: object, code: Any, _about: Any) -> None:  # noqa: ANN401
        if not self._there.is_set():
            self._why = "closed the line before it answered; does it take this certificate?"
        elif code.value == TAKEN_OVER:
            self._why = "another took this client's place"
        elif not self._lost.is_set():
            self._why = f"the line is lost: {code}"
        self._lost.set()
        self._there.set()

    def _message(self, _client: Client, _data: object, message: Any) -> None:  # noqa: ANN401
        self._read += 1
        if self._read % RESTS_AFTER == 0:
            self._closing.wait(REST_S)
        if len(message.payload) <= wire.MAX_PAYLOAD_BYTES and not self._came.full():
            self._came.put_nowait(Message(message.topic, bytes(message.payload), bool(message.retain)))

    def _published(self, _client: Client, _data: object, _mid: int, code: Any, _about: Any) -> None:  # noqa: ANN401
        """Note that the broker refused a message; an acceptance needs no action."""
        if code.is_failure:
            self._why = f"refuses what this table says ({code}): see crisscross uplink acl"
            self._lost.set()

    def _subscribed(self, _client: Client, _data: object, _mid: int, codes: Any, _about: Any) -> None:  # noqa: ANN401
        self._granted.put([code.value for code in codes])
