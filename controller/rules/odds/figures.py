"""Figures of a PAR sheet from counted deals: house edge (return to the player), frequency of each payout,
standard deviation (variance), decisions, net results.

Plain Python over whole numbers: a machine without NumPy gets the same figures from the same counts. Shares
and edges are fractions of 1, not percent; amounts are in antes. Odds are not money and may be floats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from controller.game.model.names import ANTES, BETS, Wager
from controller.rules.odds.counts import Counts
from controller.rules.odds.pack import LINES, LOSES, Odds, PayRow

ENDS = ("win", "push", "lose", "forfeit", "not_made")
STAGES = ("across", "down", "middle")


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over every deal. `wagers`: deals by wager and ending. `net`: deals by result of the round in
    antes. `wagered`: antes wagered in all deals."""

    deals: int
    net: Mapping[int, int]
    wagered: int
    wagers: Mapping[Wager, Mapping[str, int]]

    @property
    def expectation(self) -> Fraction:
        """Return the expectation of a round for the player, in antes."""
        return Fraction(sum(net * deals for net, deals in self.net.items()), self.deals)

    @property
    def variance(self) -> Fraction:
        square = Fraction(sum(net**2 * deals for net, deals in self.net.items()), self.deals)
        return square - self.expectation**2


def totals(odds: Odds, counts: Counts) -> Totals:
    net: Counter[int] = Counter()
    wagers: dict[Wager, Counter[str]] = {wager: Counter() for wager in (*ANTES, *BETS)}
    wagered = 0
    for bets, deals in counts.folded.items():
        laid = 2 + sum(bets)
        net[-laid] += deals
        wagered += laid * deals
        for at, wager in enumerate((*ANTES, *BETS)):
            made = at < len(ANTES) or at - len(ANTES) < len(bets) - 1
            wagers[wager]["forfeit" if made else "not_made"] += deals
    for played, across, down, deals in _played(counts):
        ends = _ends(odds, across, down)
        net[sum(units * end for units, end in zip((1, 1, *played), ends, strict=True))] += deals
        wagered += (2 + sum(played)) * deals
        for wager, end in zip((*ANTES, *BETS), ends, strict=True):
            wagers[wager][ending(end)] += deals
    return Totals(counts.deals, {each: deals for each, deals in net.items() if deals}, wagered, wagers)


def _played(counts: Counts) -> Iterator[tuple[tuple[int, int, int], int, int, int]]:
    for bets, grid in counts.played.items():
        for across, line in enumerate(grid):
            for down, deals in enumerate(line):
                if deals:
                    yield bets, across, down, deals


def _ends(odds: Odds, across: int, down: int) -> tuple[int, ...]:
    """Return the results of one unit of each wager, in the order of ANTES and BETS. `across`, `down`: classes
    of both hands."""
    higher = max(across, down)
    return (odds.antes[across], odds.antes[down], odds.bets[across], odds.bets[down], odds.bets[higher])


def ending(units: int) -> str:
    """Return ``win``, ``push`` or ``lose`` for the result of one unit."""
    return "lose" if units == LOSES else "win" if units > 0 else "push"


def figures_of_pack(odds: Odds, counts: Counts, hands: Mapping[Wager, tuple[int, ...]]) -> dict[str, Any]:
    """Return every figure, by the names in controller/COMMANDS.md. `hands`: number of deals of each class,
    by side bet."""
    whole = totals(odds, counts)
    edge = -whole.expectation
    return {
        "house_edge_per_ante": float(edge),
        "house_edge_per_two_antes": float(edge / 2),
        "element_of_risk": float(edge * whole.deals / whole.wagered),
        "average_wager": whole.wagered / whole.deals,
        "standard_deviation": sqrt(whole.variance),
        "hit_frequency": {"round": _round(whole), **_hits(whole)},
        "decisions": decisions(counts, odds.multiples),
        "net_results": [
            {"net": net, "deals": deals, "probability": deals / whole.deals}
            for net, deals in sorted(whole.net.items())
        ],
        "deals": whole.deals,
        "holes": {
            hole.name: {"across": hole.across, "expectation": float(hole.expectation)}
            for hole in counts.holes
        },
        **{str(wager): None for wager in Wager if wager.side_bet},
        **{str(wager): side_bet(table, hands[wager]) for wager, table in odds.side_bets},
    }


def _round(whole: Totals) -> dict[str, float]:
    ends: Counter[str] = Counter()
    for net, deals in whole.net.items():
        ends["win" if net > 0 else "push" if net == 0 else "lose"] += deals
    return {end: ends[end] / whole.deals for end in ("win", "push", "lose")}


def _hits(whole: Totals) -> dict[str, dict[str, float]]:
    return {
        str(wager): {end: ended[end] / whole.deals for end in ENDS if end in ended}
        for wager, ended in whole.wagers.items()
    }


def decisions(counts: Counts, multiples: tuple[int, int]) -> dict[str, dict[str, float]]:
    """Return, by stage, the share of deals that reach it, and among those the share of each bet in antes
    and of folding."""
    made: dict[str, Counter[int]] = {stage: Counter() for stage in STAGES}
    for bets, deals in _paths(counts):
        for stage, bet in zip(STAGES, bets, strict=False):
            made[stage][bet] += deals
    least, most = multiples
    stages = {}
    for stage, how in made.items():
        reached = how.total()
        bets_made = range(least, most + 1) if most - least < 10 else (least, most)
        shares = {str(bet) if bet else "fold": how[bet] / (reached or 1) for bet in (0, *bets_made)}
        stages[stage] = {"reached": reached / counts.deals, **shares}
    return stages


def _paths(counts: Counts) -> Iterator[tuple[tuple[int, ...], int]]:
    yield from counts.folded.items()
    for bets, grid in counts.played.items():
        yield bets, sum(map(sum, grid))


def expected(table: PayRow, hands: tuple[int, ...]) -> Fraction:
    """Return the expectation of one unit of a side bet for the player."""
    return Fraction(sum(pays * count for pays, count in zip(table, hands, strict=True)), sum(hands))


def side_bet(table: PayRow, hands: tuple[int, ...]) -> dict[str, Any]:
    """Return the figures of one unit of a side bet. `hands`: number of deals of each class."""
    deals = sum(hands)
    mean = expected(table, hands)
    square = Fraction(sum(pays**2 * count for pays, count in zip(table, hands, strict=True)), deals)
    won = sum(count for pays, count in zip(table, hands, strict=True) if pays > 0)
    return {
        "house_edge": float(-mean),
        "standard_deviation": sqrt(square - mean**2),
        "hit_frequency": won / deals,
        "deals": deals,
        "hands": {line or "no_line": count for line, count in zip(LINES, hands, strict=True)},
        "pays": {line or "no_line": pays for line, pays in zip(LINES, table, strict=True)},
    }
