"""If the table requires a sign-on, every touch of a dealer before the sign-on is refused."""

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
    """Require a sign-on at this table and return it. It asks for a name while it has no dealer."""
    felt.table.settings = replace(felt.table.settings, sign_on=True)
    return felt


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("event", DEALERS, ids=repr)
def test_no_dealer_s_touch_is_accepted_in_any_phase_without_a_dealer(
    phase: Phase, event: events.Event
) -> None:
    felt = relieved(Felt())
    felt.event(events.KeyPressed(Key.FLOOR))
    felt.table.state = evolve(felt.table.state, phase=phase)
    assert felt.refusal_code(event) == "no_dealer"


@pytest.mark.parametrize("event", OTHERS, ids=repr)
def test_other_events_need_no_dealer(event: events.Event) -> None:
    felt = relieved(Felt())
    felt.event(events.KeyPressed(Key.FLOOR))
    assert felt.refusal_code(event) != "no_dealer"


def test_each_touch_is_classified() -> None:
    assert {type(event) for event in (*DEALERS, *OTHERS)} == FROM_PEOPLE


def test_in_mid_round_keys_are_dark_and_a_number_is_requested_until_a_dealer_signs_on() -> None:
    felt = relieved(dealt())
    felt.event(events.KeyPressed(Key.FLOOR))
    view = felt.table.view()
    assert {key for key, lit in view["keys"].items() if lit} <= {"floor"}
    assert view["prompt"]["entry"] == "sign_on"
    felt.event(events.DealerSignedOn("D7"))
    view = felt.table.view()
    assert view["keys"]["fold"]
    assert view["prompt"]["entry"] is None
