"""The uplink's connection to a broker: opened once, used until it is lost, never reopened.

The caller opens a new connection, so no message of an old one is resent automatically. Messages from the
broker are limited in size and number; excess ones are dropped, because answers are repeated.
"""

from __future__ import annotations

import logging
import queue
import ssl
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from controller.floor.uplink import wire
from controller.floor.uplink.limit import read_limit
from controller.floor.uplink.mqtt_client import (
    CLOSED_EARLY,
    REFUSED_FROM,
    UNAVAILABLE,
    Broker,
    MqttClient,
    fault_words,
    refusal_reason,
)

if TYPE_CHECKING:
    from paho.mqtt.client import MQTTMessage
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

log = logging.getLogger("crisscross.uplink")

WAIT_S = 10.0
"""Timeout in seconds for the connection, and for each answer while it is opened."""
KEEPALIVE_S = 15
MAX_PACKET_BYTES = 16 * 1024
"""Maximum size of a packet from the broker; an answer has some 600 bytes."""
RESTS_AFTER, REST_S = 20, 0.02
"""After RESTS_AFTER messages, reading pauses for REST_S seconds. This limits a flood to a thousand messages a
second; the broker has to store the rest.
"""
MAX_QUEUED = 1000
TAKEN_OVER = 142


class ConnectionLost(Exception):
    """Raised if the connection to the broker cannot be opened or is lost. The message is one line with the
    cause.
    """


@dataclass(frozen=True, slots=True)
class Message:
    topic: str
    payload: bytes
    limit: int | None = None
    """Limit of the pit that sent it, in bytes (`limit.py`)."""


class MqttConnection(MqttClient):
    """Connection to one broker. Its own thread reads; one other thread makes all calls."""

    def __init__(self, broker: Broker, client_id: str, will: tuple[str, bytes]) -> None:
        """Connect. `will`: topic and payload that the broker sends, retained, when the connection is lost.

        Raises ConnectionLost.
        """
        super().__init__(broker, client_id, log, max_packet_bytes=MAX_PACKET_BYTES, keepalive_s=KEEPALIVE_S)
        self._received: queue.Queue[Message] = queue.Queue(MAX_QUEUED)
        self._opened, self._lost, self._closing = threading.Event(), threading.Event(), threading.Event()
        self._message_count = 0
        self._reason = "closed the line"
        self._granted_codes: queue.Queue[list[int]] = queue.Queue()
        self.max_packet_accepted = 0
        """Largest packet in bytes that the broker accepts; 0 if it states no limit."""
        self._client.connect_timeout = WAIT_S
        self._client.will_set(*will, qos=1, retain=True)
        try:
            self._open()
        except ConnectionLost:
            self.close()
            raise

    def _open(self) -> None:
        try:
            self.connect()
        except ssl.SSLError as error:
            raise self._failure(fault_words(error)) from None
        except (OSError, ValueError) as error:
            raise self._failure(f"does not answer: {fault_words(error)}") from None
        if not self._opened.wait(WAIT_S) or self._lost.is_set():
            raise self._failure()

    def _failure(self, words: str | None = None) -> ConnectionLost:
        why = self._reason if self._lost.is_set() else "does not answer"
        return ConnectionLost(f"{self.broker}: {words or why}")

    # ------------------------------------------------------------------ requests to the broker

    def subscribe(self, *topics: str) -> None:
        """Subscribe to these topics. Raises ConnectionLost if the broker refuses one."""
        for topic, is_granted in zip(topics, self.ask_for(*topics), strict=False):
            if not is_granted:
                raise self._failure(f"refuses {topic}: see crisscross uplink acl")

    def ask_for(self, *topics: str) -> list[bool]:
        """Subscribe to these topics and return, for each, whether the broker accepts it. Raises
        ConnectionLost if it does not answer or cannot serve now.
        """
        self.subscribe_to([(topic, 1) for topic in topics])
        try:
            granted = self._granted_codes.get(timeout=WAIT_S)
        except queue.Empty:
            raise self._failure() from None
        if self._lost.is_set():
            raise self._failure()
        return [code < REFUSED_FROM for code in granted]

    def send(self, topic: str, payload: bytes, **more: Any) -> Any:  # noqa: ANN401  # paho's own, to wait for
        """Publish a message (`MqttClient.publish`) and return paho's handle of it. Raises ConnectionLost if
        the connection is lost.
        """
        if self._lost.is_set():
            raise self._failure()
        return self.publish(topic, payload, **more)

    def receive(self, wait_s: float) -> Iterator[Message]:
        """Yield received messages, waiting at most `wait_s` seconds for the first.

        Raises ConnectionLost if the connection is lost and no message is queued.
        """
        try:
            yield self._received.get(timeout=wait_s)
            while True:
                yield self._received.get_nowait()
        except queue.Empty:
            if self._lost.is_set():
                raise self._failure() from None

    def close(self) -> None:
        """Disconnect in order, so that the broker does not send the will."""
        self._closing.set()
        super().close()

    # ------------------------------------------------------------------ callbacks on paho's thread

    def connected(self, code: ReasonCode, about: Properties | None) -> None:
        if code.is_failure:
            self._reason = refusal_reason(code, f"refuses the table: {code}")
            self._lost.set()
        self.max_packet_accepted = int(getattr(about, "MaximumPacketSize", 0) or 0)
        self._opened.set()

    def disconnected(self, code: ReasonCode) -> None:
        if not self._opened.is_set():
            self._reason = CLOSED_EARLY
        elif code.value == TAKEN_OVER:
            self._reason = "another took this client's place"
        elif not self._lost.is_set():
            self._reason = f"the line is lost: {code}"
        self._lost.set()
        self._opened.set()

    def message(self, message: MQTTMessage) -> None:
        self._message_count += 1
        if self._message_count % RESTS_AFTER == 0:
            self._closing.wait(REST_S)
        if len(message.payload) <= wire.MAX_PAYLOAD_BYTES and not self._received.full():
            properties = getattr(message.properties, "UserProperty", ()) if message.properties else ()
            found = Message(message.topic, bytes(message.payload), read_limit(properties))
            self._received.put_nowait(found)

    def published(self, code: ReasonCode) -> None:
        """Note that the broker refused a message; an acceptance needs no action."""
        if code.is_failure:
            self._reason = refusal_reason(
                code, f"refuses what this table says ({code}): see crisscross uplink acl"
            )
            self._lost.set()

    def subscribed(self, _number: int, codes: Sequence[ReasonCode]) -> None:
        for code in codes:
            if code.value in UNAVAILABLE:
                self._reason = refusal_reason(code, "")
                self._lost.set()
        self._granted_codes.put([code.value for code in codes])
