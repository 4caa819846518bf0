"""Delay of a page of the pit, and comparison of the store with every published event."""

from __future__ import annotations

import json
import sqlite3
import threading
import urllib.request
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from controller.common.clock import utc_now
from controller.floor.pit.database import StoreError
from controller.floor.pit.opening import open_database
from controller.floor.pit.store import load_heads
from tests.trials.pit.fleet import name_of


class PageWatcher:
    """Client with an open page of the pit. `lags`: age in ms of each new event of a table when the page
    receives it."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/api/live"
        self._known: dict[str, str] = {}
        self.lags: list[float] = []
        self.pushes = 0
        self._over = False
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def stop(self) -> None:
        self._over = True
        self._thread.join(30)

    def _run(self) -> None:
        with suppress(OSError), urllib.request.urlopen(self._url, timeout=30) as stream:  # noqa: S310
            for line in stream:
                if self._over:
                    return
                if line.startswith(b"data: {"):
                    self._push(json.loads(line[6:]))

    def _push(self, push: dict[str, object]) -> None:
        now = datetime.fromisoformat(utc_now())
        self.pushes += 1
        tiles = push["tiles"]
        assert isinstance(tiles, list)
        for tile in tiles:
            name, last = tile["name"], tile["last"]
            if last and last != self._known.get(name) and not push["whole"]:
                self.lags.append((now - datetime.fromisoformat(last)).total_seconds() * 1000)
            if last:
                self._known[name] = last


def quantile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


# ------------------------------------------------------------------ comparison event by event


def published(folder: Path, table: str, after: int = 0) -> list[bytes]:
    with closing(sqlite3.connect(folder / f"{table}.uplink")) as db:
        query = "SELECT payload FROM events WHERE sequence > ? ORDER BY sequence"
        return [bytes(row[0]) for row in db.execute(query, (after,))]


def stored(url: str, table: str, after: int = 0) -> list[tuple[int, bytes]]:
    with closing(open_database(url, writing=False)) as database:
        query = "SELECT sequence, body FROM events WHERE name = ? AND sequence > ? ORDER BY sequence"
        return [(n, body.encode()) for n, body in database.rows(query, (table, after))]


def all_there(folder: Path, url: str, tables: int) -> bool:
    """Return whether the pit's store has every event that the tables have stored in their outboxes."""
    try:
        with closing(open_database(url, writing=False)) as database:
            have = {name: each.upto for name, each in load_heads(database).items()}
    except StoreError:
        return False
    return all(have.get(name_of(n), 0) == made(folder, name_of(n)) for n in range(1, tables + 1))


def begun(folder: Path, tables: int) -> bool:
    """Return whether the outbox of each table has an event."""
    names = [name_of(n) for n in range(1, tables + 1)]
    return all((folder / f"{name}.uplink").exists() for name in names) and all(made(folder, n) for n in names)


def made(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / f"{table}.uplink")) as db:
        return int(db.execute("SELECT coalesce(max(sequence), 0) FROM events").fetchone()[0])


def differences(folder: Path, url: str, tables: int, checked: dict[str, int]) -> dict[str, int]:
    """Compare the store with the events published after those that are in `checked` already, and add the new
    ones there. Returns the numbers of lost, doubled and disordered events."""
    found = {"events": 0, "lost": 0, "doubled": 0, "out_of_order": 0}
    for name in map(name_of, range(1, tables + 1)):
        after = checked.get(name, 0)
        left, right = published(folder, name, after), stored(url, name, after)
        bodies = [body for _, body in right]
        found["events"] += len(left)
        found["lost"] += len(set(left) - set(bodies))
        found["doubled"] += len(bodies) - len(set(bodies))
        in_order = [n for n, _ in right] == list(range(after + 1, after + 1 + len(right)))
        found["out_of_order"] += int(not in_order or bodies != left[: len(bodies)])
        checked[name] = after + len(left)
    return found
