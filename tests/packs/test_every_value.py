"""Every value of every pack is used: if it is changed, something visible at the table or an act of the table
changes.

An unused value would be a rule on paper only. Citations are not values. If the text allows only one value,
the value is changed in the loaded pack, because no file could have another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from itertools import zip_longest
from typing import Any

import pytest

from controller.game.model.irregularities import Outcome
from controller.game.model.names import Wager
from controller.game.model.rules import PayTable, RulePack, Ruling
from controller.rules.packs.form import OWN_DUTIES
from controller.rules.packs.loader import find_pack, load_pack, pack_files
from tests.packs import looks, troubles

pytestmark = pytest.mark.slow

NAMES = ("key", "title", "text", "digest", "citations", "player_advantage")
"""Fields of a pack that have no effect at the table: its names, its origin, and its reason
(tests/odds/test_advantage.py)."""

Change = tuple[str, RulePack, looks.Look]
"""Name of the change, the changed pack, and the look whose result must differ."""
PLAIN: dict[str, tuple[Any, looks.Look]] = {
    "bonuses": ((), looks.offered),
    "minimum_ante": (600, looks.laid),
    "maximum_ante": (900, looks.laid),
    "bonus_minimum": (600, looks.laid),
    "bonus_maximum": (900, looks.laid),
    "bet_multiples": ((1, 2), looks.bets),
    "whole_multiples": (False, looks.bets),
    "adjacent_boxes": (4, looks.boxes),
    "permit_touch": (None, looks.settled),
    "cover_bonus": (None, looks.permitted),
    "cut_card_on_stub": (None, looks.permitted),
    "rack_cards": (None, looks.settled),
    "fold_collected": (None, looks.folded),
    "folded_cards": (None, looks.folded),
    "cut_minimum": (15, looks.cut),
    "opening": (("inspect", "verify"), looks.opened),
    "two_decks": (None, looks.decks),
    "preshuffled_skips_opening": (None, looks.opened),
    "no_activity": (("wash",), looks.opened),
}
"""Another value for each field, and the look whose result must differ. The value None stands for the other
one in `OTHER`."""
OTHER = {
    True: False, False: True, "per_player": "after_all", "after_all": "per_player",
    "at_once": "before_turn", "before_turn": "at_once",
    "rack": "stay_with_bonus", "stay_with_bonus": "rack", "tuck_under_bonus": "rack",
}  # fmt: skip
PAYS = ("bet_pays", "ante_pays")
OWN = ("six_card_bonus_equals_five", "folded_turned_for", "back_ups")
"""Fields that only some packs use."""

ALWAYS_ASKED = ("turn_bonus",)
"""Duties of all packs that turn bonus cards. These packs differ only in the section that they cite."""


@cache
def pack(key: str) -> RulePack:
    return load_pack(find_pack(key))


@cache
def unchanged(key: str, look: looks.Look) -> tuple[object, ...]:
    """Return the observations under the unchanged pack. The result is cached, because many changes are
    compared with it."""
    return tuple(observed(look(pack(key))))


def observed(found: object) -> Iterator[object]:
    """Yield the observations of a look: one by one if the look yields them, else its only one."""
    yield from found if isinstance(found, Iterator) else (found,)


def changes(rules: RulePack) -> Iterator[Change]:
    for name, (other, look) in PLAIN.items():
        value = OTHER[getattr(rules, name)] if other is None else other
        yield name, replace(rules, **{name: value}), look
    yield from _of_the_six_card_bonus(rules)
    yield from _deals(rules)
    yield from _pays(rules)
    yield from _limit(rules)
    yield from _irregularities(rules)
    yield from _duties(rules)
    yield "settlement", replace(rules, settlement=_backwards(rules)), looks.settled
    for method in rules.deck_minutes:
        minutes = {**rules.deck_minutes, method: 120}
        yield f"deck_minutes.{method}", replace(rules, deck_minutes=minutes), looks.aged(method)


def _of_the_six_card_bonus(rules: RulePack) -> Iterator[Change]:
    if Wager.SIX_CARD_BONUS in rules.bonuses:
        yield "six_card_bonus_equals_five", replace(rules, six_card_bonus_equals_five=False), looks.six_card
        yield "folded_turned_for", replace(rules, folded_turned_for=()), looks.folded


def _duties(rules: RulePack) -> Iterator[Change]:
    """Yield the pack without each duty that some texts lack, so that the table must not ask for it."""
    for duty in OWN_DUTIES:
        if rules.has_duty(duty) and duty not in ALWAYS_ASKED:
            left = {name: cited for name, cited in rules.citations.items() if name != f"duties.{duty}"}
            yield f"duties.{duty}", replace(rules, citations=left), looks.settled


def _deals(rules: RulePack) -> Iterator[Change]:
    for method, deal in rules.deals.items():
        steps = replace(deal, steps=tuple(reversed(deal.steps)))
        counts = replace(deal, counts_stub_every=2)
        needs = replace(deal, needs_shuffler=not deal.needs_shuffler)
        for part, other, look in (
            ("steps", steps, looks.dealt(method)),
            ("counts_stub_every", counts, looks.counted(method)),
            ("needs_shuffler", needs, looks.shuffled(method)),
        ):
            yield f"deals.{method}.{part}", replace(rules, deals={**rules.deals, method: other}), look


def _pays(rules: RulePack) -> Iterator[Change]:
    for name in PAYS:
        pays: PayTable = getattr(rules, name)
        for line, changed in _each_changed(pays):
            yield f"{name}.{line}", replace(rules, **{name: changed}), looks.plans
    for wager, pays in rules.side_bets.items():
        for line, changed in _each_changed(pays):
            changed_bets = {**rules.side_bets, wager: changed}
            yield f"side_bets.{wager}.{line}", replace(rules, side_bets=changed_bets), looks.plans


def _each_changed(pays: PayTable) -> Iterator[tuple[str, PayTable]]:
    for line, odds in pays.items():
        yield line, {**pays, line: 7 if odds == "push" else odds + 1}


def _limit(rules: RulePack) -> Iterator[Change]:
    limit = rules.payout_limit
    for part, value in (
        ("cents", 1500), ("bonus_included", not limit.bonus_included),
        ("kind", "cap" if limit.kind != "cap" else "floor"), ("base", limit.base + 100),
    ):  # fmt: skip
        yield (
            f"payout_limit.{part}",
            replace(rules, payout_limit=replace(limit, **{part: value})),
            looks.limited,
        )


def _irregularities(rules: RulePack) -> Iterator[Change]:
    for code, ruling in rules.rulings.items():
        if ruling.outcome is not None:
            other = Outcome.VOID if ruling.outcome is Outcome.FLOOR else Outcome.FLOOR
            changed = {**rules.rulings, code: Ruling(other, ruling.citation)}
            yield f"rulings.{code}", replace(rules, rulings=changed), troubles.troubled(code)
    yield "forfeits", replace(rules, forfeits=() if rules.forfeits else ("player_left",)), troubles.forfeited
    if rules.back_ups:
        yield "back_ups", replace(rules, back_ups=0), troubles.backed_up


def _backwards(rules: RulePack) -> Any:
    return tuple(replace(walk, groups=walk.groups[::-1]) if len(walk.groups) > 1 else
                 replace(walk, groups=((walk.groups[0][0], walk.groups[0][1][::-1]),))
                 for walk in rules.settlement)  # fmt: skip


CHANGED = {(key, name): (other, look) for key in pack_files() for name, other, look in changes(pack(key))}


@pytest.mark.parametrize("key", pack_files())
def test_every_field_of_a_pack_is_changed(key: str) -> None:
    """Every field of a pack is among the changes, except those that the pack does not use."""
    rules = pack(key)
    changed = {name.partition(".")[0] for owner, name in CHANGED if owner == key}
    declared = {field.name for field in fields(RulePack)} - set(NAMES)
    unsaid = {name for name in OWN if name not in rules.citations}
    assert changed - {"duties"} == declared - unsaid


@pytest.mark.parametrize(("key", "name"), CHANGED)
def test_every_changed_value_has_a_visible_effect(key: str, name: str) -> None:
    other, look = CHANGED[key, name]
    both = zip_longest(observed(look(other)), unchanged(key, look))
    assert any(changed != plain for changed, plain in both)
