"""Players for the trial: honest ones of many kinds, and cheats who know the middle card.

A player returns the bets on Across, Down and Middle in antes, (3, round), 0 for a fold; values after a fold
are ignored. Rounds of one sitting follow one another, so a player may use the earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from controller.rules.odds.pack import Odds
from controller.rules.volume.best_player import Best
from tests.trials.evidence.values import Hands, Ints, Tables

Player = Callable[[Hands, np.random.Generator], Ints]


def honest(odds: Odds) -> Mapping[str, Player]:
    """Return the honest players by name; none of them uses the middle card of the round in play."""
    best = Best(odds)
    least, most = odds.multiples

    def optimal(hands: Hands, _: np.random.Generator) -> Ints:
        return best_bets(best, hands)

    def mistakes(hands: Hands, dice: np.random.Generator) -> Ints:
        """Play the best strategy, but decide at random once in five decisions."""
        return np.where(dice.random((3, rounds(hands))) < 0.2, erratic(hands, dice), best_bets(best, hands))

    def hunches(hands: Hands, _: np.random.Generator) -> Ints:
        """Bet the maximum after a red middle card in the round before, and the minimum after a black one;
        fold after the card with the number 0."""
        last = np.roll(hands.middle, 1)
        bet = np.where((last // 13 == 1) | (last // 13 == 2), most, np.where(last == 0, 0, least))
        return np.broadcast_to(bet, (3, len(bet)))

    def maximum(hands: Hands, _: np.random.Generator) -> Ints:
        return np.full((3, rounds(hands)), most)

    def erratic(hands: Hands, dice: np.random.Generator) -> Ints:
        return dice.choice([0, least, most], p=[0.15, 0.5, 0.35], size=(3, rounds(hands)))

    def neighbour(hands: Hands, _: np.random.Generator) -> Ints:
        """Copy a neighbour who plays the best strategy. The neighbour's cards must be among those that the
        evidence knows."""
        return best_bets(best, replace(hands, hole=hands.others[:2]))

    players = (optimal, mistakes, hunches, maximum, erratic, neighbour)
    return {player.__name__: player for player in players}


def cheats(odds: Odds, tables: Tables) -> Mapping[str, Player]:
    """Return the cheats by name: cheats in every round, in one round in three, or only for a large gain."""
    best = Best(odds)

    def always(hands: Hands, _: np.random.Generator) -> Ints:
        return knowing_bets(tables, hands)

    def one_in_three(hands: Hands, dice: np.random.Generator) -> Ints:
        return np.where(
            dice.random(rounds(hands)) < 1 / 3, knowing_bets(tables, hands), best_bets(best, hands)
        )

    def for_large_gains(hands: Hands, _: np.random.Generator) -> Ints:
        """Use the knowledge only if it is worth two antes or more at the first decision."""
        plain = best_bets(best, hands)
        values, _, _ = tables.at(hands, plain[:2], hands.middle)
        choice = np.searchsorted([0, *odds.multiples], plain[0])
        gain = values.max(axis=0) - np.take_along_axis(values, choice[None], axis=0)[0]
        return np.where(gain >= 2, knowing_bets(tables, hands), plain)

    players = (always, one_in_three, for_large_gains)
    return {player.__name__: player for player in players}


def rounds(hands: Hands) -> int:
    return len(hands.middle)


def best_bets(best: Best, hands: Hands) -> Ints:
    """Return the bets of the best player, who knows only their own two cards and the turned ones."""
    hole = hands.hole[None].astype(np.uint8)
    across, down = hands.across.astype(np.uint8), hands.down.astype(np.uint8)
    found = best.antes(hole), best.antes(hole, across), best.antes(hole, across, down)
    return np.concatenate(found).astype(np.int64)


def knowing_bets(tables: Tables, hands: Hands) -> Ints:
    """Return the bets of the best player who knows the middle card."""
    choices = np.array([0, *tables.odds.multiples])
    bets = np.full((3, rounds(hands)), choices[1])
    for decision in range(3):
        values = tables.at(hands, bets[:2], hands.middle)[decision]
        bets[decision] = choices[values.argmax(axis=0)]
    return bets
