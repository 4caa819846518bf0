"""Statements of controller/floor/uplink/UPLINK.md about RabbitMQ, each checked on a running cluster."""

from __future__ import annotations

import queue
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

from controller.floor.pit.inbox import Message
from controller.floor.pit.mqtt_subscriber import MqttSubscriber
from controller.floor.uplink import wire
from controller.floor.uplink.mqtt_client import Broker
from controller.floor.uplink.mqtt_connection import ConnectionLost, MqttConnection
from tests.trials.pit.floor import PAUSE
from tests.trials.pit.machine import soon
from tests.trials.pit.plain_client import SOON_S, PlainClient
from tests.trials.pit.rabbit import Rabbit
from tests.uplink.papers import Papers

EVENT, STATE = wire.topic("CC-01", "events"), wire.topic("CC-01", "state")


@contextmanager
def client(rabbit: Rabbit, node: int = 0, **more: Any) -> Iterator[PlainClient]:
    with closing(PlainClient((rabbit.host, rabbit.ports[node]), **more)) as made:
        yield made


Found = tuple[bool, str]


def a_table_costs_one_small_queue(rabbit: Rabbit, _papers: Papers) -> Found:
    """The session of a table has one queue, for `state` and `have`, and no queue for its own events. The
    queue is deleted with the connection."""
    before = _queues(rabbit)
    at = Broker(rabbit.host, rabbit.ports[0])
    with closing(MqttConnection(at, "CC-01-0001", (STATE, b"{}"))) as line:
        line.subscribe(STATE)
        line.subscribe(wire.topic("CC-01", "have/+"))
        line.send(EVENT, b"{}").wait_for_publish(SOON_S)
        made = _queues(rabbit) - before
    soon(lambda: _queues(rabbit) == before, "the queue stays")
    return len(made) == 1, f"queues of a table: {sorted(made)}; none after its line"


def all_events_reach_a_quorum_queue_and_a_stream(rabbit: Rabbit, _papers: Papers) -> Found:
    """Events match `crisscross.1.*.events`; `state` and other topics do not."""
    for kind in ("quorum", "stream"):
        rabbit.bind(f"trial-{kind}", kind)
    with client(rabbit) as table:
        for number in range(20):
            table.publish(wire.topic(f"CC-{number:02}", "events"))
        table.publish(STATE)

    def counts() -> list[int]:
        return [
            rabbit.management(f"queues/%2F/trial-{kind}").get("messages", 0) for kind in ("quorum", "stream")
        ]

    try:
        soon(lambda: counts() == [20, 20], "not 20 in each", 30)
    except AssertionError:
        return False, f"{counts()} of 20 events"
    finally:
        for kind in ("quorum", "stream"):
            rabbit.management(f"queues/%2F/trial-{kind}", how="DELETE")
    return True, "20 of 20 in each, and no state"


def qos_2_is_granted_as_1(rabbit: Rabbit, _papers: Papers) -> Found:
    """A subscription with QoS 2 is granted with QoS 1."""
    with client(rabbit) as requester:
        code = requester.subscribe(STATE, 2)
    return code == 1, f"granted {code}"


def publishing_with_qos_2_ends_the_connection(rabbit: Rabbit, _papers: Papers) -> Found:
    """A client that publishes with QoS 2 under MQTT 5 is disconnected."""
    with client(rabbit) as requester:
        requester.client.publish(STATE, b"{}", 2)
        try:
            return True, requester.lost.get(timeout=SOON_S)
        except queue.Empty:
            return False, "the line stays"


def a_dot_in_a_topic_arrives_as_a_slash(rabbit: Rabbit, _papers: Papers) -> Found:
    """Publish to `a.b` and receive it as `a/b`."""
    with client(rabbit) as subscriber, client(rabbit) as publisher:
        subscriber.subscribe("crisscross/1/#")
        publisher.publish("crisscross/1/CC.01/events")
        received = subscriber.topic(SOON_S)
    return received == "crisscross/1/CC/01/events", f"received on {received}"


def a_retained_message_is_on_one_node(rabbit: Rabbit, _papers: Papers) -> Found:
    """Only the node that received it has it, and only its exact topic finds it, not a wildcard."""
    with client(rabbit) as publisher:
        publisher.publish(wire.topic("CC-07", "state"), retain=True)
        received = {}
        for node in range(3):
            for topic in (wire.topic("CC-07", "state"), wire.topic("+", "state")):
                with client(rabbit, node) as subscriber:
                    subscriber.subscribe(topic)
                    received[node, "+" in topic] = bool(subscriber.topic())
    exact, wild = ([received[node, way] for node in range(3)] for way in (False, True))
    return exact == [True, False, False] and not any(
        wild
    ), f"nodes that give it: {exact}; to a wildcard: {wild}"


def a_retained_message_is_deleted_when_it_expires(rabbit: Rabbit, _papers: Papers) -> Found:
    """The `state` of a silent table is deleted in this way."""
    topic = wire.topic("CC-08", "state")
    with client(rabbit) as publisher, client(rabbit) as subscriber:
        publisher.publish(topic, retain=True, expires_s=2)
        PAUSE.wait(4)
        subscriber.subscribe(topic)
        received = subscriber.topic()
    return not received, "given after its time" if received else "not given after its time"


