"""The pit's broker connection: every table's topics in, "have up to N" out. MQTT 5 by paho, in a thread.

The broker stores nothing for an absent pit: a table resends from the last acknowledged event. Messages are
passed on as received; nothing here reads a payload. A fault that a person can correct is one line.
"""

from __future__ import annotations

import logging
import ssl
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from urllib.parse import unquote, urlsplit

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from controller.floor.uplink.mqtt_close import end
from controller.floor.uplink.wire import (
    ANSWER_EXPIRY_S,
    MAX_PAYLOAD_BYTES,
    ROOT,
    Have,
    OnMyWay,
    packed,
    topic,
)

log = logging.getLogger("crisscross.pit")
PORTS = {"mqtt": 1883, "mqtts": 8883}
ALLOWED = "allowed: mqtt://HOST[:PORT], mqtts://HOST[:PORT], USER:PASSWORD@ before the host where needed"
KEEPALIVE_S, MIN_RETRY_S, MAX_RETRY_S = 20, 1, 10
QOS = {"events": 1, "state": 1, "felt": 0}


class BrokerError(Exception):
    """Raised if the broker cannot be used as configured. The message is one line."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Address of a broker, and the credentials for it."""

    host: str
    port: int
    tls: bool
    user: str | None
    password: str | None
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    def __str__(self) -> str:
        return f"broker {self.host} port {self.port}"


def broker_of(
    url: str, ca: Path | None = None, certificate: Path | None = None, key: Path | None = None
) -> Broker:
    """Return the broker of a typed address. Raises BrokerError."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BrokerError(f"--broker: is no address; {ALLOWED}") from None
    if parts.scheme not in PORTS or not host or parts.path.strip("/") or parts.query:
        raise BrokerError(f"--broker: is no address of a broker; {ALLOWED}")
    tls = parts.scheme == "mqtts"
    if not tls and (ca or certificate or key):
        raise BrokerError("--broker: certificates are for mqtts:// alone; write mqtts, or leave them out")
    if (certificate is None) != (key is None):
        raise BrokerError("--cert and --key: both or none")
    user, password = (unquote(each) if each else None for each in (parts.username, parts.password))
    return Broker(host, port or PORTS[parts.scheme], tls, user, password, ca, certificate, key)


def _context(broker: Broker) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=str(broker.ca) if broker.ca else None)
        if broker.certificate is not None:
            context.load_cert_chain(broker.certificate, broker.key)
    except OSError as error:  # includes ssl's own errors
        files = ", ".join(str(each) for each in (broker.ca, broker.certificate, broker.key) if each)
        raise BrokerError(
            f"{broker}: {files}: {_words(error)}; allowed: PEM files that this user may read"
        ) from None
    return context


class MqttSubscriber:
    """Subscriber to the topics of all tables. `heard` is called with each message and `began` on each new
    connection, both on paho's thread.
    """

    def __init__(
        self, broker: Broker, pit: str, heard: Callable[[str, bytes, Sequence[tuple[str, str]]], None],
        began: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self._broker, self._pit, self._heard, self._began = broker, pit, heard, began
        self._said, self._answered = "", False
        # with a fixed name, two pits of that name would disconnect each other for ever
        name = f"crisscross-pit-{pit}-{token_hex(4)}"
        self._client = client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5)
        if broker.user:
            client.username_pw_set(broker.user, broker.password)
        if broker.tls:
            client.tls_set_context(_context(broker))
        client.reconnect_delay_set(MIN_RETRY_S, MAX_RETRY_S)
        client.on_connect, client.on_connect_fail = self._connected, self._failed
        client.on_disconnect, client.on_message = self._disconnected, self._message

    def start(self) -> None:
        """Connect, and reconnect until `stop`; the broker may start later."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's own
        properties.MaximumPacketSize = MAX_PAYLOAD_BYTES + 4096
        self._client.connect_async(
            self._broker.host, self._broker.port, KEEPALIVE_S, clean_start=True, properties=properties
        )
        self._client.loop_start()

    def stop(self) -> None:
        end(self._client)

    def faults(self) -> list[str]:
        """Return the fault of the connection in one line, or an empty list; any thread."""
        return [] if self._client.is_connected() else ["broker: no connection"]

    def answer(self, have: Have) -> None:
        """Publish an acknowledgement. Without a connection it is dropped: on the next connection each table
        publishes first and gets a new one.
        """
        if self._client.is_connected():
            self._client.publish(topic(have.table, f"have/{have.pit}"), packed(have), qos=1, retain=True)

    def on_my_way(self, answer: OnMyWay) -> None:
        """Send "on my way" to a table. Without a connection it is dropped and sent at the next repetition."""
        if self._client.is_connected():
            properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho's own
            properties.MessageExpiryInterval = ANSWER_EXPIRY_S
            leaf = f"on_my_way/{answer.pit}"
            self._client.publish(topic(answer.table, leaf), packed(answer), qos=1, properties=properties)

    # ------------------------------------------------------------------ in paho's thread

    def _connected(
        self,
        client: Client,
        _data: object,
        _flags: ConnectFlags,
        code: ReasonCode,
        _more: object,
    ) -> None:
        self._answered = True
        if code.is_failure:
            self._say(f"{self._broker}: refuses the pit: {code}; look at its users and its ACL")
            return
        wanted = [(f"{ROOT}/+/{leaf}", SubscribeOptions(qos)) for leaf, qos in QOS.items()]
        wanted.append((f"{ROOT}/+/on_the_way/{self._pit}", SubscribeOptions(qos=1)))
        own = f"{ROOT}/+/have/{self._pit}"
        client.subscribe([*wanted, (own, SubscribeOptions(qos=1, noLocal=True))])
        self._said = ""
        self._began()
        log.info("%s: the line is up", self._broker)

    def _failed(self, _client: Client, _data: object) -> None:
        error = sys.exception()
        self._say(f"{self._broker}: {_words(error) if error else 'no line'}; it is tried again")

    def _disconnected(
        self,
        client: Client,
        _data: object,
        _flags: DisconnectFlags,
        code: ReasonCode,
        _more: object,
    ) -> None:
        answered, self._answered = self._answered, False
        if self._broker.tls and not answered:
            self._say(f"{self._broker}: closed the line before it answered; does it take this certificate?")
        elif code.is_failure:
            self._say(f"{self._broker}: the line is lost ({code}); it is tried again")

    def _message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        if "/have/" not in message.topic:
            found = getattr(message.properties, "UserProperty", ()) if message.properties else ()
            self._heard(message.topic, bytes(message.payload), tuple(found))
        elif not message.retain:  # published now, and not by this connection
            self._say(f"{self._broker}: another pit is called {self._pit}; give each a --name of its own")

    def _say(self, words: str) -> None:
        """Log a message unless it is the same as the last one."""
        if words != self._said:
            self._said = words
            log.warning("%s", words)


def _words(error: BaseException) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate does not hold: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"no TLS with it: {error.reason or 'it broke off'}"
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
