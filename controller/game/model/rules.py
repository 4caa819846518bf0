"""A rule pack as frozen data: what one jurisdiction's text says of the game.

Every difference between the four texts is a value, a list or a named choice here; no other
module may ask which jurisdiction it is. `citations` maps a field (dotted for what lies inside)
to the section that it comes from, or to "house procedure" for what no text says.
Money in whole cents. Sources: config/rules/RULES.md and the texts that it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from controller.game.model.irregularities import FLOOR_CHOICES, Code, Outcome, Ruled, SubRuling
from controller.game.model.names import BONUS_PLACES, Method, Wager

Odds = int | Literal["push"]
PayTable = Mapping[str, Odds]
"""Hand line -> what a win pays to 1, or push. Lines, high to low: royal_flush straight_flush
four_of_a_kind full_house flush straight three_of_a_kind two_pair pair_of_jacks_or_better
pair_of_6s_to_10s (the Five Card Bonus pays its pairs of 6s to 10s too). A line that is not there loses."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """Ruling of the text on one irregularity. `outcome` FLOOR: a floorperson chooses freely among go on, void
    and remove deck; VOID / REMOVE_DECK are proposed and signed by them; None: nothing is to be decided, it is
    said and mended. `by_method`: the one section of a way of dealing, where the text says the same once for
    each."""

    outcome: Outcome | None
    citation: str
    by_method: Mapping[Method, str] = field(default_factory=dict)

    def cited(self, method: Method) -> str:
        """The section for a round that is dealt by `method`."""
        return self.by_method.get(method, self.citation)


@dataclass(frozen=True, slots=True)
class SettlementPass:
    """One walk over the seats, 6 down to 1. `turn`: what is turned before a seat is settled
    (`seat` its two cards, `nothing`), `before`: what is turned before the walk (`bonus_cards`).
    `groups`: (verbs, wagers) in order; within a group each wager is visited once in the order given."""

    groups: tuple[tuple[tuple[Literal["take", "push", "pay"], ...], tuple[Wager, ...]], ...]
    turn: Literal["seat", "nothing"] = "nothing"
    before: Literal["bonus_cards", "nothing"] = "nothing"


@dataclass(frozen=True, slots=True)
class PayoutLimit:
    """The aggregate limit per player and round. `cents` None: no limit is set.
    `kind` says how the text bounds it: `floor` (may not be below the greater of `base` and the most
    one patron could win at the minimum wager), `cap` (may not exceed it), `fixed` (the text gives it)."""

    cents: int | None
    bonus_included: bool
    kind: Literal["floor", "cap", "fixed"]
    base: int = 5_000_000


@dataclass(frozen=True, slots=True)
class DealTemplate:
    """Layout of the cards by one way of dealing: steps in order, each `stack cross`, `stack seats` (a stack
    to each seat), `cards cross`, `cards seats` (one card to each seat) or `card PLACE`."""

    steps: tuple[str, ...]
    counts_stub_every: int | None
    needs_shuffler: bool = False


@dataclass(frozen=True, slots=True)
class PlayerAdvantage:
    """Statement of a house about a pack under which a perfect player wins. `percent`: by `antes` (of the two
    antes) and by side bet (of itself), to two places. Odds, no money."""

    reason: str
    percent: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RulePack:
    """One rule set, whole. Built and checked by `controller/rules/packs/loader.py`, never by hand."""

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
    """The odds of each side bet that the text has."""
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
    # what packs in journals of earlier versions do not have
    cover_bonus: bool = False
    """The bonus cards are covered when they are dealt."""
    cut_card_on_stub: bool = False
    """The stub lies in the rack with the cut card on top, facing out."""
    player_advantage: PlayerAdvantage | None = None
    """Given where the pack is meant to be one that a perfect player wins."""

    @property
    def lays_bonus_cards(self) -> bool:
        """Whether some way of dealing has them."""
        return any(f"card {BONUS_PLACES[0]}" in deal.steps for deal in self.deals.values())

    def has_duty(self, name: str) -> bool:
        """Whether the text asks a person for this, of the duties that not every text has."""
        return f"duties.{name}" in self.citations

    def cite(self, key: str) -> str:
        """The section that `key` comes from; falls back to the part before the last dot."""
        while key not in self.citations and "." in key:
            key = key.rpartition(".")[0]
        return self.citations[key]


def permitted(ruling: Ruling) -> tuple[Outcome | None, tuple[str, ...]]:
    """(proposed, outcomes offered). Where the text decides, only its outcome is offered."""
    if ruling.outcome is Outcome.FLOOR:
        return None, FLOOR_CHOICES
    if ruling.outcome in (Outcome.VOID, Outcome.REMOVE_DECK, Outcome.RESHUFFLE):
        return ruling.outcome, (ruling.outcome.value,)
    return Outcome.GO_ON, FLOOR_CHOICES


HOUSE_PROCEDURE = "house procedure"
"""Citation of a rule that no text gives."""


def citation_for(pack: RulePack, code: Code, method: Method | None = None, *, grew: bool = False) -> str:
    """The section that a code rests on, for the way of dealing in use; house procedure if no text has it. A
    wager that `grew` after the close was made late (58 Pa. Code § 674a.7(c))."""
    ruling = pack.rulings.get(SubRuling.BET_RAISED if grew and code is Code.BET_CHANGED else code)
    if ruling is None:
        return HOUSE_PROCEDURE
    return ruling.cited(method) if method else ruling.citation
