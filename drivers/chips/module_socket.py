"""A secure module behind a Unix socket: the table's end, which carries messages and has no key.

The protocol: one JSON object per line, answers in the order of the requests. ``{"uid": "04…", "challenge":
"…"}`` and ``{"uid": "E0…"}``, which asks for a challenge, are answered by ``{"ticket": 7, "message": "…"}``,
and ``{"ticket": 7, "answer": "…"}`` by ``{"proven": true}``; bytes are hex digits. Any other answer, and
silence, count as a lost module. They must never count as a verdict on a chip. A ticket belongs to its
connection.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivers.chips.icode_dna import CHALLENGE_BYTES
from drivers.chips.secure_module import ModuleLost, Response
from drivers.json_lines import json_line

log = logging.getLogger("crisscross")

TIMEOUT_S = 0.05
"""Maximum time of one answer. It counts towards the time of a proof."""
_MAX_WAIT = 2
"""Maximum wait for the answers to requests of other seats, in multiples of `TIMEOUT_S`."""
_MAX_LINE_BYTES = 400
_MAX_TICKETS = 64
MESSAGE_BYTES = 32


class SocketModule:
    """`SecureModule` over a socket, which is opened when it is first used and again after each loss."""

    def __init__(self, path: Path, timeout_s: float = TIMEOUT_S) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._timeouts = 0
        """Number of requests that were not answered in time."""
        self._tickets: deque[int] = deque(maxlen=_MAX_TICKETS)
        self._ended: deque[int] = deque(maxlen=_MAX_TICKETS)
        """Tickets of earlier connections. The module would end the present one for them."""
        self._socket: socket.socket | None = None
        self.why = ""
        """Reason why the module does not answer, or "" while it does."""

    def respond(self, uid: str, challenge: bytes) -> Response:
        return self._opened({"uid": uid, "challenge": challenge.hex()}, MESSAGE_BYTES)

    def begin(self, uid: str) -> Response:
        return self._opened({"uid": uid}, CHALLENGE_BYTES)

    def _opened(self, question: Mapping[str, Any], count: int) -> Response:
        """Return the answer to a question that opens a proof, with a message of `count` bytes."""
        answer = self._ask(question)
        ticket, message = answer.get("ticket"), answer.get("message")
        if not isinstance(ticket, int) or not isinstance(message, str) or len(message) != 2 * count:
            raise self._lost("its response is not understood")
        try:
            response = Response(ticket, bytes.fromhex(message))
        except ValueError:
            raise self._lost("its response is not understood") from None
        with self._lock:
            self._tickets.append(ticket)
        return response

    def verify(self, ticket: int, answer: bytes) -> bool:
        with self._lock:
            if ticket in self._ended and ticket not in self._tickets:
                raise self._lost("the connection of the proof has ended")
        proven = self._ask({"ticket": ticket, "answer": answer.hex()}).get("proven")
        if not isinstance(proven, bool):
            raise self._lost("its verdict is not understood")
        return proven

    def close(self) -> None:
        with self._lock:
            self._hang_up()

    def _ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the answer. A request that has waited for one that timed out fails with it, so that six
        seats at a module that hangs take the time of one."""
        before = self._timeouts
        if not self._lock.acquire(timeout=_MAX_WAIT * self._timeout_s):
            raise self._lost("it answers other requests too slowly")
        try:
            if self._timeouts != before:
                raise self._lost("timed out")
            answer = self._exchange(json_line(question))
        except (OSError, ValueError) as error:
            self._timeouts += isinstance(error, TimeoutError)
            self._hang_up()
            raise self._lost(str(error)) from error
        finally:
            self._lock.release()
        if not isinstance(answer, dict):
            raise self._lost("its answer is not understood")
        if self.why:
            log.warning("proofs: the module answers again")
            self.why = ""
        return answer

    def _exchange(self, line: bytes) -> object:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.settimeout(self._timeout_s)
            self._socket.connect(str(self._path))
        self._socket.sendall(line)
        received = b""
        while not received.endswith(b"\n"):
            part = self._socket.recv(_MAX_LINE_BYTES)
            received += part
            if not part or len(received) > _MAX_LINE_BYTES:
                raise ValueError("it has hung up" if not part else "its answer is too long")
        found: object = json.loads(received)
        return found

    def _hang_up(self) -> None:
        """Close the connection, so that a late answer is never taken for the answer to the next request."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._ended.extend(self._tickets)
        self._tickets.clear()

    def _lost(self, why: str) -> ModuleLost:
        if not self.why:
            log.warning("proofs: %s: the module does not answer: %s", self._path, why)
        self.why = why
        return ModuleLost(f"{self._path}: {why}")
