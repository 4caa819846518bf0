"""The orderly end of a client of paho-mqtt, on the table's side and on the pit's."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paho.mqtt.client import Client


def end(client: Client) -> None:
    """No will is sent. `reinitialise` closes the sockets that paho leaves to the garbage collector."""
    client.disconnect()
    client.loop_stop()
    client.reinitialise()
