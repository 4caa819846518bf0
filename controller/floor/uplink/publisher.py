"""Publishes the events of the outbox to the broker until it is stopped, and reconnects after a loss of the
connection.

It runs as a separate process with a network and without a key of the table. It shares the outbox with the
follower, and nothing with the daemon. It retries without limit.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from secrets import token_hex

from controller.common.process.log_once import LogOnce
from controller.common.tlog.note import VerifierKey
from controller.floor.uplink import wire
from controller.floor.uplink.cursor import Cursor
from controller.floor.uplink.mqtt_client import Broker
from controller.floor.uplink.mqtt_connection import ConnectionLost, Message, MqttConnection
from controller.floor.uplink.on_my_way import LEAF, OnMyWay
from controller.floor.uplink.outbox import Diverged, Events
from controller.floor.uplink.presence import Presence
from controller.floor.uplink.sender import AnotherHistory, EventSender
from controller.floor.uplink.wire import InvalidPayload

log = logging.getLogger("crisscross.uplink")

POLL_S = 0.05
FELT_S = 0.25
"""Minimum seconds between two snapshots of the felt."""
KEEP_S = 10.0
"""Minimum seconds between two writes of the cursor."""
NAME_CHECK_S = 1.0
"""Seconds to wait for a sign of another publisher of the same name."""
PARTING_S = 2.0
WAITS_S = (0.5, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before each further attempt to connect; the last value repeats. No wait except the last is longer
than the sum of the previous ones: a table reconnects within twice the time for which the broker was away.
"""


