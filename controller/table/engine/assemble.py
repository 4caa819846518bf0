"""Builds one table's engine from its table file, its journal and its devices.

The daemon and the mock without wires are assembled here and nowhere else. This module starts no device.
"""

from __future__ import annotations

from controller.common.clock import Clock
from controller.game.model.events import Chip, Started
from controller.game.model.procedures import PROCEDURES
from controller.game.table import Table
from controller.game.watching.circles import CircleTracker
from controller.game.watching.proofs import circles_to_prove
from controller.record.journal.journal import Journal
from controller.record.journal.replay import Replayed, restore_table, snapshot
from controller.record.journal.results import RoundResult, results_of
from controller.settings.config import TableConfig
from controller.table.engine.batcher import EventBatcher
from controller.table.engine.engine import Engine
from controller.table.engine.inbox import Inbox
from controller.table.engine.ports import Devices, Register
from controller.table.engine.settings_guard import SettingsGuard
from controller.table.engine.tally import restore_tally


def build_engine(
    config: TableConfig, journal: Journal, clock: Clock, devices: Devices
) -> tuple[Engine, SettingsGuard]:
    """Return the engine with the table restored from the journal. Add listeners before calling
    `write_first_event`."""
    settings = config.settings()
    tally = restore_tally(*journal.figures())
    unkept: list[RoundResult] = []
    last = journal.last_result()

    def replayed(done: Replayed) -> None:
        tally.replayed(done)
        if done.seq > last:
            unkept.extend(results_of(done.seq, done.effects))

    table = restore_table(journal, config.pack, settings, replayed)
    tally.restore_phase(table.state)
    inbox = Inbox()
    rules = SettingsGuard(config, journal, clock, table, inbox)
    tracker = CircleTracker(list(config.reader_ports()))
    intake = EventBatcher(inbox, clock, tracker, _register(config), config.keys.dead_time_ms)

    def rebuild() -> Table:
        return Table(table.pack, table.settings, table.state)

    engine = Engine(table, rebuild, journal, clock, intake, devices, snapshot, tally)
    if config.keys.proofs is not None:
        cents = config.payouts_proven_from()
        engine.proofs = lambda state: circles_to_prove(state, cents)
    engine.exam = config.keys.mock is not None and config.keys.mock.exam
    engine.results.extend(unkept)
    engine.after_batch.append(rules.apply_waiting)
    engine.on_record.append(tally.record)
    engine.on_correction.append(tally.correct)
    engine.on_event.append(lambda _event, at: tally.note_state(table.state, at.utc))
    return engine, rules


def write_first_event(config: TableConfig, engine: Engine, rules: SettingsGuard) -> None:
    """Write the first event of a run, `Started`, with the circles that have a reader and the digests of the
    table's inputs. Then report changes of rules and settings."""
    fitted = tuple((circle.seat, circle.wager) for circle in sorted(config.reader_ports()))
    gone = engine.journal.lost_rows
    engine.start(Started(fitted, rules.digests, folds_wait=True, rows_gone=gone, procedures=PROCEDURES))
    rules.report_changes()


def _register(config: TableConfig) -> Register:
    """Return the chip register in the form that the game needs."""

    def look_up(uid: str) -> Chip:
        chip = config.register.look_up(uid)
        return Chip(chip.uid, chip.cents, chip.note)

    return look_up
