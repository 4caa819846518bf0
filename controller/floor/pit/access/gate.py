"""The role that each route of the pit needs, such as to see or change its users, and the check in front of
every route.

A user is known by the session of a cookie, or by the header of an authenticating proxy. Without a users file
there is no user: the pages are then served to this machine alone, and every route is open.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal, TypeAlias
from urllib.parse import urlencode

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.common.http.host_names import is_loopback
from controller.common.http.sessions import Attempts, Sessions
from controller.common.texts.catalogue import languages
from controller.floor.pit.access.users import Role, Users, UsersFile, includes, is_user_name
from controller.floor.pit.audit.trail import AuditAct

log = logging.getLogger("crisscross.pit")
RecordAct: TypeAlias = Callable[[str, str, AuditAct, str], None]
"""Recorder of the audit trail: user, address, act, text about it."""
Need: TypeAlias = Role | Literal["none", "local"]
"""Requirement of a route: a role, none, or `read` unless the request comes from this machine."""
SIGN_IN = "/sign_in"
COOKIE = "crisscross_pit"
NEEDS: Mapping[str, Need] = {
    "/": "read",
    "/api/live": "read",
    "/figures": "read",
    "/api/figures": "read",
    "/figures.csv": "read",
    "/refused": "read",
    "/api/refused": "read",
    "/api/tables/{name}/on_my_way": "answer",
    "/manage": "manage",
    "/api/manage": "manage",
    "/api/users/{name}": "manage",
    "/tables/{name}": "read",
    "/tables/{name}/floor": "read",
    "/tables/{name}/api/live": "read",
    "/tables/{name}/api/said": "read",
    "/tables/{name}/rounds": "read",
    "/tables/{name}/rounds.csv": "read",
    "/tables/{name}/rounds/{number:round}": "read",
    "/tables/{name}/api/rounds": "read",
    "/tables/{name}/api/rounds/{number:round}": "read",
    "/manuals": "none",
    "/manuals/{name}": "none",
    SIGN_IN: "none",
    "/api/sign_in": "none",
    "/api/sign_out": "none",
    "/metrics": "local",
    "/healthz": "none",
    "/readyz": "none",
    "/static/pit": "none",
    "/static": "none",
}
"""Requirement of every route. A route that is missing here prevents the start."""
MAX_NEXT = 500


@dataclass(frozen=True, slots=True)
class SignedInUser:
    """User who sent a request. `token`: token of their session; "" if a proxy authenticated them or there is
    no users file."""

    name: str
    role: Role
    token: str = ""


ANY = SignedInUser("", "manage")
"""User of every request if there is no users file."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """Authenticating proxy. `header`: header with the user's name; `addresses`: addresses of the trusted
    proxies.
    """

    header: str
    addresses: frozenset[str]


class Access:
    """Access to the pit's pages: finds the user of a request and guards every route. `file`: file of the
    users; None without users. `record`: recorder of the audit trail."""

    def __init__(
        self, file: UsersFile | None = None, seconds: Callable[[], float] = lambda: 0.0,
        proxy: Proxy | None = None, record: RecordAct = lambda _who, _address, _act, _about: None,
    ) -> None:  # fmt: skip
        self.file, self._proxy, self._record = file, proxy, record
        self.sessions = Sessions(self.users, seconds)
        self.attempts = Attempts(seconds)

    @property
    def is_open(self) -> bool:
        """Whether there is no users file, so that every route is open."""
        return self.file is None

    def users(self) -> Users:
        return self.file.current() if self.file is not None else {}

    def record(self, request: HTTPConnection, act: AuditAct, about: str, who: str | None = None) -> None:
        """Record an act in the audit trail. `who`: the user; None: the user of the request."""
        if who is None:
            signed: SignedInUser | None = request.user
            who = signed.name if signed else ""
        self._record(who, self._address(request), act, about)

    def _address(self, request: HTTPConnection) -> str:
        """Return the address of the connection; for a trusted proxy, also the address that it forwards."""
        peer = peer_of(request)
        if self._proxy is None or peer not in self._proxy.addresses:
            return peer
        named = ",".join(request.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
        return f"{named} by {peer}" if is_address(named) else peer

    def signed(self, request: HTTPConnection) -> SignedInUser | Response | None:
        """Return the user of a request, None without one, or the refusal of a request that bypasses the
        proxy.
        """
        if self.file is None:
            return ANY
        if self._proxy is not None:
            if request.url.scheme != "https" and not self._is_near(peer_of(request), self._proxy):
                return JSONResponse({"error": "connection: by the proxy alone"}, 403)
            if self._proxy.header in request.headers:
                return self._from_proxy(request, self._proxy)
        token = request.cookies.get(COOKIE, "")
        session = self.sessions.use(token) if token else None
        return SignedInUser(session.name, session.user.role, token) if session else None

    @staticmethod
    def _is_near(peer: str, proxy: Proxy) -> bool:
        """Return whether a connection without TLS comes from the proxy or from this machine."""
        return peer in proxy.addresses or is_loopback(peer)

    def _from_proxy(self, request: HTTPConnection, proxy: Proxy) -> SignedInUser | Response:
        peer, names = peer_of(request), request.headers.getlist(proxy.header)
        if peer not in proxy.addresses or len(names) != 1:
            words = "header %s from %s is refused: no trusted proxy"
            log.warning(words, proxy.header, peer, extra={"event": "untrusted_proxy"})
            return JSONResponse({"error": f"{proxy.header}: once, and from a trusted proxy alone"}, 403)
        user = self.users().get(names[0])
        if user is None:
            shown = names[0] if is_user_name(names[0]) else "?"
            words = "user %s of the proxy is not in the users file"
            log.warning(words, shown, extra={"event": "unknown_user"})
            return JSONResponse({"error": "user: is not in the pit's users file"}, 403)
        return SignedInUser(names[0], user.role)

    def is_valid(self, signed: SignedInUser) -> bool:
        """Return whether the user of an open page is still signed in with the same role. The check counts as
        use of the session."""
        if signed.token:
            return self.sessions.use(signed.token) is not None
        user = self.users().get(signed.name)
        return self.is_open or (user is not None and user.role == signed.role)

    def is_local(self, request: HTTPConnection) -> bool:
        """Return whether a request comes from this machine and not from a proxy on it."""
        peer = peer_of(request)
        return is_loopback(peer) and (self._proxy is None or peer not in self._proxy.addresses)

    def guard(self, routes: Iterable[BaseRoute], prefix: str = "") -> None:
        """Put the check in front of every route. Raises KeyError for a route that is not in `NEEDS`."""
        for route in routes:
            if isinstance(route, Mount) and route.routes:
                self.guard(route.routes, prefix + route.path)
            elif isinstance(route, Route | Mount):
                route.app = _Checked(route.app, self, NEEDS[prefix + route.path])
            else:
                raise KeyError(str(route))


def peer_of(request: HTTPConnection) -> str:
    """Return the address of the connection, "" if it has none."""
    return request.client.host if request.client else ""


def is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


class _Checked:
    """ASGI application in front of one route. It puts the user of the request into the scope and calls the
    route only if the user has the role `need`."""

    def __init__(self, app: ASGIApp, access: Access, need: Need) -> None:
        self._app, self._access, self.need = app, access, need

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = HTTPConnection(scope)
        signed = self._access.signed(request)
        answer = self._answer(request, signed)
        scope["user"] = signed
        await (answer or self._app)(scope, receive, send)

    def _answer(self, request: HTTPConnection, signed: SignedInUser | Response | None) -> Response | None:
        """Return the response by which a request is refused, or None if the route may answer it."""
        if isinstance(signed, Response):
            return signed
        if self.need == "none" or (self.need == "local" and self._access.is_local(request)):
            return None
        if signed is None:
            return _sign_in(request)
        needed: Role = "read" if self.need == "local" else self.need
        if not includes(signed.role, needed):
            return JSONResponse({"error": f"role: {needed} is needed, {signed.role} is yours"}, 403)
        return None


def _sign_in(request: HTTPConnection) -> Response:
    """Return a redirect to the sign-in in the requested language for a page, and 401 for everything else."""
    if "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({"error": f"user: sign in at {SIGN_IN}"}, 401)
    path = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    query = {"next": path} if 1 < len(path) <= MAX_NEXT else {}
    if (language := request.query_params.get("lang")) in languages():
        query["lang"] = str(language)
    return RedirectResponse(f"{SIGN_IN}?{urlencode(query)}" if query else SIGN_IN, 303)
