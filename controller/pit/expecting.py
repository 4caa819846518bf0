"""What the wagers of a round are expected to bring the house, and how far luck goes: by `crisscross par`.

By a pack's own counted odds: an ante is expected to bring the house edge of a round that is played as well as
it can be, a side bet its own edge. A player who plays worse brings more, so a win above the band is not yet a
wrong one. The seats of a round share the cross, so their luck goes together: `SHARED`. It counts no odds: it
reads what is shipped with the program, and says nothing of a pack that it does not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from controller.game.model.names import Wager
from controller.odds import shelf
from controller.odds.figures import side_bet, totals
from controller.odds.pack import odds_of
from controller.packs.loader import load_pack, pack_files

ROUNDS, NOT_KNOWN = "par:rounds", "par:unknown"
WIN, EXPECTED, VARIANCE = "par:win", "par:expected", "par:variance"
MILLI = 1000
"""What is expected is kept in thousandths of a cent, so that it adds up; a variance in square cents."""
SHARED = {Wager.ANTE_ACROSS.value: 0.07}
"""How far the luck of two seats goes together (correlation): measured with the kernel for volume, six seats
at the best play, 0.072 and 0.069 in 400,000 rounds each (Pennsylvania), 0.071 in 200,000 (Maryland). Of a
side bet it is taken for 1: most of its cards are everybody's."""
BAND = 1.96
"""Standard deviations: 95 % of all periods lie within, where nothing but luck is at work."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Of one cent laid: what the house is expected to have of it, and the variance of that."""

    edge: float
    variance: float


@cache
def packs() -> Mapping[str, Mapping[str, Unit]]:
    """Digest of each pack that comes with the program -> unit by wager; `ante_across` stands for the round
    without side bets."""
    found = {}
    for file in pack_files().values():
        pack = load_pack(file)
        odds = odds_of(pack)
        known = shelf.known(odds)
        if known is None:
            continue
        whole = totals(odds, known.counts)
        units = {Wager.ANTE_ACROSS.value: Unit(-float(whole.expectation), float(whole.variance))}
        for wager, table in odds.side_bets:
            bet = side_bet(table, known.hands[wager])
            units[wager.value] = Unit(bet["house_edge"], bet["standard_deviation"] ** 2)
        found[pack.digest] = units
    return found


def expected(record: Mapping[str, Any], win: int) -> Counter[str]:
    """What one round adds. `win`: what the house had of it as it was settled; a correction is an error put
    right and no luck. A void round adds nothing; one that the odds do not cover is counted as left out."""
    if record["outcome"] == "void":
        return Counter()
    units = packs().get(record["rules_digest"])
    if units is None or any(seat["forfeited"] for seat in record["seats"]):
        return Counter({NOT_KNOWN: 1})
    mean = variance = 0.0
    for name, unit in units.items():
        laid = [seat["wagers"][name] for seat in record["seats"] if name in seat["wagers"]]
        amounts = [wager["amount"] for wager in laid if wager["result"] != "returned"]
        mean += unit.edge * sum(amounts)
        shared = SHARED.get(name, 1.0)
        squares = sum(amount**2 for amount in amounts)
        variance += unit.variance * ((1 - shared) * squares + shared * sum(amounts) ** 2)
    return Counter({ROUNDS: 1, WIN: win, EXPECTED: round(mean * MILLI), VARIANCE: round(variance)})


def told(sums: Mapping[str, int]) -> dict[str, Any] | None:
    """For a page: the rounds that count, their win, what was expected, the band, and the z-value; None where
    no round counts."""
    rounds, variance = sums.get(ROUNDS, 0), sums.get(VARIANCE, 0)
    if not rounds or variance <= 0:
        return None
    win, mean, deviation = sums.get(WIN, 0), sums.get(EXPECTED, 0) / MILLI, variance**0.5
    z = (win - mean) / deviation
    return {
        "rounds": rounds, "left_out": sums.get(NOT_KNOWN, 0), "win": win, "expected": round(mean),
        "low": round(mean - BAND * deviation), "high": round(mean + BAND * deviation), "z": z,
        "outside": abs(z) > BAND,
    }  # fmt: skip
