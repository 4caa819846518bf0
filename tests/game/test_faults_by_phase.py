"""Each fault, in each phase, causes exactly the hold or the alert that controller/game/model/faults.py
lists."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controller.game.model import events
from controller.game.model.faults import FAULTS, HELD, PHASES, Fault
from controller.game.model.irregularities import LOST_MS, Code
from controller.game.model.names import SEATS, Phase, Wager
from controller.game.model.state import Hold
from tests.game.every_phase import AT
from tests.game.felt import Felt

RESUMED = (
    events.ShoeLinkLost(),
    events.ShoeLinkOpened("TEST", "1", "1", "boot"),
    events.ShoeStated("DEALING", 12, 40, "RED", "STACK", resumed=True),
)
HAPPENS: Mapping[str, tuple[events.Event, ...]] = {
    "link_lost": (events.ShoeLinkLost(),),
    "cards_unseen": RESUMED,
    "shoe_fault": (events.ShoeFaulted("JAM"),),
    "another_sender": (events.TroubleReported(Code.SHOE_TAMPERED, "other_bytes"),),
    "shoe_unproven": (events.TroubleReported(Code.SHOE_UNPROVEN, "old_version"),),
    "reader_silent": (events.CircleUnreadable(3, Wager.ANTE_ACROSS, "silent"),),
    "readers_silent": tuple(
        events.CircleUnreadable(seat, wager, "silent") for seat in SEATS for wager in Wager
    ),
    "reader_unstable": (events.CircleUnreadable(3, Wager.ANTE_ACROSS, "unstable"),),
    "journal": (events.TroubleReported(Code.JOURNAL_FAULT, "the disk is full"),),
    "old_rows": (events.TroubleReported(Code.JOURNAL_DAMAGED, "row 7 is missing"),),
    "lamps": (events.TroubleReported(Code.LAMPS_FAULT, "what came back is nothing but low"),),
    "disk": (events.TroubleReported(Code.STORAGE_LOW, "make room"),),
    "module": (events.TroubleReported(Code.PROOFS_STOPPED, "it has hung up"),),
    "witness": (events.TroubleReported(Code.UNWITNESSED, "look at the feed"),),
    "clock": (events.TroubleReported(Code.CLOCK_FAULT, "it jumped"),),
}


def holds(felt: Felt) -> list[Hold]:
    """Return the current hold and the holds that wait behind it."""
    state = felt.table.state
    return [*((state.hold,) if state.hold else ()), *state.held_next]


def done(name: str, phase: Phase) -> str:
    """Return the effect of the fault: `held CODE` for a new hold, else `CODE` of the new alerts, or ""."""
    felt = AT[phase]()
    assert felt.phase is phase
    known, before = felt.codes(), holds(felt)
    for event in HAPPENS[name]:
        felt.event(event)
    felt.stand(LOST_MS)
    new = [hold.code for hold in holds(felt) if hold not in before]
    if new:
        return f"{HELD}{new[0]}"
    return " ".join(code for code in felt.codes() if code not in known)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_has_its_listed_effect(fault: Fault) -> None:
    assert {phase: done(fault.name, phase) for phase in PHASES} == dict(fault.does)


def test_every_fault_is_tested() -> None:
    assert [fault.name for fault in FAULTS] == list(HAPPENS)
