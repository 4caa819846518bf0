"""Disconnects a paho-mqtt client in order, for the table and for the pit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paho.mqtt.client import Client


def end(client: Client) -> None:
    """Disconnect, so that the broker sends no will. `reinitialise` closes the sockets that paho leaves to the
    garbage collector.
    """
    client.disconnect()
    client.loop_stop()
    client.reinitialise()
