"""The routes on a real port check permissions, answer every request once, and are not delayed by a slow
page.
"""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.responses import Response

from controller.common.texts.catalogue import languages
from controller.game.model import events
from controller.game.model.names import Key
from controller.pages.display.live import HEARTBEAT, MAX_STREAMS, RESERVED_STREAMS, Live
from controller.pages.display.ports import Refused
from controller.pages.display.web import make_app
from tests.display.served import Script, Served
from tests.display.views import settling, view

pytestmark = [pytest.mark.serial, pytest.mark.usefixtures("alone")]

PRESS = b'{"do":"press","key":"confirm","prompt":"1/push/3"}'


class Client:
    def __init__(self, served: Served) -> None:
        self.served = served

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Any, Any]:
        line = http.client.HTTPConnection("127.0.0.1", self.served.port, timeout=20)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            line.request(method, path, body, named)
            answer = line.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            line.close()

    def touch(self, body: bytes = PRESS, **headers: str) -> tuple[int, Any]:
        status, _, reply = self.ask(
            "POST", "/api/touch", body, **{"Content_Type": "application/json", **headers}
        )
        return status, json.loads(reply)


@pytest.fixture
def client(served: Served) -> Iterator[Client]:
    return Client(served)


def test_a_touch_is_answered_after_the_table_has_handled_it(client: Client, script: Script) -> None:
    assert client.touch() == (200, {"ok": True})
    assert script.touched == [events.KeyPressed(Key.CONFIRM, "1/push/3")]


def test_a_refusal_has_a_text(client: Client, script: Script) -> None:
    script.refusing = Refused("bet_out_of_range", {"least": 500, "most": 10000})
    text = "Not permitted there. $5 to $100."
    assert client.touch() == (409, {"refused": text, "code": "bet_out_of_range"})


def test_an_invalid_body_is_refused_in_one_line(client: Client, script: Script) -> None:
    status, reply = client.touch(b'{"do":"press","key":"win"}')
    assert (status, reply) == (400, {"error": "key: one of no_more_bets confirm fold floor undo"})
    assert client.touch(b" " * 5000)[0] == 413
    assert client.touch(Content_Type="text/plain")[0] == 415
    assert script.touched == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_a_foreign_page_has_no_access(client: Client, script: Script, headers: dict[str, str]) -> None:
    assert client.touch(**headers)[0] in (403, 421)
    assert client.ask("GET", "/api/view", **headers)[0] in (403, 421)
    assert script.touched == []


def raw(port: int, *lines: str, body: str = "") -> list[str]:
    """Send raw bytes and return the status of every answer until the connection is closed."""
    head = "\r\n".join(("POST /api/touch HTTP/1.1", f"Host: 127.0.0.1:{port}", *lines))
    with socket.create_connection(("127.0.0.1", port), 20) as line:
        line.sendall(f"{head}\r\n\r\n{body}".encode())
        with line.makefile("rb") as answers:
            return [
                status_line.split()[1].decode()
                for status_line in answers
                if status_line.startswith(b"HTTP/1.1 ")
            ]


def test_a_request_with_two_possible_ends_is_answered_once(served: Served, script: Script) -> None:
    again = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n"
    both = ("Content-Length: 4", "Transfer-Encoding: chunked", "Content-Type: application/json")
    assert raw(served.port, *both, body=f"0\r\n\r\n{again}") == ["400"]
    assert script.touched == []


@pytest.mark.parametrize("name", ["Origin", "Content-Type", "Sec-Fetch-Site", "Host"])
def test_a_duplicate_header_is_refused(served: Served, script: Script, name: str) -> None:
    own = {"Origin": f"http://127.0.0.1:{served.port}", "Content-Type": "application/json",
           "Sec-Fetch-Site": "same-origin", "Host": f"127.0.0.1:{served.port}"}  # fmt: skip
    both = (f"{name}: evil", f"{name}: {own[name]}", f"Content-Length: {len(PRESS)}", "Connection: close")
    assert raw(served.port, *both, body=PRESS.decode()) == ["400"]
    assert script.touched == []


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-32", "utf-8-sig"])
def test_a_touch_in_another_coding_is_refused(client: Client, script: Script, coding: str) -> None:
    status, reply = client.touch(PRESS.decode().encode(coding))
    assert (status, reply["error"]) == (400, "body: one JSON object in UTF-8")
    assert script.touched == []


