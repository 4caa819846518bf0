"""Servers for tests, on real sockets in a thread: a witness behind its real routes, and false witnesses in
its place."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from controller.common.http.server import PageServer, open_socket
from controller.common.tlog.note import SigningKey
from controller.record.witness.judge import Logs
from controller.record.witness.pages import make_app
from controller.record.witness.store import Store
from controller.record.witness.witness import Witness


@contextmanager
def serving(store: Path, key: SigningKey, logs: Logs, posix: Callable[[], int]) -> Iterator[str]:
    """Serve a witness and yield its address. The store is opened, used and closed in the serving thread."""
    sock = open_socket("127.0.0.1", 0)
    up, ended = threading.Event(), asyncio.Event()

    async def run() -> None:
        with closing(Store(store)) as opened:
            server = PageServer(make_app(Witness(key, logs, opened, posix)), sock, lambda: None)
            await server.start()
            up.set()
            await ended.wait()
            await server.stop()

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    assert up.wait(10)
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(10)
        loop.close()
        sock.close()


@contextmanager
def serving_false_answers(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Serve false answers and yield the address. Each client's request is read and ignored, and `answer`
    sends the answer."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def take() -> None:
            try:
                line, _ = door.accept()
            except OSError:
                return
            with line:
                line.recv(65536)
                answer(line)

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
        thread.join(10)
