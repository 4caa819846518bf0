"""Statements of controller/floor/uplink/UPLINK.md about RabbitMQ, each tried on a running cluster."""

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
from tests.trials.pit.ear import SOON_S, Ear
from tests.trials.pit.floor import PAUSE
from tests.trials.pit.machine import soon
from tests.trials.pit.rabbit import Rabbit
from tests.uplink.papers import Papers

EVENT, STATE = wire.topic("CC-01", "events"), wire.topic("CC-01", "state")


@contextmanager
def ear(rabbit: Rabbit, node: int = 0, **more: Any) -> Iterator[Ear]:
    with closing(Ear((rabbit.host, rabbit.ports[node]), **more)) as made:
        yield made


Found = tuple[bool, str]


def a_table_costs_one_small_queue(rabbit: Rabbit, _papers: Papers) -> Found:
    """Its session has a queue for `state` and `have`, none for its events; the queue goes with the
    connection."""
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
    """The queues are bound to `crisscross.1.*.events`; `state` and other topics do not reach them."""
    for kind in ("quorum", "stream"):
        rabbit.bind(f"trial-{kind}", kind)
    with ear(rabbit) as table:
        for number in range(20):
            table.says(wire.topic(f"CC-{number:02}", "events"))
        table.says(STATE)

    def counts() -> list[int]:
        return [rabbit.asked(f"queues/%2F/trial-{kind}").get("messages", 0) for kind in ("quorum", "stream")]

    try:
        soon(lambda: counts() == [20, 20], "not 20 in each", 30)
    except AssertionError:
        return False, f"{counts()} of 20 events"
    finally:
        for kind in ("quorum", "stream"):
            rabbit.asked(f"queues/%2F/trial-{kind}", how="DELETE")
    return True, "20 of 20 in each, and no state"


def qos_2_is_granted_as_1(rabbit: Rabbit, _papers: Papers) -> Found:
    """A subscription with QoS 2 is granted with QoS 1."""
    with ear(rabbit) as asking:
        code = asking.hears(STATE, 2)
    return code == 1, f"granted {code}"


def qos_2_ends_the_line_of_whom_it_publishes(rabbit: Rabbit, _papers: Papers) -> Found:
    """A client that publishes with QoS 2 under MQTT 5 is disconnected."""
    with ear(rabbit) as asking:
        asking.client.publish(STATE, b"{}", 2)
        try:
            return True, asking.lost.get(timeout=SOON_S)
        except queue.Empty:
            return False, "the line stays"


def a_dot_is_another_level(rabbit: Rabbit, _papers: Papers) -> Found:
    """Publish to `a.b` and receive it as `a/b`."""
    with ear(rabbit) as hearing, ear(rabbit) as saying:
        hearing.hears("crisscross/1/#")
        saying.says("crisscross/1/CC.01/events")
        heard = hearing.topic(SOON_S)
    return heard == "crisscross/1/CC/01/events", f"heard on {heard}"


def retained_is_of_one_node(rabbit: Rabbit, _papers: Papers) -> Found:
    """A retained message is kept by the node that received it, and is found by its own topic alone, not by a
    wildcard."""
    with ear(rabbit) as saying:
        saying.says(wire.topic("CC-07", "state"), retain=True)
        heard = {}
        for node in range(3):
            for topic in (wire.topic("CC-07", "state"), wire.topic("+", "state")):
                with ear(rabbit, node) as hearing:
                    hearing.hears(topic)
                    heard[node, "+" in topic] = bool(hearing.topic())
    exact, wild = ([heard[node, way] for node in range(3)] for way in (False, True))
    return exact == [True, False, False] and not any(
        wild
    ), f"nodes that give it: {exact}; to a wildcard: {wild}"


def retained_is_forgotten_when_it_expires(rabbit: Rabbit, _papers: Papers) -> Found:
    """The `state` of a silent table expires in this way."""
    topic = wire.topic("CC-08", "state")
    with ear(rabbit) as saying, ear(rabbit) as hearing:
        saying.says(topic, retain=True, expires_s=2)
        PAUSE.wait(4)
        hearing.hears(topic)
        heard = hearing.topic()
    return not heard, "given after its time" if heard else "not given after its time"


