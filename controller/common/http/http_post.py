"""One HTTP POST, limited in time and in the size of the answer, without redirects or a proxy."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

STEP_TIMEOUT_S = 10.0
"""Timeout for a connection, and for each part of an answer, in seconds."""
TOTAL_TIMEOUT_S = 20.0
"""Timeout for the complete request, in seconds."""
MAX_ANSWER_BYTES = 64 * 1024


class Unreachable(Exception):
    """Raised if there is no usable answer. The message is one line."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    status: int
    media_type: str
    body: bytes


def http_post(
    url: str, body: bytes, headers: Mapping[str, str], total_s: float = TOTAL_TIMEOUT_S
) -> HttpReply:
    """Post to an http or https URL; return the reply. `total_s`: seconds for the complete request. Raises
    Unreachable if there is no usable answer."""
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    timed_out = threading.Event()
    with closing(kind(parts.hostname or "", parts.port, timeout=STEP_TIMEOUT_S)) as line:
        try:
            line.connect()
            with _shut_down_after(total_s, line.sock, timed_out):
                line.request("POST", target, body, dict(headers))
                reply = _answer(line)
        except (OSError, HTTPException, ValueError) as error:
            words = f"not within {total_s:g} s" if timed_out.is_set() else _words(error)
            raise Unreachable(f"does not answer: {words}") from None
    if timed_out.is_set():
        raise Unreachable(f"does not answer: not within {total_s:g} s")
    return reply


def _answer(line: HTTPConnection) -> HttpReply:
    with closing(line.getresponse()) as answer:
        content = answer.read(MAX_ANSWER_BYTES + 1)
        if len(content) > MAX_ANSWER_BYTES:
            raise Unreachable(f"answers with more than {MAX_ANSWER_BYTES} bytes")
        if answer.length:
            raise Unreachable("breaks off in the middle of its answer")
        media_type = (answer.getheader("content-type") or "").partition(";")[0].strip()
        return HttpReply(answer.status, media_type, content)


@contextmanager
def _shut_down_after(seconds: float, sock: socket.socket, timed_out: threading.Event) -> Iterator[None]:
    """Shut the socket down at the deadline, even if single bytes arrive, so that the waiting thread wakes
    up."""

    def cut() -> None:
        timed_out.set()
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _words(error: Exception) -> str:
    if isinstance(error, HTTPException | ValueError):
        return "what it says is no HTTP"
    return str(getattr(error, "strerror", None) or error) or type(error).__name__
