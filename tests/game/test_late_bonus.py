"""A bonus laid late is named in the settlement if it has raised no alert before (58 Pa. Code § 674a.7(c))."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.game.felt import Felt

CROSS = "2C 7D TH JS 4C"


def at_settlement(procedures: int) -> Felt:
    """Return a table in settlement whose only seat folded before its late bonus had raised an alert."""
    felt = Felt()
    felt.table.state = replace(felt.table.state, procedures=procedures)
    felt.closed(1)
    felt.lay(1, five_card_bonus=5)
    felt.deal(CROSS, {1: "AS KD"})
    felt.decide(s1=None)
    felt.stand()
    return felt


@pytest.mark.parametrize(("procedures", "code"), [(1, "wrong_circle"), (2, "late_bet")])
def test_a_late_bonus_is_named_as_one_in_the_settlement(procedures: int, code: str) -> None:
    felt = at_settlement(procedures)
    assert felt.phase == "settlement"
    assert felt.codes() == [code]


def test_chips_laid_in_the_settlement_are_in_a_wrong_circle() -> None:
    """The alert is the same if a late bonus was in this circle before and was returned."""
    felt = Felt().closed(1, 2)
    felt.lay(1, five_card_bonus=5)
    felt.deal(CROSS, {1: "AS KD", 2: "2H 3H"})
    felt.lay(1, five_card_bonus=0)
    felt.decide(s1=None, s2=10)
    felt.decide(s2=10)
    felt.decide(s2=10)
    assert felt.phase == "settlement"
    felt.lay(1, five_card_bonus=5)
    felt.stand()
    assert felt.codes() == ["wrong_circle"]
