"""Round records of a daemon in another process, made again from its journal.

The journal is opened read-only and its events are handled again: after a power cut this finds the records
that were on disk but not yet reported. This module must never write.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from controller.game.model.state import TableState
from controller.record.journal.replay import replay
from controller.record.journal.rows import read_rows, read_settings


class Follower:
    """Reader of a journal that a daemon is writing. Each call of `records` continues where the previous one
    ended."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._state: TableState | None = None
        self._after = 0

    def records(self) -> list[Mapping[str, Any]]:
        """Return the records of the rounds that ended since the last call."""
        found: list[Mapping[str, Any]] = []
        address = f"file:{self._journal}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as db:
            rows = list(read_rows(db, self._after))
            if rows:
                history = read_settings(db)
                self._state = replay(history, rows, self._state, lambda record, _state: found.append(record))
                self._after = rows[-1].seq
        return found
