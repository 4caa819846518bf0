"""What each fault does in each phase: the table of controller/game/model/faults.py is what the game does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from controller.game.model.events import (
    CircleUnreadable,
    Event,
    ShoeFaulted,
    ShoeLinkLost,
    ShoeLinkOpened,
    ShoeStated,
    TroubleReported,
)
from controller.game.model.faults import FAULTS, PHASES, Fault
from controller.game.model.irregularities import LOST_MS, Code
from controller.game.model.names import Phase, Wager
from tests.game.felt import Felt
from tests.game.test_closed_loop import paying
from tests.game.test_deal_methods import CROSS, HANDS, closed


def betting() -> Felt:
    felt = Felt()
    felt.antes(3)
    return felt


def dealing() -> Felt:
    felt = closed()
    felt.card("2C")
    return felt


def across() -> Felt:
    felt = closed()
    felt.deal(CROSS, HANDS)
    return felt


AT: Mapping[Phase, Callable[[], Felt]] = {
    Phase.BETTING: betting,
    Phase.DEALING: dealing,
    Phase.ACROSS: across,
    Phase.SETTLEMENT: paying,
}
RESUMED = (
    ShoeLinkLost(),
    ShoeLinkOpened("TEST", "1", "1", "boot"),
    ShoeStated("DEALING", 12, 40, "RED", "STACK", resumed=True),
)
HAPPENS: Mapping[str, tuple[Event, ...]] = {
    "link_lost": (ShoeLinkLost(),),
    "cards_unseen": RESUMED,
    "shoe_fault": (ShoeFaulted("JAM"),),
    "reader_silent": (CircleUnreadable(3, Wager.ANTE_ACROSS, "silent"),),
    "reader_unstable": (CircleUnreadable(3, Wager.ANTE_ACROSS, "unstable"),),
    "journal": (TroubleReported(Code.JOURNAL_FAULT, "the disk is full"),),
    "disk": (TroubleReported(Code.STORAGE_LOW, "make room"),),
    "clock": (TroubleReported(Code.CLOCK_FAULT, "it jumped"),),
}


def done(name: str, phase: Phase) -> str:
    """`held CODE`, `CODE`, or nothing."""
    felt = AT[phase]()
    assert felt.phase is phase
    for event in HAPPENS[name]:
        felt.event(event)
    felt.stand(LOST_MS)
    hold = felt.table.state.hold
    return f"held {hold.code}" if hold is not None else " ".join(felt.codes())


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_does_what_the_table_says(fault: Fault) -> None:
    assert {phase: done(fault.name, phase) for phase in PHASES} == dict(fault.does)


def test_every_fault_is_tried() -> None:
    assert [fault.name for fault in FAULTS] == list(HAPPENS)
