"""A web application on a real port, in its own thread and loop, for browser tests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar
from urllib.error import HTTPError
from urllib.request import urlopen

import uvicorn
from starlette.applications import Starlette

_T = TypeVar("_T")


class Serving:
    """From the first moment until `stop`. `app.state.close` ends the streams of its pages."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", lifespan="off")
        self._server = uvicorn.Server(config)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="served")
        self._thread.start()
        assert self._ready.wait(20), "the web server did not start"

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        serving = asyncio.create_task(self._server.serve())
        while not self._server.started and not serving.done():
            await asyncio.sleep(0)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]
        self._ready.set()
        await serving

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def do(self, act: Callable[[], _T]) -> _T:
        """Run a function in the loop, from the test's thread; return its result."""

        async def work() -> _T:
            return act()

        return asyncio.run_coroutine_threadsafe(work(), self._loop).result(10)

    def stop(self) -> None:
        def end() -> None:
            self.app.state.close()
            self._server.should_exit = True

        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(end)
            self._thread.join(20)


def asked(url: str) -> tuple[int, str]:
    """Return status and text of a page, including one that explains why there is none."""
    try:
        with urlopen(url, timeout=10) as answer:  # noqa: S310  # a server of the tests
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def shows(port: int) -> bool:
    """Return whether the pages show a table."""
    try:
        return asked(f"http://127.0.0.1:{port}/api/view")[0] == 200
    except OSError:
        return False
