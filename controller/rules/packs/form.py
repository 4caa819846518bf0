"""The file of a rule pack: its sections, the leaves of each, the allowed values of a leaf, and which rules a
casino may change for its own table (`OVERRIDES`).

A leaf (`leaf.py`) is ``{value, citation}``; if the text leaves a choice, `between` or `allowed` name it. The
module describes the form only: it must not contain a rule of any jurisdiction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, create_model, model_validator

from controller.common.files.forms import (
    Flag,
    Form,
    MethodName,
    Money,
    WagerName,
    validation_error,
    whole_number,
    word,
    word_list,
)
from controller.common.files.yaml_lines import Path_
from controller.game.model.irregularities import OF_PLAYER, Code, Outcome, Ruled, SubRuling
from controller.game.model.names import Method, Wager
from controller.game.model.rules import Odds
from controller.game.model.side_bets import BONUSES, SIDE_BETS
from controller.game.rulebook.hands import HAND_LINES
from controller.rules.packs.flat import SIDE_BET_PAYS
from controller.rules.packs.leaf import (
    ByMethod,
    Citation,
    Leaf,
    MoneyLeaf,
    Section,
    by_method,
    default_leaf,
    require_keys,
)
from controller.rules.packs.values import DEAL_STEPS, non_increasing_pays, verify_deal_steps

OPENING_STEPS = (
    "inspect", "verify", "spread", "turn_down", "wash", "stack", "shuffle", "cut", "collect", "spread_down",
    "look",
)  # fmt: skip

RULINGS: tuple[Ruled, ...] = (*Code, *SubRuling)
DECIDED = (
    *(code for code in Code if code.kind.decided), *(finer for finer in SubRuling if finer.row.decided),
)  # fmt: skip
"""Irregularities whose outcome a text or a floorperson decides. Others are only reported and corrected."""
OWN_RULINGS = (
    *(code for code in Code if code.kind.bonus_only),
    *(finer for finer in SubRuling if not finer.row.always),
)  # fmt: skip
"""Rulings that a pack may leave out; every other irregularity needs one."""

DUTIES = (
    "no_more_bets", "rack_stub", "count_stub", "rack_counted_stub", "ask_across", "turn_row", "ask_down",
    "turn_column", "ask_middle", "turn_middle", "turn_seat", "shuffle", "cut", "recut",
)  # fmt: skip
OWN_DUTIES = (
    "turn_bonus", "look_at_cards", "look_and_lay_down", "lay_cards_down", "announce_hands",
    "one_deck_in_rack",
)  # fmt: skip
"""Duties that a text may leave out; the dealer is then not asked for them."""


# ---------------------------------------------------------------------- values


def _odds(given: object) -> Odds:
    if given == "push":
        return "push"
    if type(given) is not int or not 1 <= given <= 100_000:
        raise ValueError("allowed: what it pays to 1, a whole number from 1 to 100000, or push")
    return given


def _pair(given: object) -> object:
    if not isinstance(given, list) or len(given) != 2 or not all(type(each) is int for each in given):
        raise ValueError("allowed: a list of two whole numbers, the smaller first")
    return tuple(given)


def _rising(pair: tuple[int, int]) -> tuple[int, int]:
    if pair[0] > pair[1]:
        raise ValueError("allowed: a list of two whole numbers, the smaller first")
    return pair


Bonuses = Annotated[tuple[Annotated[Wager, word(BONUSES)], ...], word_list(BONUSES)]
Wagers = Annotated[tuple[WagerName, ...], word_list(Wager)]
Steps = Annotated[tuple[Annotated[str, word(OPENING_STEPS)], ...], word_list(OPENING_STEPS)]
Codes = Annotated[tuple[Annotated[Code, word(OF_PLAYER)], ...], word_list(OF_PLAYER)]
Verb = Literal["take", "push", "pay"]
Verbs = Annotated[tuple[Verb, ...], word_list(("take", "push", "pay"))]
_NumberPair = Annotated[
    tuple[Annotated[int, whole_number(1, 100)], Annotated[int, whole_number(1, 100)]], BeforeValidator(_pair)
]
Pays = dict[Annotated[str, word(HAND_LINES)], Annotated[Odds, BeforeValidator(_odds)]]
FromPair = Annotated[Pays, AfterValidator(non_increasing_pays("pair_of_6s_to_10s"))]
DealSteps = Annotated[list[Annotated[str, word(DEAL_STEPS)]], AfterValidator(verify_deal_steps)]
_Text = Annotated[str, Field(pattern=r"\S")]


class Group(Form):
    do: Verbs
    wagers: Wagers


class Walk(Form):
    groups: list[Group] = Field(description="a list of groups with do and wagers")
    turn: Literal["seat", "nothing"] = "nothing"
    before: Literal["bonus_cards", "nothing"] = "nothing"


class Deal(Form):
    steps: Leaf[DealSteps]
    counts_stub_every: Leaf[Annotated[int | None, whole_number(1, 1000, null=True)]]
    needs_shuffler: Leaf[Flag]


class Ruling(Form):
    outcome: Annotated[Outcome, word(Outcome)] | None = None
    citation: Citation
    citations: ByMethod = Field(default={}, description="ways of dealing, each with its section")


class Results(Form):
    lose: Citation
    push: Citation
    win: Citation


class PayoutLimit(Form):
    value: Money | None
    kind: Literal["floor", "cap", "fixed"]
    base: Money
    bonus_included: Flag
    citation: Citation


def _percent(given: object) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float | Decimal) or not 0 < given < 1_000_000:
        raise ValueError("allowed: what a perfect player would win, in percent with two places, above 0")
    return round(float(given), 2)


ANTES_TOGETHER = "antes"
ADVANTAGES = (ANTES_TOGETHER, *BONUSES)
"""Wagers on which a player may have an advantage: the base game, in shares of the two antes, and each side
bet."""


class Advantage(Form):
    """Statement of a house that a perfect player wins under this pack: the reason, and the advantage in
    percent.
    """

    reason: _Text
    percent: dict[Annotated[str, word(ADVANTAGES)], Annotated[float, BeforeValidator(_percent)]]


HOUSE = "house procedure"
HOUSE_RULINGS: Mapping[Ruled, Ruling] = {
    **{
        code: Ruling(outcome=Outcome.FLOOR, citation=HOUSE) if code.kind.decided else Ruling(citation=HOUSE)
        for code in Code
        if code.kind.house
    },
    **{finer: Ruling(outcome=finer.row.house, citation=HOUSE) for finer in SubRuling if finer.row.house},
}
"""Rulings for cases without a rule in the text, the same under every pack that has no ruling of its own."""


def _with_house(rulings: dict[Ruled, Ruling]) -> dict[Ruled, Ruling]:
    whole_number = {**HOUSE_RULINGS, **rulings}
    return {code: whole_number[code] for code in RULINGS if code in whole_number}


def _decided(rulings: dict[Ruled, Ruling]) -> dict[Ruled, Ruling]:
    """Check that a ruling has an outcome if and only if its irregularity is one of `DECIDED`."""
    errors: list[tuple[Path_, str]] = []
    for code, ruling in rulings.items():
        if code in DECIDED and ruling.outcome is None:
            errors.append(((code,), f"outcome: missing; allowed: {', '.join(Outcome)}"))
        if code not in DECIDED and "outcome" in ruling.model_fields_set:
            errors.append(((code, "outcome"), "unknown key; allowed: citation, citations"))
    if errors:
        raise validation_error(errors)
    return rulings


# ---------------------------------------------------------------------- the file


class WagersSection(Form):
    bonuses: Leaf[Bonuses]
    minimum_ante: MoneyLeaf
    maximum_ante: MoneyLeaf
    bonus_minimum: MoneyLeaf
    bonus_maximum: MoneyLeaf
    bet_multiples: Leaf[Annotated[_NumberPair, AfterValidator(_rising)]]
    whole_multiples: Leaf[Flag]
    six_card_bonus_equals_five: Leaf[Flag] = default_leaf(True)
    adjacent_boxes: Leaf[Annotated[int | None, whole_number(1, 6, null=True)]]


class PlaySection(Form):
    fold_collected: Leaf[Literal["at_once", "before_turn"]]
    folded_cards: Leaf[Literal["rack", "stay_with_bonus", "tuck_under_bonus"]]
    folded_turned_for: Leaf[Bonuses] = default_leaf(())
    permit_touch: Leaf[Flag]
    cover_bonus: Leaf[Flag]
    cut_card_on_stub: Leaf[Flag]
    rack_cards: Leaf[Literal["per_player", "after_all"]]


class BetPays(Form):
    ante_pays: Leaf[Literal["even_money", "pay_table"]]
    bet_pays: Leaf[FromPair]


_SIDE_BET_LEAVES: dict[str, Any] = {
    SIDE_BET_PAYS[wager]: (
        Leaf[Annotated[Pays, AfterValidator(non_increasing_pays(bet.least))]],
        default_leaf({}),
    )
    for wager, bet in SIDE_BETS.items()
}
"""Leaves for the odds of each side bet, which a text without the bet leaves out."""
PaysSection = create_model("PaysSection", __base__=BetPays, **_SIDE_BET_LEAVES)


class IrregularitiesSection(Form):
    back_ups: Leaf[Annotated[int, whole_number(0, 10)]] = default_leaf(0)
    forfeits: Leaf[Codes]


class DeckSection(Form):
    two_decks: Leaf[Flag]
    opening: Leaf[Steps]
    preshuffled_skips_opening: Leaf[Flag]
    no_activity: Leaf[Steps]
    cut_minimum: Leaf[Annotated[int, whole_number(1, 51)]]


class PackFile(Form):
    key: _Text
    title: _Text
    text: _Text
    wagers: WagersSection
    play: PlaySection
    pays: PaysSection  # type: ignore[valid-type]  # made of the side bets
    irregularities: IrregularitiesSection
    deck: DeckSection
    settlement: Leaf[list[Walk]]
    results: dict[
        WagerName,
        Annotated[
            Annotated[Citation, Tag("one")] | Annotated[Results, Tag("each")], Discriminator(by_method)
        ],
    ]
    payout_limit: PayoutLimit
    player_advantage: Advantage | None = None
    deals: dict[MethodName, Deal]
    deck_hours: dict[MethodName, Leaf[Annotated[int | None, whole_number(1, 24, null=True)]]]
    rulings: Annotated[
        dict[Annotated[Ruled, word(RULINGS)], Ruling],
        AfterValidator(_with_house),
        require_keys([code for code in RULINGS if code not in OWN_RULINGS]),
        AfterValidator(_decided),
    ]
    duties: Annotated[dict[Annotated[str, word((*DUTIES, *OWN_DUTIES))], Section], require_keys(DUTIES)]

    @model_validator(mode="after")
    def _each_way(self) -> Self:
        """Check that `deck_hours`, and each duty with several sections, has exactly one entry for each way of
        dealing.
        """
        errors = [*_ways(("deck_hours",), self.deck_hours, self.deals)]
        for duty, sections in self.duties.items():
            if isinstance(sections, Mapping):
                errors += _ways(("duties", duty), sections, self.deals)
        if errors:
            raise validation_error(errors)
        return self


def _ways(at: Path_, given: Collection[Method], deals: Collection[Method]) -> Iterator[tuple[Path_, str]]:
    for method in given:
        if method not in deals:
            yield (*at, method), f"unknown key; allowed: {', '.join(deals)}"
    for method in deals:
        if method not in given:
            yield at, f"{method}: missing; it must be given"


SECTIONS: dict[str, type[Form]] = {
    "wagers": WagersSection,
    "play": PlaySection,
    "pays": PaysSection,
    "irregularities": IrregularitiesSection,
    "deck": DeckSection,
}
SECTION_OF = {name: section for section, form in SECTIONS.items() for name in form.model_fields}
"""Section of each leaf; leaves that are not in it are at the top of the file."""

NOT_SET_BY_A_TABLE = ("opening", "no_activity", "bet_pays", *SIDE_BET_PAYS.values())
"""Rules that no casino may change for its table, because the text fixes them completely. Another value needs
another rule pack.
"""

OVERRIDES = frozenset(SECTION_OF) - set(NOT_SET_BY_A_TABLE) | {
    "payout_limit", "deck_hours", "counts_stub_every", "player_advantage",
}  # fmt: skip
"""Rules that a casino may change for its table, by flat keys: a table file or a scenario may set them."""
