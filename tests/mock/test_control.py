"""The bench's client of a mock table's control socket reports a timeout in one line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.mock.bench.control import ControlClient
from controller.mock.bench.http import HttpError


async def test_a_daemon_that_does_not_answer_in_time_is_reported_with_the_time(tmp_path: Path) -> None:
    async def read_only(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    client = ControlClient(tmp_path / "control.sock", lambda _record: None)
    client.timeout_s = 0.05
    async with await asyncio.start_unix_server(read_only, tmp_path / "control.sock"):
        with pytest.raises(HttpError, match=r"^the mock table's control socket: no answer within 0\.05 s$"):
            await client.start()
        await client.stop()
