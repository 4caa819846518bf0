"""Guard in front of every route: hosts and origins of requests, size of bodies, headers of responses.

The daemon listens on loopback only, but a page of another web site could make a browser on this machine
send requests and so press a key (CSRF). A request with a foreign Host (DNS rebinding) or Origin (another
page) is refused before its route is looked up. A real table also refuses every connection that does not
come from its own screens. Responses are never cached: an outdated screen is worse than an empty one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, TypeAlias

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.common.files.json_text import read_json
from controller.common.files.strict_json import JsonError
from controller.common.http.admitted import BODY_LIMIT, LOOPBACK_HOSTS, NOBODY

Headers: TypeAlias = tuple[tuple[bytes, bytes], ...]
BODY_S = 2.0
ALIVE = "/healthz"
NOT_OWN = "connection: for the table's own screen alone, the user that display.user of the table file names"
OWN_SCREEN = "own_screen"
"""Key in the ASGI state of a request, set by the server from its connection (`is_own_screen`)."""
SINGLE_HEADERS = (b"host", b"origin", b"content-type", b"sec-fetch-site")
"""Headers that must not be repeated: two would contradict each other, and the request is refused."""
OTHER_SITES = ("cross-site", "same-site")
"""Values of Sec-Fetch-Site for other pages; another port of this machine is the same site, but another
page.
"""
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Guard:
    """ASGI middleware. `hosts`: host names of the pages, with any port. `frames`: sources that the pages
    may show in frames; `framed_by`: sources that may frame the pages, none on a real table. `closed`: only
    the table's own screens are answered. `schemes`: schemes of the pages' URLs; https behind a proxy with
    TLS. `forms`: targets of the pages' forms."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str] = LOOPBACK_HOSTS,
        frames: str = NOBODY,
        framed_by: str = NOBODY,
        closed: bool = False,
        schemes: Iterable[str] = ("http",),
        forms: str = NOBODY,
    ) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._closed = closed
        self._schemes = tuple(schemes)
        self._headers = (*_HEADERS, *_policy(frames, framed_by, forms))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refused(scope)
        answer = _refusal(*refused) if refused else self._app
        headers = _readable_from_file(self._headers) if scope["path"] == ALIVE else self._headers
        await answer(scope, receive, _with_headers(send, headers))

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        names = [name for name, _ in scope["headers"]]
        if any(names.count(name) > 1 for name in SINGLE_HEADERS) or {
            b"content-length",
            b"transfer-encoding",
        } <= {*names}:
            return 400, "headers: one of each, and one length of the body"
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            return 421, f"host: one of {' '.join(sorted(self._hosts))}"
        if self._closed and scope["path"] != ALIVE and not is_own_screen(scope):
            return 401, NOT_OWN
        pages = [f"{scheme}://{host}" for scheme in self._schemes]
        if headers.get("origin", pages[0]) not in pages:
            return 403, "origin: this page only"
        if headers.get("sec-fetch-site", "none") in OTHER_SITES and scope["path"].startswith("/api"):
            return 403, "origin: this page only"
        return None


def is_own_screen(scope: Scope) -> bool:
    """Return whether the server marked the request's connection as one of the table's own screens. No data
    from the client sets this mark."""
    return scope.get("state", {}).get(OWN_SCREEN) is True


def _refusal(status: int, words: str) -> JSONResponse:
    """Return a response that refuses a request. After a 400 the connection is closed, because the end of that
    request is unknown."""
    return JSONResponse({"error": words}, status, {"connection": "close"} if status == 400 else None)


def _name(host: str) -> str:
    """Return the name in a Host header, without the port. A bracketed IPv6 address keeps its brackets."""
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _policy(frames: str, framed_by: str, forms: str) -> Headers:
    """Return the security headers of every response, with the sources of frames, the page that may embed
    these and the targets of forms. Browsers that support `frame-ancestors` ignore the older X-Frame-Options.
    """
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
        f"connect-src 'self'; frame-src {frames}; base-uri 'none'; form-action {forms}; "
        f"frame-ancestors {framed_by}"
    )
    older = ((b"x-frame-options", b"DENY"),) if framed_by == NOBODY else ()
    return ((b"content-security-policy", policy.encode("ascii")), *older)


def _readable_from_file(headers: Headers) -> Headers:
    """Allow the waiting page of the kiosk (systemd/waiting.html), a file, to detect that the server
    answers; the response reveals nothing else."""
    own = b"cross-origin-resource-policy"
    return tuple((name, b"cross-origin" if name == own else value) for name, value in headers)


def _with_headers(send: Send, headers: Headers) -> Callable[[Message], Awaitable[None]]:
    async def sender(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            names = {name for name, _ in headers}
            kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
            message = {**message, "headers": [*kept, *headers]}
        await send(message)

    return sender


class BodyRefused(Exception):
    """Raised for a refused body. `words`: the allowed form; `status`: HTTP status of the response."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status, self.words = status, words


async def read_json_body(request: Request) -> bytes:
    """Return the complete body of a POST of JSON. Raises BodyRefused for another content type or a body that
    is too large or too slow."""
    return await read_body(request, "application/json")


async def read_body(request: Request, kind: str) -> bytes:
    """Return the complete body of a POST of content type `kind`. Raises BodyRefused as `read_json_body`
    does."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != kind:
        raise BodyRefused(415, f"content-type: {kind}")
    return await read_within(request, BODY_LIMIT, BODY_S)


async def read_within(request: Request, max_bytes: int, max_s: float) -> bytes:
    """Return the complete body, with at most `max_bytes` in memory. Raises BodyRefused if it is larger, or
    incomplete after `max_s` seconds."""
    body = bytearray()
    try:
        async with asyncio.timeout(max_s):
            async for piece in request.stream():
                body += piece
                if len(body) > max_bytes:
                    raise BodyRefused(413, f"body: {max_bytes} bytes at most")
    except ClientDisconnect as error:
        raise BodyRefused(400, "body: broke off") from error
    except TimeoutError as error:
        raise BodyRefused(408, f"body: whole within {max_s:.0f} s") from error
    return bytes(body)


async def read_json_value(request: Request) -> Any:  # noqa: ANN401  # the caller validates its form
    """Return the JSON value of a POST, or None if the body is not JSON. Raises BodyRefused as
    `read_json_body` does."""
    body = await read_json_body(request)
    try:
        return read_json(body)
    except JsonError:
        return None
