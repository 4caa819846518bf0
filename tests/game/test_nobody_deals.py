"""If the table requires a sign-on, a dealer's touch is refused before it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.game.model import events
from controller.game.model.cards import Card
from controller.game.model.evolve import evolve
from controller.game.model.names import Key, Phase, Wager
from controller.game.table import FROM_PEOPLE
from tests.game.felt import Felt
from tests.game.test_irregularities import dealt

DEALERS: list[events.Event] = [
    *(events.KeyPressed(key) for key in Key if key is not Key.FLOOR),
    events.AmountEntered(3, Wager.ACROSS, 500),
    events.FaceEntered("middle", Card("2C")),
    events.Reported("shuffler_fault"),
    events.CardsSwapped("middle", "down_far"),
    events.DeckBrought("blue"),
    events.DealerRelieved(),
]
OTHERS: list[events.Event] = [
    events.KeyPressed(Key.FLOOR),
    events.DealerSignedOn("D7"),
    events.FloorDecided("B1", "shuffle"),
    events.FloorOnTheWay("call", "B1"),
    events.RoundCorrected("B1", 1, 3, Wager.DOWN, 500, "why"),
]


def relieved(felt: Felt) -> Felt:
    """Require sign-on, so that a table without a dealer asks for a name."""
    felt.table.settings = replace(felt.table.settings, sign_on=True)
    return felt


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("event", DEALERS, ids=repr)
def test_in_no_phase_anything_is_taken_in_the_name_of_nobody(phase: Phase, event: events.Event) -> None:
    felt = relieved(Felt())
    felt.event(events.KeyPressed(Key.FLOOR))
    felt.table.state = evolve(felt.table.state, phase=phase)
    assert felt.refusal_code(event) == "no_dealer"


@pytest.mark.parametrize("event", OTHERS, ids=repr)
def test_what_is_no_touch_of_a_dealer_needs_none(event: events.Event) -> None:
    felt = relieved(Felt())
    felt.event(events.KeyPressed(Key.FLOOR))
    assert felt.refusal_code(event) != "no_dealer"


def test_each_word_of_a_person_is_one_or_the_other() -> None:
    assert {type(event) for event in (*DEALERS, *OTHERS)} == FROM_PEOPLE


def test_in_mid_round_the_keys_go_dark_and_the_number_is_asked_for_until_somebody_deals() -> None:
    felt = relieved(dealt())
    felt.event(events.KeyPressed(Key.FLOOR))
    view = felt.table.view()
    assert {key for key, lit in view["keys"].items() if lit} <= {"floor"}
    assert view["prompt"]["entry"] == "sign_on"
    felt.event(events.DealerSignedOn("D7"))
    view = felt.table.view()
    assert view["keys"]["fold"]
    assert view["prompt"]["entry"] is None
