"""Pay tables of a pack, computed from its rules. Proven records name the digest of these rules.

Written from controller/evidence/EVIDENCE.md "The export"; it must never import controller.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

LINES = (
    None, "pair_of_6s_to_10s", "pair_of_jacks_or_better", "two_pair", "three_of_a_kind", "straight", "flush",
    "full_house", "four_of_a_kind", "straight_flush", "royal_flush",
)  # fmt: skip
FIVE_CARD_HANDS = (1302540 + 4 * 84480, 5 * 84480, 4 * 84480, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
SIX_CARD_HANDS = (9609084, 3733800, 3000756, 2532816, 732160, 361620, 205792, 165984, 14664, 1656, 188)
"""Numbers of hands of five and of six cards by class of their best five, as textbooks count them. Class 0,
below a pair of 6s, is on no line of a pay table."""
BONUSES = {
    "five_card_bonus": (["cross"], FIVE_CARD_HANDS),
    "six_card_bonus": (["own", "bonus_cards"], SIX_CARD_HANDS),
}
"""By bonus: the parts of the record whose cards decide it, and the numbers of hands with as many cards as
they have."""
CLOSE = 1e-12


def digest_of(rules: Mapping[str, Any]) -> str:
    """Return the digest by which records name these rules."""
    canonical = json.dumps({**rules, "digest": ""}, sort_keys=True, separators=(",", ":"))
    return "sha256:" + sha256(canonical.encode()).hexdigest()


def by_class(pays: Mapping[str, Any]) -> list[int]:
    """Return the odds by class of hand: 0 for a push, -1 for a class that the pay table does not name, which
    loses."""
    return [0 if pays.get(str(line)) == "push" else pays.get(str(line), -1) for line in LINES]


def paid(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an exported pack that follow from the rules alone."""
    bonuses = {}
    for name, (cards, hands) in BONUSES.items():
        if rules[f"{name}_pays"]:
            pays = by_class(rules[f"{name}_pays"])
            wins = sum(many for many, odds in zip(hands, pays, strict=True) if odds > 0)
            bonuses[name] = {"cards": cards, "pays": pays, "chance": wins / sum(hands)}
    return {
        "lines": [*LINES], "bets": by_class(rules["bet_pays"]), "antes": by_class(rules["ante_pays"]),
        "multiples": rules["bet_multiples"], "bonuses": bonuses,
    }  # fmt: skip


def pack_faults(digest: str, pack: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each field of an exported pack that does not follow from the rules with this
    digest."""
    rules = pack.get("rules")
    if not isinstance(rules, dict):
        yield f"values.json: {digest}: has no rules, so no pay table is bound to the records; export it again"
        return
    if digest_of(rules) != digest:
        yield f"values.json: {digest}: its rules have another digest"
        return
    for name, value in paid(rules).items():
        if not _same(pack[name], value):
            yield f"values.json: {digest}: {name}: is not that of the rules: {value}"


def _same(one: Any, two: Any) -> bool:  # of JSON values; a float may differ by CLOSE
    if isinstance(two, dict):
        return (
            isinstance(one, dict)
            and one.keys() == two.keys()
            and all(_same(one[name], each) for name, each in two.items())
        )
    if isinstance(two, float):
        return isinstance(one, (int, float)) and abs(one - two) <= CLOSE
    return bool(one == two)
