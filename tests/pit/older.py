"""Store of version 2, and the program that wrote it, taken from this repository's history."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.floor.pit.opening import open_database
from controller.floor.pit.sqlite import APPLICATION_ID

ROOT = Path(__file__).parents[2]
COMMIT = "f98257e"
VERSION_2 = Path(__file__).parent / "stores" / "version_2.sql"
"""A store that this commit wrote: CC-01 with three rounds of one journal and one of the next, and CC-02."""
FORMER, CURRENT = "0a1b2c3d", "bb" * 16
STORES = """
import sys
from controller.pit.database import open_database
from controller.pit.intake import Intake, Payload
from controller.pit.store import Store
store = Store(open_database(sys.argv[1], writing=True))
store.clock("UTC", "UTC")
payloads = [Payload(sys.argv[2], line.rstrip(b"\\n")) for line in sys.stdin.buffer]
taken = Intake(store, "UTC", lambda: "2026-11-22T21:00:00.000Z", {}).take(payloads)
print(len(taken.kept), store.tables[sys.argv[2]].upto)
store.close()
"""
"""Script for the former program: it stores the events from standard input, and prints the number of stored
events and the number of the last event."""


def written_by_version_2(url: str) -> None:
    """Write the store of version 2 into an empty store of either kind."""
    text = VERSION_2.read_text(encoding="utf-8")
    if "://" not in url:
        with closing(sqlite3.connect(url)) as made:
            made.executescript(text)
            made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        return
    with closing(open_database(url, writing=False)) as database:
        for statement in text.split(";\n"):
            if statement.strip() and statement not in ("BEGIN TRANSACTION", "COMMIT"):
                database.rows(statement)


def has_commit() -> bool:
    """Return whether this checkout has COMMIT, which a shallow clone does not have."""
    command = ["git", "-C", str(ROOT), "cat-file", "-e", f"{COMMIT}^{{commit}}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


WITH_FORMER = pytest.mark.skipif(not has_commit(), reason=f"this checkout has no commit {COMMIT}")


def former_program(folder: Path) -> None:
    """Write the program of COMMIT into a folder."""
    archive = folder.with_suffix(".tar")
    command = ["git", "-C", str(ROOT), "archive", "-o", str(archive), COMMIT, "controller", "config"]
    subprocess.run(command, check=True)
    folder.mkdir()
    subprocess.run(["tar", "-xf", str(archive), "-C", str(folder)], check=True)


def store_by_former(folder: Path, url: str, table: str, payloads: list[bytes]) -> list[int]:
    """Store events of a table with the former program; return the number of stored events and the number of
    the last event."""
    done = subprocess.run(
        [sys.executable, "-c", STORES, url, table], cwd=folder, env={"PYTHONPATH": str(folder)},
        input=b"\n".join(payloads), capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return [int(number) for number in done.stdout.split()]