@dataclass(slots=True)
class Publisher:
    """Publisher of one table's events. `a_second`: maximum number of events sent per second. `now`: returns
    monotonic seconds; `utc`: returns UTC as ISO 8601."""

    broker: Broker
    outbox: Events
    name: str
    pits: Mapping[str, VerifierKey | None]
    cursor: Cursor
    a_second: int
    program: str
    now: Callable[[], float]
    utc: Callable[[], str]
    presence: Presence
    answers: OnMyWay | None = None
    """Handler of the pits' "on my way"; None if the table accepts none."""
    with_chips: bool = False
    """Whether the chips in the circles are published (`uplink.chips`)."""
    token: str = field(default_factory=lambda: token_hex(8))
    up: bool = False
    """Whether there is a connection now."""
    sender: EventSender | None = None
    failed: int = 0
    faults: LogOnce = field(default_factory=lambda: LogOnce(log))
    held_back: str = ""
    """Pit whose limit now prevents this table's events from being sent, or ""."""
    _state_sent_at: float = 0.0
    _felt: bytes | None = None
    _felt_at: float = 0.0
    _chips: tuple[bytes | None, float] = (None, 0.0)
    """Payload of the chips that was last sent, and the time of sending."""
    _stored: tuple[float, dict[str, int]] = (0.0, {})

    def run(self, ended: threading.Event) -> None:
        """Publish until `ended` is set. Raises OutboxError if the outbox cannot be read."""
        while not ended.is_set():
            try:
                self._serve_connection(ended)
            except ConnectionLost as error:
                self.faults.warn(str(error))
                self.failed += 1
                ended.wait(WAITS_S[min(self.failed, len(WAITS_S)) - 1])
            finally:
                self.up = False
                self._store_cursor()

    def _serve_connection(self, ended: threading.Event) -> None:
        head = self.outbox.head()
        if head is None:
            raise ConnectionLost("nothing to send yet: does `crisscross uplink tell` run?")
        sender = self._sender_of(head.stream)
        will = wire.topic(self.name, "state"), wire.packed(self._state("gone", None))
        with closing(MqttConnection(self.broker, f"{self.name}-{self.token}", will)) as line:
            self._subscribe(line)
            sender.begin(self.now())
            self._felt, self._chips, self._state_sent_at = None, (None, 0.0), 0.0
            self._connection_opened(sender.low)
            while not ended.is_set():
                self._step(line)
            stopped = line.send(will[0], wire.packed(self._state("stopped", self.utc())), retain=True)
            stopped.wait_for_publish(PARTING_S)

    def _subscribe(self, connection: MqttConnection) -> None:
        """Subscribe, and check that no other publisher has this name before anything is sent."""
        connection.subscribe(wire.topic(self.name, "state"))
        # the broker confirms this after it has sent the retained state
        connection.subscribe(wire.topic(self.name, "have/+"))
        if self.answers is not None and not all(connection.ask_for(wire.topic(self.name, f"{LEAF}+"))):
            log.warning("%s: grants no %s+, so no pit can answer a call; see crisscross uplink acl",
                        self.broker, wire.topic(self.name, LEAF))  # fmt: skip
        if connection.max_packet_accepted and connection.max_packet_accepted < wire.MAX_PAYLOAD_BYTES:
            log.warning(
                "%s: takes %d bytes; a payload may have %d",
                self.broker,
                connection.max_packet_accepted,
                wire.MAX_PAYLOAD_BYTES,
            )
        until, over = self.now() + NAME_CHECK_S, False
        while not over:
            # reads all received messages first, also after this process was suspended
            over = self.now() >= until
            for message in connection.receive(POLL_S):
                self._handle(message, greeting=True)

    def _sender_of(self, stream: str) -> EventSender:
        """Return the sender of a stream, starting after the events that the cursor proves acknowledged."""
        if self.sender is None or self.sender.stream != stream:
            had = self.cursor.load(stream)
            self.sender = EventSender(self.outbox, self.name, stream, self.pits, self.a_second, had)
        return self.sender

    def _step(self, connection: MqttConnection) -> None:
        head, before = self.outbox.head(), self.sender
        sender = self._sender_of(head.stream) if head else None
        if sender is None:
            raise ConnectionLost("nothing to send yet: does `crisscross uplink tell` run?")
        if sender is not before:  # the follower has begun another stream
            sender.begin(self.now())
            self._state_sent_at = 0.0
        for message in connection.receive(POLL_S):
            reply = self._handle(message, greeting=False)
            if reply is not None:
                connection.send(*reply, expires_s=wire.ANSWER_EXPIRY_S)
        now = self.now()
        topic = wire.topic(self.name, "events")
        for each in sender.due(now):
            connection.send(topic, each.payload, kind=wire.EVENTS_TYPE, previous=each.previous)
        self._report_limit(sender, now)
        changed, plays = self.presence.update(now), self.presence.plays
        is_due = now - self._state_sent_at >= wire.HEARTBEAT_INTERVAL_S
        if changed or not self._state_sent_at or (plays and is_due):
            state = wire.packed(self._state("here" if plays else "gone", self.utc()))
            lasts = wire.SILENT_S if plays else None
            connection.send(wire.topic(self.name, "state"), state, retain=True, expires_s=lasts)
            self._state_sent_at = now
        self._publish_felt(connection, now)
        if now - self._stored[0] >= KEEP_S:
            self._store_cursor()

    def _report_limit(self, sender: EventSender, now: float) -> None:
        """Log one line when a pit's limit begins to prevent sending, and one when it no longer does."""
        held = sender.held_back_by(now)
        if held and not self.held_back:
            words = "pit %s: holds this table back at event %d: %d bytes wait for its store; see its /readyz"
            log.warning(words, held[0], sender.acknowledged.get(held[0], 0), held[1])
        elif self.held_back and not held:
            log.warning("pit %s: no longer holds this table back", self.held_back)
        self.held_back = held[0] if held else ""

    def _publish_felt(self, connection: MqttConnection, now: float) -> None:
        """Publish the newest felt if it has changed; the chips also every `HEARTBEAT_INTERVAL_S`."""
        if now - self._felt_at < FELT_S:
            return
        self._felt_at, felt = now, self.outbox.felt()
        if felt is not None and felt != self._felt:
            connection.send(wire.topic(self.name, "felt"), felt, qos=0, retain=True)
            self._felt = felt
        if not self.with_chips or not self.presence.plays:
            return
        (sent, at), chips = self._chips, self.outbox.chips()
        if chips is not None and (chips != sent or now - at >= wire.HEARTBEAT_INTERVAL_S):
            connection.send(wire.topic(self.name, "chips"), chips, qos=0)
            self._chips = chips, now

    def _handle(self, message: Message, *, greeting: bool) -> tuple[str, bytes] | None:
        """Handle one message; return topic and payload of the reply, or None.

        An invalid payload has no effect and is logged in one line.
        """
        topic, payload = message.topic, message.payload
        try:
            _, leaf = wire.table_of(topic)
            if leaf == "state":
                self._check_name(payload, greeting=greeting)
            elif leaf.startswith(LEAF):
                return self._reply(leaf, payload)
            elif self.sender is not None:
                self.sender.answered(leaf.partition("/")[2], payload, self.now(), message.limit)
        except AnotherHistory as error:
            self.faults.warn(f"{topic}: {error}; this table starts a new stream")
            if self.sender is not None:
                self.outbox.diverge(self.sender.stream, Diverged(error.sequence, self.sender.low))
        except InvalidPayload as error:
            self.faults.warn(f"{topic}: {error}")
        return None

    def _reply(self, leaf: str, payload: bytes) -> tuple[str, bytes] | None:
        if self.answers is None or self.sender is None:
            return None
        return self.answers.reply(leaf, payload, self.sender.stream, self.now())

    def _check_name(self, payload: bytes, *, greeting: bool) -> None:
        if not payload:
            return
        state = wire.read_state(payload, self.name)
        if state.state != "here" or state.speaker == self.token:
            return
        words = f"the name {self.name} is taken: another client uses it on {self.broker}"
        if greeting:
            raise ConnectionLost(f"{words}; name this table otherwise (uplink.name), or end the other")
        self.faults.warn(words)

    def _state(self, state: str, utc: str | None) -> wire.State:
        head = self.outbox.head()
        return wire.State.model_validate(
            {
                "format": wire.FORMAT, "table": self.name, "stream": head.stream if head else "",
                "state": state, "time": utc, "sequence": head.sequence if head else 0,
                "program": self.program, "speaker": self.token,
            }
        )  # fmt: skip

    def _store_cursor(self) -> None:
        """Store the cursor if it has moved, and delete events that the pits acknowledged long ago."""
        if self.sender is None or self._stored[1] == self.sender.acknowledged:
            return
        self._stored = self.now(), dict(self.sender.acknowledged)
        try:
            self.cursor.keep(self.sender.stream, self.sender.acknowledged)
        except OSError as error:
            # an empty cursor differs from the present one, so it is stored again after KEEP_S
            self._stored = self.now(), {}
            words = f"{error.strerror}; pits are asked again at the next start"
            self.faults.warn(f"cursor {self.cursor}: {words}")
        self.outbox.forget(self.sender.confirmed)

    def _connection_opened(self, has: int) -> None:
        self.failed, self.up = 0, True
        self.faults.over()
        log.info("%s: %s is connected; the pits have %d events", self.broker, self.name, has)