def who_says_it_does_not_hear_it(rabbit: Rabbit, _papers: Papers) -> Found:
    """No Local is what a pit uses to detect another of its name."""
    from paho.mqtt.subscribeoptions import SubscribeOptions

    topic = wire.topic("CC-01", "have/pit-1")
    with ear(rabbit) as pit, ear(rabbit, 1) as other:
        pit.client.subscribe([(topic, SubscribeOptions(qos=1, noLocal=True))])
        pit.granted.get(timeout=SOON_S)
        pit.says(topic)
        own = pit.topic()
        other.says(topic)
        return not own and pit.topic(SOON_S) == topic, f"own {'heard' if own else 'not heard'}"


def a_session_that_is_kept_keeps_what_came(rabbit: Rabbit, _papers: Papers) -> Found:
    """A subscriber with a session expiry is away during the publication."""
    with ear(rabbit, name="kept", keeps_s=60) as hearing:
        hearing.hears(EVENT)
    with ear(rabbit, 1) as saying:
        saying.says(EVENT)
    with ear(rabbit, name="kept", keeps_s=60) as hearing:
        heard = hearing.topic(SOON_S)
    with ear(rabbit, name="kept"):
        pass
    return heard == EVENT, f"heard {heard or 'nothing'}"


def by_its_certificate_a_table_says_its_own_and_no_others(rabbit: Rabbit, papers: Papers) -> Found:
    """The user is the name in the certificate, with the topic permissions of that page."""
    rabbit.users(["CC-01"], ["pit-1"])
    tls = ssl.create_default_context(cafile=str(papers.ca))
    tls.load_cert_chain(*papers.table)
    at = Broker(rabbit.host, rabbit.tls_ports[0], tls)
    with closing(MqttConnection(at, "CC-01-0001", (STATE, b"{}"))) as line:
        line.subscribe(STATE)
        line.subscribe(wire.topic("CC-01", "have/+"))
        own = line.send(EVENT, b"{}")
        own.wait_for_publish(SOON_S)
        said = own.is_published()
    refused = [_refusal(at, wire.topic("CC-02", "events")), _refusal(at, wire.topic("CC-01", "have/pit-1"))]
    return said and all(refused), f"own said: {said}; others: {refused}"


def another_certificate_gets_no_line(rabbit: Rabbit, papers: Papers) -> Found:
    """Connect with a certificate of a foreign authority, and with one whose name is no user."""
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
    """Publish an event as the table and acknowledge it as the pit, by the permissions of the recipe."""
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
        heard = came.get(timeout=SOON_S)
        heard.done()
        pit.answer(wire.have("pit-1", "CC-01", "0a1b2c3d", 1, bytes(32), None, 0))
        answers = [each.topic for _ in range(5) for each in line.receive(1.0)]
    return heard.topic == EVENT and wire.topic(
        "CC-01", "have/pit-1"
    ) in answers, f"heard {heard.topic}; {answers}"


def _refusal(at: Broker, topic: str) -> str:
    """Return the refusal that a table receives for this message, or "" if it is allowed."""
    try:
        with closing(MqttConnection(at, "CC-01-0003", (STATE, b"{}"))) as line:
            line.send(topic, b"{}")
            for _ in range(int(SOON_S)):
                list(line.receive(1.0))
    except ConnectionLost as error:
        return str(error).partition(": ")[2]
    return ""


def _queues(rabbit: Rabbit) -> set[str]:
    return {each["name"] for each in rabbit.asked("queues")}


STATEMENTS: tuple[Callable[[Rabbit, Papers], Found], ...] = (
    a_table_costs_one_small_queue, all_events_reach_a_quorum_queue_and_a_stream, qos_2_is_granted_as_1,
    qos_2_ends_the_line_of_whom_it_publishes, a_dot_is_another_level, retained_is_of_one_node,
    retained_is_forgotten_when_it_expires, who_says_it_does_not_hear_it,
    a_session_that_is_kept_keeps_what_came, another_certificate_gets_no_line,
    by_its_certificate_a_table_says_its_own_and_no_others, by_its_certificate_a_pit_receives_and_answers,
)  # fmt: skip


def tried(rabbit: Rabbit, papers: Papers) -> Iterator[dict[str, Any]]:
    for each in STATEMENTS:
        holds, seen = each(rabbit, papers)
        yield {"statement": each.__name__.replace("_", " "), "holds": holds, "seen": seen}
