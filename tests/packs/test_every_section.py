"""The table cites every section that a pack gives for one way of dealing or for a duty without a value.

A section is marked in the loaded pack, and the mark must appear at the table in rounds played by that way of
dealing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from controller.game.model.cards import DECK
from controller.game.model.names import Method
from controller.game.model.rules import RulePack
from controller.rules.packs.loader import find_pack, load_pack, pack_files
from tests.audit.opened import Seen, counting, rounds
from tests.packs.looks import at_across, table
from tests.packs.troubles import DECIDING, OPEN

pytestmark = pytest.mark.slow

MARK = "a section of its own"


@cache
def pack(key: str) -> RulePack:
    return load_pack(find_pack(key))


def by_method(of: Callable[[RulePack], list[tuple[str, Method]]]) -> list[tuple[str, str, Method]]:
    return [(key, name, method) for key in pack_files() for name, method in of(pack(key))]


def duties(rules: RulePack) -> list[tuple[str, Method]]:
    parts = (name.split(".") for name in rules.citations if name.startswith("duties."))
    return [(name[1], Method(name[2])) for name in parts if len(name) == 3]


def rulings(rules: RulePack) -> list[tuple[str, Method]]:
    return [(code, method) for code, ruling in rules.rulings.items() for method in ruling.by_method]


@cache
def cited(key: str, method: Method) -> frozenset[str | None]:
    """Return the citations shown in rounds dealt by `method` under a pack whose duties each cite a mark
    instead of their section."""
    rules = pack(key)
    marks = {f"duties.{duty}.{way}": f"{MARK}: {duty}" for duty, way in duties(rules) if way is method}
    marked = replace(rules, citations={**rules.citations, **marks})
    return frozenset(section for _, section, _ in rounds(counting(marked), method))


@pytest.mark.parametrize(("key", "duty", "method"), by_method(duties))
def test_a_prompt_cites_the_section_of_its_way_of_dealing(key: str, duty: str, method: Method) -> None:
    assert f"{MARK}: {duty}" in cited(key, method)


@pytest.mark.parametrize(("key", "code", "method"), by_method(rulings))
def test_an_irregularity_cites_the_section_of_its_way_of_dealing(key: str, code: str, method: Method) -> None:
    rules = pack(key)
    marked = _marked(rules, code, by_method={method: MARK})
    assert MARK in (_texts_of_the_count if code == "stub_count_due" else _held_for)(marked, code, method)


def _marked(rules: RulePack, code: str, **section: Any) -> RulePack:
    ruling = replace(rules.rulings[code], **section)
    citations = {**rules.citations, "mark": MARK}
    return replace(rules, rulings={**rules.rulings, code: ruling}, citations=citations)


def _texts_of_the_count(rules: RulePack, code: str, method: Method) -> set[str]:
    """Return the citations of the alert `code` while the stub is out of the shoe and the dealer has not
    counted it."""
    felt = table(counting(rules), method)
    felt.laid(3, 5)
    felt.deal_all(list(DECK))
    return {alert["citation"] for alert in felt.table.view()["alerts"] if alert["code"] == code}


def _held_for(rules: RulePack, code: str, method: Method) -> set[str]:
    felt = table(rules, method)
    if code not in OPEN:
        felt.laid(3, 5)
        felt.dealt()
    (OPEN.get(code) or DECIDING[code])(felt)
    assert felt.table.state.hold is not None
    return {felt.table.state.hold.citation}


# ------------------------------------------------------------------ irregularities that are only recorded


def _raised(felt: Seen) -> None:
    """Increase an ante after the close, which counts as a late wager."""
    felt.lay(3, ante_across=9)
    felt.stand(1000)


def _kept(felt: Seen) -> None:
    """Void a round and let a floorperson sign that chips are not returned to a player."""
    felt.fold()
    felt.collect()
    felt.bet(felt.pack.minimum_ante // 100)
    felt.collect()
    felt.report("wrong_count", seat=5, number=3)
    felt.floor("approve")
    felt.clear()
    felt.floor("sign", reason="Left")


CAUSES: Mapping[str, Callable[[Seen], None]] = {"bet_raised": _raised, "not_returned": _kept}


@pytest.mark.parametrize("key", pack_files())
@pytest.mark.parametrize("code", CAUSES)
def test_a_recorded_irregularity_cites_its_section(key: str, code: str) -> None:
    felt = at_across(_marked(pack(key), code, citation=MARK))
    CAUSES[code](felt)
    noted = felt.round.irregularities if felt.round else ()
    recorded = [entry["citation"] for record in felt.records for entry in record["irregularities"]]
    assert MARK in {*(entry.citation for entry in noted), *recorded}
