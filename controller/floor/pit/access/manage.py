"""The page for the role `manage`: the audit trail, the users with their roles, and the retention.

It changes the role of a user or removes one. New users and passwords come from `crisscross pit user`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.common.http.request_guard import read_json_value
from controller.floor.pit.access.gate import Access
from controller.floor.pit.access.users import ROLES, Users, UsersFile, changes
from controller.floor.pit.audit.trail import newest
from controller.floor.pit.database import Database

MAX_SHOWN = 200
Read = Callable[[Callable[[Database], list[dict[str, Any]]]], Awaitable[list[dict[str, Any]]]]


class Manage:
    """Handlers of the page. `page`: renders a page of the pit by its name; `read`: reads the store in a
    thread; `keep_days`: retention of events, None for ever.
    """

    def __init__(
        self, access: Access, page: Callable[[str, Request], Response], read: Read, keep_days: int | None
    ) -> None:
        self._access, self._page, self._read, self._keep_days = access, page, read, keep_days

    def routes(self) -> list[Route]:
        return [
            Route("/manage", self.page),
            Route("/api/manage", self.shown),
            Route("/api/users/{name}", self.change_user, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        return self._page("manage", request)

    async def shown(self, _request: Request) -> Response:
        """Answer with the newest entries of the trail, the users without their passwords, and the
        retention."""
        entries = await self._read(lambda db: [each.fields() for each in newest(db, MAX_SHOWN)])
        users = [
            {"name": name, "role": user.role, "by_proxy": user.password is None}
            for name, user in sorted(self._access.users().items())
        ]
        return JSONResponse({"audit": entries, "users": users, "keep_days": self._keep_days})

    async def change_user(self, request: Request) -> Response:
        """Change a user's role, `{"role": ROLE}`, or remove the user, `{"role": null}`: 204, 404 for an
        unknown user, 409 for one's own name, 503 if the file cannot be written."""
        body = await read_json_value(request)
        match body:
            case {"role": (None | "read" | "answer" | "manage") as role} if len(body) == 1:
                return self._change(request, request.path_params["name"], role)
        return JSONResponse({"error": f"body: an object with role, one of {', '.join(ROLES)}, or null"}, 422)

    def _change(self, request: Request, name: str, role: str | None) -> Response:
        file, before = self._access.file, self._access.users()
        if file is None or name not in before:
            return JSONResponse({"error": "user: is not in the pit's users file"}, 404)
        if name == request.user.name:
            return JSONResponse({"error": "user: nobody changes their own role"}, 409)
        after = {other: user for other, user in before.items() if other != name}
        if role is not None:
            after[name] = before[name].model_copy(update={"role": role})
        return self._replace(request, file, before, after)

    def _replace(self, request: Request, file: UsersFile, before: Users, after: Users) -> Response:
        try:
            file.replace(after)
        except OSError as error:
            return JSONResponse({"error": f"users: {error.filename}: {error.strerror}"}, 503)
        for words in changes(before, after):
            self._access.record(request, "user_changed", words)
        return Response(status_code=204)
