"""Evidence against the shuffles of several tables, kept up to date while they play, for the pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from controller.evidence.running_evidence import Ended
from controller.evidence.shoe_orders import orders_of
from controller.evidence.shoe_report import ShoeEvidence


class RunningShoes:
    """Running evidence. `found`: by index of the journal, the name of the table and the figures after the
    last rounds, as `ShoeEvidence.data` returns them."""

    def __init__(self, journals: Sequence[Path]) -> None:
        self._journals = journals
        self._shoes: dict[int, ShoeEvidence] = {}
        self.found: dict[int, tuple[str, dict[str, Any]]] = {}

    def add(self, ended: Sequence[Ended]) -> None:
        """Add rounds that have ended, the oldest of a journal first. One thread at a time. Raises
        JournalError if a journal cannot be read."""
        for at in sorted({at for at, _ in ended}):
            records = [record for journal, record in ended if journal == at]
            shoe = self._shoes.setdefault(at, ShoeEvidence())
            shoe.add(orders_of(self._journals[at], records))
            self.found[at] = records[-1]["table"], shoe.data()
