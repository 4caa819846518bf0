"""What each fault of a device or of the machine does in each phase: one table, printed in
controller/game/IRREGULARITIES.md.

The game does not read it: it is what the game was found to do, and a test plays every entry of it
(tests/game/test_faults_by_phase.py). It must name nothing that is not tried there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controller.game.model.irregularities import Code
from controller.game.model.names import Phase

PHASES = (Phase.BETTING, Phase.DEALING, Phase.ACROSS, Phase.SETTLEMENT)
"""The others are like one of these: every decision like the first one."""


@dataclass(frozen=True, slots=True)
class Fault:
    """`does`: an alert by its code, or `held` with it. `over`: what ends it."""

    name: str
    what: str
    does: Mapping[Phase, str]
    over: str


def _everywhere(code: Code) -> Mapping[Phase, str]:
    return dict.fromkeys(PHASES, str(code))


def _held(code: Code, *phases: Phase) -> Mapping[Phase, str]:
    """Said in every phase, and play is held in these."""
    return {phase: f"held {code}" if phase in phases else str(code) for phase in PHASES}


AGAIN = "by itself, when it answers again"
FAULTS = (
    Fault(
        "link_lost",
        "the shoe's link is gone for longer than its grace",
        _held(Code.SHOE_LOST, Phase.DEALING),
        "the link is resumed, no card lost; what was held, by the floor",
    ),
    Fault(
        "cards_unseen",
        "the shoe comes back with another count of cards",
        _held(Code.SHOE_LOST, *PHASES),
        "by the floor",
    ),
    Fault(
        "shoe_fault",
        "the shoe says that it is jammed or broken",
        _held(Code.SHOE_FAULT, Phase.DEALING),
        "the shoe says that it is cleared; what was held, by the floor",
    ),
    Fault("reader_silent", "a reader does not answer", _everywhere(Code.READER_LOST), AGAIN),
    Fault(
        "reader_unstable", "a reader answers muddled or too slowly", _everywhere(Code.READING_UNSTABLE), AGAIN
    ),
    Fault(
        "journal",
        "the journal cannot be written: nothing is taken or acknowledged until it can",
        _everywhere(Code.JOURNAL_FAULT),
        "by itself, when it is written again",
    ),
    Fault("disk", "the journal's disk is nearly full", _everywhere(Code.STORAGE_LOW), "there is room again"),
    Fault("clock", "the clock jumps", _everywhere(Code.CLOCK_FAULT), "it has been steady for a minute"),
)
