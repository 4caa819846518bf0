"""Comparison of the trial's logarithms with those of the program's own functions, round by round."""

from __future__ import annotations

import numpy as np

from controller.evidence.hypotheses import Hypothesis, PackValues, evidence_by_hypothesis
from controller.evidence.sitting import Sitting
from controller.game.model.names import BETS
from tests.trials.evidence.cheating import round_of
from tests.trials.evidence.values import Ints
from tests.trials.evidence.volume.deals import Deals
from tests.trials.evidence.volume.early import EarlyWagers
from tests.trials.evidence.volume.factors import Logs
from tests.trials.evidence.volume.tally import running_evidence


def largest_differences(
    values: PackValues, deals: Deals, laid: EarlyWagers, bets: Ints, late: Ints, logs: Logs
) -> dict[str, float]:
    """Return, by hypothesis, the largest difference between the logarithms of a factor, and for `combined`
    between those of the evidence after any round.

    `bets`: (3, round), antes; `late`: (3, round), 1 for chips added late before the decision; `logs`: the
    trial's logarithms of the same rounds.
    """
    worst = dict.fromkeys([*Hypothesis, "combined"], 0.0)
    combined = np.log(np.mean([running_evidence(logs[name], laid.length) for name in Hypothesis], axis=0))
    sitting = Sitting(1, "")
    for at in range(bets.shape[1]):
        if at % laid.length == 0:
            sitting = Sitting(1, "")
        dealt = round_of(deals.hands, at)
        before = [wager for wager, came in zip(BETS, late[:, at], strict=True) if came]
        cards = dealt.cards(bets[:, at].tolist(), int(laid.ante[at]), bool(laid.bonus[at]), before)
        found = evidence_by_hypothesis(values, cards, sitting.habits)
        sitting.add(at, found, cards.early)
        for name in Hypothesis:
            own = found[name].weights.sum(axis=0) if name in found else np.zeros(len(logs[name]))
            worst[name] = max(worst[name], float(np.abs(own - logs[name][:, at]).max()))
        gap = abs(sitting.log - combined[at // laid.length, at % laid.length])
        worst["combined"] = max(worst["combined"], float(gap))
    return worst
