"""Value of knowing cards in another player's hand (how much collusion helps): draws at random, each one
computed exactly.

Only the gain over the best play without such knowledge is sampled, by kind of hole (`plan.py`); the value
without it is exact. Most of the gain comes from a different Across decision, which the sum of the effects of
single cards approximates. The mean of this approximation comes from many cheap draws, that of the remainder
from few exact ones. This module must never return a figure without its standard error.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from controller.rules.odds.cards import HoleKind, kinds
from controller.rules.odds.pack import Odds
from controller.rules.odds.plan import Plan
from controller.rules.odds.solve import ReportProgress
from controller.rules.odds.tree import FOLD, SumArray

MIN_CARDS, MAX_CARDS = 2, 10
"""Smallest and largest number of other players' cards seen: the hands of one to five players."""
TARGET = 0.0002
"""Standard error of the result to reach, in antes: 0.02 % of an ante."""
PILOT = 3
"""Exact draws made for every kind of hole before the number of further draws is computed."""
CHEAP = 40_000
GROWS = 7
LITTLE = 1e-5
"""Variance of a draw, in squared antes, that is assumed for a kind of hole whose Across decision did not
change in any draw."""
Draws = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Gain:
    """Result: what a player gains in a round, in antes, by knowing `cards` cards of others, with its standard
    error. `draws`: number of exact draws."""

    cards: int
    gain: float
    error: float
    draws: int


@dataclass(frozen=True, slots=True)
class Kept:
    """Draws so far for one kind of hole. `share`: its part of all holes. `effects`: change in value by each
    single card. `mean`, `spread`: mean and variance of the approximate gain. `rest`: exact minus approximate
    gain of each exact draw."""

    share: float
    mean: float = 0.0
    spread: float = 0.0
    effects: dict[int, SumArray] = field(default_factory=dict)
    rest: tuple[float, ...] = ()


def collude(odds: Odds, cards: int, seed: int = 1, progress: ReportProgress = lambda done, of: None) -> Gain:
    """Return the gain of knowing `cards` cards: 0, or `MIN_CARDS` to `MAX_CARDS`. The same seed gives the
    same figure."""
    if cards == 0:
        return Gain(0, 0.0, 0.0, 0)
    every = kinds()
    wanted, kept = [PILOT] * len(every), [Kept(kind.count / 1326) for kind in every]
    while any(wanted):
        work = [
            (at, kind, kept[at], wanted[at]) for at, kind in enumerate(every) if wanted[at]
        ]  # only the kinds of hole that need more draws
        done = sum(len(each.rest) for each in kept)
        of = done + sum(wanted)
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            for at, more in threads.map(lambda task: _drawn(odds, cards, seed, *task), work):
                done += len(more.rest) - len(kept[at].rest)
                kept[at] = more
                progress(done, of)
        wanted = _wanted(kept)
    return _sum(cards, kept)


def _drawn(
    odds: Odds, cards: int, seed: int, at: int, kind: HoleKind, kept: Kept, more: int
) -> tuple[int, Kept]:
    """Return `kept` with `more` exact draws for kind of hole number `at`; the first time the cheap draws are
    made before. `cards`: number of other players' cards seen. Returns `at` too, since many threads do this at
    once."""
    plan = Plan(odds, kind.hole)
    lots = np.random.default_rng((seed, at, len(kept.rest)))
    if not kept.rest:
        effects = plan.effects()
        foretold = _estimated_gain(plan, effects, _draws(plan, lots, CHEAP, cards))
        kept = replace(kept, mean=float(foretold.mean()), spread=float(foretold.var()), effects=effects)
    rest = []
    for draw in _draws(plan, lots, more, cards):
        exact = plan.gain(tuple(draw.tolist()))
        rest.append(exact - float(_estimated_gain(plan, kept.effects, draw[None, :])[0]))
    return at, replace(kept, rest=(*kept.rest, *rest))


def _draws(plan: Plan, lots: np.random.Generator, times: int, cards: int) -> Draws:
    """Return `times` draws of `cards` different cards that are not in the hole."""
    order = lots.random((times, len(plan.live))).argpartition(cards, axis=1)[:, :cards]
    drawn: Draws = np.array(plan.live)[order]
    return drawn


def _estimated_gain(plan: Plan, effects: dict[int, SumArray], draws: Draws) -> SumArray:
    """Return the approximate gain of each draw by a changed Across decision. It adds up the effects of the
    drawn cards, scaled because each remaining card counts more as more cards are out."""
    left = len(plan.live)
    more = (left - 1) / (left - draws.shape[1])
    nearly = {bet: worth + more * effects[bet][draws].sum(axis=1) for bet, worth in plan.worth.items()}
    nearly[FOLD] = np.full(len(draws), plan.worth[FOLD])
    best: SumArray = np.maximum.reduce(list(nearly.values())) - nearly[plan.across]
    return best


def _wanted(kept: list[Kept]) -> list[int]:
    """Return for each kind of hole the number of further draws needed to reduce the error to `TARGET`. Kinds
    with a large share or spread get more (Neyman allocation).

    The number is at most `GROWS` times the present one, because few draws give a poor estimate of their
    spread.
    """
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
    """Return the variance of one exact draw, in squared antes: the sample variance, shrunk slightly towards a
    typical value, a sixteenth of the variance of the approximation.
    """
    draws = len(each.rest)
    return float((draws - 1) * np.var(each.rest, ddof=1) + each.spread / 16 + LITTLE) / draws


def _sum(cards: int, kept: list[Kept]) -> Gain:
    gain = sum(each.share * (each.mean + float(np.mean(each.rest))) for each in kept)
    variance = sum(each.share**2 * (each.spread / CHEAP + _variance(each) / len(each.rest)) for each in kept)
    return Gain(cards, gain, sqrt(variance), sum(len(each.rest) for each in kept))