def a_no_local_subscriber_receives_no_message_of_its_own(rabbit: Rabbit, _papers: Papers) -> Found:
    """A pit uses No Local to detect another pit with its name."""
    from paho.mqtt.subscribeoptions import SubscribeOptions

    topic = wire.topic("CC-01", "have/pit-1")
    with client(rabbit) as pit, client(rabbit, 1) as other:
        pit.client.subscribe([(topic, SubscribeOptions(qos=1, noLocal=True))])
        pit.granted.get(timeout=SOON_S)
        pit.publish(topic)
        own = pit.topic()
        other.publish(topic)
        return not own and pit.topic(SOON_S) == topic, f"own {'received' if own else 'not received'}"


def a_kept_session_keeps_messages_that_arrive_meanwhile(rabbit: Rabbit, _papers: Papers) -> Found:
    """A subscriber with a session expiry is disconnected during the publication."""
    with client(rabbit, name="kept", keeps_s=60) as subscriber:
        subscriber.subscribe(EVENT)
    with client(rabbit, 1) as publisher:
        publisher.publish(EVENT)
    with client(rabbit, name="kept", keeps_s=60) as subscriber:
        received = subscriber.topic(SOON_S)
    with client(rabbit, name="kept"):
        pass
    return received == EVENT, f"received {received or 'nothing'}"


def by_its_certificate_a_table_publishes_only_its_own_topics(rabbit: Rabbit, papers: Papers) -> Found:
    """The user name is the certificate's, with the topic permissions of the guide."""
    rabbit.users(["CC-01"], ["pit-1"])
    tls = ssl.create_default_context(cafile=str(papers.ca))
    tls.load_cert_chain(*papers.table)
    at = Broker(rabbit.host, rabbit.tls_ports[0], tls)
    with closing(MqttConnection(at, "CC-01-0001", (STATE, b"{}"))) as line:
        line.subscribe(STATE)
        line.subscribe(wire.topic("CC-01", "have/+"))
        own = line.send(EVENT, b"{}")
        own.wait_for_publish(SOON_S)
        accepted = own.is_published()
    refused = [_refusal(at, wire.topic("CC-02", "events")), _refusal(at, wire.topic("CC-01", "have/pit-1"))]
    return accepted and all(refused), f"own accepted: {accepted}; others: {refused}"


def a_client_with_a_foreign_certificate_is_not_connected(rabbit: Rabbit, papers: Papers) -> Found:
    """Connect with a certificate of a foreign authority, and with one whose name is not a user."""
    words = []
    for pair in (papers.stranger, papers.pit):
        tls = ssl.create_default_context(cafile=str(papers.ca))
        tls.load_cert_chain(*pair)
        try:
            MqttConnection(
                Broker(rabbit.host, rabbit.tls_ports[0], tls), "CC-01-0002", (STATE, b"{}")
            ).close()
        except ConnectionLost as error:
            words.append(str(error).partition(": ")[2])
    return len(words) == 2, "; ".join(words)


def by_its_certificate_a_pit_receives_and_answers(rabbit: Rabbit, papers: Papers) -> Found:
    """Publish an event as the table and acknowledge it as the pit, with the permissions of the guide."""
    tables, pits = (ssl.create_default_context(cafile=str(papers.ca)) for _ in range(2))
    tables.load_cert_chain(*papers.table)
    pits.load_cert_chain(*papers.pit)
    came: queue.Queue[Message] = queue.Queue()
    pit = MqttSubscriber(Broker(rabbit.host, rabbit.tls_ports[1], pits), "pit-1", came.put, lambda: None)
    pit.connect_later()
    at = Broker(rabbit.host, rabbit.tls_ports[0], tables)
    with closing(pit), closing(MqttConnection(at, "CC-01-0004", (STATE, b"{}"))) as line:
        soon(lambda: not any(pit.faults().values()), "the pit has no line")
        line.subscribe(wire.topic("CC-01", "have/+"))
        line.send(EVENT, b"{}")
        received = came.get(timeout=SOON_S)
        received.done()
        pit.answer(wire.have("pit-1", "CC-01", "0a1b2c3d", 1, bytes(32), None, 0))
        answers = [each.topic for _ in range(5) for each in line.receive(1.0)]
    return received.topic == EVENT and wire.topic(
        "CC-01", "have/pit-1"
    ) in answers, f"received {received.topic}; {answers}"


def _refusal(at: Broker, topic: str) -> str:
    """Return the error that a table receives for this message, or "" if it is allowed."""
    try:
        with closing(MqttConnection(at, "CC-01-0003", (STATE, b"{}"))) as line:
            line.send(topic, b"{}")
            for _ in range(int(SOON_S)):
                list(line.receive(1.0))
    except ConnectionLost as error:
        return str(error).partition(": ")[2]
    return ""


def _queues(rabbit: Rabbit) -> set[str]:
    return {each["name"] for each in rabbit.management("queues")}


STATEMENTS: tuple[Callable[[Rabbit, Papers], Found], ...] = (
    a_table_costs_one_small_queue, all_events_reach_a_quorum_queue_and_a_stream, qos_2_is_granted_as_1,
    publishing_with_qos_2_ends_the_connection, a_dot_in_a_topic_arrives_as_a_slash,
    a_retained_message_is_on_one_node,
    a_retained_message_is_deleted_when_it_expires, a_no_local_subscriber_receives_no_message_of_its_own,
    a_kept_session_keeps_messages_that_arrive_meanwhile, a_client_with_a_foreign_certificate_is_not_connected,
    by_its_certificate_a_table_publishes_only_its_own_topics, by_its_certificate_a_pit_receives_and_answers,
)  # fmt: skip


def tried(rabbit: Rabbit, papers: Papers) -> Iterator[dict[str, Any]]:
    for each in STATEMENTS:
        holds, seen = each(rabbit, papers)
        yield {"statement": each.__name__.replace("_", " "), "holds": holds, "seen": seen}
