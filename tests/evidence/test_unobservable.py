"""No screen, lamp or message of a table shows whether surveillance watches it.

Two tables play the same rounds with the same cheat. The journal of one is followed while it plays, and the
cheat passes the threshold; the other is not watched. Every output of both tables must be the same.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.common.notify.notification import NOTIFICATION_KINDS, Notification
from controller.common.notify.sender import NotificationSender
from controller.common.notify.settings import Receiver
from controller.common.texts.catalogue import catalogue, languages
from controller.evidence.alerts import Alerts
from controller.evidence.board import Board
from controller.evidence.running_evidence import Chosen, RunningEvidence
from controller.floor.uplink import public_events
from controller.floor.uplink.snapshot import felt_of, floor_of
from controller.game.model.names import SEATS, Circle, Wager
from controller.game.showing.spectator import spectator
from controller.mock.bench.bench import Hands, Pace, ViewData, play
from controller.mock.bench.in_process import DirectBench
from controller.mock.bench.options import MockOptions
from controller.mock.run import Run, people
from controller.pages.display.words import render
from controller.record.journal.files import reading
from controller.record.journal.replay import replayed_events
from controller.record.journal.rows import opener, read_rows, read_settings
from controller.record.seal.keys import faces_secret

pytestmark = pytest.mark.slow
CHEAT, ROUNDS, SEED = 2, 9, 8


class Surveillance:
    """Service that follows a journal. `pages`: newest list of sittings; `alerts`: alerts to surveillance."""

    def __init__(self, journal: Path) -> None:
        self.evidence = RunningEvidence(Chosen([journal]))
        self.board = Board(self.evidence, (1_000, 1_000))
        self.alerts: list[Notification] = []
        sender = NotificationSender(
            [Receiver("surveillance", NOTIFICATION_KINDS, self.alerts.append)],
            lambda: 0.0,
            logging.getLogger("x"),
            Counter(),
        )
        sender.start()
        self._sender, self._alerts = sender, Alerts(self.board, sender, lambda: "2026-11-22T20:00:00.000Z")
        self.pages = ""

    def look(self) -> None:
        """Read the journal, check the alerts and make the pages once, as the service does every two
        seconds."""
        ended = self.evidence.read()
        self.evidence.learn(ended)
        for each in ended:
            self.evidence.add(each)
        self._alerts.check(ended)
        self.pages = "\n".join(self.board.overview(catalogue("en")))

    def stop(self) -> None:
        self._sender.stop()


@dataclass
class Seen:
    """Outputs of a table, recorded after every change: views of dealer, floor and wall, lamps, and the
    records."""

    outputs: list[str] = field(default_factory=list)
    records: list[Any] = field(default_factory=list)

    def add(self, bench: DirectBench, view: ViewData) -> None:
        self.records.extend(bench.records())
        lamps = {str(circle): bench.lamp(circle) for circle in map(Circle._make, circles())}
        texts = [render(view, language) for language in languages()]
        parts = (view, texts, spectator(view), felt_of(view), floor_of(view), lamps, bench.brightness())
        self.outputs.append(json.dumps(parts, default=str))


def circles() -> Iterator[tuple[int, Wager]]:
    return ((seat, wager) for seat in SEATS for wager in Wager)


def played(journal: Path, surveillance: Surveillance | None) -> Seen:
    """Play the rounds and return the table's outputs. `surveillance` reads the journal after every change of
    the view."""
    bench, found = DirectBench(MockOptions(seed=SEED, wires=False, journal=journal)), Seen()

    def see(view: ViewData) -> None:
        found.add(bench, view)
        if surveillance is not None:
            surveillance.look()

    async def run() -> None:
        await bench.start()
        try:
            around, _ = people(Run(bench.options, seats=2, cheat=CHEAT, cheats_by="cross"), bench=bench)
            hands = Hands(bench, Pace(None, bench.elapse))
            await play(hands, around, lambda _view: len(found.records) >= ROUNDS, on_view=see)
        finally:
            await bench.stop()

    asyncio.run(run())
    return found


def messages(journal: Path) -> list[Any]:
    """Return what the table publishes for each row of its journal."""
    with reading(journal) as db:
        keys = opener(db, faces_secret(journal.with_name(f"{journal.name}.keys")))
        rows = list(read_rows(db, opened=keys))
        return [
            list(public_events.public_events(done)) for done in replayed_events(read_settings(db), rows, None)
        ]


def test_a_watched_table_has_the_outputs_of_one_that_is_not(tmp_path: Path) -> None:
    watched, plain = tmp_path / "watched" / "journal.db", tmp_path / "plain" / "journal.db"
    for journal in (watched, plain):
        journal.parent.mkdir()
    surveillance = Surveillance(watched)
    one = played(watched, surveillance)
    surveillance.stop()
    other = played(plain, None)
    assert surveillance.board.many_above() > 0
    assert 'role="alert"' in surveillance.pages
    assert {each.seat for each in surveillance.alerts} == {CHEAT}
    assert len(one.outputs) > 100 * ROUNDS / 9
    assert one.outputs == other.outputs
    assert one.records == other.records
    assert messages(watched) == messages(plain)
    assert not any("evidence" in text or "hypothes" in text for text in one.outputs)
