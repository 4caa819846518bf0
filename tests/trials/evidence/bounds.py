"""`python -m tests.trials.evidence.bounds`: information that a cheat's wagers reveal, for every hypothesis.

A test with knowledge of a cheat's exact policy would gain, in each round, the logarithm of a ratio: all cards
that could lie there, to those for which the policy makes the same wagers. Its mean bounds the growth of any
evidence (Kelly). The output is this mean in nats, its standard error, and the rounds to a million.
"""

from __future__ import annotations

import argparse

import numpy as np

from controller.evidence.factor import SeatRound, decision_values
from controller.evidence.hypotheses import PLACES, Hypothesis, PackValues
from controller.evidence.pair_card import BEFORE_TURN, Line, candidates_for, values_of
from controller.evidence.tables import first_tables
from controller.evidence.whole_cross import crosses_of, live_cards, middles_of, values_by_classes
from controller.game.model.names import ROW
from controller.rules.odds.subject import shipped
from controller.rules.volume.best import KIND, PAIR, Best
from tests.trials.evidence.cheating import Round, hole_worth, knowing_bets, round_of
from tests.trials.evidence.hypotheses import USUAL_WORTH, Trial, bonus_pays
from tests.trials.evidence.players import best_bets
from tests.trials.evidence.values import deal_hands

MILLION = 6 * float(np.log(10))


def gained(trial: Trial, hypothesis: Hypothesis, dealt: Round, plain: list[int]) -> float:
    """Return the nats revealed by the wagers of a cheat who uses the knowledge in every round."""
    values = trial.values
    if hypothesis is Hypothesis.BONUS:
        wins = sum(_hands(values)[1]) / sum(_hands(values)[0])
        return float(-np.log(wins if bonus_pays(values.odds, dealt) > 0 else 1 - wins))
    if hypothesis is Hypothesis.ANTE:
        early = dealt.cards(plain, 1000, False).early
        assert early is not None
        worth = values.first.middle.holes[KIND[PAIR[early.holes[:, 0], early.holes[:, 1]]]]
        return float(-np.log(np.mean((worth > USUAL_WORTH) == (hole_worth(values, dealt) > USUAL_WORTH))))
    seat = dealt.seat(knowing_bets(values, hypothesis, dealt, plain))
    if hypothesis is Hypothesis.CROSS:
        return _of_cross(values, seat)
    return _of_card(values, hypothesis, dealt, seat)


def _hands(values: PackValues) -> tuple[list[int], list[int]]:
    from controller.rules.odds.side_bets import hands

    counts, pays = hands(5), values.odds.side_bets[0][1]
    return list(counts), [many for many, paid in zip(counts, pays, strict=True) if paid > 0]


def _of_card(values: PackValues, hypothesis: Hypothesis, dealt: Round, seat: SeatRound) -> float:
    odds, bets = values.odds, seat.bets
    if hypothesis is Hypothesis.MIDDLE:
        every = list(decision_values(odds, values.first.middle, seat, seat.candidates))
    else:
        place = PLACES[hypothesis]
        line: Line = "across" if place in ROW else "down"
        bets = bets[: BEFORE_TURN[line]]
        table = values.first.across if place in ROW else values.first.down
        every = values_of(odds, table, seat, bets, candidates_for(seat, dealt.cross[place]))
    choices = np.array((0, *odds.multiples))
    same = [choices[each.argmax(axis=0)] == bet for each, bet in zip(every, bets, strict=True)]
    return float(-np.log(np.all(same, axis=0).mean()))


def _of_cross(values: PackValues, seat: SeatRound) -> float:
    live = live_cards(seat)
    crosses = crosses_of(seat, live)
    at = int(np.flatnonzero(middles_of(seat, live) == seat.middle)[0])
    steps = (crosses.every, crosses.with_across, crosses.with_both.sum(axis=0), crosses.with_both[at])
    choices, same, total = np.array((0, *values.odds.multiples)), np.ones_like(crosses.every), 0.0
    for decision, bet in enumerate(seat.bets):
        found = values_by_classes(values.odds, seat.bets[:decision])
        same = same * (choices[found.argmax(axis=0)] == bet)
        before, after = steps[decision], steps[decision + 1 if bet else -1]
        total += float(np.log((same * after).sum() / (same * before).sum() * before.sum() / after.sum()))
    return total


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.trials.evidence.bounds", description=__doc__)
    parser.add_argument("--rules", default="pennsylvania", metavar="KEY")
    parser.add_argument("--rounds", type=int, default=2_000, metavar="N", help="of each cheat")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    odds = shipped(args.rules).odds
    trial = Trial(PackValues(odds, first_tables(odds)), Best(odds), np.random.default_rng(args.seed))
    for hypothesis in Hypothesis:
        hands = deal_hands(trial.dice, args.rounds)
        plain = best_bets(trial.best, hands)
        found = np.array([
            gained(trial, hypothesis, round_of(hands, at), plain[:, at].tolist())
            for at in range(args.rounds)
        ])  # fmt: skip
        error = found.std() / args.rounds**0.5
        print(f"{hypothesis}: {found.mean():.3f} ± {error:.3f} nats, {MILLION / found.mean():.1f} rounds")


if __name__ == "__main__":
    main()
