"""Web application on a real port, served in a thread and a loop of its own, for browser tests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar
from urllib.error import HTTPError
from urllib.request import urlopen

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

_T = TypeVar("_T")


class Serving:
    """Web server that runs from its creation until `stop`. `app.state.close` ends the streams of its pages.

    `kept`: whether browsers may cache the static files, which do not change while the tests run. With a cache
    a page loads in half the time.
    """

    def __init__(self, app: Starlette, kept: bool = False) -> None:
        self.app = app
        self._kept = kept
        config = uvicorn.Config(
            self._answer, "127.0.0.1", port=0, interface="asgi3", log_level="warning", lifespan="off"
        )
        self._server = uvicorn.Server(config)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="served")
        self._thread.start()
        assert self._ready.wait(20), "the web server did not start"

    async def _serve(self) -> None:
        """Serve without uvicorn's own loop and shutdown, each of which waits 0.1 s."""
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        config = self._server.config
        config.load()
        self._server.lifespan = config.lifespan_class(config)
        await self._server.startup()
        self.port = self._server.servers[0].sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopping.wait()
        await self._end()

    async def _end(self) -> None:
        """Close the listener, then end the connections.

        This order is necessary, because Python drops a connection that it is just accepting when its listener
        closes, and does not close the socket of that connection.
        """
        for listener in self._server.servers:
            for sock in listener.sockets:
                self._loop.remove_reader(sock.fileno())
        await self._disconnect()
        await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))
        for listener in self._server.servers:
            listener.close()
        await self._disconnect()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        static = self._kept and scope["type"] == "http" and scope["path"].startswith("/static/")
        await self.app(scope, receive, _keeping(send) if static else send)

    async def _disconnect(self) -> None:
        """End the streams of the current app and close every connection."""
        self.app.state.close()
        state = self._server.server_state
        while state.connections or state.tasks:  # the stream of a closed page may remain for a moment
            for connection in list(state.connections):
                connection.shutdown()
            await asyncio.gather(*state.tasks)
            await asyncio.sleep(0)

    def rest(self) -> None:
        """Close the connections that a test has opened, and serve nothing until another app is set.

        A page that is still open then gets empty answers, and each of them ends its connection.
        """

        async def end() -> None:
            await self._disconnect()
            self.app = _nothing()

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def do(self, act: Callable[[], _T]) -> _T:
        """Run a function in the server's loop and return its result. The test calls this from its own
        thread."""

        async def work() -> _T:
            return act()

        return asyncio.run_coroutine_threadsafe(work(), self._loop).result(10)

    def stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(20)


def _nothing() -> Starlette:
    async def answer(_request: Request) -> Response:
        return Response(status_code=204, headers={"connection": "close"})

    app = Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])
    app.state.close = lambda: None
    return app


def _keeping(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [pair for pair in message["headers"] if pair[0] != b"cache-control"]
            message = {**message, "headers": [*kept, (b"cache-control", b"max-age=3600, immutable")]}
        await send(message)

    return sender


def get_page(url: str) -> tuple[int, str]:
    """Return the status and the text of a page, even if the status is an error."""
    try:
        with urlopen(url, timeout=10) as answer:  # noqa: S310  # the address is that of a server of the tests
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def shows(port: int) -> bool:
    """Return whether the pages show a table."""
    try:
        return get_page(f"http://127.0.0.1:{port}/api/view")[0] == 200
    except OSError:
        return False
