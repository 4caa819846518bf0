"""Citations of a pack: the section for each value, by the value's name. A part of a value has a dotted
name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from controller.rules.packs.form import HOUSE, SECTION_OF, Deal, PackFile, Results
from controller.rules.packs.leaf import Leaf


def citations(file: PackFile) -> Iterator[tuple[str, str]]:
    for name, section in SECTION_OF.items():
        if name in getattr(file, section).model_fields_set:
            yield from _of_leaf(name, getattr(getattr(file, section), name))
    yield from _of_leaf("settlement", file.settlement)
    yield "payout_limit", file.payout_limit.citation
    if file.player_advantage:
        yield "player_advantage", HOUSE
    for method, deal in file.deals.items():
        for part in Deal.model_fields:
            yield from _of_leaf(f"deals.{method}.{part}", getattr(deal, part))
    for method, hours in file.deck_hours.items():
        yield from _of_leaf(f"deck_hours.{method}", hours)
    for code, ruling in file.rulings.items():
        yield f"rulings.{code}", ruling.citation
        yield from _of_parts(f"rulings.{code}", ruling.citations)
    for wager, result in file.results.items():
        yield from _of_parts(f"results.{wager}", dict(result) if isinstance(result, Results) else result)
    for duty, cited in file.duties.items():
        yield from _of_parts(f"duties.{duty}", cited)


def _of_leaf(name: str, leaf: Leaf[object]) -> Iterator[tuple[str, str]]:
    yield name, leaf.citation
    yield from _of_parts(name, leaf.citations)


def _of_parts(name: str, given: str | Mapping[Any, str]) -> Iterator[tuple[str, str]]:
    if isinstance(given, str):
        yield name, given
    else:
        yield from ((f"{name}.{part}", citation) for part, citation in given.items())
