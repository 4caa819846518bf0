"""Server of the felt page: hands for the simulated devices, and the dealer's screen beside it.

A person lays and takes chips, lifts stacks, presses keys, breaks and repairs devices, and sees the lamps. The
page belongs to the simulator and is unknown to the daemon's display. The page must never send the daemon any
input that a device or a key would not send; the dealer's screen is the daemon's own page, in a frame.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from controller.common.http.admitted import THIS_MACHINE
from controller.common.http.request_guard import BodyRefused, Guard, read_json_body
from controller.common.http.server import PageServer, open_socket
from controller.common.http.static_folder import StaticFolder
from controller.common.texts.catalogue import FIRST_LANGUAGE, Catalogue, catalogue
from controller.mock.bench.bench import TableStopped
from controller.mock.bench.layout import BankEmpty
from controller.mock.felt_page import felt_view
from controller.mock.felt_page.hands import FeltHands, Reply, Wrong
from controller.pages.display.explain import of_page
from controller.pages.display.shell import STATIC as DISPLAY_STATIC
from controller.pages.display.shell import language_of, script_json

STATIC = Path(str(resources.files("controller.mock.felt_page") / "static"))
REFRESH_S = 0.05
"""Seconds between two reads of the state: lamps blink and hands move without a new view. A lamp's rhythm has
slots of 0.25 s (drivers/ports.py).
"""
PAGE_LABELS = ("title", "heading", "parts", "table", "place", "screen", "keys")
"""Texts under `felt` that the HTML itself contains."""


class Lesson(Protocol):
    """Practice shown beside the felt."""

    def state(self, language: str) -> Mapping[str, Any]:
        """Return the data of the practice for the page."""

    def plot(self, language: str) -> str:
        """Return an SVG plot of the trainee's progress, or "" without sessions."""

    def go_on(self, language: str) -> str:
        """Continue after the person has read the result, and return the text for the page."""


class FeltPage:
    """Server of the felt's page for one bench, from `start` until it is stopped."""

    def __init__(self, hands: FeltHands, lesson: Lesson | None = None) -> None:
        self.hands = hands
        self.bench = hands.bench
        self.crowd = hands.crowd
        self.lesson = lesson
        self._prompts = felt_view.Prompts(self.bench)
        self._open = True
        self._server: PageServer | None = None

    async def start(self, port: int = 0) -> int:
        """Serve the page and return its port. `port`: 0 for any free one. Raises ServerError if the port is
        taken."""
        sock = open_socket("127.0.0.1", port)
        self._server = PageServer(self._app(), sock, self._end_streams)
        await self._server.start()
        return int(sock.getsockname()[1])

    async def stop(self) -> None:
        await self.crowd.leave()
        if self._server is not None:
            await self._server.stop()

    def _app(self) -> Starlette:
        routes = [
            Route("/", self._page),
            Route("/state", self._state),
            Route("/live", self._live),
            Route("/wires", self._wires),
            Route("/plot.svg", self._plot),
            Route("/act", self._acted, methods=["POST"]),
            Mount("/static", StaticFolder(STATIC)),
            Mount("/display", StaticFolder(DISPLAY_STATIC)),
        ]
        return Starlette(routes=routes, middleware=[Middleware(Guard, frames=THIS_MACHINE)])

    def _end_streams(self) -> None:
        self._open = False

    def wanted(self, request: Request) -> str:
        """Return the language in the address, else the one chosen on this screen, else English."""
        return language_of(request, FIRST_LANGUAGE)

    def state(self, language: str) -> dict[str, Any]:
        """Return everything that changes on the felt, without the face of any card that lies face down."""
        trouble = self.crowd.trouble
        return {
            **felt_view.moving(self.bench, self.hands.faults),
            "prompt": self._prompts.words(language),
            "players": self.crowd.here,
            "shows": self.crowd.gestures(self.bench.view()),
            "trouble": _refusal(trouble).in_words(catalogue(language)) if trouble else "",
            "lesson": self.lesson.state(language) if self.lesson else None,
        }

    async def _page(self, request: Request) -> Response:
        language = self.wanted(request)
        texts = felt_view.fixed(self.bench, self.crowd.seats, language) | {
            "has_lesson": self.lesson is not None, "help": of_page("felt", language),
        }  # fmt: skip
        labels = {name: escape(texts["felt"][name]) for name in PAGE_LABELS}
        template = Template((STATIC / "felt.html").read_text(encoding="utf-8"))
        return HTMLResponse(
            template.substitute(
                labels, language=language, noscript=escape(texts["noscript"]), texts=script_json(texts)
            )
        )

    async def _state(self, request: Request) -> Response:
        return JSONResponse(self.state(self.wanted(request)))

    async def _wires(self, _request: Request) -> Response:
        return JSONResponse([{"name": wire.name, "frames": wire.frames} for wire in self.bench.wires()])

    async def _plot(self, request: Request) -> Response:
        drawn = self.lesson.plot(self.wanted(request)) if self.lesson else ""
        return Response(drawn, media_type="image/svg+xml")

    async def _live(self, request: Request) -> Response:
        return StreamingResponse(self._changes(self.wanted(request)), media_type="text/event-stream")

    async def _changes(self, language: str) -> AsyncIterator[str]:
        """Yield the keys whose values changed, with their new values."""
        last: dict[str, Any] = {}
        while self._open:
            state = self.state(language)
            news = {key: value for key, value in state.items() if key not in last or last[key] != value}
            if news:
                last = state
                yield f"data: {json.dumps(news, allow_nan=False)}\n\n"
            await asyncio.sleep(REFRESH_S)

    async def _acted(self, request: Request) -> Response:
        texts = catalogue(self.wanted(request))
        try:
            words = await self._act(await read_json_body(request), texts)
        except BodyRefused as error:
            return JSONResponse({"error": error.words}, error.status)
        except (Wrong, BankEmpty, TableStopped) as error:
            return JSONResponse({"refused": _refusal(error).in_words(texts)}, 409)
        return JSONResponse({"ok": True, "said": words})

    async def _act(self, sent: bytes, texts: Catalogue) -> str | None:
        try:
            body = json.loads(sent)
        except (ValueError, RecursionError) as error:
            raise BodyRefused(400, f"body: no JSON: {error}") from error
        if not isinstance(body, dict):
            raise BodyRefused(400, "body: one JSON object")
        if body.get("do") == "go_on" and self.lesson is not None:
            return self.lesson.go_on(texts.language)
        reply = await self.hands.do(body)
        return reply.in_words(texts) if reply else None


def _refusal(error: Wrong | BankEmpty | TableStopped) -> Reply:
    """Return the reason why an act was not done, for the page."""
    if isinstance(error, Wrong):
        return error.reply
    return Reply("bank") if isinstance(error, BankEmpty) else Reply("stopped", {"why": str(error)})
