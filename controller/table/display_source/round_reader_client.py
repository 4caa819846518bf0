"""Client of the process that reads past rounds (controller/record/timeline/reader.py).

The process starts at the first request, and again after it has ended. It handles one request at a time. This
module must never read the journal itself: the loop has cards to acknowledge.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

READER = "controller.record.timeline.reader"
_MAX_ANSWER_BYTES = 32 * 2**20
ENDED = {"fault": "its reader ended; ask again"}


class RoundReaderClient:
    """Client for the past rounds of one journal. Used on the loop's thread only."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the reader's answer, or `ENDED` if the reader ends without one."""
        async with self._turn:
            try:
                return await self._exchange(json.dumps(question) + "\n")
            except asyncio.CancelledError:
                await self._end()  # discard the process, since its pipe may contain part of an answer
                raise

    async def _exchange(self, line: str) -> Mapping[str, Any]:
        process = await self._running()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the reader of rounds was started without its pipes")
        try:
            process.stdin.write(line.encode())
            await process.stdin.drain()
            answer = await process.stdout.readline()
        except (BrokenPipeError, ConnectionResetError):
            answer = b""
        if not answer.endswith(b"\n"):
            await self._end()
            return ENDED
        found: Mapping[str, Any] = json.loads(answer)
        return found

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", READER, str(self._journal),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_MAX_ANSWER_BYTES,
            )  # fmt: skip
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()

    async def stop(self) -> None:
        """Stop the reader and wait until it has ended."""
        await self._end()
