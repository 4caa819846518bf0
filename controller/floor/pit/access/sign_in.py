"""Sign-in (login) and sign-out of a user: the handlers of both, with the check of a password.

An unknown user and a wrong password get the same answer after the same work. Passwords are checked one at a
time.
"""

from __future__ import annotations

import asyncio
import math

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.common.http.request_guard import read_json_value
from controller.common.secret_hash import fits
from controller.floor.pit.access.cli import MAX_PASSWORD
from controller.floor.pit.access.gate import COOKIE, Access, SignedInUser, peer_of
from controller.floor.pit.access.users import User

_MAX_WAITING = 8
"""Maximum number of passwords that wait for their check."""
WRONG = "user or password: is wrong"


class SignIn:
    """Handlers of the sign-in and the sign-out."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._one_by_one = asyncio.Lock()
        self._waiting = 0

    def routes(self) -> list[Route]:
        return [
            Route("/api/sign_in", self.sign_in, methods=["POST"]),
            Route("/api/sign_out", self.sign_out, methods=["POST"]),
        ]

    async def sign_in(self, request: Request) -> Response:
        """Start a session, `{"name": …, "password": …}`: 204 with the cookie, 401 for a wrong password, 429
        with Retry-After while attempts have to wait."""
        body = await read_json_value(request)
        match body:
            case {"name": str(name), "password": str(password)} if len(body) == 2:
                return await self._judged(request, name, password[:MAX_PASSWORD])
        return JSONResponse({"error": "body: an object with name and password"}, 422)

    async def _judged(self, request: Request, name: str, password: str) -> Response:
        if self._waiting >= _MAX_WAITING:
            return _later(1)
        self._waiting += 1
        try:
            async with self._one_by_one:
                return await self._judge(request, name, password)
        finally:
            self._waiting -= 1

    async def _judge(self, request: Request, name: str, password: str) -> Response:
        address = peer_of(request)
        wait = self._access.attempts.wait_s(name, address)
        if wait > 0:
            return _later(math.ceil(wait))
        user = self._access.users().get(name)
        right = await asyncio.to_thread(fits, password, user.password if user else None)
        if user is None or not right:
            self._access.attempts.failed(name, address)
            # an unknown name may be a password typed into the wrong field
            known = ("", name) if user else ("unknown user", "")
            self._access.record(request, "sign_in_refused", *known)
            return JSONResponse({"error": WRONG}, 401)
        return self._begun(request, name, user)

    def _begun(self, request: Request, name: str, user: User) -> Response:
        address = peer_of(request)
        self._access.attempts.passed(name, address)
        self._access.record(request, "sign_in", user.role, name)
        answer = Response(status_code=204)
        token = self._access.sessions.begin(name, user)
        answer.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=_is_secure(request))
        return answer

    async def sign_out(self, request: Request) -> Response:
        """End the session of the request and delete its cookie."""
        signed: SignedInUser | None = request.user
        if signed is not None and signed.token:
            self._access.sessions.end(signed.token)
            self._access.record(request, "sign_out", "")
        answer = Response(status_code=204)
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=_is_secure(request))
        return answer


def _is_secure(request: Request) -> bool:
    """Return whether the browser's connection uses TLS, to this server or to the proxy. A browser states it
    in Origin, which the guard has compared with the host."""
    return request.headers.get("origin", "").startswith("https:")


def _later(seconds: int) -> Response:
    words = f"attempts: the next one in {seconds} s"
    return JSONResponse({"error": words, "wait_s": seconds}, 429, {"retry-after": str(seconds)})
