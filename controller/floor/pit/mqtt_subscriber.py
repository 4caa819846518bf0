"""The pit's connection to the broker: receives every table's topics and sends the pit's acknowledgements.

MQTT 5 by paho, in a thread. The broker stores nothing for an absent pit: a table resends from the last
acknowledged event. Messages are passed on as received, without reading the payload. The module that has
handled a message acknowledges it to the broker, so the broker holds back messages while the pit is slow. A
fault that a person can correct is logged on one line.
"""

from __future__ import annotations

import logging
import socket
import ssl
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from secrets import token_hex
from urllib.parse import unquote, urlsplit

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.floor.pit.database import BATCH_SIZE
from controller.floor.pit.inbox import MAX_TABLE_BYTES, Message, acknowledge_nothing
from controller.floor.uplink.mqtt_client import (
    CLOSED_EARLY,
    UNAVAILABLE,
    Broker,
    MqttClient,
    fault_words,
    refusal_reason,
)
from controller.floor.uplink.wire import (
    ALL_TABLES,
    ANSWER_EXPIRY_S,
    MAX_PAYLOAD_BYTES,
    Have,
    OnMyWay,
    packed,
    topic,
)

log = logging.getLogger("crisscross.pit")
_PORTS = {"mqtt": 1883, "mqtts": 8883}
ALLOWED_BROKERS = "allowed: mqtt://HOST[:PORT], mqtts://HOST[:PORT], USER@ before the host where needed"
SEEN_BY_ALL = "--broker: every user of this machine sees a password there; give it by --broker-password FILE"
NOTHING_RECEIVED = "no message of a known table since the start; see crisscross uplink acl"
KEEPALIVE_S, RETRY_S = 20, (1, 2)
QOS = {"events": 1, "state": 1, "felt": 0, "chips": 0}
EVENTS = [topic(each, "events") for each in ALL_TABLES]
"""Topics of events. A pit that may read none of them receives nothing."""
MAX_UNANSWERED = BATCH_SIZE
"""Maximum number of messages that the broker sends and that are not written yet (Receive Maximum)."""


class BrokerError(Exception):
    """Raised if the broker cannot be used as configured. The message is one line."""


def broker_of(
    url: str, ca: Path | None = None, certificate: Path | None = None, key: Path | None = None,
    password: str | None = None,
) -> Broker:  # fmt: skip
    """Return the broker of a typed address. `password`: password of the user in the address. Raises
    BrokerError.
    """
    if ":" in url.partition("://")[2].rpartition("@")[0]:
        raise BrokerError(SEEN_BY_ALL)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BrokerError(f"--broker: is no address; {ALLOWED_BROKERS}") from None
    if parts.scheme not in _PORTS or not host or parts.path.strip("/") or parts.query:
        raise BrokerError(f"--broker: is no address of a broker; {ALLOWED_BROKERS}")
    if parts.scheme == "mqtt" and (ca or certificate or key):
        raise BrokerError("--broker: certificates are for mqtts:// alone; write mqtts, or leave them out")
    if (certificate is None) != (key is None):
        raise BrokerError("--cert and --key: both or none")
    user = unquote(parts.username) if parts.username else None
    if password is not None and user is None:
        raise BrokerError("--broker-password: is of no user; allowed: with USER@ before the host of --broker")
    tls = _context([ca, certificate, key]) if parts.scheme == "mqtts" else None
    return Broker(host, port or _PORTS[parts.scheme], tls, user, password)


def _context(files: Sequence[Path | None]) -> ssl.SSLContext:
    """Return a client's context with these PEM files: authority, certificate, key. Raises BrokerError."""
    ca, certificate, key = files
    try:
        context = ssl.create_default_context(cafile=ca)
        if certificate is not None:
            context.load_cert_chain(certificate, key)
    except OSError as error:  # includes ssl's own errors
        named = ", ".join(str(each) for each in files if each)
        raise BrokerError(
            f"--broker: {named}: {fault_words(error)}; allowed: PEM files that this user may read"
        ) from None
    return context


