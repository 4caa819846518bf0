"""A plain client of a broker, which is neither a table nor a pit: it publishes, receives, and stores received
messages.
"""

from __future__ import annotations

import queue

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.floor.uplink.mqtt_client import end
from tests.trials.pit.machine import soon

SOON_S, NOTHING_S = 10.0, 2.0


class PlainClient:
    """An MQTT client that stores what it receives. It ends with its connection."""

    def __init__(self, at: tuple[str, int], *, name: str = "", keeps_s: int = 0) -> None:
        """`keeps_s`: seconds for which its session is kept while it is away."""
        self.came: queue.Queue[MQTTMessage] = queue.Queue()
        self.granted: queue.Queue[int] = queue.Queue()
        self.lost: queue.Queue[str] = queue.Queue()
        self.client = client = Client(
            CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
        )
        client.on_message = lambda _client, _data, message: self.came.put(message)
        client.on_subscribe = lambda _client, _data, _mid, codes, _more: self.granted.put(codes[0].value)
        client.on_disconnect = lambda _client, _data, _flags, code, _more: self.lost.put(str(code))
        about = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's own
        about.SessionExpiryInterval = keeps_s
        client.connect(*at, 30, clean_start=not keeps_s, properties=about)
        client.loop_start()
        soon(client.is_connected, f"no line to {at}")

    def subscribe(self, topic: str, qos: int = 1) -> int:
        """Subscribe and return the granted QoS."""
        self.client.subscribe(topic, qos)
        return self.granted.get(timeout=SOON_S)

    def publish(self, topic: str, qos: int = 1, *, retain: bool = False, expires_s: int = 0) -> None:
        about = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho's own
        if expires_s:
            about.MessageExpiryInterval = expires_s
        self.client.publish(topic, b"{}", qos, retain, about).wait_for_publish(SOON_S)

    def next(self, wait_s: float = NOTHING_S) -> MQTTMessage | None:
        """Return the next message, None if there is none."""
        try:
            return self.came.get(timeout=wait_s)
        except queue.Empty:
            return None

    def topic(self, wait_s: float = NOTHING_S) -> str:
        """Return the topic of the next message, "" if none comes within `wait_s` seconds."""
        message = self.next(wait_s)
        return "" if message is None else message.topic

    def close(self) -> None:
        end(self.client)
