"""The guard in front of every route: who may ask, how much they may send, what the answer carries.

The daemon listens on loopback only, but a browser on the same machine could be made to ask for somebody
else. A foreign Host (DNS rebinding) or Origin (another page) is refused before any route is looked at.
Nothing is ever cached: an old screen is worse than none.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
BODY_LIMIT = 4096
HEADERS = (
    (
        b"content-security-policy",
        (
            b"default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
            b"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Guard:
    """ASGI middleware. `hosts`: the names by which the pages may be asked for, with any port."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOOPBACK) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refused(scope)
        answer = JSONResponse({"error": refused[1]}, refused[0]) if refused else self._app
        await answer(scope, receive, _with_headers(send))

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            return 421, f"host: one of {' '.join(sorted(self._hosts))}"
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            return 403, "origin: this page only"
        if headers.get("sec-fetch-site", "none") == "cross-site" and scope["path"].startswith("/api"):
            return 403, "origin: this page only"
        return None


def _name(host: str) -> str:
    """The host without its port; a bracketed IPv6 address keeps its brackets."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sender(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            names = {name for name, _ in HEADERS}
            kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
            message = {**message, "headers": [*kept, *HEADERS]}
        await send(message)

    return sender


class BodyRefused(Exception):
    """`words`: what is allowed; `status`: of the answer."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words


async def read_json_body(request: Request) -> bytes:
    """The whole body of a POST, never more than `BODY_LIMIT` of it in memory."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise BodyRefused(415, "content-type: application/json")
    body = bytearray()
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > BODY_LIMIT:
                raise BodyRefused(413, f"body: {BODY_LIMIT} bytes at most")
    except ClientDisconnect as error:
        raise BodyRefused(400, "body: broke off") from error
    return bytes(body)
