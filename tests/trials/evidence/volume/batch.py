"""One batch of sittings: every honest player gets the same deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from controller.evidence.hypotheses import Hypothesis, PackValues
from tests.trials.evidence.players import Player
from tests.trials.evidence.values import Ints
from tests.trials.evidence.volume.chances import Chances
from tests.trials.evidence.volume.check import largest_differences
from tests.trials.evidence.volume.deals import Deals, deal
from tests.trials.evidence.volume.early import EarlyWagers, early_logs, wagers
from tests.trials.evidence.volume.factors import Factors, Logs
from tests.trials.evidence.volume.late import LateChips
from tests.trials.evidence.volume.other_hands import HandFactors
from tests.trials.evidence.volume.tally import Tally, tally


@dataclass(frozen=True, slots=True)
class Trial:
    """Trial with honest players. `values`, `chances`: tables for the kinds of hole in `kinds`, in this order.
    `players`: by name. `length`: number of rounds of a sitting."""

    values: PackValues
    kinds: Sequence[int]
    chances: Chances
    players: Mapping[str, Player]
    seed: int
    length: int

    def tallies(self, number: int, sittings: int) -> list[Tally]:
        """Play batch `number` and return the sums of the evidence against each player."""
        dice = np.random.default_rng([self.seed, number])
        deals, laid = self._dealt(dice, sittings)
        logs = self._logs(deals, laid, LateChips(self.values, deals, dice))
        return [
            tally(logs(self._choices(player(deals.hands, dice))), self.length)
            for player in self.players.values()
        ]

    def differences(self, sittings: int) -> dict[str, float]:
        """Return, by hypothesis, the largest difference between the logarithms computed here and those of the
        program's own functions, over some sittings of each player."""
        dice = np.random.default_rng([self.seed])
        deals, laid = self._dealt(dice, sittings)
        late = LateChips(self.values, deals, dice)
        logs = self._logs(deals, laid, late)
        found: dict[str, float] = {}
        for player in self.players.values():
            bets = player(deals.hands, dice)
            choices = self._choices(bets)
            each = largest_differences(self.values, deals, laid, bets, late.made(choices), logs(choices))
            found = {name: max(gap, found.get(name, 0.0)) for name, gap in each.items()}
        return found

    def _dealt(self, dice: np.random.Generator, sittings: int) -> tuple[Deals, EarlyWagers]:
        """Return the deals of some sittings, and the wagers before each deal."""
        deals = deal(dice, sittings * self.length, self.kinds)
        return deals, wagers(self.values, deals.hands, dice, self.length)

    def _logs(self, deals: Deals, laid: EarlyWagers, late: LateChips) -> Callable[[Ints], Logs]:
        """Return a function from a player's choices (decision, round) to the logarithms of the factors by
        hypothesis."""
        early, factors = early_logs(self.values, deals.hands, laid), Factors(deals, self.chances)
        hands = HandFactors(self.values, deals)
        return lambda choices: (
            factors.logs(choices) | hands.logs(choices) | early | {Hypothesis.LATE: late.logs(choices)}
        )

    def _choices(self, bets: Ints) -> Ints:
        return np.searchsorted([0, *self.values.odds.multiples], bets)
