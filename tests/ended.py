"""Records of ended rounds for tests: a minimal one, and those of a journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from controller.game.model.record import RoundRecord
from controller.record.audit.rounds import read_zoned


def ended_round(number: int, **other: Any) -> dict[str, Any]:
    """Return the record of a round in which one seat bet $10 on each wager; `other` replaces single
    fields."""
    wager = {"amount": 1000, "result": "win", "odds": 1, "payout": 1000, "uncut": 1000, "verified": True}
    seat = {"seat": 3, "wagers": {"across": wager}, "paid": 1000, "taken": 0}
    return {
        "table": "CC-01", "round": number, "started": "2026-11-22T20:00:00.000Z",
        "ended": "2026-11-22T20:02:00.000Z", "rules": "pennsylvania", "method": "automated_shoe",
        "dealer": "0412", "dealers": [], "outcome": "settled", "void": None, "seats": [seat],
        "irregularities": [], "corrections": [], **other,
    }  # fmt: skip


def read_rounds(path: Path) -> list[RoundRecord]:
    """Return the records of all rounds of a journal, in order."""
    return [record for record, _ in read_zoned(path)]
