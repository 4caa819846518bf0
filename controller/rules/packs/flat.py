"""A rule pack as a flat mapping, as printed, hashed and journalled: odds of each side bet `x` are in
`x_pays`.

Journals and tools use these names. A side bet that the pack does not have has `{}`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields

from controller.game.model.rules import RulePack
from controller.game.model.side_bets import BONUSES

SIDE_BET_PAYS = {wager: f"{wager}_pays" for wager in BONUSES}
_HELD = "side_bets"
_SAID_ALONE = ("player_advantage",)
"""Fields that enter the digest only if the pack gives them a value. They were added later, and packs without
them must keep their digest."""


def flat(pack: RulePack) -> dict[str, object]:
    """Return every value of a pack by its name, in the pack's order."""
    return flatten(asdict(pack))


def flatten(values: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a pack as a flat mapping: the odds of each side bet get a name of their own."""
    found: dict[str, object] = {}
    for name, value in values.items():
        if name == _HELD and isinstance(value, Mapping):
            found |= {pays: value.get(bet, {}) for bet, pays in SIDE_BET_PAYS.items()}
        elif name not in _SAID_ALONE or value is not None:
            found[name] = value
    return found


def unflatten(given: Mapping[str, object]) -> dict[str, object]:
    """Return the nested fields of a pack: the inverse of `flatten`."""
    odds = {bet: given[pays] for bet, pays in SIDE_BET_PAYS.items() if given.get(pays)}
    others = {name: value for name, value in given.items() if name not in SIDE_BET_PAYS.values()}
    return {**others, _HELD: odds}


def names() -> Iterator[str]:
    """Yield the name of every value of a pack."""
    for each in fields(RulePack):
        yield from SIDE_BET_PAYS.values() if each.name == _HELD else (each.name,)
