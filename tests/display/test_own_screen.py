"""On a real table the pages answer the table's own screen alone: whoever else asks gets a line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import pytest
from starlette.routing import Mount, Route

from controller.display.guard import ALIVE, NOT_OWN
from controller.display.limits import Peer
from controller.display.web import make_app
from tests.display.served import Script

KIOSK, OTHER = ("127.0.0.1", 40_000), ("127.0.0.1", 40_001)


def is_own(peer: Peer | None) -> bool:
    return peer == KIOSK


def asked(
    script: Script, verb: str, path: str, peer: Peer | None, *, closed: bool = True
) -> tuple[int, bytes]:
    """Status and body of an answer, without a socket: as uvicorn hands a request over."""
    app = make_app(script, is_own=is_own, closed=closed)
    sent: list[MutableMapping[str, Any]] = []
    body = b'{"do":"press","key":"floor"}' if verb == "POST" else b""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http", "http_version": "1.1", "method": verb, "path": path, "raw_path": path.encode(),
        "query_string": b"", "root_path": "", "scheme": "http", "client": peer, "server": ("127.0.0.1", 8080),
        "headers": [(b"host", b"127.0.0.1:8080"), (b"content-type", b"application/json")], "state": {},
    }  # fmt: skip
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def paths() -> list[str]:
    routes = make_app(Script()).routes
    found = [route.path for route in routes if isinstance(route, Route | Mount)]
    return [path.replace("{number:int}", "17").replace("{period}", "shift") for path in found]


@pytest.mark.parametrize("path", [*paths(), "/static/base.css", "/nowhere"])
@pytest.mark.parametrize("peer", [OTHER, None])
def test_nobody_else_is_answered(path: str, peer: Peer | None) -> None:
    script = Script()
    for verb in ("GET", "POST"):
        status, body = asked(script, verb, path, peer)
        if path == ALIVE:
            continue
        assert (status, json.loads(body)) == (401, {"error": NOT_OWN})
    assert script.touched == []


def test_that_somebody_answers_may_be_known() -> None:
    assert asked(Script(), "GET", ALIVE, OTHER) == (200, b"ok\n")


def test_its_own_screen_is_answered() -> None:
    script = Script()
    assert asked(script, "GET", "/api/view", KIOSK)[0] == 200
    assert asked(script, "GET", "/", KIOSK)[0] == 200
    assert asked(script, "POST", "/api/touch", KIOSK)[0] == 200
    assert len(script.touched) == 1


def test_a_mock_table_answers_whoever_is_on_the_machine() -> None:
    assert asked(Script(), "POST", "/api/touch", OTHER, closed=False)[0] == 200
