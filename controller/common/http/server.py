"""Pages over HTTP: uvicorn on a socket, in the program's own event loop.

It leaves signals to the program and writes nothing to standard output. A table's pages must be served on this
machine only; the check of the table file ensures that.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.common.http.connection_owner import IsOwn, never_own

if TYPE_CHECKING:
    import ssl

    from starlette.applications import Starlette

_STOP_TIMEOUT_S = 2.0
HANDSHAKE_TIMEOUT_S = 2.0
BACKLOG = 16
"""Maximum number of connections that wait to be accepted. No client opens more at once."""


class ServerError(Exception):
    """Raised if the display cannot be served. The message is one line: the fault and its remedy."""


NO_NETWORK = "this process may not have it; systemd's crisscross.service leaves it to its pages (run --pages)"


@contextlib.contextmanager
def writing(key: str, path: Path) -> Iterator[None]:
    """Convert failures to write a path of the table file to ServerError."""
    try:
        yield
    except OSError as error:
        raise ServerError(f"{key}: {path}: cannot be written: {error.strerror or error}") from error


def open_socket(host: str, port: int, section: str = "display") -> socket.socket:
    """Return a bound, listening socket, so that a used port is known before anything else begins. `section`:
    section of the table file that names the port. Raises ServerError if the port cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        # asyncio disables Nagle only on a socket created as TCP; with Nagle, a touch waits 40 ms
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:  # the unit of systemd allows no network
        raise ServerError(f"{section}: {host} port {port}: {error.strerror}; {NO_NETWORK}") from error
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except OSError as error:
        sock.close()
        raise ServerError(
            f"{section}: {host} port {port}: {error.strerror}; set another port, or end what holds it"
        ) from error
    return sock


def address(sock: socket.socket, scheme: str = "http") -> str:
    """Return the address of the pages to be typed into a browser."""
    host, port = sock.getsockname()[:2]
    return url(host, port, scheme)


def url(host: str, port: int, scheme: str = "http") -> str:
    """Return the address of the pages at a numeric host."""
    return f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"


class PageServer:
    """Web server (uvicorn) of one app on an open socket, in the running event loop, until it is stopped."""

    def __init__(
        self,
        app: Starlette,
        sock: socket.socket,
        end_streams: Callable[[], None],
        is_own: IsOwn = never_own,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`is_own`: predicate for the table's own screens; called once for each connection. `tls`: TLS
        context of the connections, or None."""
        # imported here: it takes 0.1 s, which the daemon and `crisscross check` need not spend
        import uvicorn

        from controller.common.http.connection_limits import SEND_BUFFER_BYTES, limits

        class Quiet(uvicorn.Server):
            @contextlib.contextmanager
            def capture_signals(self) -> Iterator[None]:
                yield

        config: Any = uvicorn.Config(
            app, ws="none", lifespan="off", log_config=None, access_log=False, server_header=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=1, timeout_keep_alive=30, **limits(is_own),
            proxy_headers=False,  # a client is identified by its connection, never by a header
        )  # fmt: skip
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self._end_streams = end_streams
        self._socket = sock
        self._server = Quiet(config)
        self._tls = tls
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        if self._tls is not None:
            loop = asyncio.get_running_loop()
            # uvicorn sets no timeout of the handshake, and asyncio's own is a minute
            limited = partial(loop.create_server, ssl_handshake_timeout=HANDSHAKE_TIMEOUT_S)
            loop.create_server = limited  # type: ignore[method-assign]
            self._server.config.load()
            self._server.config.ssl = self._tls
        self._task = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        # uvicorn has no event to wait for
        while not self._server.started and not self._task.done():  # noqa: ASYNC110
            await asyncio.sleep(0)

    async def stop(self) -> None:
        """Stop the streams first, then the server. Connections that do not end in time are closed."""
        self._end_streams()
        self._server.should_exit = True
        if self._task is None:
            return
        try:
            await asyncio.wait_for(self._task, _STOP_TIMEOUT_S)
        except TimeoutError:
            self._server.force_exit = True
