"""If the dealer reports a shuffler fault when the next deck is already ready, that deck is shuffled again.

58 Pa. Code § 674a.13(e), MGC § 12(e); Maryland and HOUSE: OUR READING.
"""

from __future__ import annotations

import pytest

from controller.game.model.events import DeckReady
from controller.game.model.names import Method, Phase
from tests.game.reached import reached
from tests.game.test_properties import WAYS


@pytest.mark.parametrize(("rules", "method"), [way for way in WAYS if way[1] is not Method.HAND])
def test_a_deck_ready_before_the_report_is_shuffled_again(rules: str, method: Method) -> None:
    felt = reached(Phase.CLEARING, rules, method)
    felt.does_shuffle = False
    felt.event(DeckReady(52, "BLUE"))
    felt.report("shuffler_fault")
    felt.commands.clear()
    felt.clear()
    felt.press("confirm")
    assert felt.phase is Phase.SHUFFLE
    assert [command.command for command in felt.commands] == ["SHUFFLE"]


@pytest.mark.parametrize(("rules", "method"), [way for way in WAYS if way[1] is not Method.HAND])
def test_a_deck_ready_after_the_report_is_used(rules: str, method: Method) -> None:
    felt = reached(Phase.CLEARING, rules, method)
    felt.report("shuffler_fault")
    felt.event(DeckReady(52, "BLUE"))
    felt.clear()
    felt.press("confirm")
    assert felt.phase is Phase.BETTING
