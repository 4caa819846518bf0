"""Packs whose odds are tested, and a function that changes a payout."""

from __future__ import annotations

from dataclasses import replace

from controller.game.model.rules import RulePack
from controller.rules.odds.pack import Odds, odds_of
from controller.rules.packs.loader import find_pack, load_pack

KEYS = ("pennsylvania", "massachusetts", "maryland", "six_card_bonus")
PENNSYLVANIA = load_pack(find_pack("pennsylvania"))
SIX_CARD_BONUS = load_pack(find_pack("six_card_bonus"))
LETTER = load_pack(find_pack("maryland"), {"ante_pays": "pay_table"})
"""Maryland's pack with its chapter 12 taken literally: antes are paid by the pay table."""


def paying(line: str, odds: int | str, pack: RulePack = PENNSYLVANIA) -> Odds:
    """Return the odds of `pack` with another payout for the hand `line`."""
    return odds_of(replace(pack, bet_pays={**pack.bet_pays, line: odds}))
