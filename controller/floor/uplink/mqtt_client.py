"""MQTT 5 client of one broker, by paho-mqtt: the only module that opens a connection to a broker.

The uplink builds on it a connection that is never reopened (`mqtt_connection.py`), the pit one that paho
reopens (`floor/pit/mqtt_subscriber.py`). A session ends with its connection, so the broker stores nothing
for either. Faults are one line each, logged once.
"""

from __future__ import annotations

import logging
import ssl
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from controller.common.process.log_once import LogOnce
from controller.floor.uplink.limit import LIMIT_PROPERTY
from controller.floor.uplink.previous import PREVIOUS

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

CLOSED_EARLY = "closed the line before it answered; does it take this certificate?"
REFUSED_FROM = 128
"""Lowest reason code by which a broker refuses (MQTT 5, section 2.4)."""
UNAVAILABLE = frozenset({131, 136, 137, 151, 159})
"""Reason codes of a broker that cannot serve now: implementation specific error, server unavailable, server
busy, quota exceeded, connection rate exceeded. A RabbitMQ cluster sends the first while a node is lost."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Address of a broker, TLS context and credentials. `tls` None: only on this machine."""

    host: str
    port: int
    tls: ssl.SSLContext | None = None
    user: str | None = None
    password: str | None = None

    def __str__(self) -> str:
        return f"broker {self.host}:{self.port}"


class MqttClient:
    """Client of one broker. `connected`, `disconnected`, `message`, `subscribed` and `published` run on
    paho's thread; a subclass implements them.
    """

    def __init__(
        self,
        broker: Broker,
        client_id: str,
        log: logging.Logger,
        *,
        max_packet_bytes: int,
        keepalive_s: int,
        retry_s: tuple[int, int] | None = None,
        max_unanswered: int | None = None,
    ) -> None:
        """Create the client without connecting.

        `max_packet_bytes`: limit of a packet from the broker. `retry_s`: shortest and longest delay of a
        reconnection; None: it never reconnects. `max_unanswered`: number of messages that the broker may send
        before they are acknowledged by `ack`; None: paho acknowledges each on receipt.
        """
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

        self.broker = broker
        self._faults = LogOnce(log)
        self._max_packet_bytes, self._keepalive_s = max_packet_bytes, keepalive_s
        self._max_unanswered = max_unanswered
        self._client = client = Client(
            CallbackAPIVersion.VERSION2, client_id, protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=retry_s is not None, manual_ack=max_unanswered is not None,
        )  # fmt: skip
        if retry_s is not None:
            client.reconnect_delay_set(*retry_s)
        if broker.user:
            client.username_pw_set(broker.user, broker.password)
        if broker.tls is not None:
            client.tls_set_context(broker.tls)
        client.on_connect = lambda _client, _data, _flags, code, about: self.connected(code, about)
        client.on_disconnect = lambda _client, _data, _flags, code, _about: self.disconnected(code)
        client.on_message = lambda _client, _data, message: self.message(message)
        client.on_subscribe = lambda _client, _data, mid, codes, _about: self.subscribed(mid, codes)
        client.on_publish = lambda _client, _data, _mid, code, _about: self.published(code)

    def connect(self) -> None:
        """Connect, and start a thread that reads. Raises OSError or ValueError."""
        self._client.connect(**self._address())
        self._client.loop_start()

    def connect_later(self) -> None:
        """Connect on paho's thread, retrying until `close`; the broker may start later."""
        self._client.connect_async(**self._address())
        self._client.loop_start()

    def _address(self) -> dict[str, Any]:
        about = _properties("CONNECT")
        about.SessionExpiryInterval = 0
        about.MaximumPacketSize = self._max_packet_bytes
        if self._max_unanswered is not None:
            about.ReceiveMaximum = self._max_unanswered
        return {
            "host": self.broker.host, "port": self.broker.port, "keepalive": self._keepalive_s,
            "clean_start": True, "properties": about,
        }  # fmt: skip

    def subscribe_to(self, topics: Sequence[tuple[str, int]], *, own: bool = False) -> int | None:
        """Subscribe to topics with their QoS; return the number that the broker's answer will have.

        `own`: also receive what this client publishes.
        """
        from paho.mqtt.subscribeoptions import SubscribeOptions

        subscriptions = [(topic, SubscribeOptions(qos, noLocal=not own)) for topic, qos in topics]
        return self._client.subscribe(subscriptions)[1]

    def publish(
        self,
        topic: str,
        payload: bytes,
        *,
        qos: int = 1,
        retain: bool = False,
        expires_s: int | None = None,
        kind: str | None = None,
        previous: bytes | None = None,
        limit: int | None = None,
    ) -> Any:  # noqa: ANN401  # paho's own, to wait for
        """Publish a message. `expires_s`: seconds after which the broker drops it; `kind`: content type;
        `previous`, `limit`: user properties of the message. The others are MQTT's own."""
        about = _about(expires_s, kind, previous, limit)
        return self._client.publish(topic, payload, qos, retain, about)

    def close(self) -> None:
        """Disconnect in order, so that the broker does not send the will."""
        end(self._client)

    def warn(self, words: str, event: str) -> None:
        """Log a fault of the connection once, not at each attempt. `event`: its kind in one word."""
        self._faults.warn(f"{self.broker}: {words}", event)

    # ------------------------------------------------------------------ on paho's thread

    def connected(self, code: ReasonCode, about: Properties | None) -> None:
        """Handle the broker's answer to a connection. `code`: whether it accepted; `about`: its MQTT 5
        properties."""

    def disconnected(self, code: ReasonCode) -> None:
        """Handle the end of a connection."""

    def message(self, message: MQTTMessage) -> None:
        """Handle a message that the broker has sent."""

    def subscribed(self, number: int, codes: Sequence[ReasonCode]) -> None:
        """Handle the answer to subscription `number`: a code for each topic."""

    def published(self, code: ReasonCode) -> None:
        """Handle the broker's acknowledgement of a published message; `code` may be a refusal."""


def end(client: Client) -> None:
    """Disconnect in order, so that the broker does not send the will. `reinitialise` closes the sockets that
    paho leaves to the garbage collector."""
    client.disconnect()
    client.loop_stop()
    client.reinitialise()


def refusal_reason(code: ReasonCode, words: str) -> str:
    """Return the reason of a refusal: `words`, or that the broker cannot serve now."""
    return f"cannot serve now ({code}); it is tried again" if code.value in UNAVAILABLE else words


def fault_words(error: BaseException) -> str:
    """Return the reason for which a connection could not be opened."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate does not hold: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"no TLS with it: {error.reason or 'it broke off'}"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@lru_cache(8)
def _about(expires_s: int | None, kind: str | None, previous: bytes | None, limit: int | None) -> Properties:
    """Return the properties of a message. They are cached, because all answers of a pit have the same ones,
    and must never be changed."""
    about = _properties("PUBLISH")
    if expires_s is not None:
        about.MessageExpiryInterval = expires_s
    if kind is not None:
        about.ContentType = kind
    if previous is not None:
        about.UserProperty = (PREVIOUS, b64encode(previous).decode())
    if limit is not None:
        about.UserProperty = (LIMIT_PROPERTY, str(limit))
    return about


def _properties(packet: str) -> Properties:
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    return Properties(getattr(PacketTypes, packet))  # type: ignore[no-untyped-call]  # paho's own
