"""The keys of a rule pack file: in which section each stands and what may be its value.

A list of facts about the form; it must hold no rule of any text.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.game.model.irregularities import OF_PLAYER, Code, Finer, Outcome, Ruled
from controller.game.model.names import Wager
from controller.game.model.side_bets import BONUSES
from controller.packs.values import Parse, flag, money, optional, pair, passes, pay_table, whole, word, words

OPENING_STEPS = (
    "inspect", "verify", "spread", "turn_down", "wash", "stack", "shuffle", "cut", "collect", "spread_down",
    "look",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """One leaf. `section` "" is the top of the file. `plain`: the value is the RulePack's as it is.
    `optional`: a pack in which it would change nothing leaves it out."""

    section: str
    parse: Parse
    plain: bool = True
    optional: bool = False
    absent: object = None
    """What stands for an optional one that a pack has no use for."""


FIELDS: dict[str, Field] = {
    "bonuses": Field("wagers", words(BONUSES)),
    "minimum_ante": Field("wagers", money),
    "maximum_ante": Field("wagers", money),
    "bonus_minimum": Field("wagers", money),
    "bonus_maximum": Field("wagers", money),
    "bet_multiples": Field("wagers", pair(1, 100)),
    "whole_multiples": Field("wagers", flag),
    "six_card_bonus_equals_five": Field("wagers", flag, optional=True, absent=True),
    "adjacent_boxes": Field("wagers", optional(whole(1, 6))),
    "fold_collected": Field("play", word(("at_once", "before_turn"))),
    "folded_cards": Field("play", word(("rack", "stay_with_bonus", "tuck_under_bonus"))),
    "folded_turned_for": Field("play", words(BONUSES), optional=True, absent=()),
    "permit_touch": Field("play", flag),
    "cover_bonus": Field("play", flag),
    "cut_card_on_stub": Field("play", flag),
    "rack_cards": Field("play", word(("per_player", "after_all"))),
    "settlement": Field("", passes),
    "ante_pays": Field("pays", word(("even_money", "pay_table")), plain=False),
    "bet_pays": Field("pays", pay_table("pair_of_6s_to_10s")),
    "five_card_bonus_pays": Field("pays", pay_table("pair_of_6s_to_10s")),
    "six_card_bonus_pays": Field("pays", pay_table("three_of_a_kind"), optional=True, absent={}),
    "back_ups": Field("irregularities", whole(0, 10), optional=True, absent=0),
    "forfeits": Field("irregularities", words(OF_PLAYER)),
    "two_decks": Field("deck", flag),
    "opening": Field("deck", words(OPENING_STEPS)),
    "preshuffled_skips_opening": Field("deck", flag),
    "no_activity": Field("deck", words(OPENING_STEPS)),
    "cut_minimum": Field("deck", whole(1, 51)),
}

SECTIONS = tuple(dict.fromkeys(field.section for field in FIELDS.values() if field.section))
TOP_KEYS = (
    "key", "title", "text", *SECTIONS, "settlement", "results", "payout_limit", "deals", "deck_hours",
    "rulings", "duties",
)  # fmt: skip

DEAL_KEYS = ("steps", "counts_stub_every", "needs_shuffler")
COUNTS_STUB = optional(whole(1, 1000))
HOURS = optional(whole(1, 24))

NOT_SET_BY_A_TABLE = (
    "settlement", "opening", "no_activity", "bet_pays", "five_card_bonus_pays", "six_card_bonus_pays",
)  # fmt: skip
"""What a text fixes as a whole: another is another pack."""

OVERRIDES = frozenset(FIELDS) - set(NOT_SET_BY_A_TABLE) | {
    "payout_limit", "deck_hours", "counts_stub_every",
}  # fmt: skip
"""What a table file or a scenario may set, by flat keys."""

RULINGS: tuple[Ruled, ...] = (*Code, *Finer)
OWN_RULINGS = (
    *(code for code in Code if code.kind.bonus_only),
    *(finer for finer in Finer if not finer.row.always),
)  # fmt: skip
"""Of what cannot come under every pack."""
DECIDED = (
    *(code for code in Code if code.kind.decided), *(finer for finer in Finer if finer.row.decided),
)  # fmt: skip
"""Of these the text, or a floorperson, decides what becomes of the round; the others are said and mended."""
OUTCOMES = tuple(Outcome)
RESULTS = ("lose", "push", "win")
RESULT_WAGERS = tuple(Wager)

DUTIES = (
    "no_more_bets", "rack_stub", "count_stub", "rack_counted_stub", "ask_across", "turn_row", "ask_down",
    "turn_column", "ask_middle", "turn_middle", "turn_seat", "shuffle", "cut", "recut",
)  # fmt: skip
OWN_DUTIES = (
    "turn_bonus", "look_at_cards", "look_and_lay_down", "lay_cards_down", "announce_hands",
    "one_deck_in_rack",
)  # fmt: skip
"""Of these a text that is silent names none, and nobody is asked for it."""
