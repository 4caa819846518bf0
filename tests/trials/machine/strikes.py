"""Fault at a write of the journal: a power cut or an error of the disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias, get_args

from controller.record.journal.journal import Journal
from controller.record.journal.schema import JournalFault
from controller.record.journal.sealing import Growth

Point: TypeAlias = Literal["before", "in", "after", "error", "stood"]
"""Moment of a fault in a commit. A power cut comes `before` it, `in` it (rows written, not committed), or
`after` it. An `error` is reported with nothing written, or although the commit is on the disk (`stood`)."""
CUTS: tuple[Point, ...] = ("before", "in", "after")
ERRORS: tuple[Point, ...] = ("error", "stood")
POINTS: tuple[Point, ...] = get_args(Point)


class PowerCut(Exception):
    """Raised at a power cut: everything that is not on the disk is lost."""


class Strikes:
    """Counter of the commits of one table, also after restarts, which causes a fault at one of them."""

    def __init__(self) -> None:
        self.commits = 0
        self._at: int | None = None
        self._point: Point = "before"

    def arm(self, point: Point, after: int = 0) -> None:
        """Cause a fault at the next commit, or at a later one: `after` commits are left without a fault."""
        self._at, self._point = self.commits + after, point

    def disarm(self) -> None:
        self._at = None

    def over(self, journal: Journal) -> None:
        """Count the commits of this journal, and cause the fault there if it is due."""
        commit = journal._commit

        @contextmanager
        def struck() -> Iterator[Growth]:
            point = self._next()
            if point == "before":
                raise PowerCut
            with commit() as growth:
                yield growth
                _strike_in(point)
            if point == "after":
                raise PowerCut
            if point == "stood":
                raise JournalFault(f"journal {journal.path}: the disk reports an error")

        journal._commit = struck  # type: ignore[method-assign]

    def _next(self) -> Point | None:
        point = self._point if self.commits == self._at else None
        self.commits += 1
        return point


def _strike_in(point: Point | None) -> None:
    if point == "in":
        raise PowerCut
    if point == "error":
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR"
        raise error
