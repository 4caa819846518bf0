"""A round ends by the rules that it began with: what was changed meanwhile takes effect between rounds.

The rules and settings of a round that a start finds in play are those of the journal. What the journal
cannot give back, the register of chips, may not have changed then: the start is refused.
"""

from __future__ import annotations

import logging

from controller.common.clock import Clock
from controller.game.model.events import SettingsChanged
from controller.game.model.names import IN_PLAY, Phase
from controller.game.model.state import TableState
from controller.game.table import Table
from controller.record.journal.journal import Journal
from controller.record.journal.replay import in_force, keep_settings
from controller.record.journal.schema import JournalFault, NotOurJournal
from controller.settings.config import TableConfig
from controller.table.engine.digests import FROZEN, changed, digests, with_total
from controller.table.engine.inbox import Inbox

log = logging.getLogger("crisscross")

BOUND = frozenset((*IN_PLAY, Phase.VOID, Phase.CLEARING))
"""Phases in which a round is not over."""


def bound(state: TableState) -> bool:
    return state.stands in BOUND or state.closing


class Rules:
    """Rules and settings of one table, now and from the next round on."""

    def __init__(
        self, config: TableConfig, journal: Journal, clock: Clock, table: Table, inbox: Inbox
    ) -> None:
        """Puts the table under what holds now. NotOurJournal where a round could not end as it began."""
        self._config, self._journal, self._clock = config, journal, clock
        self._table, self._inbox = table, inbox
        self._today = self.digests = digests(config)
        before = table.state.digests
        self._changed = changed(before, self._today)
        self._waits = bound(table.state) and (bool(self._changed) or not before)
        if self._waits:
            self._go_on(before)
        else:
            keep_settings(journal, clock.stamp(), config.pack, config.settings())

    def _go_on(self, before: dict[str, str]) -> None:
        """As the round began. A journal of before knows no digests, but the rules."""
        if "register" in self._changed:
            raise NotOurJournal(
                f"{self._config.file}: chips: the register was changed in mid-round; put back the one of "
                f"digest {before['register']} until the round is over"
            )
        old = in_force(self._journal)
        self._table.pack, self._table.settings = old.pack, old.settings
        self.digests = with_total(
            {**self._today, **{name: before[name] for name in FROZEN if name in before}}
        )
        if self._changed:
            log.warning("changed in mid-round: %s; from the next round on", ", ".join(self._changed))

    def begun(self) -> None:
        """The start is in the journal; what was changed before it is said."""
        if self._changed and not self._waits:
            self._tell()

    def between(self) -> None:
        """After each batch: what waits takes effect when no round is on."""
        if not self._waits or bound(self._table.state):
            return
        pack, settings = self._config.pack, self._config.settings()
        try:
            keep_settings(self._journal, self._clock.stamp(), pack, settings)
        except JournalFault as error:
            log.warning("the change waits: %s", error)  # as every write does; it is tried again
            return
        self._waits = False
        self._table.pack, self._table.settings = pack, settings
        self._tell()

    def _tell(self) -> None:
        real = self._config.keys.mock is None
        self._inbox.put(SettingsChanged(self._today, self._changed, signed=real))
