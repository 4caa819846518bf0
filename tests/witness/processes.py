"""Processes of `crisscross witness` for tests, which start them, read their output and end them."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import yaml

from controller.common.tlog.note import VerifierKey
from tests.witness.log import ORIGIN

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def running(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", "witness", *arguments, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        _, err = await process.communicate()
        assert process.returncode == 0, err.decode()


async def wait_for_line(process: asyncio.subprocess.Process, words: str) -> re.Match[str]:
    assert process.stderr is not None
    async with asyncio.timeout(30):
        async for line in process.stderr:
            if found := re.search(words, line.decode()):
                return found
    raise AssertionError(f"ended without {words}")


def table_file(folder: Path, url: str, key: VerifierKey, origin: str = ORIGIN) -> Path:
    """Write a table file with one witness and a journal named `journal.db` beside the file; return the table
    file."""
    file = folder / "table.yaml"
    keys = {
        "table": "T-1",
        "rules": "pennsylvania",
        "journal": "journal.db",
        "shoe": {"port": "/dev/shoe"},
        "seal": {"origin": origin, "witnesses": [{"key": key.text(), "url": url}]},
    }
    file.write_text(yaml.safe_dump(keys))
    return file
