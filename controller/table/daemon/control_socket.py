"""The control socket of a mock table: its clock, its keys, its views, its round records.

It exists only if the table file contains `mock: {control: SOCKET}`, never on a real table: its client can
make time pass and read cards that were not turned. Requests and answers are one JSON object per line. After
``{"records": true}`` each round record is sent as a line when it is written, and after ``{"views": true}``
each view as ``{"type": "view", "view": ...}``, complete even during an exam.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from controller.common.ipc.unix_socket import listen
from controller.game.model.events import KeyPressed
from controller.game.model.names import Key
from controller.game.model.record import RoundRecord
from controller.game.model.state import TableState
from controller.game.rulebook.wagers import Refusal
from controller.table.engine.engine import Engine
from drivers.json_lines import json_line

_MAX_REQUEST_BYTES = 4096
MAX_MS = 10**12
"""Maximum change of the clock in ms: 31 years, so that no date overflows."""
ALLOWED_REQUESTS = (
    'allowed: {"clock": {"forward_ms": N}}, {"clock": {"utc_ms": N}}, {"records": true}, {"views": true}, '
    '{"key": NAME}; '
    f"N in whole ms, at most {MAX_MS}, NAME one of {' '.join(Key)}"
)


class MovableClock(Protocol):
    def forward(self, ms: int) -> None: ...

    def shift_utc(self, ms: int) -> None: ...


class Control:
    """One Unix socket for the test bench that started this daemon."""

    def __init__(self, engine: Engine, clock: MovableClock, moved: Callable[[], None]) -> None:
        """Prepare the socket. `moved`: called after a change of the clock, because deadlines must then be
        checked again."""
        self._engine = engine
        self._clock = clock
        self._moved = moved
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._record_writers: set[asyncio.StreamWriter] = set()
        self._view_writers: set[asyncio.StreamWriter] = set()
        engine.on_record.append(self._send_record)
        engine.on_change.append(self._send_view)

    async def start(self, path: Path) -> None:
        """Open the socket. Raises OSError as `listen` does."""
        listening = listen(path, 0o600)
        self._server = await asyncio.start_unix_server(self._serve, sock=listening, limit=_MAX_REQUEST_BYTES)

    async def stop(self) -> None:
        if self._server is None:
            return
        self._server.close()
        for writer in list(self._writers):
            writer.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while line := await reader.readline():
                writer.write(json_line(await self._answer(line, writer)))
                await writer.drain()
        except (ConnectionError, ValueError, asyncio.CancelledError):
            # the client closed or sent a line that is too long; it may connect again
            pass
        finally:
            self._writers.discard(writer)
            self._record_writers.discard(writer)
            self._view_writers.discard(writer)
            writer.close()

    async def _answer(self, line: bytes, writer: asyncio.StreamWriter) -> dict[str, Any]:
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            return {"error": ALLOWED_REQUESTS}
        match request:
            case {"clock": {"forward_ms": int(ms), **more}, **rest} if 0 <= ms <= MAX_MS and not more | rest:
                self._clock.forward(ms)
            case {"clock": {"utc_ms": int(ms), **more}, **rest} if abs(ms) <= MAX_MS and not more | rest:
                self._clock.shift_utc(ms)
            case {"records": True, **rest} if not rest:
                self._record_writers.add(writer)
            case {"views": True, **rest} if not rest:
                self._view_writers.add(writer)
                writer.write(self._view_line())
            case {"key": str(key), **rest} if key in tuple(Key) and not rest:
                return {"ok": True, "refused": await self._press(Key(key))}
            case _:
                return {"error": ALLOWED_REQUESTS}
        self._moved()
        return {"ok": True}

    async def _press(self, key: Key) -> dict[str, Any] | None:
        """Press a key on the table. Returns the refusal as code and values, None if accepted."""
        answer: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()
        self._engine.inbox.put_touch(KeyPressed(key), answer.set_result)
        refused = await answer
        return None if refused is None else {"code": refused.code, "values": dict(refused.params)}

    def _send_record(self, record: RoundRecord, _before: TableState) -> None:
        line = json_line(record)
        for writer in self._record_writers:
            writer.write(line)

    def _view_line(self) -> bytes:
        return json_line({"type": "view", "view": self._engine.game.view()})

    def _send_view(self) -> None:
        line = self._view_line() if self._view_writers else b""
        for writer in self._view_writers:
            writer.write(line)
