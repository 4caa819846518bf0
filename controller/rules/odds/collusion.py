"""Value of knowing cards in other players' hands: drawn at random, each draw worked out exactly.

Drawn is only what such knowledge gains over the best play without it, hole by hole (`plan.py`): without it a
round is worth what it always is. Most of that gain is an Across decision that turns, which the effect of each
card by itself foretells nearly; its mean is taken from many draws that cost nothing, and only the rest of the
gain needs the exact ones. It must never say a figure without its standard error.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from controller.rules.odds.cards import Kind, kinds
from controller.rules.odds.pack import Odds
from controller.rules.odds.plan import Plan
from controller.rules.odds.tree import FOLD, Sums

MIN_CARDS, MAX_CARDS = 2, 10
"""Cards of other players that are seen: of one to five players."""
TARGET = 0.0002
"""Standard error to reach, in antes: 0.02 %."""
PILOT = 3
"""Exact draws of every kind of hole before it is known which need more."""
CHEAP = 40_000
GROWS = 7
LITTLE = 1e-5
"""The variance, in antes, of a draw of a kind whose Across decision never turns."""
Told = Callable[[int, int], None]
Draws = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Gain:
    """Gain of knowing so many cards in a round, in antes. `draws`: number worked out exactly."""

    cards: int
    gain: float
    error: float
    draws: int


@dataclass(frozen=True, slots=True)
class Kept:
    """Facts of one kind of hole: the cards' own `effects`, the `mean` and `spread` (a variance) of what they
    foretell, and how far the exact draws were from it."""

    share: float
    mean: float = 0.0
    spread: float = 0.0
    effects: dict[int, Sums] = field(default_factory=dict)
    rest: tuple[float, ...] = ()


def collude(odds: Odds, cards: int, seed: int = 1, told: Told = lambda done, of: None) -> Gain:
    """`cards`: 0, else `MIN_CARDS` to `MAX_CARDS`. The same seed gives the same figure."""
    if cards == 0:
        return Gain(0, 0.0, 0.0, 0)
    every = kinds()
    wanted, kept = [PILOT] * len(every), [Kept(kind.count / 1326) for kind in every]
    while any(wanted):
        work = [
            (at, kind, kept[at], wanted[at]) for at, kind in enumerate(every) if wanted[at]
        ]  # those that need no more are left alone
        done = sum(len(each.rest) for each in kept)
        of = done + sum(wanted)
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            for at, more in threads.map(lambda task: _drawn(odds, cards, seed, *task), work):
                done += len(more.rest) - len(kept[at].rest)
                kept[at] = more
                told(done, of)
        wanted = _wanted(kept)
    return _sum(cards, kept)


def _drawn(odds: Odds, cards: int, seed: int, at: int, kind: Kind, kept: Kept, more: int) -> tuple[int, Kept]:
    """`more` exact draws for a kind of hole; the cheap ones where there are none yet."""
    plan = Plan(odds, kind.hole)
    lots = np.random.default_rng((seed, at, len(kept.rest)))
    if not kept.rest:
        effects = plan.effects()
        foretold = _foretold(plan, effects, _draws(plan, lots, CHEAP, cards))
        kept = replace(kept, mean=float(foretold.mean()), spread=float(foretold.var()), effects=effects)
    rest = []
    for draw in _draws(plan, lots, more, cards):
        exact = plan.gain(tuple(draw.tolist()))
        rest.append(exact - float(_foretold(plan, kept.effects, draw[None, :])[0]))
    return at, replace(kept, rest=(*kept.rest, *rest))


def _draws(plan: Plan, lots: np.random.Generator, times: int, cards: int) -> Draws:
    """So many times so many different cards of those that are not in the hole."""
    order = lots.random((times, len(plan.live))).argpartition(cards, axis=1)[:, :cards]
    drawn: Draws = np.array(plan.live)[order]
    return drawn


def _foretold(plan: Plan, effects: dict[int, Sums], draws: Draws) -> Sums:
    """The gain of an Across decision that turns, by the sum of the cards' own effects. The more are out, the
    more each of the rest counts."""
    left = len(plan.live)
    more = (left - 1) / (left - draws.shape[1])
    nearly = {bet: worth + more * effects[bet][draws].sum(axis=1) for bet, worth in plan.worth.items()}
    nearly[FOLD] = np.full(len(draws), plan.worth[FOLD])
    best: Sums = np.maximum.reduce(list(nearly.values())) - nearly[plan.across]
    return best


# ---------------------------------------------------------------------- how many, and what of it


def _wanted(kept: list[Kept]) -> list[int]:
    """Return the number of further draws of each kind that bring the error to `TARGET`: by share and spread
    (Neyman), and no more than `GROWS` times those that there are, because few draws do not know their spread
    well."""
    if _sum(0, kept).error <= TARGET:
        return [0] * len(kept)
    spread = [each.share * sqrt(_variance(each)) for each in kept]
    left = TARGET**2 - sum(each.share**2 * each.spread / CHEAP for each in kept)
    each_gets = 1.05 * sum(spread) / left
    return [
        min(max(0, ceil(each_gets * wide) - len(each.rest)), GROWS * len(each.rest))
        for wide, each in zip(spread, kept, strict=True)
    ]


def _variance(each: Kept) -> float:
    """Return the variance of one draw: that of the draws, drawn a little towards what such kinds have, a
    sixteenth of the variance of what is foretold."""
    draws = len(each.rest)
    return float((draws - 1) * np.var(each.rest, ddof=1) + each.spread / 16 + LITTLE) / draws


def _sum(cards: int, kept: list[Kept]) -> Gain:
    gain = sum(each.share * (each.mean + float(np.mean(each.rest))) for each in kept)
    variance = sum(each.share**2 * (each.spread / CHEAP + _variance(each) / len(each.rest)) for each in kept)
    return Gain(cards, gain, sqrt(variance), sum(len(each.rest) for each in kept))