def test_a_missing_body_is_not_awaited(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.common.http.request_guard.BODY_S", 0.05)
    kind = ("Content-Type: application/json", "Content-Length: 40", "Connection: close")
    assert raw(served.port, *kind, body="{") == ["408"]


def test_the_table_s_own_page_has_access(client: Client) -> None:
    own = f"127.0.0.1:{client.served.port}"
    assert client.touch(Host=own, Origin=f"http://{own}", Sec_Fetch_Site="same-origin")[0] == 200
    assert client.touch(Host=f"localhost:{client.served.port}")[0] == 200


PATHS = ("/", "/floor", "/table", "/api/view", "/static/base.css", "/healthz", "/nowhere")


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_is_guarded_and_never_cached(client: Client, path: str) -> None:
    _, headers, _ = client.ask("GET", path)
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", ["/", "/floor", "/table"])
def test_pages_load_no_foreign_resource_and_no_inline_script(client: Client, path: str) -> None:
    _, _, page = client.ask("GET", path)
    text = page.decode()
    assert "http://" not in text and "https://" not in text
    assert " on" + "click" not in text and "<style" not in text
    assert text.count("<script") == 2 and 'type="application/json"' in text


def test_a_page_is_served_in_another_language(client: Client) -> None:
    _, _, page = client.ask("GET", "/?lang=es")
    assert 'lang="es"' in page.decode() and "NO VA MÁS" in page.decode()
    _, _, shown = client.ask("GET", "/api/view?lang=es")
    assert "PREGUNTE" in json.loads(shown)["words"]["prompt"]
    _, _, shown = client.ask("GET", "/api/view?lang=xx")
    assert "ASK" in json.loads(shown)["words"]["prompt"]


def test_only_static_files_can_be_requested(client: Client) -> None:
    assert client.ask("GET", "/static/../web.py")[0] == 404
    assert client.ask("GET", "/static/%2e%2e/web.py")[0] == 404
    assert client.ask("GET", "/static/")[0] == 404
    assert client.ask("POST", "/static/base.css")[0] == 405


def test_an_unknown_language_is_reported_at_the_start() -> None:
    with pytest.raises(ValueError, match=f"language: {' or '.join(languages())}"):
        make_app(Script(), language="tlh")


# ------------------------------------------------------------------ the push


async def test_the_push_sends_the_newest_whole_view_only() -> None:
    script = Script()
    live = Live(script)
    stream = live.stream("en", live.payload("en"))
    assert "ASK" in await anext(stream)
    for amount in (1000, 2000, 3000):
        script.show(settling("take", amount, hand="ace high"))
    assert "TAKE $30" in await anext(stream)
    live.close()
    assert [message async for message in stream] == []


async def test_each_heartbeat_of_the_table_reaches_the_page() -> None:
    script = Script()
    live = Live(script)
    stream = live.stream("en", live.payload("en"))
    await anext(stream)
    for _ in range(2):
        script.beat()
        assert await anext(stream) == HEARTBEAT
    await stream.aclose()


def test_a_silent_table_sends_no_view(client: Client, script: Script) -> None:
    script.suspended = True
    for path in ("/api/live", "/api/view", "/api/table/live"):
        status, _headers, body = client.ask("GET", path)
        assert (status, b"version" in body) == (503, False), path


async def test_a_page_that_reads_nothing_accumulates_no_messages() -> None:
    script = Script()
    live = Live(script)
    stream = live.stream("en", live.payload("en"))
    await anext(stream)
    for _ in range(1000):
        script.show(view())
    assert len(script.wakers) == 1
    version = json.loads((await anext(stream)).partition("data: ")[2])["version"]
    assert version == script.latest()["version"]
    await stream.aclose()
    assert script.wakers == set()


async def answered(push: Response) -> None:
    """Answer a request of a page that disconnects at once."""

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(_message: object) -> None: ...

    await push({"type": "http", "asgi": {"spec_version": "2.3"}}, receive, send)


async def test_pages_beyond_the_limit_are_refused() -> None:
    live = Live(Script())
    answers = [live.response("en") for _ in range(MAX_STREAMS + 1)]
    assert [answer.status_code for answer in answers] == [*[200] * MAX_STREAMS, 503], "counted at once"
    assert [live.response("en", own=True).status_code for _ in range(RESERVED_STREAMS)] == [
        200
    ] * RESERVED_STREAMS
    await answered(answers[0])
    assert live.response("en").status_code == 200, "its place is free again"


def test_the_stream_sends_the_texts_of_each_view(client: Client, served: Served, script: Script) -> None:
    line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
    line.request("GET", "/api/live")
    answer = line.getresponse()
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.readline() == b"retry: 500\n"
    first = json.loads(answer.readline().removeprefix(b"data: "))
    assert first["words"]["prompt"].startswith("Seat 3 · Across · ASK")
    served.show(settling("push", 3000, hand="pair of 10s"))
    while not (message := answer.readline()).startswith(b"data: {"):
        pass
    assert json.loads(message.removeprefix(b"data: "))["words"]["prompt"].startswith("Seat 3 · Across · PUSH")
    answer.close()
    line.close()
