"""A broker that refuses one kind of packet for the first connections, and serves all later ones."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress

CONNECT, PUBLISH, SUBSCRIBE, PINGREQ, DISCONNECT = 1, 3, 8, 12, 14
"""Kinds of packets (MQTT 5, section 2.1)."""
IMPLEMENTATION_SPECIFIC_ERROR = 0x83


class RefusingBroker:
    """Broker that refuses the packets of kind `refused` on its first `times` connections, with reason `code`.
    `only`: if given, only the topics of a subscription that end with it are refused."""

    def __init__(
        self, refused: int, times: int, code: int = IMPLEMENTATION_SPECIFIC_ERROR, only: str = ""
    ) -> None:
        self._refused, self._times, self._code, self._only = refused, times, code, only
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.connections = 0
        self.refusals = 0
        self.published = 0
        """Messages of QoS 1 that were accepted."""
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, name="refusing")]
        self._threads[0].start()

    def close(self) -> None:
        """End the listener and each connection, and wait for their threads."""
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                self._open.append(client)
                thread = threading.Thread(target=self._serve, args=(client, self.connections > self._times))
                self._threads.append(thread)
                thread.start()

    def _serve(self, client: socket.socket, serves: bool) -> None:
        with closing(client), client.makefile("rb") as packets, suppress(OSError):
            while head := packets.read(1):
                kind, body = head[0] >> 4, packets.read(_length(packets.read))
                if kind == DISCONNECT:
                    return
                refuses = kind == self._refused and not serves
                self.refusals += refuses
                client.sendall(self._answer(kind, head[0], body, self._code if refuses else 0))
                if refuses and kind == CONNECT:
                    return

    def _answer(self, kind: int, head: int, body: bytes, code: int) -> bytes:
        if kind == CONNECT:
            return bytes([0x20, 3, 0, code, 0])
        if kind == SUBSCRIBE:
            topics = _topics(body[2 + 1 + body[2] :])
            codes = bytes(code or 1 if each.endswith(self._only) else 1 for each in topics)
            return bytes([0x90, 3 + len(topics)]) + body[:2] + b"\x00" + codes
        if kind == PUBLISH and head & 0x06:
            at = 2 + int.from_bytes(body[:2], "big")
            self.published += not code
            return bytes([0x40, 4]) + body[at : at + 2] + bytes([code, 0])
        return bytes([0xD0, 0]) if kind == PINGREQ else b""


def _length(read: Callable[[int], bytes]) -> int:
    """Return the length of a packet's rest: groups of seven bits, the lowest first."""
    size = shift = 0
    while True:
        byte = (read(1) or b"\x00")[0]
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return size


def _topics(filters: bytes) -> list[str]:
    """Return the topic filters of a SUBSCRIBE."""
    found = []
    while filters:
        end = 2 + int.from_bytes(filters[:2], "big")
        found.append(filters[2:end].decode())
        filters = filters[end + 1 :]
    return found
