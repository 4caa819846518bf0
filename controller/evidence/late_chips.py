"""Evidence that a seat added chips late when the cards that it had just seen were good.

Only chips that came before the seat's turn to decide count: later ones depend on the decision, and the
decision depends on the cards (controller/evidence/EVIDENCE.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from controller.evidence.early_wagers import place_weights, scaled_ranks
from controller.evidence.factor import Floats, Pair, RoundEvidence, SeatRound
from controller.evidence.hands_beside import hands_beside
from controller.evidence.known_middle import CardNumbers, FirstValues
from controller.game.model.irregularities import Code
from controller.game.model.names import BETS, Phase, Wager
from controller.game.model.naming import entry_name
from controller.game.model.record import NamedIrregularity, RoundRecord, SeatRecord
from controller.rules.odds.cards import DECK_SIZE
from controller.rules.odds.pack import Odds
from controller.rules.volume.best_player import KIND, PAIR

LATE_STRENGTHS = (1.0, 4.0, 16.0)
"""Strengths of the model, fixed in advance. The factor depends on the rank of the cards just seen among all
that could have come (`scaled_ranks`)."""
WAIT, ADD = 7, 8
"""Indices in `KNOWING` of the choices about late chips."""
NEXT_DECISION: Mapping[str, Wager] = {Phase.DEALING: Wager.ACROSS, **{Phase(wager): wager for wager in BETS}}
"""Decision that comes next when an irregularity happens, by the phase of the irregularity."""


@dataclass(frozen=True, slots=True, repr=False)
class LateChips:
    """Chips that a seat added late in one round. Its repr shows no card.

    `seat`: cards and decisions of the seat. `before`: decisions before which it added chips, in order.
    """

    seat: SeatRound
    before: tuple[Wager, ...]


def late_decisions(record: RoundRecord, seat: SeatRecord) -> Iterator[Wager]:
    """Yield the decisions before which the seat added chips to an earlier wager, up to its fold. An event
    after a decision must not change whether that decision is yielded."""
    late = {
        NEXT_DECISION[each["phase"]]
        for each in record["irregularities"]
        if each["seat"] == seat["seat"] and each.get("before_turn") and _adds_chips(each)
    }
    for decision in BETS:
        if decision in late:
            yield decision
        if decision not in seat["wagers"]:
            return


def _adds_chips(entry: NamedIrregularity) -> bool:
    """Return whether the irregularity is chips added to a wager that was closed. The wager of the coming
    decision is still open, so chips on it do not count."""
    wager, decision = entry["wager"], NEXT_DECISION[entry["phase"]]
    return entry_name(entry) == Code.LATE_BET and wager not in BETS[BETS.index(decision) :]


def late_evidence(odds: Odds, first: FirstValues, late: LateChips) -> RoundEvidence | None:
    """Return the evidence of late chips; None for a seat without them."""
    if not late.before:
        return None
    weights, best = [], []
    for decision in late.before:
        worth, at = seen_last(odds, first, late.seat, decision)
        place = scaled_ranks(worth)
        weights.append(place_weights(place, at, LATE_STRENGTHS))
        best.append(ADD if place[at] >= 0 else WAIT)
    return RoundEvidence(np.stack(weights), (0.0,) * len(best), tuple(best), 0, late.before)


def seen_last(odds: Odds, first: FirstValues, seat: SeatRound, decision: Wager) -> tuple[Floats, int]:
    """Return the worth of each pair of cards that the seat could have seen last before a decision, and the
    index of the pair that it saw. That is its hole before Across, the Across pair before Down, and the Down
    pair before Middle. Cards of the cross that still lay face down are among the possible ones."""
    seen, pair = {
        Wager.ACROSS: ((), seat.hole), Wager.DOWN: (seat.hole, seat.across),
        Wager.MIDDLE: ((*seat.hole, *seat.across), seat.down),
    }[decision]  # fmt: skip
    free = [card for card in range(DECK_SIZE) if card not in seat.others and card not in seen]
    pairs = np.array([*combinations(free, 2)])
    worth = hole_worth(first, pairs) if decision is Wager.ACROSS else pair_worth(odds, seat.hole, pairs)
    return worth, int(np.flatnonzero((pairs == pair).all(axis=1))[0])


def hole_worth(first: FirstValues, pairs: CardNumbers) -> Floats:
    """Return the worth in antes of each pair as the seat's own two cards (`FirstValues.holes`)."""
    worth: Floats = first.holes[KIND[PAIR[pairs[:, 0], pairs[:, 1]]]]
    return worth


def pair_worth(odds: Odds, hole: Pair, pairs: CardNumbers) -> Floats:
    """Return for each pair the antes that one ante bet on the hand with this pair wins, summed over all
    middle cards."""
    pays = np.array([*odds.bets, 0], float)
    worth: Floats = pays[hands_beside(hole)[pairs[:, 0], pairs[:, 1]]].sum(axis=1)
    return worth
