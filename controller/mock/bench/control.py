"""Client of the control socket: receives round records as they are written, moves the table's clock, presses
its keys.

The protocol is one JSON object per line over a Unix socket, which the daemon opens on a mock table only
(`controller/table/daemon/control_socket.py`). The client must never be used to choose the next act at the
table.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.mock.bench import http
from controller.mock.bench.bench import Record, ViewData
from drivers.json_lines import json_line

MAX_LINE_BYTES = 1024 * 1024


class ControlClient:
    """Connection to the control socket, from `start` to `stop`. `on_record` gets each round
    record."""

    timeout_s = 5.0
    """Seconds to wait for an answer."""

    def __init__(
        self,
        path: Path,
        on_record: Callable[[Record], None],
        on_view: Callable[[ViewData], None] | None = None,
    ) -> None:
        """Set the callbacks. `on_view`: called with each complete view, even if the pages get only part of
        it; None if no views are requested."""
        self._path = path
        self._on_record = on_record
        self._on_view = on_view
        self._writer: asyncio.StreamWriter | None = None
        self._task: asyncio.Task[None] | None = None
        self._answers: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()

    async def start(self) -> None:
        reader, self._writer = await self.connect()
        # a new queue, because an answer from the previous connection does not count
        self._answers = asyncio.Queue()
        self._task = asyncio.create_task(self._listen(reader))
        await self._ask({"records": True})
        if self._on_view is not None:
            await self._ask({"views": True})

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(str(self._path), limit=MAX_LINE_BYTES)

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._writer is not None:
            await http.close(self._writer)
        self._task = self._writer = None

    async def forward(self, ms: int) -> None:
        """Move the table's monotonic and UTC clocks forward by `ms`."""
        await self._ask({"clock": {"forward_ms": ms}})

    async def shift_utc(self, ms: int) -> None:
        await self._ask({"clock": {"utc_ms": ms}})

    async def press(self, key: str) -> Mapping[str, Any] | None:
        """Press a key on the table. Returns None if it was accepted, else the reason as code and values."""
        refused: Mapping[str, Any] | None = (await self._ask({"key": key}))["refused"]
        return refused

    async def _ask(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._writer is None:
            raise http.HttpError("the mock table's control socket is closed")
        self._writer.write(json_line(request))
        try:
            async with asyncio.timeout(self.timeout_s):
                answer = await self._answers.get()
        except TimeoutError:
            words = f"the mock table's control socket: no answer within {self.timeout_s:g} s"
            raise http.HttpError(words) from None
        if "ok" not in answer:
            raise http.HttpError(f"the mock table's control socket: {answer.get('error')}")
        return answer

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            answer = json.loads(line)
            if answer.get("type") == "round":
                self._on_record(answer)
            elif answer.get("type") == "view":
                if self._on_view is not None:
                    self._on_view(answer["view"])
            else:
                self._answers.put_nowait(answer)
        self._answers.put_nowait({"error": "closed by the daemon"})
