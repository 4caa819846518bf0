"""Rounds per second of the kernel, and a comparison of its best player's results with the odds.

`python -m tests.volume.rate --rounds 10000000` plays ten million rounds of one box for each pack. Batches are
determined by seed and number, so that a figure can be reproduced. Payout limits are ignored, as in the odds.
Times are processor time of this process.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any

import numpy as np

from controller.game.model.names import BETS, SEATS, Wager
from controller.game.model.rules import RulePack
from controller.rules.odds.figures import decisions, side_bet, totals
from controller.rules.odds.odds_files import CountedOdds
from controller.rules.odds.pack import odds_of
from controller.rules.odds.subject import load_or_count, shipped
from controller.rules.packs.loader import find_pack, load_pack, pack_files
from controller.rules.volume.arrays import AT
from controller.rules.volume.best_player import Best
from controller.rules.volume.deal import deal, dealt_places, shuffled
from controller.rules.volume.play import PlayedRounds, Stakes, Strategy, play, same_every_round
from controller.rules.volume.rules import FORFEIT, LOSE, Rules, rules_of
from controller.rules.volume.strategies import RandomStrategy, random_stakes

SIZE = 4000
"""Rounds in a batch, whose data fit into a processor's cache."""
WARM = 5


def unlimited(pack: RulePack) -> RulePack:
    return replace(pack, payout_limit=replace(pack.payout_limit, cents=None))


# ------------------------------------------------------------------ how fast


def rate(pack: RulePack, strategy: Strategy | None, batches: int) -> float:
    """Return the number of six-seat rounds per second of processor time, from the shuffle to the last payout.
    `strategy`: None for random decisions."""
    rules, dice = rules_of(pack), np.random.default_rng(1)
    began = 0.0
    for number in range(-WARM, batches):
        if number == 0:
            began = time.process_time()
        _six_seats(rules, dice, strategy or RandomStrategy(dice))
    return round(batches * SIZE / (time.process_time() - began))


def _six_seats(rules: Rules, dice: np.random.Generator, strategy: Strategy) -> None:
    method = next(iter(rules.pack.deals))
    decks = shuffled(dice, SIZE, len(dealt_places(rules.pack, method, SEATS)))
    stakes = random_stakes(rules.pack, dice, len(SEATS), SIZE)
    play(rules, deal(rules.pack, method, SEATS, decks), stakes, strategy)


# ------------------------------------------------------------------ what it comes to


@dataclass(slots=True)
class Sums:
    """Sums of whole numbers over many rounds of one box. The unit is the ante, and for a side bet the bet
    itself."""

    rounds: int = 0
    net: int = 0
    squares: int = 0
    wagered: int = 0
    folds: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BETS, 0))
    side_bets: dict[Wager, int] = field(default_factory=dict)

    def add(self, played: PlayedRounds, ante: int, bonus: int) -> None:
        lost = (played.settled.outcome == LOSE) | (played.settled.outcome == FORFEIT)
        came = (played.settled.payout - np.where(lost, played.wagers, 0))[:, 0]
        bonuses = [AT[wager] for wager in played.rules.pack.bonuses]
        net = (came.sum(axis=0) - came[bonuses].sum(axis=0)) // ante
        self.rounds += net.size
        self.net += int(net.sum())
        self.squares += int((net * net).sum())
        laid = played.wagers[:, 0].sum(axis=0) - played.wagers[bonuses, 0].sum(axis=0)
        self.wagered += int(laid.sum()) // ante
        for number, wager in enumerate(BETS):
            self.folds[wager] += int((played.folded == number + 1).sum())
        for wager in played.rules.pack.bonuses:
            self.side_bets[wager] = self.side_bets.get(wager, 0) + int(came[AT[wager]].sum()) // bonus


def played_best(pack: RulePack, best: Best, rounds: int, seed: int) -> Sums:
    """Play `rounds` rounds of one box, which wagers the minimum and every bonus and makes the best decisions;
    return the sums."""
    rules, found = rules_of(pack), Sums()
    method = next(iter(pack.deals))
    cards = len(dealt_places(pack, method, (1,)))
    ante, bonus = pack.minimum_ante, pack.bonus_minimum
    for number in range(-(-rounds // SIZE)):
        dice = np.random.default_rng([seed, number])
        stakes = Stakes(
            same_every_round([ante], SIZE), {wager: same_every_round([bonus], SIZE) for wager in pack.bonuses}
        )
        dealt = deal(pack, method, (1,), shuffled(dice, SIZE, cards))
        found.add(play(rules, dealt, stakes, best), ante, bonus)
    return found


def against(known: CountedOdds, pack: RulePack, found: Sums) -> Mapping[str, Any]:
    """Return every played figure beside the exact one, with the distance between them in standard errors."""
    odds, whole = odds_of(pack), totals(odds_of(pack), known.counts)
    compared = {"net": _figure(found.net, found.rounds, float(whole.expectation), sqrt(whole.variance))}
    tables, share = dict(odds.side_bets), decisions(known.counts, odds.multiples)
    for stage, folds in found.folds.items():
        exact = share[stage]["reached"] * share[stage]["fold"]
        compared[f"folds_at_{stage}"] = _figure(folds, found.rounds, exact, sqrt(exact * (1 - exact)))
    for wager, net in found.side_bets.items():
        bet = side_bet(tables[wager], known.hands[wager])
        compared[wager] = _figure(net, found.rounds, -bet["house_edge"], bet["standard_deviation"])
    spread = sqrt(found.squares / found.rounds - (found.net / found.rounds) ** 2)
    return {**compared, "standard_deviation": [spread, sqrt(whole.variance)],
            "average_wager": [found.wagered / found.rounds, whole.wagered / whole.deals]}  # fmt: skip


def _figure(total: int, rounds: int, exact: float, deviation: float) -> dict[str, float]:
    """Return one line of the comparison. `z`: distance between the played and the exact figure in standard
    errors."""
    error, played = deviation / sqrt(rounds), total / rounds
    return {"played": played, "exact": exact, "error": error, "z": round((played - exact) / error, 2)}


# ------------------------------------------------------------------ as a command


def measure(key: str, rounds: int, seed: int, batches: int) -> Mapping[str, Any]:
    pack = unlimited(load_pack(find_pack(key)))
    best = Best(odds_of(pack))
    began = time.process_time()
    _six_seats(rules_of(pack), np.random.default_rng(2), best)
    learned = time.process_time() - began
    figures: dict[str, Any] = {
        "pack": key,
        "six_seats_any_rounds_per_s": rate(pack, None, batches),
        "six_seats_best_rounds_per_s": rate(pack, best, batches),
        "best_worked_out_s": round(learned, 1),
    }
    if rounds:
        began = time.process_time()
        found = played_best(pack, best, rounds, seed)
        seconds = time.process_time() - began
        figures |= {"seed": seed, "rounds": found.rounds, "rounds_per_s": round(found.rounds / seconds)}
        figures |= against(load_or_count(shipped(key)), pack, found)
    return figures


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.volume.rate")
    parser.add_argument("--rounds", type=int, default=0, help="of the best player, for each pack")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batches", type=int, default=25, help="of 4,000 rounds, to time")
    parser.add_argument("packs", nargs="*", default=list(pack_files()))
    args = parser.parse_args(arguments)
    for key in args.packs:
        print(json.dumps(measure(key, args.rounds, args.seed, args.batches)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