class MqttSubscriber(MqttClient):
    """Subscriber to the topics of all tables. `on_message` is called with each message, `on_connection` after
    each new connection, both on paho's thread.
    """

    def __init__(
        self, broker: Broker, pit: str, on_message: Callable[[Message], None],
        on_connection: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        # two pits with the same fixed name would disconnect each other repeatedly
        name = f"crisscross-pit-{pit}-{token_hex(4)}"
        super().__init__(
            broker, name, log, max_packet_bytes=MAX_PAYLOAD_BYTES + 4096, keepalive_s=KEEPALIVE_S,
            retry_s=RETRY_S, max_unanswered=MAX_UNANSWERED,
        )  # fmt: skip
        self._pit, self._on_message, self._on_connection = pit, on_message, on_connection
        self._answered = False
        self._pending: dict[int | None, Sequence[str]] = {}
        """Topics of this connection's subscriptions that the broker has not answered yet, by their number."""
        self._refused: list[str] = []
        """Topics that the broker does not let this pit read on this connection."""
        self._is_explained = False
        """Whether the reason for the end of this connection has been logged."""
        self._connection = 0
        """Number of the connection, so that a message of an earlier one is not acknowledged on a later one.
        """
        self._client.on_connect_fail = self._failed

    def faults(self, tables: Iterable[str] = (), *, is_expected: bool = False) -> dict[str, str]:
        """Return the fault of the connection, or "" if there is none. Any thread may call it.

        `tables`: known tables, whose topics must not be refused. `is_expected`: whether a table is due to
        publish and none was received. A broker may grant a subscription and send nothing of it (Mosquitto
        with an access list), so the lack of every message is the only sign.
        """
        if not self._client.is_connected() or self._pending:
            return {"broker": "no connection"}
        refused = [each for each in EVENTS if each in self._refused]
        needed = {EVENTS["." in name] for name in tables}
        if lacking := [each for each in refused if each in needed or refused == EVENTS]:
            return {"broker": f"no permission for {lacking[0]}"}
        return {"broker": NOTHING_RECEIVED if is_expected else ""}

    def answer(self, have: Have) -> None:
        """Publish an acknowledgement. Without a connection it is dropped: on the next connection each table
        publishes first and gets a new one.
        """
        if self._client.is_connected():
            self.publish(
                topic(have.table, f"have/{have.pit}"), packed(have), retain=True, limit=MAX_TABLE_BYTES
            )

    def on_my_way(self, answer: OnMyWay) -> None:
        """Send "on my way" to a table. Without a connection it is dropped and sent at the next repetition."""
        if self._client.is_connected():
            leaf = f"on_my_way/{answer.pit}"
            self.publish(topic(answer.table, leaf), packed(answer), expires_s=ANSWER_EXPIRY_S)

    # ------------------------------------------------------------------ on paho's thread

    def connected(self, code: ReasonCode, _about: Properties | None) -> None:
        self._answered = True
        self._connection += 1
        if code.is_failure:
            words = f"refuses the pit: {code}; look at its users and its ACL"
            self.warn(refusal_reason(code, words), "connection_refused")
            self._is_explained = True
            return
        for each in ALL_TABLES:
            for topics, own in (
                ([(topic(each, leaf), qos) for leaf, qos in QOS.items()], True),
                ([(topic(each, f"on_the_way/{self._pit}"), 1)], True),
                ([(topic(each, f"have/{self._pit}"), 1)], False),
            ):
                self._pending[self.subscribe_to(topics, own=own)] = [each for each, _ in topics]
        self._on_connection()

    def subscribed(self, number: int, codes: Sequence[ReasonCode]) -> None:
        """Handle the broker's answer to a subscription. The connection goes on without a topic that the
        broker refuses, because an earlier access list lacks the topics added later."""
        if self._lost_by(codes):
            return
        topics = self._pending.pop(number, ())
        self._refused += [each for each, code in zip(topics, codes, strict=False) if code.is_failure]
        if self._pending:
            return
        self._faults.over()
        log.info("%s: the line is up", self.broker, extra={"event": "connected"})
        if self._refused:
            words = f"does not let this pit read {', '.join(self._refused)}: see crisscross uplink acl"
            self.warn(words, "no_permission")

    def published(self, code: ReasonCode) -> None:
        """Handle the broker's answer to an acknowledgement for a table."""
        if not self._lost_by([code]) and code.is_failure:
            self.warn(f"refuses what this pit says ({code}): see crisscross uplink acl", "no_permission")

    def _lost_by(self, codes: Sequence[ReasonCode]) -> bool:
        """Handle a broker that cannot serve now. Return True in that case, after ending the connection; paho
        opens a new one. A pit that kept the connection would receive no events, or a table no
        acknowledgement.
        """
        found = next((code for code in codes if code.value in UNAVAILABLE), None)
        if found is None:
            return False
        self.warn(refusal_reason(found, ""), "connection_lost")
        self._is_explained = True
        line = self._client.socket()
        if isinstance(line, socket.socket):
            with suppress(OSError):  # the broker has already closed it
                line.shutdown(socket.SHUT_RDWR)
        return True

    def _failed(self, _client: Client, _data: object) -> None:
        error = sys.exception()
        self.warn(f"{fault_words(error) if error else 'no line'}; it is tried again", "no_connection")

    def disconnected(self, code: ReasonCode) -> None:
        answered, self._answered = self._answered, False
        is_explained, self._is_explained = self._is_explained, False
        self._pending, self._refused = {}, []
        if self.broker.tls and not answered:
            self.warn(CLOSED_EARLY, "connection_refused")
        elif code.is_failure and not is_explained:
            self.warn(f"the line is lost ({code}); it is tried again", "connection_lost")

    def message(self, message: MQTTMessage) -> None:
        if message.topic.endswith(f"/have/{self._pit}") and not message.retain:
            # a new message, and this connection does not receive its own
            words = f"another pit is called {self._pit}; give each a --name of its own"
            self.warn(words, "name_in_use")
        found = getattr(message.properties, "UserProperty", ()) if message.properties else ()
        connection = self._connection
        done = partial(self._done, connection, message.mid) if message.qos else acknowledge_nothing
        self._on_message(Message(message.topic, bytes(message.payload), tuple(found), done))

    # ------------------------------------------------------------------ on any thread

    def _done(self, connection: int, mid: int) -> None:
        """Acknowledge a message of connection number `connection` to the broker."""
        if connection == self._connection:
            self._client.ack(mid, 1)
