"""A software module behind a socket, for mock tables and for trials in a casino's cage: the other end of
`drivers/chips/module_socket.py`.

One thread serves all connections. An invalid line ends its connection, and so does a ticket that is not open
in it: no table can use or push out the tickets of another, which would accuse genuine chips.
"""

from __future__ import annotations

import json
import selectors
import socket
import threading
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from drivers.chips.secure_module import ModuleLost, SecureModule
from drivers.json_lines import json_line

_MAX_LINE_BYTES = 400
MAX_TICKETS = 64
"""Maximum number of open tickets of one connection; the oldest is closed."""


class ModuleServer:
    """Serves a module: in a thread at a socket of its own, from `start` to `stop`, or in the caller's thread
    at a listening socket, from `serve` to `wake`."""

    def __init__(self, path: Path, module: SecureModule) -> None:
        self._path = path
        self._module = module
        self._selector = selectors.DefaultSelector()
        self._buffers: dict[socket.socket, bytes] = {}
        self._tickets: dict[socket.socket, deque[int]] = {}
        self._wake, self._woken = socket.socketpair()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self._path))
        listener.listen()
        self._thread = threading.Thread(target=self.serve, args=(listener,), name="module", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """End `serve`. Any thread and a signal handler may call it."""
        self._wake.send(b"!")

    def stop(self) -> None:
        """End the thread if there is one, close all connections and remove the socket."""
        if self._thread is not None:
            self.wake()
            self._thread.join()
            self._thread = None
        for each in (*self._buffers, self._wake, self._woken):
            each.close()
        self._buffers.clear()
        self._selector.close()
        self._path.unlink(missing_ok=True)

    def serve(self, listener: socket.socket) -> None:
        """Serve the connections of a listening socket until `wake`, and close it."""
        self._selector.register(listener, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._woken:
                    listener.close()
                    return
                if key.fileobj is listener:
                    connection, _ = listener.accept()
                    self._buffers[connection] = b""
                    self._tickets[connection] = deque()
                    self._selector.register(connection, selectors.EVENT_READ)
                elif isinstance(key.fileobj, socket.socket):
                    self._serve(key.fileobj)

    def _serve(self, connection: socket.socket) -> None:
        try:
            part = connection.recv(_MAX_LINE_BYTES)
            *lines, rest = (self._buffers[connection] + part).split(b"\n")
            self._buffers[connection] = rest
            for line in lines:
                answer = self._answer(json.loads(line), self._tickets[connection])
                connection.sendall(json_line(answer))
            ended = not part or len(rest) > _MAX_LINE_BYTES
        except (OSError, ValueError, KeyError, TypeError, ModuleLost):
            ended = True
        if ended:
            for ticket in self._tickets.pop(connection):
                self._close(ticket)
            self._selector.unregister(connection)
            del self._buffers[connection]
            connection.close()

    def _answer(self, question: Mapping[str, Any], tickets: deque[int]) -> dict[str, Any]:
        """Return the answer. `tickets`: open ones of the connection. Raises ValueError for another ticket."""
        if "uid" in question:
            uid, challenge = question["uid"], question.get("challenge")
            response = (
                self._module.begin(uid)
                if challenge is None
                else self._module.respond(uid, bytes.fromhex(challenge))
            )
            tickets.append(response.ticket)
            if len(tickets) > MAX_TICKETS:
                self._close(tickets.popleft())
            return {"ticket": response.ticket, "message": response.message.hex()}
        tickets.remove(question["ticket"])
        return {"proven": self._module.verify(question["ticket"], bytes.fromhex(question["answer"]))}

    def _close(self, ticket: int) -> None:
        """Close a ticket by an answer that proves nothing."""
        with suppress(ModuleLost):
            self._module.verify(ticket, b"")
