"""Hypotheses about cheating that are tested: the knowledge of a seat, and the evidence of one round for each
of them.

Each has a factor whose mean is one for a player without that knowledge (controller/evidence/EVIDENCE.md). The
list was fixed before any play; the combined evidence is the mean over all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from controller.evidence.early_wagers import EarlyRound, Habits, ante_evidence, bonus_evidence
from controller.evidence.factor import RoundEvidence, SeatRound, evidence_of
from controller.evidence.late_chips import LateChips, late_evidence
from controller.evidence.other_hands import HandsAfter, evidence_of_all_hands, evidence_of_one_hand
from controller.evidence.pair_card import evidence_of_pair
from controller.evidence.tables import FirstTables
from controller.evidence.whole_cross import evidence_of_cross
from controller.game.model.names import ROW, Place
from controller.rules.odds.pack import Odds


class Hypothesis(StrEnum):
    """Knowledge that a player may have had too early, one hypothesis each. The catalogues have its text
    (`evidence.knew`)."""

    MIDDLE = "sees_middle"
    ACROSS_LEFT = "sees_across_left"
    ACROSS_RIGHT = "sees_across_right"
    DOWN_FAR = "sees_down_far"
    DOWN_NEAR = "sees_down_near"
    CROSS = "sees_cross"
    BONUS = "bonus_follows_cards"
    ANTE = "ante_follows_hand"
    LATE = "late_chips_follow_cards"
    ONE_HAND = "knows_one_hand"
    OTHER_HANDS = "knows_other_hands"


PLACES = {
    Hypothesis.ACROSS_LEFT: Place.ACROSS_LEFT, Hypothesis.ACROSS_RIGHT: Place.ACROSS_RIGHT,
    Hypothesis.DOWN_FAR: Place.DOWN_FAR, Hypothesis.DOWN_NEAR: Place.DOWN_NEAR,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PackValues:
    """Data of a rule pack that the evidence needs. `odds`: its pay tables. `first`: values of the first
    decision. `adjacent_boxes`: number of boxes that one patron may play, or None if the text sets none.
    `rules`: the pack as the journal stores it, for an export."""

    odds: Odds
    first: FirstTables
    adjacent_boxes: int | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class SeatCards:
    """Cards and decisions of a seat in one round, one field for each group of hypotheses; None if the round
    gives no evidence for that group. Its repr shows no card.

    `seen`: for the middle card; the players' hands must be known. `whole`, `cross`: for pairs and the whole
    cross; the shoe must have read every card. `cross`: card numbers by place. `early`: wagers before the
    deal. `late`: chips added late. `after`: hands of the seats that decide later.
    """

    seen: SeatRound | None = None
    whole: SeatRound | None = None
    cross: dict[str, int] | None = None
    early: EarlyRound | None = None
    late: LateChips | None = None
    after: HandsAfter | None = None


def evidence_by_hypothesis(
    values: PackValues, cards: SeatCards, habits: Habits
) -> dict[Hypothesis, RoundEvidence]:
    """Return the evidence of one seat in one round by hypothesis. A hypothesis for which the round gives no
    evidence is left out. `habits`: the player's usual wagers before this round."""
    every = _every(values, cards, habits)
    return {hypothesis: found for hypothesis, found in every if found is not None}


def _every(
    values: PackValues, cards: SeatCards, habits: Habits
) -> Iterator[tuple[Hypothesis, RoundEvidence | None]]:
    odds, first = values.odds, values.first
    if cards.seen is not None:
        yield Hypothesis.MIDDLE, evidence_of(odds, first.middle, cards.seen)
    if cards.whole is not None and cards.cross is not None:
        pairs = {
            "across": evidence_of_pair(odds, first.across, cards.whole, "across"),
            "down": evidence_of_pair(odds, first.down, cards.whole, "down"),
        }
        for hypothesis, place in PLACES.items():
            yield hypothesis, pairs["across" if place in ROW else "down"].get(cards.cross[place])
        yield Hypothesis.CROSS, evidence_of_cross(odds, cards.whole)
    if cards.early is not None:
        yield Hypothesis.BONUS, bonus_evidence(odds, cards.early, habits)
        yield Hypothesis.ANTE, ante_evidence(first.middle, cards.early, habits)
    if cards.late is not None:
        yield Hypothesis.LATE, late_evidence(odds, first.middle, cards.late)
    if cards.after is not None:
        yield Hypothesis.ONE_HAND, evidence_of_one_hand(odds, first, cards.after)
        yield Hypothesis.OTHER_HANDS, evidence_of_all_hands(odds, first, cards.after)
