"""Rule pack as frozen data: the content of one jurisdiction's text.

Every difference between the four texts is a value, a list or a named choice here; no other module may depend
on the jurisdiction. `citations` maps a field (dotted for nested ones) to its section, or to "house procedure"
if no text covers it. Money in whole cents. Sources: config/rules/RULES.md and the texts that it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.game.model.irregularities import FLOOR_CHOICES, Code, Outcome, Ruled, SubRuling
from controller.game.model.names import BONUS_PLACES, Method, Wager

Odds = int | Literal["push"]
PayTable = Mapping[str, Odds]
"""Payout of a win by hand line, to 1, or push. Lines, high to low: royal_flush straight_flush
four_of_a_kind full_house flush straight three_of_a_kind two_pair pair_of_jacks_or_better pair_of_6s_to_10s
(the Five Card Bonus pays its pairs of 6s to 10s too). A missing line loses."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """Ruling of the text on one irregularity.

    `outcome`: FLOOR if a floorperson chooses freely among go on, void and remove deck; VOID or REMOVE_DECK if
    the table proposes it and a floorperson signs; None if the irregularity is only reported and corrected.
    `by_method`: section by deal method, if the text states the rule once for each.
    """

    outcome: Outcome | None
    citation: str
    by_method: Mapping[Method, str] = field(default_factory=dict)

    def section(self, method: Method) -> str:
        """Return the section for a round dealt by `method`."""
        return self.by_method.get(method, self.citation)


@dataclass(frozen=True, slots=True)
class SettlementPass:
    """One walk of the dealer over the seats in the settlement, from seat 6 down to seat 1. `turn`: cards that
    are turned before each seat is settled, its two cards (`seat`) or `nothing`. `before`: cards that are
    turned before the walk. `groups`: acts (take, push, pay) and the wagers to which they apply, in order;
    each wager of a group is visited once."""

    groups: tuple[tuple[tuple[Literal["take", "push", "pay"], ...], tuple[Wager, ...]], ...]
    turn: Literal["seat", "nothing"] = "nothing"
    before: Literal["bonus_cards", "nothing"] = "nothing"


@dataclass(frozen=True, slots=True)
class PayoutLimit:
    """Limit on the winnings of one player in one round. `cents`: amount of the limit; None if none is set.
    `kind`: what the rule text requires of that amount. `floor`: at least the greater of `base` and the most
    that one patron could win at the minimum wager; `cap`: at most that greater amount; `fixed`: exactly
    `base`."""

    cents: int | None
    bonus_included: bool
    kind: Literal["floor", "cap", "fixed"]
    base: int = 5_000_000


@dataclass(frozen=True, slots=True)
class DealTemplate:
    """Layout of the cards for one deal method: steps in order, each `stack cross`, `stack seats` (one stack
    to each seat), `cards cross`, `cards seats` (one card to each seat) or `card PLACE`."""

    steps: tuple[str, ...]
    counts_stub_every: int | None
    needs_shuffler: bool = False


@dataclass(frozen=True, slots=True)
class PlayerAdvantage:
    """Statement of a house about a pack with which a perfect player wins. `percent`: advantage by `antes` (of
    the two antes) and by side bet (of its wager), to two decimals. Odds, not money."""

    reason: str
    percent: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RulePack:
    """One complete rule set. Built and checked only by `controller/rules/packs/loader.py`."""

    key: str
    title: str
    text: str
    digest: str
    # wagers
    bonuses: tuple[Wager, ...]
    minimum_ante: int
    maximum_ante: int
    bonus_minimum: int
    bonus_maximum: int
    bet_multiples: tuple[int, int]
    whole_multiples: bool
    six_card_bonus_equals_five: bool
    adjacent_boxes: int | None
    # the deal
    deals: Mapping[Method, DealTemplate]
    fold_collected: Literal["at_once", "before_turn"]
    folded_cards: Literal["rack", "stay_with_bonus", "tuck_under_bonus"]
    folded_turned_for: tuple[Wager, ...]
    permit_touch: bool
    # settlement
    settlement: tuple[SettlementPass, ...]
    bet_pays: PayTable
    ante_pays: PayTable
    side_bets: Mapping[Wager, PayTable]
    """Odds of each side bet in the text."""
    payout_limit: PayoutLimit
    rack_cards: Literal["per_player", "after_all"]
    # irregularities
    rulings: Mapping[Ruled, Ruling]
    back_ups: int
    forfeits: tuple[Code, ...]
    # the deck
    two_decks: bool
    deck_minutes: Mapping[Method, int | None]
    opening: tuple[str, ...]
    preshuffled_skips_opening: bool
    no_activity: tuple[str, ...]
    cut_minimum: int
    citations: Mapping[str, str] = field(default_factory=dict)
    # fields with a default, because packs in older journals do not have them
    cover_bonus: bool = False
    """Whether the bonus cards are covered when they are dealt."""
    cut_card_on_stub: bool = False
    """Whether the stub is put in the rack with the cut card on top, facing out."""
    player_advantage: PlayerAdvantage | None = None
    """Statement of the house if the pack is meant to let a perfect player win."""

    @property
    def lays_bonus_cards(self) -> bool:
        """Whether any deal method has bonus cards."""
        return any(f"card {BONUS_PLACES[0]}" in deal.steps for deal in self.deals.values())

    def has_duty(self, name: str) -> bool:
        """Return whether the rule text imposes a duty on a person, such as `announce_hands`. `name`: the key
        under `duties` in the pack's citations."""
        return f"duties.{name}" in self.citations

    def cite(self, key: str) -> str:
        """Return the section for a field of the pack, such as "forfeits.taken". If it has none of its own,
        return the section for the part before its last dot."""
        while key not in self.citations and "." in key:
            key = key.rpartition(".")[0]
        return self.citations[key]


def offered_outcomes(ruling: Ruling) -> tuple[Outcome | None, tuple[str, ...]]:
    """Return the proposed outcome and the outcomes offered. If the text decides, only its outcome is
    offered."""
    if ruling.outcome is Outcome.FLOOR:
        return None, FLOOR_CHOICES
    if ruling.outcome in (Outcome.VOID, Outcome.REMOVE_DECK, Outcome.RESHUFFLE):
        return ruling.outcome, (ruling.outcome.value,)
    return Outcome.GO_ON, FLOOR_CHOICES


HOUSE_PROCEDURE = "house procedure"
"""Citation of a rule that is in no text."""


def citation_for(pack: RulePack, code: Code, method: Method | None = None, *, grew: bool = False) -> str:
    """Return the section for a code and the present deal method; house procedure if no text has one. A wager
    that `grew` after the close was made late (58 Pa. Code § 674a.7(c))."""
    ruling = pack.rulings.get(SubRuling.BET_RAISED if grew and code is Code.BET_CHANGED else code)
    if ruling is None:
        return HOUSE_PROCEDURE
    return ruling.section(method) if method else ruling.citation
