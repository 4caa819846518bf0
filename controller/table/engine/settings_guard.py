"""Keeps rules and settings unchanged during a round: a change takes effect between rounds.

If a start finds a round in play, the rules and settings of the journal apply to it. The journal cannot
restore the register of chips: if that has changed, the start is refused.
"""

from __future__ import annotations

import logging

from controller.common.clock import Clock
from controller.game.model.events import SettingsChanged
from controller.game.model.names import IN_PLAY, Phase
from controller.game.model.state import TableState
from controller.game.table import Table
from controller.record.journal.journal import Journal
from controller.record.journal.replay import rules_in_force, store_settings
from controller.record.journal.schema import JournalFault, NotOurJournal
from controller.settings.config import TableConfig
from controller.table.engine.digests import FROZEN, changed_names, digests, with_total
from controller.table.engine.inbox import Inbox

log = logging.getLogger("crisscross")

ROUND_PHASES = frozenset((*IN_PLAY, Phase.VOID, Phase.CLEARING))
"""Phases in which a round is open, from the first card of the deal until its cards are cleared from the
table."""


def is_round_open(state: TableState) -> bool:
    return state.play_phase in ROUND_PHASES or state.closing


class SettingsGuard:
    """Guard of one table's rules and settings. Those with which a round began stay in force until it ends;
    changed ones wait for the next round."""

    def __init__(
        self, config: TableConfig, journal: Journal, clock: Clock, table: Table, inbox: Inbox
    ) -> None:
        """Compare the present rules and settings (`config`) with those in the journal. If they changed while
        a round was open, the round keeps the recorded ones and the new ones wait for its end; otherwise they
        are stored now. `table`: gets the recorded rules and settings back if the new ones wait; `inbox`:
        receives the event `SettingsChanged`. Raises NotOurJournal if the register of chips was changed while
        a round was open, because the chips of the round could then have other values."""
        self._config, self._journal, self._clock = config, journal, clock
        self._table, self._inbox = table, inbox
        self._configured = self.digests = digests(config)
        before = table.state.digests
        self._changed = changed_names(before, self._configured)
        self._waits = is_round_open(table.state) and (bool(self._changed) or not before)
        if self._waits:
            self._restore_round(before)
        else:
            store_settings(journal, clock.stamp(), config.pack, config.settings())

    def _restore_round(self, before: dict[str, str]) -> None:
        """Restore the rules and settings of the round in play. An old journal has no digests; then only the
        rules are restored.
        """
        if "register" in self._changed:
            raise NotOurJournal(
                f"{self._config.file}: chips: the register was changed in mid-round; put back the one of "
                f"digest {before['register']} until the round is over"
            )
        old = rules_in_force(self._journal)
        self._table.pack, self._table.settings = old.pack, old.settings
        self.digests = with_total(
            {**self._configured, **{name: before[name] for name in FROZEN if name in before}}
        )
        if self._changed:
            log.warning("changed in mid-round: %s; from the next round on", ", ".join(self._changed))

    def report_changes(self) -> None:
        """Journal the changes made before this start. Call it after the start has been journalled."""
        if self._changed and not self._waits:
            self._report_change()

    def apply_waiting(self) -> None:
        """Apply a waiting change if no round is in play. Call it after each batch."""
        if not self._waits or is_round_open(self._table.state):
            return
        pack, settings = self._config.pack, self._config.settings()
        try:
            store_settings(self._journal, self._clock.stamp(), pack, settings)
        except JournalFault as error:
            # `apply_waiting` retries after the next batch, as for every write
            log.warning("the change waits: %s", error)
            return
        self._waits = False
        self._table.pack, self._table.settings = pack, settings
        self._report_change()

    def _report_change(self) -> None:
        real = self._config.keys.mock is None
        self._inbox.put(SettingsChanged(self._configured, self._changed, signed=real))
