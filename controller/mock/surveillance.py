"""Surveillance pages of a mock table with a cheat: `crisscross evidence` as a process of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

from controller.common.http.server import ServerError, open_socket
from controller.mock.bench.child import Child
from controller.mock.bench.options import PIN, PIN_HASH
from controller.settings.people.register import Person, write_people

BADGE = "S1"
_LOOPBACK = "127.0.0.1"
COSTS = ("--cost", "1000", "--budget", "1")
"""Costs by which the threshold of the mock table's k-th sitting is 3,000 k(k+1)."""


@asynccontextmanager
async def surveillance(
    folder: Path, journal: Path, display: int, write: Callable[[str], None]
) -> AsyncIterator[None]:
    """Serve the evidence of a journal and print the address. `folder`: folder for the process's file of
    people and its log. `display`: port of the table's pages, whose rounds are linked. Raises ServerError if
    the pages cannot be served."""
    people = folder / "surveillance.yaml"
    write_people(people, {BADGE: Person(name=BADGE, roles=["surveillance"], pin=PIN_HASH)})
    with closing(open_socket(_LOOPBACK, 0)) as found:
        port = int(found.getsockname()[1])
    command = (
        sys.executable, "-m", "controller", "evidence", str(journal), "--listen", f"{_LOOPBACK}:{port}",
        "--people", str(people), "--rounds-at", f"http://{_LOOPBACK}:{display}/rounds/",
        *COSTS,
    )  # fmt: skip
    child = Child(command, folder / "surveillance.log")
    try:
        await child.spawn(os.environ)
    except OSError as error:
        raise ServerError(f"surveillance: {command[0]}: {error.strerror}") from error
    write(f"surveillance       http://{_LOOPBACK}:{port}/ (badge {BADGE}, PIN {PIN})")
    try:
        yield
    finally:
        await child.stop()
