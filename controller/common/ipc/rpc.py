"""Requests and answers as lines of JSON on a Unix socket, between two programs of different users.

A request is `{"id": N, "ask": METHOD, ...}`, its answer `{"id": N, "answer": ...}` or `{"id": N, "failed":
LINE}`. The server treats the client as hostile: it answers one user only, limits lines, connections and
waiting, and closes a connection at the first line that is not a request. This module must never send the
message of an unforeseen error.
"""

from __future__ import annotations

import errno
import json
import logging
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path
from typing import Any, TypeAlias

from controller.common.ipc.unix_socket import Admission
from drivers.json_lines import json_line

log = logging.getLogger("crisscross.ipc")

MAX_REQUEST_BYTES = 64 * 2**10
_MAX_ANSWER_BYTES = 32 * 2**20
MAX_CONNECTIONS = 4
_ANSWER_TIMEOUT_S = 20.0
"""Client's timeout for a connection or an answer, in seconds."""
_WRITE_TIMEOUT_S = 10.0
"""Server's timeout for writing an answer, in seconds."""
_MAX_NUMBER = 2**63 - 1

Values: TypeAlias = Mapping[str, Any]
Methods: TypeAlias = Mapping[str, Callable[[Values], Any]]


class BadRequest(ValueError):
    """Raised for a line that is not a request. The message is one line and never quotes it."""


class RpcFailed(Exception):
    """Raised if the server reports a failure. The message is one line."""


class NoAnswer(ConnectionError):
    """Raised if the server gives no valid answer. `strerror` is one line."""

    def __init__(self, words: str) -> None:
        super().__init__(errno.ENOTCONN, words)

    def __str__(self) -> str:
        return str(self.strerror)


def number(values: Values, name: str) -> int:
    """Return the whole number from 0 to `_MAX_NUMBER` of that name. Raises BadRequest if there is none."""
    found = values.get(name)
    if type(found) is not int or not 0 <= found <= _MAX_NUMBER:
        raise BadRequest(f"{name} is no whole number from 0 to {_MAX_NUMBER}")
    return found


def text_value(values: Values, name: str) -> str:
    """Return the string of that name. Raises BadRequest if there is none."""
    found = values.get(name)
    if not isinstance(found, str):
        raise BadRequest(f"{name} is no text")
    return found


def failing_on(
    errors: type[Exception] | tuple[type[Exception], ...], work: Callable[[Values], Any]
) -> Callable[[Values], Any]:
    """Return the function with OSError and these errors converted to Failed, so that the client gets one
    line.
    """

    def checked(values: Values) -> Any:  # noqa: ANN401  # JSON
        try:
            return work(values)
        except errors as error:
            raise RpcFailed(str(error)) from None
        except OSError as error:
            raise RpcFailed(f"{error.filename}: {error.strerror}") from None

    return checked


class RpcServer:
    """Server of one user on a listening socket until `close`; each connection has a thread of its own.

    `opened` yields the methods of one connection, in that connection's thread; its resources are released
    with the connection.
    """

    def __init__(
        self, listening: socket.socket, user: int, opened: Callable[[], AbstractContextManager[Methods]]
    ) -> None:
        self._listening, self._opened = listening, opened
        self._name = listening.getsockname()  # the log names it also after the socket is closed
        self._admission = Admission(user)
        self._free = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._closing = False
        self._thread = threading.Thread(target=self._accept, name="rpc", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Accept no further connection. Open ones end with the process."""
        self._closing = True
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join(_WRITE_TIMEOUT_S)
        self._listening.close()

    def _accept(self) -> None:
        while not self._closing:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                if self._closing:
                    return
                threading.Event().wait(1.0)  # no descriptor is free: wait before the next attempt
                continue
            if self._is_admitted(connection):
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()
            else:
                connection.close()

    def _is_admitted(self, connection: socket.socket) -> bool:
        refusal = self._admission.refusal(connection)
        if refusal:
            log.warning("%s: %s", self._name, refusal)
        return refusal is None and self._free.acquire(blocking=False)

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, self._opened() as methods, connection.makefile("rb") as lines:
                connection.settimeout(None)
                while line := lines.readline(MAX_REQUEST_BYTES + 1):
                    self._send(connection, _answer(methods, line))
        except BadRequest as error:
            log.warning("%s: a connection is ended: %s", self._name, error)
        except (OSError, RpcFailed) as error:
            log.debug("a connection has ended: %s", error)
        finally:
            self._free.release()

    def _send(self, connection: socket.socket, answer: bytes) -> None:
        connection.settimeout(_WRITE_TIMEOUT_S)
        connection.sendall(answer)
        connection.settimeout(None)


def _answer(methods: Methods, line: bytes) -> bytes:
    """Return the answer to a line. Raises BadRequest if the line is not a request."""
    request = _read(line)
    ask = request.get("ask")
    method = methods.get(ask) if isinstance(ask, str) else None
    if method is None:
        raise BadRequest(f"no such request; allowed: {', '.join(sorted(methods))}")
    identity = number(request, "id")
    try:
        return json_line({"id": identity, "answer": method(request)})
    except RpcFailed as error:
        return json_line({"id": identity, "failed": str(error)})


def _read(line: bytes) -> Values:
    if not line.endswith(b"\n"):
        raise BadRequest(f"a request is cut short, or longer than {MAX_REQUEST_BYTES} bytes")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise BadRequest("a request is no JSON") from None
    if not isinstance(found, dict):
        raise BadRequest("a request is no object")
    return found


# ------------------------------------------------------------------ client


class RpcClient:
    """Client of a server, for one request at a time, from any thread. It connects at the first request, and
    again after each failure."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._connection: socket.socket | None = None
        self._lines: Any = None
        self._last = 0

    def ask(self, method: str, **values: Any) -> Any:  # noqa: ANN401  # JSON
        """Call a method of the server and return its answer. Raises NoAnswer, or Failed with the server's
        line."""
        with self._lock:
            try:
                return self._request(method, values)
            except NoAnswer:
                self._drop()
                raise
            except (OSError, ValueError, RecursionError) as error:
                self._drop()
                words = getattr(error, "strerror", None) or "its answer is none"
                raise NoAnswer(f"{self.path}: {words}") from None

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        for each in (self._lines, self._connection):
            if each is not None:
                with suppress(OSError):
                    each.close()
        self._connection = self._lines = None

    def _connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(_ANSWER_TIMEOUT_S)
        try:
            connection.connect(str(self.path))
        except OSError:
            connection.close()
            raise
        self._connection, self._lines = connection, connection.makefile("rb")
        return connection

    def _request(self, method: str, values: Values) -> Any:  # noqa: ANN401  # JSON
        connection = self._connection or self._connect()
        self._last += 1
        connection.sendall(json_line({**values, "id": self._last, "ask": method}))
        line = self._lines.readline(_MAX_ANSWER_BYTES)
        if not line.endswith(b"\n"):
            raise NoAnswer(f"{self.path}: the other end has closed the connection")
        answer = json.loads(line)
        if not isinstance(answer, dict) or answer.get("id") != self._last:
            raise NoAnswer(f"{self.path}: an answer to another request")
        if "failed" in answer:
            raise RpcFailed(str(answer["failed"]))
        return answer.get("answer")


def closing_client(path: Path) -> closing[RpcClient]:
    """Return a client that is closed at the end of the block."""
    return closing(RpcClient(path))
