"""On a real table the pages answer only the table's own screen: every other connection gets status 401.

The pages are served on a real port, over real connections of this process. Its user is configured as that of
the screen or as another one. For connections of other users see tests/runtime/test_connection_owner.py.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import Callable

import pytest
from starlette.routing import Mount, Route

from controller.common.http.connection_owner import IsOwn, never_own, owned_by
from controller.common.http.request_guard import ALIVE, NOT_OWN
from controller.common.http.server import PageServer, open_socket
from controller.pages.display.web import make_app
from tests.display.served import Script
from tests.other_users import ask
from tests.serving import Serving

pytestmark = pytest.mark.serial

SCREEN_S, OTHER_S = owned_by(frozenset({os.geteuid()})), owned_by(frozenset({os.geteuid() + 1}))
"""Whether the user of these tests is the screen's."""
PRESS = '{"do":"press","key":"floor"}'


async def served(script: Script, is_own: IsOwn, work: Callable[[int], None], *, closed: bool = True) -> None:
    """Run `work` in a thread while these pages are served; it gets their port."""
    app = make_app(script, closed=closed)
    with open_socket("127.0.0.1", 0) as listening:
        server = PageServer(app, listening, app.state.close, is_own)
        await server.start()
        try:
            await asyncio.to_thread(work, listening.getsockname()[1])
        finally:
            await server.stop()


def connection(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def paths() -> list[str]:
    routes = make_app(Script()).routes
    found = [route.path for route in routes if isinstance(route, Route | Mount)]
    return [path.replace("{number:int}", "17").replace("{period}", "shift") for path in found]


@pytest.mark.parametrize("is_own", [OTHER_S, never_own])
async def test_no_other_connection_is_answered(is_own: IsOwn) -> None:
    script = Script()

    def work(port: int) -> None:
        with connection(port) as stranger:
            for path in (*paths(), "/static/base.css", "/nowhere"):
                for verb, body in (("GET", ""), ("POST", PRESS)):
                    status, text = ask(stranger, verb, path, body)
                    if path != ALIVE:
                        assert (status, json.loads(text)) == (401, {"error": NOT_OWN}), path

    await served(script, is_own, work)
    assert script.touched == []


async def test_any_process_may_request_whether_the_table_is_up() -> None:
    def work(port: int) -> None:
        with connection(port) as stranger:
            assert ask(stranger, "GET", ALIVE) == (200, "ok\n")

    await served(Script(), OTHER_S, work)


async def test_the_own_screen_is_answered_with_one_look_up_for_a_connection() -> None:
    script, looked_up = Script(), []

    def is_own(peer: tuple[object, ...] | None, here: tuple[object, ...] | None) -> bool:
        looked_up.append((peer, here))
        return SCREEN_S(peer, here)

    def work(port: int) -> None:
        with connection(port) as screen:
            assert ask(screen, "GET", "/api/view")[0] == 200
            assert ask(screen, "GET", "/")[0] == 200
            assert ask(screen, "POST", "/api/touch", PRESS)[0] == 200
            assert ask(screen, "GET", "/api/live")[0] == 200
            assert looked_up == [(screen.getsockname(), screen.getpeername())]

    await served(script, is_own, work)
    assert len(script.touched) == 1


async def test_a_connected_screen_keeps_its_access_beside_a_foreign_connection() -> None:
    """The right of access belongs to the connection, not to the server or the address."""
    own = iter((True, False))

    def work(port: int) -> None:
        with connection(port) as screen, connection(port) as stranger:
            for _ in range(3):
                assert ask(screen, "GET", "/api/view")[0] == 200
                assert ask(stranger, "GET", "/api/view")[0] == 401

    await served(Script(), lambda _peer, _here: next(own), work)


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Own_Screen", "State"])
async def test_no_data_from_a_client_gives_the_access_of_the_own_screen(header: str) -> None:
    def work(port: int) -> None:
        with connection(port) as screen, connection(port) as stranger:
            value = f"127.0.0.1:{screen.getsockname()[1]}"
            assert ask(stranger, "GET", "/api/view?own_screen=true", headers={header: value})[0] == 401

    await served(Script(), OTHER_S, work)


def test_a_server_that_marks_no_connection_has_no_own_screen() -> None:
    serving = Serving(make_app(Script(), closed=True))
    try:
        with connection(serving.port) as screen:
            assert ask(screen, "GET", "/api/view")[0] == 401
    finally:
        serving.stop()


async def test_a_mock_table_answers_every_user_of_the_machine() -> None:
    def work(port: int) -> None:
        with connection(port) as stranger:
            assert ask(stranger, "POST", "/api/touch", PRESS)[0] == 200

    await served(Script(), OTHER_S, work, closed=False)
