"""Daemon for the crash tests that kills itself at a chosen instant, as a power cut would.

python tests/runtime/crashing.py TABLE_FILE POINT N

POINT: before_commit, in_commit, after_commit, after_ack or never; N: at the N-th batch with a card in it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from controller.cli import main
from controller.game.model.events import CardLeftShoe, Stamp
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.sealing import Growth
from drivers.ports import ShoeReport
from drivers.shoe.driver import SerialShoe


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Crash:
    """Counter of the batches that contain a card. It kills the process at its point in the given batch."""

    def __init__(self, point: str, at: int) -> None:
        self.point = point
        self.left = at
        self.now = False

    def strike(self, point: str) -> None:
        if self.now and point == self.point:
            die()

    def arm(self) -> None:
        append, commit, accept = Journal.append, Journal._commit, SerialShoe.accept

        def counted(journal: Journal, entries: Sequence[JournalEntry], stamp: Stamp) -> None:
            if any(isinstance(entry.event, CardLeftShoe) for entry in entries):
                self.left -= 1
                self.now = self.left == 0
            self.strike("before_commit")
            append(journal, entries, stamp)
            self.strike("after_commit")

        @contextmanager
        def torn(journal: Journal) -> Iterator[Growth]:
            with commit(journal) as growth:
                yield growth
                self.strike("in_commit")

        def acknowledged(shoe: SerialShoe, report: ShoeReport) -> None:
            accept(shoe, report)
            self.strike("after_ack")

        for owner, name, changed in (
            (Journal, "append", counted),
            (Journal, "_commit", torn),
            (SerialShoe, "accept", acknowledged),
        ):
            setattr(owner, name, changed)


if __name__ == "__main__":
    file, where, when = sys.argv[1:]
    if where != "never":
        Crash(where, int(when)).arm()
    raise SystemExit(main(["run", "--config", file]))
