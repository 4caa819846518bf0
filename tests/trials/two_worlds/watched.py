"""Surveillance pages of a world: its events in a journal, read by the service's own reader."""

from __future__ import annotations

import tempfile
from pathlib import Path

from controller.common.texts.catalogue import catalogue
from controller.evidence.board import Board
from controller.evidence.running_evidence import Chosen, RunningEvidence
from controller.game.model.effects import WriteRecord
from controller.game.model.events import Stamp
from controller.record.journal.journal import Journal, JournalEntry
from controller.record.journal.replay import Replayed, snapshot, store_settings
from tests.trials.two_worlds.world import World


def is_closed(world: World) -> bool:
    """Return whether a round has ended in this world; from then on surveillance may see its cards."""
    return any(isinstance(effect, WriteRecord) for turn in world.turns for effect in turn.effects)


def pages(world: World) -> str:
    """Return the list of sittings and dealers as surveillance sees it now; "" before the first event."""
    if not world.turns:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "journal.db"
        _write(world, file)
        follower = RunningEvidence(Chosen([file]))
        follower.read_all()
        return "\n".join(Board(follower).overview(catalogue("en")))


def _write(world: World, file: Path) -> None:
    """Write the world's events into a journal as the daemon does. The round in play is not signed yet, so its
    faces are sealed."""
    first = world.turns[0]
    journal = Journal(file, durable=False)
    try:
        store_settings(journal, _stamp(first), world.table.pack, world.table.settings)
        journal.store_snapshot(snapshot(first.before))
        for turn in world.turns:
            journal.append([JournalEntry(turn.event)], _stamp(turn))
    finally:
        journal.close()


def _stamp(turn: Replayed) -> Stamp:
    return Stamp(turn.context.ms, turn.context.utc)
